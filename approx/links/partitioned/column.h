/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * k queues of a blocking network that change together: those of one output (a column of the
 * switch), or those of one buffer (a row). States are multisets of classes (queue.h).
 */
#ifndef SWQ_APPROX_PARTITIONED_COLUMN_H
#define SWQ_APPROX_PARTITIONED_COLUMN_H

#include "approx/links/partitioned/lattice.h"
#include "approx/links/partitioned/queue.h"

typedef struct column_chain {
    int ports;
    queue_shape shape;
    lattice all;
} column_chain;

typedef struct column_reading {
    double sent, packets;
    double returns;           /* P(a queue that sends then has another packet) */
    double occupied, blocked; /* of a queue: P(not empty), P(its head is blocked) */
    double bystanders;        /* open heads that do not send, in cycles in which another one does */
    double stayers;           /* open heads that do not send */
    double serves[QUEUE_CLASSES];  /* P(a queue sends), by class */
    double busy[LATTICE_SIZE + 1]; /* P(the output sends), by the number of open heads */
    double heads[LATTICE_SIZE + 1][LATTICE_SIZE + 1]; /* [i][j]: P(i are open, j blocked) */
} column_reading;

swq_status column_init(swq_context *ctx, int ports, queue_shape shape, column_chain *chain);
void column_clear(swq_context *ctx, column_chain *chain);
size_t column_states(const column_chain *chain);
size_t column_scratch(const column_chain *chain);

/* send[s * classes + a]: P(in state s any one of the queues of class a sends). Inputs come in
 * random order, see outputs_step; gives and open are [place * classes + class]. */
void column_serve(const column_chain *chain, const double *p, const double *gives, double *send,
                  double *open, double *scratch);
void column_read(const column_chain *chain, const double *p, const double *send,
                 const queue_rates *rates, column_reading *reading);
/* next = p P, where each queue is fed by a link of its own. */
void column_step(const column_chain *chain, const double *p, const double *send,
                 const queue_rates *rates, const column_reading *reading, double *next,
                 double *scratch);
/* column_step if one link feeds all queues, and their heads are for different switches. */
void row_step(const column_chain *chain, const double *p, const double *send,
              const queue_rates *rates, double *next, double *scratch);
/* For a row (an input's queues): compute send, gives and free from `taken`, the weights of taken
 * outputs, as buffers_step has them. */
void row_serve(const column_chain *chain, const double *p, const double *taken, double *send,
               double *gives, double *free);

#endif
