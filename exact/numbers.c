/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory of GMP's numbers. GMP has three functions for it, which belong to the process; they
 * are replaced once by functions that call the original ones, and count the memory for the context
 * of the thread.
 */
#include "exact/numbers.h"

#include "base/context.h"
#include "exact/integers.h"

#include <pthread.h>

/* The context that this thread computes with; NULL: numbers are not counted. */
static _Thread_local swq_context *counting;

/* GMP's allocation functions before ours replaced them. */
static struct {
    void *(*take)(size_t);
    void *(*resize)(void *, size_t, size_t);
    void (*give_back)(void *, size_t);
} before;

/* The memory that a block takes: most numbers have one or two words, and the C library's own word
 * and its steps of 16 bytes take as much again. */
static size_t taken(size_t bytes)
{
    const size_t whole = (bytes + 8 + 15) / 16 * 16;
    return whole < 32 ? 32 : whole;
}

static void *take(size_t bytes)
{
    if (counting)
        swq_context_count(counting, taken(bytes), 0);
    return before.take(bytes);
}

static void *resize(void *block, size_t was, size_t bytes)
{
    if (counting)
        swq_context_count(counting, taken(bytes), taken(was));
    return before.resize(block, was, bytes);
}

static void give_back(void *block, size_t bytes)
{
    if (counting)
        swq_context_count(counting, 0, taken(bytes));
    before.give_back(block, bytes);
}

static void replace(void)
{
    mp_get_memory_functions(&before.take, &before.resize, &before.give_back);
    mp_set_memory_functions(take, resize, give_back);
}

void swq_numbers_begin(swq_context *ctx)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, replace);
    counting = ctx;
}

void swq_numbers_end(void)
{
    counting = NULL;
}
