/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loading shared libraries late.
 */
#include "base/library.h"

#include "base/context.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static bool filled(const swq_symbol *symbols, int count)
{
    void *function;

    for (int k = 0; k < count; k++) {
        memcpy(&function, symbols[k].pointer, sizeof function);
        if (!function)
            return false;
    }
    return true;
}

/* POSIX has functions and data in pointers of the same size; C has no cast from one to the other.
 */
static const char *fill(void *handle, const swq_symbol *symbols, int count)
{
    for (int k = 0; k < count; k++) {
        void *function = dlsym(handle, symbols[k].name);
        memcpy(symbols[k].pointer, &function, sizeof function);
        if (!function)
            return symbols[k].name;
    }
    return NULL;
}

static swq_status load(swq_context *ctx, const char *file, const swq_symbol *symbols, int count)
{
    void *const none = NULL;
    void *handle = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (!handle)
        return swq_fail(ctx, SWQ_ELIMIT, "cannot load a library that this needs: %s", dlerror());
    const char *missing = fill(handle, symbols, count);
    if (!missing)
        return SWQ_OK;
    for (int k = 0; k < count; k++)
        memcpy(symbols[k].pointer, &none, sizeof none);
    return swq_fail(ctx, SWQ_ELIMIT, "%s has no function %s", file, missing);
}

swq_status swq_library_load(swq_context *ctx, const char *file, const swq_symbol *symbols,
                            int count)
{
    pthread_mutex_lock(&loading);
    swq_status status = filled(symbols, count) ? SWQ_OK : load(ctx, file, symbols, count);
    pthread_mutex_unlock(&loading);
    return status;
}
