/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A buffer with one read port before the heads that meet at an output: which of its queues it gives
 * when it is visited, by what the k queues of a buffer look like (column.h); and what
 * that makes of a head's chance at its output.
 * Room: approx. Includes switchq.
 */
#ifndef SWQ_APPROX_PARTITIONED_READS_H
#define SWQ_APPROX_PARTITIONED_READS_H

#include "approx/links/partitioned/chain.h"
#include "approx/links/partitioned/column.h"

/* Of one stage. [place * classes + class], unless said otherwise. */
typedef struct reads {
    const column_chain *row;
    double *send;         /* [states * classes]: of the row's queues, in each of its states */
    double *gives, *free; /* P(it gives the queue | output free), P(output free), as the row
                             has it */
    double *open;         /* P(output free), as the heads have it */
    double before[HEADS_WIDTH][HEADS_WIDTH]; /* [place][others that are open]: P(none took it) */
} reads;

/* Numbers that the pointers need. */
size_t reads_numbers(const column_chain *row);
void reads_place(reads *r, const column_chain *row, double *numbers);

/* From the row and its weights of taken outputs, and one queue's chain: what is given, moves->sends
 * and shares[length]. */
void reads_serve(reads *r, const double *row, const double *taken, const chain_shape *shape,
                 const double *queue, const heads_chain *heads, const double *heads_p,
                 heads_moves *moves, double *shares);
/* And the row's next state and weights. */
void reads_step(reads *r, const double *row, const double *taken, const chain_shape *shape,
                const double *queue, const heads_chain *heads, const double *heads_p,
                const queue_rates *rates, double *next_row, double *next_taken, double *scratch);

#endif
