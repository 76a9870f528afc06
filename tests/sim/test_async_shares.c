/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One asynchronous network on several threads gives the numbers that it gives on one, to the bit.
 */
#include "base/statistics.h"
#include "sim/frame/shares.h"
#include "sim/switches/input_queued/kernels.h"
#include "tests/sim/async_cases.h"
#include "tests/support/support.h"

#include <string.h>

TestSuite(async_shares, .timeout = 240);

enum { CASES = 24, CYCLES = 268, STEP = 67, MOST_SHARES = 4 };

static const char *const buffers[] = {"fifo", "damq", "samq", "safc", "dafc"};

/* ---- cases ---- */

static void draw_output_stores(uint32_t *state, async_case *c)
{
    swq_async *n = &c->network;
    const int packet = (n->packet.max + n->packet.block - 1) / n->packet.block;
    const bool at_once = case_draw(state, 3) == 0;

    n->architecture.row = at_once ? &swq_output_queued : &swq_cioq;
    n->architecture.output.speedup_cycles = at_once ? 1 : case_between(state, 1, 4);
    n->architecture.output.speedup_bytes =
        at_once ? c->fabric.ports
                : case_between(state, n->architecture.output.speedup_cycles,
                               n->architecture.output.speedup_cycles * c->fabric.ports);
    n->architecture.output.crossbar_delay = case_between(state, 1, 8);
    n->architecture.output.blocks = case_between(state, packet, 4 * packet);
    n->architecture.output.store_and_forward = at_once || case_draw(state, 2);
}

static void draw_arbiter(swq_context *ctx, uint32_t *state, swq_async *n)
{
    static const char *const others[] = {"random", "islip", "maximum", "pim"};

    if (case_draw(state, 3) == 0)
        cr_assert_eq(swq_arbiter_find(ctx, others[case_draw(state, 4)], &n->arbiter.row), SWQ_OK);
}

/* A small network of any fabric, buffers, room rules and arbiters; traffic of mixed lengths. */
static void draw_case(swq_context *ctx, uint32_t *state, async_case *c, swq_sender_group *group)
{
    swq_async *n = &c->network;
    const char *buffer = buffers[case_draw(state, sizeof buffers / sizeof *buffers)];
    const int kind = case_between(state, 1, CASE_FABRICS - 1);
    const bool read_each = strcmp(buffer, "safc") == 0 || strcmp(buffer, "dafc") == 0;

    memset(c, 0, sizeof *c);
    *n = swq_async_defaults();
    case_fabric(ctx, state, kind, c);
    case_switch(ctx, state, buffer, c);
    draw_arbiter(ctx, state, n);
    if (!read_each && case_draw(state, 3) == 0)
        draw_output_stores(state, c);
    const int least = case_between(state, 1, n->packet.max);
    const swq_spread length = {SWQ_UNIFORM, least, case_between(state, least, n->packet.max)};
    *group = swq_sender_group_uniform(n, case_draw(state, 2) ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD,
                                      case_between(state, 1, 10) / 10.0 * swq_spread_mean(&length) /
                                          (swq_spread_mean(&length) + n->link.rest),
                                      length);
    n->traffic.group = group;
    n->traffic.groups = 1;
    snprintf(c->what, sizeof c->what, "%s of %u nodes, %s, %s, %s, delay %d",
             case_fabric_names[kind], c->fabric.nodes, buffer, n->architecture.row->name,
             n->arbiter.row->name, n->link.hop_delay);
}

/* ---- equality ---- */

static uint64_t *const *totals_of(swq_async_net *net)
{
    static uint64_t *all[10];
    swq_system *s = &net->system;

    all[0] = &s->waiting;
    all[1] = &s->created;
    all[2] = &s->delivered;
    all[3] = &s->hops;
    all[4] = &s->sojourn;
    all[5] = &s->area;
    all[6] = &net->messages_sent;
    all[7] = &net->system.bytes_created;
    all[8] = &net->system.bytes_delivered;
    return all;
}

