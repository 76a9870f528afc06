/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Applying a product of factors.
 */
#include "solvers/operator.h"

#include "base/context.h"
#include "base/packed.h"
#include "base/team.h"
#include "solvers/solvers.h"

#include <float.h>
#include <stdatomic.h>
#include <string.h>

int64_t swq_product_widest(const swq_product *p)
{
    int64_t widest = 0;

    for (int k = 0; k < p->factors; k++)
        widest = p->factor[k].rows > widest ? p->factor[k].rows : widest;
    return widest;
}

/* Long doubles in which one task adds up a level that is stored in compensated form afterwards: a
 * strip of a packed factor's columns, or all columns of another. */
static int64_t desk_of(const swq_csr *m)
{
    return m->packed && m->cols > SWQ_STRIP ? SWQ_STRIP : m->cols;
}

/* Most entries in one column. */
static swq_status find_tallest(swq_context *ctx, const swq_csr *m, int64_t *tallest)
{
    if (m->packed) {
        *tallest = m->packed->tallest;
        return SWQ_OK;
    }
    int32_t *terms = swq_calloc(ctx, (size_t)m->cols, sizeof *terms);
    if (!terms)
        return swq_memory_status(ctx);
    for (int64_t e = 0; e < swq_csr_nnz(m); e++) {
        const int32_t here = ++terms[m->col[e]];
        *tallest = here > *tallest ? here : *tallest;
    }
    swq_free(ctx, terms);
    return SWQ_OK;
}

swq_status swq_operator_init(swq_context *ctx, const swq_product *p, int64_t root, swq_operator *op)
{
    const int last = p->factors;
    int64_t room = 0, strips = 1;

    *op = (swq_operator){.ctx = ctx, .p = p, .root = root, .n = p->factor[0].rows};
    for (int k = 0; k < last; k++) {
        swq_status status = find_tallest(ctx, &p->factor[k], &op->tallest[k]);
        if (status)
            return status;
    }
    for (int k = 1; k < last; k++) {
        const swq_csr *m = &p->factor[k - 1];
        const int64_t two = m->cols + (k + 1 < last ? p->factor[k].cols : 0);
        room = two > room ? two : room;
        op->desk = desk_of(m) > op->desk ? desk_of(m) : op->desk;
        if (m->packed && m->packed->strips > strips)
            strips = m->packed->strips;
    }
    op->desks = strips < swq_context_threads(ctx) ? strips : swq_context_threads(ctx);
    const size_t doubles = (size_t)(2 * op->n + room), split = (size_t)(room + (room + 1) / 2);
    op->room = room;
    op->block = swq_calloc(ctx, doubles > split ? doubles : split, sizeof *op->block);
    op->sums = swq_calloc(ctx, (size_t)(op->desks * op->desk) + 1, sizeof *op->sums);
    if (!op->block || !op->sums)
        return swq_memory_status(ctx);
    op->level[0] = op->block;
    op->level[last] = op->block + op->n;
    for (int k = 1; k < last; k++)
        op->level[k] = op->block + 2 * op->n + (k % 2 ? 0 : room - p->factor[k].rows);
    return SWQ_OK;
}

void swq_operator_clear(swq_context *ctx, swq_operator *op)
{
    swq_free(ctx, op->block);
    swq_free(ctx, op->sums);
    *op = (swq_operator){0};
}

/* A vector on its way through a factor, and the tasks that threads do beside the product. */
typedef struct {
    const swq_csr *m;
    const double *from;
    double *to;
    const swq_beside *beside;
    int64_t tasks; /* tasks beside the product; they come first, as one task may take longer than a
                      strip */
    int level;
} passing;

static void pass_strip(void *arg, int64_t task)
{
    const passing *p = arg;

    if (task < p->tasks)
        p->beside->run(p->beside->arg, p->level, task);
    else
        swq_packed_times(p->m, task - p->tasks, p->from, p->to);
}

