/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The destinations of a permutation, laid out.
 */
#ifndef SWQ_SIM_PATTERNS_IMAGE_H
#define SWQ_SIM_PATTERNS_IMAGE_H

#include "switchq/traffic.h"

/* The destination of every node under a pattern that is a permutation: *image receives [nodes], to
 * be freed by the caller with swq_free; NULL for a pattern whose destinations are drawn for each
 * packet. A random permutation depends on the seed alone: replications repeat one experiment. The
 * pattern must have no objection to `places`. Errors: SWQ_ENOMEM, SWQ_ELIMIT. O(nodes). */
swq_status swq_pattern_make_image(swq_context *ctx, const swq_pattern *pattern,
                                  const swq_places *places, uint64_t seed, uint32_t **image);

#endif
