/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Importance functions, as the splitting sees them.
 * Room: sim.
 */
#ifndef SWQ_SIM_RARE_IMPORTANCE_H
#define SWQ_SIM_RARE_IMPORTANCE_H

#include "sim/sync/net.h"
#include "switchq/rare.h"

/* Importance is a whole number, 0 for an empty network. */
struct swq_importance_of {
    /* Can it be told of this network, and would it be another one than those before it? */
    bool (*fits)(const swq_net *net);
    /* Of the state between two cycles. */
    uint32_t (*value)(const swq_net *net);
    uint32_t (*most)(const swq_net *net);
};

enum { SWQ_IMPORTANCE_MOST = 1 << 16 /* beyond it, values are cut off */ };

#endif
