/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Importance functions, as splitting uses them.
 */
#ifndef SWQ_SIM_RARE_IMPORTANCE_H
#define SWQ_SIM_RARE_IMPORTANCE_H

#include "sim/stages/net.h"
#include "switchq/rare.h"

/* Data that an importance function can use besides the network. */
typedef struct swq_importance_aid {
    const void *table; /* computed once for all networks of a spec, or NULL */
    void *scratch;     /* a network's own memory, zero at first, or NULL */
} swq_importance_aid;

/* Importance is a whole number, 0 for an empty network. */
struct swq_importance_of {
    /* Is it defined for this network, and different from the functions before it in the table? */
    bool (*fits)(const swq_net *net);
    /* The importance of the state between two cycles, and its largest value. */
    uint32_t (*value)(const swq_net *net, const swq_importance_aid *aid);
    uint32_t (*most)(const swq_net *net);
    /* The size of the table, the function that fills it (it comes zeroed), and the size of the
     * scratch memory; NULL if there is none. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
    size_t (*table_bytes)(const swq_net *net);
    swq_status (*prepare)(swq_context *ctx, const swq_net *net, void *table);
    size_t (*scratch_bytes)(const swq_net *net);
};

/* The table of a network that fits, to be freed with swq_free; NULL if the function has none.
 * Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_importance_table(swq_context *ctx, const struct swq_importance_of *rule,
                                const swq_net *net, void **table);

/* defined in importance_chain.c */
extern const struct swq_importance_of swq_importance_chain;

enum {
    SWQ_IMPORTANCE_MOST = 1 << 16, /* larger values of an importance are clamped to this */
    SWQ_IMPORTANCE_PARTS = 8,      /* units of importance per packet */
    /* The weight of a packet in the way, in these units: fitted by eye to the logarithm of the
     * probability of a loss before the switch is empty, for a 2 x 2 DAMQ switch at load 0.25. It
     * affects only the variance. */
    SWQ_IMPORTANCE_RIVAL = 5
};

#endif
