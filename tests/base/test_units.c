/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/units.c: quantities worked out by hand, what is refused and in which words, and that what is
 * printed reads back.
 */
#include "base/units.h"
#include "tests/support/support.h"

#include <inttypes.h>

TestSuite(units, .timeout = 120);

static void assert_reads(swq_context *ctx, swq_unit_kind kind, const char *text, uint64_t expected)
{
    uint64_t value = 7;

    cr_assert_eq(swq_units_read(ctx, "--x", kind, text, 0, UINT64_MAX, &value), SWQ_OK, "%s: %s",
                 text, swq_context_message(ctx));
    cr_assert_eq(value, expected, "%s: %" PRIu64, text, value);
}

Test(units, reads_exact_values)
{
    static const struct {
        swq_unit_kind kind;
        const char *text;
        uint64_t value;
    } cases[] = {
        {SWQ_UNITS_RATE, "100G", UINT64_C(100000000000)},
        {SWQ_UNITS_RATE, "25Gbps", UINT64_C(25000000000)},
        {SWQ_UNITS_RATE, "400Mb/s", UINT64_C(400000000)},
        {SWQ_UNITS_RATE, "1.6 Tbit/s", UINT64_C(1600000000000)},
        {SWQ_UNITS_RATE, "9600 bit/s", 9600},
        {SWQ_UNITS_RATE, "0.000001Mbps", 1},
        {SWQ_UNITS_TIME, "1us", 1000000},
        {SWQ_UNITS_TIME, "250ns", 250000},
        {SWQ_UNITS_TIME, "10ms", UINT64_C(10000000000)},
        {SWQ_UNITS_TIME, "80ps", 80},
        {SWQ_UNITS_TIME, "1.5us", 1500000},
        {SWQ_UNITS_TIME, "1.5 \u00b5s", 1500000},
        {SWQ_UNITS_TIME, "1.5\u03bcs", 1500000},
        {SWQ_UNITS_TIME, "0.1us", 100000}, /* through a double, 0.3 us would not be whole */
        {SWQ_UNITS_TIME, "0.3us", 300000},
        {SWQ_UNITS_TIME, "0.500000000000000000000000ns", 500},
        {SWQ_UNITS_TIME, "0", 0},
        {SWQ_UNITS_TIME, "18446744.073709551615s", UINT64_MAX},
        {SWQ_UNITS_SIZE, "1500", 1500},
        {SWQ_UNITS_SIZE, "9KB", 9000},
        {SWQ_UNITS_SIZE, "9kB", 9000},
        {SWQ_UNITS_SIZE, "9k", 9000},
        {SWQ_UNITS_SIZE, "9KiB", 9216},
        {SWQ_UNITS_SIZE, "2.56MB", 2560000},
        {SWQ_UNITS_SIZE, "0.5KiB", 512},
        {SWQ_UNITS_SIZE, "4MiB", 4194304},
        {SWQ_UNITS_SIZE, "1B", 1},
        {SWQ_UNITS_SIZE, "64 bytes", 64},
        {SWQ_UNITS_SIZE, "18446744073709551615", UINT64_MAX},
    };
    swq_context *ctx = swq_context_new();

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        assert_reads(ctx, cases[c].kind, cases[c].text, cases[c].value);
    swq_context_free(ctx);
}

static void assert_refused(swq_context *ctx, swq_unit_kind kind, const char *text, uint64_t most,
                           const char *message)
{
    uint64_t value = 7;

    cr_assert_eq(swq_units_read(ctx, "--x", kind, text, 10, most, &value), SWQ_EINVAL, "%s", text);
    cr_assert(strstr(swq_context_message(ctx), message), "%s: %s", text, swq_context_message(ctx));
    cr_assert_eq(value, 7, "%s", text);
}

