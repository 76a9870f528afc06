/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The allocations of SuiteSparse's libraries.
 * Includes base and SuiteSparse's configuration.
 */
#include "solvers/suitesparse.h"

#include "base/context.h"
#include "base/library.h"

#include <suitesparse/SuiteSparse_config.h>

#include <pthread.h>
#include <stddef.h>

/* The context on whose behalf this thread calls SuiteSparse; NULL: none. */
static _Thread_local swq_context *counting;

/* SuiteSparse's allocation functions before ours replaced them. */
static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
} before;

static void *take(size_t bytes)
{
    return counting ? swq_calloc(counting, 1, bytes) : before.malloc(bytes);
}

static void *take_zeroed(size_t count, size_t size)
{
    return counting ? swq_calloc(counting, count, size) : before.calloc(count, size);
}

static void *resize(void *block, size_t bytes)
{
    return counting ? swq_resize(counting, block, 1, bytes) : before.realloc(block, bytes);
}

static void give_back(void *block)
{
    if (counting)
        swq_free(counting, block);
    else
        before.free(block);
}

/* The functions that are replaced, and their replacements. */
#define OF_EACH(entry)                                                                             \
    entry(malloc, take) entry(calloc, take_zeroed) entry(realloc, resize) entry(free, give_back)

/* Versions from 6 on have functions in place of the table. */
#if SUITESPARSE_MAIN_VERSION >= 6
#define DECLARE(name, ours)                                                                        \
    __typeof__(SuiteSparse_config_##name##_func_get) *name##_get;                                  \
    __typeof__(SuiteSparse_config_##name##_func_set) *name##_set;
#define SYMBOL(name, ours)                                                                         \
    SWQ_SYMBOL(config.name##_get, SuiteSparse_config_##name##_func_get),                           \
        SWQ_SYMBOL(config.name##_set, SuiteSparse_config_##name##_func_set),
#define REPLACE(name, ours)                                                                        \
    before.name = config.name##_get();                                                             \
    config.name##_set(ours);
static struct {
    OF_EACH(DECLARE)
} config;
#define SYMBOLS OF_EACH(SYMBOL)
#else
#define REPLACE(name, ours)                                                                        \
    before.name = config.table->name##_func;                                                       \
    config.table->name##_func = ours;
static struct {
    __typeof__(SuiteSparse_config) *table;
} config;
#define SYMBOLS SWQ_SYMBOL(config.table, SuiteSparse_config)
#endif

static void replace(void)
{
    OF_EACH(REPLACE);
}

swq_status swq_suitesparse_begin(swq_context *ctx, const char *library)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const swq_symbol symbols[] = {SYMBOLS};
    swq_status status =
        swq_library_load(ctx, library, symbols, (int)(sizeof symbols / sizeof *symbols));

    if (status)
        return status;
    pthread_once(&once, replace);
    counting = ctx;
    return SWQ_OK;
}

void swq_suitesparse_end(void)
{
    counting = NULL;
}
