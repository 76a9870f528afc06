/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The omega network: a perfect shuffle of all lines before every stage, none behind the last.
 * After stage s the digit just set is at place 0; every later shuffle moves it up one place.
 */
#include "sim/topologies/topologies.h"

static uint32_t wire(int radix, int stages, int boundary, uint32_t line)
{
    return boundary < stages ? swq_digits_shuffle(radix, stages, line) : line;
}

const swq_topology swq_topology_omega = {
    .name = "omega",
    .summary = "a perfect shuffle before every stage; highest digit first",
    .source = "Lawrie (1975); for any radix Patel (1981)",
    .wire = wire,
    .digit = swq_digit_highest_first,
};
