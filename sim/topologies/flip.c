/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two networks that set the destination's lowest digit first. The flip network is the omega
 * network walked from its sinks to its sources: no wiring before the first stage, an unshuffle
 * behind every stage. The indirect k-ary n-cube lets stage s work along dimension s: behind it
 * digits 0 and s+1 change places, and an unshuffle behind the last stage puts all digits right.
 */
#include "sim/topologies/topologies.h"

static uint32_t wire_flip(int radix, int stages, int boundary, uint32_t line)
{
    return boundary > 0 ? swq_digits_unshuffle(radix, stages, line) : line;
}

static uint32_t wire_cube(int radix, int stages, int boundary, uint32_t line)
{
    if (boundary == 0)
        return line;
    if (boundary == stages)
        return swq_digits_unshuffle(radix, stages, line);
    return swq_digits_exchange(radix, boundary, line);
}

const swq_topology swq_topology_flip = {
    .name = "flip",
    .summary = "the omega network backwards: an unshuffle after every stage; lowest digit first",
    .source = "Batcher (1976), here for any radix",
    .wire = wire_flip,
    .digit = swq_digit_lowest_first,
};

const swq_topology swq_topology_cube = {
    .name = "cube",
    .summary = "indirect k-ary n-cube: stage s works along dimension s; lowest digit first",
    .source = "Pease (1977), here for any radix",
    .wire = wire_cube,
    .digit = swq_digit_lowest_first,
};
