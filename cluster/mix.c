/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anderson mixing in relative terms, of vectors that are spread over ranks; the rules are those of
 * solvers/mixing.c.
 */
#ifdef SWQ_HAVE_PETSC

#include "base/context.h"
#include "base/normal_equations.h"
#include "cluster/iterate.h"

#include <math.h>
#include <string.h>

/* As in solvers/mixing.c: the largest growth of an entry, the change below which steps are alike,
 * the growth of the change that shows that an extrapolation was harmful, and the largest
 * coefficients that gain more than they magnify. */
#define MOST_GROWTH 3.0
#define MOST_CHANGE 0.1
#define HARM        1.5
#define MOST_WEIGHT 1e4

enum { DEPTH = SWQ_FLEET_MIXING };

swq_status swq_spread_mixing_init(swq_fleet *fleet, int64_t n, swq_spread_mixing *mix)
{
    *mix = (swq_spread_mixing){.fleet = fleet, .n = n};
    for (int k = 0; k < DEPTH; k++) {
        mix->x[k] = swq_calloc(fleet->ctx, (size_t)n + 1, sizeof(double));
        mix->image[k] = swq_calloc(fleet->ctx, (size_t)n + 1, sizeof(double));
        if (!mix->x[k] || !mix->image[k])
            return swq_memory_status(fleet->ctx);
    }
    swq_spread_mixing_restart(mix);
    return SWQ_OK;
}

void swq_spread_mixing_clear(swq_spread_mixing *mix)
{
    for (int k = 0; k < DEPTH && mix->fleet; k++) {
        swq_free(mix->fleet->ctx, mix->x[k]);
        swq_free(mix->fleet->ctx, mix->image[k]);
    }
    *mix = (swq_spread_mixing){0};
}

void swq_spread_mixing_restart(swq_spread_mixing *mix)
{
    mix->seen = 0;
    mix->limit = MOST_CHANGE;
    mix->mixed = false;
}

/* The Gram matrix of the differences of residuals, followed by their products with the last
 * residual, summed over all ranks. */
static void gram(const swq_spread_mixing *mix, const int *place, int pairs,
                 double sum[DEPTH + 1][DEPTH])
{
    const double *x0 = mix->x[place[0]], *g0 = mix->image[place[0]];
    double difference[DEPTH];

    memset(sum, 0, sizeof(double) * (DEPTH + 1) * DEPTH);
    for (int64_t i = 0; i < mix->n; i++) {
        if (!(g0[i] > 0))
            continue;
        const double weight = 1 / g0[i], last = 1 - x0[i] * weight;
        for (int k = 0; k < pairs; k++)
            difference[k] = last - (mix->image[place[k + 1]][i] - mix->x[place[k + 1]][i]) * weight;
        for (int a = 0; a < pairs; a++) {
            sum[DEPTH][a] += difference[a] * last;
            for (int b = 0; b <= a; b++)
                sum[a][b] += difference[a] * difference[b];
        }
    }
    swq_fleet_add(mix->fleet, *sum, (DEPTH + 1) * DEPTH);
}

/* The coefficients of the differences that minimise the residual; false if they cannot be computed.
 */
static bool coefficients(const swq_spread_mixing *mix, const int *place, int pairs, double *gamma)
{
    double sum[DEPTH + 1][DEPTH], weight = 0;

    gram(mix, place, pairs, sum);
    if (!swq_normal_equations((size_t)pairs, *sum, DEPTH, sum[DEPTH], gamma))
        return false;
    for (int a = 0; a < pairs; a++)
        weight += fabs(gamma[a]);
    return weight < MOST_WEIGHT;
}

static double change_between(const swq_spread_mixing *mix, const double *x, const double *image)
{
    double change = 0;

    for (int64_t i = 0; i < mix->n; i++) {
        if (image[i] > 0)
            change = fmax(change, fabs(image[i] - x[i]) / image[i]);
        else if (image[i] != x[i])
            change = INFINITY;
    }
    return swq_fleet_greatest(mix->fleet, change);
}

double swq_spread_mixing_step(swq_spread_mixing *mix, const double *x, double *image)
{
    const size_t bytes = sizeof *x * (size_t)mix->n;
    const double change = change_between(mix, x, image);
    double gamma[DEPTH];
    int place[DEPTH];

    if (!(change < 4 * mix->change)) /* an extrapolation went wrong: forget the past iterates */
        mix->seen = 0;
    if (mix->mixed && change > HARM * mix->change)
        mix->limit = fmin(mix->limit, 0.5 * mix->change);
    mix->change = change;
    mix->mixed = false;
    const int slot = (int)(mix->seen++ % DEPTH);
    memcpy(mix->x[slot], x, bytes);
    memcpy(mix->image[slot], image, bytes);
    const int pairs = (int)(mix->seen < DEPTH ? mix->seen : DEPTH) - 1;
    for (int k = 0; k <= pairs; k++)
        place[k] = (int)((mix->seen - 1 - k) % DEPTH);
    if (pairs < 1 || !(change < mix->limit) || !coefficients(mix, place, pairs, gamma))
        return change;
    mix->mixed = true;
    for (int64_t i = 0; i < mix->n; i++) {
        const double plain = image[i];
        double mixed = plain;
        for (int k = 0; k < pairs; k++)
            mixed -= gamma[k] * (plain - mix->image[place[k + 1]][i]);
        image[i] = fmin(fmax(mixed, plain / MOST_GROWTH), plain * MOST_GROWTH);
    }
    return change;
}

#endif
