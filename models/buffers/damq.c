/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DAMQ: linked lists in one memory; the buffer that the dissertation is about.
 * Room: models.
 */
#include "models/buffers/buffers.h"

const swq_buffer_kind swq_buffer_damq = {
    .name = "damq",
    .summary = "dynamically allocated multi-queue: the queues of an input share its slots",
    .source = "Frazier (1995), ch. 3; Tamir and Frazier (1992)",
    .scope = SWQ_PER_INPUT,
    .queues = SWQ_QUEUE_PER_OUTPUT,
    .read = SWQ_READ_ONE,
};
