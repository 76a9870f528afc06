/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent reference for asynchronous networks (Frazier 1995, chapter 6): slow, meant to be
 * obviously correct. It goes cycle by cycle and byte by byte: every byte of every packet is put on
 * a wire, comes out of it hop_delay cycles later, lies in a block of a buffer until it is sent on,
 * and a block is free again when the bytes it was taken for have come and gone. Nothing is computed
 * ahead but the cycle in which a last byte comes. Written from docs/asynchronous.md and the public
 * headers without sight of sim/, with which it shares no code.
 */
#ifndef REF_ASYNC_H
#define REF_ASYNC_H

#include "networks.h"
#include "ref_told.h"

enum { REF_NO_THRESHOLD = -1, REF_SENDER = -1 };

/* Blocks are freed one by one, when their bytes have arrived and left; all when the packet's first
 * byte has left; all when as many bytes have left as a hop takes cycles (or all of them); all when
 * its last byte has. */
enum { REF_RELEASE_BLOCKS, REF_RELEASE_START, REF_RELEASE_HOP, REF_RELEASE_END };

/* What a link is where links are unlike. */
typedef struct ref_line {
    int delay;         /* in place of hop_delay */
    int bytes, cycles; /* it sends that many bytes in that many cycles; bytes <= cycles. Its rest is
                          the time of link_rest bytes more */
} ref_line;

typedef struct ref_message {
    long cycle; /* of its creation; does not decrease from message to message */
    int from, to, bytes;
} ref_message;

typedef struct ref_async {
    ref_wiring wiring;
    int destinations; /* a buffer has that many queues, and a packet joins that of its destination
                         modulo their number; 0: the next field determines the queues */
    int one_queue;    /* a buffer has one queue; else one for each class */
    int read_each;    /* each queue has a read port; else the buffer has one */
    int partitioned;  /* the blocks are split evenly among the queues */
    int least;        /* blocks reserved for each queue */
    int most;         /* blocks that a queue may take; 0: all */
    double alpha;     /* dynamic threshold: a queue accepts packets while it has fewer blocks above
                         those reserved for it than this times the blocks that are free and not
                         reserved, or while there is room in those reserved for it; 0: none */
    int bytes, block, max_packet;
    int interface; /* packets that fit in the interface of a node, which has a queue for each of
                      `destinations`; 0: nodes have none. With interfaces, messages are packets */
    int loses;     /* what comes to a full interface is lost; otherwise it waits before it */
    int threshold; /* blocks; REF_NO_THRESHOLD */
    int hop_delay, link_rest;
    const ref_line *line; /* [switches * ports] of the link of an output, and of the link back from
                             a node there; NULL: all have hop_delay and send a byte a cycle. Credits
                             take as much longer back as a delay is longer than hop_delay */
    int release;          /* when a packet's blocks count as free: REF_RELEASE_... */
    int flow; /* REF_BLOCKING, with the threshold if there is one; or, as in ref_told.h: */
    int unit, told_after, stop, go;
    /* REF_TWO_COUNTER: every `every` cycles the counter of a queue of more than `above` blocks
     * rises by one, up to `most_count`, and that of a queue of fewer than `below` falls, down to 0;
     * a queue whose counter is `closes` or more accepts no packets */
    int every, above, below, closes, most_count;
    int fixed; /* arbiter: the lowest output of the lowest input first; else the rotating one, ...
                */
    int advancing; /* ... whose pointer moves on whenever something was sent */
    const ref_message *message;
    int messages;
    long cycles; /* stop before this cycle; < 0: when nothing is left to do, or can be done */
} ref_async;

/* How its buffers inform their senders, if they do: buffers with that many queues, and packets of
 * that many blocks. */
static inline ref_telling ref_telling_of(const ref_async *n, int queues, int packet)
{
    return (ref_telling){n->flow, n->unit, n->told_after,  n->stop,  n->go,   n->bytes / n->block,
                         queues,  packet,  n->partitioned, n->least, n->most, n->alpha};
}

/* The beginning of a transmission. */
typedef struct ref_start {
    long cycle, birth;
    int switch_; /* REF_SENDER: from the sender, and then input and output are 0 */
    int input, output;
    int class_; /* at the input port; from a sender: at the port that it feeds */
    int from, to, bytes;
} ref_start;

/* A packet that is in the network at the end. */
typedef struct ref_left {
    unsigned port;
    int queue, class_;
    int place; /* position in its queue, 0: the head; -1: it is being sent, and no longer waits */
    int blocks;
    int from, to, bytes;
    long birth;
} ref_left;

typedef struct ref_outcome {
    ref_start *start; /* [starts], by cycle; in a cycle senders first, then switches, by output */
    long starts;
    ref_left *left; /* [lefts] */
    long lefts;
    long cycles;                         /* that were simulated */
    int deadlock;                        /* packets are left and nothing will ever move again */
    long lost, bytes_lost;               /* at interfaces */
    long created, delivered;             /* packets */
    long bytes_created, bytes_delivered; /* delivered: when the last transmission begins */
    long bytes_arrived;                  /* bytes that have really come out of a wire at a node */
    long latency_sum, latency_max;       /* of the packets delivered */
    long tail_sum;                       /* ... until their last bytes have come out of a wire */
    long links_bytes;                    /* bytes sent over all links but the senders' */
    long entered;                        /* switches entered by packets */
} ref_outcome;

/* Simulate from empty. Aborts when a rule of its own is broken (a byte sent before it came, a block
 * taken twice) or memory is lacking. Clear the outcome afterwards. */
void ref_async_run(const ref_async *network, ref_outcome *outcome);
void ref_outcome_clear(ref_outcome *outcome);

#endif
