/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent reference for whole small networks: the omega network of two stages of 2 x 2 switches
 * as a Markov chain over lists of packets, each with its whole destination, nothing deferred,
 * nothing reduced, solved by damped power iteration. Written from docs/model.md and
 * docs/simulation.md without sight of nets/, models/ or sim/, with which it shares no code.
 */
#ifndef REF_NETCHAIN_H
#define REF_NETCHAIN_H

typedef struct {
    const char *buffer;  /* "fifo" "samq" "safc" "damq" "cbda" */
    int slots;           /* per input port; for cbda the pool has twice as many; at most 2 */
    const char *arbiter; /* "random" "longest" "rotating"; ignored for cbda */
    int block;           /* 0 discard, 1 block */
    int credit_next;     /* 0 same, 1 next */
    double load[4];
    int hot; /* this node gets hot_fraction of all packets on top of its even share */
    double hot_fraction;
} ref_netchain;

typedef struct {
    double throughput; /* delivered per cycle and node */
    double lost[2];    /* packets lost per cycle at each stage */
    double refused;    /* offers turned away by the first stage, per cycle */
    double packets[2]; /* per switch of each stage, after transmission */
    double stuck[2];   /* fraction of the (buffer, cycle) pairs with packets (cbda: queue) that send
                          none */
    long states;       /* between cycles */
} ref_netchain_result;

/* 0: ok; -1: bad parameters, no memory, or more than a few million states. */
int ref_netchain_solve(const ref_netchain *chain, ref_netchain_result *result);

#endif
