/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks with a hot spot, class by class of switches: what a class is told by its neighbours,
 * what it measures of itself and what it answers. One family of buffers a file.
 * Room: approx.
 */
#ifndef SWQ_APPROX_HOTSPOT_CLASS_H
#define SWQ_APPROX_HOTSPOT_CLASS_H

#include "approx/hotspot/chain.h"
#include "switchq/approx.h"

#include <stdbool.h>

/* Types of outputs of a switch, and of the packets that want them. Off the tree all outputs are
 * cold. */
enum { HOT, COLD, TYPES };

/* What contending for one output of a type is like, measured in the very chain that uses it. */
typedef struct hot_rivals {
    double stay[SWQ_MAX_PORTS]; /* P(the input that has just sent to it, with so many rivals, wants
                                   it in the next cycle too) */
    double join;                /* P(an input that does not want it does in the next cycle) */
    double take;                /* P(a rival takes it when its turn comes) */
    double claim; /* packets that would be sent to it a cycle, by adding up what its contenders get:
                     more than one where the estimates do not quite agree, and then all get less */
    double pick;  /* P(an input's one read port is left to this queue, which could send) */
    double see[SWQ_MAX_PORTS]; /* P(so many others want it | an input has just begun to) */
} hot_rivals;

typedef struct hot_class {
    /* who it is */
    const swq_buffer *buffer;
    int ports, slots; /* of one buffer; of the pool */
    bool hot;         /* on the tree: one hot output, ports - 1 cold ones */
    bool last;        /* its outputs are the sinks */
    bool same;        /* a slot freed in a cycle can be taken in it */
    double
        next_hot; /* fraction of its hot output's packets that the next stage's hot output gets */
    /* from its neighbours, per cycle */
    double offer[TYPES];       /* P(an input link would bring a packet of the type, had it room) */
    double open[TYPES][TYPES]; /* P(room behind an output of a type for a packet of next type) */
    /* of itself; in: as measured last, out: anew */
    hot_rivals rivals[TYPES];
    /* answers */
    double admit[TYPES];       /* P(room for a packet of the type) */
    double sent[TYPES][TYPES]; /* per output of a type and cycle, by next type */
    double held[TYPES];        /* packets of a type per input, at the start of a cycle */
    double lag[TYPES]; /* cycles that a packet for the hot output spends longer here than the mean
                          of such, by its next type: queues apart behind are not equally open */
    double blocked;    /* fraction of the cycles with packets in which none is sent */
} hot_class;

/* One family of buffers. */
typedef struct hot_family {
    bool apart; /* types of packets have room of their own */
    /* States of its largest chain and how far a transition reaches among them. */
    void (*size)(const hot_class *c, double *states, double *reach);
    /* Solve the class: answers and measures from what its neighbours say. */
    void (*solve)(hot_class *c, hot_chain *chain);
} hot_family;

extern const hot_family hot_fifo, hot_partitioned, hot_shared, hot_pool;

/* Outputs of a type, in one switch. */
static inline int hot_outputs(const hot_class *c, int type)
{
    return type == HOT ? c->hot : c->ports - c->hot;
}

/* Where a number of rivals goes in a cycle in which none of them sends (still), or one does (gone).
 */
typedef struct hot_steps {
    double still[SWQ_MAX_PORTS][SWQ_MAX_PORTS], gone[SWQ_MAX_PORTS][SWQ_MAX_PORTS];
} hot_steps;

/* What a contender's chance is to be multiplied with. */
static inline double hot_fair(const hot_rivals *r)
{
    return r->claim > 1 ? 1 / r->claim : 1;
}

void hot_rivals_steps(int ports, const hot_rivals *r, hot_steps *steps);

/* What a fresh contender sees, from how many rivals the contenders have: wanting[h] = P(an input
 * wants this output and h others do), served[u] = P(one of u that want it sends). */
void hot_rivals_see(int ports, const double *wanting, const double *served, const hot_steps *steps,
                    double *see);

/* P(the input that has just sent, with so many rivals, goes on), from P(sends with so many) and
 * P(and goes on). */
void hot_rivals_stay(int ports, const double *goes_on, const double *sends, double *stay);

/* P(a contender gets the output | so many rivals, in random order, each taking it with `take` when
 * its turn comes), and that a rival does. */
double hot_turn(int rivals, double take);

#endif
