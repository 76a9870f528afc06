/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multicast in ATLAS-I: what docs/atlas.md says follows from its rules, what must hold of any run,
 * every start against tests/ref/ref_atlas.c, the sets that are drawn, and what is refused.
 */
#include "sim/async/checks.h"
#include "sim/traffic/multicast.h"
#include "tests/ref/ref_atlas.h"
#include "tests/sim/inspector.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(multicast, .timeout = 240);

static uint64_t state_of_draws;

static int draw(int n)
{
    uint64_t z = state_of_draws += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (int)(((z ^ z >> 31) >> 33) % (uint64_t)n);
}

static swq_async atlas_of(swq_shape shape)
{
    swq_async n = swq_async_defaults();

    n.shape = shape;
    n.architecture.row = &swq_atlas_cells;
    n.link.rest = 0;
    return n;
}

/* Senders of cells for random sets of `members` nodes. */
static swq_sender_group group_of(const swq_async *n, swq_source_kind kind, double load, int members,
                                 int sets)
{
    swq_sender_group group = swq_sender_group_uniform(n, kind, load, constantly(n->packet.max));

    group.type[0].aim = SWQ_AIM_SETS;
    group.type[0].members = members;
    group.type[0].sets = sets;
    return group;
}

/* ---- what follows from the rules ---- */

/* One node broadcasts now and then. All its copies, on all of their ways, are as fast as a unicast
 * cell; the message is complete when the last byte of the last of them has come. */
Test(multicast, a_cell_alone_takes_a_hop_delay_a_switch)
{
    for (int k = 0; k < 12; k++) {
        swq_async n = atlas_of(shape_in_stages("omega", 4, 2));
        swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.1, constantly(32));
        group.interval = constantly(500);
        group.mask = 15;
        group.value = 6;
        group.type[0].aim = SWQ_AIM_ALL;
        n.link.hop_delay = 1 + 12 * (k / 4);
        n.architecture.cells.node = k % 2 * 4;
        n.architecture.cells.copied_at_arrival = k / 2 % 2;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_sim_options options = run_of(1, 1, 0, 50000);
        const swq_async_result r = run_async(&n, &options, NULL);
        cr_expect_eq(r.sim.all.delivered, 16 * 100);
        cr_expect_float_eq(r.sim.all.latency.mean, 2 * n.link.hop_delay, 1e-12);
        cr_expect_eq(r.sim.all.messages, 100);
        cr_expect_float_eq(r.sim.all.message_head.mean, 2 * n.link.hop_delay, 1e-12);
        cr_expect_float_eq(r.sim.all.message_tail.mean, 2 * n.link.hop_delay + 32, 1e-12);
    }
}

/* Senders that send all they can to sets of K nodes of one switch: its links are filled by 1 / K of
 * the load if copies come to their outputs at once and there is room for many cells. */
Test(multicast, links_are_filled_by_copies)
{
    static const int members[] = {2, 3, 8};

    for (int k = 0; k < 3; k++) {
        swq_async n = atlas_of(shape_in_stages("omega", 8, 1));
        swq_sender_group group;
        n.architecture.cells.pool = n.architecture.cells.lane = 64;
        n.architecture.cells.copied_at_arrival = true;
        group = group_of(&n, SWQ_SOURCE_HOLD, 1, members[k], 1000);
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_sim_options options = run_of(1, 1, 20000, 100000);
        const double carried = run_async(&n, &options, NULL).sim.all.throughput.mean;
        cr_expect(carried > 0.9 && carried < 1 + 1e-9, "%d: %g", members[k], carried);
        /* less than that load is carried: it is the copies of all cells */
        group = group_of(&n, SWQ_SOURCE_OPEN, 0.8 / members[k], members[k], 1000);
        const swq_estimate less = run_async(&n, &options, NULL).sim.all.throughput;
        cr_expect_float_eq(less.mean, 0.8, 0.02, "%d: %g", members[k], less.mean);
    }
}

static double choose(int n, int k)
{
    return k < 0 || k > n ? 0 : exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1));
}

/* Throughput of a port with one multicast queue: docs/atlas.md. */
static double throughput_of_queue(int n, int k)
{
    double at[33] = {0}, later = 0;

    at[k] = 1;
    for (int i = 0; i < 2000; i++) {
        double next[33] = {0};
        later = 0;
        for (int m = 0; m <= n; m++) {
            for (int j = 0; j <= k; j++) {
                const double p = at[m] * choose(m, j) * choose(n - m, k - j) / choose(n, k);
                next[m] += at[m] > 0 ? p / 2 : 0; /* a lazy chain has no period */
                if (p > 0)
                    next[j ? j : m + k] += p / 2;
                later += j ? p : 0;
            }
        }
        memcpy(at, next, sizeof at);
    }
    return k / (later * n);
}

