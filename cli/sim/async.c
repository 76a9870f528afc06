/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim with the asynchronous engine: run, and print.
 */
#include "cli/spec/async.h"
#include "base/context.h"
#include "cli/print/words.h"
#include "cli/sim/collective.h"
#include "cli/sim/detail.h"
#include "cli/sim/film.h"
#include "cli/sim/logs.h"
#include "sim/frame/net.h"
#include "sim/frame/rule.h"
#include "sim/measure/refuse.h"
#include "sim/traffic/groups.h"

#include <math.h>
#include <stdlib.h>

#define UNIT "of the links' bandwidth, per node"

/* The results of a run, to be printed. */
typedef struct {
    const cli_async *n;
    const cli_run *run;
    const swq_async_result *r;
    const swq_saturation *found; /* NULL: there was no search */
    const uint32_t *phase_end;   /* NULL: no collective operation */
} async_report;

/* Links between switches are a measure of the bisection only if all of them are alike. */
static bool has_bisection(const cli_async *n)
{
    return n->network.shape.kind->point_to_point;
}

static bool by_group(const async_report *p)
{
    return p->r->sim.groups > 1 || p->n->grouped;
}

/* ---- the record ---- */

static void put_flow(cli_record *to, const async_report *p, const swq_flow_result *f)
{
    const swq_async *n = &p->n->network;

    const bool worms = n->architecture.row->async.lanes;

    cli_put_flow(to, f, UNIT, cli_can_lose(n), worms);
    cli_quietly(cli_put_number(to, "delivered_bytes", f->bytes));
    if (!worms)
        cli_put_estimate(to, "latency_tail_cycles", f->tail_latency);
    if (!isnan(f->messages)) {
        cli_put_number(to, "messages", f->messages);
        cli_put_estimate(to, "message_head_cycles", f->message_head);
        cli_put_estimate(to, "message_tail_cycles", f->message_tail);
    }
    cli_put_estimate(to, "switch_hops", f->hops);
    if (swq_shape_adaptive(&n->shape) || cli_set_aside(n) || n->management.row->to_shortest) {
        cli_put_estimate(to, "out_of_order_fraction", f->out_of_order_fraction);
        cli_quietly(cli_put_count(to, "out_of_order", f->out_of_order));
    }
}

/* The levels of a result, or of a window. */
static void put_levels(cli_record *result, const swq_stage_result *stages, const void *report)
{
    const async_report *p = report;
    cli_record *levels = cli_put_list(result, "levels", "level");
    char name[40];

    for (int k = 0; k < p->r->sim.stages; k++) {
        const swq_stage_result *s = &stages[k];
        if (k == p->n->fabric.levels)
            snprintf(name, sizeof name, "crossbars");
        else
            p->n->network.shape.kind->level_name(&p->n->fabric, k, name, sizeof name);
        cli_record *level = cli_put_item(levels, name);
        cli_quietly(cli_put_word(level, "name", name));
        cli_labelled(cli_put_estimate(level, "packets_per_port", s->occupancy), "packets/port");
        cli_labelled(cli_put_estimate(level, "sent", s->sent),
                     p->n->flit > 1 ? "flits/link/cycle" : "bytes/link/cycle");
    }
}

static void title_group(cli_record *group, const async_report *p, int g,
                        const swq_group_sizes *sizes)
{
    char members[60], silent[80] = "", words[500] = "", own[24] = "";

    cli_group_members(p->n, g, members, sizeof members);
    if (sizes->to_self[g])
        snprintf(silent, sizeof silent,
                 ", of which %u send%s nothing, as all would be to themselves", sizes->to_self[g],
                 sizes->to_self[g] == 1 ? "s" : "");
    if (!p->n->network.traffic.trace)
        cli_group_words(p->n, g, words, sizeof words);
    if (p->n->benchmark)
        snprintf(own, sizeof own, ", %s", p->n->group_name[g]);
    cli_titled(group, "  group %d%s (%s; %u node%s%s)%s%s", g, own, members, sizes->nodes[g],
               sizes->nodes[g] == 1 ? "" : "s", silent, *words ? ": " : "", words);
}

