/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The number of packets that all queues of a chain hold together, which settles last, and is
 * balanced in each step (approx/lumps.h). A cycle takes one packet away, or none, and then adds
 * some.
 */
#ifndef SWQ_APPROX_PARTITIONED_TOTALS_H
#define SWQ_APPROX_PARTITIONED_TOTALS_H

#include "approx/lumps.h"

typedef struct totals_flow {
    int most, growth; /* most packets, and most packets that come in a cycle */
    double *stays;    /* [most + 1]: mass that sends no packet */
    double *sends;    /* [most + 1]: mass that sends a packet */
    double *grew;     /* [most + 1][growth + 1]: by packets left and packets that come */
    approx_lumps lumps;
} totals_flow;

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status totals_init(swq_context *ctx, int most, int growth, totals_flow *totals);
void totals_clear(swq_context *ctx, totals_flow *totals);

/* Set all flows to zero. */
void totals_start(totals_flow *totals);

/* Returns the factors [most + 1] for the states with each number of packets after the cycle. */
const double *totals_solve(totals_flow *totals);

#endif
