/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arbiters, and the three procedures that they are made of.
 */
#ifndef SWQ_MODELS_ARBITERS_H
#define SWQ_MODELS_ARBITERS_H

#include "switchq/arbiter.h"

extern const swq_arbiter swq_arbiter_random, swq_arbiter_random_outputs, swq_arbiter_maximum,
    swq_arbiter_longest, swq_arbiter_maximum_longest, swq_arbiter_max_weight, swq_arbiter_fixed,
    swq_arbiter_rotating, swq_arbiter_advancing, swq_arbiter_islip, swq_arbiter_pim;

/* Port `from` + k, modulo the number of ports: a division would take as long as everything else in
 * the loop. */
static inline int swq_around(int from, int k, int ports)
{
    const int port = from + k;

    return port < ports ? port : port - ports;
}

/* The queues of all inputs for output j. */
static inline void swq_column_of(const swq_requests *r, int j, int *column)
{
    int(*const length)[SWQ_MAX_PORTS] = r->length;

    for (int i = 0; i < r->ports; i++)
        column[i] = length[i][j];
}

/* ... of the inputs that do not send yet; the others' count as empty. */
static inline void swq_idle_column_of(const swq_requests *r, int j, const bool *sending,
                                      int *column)
{
    int(*const length)[SWQ_MAX_PORTS] = r->length;

    for (int i = 0; i < r->ports; i++)
        column[i] = sending[i] ? 0 : length[i][j];
}

/* Which of several waiting queues is preferred. */
typedef enum swq_preference {
    SWQ_PREFER_ANY,     /* all are equally likely */
    SWQ_PREFER_LONGEST, /* the longest; ties are equally likely */
    SWQ_PREFER_FIRST    /* the lowest number */
} swq_preference;

/* Choose among the candidates with length[c] > 0; SWQ_NO_INPUT if there is none. */
int swq_prefer(const int *length, int candidates, swq_preference preference, swq_dice *dice);

/* Choose among the candidates with length[c] > 0 as `serves` says; SWQ_NO_INPUT if there is none.
 * The pointer, which SWQ_SERVES_IN_TURNS needs, moves past the candidate chosen; NULL: no pointer
 * is needed, because there is never more than one candidate. */
int swq_choose(swq_serves serves, const int *length, int candidates, uint16_t *pointer,
               swq_dice *dice);

static inline void swq_grant_none(const swq_requests *requests, int *grant)
{
    for (int j = 0; j < requests->ports; j++)
        grant[j] = SWQ_NO_INPUT;
}

/* Each output that is still free takes a packet from a preferred input among those with a packet
 * for this output, even if the input already sends, as a read port per queue allows. */
void swq_grant_free_outputs(const swq_requests *requests, swq_preference preference, swq_dice *dice,
                            int *grant);

/* Inputs are visited in random order (in_order: 0, 1, ...), and each sends from a preferred queue
 * whose output is still free; with a read port per queue, the outputs left free are then filled. */
void swq_grant_inputs_first(const swq_requests *requests, bool in_order, swq_preference preference,
                            swq_dice *dice, int *grant);

/* swq_grant_inputs_first in steps, one input or one output at a time. */
bool swq_step_inputs_first(const swq_requests *requests, bool in_order, swq_preference preference,
                           uint64_t *done, swq_dice *dice, int *grant);

/* Criteria by which a set of transmissions is better than another, compared from left to right;
 * sets that are equally good are equally likely. */
typedef enum swq_goal {
    SWQ_MOST_PACKETS,
    SWQ_MOST_PACKETS_LONGEST_QUEUES,
    SWQ_LONGEST_QUEUES
} swq_goal;

enum { SWQ_BEST_SET_PORTS = 8 };

/* Grant one of the best sets of transmissions. Enumerates all matchings, of SWQ_BEST_SET_PORTS
 * ports at most unless each queue has a read port. */
void swq_grant_best_set(const swq_requests *requests, swq_goal goal, swq_dice *dice, int *grant);

#endif
