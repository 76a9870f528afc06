/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From rows to PETSc's matrices, and applying them: in double by PETSc, in long double, which a
 * proof needs and PETSc does not have, by hand on the same entries.
 * Room: cluster. Includes models, base.
 */
#ifdef SWQ_HAVE_PETSC

#include "base/context.h"
#include "cluster/spread.h"

#include <float.h>
#include <string.h>

swq_status swq_petsc(swq_context *ctx, PetscErrorCode error, const char *what)
{
    const char *text = NULL;

    if (!error)
        return SWQ_OK;
    PetscErrorMessage(error, &text, NULL);
    return swq_fail(ctx, error == PETSC_ERR_MEM ? SWQ_ENOMEM : SWQ_EIO, "PETSc cannot %s: %s", what,
                    text ? text : "unknown error");
}

/* Rows with columns numbered over all ranks, ascending in each row. */
typedef struct {
    PetscInt *start, *col;
    PetscScalar *value;
} numbered_rows;

static void sort_row(PetscInt *col, PetscScalar *value, int64_t count)
{
    PetscSortIntWithScalarArray((PetscInt)count, col, value);
}

static swq_status number_columns(swq_spread_chain *s, int level, const int64_t *first,
                                 numbered_rows *n)
{
    const swq_spread_rows *rows = &s->rows[level];

    n->start = swq_calloc(s->ctx, (size_t)rows->rows + 1, sizeof *n->start);
    n->col = swq_calloc(s->ctx, (size_t)rows->entries + 1, sizeof *n->col);
    n->value = rows->value;
    if (!n->start || !n->col)
        return swq_memory_status(s->ctx);
    for (int64_t i = 0; i < rows->rows; i++) {
        const int64_t from = rows->start[i], to = rows->start[i + 1];
        for (int64_t e = from; e < to; e++)
            n->col[e] = (PetscInt)(first[rows->owner[e]] + rows->number[e]);
        sort_row(n->col + from, n->value + from, to - from);
        n->start[i + 1] = (PetscInt)to;
    }
    return SWQ_OK;
}

static void free_rows(swq_context *ctx, swq_spread_rows *rows)
{
    swq_free(ctx, rows->start);
    swq_free(ctx, rows->owner);
    swq_free(ctx, rows->number);
    swq_free(ctx, rows->value);
    *rows = (swq_spread_rows){0};
}

swq_status swq_spread_open_part(swq_context *ctx, Mat matrix, swq_spread_part *part)
{
    PetscBool done = PETSC_FALSE;

    *part = (swq_spread_part){.matrix = matrix};
    swq_status status = swq_petsc(ctx,
                                  MatGetRowIJ(matrix, 0, PETSC_FALSE, PETSC_FALSE, &part->rows,
                                              &part->start, &part->col, &done),
                                  "show a matrix");
    if (!status)
        status = swq_petsc(ctx, MatSeqAIJGetArrayRead(matrix, &part->value), "show a matrix");
    return status;
}

void swq_spread_close_part(swq_spread_part *part)
{
    PetscBool done = PETSC_FALSE;

    MatSeqAIJRestoreArrayRead(part->matrix, &part->value);
    MatRestoreRowIJ(part->matrix, 0, PETSC_FALSE, PETSC_FALSE, &part->rows, &part->start,
                    &part->col, &done);
}

