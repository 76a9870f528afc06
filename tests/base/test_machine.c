/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory that runs may take by default.
 */
#include "base/machine.h"
#include "tests/support/support.h"

#include <sys/resource.h>

Test(machine, a_limit_on_address_space_or_data_counts)
{
    static const int resource[] = {RLIMIT_AS, RLIMIT_DATA};
    const size_t whole = swq_usual_memory(), bytes = (size_t)100 << 20;
    struct rlimit before, limit;

    cr_assert(whole > bytes);
    for (int k = 0; k < 2; k++) {
        cr_assert_eq(getrlimit(resource[k], &before), 0);
        limit = (struct rlimit){.rlim_cur = bytes, .rlim_max = before.rlim_max};
        cr_assert_eq(setrlimit(resource[k], &limit), 0);
        const size_t limited = swq_usual_memory();
        cr_assert_eq(setrlimit(resource[k], &before), 0);
        cr_assert_eq(limited, bytes / 5 * 4);
    }
    cr_assert_eq(swq_usual_memory(), whole);
}
