/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small chains of queues: a state is their lengths, in descending order among queues that are
 * alike, since exchanging these gives the same state. For formulas that are exact only as a chain
 * of some hundred states.
 */
#ifndef SWQ_MODELS_FORMULAS_QUEUE_CHAIN_H
#define SWQ_MODELS_FORMULAS_QUEUE_CHAIN_H

#include "models/intern.h"

enum { SWQ_CHAIN_QUEUES = 8, SWQ_CHAIN_STATES = 2000, SWQ_CHAIN_LENGTH = 255 };

typedef struct swq_queue_chain {
    swq_context *ctx;
    int queues;
    const int *kind; /* [queues]: kind of each queue; queues of a kind are alike, and consecutive;
                        NULL: all are alike */
    swq_intern states;
    struct swq_queue_move {
        int32_t from, to;
        double rate;
    } * move;
    size_t moves, room;
    int32_t from;      /* the state whose moves are being listed */
    swq_status status; /* the status of the first failure */
} swq_queue_chain;

/* List all moves from a state with swq_queue_chain_move. length: [queues], descending within a
 * kind. */
typedef void swq_queue_moves_fn(swq_queue_chain *chain, const void *model, const int *length);

/* List a move to the state with the given lengths, in any order within a kind, with its rate (or
 * probability). */
void swq_queue_chain_move(swq_queue_chain *chain, const int *length, double rate);

/* Explore everything that can be reached from a recurrent state, and solve: the caller frees
 * *probability [states]. The chain must be cleared in any case. Errors: SWQ_ELIMIT for more than
 * SWQ_CHAIN_STATES states; SWQ_ENOMEM. O(states * moves + states * width^2), where width is the
 * largest difference between the numbers of two states connected by a move, if states are numbered
 * in the order of their packets. */
swq_status swq_queue_chain_solve(swq_context *ctx, swq_queue_chain *chain, int queues,
                                 const int *kind, const int *start, swq_queue_moves_fn *moves,
                                 const void *model, double **probability);
void swq_queue_chain_clear(swq_queue_chain *chain);

/* The lengths of a state, descending within a kind; returns their sum. */
int swq_queue_chain_lengths(const swq_queue_chain *chain, int64_t state, int *length);

#endif
