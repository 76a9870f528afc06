/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Brute-force reference for small switches whose sources have bursts: slow, meant to be obviously
 * correct, written from docs/model.md ("Reception", "Bursts") and sharing no code with models/.
 *
 * Every packet is listed with its destination, FIFO queues in order. A source is as a simulator
 * has it: it has just sent a packet for some output, so that the next cycle may bring another of
 * the burst; or it is in a gap; or it holds a packet. What ends a burst is thrown when the next
 * packet is due, not before.
 */
#ifndef REF_BURSTS_H
#define REF_BURSTS_H

enum { REF_BURSTS_PORTS = 3, REF_BURSTS_SLOTS = 12, REF_BURSTS_STATES = 40000 };

typedef struct {
    int ports;
    int pool;             /* one central buffer; else one per input */
    int queue_per_output; /* 0: one FIFO queue per buffer (never with pool) */
    int read_all;         /* each queue may send one packet per cycle; else one per buffer */
    int capacity;         /* packets per buffer, or of the pool */
    int longest;          /* arbiter "longest"; else "random" */
    int block;            /* 0 discard, 1 block */
    int credit_next;      /* slots freed in a cycle count as taken in the next reception */
    double burst;         /* mean number of packets in a burst */
    double load[REF_BURSTS_PORTS];
    double dest[REF_BURSTS_PORTS][REF_BURSTS_PORTS];
} ref_bursts;

/* Means per cycle; values of the state are those after transmission. */
typedef struct {
    int states;
    double refused[REF_BURSTS_PORTS], accepted[REF_BURSTS_PORTS]; /* by input */
    double refused_to[REF_BURSTS_PORTS], sent_to[REF_BURSTS_PORTS], waiting_for[REF_BURSTS_PORTS];
    double held;                   /* packets that sources hold */
    double full[REF_BURSTS_PORTS]; /* probability that a buffer (0: the pool) has no free slot */
} ref_bursts_answer;

/* 0: done; -1: more than REF_BURSTS_STATES states, no memory, or no convergence. */
int ref_bursts_solve(const ref_bursts *s, ref_bursts_answer *a);

#endif