/* The counters are the same, and so is the content of every store. */
static void assert_same(swq_async_net *one, swq_async_net *more, const char *what, int shares)
{
    uint64_t *totals[10];

    memcpy(totals, totals_of(one), sizeof totals);
    for (int k = 0; k < 9; k++)
        cr_assert_eq(*totals[k], *totals_of(more)[k], "%s, %d shares: total %d: %llu, not %llu",
                     what, shares, k, (unsigned long long)*totals_of(more)[k],
                     (unsigned long long)*totals[k]);
    cr_assert_eq(memcmp(one->system.tally, more->system.tally,
                        swq_system_counters(&one->system) * sizeof *one->system.tally),
                 0, "%s, %d shares: counters", what, shares);
    cr_assert_eq(
        memcmp(one->system.histogram, more->system.histogram,
               (size_t)one->system.cells * SWQ_HISTOGRAM_BINS * sizeof *one->system.histogram),
        0, "%s, %d shares: latencies", what, shares);
    cr_assert_eq(memcmp(one->system.inside, more->system.inside,
                        (size_t)one->system.levels * sizeof *one->system.inside),
                 0, "%s, %d shares: packets in levels", what, shares);
    for (uint32_t k = 0; k < one->elements; k++) {
        const swq_port *a = &one->port[k], *b = &more->port[k];
        cr_assert(a->blocks == b->blocks && a->full == b->full && a->wants == b->wants &&
                      a->wanted == b->wanted && a->out_free == b->out_free &&
                      a->link_free == b->link_free,
                  "%s, %d shares: store %u", what, shares, k);
        for (uint32_t set = a->full; set; set &= set - 1) {
            const int q = __builtin_ctz(set);
            const swq_queue *x = &swq_queues_of(one, k)[q], *y = &swq_queues_of(more, k)[q];
            cr_assert(x->ready == y->ready && x->blocks == y->blocks && x->output == y->output &&
                          x->next_port == y->next_port,
                      "%s, %d shares: queue %d of store %u", what, shares, q, k);
        }
    }
}

static void assert_conserved(const swq_async_net *net, const char *what)
{
    uint64_t packets, age, bytes;

    swq_async_audit(net, &packets, &age, &bytes);
    cr_assert_eq(net->system.created, net->system.delivered + packets, "%s", what);
    cr_assert_eq(net->system.area, net->system.sojourn + age, "%s", what);
    cr_assert_eq(net->system.bytes_created, net->system.bytes_delivered + bytes, "%s", what);
}

static swq_async_net *net_of(swq_context *ctx, const async_case *c, const swq_sim_options *options,
                             int shares)
{
    swq_async_net *net;

    cr_assert_eq(swq_async_net_new(ctx, &c->network, options, &c->fabric, 0, &net), SWQ_OK);
    if (shares > 1)
        cr_assert_eq(swq_async_shares_new(ctx, net, shares, &net->shares), SWQ_OK);
    cr_assert_eq(net->shares != NULL, shares > 1);
    return net;
}

/* Runs a case on one thread and on several. Returns the packets delivered. */
static uint64_t check_case(swq_context *ctx, const async_case *c)
{
    swq_sim_options options = swq_sim_defaults();
    const int most = c->fabric.switches < MOST_SHARES ? (int)c->fabric.switches : MOST_SHARES;
    uint64_t delivered = 0;

    options.threads = MOST_SHARES; /* too many for so few switches, until they are shared out */
    for (int shares = 2; shares <= most; shares++) {
        swq_async_net *one = net_of(ctx, c, &options, 1), *more = net_of(ctx, c, &options, shares);
        for (int done = 0; done < CYCLES; done += STEP) {
            one->system.advance(&one->system, STEP);
            more->system.advance(&more->system, STEP);
            assert_same(one, more, c->what, shares);
        }
        assert_conserved(more, c->what);
        cr_assert_eq(swq_find_deadlock(one), swq_find_deadlock(more), "%s", c->what);
        delivered += more->system.delivered;
        one->system.release(ctx, &one->system);
        more->system.release(ctx, &more->system);
    }
    return delivered;
}

Test(async_shares, numbers_do_not_depend_on_threads)
{
    static async_case c;
    swq_context *ctx = swq_context_new();
    uint64_t delivered = 0;
    uint32_t state = 20;
    int done = 0, drawn = 0;

    for (; done < CASES; drawn++) {
        swq_sender_group group;
        uint32_t nodes;
        draw_case(ctx, &state, &c, &group);
        if (swq_async_check(ctx, &c.network, &nodes) == SWQ_OK && c.fabric.switches > 1) {
            delivered += check_case(ctx, &c);
            done++;
        }
        case_clear(ctx, &c);
    }
    cr_assert(drawn < 2 * CASES && delivered > CASES * 30);
    swq_context_free(ctx);
}

