/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quotients by known divisors are those of a division.
 */
#include "base/divide.h"

#include <criterion/criterion.h>

TestSuite(divide, .timeout = 60);

/* Small divisors and large ones, and numbers around their multiples, of which the largest decide.
 */
Test(divide, quotients_are_exact)
{
    for (uint64_t k = 0; k < 4000; k++) {
        const uint32_t divisor = (uint32_t)(k < 2000   ? k + 1
                                            : k < 3000 ? UINT32_MAX - k + 2000
                                                       : k * k * 271 % UINT32_MAX + 1);
        const uint64_t inverse = swq_inverse(divisor), most = UINT32_MAX / divisor;
        for (uint64_t j = 0; j < 64; j++) {
            const uint64_t times = j < 32 ? j % (most + 1) : most - (j - 32) % (most + 1);
            const uint32_t n = (uint32_t)(times * divisor), before = n - (n > 0);
            const uint32_t behind = n + (n < UINT32_MAX);
            cr_assert_eq(swq_quotient(n, inverse), n / divisor);
            cr_assert_eq(swq_quotient(before, inverse), before / divisor);
            cr_assert_eq(swq_quotient(behind, inverse), behind / divisor);
        }
        cr_assert_eq(swq_quotient(UINT32_MAX, inverse), UINT32_MAX / divisor);
    }
}