Test(units, refuses)
{
    static const char *const no_rate[] = {
        "",     "G",       "100",    "100 ", "1GB/s", "1g",
        "1m",   "-1G",     "1e3M",   "+1G",  "1.G",   ".5G",
        "1 G ", "1  G",    " 1G",    "0x1G", "1,5G",  "nanG",
        "1Gb/", "1G/port", "1GbpsG", "1Gi",  "1..5G", "99999999999999999999999999999G"};
    static const char *const no_time[] = {"1", "1h", "1min", "us", "1US", "1Ms", "0.0", "00 "};
    static const char *const no_size[] = {"9Kb", "9b", "65p", "9Mbit", "KB", "9 KiBB", "-9", "9m"};
    swq_context *ctx = swq_context_new();
    uint64_t zero = 7;

    for (size_t c = 0; c < sizeof no_rate / sizeof *no_rate; c++)
        assert_refused(ctx, SWQ_UNITS_RATE, no_rate[c], UINT64_MAX,
                       "--x must be a rate with its unit, such as 100G, 25Gbps or 400Mb/s, not '");
    for (size_t c = 0; c < sizeof no_time / sizeof *no_time; c++) {
        if (strcmp(no_time[c], "0.0") != 0)
            assert_refused(ctx, SWQ_UNITS_TIME, no_time[c], UINT64_MAX, "--x must be a time with");
    }
    cr_assert_eq(swq_units_read(ctx, "--x", SWQ_UNITS_TIME, "0.0", 0, 1, &zero), SWQ_OK);
    cr_assert_eq(zero, 0);
    for (size_t c = 0; c < sizeof no_size / sizeof *no_size; c++)
        assert_refused(ctx, SWQ_UNITS_SIZE, no_size[c], UINT64_MAX, "--x must be a size in bytes");
    assert_refused(ctx, SWQ_UNITS_TIME, "10.1ps", UINT64_MAX,
                   "--x must be a whole number of picoseconds, not '10.1ps'");
    assert_refused(ctx, SWQ_UNITS_RATE, "100.5bps", UINT64_MAX,
                   "--x must be a whole number of bit/s, not '100.5bps'");
    assert_refused(ctx, SWQ_UNITS_SIZE, "0.1KiB", UINT64_MAX,
                   "--x must be a whole number of bytes, not '0.1KiB'");
    assert_refused(ctx, SWQ_UNITS_TIME, "2us", 1500000,
                   "--x must be from 10 ps to 1.5 us, not '2us'");
    assert_refused(ctx, SWQ_UNITS_TIME, "9ps", 1500000,
                   "--x must be from 10 ps to 1.5 us, not '9ps'");
    assert_refused(ctx, SWQ_UNITS_TIME, "18446744.073709551616s", UINT64_MAX,
                   "--x must be from 10 ps to 18446744.073709551615 s, not '");
    assert_refused(ctx, SWQ_UNITS_SIZE, "18446744073709551615T", UINT64_MAX,
                   "--x must be from 10 bytes to 18446744.073709551615 TB, not '");
    swq_context_free(ctx);
}

Test(units, prints)
{
    static const struct {
        swq_unit_kind kind;
        uint64_t value;
        const char *text;
    } cases[] = {
        {SWQ_UNITS_RATE, UINT64_C(100000000000), "100 Gb/s"},
        {SWQ_UNITS_RATE, UINT64_C(1600000000000), "1.6 Tb/s"},
        {SWQ_UNITS_RATE, 999, "999 bit/s"},
        {SWQ_UNITS_RATE, 0, "0 bit/s"},
        {SWQ_UNITS_TIME, 1500000, "1.5 us"},
        {SWQ_UNITS_TIME, 80, "80 ps"},
        {SWQ_UNITS_TIME, 1000, "1 ns"},
        {SWQ_UNITS_TIME, 1234567, "1.234567 us"},
        {SWQ_UNITS_TIME, UINT64_MAX, "18446744.073709551615 s"},
        {SWQ_UNITS_SIZE, 0, "0 bytes"},
        {SWQ_UNITS_SIZE, 1, "1 byte"},
        {SWQ_UNITS_SIZE, 999, "999 bytes"},
        {SWQ_UNITS_SIZE, 9000, "9 KB"},
        {SWQ_UNITS_SIZE, 9216, "9 KiB"},
        {SWQ_UNITS_SIZE, 2560000, "2.56 MB"}, /* 2500 KiB is longer */
        {SWQ_UNITS_SIZE, 4194304, "4 MiB"},
        {SWQ_UNITS_SIZE, 6291456, "6 MiB"},
    };
    char text[SWQ_UNITS_TEXT];

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        cr_assert_str_eq(swq_units_text(cases[c].kind, cases[c].value, text), cases[c].text);
}