static swq_sim_options brief(int threads)
{
    swq_sim_options o = swq_sim_defaults();

    o.threads = threads;
    o.warmup = 20;
    o.cycles = 70;
    return o;
}

/* All fields but times and bytes. */
static bool same(swq_sim_result x, swq_sim_result y)
{
    x.cpu_seconds = x.wall_seconds = y.cpu_seconds = y.wall_seconds = 0;
    x.bytes = y.bytes = 0;
    return memcmp(&x, &y, sizeof x) == 0;
}

static void count_start(void *arg, const swq_start *start)
{
    (void)start;
    ++*(uint64_t *)arg;
}

/* ---- by flit ---- */

/* A network of lanes, drawn: its fabric, routing, buffers and delays. */
static void draw_lanes(swq_context *ctx, uint32_t *state, async_case *c, swq_sender_group *group)
{
    static const swq_routing *const routings[] = {NULL, &swq_routing_valiant, &swq_routing_ugal};
    swq_async *n = &c->network;
    const int kind = case_between(state, 0, 2), extent[] = {case_between(state, 3, 6), 4};
    const swq_shape dragonfly = {.kind = &swq_fabric_dragonfly, .size = {2}};

    memset(c, 0, sizeof *c);
    *n = swq_async_defaults();
    n->shape = kind == 0
                   ? dragonfly
                   : case_grid(kind == 1 ? &swq_fabric_mesh : &swq_fabric_torus, 2, extent, false);
    n->shape.routing = routings[case_draw(state, 3)];
    n->architecture.row = &swq_wormhole_lanes;
    n->packet.max = case_between(state, 1, 12);
    n->link.rest = 0;
    n->architecture.lanes.choice = kind == 0   ? &swq_lane_choice_phase
                                   : kind == 2 ? &swq_lane_choice_dateline
                                               : &swq_lane_choice_any;
    n->architecture.lanes.count = case_between(state, 4, 6);
    n->architecture.lanes.of_node = case_between(state, 1, 2);
    n->architecture.lanes.flits = case_between(state, 2, 8);
    n->architecture.lanes.link_delay = case_between(state, 1, 5);
    n->architecture.lanes.given_empty = case_draw(state, 3) == 0;
    n->architecture.lanes.router_delay[1] = case_between(state, 0, 2);
    if (case_draw(state, 3) == 0)
        n->architecture.lanes.pool = 6 * n->architecture.lanes.flits;
    const swq_spread length = {SWQ_UNIFORM, 1, n->packet.max};
    *group =
        swq_sender_group_uniform(n, SWQ_SOURCE_OPEN, case_between(state, 1, 10) / 10.0, length);
    n->traffic.group = group;
    n->traffic.groups = 1;
    cr_assert_eq(swq_fabric_make(ctx, &n->shape, &c->fabric), SWQ_OK);
    snprintf(c->what, sizeof c->what, "%s of %u nodes, routing %s, %d lanes, pool %d, delay %d",
             n->shape.kind->name, c->fabric.nodes,
             n->shape.routing ? n->shape.routing->name : "deterministic",
             n->architecture.lanes.count, n->architecture.lanes.pool,
             n->architecture.lanes.link_delay);
}

Test(async_shares, numbers_of_lanes_do_not_depend_on_threads)
{
    static async_case c;
    swq_context *ctx = swq_context_new();
    uint64_t delivered = 0;
    uint32_t state = 7;
    int done = 0, drawn = 0;

    for (; done < CASES; drawn++) {
        swq_sender_group group;
        uint32_t nodes;
        draw_lanes(ctx, &state, &c, &group);
        const swq_status status = swq_async_check(ctx, &c.network, &nodes);
        cr_assert(status == SWQ_OK || drawn < 3 * CASES, "%s", swq_context_message(ctx));
        if (status == SWQ_OK) {
            delivered += check_case(ctx, &c);
            done++;
        }
        case_clear(ctx, &c);
    }
    cr_assert(delivered > CASES * 100);
    swq_context_free(ctx);
}

/* A dragonfly of 264 switches, for up to four shares: what only one thread can count keeps it
 * whole. */
