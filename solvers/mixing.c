/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anderson mixing in relative terms.
 */
#include "solvers/mixing.h"

#include "base/context.h"
#include "base/normal_equations.h"

#include <math.h>
#include <string.h>

/* An entry may grow or shrink by this factor in one extrapolation. */
#define MOST_GROWTH 3.0

/* While the iteration changes entries by more than this, its steps differ too much to be
 * extrapolated. */
#define MOST_CHANGE 0.1

/* If the change after an extrapolation is larger than the change before by this factor, the
 * extrapolation has done harm; extrapolation is not tried again before the changes have halved. */
#define HARM 1.5

/* Bound on remembered values in units of an entry: no value that is mixed comes near it. */
#define MOST_UNITS 1e9

/* Coefficients that add up to more than this magnify rounding more than they gain. */
#define MOST_WEIGHT 1e4

swq_status swq_mixing_init(swq_context *ctx, int64_t n, int depth, swq_mixing *mix)
{
    *mix = (swq_mixing){.n = n, .depth = depth < SWQ_MIXING_DEPTH ? depth : SWQ_MIXING_DEPTH};
    if (mix->depth > 1) {
        const size_t floats = 2 * (size_t)mix->depth - 1;
        mix->block = swq_calloc(ctx, (size_t)n, sizeof(double) + floats * sizeof(float));
        if (!mix->block)
            return swq_memory_status(ctx);
        mix->image = mix->block;
        void *const behind = mix->block + n;
        mix->residual = behind;
        for (int k = 0; k < mix->depth - 1; k++) {
            mix->residuals[k] = mix->residual + (2 * k + 1) * n;
            mix->images[k] = mix->residuals[k] + n;
        }
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

static float in_units(double difference)
{
    return (float)fmin(fmax(difference, -MOST_UNITS), MOST_UNITS);
}

/* Remember an iterate: its image, its residual, and the differences of both from those of the
 * previous iterate. */
static void remember(swq_mixing *mix, const double *x, const double *image)
{
    /* the first iterate has no predecessor; its differences, which mean nothing, are overwritten by
     * those of the second */
    const int slot = mix->seen > 0 ? (int)((mix->seen - 1) % (mix->depth - 1)) : 0;
    float *residuals = mix->residuals[slot], *images = mix->images[slot];

    for (int64_t i = 0; i < mix->n; i++) {
        const double unit = image[i] > 0 ? 1 / image[i] : 0, last = mix->image[i] * unit;
        const double residual = (image[i] - x[i]) * unit;
        residuals[i] = in_units(residual - mix->residual[i] * last);
        images[i] = in_units((image[i] - mix->image[i]) * unit);
        mix->residual[i] = in_units(residual);
        mix->image[i] = image[i];
    }
    mix->seen++;
}

/* The Gram matrix of the differences of residuals, and their products with the last residual. */
static void gram(const swq_mixing *mix, const double *x, int pairs,
                 double (*g)[SWQ_MIXING_DEPTH - 1], double *r)
{
    for (int64_t i = 0; i < mix->n; i++) {
        if (!(mix->image[i] > 0))
            continue;
        const double last = (mix->image[i] - x[i]) / mix->image[i];
        for (int a = 0; a < pairs; a++) {
            const double difference = mix->residuals[a][i];
            r[a] += difference * last;
            for (int b = 0; b <= a; b++)
                g[a][b] += difference * mix->residuals[b][i];
        }
    }
}

/* The coefficients of the differences that leave the least residual; false if they cannot be found.
 */
static bool coefficients(const swq_mixing *mix, const double *x, int pairs, double *gamma)
{
    double g[SWQ_MIXING_DEPTH - 1][SWQ_MIXING_DEPTH - 1] = {{0}}, r[SWQ_MIXING_DEPTH] = {0};
    double sum = 0;

    gram(mix, x, pairs, g, r);
    if (!swq_normal_equations((size_t)pairs, *g, SWQ_MIXING_DEPTH - 1, r, gamma))
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

/* Differences are stored in a ring, but their order does not matter to a mixture. */
static void mix_images(const swq_mixing *mix, int pairs, const double *gamma, double *next)
{
    for (int64_t i = 0; i < mix->n; i++) {
        double factor = 1;
        for (int k = 0; k < pairs; k++)
            factor -= gamma[k] * mix->images[k][i];
        next[i] = mix->image[i] * fmin(fmax(factor, 1 / MOST_GROWTH), MOST_GROWTH);
    }
}

double swq_mixing_step(swq_mixing *mix, const double *x, const double *image, double *next)
{
    double change = change_between(mix->n, x, image), gamma[SWQ_MIXING_DEPTH];

    if (mix->depth > 1) {
        if (!(change < 4 * mix->change)) /* the iteration went astray: forget earlier iterates */
            mix->seen = 0;
        if (mix->mixed && change > HARM * mix->change)
            mix->limit = fmin(mix->limit, 0.5 * mix->change);
        mix->change = change;
        remember(mix, x, image);
        const int pairs = (int)(mix->seen < mix->depth ? mix->seen : mix->depth) - 1;
        mix->mixed = pairs > 0 && change < mix->limit && coefficients(mix, x, pairs, gamma);
        if (mix->mixed) {
            mix_images(mix, pairs, gamma, next);
            return change;
        }
    }
    if (next != image)
        memcpy(next, image, sizeof *next * (size_t)mix->n);
    return change;
}
