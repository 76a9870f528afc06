/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Importance functions, as splitting uses them.
 * Room: sim.
 */
#ifndef SWQ_SIM_RARE_IMPORTANCE_H
#define SWQ_SIM_RARE_IMPORTANCE_H

#include "sim/sync/net.h"
#include "switchq/rare.h"

/* What an importance function has to work with, besides the network. */
typedef struct swq_importance_aid {
    const void *table; /* worked out once for all networks of a spec, or NULL */
    void *scratch;     /* one network's own, zero at first, or NULL */
} swq_importance_aid;

/* Importance is a whole number, 0 for an empty network. */
struct swq_importance_of {
    /* Can it be told of this network, and would it be another one than those before it? */
    bool (*fits)(const swq_net *net);
    /* Of the state between two cycles. */
    uint32_t (*value)(const swq_net *net, const swq_importance_aid *aid);
    uint32_t (*most)(const swq_net *net);
    /* The table's bytes, what fills it, zeroed before, and the scratch's bytes; NULL without.
     * Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
    size_t (*table_bytes)(const swq_net *net);
    swq_status (*prepare)(swq_context *ctx, const swq_net *net, void *table);
    size_t (*scratch_bytes)(const swq_net *net);
};

/* The table of a network that the function fits, to be freed by swq_free; NULL if it has none.
 * Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_importance_table(swq_context *ctx, const struct swq_importance_of *rule,
                                const swq_net *net, void **table);

/* importance_chain.c */
extern struct swq_importance_of swq_importance_chain;

enum { SWQ_IMPORTANCE_MOST = 1 << 16 /* beyond it, values are cut off */ };

#endif
