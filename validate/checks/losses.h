/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two systems that most printed claims are about: the 2x2 switch of Table 4.1, exactly, and the
 * network of Tables 4.3 to 5.1, simulated.
 */
#ifndef SWQ_VALIDATE_LOSSES_H
#define SWQ_VALIDATE_LOSSES_H

#include "switchq/papers.h"
#include "switchq/validate.h"

/* The loss of a 2x2 switch by the rules of Table 4.1, with proven bounds. */
swq_status swq_claimed_loss(swq_context *ctx, const char *buffer, int slots, double load,
                            swq_mean *loss);

/* A point of the 64-node omega of blocking 4x4 switches. */
typedef struct swq_claimed_net {
    const char *buffer;
    int slots;         /* per input port */
    double hot;        /* fraction of the packets to node 0 */
    double throughput; /* if not 0: the load is chosen to deliver it; 0: `load` */
    double load;
    bool discard; /* by the rules of Table 4.2 */
    bool per_node;
    uint64_t cycles;
} swq_claimed_net;

swq_status swq_claimed_run(swq_context *ctx, const swq_claimed_net *net, uint64_t seed,
                           swq_sim_result *result);

#endif
