/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks without buffers: printed and hand-made numbers, every request pattern of a small network
 * written out, and the identity with one round of parallel iterative matching.
 */
#include "tests/models/formulas/rows.h"

Test(unbuffered, stage_after_stage)
{
    const double two[] = {0.75, 0.609375, 0.5165405273, 0.4498369982, 0.3992486670, 0.3593987925};
    const double four[] = {0.68359375, 0.5274683155, 0.4320044896, 0.3669219855};
    double rate[10];

    cr_assert_float_eq(swq_unbuffered_rate(2, 2, 10, 1, rate), 0.258510, 5e-7);
    for (int i = 0; i < 6; i++)
        cr_assert_float_eq(rate[i], two[i], 6e-11, "stage %d: %.10f", i + 1, rate[i]);
    swq_unbuffered_rate(4, 4, 4, 1, rate);
    for (int i = 0; i < 4; i++)
        cr_assert_float_eq(rate[i], four[i], 6e-11, "stage %d: %.10f", i + 1, rate[i]);
    cr_assert_float_eq(row_value("patel", "8 - 2 1", "rate_2"), 0.495854, 5e-7);
    cr_assert(isnan(row_value("patel", "8 - 2 1", "rate_3")));
    /* 2 x 1: an output is idle when neither wants it */
    assert_relative(row_value("patel", "2 1 1 0.5", "throughput"), 0.75, 1e-15, "concentrator");
    assert_relative(row_value("patel", "2 1 1 0.5", "accepted"), 0.75, 1e-15, "concentrator");
    assert_relative(row_value("patel", "3 1 1 1", "throughput"), 1, 1e-15, "always one");
    assert_relative(row_value("patel", "4 - 3 1e-12", "accepted"), 1, 1e-11, "light load");
    cr_assert_eq(row_value("patel", "4 - 3 0", "accepted"), 1);
}

/* All 5^4 requests of an omega network of four 2 x 2 switches: each output of a switch serves any
 * one of those that want it. */
Test(unbuffered, every_request_of_a_small_network)
{
    for (double p = 0.25; p <= 1; p += 0.25) {
        double sent = 0;
        for (int code = 0; code < 625; code++) {
            double chance = 1;
            int digits = code, want[4], out[4] = {0};
            for (int i = 0; i < 4; i++, digits /= 5) {
                want[i] = digits % 5 - 1; /* -1: nothing */
                chance *= want[i] < 0 ? 1 - p : p / 4;
            }
            /* inputs i and i + 2 meet in switch i of the first stage; the lower one wins */
            for (int s = 0; s < 2; s++) {
                int a = want[s], b = want[s + 2];
                if (a >= 0)
                    out[a] = 1;
                if (b >= 0 && (a < 0 || b / 2 != a / 2))
                    out[b] = 1;
            }
            sent += chance * (out[0] + out[1] + out[2] + out[3]) / 4;
        }
        assert_relative(swq_unbuffered_rate(2, 2, 2, p, NULL), sent, 1e-14, "p = %g: %.17g", p,
                        sent);
    }
}

/* In the limit 1/p grows by (k - 1) / (2k) per stage; before that the limit is always too high. */
Test(unbuffered, asymptote)
{
    cr_assert_float_eq(swq_unbuffered_asymptote(4, 3, 1), 0.470588, 5e-7);
    for (int k = 2; k <= 16; k *= 2) {
        for (int m = 1; m <= 64; m *= 2) {
            double off = swq_unbuffered_asymptote(k, m, 1) / swq_unbuffered_rate(k, k, m, 1, NULL);
            cr_assert(off > 1.02 && off < 1.12, "k %d, m %d: %g", k, m, off);
        }
        double far =
            swq_unbuffered_asymptote(k, 1000000, 1) / swq_unbuffered_rate(k, k, 1000000, 1, NULL);
        cr_assert(far > 1 && far < 1.0001, "%g", far);
    }
    cr_assert_eq(row_value("kruskal-snir", "4 3 0", "throughput"), 0);
}

Test(unbuffered, is_one_round_of_matching)
{
    swq_context *ctx = swq_context_new();
    swq_pim pim;

    for (int n = 2; n <= 16; n++) {
        cr_assert_eq(swq_pim_saturation(ctx, n, 1, &pim), SWQ_OK);
        assert_relative(pim.throughput, swq_unbuffered_rate(n, n, 1, 1, NULL), 1e-13, "%d", n);
    }
    swq_context_free(ctx);
}

Test(unbuffered, bad_input)
{
    row_fails("patel", "2 - 10 1.5", SWQ_EINVAL, "load");
    row_fails("patel", "2 - 65 1", SWQ_EINVAL, "stages");
    row_fails("patel", "2.5 - 6 1", SWQ_EINVAL, "ports");
    row_fails("patel", "2 - 6", SWQ_EINVAL, "load is required");
    row_fails("patel", "2,2 - 6 1", SWQ_EINVAL, "not a list");
    row_fails("kruskal-snir", "4 0 1", SWQ_EINVAL, "stages");
}
