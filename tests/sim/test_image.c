/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Permutations laid out: what the pattern says, or one drawn from the seed.
 */
#include "base/context.h"
#include "sim/patterns/image.h"
#include "tests/support/support.h"

Test(sim_image, what_the_pattern_says)
{
    swq_context *ctx = swq_context_new();
    static const int extent[] = {8, 8};
    const swq_places square = {64, 2, extent};

    for (int k = 0; swq_patterns[k]; k++) {
        const swq_pattern *pattern = swq_patterns[k];
        uint32_t *image;
        cr_assert_eq(swq_pattern_make_image(ctx, pattern, &square, 1, &image), SWQ_OK);
        cr_assert_eq(image != NULL, pattern->image || pattern == &swq_pattern_random_permutation,
                     "%s", pattern->name);
        for (uint32_t i = 0; pattern->image && i < 64; i++)
            cr_assert_eq(image[i], pattern->image(&square, i), "%s", pattern->name);
        swq_free(ctx, image);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* Every node once, whatever their number; of 6000 draws of 3 nodes each of the 6 permutations comes
 * 1000 times, within five standard deviations. */
Test(sim_image, drawn_from_the_seed)
{
    swq_context *ctx = swq_context_new();
    const swq_places three = swq_places_in_a_row(3);
    int times[27] = {0};
    uint32_t *image, *again;

    for (uint32_t nodes = 1; nodes <= 129; nodes++) {
        const swq_places row = swq_places_in_a_row(nodes);
        bool seen[129] = {false};
        cr_assert_eq(swq_pattern_make_image(ctx, &swq_pattern_random_permutation, &row, 5, &image),
                     SWQ_OK);
        cr_assert_eq(swq_pattern_make_image(ctx, &swq_pattern_random_permutation, &row, 5, &again),
                     SWQ_OK);
        for (uint32_t i = 0; i < nodes; i++) {
            cr_assert(image[i] < nodes && !seen[image[i]]);
            cr_assert_eq(image[i], again[i]);
            seen[image[i]] = true;
        }
        swq_free(ctx, image);
        swq_free(ctx, again);
    }
    for (uint64_t seed = 0; seed < 6000; seed++) {
        cr_assert_eq(
            swq_pattern_make_image(ctx, &swq_pattern_random_permutation, &three, seed, &image),
            SWQ_OK);
        times[9 * image[0] + 3 * image[1] + image[2]]++;
        swq_free(ctx, image);
    }
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            int n = times[9 * a + 3 * b + 3 - a - b];
            cr_assert(a == b || (n > 1000 - 145 && n < 1000 + 145), "%d", n);
        }
    }
    swq_context_free(ctx);
}

Test(sim_image, no_memory)
{
    swq_context *ctx = swq_context_new();
    const swq_places row = swq_places_in_a_row(64);
    uint32_t kept = 0, *image = &kept;

    swq_context_fail_allocations(ctx, 0, true);
    cr_assert_eq(swq_pattern_make_image(ctx, &swq_pattern_random_permutation, &row, 1, &image),
                 SWQ_ENOMEM);
    cr_assert_eq(image, &kept);
    swq_context_free(ctx);
}
