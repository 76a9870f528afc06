/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reachability by applying the factors to marks. After each factor every mark is reset to one, so
 * that no product of small probabilities underflows.
 * Room: cluster. Includes base.
 */
#ifdef SWQ_HAVE_PETSC

#include "cluster/structure.h"

#include "base/context.h"

#include <math.h>

int64_t swq_spread_greatest(const swq_spread_chain *s, const double *x, const bool *among)
{
    struct {
        double value;
        int rank;
    } mine = {-1, s->fleet->rank}, best;
    int64_t at = -1;

    for (int64_t i = 0; i < s->own[0]; i++) {
        if ((!among || among[i]) && x[i] > mine.value) {
            mine.value = x[i];
            at = i;
        }
    }
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, s->fleet->comm);
    return best.value >= 0 && best.rank == s->fleet->rank ? at : -1;
}

static swq_status mark_again(swq_spread_chain *s, Vec marks)
{
    PetscScalar *mark = NULL;
    PetscInt own = 0;
    swq_status status = swq_petsc(s->ctx, VecGetLocalSize(marks, &own), "read a vector");

    if (!status)
        status = swq_petsc(s->ctx, VecGetArray(marks, &mark), "write a vector");
    if (status)
        return status;
    for (PetscInt i = 0; i < own; i++)
        mark[i] = mark[i] > 0;
    return swq_petsc(s->ctx, VecRestoreArray(marks, &mark), "write a vector");
}

/* Move marks forwards by one cycle, from level[0] to level[levels]; `back`: from level[levels] to
 * the states that lead there, level[0]. */
static swq_status spread_marks(swq_spread_chain *s, bool back)
{
    swq_status status = SWQ_OK;

    for (int at = 0; at < s->levels && !status; at++) {
        const int k = back ? s->levels - 1 - at : at;
        Vec from = s->level[back ? k + 1 : k], to = s->level[back ? k : k + 1];
        status = swq_petsc(s->ctx,
                           back ? MatMult(s->factor[k], from, to)
                                : MatMultTranspose(s->factor[k], from, to),
                           "apply a factor");
        if (!status)
            status = mark_again(s, to);
    }
    return status;
}

static swq_status set_marks(swq_spread_chain *s, Vec marks, const bool *set)
{
    PetscScalar *mark = NULL;
    swq_status status = swq_petsc(s->ctx, VecGetArray(marks, &mark), "write a vector");

    if (status)
        return status;
    for (int64_t i = 0; i < s->own[0]; i++)
        mark[i] = set[i];
    return swq_petsc(s->ctx, VecRestoreArray(marks, &mark), "write a vector");
}

/* Find all states that the root leads to, or (`back`) that lead to it; *count: of all ranks. */
static swq_status reach(swq_spread_chain *s, int64_t root, bool back, bool *set, int64_t *count)
{
    Vec from = s->level[back ? s->levels : 0], to = s->level[back ? 0 : s->levels];
    swq_status status = SWQ_OK;
    int64_t before = 0;

    for (int64_t i = 0; i < s->own[0]; i++)
        set[i] = i == root;
    for (*count = 1; *count > before && !status;) {
        const PetscScalar *mark = NULL;
        int64_t mine = 0;
        status = set_marks(s, from, set);
        if (!status)
            status = spread_marks(s, back);
        if (!status)
            status = swq_petsc(s->ctx, VecGetArrayRead(to, &mark), "read a vector");
        if (status)
            break;
        for (int64_t i = 0; i < s->own[0]; i++) {
            set[i] = set[i] || mark[i] > 0;
            mine += set[i];
        }
        VecRestoreArrayRead(to, &mark);
        before = *count;
        *count = swq_fleet_sum(s->fleet, mine);
    }
    return status;
}

