/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages of a trace that wait for others to arrive: when each of them may be created, and in
 * which order a sender creates its own.
 * Room: sim. Includes base.
 */
#ifndef SWQ_SIM_ASYNC_AFTER_H
#define SWQ_SIM_ASYNC_AFTER_H

#include "base/arrays.h"
#include "switchq/async.h"

struct swq_async_net;

/* Messages are numbered as in the trace. A sender's part of an array that is a number for each
 * message begins where its lines do in trace_order. */
typedef struct swq_after {
    /* told when a message that this sender is to create waits for no other any more */
    void (*hears)(struct swq_async_net *net, uint32_t sender);
    uint64_t *start;   /* [messages + 1] those that wait for message m are waiting[start[m] ..
                          start[m + 1]); NULL: none waits */
    uint64_t *waiting; /* [dependencies] */
    uint32_t *unmet;   /* [messages] those that it waits for and that have not arrived */
    uint32_t *birth;   /* [messages] the cycle of its creation, as far as it is known */
    uint8_t *waits;    /* [messages] it does, or did */
    uint32_t *created; /* [messages] of each sender, in the order of creation */
    uint32_t *heap;    /* [messages] of each sender those that did wait, and are to be created: a
                          heap by birth and number */
    uint32_t *heaped;  /* [nodes] how many */
    uint64_t *at;      /* [nodes] the line of trace_order that is next of those that never wait */
} swq_after;

/* Are they numbers of messages, with delays of a cycle or more, and does none wait for itself by
 * way of others? Errors: SWQ_EINVAL naming them, SWQ_ENOMEM. O(messages + dependencies). */
swq_status swq_after_check(swq_context *ctx, const swq_async *spec);

void swq_after_list(struct swq_async_net *net, swq_arrays *list);

/* As a replication begins, when trace_start and trace_order are there. */
void swq_after_begin(struct swq_async_net *net);

/* Message `number` of those that a sender creates, which is among the created ones or the next; and
 * of the next as far as it is known now. False: none is known. */
bool swq_after_next(const struct swq_async_net *net, uint32_t sender, uint64_t number,
                    uint32_t *message);

/* The next one is created. */
void swq_after_created(struct swq_async_net *net, uint32_t sender);

/* All of a message has arrived, with its last byte in that cycle, of which the next ones at the
 * earliest are those in which others are created. */
void swq_after_arrived(struct swq_async_net *net, uint32_t message, uint32_t cycle);

#endif
