/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Set-aside queues in switches with memory at inputs and outputs: RECN, enhanced RECN and FBICM.
 * docs/congestion.md has the rules, in whose words everything here is named. Stores are numbered
 * through: inputs by port, outputs by port, and nodes' interfaces.
 *
 * Packets and markers are records of one pool, linked into queues:
 *
 *     queue:  head -> packet -> packet -> marker of SAQ 3 -> packet -> tail
 *
 * Everything is advanced cycle by cycle, but only where a timing wheel says that something is due.
 */
#ifndef SWQ_SIM_SWITCHES_RECN_RECN_H
#define SWQ_SIM_SWITCHES_RECN_RECN_H

#include "base/arrays.h"
#include "base/port_set.h"
#include "sim/frame/wheel.h"
#include "sim/switches/saqs/cam.h"
#include "sim/switches/saqs/counts.h"
#include "sim/switches/saqs/news.h"
#include "switchq/async.h"

/* The scheme: RECN, enhanced RECN, or FBICM. */
typedef enum swq_recn_kind { SWQ_RECN_BASIC, SWQ_RECN_ENHANCED, SWQ_RECN_FLOWS } swq_recn_kind;

typedef enum swq_recn_place {
    SWQ_RECN_INPUT,
    SWQ_RECN_OUTPUT,
    SWQ_RECN_INTERFACE,
    SWQ_RECN_PLACES
} swq_recn_place;

typedef struct swq_recn_plan {
    const swq_fabric *fabric; /* laid out, deterministic */
    swq_recn_kind kind;
    int saqs, detect, xoff, xon;        /* number, 0 .. SWQ_MAX_SAQS; thresholds in packets */
    int slots[SWQ_RECN_PLACES];         /* of each store, 1 .. 65535 */
    uint32_t speed_bytes, speed_cycles; /* of the crossbar */
    uint32_t hop_delay, link_rest, crossbar_delay, credit_delay;
    uint32_t longest;    /* bytes of the longest packet */
    swq_refused refused; /* the consequence of a refused notice */
} swq_recn_plan;

/* A packet, or, of 0 bytes, the marker of SAQ `to`. */
typedef struct swq_recn_packet {
    uint64_t route; /* remaining turns, the next one lowest */
    uint32_t next;  /* the next record in its queue, on the way to the same store, or in the list of
                       free records */
    uint32_t tail;  /* at an input: the last byte can go on from this cycle on */
    uint32_t birth;
    uint32_t from : 24, group : 8;
    uint32_t to;
    uint16_t bytes;
    uint8_t came;    /* at an output: the input of the switch from which the packet came */
    uint8_t entered; /* switches entered, at most 255 */
} swq_recn_packet;

typedef struct swq_recn_queue {
    uint32_t head, tail;
    uint16_t packets, markers;
    uint8_t out; /* at an input: the output to which the queue's head goes */
} swq_recn_queue;

typedef struct swq_recn_saq {
    uint16_t blocked; /* markers of this SAQ in other queues */
    bool owes, stopped;
} swq_recn_saq;

typedef struct swq_recn_store {
    uint64_t may;  /* set of the queues that hold packets and are neither stopped nor blocked; of an
                      input with more than 64 queues, of the nonempty words of this set */
    uint32_t saqs; /* set of the SAQs in use */
    uint32_t port_free; /* the cycle from which its read port, or its link, is free */
    uint32_t way_free; /* of an output: the cycle from which the way into it through the crossbar is
                          free */
    uint32_t first, last; /* list of the packets on their way to the store */
    uint32_t neighbour; /* of an input: the store that feeds it; else the input at the other end of
                           its link, or SWQ_TO_NODE | node */
    uint16_t taken, most; /* slots taken now, and the most so far */
    uint16_t credit;      /* free slots that the store knows of at the other end of its link */
    uint16_t picked;      /* of an input: the queue for whose head it asks in an arbitration */
    uint16_t turn;        /* the queue that comes first in the next arbitration */
    uint8_t grant;        /* of an output: the input that comes first */
} swq_recn_store;

