/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent reference for asynchronous switches with output stores (combined input and output
 * queues, and output queues): slow, meant to be obviously correct. It goes cycle by cycle; every
 * packet carries the cycles in which its header and its tail come to a store and in which it
 * leaves, and what a store holds is counted anew whenever somebody asks. Written from
 * docs/asynchronous.md ("Architectures") and the public headers without sight of sim/, with which
 * it shares no code.
 */
#ifndef REF_CROSSBAR_H
#define REF_CROSSBAR_H

#include "ref_async.h"

typedef struct ref_crossbar {
    ref_async network; /* all but the output stores; the arbiter is a rotating one */
    int output_blocks; /* of each output store */
    int bytes, cycles; /* a channel of the crossbar carries that many bytes in that many cycles */
    int delay;         /* of the crossbar */
    int whole;         /* a packet goes on when it has arrived whole: no cut-through */
} ref_crossbar;

/* The beginning of a transfer or of a transmission. */
typedef struct ref_crossing {
    ref_start start;  /* over the crossbar: from its input to its output; from an output store:
                         input 0, class_ 0; from a sender as in ref_async.h */
    int output_store; /* it leaves the output store of start.output */
} ref_crossing;

typedef struct ref_crossbar_outcome {
    ref_crossing *start; /* [starts], by cycle, within a cycle in no order */
    long starts;
    long cycles;             /* that were simulated */
    int deadlock;            /* packets are left and nothing will ever move again */
    long created, delivered; /* packets */
    long bytes_created, bytes_delivered;
    long latency_sum, latency_max; /* of the packets delivered */
    long entered;                  /* switches entered by packets */
} ref_crossbar_outcome;

/* Simulate from empty. Aborts when a rule of its own is broken or memory is lacking. Clear the
 * outcome afterwards. */
void ref_crossbar_run(const ref_crossbar *model, ref_crossbar_outcome *outcome);
void ref_crossbar_outcome_clear(ref_crossbar_outcome *outcome);

#endif
