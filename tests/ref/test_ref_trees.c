/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The references of congestion trees by themselves: cycles worked out by hand from
 * docs/congestion.md, and what must hold of any network, any parameters and any packets: all is
 * delivered, in order, and nothing is left over.
 */
#include "tests/ref/networks.h"
#include "tests/ref/ref_async.h"
#include "tests/ref/ref_recn.h"
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

TestSuite(ref_trees, .init = setup, .fini = teardown, .timeout = 120);

enum { MOST_PACKETS = 3000, NETWORKS = 6 };

typedef void run_fn(const ref_trees *n, ref_trees_outcome *o);

/* A network of each kind: a switch, two trees, an omega, two meshes. */
static swq_fabric laid_out(int kind)
{
    swq_shape shape = {0};
    swq_fabric f;

    if (kind == 1 || kind == 2)
        shape = (swq_shape){
            .kind = &swq_fabric_tree, .levels = 2, .arity = {kind == 1 ? 2 : 4, kind == 1 ? 2 : 4}};
    else if (kind == 4 || kind == 5)
        shape = case_grid(&swq_fabric_mesh, kind - 3, (const int[]){4, 4}, false);
    else
        shape = case_omega(ctx, kind ? 2 : 4, kind ? 3 : 1);
    cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
    return f;
}

/* Document 000's parameters, except for a memory that small networks fill. */
static ref_trees with(const ref_wiring *wiring)
{
    return (ref_trees){.wiring = *wiring,
                       .slots = 16,
                       .interface = 64,
                       .saqs = 4,
                       .detect = 5,
                       .xoff = 10,
                       .xon = 5,
                       .hop_delay = 4,
                       .credit_delay = 1,
                       .output_slots = 16,
                       .speed_over = 3,
                       .speed_under = 2,
                       .crossbar_delay = 1,
                       .cycles = 1000000};
}

/* Packets until that cycle with that load, of which a part goes to one node until half that
 * cycle. */
static int draw_packets(uint32_t *state, const ref_wiring *w, int point_to_point, long until,
                        int load, int hot, ref_message *m)
{
    int packets = 0;

    for (long t = 0; t < until; t++)
        for (int node = 0; node < w->nodes; node++) {
            const int bytes = case_between(state, 4, 16);
            int to = (int)case_draw(state, (uint32_t)w->nodes);

            if ((int)case_draw(state, 1000) >= load * 100 / bytes || packets == MOST_PACKETS)
                continue;
            if (t < until / 2 && (int)case_draw(state, 100) < hot)
                to = w->nodes / 2;
            if (point_to_point && to == node)
                continue;
            m[packets++] = (ref_message){t, node, to, bytes};
        }
    return packets;
}

static void expect_sound(const ref_trees *n, const ref_trees_outcome *o, const char *what)
{
    cr_expect_eq(o->broken, 0, "%s: invariants broken %d times", what, o->broken);
    cr_expect_eq(o->left, 0, "%s: %d things are left in cycle %ld", what, o->left, o->cycles);
    cr_expect_eq(o->out_of_order, 0, "%s: %ld out of order", what, o->out_of_order);
    cr_expect(n->saqs || !o->saqs_most);
    for (int m = 0; m < n->messages; m++)
        cr_expect_neq(o->delivered[m], -1, "%s: message %d", what, m);
}

/* Many networks and parameters, with the events of all of them counted together. */
static void sound_everywhere(run_fn *run, int enhanced, uint32_t seed, int cases, long until,
                             long count[REF_TREE_KINDS])
{
    static ref_message m[MOST_PACKETS];

    for (int c = 0; c < cases; c++) {
        uint32_t state = seed + (uint32_t)c * 7919u + 1;
        char what[200];
        swq_fabric f = laid_out(c % NETWORKS);
        const ref_wiring w = case_wiring(&f);
        ref_trees n = with(&w);
        ref_trees_outcome o;

        n.saqs = (int)case_draw(&state, 9);
        n.slots = case_between(&state, 2, 20);
        n.detect = case_between(&state, 1, 8);
        n.xoff = case_between(&state, 1, 8);
        n.xon = case_between(&state, 1, n.xoff);
        n.hop_delay = case_between(&state, 1, 6);
        n.link_rest = case_between(&state, 0, 2);
        n.credit_delay = case_between(&state, 0, 5);
        n.interface = case_between(&state, 1, 12);
        n.enhanced = enhanced > 0;
        n.flows = enhanced == 2;
        n.output_slots = case_between(&state, 2, 20);
        n.speed_over = case_between(&state, 1, 3);
        n.speed_under = case_between(&state, 1, n.speed_over);
        n.crossbar_delay = case_between(&state, 1, 3);
        n.message = m;
        n.messages = draw_packets(&state, &w, f.shape.kind->point_to_point, until,
                                  case_between(&state, 2, 10), case_between(&state, 0, 60), m);
        snprintf(what, sizeof what, "case %d, seed %u: network %d, %d SAQs, %d, %d, %d", c, seed,
                 c % NETWORKS, n.saqs, n.detect, n.xoff, n.xon);
        run(&n, &o);
        expect_sound(&n, &o, what);
        for (int k = 0; k < REF_TREE_KINDS; k++)
            count[k] += o.count[k];
        ref_trees_outcome_clear(&o);
        swq_fabric_clear(ctx, &f);
    }
}

