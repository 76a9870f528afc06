/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/foresee.c: the count against product formulas and against counting one by one; and the
 * promise "at most" of states, and the estimate of bytes, against what generating really takes.
 */
#include "tests/support/support.h"

#include <stdint.h>

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(foresee, .init = setup, .fini = teardown, .timeout = 240);

static swq_chain_size size_of(const swq_switch *sw, bool reduce)
{
    swq_chain_size size;

    cr_assert_eq(swq_chain_foresee(ctx, sw, reduce, &size), SWQ_OK, "%s", swq_context_message(ctx));
    return size;
}

static double unreduced(const char *buffer, int ports, int slots)
{
    swq_switch sw = test_switch(ctx, buffer, ports, slots, 0.9, "random");

    return size_of(&sw, false).unreduced;
}

static double choose(int n, int k)
{
    double ways = 1;

    for (int i = 1; i <= k; i++)
        ways = ways * (n - k + i) / i;
    return ways;
}

Test(foresee, by_hand)
{
    cr_assert_eq(unreduced("damq", 2, 2), 36);  /* (00 01 10 11 02 20) squared */
    cr_assert_eq(unreduced("damq", 2, 4), 225); /* 15 squared */
    cr_assert_eq(unreduced("samq", 2, 4), 81);  /* 3^4 */
    cr_assert_eq(unreduced("fifo", 2, 2), 49);  /* (1 + 2 + 4) squared */
    cr_assert_eq(unreduced("cbda", 2, 2), 15);  /* 4 slots in 2 queues */
    cr_assert_eq(unreduced("cbda", 1, 5), 6);
}

/* DAMQ and DAFC: c slots shared by n queues, C(c + n, n) per input. CBDA: the same, once, with n c
 * slots. SAMQ and SAFC: 0 .. c/n in each of n^2 queues. FIFO: lists of up to c of n kinds. */
Test(foresee, product_formulas)
{
    for (int n = 1; n <= 6; n++) {
        for (int c = 1; c <= 12; c++) {
            double damq = pow(choose(c + n, n), n), lists = 0;
            assert_relative(unreduced("damq", n, c), damq, 1e-13, "damq %d %d", n, c);
            assert_relative(unreduced("dafc", n, c), damq, 1e-13, "dafc %d %d", n, c);
            assert_relative(unreduced("cbda", n, c), choose(n * c + n, n), 1e-13, "cbda %d %d", n,
                            c);
            for (int k = 0; k <= c; k++)
                lists += pow(n, k);
            assert_relative(unreduced("fifo", n, c), pow(lists, n), 1e-13, "fifo %d %d", n, c);
            if (c % n != 0)
                continue;
            assert_relative(unreduced("samq", n, c), pow(c / n + 1, n * n), 1e-13, "samq %d %d", n,
                            c);
            assert_relative(unreduced("safc", n, c), pow(c / n + 1, n * n), 1e-13, "safc %d %d", n,
                            c);
        }
    }
}

/* A source holds nothing, or a packet for one of the outputs. */
Test(foresee, sources_that_hold)
{
    swq_switch sw = test_switch(ctx, "damq", 3, 2, 0.9, "random");

    sw.flow = SWQ_BLOCK;
    cr_assert_eq(size_of(&sw, false).unreduced, pow(10, 3) * pow(4, 3));
}

/* Lengths of 3 queues one by one: each queue takes its reserved slots, used or not. */
Test(foresee, reserved_slots_and_caps)
{
    for (int capacity = 1; capacity <= 7; capacity++) {
        for (int least = 0; least <= capacity / 3; least++) {
            for (int most = least > 1 ? least : 1; most <= capacity; most++) {
                swq_switch sw = test_switch(ctx, "damq", 3, capacity, 0.9, "random");
                int64_t count = 0;
                for (int v = 0; v < 512; v++) {
                    int taken = 0, longest = 0;
                    for (int q = 0, rest = v; q < 3; q++, rest /= 8) {
                        taken += rest % 8 > least ? rest % 8 : least;
                        longest = rest % 8 > longest ? rest % 8 : longest;
                    }
                    count += taken <= capacity && longest <= most;
                }
                sw.buffer.queue_min = least;
                sw.buffer.queue_max = most;
                cr_assert_eq(size_of(&sw, false).unreduced, pow((double)count, 3),
                             "capacity %d min %d max %d: %g", capacity, least, most,
                             size_of(&sw, false).unreduced);
            }
        }
    }
}

/* A cap on the one queue of a FIFO buffer is a smaller buffer: 1 + 2 contents per input. */
Test(foresee, a_capped_fifo_queue)
{
    swq_switch sw = test_switch(ctx, "fifo", 2, 4, 0.9, "random");

    sw.buffer.queue_max = 1;
    cr_assert_eq(size_of(&sw, false).unreduced, 9, "%g", size_of(&sw, false).unreduced);
}

static void expect_at_most_of(const swq_switch *sw, bool reduce, const char *text)
{
    swq_context *own = swq_context_new(); /* so that its peak is this chain's */
    swq_chain_size size = size_of(sw, reduce);
    swq_chain *chain;

    cr_assert_eq(swq_chain_generate(own, sw, reduce, &chain), SWQ_OK, "%s",
                 swq_context_message(own));
    cr_assert_leq((double)swq_chain_states(chain), size.states, "%s: %lld states, foreseen %g",
                  text, (long long)swq_chain_states(chain), size.states);
    cr_assert_leq((double)swq_context_peak_bytes(own), 1.25 * size.bytes,
                  "%s: %zu bytes, foreseen %g", text, swq_context_peak_bytes(own), size.bytes);
    swq_chain_free(own, chain);
    cr_assert_eq(swq_context_live_blocks(own), 0);
    swq_context_free(own);
}

