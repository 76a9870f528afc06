/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Queues before the outputs, which take all packets that arrive in a cycle: as a pool that is
 * permanently divided among the outputs.
 * Room: models.
 */
#include "models/architectures/architectures.h"

const swq_stage_architecture swq_stage_output_queued = {
    .name = "output-queued",
    .summary = "packets go at once to the queue of their output; --output-slots",
    .source = "Karol, Hluchyj and Morgan (1987); Hluchyj and Karol (1988)",
    .needs = SWQ_NEEDS(SWQ_NEED_OUTPUTS),
    .output_queues = true,
    .pools = true,
    .apart = true,
    .move = SWQ_STEP_SEND,
};