/* Find which ranks own the nodes of the halo, and which ranks have own nodes in their halos. */
static swq_status meet_neighbours(swq_spread_chain *s, const PetscInt *number, int64_t nodes,
                                  const int64_t *first, swq_halo *h)
{
    const swq_fleet *f = s->fleet;
    const size_t ranks = (size_t)f->ranks;
    int32_t *wanted = swq_calloc(s->ctx, (size_t)nodes + 1, sizeof *wanted);
    swq_status status = SWQ_OK;

    h->nodes = nodes;
    h->from = swq_calloc(s->ctx, ranks, sizeof *h->from);
    h->from_at = swq_calloc(s->ctx, ranks, sizeof *h->from_at);
    h->to = swq_calloc(s->ctx, ranks, sizeof *h->to);
    h->to_at = swq_calloc(s->ctx, ranks, sizeof *h->to_at);
    if (!wanted || !h->from || !h->from_at || !h->to || !h->to_at)
        status = swq_memory_status(s->ctx);
    status = swq_fleet_agree(s->fleet, status);
    for (int64_t k = 0, r = 0; k < nodes && !status; k++) {
        while (number[k] >= first[r + 1])
            r++;
        wanted[k] = (int32_t)(number[k] - first[r]);
        h->from[r]++;
    }
    if (!status) {
        MPI_Alltoall(h->from, 1, MPI_INT, h->to, 1, MPI_INT, f->comm);
        for (int r = 1; r < f->ranks; r++) {
            h->from_at[r] = h->from_at[r - 1] + h->from[r - 1];
            h->to_at[r] = h->to_at[r - 1] + h->to[r - 1];
        }
        h->shown = h->to_at[f->ranks - 1] + h->to[f->ranks - 1];
        h->own = swq_calloc(s->ctx, (size_t)h->shown + 1, sizeof *h->own);
        status = swq_fleet_agree(s->fleet, h->own ? SWQ_OK : swq_memory_status(s->ctx));
    }
    if (!status)
        MPI_Alltoallv(wanted, h->from, h->from_at, MPI_INT32_T, h->own, h->to, h->to_at,
                      MPI_INT32_T, f->comm);
    swq_free(s->ctx, wanted);
    return status;
}

/* Make the matrix of a level's rows, which are freed. first[ranks + 1]: the first numbers of the
 * next level's nodes. */
static swq_status assemble_level(swq_spread_chain *s, int k, const int64_t *first)
{
    const int next = (k + 1) % s->levels;
    numbered_rows n = {0};
    const PetscInt *number = NULL;
    PetscInt halo = 0;
    swq_status status = swq_fleet_agree(s->fleet, number_columns(s, k, first, &n));

    if (!status)
        status = swq_petsc(s->ctx,
                           MatCreateMPIAIJWithArrays(s->fleet->comm, (PetscInt)s->own[k],
                                                     (PetscInt)s->own[next], (PetscInt)s->all[k],
                                                     (PetscInt)s->all[next], n.start, n.col,
                                                     n.value, &s->factor[k]),
                           "make a factor's matrix");
    swq_free(s->ctx, n.start);
    swq_free(s->ctx, n.col);
    free_rows(s->ctx, &s->rows[k]);
    if (!status)
        status = swq_petsc(
            s->ctx, MatMPIAIJGetSeqAIJ(s->factor[k], &s->diagonal[k], &s->beside[k], &number),
            "show a factor's matrix");
    if (!status)
        status = swq_petsc(s->ctx, MatGetSize(s->beside[k], NULL, &halo), "show a factor's matrix");
    status = swq_fleet_agree(s->fleet, status);
    return status ? status : meet_neighbours(s, number, halo, first, &s->halo[k]);
}

/* Find the most entries in one column of any factor, which bounds the rounding of sums: in long
 * double, an entry of k terms has at most k + 1 roundings, in whatever order the ranks add them. */
