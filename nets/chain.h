/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of a network: nodes in levels, a sparse factor for each event of the cycle, and the
 * expected counts of each event.
 */
#ifndef SWQ_NETS_CHAIN_H
#define SWQ_NETS_CHAIN_H

#include "models/growing.h"
#include "models/intern.h"
#include "nets/renamings.h"
#include "nets/step.h"

typedef struct swq_netlevel {
    swq_intern node;
    swq_csr factor;        /* of the event that leads to the next level */
    long double *count;    /* [node.count * SWQ_NETCOUNTS] expected counts of this event */
    int64_t room;          /* nodes allocated in count */
    int64_t most_outcomes; /* most outcomes of the event, from one node */
} swq_netlevel;

typedef struct swq_netchain {
    swq_netplan plan;
    swq_netrenamings renamings;
    swq_netlevel
        level[SWQ_MOST_FACTORS];      /* [plan.events]; the nodes of the first one are the states */
    swq_csr factor[SWQ_MOST_FACTORS]; /* the factors of the levels, in order */
    double roundings, count_roundings; /* of the product, and of the expected counts of a cycle */
    int64_t entries, intermediates;
} swq_netchain;

/* Generate, breadth first from the empty network. The caller frees *chain. Errors: SWQ_ELIMIT if
 * the foreseen size exceeds the memory limit, or the limit is reached; SWQ_ENOMEM, SWQ_ERANGE,
 * SWQ_ECANCELLED. */
swq_status swq_netchain_generate(swq_context *ctx, const swq_network *network, bool reduce,
                                 swq_netchain **chain);
void swq_netchain_free(swq_context *ctx, swq_netchain *chain);

/* expected[states]: the expected value of a count in a cycle from each state, over the receptions
 * or the transmissions (of both kinds) of a stage. O(entries). Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_netchain_expect(swq_context *ctx, const swq_netchain *chain, bool reception,
                               int stage, swq_netcount count, double *expected);

/* Foresees, without generating it, the size of the chain that a plan describes, in states and
 * bytes, with states merged that differ by a renaming of nodes. */
void swq_netplan_size(const swq_netplan *plan, const swq_netrenamings *renamings,
                      swq_netchain_size *size);

/* Refuse a chain that exceeds the context's memory limit. */
swq_status swq_netchain_check_size(swq_context *ctx, const swq_netchain_size *size);

#endif
