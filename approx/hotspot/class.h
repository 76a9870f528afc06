/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks with a hot spot, by classes of switches: the offers and room that a class gets from its
 * neighbours, its own measurements, and its answers. Each family of buffers has a file.
 */
#ifndef SWQ_APPROX_HOTSPOT_CLASS_H
#define SWQ_APPROX_HOTSPOT_CLASS_H

#include "approx/hotspot/chain.h"
#include "switchq/approx.h"

#include <stdbool.h>

/* Types of outputs of a switch, and of the packets for them. Off the tree, all outputs are cold. */
enum { HOT, COLD, TYPES };

/* The contention of inputs for one output of a type, as measured in the chain of the class. */
typedef struct hot_rivals {
    double stay[SWQ_CHAIN_PORTS]; /* P(an input that has just sent to the output, against [h]
                                   rivals, wants the output in the next cycle too) */
    double join;  /* P(an input that does not want the output wants it in the next cycle) */
    double take;  /* P(a rival takes the output when the rival's turn comes) */
    double claim; /* packets sent to the output per cycle, summed over its contenders: more than one
                     if the estimates do not quite agree; all contenders then get less */
    double pick;  /* P(an input's single read port is free for this queue, if it can send) */
    /* P([h] others want the output | an input has just begun to want it) */
    double see[SWQ_CHAIN_PORTS];
} hot_rivals;

typedef struct hot_class {
    /* the class */
    const swq_buffer *buffer;
    int ports, slots; /* of one buffer; of the pool */
    bool hot;  /* the switch is on the tree of the hot spot: one hot output, ports - 1 cold ones */
    bool last; /* the switch is in the last stage: sinks behind its outputs */
    bool same; /* a slot freed in a cycle can be taken in the same cycle */
    double
        next_hot; /* fraction of its hot output's packets that the next stage's hot output gets */
    /* inputs of the computation, from neighbouring classes, per cycle */
    double offer[TYPES];       /* P(an input link brings a packet of the type, if there is room) */
    double open[TYPES][TYPES]; /* [type][next]: P(room behind an output of a type for a packet whose
                                  next type is `next`) */
    /* measured by the class; in: the last values, out: new ones */
    hot_rivals rivals[TYPES];
    /* answers */
    double admit[TYPES];       /* P(room for a packet of the type) */
    double sent[TYPES][TYPES]; /* per output of a type and cycle, by next type */
    double held[TYPES];        /* packets of a type per input, at the start of a cycle */
    double lag[TYPES]; /* cycles that a packet for the hot output spends here more than the mean of
                          these packets, by its next type, since separate queues behind are not
                          equally open */
    double blocked;    /* fraction of the cycles with packets in which none is sent */
} hot_class;

/* How classes with buffers of one family (FIFO, partitioned, shared, pool) are solved. */
typedef struct hot_family {
    bool apart; /* each type of packets has its own room */
    /* The number of states of its largest chain, and the reach of a transition. */
    void (*size)(const hot_class *c, double *states, double *reach);
    /* Solve the class: compute answers and measures from the offers and room of its neighbours. */
    void (*solve)(hot_class *c, hot_chain *chain);
} hot_family;

extern const hot_family hot_fifo, hot_partitioned, hot_shared, hot_pool;

/* Outputs of a type, in one switch. */
static inline int hot_outputs(const hot_class *c, int type)
{
    return type == HOT ? c->hot : c->ports - c->hot;
}

/* Transitions of the number of rivals in a cycle in which no rival sends (still), or one sends
 * (gone). */
typedef struct hot_steps {
    double still[SWQ_CHAIN_PORTS][SWQ_CHAIN_PORTS], gone[SWQ_CHAIN_PORTS][SWQ_CHAIN_PORTS];
} hot_steps;

/* The factor by which a contender's probability must be multiplied. */
static inline double hot_fair(const hot_rivals *r)
{
    return r->claim > 1 ? 1 / r->claim : 1;
}

void hot_rivals_steps(int ports, const hot_rivals *r, hot_steps *steps);

/* The number of rivals that a new contender sees, from the numbers that contenders have: wanting[h]
 * = P(an input wants this output and h others want it), served[u] = P(one of u inputs that want the
 * output sends). */
void hot_rivals_see(int ports, const double *wanting, const double *served, const hot_steps *steps,
                    double *see);

/* stay[h] = P(an input that has just sent against h rivals wants the output again), from sends[h] =
 * P(sends with h rivals) and goes_on[h] = P(... and wants it again). */
void hot_rivals_stay(int ports, const double *goes_on, const double *sends, double *stay);

/* P(a contender gets the output | `rivals` rivals, in random order, each of which takes it with
 * probability `take` in its turn). */
double hot_turn(int rivals, double take);

#endif
