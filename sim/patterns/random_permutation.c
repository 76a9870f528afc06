/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A permutation that is drawn once, uniformly from all permutations, and kept.
 */
#include "sim/patterns/patterns.h"

const swq_pattern swq_pattern_random_permutation = {
    .name = "random-permutation",
    .summary = "a permutation of the nodes, drawn once at the start",
    .shuffled = true,
    .source = "Dally and Towles (2004), 3.2",
};
