/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network that goes on only when it is told to, some cycles at a time, and that takes packets
 * from its caller: for a simulator that embeds a switch, and for programs that learn. The network
 * is one of the synchronous engine, or an asynchronous one, such as a wormhole network.
 *
 *     swq_live_open(ctx, &network, &options, &live);
 *     swq_live_offer(live, &packet, 1, &taken);
 *     swq_live_advance(live, 1, &done);
 *     packets = swq_live_ended(live, end, most);
 *     swq_live_close(live);
 *
 * A network without offered packets is that of swq_sim_run, or swq_async_run, with the same spec
 * and seed: after n cycles, in whatever steps they were taken, it is in the same state to the bit
 * as the first replication there. Rules and times are those of switchq/sim.h and switchq/async.h.
 * Networks in several threads need a context each. The functions fail with a message in the
 * context.
 */
#ifndef SWITCHQ_LIVE_H
#define SWITCHQ_LIVE_H

#include "switchq/async.h"
#include "switchq/sim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct swq_live swq_live;

typedef struct swq_live_options {
    uint64_t seed; /* of all random choices */
    bool follow;   /* keep the end of each packet for swq_live_ended, with the same numbers. A
                      synchronous network then runs on the plain engine, at about a quarter of the
                      speed. An asynchronous network keeps the ends of messages */
    bool plain;    /* use the plain engine, or the general kernels of the asynchronous one, in any
                      case */
} swq_live_options;

/* Seed 1, packets are not followed, the fastest engine. */
swq_live_options swq_live_defaults(void);

/* Makes a network: empty, before cycle 0. The spec is copied, but not the arrays in its traffic
 * (matrix, loads of nodes, trace), which must stay as long as the network. Errors: those of
 * swq_network_check; SWQ_ENOMEM, SWQ_ELIMIT. Memory: as for a replication of swq_sim_run. */
swq_status swq_live_open(swq_context *ctx, const swq_network *network,
                         const swq_live_options *options, swq_live **live);

/* The same for an asynchronous network, whose groups of senders are copied, too. Errors: those of
 * swq_async_check; SWQ_EINVAL for what is not stepped: managements of congestion, schemes that hold
 * senders back, virtual clocks, and architectures with stores of their own except wormhole; and,
 * with `follow`, for messages to several nodes. */
swq_status swq_live_open_async(swq_context *ctx, const swq_async *network,
                               const swq_live_options *options, swq_live **live);

/* Safe on NULL. */
void swq_live_close(swq_live *live);

/* The most cycles of a network in all. */
#define SWQ_LIVE_MOST_CYCLES UINT64_C(4200000000)

/* Runs `cycles` cycles, 0 or more, with the packets of the network's own senders and with those
 * that were offered. *done, unless NULL, receives the number of cycles run, also on failure: it is
 * less than `cycles` if there is an error, or if a trace has ended and the network is empty. A
 * network in a deadlock goes on: swq_live_counts.deadlock.
 * Errors: SWQ_ECANCELLED; SWQ_ELIMIT beyond SWQ_LIVE_MOST_CYCLES, or if more discarded packets than
 * there is room for are to be sent again; with `follow`, SWQ_ENOMEM and SWQ_ELIMIT if there is no
 * memory for ends that nobody reads. Cost: that of swq_sim_run; a call itself takes some 10 ns. */
swq_status swq_live_advance(swq_live *live, uint64_t cycles, uint64_t *done);

/* A packet that the caller puts into the network; in an asynchronous network a message. */
typedef struct swq_live_packet {
    uint64_t token;    /* the caller's own, with which the packet ends; 0 without `follow` */
    uint32_t from, to; /* sender and receiver, 0 .. nodes - 1 */
    bool high;         /* of high priority, if the network's traffic has such packets */
    uint32_t bytes;    /* asynchronous: of the message, 1 .. SWQ_MAX_MESSAGE, in a wormhole network
                          flits; 0: the longest packet. Synchronous: 0 */
} swq_live_packet;

/* Offers packets to their senders, one after another. A sender has room for one packet, which it
 * holds until the network takes the packet in. A sender takes an offered packet unless it holds
 * another one: taken[k] says whether packet k was taken, and one that was not may be offered again
 * after the next cycle. A packet that is taken is created in the next cycle, in place of the next
 * packet of the sender's own, which has not been created yet. When the packet has entered the
 * network, the sender draws the time until its own next packet as after a packet of its own. So a
 * network with load 0 has the offered packets alone. A message of an asynchronous network is held
 * until its last packet has left the sender. Errors: SWQ_EINVAL, and no packet is taken, if sources
 * do not hold one packet, unless they are asynchronous and silent; if they have bursts, or
 * intervals that begin with a packet's transmission; for a node that does not exist, that is in no
 * group of senders, or that is its own receiver where no link leads back to it; for high priority
 * in a network without it; for bytes out of range; for a token without `follow`. O(packets). */
swq_status swq_live_offer(swq_live *live, const swq_live_packet *packet, size_t packets,
                          bool *taken);

/* What has happened since cycle 0, in packets: created = waiting + sent, and sent = inside +
 * delivered + lost. An offered packet counts as created once the next cycle has run. */
