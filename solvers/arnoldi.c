/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stationary vector as the eigenvector of P transposed with the largest real part, by ARPACK's
 * implicitly restarted Arnoldi method on the factors. Orthogonalisation subtracts, so that entries
 * far below the largest are noise; a few steps of the plain iteration, which only adds, improve
 * them as far as possible. Source: R. Lehoucq, D. Sorensen, C. Yang, ARPACK Users' Guide,
 * 1998, 4.5.
 */
#include "base/blas.h"
#include "base/context.h"
#include "base/library.h"
#include "solvers/operator.h"
#include "solvers/solvers.h"

#include <arpack/arpack.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#ifndef SWQ_LIBRARY
#define SWQ_LIBRARY "libarpack.so"
#endif

static struct {
    __typeof__(dnaupd_c) *dnaupd_c;
    __typeof__(dneupd_c) *dneupd_c;
} library;

static swq_status load_arpack(swq_context *ctx)
{
    const swq_symbol symbols[] = {
        SWQ_SYMBOL(library.dnaupd_c, dnaupd_c),
        SWQ_SYMBOL(library.dneupd_c, dneupd_c),
    };
    return swq_library_load(ctx, SWQ_LIBRARY, symbols, (int)(sizeof symbols / sizeof *symbols));
}

enum {
    BASIS = 20, /* vectors; ARPACK advises twice the number of eigenvalues or more */
    LEAST_STATES =
        4, /* ARPACK needs two more states than eigenvalues: smaller chains are padded with zeros */
    MENDING = 50 /* most steps of the plain iteration at the end */
};

/* ARPACK keeps its position in static variables: only one call sequence at a time. */
static pthread_mutex_t arpack = PTHREAD_MUTEX_INITIALIZER;

typedef struct {
    swq_operator op;
    int n, basis; /* states, including the padding; vectors */
    int ido, info, iparam[11], ipntr[14];
    double tolerance;
    double *block, *resid, *v, *workd, *workl; /* [n], [n * basis], [3 n], [3 basis (basis + 2)] */
} arnoldi;

static swq_status init(swq_context *ctx, const swq_iteration *it, arnoldi *a)
{
    int64_t states = it->p->factor[0].rows;

    if (states > INT_MAX / (BASIS + 4))
        return swq_fail(ctx, SWQ_ELIMIT, "arnoldi takes at most %d states", INT_MAX / (BASIS + 4));
    a->n = states < LEAST_STATES ? LEAST_STATES : (int)states;
    a->basis = a->n < BASIS ? a->n : BASIS;
    a->tolerance = fmax(it->tolerance, DBL_EPSILON);
    a->info = 1;      /* start from the vector in resid */
    a->iparam[0] = 1; /* exact shifts */
    a->iparam[2] = it->most / BASIS < 1         ? 1
                   : it->most / BASIS > INT_MAX ? INT_MAX
                                                : (int)(it->most / BASIS);
    a->iparam[6] = 1; /* A x = lambda x */
    size_t n = (size_t)a->n, k = (size_t)a->basis;
    swq_status status = swq_operator_init(ctx, it->p, it->root, &a->op);
    if (!status)
        a->block = swq_calloc(ctx, n * (k + 4) + 3 * k * (k + 2), sizeof *a->block);
    if (!a->block)
        return status ? status : swq_memory_status(ctx);
    a->resid = a->block;
    a->v = a->resid + n;
    a->workd = a->v + n * k;
    a->workl = a->workd + 3 * n;
    memcpy(a->resid, it->y, sizeof *it->y * (size_t)states);
    return SWQ_OK;
}

static void clear(swq_context *ctx, arnoldi *a)
{
    swq_operator_clear(ctx, &a->op);
    swq_free(ctx, a->block);
}

/* to = from P; the padding has no transitions. */
static void apply(arnoldi *a, const double *from, double *to)
{
    size_t bytes = sizeof *to * (size_t)a->op.n;

    memcpy(a->op.level[0], from, bytes);
    swq_operator_spread(&a->op, NULL);
    memset(to, 0, sizeof *to * (size_t)a->n);
    memcpy(to, a->op.level[a->op.p->factors], bytes);
}

