/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Combined input and output queues: a crossbar several times as fast as its links.
 * Room: models.
 */
#include "models/architectures/architectures.h"

const swq_stage_architecture swq_stage_cioq = {
    .name = "cioq",
    .summary = "combined input and output queues: a crossbar with --speedup, and --output-slots "
               "before each output",
    .source = "Chuang, Goel, McKeown and Prabhakar (1999)",
    .needs = SWQ_NEEDS(SWQ_NEED_OUTPUTS),
    .input_buffers = true,
    .output_queues = true,
    .speedup = true,
    .arbitrates = true,
    .two_steps = true,
    .move = SWQ_STEP_TRANSFER,
    .depart = SWQ_STEP_DEPART,
};