typedef struct swq_live_counts {
    uint64_t cycles;         /* that have been run */
    uint64_t created;        /* by sources, and offered packets */
    uint64_t offered;        /* offered packets that were taken */
    uint64_t sent;           /* packets that have left their sources, and are not back there */
    uint64_t delivered;      /* at their receivers */
    uint64_t lost;           /* for good */
    uint64_t waiting;        /* at sources, now */
    uint64_t inside;         /* in switches, now */
    uint64_t refused;        /* packets that found no room; resent ones each time. Equal to `lost`
                                without resending */
    uint64_t latency_cycles; /* sum over the delivered packets, from creation to delivery; in an
                                asynchronous network, until the header begins on the last link */
    uint64_t packet_hops;    /* switches entered by packets */
    bool deadlock; /* asynchronous: packets have been found that can never move again, in one of
                      the searches after cycles that are multiples of 64 */
} swq_live_counts;

void swq_live_read(const swq_live *live, swq_live_counts *counts);

/* The sizes of a network, and of the answer of swq_live_occupancy. */
typedef struct swq_live_shape {
    uint32_t nodes;
    uint32_t stages,
        switches;     /* stages; switches of each. Asynchronous: one stage of all switches */
    uint32_t rows;    /* inputs of a switch, or 1 if it is a pool, whose packets do not say at which
                         input they came; and one more for queues before outputs, behind a crossbar,
                         likewise. Asynchronous: inputs of a switch, and then its outputs, if they
                         have stores */
    uint32_t outputs; /* of a switch */
    uint32_t columns; /* outputs; asynchronous: lanes or queues of a store */
    uint32_t slots; /* packets of an input's buffer, or of a pool; asynchronous: blocks of it, in a
                       wormhole network flits of all lanes */
} swq_live_shape;

swq_live_shape swq_live_shape_of(const swq_live *live);

/* What every switch holds, [stages][switches][rows][columns]: packets, by the row in which they are
 * and the output by which they will leave. Asynchronous: blocks that are taken, in a wormhole
 * network flits, by the queue or lane in which they are. O(buffers * queues), with one FIFO queue
 * in a buffer O(packets). The next function: packets that wait at each sender, 0 or 1 where sources
 * hold one packet: packets[nodes]; a message of several packets counts as one. */
void swq_live_occupancy(const swq_live *live, uint32_t *held);
void swq_live_waiting(const swq_live *live, uint64_t *packets);

/* The end of a packet; in an asynchronous network of a message. */
typedef struct swq_live_end {
    uint64_t token; /* of an offered packet; else 0 */
    uint64_t
        cycle;      /* in which it ended; asynchronous: in which its last byte is at its receiver,
                       which without lanes is told when this byte's packet begins on the last link */
    uint64_t birth; /* the cycle of its creation */
    uint64_t latency_cycles; /* from creation to the end: cycle - birth + 1; asynchronous: of the
                                last byte, cycle - birth */
    uint64_t head_cycles;    /* the same; asynchronous: until its header begins on the last link */
    uint32_t from, to;
    uint32_t bytes; /* asynchronous: of the message; synchronous: 0 */
    bool high;      /* of high priority */
    bool lost;      /* or delivered */
    bool offered;   /* by swq_live_offer, or of the network's own senders */
} swq_live_end;

/* With `follow`: moves at most `most` of the packets that have ended out of the list that the
 * network keeps, the oldest first. Returns their number. With end NULL: how many there are. */
size_t swq_live_ended(swq_live *live, swq_live_end *end, size_t most);

/* From the next cycle on, the senders' load is `load` packets per cycle and sender; packets that
 * are drawn already stay. The load of an asynchronous network is in bytes, and one of all groups of
 * senders. Errors: SWQ_EINVAL for a load outside 0 .. 1, for loads of single nodes, or for a trace;
 * in an asynchronous network for sources that are not silent and do not hold one packet, since what
 * waits at an open source is drawn again from its load, or whose intervals begin with a
 * transmission. */
swq_status swq_live_set_load(swq_live *live, double load);

/* The state of a network as bytes: everything on which its future, its counters and the list of
 * ended packets depend. What follows after swq_live_restore is the same, to the bit, as what
 * followed after swq_live_save. A state may be kept in a file. It can be restored to any network of
 * the same spec and the same `follow` and `plain`, also in another process, by the same version of
 * the library on the same kind of processor; the seed and the load come with it, except the seed of
 * a traffic that is drawn once for a run, as a random permutation is. Errors of restoring, which
 * leave the network as it was: SWQ_EINVAL for a state of another network, version or length, or one
 * that has been damaged (a sum of its bytes says so; it is no guard against forgery);
 * SWQ_ENOMEM, SWQ_ELIMIT. O(bytes); bytes: about those of the network's buffers. */
size_t swq_live_state_bytes(const swq_live *live);
void swq_live_save(const swq_live *live, void *state);
swq_status swq_live_restore(swq_live *live, const void *state, size_t bytes);

/* The context in which the network was opened. */
swq_context *swq_live_context(const swq_live *live);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
