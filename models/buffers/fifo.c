/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FIFO: simple, and its head of line blocks the packets behind it.
 * Room: models.
 */
#include "models/buffers/buffers.h"

const swq_buffer_kind swq_buffer_fifo = {
    .name = "fifo",
    .summary = "one first-in first-out queue per input port",
    .source = "Frazier (1995), 3.3; Karol, Hluchyj and Morgan (1987)",
    .scope = SWQ_PER_INPUT,
    .queues = SWQ_ONE_QUEUE,
    .read = SWQ_READ_ONE,
};
