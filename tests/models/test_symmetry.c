/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The group that a spec has, canonical states, and orbit counts against published enumerations
 * (this project's reference catalogue, A27, brute force on small cases) and against direct
 * enumeration.
 */
#include "models/symmetry.h"
#include "tests/support/support.h"

TestSuite(symmetry, .timeout = 240);

static int group_order(const swq_switch *sw)
{
    swq_context *ctx = swq_context_new();
    swq_symmetry s;

    cr_assert_eq(swq_symmetry_find(ctx, sw, true, &s), SWQ_OK);
    int order = (int)s.order;
    cr_assert(order == s.order && (!s.product || s.listed <= order));
    swq_symmetry_clear(ctx, &s);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return order;
}

Test(symmetry, group_follows_from_the_spec)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = test_switch(ctx, "damq", 3, 2, 0.7, "random");

    cr_assert_eq(group_order(&sw), 36, "inputs and outputs freely");
    swq_switch hot = sw;
    cr_assert_eq(swq_traffic_hotspot(ctx, &hot, 0.2, 1), SWQ_OK);
    cr_assert_eq(group_order(&hot), 12, "all outputs but the hot one");
    swq_switch loads = sw;
    loads.load[2] = 0.5;
    cr_assert_eq(group_order(&loads), 12, "the two inputs of equal load");
    loads.load[1] = 0.6;
    cr_assert_eq(group_order(&loads), 6, "outputs only");
    const double cyclic[] = {0.5, 0.3, 0.2, 0.2, 0.5, 0.3, 0.3, 0.2, 0.5};
    cr_assert_eq(swq_traffic_matrix(ctx, &sw, cyclic), SWQ_OK);
    cr_assert_eq(group_order(&sw), 3, "inputs and outputs turned together");
    swq_switch fixed = test_switch(ctx, "damq", 3, 2, 0.7, "fixed");
    cr_assert_eq(group_order(&fixed), 1, "an arbiter that tells ports apart");
    swq_switch pool = test_switch(ctx, "cbda", 3, 2, 0.7, "fixed");
    cr_assert_eq(group_order(&pool), 36, "which a pool does not use");
    swq_switch many = test_switch(ctx, "fifo", 6, 1, 0.7, "random");
    cr_assert_eq(group_order(&many), 720 * 720, "more ports than pairs of permutations are tried");
    cr_assert_eq(swq_traffic_hotspot(ctx, &many, 0.2, 3), SWQ_OK);
    many.load[5] = 0.6;
    cr_assert_eq(group_order(&many), 120 * 120, "one input and one output apart");
    swq_switch turning = test_switch(ctx, "damq", 4, 1, 0.7, "rotating");
    cr_assert_eq(group_order(&turning), 4, "all ports turned together");
    turning.load[2] = turning.load[0] = 0.5;
    cr_assert_eq(group_order(&turning), 2, "half way round");
    swq_switch slipping = test_switch(ctx, "damq", 4, 1, 0.7, "islip");
    cr_assert_eq(group_order(&slipping), 16, "inputs and outputs turned apart");
    cr_assert_eq(swq_traffic_hotspot(ctx, &slipping, 0.2, 3), SWQ_OK);
    cr_assert_eq(group_order(&slipping), 4, "inputs only");
    swq_context_free(ctx);
}

