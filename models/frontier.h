/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expanding many nodes of a level side by side, on the threads of the context: their outcomes are
 * listed and looked up in the set of the next level while nothing is added to it, then new nodes
 * are numbered one by one, in the order in which a single thread would find them. Numbers and
 * factors are the same to the bit for any number of threads.
 */
#ifndef SWQ_MODELS_FRONTIER_H
#define SWQ_MODELS_FRONTIER_H

#include "models/growing.h"
#include "models/intern.h"

/* Outcomes of nodes, as they are listed. */
typedef struct swq_outcomes {
    swq_context *ctx; /* NULL on a thread: nothing may be allocated, and nothing tabulated for the
                         first time */
    int words;        /* words of the node that an outcome leads to */
    int64_t count, room;
    swq_growing_entry *entry; /* [room] */
    swq_word *key;            /* [room * words] */
    bool full; /* there was no room for an outcome, and no context to allocate more */
} swq_outcomes;

/* List an outcome: the node that it leads to, and the arguments of swq_growing_add. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_outcomes_add(swq_outcomes *o, const swq_word *key, long double value,
                            long double refused, long double pairs);

void swq_outcomes_clear(swq_context *ctx, swq_outcomes *o);

/* List all outcomes of a node. Without a context in `o`, the function may be called on several
 * threads at once, and may fail because something is not tabulated yet; the node is then expanded
 * again with a context. */
typedef swq_status swq_expand_fn(void *arg, int64_t node, swq_outcomes *o);

typedef struct swq_frontier swq_frontier;

swq_status swq_frontier_new(swq_context *ctx, int words, swq_frontier **frontier);
void swq_frontier_free(swq_context *ctx, swq_frontier *frontier);

/* The number of nodes, of `waiting` ones, that are expanded at once. */
int64_t swq_frontier_block(int64_t waiting);

/* Expand nodes g->rows .. g->rows + count - 1, where count is at most a block: they become rows of
 * g, and the nodes that they lead to are added to `into`. Errors: those of swq_growing_finish and
 * of `expand`; SWQ_ELIMIT. */
swq_status swq_frontier_expand(swq_context *ctx, swq_frontier *f, swq_expand_fn *expand, void *arg,
                               int64_t count, swq_intern *into, swq_growing *g);

#endif
