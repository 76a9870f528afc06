/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nearest neighbour on a ring of all nodes.
 * Room: sim.
 */
#include "sim/patterns/patterns.h"

static uint32_t image(uint32_t nodes, uint32_t source)
{
    return source + 1 < nodes ? source + 1 : 0;
}

const swq_pattern swq_pattern_neighbour = {
    .name = "neighbour",
    .summary = "node s sends to s + 1, modulo N nodes",
    .source = "Dally and Towles (2004), table 3.1, with one digit of base N",
    .image = image,
};
