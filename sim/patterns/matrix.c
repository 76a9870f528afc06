/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Destination probabilities given pair by pair (swq_traffic.matrix).
 */
#include "sim/patterns/patterns.h"

const swq_pattern swq_pattern_matrix = {
    .name = "matrix",
    .summary = "a probability for each source and destination, as given",
    .matrix = true,
    .source = "Dally and Towles (2004), 3.2: the traffic matrix",
};