Test(multicast, the_first_cell_of_a_queue_holds_up_the_others)
{
    static const int sizes[][2] = {{4, 2}, {8, 2}, {8, 3}, {4, 4}};

    for (int k = 0; k < 4; k++) {
        swq_async n = atlas_of(shape_in_stages("omega", sizes[k][0], 1));
        swq_sender_group group;
        n.packet.max = 1024;
        n.architecture.cells.lane = 16;
        group = group_of(&n, SWQ_SOURCE_HOLD, 1, sizes[k][1], 4096);
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_sim_options options = run_of(1, 1, 100000, 3000000);
        const double found = run_async(&n, &options, NULL).sim.all.throughput.mean,
                     expected = throughput_of_queue(sizes[k][0], sizes[k][1]);
        /* three standard deviations of these runs, each of more than 6,000 cells */
        cr_expect_float_eq(found, expected, 0.012, "%d ports, %d nodes: %g, not %g", sizes[k][0],
                           sizes[k][1], found, expected);
    }
}

/* All nodes broadcast all they can: each gets an equal share of every output. */
Test(multicast, broadcasters_share_equally)
{
    for (int k = 0; k < 4; k++) {
        swq_async n = atlas_of(shape_in_stages("butterfly", 4, 1 + k / 2));
        swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(n.packet.max));
        group.type[0].aim = SWQ_AIM_ALL;
        n.architecture.cells.copied_at_arrival = k % 2;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_sim_options options = run_of(1, 1, 20000, 64000);
        const swq_async_result r = run_async(&n, &options, NULL);
        const double share = 1.0 / nodes_of(&n);
        cr_expect_float_eq(r.sim.all.throughput.mean, 1, 0.002, "case %d: %g", k,
                           r.sim.all.throughput.mean);
        cr_expect_float_eq(r.sim.fairness.least.mean, share, 0.03 * share, "case %d: %g", k,
                           r.sim.fairness.least.mean);
        cr_expect_float_eq(r.sim.fairness.greatest.mean, share, 0.03 * share, "case %d: %g", k,
                           r.sim.fairness.greatest.mean);
    }
}

/* A sender that broadcasts has as many cells waiting, and is as far from saturation, as one that
 * sends to a single node; what is delivered is that many times as much. */
Test(multicast, a_sender_sends_each_cell_once)
{
    for (int k = 0; k < 4; k++) {
        swq_async n = atlas_of(shape_in_stages("omega", 8, 1));
        swq_sender_group group = swq_sender_group_uniform(
            &n, k % 2 ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD, 0.7, constantly(32));
        n.architecture.cells.node = k / 2 * 8;
        n.architecture.cells.copied_at_arrival = true;
        group.mask = 7;
        group.type[0].aim = SWQ_AIM_NODE;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_sim_options options = run_of(1, 1, 1000, 100000);
        const swq_sim_result one = run_async(&n, &options, NULL).sim;
        group.type[0].aim = SWQ_AIM_ALL;
        const swq_sim_result all = run_async(&n, &options, NULL).sim;
        cr_expect_float_eq(all.source_queue.mean, one.source_queue.mean, 1e-12, "%g, not %g",
                           all.source_queue.mean, one.source_queue.mean);
        cr_expect_float_eq(all.all.throughput.mean, 8 * one.all.throughput.mean, 1e-12);
        cr_expect_float_eq(all.stage[0].sent.mean, 8 * one.stage[0].sent.mean, 1e-12);
        cr_expect_float_eq(all.all.latency.mean, one.all.latency.mean, 1e-9);
        cr_expect_eq(all.beyond, SWQ_BEYOND_NOT);
        cr_expect_eq(one.beyond, SWQ_BEYOND_NOT);
    }
}

/* ---- invariants ---- */