static void put_groups(cli_record *result, const async_report *p)
{
    cli_record *groups = cli_put_list(result, "groups", NULL);
    swq_group_sizes sizes;
    char name[24];

    swq_sender_groups_count(&p->n->network, &p->n->fabric, &sizes);
    for (int g = 0; g < p->n->network.traffic.groups; g++) {
        snprintf(name, sizeof name, "%d", g);
        cli_record *group = cli_put_item(groups, name);
        title_group(group, p, g, &sizes);
        if (p->n->benchmark)
            cli_quietly(cli_put_word(group, "name", p->n->group_name[g]));
        put_flow(group, p, &p->r->sim.by_group[g]);
    }
    const uint32_t outside =
        p->n->network.traffic.trace ? 0 : sizes.nodes[p->n->network.traffic.groups];
    if (outside)
        cli_say(result, "\n  %u node%s in no group, and silent", outside,
                outside == 1 ? " is" : "s are");
}

/* In a mesh and a hypercube the links in the middle carry more, or less, than the mean. */
static void put_link_use(cli_record *result, const async_report *p)
{
    const bool torus = p->n->network.shape.kind->rings;
    const double use = has_bisection(p->n) ? p->r->bisection : NAN;

    cli_labelled(cli_put_number(result, "link_use", use), torus ? "bisection" : "use of links");
}

/* The throughput of the congested link, if the benchmark has a link that stays congested. */
static void put_hot_link(cli_record *result, const async_report *p)
{
    const swq_detail *d = p->run->options.detail;
    char name[80];

    if (!p->n->benchmark || p->n->hot_link == SWQ_NO_WHERE)
        return;
    const swq_map map = {&p->n->network.shape, NULL, p->n->fabric.nodes};
    swq_link_from(&map, p->n->hot_link, name, sizeof name);
    cli_quietly(cli_put_word(result, "hot_link", name));
    cli_put_estimate(result, "hot_link_use", d->link[p->n->hot_link].utilisation);
}

/* The use of chunks of memory. */
static void put_chunks(cli_record *result, const async_report *p)
{
    const swq_chunk_use *use = &p->r->chunks;

    if (!p->n->network.architecture.row->async.chunks &&
        !p->n->network.architecture.row->async.modules)
        return;
    cli_labelled(cli_put_number(result, "chunks_taken", use->taken), "chunks taken");
    cli_labelled(cli_put_number(result, "chunks_partly_filled", use->partly),
                 "partly filled chunks");
    cli_labelled(cli_put_number(result, "chunks_most_partly_filled", use->most_partly),
                 "most at once");
    cli_labelled(cli_put_number(result, "unfilled_bytes", use->unfilled), "bytes unfilled");
    if (!isnan(use->lost))
        cli_labelled(cli_put_number(result, "lost_bandwidth_fraction", use->lost),
                     "bandwidth lost to them");
    if (p->n->network.architecture.stores.bank_turns) {
        cli_labelled(cli_put_number(result, "bank_wait_cycles", use->waited / use->turns),
                     "wait for a turn at the banks");
        cli_labelled(cli_put_number(result, "bank_gap_fraction", use->gaps / use->flits),
                     "gaps inside packets");
    }
}

/* Senders that wait in vain, if the scheme has any. */
static void put_starved(cli_record *result, const async_report *p)
{
    const swq_sender_scheme *scheme = p->n->network.sender.row;

    if (scheme && scheme->starves)
        cli_quietly(cli_put_count(result, "starved_senders", p->r->starved));
}

static void say_starved(cli_record *root, const swq_async_result *r)
{
    if (r->starved)
        cli_say(root,
                "  STARVATION: %u sender%s a packet, no token, and none that will ever come; the "
                "first is node %u",
                r->starved, r->starved == 1 ? " has" : "s have", r->first_starved);
}

/* The arbiter that alone decides which sender is served; NULL: there is no arbiter, or stores may
 * refuse packets that it has chosen. */
static const swq_arbiter *matching_arbiter(const swq_async *n)
{
    const bool refuses = n->flow.row->by_destination || n->flow.row->by_path;

    return refuses || swq_async_stores(n) ? NULL : n->arbiter.row;
}

