/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages of several packets, followed on their way: each has a record from its first packet's
 * departure to its last one's arrival, and a packet in a buffer is tagged with it.
 * Room: sim.
 */
#ifndef SWQ_SIM_ASYNC_MESSAGES_H
#define SWQ_SIM_ASYNC_MESSAGES_H

#include "base/arrays.h"
#include "switchq/async.h"

typedef struct swq_way {
    uint32_t birth;   /* of the message */
    uint32_t message; /* its number in the trace, if some of them wait for others */
    uint32_t inside; /* packets that have been sent and have not arrived; free: the next free one */
    bool whole;      /* all have been sent */
    bool begun;      /* one has arrived, ... */
    uint32_t head;   /* the first one so many cycles after its creation */
} swq_way;

typedef struct swq_ways {
    swq_way *way;     /* NULL: messages are not followed */
    uint32_t *tag;    /* [packets that buffers hold] the record of each packet's message */
    uint32_t *sender; /* [nodes] that of the message being sent, or SWQ_NO_WAY */
    uint32_t free;    /* a list */
    uint32_t count;
} swq_ways;

#define SWQ_NO_WAY UINT32_MAX

/* Can a message be longer than a packet? Only then is its latency another thing than a packet's. */
bool swq_messages_are_cut(const swq_async *spec);

/* Are they followed on their way? If they are cut, or wait for one another. */
bool swq_messages_are_followed(const swq_async *spec);

/* The arrays of records for so many nodes and packets: each message that is on its way has a packet
 * in a buffer, or a sender that is at it. */
void swq_ways_list(swq_ways *ways, swq_arrays *list, double nodes, double parcels);

/* All free; `list` has been taken. */
void swq_ways_empty(swq_ways *ways, uint32_t nodes);

/* A packet is sent by `sender`, the last one of a message created in `birth` or not. Returns the
 * message's record, the packet's tag. */
uint32_t swq_way_sent(swq_ways *ways, uint32_t sender, uint32_t birth, bool last);

/* A packet of that record begins its last transmission, or has begun it, which ends in `end`.
 * Counts in `cell`. Was it the last packet? Then the record is free, but still says its message. */
bool swq_way_arrived(swq_ways *ways, uint32_t number, uint32_t begun, uint32_t end, uint64_t *cell);

#endif
