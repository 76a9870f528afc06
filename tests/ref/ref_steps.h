/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Brute-force reference for the switch architectures of stage cycles: slow, meant to be obviously
 * correct, written from docs/switches.md and docs/model.md alone. A state lists every packet with
 * its input, its output and where it is. A cycle is written as a procedure that draws; every
 * outcome of its draws is enumerated by going through the cycle once for each.
 */
#ifndef REF_STEPS_H
#define REF_STEPS_H

enum {
    STEPS_PORTS = 3,
    STEPS_PACKETS = 16,  /* in the switch */
    STEPS_STATES = 2500, /* ref_steps_solve() gives up beyond this many reachable states */
    STEPS_DELAYS = 24
};

typedef enum ref_steps_kind {
    STEPS_INPUT_QUEUED,
    STEPS_OUTPUT_QUEUED,
    STEPS_CROSSPOINT,
    STEPS_INPUT_CROSSPOINT,
    STEPS_CIOQ
} ref_steps_kind;

typedef struct ref_steps {
    ref_steps_kind kind;
    int ports;
    /* the buffers at the inputs, where there are some */
    int queue_per_output, read_all;
    int capacity, queue_min, queue_max; /* queue_max 0: capacity */
    double alpha;                       /* <= 0: none */
    /* the memories behind them, and the steps */
    int output_slots, crosspoint_slots, speedup;
    int departures_first, block, credit_next;
    const char *arbiter;
    int iterations; /* of islip and pim */
    double load[STEPS_PORTS], dest[STEPS_PORTS][STEPS_PORTS];
} ref_steps;

/* In the state after a cycle and before the next. */
typedef struct ref_steps_answer {
    int states;     /* reachable from the empty switch */
    double refusal; /* refused offers per offer: the loss where packets are lost */
    double refusal_input[STEPS_PORTS]; /* by input and output; 0 where nothing is offered */
    double refusal_output[STEPS_PORTS];
    double refusals;   /* per cycle */
    double throughput; /* packets that leave per output per cycle */
    double throughput_output[STEPS_PORTS];
    double mean_packets;                /* in the switch */
    double mean_behind;                 /* those of them behind the crossbar */
    double waiting_output[STEPS_PORTS]; /* by output */
    double mean_held;                   /* at sources */
    double mean_delay;                  /* by Little's law */
    double marked_delay;                /* by following packets; what is left after ... */
    double
        delay[STEPS_DELAYS + 1]; /* ... of which fractions leave in their d-th cycle, the first
                                    being that of their acceptance; [0]: later than STEPS_DELAYS */
} ref_steps_answer;

/* Without marked_delay and delay if `follow` is 0. Returns 0, or -1: too many states, or more than
 * one closed class. */
int ref_steps_solve(const ref_steps *s, int follow, ref_steps_answer *a);

#endif