static void put_result(cli_record *root, const async_report *p)
{
    const swq_sim_result *r = &p->r->sim;
    const bool measured = r->stopped_by != SWQ_STOP_DEADLOCK || r->all.delivered > 0;
    cli_record *result = cli_the_result(cli_put_group(root, "result", NULL));

    if (!measured) {
        cli_say(root,
                "  deadlocked after %llu cycle%s (warm-up %llu): nothing was measured; seed %llu",
                (unsigned long long)r->warmup + r->cycles, cli_plural(r->warmup + r->cycles),
                (unsigned long long)r->warmup, (unsigned long long)r->seed);
        cli_quietly(result);
    }
    if (p->phase_end)
        cli_put_completion(result, p->n, p->phase_end);
    put_flow(result, p, &r->all);
    put_link_use(result, p);
    put_hot_link(result, p);
    cli_labelled(
        cli_put_fraction(result, "source_queue", r->source_queue, r->source_queue_below, NULL),
        "waiting at a sender");
    if (cli_set_aside(&p->n->network))
        cli_put_saq_use(result, p->n, p->r);
    else if (p->n->network.management.xoff)
        cli_labelled(cli_put_count(result, "notices", p->r->notices), "notices sent, in all");
    if (p->n->network.flow.row->by_destination || p->n->network.flow.row->by_path) {
        cli_labelled(cli_put_count(result, "refused_transmissions", p->r->refusals),
                     "transmissions refused, in all");
        cli_labelled(cli_put_count(result, "most_refused", p->r->most_refused.times),
                     "most often refused was a packet");
    }
    put_chunks(result, p);
    put_starved(result, p);
    cli_quietly(cli_put_truth(result, "saturated", r->beyond != SWQ_BEYOND_NOT));
    cli_put_fairness(result, &r->fairness, UNIT, matching_arbiter(&p->n->network));
    if (by_group(p))
        put_groups(result, p);
    put_levels(result, r->stage, p);
    if (p->phase_end)
        cli_put_phase_ends(result, p->n, p->phase_end);
    cli_put_series(result, r,
                   &(cli_series_as){.unit = UNIT,
                                    .groups = by_group(p),
                                    .discards = cli_can_lose(&p->n->network),
                                    .onset = p->run->onset,
                                    .stages = put_levels,
                                    .arg = p});
    if (measured)
        cli_say_run(root, r, &p->run->options);
    if (p->n->network.traffic.trace)
        cli_put_trace_left(root, p->r->messages_left, "message");
}

static void put_invariants(cli_record *root, const async_report *p)
{
    const swq_async_result *r = p->r;
    cli_record *check = cli_put_invariants(root, &r->sim);

    cli_put_count(check, "all_bytes_created", r->bytes_created);
    cli_put_count(check, "all_bytes_delivered", r->bytes_delivered);
    cli_put_count(check, "bytes_in_flight", r->bytes_in_flight);
    char lost[60] = "";
    if (cli_has_interfaces(&p->n->network)) {
        cli_put_count(check, "bytes_lost", r->bytes_lost);
        snprintf(lost, sizeof lost, " + lost %llu", (unsigned long long)r->bytes_lost);
    }
    if (r->sim.stopped_by != SWQ_STOP_DEADLOCK || r->sim.all.delivered > 0)
        cli_say(root, "  bytes created %llu = delivered %llu + in flight %llu%s: %s",
                (unsigned long long)r->bytes_created, (unsigned long long)r->bytes_delivered,
                (unsigned long long)r->bytes_in_flight, lost,
                r->bytes_created == r->bytes_delivered + r->bytes_in_flight + r->bytes_lost ? "yes"
                                                                                            : "NO");
}

/* ---- a point ---- */

static void note_search(const swq_peak *peak, bool interrupted, const char *where)
{
    if (interrupted)
        cli_note("%sinterrupted: the search was not finished; runs: %d", where, peak->runs);
    if (!isnan(peak->deadlock_load))
        cli_note("%sdeadlock at a load of %.4g", where, peak->deadlock_load);
}

typedef struct {
    cli_sim_point shared;
    cli_async n;
    swq_async_result result;
    swq_saturation found;
    swq_ceiling ceiling; /* with `found` */
    cli_film film;
    uint32_t *phase_end; /* [phases] of a collective operation, or NULL */
} async_point;

