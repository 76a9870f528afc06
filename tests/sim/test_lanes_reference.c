/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wormhole switching: swq_async_run against tests/ref/ref_lanes.c, which shares no code with it,
 * was written from docs/wormhole.md without sight of it, and moves every flit in every cycle.
 * Traffic is a trace, so nothing is left to chance, and the header of every packet must begin its
 * way over every link in the same cycle, and the last flits must be delivered in the same.
 */
#include "tests/ref/ref_lanes.h"
#include "tests/sim/async_cases.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdlib.h>

TestSuite(lanes_reference, .timeout = 240);

typedef struct {
    async_case c;
    ref_lanes lanes;
    int over[MOST_MESSAGES]; /* nodes that were drawn for packets to go over */
} lanes_case;

typedef struct {
    ref_start *at;
    long count, room;
    lanes_case *k; /* where these nodes are recorded; or NULL */
} lane_starts;

static void keep(lane_starts *s, ref_start x)
{
    if (s->count == s->room) {
        s->room = 2 * s->room + 1024;
        s->at = realloc(s->at, (size_t)s->room * sizeof *s->at);
        cr_assert(s->at);
    }
    s->at[s->count++] = x;
}

static int told_early;

/* The node that was drawn for a packet, which is reported with its first start from a switch. The
 * packets of a sender are created in the order of the trace. */
static void note_over(lanes_case *k, const swq_start *x)
{
    for (int m = 0; m < k->lanes.packets; m++) {
        const ref_message *p = &k->c.message[m];
        if (p->cycle != (long)x->birth || p->from != (int)x->from || p->to != (int)x->to ||
            p->bytes != (int)x->bytes)
            continue;
        cr_expect(k->over[m] < 0 || k->over[m] == (int)x->over - 1, "%s: packet %d", k->c.what, m);
        k->over[m] = (int)x->over - 1;
    }
}

static void started(void *arg, const swq_start *x)
{
    const bool sender = x->switch_ == SWQ_NO_WHERE;
    lane_starts *found = arg;

    if (found->k && !sender)
        note_over(found->k, x);
    keep(found, (ref_start){.cycle = x->cycle + (sender ? 0 : told_early),
                            .birth = x->birth,
                            .switch_ = sender ? REF_SENDER : (int)x->switch_,
                            .input = (int)x->input,
                            .output = (int)x->output,
                            .from = (int)x->from,
                            .to = (int)x->to,
                            .bytes = (int)x->bytes});
}

static int in_order(const void *a, const void *b)
{
    const ref_start *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->switch_ != y->switch_)
        return x->switch_ < y->switch_ ? -1 : 1;
    if (x->switch_ == REF_SENDER)
        return x->from < y->from ? -1 : x->from > y->from;
    return x->output < y->output ? -1 : x->output > y->output;
}

static void print_start(char *text, size_t size, const ref_start *s)
{
    snprintf(text, size, "cycle %ld, switch %d, input %d to output %d: %d to %d, of %ld, %d flits",
             s->cycle, s->switch_, s->input, s->output, s->from, s->to, s->birth, s->bytes);
}

static bool same_start(const ref_start *x, const ref_start *y)
{
    return in_order(x, y) == 0 && x->input == y->input && x->from == y->from && x->to == y->to &&
           x->birth == y->birth && x->bytes == y->bytes;
}

static bool compare_starts(const lane_starts *found, const lane_starts *expected, const char *what)
{
    char is[160] = "nothing", should[160] = "nothing";
    long i = 0;

    while (i < found->count && i < expected->count && same_start(&found->at[i], &expected->at[i]))
        i++;
    if (i < found->count)
        print_start(is, sizeof is, &found->at[i]);
    if (i < expected->count)
        print_start(should, sizeof should, &expected->at[i]);
    cr_expect(i == found->count && i == expected->count,
              "%s: start %ld of %ld\n  is        %s\n  should be %s", what, i, expected->count, is,
              should);
    return i == found->count && i == expected->count;
}

