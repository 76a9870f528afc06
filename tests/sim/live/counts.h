/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether counts of stepped networks are equal: the bytes behind their last member say nothing.
 */
#ifndef SWQ_TESTS_SIM_LIVE_COUNTS_H
#define SWQ_TESTS_SIM_LIVE_COUNTS_H

#include "switchq/live.h"

#include <stddef.h>
#include <string.h>

static inline bool same_counts(const swq_live_counts *a, const swq_live_counts *b)
{
    return memcmp(a, b, offsetof(swq_live_counts, deadlock)) == 0 && a->deadlock == b->deadlock;
}

#endif
