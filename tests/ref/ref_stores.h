/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent reference for asynchronous switches whose packets may have a choice of outputs, and
 * whose stores may have queues by destination with Xoff and Xon: input-queued, or with output
 * stores behind a crossbar. Slow, meant to be obviously correct: it goes cycle by cycle, and what a
 * store or a queue holds is counted anew whenever somebody asks. Written from
 * docs/asynchronous.md ("Routing with a choice", "Architectures", "Managements") and the public
 * headers without sight of sim/, with which it shares no code.
 *
 * What is drawn by chance it cannot know: where several outputs are as good as each other it asks
 * which one was taken, and takes that if it is one of these, else the lowest of them.
 */
#ifndef REF_STORES_H
#define REF_STORES_H

#include "ref_async.h"

enum { REF_CHOICE_RANDOM, REF_CHOICE_ROOM, REF_CHOICE_QUEUE, REF_CHOICE_FIRST };

/* A routing method with a choice; the functions are called with `self`. */
typedef struct ref_ways {
    ref_outputs (*outputs)(const void *self, unsigned port, int from, int to); /* NULL: no choice */
    int (*first)(const void *self, unsigned port, int from, int to); /* the deterministic one */
    /* the escape queue, 0 .. escapes-1, of a packet that enters that input port on its
     * deterministic route; not called if there is none */
    int (*escape)(const void *self, unsigned port, int from, int to);
    int escapes;
    int sets; /* queues of an input store beside these, if it has several */
    int choice;
    const void *self;
    /* the output that was taken, or -1 */
    int (*taken)(void *arg, long cycle, int switch_, int input, int from, int to, long birth);
    void *arg;
} ref_ways;

/* network: its arbiter is the rotating one; its `destinations` are a management's, for which
 * read_each and partitioned are not supported. */
typedef struct ref_stores {
    ref_async network;
    ref_ways ways;
    int output_stores; /* else the fields up to the next comment are not read */
    int output_blocks; /* of each */
    int bytes, cycles; /* a channel of the crossbar carries that many bytes in that many cycles */
    int delay;         /* of the crossbar */
    int whole;         /* a packet goes on when it has arrived whole: no cut-through */
    int output_destinations; /* queues of an output store, by destination modulo their number */
    /* two counters: every sigma cycles a queue of an input store counts up, not beyond y_max, if it
     * holds more than x_inc blocks, and down, not below 0, if it holds fewer than x_dec; at y or
     * more it is closed. sigma 0: none */
    int sigma, x_inc, x_dec, y, y_max;
    int xoff, xon; /* packets of the greatest length, of which as many blocks wait; 0, 0: none */
    /* LECN: output stores have a plain queue and a separate one, and tell the output stores that
     * feed their switch when they hold more than `detect` packets of the greatest length, or as
     * many blocks, and when they hold fewer than `relief`; 0: none */
    int detect, relief;
} ref_stores;

/* The beginning of a transfer or of a transmission. */
typedef struct ref_departure {
    ref_start start;  /* class_ is that of the wiring, without a choice; else -1; from an output
                         store: input and class_ are 0 */
    int escape;       /* the escape queue that it leaves, or -1 */
    int output_store; /* it leaves the output store of start.output */
} ref_departure;

typedef struct ref_stores_outcome {
    ref_departure *start; /* [starts], by cycle, within a cycle in no order */
    long starts;
    long cycles;             /* that were simulated */
    int deadlock;            /* packets are left and nothing will ever move again */
    long created, delivered; /* packets */
    long bytes_created, bytes_delivered;
    long latency_sum;
    long entered;    /* switches entered by packets */
    long notices;    /* Xoff and Xon that were sent; LECN: notices, one for each receiver */
    long apart;      /* LECN: packets that joined separate queues */
    long had_choice; /* starts of packets that had several equally good outputs */
    long among[4]; /* with two equal outputs: how often the lower one, and the other one, was taken;
                      with three or more: the lowest, and another one */
    long escaped;  /* packets that entered escape queues */
    long unordered; /* delivered after a packet that their sender sent later to the same node */
} ref_stores_outcome;

/* Simulate from empty. Aborts when a rule of its own is broken or memory is lacking. Clear the
 * outcome afterwards. */
void ref_stores_run(const ref_stores *model, ref_stores_outcome *outcome);
void ref_stores_outcome_clear(ref_stores_outcome *outcome);

#endif
