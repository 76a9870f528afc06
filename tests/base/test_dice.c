/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/dice.c: an enumeration shows every outcome once, and drawing agrees with it. Not pinned: the
 * order of the outcomes.
 */
#include "tests/support/support.h"

#include <gsl/gsl_cdf.h>

TestSuite(dice, .timeout = 120);

Test(dice, a_rule_without_dice_has_one_outcome)
{
    swq_dice dice;

    swq_dice_begin_enumeration(&dice);
    cr_assert_eq(dice.probability, 1);
    cr_assert_not(swq_dice_next(&dice));
    cr_assert_eq(dice.deepest, 0);
}

Test(dice, independent_throws_multiply)
{
    static const double coin[] = {0.25, 0.75};
    int seen[3][2][4] = {{{0}}};
    int outcomes = 0;
    double sum = 0;
    swq_dice dice;

    swq_dice_begin_enumeration(&dice);
    do {
        int a = swq_dice_fair(&dice, 3), b = swq_dice_loaded(&dice, coin, 2);
        int c = swq_dice_fair(&dice, 4);
        seen[a][b][c]++;
        outcomes++;
        sum += dice.probability;
        assert_relative(dice.probability, coin[b] / 12, 1e-15, "(%d %d %d) has probability %Lg", a,
                        b, c, dice.probability);
    } while (swq_dice_next(&dice));
    cr_assert_eq(outcomes, 3 * 2 * 4);
    for (int k = 0; k < 24; k++)
        cr_assert_eq(seen[k / 8][k / 4 % 2][k % 4], 1, "outcome %d", k);
    assert_relative(sum, 1, 1e-15, "sum %.17g", sum);
    cr_assert_eq(dice.deepest, 3);
}

/* Each throw depends on the ones before: the number of faces, the weights, and whether there is
 * one. */
enum { LEAVES = 12 };
static const double first[] = {0, 0.5, 0, 0.2, 0.3, 0};
static const double second[] = {0.125, 0.875};
static const double third[][3] = {{0.5, 0, 0.5}, {0, 1, 0}, {0.1, 0.2, 0.7}};

static int tree(swq_dice *dice)
{
    switch (swq_dice_loaded(dice, first, 6)) {
    case 1:
        return 0; /* one throw */
    case 3: {
        int f = swq_dice_fair(dice, 3); /* three throws, or two and one of a single face */
        return f == 0 ? 1 + swq_dice_fair(dice, 1) : 1 + f + 2 * swq_dice_loaded(dice, second, 2);
    }
    case 4: {
        int f = swq_dice_fair(dice, 3);
        return 6 + 3 * (f == 2) + swq_dice_loaded(dice, third[f], 3) - (f == 1);
    }
    default:
        cr_assert_fail("a face of weight zero was shown");
        return 0;
    }
}

/* By hand. Face 3 (0.2): leaf 1 with 1/3; leaves 2, 3 with 1/3 * 1/8; 4, 5 with 1/3 * 7/8. Face 4
 * (0.3): f = 0 gives 6 and 8, f = 1 gives only 6, f = 2 gives 9, 10, 11; leaf 7 is never
 * reached. */
static const double leaf[LEAVES] = {
    0.5,           0.2 / 3, 0.2 / 3 * 0.125, 0.2 / 3 * 0.125, 0.2 / 3 * 0.875, 0.2 / 3 * 0.875,
    0.3 / 3 * 1.5, 0,       0.3 / 3 * 0.5,   0.3 / 3 * 0.1,   0.3 / 3 * 0.2,   0.3 / 3 * 0.7,
};

Test(dice, nested_throws)
{
    double met[LEAVES] = {0}, sum = 0;
    int outcomes = 0;
    swq_dice dice;

    swq_dice_begin_enumeration(&dice);
    do {
        int l = tree(&dice);
        cr_assert_gt(dice.probability, 0);
        met[l] += dice.probability;
        sum += dice.probability;
        outcomes++;
    } while (swq_dice_next(&dice));
    cr_assert_eq(outcomes, 1 + 5 + 6, "%d outcomes", outcomes);
    assert_relative(sum, 1, 4e-16, "sum %.17g", sum);
    for (int l = 0; l < LEAVES; l++)
        assert_relative(met[l], leaf[l], 1e-15, "leaf %d: %.17g", l, met[l]);
    cr_assert_eq(dice.deepest, 3);
}

Test(dice, a_second_enumeration_starts_afresh)
{
    swq_dice dice;
    int outcomes = 0;

    swq_dice_begin_enumeration(&dice);
    tree(&dice);
    swq_dice_next(&dice);
    tree(&dice); /* abandoned half way */
    swq_dice_begin_enumeration(&dice);
    cr_assert_eq(dice.deepest, 0);
    do {
        swq_dice_fair(&dice, 5);
        outcomes++;
    } while (swq_dice_next(&dice));
    cr_assert_eq(outcomes, 5);
    cr_assert_eq(dice.deepest, 1);
}

Test(dice, faces_of_weight_zero_are_never_shown)
{
    static const double weight[] = {0, 0.25, 0, 0, 0.75, 0};
    int shown[6] = {0};
    swq_dice dice;

    swq_dice_begin_enumeration(&dice);
    do {
        for (int t = 0; t < 3; t++)
            shown[swq_dice_loaded(&dice, weight, 6)]++;
    } while (swq_dice_next(&dice));
    for (int f = 0; f < 6; f++) /* half of the 3 * 2^3 throws each */
        cr_assert_eq(shown[f], weight[f] > 0 ? 12 : 0, "face %d: %d", f, shown[f]);
}

