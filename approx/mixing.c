/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anderson mixing of probabilities.
 * Room: approx. Includes base.
 */
#include "approx/mixing.h"

#include "base/context.h"
#include "base/normal_equations.h"

#include <math.h>
#include <string.h>

enum { DEPTH = APPROX_MIXING_DEPTH, BLOCK = 512 /* entries that stay in the cache */ };

/* An entry may grow or shrink by this factor in one extrapolation. */
#define MOST_GROWTH 3.0

/* Before the iteration has come so close, its steps are too unlike to be extrapolated. */
#define MOST_CHANGE 0.1

/* An extrapolation after which the next change is so much larger has done harm; it is not tried
 * again before the changes have halved. */
#define HARM 1.5

/* Coefficients that add up to more than this magnify rounding more than they gain. */
#define MOST_WEIGHT 1e4

/* Entries far below this count as they are. */
#define TINY 1e-12

/* Entries are weighted again after this number of steps: old weights mislead, and new ones need all
 * products anew. */
enum { REWEIGH = 8 };

swq_status approx_mixing_init(swq_context *ctx, size_t n, approx_mixing *mix)
{
    *mix = (approx_mixing){.n = n, .limit = MOST_CHANGE};
    mix->memory = swq_calloc(ctx, n, sizeof *mix->memory * (2 * DEPTH + 3));
    if (!mix->memory)
        return swq_memory_status(ctx);
    double *at = mix->memory;
    for (int k = 0; k < DEPTH; k++) {
        mix->residual[k] = at, at += n;
        mix->image[k] = at, at += n;
    }
    mix->last_residual = at, at += n;
    mix->last_image = at, at += n;
    mix->weight = at;
    return SWQ_OK;
}

void approx_mixing_clear(swq_context *ctx, approx_mixing *mix)
{
    swq_free(ctx, mix->memory);
    *mix = (approx_mixing){0};
}

static double change_between(size_t n, const double *x, const double *image)
{
    double change = 0, sum = 0;

    for (size_t i = 0; i < n; i++) {
        change += fabs(image[i] - x[i]);
        sum += image[i];
    }
    return sum > 0 ? change / sum : INFINITY;
}

