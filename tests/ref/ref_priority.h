/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Brute-force reference for a tiny switch with packets of high priority (docs/model.md, "Packets of
 * high priority"). Every packet is listed with its class and its destination, whether or not anyone
 * will ever look at them; every choice of a cycle is enumerated, and the chain is solved by
 * subtraction-free elimination in long double. Shares nothing with the library.
 */
#ifndef REF_PRIORITY_H
#define REF_PRIORITY_H

enum { REF_PRIORITY_PORTS = 3, REF_PRIORITY_STATES = 900 };

typedef struct {
    int ports;
    int pool;        /* one buffer of ports * slots for all inputs */
    int one_queue;   /* normal packets: one queue per buffer; else one per output */
    int partitioned; /* slots are split evenly among the normal queues */
    int read_all;    /* each queue may send in a cycle */
    int slots;       /* of the normal queues of a buffer */
    int block, credit_next;
    int longest;         /* arbiter longest; else random */
    const char *support; /* "arbiter" "queue" "queues" "buffer" */
    int high_slots;      /* own slots of high priority, where it has any */
    int high_fans;       /* "buffer": one queue per output */
    double high, load[REF_PRIORITY_PORTS], dest[REF_PRIORITY_PORTS][REF_PRIORITY_PORTS];
} ref_priority;

/* By class: normal, high. Per cycle, for all inputs together; packets and held: in the state. */
typedef struct {
    int states;
    double offers[2], refused[2], sent[2], packets[2], held[2];
} ref_priority_answer;

/* 0; -1: too many states. */
int ref_priority_solve(const ref_priority *s, ref_priority_answer *a);

#endif