Test(async_shares, lanes_are_spread_over_threads_left)
{
    swq_context *ctx = swq_context_new();
    swq_sender_group group;
    swq_async n = swq_async_defaults();
    const swq_sim_options one = brief(1), three = brief(3);
    uint64_t starts = 0;
    swq_async_watch watch = {.started = count_start, .arg = &starts};
    swq_async_result whole, spread, watched;

    n.shape = (swq_shape){.kind = &swq_fabric_dragonfly, .size = {4}};
    n.architecture.row = &swq_wormhole_lanes;
    n.architecture.lanes.choice = &swq_lane_choice_phase;
    n.architecture.lanes.count = 3;
    n.packet.max = 1;
    n.link.rest = 0;
    group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.4, (swq_spread){SWQ_CONSTANT, 1, 0});
    n.traffic.group = &group;
    n.traffic.groups = 1;
    cr_assert_eq(swq_async_run(ctx, &n, &one, NULL, &whole), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(whole.sim.conserved && whole.sim.all.delivered > 0);
    cr_assert_eq(swq_async_run(ctx, &n, &three, NULL, &spread), SWQ_OK);
    cr_assert(same(whole.sim, spread.sim));
    cr_assert_gt(spread.sim.bytes, whole.sim.bytes);
    cr_assert_eq(swq_async_run(ctx, &n, &three, &watch, &watched), SWQ_OK);
    cr_assert(same(whole.sim, watched.sim) && starts > 0);
    cr_assert_lt(watched.sim.bytes, spread.sim.bytes);
    swq_context_free(ctx);
}

/* ---- large networks ---- */

/* 2048 switches, for two shares. */
static swq_async large(swq_context *ctx, swq_sender_group *group)
{
    const int extent[] = {64, 32};
    swq_async n = swq_async_defaults();

    n.shape = case_grid(&swq_fabric_torus, 2, extent, false);
    const swq_buffer_kind *kind;
    cr_assert_eq(swq_buffer_kind_find(ctx, "damq", &kind), SWQ_OK);
    (void)swq_async_buffer(ctx, &n, kind, 128); /* of which an allocation may have failed */
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.3,
                                      (swq_spread){SWQ_UNIFORM, 1, n.packet.max});
    n.traffic.group = group;
    n.traffic.groups = 1;
    return n;
}

Test(async_shares, a_run_is_spread_over_threads_left)
{
    swq_context *ctx = swq_context_new();
    swq_sender_group group;
    const swq_async n = large(ctx, &group);
    const swq_sim_options one = brief(1), two = brief(2);
    swq_sim_options both = two;
    uint64_t starts = 0;
    swq_async_watch watch = {.started = count_start, .arg = &starts};
    swq_async_result whole, spread, watched, beside;

    cr_assert_eq(swq_async_run(ctx, &n, &one, NULL, &whole), SWQ_OK);
    cr_assert(whole.sim.conserved && whole.sim.all.delivered > 0);
    cr_assert_eq(swq_async_run(ctx, &n, &two, NULL, &spread), SWQ_OK);
    cr_assert(same(whole.sim, spread.sim));
    cr_assert_eq(whole.bytes_delivered, spread.bytes_delivered);
    cr_assert_gt(spread.sim.bytes, whole.sim.bytes);
    /* in order, so it is whole */
    cr_assert_eq(swq_async_run(ctx, &n, &two, &watch, &watched), SWQ_OK);
    cr_assert(same(whole.sim, watched.sim) && starts > 0);
    cr_assert_eq(watched.sim.bytes, whole.sim.bytes);
    both.replications = 2; /* none is left */
    cr_assert_eq(swq_async_run(ctx, &n, &both, NULL, &beside), SWQ_OK);
    cr_assert_leq(beside.sim.bytes, 2 * whole.sim.bytes);
    swq_context_free(ctx);
}

Test(async_shares, every_allocation_fails)
{
    swq_status status = SWQ_ENOMEM;
    size_t after = 0;

    for (; status == SWQ_ENOMEM; after++) {
        swq_context *ctx = swq_context_new();
        swq_sender_group group;
        const swq_async n = large(ctx, &group);
        swq_sim_options options = brief(2);
        swq_async_result r;
        options.cycles = 1;
        options.warmup = 0;
        swq_context_fail_allocations(ctx, after, false);
        status = swq_async_run(ctx, &n, &options, NULL, &r);
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", after);
        swq_context_free(ctx);
    }
    cr_assert_eq(status, SWQ_OK);
}