/* ---- cycles by hand ---- */

/* Packets of 16 bytes, a hop delay of 4, credits after 1, a crossbar as fast as a link. */
static void run_by_hand(run_fn *run, int kind, ref_trees n, const ref_message *m, int messages,
                        ref_trees_outcome *o)
{
    swq_fabric f = laid_out(kind);
    const ref_wiring w = case_wiring(&f);

    n.wiring = w;
    n.message = m;
    n.messages = messages;
    n.speed_over = n.speed_under = 1;
    run(&n, o);
    expect_sound(&n, o, "by hand");
    swq_fabric_clear(ctx, &f);
}

/* What happened, as "cycle kind place.port", ended by NULL. */
static void expect_events(const ref_trees_outcome *o, const char *const *expected)
{
    long e = 0;

    for (; e < o->events && expected[e]; e++) {
        char found[80];

        snprintf(found, sizeof found, "%ld %s %d.%d", o->event[e].cycle,
                 ref_tree_kinds[o->event[e].kind], o->event[e].place, o->event[e].port);
        cr_expect_str_eq(found, expected[e]);
    }
    cr_expect(e == o->events && !expected[e], "%ld events", o->events);
}

static void expect_delivered(const ref_trees_outcome *o, const long *expected)
{
    for (int m = 0; expected[m] >= 0; m++)
        cr_expect_eq(o->delivered[m], expected[m], "message %d: %ld", m, o->delivered[m]);
}

/* From node 0 to node 15 of the tree of 4-port parts: three switches. A crossbar and an output
 * store cost a cycle more each. */
Test(ref_trees, a_packet_alone)
{
    const ref_message m[] = {{7, 0, 15, 16}};
    ref_trees_outcome o;

    run_by_hand(ref_recn_iq_run, 2, with(&(ref_wiring){0}), m, 1, &o);
    expect_delivered(&o, (const long[]){7 + 3 * 4, -1});
    ref_trees_outcome_clear(&o);
    run_by_hand(ref_recn_run, 2, with(&(ref_wiring){0}), m, 1, &o);
    expect_delivered(&o, (const long[]){7 + 3 * (4 + 1), -1});
    ref_trees_outcome_clear(&o);
}

/* A switch. Nodes 0 and 1 send to 2; behind that node 0 has a packet for 3, which is the second of
 * its input's cold queue in cycle 36. Just then output 2 becomes free: the detection is false, and
 * costs the head the cycle in which it moves. */
Test(ref_trees, a_false_detection_by_hand)
{
    const ref_message m[] = {{0, 0, 2, 16}, {0, 1, 2, 16}, {1, 0, 2, 16}, {2, 0, 3, 16}};
    ref_trees n = with(&(ref_wiring){0});
    ref_trees_outcome o;

    run_by_hand(ref_recn_iq_run, 0, n, m, 4, &o);
    expect_delivered(&o, (const long[]){4, 20, 36, 52, -1});
    expect_events(&o, (const char *const[]){NULL});
    ref_trees_outcome_clear(&o);
    n.detect = 2;
    run_by_hand(ref_recn_iq_run, 0, n, m, 4, &o);
    expect_delivered(&o, (const long[]){4, 20, 37, 53, -1});
    expect_events(&o, (const char *const[]){"36 detected 0.0", "37 freed 0.0", NULL});
    cr_expect_eq(o.false_detections, 1);
    ref_trees_outcome_clear(&o);
}

/* A switch. Nodes 0 and 1 have three packets for 2 each. Input 1 detects with its second packet,
 * input 0, which was served first, with its third. Interface 1 (place 2) is given its third packet
 * when it is stopped, and sends it in cycle 56, when input 1 has none left; that of interface 0
 * (place 1) has gone when it is stopped. The token of interface 1 is there in cycle 60, together
 * with the packet, so that input 1 keeps its SAQ until that has left. */
