/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DAFC: DAMQ storage with the read bandwidth of SAFC.
 * Room: models.
 */
#include "models/buffers/buffers.h"

const swq_buffer_kind swq_buffer_dafc = {
    .name = "dafc",
    .summary =
        "dynamically allocated fully connected: as damq, each queue with a read port of its own",
    .source = "Ding and Bhuyan (1993); the HIPIQS family",
    .scope = SWQ_PER_INPUT,
    .queues = SWQ_QUEUE_PER_OUTPUT,
    .read = SWQ_READ_EACH_QUEUE,
};
