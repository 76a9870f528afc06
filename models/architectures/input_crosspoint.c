/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Buffers at the inputs before small ones at the crosspoints; inputs and outputs choose
 * independently.
 */
#include "switchq/architecture.h"

const swq_architecture swq_input_crosspoint = {
    .name = "input-crosspoint",
    .summary = "a buffer at each input before small ones at the crosspoints: --buffer, "
               "--crosspoint-slots",
    .source = "Rojas-Cessa, Oki, Jing and Chao (2001)",
    .engines = SWQ_ENGINE_SYNC,
    .needs = SWQ_NEEDS(SWQ_NEED_OUTPUTS) | SWQ_NEEDS(SWQ_NEED_STAGES),
    .stage = {.input_buffers = true,
              .crosspoints = true,
              .arbitrates = true,
              .columns = true,
              .two_steps = true,
              .move = SWQ_STEP_FILL,
              .depart = SWQ_STEP_SERVE},
};
