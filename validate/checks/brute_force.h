/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worst cases of rules of admission by brute force: dynamic programming over all sequences of
 * arrivals up to a length, with no policy, no potential, and queues that keep their names.
 */
#ifndef SWQ_VALIDATE_BRUTE_FORCE_H
#define SWQ_VALIDATE_BRUTE_FORCE_H

#include "switchq/worst.h"

/* The most that denominator * (worth of the packets that the optimum sends) exceeds numerator *
 * (worth of those that the rule sends), over all sequences of up to `steps` arrivals and ends of
 * phases that begin and end with empty memories. Stops at the first sequence length that gains
 * something. 0: no sequence of that length exceeds the ratio. Of the question, the memory, its
 * queues and the values count: arrivals per phase are unlimited, and the speedup is 1. Errors:
 * SWQ_EINVAL for a rule that keeps words, or more than 8 slots; SWQ_ENOMEM. Cost: steps * pairs of
 * contents * queues * classes, 16 bytes a pair. */
swq_status swq_brute_force_gain(swq_context *ctx, const swq_worst_spec *spec, int64_t numerator,
                                int64_t denominator, int steps, int64_t *gain);

#endif
