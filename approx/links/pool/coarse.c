/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of lumps, eliminated without subtraction from the longest queue down: a queue loses at
 * most one packet in a cycle, so that rows reach one row back only.
 */
#include "approx/links/pool/coarse.h"

#include "base/context.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Larger pools have wider lumps. */
enum { MOST_ROWS = 25 };

/* Factors are scaled before they overflow. */
#define HUGE_FACTOR 1e150

#define TAKE(array, count)                                                                         \
    ((array) = swq_calloc(ctx, (size_t)(count), sizeof *(array)), (array) != NULL)

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* Find the columns that each lump can reach; returns their total number. */
static size_t lay_out(pool_coarse *c)
{
    size_t at = 0;

    for (int q = 0; q < c->rows; q++)
        for (int r = 0; r < c->rows - q; r++) {
            int lump = c->row[q] + r, end = c->row[least(q + c->reach + 1, c->rows)];
            c->first[lump] = q > 0 ? c->row[q - 1] + most(0, r - c->reach) : 0;
            c->offset[lump] = at;
            at += (size_t)(end - c->first[lump]);
        }
    c->offset[c->lumps] = at;
    return at;
}

swq_status pool_coarse_init(swq_context *ctx, int ports, int capacity, pool_coarse *c)
{
    int width = capacity / MOST_ROWS + 1;

    *c = (pool_coarse){.rows = capacity / width + 1, .reach = (ports + width - 1) / width};
    c->lumps = c->rows * (c->rows + 1) / 2;
    if (!TAKE(c->of, capacity + 1) || !TAKE(c->row, c->rows + 1) || !TAKE(c->first, c->lumps) ||
        !TAKE(c->offset, c->lumps + 1) || !TAKE(c->factor, c->lumps))
        goto failed;
    for (int n = 0; n <= capacity; n++)
        c->of[n] = n / width;
    for (int q = 0; q < c->rows; q++)
        c->row[q + 1] = c->row[q] + c->rows - q;
    if (TAKE(c->flow, lay_out(c)))
        return SWQ_OK;
failed:
    pool_coarse_clear(ctx, c);
    return swq_memory_status(ctx);
}

void pool_coarse_clear(swq_context *ctx, pool_coarse *c)
{
    swq_free(ctx, c->of);
    swq_free(ctx, c->row);
    swq_free(ctx, c->first);
    swq_free(ctx, c->offset);
    swq_free(ctx, c->flow);
    swq_free(ctx, c->factor);
    *c = (pool_coarse){0};
}

void pool_coarse_start(pool_coarse *c)
{
    memset(c->flow, 0, c->offset[c->lumps] * sizeof *c->flow);
}

/* Row `from`, indexed by column. */
static double *row_of(const pool_coarse *c, int from)
{
    return c->flow + (ptrdiff_t)c->offset[from] - c->first[from];
}

static double sum_of(const double *p, int from, int to)
{
    double sum = 0;

    for (int j = from; j < to; j++)
        sum += p[j];
    return sum;
}

static int end_of(const pool_coarse *c, int lump)
{
    return c->first[lump] + (int)(c->offset[lump + 1] - c->offset[lump]);
}

/* The flow out of an empty lump is not known, so that no mass may flow into it either. Returns the
 * first lump that is not empty. */
static int close_empty(pool_coarse *c)
{
    int first = c->lumps;

    for (int i = c->lumps - 1; i >= 0; i--) {
        c->factor[i] = sum_of(row_of(c, i), c->first[i], end_of(c, i));
        first = c->factor[i] > 0 ? i : first;
    }
    for (int i = 0; i < c->lumps; i++)
        for (int j = c->first[i]; j < end_of(c, i); j++)
            if (c->factor[j] == 0)
                row_of(c, i)[j] = 0;
    return first;
}

/* False if nothing flows from the last lump to those before it, which are then never entered. */
static bool eliminate(pool_coarse *c, int last, int low)
{
    const double *out = row_of(c, last);
    double leaves = sum_of(out, c->first[last], last);

    if (leaves == 0 && c->factor[last] > 0)
        return false;
    for (int i = low; i < last; i++) {
        double *row = row_of(c, i), in = leaves > 0 ? row[last] / leaves : 0;
        row[last] = in; /* visits to `last` per visit to i */
        if (in > 0)
            for (int j = c->first[last]; j < last; j++)
                row[j] += in * out[j];
    }
    return true;
}

/* Returns the lump that is left. */
static int eliminate_all(pool_coarse *c)
{
    int first = close_empty(c);

    for (int q = c->rows - 1; q >= 0; q--)
        for (int last = c->row[q + 1] - 1; last >= c->row[q]; last--)
            if (last <= first || !eliminate(c, last, c->row[most(0, q - c->reach)]))
                return last;
    return 0;
}

void pool_coarse_solve(pool_coarse *c)
{
    int base = eliminate_all(c);

    for (int q = 0; q < c->rows; q++)
        for (int j = c->row[q]; j < c->row[q + 1]; j++) {
            double visits = j == base;
            for (int i = most(base, c->row[most(0, q - c->reach)]); i < j; i++)
                visits += c->factor[i] * row_of(c, i)[j];
            c->factor[j] = visits;
            for (int i = 0; visits > HUGE_FACTOR && i <= j; i++)
                c->factor[i] /= visits;
        }
    for (int i = 0; i < c->lumps; i++)
        if (!isfinite(c->factor[i])) {
            for (int j = 0; j < c->lumps; j++)
                c->factor[j] = 1;
            return;
        }
}
