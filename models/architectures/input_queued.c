/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Buffers before a crossbar as fast as its links, or one pool: reception, then arbitration and
 * transmission.
 * Room: models.
 */
#include "models/architectures/architectures.h"

const swq_stage_architecture swq_stage_input_queued = {
    .name = "input-queued",
    .summary = "a buffer at each input (or one pool) before a crossbar as fast as a link: --buffer",
    .source = "Frazier (1995), 4.2",
    .input_buffers = true,
    .pools = true,
    .arbitrates = true,
    .move = SWQ_STEP_SEND,
};
