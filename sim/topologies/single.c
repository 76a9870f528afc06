/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One switch by itself, with a source at each input and a sink at each output.
 */
#include "sim/topologies/topologies.h"

static uint32_t wire(int radix, int stages, int boundary, uint32_t line)
{
    (void)radix, (void)stages, (void)boundary;
    return line;
}

const swq_topology swq_topology_switch = {
    .name = "switch",
    .summary = "one switch, without a network around it",
    .source = "Frazier (1995), 4.2: the switch of Table 4.1",
    .stages = 1,
    .lone = true,
    .wire = wire,
    .digit = swq_digit_lowest_first,
};
