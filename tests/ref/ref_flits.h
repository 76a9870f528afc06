/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent reference for the switches of Sivaram, Stunkel and Panda 1997 (HIPIQS, technical
 * report OSU-CISRC-10/97-TR45): slow, meant to be obviously correct. It goes cycle by cycle and
 * flit by flit: a flit is in one register, FIFO or bank of memory in each cycle, and moves to the
 * next one of Fig. 5. Nothing is computed ahead. Written from the report, without sight of sim/,
 * with which it shares no code.
 *
 * Time: what a register holds in cycle c is decided on in cycle c, and is in the next one in cycle
 * c + 1. A transmission starts in the cycle in which the first flit is in the output buffer, and so
 * on the link; `link` cycles later it is in the input register at the other end.
 */
#ifndef REF_FLITS_H
#define REF_FLITS_H

enum { REF_FLIT_HOPS = 8, REF_FLIT_PORTS = 72, REF_FLIT_LINK = 4 };

typedef enum ref_flit_kind {
    REF_HIPIQS,     /* section 3 */
    REF_CROSSPOINT, /* a FIFO per pair of input and output, and nothing else of section 3 */
    REF_PAIRS,      /* the same with plain queues: section 2.1, SAFC */
    REF_SHARED,     /* the same, with all of an input's memory shared by its queues: HIPIQS without
                       chunks, and without memory beside the buffer */
    REF_ONE_FIFO,   /* a queue per input */
    REF_MULTI,      /* PaRC, Arctic, PRC: as many queues per input as ports, for any output */
    REF_PRIZMA,     /* modules of one packet each, shared by all */
    REF_CENTRAL     /* a pool in chunks behind small input FIFOs */
} ref_flit_kind;

/* How queues are measured when a way up is chosen. */
enum {
    REF_COUNT_WHOLE,   /* flits of routed packets that are to leave by the output */
    REF_COUNT_PRESENT, /* flits present */
    REF_COUNT_OWN      /* as the first, but only for the packet's own input */
};

typedef struct ref_flit_packet {
    long time; /* its first flit may be on the source's link from this cycle on; does not decrease
                  from packet to packet */
    int from, to, flits;
} ref_flit_packet;

/* The memory of a switch in chunks, or modules, in one cycle, summed over all switches. */
typedef struct ref_flit_sample {
    int chunks; /* taken: hipiqs; central: with those reserved; prizma: likewise */
    int flits;  /* flits that they hold */
} ref_flit_sample;

typedef struct ref_flits {
    ref_flit_kind kind;
    int levels; /* 1: one switch of `down` ports; else a tree of switches of 2 x down ports */
    int down;
    int buffer; /* flits of memory per input; central and prizma: times the ports is the memory of a
                   switch */
    int chunk;  /* flits */
    int fifo;   /* hipiqs: flits of a FIFO; 0: two chunks */
    int ram;    /* hipiqs: the FIFO is a RAM behind a register (pipes 2' and 3'); else registers */
    int banks;  /* hipiqs: no two queues of an input read the same bank in a cycle */
    int apart;  /* hipiqs: no packet is written into another one's chunk */
    int queue_min;  /* hipiqs: chunks reserved for each queue */
    int input_fifo; /* central: flits; 0: 32 */
    int module;     /* prizma: flits */
    int late; /* one FIFO: the head takes any idle way up; otherwise the way is chosen on arrival */
    int link; /* cycles from output buffer to input register, 1 .. REF_FLIT_LINK */
    int credit;   /* further cycles until a sender is told of memory that was freed; 0 .. 16 */
    int straight; /* the way up of level l is digit l of the destination; else the least queue */
    int lowest;   /* ... the first of several; else one at random */
    int count;    /* ... REF_COUNT_... */
    unsigned seed;
    const ref_flit_packet *packet;
    long packets;
    long cycles;             /* the run stops before this cycle, or when everything is delivered */
    ref_flit_sample *sample; /* [cycles] or NULL */
    int unchecked;           /* memory is neither sampled nor checked: faster */
} ref_flits;

typedef struct ref_flit_hop {
    int place, input, output; /* the switch, and its ports that the packet comes and leaves by; a
                                 source: -1; an output of -1: not yet known */
    int path;                 /* hipiqs: of the header, by number of pipe: 1, 2, 3 */
    long came;                /* the header is in the input register; a source: the packet's time */
    long start, tail;         /* the first, the last flit is on the link; -1: not yet */
} ref_flit_hop;

/* hop[0] is the source's link. */
typedef struct ref_flit_trip {
    int hops;
    ref_flit_hop hop[REF_FLIT_HOPS];
} ref_flit_trip;

typedef struct ref_flits_outcome {
    long cycles; /* simulated */
    long delivered, flits_delivered;
    long flits_inside; /* sent by sources and not delivered */
    int most_partial;  /* chunks of one input, not full, into which no packet is being written */
    int chunks_left;   /* taken in the end: none, if everything is delivered */
    int broken;        /* times that an invariant was violated: 0 */
} ref_flits_outcome;

/* Simulates. trip[packets] is filled in. */
void ref_flits_run(const ref_flits *n, ref_flit_trip *trip, ref_flits_outcome *o);

enum { REF_UNIFORM, REF_BIT_REVERSE, REF_TRANSPOSE };

/* Packets of that many flits, created in each cycle with probability load / flits at each node,
 * until that cycle; to other nodes, all equally likely, or to the one of the permutation. The
 * caller frees them. */
ref_flit_packet *ref_flits_draw(unsigned seed, int nodes, int pattern, double load, int flits,
                                long cycles, long *packets);

#endif