Test(units, what_is_printed_reads_back)
{
    swq_context *ctx = swq_context_new();
    uint64_t word = 88172645463325252u, value = 0;
    char text[SWQ_UNITS_TEXT];

    for (int i = 0; i < 30000; i++) {
        word ^= word << 13, word ^= word >> 7, word ^= word << 17;
        const uint64_t number = (word >> (i % 64)) << (i / 64 % 24);
        const swq_unit_kind kind = (swq_unit_kind)(i % 3);
        swq_units_text(kind, number, text);
        cr_assert_eq(swq_units_read(ctx, "it", kind, text, 0, UINT64_MAX, &value), SWQ_OK, "%s: %s",
                     text, swq_context_message(ctx));
        cr_assert_eq(value, number, "%s: %" PRIu64 ", not %" PRIu64, text, value, number);
    }
    swq_context_free(ctx);
}

static swq_status memory(swq_context *ctx, const char *text, uint64_t ports, uint64_t rates,
                         uint64_t *bytes)
{
    swq_memory_amount amount;
    const swq_status status = swq_units_memory_read(ctx, "--memory", text, &amount);

    return status ? status
                  : swq_units_memory_bytes(ctx, "--memory", &amount, ports, rates, 1,
                                           UINT64_C(1000000000000), bytes);
}

Test(units, memory)
{
    const uint64_t g = 1000000000;
    const struct {
        const char *text;
        uint64_t ports, rates, bytes;
    } cases[] = {
        {"2MB", 20, 500 * g, 2000000},
        {"256KiB/port", 3, 1, 786432},
        {"5.12K/port/Gbps", 20, 20 * 25 * g, 2560000},  /* Reverie */
        {"5.12KB/port/Gb/s", 8, 8 * 100 * g, 4096000},  /* Tomahawk, 8 ports of 100G */
        {"5.12KiB/port/Gbps", 8, 8 * 100 * g, 4194304}, /* the same as Occamy has it: 4 MiB */
        {"9.6K/port/Gbps", 40, 40 * 10 * g, 3840000},   /* ABM, a leaf */
        {"3.44K/port/Gbps", 2, 125 * g, 430000},        /* ports of 100G and 25G */
        {"1.000000001/port/Gbps", 1, 3 * g / 2, 1},     /* 1.5000000015, rounded down */
        {"1.9/port", 1, 1, 1},
    };
    static const char *const wrong[] = {"",         "/port",
                                        "9",        "1.5",
                                        "9K/Gbps",  "9K/port/",
                                        "9K/ports", "9K/port/Gbps/port",
                                        "-1K/port", "0.1234567891K/port",
                                        "9Kb/port", "9/portGbps"};
    swq_context *ctx = swq_context_new();
    uint64_t bytes = 0;

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cr_assert_eq(memory(ctx, cases[c].text, cases[c].ports, cases[c].rates, &bytes), SWQ_OK,
                     "%s", swq_context_message(ctx));
        cr_assert_eq(bytes, cases[c].bytes, "%s: %" PRIu64, cases[c].text, bytes);
    }
    for (size_t c = 0; c < sizeof wrong / sizeof *wrong; c++) {
        if (strcmp(wrong[c], "9") == 0)
            continue;
        cr_assert_eq(memory(ctx, wrong[c], 4, 4 * g, &bytes), SWQ_EINVAL, "'%s'", wrong[c]);
        cr_assert(strstr(swq_context_message(ctx), "--memory must be "));
        cr_assert(strstr(swq_context_message(ctx), wrong[c]));
    }
    cr_assert_eq(memory(ctx, "1T/port", 2, g, &bytes), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx),
                     "--memory must be from 1 byte to 1 TB for the whole switch, not 2 TB"));
    cr_assert_eq(memory(ctx, "1T/port/Gbps", 2, UINT64_MAX, &bytes), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "--memory must be at most 1 TB for the whole"));
    cr_assert_eq(memory(ctx, "0.1/port", 1, g, &bytes), SWQ_EINVAL);
    swq_context_free(ctx);
}
