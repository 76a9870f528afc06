/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN-IQ (Mora, Garcia, Flich and Duato): switches with queues at inputs, where congested packets
 * are set aside in queues of their own. docs/congestion.md has the rules, to which the names here
 * keep.
 *
 * What is due is kept as bits: for each of the next cycles, for each unit (a switch, or the
 * interface of a node), sets of its inputs and outputs. A unit is looked at in the cycles in which
 * something is due there, or when it has something left to do, and in no others.
 *
 *     a cycle's slot:  | which units | unit 0: arrivals, reads, links, credits | unit 1: .. | ..
 *
 * Inputs and outputs have the fabric's port numbers, and those of the interface of node n the
 * number inputs + n. Room: sim. Includes base.
 */
#ifndef SWQ_SIM_SAQS_RECN_IQ_H
#define SWQ_SIM_SAQS_RECN_IQ_H

#include "base/arrays.h"
#include "sim/saqs/cam.h"
#include "sim/saqs/counts.h"
#include "sim/saqs/news.h"
#include "sim/saqs/slots.h"
#include "switchq/async.h"

typedef struct swq_iq_plan {
    const swq_fabric *fabric; /* laid out, deterministic */
    int slots, interface;     /* of an input's memory; of an interface's */
    int saqs;                 /* of an input, lines of an output; 0 .. SWQ_MAX_SAQS */
    int detect, xoff, xon;    /* packets */
    int hop, rest, credit;    /* cycles; hop, credit >= 1 */
    int bytes;                /* of the longest packet */
} swq_iq_plan;

/* An input. Queue 0 is the cold queue, queue q the SAQ of line q; sets are of queues. */
typedef struct swq_iq_input {
    uint32_t filled;     /* hold packets */
    uint32_t settled;    /* ... whose head has been inspected */
    uint32_t valid;      /* the SAQs that there are */
    uint32_t stopped;    /* ... that may not send */
    uint32_t sent;       /* ... whose Xoff has been sent */
    uint32_t used;       /* ... that have held a packet, or been released */
    uint32_t upstream;   /* the output whose link ends here; SWQ_NO_WHERE: an interface's input */
    uint32_t unit;       /* that it is of */
    uint32_t until;      /* the cycle from which the slot that leaves is free */
    uint16_t leaving;    /* that slot, or SWQ_NO_SLOT_NEXT */
    uint8_t port;        /* of its unit */
    uint8_t inspect;     /* the queue from which on a head is looked for, to be inspected, ... */
    uint8_t pick;        /* ... and to be sent */
    swq_slot_queue come; /* packets under way to it */
    swq_slot_list free;  /* slots */
} swq_iq_input;

typedef struct swq_iq_queue {
    swq_slot_queue list;
    uint16_t goes; /* settled: the output of the head */
} swq_iq_queue;

typedef struct swq_iq_output {
    uint32_t to;      /* the input that its link leads to, or SWQ_TO_NODE | node */
    uint32_t lines;   /* a set: those that there are */
    uint32_t unit;    /* that it is of */
    uint16_t credits; /* of a link to a switch */
    uint8_t port;     /* of its unit */
    uint8_t pick;     /* the input from which on one is looked for that may send */
} swq_iq_output;

/* A switch or an interface: sets of its inputs, or of its outputs. */
typedef struct swq_iq_unit {
    uint32_t first;     /* its first input, and output */
    uint32_t idle;      /* inputs whose read port is idle */
    uint32_t able;      /* ... with a settled head in a queue that is not stopped */
    uint32_t unsettled; /* ... with a head that is not settled */
    uint32_t freeing;   /* ... with a SAQ that may have to be freed */
    uint32_t links;     /* outputs whose link is idle */
    uint32_t credited;  /* ... that lead to a node or have a credit */
} swq_iq_unit;