/* Four sums at a time: one would wait for itself. */
static double product(const double *a, const double *b, size_t n)
{
    double sum[4] = {0};
    size_t i = 0;

    for (; i + 4 <= n; i += 4) {
        for (int k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    }
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

typedef double couple __attribute__((vector_size(2 * sizeof(double))));

static inline couple couple_at(const double *from)
{
    couple c;

    memcpy(&c, from, sizeof c);
    return c;
}

/* The same of two vectors at a time, which reads `a` once; in couples, as compilers do not find
 * them here by themselves. */
static void add_two_products(const double *a, const double *b, const double *c, size_t n,
                             double *result)
{
    couple of_b[2] = {{0}}, of_c[2] = {{0}};
    size_t i = 0;

    for (; i + 4 <= n; i += 4) {
        const couple first = couple_at(a + i), second = couple_at(a + i + 2);
        of_b[0] += first * couple_at(b + i);
        of_b[1] += second * couple_at(b + i + 2);
        of_c[0] += first * couple_at(c + i);
        of_c[1] += second * couple_at(c + i + 2);
    }
    for (; i < n; i++) {
        of_b[0][0] += a[i] * b[i];
        of_c[0][0] += a[i] * c[i];
    }
    result[0] += (of_b[0][0] + of_b[0][1]) + (of_b[1][0] + of_b[1][1]);
    result[1] += (of_c[0][0] + of_c[0][1]) + (of_c[1][0] + of_c[1][1]);
}

/* result[k]: the weighted product of the vector with the k-th difference of residuals, k < count.
 */
static void products(const approx_mixing *mix, const double *vector, int count, double *result)
{
    double weighted[BLOCK];

    memset(result, 0, sizeof *result * (size_t)count);
    for (size_t from = 0; from < mix->n; from += BLOCK) {
        size_t size = mix->n - from < BLOCK ? mix->n - from : BLOCK;
        for (size_t i = 0; i < size; i++)
            weighted[i] = vector[from + i] * mix->weight[from + i];
        for (int k = 0; k + 2 <= count; k += 2)
            add_two_products(weighted, mix->residual[k] + from, mix->residual[k + 1] + from, size,
                             result + k);
        if (count % 2 == 1)
            result[count - 1] += product(weighted, mix->residual[count - 1] + from, size);
    }
}

static void fill_row(approx_mixing *mix, int row, int count)
{
    products(mix, mix->residual[row], count, mix->gram[row]);
    for (int k = 0; k < count; k++)
        mix->gram[k][row] = mix->gram[row][k];
}

static void weigh(approx_mixing *mix, const double *image)
{
    for (size_t i = 0; i < mix->n; i++)
        mix->weight[i] = 1 / sqrt(image[i] + TINY);
    mix->since = 0;
    for (int k = 0; k < mix->pairs; k++)
        fill_row(mix, k, k + 1);
}

/* Differences between this step and the last one take the place of the oldest. */
static void remember(approx_mixing *mix, const double *x, const double *image)
{
    int place = mix->at;
    double *residual = mix->residual[place], *difference = mix->image[place];

    for (size_t i = 0; i < mix->n; i++) {
        double now = image[i] - x[i];
        residual[i] = now - mix->last_residual[i];
        difference[i] = image[i] - mix->last_image[i];
        mix->last_residual[i] = now;
        mix->last_image[i] = image[i];
    }
    if (!mix->begun) {
        mix->begun = true;
        return;
    }
    mix->at = (place + 1) % DEPTH;
    mix->pairs += mix->pairs < DEPTH;
    if (mix->pairs == 1 || ++mix->since >= REWEIGH)
        weigh(mix, image);
    else
        fill_row(mix, place, mix->pairs);
}

/* The coefficients of the differences that leave the least residual; false if there is no telling.
 */
static bool coefficients(const approx_mixing *mix, double *gamma)
{
    double right[DEPTH], sum = 0;

    products(mix, mix->last_residual, mix->pairs, right);
    if (!swq_normal_equations((size_t)mix->pairs, *mix->gram, DEPTH, right, gamma))
        return false;
    for (int a = 0; a < mix->pairs; a++)
        sum += fabs(gamma[a]);
    return sum < MOST_WEIGHT;
}

static void subtract_two(double *restrict from, const double *restrict a, double times_a,
                         const double *restrict b, double times_b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        from[i] = from[i] - times_a * a[i] - times_b * b[i];
}

static void extrapolate(const approx_mixing *mix, const double *gamma, double *image)
{
    for (size_t from = 0; from < mix->n; from += BLOCK) {
        size_t until = mix->n - from < BLOCK ? mix->n : from + BLOCK;
        int k = 0;
        for (; k + 2 <= mix->pairs; k += 2) {
            subtract_two(image + from, mix->image[k] + from, gamma[k], mix->image[k + 1] + from,
                         gamma[k + 1], until - from);
        }
        for (size_t i = from; i < until && k < mix->pairs; i++)
            image[i] -= gamma[k] * mix->image[k][i];
        for (size_t i = from; i < until; i++) {
            double plain = mix->last_image[i], least = plain * (1 / MOST_GROWTH),
                   most = plain * MOST_GROWTH;
            image[i] = image[i] < least ? least : image[i] > most ? most : image[i];
        }
    }
}

double approx_mixing_step(approx_mixing *mix, const double *x, double *image)
{
    double change = change_between(mix->n, x, image), gamma[DEPTH];

    if (!(change < 4 * mix->change)) { /* something went astray: do not trust the past */
        mix->begun = false;
        mix->pairs = mix->at = 0;
    }
    if (mix->mixed && change > HARM * mix->change)
        mix->limit = fmin(mix->limit, 0.5 * mix->change);
    mix->change = change;
    remember(mix, x, image);
    mix->mixed = mix->pairs > 0 && change < mix->limit && coefficients(mix, gamma);
    if (mix->mixed)
        extrapolate(mix, gamma, image);
    return change;
}
