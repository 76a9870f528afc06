/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SAFC: SAMQ storage, and an input may send to several outputs in one cycle.
 * Room: models.
 */
#include "models/buffers/buffers.h"

const swq_buffer_kind swq_buffer_safc = {
    .name = "safc",
    .summary =
        "statically allocated fully connected: as samq, each queue with a read port of its own",
    .source = "Frazier (1995), 3.3",
    .scope = SWQ_PER_INPUT,
    .queues = SWQ_QUEUE_PER_OUTPUT,
    .read = SWQ_READ_EACH_QUEUE,
    .partitioned = true,
};