/* What the engine reports about cycles before that one. */
static void expect_of(const ref_lanes *n, const ref_lanes_outcome *o, long before,
                      lane_starts *expected)
{
    for (long i = 0; i < o->starts; i++) {
        const ref_lanes_start *s = &o->start[i];
        const ref_message *p = &n->packet[s->packet];

        if (s->cycle - (s->switch_ == REF_SENDER ? 0 : told_early) < before)
            keep(expected, (ref_start){.cycle = s->cycle,
                                       .birth = p->cycle,
                                       .switch_ = s->switch_,
                                       .input = s->input,
                                       .output = s->output,
                                       .from = p->from,
                                       .to = p->to,
                                       .bytes = p->bytes});
    }
    if (expected->count)
        qsort(expected->at, (size_t)expected->count, sizeof *expected->at, in_order);
}

static double tails_of(const ref_lanes *n, const ref_lanes_outcome *o)
{
    double tails = 0;

    for (int i = 0; i < n->packets; i++)
        tails += o->last[i] < 0 ? 0 : (double)(o->last[i] + n->link - n->packet[i].cycle);
    return tails;
}

/* Who waits for whom: buffers that hold flits to the end, each of which leads to the next one or is
 * at the same switch. */
static void check_waiting(const lanes_case *k, const swq_async_result *r,
                          const ref_lanes_outcome *o)
{
    const ref_wiring *wiring = &k->lanes.wiring;
    const unsigned ports = (unsigned)wiring->ports;

    cr_expect(r->waiting_count >= 2 && r->waiting_count <= SWQ_MAX_WAITING, "%s: %d", k->c.what,
              r->waiting_count);
    for (int i = 0; i < r->waiting_count && i < SWQ_MAX_WAITING; i++) {
        const swq_waiting *x = &r->waiting[i];
        bool leads = x->port / ports == x->next_port / ports;

        for (unsigned output = 0; output < ports; output++)
            leads |= wiring->link[x->port / ports * ports + output] == x->next_port;
        cr_expect_gt(o->held[x->port], 0, "%s: port %u", k->c.what, x->port);
        cr_expect(leads, "%s: from port %u to %u", k->c.what, x->port, x->next_port);
        cr_expect_eq(r->waiting[(i + 1) % r->waiting_count].port, x->next_port, "%s", k->c.what);
    }
}

/* Returns whether anything waits for ever. */
static bool compare(swq_context *ctx, lanes_case *k)
{
    const ref_lanes *n = &k->lanes;
    const char *what = k->c.what;
    swq_sim_options options = swq_sim_defaults();
    lane_starts found = {.k = n->over ? k : NULL}, expected = {0};
    swq_async_watch watch = {.started = started, .arg = &found};
    swq_async_result r;
    ref_lanes_outcome o;

    told_early = n->granted + n->crossed;
    options.warmup = 0;
    options.cycles = (uint64_t)n->cycles;
    cr_assert_eq(swq_async_run(ctx, &k->c.network, &options, &watch, &r), SWQ_OK, "%s: %s", what,
                 swq_context_message(ctx));
    cr_expect(r.sim.conserved && r.sim.little_exact, "%s", what);
    ref_lanes_run(n, &o); /* the nodes that packets go over are known now */
    cr_expect_eq(o.broken, 0, "%s: the reference breaks its rules %d times", what, o.broken);
    if (found.count)
        qsort(found.at, (size_t)found.count, sizeof *found.at, in_order);
    const bool whole = o.delivered == n->packets;
    expect_of(n, &o, whole ? n->cycles : (long)r.sim.cycles, &expected);
    if (compare_starts(&found, &expected, what) && whole) {
        const double is = r.sim.all.tail_latency.mean * (double)o.delivered,
                     should = tails_of(n, &o);

        cr_expect_eq(r.sim.total_delivered, (uint64_t)o.delivered, "%s", what);
        cr_expect(fabs(is - should) < 1e-9 * should, "%s: last flits %.2f, not %.2f", what, is,
                  should);
    }
    cr_expect_eq(r.sim.stopped_by, whole ? SWQ_STOP_TRACE_END : SWQ_STOP_DEADLOCK,
                 "%s: stopped by %d", what, (int)r.sim.stopped_by);
    if (r.sim.stopped_by == SWQ_STOP_DEADLOCK)
        check_waiting(k, &r, &o);
    cr_expect(whole || swq_async_may_deadlock(&k->c.network), "%s: said never to deadlock", what);
    free(found.at);
    free(expected.at);
    ref_lanes_clear(&o);
    return !whole;
}

