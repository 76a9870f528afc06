/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Applying a product of factors.
 * Room: solvers. Includes base.
 */
#include "solvers/operator.h"

#include "base/context.h"
#include "base/packed.h"
#include "base/team.h"
#include "solvers/solvers.h"

#include <float.h>
#include <math.h>
#include <string.h>

int64_t swq_product_widest(const swq_product *p)
{
    int64_t widest = 0;

    for (int k = 0; k < p->factors; k++)
        widest = p->factor[k].rows > widest ? p->factor[k].rows : widest;
    return widest;
}

/* Doubles for all levels and level 0 again, or long doubles for two that follow one another. */
double swq_operator_bytes(const double *nodes, int levels)
{
    double all = nodes[0], two = 0;

    for (int k = 0; k < levels; k++) {
        all += nodes[k];
        two = fmax(two, nodes[k] + nodes[(k + 1) % levels]);
    }
    return fmax(all * (double)sizeof(double), two * (double)sizeof(long double));
}

swq_status swq_operator_init(swq_context *ctx, const swq_product *p, int64_t root, swq_operator *op)
{
    double nodes[SWQ_MOST_FACTORS] = {0};

    for (int k = 0; k < p->factors; k++)
        nodes[k] = (double)p->factor[k].rows;
    const double bytes = swq_operator_bytes(nodes, p->factors);
    *op = (swq_operator){.ctx = ctx, .p = p, .root = root, .n = p->factor[0].rows};
    op->room = (int64_t)ceil(bytes / (double)sizeof(long double));
    op->block = swq_calloc(ctx, (size_t)op->room, sizeof(long double));
    if (!op->block)
        return swq_memory_status(ctx);
    double *at = op->block;
    for (int k = 0; k < p->factors; k++) {
        op->level[k] = at;
        at += p->factor[k].rows;
    }
    op->level[p->factors] = at;
    return SWQ_OK;
}

void swq_operator_clear(swq_context *ctx, swq_operator *op)
{
    swq_free(ctx, op->block);
    *op = (swq_operator){0};
}

/* A vector on its way through a factor. */
typedef struct {
    const swq_csr *m;
    const double *from;
    double *to;
} passing;

static void pass_strip(void *arg, int64_t strip)
{
    const passing *p = arg;
    swq_packed_times(p->m, strip, p->from, p->to);
}

void swq_operator_spread(swq_operator *op)
{
    for (int k = 0; k < op->p->factors; k++) {
        passing p = {&op->p->factor[k], op->level[k], op->level[k + 1]};
        if (p.m->packed)
            swq_team_run(op->ctx, p.m->packed->strips, pass_strip, &p);
        else
            swq_csr_vector_times(p.from, p.m, p.to);
        if (p.m->packed)
            swq_packed_let_go(p.m->packed);
    }
}

typedef struct {
    const swq_csr *m;
    const long double *from;
    long double *to;
} passing_long;

static void pass_strip_long(void *arg, int64_t strip)
{
    const passing_long *p = arg;
    swq_packed_add_times(p->m, strip, p->from, p->to);
}

static void pass_long(swq_context *ctx, const swq_csr *m, const long double *from, long double *to)
{
    passing_long p = {m, from, to};

    memset(to, 0, sizeof *to * (size_t)m->cols);
    if (m->packed) {
        swq_team_run(ctx, m->packed->strips, pass_strip_long, &p);
        swq_packed_let_go(m->packed);
        return;
    }
    for (int64_t i = 0; i < m->rows; i++) {
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            to[m->col[e]] += from[i] * m->value[e];
    }
}

/* Most entries in one column. */
static int64_t tallest(const swq_csr *m, long double *work)
{
    int64_t most = 0;

    if (m->packed)
        return m->packed->tallest;
    for (int64_t j = 0; j < m->cols; j++)
        work[j] = 0;
    for (int64_t e = 0; e < swq_csr_nnz(m); e++)
        work[m->col[e]]++;
    for (int64_t j = 0; j < m->cols; j++)
        most = (int64_t)work[j] > most ? (int64_t)work[j] : most;
    return most;
}

/* Levels lie at the two ends of the block in turn. */
double swq_operator_image(const swq_operator *op, bool start, const long double *x,
                          long double *image)
{
    long double *const block = (void *)op->block;
    long double *from = block;
    double roundings = op->p->roundings;
    /* what a rounding of long double is in those of double */
    double fine = LDBL_MANT_DIG >= 64 ? 0x1p-11 : 1;

    for (int64_t i = 0; i < op->n; i++)
        from[i] = x[i];
    for (int k = 0; k < op->p->factors; k++) {
        const swq_csr *m = &op->p->factor[k];
        long double *to = k % 2 == 0 ? block + op->room - m->cols : block;
        roundings += fine * (double)(tallest(m, to) + 1);
        pass_long(op->ctx, m, from, to);
        from = to;
    }
    for (int64_t i = 0; i < op->n; i++)
        image[i] = from[i];
    image[op->root] = start ? 1 : 0;
    return (roundings + 3 * fine) * SWQ_ROUNDING;
}
