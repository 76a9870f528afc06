/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replications of a data-centre network on threads, and estimates from them.
 */
#include "base/clock.h"
#include "base/statistics.h"
#include "sim/datacentre/net.h"
#include "sim/measure/pile.h"

#include <math.h>
#include <string.h>

const char *const swq_dc_end_words[] = {"inside",     "sent",     "refused",
                                        "pushed-out", "expelled", NULL};
const double swq_dc_percentiles[SWQ_DC_PERCENTILES] = {.5, .95, .99, .999};

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
                            .cell = 1,
                            .admission = &swq_admission_sharing,
                            .ties = SWQ_TIES_LOW,
                            .congested = 28000,
                            .interval = 80000000,
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

/* What estimates are made of. */
typedef struct {
    uint64_t offered, lost, offered_bytes, lost_bytes, sent, sent_bytes, marked;
    uint64_t by_end[SWQ_DC_EXPELLED + 1];
    double delay, byte_ps, delay_at[SWQ_DC_PERCENTILES];
} dc_numbers;

typedef struct {
    dc_numbers of[SWQ_DC_CLASSES + 1];                /* classes; all */
    double used_ps, occupancy_at[SWQ_DC_PERCENTILES]; /* shares of a memory */
    struct {
        uint64_t begun, completed;
        double time, slowdown, time_at[SWQ_DC_PERCENTILES], slowdown_at[SWQ_DC_PERCENTILES];
    } flows[SWQ_DC_SIZE_CLASSES + 1]; /* by size; queries */
    uint64_t payload, timeouts, retransmitted, pauses, paused, headroom_most;
    uint64_t most, inside, ps, hops, packets, now;
    double bytes, cpu;
    bool conserved, done;
    swq_status status;
} dc_outcome;

typedef struct {
    const swq_dc *spec;
    const swq_dc_graph *graph;
    const swq_dc_options *options;
    dc_outcome *outcome;
} job;

static double occupancy_of_bin(int bin)
{
    return (double)bin / DC_OCCUPANCY_BINS;
}

static void add_counts(dc_numbers *n, const dc_counts *c)
{
    n->offered += c->offered;
    n->offered_bytes += c->offered_bytes;
    n->sent += c->sent;
    n->sent_bytes += c->sent_bytes;
    n->marked += c->marked;
    n->lost_bytes += c->lost_bytes;
    for (int e = SWQ_DC_REFUSED; e <= SWQ_DC_EXPELLED; e++) {
        n->by_end[e] += c->lost[e];
        n->lost += c->lost[e];
    }
    n->delay += c->delay;
    n->byte_ps += c->byte_ps;
}

static double slowdown_of_bin(int bin)
{
    return dc_delay_of(bin) / DC_SLOWDOWN_UNIT;
}

static void gather_flows(const dc_hosts *own, dc_outcome *o)
{
    for (int k = 0; k <= SWQ_DC_SIZE_CLASSES; k++) {
        const dc_completions *c = k < SWQ_DC_SIZE_CLASSES ? &own->by_size[k] : &own->queries;
        o->flows[k].begun = c->begun;
        o->flows[k].completed = c->completed;
        o->flows[k].time = c->time;
        o->flows[k].slowdown = c->slowdown;
        for (int p = 0; p < SWQ_DC_PERCENTILES; p++) {
            const double level = swq_dc_percentiles[p];
            o->flows[k].time_at[p] = dc_percentile(c->times, DC_DELAY_BINS, level, dc_delay_of);
            o->flows[k].slowdown_at[p] =
                dc_percentile(c->slowdowns, DC_DELAY_BINS, level, slowdown_of_bin);
        }
    }
    o->payload = own->payload;
    o->timeouts = own->timeouts;
    o->retransmitted = own->retransmitted;
}

/* The last class of sizes is all flows. */
static void add_sizes(dc_hosts *own)
{
    dc_completions *all = &own->by_size[SWQ_DC_SIZE_CLASSES - 1];

    for (int k = 0; k < SWQ_DC_SIZE_CLASSES - 1; k++) {
        const dc_completions *c = &own->by_size[k];
        all->begun += c->begun;
        all->completed += c->completed;
        all->time += c->time;
        all->slowdown += c->slowdown;
        for (int b = 0; b < DC_DELAY_BINS; b++) {
            all->times[b] += c->times[b];
            all->slowdowns[b] += c->slowdowns[b];
        }
    }
}

