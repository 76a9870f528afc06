/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ATLAS-I as an architecture: what docs/atlas.md says follows from its rules, what must hold of any
 * run, starts in random cases against tests/ref/ref_atlas.c, and what is refused.
 */
#include "tests/ref/ref_atlas.h"
#include "tests/sim/inspector.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(atlas, .timeout = 240);

static uint64_t state_of_draws;

static uint32_t draw(uint32_t n)
{
    uint64_t z = state_of_draws += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(((z ^ z >> 31) >> 33) % n);
}

static swq_async atlas_of(swq_shape shape)
{
    swq_async n = swq_async_defaults();

    n.shape = shape;
    n.architecture.row = &swq_atlas_cells;
    n.link.rest = 0;
    return n;
}

/* ---- what follows from the rules ---- */

Test(atlas, a_cell_alone_takes_a_hop_delay_a_switch)
{
    swq_async n = atlas_of(shape_of_grid("mesh", 2, 4));
    const swq_async_message message[] = {{10, 0, 15, 32}, {500, 5, 6, 32}};

    n.traffic.trace = message;
    n.traffic.trace_messages = 2;
    for (n.link.hop_delay = 1; n.link.hop_delay < 50; n.link.hop_delay += 12) {
        for (n.architecture.cells.node = 0; n.architecture.cells.node < 5;
             n.architecture.cells.node += 4) {
            swq_async_result r;
            start_log log = run_logged(&n, 2000, &r);
            cr_expect_float_eq(r.sim.all.latency.mean, (7 + 2) * n.link.hop_delay / 2.0, 1e-12);
            cr_expect_float_eq(r.sim.all.tail_latency.mean, (7 + 2) * n.link.hop_delay / 2.0 + 32,
                               1e-12);
            cr_expect_eq((int)log.count, 2 + 7 + 2);
            free(log.at);
        }
    }
}

/* One node sends all it can to one node: a link carries a fraction min(1, min(b, B) (L + R) / (H +
 * D)) of its capacity. */
Test(atlas, credits_for_a_round_trip)
{
    for (int k = 0; k < 32; k++) {
        swq_async n = atlas_of(shape_in_stages("omega", 2, 3));
        swq_sender_group group;
        n.packet.max = 4 << k % 2;
        n.architecture.cells.pool = 1 + k / 2 % 3;
        n.architecture.cells.lane = 1 + k / 4 % n.architecture.cells.pool;
        n.link.hop_delay = 5 + 7 * (k / 8 % 2);
        n.link.rest = k / 16;
        n.flow.credit_delay = 1 + k % 3;
        n.architecture.cells.node = k % 5;
        group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(n.packet.max));
        group.interval = constantly(0);
        group.mask = 7;
        group.type[0].aim = SWQ_AIM_NODE;
        group.type[0].value = 6;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        /* a multiple of all round trips here */
        const swq_sim_options options = run_of(1, 1, 1000, 18480);
        const double bytes = n.packet.max, time = n.packet.max + n.link.rest;
        const double share =
            fmin(1, n.architecture.cells.lane * time / (n.link.hop_delay + n.flow.credit_delay));
        const swq_async_result r = run_async(&n, &options, NULL);
        cr_expect_float_eq(8 * r.sim.all.throughput.mean, share * bytes / time, 0.004, "case %d",
                           k);
    }
}

/* All nodes send to one: its link is never idle, whatever the credits, provided they cover a round
 * trip. */
Test(atlas, one_output_is_always_busy)
{
    for (int k = 0; k < 4; k++) {
        swq_async n = atlas_of(shape_in_stages("butterfly", 4, 2));
        swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(32 * (1 + k)));
        group.type[0].aim = SWQ_AIM_NODE;
        group.type[0].value = 9;
        n.architecture.cells.pool = 1 + 3 * k;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_sim_options options = run_of(1, 1, 3200, 32000);
        const swq_async_result r = run_async(&n, &options, NULL);
        cr_expect_float_eq(16 * r.sim.all.throughput.mean, 1, 1e-9, "case %d", k);
    }
}

/* ---- invariants ---- */

