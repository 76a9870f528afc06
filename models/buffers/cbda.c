/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CBDA: the pseudo-optimal organisation that the others are measured by.
 * Room: models.
 */
#include "models/buffers/buffers.h"

const swq_buffer_kind swq_buffer_cbda = {
    .name = "cbda",
    .summary = "centrally buffered, dynamically allocated: one pool for all inputs",
    .source = "Frazier (1995), 4.1",
    .scope = SWQ_POOL,
    .queues = SWQ_QUEUE_PER_OUTPUT,
    .read = SWQ_READ_EACH_QUEUE,
};