static void expect_at_most(const swq_switch *sw, const char *text)
{
    expect_at_most_of(sw, false, text);
    expect_at_most_of(sw, true, text);
}

Test(foresee, generating_takes_at_most_that)
{
    static const struct {
        int ports, slots;
    } sizes[] = {{1, 1}, {1, 40}, {2, 2}, {2, 4}, {2, 8}, {3, 3}};
    static const double loads[] = {0.3, 1};
    char text[100];

    for (int k = 0; swq_buffer_kinds[k]; k++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            for (int variant = 0; variant < 8; variant++) {
                swq_switch sw = test_switch(ctx, swq_buffer_kinds[k]->name, sizes[s].ports,
                                            sizes[s].slots, loads[variant / 4], "random");
                sw.flow = variant % 2 ? SWQ_BLOCK : SWQ_DISCARD;
                sw.credit = variant / 2 % 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
                if (size_of(&sw, false).states > 2500)
                    continue;
                snprintf(text, sizeof text, "%s %dx%d slots %d variant %d",
                         swq_buffer_kinds[k]->name, sw.ports, sw.ports, sizes[s].slots, variant);
                expect_at_most(&sw, text);
            }
        }
    }
}

/* Inputs that differ and outputs that do not, and the other way round: half the symmetry. */
Test(foresee, generating_a_lopsided_switch_takes_at_most_that)
{
    static const char *const buffers[] = {"fifo", "damq", "dafc", "cbda"};
    char text[100];

    for (int b = 0; b < 4; b++) {
        for (int variant = 0; variant < 8; variant++) {
            swq_switch sw = test_switch(ctx, buffers[b], 3, 1, 0.6, "random");
            sw.flow = variant % 2 ? SWQ_BLOCK : SWQ_DISCARD;
            sw.credit = variant / 2 % 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
            if (variant / 4)
                cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.2, 1), SWQ_OK);
            else
                sw.load[1] = 0.3;
            snprintf(text, sizeof text, "%s variant %d", buffers[b], variant);
            expect_at_most(&sw, text);
        }
    }
}

/* Wide switches have many outcomes of an arbitration, or of drawing heads. */
Test(foresee, generating_wide_switches_takes_at_most_that)
{
    static const struct {
        const char *buffer;
        int ports, slots;
    } cases[] = {{"fifo", 3, 2}, {"damq", 4, 1}, {"dafc", 4, 1}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_switch sw =
            test_switch(ctx, cases[c].buffer, cases[c].ports, cases[c].slots, 0.5, "random");
        expect_at_most(&sw, cases[c].buffer);
    }
}

/* The estimate is useful: neither far too low nor far too high, and not for all combinations of the
 * contents of buffers and sources. */
Test(foresee, the_estimate_of_bytes)
{
    static const struct {
        const char *buffer;
        int ports, slots;
    } cases[] = {{"fifo", 4, 8}, {"fifo", 8, 2},  {"damq", 3, 4}, {"damq", 4, 3},
                 {"samq", 4, 8}, {"damq", 2, 30}, {"dafc", 4, 3}, {"damq", 6, 2}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_context *own = swq_context_new();
        swq_switch sw =
            test_switch(ctx, cases[c].buffer, cases[c].ports, cases[c].slots, 0.8, "random");
        double bytes = size_of(&sw, true).bytes;
        swq_chain *chain;
        cr_assert_eq(swq_chain_generate(own, &sw, true, &chain), SWQ_OK);
        double peak = (double)swq_context_peak_bytes(own);
        cr_assert(peak < 2 * bytes && bytes < 4 * peak, "%s %d %d: %g, foreseen %g",
                  cases[c].buffer, cases[c].ports, cases[c].slots, peak, bytes);
        swq_chain_free(own, chain);
        swq_context_free(own);
        sw.flow = SWQ_BLOCK;
        double blocking = size_of(&sw, true).bytes;
        cr_assert(blocking >= bytes && blocking < 100 * bytes, "%g %g", blocking, bytes);
    }
}

/* What cannot be generated can still be counted, up to the largest switch there is. */
Test(foresee, the_largest_switch)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc", "cbda"};

    for (int b = 0; b < 6; b++) {
        swq_switch sw = test_switch(ctx, buffers[b], SWQ_CHAIN_PORTS, 256, 0.9, "random");
        sw.flow = SWQ_BLOCK;
        sw.credit = SWQ_CREDIT_NEXT;
        swq_chain_size size = size_of(&sw, false);
        cr_assert(size.states > 1e20 && size.bytes > 1e20 && size.unreduced > 1e20, "%s",
                  buffers[b]);
    }
}

Test(foresee, every_allocation_failing)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 4, 0.9, "random");
    swq_chain_size size = {.states = 77};

    for (int reduce = 0; reduce < 2; reduce++) {
        size_t after = 0;
        for (;; after++) {
            cr_assert_lt(after, 100);
            swq_context_fail_allocations(ctx, after, true);
            swq_status status = swq_chain_foresee(ctx, &sw, reduce, &size);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "leaked after %zu", after);
            if (!status)
                break;
            cr_assert_eq(status, SWQ_ENOMEM);
            cr_assert_eq(size.states, 77, "the output was touched");
        }
        cr_assert_geq(after, 1);
        size.states = 77;
    }
}
