/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Windows on input queues of a few ports.
 */
#ifndef SWQ_MODELS_FORMULAS_WINDOW_H
#define SWQ_MODELS_FORMULAS_WINDOW_H

#include "switchq/context.h"

/* Throughput per output at saturation, by the chain of what inputs have seen and kept. With 3 ports
 * windows of 1 .. 5 packets, with 4 of 1 .. 3, with 5 of 1 .. 2. Errors: SWQ_ELIMIT for others;
 * SWQ_ENOMEM, SWQ_ECANCELLED. Less than a second and 10 MB. */
swq_status swq_window_chain(swq_context *ctx, int ports, int window, double *throughput);

#endif
