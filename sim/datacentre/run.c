/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replications of a data-centre network on threads.
 */
#include "base/clock.h"
#include "base/context.h"
#include "sim/datacentre/film.h"
#include "sim/datacentre/outcome.h"
#include "sim/measure/pile.h"

#include <assert.h>

const char *const swq_dc_end_words[] = {"inside",   "sent",     "refused", "pushed-out",
                                        "expelled", "in-storm", NULL};

swq_dc_options swq_dc_options_defaults(void)
{
    return (swq_dc_options){.warmup = UINT64_C(1000000000),
                            .duration = UINT64_C(10000000000),
                            .replications = 8,
                            .threads = 1,
                            .seed = 1,
                            .confidence = .95};
}

swq_dc swq_dc_defaults(void)
{
    swq_dc dc = {.ports = 8,
                 .classes = 1,
                 .rate = UINT64_C(10000000000),
                 .memory = {.bytes = 1000000,
                            .parts = 1,
                            .cell = 1,
                            .admission = &swq_admission_sharing,
                            .ties = SWQ_TIES_LOW,
                            .congested = 28000,
                            .interval = 80000000,
                            .first_alpha = 1024,
                            .new_flow = 22500,
                            .flow_pause = UINT64_C(5000000000),
                            .gamma = .999,
                            .afd_interval = 50000000,
                            .afd_length = 100000,
                            .afd_above = 153600,
                            .expel_every = 160000,
                            .expel_bucket = 1500},
                 .network = {.leaves = 2,
                             .spines = 2,
                             .hosts = 16,
                             .spine_links = 1,
                             .delay = 1000000,
                             .header = 40,
                             .ack = 64,
                             .window = 10,
                             .least_timeout = UINT64_C(10000000000),
                             .target = 50000000},
                 .pfc = {.alpha = 1, .response = 0, .resume_below = 1248, .resume_offset = 2496},
                 .cut_after = 64,
                 .sizes = 1,
                 .size_bytes = {1500},
                 .size_share = {1}};

    for (int k = 0; k < SWQ_DC_CLASSES; k++) {
        dc.memory.alpha[k] = 1;
        dc.quantum[k] = 1500;
    }
    dc.class_share[0] = 1;
    return dc;
}

/* ---- one replication ---- */

/* Runs on, without measuring switches, until the flows that are counted are complete, but no longer
 * than DRAIN times the measured time. */
enum { DRAIN = 10, LOOKS = 20 };
static swq_status finish_flows(dc_net *net, uint64_t duration)
{
    const uint64_t last = net->now + DRAIN * duration;
    swq_status status = SWQ_OK;

    while (!status && (net->own.counted_left > 0 || net->own.collective.left > 0) &&
           net->now < last)
        status = dc_net_run(net, net->now + duration / LOOKS + 1);
    return status;
}

static swq_status write_begun(swq_context *ctx, const dc_net *net, const swq_dc_options *o)
{
    return swq_flow_list_write(ctx, o->flows,
                               o->flows_as == SWQ_DC_AS_HPCC ? SWQ_FLOWS_HPCC : SWQ_FLOWS_HTSIM,
                               net->hosts, net->own.begun_ones, net->own.begun_listed);
}

/* What is wanted of a replication beyond its counters. */
static swq_status prepare(swq_context *ctx, const dc_job *j, int task, dc_net *net)
{
    if (task == 0) {
        net->fate = j->options->fate;
        net->flows = j->options->flows;
        net->own.list_begun = net->flows && j->options->flows_as != SWQ_DC_AS_COMPLETE;
        if (net->flows && !net->own.list_begun)
            fprintf(net->flows, "number,start_ps,source,destination,bytes,class,end_ps,slowdown\n");
    }
    if (j->spans > 0)
        j->outcome[task].span = j->span + (size_t)task * j->spans;
    if (j->rows > 0) {
        net->tally.link = swq_calloc(ctx, j->rows, sizeof *net->tally.link);
        j->outcome[task].link = j->link + (size_t)task * j->rows;
        if (!net->tally.link)
            return swq_memory_status(ctx);
    }
    if (j->memories == 0)
        return SWQ_OK;
    j->outcome[task].memory = j->memory + (size_t)task * j->memories;
    return dc_memories_make(ctx, net);
}

