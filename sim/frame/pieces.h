/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets that go in pieces, for stores that may be smaller than a packet. Stores and channels
 * treat a piece as they treat a whole packet: a piece has a slot of its own, its blocks are taken
 * as it begins to come and freed as it leaves, and its header and its tail come in cycles of their
 * own. The pieces of a packet follow one another in one queue, and the read port and the channel
 * are held for the packet from its first piece on until its last piece has gone.
 *
 *     store:  | .. 5 6 7 |  -- channel, held -->  | 1 2 3 4 |  -- channel, held -->  | 0 |
 */
#ifndef SWQ_SIM_FRAME_PIECES_H
#define SWQ_SIM_FRAME_PIECES_H

#include "base/arrays.h"
#include "switchq/async.h"

/* A piece: the bytes of its packet, and how many of these bytes come after the piece. */
typedef struct swq_piece {
    uint16_t whole, behind;
} swq_piece;

/* The packet for which a channel is held. */
typedef struct swq_hold {
    uint32_t store; /* the store that the packet comes from, ... */
    uint32_t begun; /* since that cycle */
    uint32_t free;  /* the next piece can begin from this cycle on */
    uint8_t queue;  /* of the store */
    bool on;
} swq_hold;

/* The packet that a sender has sent some pieces of, and not all. */
typedef struct swq_sending {
    swq_start packet; /* the packet, as it was when its first piece was sent */
    uint32_t free;    /* the next piece can be sent from this cycle on */
    uint32_t way;     /* the record of its message */
    uint16_t sent;    /* bytes sent; 0: there is no such packet */
    uint8_t group;
} swq_sending;

typedef struct swq_pieces {
    swq_piece *piece; /* as `parcel`; NULL: packets are not cut */
    swq_hold *hold;   /* [elements] hold of each channel */
    uint64_t *going;  /* [elements * words] set of the queues whose packet has begun to leave and
                         has pieces to come */
    uint32_t words;
    swq_sending *sending;               /* [nodes] */
    swq_piece entering;                 /* the piece that is about to enter a store */
    uint32_t bytes;                     /* of the longest piece */
    uint32_t unfinished;                /* packets begun whose last piece has not begun to arrive */
    uint64_t bytes_sent, bytes_arrived; /* of pieces: sent by senders, and arrived at nodes */
} swq_pieces;

typedef struct swq_async_net swq_async_net;

/* Does the network have packets of several pieces? With `general` it is run so if the spec has
 * pieces, even if no packet is longer than one: the numbers are the same. */
static inline bool swq_pieces_asked(const swq_async *n)
{
    return n->packet.piece > 0 && (n->packet.piece < n->packet.max || n->general);
}

/* Errors: SWQ_EINVAL for options that are incompatible with pieces, or an impossible size. */
swq_status swq_pieces_check(swq_context *ctx, const swq_async *n, const swq_fabric *f);

void swq_pieces_list(swq_async_net *net, swq_arrays *list, double parcels);

/* Is every byte sent in a store or at its node? */
bool swq_pieces_conserved(const swq_async_net *net);

#endif
