/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of a network: nodes in levels, a sparse factor for each event of the cycle, and what is
 * expected to happen in it.
 * Room: nets. Includes models.
 */
#ifndef SWQ_NETS_CHAIN_H
#define SWQ_NETS_CHAIN_H

#include "models/growing.h"
#include "models/intern.h"
#include "nets/renamings.h"
#include "nets/step.h"

typedef struct swq_netlevel {
    swq_intern node;
    swq_csr factor;        /* of the event that leads on */
    long double *count;    /* [node.count * SWQ_NETCOUNTS] expected counts of it */
    int64_t room;          /* nodes allocated in count */
    int64_t most_outcomes; /* of the event, from one node */
} swq_netlevel;

typedef struct swq_netchain {
    swq_netplan plan;
    swq_netrenamings renamings;
    swq_netlevel level[SWQ_MOST_FACTORS]; /* [plan.events]; the first one's nodes are the states */
    swq_csr factor[SWQ_MOST_FACTORS];     /* the levels', one behind the other */
    double roundings, count_roundings;    /* of the product, and of what is expected of a cycle */
    int64_t entries, intermediates;
} swq_netchain;

/* Generate, breadth first from the empty network. The caller frees *chain. Errors: SWQ_ELIMIT when
 * the foreseen size exceeds the memory limit, or it is met on the way; SWQ_ENOMEM, SWQ_ERANGE,
 * SWQ_ECANCELLED. */
swq_status swq_netchain_generate(swq_context *ctx, const swq_network *network, bool reduce,
                                 swq_netchain **chain);
void swq_netchain_free(swq_context *ctx, swq_netchain *chain);

/* expected[states]: what a cycle from each state is expected to bring of a count, over the events
 * of that kind and stage (of both kinds of transmission alike). O(entries). Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status swq_netchain_expect(swq_context *ctx, const swq_netchain *chain, bool reception,
                               int stage, swq_netcount count, double *expected);

/* Size and symmetry of a plan. */
void swq_netplan_size(const swq_netplan *plan, const swq_netrenamings *renamings,
                      swq_netchain_size *size);

/* Refuse what does not fit the context's memory limit. */
swq_status swq_netchain_check_size(swq_context *ctx, const swq_netchain_size *size);

#endif
