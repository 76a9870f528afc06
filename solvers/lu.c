/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LAPACK's dense LU of I - Q.
 */
#include "base/blas.h"
#include "base/context.h"
#include "base/library.h"
#include "solvers/solvers.h"

#include <lapack.h>

#include <limits.h>
#include <string.h>

#ifndef SWQ_LIBRARY
#define SWQ_LIBRARY "liblapack.so"
#endif

static struct {
    __typeof__(dgetrf_) *dgetrf;
    __typeof__(dgetrs_) *dgetrs;
} lapack;

static swq_status load_lapack(swq_context *ctx)
{
    const swq_symbol symbols[] = {
        SWQ_SYMBOL(lapack.dgetrf, dgetrf_),
        SWQ_SYMBOL(lapack.dgetrs, dgetrs_),
    };
    return swq_library_load(ctx, SWQ_LIBRARY, symbols, (int)(sizeof symbols / sizeof *symbols));
}

typedef struct {
    lapack_int n;
    double *a; /* [n * n] row-major I - Q, factored */
    lapack_int *pivot;
} lu;

static void release(swq_context *ctx, void *work)
{
    lu *f = work;

    if (!f)
        return;
    swq_free(ctx, f->a);
    swq_free(ctx, f->pivot);
    swq_free(ctx, f);
}

static swq_status prepare(swq_context *ctx, const swq_csr *p, int64_t root,
                          const swq_solver_options *options, void **work)
{
    (void)options;
    size_t n = (size_t)p->rows;
    if (p->rows > 46000)
        return swq_fail(ctx, SWQ_ELIMIT, "lu takes at most 46000 states, not %lld",
                        (long long)p->rows);
    swq_status loaded = load_lapack(ctx);
    if (loaded)
        return loaded;
    lu *f = swq_calloc(ctx, 1, sizeof *f);
    if (!f)
        return swq_memory_status(ctx);
    f->n = (lapack_int)n;
    f->a = swq_calloc(ctx, n, n * sizeof *f->a);
    f->pivot = swq_calloc(ctx, n, sizeof *f->pivot);
    if (!f->a || !f->pivot) {
        release(ctx, f);
        return swq_memory_status(ctx);
    }
    for (size_t s = 0; s < n; s++) {
        f->a[s * n + s] = 1;
        for (int64_t e = p->start[s]; e < p->start[s + 1]; e++) {
            if (p->col[e] != root)
                f->a[s * n + (size_t)p->col[e]] -= p->value[e];
        }
    }
    /* the row-major matrix read by columns is its transpose: no copy is made */
    lapack_int info = 0;
    swq_blas_lock();
    lapack.dgetrf(&f->n, &f->n, f->a, &f->n, f->pivot, &info);
    swq_blas_unlock();
    if (info != 0) {
        release(ctx, f);
        return swq_fail(ctx, SWQ_ESINGULAR, "LU met a zero pivot");
    }
    *work = f;
    return SWQ_OK;
}

static swq_status solve(lu *f, char transposed, const double *b, double *x)
{
    lapack_int one = 1, info = 0;

    memmove(x, b, sizeof *x * (size_t)f->n);
    swq_blas_lock();
    lapack.dgetrs(&transposed, &f->n, &one, f->a, &f->n, f->pivot, x, &f->n, &info,
                  1 /* the length of the character argument, which Fortran passes at the end */);
    swq_blas_unlock();
    return SWQ_OK;
}

static swq_status visits(swq_context *ctx, void *work, const double *b, double *y)
{
    (void)ctx;
    return solve(work, 'N', b, y);
}

static swq_status rewards(swq_context *ctx, void *work, const double *b, double *x)
{
    (void)ctx;
    return solve(work, 'T', b, x);
}

const swq_solver swq_solver_lu = {
    .name = "lu",
    .summary = "LAPACK dense LU with partial pivoting",
    .promise =
        "absolute accuracy near 1e-16 times the condition; small entries may lose all digits",
    .blas = true,
    .prepare = prepare,
    .visits = visits,
    .rewards = rewards,
    .release = release,
};
