/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent reference for asynchronous networks whose packets go in pieces, with stores smaller
 * than a packet, with and without output stores: slow, meant to be obviously correct. Every byte of
 * every packet has a cycle in which it moves, found byte by byte; what a store holds is counted
 * block by block whenever somebody asks. Written from docs/asynchronous.md ("Stores smaller than a
 * packet", "Architectures") and the public headers; it shares no code with sim/.
 */
#ifndef REF_PIECES_H
#define REF_PIECES_H

#include "ref_async.h"

typedef struct ref_pieces {
    ref_async network; /* the arbiter is the rotating one */
    int piece;         /* bytes */
    int output_blocks; /* of each output store; 0: there are none */
    int bytes, cycles; /* a channel of the crossbar carries that many bytes in that many cycles */
    int delay;         /* of the crossbar */
} ref_pieces;

/* The beginning or the end of a packet's transfer or transmission. */
typedef struct ref_moment {
    ref_start at; /* the end: the cycle after its last byte */
    int output_store;
    int end;
} ref_moment;

typedef struct ref_pieces_outcome {
    ref_moment *moment; /* [moments] */
    long moments;
    long cycles;
    int deadlock; /* packets are left and nothing will ever move again */
    long created, delivered;
    long bytes_created, bytes_delivered, bytes_arrived;
    long latency_sum, tail_sum; /* of the packets delivered, and of those that have arrived whole */
    long arrived;               /* arrived completely */
    long pauses;                /* cycles in which a piece was ready and had no room */
    long spread;                /* largest number of stores in which one packet had bytes at once */
} ref_pieces_outcome;

/* Simulate from empty. Aborts when a rule of its own is broken or memory is lacking. Clear the
 * outcome afterwards. */
void ref_pieces_run(const ref_pieces *model, ref_pieces_outcome *outcome);
void ref_pieces_outcome_clear(ref_pieces_outcome *outcome);

#endif