static void clear_point(swq_context *ctx, void *at)
{
    async_point *p = at;

    swq_detail_clear(ctx, &p->shared.detail);
    swq_series_free(ctx, p->result.sim.series);
    free(p->phase_end);
    cli_async_clear(ctx, &p->n);
}

static swq_status read_point(swq_context *ctx, void *at, bool many)
{
    async_point *p = at;
    const swq_fabric *f = &p->n.fabric;
    const bool open = cli_given(cli_run_options, "find-saturation") != NULL;
    swq_status status = cli_async_read(ctx, &p->n, open ? CLI_LOAD_OPEN : CLI_LOAD_GIVEN);

    if (status)
        return status;
    p->n.network.traffic.told = cli_given(cli_sim_output_options, "messages-out") != NULL;
    const cli_run_of what = {.nodes = f->nodes,
                             .trace = p->n.network.traffic.trace != NULL,
                             .timed = swq_async_timed(&p->n.network),
                             .links = p->n.benchmark && p->n.hot_link != SWQ_NO_WHERE,
                             .cycles = 200000};
    p->shared = (cli_sim_point){.shape = &p->n.network.shape, .nodes = f->nodes, .unit = UNIT};
    status =
        cli_sim_read_point(ctx, &what, (size_t)f->switches * (size_t)f->ports, many, &p->shared);
    cli_film_read(&p->film);
    if (!status && what.trace && cli_given(cli_run_options, "confidence"))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--confidence does not go with a trace, which has no random draws");
    if (!status && p->n.network.traffic.phases) {
        p->phase_end = calloc(p->n.network.traffic.phases, sizeof *p->phase_end);
        if (!p->phase_end)
            status = swq_fail(ctx, SWQ_ENOMEM, "no memory for the phases");
    }
    if (status)
        clear_point(ctx, p);
    return status;
}

/* The node to which the traffic sends messages by its number, if there is one. */
static uint32_t hot_node(const swq_async *n)
{
    for (int g = 0; g < n->traffic.groups && !n->traffic.trace; g++) {
        for (int k = 0; k < n->traffic.group[g].types; k++) {
            if (n->traffic.group[g].type[k].aim == SWQ_AIM_NODE)
                return n->traffic.group[g].type[k].value;
        }
    }
    return SWQ_NO_WHERE;
}

static void flow_in_bytes(swq_flow_result *f, uint64_t flit)
{
    f->bytes *= flit;
}

/* The network's byte is a flit: converts what was counted in flits to bytes. */
static void in_bytes(async_point *p)
{
    const uint64_t flit = (uint64_t)p->n.flit;
    swq_async_result *r = &p->result;
    swq_detail *d = p->shared.run.options.detail;

    r->bytes_created *= flit;
    r->bytes_delivered *= flit;
    r->bytes_in_flight *= flit;
    r->chunks.unfilled *= (double)flit;
    flow_in_bytes(&r->sim.all, flit);
    for (int g = 0; g < r->sim.groups; g++)
        flow_in_bytes(&r->sim.by_group[g], flit);
    for (size_t k = 0; r->sim.series && k < r->sim.series->windows; k++) {
        flow_in_bytes(&r->sim.series->window[k].all, flit);
        for (int g = 0; g < r->sim.groups; g++)
            flow_in_bytes(&r->sim.series->window[k].by_group[g], flit);
    }
    for (uint32_t i = 0; d && d->node && i < p->n.fabric.nodes; i++) {
        d->node[i].bytes_created *= flit;
        d->node[i].bytes_delivered *= flit;
    }
    for (size_t k = 0; d && d->link && k < d->links; k++)
        d->link[k].bytes *= flit;
}

static double bytes_of_point(swq_context *ctx, const void *at)
{
    const async_point *p = at;
    const swq_sim_options *o = &p->shared.run.options;

    double bytes = 0;

    if (swq_async_net_bytes(ctx, &p->n.network, o, &p->n.fabric, &bytes))
        return 0;
    return o->replications * bytes + swq_fabric_bytes(&p->n.fabric);
}

