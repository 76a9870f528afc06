/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The presets: a row is four choices and their name.
 */
#include "models/buffers/buffers.h"

/* Simple, and its head of line blocks the packets behind it. */
const swq_buffer_kind swq_buffer_fifo = {
    .name = "fifo",
    .summary = "one first-in first-out queue per input port",
    .source = "Frazier (1995), 3.3; Karol, Hluchyj and Morgan (1987)",
    .scope = SWQ_PER_INPUT,
    .queues = SWQ_ONE_QUEUE,
    .read = SWQ_READ_ONE,
};

/* No head-of-line blocking, but a queue can be full while its neighbours are empty. */
const swq_buffer_kind swq_buffer_samq = {
    .name = "samq",
    .summary = "statically allocated multi-queue: the slots of an input split among the outputs",
    .source = "Frazier (1995), 3.3",
    .scope = SWQ_PER_INPUT,
    .queues = SWQ_QUEUE_PER_OUTPUT,
    .read = SWQ_READ_ONE,
    .partitioned = true,
};

/* SAMQ storage, and an input may send to several outputs in one cycle. */
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

/* Linked lists in one memory; the buffer that the dissertation is about. */
const swq_buffer_kind swq_buffer_damq = {
    .name = "damq",
    .summary = "dynamically allocated multi-queue: the queues of an input share its slots",
    .source = "Frazier (1995), ch. 3; Tamir and Frazier (1992)",
    .scope = SWQ_PER_INPUT,
    .queues = SWQ_QUEUE_PER_OUTPUT,
    .read = SWQ_READ_ONE,
};

/* DAMQ storage with the read bandwidth of SAFC. */
const swq_buffer_kind swq_buffer_dafc = {
    .name = "dafc",
    .summary =
        "dynamically allocated fully connected: as damq, each queue with a read port of its own",
    .source = "Ding and Bhuyan (1993); the HIPIQS family",
    .scope = SWQ_PER_INPUT,
    .queues = SWQ_QUEUE_PER_OUTPUT,
    .read = SWQ_READ_EACH_QUEUE,
};

/* The pseudo-optimal organisation with which the others are compared. */
const swq_buffer_kind swq_buffer_cbda = {
    .name = "cbda",
    .summary = "centrally buffered, dynamically allocated: one pool for all inputs",
    .source = "Frazier (1995), 4.1",
    .scope = SWQ_POOL,
    .queues = SWQ_QUEUE_PER_OUTPUT,
    .read = SWQ_READ_EACH_QUEUE,
};
