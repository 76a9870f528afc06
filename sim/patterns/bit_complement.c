/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bit complement: d_i = 1 - s_i, node s sends to N-1-s.
 */
#include "sim/patterns/patterns.h"

static uint32_t image(const swq_places *places, uint32_t source)
{
    return places->nodes - 1 - source;
}

const swq_pattern swq_pattern_bit_complement = {
    .name = "bit-complement",
    .summary = "every bit of the node's number inverted",
    .source = "Dally and Towles (2004), table 3.1",
    .image = image,
    .objection = swq_pattern_power_of_two,
};
