/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN-IQ (sim/switches/recn_iq/recn_iq.h) held against a reference that was written from
 * docs/congestion.md alone: every start, and every SAQ, line and notice, in its cycle.
 */
#include "sim/switches/recn_iq/recn_iq.h"
#include "tests/ref/networks.h"
#include "tests/ref/ref_async.h"
#include "tests/ref/ref_recn_iq.h"
#include "tests/sim/async_cases.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    swq_context_free(ctx);
}

TestSuite(recn_iq, .init = setup, .fini = teardown, .timeout = 120);

enum {
    MOST_PACKETS = 2000,
    MOST_NODES = 256,
    NETWORKS = 6,
    LARGE = 4, /* networks after these, with switches of more than 32 ports */
    MOST_CYCLES = 40000
};

/* ---- the events of each cycle as one number: a sum over them, independent of order ---- */

static uint64_t mixed(uint64_t h, uint64_t field)
{
    h = (h ^ field) * UINT64_C(1099511628211);
    return h ^ h >> 29;
}

static uint64_t happened(int kind, int place, int port, int turns, const int *turn)
{
    uint64_t h =
        mixed(mixed(mixed(UINT64_C(14695981039346656037), (uint64_t)kind), (uint64_t)place),
              (uint64_t)port);

    for (int k = 0; k < turns; k++)
        h = mixed(h, (uint64_t)turn[k]);
    return mixed(h, (uint64_t)turns);
}

enum { STARTED = 1000 }; /* beyond the reference's kinds */

static struct {
    swq_iq iq;
    swq_fabric fabric;
    const ref_trees *n;
    int from[MOST_PACKETS], of_packet[MOST_PACKETS * 8]; /* messages */
    uint64_t here[MOST_CYCLES], there[MOST_CYCLES];
    int offered[MOST_NODES];
    uint32_t delivered, lost;
} run;

static void add(uint64_t *sum, long cycle, uint64_t h)
{
    cr_assert_lt(cycle, MOST_CYCLES);
    sum[cycle] += h;
}

static void start(int place, int input, int output, int message)
{
    const int turn[] = {output, message};

    add(run.here, run.iq.cycle, happened(STARTED, place, input, 2, turn));
}

static void begun(void *arg, uint32_t packet)
{
    const int m = run.of_packet[packet];

    (void)arg;
    start(REF_SENDER, 0, 0, m);
}

static void passed(void *arg, uint32_t packet, uint32_t port, uint32_t out)
{
    const int ports = run.fabric.ports;

    (void)arg;
    start((int)port / ports, (int)port % ports, (int)out % ports, run.of_packet[packet]);
}

static void last(void *arg, uint32_t packet, uint32_t port, uint32_t out)
{
    passed(arg, packet, port, out);
    run.delivered++;
}

static void event(void *arg, const swq_saq_event *e)
{
    static const int kinds[] = {
        [SWQ_SAQ_DETECTED] = REF_SAQ_DETECTED, [SWQ_SAQ_TOLD] = REF_SAQ_TOLD,
        [SWQ_SAQ_FREED] = REF_SAQ_FREED,       [SWQ_SAQ_XOFF] = REF_NOTICE_XOFF,
        [SWQ_SAQ_XON] = REF_NOTICE_XON,        [SWQ_SAQ_LINE_TAKEN] = REF_LINE_TAKEN,
        [SWQ_SAQ_LINE_FREED] = REF_LINE_FREED, [SWQ_SAQ_STOPPED] = REF_STOPPED,
        [SWQ_SAQ_RELEASED] = REF_RELEASED,     [SWQ_SAQ_NONE_FREE] = REF_NO_SAQ,
        [SWQ_SAQ_NO_LINE] = REF_NO_LINE,
    };
    const uint32_t inputs = run.iq.inputs, ports = (uint32_t)run.fabric.ports;
    const bool inside = e->port < inputs;
    const int place = (int)(inside ? e->port / ports : run.iq.switches + e->port - inputs);
    int turn[REF_TURNS];

    (void)arg;
    for (int k = 0; k < e->length; k++)
        turn[k] = (int)(e->turns >> (k * e->bits) & ((1u << e->bits) - 1));
    const int port = inside ? (int)(e->port % ports) : 0;
    add(run.here, e->cycle, happened(kinds[e->kind], place, port, e->length, turn));
    if (e->kind == SWQ_SAQ_TOLD) /* and stopped */
        add(run.here, e->cycle, happened(REF_STOPPED, place, port, e->length, turn));
}

/* ---- comparison ---- */

