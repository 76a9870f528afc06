/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asking for memory before it is needed.
 */
#ifndef SWQ_BASE_FETCH_H
#define SWQ_BASE_FETCH_H

/* Begins to fetch the cache line at address `at`, which is about to be read and written. The empty
 * statement has an effect in the eyes of the compiler: a function that only fetches would otherwise
 * have no effect, and gcc 12 drops calls of such functions. */
static inline void swq_fetch(const void *at)
{
    __builtin_prefetch(at, 1);
    __asm__ volatile("");
}

#endif
