/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quotients by a number that is known long before: a product in place of a division, which takes
 * several times as long (Granlund and Montgomery, 1994; rounded down, as Robison, 2005, has it).
 */
#ifndef SWQ_BASE_DIVIDE_H
#define SWQ_BASE_DIVIDE_H

#include <stdint.h>

__extension__ typedef unsigned __int128 swq_wide_product;

/* What swq_quotient needs to know of a divisor, which is at least 1. */
static inline uint64_t swq_inverse(uint32_t divisor)
{
    return UINT64_MAX / divisor;
}

/* n / divisor, rounded down. With 2^64 - 1 = divisor * inverse + r, the product is by
 * (n + 1) (r + 1) / divisor less than 2^64 (n + 1) / divisor: by 2^64 / divisor at most, so that it
 * is not below 2^64 times the quotient, and always by something. */
static inline uint32_t swq_quotient(uint32_t n, uint64_t inverse)
{
    return (uint32_t)((swq_wide_product)inverse * (n + UINT64_C(1)) >> 64);
}

#endif
