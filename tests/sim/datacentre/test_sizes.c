/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim/datacentre/sizes.c: the means that published loads are made of, moments and percentiles
 * worked out by hand, drawing, and what files are refused.
 */
#include "sim/datacentre/sizes.h"
#include "tests/base/folder.h"
#include "tests/support/support.h"

TestSuite(flow_sizes, .timeout = 120);

static swq_flow_sizes built_in(const char *name)
{
    swq_context *ctx = swq_context_new();
    swq_flow_sizes s = {0};

    cr_assert_eq(swq_flow_sizes_read(ctx, "--sizes", name, &s), SWQ_OK, "%s", name);
    cr_assert_null(s.own);
    swq_context_free(ctx);
    return s;
}

/* Computed from the files of ns3-datacenter by another program (Python, exact decimals), and
 * rounded down to whole bytes there. */
Test(flow_sizes, means_of_the_literature)
{
    const swq_flow_sizes web = built_in("websearch"), hadoop = built_in("hadoop"),
                         mining = built_in("datamining"), other = built_in("hadoop-hpcc");

    cr_assert_eq(floor(swq_flow_sizes_mean(&web)), 1711222);
    cr_assert_eq(floor(swq_flow_sizes_mean(&hadoop)), 3423728);
    cr_assert_eq(floor(swq_flow_sizes_mean(&mining)), 5036535);
    assert_relative(swq_flow_sizes_mean(&other), 120420.75, 1e-14, "hadoop-hpcc");
    cr_assert_eq(lround(100 * swq_flow_sizes_share(&web, 100e3)), 54);
}

/* Also that the data files state their own means, and that their points are a distribution. */
Test(flow_sizes, rows)
{
    for (int r = 0; swq_flow_size_rows[r]; r++) {
        const swq_flow_size_row *row = swq_flow_size_rows[r];
        const swq_flow_sizes s = built_in(row->name);
        assert_relative(swq_flow_sizes_mean(&s), row->mean, 1e-14, "%s", row->name);
        cr_assert(*row->summary && *row->source);
        cr_assert_eq(s.point[0].share, 0);
        cr_assert_eq(s.point[s.points - 1].share, 1);
        for (int k = 1; k < s.points; k++)
            cr_assert(s.point[k].share >= s.point[k - 1].share &&
                          s.point[k].bytes >= s.point[k - 1].bytes,
                      "%s %d", row->name, k);
        cr_assert(fabs(swq_flow_sizes_carried(&s, 1e15) - 1) < 1e-14);
        cr_assert_eq(swq_flow_sizes_carried(&s, 0), 0);
    }
}

static swq_status read_file(swq_context *ctx, const char *name, swq_flow_sizes *s)
{
    char text[300];

    snprintf(text, sizeof text, "file:%s", folder_path(name));
    return swq_flow_sizes_read(ctx, "--sizes", text, s);
}

/* A jump of 1/4 at 100 bytes, then 1/4 evenly to 200, nothing to 1000, 1/2 evenly to 2000. */
static const char by_hand[] = "# in percent\n100 0\n100 25\n\n200 50\n1000 50\n2000 100\n";

