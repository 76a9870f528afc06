/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SAMQ: no head-of-line blocking, but a queue can be full while its neighbours are empty.
 * Room: models.
 */
#include "models/buffers/buffers.h"

const swq_buffer_kind swq_buffer_samq = {
    .name = "samq",
    .summary = "statically allocated multi-queue: the slots of an input split among the outputs",
    .source = "Frazier (1995), 3.3",
    .scope = SWQ_PER_INPUT,
    .queues = SWQ_QUEUE_PER_OUTPUT,
    .read = SWQ_READ_ONE,
    .partitioned = true,
};