Test(multicast, what_must_hold_holds)
{
    state_of_draws = 3;
    for (int k = 0; k < 60; k++) {
        swq_async n =
            atlas_of(k % 2 ? shape_in_stages("omega", 4, 2) : shape_in_stages("butterfly", 2, 3));
        const int nodes = (int)nodes_of(&n);
        swq_sender_group group;
        n.packet.max = 1 + draw(9);
        n.architecture.cells.pool = 1 + draw(5);
        n.architecture.cells.lane = 1 + draw(n.architecture.cells.pool);
        n.architecture.cells.groups = 1 + draw(6);
        n.link.hop_delay = 1 + draw(12);
        n.flow.credit_delay = 1 + draw(9);
        n.link.rest = draw(3);
        n.architecture.cells.node = draw(2) ? 0 : 1 + draw(20);
        n.architecture.cells.copied_at_arrival = draw(2);
        n.architecture.cells.credit_at_departure = draw(2);
        group = group_of(&n, draw(2) ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD, 0.1 + 0.3 * draw(4),
                         1 + draw(nodes), 1 + draw(30));
        group.type[0].length = constantly(n.packet.max * (1 + draw(4)));
        group.type[0].probability = 0.5;
        group.type[1] =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, group.type[0].length).type[0];
        group.type[1].probability = 0.5;
        group.types = 2;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_sim_options options = run_of(1 + (uint64_t)k, 1, 1000, 3000);
        /* asserts credits, order, conservation of copies, and more */
        const swq_async_result r = run_async(&n, &options, NULL);
        cr_expect_gt(r.sim.all.delivered, 50, "case %d: %llu", k,
                     (unsigned long long)r.sim.all.delivered);
        cr_expect_not(swq_async_may_deadlock(&n));
    }
}

/* ---- the reference ---- */

enum { GROUPS = 4, MOST = 3000, MOST_NODES = 128 };

/* A drawn network: senders i with i & 3 == g send half of their cells to all nodes d with d & mask
 * == g & mask, whose first one is below 4, and half to nodes from 4 on. */
typedef struct {
    swq_async network;
    swq_sender_group group[GROUPS];
    ref_node_set set[GROUPS];
    int priority[MOST_NODES];
    ref_atlas ref;
    ref_message cell[MOST];
    char what[200];
} multicast_case;

static void draw_network(multicast_case *c, const ref_plan *plan, swq_shape shape)
{
    swq_async *n = &c->network;

    *n = atlas_of(shape);
    n->packet.max = 1 + draw(12);
    n->link.hop_delay = 1 + draw(9);
    n->flow.credit_delay = 1 + draw(6);
    n->link.rest = draw(3) ? 0 : 1 + draw(3);
    n->architecture.cells.pool = 1 + draw(5);
    n->architecture.cells.lane =
        1 + draw(n->architecture.cells.pool < 3 ? n->architecture.cells.pool : 3);
    n->architecture.cells.groups = draw(2) ? 4096 : 1 + draw(3);
    n->architecture.cells.node = draw(2) ? 0 : 1 + draw(6);
    n->architecture.cells.credit_at_departure = draw(3) == 0;
    n->architecture.cells.copied_at_arrival = draw(3) == 0;
    c->ref = (ref_atlas){.wiring = plan->wiring,
                         .bytes = n->packet.max,
                         .hop = n->link.hop_delay,
                         .rest = n->link.rest,
                         .pool = n->architecture.cells.pool,
                         .group = n->architecture.cells.lane,
                         .lanes = n->architecture.cells.groups,
                         .credit = n->flow.credit_delay,
                         .departure = n->architecture.cells.credit_at_departure,
                         .node = n->architecture.cells.node,
                         .cell = c->cell,
                         .sets = GROUPS,
                         .set = c->set,
                         .copy_at_once = n->architecture.cells.copied_at_arrival,
                         .priority = c->priority,
                         .cycles = 100000};
    snprintf(c->what, sizeof c->what,
             "cells of %d, hop %d, rest %d, pool %d, group %d, lanes %d, credit %d, departure %d, "
             "node %d, at outputs %d",
             n->packet.max, n->link.hop_delay, n->link.rest, n->architecture.cells.pool,
             n->architecture.cells.lane, n->architecture.cells.groups, n->flow.credit_delay,
             n->architecture.cells.credit_at_departure, n->architecture.cells.node,
             n->architecture.cells.copied_at_arrival);
}