/* ---- the cases ---- */

static const swq_lane_choice *choice_of(int choice)
{
    static const char *const name[] = {"any", "dateline", "crossing", "destination"};
    const swq_lane_choice *row = NULL;

    cr_assert_eq(swq_lane_choice_find(NULL, name[choice], &row), SWQ_OK);
    return row;
}

/* Lanes share the flits of a pool. */
static void share(uint32_t *state, lanes_case *k)
{
    ref_lanes *r = &k->lanes;
    swq_async *n = &k->c.network;

    r->reserve = case_between(state, 1, r->room < 2 ? r->room : 2);
    r->used_only = (int)case_draw(state, 2);
    r->pool = r->lanes * r->reserve + case_between(state, 0, 5);
    n->architecture.lanes.reserve = r->reserve;
    n->architecture.lanes.reserve_in_use = r->used_only;
    if (r->used_only && r->choice == REF_LANE_ANY)
        r->pool = case_between(state, (r->over ? 2 : 1) * r->reserve, r->pool);
    n->architecture.lanes.pool = r->pool;
}

/* A lane choice and lanes that exclude deadlock, for routes over another node. */
static void go_over(uint32_t *state, lanes_case *k)
{
    swq_async *n = &k->c.network;
    ref_lanes *r = &k->lanes;
    const bool halves = n->shape.kind->rings;

    cr_assert_eq(swq_routing_find(NULL, "valiant", &n->shape.routing), SWQ_OK);
    r->choice = !halves ? 0 : n->shape.one_way ? 1 : case_between(state, 1, 2);
    r->lanes = halves ? case_between(state, 4, 7) : case_between(state, 2, 5);
    for (int m = 0; m < MOST_MESSAGES; m++)
        k->over[m] = -1;
    r->over = k->over;
}

/* What is special about the cases of a test. */
enum { PLAIN = 0, OVER = 1, AT_ONCE = 2 };

static void lanes_and_delays(uint32_t *state, int special, lanes_case *k)
{
    swq_async *n = &k->c.network;
    ref_lanes *r = &k->lanes;
    const bool rings = n->shape.kind->rings;

    r->wiring = k->c.reference.wiring;
    r->grid = rings ? k->c.plan : NULL;
    r->choice = rings ? case_between(state, 0, 3) : case_draw(state, 3) ? 0 : 3;
    r->lanes = case_between(state, r->choice == 1 || r->choice == 2 ? 2 : 1, 4);
    if (special & OVER)
        go_over(state, k);
    r->room = case_between(state, 1, 6);
    r->at_once = special & AT_ONCE ? case_between(state, 1, r->lanes) : 1;
    r->empty = (int)case_draw(state, 3) == 0;
    r->routed = case_between(state, 0, 2);
    r->given = case_between(state, 0, 2);
    r->granted = 1;
    r->crossed = case_between(state, 0, 2);
    r->link = case_between(state, 1, 3);
    r->credit = case_draw(state, 2) ? 0 : case_between(state, 1, 3);
    n->architecture.row = &swq_wormhole_lanes;
    n->link.rest = 0;
    n->architecture.lanes.choice = choice_of(r->choice);
    n->architecture.lanes.count = r->lanes;
    n->architecture.lanes.of_node = r->at_once;
    n->architecture.lanes.flits = r->room;
    n->architecture.lanes.given_empty = r->empty;
    if (case_draw(state, 3) == 0)
        share(state, k);
    n->architecture.lanes.router_delay[0] = r->routed;
    n->architecture.lanes.router_delay[1] = r->given;
    n->architecture.lanes.router_delay[2] = r->granted;
    n->architecture.lanes.router_delay[3] = r->crossed;
    n->architecture.lanes.link_delay = r->link;
    n->flow.credit_delay = r->credit;
    n->packet.max = 64;
}