/* Packets in the memories of switches. */
static uint64_t inside(const dc_net *net)
{
    uint64_t packets = 0;

    for (uint32_t q = 0; q < net->queues; q++)
        packets += net->queue[q].packets;
    for (uint32_t p = 0; p < net->host_ports; p++)
        packets += net->port[p].sending != DC_NONE;
    return packets;
}

static void gather(dc_net *net, dc_outcome *o)
{
    dc_tally *t = &net->tally;
    const int classes = net->classes;

    if (net->hosts > 0) {
        add_sizes(&net->own);
        gather_flows(&net->own, o);
    }
    if (net->ingress)
        dc_ingress_sums(net, &o->pauses, &o->paused);
    o->headroom_most = net->headroom_most;
    for (int k = 0; k < classes; k++) {
        add_counts(&o->of[k], &t->by_class[k]);
        add_counts(&o->of[classes], &t->by_class[k]);
        for (int p = 0; p < SWQ_DC_PERCENTILES; p++)
            o->of[k].delay_at[p] = dc_percentile(t->by_class[k].delays, DC_DELAY_BINS,
                                                 swq_dc_percentiles[p], dc_delay_of);
        for (int b = 0; k > 0 && b < DC_DELAY_BINS; b++)
            t->by_class[0].delays[b] += t->by_class[k].delays[b];
    }
    for (int p = 0; p < SWQ_DC_PERCENTILES; p++) {
        o->of[classes].delay_at[p] =
            dc_percentile(t->by_class[0].delays, DC_DELAY_BINS, swq_dc_percentiles[p], dc_delay_of);
        o->occupancy_at[p] = dc_percentile(t->occupancy, DC_OCCUPANCY_BINS + 1,
                                           swq_dc_percentiles[p], occupancy_of_bin);
    }
    o->used_ps = t->used_ps;
    o->most = t->most;
    o->ps = t->ended - t->begun;
    o->now = net->now;
    o->inside = inside(net);
    o->hops = t->all_sent;
    o->packets = net->come;
    o->conserved = t->all_offered == t->all_sent + t->all_lost + o->inside;
}

/* Runs on, without measuring switches, until the flows that are counted are complete, but no longer
 * than DRAIN times the measured time. */
enum { DRAIN = 10, LOOKS = 20 };
static swq_status finish_flows(dc_net *net, uint64_t duration)
{
    const uint64_t last = net->now + DRAIN * duration;
    swq_status status = SWQ_OK;

    while (!status && net->own.counted_left > 0 && net->now < last)
        status = dc_net_run(net, net->now + duration / LOOKS + 1);
    return status;
}

static swq_status replicate(swq_context *ctx, void *arg, int task)
{
    const job *j = arg;
    dc_outcome *o = &j->outcome[task];
    const bool trace = j->spec->arrivals == SWQ_DC_TRACE;
    const double began = swq_seconds(CLOCK_THREAD_CPUTIME_ID);
    dc_net net;
    swq_status status = dc_net_make(ctx, j->spec, j->graph, j->options->seed, task, &net);

    if (!status && task == 0) {
        net.fate = j->options->fate;
        net.flows = j->options->flows;
        if (net.flows)
            fprintf(net.flows, "number,start_ps,source,destination,bytes,class,end_ps,slowdown\n");
    }
    if (!status && !trace)
        status = dc_net_run(&net, j->options->warmup);
    if (!status) {
        dc_tally_begin(&net.tally, net.now);
        net.own.counting_ends = net.now + j->options->duration;
        status = dc_net_run(&net, trace ? SWQ_DC_NEVER : j->options->warmup + j->options->duration);
    }
    if (!status) {
        dc_tally_end(&net.tally, net.now);
        if (net.hosts > 0)
            status = finish_flows(&net, j->options->duration);
    }
    if (!status) {
        gather(&net, o);
        o->done = true;
    }
    o->cpu = swq_seconds(CLOCK_THREAD_CPUTIME_ID) - began;
    dc_net_free(ctx, &net);
    return status;
}

static swq_status *status_of(void *arg, int task)
{
    return &((job *)arg)->outcome[task].status;
}

/* ---- estimates ---- */

typedef double value_fn(const dc_outcome *o, const dc_numbers *n, int which);