static void draw_groups(multicast_case *c, bool priorities)
{
    swq_async *n = &c->network;
    const uint32_t nodes = nodes_of(n);
    int most = 0;

    for (uint32_t g = 0; g < GROUPS; g++) {
        swq_sender_group *group = &c->group[g];
        const uint32_t mask = (uint32_t)draw(4);
        *group = swq_sender_group_uniform(n, SWQ_SOURCE_OPEN, 0.05 + 0.1 * draw(4),
                                          constantly(n->packet.max));
        group->mask = 3;
        group->value = g;
        group->priority = priorities ? draw(ATLAS_PRIORITIES) : 0;
        group->types = 2;
        group->type[1] = group->type[0];
        group->type[0].probability = group->type[1].probability = 0.5;
        group->type[0].aim = SWQ_AIM_ALL;
        group->type[0].mask = mask;
        group->type[0].value = g & mask;
        group->type[1].aim = SWQ_AIM_SUBSET;
        group->type[1].mask = group->type[1].value = 4;
        most = group->priority > most ? group->priority : most;
        c->set[g] = 0;
        for (uint32_t d = 0; d < nodes; d++)
            c->set[g] |= (d & mask) == (g & mask) ? ref_node_set_of((int)d) : 0;
    }
    for (uint32_t i = 0; i < nodes; i++)
        c->priority[i] = c->group[i & 3].priority;
    c->ref.priorities = most + 1;
    n->traffic.group = c->group;
    n->traffic.groups = GROUPS;
}

static int by_birth(const void *a, const void *b)
{
    const ref_message *x = a, *y = b;

    return x->cycle != y->cycle ? (x->cycle < y->cycle ? -1 : 1) : x->from - y->from;
}

/* The cells that senders sent, in the order of their creation. */
static void take_cells(multicast_case *c, const start_log *log)
{
    const int nodes = c->ref.wiring.nodes;

    for (size_t k = 0; k < log->count; k++) {
        const swq_start *s = &log->at[k];
        if (s->switch_ != SWQ_NO_WHERE)
            continue;
        cr_assert_lt(c->ref.cells, MOST);
        c->cell[c->ref.cells++] = (ref_message){s->birth, (int)s->from,
                                                s->to < 4 ? nodes + (int)(s->from & 3) : (int)s->to,
                                                c->network.packet.max};
    }
    qsort(c->cell, (size_t)c->ref.cells, sizeof *c->cell, by_birth);
}

static int in_order(const void *a, const void *b)
{
    const swq_start *x = a, *y = b;
    const int64_t key[][2] = {{x->cycle, y->cycle},
                              {(int32_t)x->switch_, (int32_t)y->switch_},
                              {x->output, y->output},
                              {x->from, y->from}};

    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        if (key[i][0] != key[i][1])
            return key[i][0] < key[i][1] ? -1 : 1;
    return 0;
}

static bool alike(const swq_start *x, const ref_start *y)
{
    return x->cycle == y->cycle && (int)x->switch_ == y->switch_ && (int)x->input == y->input &&
           (int)x->output == y->output && (int)x->from == y->from && (int)x->to == y->to &&
           x->birth == y->birth;
}

/* Returns how many starts of copies and cells were compared. */
static long compare(multicast_case *c, uint64_t cycles)
{
    swq_async_result r;
    ref_atlas_outcome o;
    start_log log = run_logged(&c->network, cycles, &r);
    long i = 0, ends = 0;

    take_cells(c, &log);
    ref_atlas_run(&c->ref, &o);
    cr_expect_eq(o.broken, 0, "%s: the reference breaks its rules %d times", c->what, o.broken);
    cr_expect_eq(o.done, c->ref.cells, "%s: %ld of %d", c->what, o.done, c->ref.cells);
    qsort(log.at, log.count, sizeof *log.at, in_order);
    while (ends < o.starts && o.start[ends].cycle < (long)cycles)
        ends++;
    while (i < (long)log.count && i < ends && alike(&log.at[i], &o.start[i]))
        i++;
    cr_expect(i == (long)log.count && i == ends,
              "%s: start %ld of %ld, %ld: cycle %ld, switch %d; not %ld, %d", c->what, i,
              (long)log.count, ends, i < (long)log.count ? (long)log.at[i].cycle : -1,
              i < (long)log.count ? (int)log.at[i].switch_ : -1, i < ends ? o.start[i].cycle : -1,
              i < ends ? o.start[i].switch_ : -1);
    free(log.at);
    ref_atlas_clear(&o);
    return i;
}

static void compare_drawn(const ref_plan *plan, swq_shape shape, bool priorities, uint64_t cycles)
{
    static multicast_case c;

    memset(&c, 0, sizeof c);
    draw_network(&c, plan, shape);
    draw_groups(&c, priorities);
    cr_expect_gt(compare(&c, cycles), 60, "%s", c.what);
}

