/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Uniform: every packet's destination is drawn from all nodes.
 */
#include "sim/patterns/patterns.h"

const swq_pattern swq_pattern_uniform = {
    .name = "uniform",
    .summary = "each packet goes to any node, all alike",
    .source = "Patel (1981); Frazier (1995), 4.5",
};
