/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of one output of a switch whose queues have slots of their own: the k queues that hold
 * packets for it, one at each input. Where each queue has its own read port (SAFC), no other queue
 * is in its way, and the chain is the switch itself, exactly lumped: outputs depend on one another
 * only through arrivals.
 */
#ifndef SWQ_APPROX_PARTITIONED_OUTPUTS_H
#define SWQ_APPROX_PARTITIONED_OUTPUTS_H

#include "approx/links/partitioned/totals.h"
#include "switchq/context.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A link as the next stage sees it: packets come one by one with this rate, and after a packet
 * another one comes with probability `again` (equal to the rate: no memory). */
typedef struct outputs_link {
    double rate, again;
} outputs_link;

typedef struct outputs_chain {
    int ports, room;       /* k, slots of a queue */
    int memory;            /* states of a link: 2 when it remembers whether it carried a packet */
    int classes;           /* of a queue: length, times the state of its link */
    int lengths;           /* room + 1 */
    size_t states, others; /* multisets of k queues; of the k - 1 others' lengths */
    int16_t *count;        /* [states][classes] */
    int16_t *packets;      /* [states]: in all queues */
    double *grows;         /* [states][k + 1]: P(this number of packets join) */
    int32_t *served;       /* [states][classes]: after a queue of that class has sent, or -1 */
    int32_t *rest;         /* [states][lengths]: lengths without one queue of that length, or -1 */
    int32_t **without;     /* [size][multiset of lengths][lengths]: as rest, for multisets of `size`
                              queues */
    int16_t **drawn;       /* [size][multiset][lengths]: number of queues of each length */
    /* arrivals on all links, as a matrix over states */
    size_t *row;
    int32_t *column;
    double *value;
} outputs_chain;

/* Measurements of a step of the chain. */
typedef struct outputs_reading {
    double sent;       /* P(the output sends) */
    double sent_twice; /* P(the output sends in this cycle and in the next one) */
    double accepted;   /* packets per cycle that found room in their queue */
    double packets;    /* mean number in the k queues, at the start of a cycle */
    /* P(a queue is empty), P(a queue holds packets and does not send) */
    double idle_queue, kept_queue;
} outputs_reading;

/* The number of states; SIZE_MAX: too many to count. */
size_t outputs_states(int ports, int room, int memory);

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status outputs_init(swq_context *ctx, int ports, int room, outputs_link link,
                        outputs_chain *chain);
void outputs_clear(swq_context *ctx, outputs_chain *chain);

/* One cycle, and then the totals are balanced: next = p P, scaled. Inputs are visited in random
 * order; the input at place q gives a packet of a queue of length n, if the output is still free,
 * with probability gives[q * lengths + n] (NULL: always, if there is one). Measures open[q *
 * lengths + n]: P(the output is free when a queue of length n is visited at place q), unless NULL.
 * `scratch` has outputs_scratch(chain) entries. */
void outputs_step(const outputs_chain *chain, const double *p, const double *gives, double *next,
                  double *open, double *scratch, totals_flow *totals, outputs_reading *reading);
size_t outputs_scratch(const outputs_chain *chain);

#endif