/* The ratio of two sums over replications, with its interval. Replications without a value are left
 * out. */
static swq_estimate over(const job *j, int class, value_fn *above, value_fn *below, int which)
{
    double x[SWQ_MAX_REPLICATIONS], y[SWQ_MAX_REPLICATIONS];
    size_t count = 0;
    swq_estimate e = {NAN, NAN};

    for (int k = 0; k < j->options->replications; k++) {
        const dc_outcome *o = &j->outcome[k];
        const double value = o->done ? above(o, &o->of[class], which) : NAN;
        if (isnan(value))
            continue;
        x[count] = value;
        y[count++] = below(o, &o->of[class], which);
    }
    if (count > 0)
        swq_ratio_interval(x, y, count, j->options->confidence, &e.mean, &e.half_width);
    return e;
}

#define VALUE(name, expression)                                                                    \
    static double name(const dc_outcome *o, const dc_numbers *n, int which)                        \
    {                                                                                              \
        (void)o, (void)n, (void)which;                                                             \
        return (double)(expression);                                                               \
    }
VALUE(one, 1)
VALUE(offered, n->offered)
VALUE(offered_bytes, n->offered_bytes)
VALUE(lost, n->lost)
VALUE(lost_bytes, n->lost_bytes)
VALUE(sent_packets, n->sent)
VALUE(sent_bytes, n->sent_bytes)
VALUE(marked, n->marked)
VALUE(delay, n->delay)
VALUE(byte_ps, n->byte_ps)
VALUE(span, o->ps)
VALUE(used_ps, o->used_ps)
VALUE(delay_at, n->delay_at[which])
VALUE(occupancy_at, o->occupancy_at[which])
VALUE(payload, o->payload)
VALUE(paused, o->paused)
VALUE(flow_time, o->flows[which].time)
VALUE(flow_slowdown, o->flows[which].slowdown)
VALUE(flows_completed, o->flows[which].completed)
VALUE(flow_time_at, o->flows[which / SWQ_DC_PERCENTILES].time_at[which % SWQ_DC_PERCENTILES])
VALUE(flow_slowdown_at,
      o->flows[which / SWQ_DC_PERCENTILES].slowdown_at[which % SWQ_DC_PERCENTILES])

static swq_estimate scaled(swq_estimate e, double by)
{
    return (swq_estimate){e.mean * by, e.half_width * by};
}

static swq_dc_completion completion_of(const job *j, int k)
{
    swq_dc_completion c = {.time = over(j, 0, flow_time, flows_completed, k),
                           .slowdown = over(j, 0, flow_slowdown, flows_completed, k)};

    for (int p = 0; p < SWQ_DC_PERCENTILES; p++) {
        const int which = k * SWQ_DC_PERCENTILES + p;
        c.time_at[p] = over(j, 0, flow_time_at, one, which);
        c.slowdown_at[p] = over(j, 0, flow_slowdown_at, one, which);
    }
    for (int r = 0; r < j->options->replications; r++) {
        c.begun += j->outcome[r].flows[k].begun;
        c.completed += j->outcome[r].flows[k].completed;
    }
    return c;
}

static swq_dc_flow flow_of(const job *j, int class)
{
    const swq_dc *s = j->spec;
    const double queues = (double)j->graph->ports * (class == s->classes ? s->classes : 1);
    swq_dc_flow f = {.loss = over(j, class, lost, offered, 0),
                     .byte_loss = over(j, class, lost_bytes, offered_bytes, 0),
                     .marks = over(j, class, marked, sent_packets, 0),
                     .delay = over(j, class, delay, sent_packets, 0),
                     .throughput = scaled(over(j, class, sent_bytes, span, 0),
                                          8e12 / dc_graph_capacity(j->graph)),
                     .queue = scaled(over(j, class, byte_ps, span, 0), 1.0 / queues),
                     .loss_below = NAN};

    for (int p = 0; p < SWQ_DC_PERCENTILES; p++)
        f.delay_at[p] = over(j, class, delay_at, one, p);
    for (int k = 0; k < j->options->replications; k++) {
        const dc_numbers *n = &j->outcome[k].of[class];
        if (!j->outcome[k].done)
            continue;
        f.offered += n->offered;
        f.offered_bytes += n->offered_bytes;
        f.lost += n->lost;
        f.lost_bytes += n->lost_bytes;
        f.sent += n->sent;
        f.marked += n->marked;
        f.refused += n->by_end[SWQ_DC_REFUSED];
        f.pushed_out += n->by_end[SWQ_DC_PUSHED_OUT];
        f.expelled += n->by_end[SWQ_DC_EXPELLED];
    }
    if (f.lost < SWQ_RARE_EVENTS)
        f.loss.half_width = f.byte_loss.half_width = INFINITY;
    if (f.lost == 0 && f.offered > 0)
        f.loss_below = swq_poisson_above(0, j->options->confidence) / (double)f.offered;
    return f;
}

