/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of lumps, eliminated without subtraction from the last lump down. It stays within its
 * band.
 */
#include "approx/lumps.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

/* Factors are scaled before there is overflow. */
#define HUGE_FACTOR 1e150

/* A lump whose rest is below this counts as empty, since arithmetic with such small numbers is slow
 * and inaccurate. */
#define NOTHING 1e-280

#define TAKE(array, count)                                                                         \
    ((array) = swq_calloc(ctx, (size_t)(count), sizeof *(array)), (array) != NULL)

swq_status approx_lumps_init(swq_context *ctx, int count, int down, int up, approx_lumps *l)
{
    *l = (approx_lumps){.count = count, .down = down, .up = up};
    if (TAKE(l->flow, (size_t)count * (size_t)(down + 1 + up)) && TAKE(l->held, count) &&
        TAKE(l->came, count) && TAKE(l->factor, count))
        return SWQ_OK;
    approx_lumps_clear(ctx, l);
    return swq_memory_status(ctx);
}

void approx_lumps_clear(swq_context *ctx, approx_lumps *l)
{
    swq_free(ctx, l->flow);
    swq_free(ctx, l->held);
    swq_free(ctx, l->came);
    swq_free(ctx, l->factor);
    *l = (approx_lumps){0};
}

void approx_lumps_start(approx_lumps *l)
{
    memset(l->flow, 0, (size_t)l->count * (size_t)(l->down + 1 + l->up) * sizeof *l->flow);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* Row `from`, to be indexed by lump. */
static double *row_of(const approx_lumps *l, int from)
{
    return l->flow + (ptrdiff_t)from * (l->down + 1 + l->up) + l->down - from;
}

/* Add up the mass that lumps hold and receive; flows into empty lumps are dropped. Returns the
   first lump that is not empty.
 */
static int add_up(approx_lumps *l)
{
    int first = l->count;

    memset(l->came, 0, (size_t)l->count * sizeof *l->came);
    for (int i = l->count - 1; i >= 0; i--) {
        const double *row = row_of(l, i);
        l->held[i] = 0;
        for (int j = most(0, i - l->down); j <= least(l->count - 1, i + l->up); j++) {
            l->held[i] += row[j];
            l->came[j] += row[j];
        }
        if (l->held[i] < NOTHING)
            l->held[i] = 0;
        first = l->held[i] > 0 ? i : first;
    }
    for (int i = first; i < l->count; i++) {
        double *row = row_of(l, i);
        for (int j = most(0, i - l->down); j <= least(l->count - 1, i + l->up); j++)
            row[j] = l->held[j] > 0 ? row[j] : 0;
    }
    return first;
}

/* Eliminate the last lump. False if nothing flows from it to earlier lumps. */
static bool eliminate(approx_lumps *l, int last)
{
    const double *out = row_of(l, last);
    const int low = most(0, last - l->down);
    double leaves = 0;

    for (int j = low; j < last; j++)
        leaves += out[j];
    for (int i = most(0, last - l->up); i < last; i++) {
        double *row = row_of(l, i), in = row[last] / leaves;
        row[last] = in; /* visits to `last` per visit to i */
        for (int j = low; in > 0 && j < last; j++)
            row[j] += in * out[j];
    }
    return leaves > 0;
}

/* Find by how much more often each lump is visited in the long run than now. */
static bool find_visits(approx_lumps *l, int first)
{
    for (int j = 0; j < l->count; j++) {
        double visits = j == first;
        for (int i = most(first, j - l->up); i < j && l->held[j] > 0; i++)
            visits += l->factor[i] * row_of(l, i)[j];
        l->factor[j] = visits;
        for (int i = 0; visits > HUGE_FACTOR && i <= j; i++)
            l->factor[i] /= visits;
        if (!isfinite(visits))
            return false;
    }
    return true;
}

void approx_lumps_solve(approx_lumps *l)
{
    double before = 0, after = 0;
    const int first = add_up(l);
    bool told = first < l->count;

    for (int last = l->count - 1; told && last > first; last--)
        told = l->held[last] == 0 || eliminate(l, last);
    told = told && find_visits(l, first);
    for (int i = first; told && i < l->count; i++) {
        before += l->held[i];
        after += l->held[i] * l->factor[i];
    }
    for (int i = 0; i < l->count; i++)
        l->factor[i] = told && l->held[i] > 0 && l->came[i] > 0
                           ? l->factor[i] * (before / after) * (l->held[i] / l->came[i])
                           : 1;
}
