/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The references of congestion trees by themselves: cycles worked out by hand from
 * docs/congestion.md, and what must hold of any network, any parameters and any packets: all is
 * delivered, in order, and nothing is left over.
 */
#include "tests/ref/ref_recn_iq.h"
#include "tests/ref/ref_wirings.h"
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

/* Document 000's parameters, but for a memory that small networks fill. */
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
                       .cycles = 1000000};
}

/* Packets until that cycle with that load, a part of which goes to one node until half that
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
    cr_expect(n->saqs || !o->events);
    for (int m = 0; m < n->messages; m++)
        cr_expect_neq(o->delivered[m], -1, "%s: message %d", what, m);
}

/* Many networks and parameters, and what happened in all of them together. */
static void sound_everywhere(run_fn *run, uint32_t seed, int cases, long until,
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

/* Longer than the suite has time for: SWQ_CASES=2000 SWQ_SEED=7 build/run-tests ... */
static int by_hand(const char *name, int otherwise)
{
    const char *value = getenv(name);

    return value ? atoi(value) : otherwise;
}

/* An Xoff always finds a line: there are as many as SAQs behind the link, each has sent one Xoff
 * at most, and its Xon comes before anything that is sent for the next user of its place. */
Test(ref_trees, recn_iq_anywhere)
{
    long count[REF_TREE_KINDS] = {0};

    sound_everywhere(ref_recn_iq_run, (uint32_t)by_hand("SWQ_SEED", 1), by_hand("SWQ_CASES", 24),
                     600, count);
    for (int k = 0; k < REF_TREE_KINDS; k++)
        if (k == REF_NO_LINE || k == REF_UNANSWERED)
            cr_expect_eq(count[k], 0, "%s: %ld times", ref_tree_kinds[k], count[k]);
        else
            cr_expect_gt(count[k], 0, "never: %s", ref_tree_kinds[k]);
    cr_expect_eq(count[REF_LINE_TAKEN], count[REF_LINE_FREED]);
    cr_expect_eq(count[REF_STOPPED], count[REF_RELEASED]);
}