/* Reverse communication with ARPACK until the eigenvector is known to the tolerance; if it is not
 * found, info is 1. */
static swq_status find_space(swq_context *ctx, arnoldi *a, int64_t *done)
{
    int lworkl = 3 * a->basis * (a->basis + 2);

    for (;;) {
        swq_blas_lock();
        library.dnaupd_c(&a->ido, "I", a->n, "LR", 1, a->tolerance, a->resid, a->basis, a->v, a->n,
                         a->iparam, a->ipntr, a->workd, a->workl, lworkl, &a->info);
        swq_blas_unlock();
        if (a->ido != 1 && a->ido != -1)
            break;
        apply(a, a->workd + a->ipntr[0] - 1, a->workd + a->ipntr[1] - 1);
        ++*done;
        swq_progress(ctx, "Arnoldi steps", (double)*done, 0);
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled after %lld steps", (long long)*done);
    }
    if (a->info < 0 || a->info > 2)
        return swq_fail(ctx, SWQ_ESINGULAR, "ARPACK gave up: dnaupd says %d", a->info);
    return SWQ_OK;
}

/* Compute the eigenvector from the Krylov space, in the first column of v. */
static swq_status extract(swq_context *ctx, arnoldi *a)
{
    double real[2], imaginary[2], *workev = swq_calloc(ctx, 3 * BASIS, sizeof *workev);
    int select[BASIS] = {0}, lworkl = 3 * a->basis * (a->basis + 2);

    if (!workev)
        return swq_memory_status(ctx);
    swq_blas_lock();
    library.dneupd_c(1, "A", select, real, imaginary, a->v, a->n, 0, 0, workev, "I", a->n, "LR", 1,
                     a->tolerance, a->resid, a->basis, a->v, a->n, a->iparam, a->ipntr, a->workd,
                     a->workl, lworkl, &a->info);
    swq_blas_unlock();
    swq_free(ctx, workev);
    if (a->info)
        return swq_fail(ctx, SWQ_ESINGULAR, "ARPACK gave up: dneupd says %d", a->info);
    return SWQ_OK;
}

/* Take the positive entries of the eigenvector; other entries are noise, and keep their values from
 * the guess. */
static void take(const arnoldi *a, const swq_iteration *it)
{
    double at_root = a->v[it->root];

    for (int64_t i = 0; i < a->op.n; i++) {
        double scaled = a->v[i] / at_root;
        if (scaled > 0 && isfinite(scaled))
            it->y[i] = scaled;
    }
}

/* Steps of the plain iteration, until no entry changes by more than the tolerance. */
static void mend(arnoldi *a, swq_iteration *it)
{
    double change = INFINITY, *image = a->workd;

    for (int k = 0; k < MENDING && change > it->tolerance; k++) {
        change = 0;
        apply(a, it->y, image);
        for (int64_t i = 0; i < a->op.n; i++) {
            double next = image[i] / image[it->root];
            change = fmax(change, fabs(next - it->y[i]) / next);
            it->y[i] = next;
        }
        it->done++;
    }
}

static swq_status iterate(swq_context *ctx, swq_iteration *it)
{
    arnoldi a = {0};
    swq_status status = load_arpack(ctx);

    if (!status)
        status = init(ctx, it, &a);

    if (!status) {
        pthread_mutex_lock(&arpack);
        status = find_space(ctx, &a, &it->done);
        bool found = !status && a.iparam[4] > 0;
        if (found)
            status = extract(ctx, &a);
        pthread_mutex_unlock(&arpack);
        if (!status && !found)
            status = swq_fail(ctx, SWQ_ECONVERGE,
                              "arnoldi did not find the eigenvector to %g in %lld steps",
                              a.tolerance, (long long)it->done);
        else if (!status)
            take(&a, it);
        if (!status)
            mend(&a, it);
    }
    clear(ctx, &a);
    return status;
}

const swq_solver swq_solver_arnoldi = {
    .name = "arnoldi",
    .summary = "ARPACK's implicitly restarted Arnoldi method on the factors",
    .promise = "absolute accuracy: small entries may be noise, which its proven bounds then say",
    .iterative = true,
    .blas = true,
    .iterate = iterate,
};
