/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bit reversal: d_i = s_(b-1-i), as in the data exchange of an FFT.
 */
#include "sim/patterns/patterns.h"

static uint32_t image(const swq_places *places, uint32_t source)
{
    uint32_t reversed = 0;

    for (int bits = swq_pattern_bits(places->nodes); bits > 0; bits--, source >>= 1)
        reversed = reversed << 1 | (source & 1);
    return reversed;
}

const swq_pattern swq_pattern_bit_reversal = {
    .name = "bit-reversal",
    .summary = "the bits of the node's number in reverse order",
    .source = "Dally and Towles (2004), table 3.1",
    .image = image,
    .objection = swq_pattern_power_of_two,
};
