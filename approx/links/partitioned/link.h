/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of a link of a blocking network and one queue behind it: the number of heads of the
 * switch before that are for this queue, and its length. Before the first stage there is a source.
 */
#ifndef SWQ_APPROX_PARTITIONED_LINK_H
#define SWQ_APPROX_PARTITIONED_LINK_H

#include "approx/links/partitioned/column.h"

typedef struct link_chain {
    int ports;
    queue_shape queue;
    bool source;
    int heads; /* states before the queue: 0 .. k heads; of a source: idle, holds a packet for this
                  queue, or for another one */
} link_chain;

/* P(a packet crosses to this queue) and P(a packet crosses to another queue), by the number of
 * heads for this queue (if it is open). */
typedef struct link_service {
    double mine[LATTICE_SIZE + 1], other[LATTICE_SIZE + 1];
    double other_closed[LATTICE_SIZE + 1]; /* P(a packet crosses to another queue) while
                                              this queue is full */
} link_service;

link_chain link_chain_of(int ports, queue_shape queue, bool source);
size_t link_states(const link_chain *link);

/* Compute how heads before the link are served, from the column before. */
void link_serve(const link_chain *link, const column_reading *before, double full,
                link_service *service);
/* P(a packet comes to the queue), by the queue's class. */
void link_comes(const link_chain *link, const double *p, const link_service *service, double load,
                queue_rates *rates);
/* next = p P. `before`, `from`: the column before, and the conditions that its queues meet; `here`:
 * the column that the queue is part of. Measures in `from` the conditions that the heads before the
 * link meet. */
void link_step(const link_chain *link, const double *p, const link_service *service,
               const column_reading *before, queue_rates *from, const column_reading *here,
               queue_rates *rates, double *next);
void source_step(const link_chain *link, const double *p, double load, const column_reading *here,
                 queue_rates *rates, double *next);

/* Packets per cycle that the link brings to the queue. */
double link_flow(const link_chain *link, const double *p, const link_service *service, double load);

/* Mean number of heads, P(the queue is full). */
double link_heads(const link_chain *link, const double *p);
double link_full(const link_chain *link, const double *p);

#endif