Test(dice, as_deep_as_promised)
{
    static const double sure[] = {0, 1};
    swq_dice dice;
    int outcomes = 0;

    swq_dice_begin_enumeration(&dice);
    do {
        for (int t = 0; t < SWQ_DICE_DEPTH - 1; t++)
            cr_assert_eq(swq_dice_loaded(&dice, sure, 2), 1);
        swq_dice_fair(&dice, 2);
        for (int t = 0; t < 1000; t++) /* a single face takes no random number */
            cr_assert_eq(swq_dice_fair(&dice, 1), 0);
        cr_assert_eq(dice.probability, 0.5);
        outcomes++;
    } while (swq_dice_next(&dice));
    cr_assert_eq(outcomes, 2);
    cr_assert_eq(dice.deepest, SWQ_DICE_DEPTH);
}

Test(dice, drawing_agrees_with_enumeration)
{
    enum { DRAWS = 200000 };
    int64_t drawn[LEAVES] = {0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double chi_square = 0;
    int degrees = -1;
    swq_dice dice;

    gsl_rng_set(rng, 7);
    swq_dice_begin_sampling(&dice, rng);
    for (int d = 0; d < DRAWS; d++) {
        drawn[tree(&dice)]++;
        cr_assert_eq(dice.probability, 1);
    }
    for (int l = 0; l < LEAVES; l++) {
        double expected = leaf[l] * DRAWS;
        if (leaf[l] == 0) {
            cr_assert_eq(drawn[l], 0, "leaf %d", l);
            continue;
        }
        chi_square += ((double)drawn[l] - expected) * ((double)drawn[l] - expected) / expected;
        degrees++;
    }
    cr_assert_eq(degrees, 10);
    cr_assert_gt(gsl_cdf_chisq_Q(chi_square, degrees), 1e-3, "chi-square %g with %d degrees",
                 chi_square, degrees);
    gsl_rng_free(rng);
}

Test(dice, one_face_draws_nothing)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937), *twin;
    swq_dice dice;

    twin = gsl_rng_clone(rng);
    swq_dice_begin_sampling(&dice, rng);
    cr_assert_eq(swq_dice_fair(&dice, 1), 0);
    cr_assert_eq(gsl_rng_get(rng), gsl_rng_get(twin));
    gsl_rng_free(twin);
    gsl_rng_free(rng);
}

/* A generator that always returns the same number: an end of the unit interval. */
static double stuck_at;

static void stuck_set(void *state, unsigned long seed)
{
    (void)state;
    (void)seed;
}

static unsigned long stuck_get(void *state)
{
    (void)state;
    return 0;
}

static double stuck_double(void *state)
{
    (void)state;
    return stuck_at;
}

Test(dice, the_ends_of_the_unit_interval)
{
    static const gsl_rng_type type = {"stuck",   1,         0,           sizeof(int),
                                      stuck_set, stuck_get, stuck_double};
    /* ten tenths, subtracted one by one, sum to less than 1 - 2^-53 */
    static const double tenths[] = {0, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, 0, 0};
    gsl_rng *rng = gsl_rng_alloc(&type);
    swq_dice dice;

    swq_dice_begin_sampling(&dice, rng);
    stuck_at = 0;
    cr_assert_eq(swq_dice_loaded(&dice, tenths, 13), 1);
    stuck_at = 1 - 0x1p-53;
    cr_assert_eq(swq_dice_loaded(&dice, tenths, 13), 10);
    gsl_rng_free(rng);
}

/* A generator that says words from a list, over and over. */
typedef struct {
    const uint32_t *word;
    int words, at;
} dictation;

static unsigned long dictated(void *state)
{
    dictation *d = state;

    return d->word[d->at++ % d->words];
}

static double dictated_uniform(void *state)
{
    return (double)dictated(state) / 4294967296.0;
}

static void keep(void *state, unsigned long seed)
{
    (void)state;
    (void)seed;
}

/* Fair throws are those of gsl_rng_uniform_int, also for words at the border of two faces, and for
 * those that it throws away. */
Test(dice, draws_as_gsl_does)
{
    enum { NEAR = 5, WORDS = 2 * NEAR + 1, MOST = 100 };
    const gsl_rng_type type = {
        "dictated", UINT32_MAX, 0, sizeof(dictation), keep, dictated, dictated_uniform,
    };
    swq_dice dice;

    for (uint32_t faces = 2; faces <= MOST; faces++) {
        for (uint32_t face = 0; face <= faces; face++) {
            uint32_t word[WORDS + 1];
            /* around face * scale, and around 2^32 * face / faces */
            for (int way = 0; way < 2; way++) {
                const uint64_t border =
                    way ? ((uint64_t)face << 32) / faces : (uint64_t)face * (UINT32_MAX / faces);
                for (int k = 0; k < WORDS; k++)
                    word[k] = (uint32_t)(border + (uint64_t)k - NEAR);
                word[WORDS] = 0; /* taken by all */
                dictation ours = {word, WORDS + 1, 0}, its = ours;
                gsl_rng mine = {&type, &ours}, other = {&type, &its};
                swq_dice_begin_sampling(&dice, &mine);
                for (int k = 0; k < WORDS; k++) {
                    const int got = swq_dice_fair(&dice, (int)faces);
                    const int expected = (int)gsl_rng_uniform_int(&other, faces);
                    cr_assert_eq(got, expected, "%d of %u faces, not %d", got, faces, expected);
                    cr_assert_eq(ours.at, its.at, "%u faces: words used", faces);
                }
            }
        }
    }
}