Test(symmetry, orbit_counts)
{
    const struct {
        const char *buffer;
        int ports, slots;
        double all, orbits, hot; /* hot: one output different; 0: unknown */
    } cases[] = {
        {"fifo", 2, 1, 9, 4, 6},
        {"fifo", 2, 2, 25, 9, 15},
        {"fifo", 2, 4, 81, 25, 45},
        {"fifo", 2, 6, 169, 49, 91},
        {"damq", 2, 2, 36, 13, 21},
        {"damq", 2, 4, 225, 66, 120},
        {"damq", 2, 6, 784, 214, 406},
        {"samq", 2, 2, 16, 7, 10},
        {"samq", 2, 4, 81, 27, 45},
        {"safc", 2, 6, 256, 76, 136},
        {"fifo", 3, 3, 1000, 54, 126},
        {"damq", 3, 2, 1000, 54, 0},
        {"damq", 3, 4, 42875, 1441, 0},
        {"samq", 3, 3, 512, 36, 0},
        {"samq", 3, 6, 19683, 738, 0},
        {"fifo", 4, 2, 6561, 56, 0},
        {"fifo", 4, 4, 83521, 410, 0},
        {"damq", 4, 2, 50625, 230, 0},
        {"damq", 4, 4, 24010000, 50399, 0},
        {"damq", 4, 6, 1944810000, 3575382, 0},
        {"samq", 4, 4, 65536, 317, 0},
        {"samq", 4, 12, 4294967296.0, 7880456, 0},
    };
    swq_context *ctx = swq_context_new();

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_chain_size size;
        swq_switch sw =
            test_switch(ctx, cases[c].buffer, cases[c].ports, cases[c].slots, 0.7, "random");
        cr_assert_eq(swq_chain_foresee(ctx, &sw, false, &size), SWQ_OK);
        cr_assert_eq(size.states, cases[c].all, "%s %d %d: %g", cases[c].buffer, cases[c].ports,
                     cases[c].slots, size.states);
        cr_assert_eq(swq_chain_foresee(ctx, &sw, true, &size), SWQ_OK);
        cr_assert_eq(size.states, cases[c].orbits, "%s %d %d: %g orbits", cases[c].buffer,
                     cases[c].ports, cases[c].slots, size.states);
        cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.2, 0), SWQ_OK);
        cr_assert_eq(swq_chain_foresee(ctx, &sw, true, &size), SWQ_OK);
        cr_assert(cases[c].hot == 0 || size.states == cases[c].hot, "%s %d %d: %g hot",
                  cases[c].buffer, cases[c].ports, cases[c].slots, size.states);
    }
    swq_context_free(ctx);
}

/* More of the catalogue's orbit counts: from 6 ports on permutations are not listed, but summed
 * over their cycle types. */
Test(symmetry, orbit_counts_of_wide_switches)
{
    static const struct {
        const char *buffer;
        int ports, slots;
        double orbits;
    } cases[] = {
        {"fifo", 4, 1, 12},        {"fifo", 4, 8, 4191},
        {"damq", 4, 1, 12},        {"damq", 4, 3, 3871},
        {"damq", 4, 5, 483043},    {"damq", 3, 3, 309},
        {"damq", 3, 6, 17749},     {"samq", 3, 9, 8240},
        {"samq", 4, 8, 90492},     {"fifo", 8, 1, 67},
        {"fifo", 8, 2, 1164},      {"fifo", 8, 4, 53230},
        {"fifo", 8, 8, 5074491},   {"damq", 8, 2, 82936},
        {"damq", 8, 3, 560742039}, {"samq", 8, 8, 14685630688.0},
    };
    swq_context *ctx = swq_context_new();

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_chain_size size;
        swq_switch sw =
            test_switch(ctx, cases[c].buffer, cases[c].ports, cases[c].slots, 0.7, "random");
        cr_assert_eq(swq_chain_foresee(ctx, &sw, true, &size), SWQ_OK);
        cr_assert_eq(size.states, cases[c].orbits, "%s %d %d: %.17g orbits", cases[c].buffer,
                     cases[c].ports, cases[c].slots, size.states);
    }
    swq_context_free(ctx);
}

/* A pool under all permutations of outputs: partitions of up to K packets into at most n parts,
 * counted by p(k, n) = p(k, n - 1) + p(k - n, n). */
Test(symmetry, pools_are_partitions)
{
    swq_context *ctx = swq_context_new();

    for (int n = 1; n <= 12; n++) {
        for (int slots = 1; slots <= 4; slots++) {
            double parts[13][49] = {{0}}, all = 0;
            swq_chain_size size;
            swq_switch sw = test_switch(ctx, "cbda", n, slots, 0.7, "random");
            parts[0][0] = 1;
            for (int m = 1; m <= n; m++) {
                for (int k = 0; k <= n * slots; k++)
                    parts[m][k] = parts[m - 1][k] + (k >= m ? parts[m][k - m] : 0);
            }
            for (int k = 0; k <= n * slots; k++)
                all += parts[n][k];
            cr_assert_eq(swq_chain_foresee(ctx, &sw, true, &size), SWQ_OK);
            cr_assert_eq(size.states, all, "%d ports, %d slots: %.17g not %g", n, n * slots,
                         size.states, all);
        }
    }
    swq_context_free(ctx);
}

