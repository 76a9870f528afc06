/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walking a list of arrays. The variables are of types that this file does not know, so pointers
 * are copied in and out.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "base/arrays.h"

#include "base/context.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_FROM = 1 << 22 /* bytes: two huge pages of most machines */ };

void swq_arrays_add(swq_arrays *list, void *at, size_t size, double elements)
{
    assert(list->count < SWQ_MOST_ARRAYS);
    list->array[list->count].at = at;
    list->array[list->count].size = size;
    list->array[list->count].elements = elements;
    list->count++;
}

double swq_arrays_bytes(const swq_arrays *list)
{
    double bytes = 0;

    for (int k = 0; k < list->count; k++)
        bytes += list->array[k].elements * (double)list->array[k].size;
    return bytes;
}

void *swq_arrays_block(const swq_arrays *list, int k)
{
    void *block;

    memcpy(&block, list->array[k].at, sizeof block);
    return block;
}

/* Arrays of many pages are traversed again and again, and with huge pages, where the system has
 * them, addresses are translated in fewer steps. It is not an error if the system refuses. */
static void prefer_huge_pages(void *block, double bytes)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)block;
    const uintptr_t first = (at + page - 1) / page * page, end = at + (uintptr_t)bytes;

    if (bytes >= HUGE_FROM)
        (void)madvise((char *)block + (first - at), (end - first) / page * page, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

swq_status swq_arrays_take(swq_context *ctx, const swq_arrays *list)
{
    for (int k = 0; k < list->count; k++) {
        if (list->array[k].elements <= 0)
            continue;
        void *block = swq_calloc(ctx, (size_t)list->array[k].elements, list->array[k].size);
        if (!block)
            return swq_memory_status(ctx);
        prefer_huge_pages(block, list->array[k].elements * (double)list->array[k].size);
        memcpy(list->array[k].at, &block, sizeof block);
    }
    return SWQ_OK;
}

void swq_arrays_free(swq_context *ctx, const swq_arrays *list)
{
    void *const none = NULL;

    for (int k = 0; k < list->count; k++) {
        swq_free(ctx, swq_arrays_block(list, k));
        memcpy(list->array[k].at, &none, sizeof none);
    }
}
