/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes that are numbered by bits.
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

const char *swq_pattern_power_of_two(const swq_places *places)
{
    return is_power_of_two(places->nodes) ? NULL : "a power of two is needed";
}

bool swq_pattern_even_power_of_two(const swq_places *places)
{
    return is_power_of_two(places->nodes) && swq_pattern_bits(places->nodes) % 2 == 0;
}