/* Returns the number of deadlocks in networks of these kinds, with at least that credit delay. */
static int compare_some(int cases, uint32_t seed, const int *kinds, int count, int credit,
                        int special)
{
    static lanes_case k;
    static const uint32_t often[] = {2, 8, 20, 60, 400};
    swq_context *ctx = swq_context_new();
    uint32_t state = seed;
    int stuck = 0;

    for (int i = 0; i < cases; i++) {
        async_case *c = &k.c;
        const int kind = kinds[i % count];

        memset(&k, 0, sizeof k);
        c->network = swq_async_defaults();
        case_fabric(ctx, &state, kind, c);
        lanes_and_delays(&state, special, &k);
        if (k.lanes.credit < credit)
            k.lanes.credit = c->network.flow.credit_delay = credit;
        const int fixed = case_draw(&state, 2) ? case_between(&state, 1, 20) : 0;
        const int longest = case_between(&state, 1, 24);
        const uint32_t load = often[case_draw(&state, 5)];
        case_messages(&state, load, longest, c);
        for (uint64_t m = 0; fixed && m < c->network.traffic.trace_messages; m++)
            c->trace[m].bytes = (uint32_t)(c->message[m].bytes = fixed);
        ref_lanes *r = &k.lanes;
        r->packet = c->message;
        r->packets = c->reference.messages;
        r->cycles = 200000;
        snprintf(
            c->what, sizeof c->what,
            "case %d, %s, %d nodes, %d lanes of %d, %d at once, choice %d, empty %d, stages "
            "%d,%d,%d,%d, "
            "link %d, credit %d, %d packets of %d (0: to %d), load %u, pool %d, reserve %d, %d",
            i, case_fabric_names[kind], r->wiring.nodes, r->lanes, r->room, r->at_once, r->choice,
            r->empty, r->routed, r->given, r->granted, r->crossed, r->link, r->credit, r->packets,
            fixed, longest, load, r->pool, r->reserve, r->used_only);
        stuck += compare(ctx, &k);
        case_clear(ctx, c);
    }
    swq_context_free(ctx);
    return stuck;
}

Test(lanes_reference, every_header_and_every_tail)
{
    static const int kinds[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10};

    (void)compare_some(400, 7, kinds, 10, 0, PLAIN);
}

/* Credits that arrive late are no deadlock. */
Test(lanes_reference, deadlocks_and_no_others)
{
    static const int kinds[] = {4, 5};

    cr_expect_gt(compare_some(150, 3, kinds, 2, 30, PLAIN), 4);
}

/* In tori and meshes, over nodes that the engine has drawn. */
Test(lanes_reference, over_another_node)
{
    static const int kinds[] = {2, 3, 4, 5, 6};

    cr_expect_eq(compare_some(200, 11, kinds, 5, 0, OVER), 0);
}

/* Nodes have up to as many packets under way as links have lanes, with and without deadlocks. */
Test(lanes_reference, several_packets_at_once)
{
    static const int kinds[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10};

    (void)compare_some(400, 5, kinds, 10, 0, AT_ONCE);
}

Test(lanes_reference, several_packets_at_once_over_another_node)
{
    static const int kinds[] = {2, 3, 4, 5, 6};

    cr_expect_eq(compare_some(200, 13, kinds, 5, 0, OVER | AT_ONCE), 0);
}