swq_status swq_spread_recurrent(swq_spread_chain *s, const double *x, int64_t *root,
                                bool *recurrent)
{
    bool *leads = swq_calloc(s->ctx, (size_t)s->own[0] + 1, sizeof *leads);
    swq_status status = swq_fleet_agree(s->fleet, leads ? SWQ_OK : swq_memory_status(s->ctx));
    int64_t count = 0, forward = 0;

    *root = swq_spread_greatest(s, x, NULL);
    while (!status) {
        status = reach(s, *root, true, leads, &count);
        if (!status)
            status = reach(s, *root, false, recurrent, &forward);
        if (status || count == s->all[0]) /* all states lead to the root: one closed class */
            break;
        int64_t lost = 0; /* states that are reached from the root and do not lead back */
        for (int64_t i = 0; i < s->own[0]; i++) {
            lost += recurrent[i] && !leads[i];
            leads[i] = !leads[i];
        }
        if (swq_fleet_sum(s->fleet, lost) == 0) {
            status =
                swq_fail(s->ctx, SWQ_EREDUCIBLE,
                         "the chain is reducible: it has more than one closed class of states, "
                         "so its long run depends on chance and there is no single stationary "
                         "distribution");
            break;
        }
        *root = swq_spread_greatest(s, x, leads); /* the root is transient */
    }
    swq_free(s->ctx, leads);
    return status;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* Go one cycle on from the states at the distance `cycles`: record the distance of new states, and
 * for the others update *divisor by the difference. */
static swq_status follow(swq_spread_chain *s, int32_t *distance, int32_t cycles, int64_t *divisor,
                         bool *more)
{
    PetscScalar *mark = NULL;
    const PetscScalar *met = NULL;
    swq_status status = swq_petsc(s->ctx, VecGetArray(s->level[0], &mark), "write a vector");

    for (int64_t i = 0; i < s->own[0] && !status; i++)
        mark[i] = distance[i] == cycles;
    if (!status)
        status = swq_petsc(s->ctx, VecRestoreArray(s->level[0], &mark), "write a vector");
    if (!status)
        status = spread_marks(s, false);
    if (!status)
        status = swq_petsc(s->ctx, VecGetArrayRead(s->level[s->levels], &met), "read a vector");
    if (status)
        return status;
    *more = false;
    for (int64_t i = 0; i < s->own[0]; i++) {
        if (met[i] <= 0)
            continue;
        if (distance[i] < 0) {
            distance[i] = cycles + 1;
            *more = true;
        } else {
            *divisor = common_divisor(*divisor, cycles + 1 - distance[i]);
        }
    }
    return swq_petsc(s->ctx, VecRestoreArrayRead(s->level[s->levels], &met), "read a vector");
}

swq_status swq_spread_period(swq_spread_chain *s, int64_t root, int64_t *period)
{
    const int ranks = s->fleet->ranks;
    int32_t *distance = swq_calloc(s->ctx, (size_t)s->own[0] + 1, sizeof *distance);
    int64_t *all = swq_calloc(s->ctx, (size_t)ranks, sizeof *all), divisor = 0;
    bool more = true;
    swq_status status =
        swq_fleet_agree(s->fleet, distance && all ? SWQ_OK : swq_memory_status(s->ctx));

    for (int64_t i = 0; i < s->own[0] && !status; i++)
        distance[i] = i == root ? 0 : -1;
    for (int32_t cycles = 0; more && !status; cycles++) {
        status = follow(s, distance, cycles, &divisor, &more);
        more = swq_fleet_most(s->fleet, more) != 0 && swq_fleet_most(s->fleet, divisor == 1) == 0;
    }
    if (!status) {
        MPI_Allgather(&divisor, 1, MPI_INT64_T, all, 1, MPI_INT64_T, s->fleet->comm);
        for (int r = 0; r < ranks; r++)
            divisor = common_divisor(divisor, all[r]);
        *period = divisor;
    }
    swq_free(s->ctx, distance);
    swq_free(s->ctx, all);
    return status;
}

#endif
