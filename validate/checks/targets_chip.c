/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What chapter 7 says of the cycles of a move in the buffer chip.
 */
#include "switchq/chip.h"
#include "validate/checks/printed_find.h"

enum { CYCLES = 200000 };

typedef struct {
    int steps;
    uint64_t wrong; /* moves that do not take three steps */
} moves;

/* Counts the steps of FSM_fwd from a REMOVE to its TERMINATE. */
static void count_steps(void *arg, uint64_t cycle, const swq_chip *chip, const swq_chip_in *in,
                        const swq_chip_out *out)
{
    moves *m = arg;

    (void)cycle;
    (void)chip;
    (void)in;
    if (out->owner != SWQ_CHIP_FWD)
        return;
    if (out->step == SWQ_CHIP_REMOVE)
        m->steps = 0;
    m->steps += out->step == SWQ_CHIP_REMOVE || out->step == SWQ_CHIP_APPEND ||
                out->step == SWQ_CHIP_TERMINATE;
    m->wrong += out->step == SWQ_CHIP_TERMINATE && m->steps != 3;
}

/* Three cycles of the data path, which are five of the clock, as the machines take turns. */
swq_status printed_chip_move(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    const swq_chip_spec spec = swq_chip_defaults();
    const swq_chip_traffic traffic = {.load = 0.5, .grant = 0.5, .seed = seed};
    moves m = {0};
    swq_chip_result r;

    (void)effort;
    swq_status status = swq_chip_run(ctx, &spec, &traffic, CYCLES, count_steps, &m, &r);
    if (!status)
        swq_finding_near(f, r.violation || m.wrong || r.least_move != 5 ? -1 : 3, 3, 0);
    return status;
}
