/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transpose: d_i = s_((i + b/2) mod b). With nodes in a square, row by row, rows become columns.
 * Room: sim.
 */
#include "sim/patterns/patterns.h"

static uint32_t image(uint32_t nodes, uint32_t source)
{
    int half = swq_pattern_bits(nodes) / 2;

    return source >> half | (source << half & (nodes - 1));
}

const swq_pattern swq_pattern_transpose = {
    .name = "transpose",
    .summary = "the upper and the lower half of the node's bits change places",
    .source = "Dally and Towles (2004), table 3.1",
    .image = image,
    .objection = swq_pattern_even_power_of_two,
};
