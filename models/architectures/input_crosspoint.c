/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Buffers at the inputs before small ones at the crosspoints; inputs and outputs choose
 * independently.
 * Room: models.
 */
#include "models/architectures/architectures.h"

const swq_stage_architecture swq_stage_input_crosspoint = {
    .name = "input-crosspoint",
    .summary = "a buffer at each input before small ones at the crosspoints: --buffer, "
               "--crosspoint-slots",
    .source = "Rojas-Cessa, Oki, Jing and Chao (2001)",
    .needs = SWQ_NEEDS(SWQ_NEED_OUTPUTS),
    .input_buffers = true,
    .crosspoints = true,
    .arbitrates = true,
    .columns = true,
    .two_steps = true,
    .move = SWQ_STEP_FILL,
    .depart = SWQ_STEP_SERVE,
};
