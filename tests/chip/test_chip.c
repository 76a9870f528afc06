/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The buffer chip: what the text says of its cycles, and what must hold of any run.
 */
#include "switchq/chip.h"
#include "tests/support/support.h"

#include <string.h>

TestSuite(chip, .timeout = 120);

static const swq_chip_traffic busy = {.load = 0.9, .grant = 0.4, .seed = 1};

static swq_chip_result run_chip(const swq_chip_spec *spec, const swq_chip_traffic *traffic,
                                uint64_t cycles)
{
    swq_context *ctx = swq_context_new();
    swq_chip_result r;

    cr_assert_eq(swq_chip_run(ctx, spec, traffic, cycles, NULL, NULL, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    swq_context_free(ctx);
    return r;
}

/* Everything that is checked in each cycle holds over 10^7 cycles, by chips of many shapes. */
Test(chip, ten_million_cycles_of_random_traffic)
{
    const swq_chip_spec shape[] = {{4, 12, 8, 32, 1, 1, false},  {4, 12, 8, 32, 2, 1, false},
                                   {4, 12, 8, 32, 3, 4, false},  {1, 4, 8, 32, 1, 1, false},
                                   {8, 64, 8, 127, 1, 2, false}, {3, 7, 10, 33, 2, 2, false},
                                   {4, 12, 8, 32, 1, 1, true},   {2, 2, 16, 9, 1, 1, false},
                                   {4, 5, 8, 32, 3, 1, true},    {4, 4, 8, 32, 1, 16, false}};
    const double grant[] = {1, 0.5, 0.05};

    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
        for (int g = 0; g < 3; g++) {
            const swq_chip_traffic t = {.load = 0.95, .grant = grant[g], .seed = k + 1};
            swq_chip_result r = run_chip(&shape[k], &t, 340000);
            cr_assert(!r.violation, "shape %zu, grant %g, cycle %llu: %s", k, grant[g],
                      (unsigned long long)r.cycles, r.violation);
            cr_assert(r.packets_out > 1000);
        }
    }
}

/* Four cycles, and one more for each that routing or arbitration takes more (7.1.3). */
Test(chip, cut_through_takes_four_cycles)
{
    swq_chip_spec spec = swq_chip_defaults();
    swq_chip_packet one = {10, 2, 32};
    const swq_chip_traffic traffic = {.packet = &one, .packets = 1, .load = 1, .grant = 1};

    for (int k = 0; k < 4; k++) { /* whoever has its turn when it comes */
        one.cycle = 10 + (uint64_t)k / 2;
        spec.fifo = k % 2;
        for (spec.router_cycles = 1; spec.router_cycles <= 3; spec.router_cycles++) {
            for (spec.arbiter_cycles = 1; spec.arbiter_cycles <= 16; spec.arbiter_cycles++) {
                swq_chip_result r = run_chip(&spec, &traffic, 100);
                cr_assert_eq(r.packets_out, 1);
                cr_assert_eq(r.bytes_out, 33);
                cr_assert_eq(r.least_latency, 2 + spec.router_cycles + spec.arbiter_cycles);
            }
        }
    }
}

/* Five clock cycles from the first to the last step of a block's move, as the machines take turns
 * (7.1.2); at most the eight in which its bytes pass. */
Test(chip, a_block_moves_in_five_to_eight_cycles)
{
    swq_chip_spec spec = swq_chip_defaults();
    swq_chip_result r = run_chip(&spec, &busy, 100000);

    cr_assert_eq(r.least_move, 5);
    cr_assert_leq(r.most_move, spec.block_bytes + 2);
}

Test(chip, queues_of_a_fifo_block_one_another)
{
    swq_chip_spec spec = swq_chip_defaults();
    const swq_chip_traffic t = {.load = 1, .grant = 0.1, .seed = 3};
    swq_chip_result damq = run_chip(&spec, &t, 200000);

    spec.fifo = true;
    swq_chip_result fifo = run_chip(&spec, &t, 200000);
    cr_assert_gt((double)damq.bytes_out, 1.05 * (double)fifo.bytes_out);
}

Test(chip, bad_input_is_named)
{
    swq_context *ctx = swq_context_new();
    swq_chip_spec spec = swq_chip_defaults();
    swq_chip *chip;

    spec.block_bytes = 9;
    cr_assert_eq(swq_chip_new(ctx, &spec, &chip), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "block-bytes must be even, not 9"));
    spec = swq_chip_defaults();
    spec.blocks = 3;
    cr_assert_eq(swq_chip_new(ctx, &spec, &chip), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "blocks must be 4 to 64, not 3"));
    swq_context_free(ctx);
}