Test(ref_trees, enhanced_recn_by_hand)
{
    const ref_message m[] = {{0, 0, 2, 16}, {0, 1, 2, 16}, {1, 0, 2, 16},
                             {1, 1, 2, 16}, {2, 0, 2, 16}, {2, 1, 2, 16}};
    ref_trees n = with(&(ref_wiring){0});
    ref_trees_outcome o;

    n.enhanced = 1;
    n.detect = n.xoff = 2;
    n.xon = 1;
    run_by_hand(ref_recn_run, 0, n, m, 6, &o);
    expect_delivered(&o, (const long[]){5, 21, 37, 53, 69, 85, -1});
    expect_events(&o, (const char *const[]){"20 detected 0.1", "20 notice 0.1", "24 told 2.0",
                                            "24 stopped 2.0", "36 detected 0.0", "36 notice 0.0",
                                            "40 told 1.0", "40 stopped 1.0", "52 go 0.1",
                                            "56 released 2.0", "56 freed 2.0", "56 token 2.0",
                                            "68 go 0.0", "72 released 1.0", "72 freed 1.0",
                                            "72 token 1.0", "76 freed 0.0", "84 freed 0.1", NULL});
    ref_trees_outcome_clear(&o);
}

/* ---- anywhere ---- */

/* To run more than the suite has time for: SWQ_CASES=2000 SWQ_SEED=7 build/run-tests ... */
static int by_hand(const char *name, int otherwise)
{
    const char *value = getenv(name);

    return value ? atoi(value) : otherwise;
}

/* An Xoff always finds a line: there are as many as SAQs behind the link, each has sent at most one
 * Xoff, and its Xon comes before anything that is sent for the next user of its slot. */
Test(ref_trees, recn_iq_anywhere)
{
    long count[REF_TREE_KINDS] = {0};

    sound_everywhere(ref_recn_iq_run, 0, (uint32_t)by_hand("SWQ_SEED", 1), by_hand("SWQ_CASES", 24),
                     600, count);
    for (int k = 0; k < REF_NOTICE; k++)
        if (k == REF_NO_LINE || k == REF_UNANSWERED)
            cr_expect_eq(count[k], 0, "%s: %ld times", ref_tree_kinds[k], count[k]);
        else
            cr_expect_gt(count[k], 0, "never: %s", ref_tree_kinds[k]);
    cr_expect_eq(count[REF_LINE_TAKEN], count[REF_LINE_FREED]);
    cr_expect_eq(count[REF_STOPPED], count[REF_RELEASED]);
}

/* 0: basic; 1: enhanced; 2: FBICM */
static void recn_anywhere(int enhanced)
{
    const int never[] = {REF_NOTICE_XOFF, REF_NOTICE_XON,
                         REF_LINE_TAKEN,  REF_LINE_FREED,
                         REF_NO_LINE,     enhanced ? REF_MORE_SPECIFIC : REF_SAQ_DETECTED};
    long count[REF_TREE_KINDS] = {0};

    sound_everywhere(ref_recn_run, enhanced, (uint32_t)by_hand("SWQ_SEED", 1),
                     by_hand("SWQ_CASES", 24), 600, count);
    for (int i = 0; i < (int)(sizeof never / sizeof *never); i++)
        cr_expect_eq(count[never[i]], 0, "%s", ref_tree_kinds[never[i]]);
    for (int k = 0; k < REF_TREE_KINDS; k++) {
        int may = k != REF_NO_SAQ || enhanced;

        for (int i = 0; i < (int)(sizeof never / sizeof *never); i++)
            may = may && k != never[i];
        may = may && (k != REF_ADD || enhanced == 2);
        cr_expect(!may || count[k], "never: %s", ref_tree_kinds[k]);
    }
    cr_expect_eq(count[REF_STOPPED], count[REF_RELEASED]);
    cr_expect_eq(count[REF_BLOCKED], count[REF_UNBLOCKED]);
    cr_expect_eq(count[REF_NOTICE], count[REF_TOKEN] + count[REF_REFUSED]);
    cr_expect_eq(count[REF_REFUSED], count[REF_MORE_SPECIFIC] + count[REF_NO_SAQ_TOLD]);
}

Test(ref_trees, recn_anywhere)
{
    recn_anywhere(0);
}

Test(ref_trees, enhanced_recn_anywhere)
{
    recn_anywhere(1);
}

Test(ref_trees, fbicm_anywhere)
{
    recn_anywhere(2);
}
