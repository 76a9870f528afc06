/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages of several packets, followed on their way: each has a record from its first packet's
 * departure to its last one's arrival, and a packet in a buffer is tagged with it.
 */
#ifndef SWQ_SIM_FRAME_MESSAGES_H
#define SWQ_SIM_FRAME_MESSAGES_H

#include "base/arrays.h"
#include "sim/measure/system.h"
#include "switchq/async.h"

typedef struct swq_message {
    uint32_t birth;   /* of the message */
    uint32_t message; /* the message's number in the trace, if messages depend on one another */
    uint32_t inside;  /* packets sent that have not arrived; in a free record: the next free one */
    uint64_t bytes;   /* of the packets sent */
    bool whole;       /* all packets have been sent */
    bool begun;       /* a packet has arrived, ... */
    uint32_t head;    /* ... the number of cycles from the message's creation to the arrival of its
                         first packet */
} swq_message;

typedef struct swq_messages {
    swq_message *each; /* NULL: messages are not followed */
    uint32_t *tag;     /* [packets that buffers hold] the record of the message of each packet */
    uint32_t *sender;  /* [nodes] the record of the message being sent, or SWQ_NO_MESSAGE */
    uint32_t free;     /* the list of free records */
    uint32_t count;
} swq_messages;

#define SWQ_NO_MESSAGE UINT32_MAX

/* Can a message be longer than a packet? */
bool swq_messages_are_cut(const swq_async *spec);

/* Can a message consist of several packets, since it is cut or is for several nodes? Only then does
 * the latency of a message differ from a packet's. */
bool swq_messages_are_several(const swq_async *spec);

/* Are messages followed on their way? Yes, if they are several packets or depend on one another, or
 * if their ends are told, unless nodes have interfaces, where a message is a packet. */
bool swq_messages_are_followed(const swq_async *spec);

/* Lists the arrays for `nodes` nodes and `parcels` packets: each message on its way has a packet in
 * a buffer, or a sender that is sending it. */
void swq_messages_list(swq_messages *messages, swq_arrays *list, double nodes, double parcels);

/* All records are free; `list` has been taken. */
void swq_messages_empty(swq_messages *messages, uint32_t nodes);

/* Errors: SWQ_EINVAL if the ends of messages are to be told, and messages are for several nodes, or
 * are cut into packets where nodes have interfaces. */
swq_status swq_messages_check(swq_context *ctx, const swq_async *spec);

/* `sender` sends a packet of `bytes` bytes to `nodes` nodes, which counts as `nodes` packets;
 * `last`: this is the last packet of a message created in cycle `birth`. Returns the message's
 * record, the tag of these packets. */
uint32_t swq_message_sent(swq_messages *messages, uint32_t sender, uint32_t birth, uint32_t bytes,
                          uint32_t nodes, bool last);

/* A packet of the record begins its last transmission, or has begun it; the transmission ends in
 * cycle `end`. Counts in `cell`. Returns whether it was the last packet of the message; then the
 * record is free, but still names its message. */
bool swq_message_arrived(swq_messages *messages, uint32_t number, uint32_t begun, uint32_t end,
                         swq_system *system, int cell);

#endif