void swq_operator_spread(swq_operator *op, const swq_beside *beside)
{
    for (int k = 0; k < op->p->factors; k++) {
        passing p = {&op->p->factor[k], op->level[k], op->level[k + 1], beside, 0, k};
        p.tasks = beside ? beside->tasks(beside->arg, k) : 0;
        if (p.m->packed) {
            swq_team_run(op->ctx, p.tasks + p.m->packed->strips, pass_strip, &p);
            swq_packed_let_go(p.m->packed);
        } else {
            for (int64_t task = 0; task < p.tasks; task++)
                beside->run(beside->arg, k, task);
            swq_csr_vector_times(p.from, p.m, p.to);
        }
        if (beside)
            beside->finish(beside->arg, k);
    }
}

/* A vector on its way through a factor in long double. Level 0 is stored in long doubles, before
 * and after a cycle; the levels between are compensated. */
typedef struct {
    const swq_operator *op;
    const swq_csr *m;
    const long double *from;
    long double *to;
    swq_compensated from_split, to_split; /* used where `from` or `to` is NULL */
    atomic_llong next;                    /* strip */
} passing_long;

static void add_strip(const passing_long *p, int64_t strip, long double *sum)
{
    if (p->from)
        swq_packed_add_times(p->m, strip, p->from, sum);
    else
        swq_packed_add_times_compensated(p->m, strip, &p->from_split, sum);
}

/* The sums of columns first .. first + cols - 1 are complete. */
static void arrive(passing_long *p, int64_t first, int64_t cols, const long double *sum)
{
    for (int64_t j = 0; j < cols && !p->to; j++)
        swq_compensated_put(&p->to_split, first + j, sum[j]);
}

/* A task has its own desk, memory for the sums of a strip, and takes strips while any are left. */
static void pass_strips_long(void *arg, int64_t desk)
{
    passing_long *p = arg;
    int64_t strip;

    while ((strip = atomic_fetch_add(&p->next, 1)) < p->m->packed->strips) {
        const int64_t first = strip << SWQ_STRIP_BITS, left = p->m->cols - first;
        const int64_t cols = left < SWQ_STRIP ? left : SWQ_STRIP;
        long double *sum = p->to ? p->to + first : p->op->sums + desk * p->op->desk;
        memset(sum, 0, sizeof *sum * (size_t)cols);
        add_strip(p, strip, sum);
        arrive(p, first, cols, sum);
    }
}

static void pass_long(passing_long *p)
{
    const swq_csr *m = p->m;
    long double *sum = p->to ? p->to : p->op->sums;

    if (m->packed) {
        swq_team_run(p->op->ctx, p->op->desks, pass_strips_long, p);
        swq_packed_let_go(m->packed);
        return;
    }
    memset(sum, 0, sizeof *sum * (size_t)m->cols);
    for (int64_t i = 0; i < m->rows; i++) {
        const long double from = p->from ? p->from[i] : swq_compensated_get(&p->from_split, i);
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            sum[m->col[e]] += from * m->value[e];
    }
    arrive(p, 0, m->cols, sum);
}

/* Level k in compensated form: levels lie at the two ends of the memory of all levels in turn. */
static swq_compensated split_level(const swq_operator *op, int k)
{
    void *const behind = op->block + op->room;
    float *const low = behind;
    const int64_t at = k % 2 ? 0 : op->room - op->p->factor[k].rows;

    return (swq_compensated){op->block + at, low + at};
}

double swq_operator_image(const swq_operator *op, bool start, const long double *x,
                          long double *image)
{
    const int last = op->p->factors;
    double roundings = op->p->roundings;
    /* a rounding of long double, in units of a rounding of double */
    double fine = LDBL_MANT_DIG >= 64 ? 0x1p-11 : 1;

    for (int k = 0; k < last; k++) {
        const swq_csr *m = &op->p->factor[k];
        passing_long p = {
            .op = op, .m = m, .from = k == 0 ? x : NULL, .to = k + 1 == last ? image : NULL};
        if (k > 0)
            p.from_split = split_level(op, k);
        if (k + 1 < last)
            p.to_split = split_level(op, k + 1);
        /* an entry's sum, and how it is split and read again */
        roundings += fine * (double)(op->tallest[k] + 3);
        atomic_init(&p.next, 0);
        pass_long(&p);
    }
    image[op->root] = start ? 1 : 0;
    return (roundings + 3 * fine) * SWQ_ROUNDING;
}
