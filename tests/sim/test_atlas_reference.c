/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ATLAS-I: swq_async_run against tests/ref/ref_atlas.c, which shares no code with it and was
 * written from docs/atlas.md without sight of it. Traffic is a trace of cells, so nothing is left
 * to chance, and every cell must begin every transmission in the same cycle.
 */
#include "tests/ref/ref_atlas.h"
#include "tests/sim/async_cases.h"
#include "tests/sim/inspector.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

TestSuite(atlas_reference, .timeout = 240);

/* Cells with equal birth, sender and receiver are interchangeable. */
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

static void say(char *text, size_t size, long cycle, int sw, long in, long out, long from, long to,
                long birth)
{
    snprintf(text, size, "cycle %ld, switch %d, input %ld to output %ld: %ld to %ld, of %ld", cycle,
             sw, in, out, from, to, birth);
}

static void compare_starts(start_log *log, const ref_atlas_outcome *o, long before,
                           const char *what)
{
    char is[160] = "nothing", should[160] = "nothing";
    long i = 0, ends = 0;

    if (log->count)
        qsort(log->at, log->count, sizeof *log->at, in_order);
    while (ends < o->starts && o->start[ends].cycle < before)
        ends++;
    for (; i < (long)log->count && i < ends; i++) {
        const swq_start *x = &log->at[i];
        const ref_start *y = &o->start[i];

        if (x->cycle != y->cycle || (int)x->switch_ != y->switch_ || (int)x->input != y->input ||
            (int)x->output != y->output || (int)x->from != y->from || (int)x->to != y->to ||
            x->birth != y->birth)
            break;
    }
    if (i < (long)log->count) {
        const swq_start *x = &log->at[i];
        say(is, sizeof is, x->cycle, (int)x->switch_, x->input, x->output, x->from, x->to,
            x->birth);
    }
    if (i < ends) {
        const ref_start *y = &o->start[i];
        say(should, sizeof should, y->cycle, y->switch_, y->input, y->output, y->from, y->to,
            y->birth);
    }
    cr_expect(i == (long)log->count && i == ends,
              "%s: start %ld of %ld\n  is        %s\n  should be %s", what, i, ends, is, should);
}

/* Returns whether anything waits for ever. */
static bool compare(swq_context *ctx, async_case *c, const ref_atlas *n)
{
    swq_sim_options options = swq_sim_defaults();
    start_log log = {0};
    swq_async_watch watch = {.started = log_start, .arg = &log};
    swq_async_result r;
    ref_atlas_outcome o;

    ref_atlas_run(n, &o);
    cr_expect_eq(o.broken, 0, "%s: the reference breaks its rules %d times", c->what, o.broken);
    options.warmup = 0;
    options.cycles = (uint64_t)n->cycles;
    cr_assert_eq(swq_async_run(ctx, &c->network, &options, &watch, &r), SWQ_OK, "%s: %s", c->what,
                 swq_context_message(ctx));
    cr_expect(r.sim.conserved && r.sim.little_exact, "%s", c->what);
    const bool whole = o.done == n->cells;
    compare_starts(&log, &o, whole ? n->cycles : (long)r.sim.cycles, c->what);
    cr_expect_eq(r.sim.stopped_by, whole ? SWQ_STOP_TRACE_END : SWQ_STOP_DEADLOCK,
                 "%s: stopped by %d", c->what, (int)r.sim.stopped_by);
    cr_expect(whole || swq_async_may_deadlock(&c->network), "%s: said never to deadlock", c->what);
    free(log.at);
    ref_atlas_clear(&o);
    return !whole;
}

/* Four groups of nodes, by their numbers' last bits, and the priorities of their cells. */
static void draw_priorities(uint32_t *state, ref_atlas *r, swq_sender_group *group, int *priority)
{
    int most = 0;

    for (uint32_t g = 0; g < 4; g++) {
        group[g] = (swq_sender_group){
            .mask = 3, .value = g, .priority = (int)case_draw(state, ATLAS_PRIORITIES)};
        most = group[g].priority > most ? group[g].priority : most;
    }
    for (int node = 0; node < r->wiring.nodes; node++)
        priority[node] = group[node % 4].priority;
    r->priority = priority;
    r->priorities = most + 1;
}

