/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory for each pair of an input and an output, which each output serves independently: buffers
 * in which every queue has its own slots and read port.
 * Room: models.
 */
#include "models/architectures/architectures.h"

const swq_stage_architecture swq_stage_crosspoint = {
    .name = "crosspoint",
    .summary = "a buffer for each pair of an input and an output: --crosspoint-slots",
    .source = "SAFC of Frazier (1995); Kanizo, Hay and Keslassy (2009)",
    .needs = SWQ_NEEDS(SWQ_NEED_OUTPUTS),
    .crosspoints = true,
    .arbitrates = true,
    .columns = true,
    .apart = true,
    .move = SWQ_STEP_SEND,
};
