/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN, enhanced RECN and FBICM in switches with memory at inputs and outputs
 * (sim/switches/recn/recn.h): held against a reference that was written from docs/congestion.md
 * alone, start by start; what must hold of any network; and cycles by hand.
 */
#include "sim/switches/recn/recn.h"
#include "sim/switches/saqs/routes.h"
#include "tests/ref/networks.h"
#include "tests/ref/ref_async.h"
#include "tests/ref/ref_recn.h"
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

TestSuite(recn, .init = setup, .fini = teardown, .timeout = 120);

enum {
    MOST_PACKETS = 3000,
    NETWORKS = 6,
    LARGE = 5, /* networks after these, with switches of more than 32 ports */
    MOST_STARTS = 40000,
    MOST_CYCLES = 20000,
    MOST_NODES = 256
};

/* ---- the engine by itself ---- */

static struct {
    swq_recn n;
    swq_fabric fabric;
    ref_start start[MOST_STARTS];
    long starts, delivered;
    uint32_t ready[MOST_NODES];
    int next[MOST_NODES];
    uint64_t state[MOST_CYCLES]; /* of all SAQs, at the end of a cycle */
    long cycles;
} run;

static void started(const swq_recn_packet *p, int sw, int input, int output)
{
    cr_assert_lt(run.starts, MOST_STARTS);
    run.start[run.starts++] = (ref_start){.cycle = run.n.cycle,
                                          .birth = p->birth,
                                          .switch_ = sw,
                                          .input = input,
                                          .output = output,
                                          .from = (int)p->from,
                                          .to = (int)p->to,
                                          .bytes = p->bytes};
}

static void begun(void *arg, const swq_recn_packet *p)
{
    (void)arg;
    started(p, REF_SENDER, -1, 0);
}

static void crossed(void *arg, const swq_recn_packet *p, uint32_t in, uint32_t out)
{
    const int ports = run.fabric.ports;

    (void)arg;
    started(p, (int)in / ports, (int)in % ports, (int)out % ports);
}

static void linked(void *arg, const swq_recn_packet *p, uint32_t out)
{
    (void)arg;
    started(p, (int)out / run.fabric.ports, -1, (int)out % run.fabric.ports);
}

static void arrived(void *arg, const swq_recn_packet *p, uint32_t out)
{
    linked(arg, p, out);
    run.delivered++;
}

static void room(void *arg, uint32_t node)
{
    (void)arg;
    (void)node;
}

/* ---- the existing SAQs as one number: a sum over them, independent of order ---- */

static uint64_t saq_state(int place, int port, const ref_way *path, bool stopped, bool blocked)
{
    const int field[] = {place, port, stopped, blocked, path->turns};
    uint64_t h = UINT64_C(14695981039346656037);

    for (int i = 0; i < 5 + path->turns; i++)
        h = (h ^ (uint64_t)(i < 5 ? field[i] : path->turn[i - 5])) * UINT64_C(1099511628211);
    return h ^ h >> 29;
}

static uint64_t engine_state(void)
{
    const swq_recn *n = &run.n;
    uint64_t sum = 0;

    for (uint32_t s = 0; s < n->stores; s++)
        for (int k = 0; k < n->plan.saqs; k++) {
            const swq_recn_place at = swq_recn_place_of(n, s);
            const int in_its_kind = (int)(s - n->first_store[at]), ports = (int)n->ports;
            const swq_recn_saq *saq = &swq_recn_saqs_of(n, s)[k];
            const swq_path *line = &swq_recn_lines_of(n, s)[k];
            const bool flows = n->plan.kind == SWQ_RECN_FLOWS;
            ref_way path = {.turns = flows ? 0 : swq_path_turns(line, n->bits)};

            if (!(n->store[s].saqs >> k & 1))
                continue;
            for (int i = 0; i < path.turns; i++)
                path.turn[i] = (int)swq_route_turn(line->turns >> (i * n->bits), n->bits);
            if (flows && at == SWQ_RECN_INPUT) /* the output, and its queue */
                path = (ref_way){2, {(int)(line->turns & 255), (int)(line->turns >> 8)}};
            else if (flows)
                path = (ref_way){1, {(int)line->turns}};
            sum += at == SWQ_RECN_INTERFACE
                       ? saq_state((int)run.fabric.switches + in_its_kind, 0, &path, saq->stopped,
                                   saq->blocked)
                       : saq_state(in_its_kind / ports,
                                   in_its_kind % ports + (at == SWQ_RECN_OUTPUT ? ports : 0), &path,
                                   saq->stopped, saq->blocked);
        }
    return sum;
}

/* The same of the reference, whose events are replayed, up to the cycle in which the two differ,
 * and the reference's last events then. */