/* Returns the number of deadlocks. */
static int compare_some(int cases, uint32_t seed, const int *kinds, int count, bool keep,
                        bool priorities, bool departure)
{
    enum { NODES = 1024 };
    static int priority[NODES];
    static async_case c;
    static const uint32_t often[] = {4, 20, 60, 200, 1000};
    const bool large = kinds[0] >= CASE_FABRICS; /* short cells, so that many come in a cycle */
    swq_context *ctx = swq_context_new();
    uint32_t state = seed;
    int stuck = 0;

    for (int i = 0; i < cases; i++) {
        swq_async *n = &c.network;
        ref_atlas r = {0};
        swq_sender_group group[4];

        memset(&c, 0, sizeof c);
        *n = swq_async_defaults();
        case_fabric(ctx, &state, kinds[i % count], &c);
        r.wiring = c.reference.wiring;
        cr_assert_leq(r.wiring.nodes, NODES);
        r.bytes = case_between(&state, 1, large ? 2 : 16);
        r.hop = case_between(&state, 1, 12);
        r.rest = (int)case_draw(&state, 3) ? 0 : case_between(&state, 1, 3);
        r.pool = case_between(&state, 1, 6);
        r.group = case_between(&state, 1, r.pool < 3 ? r.pool : 3);
        r.lanes = case_draw(&state, 2) ? 4096 : case_between(&state, 1, 3);
        r.credit = case_between(&state, 1, 9);
        n->architecture.row = &swq_atlas_cells;
        n->packet.max = r.bytes;
        n->link.hop_delay = r.hop;
        n->link.rest = r.rest;
        n->architecture.cells.pool = r.pool;
        n->architecture.cells.lane = r.group;
        n->architecture.cells.groups = r.lanes;
        n->flow.credit_delay = r.credit;
        r.departure = departure;
        n->architecture.cells.credit_at_departure = departure;
        n->architecture.cells.node = r.node = keep ? case_between(&state, 1, 6) : 0;
        if (priorities) {
            draw_priorities(&state, &r, group, priority);
            n->traffic.group = group;
            n->traffic.groups = 4;
        }
        const uint32_t load = often[large ? 4 : case_draw(&state, 5)];
        case_messages(&state, load, 1, &c);
        for (uint64_t m = 0; m < n->traffic.trace_messages; m++)
            c.trace[m].bytes = (uint32_t)(c.message[m].bytes = r.bytes);
        r.cell = c.message;
        r.cells = c.reference.messages;
        r.cycles = 100000;
        snprintf(
            c.what, sizeof c.what,
            "case %d, %s, %d nodes, cells of %d, hop %d, rest %d, pool %d, group %d, lanes %d, "
            "credit %d, departure %d, node %d, %d priorities, %d cells, load %u",
            i, case_fabric_names[kinds[i % count]], r.wiring.nodes, r.bytes, r.hop, r.rest, r.pool,
            r.group, r.lanes, r.credit, r.departure, r.node, r.priorities, r.cells, load);
        stuck += compare(ctx, &c, &r);
        case_clear(ctx, &c);
    }
    swq_context_free(ctx);
    return stuck;
}

Test(atlas_reference, every_cell_in_its_cycle)
{
    static const int kinds[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10};

    cr_expect_gt(compare_some(90, 3, kinds, 10, false, false, false), 2);
}

/* Nodes with lists, too. */
Test(atlas_reference, nodes_that_keep_cells)
{
    static const int kinds[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10};

    (void)compare_some(60, 4, kinds, 10, true, false, false);
}

Test(atlas_reference, three_priorities)
{
    static const int kinds[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10};

    (void)compare_some(60, 5, kinds, 10, false, true, false);
    (void)compare_some(40, 6, kinds, 10, true, true, false);
}

/* Credits taken at departure, where no links close a ring. */
Test(atlas_reference, credits_at_departure)
{
    static const int kinds[] = {0, 1, 6, 7, 9, 10};

    (void)compare_some(90, 7, kinds, 6, false, false, true);
    (void)compare_some(60, 8, kinds, 6, true, false, true);
    (void)compare_some(40, 9, kinds, 6, true, true, true);
}

/* Switches of more than 32 ports, and of more than 64, whose sets of ports are several words. */
Test(atlas_reference, large_switches)
{
    static const int single[] = {CASE_FABRICS}, both[] = {CASE_FABRICS, CASE_FABRICS + 1};

    (void)compare_some(6, 10, both, 2, false, true, false);
    (void)compare_some(4, 11, single, 1, true, true, true);
}

/* 50 inputs go in one cycle, another one in the next cycle, and then this one and the first of the
 * 50 to one output: input 0, which went last 2 cycles ago, comes before input 60. */
Test(atlas_reference, the_input_that_waited_longest_is_first_among_many)
{
    enum { PORTS = 66, AT_ONCE = 50 };
    static async_case c;
    swq_context *ctx = swq_context_new();
    swq_async *n = &c.network;
    int cells = 0;

    *n = swq_async_defaults();
    n->shape = case_omega(ctx, PORTS, 1);
    cr_assert_eq(swq_fabric_make(ctx, &n->shape, &c.fabric), SWQ_OK);
    c.plan = ref_omega(PORTS, 1);
    n->architecture.row = &swq_atlas_cells;
    n->packet.max = 1;
    n->link.hop_delay = 1;
    n->link.rest = 0;
    n->architecture.cells.pool = 4;
    n->architecture.cells.lane = 2;
    n->flow.credit_delay = 1;
    for (int k = 0; k < AT_ONCE + 3; k++) {
        const int from = k < AT_ONCE ? k : k == AT_ONCE + 1 ? 0 : 60, to = k < AT_ONCE ? k : 65;
        const int cycle = k < AT_ONCE ? 0 : k == AT_ONCE ? 1 : 2;
        c.message[cells] = (ref_message){cycle, from, to, 1};
        c.trace[cells++] = (swq_async_message){(uint64_t)cycle, (uint32_t)from, (uint32_t)to, 1};
    }
    n->traffic.trace = c.trace;
    n->traffic.trace_messages = (uint64_t)cells;
    const ref_atlas r = {.wiring = c.plan->wiring,
                         .bytes = 1,
                         .hop = 1,
                         .pool = 4,
                         .group = 2,
                         .lanes = n->architecture.cells.groups,
                         .credit = 1,
                         .cell = c.message,
                         .cells = cells,
                         .cycles = 1000};
    cr_expect_not(compare(ctx, &c, &r));
    case_clear(ctx, &c);
    swq_context_free(ctx);
}
