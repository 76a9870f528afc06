/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes that are numbered by bits.
 * Room: sim.
 */
#include "sim/patterns/patterns.h"

int swq_pattern_bits(uint32_t nodes)
{
    int bits = 0;

    while (nodes >>= 1)
        bits++;
    return bits;
}

static bool is_power_of_two(uint32_t nodes)
{
    return nodes > 0 && (nodes & (nodes - 1)) == 0;
}

const char *swq_pattern_power_of_two(uint32_t nodes)
{
    return is_power_of_two(nodes) ? NULL : "a power of two is needed";
}

const char *swq_pattern_even_power_of_two(uint32_t nodes)
{
    return is_power_of_two(nodes) && swq_pattern_bits(nodes) % 2 == 0
               ? NULL
               : "an even power of two is needed";
}
