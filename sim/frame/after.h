/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages of a trace that wait for others to arrive: when each of them may be created, and in
 * which order a sender creates its own.
 */
#ifndef SWQ_SIM_FRAME_AFTER_H
#define SWQ_SIM_FRAME_AFTER_H

#include "base/arrays.h"
#include "switchq/async.h"

struct swq_async_net;

/* Messages are numbered as in the trace. In an array with an element for each message, the part of
 * a sender begins where its lines begin in trace_order. */
typedef struct swq_after {
    /* Called when a message of this sender has stopped waiting for others. */
    void (*hears)(struct swq_async_net *net, uint32_t sender);
    uint64_t *start; /* [messages + 1] the messages that wait for m are waiting[start[m] .. start[m
                        + 1]); NULL: no message waits, and there are no phases */
    uint64_t *waiting; /* [dependencies] */
    uint32_t *unmet;   /* [messages] how many of the messages for which the message waits have not
                          arrived */
    uint32_t *birth;   /* [messages] the cycle of its creation, as far as that is known */
    uint8_t *waits;    /* [messages] whether the message waits, or once waited, for other
                          messages */
    uint32_t *created; /* [messages] the messages of each sender in the order of creation */
    uint32_t *heap; /* [messages] of each sender, the messages that have stopped waiting and are yet
                       to be created: a heap ordered by birth and number */
    uint32_t *heaped; /* [nodes] size of the heap */
    uint64_t *at;     /* [nodes] the next line of trace_order that never waits */
    /* [phases] the messages of each phase that have not arrived, and the cycle of the last arrival
     * of the others */
    uint64_t *missing;
    uint32_t *phase_end;
} swq_after;

/* Do dependencies name existing messages, with delays of at least one cycle, and does no message
 * wait for itself through others? Errors: SWQ_EINVAL naming them, SWQ_ENOMEM. O(messages +
 * dependencies). */
swq_status swq_after_check(swq_context *ctx, const swq_async *spec);

void swq_after_list(struct swq_async_net *net, swq_arrays *list);

/* Called when a replication begins and trace_start and trace_order exist. */
void swq_after_begin(struct swq_async_net *net);

/* Message `number` of a sender: a message that it has created, or its next message, as far as
 * the next one is known now. False: no such message is known. */
bool swq_after_next(const struct swq_async_net *net, uint32_t sender, uint64_t number,
                    uint32_t *message);

/* The sender creates its next message. */
void swq_after_created(struct swq_async_net *net, uint32_t sender);

/* A message has arrived whole, its last byte in cycle `cycle`. Messages that depend on it are
 * created in later cycles. */
void swq_after_arrived(struct swq_async_net *net, uint32_t message, uint32_t cycle);

/* The cycle in which the last message of each phase has arrived, or SWQ_NEVER. end: [phases] */
void swq_after_phases(const struct swq_async_net *net, uint32_t *end);

#endif
