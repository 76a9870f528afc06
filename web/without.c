/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the engines call and a browser does not have. BLAS is never there, so that `auto` takes
 * plain elimination, and the solvers that stand on such libraries are refused as where there is no
 * room for BLAS. Of GSL six functions are linked: two of its generators', which are its headers'
 * own inline functions; the one that these call when they are asked for what cannot be; and three
 * of its distributions', which web/quantiles.c has from the literature, so that GSL need not be
 * compiled.
 */
#define HAVE_INLINE /* before GSL's headers */
#include "base/blas.h"
#include "solvers/solvers.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

/* ---- BLAS ---- */

swq_cblas swq_blas;

void swq_blas_lock(void)
{
}

void swq_blas_unlock(void)
{
}

bool swq_blas_ready(void)
{
    return false;
}

static const char without[] = "not in a browser";

const swq_solver swq_solver_sparse_gth = {
    .name = "sparse-gth", .summary = without, .promise = "", .blas = true};
const swq_solver swq_solver_lu = {.name = "lu", .summary = without, .promise = "", .blas = true};
const swq_solver swq_solver_umfpack = {
    .name = "umfpack", .summary = without, .promise = "", .blas = true};
const swq_solver swq_solver_arnoldi = {
    .name = "arnoldi", .summary = without, .promise = "", .blas = true};

/* Never called: without BLAS, elimination uses gth. */
swq_status swq_sparse_gth_foresee(swq_context *ctx, const swq_csr *p, double *multiplications,
                                  double *bytes)
{
    (void)ctx;
    (void)p;
    (void)multiplications;
    (void)bytes;
    return SWQ_EINTERNAL;
}

/* ---- GSL ---- */

/* Declared again, so that an inline function is available to other files, too. */
extern inline unsigned long int gsl_rng_get(const gsl_rng *r);
extern inline double gsl_rng_uniform(const gsl_rng *r);
extern inline unsigned long int gsl_rng_uniform_int(const gsl_rng *r, unsigned long int n);

void gsl_error(const char *reason, const char *file, int line, int gsl_errno)
{
    (void)reason;
    (void)file;
    (void)line;
    (void)gsl_errno;
    abort();
}