static void expect_same_states(const ref_trees_outcome *o, const char *what)
{
    static struct {
        ref_tree_event of;
        bool stopped, blocked;
    } saq[4096];
    int saqs = 0;
    long e = 0;

    for (long cycle = 0; cycle < run.cycles && cycle < MOST_CYCLES; cycle++) {
        uint64_t sum = 0;

        for (; e < o->events && o->event[e].cycle <= cycle; e++) {
            const ref_tree_event *v = &o->event[e];
            int k = 0;

            while (k < saqs && (saq[k].of.place != v->place || saq[k].of.port != v->port ||
                                !ref_way_same(&saq[k].of.path, &v->path)))
                k++;
            if (v->kind == REF_SAQ_DETECTED || v->kind == REF_SAQ_TOLD) {
                cr_assert_lt(saqs, 4096);
                saq[saqs].of = *v;
                saq[saqs].stopped = saq[saqs].blocked = false;
                saqs++;
            } else if (v->kind == REF_SAQ_FREED) {
                saq[k] = saq[--saqs];
            } else if (v->kind == REF_STOPPED || v->kind == REF_RELEASED) {
                saq[k].stopped = v->kind == REF_STOPPED;
            } else if (v->kind == REF_BLOCKED || v->kind == REF_UNBLOCKED) {
                saq[k].blocked = v->kind == REF_BLOCKED;
            }
        }
        for (int k = 0; k < saqs; k++)
            sum += saq_state(saq[k].of.place, saq[k].of.port, &saq[k].of.path, saq[k].stopped,
                             saq[k].blocked);
        cr_assert(sum == run.state[cycle], "%s: other SAQs in cycle %ld; the reference: %s in %ld",
                  what, cycle, e ? ref_tree_kinds[o->event[e - 1].kind] : "nothing",
                  e ? o->event[e - 1].cycle : 0);
    }
    cr_expect_eq(saqs, 0, "%s", what);
}

static void give_packets(const ref_trees *n)
{
    for (int node = 0; node < n->wiring.nodes; node++) {
        int k = run.next[node];
        while (k < n->messages && n->message[k].from != node)
            k++;
        run.next[node] = k;
        if (k == n->messages)
            continue;
        const ref_message *m = &n->message[k];
        if (m->cycle > run.n.cycle || run.ready[node] > run.n.cycle ||
            !swq_recn_open(&run.n, (uint32_t)node))
            continue;
        const swq_recn_packet p = {.route =
                                       swq_route_of(&run.fabric, (uint32_t)node, (uint32_t)m->to),
                                   .birth = (uint32_t)m->cycle,
                                   .from = (uint32_t)node & 0xffffff,
                                   .to = (uint32_t)m->to,
                                   .bytes = (uint16_t)m->bytes};
        swq_recn_give(&run.n, (uint32_t)node, &p);
        run.ready[node] = run.n.cycle + (uint32_t)(m->bytes + n->link_rest);
        run.next[node]++;
    }
}

static void run_engine(const ref_trees *n, swq_recn_kind kind, int longest)
{
    const swq_recn_plan plan = {.fabric = &run.fabric,
                                .kind = kind,
                                .saqs = n->saqs,
                                .detect = n->detect,
                                .xoff = n->xoff,
                                .xon = n->xon,
                                .slots = {n->slots, n->output_slots, n->interface},
                                .speed_bytes = (uint32_t)n->speed_over,
                                .speed_cycles = (uint32_t)n->speed_under,
                                .hop_delay = (uint32_t)n->hop_delay,
                                .link_rest = (uint32_t)n->link_rest,
                                .crossbar_delay = (uint32_t)n->crossbar_delay,
                                .credit_delay = (uint32_t)n->credit_delay,
                                .longest = (uint32_t)longest,
                                .refused = n->hold     ? SWQ_REFUSED_HOLD
                                           : n->repeat ? SWQ_REFUSED_REPEAT
                                                       : SWQ_REFUSED_FILL};
    const swq_recn_told told = {NULL, begun, crossed, linked, arrived, room, NULL, NULL};
    swq_arrays list = {0};

    run.starts = run.delivered = 0;
    memset(run.next, 0, sizeof run.next);
    memset(run.ready, 0, sizeof run.ready);
    swq_recn_lay_out(&run.n, &plan);
    swq_recn_list(&run.n, &list);
    cr_assert_eq(swq_arrays_take(ctx, &list), SWQ_OK);
    swq_recn_empty(&run.n, &told);
    for (int quiet = 0; quiet < 500 && run.n.cycle < n->cycles; run.n.cycle += 0) {
        give_packets(n);
        swq_recn_cycle(&run.n);
        if (run.n.cycle <= MOST_CYCLES)
            run.state[run.n.cycle - 1] = engine_state();
        run.cycles = run.n.cycle;
        quiet = run.delivered == n->messages ? quiet + 1 : 0;
        if (run.n.cycle % 64 == 0)
            cr_assert(swq_recn_sound(&run.n), "not sound in cycle %u", run.n.cycle);
    }
    cr_assert_eq(run.delivered, n->messages, "%ld of %d", run.delivered, n->messages);
    cr_assert(swq_recn_clean(&run.n), "something is left over");
    cr_assert_eq(run.n.more.overtaken, 0);
    swq_arrays_free(ctx, &list);
}

