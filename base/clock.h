/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clocks in seconds: CLOCK_MONOTONIC, and those of CPU time.
 */
#ifndef SWQ_BASE_CLOCK_H
#define SWQ_BASE_CLOCK_H

#include <time.h>

static inline double swq_seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
