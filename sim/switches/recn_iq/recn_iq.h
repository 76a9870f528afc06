/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN-IQ (Mora, Garcia, Flich and Duato): switches with queues at inputs, where congested packets
 * are set aside in queues of their own. docs/congestion.md has the rules, and the names here are
 * the same as there.
 *
 * Due events are kept as bits: for each of the next cycles and each unit (a switch, or the
 * interface of a node), sets of the unit's inputs and outputs. A unit is looked at only in cycles
 * in which an event is due there, or when it has work left over.
 *
 *     a cycle's slot:  | which units | unit 0: arrivals, reads, links, credits | unit 1: .. | ..
 *
 * Inputs and outputs have the fabric's port numbers; the input and output of the interface of node
 * n have the number inputs + n.
 */
#ifndef SWQ_SIM_SWITCHES_RECN_IQ_RECN_IQ_H
#define SWQ_SIM_SWITCHES_RECN_IQ_RECN_IQ_H

#include "base/arrays.h"
#include "base/port_set.h"
#include "sim/switches/saqs/cam.h"
#include "sim/switches/saqs/counts.h"
#include "sim/switches/saqs/news.h"
#include "sim/switches/saqs/slots.h"
#include "switchq/async.h"

typedef struct swq_iq_plan {
    const swq_fabric *fabric; /* laid out, deterministic */
    int slots, interface;     /* of an input; of an interface */
    int cold; /* packets in the cold queue of an interface from which on it is full; 0: its memory
                 alone counts */
    int saqs; /* of an input, and lines of an output; 0 .. SWQ_MAX_SAQS */
    int detect, xoff, xon; /* packets */
    int hop, rest, credit; /* cycles; hop, credit >= 1 */
    int inspection;        /* cycles that an inspection takes, >= 1 */
    int bytes;             /* of the longest packet */
} swq_iq_plan;

/* An input. Queue 0 is the cold queue, and queue q the SAQ of line q; the sets are sets of
 * queues. */
typedef struct swq_iq_input {
    uint32_t filled;     /* that hold packets */
    uint32_t settled;    /* ... whose head has been inspected */
    uint32_t valid;      /* SAQs in use */
    uint32_t stopped;    /* ... that may not send */
    uint32_t sent;       /* ... whose Xoff has been sent */
    uint32_t used;       /* ... that have held a packet or been released */
    uint32_t upstream;   /* the output whose link ends here; SWQ_NO_WHERE: an interface */
    uint32_t unit;       /* its unit */
    uint32_t looked;     /* the cycle from which the input can inspect another head */
    uint32_t until;      /* the cycle from which the slot of the leaving packet is free */
    uint16_t leaving;    /* that slot; SWQ_NO_SLOT_NEXT: none */
    uint8_t port;        /* its number in the unit */
    uint8_t inspect;     /* the queue at which the search for a head to inspect begins, ... */
    uint8_t pick;        /* ... and for a head to send */
    uint8_t asks;        /* the queue for whose head the input asks in an arbitration */
    swq_slot_queue come; /* packets on their way to the input */
    swq_slot_list free;  /* free slots */
} swq_iq_input;

typedef struct swq_iq_queue {
    swq_slot_queue list;
    uint16_t goes; /* the output of the head, if it is settled */
} swq_iq_queue;

typedef struct swq_iq_output {
    uint32_t to;      /* the input to which the output's link leads, or SWQ_TO_NODE | node */
    uint32_t lines;   /* the set of lines in use */
    uint32_t unit;    /* its unit */
    uint16_t credits; /* credits of a link to a switch */
    uint8_t port;     /* its number in the unit */
    uint8_t pick;     /* the input at which the search for an input that may send begins */
} swq_iq_output;

/* Callbacks that report events. */
typedef struct swq_iq_told {
    void *arg;
    void (*begun)(void *arg, uint32_t packet); /* a packet leaves its interface */
    void (*passed)(void *arg, uint32_t packet, uint32_t port, uint32_t out); /* ... a switch */
    /* ... the last switch, for its node */
    void (*last)(void *arg, uint32_t packet, uint32_t port, uint32_t out);
    void (*room)(void *arg, uint32_t node); /* an interface whose cold queue was full has room in
                                               the next cycle */
    swq_saq_event_fn *event;                /* of SAQs, or NULL */
    void *event_arg;
} swq_iq_told;

typedef struct swq_iq swq_iq;

/* A cycle, in a form for switches of up to 64 ports, and in one for more: turn.h. */
typedef struct swq_iq_form {
    uint32_t unit_words;      /* words of 64 bits of the record of a unit */
    void (*empty)(swq_iq *w); /* the records of all units, once their outputs are there */
    void (*turn)(swq_iq *w);
} swq_iq_form;

extern const swq_iq_form swq_iq_narrow, swq_iq_wide;

