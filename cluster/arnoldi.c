/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stationary vector as the eigenvector of P transposed with the largest real part, by SLEPc's
 * Krylov-Schur method on the spread factors. Orthogonalisation subtracts, so that entries far below
 * the largest are noise, which later steps must correct. Source: G. Stewart, SIAM J. Matrix Anal.
 * Appl. 23(3), 2001; SLEPc Users' Guide, 2.
 * Only this file and fleet.c include SLEPc's header.
 */
#ifdef SWQ_HAVE_PETSC

#include "base/context.h"
#include "cluster/prove.h"

#include <math.h>
#include <slepceps.h>

/* Convert a PETSc error to a status, with a message that names the step at which PETSc failed. */
static swq_status petsc(swq_context *ctx, PetscErrorCode error, const char *what)
{
    const char *text = NULL;

    if (!error)
        return SWQ_OK;
    PetscErrorMessage(error, &text, NULL);
    return swq_fail(ctx, error == PETSC_ERR_MEM ? SWQ_ENOMEM : SWQ_EIO, "PETSc cannot %s: %s", what,
                    text ? text : "unknown error");
}

/* x P */
static PetscErrorCode apply(Mat shell, Vec x, Vec image)
{
    void *context = NULL;
    const PetscScalar *from = NULL;
    PetscScalar *to = NULL;
    PetscErrorCode error = MatShellGetContext(shell, &context);

    error = error ? error : VecGetArrayRead(x, &from);
    error = error ? error : VecGetArray(image, &to);
    if (error)
        return error;
    swq_spread_apply(context, from, to, NULL, NULL);
    error = VecRestoreArray(image, &to);
    return error ? error : VecRestoreArrayRead(x, &from);
}

/* Take the eigenvector's entries, with the sign of their sum as positive; entries that are not
 * above zero keep the guess. */
static swq_status take(swq_spread_chain *s, Vec vector, const bool *recurrent, double *x)
{
    const PetscScalar *entry = NULL;
    double sums[2] = {0, 0};
    swq_status status = petsc(s->ctx, VecGetArrayRead(vector, &entry), "read a vector");

    if (status)
        return status;
    for (int64_t i = 0; i < s->own[0]; i++) {
        sums[0] += entry[i];
        sums[1] += x[i];
    }
    swq_fleet_add(s->fleet, sums, 2);
    for (int64_t i = 0; i < s->own[0]; i++) {
        const double value = entry[i] / sums[0];
        if (recurrent[i])
            x[i] = value > 0 && isfinite(value) ? value : x[i] / sums[1];
    }
    return petsc(s->ctx, VecRestoreArrayRead(vector, &entry), "read a vector");
}

static swq_status set_up(swq_spread_chain *s, EPS eps, Mat shell, double tolerance, int64_t most)
{
    PetscErrorCode error = EPSSetOperators(eps, shell, NULL);

    error = error ? error : EPSSetProblemType(eps, EPS_NHEP);
    error = error ? error : EPSSetType(eps, EPSKRYLOVSCHUR);
    error = error ? error : EPSSetWhichEigenpairs(eps, EPS_LARGEST_REAL);
    error = error ? error
                  : EPSSetTolerances(eps, fmax(tolerance, 1e-13),
                                     (PetscInt)(most < 100000 ? most : 100000));
    return petsc(s->ctx, error, "prepare Krylov-Schur");
}

swq_status swq_spread_arnoldi(swq_spread_chain *s, double tolerance, int64_t most,
                              const bool *recurrent, double *x, int64_t *applied)
{
    const PetscInt own = (PetscInt)s->own[0], all = (PetscInt)s->all[0];
    Mat shell = NULL;
    EPS eps = NULL;
    Vec vector = NULL;
    PetscInt found = 0, its = 0;

    if (s->all[0] >= PETSC_MAX_INT)
        return swq_fail(s->ctx, SWQ_ELIMIT,
                        "%lld states: more than this PETSc's %d-bit integers number (libpetsc64 "
                        "has 64 bits); the other solvers do without",
                        (long long)s->all[0], (int)(8 * sizeof(PetscInt)));
    swq_status status = petsc(s->ctx, MatCreateShell(s->fleet->comm, own, own, all, all, s, &shell),
                              "prepare Krylov-Schur");
    if (!status)
        status = petsc(s->ctx, MatShellSetOperation(shell, MATOP_MULT, (void (*)(void))apply),
                       "prepare Krylov-Schur");
    if (!status)
        status = petsc(s->ctx, MatCreateVecs(shell, &vector, NULL), "make a vector");
    if (!status)
        status = petsc(s->ctx, EPSCreate(s->fleet->comm, &eps), "prepare Krylov-Schur");
    if (!status)
        status = set_up(s, eps, shell, tolerance, most);
    if (!status)
        status = petsc(s->ctx, EPSSolve(eps), "run Krylov-Schur");
    if (!status)
        status = petsc(s->ctx, EPSGetConverged(eps, &found), "run Krylov-Schur");
    if (!status)
        status = petsc(s->ctx, EPSGetIterationNumber(eps, &its), "run Krylov-Schur");
    *applied += its;
    if (!status && found < 1)
        status = swq_fail(s->ctx, SWQ_ECONVERGE, "Krylov-Schur found no vector in %lld restarts",
                          (long long)its);
    if (!status)
        status =
            petsc(s->ctx, EPSGetEigenpair(eps, 0, NULL, NULL, vector, NULL), "run Krylov-Schur");
    if (!status)
        status = take(s, vector, recurrent, x);
    EPSDestroy(&eps);
    VecDestroy(&vector);
    MatDestroy(&shell);
    return status;
}

#endif