static void note_span(const dc_net *net, const dc_span *before, dc_span *span)
{
    const dc_span now = dc_span_now(net);

    *span = (dc_span){.ps = now.ps - before->ps,
                      .offered = now.offered - before->offered,
                      .lost = now.lost - before->lost,
                      .payload = now.payload - before->payload,
                      .used_ps = now.used_ps - before->used_ps,
                      .line_bytes = now.line_bytes - before->line_bytes};
}

static swq_status run_until(dc_net *net, const swq_dc_options *o, swq_dc_film *film, uint64_t end)
{
    return film ? dc_film_run(film, net, o->duration, end) : dc_net_run(net, end);
}

/* Runs the measured time, in the windows of a series. */
static swq_status run_measured(dc_net *net, const swq_dc_options *o, swq_dc_film *film,
                               dc_span *span)
{
    const uint64_t begin = net->now, end = begin + o->duration;
    swq_status status = SWQ_OK;

    if (net->spec->arrivals == SWQ_DC_TRACE)
        return dc_net_run(net, SWQ_DC_NEVER);
    for (int k = 0; span && !status && net->now < end; k++) {
        const dc_span before = dc_span_now(net);
        status = run_until(net, o, film, o->series < end - net->now ? net->now + o->series : end);
        if (!status)
            note_span(net, &before, &span[k]);
    }
    return span ? status : run_until(net, o, film, end);
}

/* Runs the warm-up and the measured time. SWQ_ECANCELLED: the time was up, and what has been
 * measured by then is valid. */
static swq_status measure(swq_context *ctx, dc_net *net, const swq_dc_options *o, swq_dc_film *film,
                          dc_outcome *outcome)
{
    const bool trace = net->spec->arrivals == SWQ_DC_TRACE;
    swq_status status = trace ? SWQ_OK : dc_net_run(net, o->warmup);

    if (status)
        return status;
    dc_tally_begin(&net->tally, net->now);
    dc_memories_begin(net);
    dc_add_parts(net, -1);
    net->own.counting_ends = net->now + o->duration;
    if (net->hosts > 0)
        status = dc_collective_begins(net);
    if (!status && film)
        status = dc_film_begin(ctx, film, net);
    if (!status)
        status = run_measured(net, o, film, outcome->span);
    if (!status || status == SWQ_ECANCELLED) {
        dc_tally_end(&net->tally, net->now);
        dc_add_parts(net, 1);
        dc_memories_end(net, outcome->memory);
        if (net->spec->flows.list)
            net->own.listed_late = net->own.list.read - net->own.listed_begun;
    }
    return !status && net->hosts > 0 ? finish_flows(net, o->duration) : status;
}

static swq_status replicate(swq_context *ctx, void *arg, int task)
{
    dc_job *j = arg;
    dc_outcome *o = &j->outcome[task];
    swq_dc_film *film = task == 0 ? j->options->film : NULL;
    const double began = swq_seconds(CLOCK_THREAD_CPUTIME_ID);
    dc_net net;
    swq_status status = dc_net_make(ctx, j->spec, j->graph, j->options->seed, task, &net);

    if (!status)
        status = prepare(ctx, j, task, &net);
    if (!status)
        status = measure(ctx, &net, j->options, film, o);
    o->partial = status == SWQ_ECANCELLED;
    if (!status || (o->partial && net.tally.ended > net.tally.begun))
        dc_gather(&net, &j->pool, o);
    if (!status)
        status = dc_find_stuck(ctx, &net, &o->circle);
    if (film)
        film->circle = o->circle.outputs;
    if (!status && net.own.list_begun)
        status = write_begun(ctx, &net, j->options);
    o->cpu = swq_seconds(CLOCK_THREAD_CPUTIME_ID) - began;
    dc_net_free(ctx, &net);
    return status;
}

static swq_status *status_of(void *arg, int task)
{
    return &((dc_job *)arg)->outcome[task].status;
}

/* ---- all ---- */

