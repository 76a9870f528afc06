/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/switch.c: every bad field of a spec is refused, by name.
 */
#include "tests/support/support.h"

static swq_context *ctx;
static swq_switch good;

static void setup(void)
{
    ctx = swq_context_new();
    good = test_switch(ctx, "damq", 3, 4, 0.5, "random");
}

static void teardown(void)
{
    swq_context_free(ctx);
}

TestSuite(switch_check, .init = setup, .fini = teardown, .timeout = 120);

static void expect_error(const swq_switch *sw, const char *part)
{
    cr_assert_eq(swq_switch_check(ctx, sw), SWQ_EINVAL, "%s", part);
    cr_assert_not_null(strstr(swq_context_message(ctx), part), "'%s' lacks '%s'",
                       swq_context_message(ctx), part);
}

static void expect_valid(const swq_switch *sw)
{
    cr_assert_eq(swq_switch_check(ctx, sw), SWQ_OK, "%s", swq_context_message(ctx));
}

Test(switch_check, ports)
{
    static const int bad[] = {0, -1, 33, 1000000, -2147483647 - 1};
    swq_switch sw = good;

    expect_valid(&sw);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char part[64];
        sw.ports = bad[k];
        snprintf(part, sizeof part, "ports must be 1 to 32, not %d", bad[k]);
        expect_error(&sw, part);
    }
    for (int n = 1; n <= SWQ_CHAIN_PORTS; n++) {
        sw = test_switch(ctx, "cbda", n, 2, 1, "fixed");
        expect_valid(&sw);
    }
}

Test(switch_check, arbiter)
{
    good.arbiter = NULL;
    expect_error(&good, "arbiter");
}

Test(switch_check, buffer)
{
    good.buffer.capacity = 0;
    expect_error(&good, "capacity");
}

Test(switch_check, load)
{
    static const struct {
        double load;
        const char *part;
    } bad[] = {
        {-0.1, "load of input 2 must be 0 to 1, not -0.1"},
        {-1e-300, "load of input 2 must be 0 to 1"},
        {1 + 1e-15, "load of input 2 must be 0 to 1"},
        {1.5, "load of input 2 must be 0 to 1, not 1.5"},
        {NAN, "load of input 2 must be 0 to 1, not nan"},
        {INFINITY, "load of input 2 must be 0 to 1, not inf"},
        {1e-31, "load of input 2 must be 0 or at least 1e-30, not 1e-31"},
        {5e-324, "load of input 2 must be 0 or at least 1e-30"},
    };
    static const double fine[] = {0, -0.0, 1e-30, 0.5, 1 - 0x1p-53, 1};
    swq_switch sw = good;

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        sw.load[2] = bad[k].load;
        expect_error(&sw, bad[k].part);
    }
    for (size_t k = 0; k < sizeof fine / sizeof *fine; k++) {
        sw.load[2] = fine[k];
        expect_valid(&sw);
    }
}

Test(switch_check, destinations)
{
    swq_switch sw = good;

    sw.dest[1][2] = -0.25;
    expect_error(&sw, "input 1, output 2 must be 0 to 1, not -0.25");
    sw.dest[1][2] = NAN;
    expect_error(&sw, "input 1, output 2 must be 0 to 1, not nan");
    sw.dest[1][2] = 1.5;
    expect_error(&sw, "input 1, output 2 must be 0 to 1, not 1.5");
    sw.dest[1][2] = 0;
    expect_error(&sw, "input 1 must sum to 1, not 0.66666");
    sw.dest[1][0] = 2.0 / 3;
    expect_valid(&sw);
    sw.dest[1][0] += 1e-11;
    expect_error(&sw, "input 1 must sum to 1");
    memset(sw.dest[1], 0, sizeof sw.dest[1]);
    expect_error(&sw, "input 1 must sum to 1, not 0");
}

Test(switch_check, what_lies_beyond_the_ports_does_not_matter)
{
    good.load[3] = -1;
    good.dest[0][3] = NAN;
    good.dest[3][0] = 7;
    expect_valid(&good);
}

/* Generating a chain checks its spec. */
Test(switch_check, is_called_by_the_chain)
{
    swq_chain *chain = (swq_chain *)&good;
    swq_chain_size size;

    good.load[1] = 2;
    cr_assert_eq(swq_chain_generate(ctx, &good, true, &chain), SWQ_EINVAL);
    cr_assert_eq(chain, (swq_chain *)&good, "the output was touched");
    cr_assert_eq(swq_chain_foresee(ctx, &good, true, &size), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "load of input 1"));
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}
