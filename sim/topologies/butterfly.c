/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The butterfly, or k-ary n-fly: between stages s-1 and s digit 0 and digit n-s change places, so
 * that the digit just set goes where it belongs. Sources and sinks are connected straight.
 */
#include "sim/topologies/topologies.h"

static uint32_t wire(int radix, int stages, int boundary, uint32_t line)
{
    if (boundary == 0 || boundary == stages)
        return line;
    return swq_digits_exchange(radix, stages - boundary, line);
}

const swq_topology swq_topology_butterfly = {
    .name = "butterfly",
    .summary = "k-ary n-fly: stages s-1 and s exchange digits 0 and n-s; highest digit first",
    .source = "Goke and Lipovski (1973); Dally and Towles (2004), 4.1",
    .wire = wire,
    .digit = swq_digit_highest_first,
};
