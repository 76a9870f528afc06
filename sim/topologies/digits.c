/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Permutations of the base-k digits of a line's number, for any k >= 2. Each costs a few divisions
 * and O(log digits) multiplications, and is only used when a network is built.
 */
#include "sim/topologies/topologies.h"

static uint32_t power(uint32_t base, int exponent)
{
    uint32_t result = 1;

    /* the last square may overflow, but is not used */
    for (; exponent > 0; exponent >>= 1, base *= base) {
        if (exponent & 1)
            result *= base;
    }
    return result;
}

uint32_t swq_digits_shuffle(int radix, int digits, uint32_t line)
{
    uint32_t k = (uint32_t)radix, top = power(k, digits - 1), low = line % (top * k);

    return line - low + low % top * k + low / top;
}

uint32_t swq_digits_unshuffle(int radix, int digits, uint32_t line)
{
    uint32_t k = (uint32_t)radix, top = power(k, digits - 1), low = line % (top * k);

    return line - low + low % k * top + low / k;
}

uint32_t swq_digits_exchange(int radix, int place, uint32_t line)
{
    uint32_t k = (uint32_t)radix, unit = power(k, place);
    uint32_t low = line % k, high = line / unit % k;

    return line - low - high * unit + high + low * unit;
}

int swq_digit_highest_first(int stages, int stage)
{
    return stages - 1 - stage;
}

int swq_digit_lowest_first(int stages, int stage)
{
    (void)stages;
    return stage;
}