Test(atlas, what_must_hold_holds)
{
    state_of_draws = 1;
    for (int k = 0; k < 40; k++) {
        swq_async n = atlas_of(k % 4 == 0   ? shape_in_stages("omega", 4, 2)
                               : k % 4 == 1 ? shape_of_grid("mesh", 2, 3)
                               : k % 4 == 2 ? shape_of_grid("torus", 2, 4)
                                            : shape_in_stages("butterfly", 2, 3));
        swq_sender_group group;
        n.packet.max = 1 + (int)draw(9);
        n.architecture.cells.pool = 1 + (int)draw(k % 4 == 2 ? 40 : 5);
        n.architecture.cells.lane = 1 + (int)draw((uint32_t)n.architecture.cells.pool);
        n.architecture.cells.groups = 1 + (int)draw(6);
        n.link.hop_delay = 1 + (int)draw(12);
        n.flow.credit_delay = 1 + (int)draw(9);
        n.link.rest = (int)draw(3);
        n.architecture.cells.node = draw(2) ? 0 : 1 + (int)draw(20);
        group = swq_sender_group_uniform(&n, draw(2) ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD,
                                         0.2 + 0.2 * draw(5),
                                         constantly(n.packet.max * (1 + (int)draw(4))));
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_sim_options options = run_of(1 + (uint64_t)k, 1, 500, 3000);
        /* asserts credits, order, and more */
        const swq_async_result r = run_async(&n, &options, NULL);
        cr_expect_gt(r.sim.total_delivered, 50, "case %d", k);
        cr_expect(r.sim.stopped_by != SWQ_STOP_DEADLOCK || swq_async_may_deadlock(&n), "case %d",
                  k);
        cr_expect(k % 4 == 2 || !swq_async_may_deadlock(&n), "case %d", k);
    }
}

Test(atlas, a_deadlock_is_named)
{
    swq_shape ring = shape_of_grid("torus", 1, 4);
    ring.one_way = true;
    swq_async n = atlas_of(ring);
    swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(32));

    n.architecture.cells.pool = 1;
    n.traffic.group = &group;
    n.traffic.groups = 1;
    cr_expect(swq_async_may_deadlock(&n));
    const swq_sim_options options = run_of(1, 1, 0, 30000);
    const swq_async_result r = run_async(&n, &options, NULL);
    cr_expect_eq(r.sim.stopped_by, SWQ_STOP_DEADLOCK);
    cr_expect_eq(r.waiting_count, 4);
    for (int k = 0; k < r.waiting_count; k++)
        cr_expect_eq(r.waiting[k].next_port, r.waiting[(k + 1) % r.waiting_count].port);
    /* room for each destination: no cell waits for one to another destination */
    n.architecture.cells.pool = 4;
    cr_expect_not(swq_async_may_deadlock(&n));
    n.architecture.cells.groups = 3;
    cr_expect(swq_async_may_deadlock(&n));
    n.architecture.cells.groups = 4;
    n.architecture.cells.lane = 2;
    cr_expect(swq_async_may_deadlock(&n));
}

/* ---- the reference ---- */

enum { CELLS = 300 };

typedef struct {
    ref_start at[20 * CELLS];
    long count;
} switch_starts;

static void keep_start(void *arg, const swq_start *s)
{
    switch_starts *all = arg;

    if (s->switch_ == SWQ_NO_WHERE)
        return; /* told when the cell is delivered to the node */
    cr_assert_lt(all->count, 20 * CELLS);
    all->at[all->count++] = (ref_start){.cycle = s->cycle,
                                        .switch_ = (int)s->switch_,
                                        .input = (int)s->input,
                                        .output = (int)s->output,
                                        .from = (int)s->from,
                                        .to = (int)s->to,
                                        .birth = s->birth};
}

static int by_cycle(const void *a, const void *b)
{
    const ref_start *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->switch_ != y->switch_)
        return x->switch_ - y->switch_;
    return x->output - y->output;
}

static void compare(const swq_async *n, const ref_atlas *ref, int number)
{
    static switch_starts found, expected;
    swq_async_watch watch = {.started = keep_start, .arg = &found};
    const swq_sim_options options = run_of(1, 1, 0, (uint64_t)ref->cycles);
    ref_atlas_outcome o;
    long i = 0;

    found.count = expected.count = 0;
    ref_atlas_run(ref, &o);
    run_async(n, &options, &watch);
    cr_assert_eq(o.broken, 0);
    for (long k = 0; k < o.starts; k++) {
        if (o.start[k].switch_ != REF_SENDER)
            expected.at[expected.count++] = o.start[k];
    }
    qsort(found.at, (size_t)found.count, sizeof *found.at, by_cycle);
    qsort(expected.at, (size_t)expected.count, sizeof *expected.at, by_cycle);
    while (i < found.count && i < expected.count && by_cycle(&found.at[i], &expected.at[i]) == 0 &&
           found.at[i].input == expected.at[i].input && found.at[i].to == expected.at[i].to &&
           found.at[i].from == expected.at[i].from)
        i++;
    cr_expect(i == found.count && i == expected.count,
              "case %d: start %ld of %ld, %ld: cycle %ld, not %ld", number, i, found.count,
              expected.count, i < found.count ? found.at[i].cycle : -1,
              i < expected.count ? expected.at[i].cycle : -1);
    ref_atlas_clear(&o);
}