static swq_status answer_point(swq_context *ctx, void *at)
{
    async_point *p = at;
    const swq_async *net = &p->n.network;
    const cli_film_of film_of = {.shape = &net->shape,
                                 .output_stores = net->architecture.row->async.output_stores,
                                 .bytes = true,
                                 .marked = hot_node(net)};
    cli_run *run = &p->shared.run;
    swq_async_watch watch = {0};
    cli_log *log;
    swq_status status = cli_film_begin(ctx, &film_of, &run->options, &p->film);

    if (!status)
        status = cli_log_open(ctx, &p->n, &watch, &log);
    if (status) {
        cli_film_end(ctx, &p->film, false);
        return status;
    }
    if (run->find_saturation) {
        status = swq_async_ceiling(ctx, net, run->options.seed, &p->ceiling);
        if (!status)
            status =
                swq_async_saturation(ctx, net, &run->options, &run->search, &p->result, &p->found);
        if (!status)
            in_bytes(p);
        return status;
    }
    watch.phase_end = p->phase_end;
    status =
        swq_async_run(ctx, net, &run->options, log || p->phase_end ? &watch : NULL, &p->result);
    if (!status && net->traffic.trace)
        swq_result_drop_intervals(&p->result.sim, run->options.detail);
    else if (!status)
        swq_result_refuse(&p->result.sim, run->options.detail);
    if (!status)
        in_bytes(p);
    p->film.circle = status ? 0 : p->result.waiting_count;
    const swq_status shown = cli_film_end(ctx, &p->film, !status);
    const swq_status kept = cli_log_close(ctx, log, !status && !shown);
    return status ? status : shown ? shown : kept;
}

static async_report report_of(const async_point *p)
{
    const cli_run *run = &p->shared.run;

    return (async_report){&p->n, run, &p->result, run->find_saturation ? &p->found : NULL,
                          p->phase_end};
}

static void put_search(cli_record *root, const async_point *p, const async_report *r)
{
    cli_put_peak(root, &(cli_searched){.found = r->found,
                                       .full = &r->r->sim,
                                       .deadlock = r->r->waiting_count > 0,
                                       .resolution = r->run->search.resolution,
                                       .ceiling = &p->ceiling});
}

static cli_record *record_point(swq_context *ctx, const void *at)
{
    const async_point *p = at;
    const async_report r = report_of(p);
    cli_record *root = cli_record_new("switchq/sim/1");

    cli_put_async(root, r.n);
    cli_put_run(root, &r.r->sim, &r.run->options);
    put_result(root, &r);
    put_invariants(root, &r);
    say_starved(root, r.r);
    swq_status status = cli_put_deadlock(ctx, cli_record_child(root, "result"), root, r.n, r.r);
    if (r.found)
        put_search(root, p, &r);
    if (!status)
        status = cli_put_detail(ctx, root, &p->shared);
    if (!status)
        return root;
    cli_record_free(root);
    return NULL;
}

/* Notes how many bytes of a buffer are not used because its size is no multiple of the block. */
static void note_blocks(const cli_async *n, const char *where)
{
    const int block = n->network.packet.block, blocks = n->network.memory.buffer.capacity;
    const int left = n->bytes - blocks * block;

    if (n->network.architecture.row->async.input_buffers && !cli_managed(&n->network) &&
        !cli_set_aside(&n->network) && left > 0 && left < block)
        cli_note("%s%d bytes hold %d blocks of %d bytes: %d bytes are not used", where,
                 n->bytes * n->flit, blocks, block * n->flit, left * n->flit);
}

static int end_point(swq_context *ctx, const void *at, const char *where)
{
    const async_report r = report_of(at);

    (void)ctx;
    note_blocks(r.n, where);
    if (r.found)
        note_search(&r.found->peak, r.found->interrupted, where);
    else if (cli_warns(r.run->format, where))
        cli_warn_run(&r.r->sim, where);
    cli_note_run(&r.r->sim, &r.run->options, r.found != NULL, where);
    return r.found && !isnan(r.found->peak.deadlock_load) ? CLI_FAILED : cli_sim_status(&r.r->sim);
}

const cli_question_kind cli_sim_async = {
    .size = sizeof(async_point),
    .read = read_point,
    .bytes = bytes_of_point,
    .answer = answer_point,
    .record = record_point,
    .end = end_point,
    .clear = clear_point,
    .stage = "simulations",
};