static void compare_some(int cases, bool priorities)
{
    for (int k = 0; k < cases; k++) {
        const int ports = k % 3 ? 2 : 4, stages = k % 3 ? 3 : 2;
        ref_plan *plan = ref_omega(ports, stages);
        compare_drawn(plan, shape_in_stages("omega", ports, stages), priorities, 600);
        ref_plan_free(plan);
    }
}

Test(multicast, starts_are_those_of_the_reference)
{
    state_of_draws = 11;
    compare_some(30, false);
}

Test(multicast, starts_of_three_priorities_are_those_of_the_reference)
{
    state_of_draws = 12;
    compare_some(15, true);
}

/* Switches of more than 32 ports, and of more than 64, whose sets of ports are several words. */
Test(multicast, starts_of_large_switches_are_those_of_the_reference)
{
    static const int ports[] = {33, 64, 65, 128};

    state_of_draws = 13;
    for (int k = 0; k < 4; k++) {
        ref_plan *plan = ref_omega(ports[k], 1);
        compare_drawn(plan, shape_in_stages("omega", ports[k], 1), k % 2, 40);
        ref_plan_free(plan);
    }
}

/* ---- sets ---- */

/* All subsets of three of six nodes, 20 of them, are equally likely. */
Test(multicast, sets_are_drawn_fairly)
{
    enum { SETS = 4000 };
    swq_async n = atlas_of(shape_in_stages("omega", 6, 1));
    swq_sender_group group = group_of(&n, SWQ_SOURCE_HOLD, 1, 3, SETS);
    uint32_t start[SETS + 1], member[3 * SETS];
    swq_fabric f = {.nodes = 6};
    swq_node_sets sets;
    int times[64] = {0};
    double chi = 0;

    n.traffic.group = &group;
    n.traffic.groups = 1;
    swq_node_sets_count(&n, &f, &sets);
    cr_assert_eq(sets.sets, SETS);
    cr_assert_eq(sets.members, 3 * SETS);
    cr_expect_eq(sets.most, 3);
    memset(start, 0, sizeof start);
    sets.start = start;
    sets.member = member;
    swq_node_sets_draw(&n, 1, &sets);
    for (int s = 0; s < SETS; s++) {
        const uint32_t *m = &member[3 * s];
        cr_assert(m[0] < m[1] && m[1] < m[2] && m[2] < 6);
        times[1 << m[0] | 1 << m[1] | 1 << m[2]]++;
    }
    for (int k = 0; k < 64; k++) {
        if (__builtin_popcount((unsigned)k) == 3)
            chi += pow(times[k] - SETS / 20.0, 2) / (SETS / 20.0);
    }
    cr_expect_lt(chi, 43.8, "%g", chi); /* 99.9% of 19 degrees of freedom */
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

Test(multicast, refusals)
{
    swq_async base = atlas_of(shape_in_stages("omega", 2, 2)), n;
    swq_sender_group group = group_of(&base, SWQ_SOURCE_HOLD, 0.5, 2, 4);
    swq_context *ctx = swq_context_new();
    swq_fabric f;

    base.traffic.group = &group;
    base.traffic.groups = 1;
    n = base;
    cr_assert_eq(swq_fabric_count(ctx, &base.shape, &f), SWQ_OK);
    for (int k = 0; swq_architectures[k]; k++) {
        if (!(swq_architectures[k]->engines & SWQ_ENGINE_ASYNC))
            continue;
        n.architecture.row = swq_architectures[k];
        cr_expect_eq(swq_multicast_check(ctx, &n, &f),
                     n.architecture.row == &swq_atlas_cells ? SWQ_OK : SWQ_EINVAL, "%s",
                     n.architecture.row->name);
    }
    n = async_network(base.shape, "damq", 512);
    n.traffic.group = &group;
    n.traffic.groups = 1;
    expect_refused(&n, "traffic multicast and all are for architecture atlas");
    n = base;
    n.shape = shape_of_grid("mesh", 2, 3);
    expect_refused(&n, "are for multistage networks, not for topology mesh");
    n = base;
    cr_assert_eq(swq_sender_scheme_find(ctx, "window", &n.sender.row), SWQ_OK);
    n.sender.value[0] = 1;
    expect_refused(&n, "sender window is");
    group.type[0].members = 5;
    expect_refused(&base, "must be 1 to 4, not 5");
    group.type[0].members = 2;
    group.type[0].sets = 0;
    expect_refused(&base, "must be 1 to 4096, not 0");
    group.type[0].aim = SWQ_AIM_ALL;
    group.type[0].mask = group.type[0].value = 4;
    expect_refused(&base, "the subset of destinations is empty");
    swq_context_free(ctx);
}
