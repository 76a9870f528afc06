/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets, numbered in one array, and lists of them.
 */
#ifndef SWQ_SIM_DATACENTRE_PACKETS_H
#define SWQ_SIM_DATACENTRE_PACKETS_H

#include "base/context.h"

#include <stdbool.h>
#include <stdint.h>

#define DC_NONE UINT32_MAX
#define DC_GONE (UINT32_MAX - 1) /* a packet has gone on, and its tail follows */

typedef struct dc_packet {
    uint64_t time;         /* ps: its last bit comes to this switch; on a link: comes to its end */
    uint64_t number;       /* of a trace: its place there */
    uint32_t next, before; /* in its list, or DC_NONE */
    uint32_t bytes;
    uint32_t size; /* in whole cells */
    uint8_t class, flags;
    bool marked;
    bool ack;
    bool in_headroom;
    /* of hosts: */
    uint32_t flow, generation; /* the flow's slot, and how often the slot has been used */
    uint32_t place;    /* of data: its number in its flow; of an acknowledgement: of the packet that
                          caused it */
    uint32_t expected; /* acknowledgement: the first packet that has not come */
    uint32_t to;       /* the host that it goes to */
    uint32_t came;     /* the port that it came in by, in a network */
    uint32_t hash;     /* of its flow and direction */
    uint32_t onward;   /* with cut through, on a link: the port by which it goes on, DC_GONE, or
                          DC_NONE: not known yet */
    uint64_t stamp;    /* ps: when the data packet began to be sent */
} dc_packet;

/* What a switch writes into a packet that begins to be sent by one of its ports (in-band network
 * telemetry). */
typedef struct dc_hop {
    uint64_t time;   /* ps */
    uint64_t sent;   /* bytes that the port has sent before */
    uint64_t queued; /* bytes that wait for the port, without this packet */
    double rate;     /* of its line, bytes a ps */
} dc_hop;

enum { DC_MOST_HOPS = 8 };
typedef struct dc_telemetry {
    uint32_t hops;
    dc_hop hop[DC_MOST_HOPS];
} dc_telemetry;

typedef struct dc_packets {
    dc_packet *packet;
    bool with_telemetry;
    dc_telemetry *telemetry; /* of each packet; NULL: none has any */
    uint32_t room, free;     /* free: the first of the list of unused packets, or DC_NONE */
    uint32_t used;
} dc_packets;

typedef struct dc_list {
    uint32_t head, tail; /* DC_NONE: empty */
} dc_list;

enum { DC_MOST_PACKETS = 1 << 30 };

/* Why there is no packet. */
static inline swq_status dc_no_packet(swq_context *ctx, const dc_packets *p)
{
    return 2 * p->room + 256 <= DC_MOST_PACKETS
               ? swq_memory_status(ctx)
               : swq_fail(ctx, SWQ_ELIMIT,
                          "more than %u packets are on their way or wait at the same time; with a "
                          "smaller memory or a lower load there are fewer",
                          p->room);
}

/* An unused packet; DC_NONE: there is none, and dc_no_packet says why. */
static inline uint32_t dc_packet_take(swq_context *ctx, dc_packets *p)
{
    if (p->free == DC_NONE) {
        const uint32_t room = 2 * p->room + 256;
        if (room > DC_MOST_PACKETS ||
            !swq_resize_array(ctx, &p->packet, (int64_t)room, sizeof *p->packet) ||
            (p->with_telemetry &&
             !swq_resize_array(ctx, &p->telemetry, (int64_t)room, sizeof *p->telemetry)))
            return DC_NONE;
        for (uint32_t k = room; k-- > p->room;) {
            p->packet[k].next = p->free;
            p->free = k;
        }
        p->room = room;
    }
    const uint32_t k = p->free;
    p->free = p->packet[k].next;
    p->used++;
    return k;
}

static inline void dc_packet_give(dc_packets *p, uint32_t k)
{
    p->packet[k].next = p->free;
    p->free = k;
    p->used--;
}

static inline void dc_list_append(dc_packets *p, dc_list *list, uint32_t k)
{
    p->packet[k].next = DC_NONE;
    p->packet[k].before = list->tail;
    if (list->head == DC_NONE)
        list->head = k;
    else
        p->packet[list->tail].next = k;
    list->tail = k;
}

/* Takes the first packet out of a list that is not empty; the next function takes the last. */
static inline uint32_t dc_list_first(dc_packets *p, dc_list *list)
{
    const uint32_t k = list->head;

    list->head = p->packet[k].next;
    if (list->head == DC_NONE)
        list->tail = DC_NONE;
    else
        p->packet[list->head].before = DC_NONE;
    return k;
}

static inline uint32_t dc_list_last(dc_packets *p, dc_list *list)
{
    const uint32_t k = list->tail;

    list->tail = p->packet[k].before;
    if (list->tail == DC_NONE)
        list->head = DC_NONE;
    else
        p->packet[list->tail].next = DC_NONE;
    return k;
}

#endif