Test(flow_sizes, moments_and_percentiles_by_hand, .init = folder_make, .fini = folder_remove)
{
    swq_context *ctx = swq_context_new();
    swq_flow_sizes s = {0};
    const double mean = 100 / 4. + 150 / 4. + 1500 / 2.;

    folder_write("sizes.txt", by_hand);
    cr_assert_eq(read_file(ctx, "sizes.txt", &s), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(s.points, 5);
    assert_relative(swq_flow_sizes_mean(&s), mean, 1e-15, "mean");
    /* the square of a number evenly between a and b is (b^3 - a^3) / (3 (b - a)) on average */
    assert_relative(swq_flow_sizes_square(&s), 1e4 / 4 + 7e6 / 300 / 4 + 7e9 / 3000 / 2, 1e-15,
                    "square");
    cr_assert_eq(swq_flow_sizes_quantile(&s, 0), 100);
    cr_assert_eq(swq_flow_sizes_quantile(&s, 0.2), 100);
    cr_assert_eq(swq_flow_sizes_quantile(&s, 0.25), 100);
    cr_assert_eq(swq_flow_sizes_quantile(&s, 0.375), 150);
    cr_assert_eq(swq_flow_sizes_quantile(&s, 0.5), 1000);
    cr_assert_eq(swq_flow_sizes_quantile(&s, 0.75), 1500);
    cr_assert_eq(swq_flow_sizes_quantile(&s, 1), 2000);
    cr_assert_eq(swq_flow_sizes_share(&s, 99), 0);
    cr_assert_eq(swq_flow_sizes_share(&s, 100), 0.25);
    cr_assert_eq(swq_flow_sizes_share(&s, 600), 0.5);
    cr_assert_eq(swq_flow_sizes_share(&s, 1500), 0.75);
    cr_assert_eq(swq_flow_sizes_share(&s, 2000), 1);
    assert_relative(swq_flow_sizes_carried(&s, 100), 25 / mean, 1e-15, "100");
    assert_relative(swq_flow_sizes_carried(&s, 600), 62.5 / mean, 1e-15, "600");
    assert_relative(swq_flow_sizes_carried(&s, 1500), (62.5 + 312.5) / mean, 1e-15, "1500");
    cr_assert_eq(swq_flow_sizes_least(&s), 100);
    cr_assert_eq(swq_flow_sizes_most(&s), 2000);
    cr_assert_eq(swq_flow_sizes_draw(&s, 0), 100);
    cr_assert_eq(swq_flow_sizes_draw(&s, UINT64_C(3) << 62), 1500);
    cr_assert_eq(swq_flow_sizes_draw(&s, UINT64_MAX), 2000);
    swq_flow_sizes_clear(ctx, &s);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(flow_sizes, one_size)
{
    swq_context *ctx = swq_context_new();
    swq_flow_sizes s = {0};

    cr_assert_eq(swq_flow_sizes_read(ctx, "--sizes", "20KB", &s), SWQ_OK);
    cr_assert_eq(swq_flow_sizes_mean(&s), 20000);
    cr_assert_eq(swq_flow_sizes_square(&s), 4e8);
    cr_assert_eq(swq_flow_sizes_draw(&s, 0), 20000);
    cr_assert_eq(swq_flow_sizes_draw(&s, UINT64_MAX), 20000);
    cr_assert_eq(swq_flow_sizes_share(&s, 19999), 0);
    cr_assert_eq(swq_flow_sizes_share(&s, 20000), 1);
    cr_assert_eq(swq_flow_sizes_carried(&s, 20000), 1);
    swq_flow_sizes_clear(ctx, &s);
    swq_context_free(ctx);
}

/* At evenly spaced words, the mean of what is drawn is that of the distribution, to the steps
 * between the words: at most the largest size / words. Sizes are monotone in the word. */
Test(flow_sizes, drawing_has_the_mean)
{
    enum { WORDS = 1 << 20 };

    for (int r = 0; swq_flow_size_rows[r]; r++) {
        const swq_flow_sizes s = built_in(swq_flow_size_rows[r]->name);
        double sum = 0;
        uint64_t before = 1;
        for (uint64_t k = 0; k < WORDS; k++) {
            const uint64_t bytes = swq_flow_sizes_draw(&s, (2 * k + 1) << 43);
            cr_assert(bytes >= before && bytes <= swq_flow_sizes_most(&s));
            before = bytes;
            sum += (double)bytes;
        }
        const double off = fabs(sum / WORDS - swq_flow_sizes_mean(&s));
        cr_assert(off <= (double)swq_flow_sizes_most(&s) / WORDS + 0.5, "%s: %g",
                  swq_flow_size_rows[r]->name, off);
    }
}

Test(flow_sizes, refuses, .init = folder_make, .fini = folder_remove)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "/sizes.txt': the cumulative shares must go from 0 to 1, or to 100, and end at 0"},
        {"5 0\n", "must go from 0 to 1"},
        {"5 0\n6 .99\n", "or to 100, and end at 0.99"},
        {"5 0.1\n6 1\n", "/sizes.txt', line 1: the cumulative shares must begin with 0, not 0.1"},
        {"5 0\n4 1\n",
         "/sizes.txt', line 2: the size must be at least that of the line before, 5, not 4"},
        {"5 0\n6 .5\n7 .4\n", "line 3: the cumulative share must be from 0.5 to 100, not 0.4"},
        {"5 0\n6 101\n", "line 2: the cumulative share must be from 0 to 100, not 101"},
        {"-5 0\n6 1\n", "line 1: the size must be from 0 to 1e15 bytes, not -5"},
        {"5 0\n2e15 1\n", "line 2: the size must be from 0 to 1e15 bytes, not 2e+15"},
        {"5 0\nx 1\n", "line 2: the size in bytes must be a number"},
        {"5 0\n6\n", "line 2: the cumulative share must be a number"},
        {"5 0\n6 1 7\n", "line 2: nothing is expected where there is '7'"},
        {"0 0\n.5 1\n", "the largest size must be at least 1 byte"},
    };
    swq_context *ctx = swq_context_new();
    swq_flow_sizes s = {0};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        folder_write("sizes.txt", cases[c].text);
        cr_assert_eq(read_file(ctx, "sizes.txt", &s), SWQ_EINVAL);
        cr_assert(strstr(swq_context_message(ctx), cases[c].message), "%s",
                  swq_context_message(ctx));
    }
    cr_assert_eq(read_file(ctx, "none.txt", &s), SWQ_EIO);
    cr_assert_eq(swq_flow_sizes_read(ctx, "--sizes", "web", &s), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "--sizes 'web' is unknown"), "%s",
              swq_context_message(ctx));
    cr_assert(strstr(swq_context_message(ctx), "websearch"));
    cr_assert_eq(swq_flow_sizes_read(ctx, "--sizes", "0KB", &s), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "--sizes must be from 1 byte to 1 PB") ||
                  strstr(swq_context_message(ctx), "--sizes must be from 1 byte to 1000 TB"),
              "%s", swq_context_message(ctx));
    cr_assert_null(s.point);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(flow_sizes, every_allocation_may_fail, .init = folder_make, .fini = folder_remove)
{
    swq_context *ctx = swq_context_new();
    swq_flow_sizes s = {0};
    swq_status status = SWQ_ENOMEM;

    folder_write("sizes.txt", by_hand);
    for (size_t after = 0; status != SWQ_OK; after++) {
        cr_assert(after < 50);
        swq_context_fail_allocations(ctx, after, false);
        status = read_file(ctx, "sizes.txt", &s);
        cr_assert(status == SWQ_OK || status == SWQ_ENOMEM);
        cr_assert(status == SWQ_OK || swq_context_live_blocks(ctx) == 0);
    }
    swq_flow_sizes_clear(ctx, &s);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}