/* Reachable after a departure, by independent generators (catalogue A27 and the table of peers). */
Test(symmetry, reachable_orbits)
{
    const struct {
        const char *buffer;
        int ports, slots;
        const char *arbiter;
        int64_t states;
    } cases[] = {
        {"damq", 4, 2, "random", 79},
        {"samq", 4, 4, "random", 149},
    };
    swq_context *ctx = swq_context_new();

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_chain *chain;
        swq_switch sw = test_switch(ctx, cases[c].buffer, cases[c].ports, cases[c].slots, 0.7,
                                    cases[c].arbiter);
        cr_assert_eq(swq_chain_generate(ctx, &sw, true, &chain), SWQ_OK);
        cr_assert_eq(swq_chain_states(chain), cases[c].states, "%s %d %d: %lld", cases[c].buffer,
                     cases[c].ports, cases[c].slots, (long long)swq_chain_states(chain));
        swq_chain_free(ctx, chain);
    }
    swq_context_free(ctx);
}

/* For every state of an unreduced chain: the canonical form is one of its images, and its own
 * canonical form; and there are as many distinct canonical forms as the reduced chain has
 * states. */
static void check_canonical(const swq_switch *sw, const char *what)
{
    swq_context *ctx = swq_context_new();
    swq_chain *full, *reduced;
    swq_symmetry s;
    swq_layout l;
    swq_word seen[4096][24], state[24], work[48];
    int64_t distinct = 0;

    swq_layout_init(&l, sw);
    cr_assert_eq(swq_symmetry_find(ctx, sw, true, &s), SWQ_OK);
    cr_assert_eq(swq_chain_generate(ctx, sw, false, &full), SWQ_OK);
    cr_assert_eq(swq_chain_generate(ctx, sw, true, &reduced), SWQ_OK);
    for (int64_t k = 0; k < swq_chain_states(full); k++) {
        for (int w = 0; w < l.words; w++)
            state[w] = (swq_word)swq_chain_word(full, k, w);
        swq_symmetry_canonical(&s, &l, state, work);
        swq_word again[24];
        memcpy(again, state, sizeof again);
        swq_symmetry_canonical(&s, &l, again, work);
        cr_assert_eq(memcmp(again, state, sizeof *state * (size_t)l.words), 0, "%s", what);
        int64_t at = 0;
        while (at < distinct && memcmp(seen[at], state, sizeof *state * (size_t)l.words) != 0)
            at++;
        if (at == distinct)
            memcpy(seen[distinct++], state, sizeof *state * (size_t)l.words);
    }
    cr_assert_eq(distinct, swq_chain_states(reduced), "%s: %lld forms, %lld states", what,
                 (long long)distinct, (long long)swq_chain_states(reduced));
    swq_chain_free(ctx, full);
    swq_chain_free(ctx, reduced);
    swq_symmetry_clear(ctx, &s);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(symmetry, canonical_forms)
{
    const char *const presets[] = {"fifo", "samq", "safc", "damq", "dafc", "cbda"};
    swq_context *ctx = swq_context_new();

    for (int b = 0; b < 6; b++) {
        for (int variant = 0; variant < 8; variant++) {
            swq_switch sw = test_switch(ctx, presets[b], 2, 2, 0.7, "random");
            sw.flow = variant & 1 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = variant & 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            if (variant & 4)
                cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.3, 1), SWQ_OK);
            check_canonical(&sw, presets[b]);
        }
    }
    swq_switch three = test_switch(ctx, "damq", 3, 2, 0.7, "random");
    check_canonical(&three, "three ports");
    swq_context_free(ctx);
}