static swq_status make_job(swq_context *ctx, dc_job *j, swq_dc_result *result)
{
    const size_t replications = (size_t)j->options->replications;

    assert(j->graph);
    j->outcome = swq_calloc(ctx, replications, sizeof *j->outcome);
    if (!j->outcome)
        return swq_memory_status(ctx);
    if (j->options->per_link) {
        j->rows = (j->graph->ports + j->graph->hosts) * (uint32_t)j->spec->classes;
        j->link = swq_calloc(ctx, replications * j->rows, sizeof *j->link);
        result->link = swq_calloc(ctx, j->rows, sizeof *result->link);
        if (!j->link || !result->link)
            return swq_memory_status(ctx);
    }
    if (j->options->series > 0) {
        const uint64_t duration = j->options->duration;
        j->spans = (uint32_t)((duration - 1) / j->options->series + 1);
        j->span = swq_calloc(ctx, replications * j->spans, sizeof *j->span);
        result->window = swq_calloc(ctx, j->spans, sizeof *result->window);
        if (!j->span || !result->window)
            return swq_memory_status(ctx);
    }
    if (j->spec->memory.parts > 1) {
        j->memories = j->graph->switches * j->spec->memory.parts;
        j->memory = swq_calloc(ctx, replications * j->memories, sizeof *j->memory);
        result->memory = swq_calloc(ctx, j->memories, sizeof *result->memory);
        if (!j->memory || !result->memory)
            return swq_memory_status(ctx);
    }
    return dc_pool_make(ctx, &j->pool, j->spec->classes);
}

static swq_status run_all(swq_context *ctx, dc_job *j, swq_dc_result *result)
{
    const double began = swq_seconds(CLOCK_MONOTONIC);
    const swq_pile pile = {.arg = j,
                           .tasks = j->options->replications,
                           .run = replicate,
                           .status = status_of,
                           .stage = "replications"};
    swq_dc_result r = {0};
    swq_status status = make_job(ctx, j, &r);
    bool any = false;

    if (!status)
        status = swq_pile_run(ctx, &pile, j->options->threads);
    for (int k = 0; k < j->options->replications && j->outcome; k++)
        any |= j->outcome[k].done;
    if (!status || (status == SWQ_ECANCELLED && any)) {
        r.interrupted = status != SWQ_OK;
        r.time_up = r.interrupted && !swq_context_interrupted(ctx);
        dc_summarize(j, &r);
        r.wall_seconds = swq_seconds(CLOCK_MONOTONIC) - began;
        *result = r;
        status = SWQ_OK;
    } else {
        swq_dc_result_clear(ctx, &r);
        if (status == SWQ_ECANCELLED)
            swq_fail(ctx, status,
                     swq_context_interrupted(ctx) ? "cancelled before anything was measured"
                                                  : "the time was up before anything was measured");
    }
    dc_pool_free(ctx, &j->pool);
    swq_free(ctx, j->link);
    swq_free(ctx, j->span);
    swq_free(ctx, j->memory);
    swq_free(ctx, j->outcome);
    return status;
}

void swq_dc_result_clear(swq_context *ctx, swq_dc_result *result)
{
    swq_free(ctx, result->link);
    swq_free(ctx, result->window);
    swq_free(ctx, result->memory);
    result->link = NULL;
    result->window = NULL;
    result->memory = NULL;
    result->links = result->windows = result->memories = 0;
}

swq_status swq_dc_run(swq_context *ctx, const swq_dc *dc, const swq_dc_options *options,
                      swq_dc_result *result)
{
    swq_dc_options o = *options;
    swq_dc_graph *built = NULL;
    swq_status status = swq_dc_check(ctx, dc, options);

    if (dc->arrivals == SWQ_DC_TRACE)
        o.replications = 1;
    if (!status && !dc->network.graph)
        status = dc_graph_make(ctx, dc, &built);
    if (!status && built)
        status = dc_graph_find_ways(ctx, built);
    dc_job j = {.spec = dc, .graph = built ? built : dc->network.graph, .options = &o};
    if (!status)
        status = run_all(ctx, &j, result);
    swq_dc_graph_free(ctx, built);
    return status;
}
