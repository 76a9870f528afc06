/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory of the machine, and how much of it ulimit allows.
 */
#include "base/machine.h"

#include <sys/resource.h>
#include <unistd.h>

size_t swq_usual_memory(void)
{
    static const int resource[] = {RLIMIT_AS, RLIMIT_DATA};
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    size_t bytes = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : 0;

    for (size_t k = 0; k < sizeof resource / sizeof *resource; k++) {
        struct rlimit limit;
        if (getrlimit(resource[k], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
            (bytes == 0 || limit.rlim_cur < bytes))
            bytes = (size_t)limit.rlim_cur;
    }
    return bytes / 5 * 4;
}