static void offer(const ref_trees *n)
{
    for (int node = 0; node < n->wiring.nodes; node++) {
        int m = run.offered[node];
        while (m < n->messages && n->message[m].from != node)
            m++;
        run.offered[node] = m;
        if (m == n->messages || n->message[m].cycle > run.iq.cycle)
            continue;
        run.offered[node]++;
        if (!swq_iq_has_room(&run.iq, (uint32_t)node)) {
            run.lost++;
            continue;
        }
        const uint32_t packet = swq_iq_take(&run.iq, (uint32_t)node, (uint32_t)n->message[m].to,
                                            (uint32_t)n->message[m].bytes);
        run.of_packet[packet] = m;
    }
}

/* What is created when an interface is full is lost here, so nothing waits for room. */
static void room(void *arg, uint32_t node)
{
    (void)arg;
    (void)node;
}

static void run_engine(const ref_trees *n)
{
    const swq_iq_plan plan = {.fabric = &run.fabric,
                              .slots = n->slots,
                              .interface = n->interface,
                              .cold = n->cold,
                              .inspection = n->inspection,
                              .saqs = n->saqs,
                              .detect = n->detect,
                              .xoff = n->xoff,
                              .xon = n->xon,
                              .hop = n->hop_delay,
                              .rest = n->link_rest,
                              .credit = n->credit_delay,
                              .bytes = 16};
    const swq_iq_told told = {NULL, begun, passed, last, room, event, NULL};
    swq_arrays list = {0};

    swq_iq_lay_out(&run.iq, &plan);
    cr_assert_leq(run.iq.packets, sizeof run.of_packet / sizeof *run.of_packet);
    swq_iq_list(&run.iq, &list);
    cr_assert_eq(swq_arrays_take(ctx, &list), SWQ_OK);
    swq_iq_empty(&run.iq, &told);
    memset(run.here, 0, sizeof run.here);
    memset(run.offered, 0, sizeof run.offered);
    run.delivered = run.lost = 0;
    for (int quiet = 0; quiet < 400;) {
        offer(n);
        swq_iq_cycle(&run.iq);
        quiet = (int)(run.delivered + run.lost) == n->messages ? quiet + 1 : 0;
        if (run.iq.cycle % 16 == 0 || quiet == 400)
            cr_assert(swq_iq_sound(&run.iq), "not sound in cycle %u", run.iq.cycle);
        cr_assert_lt(run.iq.cycle, MOST_CYCLES, "%u of %d delivered", run.delivered, n->messages);
    }
    cr_expect_eq(run.iq.counts.in_use, 0);
    cr_expect_eq(run.iq.news.flying, 0);
    swq_arrays_free(ctx, &list);
}

static int message_of(const ref_trees *n, const ref_start *s, const int *before)
{
    for (int m = before[s->from]; m < n->messages; m++) {
        if (n->message[m].from == s->from && n->message[m].to == s->to &&
            n->message[m].cycle == s->birth)
            return m;
    }
    return -1;
}

static void run_reference(const ref_trees *n, ref_trees_outcome *o)
{
    const int before[MOST_NODES] = {0};

    ref_recn_iq_run(n, o);
    memset(run.there, 0, sizeof run.there);
    for (long k = 0; k < o->starts; k++) {
        const ref_start *s = &o->start[k];
        const int turn[] = {s->output, message_of(n, s, before)};
        add(run.there, s->cycle, happened(STARTED, s->switch_, s->input, 2, turn));
    }
    for (long k = 0; k < o->events; k++) {
        const ref_tree_event *e = &o->event[k];
        const int kind = e->kind == REF_NO_SAQ_TOLD ? REF_NO_SAQ : (int)e->kind;
        if (e->kind != REF_UNANSWERED)
            add(run.there, e->cycle,
                happened(kind, e->place, e->port, e->path.turns, e->path.turn));
    }
}

/* ---- cases ---- */

static void lay_out_fabric(int kind)
{
    swq_shape shape = {0};

    if (kind == 1 || kind == 2)
        shape = (swq_shape){
            .kind = &swq_fabric_tree, .levels = 2, .arity = {kind == 1 ? 2 : 4, kind == 1 ? 2 : 4}};
    else if (kind == 3)
        shape = (swq_shape){.kind = &swq_fabric_tree, .levels = 3, .arity = {2, 2, 2}};
    else if (kind == 4)
        shape = case_grid(&swq_fabric_mesh, 2, (const int[]){4, 4}, false);
    else if (kind == NETWORKS || kind == NETWORKS + 1)
        shape = case_omega(ctx, kind == NETWORKS ? 33 : 130, 1);
    else if (kind > NETWORKS)
        shape = (swq_shape){.kind = &swq_fabric_tree,
                            .levels = 2,
                            .arity = {kind == NETWORKS + 2 ? 40 : 66, 2},
                            .up_ports = 2};
    else
        shape = case_omega(ctx, kind ? 2 : 4, kind ? 3 : 1);
    cr_assert_eq(swq_fabric_make(ctx, &shape, &run.fabric), SWQ_OK, "%s", swq_context_message(ctx));
}