/* Callbacks that report events. */
typedef struct swq_recn_told {
    void *arg;
    /* A packet leaves its interface; crosses from an input to an output, both port numbers; goes
     * over an output's link to an input; or goes to its node, where it counts as delivered. */
    void (*begun)(void *arg, const swq_recn_packet *p);
    void (*crossed)(void *arg, const swq_recn_packet *p, uint32_t in, uint32_t out);
    void (*linked)(void *arg, const swq_recn_packet *p, uint32_t out);
    void (*arrived)(void *arg, const swq_recn_packet *p, uint32_t out);
    /* An interface that was full has a free slot: its source can give it a packet in the next
     * cycle. */
    void (*room)(void *arg, uint32_t node);
    swq_saq_event_fn *event; /* or NULL: events of SAQs and of notices */
    void *event_arg;
} swq_recn_told;

/* Counts beyond those common to all schemes: notices; notices refused because they were more
 * specific, or because no SAQ was free; packets delivered after a later packet of the same sender
 * and destination. */
typedef struct swq_recn_counts {
    uint64_t notices, specific, unserved, overtaken;
} swq_recn_counts;

typedef struct swq_recn swq_recn;

/* A cycle, in a form for switches of up to 64 ports whose inputs have up to 64 queues, and in one
 * for larger ones: turn.h. */
typedef struct swq_recn_form {
    int words; /* of a set of ports */
    void (*turn)(swq_recn *n);
} swq_recn_form;

extern const swq_recn_form swq_recn_narrow, swq_recn_wide;

struct swq_recn {
    const swq_recn_form *form;
    swq_recn_plan plan;
    swq_recn_told told;
    swq_recn_counts more;
    swq_saq_counts counts;
    uint32_t cycle;
    uint32_t ports, inputs, nodes, stores;
    int bits;                                            /* of a turn */
    int plain[SWQ_RECN_PLACES], queues[SWQ_RECN_PLACES]; /* plain and all queues of a store */
    size_t first_queue[SWQ_RECN_PLACES];
    uint32_t first_store[SWQ_RECN_PLACES];
    uint32_t records, fresh, free; /* records in the pool; from `fresh` on none has been used yet */
    uint64_t inside;               /* packets in the network */

    swq_recn_packet *packet; /* [records] */
    swq_recn_store *store;   /* [stores] */
    swq_recn_queue *queue;
    swq_recn_saq *saq; /* [stores * saqs] */
    swq_path *line;    /* likewise */
    /* [stores * (1 + saqs) * SWQ_RECN_CONTRIBUTORS * form->words] sets of contributors of the plain
     * queues and of each SAQ, which turn.h names; the first one: those that have been told */
    swq_port_set *contributors;
    swq_port_set *ready; /* [inputs * SWQ_RECN_QUEUE_WORDS] with more than 64 queues: the sets of
                            which `may` has the nonempty words; else NULL */
    uint32_t *latest;    /* [nodes * nodes] to, from: birth of the last packet delivered */
    uint8_t *where; /* FBICM: [stores * nodes] the SAQ of a destination, counted from 1; 0: none */
    uint8_t *named; /* FBICM: [2 * inputs * nodes * named_bytes] sets of contributors that have had
                       a notice of a destination, on behalf of the SAQ or plain queue with this
                       destination */
    uint32_t named_bytes;
    swq_news news;
    swq_wheel arriving, freed, credited; /* stores that are due */
    swq_wheel switches, links, settling; /* places to be looked at */
};

enum {
    SWQ_RECN_CONTRIBUTORS = 3,
    SWQ_RECN_QUEUE_WORDS = SWQ_PORT_SET_WIDE + 1 /* ports, and SWQ_MAX_SAQS */
};

/* Sets the sizes, lists the arrays, and, once they have been taken, empties the network. */
void swq_recn_lay_out(swq_recn *n, const swq_recn_plan *plan);
void swq_recn_list(swq_recn *n, swq_arrays *list);
void swq_recn_empty(swq_recn *n, const swq_recn_told *told);

/* Did a node's interface have a free slot at the end of the cycle before? */
bool swq_recn_open(const swq_recn *n, uint32_t node);
/* Gives it a packet, whose way, bytes, birth, from, group and to are set. */
void swq_recn_give(swq_recn *n, uint32_t node, const swq_recn_packet *p);

