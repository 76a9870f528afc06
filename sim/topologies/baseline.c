/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The baseline network, defined recursively: behind a first stage the lines are unshuffled into k
 * networks of a k-th of the size. Between stages s-1 and s, s = 1 .. n-1, the n-s+1 lowest digits
 * are therefore unshuffled, within blocks of k^(n-s+1) lines. Sources and sinks are connected
 * straight.
 */
#include "sim/topologies/topologies.h"

static uint32_t wire(int radix, int stages, int boundary, uint32_t line)
{
    if (boundary == 0 || boundary == stages)
        return line;
    return swq_digits_unshuffle(radix, stages - boundary + 1, line);
}

const swq_topology swq_topology_baseline = {
    .name = "baseline",
    .summary = "an unshuffle after each stage splits the network into k networks of a k-th of the "
               "size; highest digit first",
    .source = "Wu and Feng (1980), here for any radix",
    .wire = wire,
    .digit = swq_digit_highest_first,
};