/* ---- cases ---- */

static void lay_out_fabric(int kind)
{
    swq_shape shape = {0};

    if (kind == 1 || kind == 2)
        shape = (swq_shape){
            .kind = &swq_fabric_tree, .levels = 2, .arity = {kind == 1 ? 2 : 4, kind == 1 ? 2 : 4}};
    else if (kind >= NETWORKS && kind < NETWORKS + 3)
        shape = case_omega(ctx, (const int[]){33, 62, 70}[kind - NETWORKS], 1);
    else if (kind >= NETWORKS)
        shape = (swq_shape){.kind = &swq_fabric_tree,
                            .levels = 2,
                            .arity = {kind == NETWORKS + 3 ? 40 : 66, 2},
                            .up_ports = 2};
    else if (kind == 4 || kind == 5)
        shape = case_grid(&swq_fabric_mesh, kind - 3, (const int[]){4, 4}, false);
    else
        shape = case_omega(ctx, kind ? 2 : 4, kind ? 3 : 1);
    cr_assert_eq(swq_fabric_make(ctx, &shape, &run.fabric), SWQ_OK, "%s", swq_context_message(ctx));
}

static int draw_packets(uint32_t *state, const ref_wiring *w, bool point_to_point, long until,
                        int load, int hot, ref_message *m)
{
    const uint32_t spots = case_draw(state, 2) ? 1 : 3;
    int packets = 0;

    for (long t = 0; t < until; t++)
        for (int node = 0; node < w->nodes; node++) {
            const int bytes = case_between(state, 4, 16);
            int to = (int)case_draw(state, (uint32_t)w->nodes);

            if ((int)case_draw(state, 1000) >= load * 100 / bytes || packets == MOST_PACKETS)
                continue;
            if (t < until / 2 && (int)case_draw(state, 100) < hot)
                to = (w->nodes / 2 + (int)case_draw(state, spots)) % w->nodes;
            if (point_to_point && to == node)
                continue;
            m[packets++] = (ref_message){t, node, to, bytes};
        }
    return packets;
}

static ref_trees draw_case(uint32_t *state, const ref_wiring *w, long until, ref_message *m)
{
    ref_trees n = {.wiring = *w, .message = m, .cycles = 1000000, .unbounded = 1};

    const int high = case_draw(state, 2) ? 8 : 3; /* low thresholds nest SAQs */

    n.saqs = (int)case_draw(state, 6);
    n.hold = (int)case_draw(state, 2);
    n.repeat = !n.hold && case_draw(state, 2);
    n.slots = case_between(state, 2, 20);
    n.detect = case_between(state, 1, high);
    n.xoff = case_between(state, 1, high);
    n.xon = case_between(state, 1, n.xoff);
    n.hop_delay = case_between(state, 1, 6);
    n.link_rest = case_between(state, 0, 2);
    n.credit_delay = case_between(state, 0, 5);
    n.interface = case_between(state, 1, 12);
    n.output_slots = case_between(state, 2, 20);
    n.speed_over = case_between(state, 1, 3);
    n.speed_under = case_between(state, 1, n.speed_over);
    n.crossbar_delay = case_between(state, 1, 3);
    n.messages = draw_packets(state, w, run.fabric.shape.kind->point_to_point, until,
                              case_between(state, 2, 10), case_between(state, 0, 60), m);
    return n;
}

/* No input, output or interface begins two in a cycle. */
static int by_time_and_place(const void *a, const void *b)
{
    const ref_start *x = a, *y = b;
    const long order[] = {x->cycle - y->cycle, (long)x->switch_ - y->switch_,
                          (long)x->input - y->input, (long)x->output - y->output,
                          (long)x->from - y->from};

    for (int k = 0; k < 5; k++) {
        if (order[k])
            return order[k] < 0 ? -1 : 1;
    }
    return 0;
}