Test(atlas, starts_are_those_of_the_reference)
{
    state_of_draws = 7;
    for (int k = 0; k < 60; k++) {
        const int extent[] = {3, 3};
        ref_plan *plan = k % 2 ? ref_omega(2, 3) : ref_mesh(2, extent);
        swq_async n =
            atlas_of(k % 2 ? shape_in_stages("omega", 2, 3) : shape_of_grid("mesh", 2, 3));
        const uint32_t nodes = nodes_of(&n);
        ref_message cell[CELLS];
        swq_async_message message[CELLS];
        uint32_t cycle = 0;
        n.packet.max = 1 + (int)draw(6);
        n.link.hop_delay = 1 + (int)draw(8);
        n.flow.credit_delay = 1 + (int)draw(5);
        n.link.rest = (int)draw(3);
        n.architecture.cells.pool = 1 + (int)draw(4);
        n.architecture.cells.lane = 1 + (int)draw((uint32_t)n.architecture.cells.pool);
        n.architecture.cells.groups = draw(2) ? 64 : 1 + (int)draw(3);
        for (int m = 0; m < CELLS; m++) {
            const uint32_t from = draw(nodes), to = draw(3) ? draw(nodes) : 5;
            cycle += draw(3);
            message[m] = (swq_async_message){cycle, from, to == from ? (to + 1) % nodes : to,
                                             (uint32_t)n.packet.max};
            cell[m] = (ref_message){cycle, (int)from, (int)message[m].destination, n.packet.max};
        }
        n.traffic.trace = message;
        n.traffic.trace_messages = CELLS;
        const ref_atlas ref = {.wiring = plan->wiring,
                               .bytes = n.packet.max,
                               .hop = n.link.hop_delay,
                               .rest = n.link.rest,
                               .pool = n.architecture.cells.pool,
                               .group = n.architecture.cells.lane,
                               .lanes = n.architecture.cells.groups,
                               .credit = n.flow.credit_delay,
                               .cell = cell,
                               .cells = CELLS,
                               .cycles = 20000};
        compare(&n, &ref, k);
        ref_plan_free(plan);
    }
}

/* ---- refusals ---- */

static void expect_refused(const swq_async *n, const char *part)
{
    swq_context *ctx = swq_context_new();
    uint32_t nodes;

    cr_expect_eq(swq_async_check(ctx, n, &nodes), SWQ_EINVAL, "%s", part);
    cr_expect(strstr(swq_context_message(ctx), part), "%s", swq_context_message(ctx));
    swq_context_free(ctx);
}

Test(atlas, refusals)
{
    swq_async base = atlas_of(shape_in_stages("omega", 2, 2)), n;
    swq_sender_group group = swq_sender_group_uniform(&base, SWQ_SOURCE_HOLD, 0.5, constantly(32));
    const swq_async_message half = {0, 0, 1, 48};

    base.traffic.group = &group;
    base.traffic.groups = 1;
#define REFUSED(change, part)                                                                      \
    do {                                                                                           \
        n = base;                                                                                  \
        change;                                                                                    \
        expect_refused(&n, part);                                                                  \
    } while (0)
    REFUSED(n.architecture.cells.lane = 17, "lane-cells must be 1 to 16");
    REFUSED(n.architecture.cells.pool = 0, "pool-cells must be 1 to");
    REFUSED(n.architecture.cells.groups = 5000, "lanes must be 1 to 4096");
    REFUSED(n.architecture.cells.node = -1, "node-cells must be 0 to");
    REFUSED(n.flow.credit_delay = 0, "credit-delay must be 1 to");
    REFUSED(n.flow.row = &swq_flow_credits, "flow credits is not for architecture atlas");
    REFUSED(n.management.row = &swq_management_1q, "management 1q is not for architecture atlas");
    REFUSED(n.memory.release = SWQ_RELEASE_END, "release must be blocks");
    REFUSED(n.packet.max = 24, "max-packet must divide the length");
    REFUSED((n.traffic.trace = &half, n.traffic.trace_messages = 1), "1.5 cells");
    group.type[0].length = (swq_spread){SWQ_UNIFORM, 32, 64};
    expect_refused(&base, "max-packet must be 1 with architecture atlas");
}
