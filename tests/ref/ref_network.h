/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent reference for synchronous omega networks: slow, meant to be obviously correct.
 * Packets are structs in lists and every queue is a list. Written from the description of the
 * semantics (Frazier 1995, chapters 4 and 5; include/switchq/sim.h) without sight of sim/ or of the
 * rules in models/, with which it shares no code.
 */
#ifndef REF_NETWORK_H
#define REF_NETWORK_H

#define REF_NETWORK_PORTS    66
#define REF_NETWORK_STAGES   3
#define REF_NETWORK_SWITCHES 66 /* of a stage */
#define REF_NETWORK_NODES    4356
#define REF_NETWORK_CLASSES  2

typedef struct {
    int cycle, source, dest, high;
} ref_trace_packet;

typedef struct {
    int ports, stages;   /* omega of ports x ports switches, ports^stages nodes */
    const char *buffer;  /* "fifo" "samq" "safc" "damq" "cbda" */
    int slots;           /* per input port; for cbda the pool has ports * slots */
    const char *arbiter; /* "random" "rotating" "advancing"; ignored for cbda */
    int block;           /* 0 discard, 1 block */
    int credit_next;     /* 0 same, 1 next */
    int open;            /* 0: a source holds one packet; 1: packets queue at the source */
    double load;
    int hot; /* this node gets hot_fraction of all packets on top of its even share */
    double hot_fraction;
    double high_fraction; /* fraction of the packets that are of high priority */
    const char *support;  /* "none" "arbiter" "queue" "queues" "buffer" */
    int high_slots;       /* of "buffer"; of samq's and safc's high queues, split evenly */
    int high_queues;      /* "buffer": 0 one FIFO queue, 1 one queue per output */
    int stale;            /* cycles at the head that put a queue before others, the longest waiting
                             first; 0: none do */
    const ref_trace_packet *trace; /* NULL, or what sources create instead, in order of time;
                                      packets queue at the source */
    int trace_packets;
    unsigned long seed;
    int warmup, cycles; /* not measured, and then measured */
} ref_network;

typedef struct {
    long created, delivered, discarded;
    double throughput;       /* delivered per cycle and node */
    double latency;          /* mean; NAN: none delivered */
    double percentile99;     /* the lowest latency of the slowest one percent */
    double discard_fraction; /* discarded / created */
} ref_flow;

typedef struct {
    double occupancy; /* packets per switch at the end of a cycle */
    double sent;      /* packets per output and cycle */
    double blocked;   /* fraction of the (buffer, cycle) pairs with packets (cbda: queue) that sent
                         none */
    double discarded; /* fraction of the packets that arrived at the stage */
} ref_stage;

typedef struct {
    ref_flow all, by_class[REF_NETWORK_CLASSES];
    ref_stage stage[REF_NETWORK_STAGES];
    double source_queue; /* packets at a source after the sources' turn */
    double refusal;      /* offers turned away */
} ref_measurement;

/* Simulates from empty. 0: ok; -1: bad parameters or no memory. */
int ref_simulate(const ref_network *network, ref_measurement *measurement);

#endif