static void summarize(const job *j, swq_dc_result *r)
{
    r->all = flow_of(j, j->spec->classes);
    for (int k = 0; k < j->spec->classes; k++)
        r->by_class[k] = flow_of(j, k);
    const swq_dc_graph *g = j->graph;

    r->occupancy = scaled(over(j, 0, used_ps, span, 0), 1.0 / g->switches);
    if (j->spec->pfc.classes)
        r->paused = scaled(over(j, 0, paused, span, 0),
                           1.0 / g->ports / __builtin_popcount(j->spec->pfc.classes));
    if (g->hosts > 0) {
        for (int k = 0; k < SWQ_DC_SIZE_CLASSES; k++)
            r->by_size[k] = completion_of(j, k);
        r->queries = completion_of(j, SWQ_DC_SIZE_CLASSES);
        r->goodput = scaled(over(j, 0, payload, span, 0), 8e12 / dc_graph_host_capacity(g));
    }
    for (int p = 0; p < SWQ_DC_PERCENTILES; p++)
        r->occupancy_at[p] = over(j, 0, occupancy_at, one, p);
    r->conserved = true;
    for (int k = 0; k < j->options->replications; k++) {
        const dc_outcome *o = &j->outcome[k];
        if (!o->done)
            continue;
        r->replications++;
        r->occupancy_most = o->most > r->occupancy_most ? o->most : r->occupancy_most;
        r->inside += o->inside;
        r->packets += o->packets;
        r->timeouts += o->timeouts;
        r->pauses += o->pauses;
        r->headroom_most =
            o->headroom_most > r->headroom_most ? o->headroom_most : r->headroom_most;
        r->retransmitted += o->retransmitted;
        r->packet_hops += o->hops;
        r->cpu_seconds += o->cpu;
        r->ended = o->now;
        r->conserved &= o->conserved;
    }
}

static swq_status run_all(swq_context *ctx, job *j, swq_dc_result *result)
{
    const int replications = j->options->replications;
    const double began = swq_seconds(CLOCK_MONOTONIC);
    const swq_pile pile = {.arg = j,
                           .tasks = replications,
                           .run = replicate,
                           .status = status_of,
                           .stage = "replications"};
    bool any = false;

    j->outcome = swq_calloc(ctx, (size_t)replications, sizeof(dc_outcome));
    if (!j->outcome)
        return swq_memory_status(ctx);
    swq_status status = swq_pile_run(ctx, &pile, j->options->threads);
    for (int k = 0; k < replications; k++)
        any |= j->outcome[k].done;
    if (!status || (status == SWQ_ECANCELLED && any)) {
        *result = (swq_dc_result){.interrupted = status != SWQ_OK};
        summarize(j, result);
        result->wall_seconds = swq_seconds(CLOCK_MONOTONIC) - began;
        status = SWQ_OK;
    }
    swq_free(ctx, j->outcome);
    return status;
}

swq_status swq_dc_run(swq_context *ctx, const swq_dc *dc, const swq_dc_options *options,
                      swq_dc_result *result)
{
    swq_dc_options o = *options;
    swq_dc_graph *built = NULL;
    swq_status status = swq_dc_check(ctx, dc, options);

    if (dc->arrivals == SWQ_DC_TRACE)
        o.replications = 1;
    if (!status && dc->network.topology != SWQ_DC_GRAPH)
        status = dc_graph_make(ctx, dc, &built);
    if (!status && built)
        status = dc_graph_find_ways(ctx, built);
    job j = {dc, built ? built : dc->network.graph, &o, NULL};
    if (!status)
        status = run_all(ctx, &j, result);
    swq_dc_graph_free(ctx, built);
    return status;
}
