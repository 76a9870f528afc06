/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Brute-force reference for small packet switches: slow, meant to be obviously correct.
 * It enumerates every state reachable from the empty switch and every random choice of a cycle,
 * and solves the resulting Markov chain by subtraction-free state reduction in long double.
 */
#ifndef REF_SWITCH_H
#define REF_SWITCH_H

#define REF_MAX_PORTS  4
#define REF_MAX_SLOTS  32
#define REF_MAX_STATES 4000 /* ref_solve() gives up beyond this many reachable states */

typedef struct {
    int ports;                /* n inputs, n outputs */
    int pool;                 /* 0: one buffer per input; 1: one central buffer for all inputs */
    int queue_per_output;     /* 0: one FIFO queue per buffer (never with pool);
                                 1: a queue per output */
    int read_all;             /* 0: a buffer sends at most one packet a cycle;
                                 1: each queue may send one */
    int capacity;             /* packets per buffer (whole pool if pool) */
    int queue_min, queue_max; /* per queue: reserved slots, most slots */
    double alpha;             /* dynamic threshold; <= 0: none */
    int pool_ports_rule;      /* pool only: with f < n free slots, only f random ports are open */
    int block;                /* 0 discard, 1 block */
    int credit_next;          /* 0 same, 1 next */
    const char *arbiter;      /* "random" "random-outputs" "maximum" "longest" "maximum-longest"
                                 "max-weight" "fixed"; ignored (may be NULL) with a pool */
    double load[REF_MAX_PORTS];
    double dest[REF_MAX_PORTS][REF_MAX_PORTS]; /* dest[i][j]: probability that a packet of input i
                                                  goes to output j; rows must sum to 1 */
} ref_switch;

/* "Observed state": after transmission, before reception. */
typedef struct {
    int states;                              /* reachable from the empty switch, with transients */
    double discard_probability;              /* refused per created, flow discard; 0 for block */
    double discard_input[REF_MAX_PORTS];     /* the same per input; 0 where nothing is created */
    double refusal_probability;              /* refused offers per offer, either flow */
    double throughput;                       /* transmitted packets per output per cycle */
    double refusal_output[REF_MAX_PORTS];    /* refused offers per offer to that output */
    double throughput_output[REF_MAX_PORTS]; /* packets transmitted by that output per cycle */
    double waiting_output[REF_MAX_PORTS];   /* mean packets for it in all buffers, observed state */
    double mean_packets;                    /* mean packets in all buffers together, observed state;
                                               excludes packets held at sources */
    double mean_held;                       /* mean packets held at all sources together (block) */
    double full_probability[REF_MAX_PORTS]; /* per buffer (index 0 for the pool):
                                               P(occupancy == capacity) in the observed state */
    /* P(buffer b holds k packets) in the observed state */
    double occupancy[REF_MAX_PORTS][REF_MAX_SLOTS * REF_MAX_PORTS + 1];
} ref_answer;

/*
 * 0: ok; -1: too many states, bad parameters, or more than one closed class reachable from the
 * empty switch (transient states are fine). A pool may hold REF_MAX_SLOTS * REF_MAX_PORTS packets.
 */
int ref_solve(const ref_switch *s, ref_answer *a);

#endif
