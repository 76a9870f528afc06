/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anderson mixing in relative terms.
 * Room: solvers. Includes base.
 */
#include "solvers/mixing.h"

#include "base/context.h"
#include "base/normal_equations.h"

#include <math.h>
#include <string.h>

/* An entry may grow or shrink by this factor in one extrapolation. */
#define MOST_GROWTH 3.0

/* Before the iteration has come so close, its steps are too unlike to be extrapolated. */
#define MOST_CHANGE 0.1

/* An extrapolation after which the next change is so much larger has done harm; it is not tried
 * again before the changes have halved. */
#define HARM 1.5

/* Coefficients that add up to more than this magnify rounding more than they gain. */
#define MOST_WEIGHT 1e4

swq_status swq_mixing_init(swq_context *ctx, int64_t n, int depth, swq_mixing *mix)
{
    *mix = (swq_mixing){.n = n, .depth = depth < SWQ_MIXING_DEPTH ? depth : SWQ_MIXING_DEPTH};
    if (mix->depth > 0) {
        mix->block = swq_calloc(ctx, (size_t)n, sizeof *mix->block * 2 * (size_t)mix->depth);
        if (!mix->block)
            return swq_memory_status(ctx);
    }
    for (int k = 0; k < mix->depth; k++) {
        mix->x[k] = mix->block + 2 * k * n;
        mix->image[k] = mix->x[k] + n;
    }
    swq_mixing_restart(mix);
    return SWQ_OK;
}

void swq_mixing_clear(swq_context *ctx, swq_mixing *mix)
{
    swq_free(ctx, mix->block);
    *mix = (swq_mixing){0};
}

void swq_mixing_restart(swq_mixing *mix)
{
    mix->seen = 0;
    mix->limit = MOST_CHANGE;
    mix->mixed = false;
}

/* The Gram matrix of the differences of residuals, and their products with the last residual. */
static void gram(const swq_mixing *mix, const int *place, int pairs, double (*g)[SWQ_MIXING_DEPTH],
                 double *r)
{
    const double *x0 = mix->x[place[0]], *g0 = mix->image[place[0]];
    double difference[SWQ_MIXING_DEPTH];

    for (int64_t i = 0; i < mix->n; i++) {
        if (!(g0[i] > 0))
            continue;
        double weight = 1 / g0[i], last = 1 - x0[i] * weight;
        for (int k = 0; k < pairs; k++)
            difference[k] = last - (mix->image[place[k + 1]][i] - mix->x[place[k + 1]][i]) * weight;
        for (int a = 0; a < pairs; a++) {
            r[a] += difference[a] * last;
            for (int b = 0; b <= a; b++)
                g[a][b] += difference[a] * difference[b];
        }
    }
}

/* The coefficients of the differences that leave the least residual; false if there is no telling.
 */
static bool coefficients(const swq_mixing *mix, const int *place, int pairs, double *gamma)
{
    double g[SWQ_MIXING_DEPTH][SWQ_MIXING_DEPTH] = {{0}}, r[SWQ_MIXING_DEPTH] = {0}, sum = 0;

    gram(mix, place, pairs, g, r);
    if (!swq_normal_equations((size_t)pairs, *g, SWQ_MIXING_DEPTH, r, gamma))
        return false;
    for (int a = 0; a < pairs; a++)
        sum += fabs(gamma[a]);
    return sum < MOST_WEIGHT;
}

static double change_between(int64_t n, const double *x, const double *image)
{
    double change = 0;

    for (int64_t i = 0; i < n; i++) {
        if (image[i] > 0)
            change = fmax(change, fabs(image[i] - x[i]) / image[i]);
        else if (image[i] != x[i])
            change = INFINITY;
    }
    return change;
}

double swq_mixing_step(swq_mixing *mix, const double *x, double *image)
{
    size_t bytes = sizeof *x * (size_t)mix->n;
    double change = change_between(mix->n, x, image), gamma[SWQ_MIXING_DEPTH];
    int place[SWQ_MIXING_DEPTH];

    if (mix->depth < 2)
        return change;
    if (!(change < 4 * mix->change)) /* something went astray: do not trust the past */
        mix->seen = 0;
    if (mix->mixed && change > HARM * mix->change)
        mix->limit = fmin(mix->limit, 0.5 * mix->change);
    mix->change = change;
    mix->mixed = false;
    int slot = (int)(mix->seen++ % mix->depth);
    memcpy(mix->x[slot], x, bytes);
    memcpy(mix->image[slot], image, bytes);
    int pairs = (int)(mix->seen < mix->depth ? mix->seen : mix->depth) - 1;
    for (int k = 0; k <= pairs; k++)
        place[k] = (int)((mix->seen - 1 - k) % mix->depth);
    if (pairs < 1 || !(change < mix->limit) || !coefficients(mix, place, pairs, gamma))
        return change;
    mix->mixed = true;
    for (int64_t i = 0; i < mix->n; i++) {
        double plain = image[i], mixed = plain;
        for (int k = 0; k < pairs; k++)
            mixed -= gamma[k] * (plain - mix->image[place[k + 1]][i]);
        image[i] = fmin(fmax(mixed, plain / MOST_GROWTH), plain * MOST_GROWTH);
    }
    return change;
}