static swq_status count_columns(swq_spread_chain *s)
{
    const double fine = LDBL_MANT_DIG >= 64 ? 0x1p-11 : 1;
    swq_status status = SWQ_OK;

    for (int k = 0; k < s->levels && !status; k++) {
        const int next = (k + 1) % s->levels;
        swq_halo *h = &s->halo[k];
        double most = 0;
        Mat parts[] = {s->diagonal[k], s->beside[k]};
        long double *count = swq_calloc(s->ctx, (size_t)s->own[next] + 1, sizeof *count);
        status = count ? SWQ_OK : swq_memory_status(s->ctx);
        memset(s->out, 0, sizeof *s->out * (size_t)h->nodes);
        for (int p = 0; p < 2 && !status; p++) {
            swq_spread_part part;
            status = swq_spread_open_part(s->ctx, parts[p], &part);
            if (status)
                break;
            long double *to = p == 0 ? count : s->out;
            for (PetscInt e = 0; e < part.start[part.rows]; e++)
                to[part.col[e]]++;
            swq_spread_close_part(&part);
        }
        status = swq_fleet_agree(s->fleet, status);
        if (!status) {
            MPI_Alltoallv(s->out, h->from, h->from_at, MPI_LONG_DOUBLE, s->in, h->to, h->to_at,
                          MPI_LONG_DOUBLE, s->fleet->comm);
            for (int64_t i = 0; i < h->shown; i++)
                count[h->own[i]] += s->in[i];
            for (int64_t i = 0; i < s->own[next]; i++)
                most = (double)count[i] > most ? (double)count[i] : most;
            s->summing += fine * (swq_fleet_greatest(s->fleet, most) + 1);
        }
        swq_free(s->ctx, count);
    }
    s->summing += 3 * fine;
    return status;
}

swq_status swq_spread_assemble(swq_spread_chain *s)
{
    const int ranks = s->fleet->ranks;
    int64_t *first = swq_calloc(s->ctx, (size_t)ranks + 1, sizeof *first), halo = 0;
    int64_t widest = 1, most_shown = 1;
    swq_status status = first ? SWQ_OK : swq_memory_status(s->ctx);

    for (int k = 0; k < s->levels && !status; k++) {
        if (s->all[k] >= PETSC_MAX_INT || s->own[k] >= INT32_MAX ||
            s->rows[k].entries >= PETSC_MAX_INT)
            status = swq_fail(s->ctx, SWQ_ELIMIT,
                              "%lld nodes of one kind, %lld entries of them on one rank: more than "
                              "this PETSc's %d-bit integers number (libpetsc64 has 64 bits)",
                              (long long)s->all[k], (long long)s->rows[k].entries,
                              (int)(8 * sizeof(PetscInt)));
    }
    status = swq_fleet_agree(s->fleet, status);
    for (int k = 0; k < s->levels && !status; k++) {
        const int next = (k + 1) % s->levels;
        MPI_Allgather(&s->first[next], 1, MPI_INT64_T, first, 1, MPI_INT64_T, s->fleet->comm);
        first[ranks] = s->all[next];
        status = assemble_level(s, k, first);
        halo += s->halo[k].nodes;
        widest = s->halo[k].nodes > widest ? s->halo[k].nodes : widest;
        most_shown = s->halo[k].shown > most_shown ? s->halo[k].shown : most_shown;
    }
    swq_free(s->ctx, first);
    if (!status) {
        s->out = swq_calloc(s->ctx, (size_t)widest, sizeof *s->out);
        s->in = swq_calloc(s->ctx, (size_t)most_shown, sizeof *s->in);
        status = s->out && s->in ? SWQ_OK : swq_memory_status(s->ctx);
    }
    s->sent = (double)swq_fleet_sum(s->fleet, halo) * sizeof(double);
    for (int k = 0; k <= s->levels && !status; k++) {
        const int of = k < s->levels ? k : 0;
        status = swq_petsc(
            s->ctx,
            VecCreateMPI(s->fleet->comm, (PetscInt)s->own[of], (PetscInt)s->all[of], &s->level[k]),
            "make a vector");
    }
    status = swq_fleet_agree(s->fleet, status);
    return status ? status : count_columns(s);
}

swq_status swq_spread_put(swq_spread_chain *s, const double *x)
{
    PetscScalar *to = NULL;
    swq_status status = swq_petsc(s->ctx, VecGetArray(s->level[0], &to), "write a vector");

    for (int64_t i = 0; i < s->own[0] && !status; i++)
        to[i] = x[i];
    return status ? status : swq_petsc(s->ctx, VecRestoreArray(s->level[0], &to), "write a vector");
}