/* What others are told. */
typedef struct swq_iq_told {
    void *arg;
    void (*begun)(void *arg, uint32_t packet); /* it leaves its interface */
    void (*passed)(void *arg, uint32_t packet, uint32_t port, uint32_t out); /* .. a switch */
    void (*last)(void *arg, uint32_t packet, uint32_t port, uint32_t out);   /* .. for its node */
    swq_saq_event_fn *event;                                                 /* or NULL */
    void *event_arg;
} swq_iq_told;

typedef struct swq_iq {
    swq_iq_plan plan;
    swq_iq_told told;
    uint32_t cycle;
    uint32_t switches, inputs, nodes, units,
        ports;             /* inputs: of switches; ports: with interfaces */
    int queues, bits;      /* of an input; of a turn */
    uint32_t slots, words; /* of what is due: a power of two; of units */
    uint32_t bytes;        /* of a set of a unit's ports */
    uint64_t *due;         /* [slots * words] units */
    uint8_t *due_ports;    /* [slots * units * 4 * bytes] */
    swq_iq_input *in;      /* [ports] */
    swq_iq_output *out;    /* [ports] */
    swq_iq_unit *unit;     /* [units] */
    swq_iq_queue *queue;   /* [ports * queues] */
    swq_path *line;        /* [ports * queues] of inputs; 0: empty */
    swq_path *out_line;    /* [ports * saqs] of outputs */
    swq_slot *slot;        /* [inputs * slots + nodes * interface] */
    uint64_t *way;         /* [nodes * nodes] or NULL: they are walked */
    uint32_t *free_packet; /* [packets] a stack of numbers */
    uint32_t packets, free_packets;
    swq_news news;
    swq_saq_counts counts;
} swq_iq;

/* Sizes; the arrays, after that; and, when these have been taken, an empty network. */
void swq_iq_lay_out(swq_iq *w, const swq_iq_plan *plan);
void swq_iq_list(swq_iq *w, swq_arrays *list);
void swq_iq_empty(swq_iq *w, const swq_iq_told *told);

/* Has the interface of a node room for a packet in this cycle? Then it takes one that is created:
 * the packet's number, which stays its until it has been delivered. Before the cycle is gone
 * through, and once a cycle at most. */
bool swq_iq_has_room(swq_iq *w, uint32_t node);
uint32_t swq_iq_take(swq_iq *w, uint32_t from, uint32_t to, uint32_t bytes);

/* One cycle. */
void swq_iq_cycle(swq_iq *w);

/* The packets that an input's memory, or an interface's, has taken slots for. */
uint32_t swq_iq_held(const swq_iq *w, uint32_t port);

/* Call `visit` for each packet that waits in an interface, is under way to an input, or waits
 * there. */
void swq_iq_walk(const swq_iq *w, void *arg, void (*visit)(void *arg, uint32_t packet));

/* Are credits, slots, lines and Xoffs as they must be? In an empty network: is none left? */
bool swq_iq_sound(const swq_iq *w);

/* ---- within the engine ---- */

enum { SWQ_IQ_ARRIVAL, SWQ_IQ_READ, SWQ_IQ_LINK, SWQ_IQ_CREDIT, SWQ_IQ_DUE };

static inline swq_slot *swq_iq_slots_of(const swq_iq *w, uint32_t port)
{
    const size_t slots = (size_t)w->plan.slots, interface = (size_t)w->plan.interface;

    return port < w->inputs ? w->slot + port * slots
                            : w->slot + w->inputs * slots + (size_t)(port - w->inputs) * interface;
}

static inline swq_iq_queue *swq_iq_queues_of(const swq_iq *w, uint32_t port)
{
    return w->queue + (size_t)port * (size_t)w->queues;
}

static inline swq_path *swq_iq_lines_of(const swq_iq *w, uint32_t port)
{
    return w->line + (size_t)port * (size_t)w->queues;
}

static inline swq_path *swq_iq_output_lines_of(const swq_iq *w, uint32_t port)
{
    return w->out_line + (size_t)port * (size_t)w->plan.saqs;
}

#endif
