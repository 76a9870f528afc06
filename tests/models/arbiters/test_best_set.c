/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/arbiters/best_set.c and the three arbiters made of it, against a list of all sets of
 * grants: what is granted is one of the best, each of them equally likely. The list is gone through
 * by number, not by recursion. With a read port for each queue the same must hold once an input may
 * send several packets.
 */
#include "tests/models/arbiters/distribution.h"
#include "tests/support/support.h"

TestSuite(best_set, .timeout = 240);

enum { ALL_2X2 = 81, ALL_3X3 = 19683, SAMPLE = 1500 };

/* Packets and total length of a set, false if it cannot be granted. */
static bool weigh(const swq_requests *r, int set, int *packets, int *length)
{
    unsigned sent = 0;

    *packets = *length = 0;
    for (int j = 0; j < 3; j++) {
        int i = granted_input(set, j);
        if (i == SWQ_NO_INPUT)
            continue;
        if (j >= r->ports || i >= r->ports || r->length[i][j] == 0 ||
            (!r->read_each_queue && sent >> i & 1))
            return false;
        sent |= 1u << i;
        *packets += 1;
        *length += r->length[i][j];
    }
    return true;
}

static int score_maximum(int packets, int length)
{
    (void)length;
    return packets;
}

static int score_maximum_longest(int packets, int length)
{
    return 100 * packets + length; /* three queues of length 2 stay below 100 */
}

static int score_max_weight(int packets, int length)
{
    (void)packets;
    return length;
}

static const struct {
    const char *name;
    int (*score)(int packets, int length);
} cases[] = {
    {"maximum", score_maximum},
    {"maximum-longest", score_maximum_longest},
    {"max-weight", score_max_weight},
};

static void expect_best(const swq_arbiter *arbiter, int (*score)(int, int), const swq_requests *r)
{
    distribution d = grants_of(arbiter, r);
    bool best[GRANT_SETS];
    int most = -1, equals = 0, packets, length;

    for (int s = 0; s < GRANT_SETS; s++) {
        if (weigh(r, s, &packets, &length) && score(packets, length) > most)
            most = score(packets, length);
    }
    for (int s = 0; s < GRANT_SETS; s++) {
        best[s] = weigh(r, s, &packets, &length) && score(packets, length) == most;
        equals += best[s];
    }
    for (int s = 0; s < GRANT_SETS; s++)
        assert_relative(d.chance[s], best[s] ? 1.0 / equals : 0, 1e-14,
                        "%s: set %d has chance %g, is %sone of the %d best", case_text(arbiter, r),
                        s, d.chance[s], best[s] ? "" : "not ", equals);
}

static void expect_best_everywhere(int which)
{
    swq_context *ctx = swq_context_new();
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const swq_arbiter *arbiter;

    cr_assert_eq(swq_arbiter_find(ctx, cases[which].name, &arbiter), SWQ_OK);
    gsl_rng_set(rng, 99);
    for (int number = 0; number < ALL_2X2 + SAMPLE; number++) {
        bool small = number < ALL_2X2;
        int drawn = small ? number : (int)gsl_rng_uniform_int(rng, ALL_3X3);
        for (int each = 0; each < 2; each++) {
            swq_requests r = requests_of(LENGTHS, small ? 2 : 3, each, drawn);
            expect_best(arbiter, cases[which].score, &r);
        }
    }
    gsl_rng_free(rng);
    swq_context_free(ctx);
}

Test(best_set, maximum)
{
    expect_best_everywhere(0);
}

Test(best_set, maximum_longest)
{
    expect_best_everywhere(1);
}

Test(best_set, max_weight)
{
    expect_best_everywhere(2);
}

/* Full 3x3: the six permutations, by hand. */
Test(best_set, six_permutations)
{
    swq_context *ctx = swq_context_new();
    swq_requests r = requests_of(LENGTHS, 3, false, 0);
    const swq_arbiter *arbiter;
    int sets = 0;

    for (int q = 0; q < 9; q++)
        r.length[q / 3][q % 3] = 1;
    for (int c = 0; c < 3; c++) {
        cr_assert_eq(swq_arbiter_find(ctx, cases[c].name, &arbiter), SWQ_OK);
        distribution d = grants_of(arbiter, &r);
        sets = 0;
        for (int s = 0; s < GRANT_SETS; s++) {
            sets += d.chance[s] > 0;
            cr_assert(d.chance[s] == 0 || relative_difference(d.chance[s], 1.0 / 6) < 1e-15);
        }
        cr_assert_eq(sets, 6, "%s: %d sets", cases[c].name, sets);
    }
    swq_context_free(ctx);
}
