/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See space.h.
 */
#include "tests/support/space.h"

#include "tests/support/support.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

void test_limit_space(long megabytes)
{
    struct rlimit limit;
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;

    cr_assert(file && fscanf(file, "%lu", &pages) == 1, "the process's size is not to be had");
    fclose(file);
    cr_assert_eq(getrlimit(RLIMIT_AS, &limit), 0);
    const rlim_t taken = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
    limit.rlim_cur = megabytes < 0 ? limit.rlim_max : taken + ((rlim_t)megabytes << 20);
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
}
