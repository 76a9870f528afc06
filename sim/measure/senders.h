/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much each sender creates and sends in each batch of a replication. An engine reports its
 * senders' counts since cycle 0 (`senders` of swq_system) from state that it keeps anyway, so that
 * nothing is counted per packet for this alone.
 */
#ifndef SWQ_SIM_MEASURE_SENDERS_H
#define SWQ_SIM_MEASURE_SENDERS_H

#include "base/arrays.h"
#include "sim/measure/system.h"

/* Networks of more nodes keep no batches, since these take a kilobyte for each. */
enum { SWQ_MOST_SENDERS_IN_BATCHES = 4096 };

typedef struct swq_by_sender {
    uint32_t nodes;           /* 0: the engine does not count by sender */
    swq_sender_count *before; /* [nodes] when measuring began */
    swq_sender_count *now;    /* [nodes] at the end of the last batch */
    swq_sender_count *batch;  /* [SWQ_MOST_BATCHES * nodes] in each batch; NULL: too many nodes */
    uint8_t *waited; /* [nodes] did something wait at the sender when the first batch ended? */
} swq_by_sender;

/* Senders whose sizes are set and whose arrays are to be taken. */
swq_by_sender swq_by_sender_of(const swq_system *system);
void swq_by_sender_list(swq_by_sender *senders, swq_arrays *list);

/* Measuring begins. The next two functions: batch `batch` ends; batches are merged in pairs, in the
 * same way as the replication's `batches` batches. */
void swq_by_sender_begin(swq_by_sender *senders, const swq_system *system);
void swq_by_sender_end_batch(swq_by_sender *senders, const swq_system *system, size_t batch);
void swq_by_sender_merge(swq_by_sender *senders, size_t batches);

/* A sender's counts in the measured cycles, up to the end of the last batch. */
static inline swq_sender_count swq_sender_total(const swq_by_sender *s, uint32_t node)
{
    return (swq_sender_count){s->now[node].created - s->before[node].created,
                              s->now[node].sent - s->before[node].sent};
}

/* A sender's counts in one batch, in a network that keeps batches. */
static inline swq_sender_count swq_sender_in_batch(const swq_by_sender *s, size_t batch,
                                                   uint32_t node)
{
    return s->batch[batch * s->nodes + node];
}

/* Did nothing leave the sender, although something waited there from the end of the first batch
 * on? */
static inline bool swq_sender_starved(const swq_by_sender *s, uint32_t node)
{
    return s->waited[node] && swq_sender_total(s, node).sent == 0;
}

#endif
