/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SONiC's headroom of priority flow control: against values of the same formula computed elsewhere,
 * by hand where it is whole, and against floating point.
 */
#include "switchq/pfc.h"
#include "tests/models/formulas/rows.h"

#include <math.h>

#define ROW "pfc-headroom"

TestSuite(formula_headroom, .timeout = 60);

/* Cells of 144 bytes, 1024 and 9100 bytes: rate, cable, and the headroom. The first one is rounded
 * up from 81,465.36. */
Test(formula_headroom, spectrum)
{
    cr_expect_eq(row_value(ROW, "100 5", "xoff_bytes"), 81920);
    cr_expect_eq(row_value(ROW, "100 40", "xoff_bytes"), 92160);
    cr_expect_eq(row_value(ROW, "100 300", "xoff_bytes"), 163840);
    cr_expect_eq(row_value(ROW, "400 30", "xoff_bytes"), 187392);
    cr_expect_eq(row_value(ROW, "100 5", "xon_bytes"), 18432);
    cr_expect_eq(row_value(ROW, "100 5", "size_bytes"), 100352);
    cr_expect_eq(floor(row_value(ROW, "100 5", "unrounded_bytes")), 81465);
    assert_relative(row_value(ROW, "100 5", "rounding_bytes"), 81920 - 81465.36264204545, 1e-9,
                    "rounding_bytes");
    /* eight lanes: a pipeline of 35 KiB, and a packet */
    cr_expect_eq(row_value(ROW, "400 30 1024 9100 144 100 0.8 18 -1 0 1", "xon_bytes"), 35840);
    cr_expect_eq(row_value(ROW, "400 30 1024 9100 144 100 0.8 18 -1 0 1", "size_bytes"),
                 232448); /* 187,392 + 35,840 + 9,100 = 232,332, in whole KiB */
}

/* By hand, with nothing but packets: 1024 + 3 * 1024 bytes are 4 KiB, which a byte more exceeds. */
Test(formula_headroom, whole)
{
    cr_expect_eq(row_value(ROW, "100 0 1024 1024 192 100 0 0 0", "xoff_bytes"), 4096);
    cr_expect_eq(row_value(ROW, "100 0 1024 1024 192 100 0 0 0", "rounding_bytes"), 0);
    cr_expect_eq(row_value(ROW, "100 0 1024 1025 192 100 0 0 0", "xoff_bytes"), 5120);
    cr_expect_eq(row_value(ROW, "100 0 1024 1025 192 0 0 0 0", "unrounded_bytes"), 2049);
    /* half of the packets in cells of 128: (50 + 50 * 256 / 129) / 100 */
    assert_relative(row_value(ROW, "100 0 1024 1024 128 50 0 0 0", "cell_factor"),
                    (1 + 256.0 / 129) / 2, 1e-15, "factor");
    /* a gearbox of 8192 ns delays 100,000 bytes by their formula, each way */
    cr_expect_eq(row_value(ROW, "100 0 1024 1024 192 0 0 0 0 8192", "unrounded_bytes"),
                 2048 + 2 * 100000.0);
    cr_expect_eq(row_value(ROW, "100 0 1024 1024 192 0 0 0 1 0", "unrounded_bytes"), 2048 + 64);
}

/* The file's expressions one by one, in floating point. */
static long double file_xoff(const swq_pfc_link *l, const swq_sonic_options *o)
{
    const long double speed = l->rate, cell = l->cell;
    const long double worst = cell > 2 * 64 ? cell / 64 : 2 * cell / (1 + cell);
    const long double occupancy = (100 - o->small_share + o->small_share * worst) / 100;
    const long double cable = 2 * (l->cable / 1000.0L) * speed * 1e9L / 198e6L / (8 * 1024);
    const long double gearbox = speed * l->gearbox / (8 * 1024);
    const long double response = l->quanta * 512.0L / 8, mac = l->mac_phy * 1.024L;

    return l->lossless_mtu + (l->port_mtu + cable + 2 * gearbox + mac + response) * occupancy;
}

static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)*state * below) >> 32);
}

Test(formula_headroom, floating_point)
{
    swq_context *ctx = swq_context_new();
    uint32_t state = 3;

    for (int k = 0; k < 5000; k++) {
        swq_pfc_link l = {.rate = 1 + draw(&state, SWQ_PFC_RATE),
                          .cable = draw(&state, k % 2 ? SWQ_PFC_CABLE : 1000000),
                          .cell = 1 + draw(&state, 400),
                          .mac_phy = draw(&state, 2000),
                          .quanta = draw(&state, 1000),
                          .gearbox = draw(&state, 100)};
        l.port_mtu = 64 + draw(&state, 9000);
        l.lossless_mtu = 64 + draw(&state, l.port_mtu - 63);
        const swq_sonic_options o = {.small_share = draw(&state, 101), .pipeline = 18000};
        swq_sonic_headroom h;
        cr_assert_eq(swq_sonic_headroom_solve(ctx, &l, &o, &h), SWQ_OK);
        const long double file = file_xoff(&l, &o);
        const long double exact = (long double)h.whole + (long double)h.numerator / h.denominator;
        cr_assert(fabsl(file - exact) < 1e-12L * file, "%Lg, not %Lg", exact, file);
        cr_assert(h.xoff % 1024 == 0 && h.xoff >= exact && h.xoff - exact < 1024);
    }
    swq_context_free(ctx);
}

Test(formula_headroom, refused)
{
    row_fails(ROW, "60", SWQ_EINVAL, "quanta is required for a rate of 60 Gb/s");
    row_fails(ROW, "100.00001", SWQ_EINVAL, "rate must have at most three decimals of a Gb/s");
    row_fails(ROW, "100 0.00001", SWQ_EINVAL, "cable must have at most three decimals of a metre");
    row_fails(ROW, "100 5 9101 9100", SWQ_EINVAL, "lossless-mtu must be at most port-mtu, 9100");
    row_fails(ROW, "100 5 1024 9100 144 100 0.8 0.4 -1 0 1", SWQ_EINVAL, "pipeline must be at");
    cr_expect_eq(swq_pfc_quanta(100000), 394);
    cr_expect_eq(swq_pfc_quanta(99999), 0);
}
