/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Switches with one memory for all packets behind small input FIFOs, cycle by cycle and flit by
 * flit: the rules of docs/asynchronous.md, "One memory for all", with nothing computed ahead. In
 * each cycle a flit is under way on a link, in a FIFO, in the pool, or gone.
 */
#ifndef REF_POOLED_H
#define REF_POOLED_H

#include "ref_async.h"

typedef struct ref_pooled {
    ref_wiring wiring;
    int fifo;    /* flits of an input's FIFO */
    int chunk;   /* flits of a chunk, or of a module */
    int chunks;  /* of a switch */
    int modules; /* a packet takes one, and is read from the cycle on in which it takes it */
    int max_packet, hop_delay, link_rest;
    const ref_message *message;
    int messages;
    long cycles; /* at most */
} ref_pooled;

/* A packet enters a link, or takes its place in the pool of a switch. */
typedef struct ref_pooled_start {
    long cycle;
    int place;  /* a switch; -1: a sender's link, `output` being the sender */
    int stored; /* it takes its place in the pool: from `input` to the queue of `output` */
    int input, output, from, to, flits;
} ref_pooled_start;

typedef struct ref_pooled_outcome {
    ref_pooled_start *start; /* the caller frees it */
    long starts;
    long delivered; /* packets, by their tails */
    long last;      /* the cycle in which the last flit was delivered */
    long
        stalls; /* cycles in which a packet that had begun sent nothing though its flit was there */
    long passed_on; /* ... of a packet that bypasses a pool, because another such one stalls */
    int broken;     /* times that a flit was missing where the rules guarantee it */
} ref_pooled_outcome;

void ref_pooled_run(const ref_pooled *n, ref_pooled_outcome *o);

#endif
