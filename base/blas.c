/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One thread at a time in BLAS, and its work space. Both belong to the process, because the
 * library's work space does.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/blas.h"

#include "base/library.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

#ifndef SWQ_LIBRARY /* the file name of the BLAS library found at build time */
#define SWQ_LIBRARY "libblas.so"
#endif

static pthread_mutex_t blas = PTHREAD_MUTEX_INITIALIZER;

swq_cblas swq_blas;

void swq_blas_lock(void)
{
    pthread_mutex_lock(&blas);
}

void swq_blas_unlock(void)
{
    pthread_mutex_unlock(&blas);
}

/* Could the library map its work space? It maps slightly more than SWQ_BLAS_MEGABYTES. */
static bool has_room(void)
{
    const size_t bytes = ((size_t)SWQ_BLAS_MEGABYTES << 20) + (64 << 10);
    void *trial = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (trial == MAP_FAILED)
        return false;
    munmap(trial, bytes);
    return true;
}

/* A triangular solution always needs the work space, which the library keeps from then on. */
static void take_room(void)
{
    const double unit[] = {1, 0, 0, 1};
    double x[] = {1, 2, 3, 4};

    swq_blas.dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, 2, 2, 1, unit, 2,
                   x, 2);
}

static bool load(void)
{
    const swq_symbol symbols[] = {
        SWQ_SYMBOL(swq_blas.dtrsm, cblas_dtrsm),
        SWQ_SYMBOL(swq_blas.dgemm, cblas_dgemm),
        SWQ_SYMBOL(swq_blas.dgemv, cblas_dgemv),
    };
    swq_context *ctx = swq_context_new();
    const bool loaded = ctx && swq_library_load(ctx, SWQ_LIBRARY, symbols,
                                                (int)(sizeof symbols / sizeof *symbols)) == SWQ_OK;

    swq_context_free(ctx);
    return loaded;
}

bool swq_blas_ready(void)
{
    static bool ready;

    swq_blas_lock();
    if (!ready && load() && has_room()) {
        take_room();
        ready = true;
    }
    const bool answer = ready;
    swq_blas_unlock();
    return answer;
}
