/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cycles of one large network on several threads. Each has a share: some switches of every
 * stage, and some sources. In a stage's turn no switch touches what another one reads: packets move
 * into buffers of the next stage, each fed by one output, and room is seen as it was before. So it
 * is enough that all threads meet after each stage's turn, and the numbers are the same to the bit
 * for any number of them. A share counts by itself; all counts are sums modulo 2^64, and are added
 * up when the cycles are over.
 *
 * A share has other switches at each stage, so that packets stay with it at most boundaries between
 * stages. What threads write is then in their own caches, and they meet only before and after the
 * turn of a stage from which packets cross.
 */
#ifndef SWQ_SIM_STAGES_SHARES_H
#define SWQ_SIM_STAGES_SHARES_H

#include "sim/stages/net.h"

typedef struct swq_shares swq_shares;

/* The number of shares in which `threads` threads can run a network; 1: shares are not worth while,
 * or switches share more than their links. */
int swq_shares_of(const swq_net *net, int threads);

/* Starts shares - 1 threads, or as many as can be had, which wait for work. *made is NULL if there
 * are none. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_shares_new(swq_context *ctx, swq_net *net, int shares, swq_shares **made);
void swq_shares_free(swq_context *ctx, swq_shares *s);

/* Bytes of the shares. */
double swq_shares_bytes(const swq_net *net, int shares);

/* Runs all shares for `cycles` cycles. */
void swq_shares_run(swq_shares *s, uint64_t cycles);

#endif