/* At most one packet per node and cycle, so that sender, receiver and birth identify it. */
static int draw_packets(uint32_t *state, const ref_wiring *w, long until, int load, int hot,
                        ref_message *m)
{
    int packets = 0;

    for (long t = 0; t < until; t++)
        for (int node = 0; node < w->nodes; node++) {
            const int bytes = case_between(state, 4, 16);
            int to = (int)case_draw(state, (uint32_t)w->nodes);
            if ((int)case_draw(state, 1000) >= load * 100 / bytes || packets == MOST_PACKETS)
                continue;
            if ((int)case_draw(state, 100) < hot)
                to = w->nodes / 2;
            if (run.fabric.shape.kind->point_to_point && to == node)
                continue;
            m[packets++] = (ref_message){t, node, to, bytes};
        }
    return packets;
}

static void same_case(uint32_t seed, int kind, ref_trees_outcome *all)
{
    static ref_message m[MOST_PACKETS];
    uint32_t state = seed * 2654435761u + 1;
    ref_trees_outcome o;

    lay_out_fabric(kind);
    const ref_wiring w = case_wiring(&run.fabric);
    ref_trees n = {.wiring = w, .message = m, .cycles = 1000000};
    n.saqs = (int)case_draw(&state, 6);
    n.slots = case_between(&state, 2, 20);
    n.detect = case_between(&state, 1, 8);
    n.xoff = case_between(&state, 1, 8);
    n.xon = case_between(&state, 1, n.xoff);
    n.hop_delay = case_between(&state, 1, 6);
    n.link_rest = case_between(&state, 0, 2);
    n.credit_delay = case_between(&state, 1, 5);
    n.interface = case_between(&state, 1, 12);
    n.inspection = case_draw(&state, 3) ? 1 : case_between(&state, 2, 5);
    n.cold = case_draw(&state, 2) ? case_between(&state, 1, n.interface) : 0;
    n.messages = draw_packets(&state, &w, case_between(&state, 50, 250),
                              case_between(&state, 2, 10), case_between(&state, 0, 60), m);
    run.n = &n;
    run_engine(&n);
    run_reference(&n, &o);
    for (long cycle = 0; cycle < MOST_CYCLES; cycle++)
        cr_assert_eq(run.here[cycle], run.there[cycle],
                     "seed %u: network %d, %d SAQs, %d, %d, %d: other events in cycle %ld", seed,
                     kind, n.saqs, n.detect, n.xoff, n.xon, cycle);
    cr_expect_eq(run.lost, o.lost);
    for (int k = 0; k < REF_TREE_KINDS; k++)
        all->count[k] += o.count[k];
    cr_expect_eq((long)run.iq.counts.false_detections, o.false_detections);
    all->false_detections += o.false_detections;
    all->lost += o.lost;
    ref_trees_outcome_clear(&o);
    swq_fabric_clear(ctx, &run.fabric);
}

Test(recn_iq, every_event_is_in_its_cycle)
{
    ref_trees_outcome all = {0};
    static const ref_tree_kind seen[] = {REF_SAQ_DETECTED, REF_SAQ_TOLD,   REF_SAQ_FREED,
                                         REF_NOTICE_XOFF,  REF_NOTICE_XON, REF_LINE_TAKEN,
                                         REF_LINE_FREED,   REF_NO_SAQ,     REF_STOPPED,
                                         REF_RELEASED,     REF_NO_SAQ_TOLD};

    for (uint32_t seed = 1; seed <= 60; seed++)
        same_case(seed, (int)(seed % NETWORKS), &all);
    for (size_t k = 0; k < sizeof seen / sizeof *seen; k++)
        cr_expect_gt(all.count[seen[k]], 10, "%s: %ld", ref_tree_kinds[seen[k]],
                     all.count[seen[k]]);
    cr_expect_gt(all.false_detections, 10);
    cr_expect_gt(all.lost, 10);
    /* an output has as many lines as the input it leads to has SAQs, and an Xon goes before the
     * next Xoff */
    cr_expect_eq(all.count[REF_NO_LINE], 0);
}

/* Switches of more than 32 ports, and of more than 64, whose sets of ports are several words. */
Test(recn_iq, every_event_of_large_switches_is_in_its_cycle)
{
    static const ref_tree_kind seen[] = {REF_SAQ_DETECTED, REF_SAQ_TOLD,   REF_NOTICE_XOFF,
                                         REF_NOTICE_XON,   REF_LINE_TAKEN, REF_STOPPED,
                                         REF_RELEASED};
    ref_trees_outcome all = {0};

    for (uint32_t seed = 101; seed <= 116; seed++)
        same_case(seed, NETWORKS + (int)(seed % LARGE), &all);
    for (size_t k = 0; k < sizeof seen / sizeof *seen; k++)
        cr_expect_gt(all.count[seen[k]], 10, "%s: %ld", ref_tree_kinds[seen[k]],
                     all.count[seen[k]]);
}
