/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UMFPACK's sparse LU of I - Q.
 * Source: T. Davis, ACM TOMS 30(2), 2004 (Algorithm 832).
 */
#include "base/blas.h"
#include "base/context.h"
#include "base/library.h"
#include "solvers/solvers.h"
#include "solvers/suitesparse.h"

#include <suitesparse/umfpack.h>

#include <stddef.h>

#ifndef SWQ_LIBRARY
#define SWQ_LIBRARY "libumfpack.so"
#endif

static struct {
    __typeof__(umfpack_dl_symbolic) *symbolic;
    __typeof__(umfpack_dl_numeric) *numeric;
    __typeof__(umfpack_dl_solve) *solve;
    __typeof__(umfpack_dl_free_symbolic) *free_symbolic;
    __typeof__(umfpack_dl_free_numeric) *free_numeric;
} library;

static swq_status load_umfpack(swq_context *ctx)
{
    const swq_symbol symbols[] = {
        SWQ_SYMBOL(library.symbolic, umfpack_dl_symbolic),
        SWQ_SYMBOL(library.numeric, umfpack_dl_numeric),
        SWQ_SYMBOL(library.solve, umfpack_dl_solve),
        SWQ_SYMBOL(library.free_symbolic, umfpack_dl_free_symbolic),
        SWQ_SYMBOL(library.free_numeric, umfpack_dl_free_numeric),
    };
    return swq_library_load(ctx, SWQ_LIBRARY, symbols, (int)(sizeof symbols / sizeof *symbols));
}

typedef struct {
    SuiteSparse_long n, *start,
        *index; /* I - Q by rows; UMFPACK reads it as the transpose by columns */
    double *value;
    void *numeric;
} umfpack;

/* Only one thread at a time calls UMFPACK, because of BLAS; the context counts its allocations. */
static swq_status begin(swq_context *ctx)
{
    swq_status status = swq_suitesparse_begin(ctx, SWQ_LIBRARY);

    if (!status)
        swq_blas_lock();
    return status;
}

static void end(void)
{
    swq_blas_unlock();
    swq_suitesparse_end();
}

static void release(swq_context *ctx, void *work)
{
    umfpack *f = work;

    if (!f)
        return;
    if (f->numeric && begin(ctx) == SWQ_OK) {
        library.free_numeric(&f->numeric);
        end();
    }
    swq_free(ctx, f->start);
    swq_free(ctx, f->index);
    swq_free(ctx, f->value);
    swq_free(ctx, f);
}

static swq_status failure(swq_context *ctx, int status)
{
    if (status == UMFPACK_ERROR_out_of_memory)
        return swq_memory_status(ctx);
    return swq_fail(ctx, SWQ_ESINGULAR, "UMFPACK failed with status %d", status);
}

static void assemble(umfpack *f, const swq_csr *p, int64_t root)
{
    SuiteSparse_long at = 0;

    for (int64_t s = 0; s < p->rows; s++) {
        bool diagonal = false;
        for (int64_t e = p->start[s]; e < p->start[s + 1]; e++) {
            if (!diagonal &&
                p->col[e] >= s) { /* columns ascend: this is the place of the diagonal */
                diagonal = true;
                f->index[at] = s;
                f->value[at++] = 1;
            }
            if (p->col[e] == root)
                continue;
            if (p->col[e] == s) {
                f->value[at - 1] -= p->value[e];
            } else {
                f->index[at] = p->col[e];
                f->value[at++] = -p->value[e];
            }
        }
        if (!diagonal) {
            f->index[at] = s;
            f->value[at++] = 1;
        }
        f->start[s + 1] = at;
    }
}

/* Refuse to factor a matrix for which UMFPACK, which knows its order now, foresees more memory than
 * the limit leaves beside the `live` bytes that there were before. UMFPACK's forecast is an upper
 * bound, usually 1.3 to 1.6 times the memory taken. */
static swq_status foresee(swq_context *ctx, const double *info, size_t live)
{
    const double bytes = info[UMFPACK_PEAK_MEMORY_ESTIMATE] * info[UMFPACK_SIZE_OF_UNIT];
    const double limit = (double)swq_context_memory_limit(ctx);
    char own[32], chain[32], most[32];

    if (!(limit > 0) || (double)live + bytes <= limit)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_ELIMIT,
                    "umfpack would take up to %s to factor the chain, which takes %s; the memory "
                    "limit is %s; solver gauss-seidel takes less",
                    swq_bytes_text(bytes, own, sizeof own),
                    swq_bytes_text((double)live, chain, sizeof chain),
                    swq_bytes_text(limit, most, sizeof most));
}

static swq_status factor(swq_context *ctx, umfpack *f)
{
    const size_t live = swq_context_live_bytes(ctx);
    double info[UMFPACK_INFO];
    void *symbolic = NULL;
    swq_status status = begin(ctx);

    if (status)
        return status;
    SuiteSparse_long code =
        library.symbolic(f->n, f->n, f->start, f->index, f->value, &symbolic, NULL, info);
    if (code == UMFPACK_OK)
        status = foresee(ctx, info, live);
    if (code == UMFPACK_OK && !status)
        code = library.numeric(f->start, f->index, f->value, symbolic, &f->numeric, NULL, NULL);
    library.free_symbolic(&symbolic);
    end();
    return status || code == UMFPACK_OK ? status : failure(ctx, (int)code);
}

static swq_status prepare(swq_context *ctx, const swq_csr *p, int64_t root,
                          const swq_solver_options *options, void **work)
{
    (void)options;
    size_t n = (size_t)p->rows, room = n + (size_t)swq_csr_nnz(p);
    swq_status status = load_umfpack(ctx);
    if (status)
        return status;
    umfpack *f = swq_calloc(ctx, 1, sizeof *f);
    if (!f)
        return swq_memory_status(ctx);
    f->n = (SuiteSparse_long)n;
    f->start = swq_calloc(ctx, n + 1, sizeof *f->start);
    f->index = swq_calloc(ctx, room, sizeof *f->index);
    f->value = swq_calloc(ctx, room, sizeof *f->value);
    if (!f->start || !f->index || !f->value) {
        release(ctx, f);
        return swq_memory_status(ctx);
    }
    assemble(f, p, root);
    status = factor(ctx, f);
    if (status) {
        release(ctx, f);
        return status;
    }
    *work = f;
    return SWQ_OK;
}

static swq_status solve(swq_context *ctx, umfpack *f, int system, const double *b, double *x)
{
    swq_status status = begin(ctx);

    if (status)
        return status;
    const SuiteSparse_long code =
        library.solve(system, f->start, f->index, f->value, x, b, f->numeric, NULL, NULL);
    end();
    return code == UMFPACK_OK ? SWQ_OK : failure(ctx, (int)code);
}

static swq_status visits(swq_context *ctx, void *work, const double *b, double *y)
{
    return solve(ctx, work, UMFPACK_A, b, y);
}

static swq_status rewards(swq_context *ctx, void *work, const double *b, double *x)
{
    return solve(ctx, work, UMFPACK_At, b, x);
}

const swq_solver swq_solver_umfpack = {
    .name = "umfpack",
    .summary = "UMFPACK sparse LU with iterative refinement",
    .promise =
        "absolute accuracy near 1e-16 times the condition; small entries may lose all digits",
    .blas = true,
    .prepare = prepare,
    .visits = visits,
    .rewards = rewards,
    .release = release,
};