/* Runs one cycle, from phase 1 on. */
static inline void swq_recn_cycle(swq_recn *n)
{
    n->form->turn(n);
}

/* Adds to the sums the packets in the network, their ages and their bytes. Checks that slots,
 * credits and packets under way add up to the memory, and that the markers of blocked SAQs are
 * there. */
void swq_recn_audit(const swq_recn *n, uint64_t *packets, uint64_t *age, uint64_t *bytes);
bool swq_recn_sound(const swq_recn *n);
/* Is nothing left over, neither SAQs nor markers nor tokens, and are all slots and credits back?
 * For a network without packets in which nothing is due. */
bool swq_recn_clean(const swq_recn *n);

/* ---- places ---- */

static inline swq_recn_place swq_recn_place_of(const swq_recn *n, uint32_t s)
{
    return s < n->inputs       ? SWQ_RECN_INPUT
           : s < 2 * n->inputs ? SWQ_RECN_OUTPUT
                               : SWQ_RECN_INTERFACE;
}

static inline swq_recn_queue *swq_recn_queues_of(const swq_recn *n, uint32_t s)
{
    const swq_recn_place at = swq_recn_place_of(n, s);

    return n->queue + n->first_queue[at] + (size_t)(s - n->first_store[at]) * (size_t)n->queues[at];
}

static inline int swq_recn_plain(const swq_recn *n, uint32_t s)
{
    return n->plain[swq_recn_place_of(n, s)];
}

static inline swq_recn_saq *swq_recn_saqs_of(const swq_recn *n, uint32_t s)
{
    return n->saq + (size_t)s * (size_t)n->plan.saqs;
}

static inline swq_path *swq_recn_lines_of(const swq_recn *n, uint32_t s)
{
    return n->line + (size_t)s * (size_t)n->plan.saqs;
}

static inline void swq_recn_note(uint64_t *set, uint64_t bit, bool in)
{
    *set = in ? *set | bit : *set & ~bit;
}

/* Updates whether a queue may send, after a change of its length, or of the stops and blocks on
 * it. */
static inline void swq_recn_weigh(swq_recn *n, uint32_t s, int q)
{
    const int k = q - swq_recn_plain(n, s);
    const swq_recn_queue *queue = &swq_recn_queues_of(n, s)[q];
    const swq_recn_saq *saq = k >= 0 ? &swq_recn_saqs_of(n, s)[k] : NULL;
    const bool may = queue->packets && !(saq && (saq->stopped || saq->blocked));
    uint64_t *set = &n->store[s].may, bit = UINT64_C(1) << q % 64;

    if (n->ready && s < n->inputs) {
        uint64_t *word = n->ready + (size_t)s * SWQ_RECN_QUEUE_WORDS + q / 64;
        swq_recn_note(word, bit, may);
        swq_recn_note(set, UINT64_C(1) << q / 64, *word != 0);
        return;
    }
    swq_recn_note(set, bit, may);
}

/* Schedules a store for a cycle; for the current one before arbitration. */
static inline void swq_recn_look(swq_recn *n, uint32_t cycle, uint32_t s)
{
    if (s < n->inputs)
        swq_wheel_set(&n->switches, cycle, s / n->ports);
    else
        swq_wheel_set(&n->links, cycle, s - n->inputs);
}

/* A packet is on its way to a store, and comes there in a cycle. */
static inline void swq_recn_comes_to(swq_recn *n, uint32_t s, uint32_t record, uint32_t cycle)
{
    swq_recn_store *e = &n->store[s];

    n->packet[record].next = UINT32_MAX;
    if (e->first == UINT32_MAX)
        e->first = record;
    else
        n->packet[e->last].next = record;
    e->last = record;
    swq_wheel_set(&n->arriving, cycle, s);
}

static inline void swq_recn_take_slot(swq_recn_store *e)
{
    e->taken++;
    if (e->taken > e->most)
        e->most = e->taken;
}

static inline uint32_t swq_recn_record(swq_recn *n)
{
    const uint32_t k = n->free;

    if (k == UINT32_MAX)
        return n->fresh++;
    n->free = n->packet[k].next;
    return k;
}

static inline void swq_recn_give_back(swq_recn *n, uint32_t k)
{
    n->packet[k].next = n->free;
    n->free = k;
}

#endif
