/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The buffer chip: what the text says of its cycles, and what must hold of any run.
 */
#include "switchq/async.h"
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

/* Everything that is checked in each cycle holds over 10^7 cycles, for chips of many shapes. */
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

/* Four cycles, and one more for each further cycle of routing or arbitration (7.1.3). */
Test(chip, cut_through_takes_four_cycles)
{
    swq_chip_spec spec = swq_chip_defaults();
    swq_chip_packet one = {10, 2, 32};
    const swq_chip_traffic traffic = {.packet = &one, .packets = 1, .load = 1, .grant = 1};

    for (int k = 0; k < 4; k++) { /* whichever machine has its turn when the packet comes */
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
 * (7.1.2); at most eight, in which the block's bytes pass. */
Test(chip, a_block_moves_in_five_to_eight_cycles)
{
    swq_chip_spec spec = swq_chip_defaults();
    swq_chip_result r = run_chip(&spec, &busy, 100000);

    cr_assert_eq(r.least_move, 5);
    cr_assert_leq(r.most_move, spec.block_bytes + 2);
}

typedef struct {
    uint64_t begun;
    int freed;
} freeing;

/* After a transmission has begun at t, block k becomes free between t + (k - 1) b and t + k b. */
static void note_freeing(void *arg, uint64_t cycle, const swq_chip *chip, const swq_chip_in *in,
                         const swq_chip_out *out)
{
    freeing *f = arg;

    (void)chip;
    (void)in;
    if (out->header) {
        f->begun = cycle;
        f->freed = 0;
    }
    if (out->owner == SWQ_CHIP_FWD && out->step == SWQ_CHIP_APPEND) {
        cr_assert_geq(cycle, f->begun + 8 * (uint64_t)f->freed);
        f->freed++;
        cr_assert_leq(cycle, f->begun + 8 * (uint64_t)f->freed);
    }
}

/* What the asynchronous engine assumes: a hop takes the chip's latency plus a cycle on the wire,
 * and block k of a departing packet is free k times eight cycles later. */
Test(chip, the_asynchronous_engine_has_its_times)
{
    const swq_chip_spec spec = swq_chip_defaults();
    swq_context *ctx = swq_context_new();
    freeing f = {0};
    swq_chip_result r;

    cr_assert_eq(swq_chip_run(ctx, &spec, &busy, 50000, note_freeing, &f, &r), SWQ_OK);
    cr_assert(!r.violation);
    cr_assert_eq(swq_async_defaults().link.hop_delay, r.least_latency + 1);
    cr_assert_eq(swq_async_defaults().packet.block, spec.block_bytes);
    swq_context_free(ctx);
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