static void expect_same(ref_trees_outcome *o, const char *what)
{
    qsort(run.start, (size_t)run.starts, sizeof *run.start, by_time_and_place);
    for (long k = 0; k < o->starts; k++) {
        if (o->start[k].switch_ == REF_SENDER) {
            o->start[k].input = -1;
            o->start[k].output = 0;
        }
    }
    qsort(o->start, (size_t)o->starts, sizeof *o->start, by_time_and_place);
    cr_expect_eq(run.starts, o->starts, "%s: %ld and %ld starts", what, run.starts, o->starts);
    for (long k = 0; k < o->starts && k < run.starts; k++) {
        const ref_start *x = &run.start[k], *y = &o->start[k];
        cr_assert(by_time_and_place(x, y) == 0 && x->to == y->to && x->bytes == y->bytes &&
                      x->birth == y->birth,
                  "%s: start %ld: %ld %d.%d>%d %d-%d, reference %ld %d.%d>%d %d-%d", what, k,
                  x->cycle, x->switch_, x->input, x->output, x->from, x->to, y->cycle, y->switch_,
                  y->input, y->output, y->from, y->to);
    }
}

static int by_hand(const char *name, int otherwise)
{
    const char *value = getenv(name);

    return value ? atoi(value) : otherwise;
}

/* networks: of lay_out_fabric, from `first` on. */
static void same_in_networks(swq_recn_kind kind, int cases, int first, int networks, long until)
{
    static ref_message m[MOST_PACKETS];
    const uint32_t seed = (uint32_t)by_hand("SWQ_SEED", 5);
    uint64_t notices = 0, specific = 0, unserved = 0;

    for (int c = 0; c < cases; c++) {
        uint32_t state = seed + (uint32_t)c * 7919u + 1;
        char what[200];
        lay_out_fabric(first + c % networks);
        const ref_wiring w = case_wiring(&run.fabric);
        ref_trees n = draw_case(&state, &w, until, m);
        ref_trees_outcome o;

        n.enhanced = kind != SWQ_RECN_BASIC;
        n.flows = kind == SWQ_RECN_FLOWS;
        snprintf(what, sizeof what, "case %d, seed %u: network %d, %d SAQs, %d, %d, %d", c, seed,
                 first + c % networks, n.saqs, n.detect, n.xoff, n.xon);
        run_engine(&n, kind, 16);
        ref_recn_run(&n, &o);
        expect_same(&o, what);
        expect_same_states(&o, what);
        if (n.saqs) {
            cr_expect_eq((long)run.n.more.specific, o.count[REF_MORE_SPECIFIC], "%s", what);
            cr_expect_eq((long)run.n.counts.false_detections, o.false_detections, "%s", what);
            cr_expect_eq((long)run.n.more.notices, o.count[REF_NOTICE] + o.count[REF_ADD], "%s",
                         what);
            cr_expect_eq((long)run.n.more.unserved, o.count[REF_NO_SAQ_TOLD], "%s", what);
            cr_expect_eq((long)run.n.counts.lost_notices, o.count[REF_UNANSWERED], "%s", what);
            cr_expect_eq((long)run.n.counts.unserved_detections, o.count[REF_NO_SAQ], "%s", what);
            cr_expect_eq((long)run.n.counts.xons, o.count[REF_GO], "%s", what);
            cr_expect_eq((long)run.n.counts.tokens, o.count[REF_TOKEN] + o.count[REF_REFUSED], "%s",
                         what);
            cr_expect_eq((long)run.n.counts.allocated,
                         o.count[REF_SAQ_DETECTED] + o.count[REF_SAQ_TOLD], "%s", what);
        }
        ref_trees_outcome_clear(&o);
        notices += run.n.more.notices;
        specific += run.n.more.specific;
        unserved += run.n.more.unserved;
        swq_fabric_clear(ctx, &run.fabric);
    }
    cr_expect_gt(notices, 100);
    cr_expect_gt(unserved, 0);
    cr_expect(kind == SWQ_RECN_BASIC ? specific > 0 : specific == 0);
}

static void same_everywhere(swq_recn_kind kind, int cases)
{
    same_in_networks(kind, cases, 0, NETWORKS, 400);
}

Test(recn, basic_as_the_reference)
{
    same_everywhere(SWQ_RECN_BASIC, by_hand("SWQ_CASES", 60));
}

Test(recn, enhanced_as_the_reference)
{
    same_everywhere(SWQ_RECN_ENHANCED, by_hand("SWQ_CASES", 60));
}

Test(recn, by_flow_anywhere)
{
    same_everywhere(SWQ_RECN_FLOWS, by_hand("SWQ_CASES", 100));
}

/* Switches of more than 32 ports, and of more than 64 ports or queues of an input, whose sets are
 * several words. */
static void same_in_large(swq_recn_kind kind)
{
    same_in_networks(kind, 10, NETWORKS, LARGE, 80);
}

Test(recn, basic_in_large_switches)
{
    same_in_large(SWQ_RECN_BASIC);
}

Test(recn, enhanced_in_large_switches)
{
    same_in_large(SWQ_RECN_ENHANCED);
}

Test(recn, by_flow_in_large_switches)
{
    same_in_large(SWQ_RECN_FLOWS);
}
