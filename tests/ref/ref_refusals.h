/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent reference for destination-based and path-based flow control (Frazier 1995, sections
 * 8.4.4, 8.4.5 and 8.5.10) in input-queued networks: buffers that take or refuse what comes. Slow,
 * meant to be obviously correct: cycle by cycle, everything counted anew. Written from the
 * dissertation and docs/asynchronous.md without sight of sim/, with which it shares no code.
 */
#ifndef REF_REFUSALS_H
#define REF_REFUSALS_H

#include "ref_async.h"

typedef struct ref_refusals {
    ref_async network; /* the arbiter is the rotating one; flow REF_BLOCKING, with the threshold if
                          there is one */
    int (*stage_of)(const void *self, unsigned port); /* of an input port, from 0 */
    const void *self;
    int stages;      /* the answer, for the first ones; the ones after them only block */
    int path_hops;   /* > 0: refused for the same next hops, not for the same destination */
    int last_stage;  /* number of stages - 1, where routes end */
    int no_abort;    /* a refused packet is transmitted to its end */
    int no_restrict; /* a refused packet may be tried again at any time */
    int no_requeue;  /* a head whose next queue is closed stays head */
    int no_preroute; /* senders do not ask whether a buffer that compares has room: a packet that
                        finds none is refused there */
    int unretained;  /* the arbiter's pointer moves on after every round in which something was sent
                      */
    int relinks;     /* a queue's packets are a list of blocks, two cycles each to relink */
} ref_refusals;

typedef struct ref_refusals_outcome {
    ref_start *start; /* [starts], by cycle, within a cycle in no order */
    long starts;
    ref_start *refusal; /* [refusals] likewise; cycle is that of the refused transmission's start */
    long refusals;
    long cycles;             /* that were simulated */
    int stuck;               /* packets are left and nothing will ever move again */
    long created, delivered; /* packets */
    long bytes_created, bytes_delivered;
    long latency_sum;
    long entered; /* switches entered by packets that were accepted */
    long unordered;
} ref_refusals_outcome;

/* Simulate from empty. Aborts when a rule of its own is broken or memory is lacking. Clear the
 * outcome afterwards. */
void ref_refusals_run(const ref_refusals *model, ref_refusals_outcome *outcome);
void ref_refusals_outcome_clear(ref_refusals_outcome *outcome);

#endif