swq_status swq_spread_take(swq_spread_chain *s, double *x)
{
    Vec at = s->level[s->levels];
    const PetscScalar *from = NULL;
    swq_status status = swq_petsc(s->ctx, VecGetArrayRead(at, &from), "read a vector");

    for (int64_t i = 0; i < s->own[0] && !status; i++)
        x[i] = from[i];
    return status ? status : swq_petsc(s->ctx, VecRestoreArrayRead(at, &from), "read a vector");
}

swq_status swq_spread_apply(swq_spread_chain *s)
{
    for (int k = 0; k < s->levels; k++) {
        swq_status status = swq_petsc(
            s->ctx, MatMultTranspose(s->factor[k], s->level[k], s->level[k + 1]), "apply a factor");
        if (status)
            return status;
    }
    return SWQ_OK;
}

static void add_products(const swq_spread_part *part, const long double *in, long double *out)
{
    for (PetscInt i = 0; i < part->rows; i++) {
        for (PetscInt e = part->start[i]; e < part->start[i + 1]; e++)
            out[part->col[e]] += in[i] * part->value[e];
    }
}

void swq_spread_fine(swq_spread_chain *s, int k, const long double *in, long double *out)
{
    const int64_t next = s->own[(k + 1) % s->levels];
    swq_halo *h = &s->halo[k];
    swq_spread_part part;

    memset(out, 0, sizeof *out * (size_t)next);
    memset(s->out, 0, sizeof *s->out * (size_t)h->nodes);
    if (!swq_spread_open_part(s->ctx, s->diagonal[k],
                              &part)) /* it cannot fail: they were opened before */
        add_products(&part, in, out);
    swq_spread_close_part(&part);
    if (!swq_spread_open_part(s->ctx, s->beside[k], &part))
        add_products(&part, in, s->out);
    swq_spread_close_part(&part);
    MPI_Alltoallv(s->out, h->from, h->from_at, MPI_LONG_DOUBLE, s->in, h->to, h->to_at,
                  MPI_LONG_DOUBLE, s->fleet->comm);
    for (int64_t i = 0; i < h->shown; i++)
        out[h->own[i]] += s->in[i];
}

swq_status swq_spread_show(swq_spread_chain *s, int k, const int32_t *own, int32_t *halo)
{
    const swq_halo *h = &s->halo[k];
    int32_t *out = swq_calloc(s->ctx, (size_t)h->shown + 1, sizeof *out);
    const swq_status status = swq_fleet_agree(s->fleet, out ? SWQ_OK : swq_memory_status(s->ctx));

    for (int64_t i = 0; i < h->shown && !status; i++)
        out[i] = own[h->own[i]];
    if (!status)
        MPI_Alltoallv(out, h->to, h->to_at, MPI_INT32_T, halo, h->from, h->from_at, MPI_INT32_T,
                      s->fleet->comm);
    swq_free(s->ctx, out);
    return status;
}

void swq_spread_clear(swq_spread_chain *s)
{
    for (int k = 0; k < SWQ_CHAIN_LEVELS; k++) {
        swq_halo *h = &s->halo[k];
        free_rows(s->ctx, &s->rows[k]);
        MatDestroy(&s->factor[k]);
        swq_free(s->ctx, h->from);
        swq_free(s->ctx, h->from_at);
        swq_free(s->ctx, h->to);
        swq_free(s->ctx, h->to_at);
        swq_free(s->ctx, h->own);
    }
    for (int k = 0; k <= SWQ_CHAIN_LEVELS; k++)
        VecDestroy(&s->level[k]);
    swq_free(s->ctx, s->out);
    swq_free(s->ctx, s->in);
    swq_share_free(s->ctx, s->share);
    *s = (swq_spread_chain){0};
}

#endif
