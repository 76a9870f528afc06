/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The destinations of a permutation, laid out.
 * Room: sim.
 */
#ifndef SWQ_SIM_PATTERNS_IMAGE_H
#define SWQ_SIM_PATTERNS_IMAGE_H

#include "switchq/traffic.h"

/* Where a pattern that is a permutation sends every node: *image receives [nodes], the caller's, to
 * be freed with swq_free; NULL for a pattern whose destinations are drawn for each packet. A random
 * permutation is drawn from the seed, the same for all replications, which are repetitions of one
 * experiment. The pattern has no objection to `places`. Errors: SWQ_ENOMEM, SWQ_ELIMIT. O(nodes).
 */
swq_status swq_pattern_make_image(swq_context *ctx, const swq_pattern *pattern,
                                  const swq_places *places, uint64_t seed, uint32_t **image);

#endif
