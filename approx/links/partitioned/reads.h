/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A buffer with one read port, combined with the heads that meet at an output: from which of its k
 * queues the buffer gives a packet when it is visited, by the state of these queues (column.h), and
 * how this changes a head's probability of being sent.
 */
#ifndef SWQ_APPROX_PARTITIONED_READS_H
#define SWQ_APPROX_PARTITIONED_READS_H

#include "approx/links/partitioned/chain.h"
#include "approx/links/partitioned/column.h"

/* For one stage. Arrays are [place * classes + class], unless said otherwise. */
typedef struct reads {
    const column_chain *row;
    double *send;         /* [states * classes]: for the row's queues, in each of its states */
    double *gives, *free; /* P(the buffer gives a packet of the queue | output free) and P(output
                             free), by the row */
    double *open;         /* P(output free), by the heads */
    /* [place][other open heads]: P(none took the output) */
    double before[HEADS_WIDTH][HEADS_WIDTH];
} reads;

/* The size of the memory behind the pointers, in numbers. */
size_t reads_numbers(const column_chain *row);
void reads_place(reads *r, const column_chain *row, double *numbers);

/* Compute the probabilities of giving, moves->sends and shares[length], from the row, its weights
 * of taken outputs, and one queue's chain. */
void reads_serve(reads *r, const double *row, const double *taken, const chain_shape *shape,
                 const double *queue, const heads_chain *heads, const double *heads_p,
                 heads_moves *moves, double *shares);
/* Compute the row's next state and weights. */
void reads_step(reads *r, const double *row, const double *taken, const chain_shape *shape,
                const double *queue, const heads_chain *heads, const double *heads_p,
                const queue_rates *rates, double *next_row, double *next_taken, double *scratch);

#endif
