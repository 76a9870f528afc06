/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tornado: just under half way around, the worst case of minimal routing on a ring. All nodes count
 * as one ring here; Dally and Towles apply it digit by digit.
 * Room: sim.
 */
#include "sim/patterns/patterns.h"

static uint32_t image(uint32_t nodes, uint32_t source)
{
    uint32_t hop = (nodes - 1) / 2; /* ceil(nodes / 2) - 1 */

    return (uint32_t)(((uint64_t)source + hop) % nodes);
}

const swq_pattern swq_pattern_tornado = {
    .name = "tornado",
    .summary = "node s sends to s + ceil(N/2) - 1, modulo N nodes",
    .source = "Dally and Towles (2004), table 3.1, with one digit of base N",
    .image = image,
};