struct swq_iq {
    swq_iq_plan plan;
    swq_iq_told told;
    const swq_iq_form *form;
    uint32_t cycle;
    uint32_t switches, inputs, nodes, units,
        ports;             /* inputs: of switches; ports: also of interfaces */
    int queues, bits;      /* queues of an input; bits of a turn */
    uint32_t slots, words; /* of the time wheel: a power of two; of a set of units */
    uint32_t bytes;        /* of a set of ports of a unit, in the time wheel */
    uint64_t *due;         /* [slots * words] sets of units */
    uint8_t *due_ports;    /* [slots * units * 4 * bytes] */
    swq_iq_input *in;      /* [ports] */
    swq_iq_output *out;    /* [ports] */
    uint64_t *unit;        /* [units] records: switches and interfaces, with sets of their ports */
    swq_iq_queue *queue;   /* [ports * queues] */
    swq_path *line;        /* [ports * queues] of inputs; 0: unused */
    swq_path *out_line;    /* [ports * saqs] of outputs */
    swq_slot *slot;        /* [inputs * slots + nodes * interface] */
    uint64_t *route;       /* [nodes * nodes] or NULL: computed for each packet */
    uint32_t *free_packet; /* [packets] a stack of free numbers */
    uint32_t packets, free_packets;
    swq_news news;
    swq_saq_counts counts;
};

/* Sets the sizes, lists the arrays, and, once they have been taken, empties the network. */
void swq_iq_lay_out(swq_iq *w, const swq_iq_plan *plan);
void swq_iq_list(swq_iq *w, swq_arrays *list);
void swq_iq_empty(swq_iq *w, const swq_iq_told *told);

/* Does a node's interface have room for a packet in this cycle? If so, swq_iq_send gives it a new
 * packet and returns the packet's number, which no other packet has until this packet has been
 * delivered. Before swq_iq_cycle, and at most once per cycle. */
bool swq_iq_has_room(swq_iq *w, uint32_t node);
uint32_t swq_iq_take(swq_iq *w, uint32_t from, uint32_t to, uint32_t bytes);

/* Runs one cycle. */
static inline void swq_iq_cycle(swq_iq *w)
{
    w->form->turn(w);
}

/* Slots taken in the memory of an input or an interface. */
uint32_t swq_iq_held(const swq_iq *w, uint32_t port);

/* Calls `visit` for each packet that waits in an interface, is on its way to an input, or waits at
 * one. */
void swq_iq_walk(const swq_iq *w, void *arg, void (*visit)(void *arg, uint32_t packet));

/* Are credits, slots, lines and Xoffs consistent? Is the network empty, with nothing left over? */
bool swq_iq_sound(const swq_iq *w);

/* ---- within the engine ---- */

enum { SWQ_IQ_ARRIVAL, SWQ_IQ_READ, SWQ_IQ_LINK, SWQ_IQ_CREDIT, SWQ_IQ_DUE };

static inline bool swq_iq_at_node(const swq_iq *w, uint32_t port)
{
    return port >= w->inputs;
}

/* The first input and output of a unit, or the number of all of them if there is none. */
static inline uint32_t swq_iq_first(const swq_iq *w, uint32_t unit)
{
    return unit < w->switches ? unit * (uint32_t)w->plan.fabric->ports
                              : w->inputs + (unit - w->switches);
}

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

static inline uint32_t swq_iq_slot(const swq_iq *w, uint32_t cycle)
{
    return cycle & (w->slots - 1);
}

/* Schedules a unit for a cycle: a later one, or this one if the unit has not had its turn. */
static inline void swq_iq_wake(swq_iq *w, uint32_t cycle, uint32_t unit)
{
    w->due[(size_t)swq_iq_slot(w, cycle) * w->words + unit / 64] |= UINT64_C(1) << (unit & 63);
}

static inline void swq_iq_due(swq_iq *w, uint32_t cycle, uint32_t unit, uint32_t port,
                              uint32_t kind)
{
    const size_t record = (size_t)swq_iq_slot(w, cycle) * w->units + unit;
    uint8_t *set = w->due_ports + (record * SWQ_IQ_DUE + kind) * w->bytes;

    set[port / 8] |= (uint8_t)(1u << (port & 7));
    swq_iq_wake(w, cycle, unit);
}

/* Frees the slot of the packet that has left an input, if the slot is due to be freed. */
static inline void swq_iq_free_slot(swq_iq *w, uint32_t port)
{
    swq_iq_input *in = &w->in[port];

    if (in->leaving == SWQ_NO_SLOT_NEXT || in->until > w->cycle)
        return;
    swq_slot_give(swq_iq_slots_of(w, port), &in->free, in->leaving);
    in->leaving = SWQ_NO_SLOT_NEXT;
}

#endif
