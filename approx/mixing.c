/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anderson mixing of probabilities.
 */
#include "approx/mixing.h"

#include "base/context.h"
#include "base/normal_equations.h"

#include <math.h>
#include <string.h>

enum { DEPTH = APPROX_MIXING_DEPTH, BLOCK = 512 /* entries that stay in the cache */ };

/* An entry may grow or shrink by this factor in one extrapolation. */
#define MOST_GROWTH 3.0

/* While the iteration changes the state by more than this, its steps differ too much to be
 * extrapolated. */
#define MOST_CHANGE 0.1

/* If the change after an extrapolation is larger than the change before by this factor, the
 * extrapolation has done harm; extrapolation is not tried again before the changes have halved. */
#define HARM 1.5

/* Coefficients that add up to more than this magnify rounding more than they gain. */
#define MOST_WEIGHT 1e4

/* Entries far below this have the weight of an entry of this size. */
#define TINY 1e-12

/* Entries are weighted again after this number of steps: old weights mislead, and new ones need all
 * products anew. */
enum { REWEIGH = 8 };

/* Smaller differences are set to zero: floats this small are slow. */
#define SMALLEST 1e-37

swq_status approx_mixing_init(swq_context *ctx, size_t n, approx_mixing *mix)
{
    *mix = (approx_mixing){.n = n, .limit = MOST_CHANGE};
    mix->memory = swq_calloc(ctx, n, sizeof *mix->memory * 3);
    mix->differences = swq_calloc(ctx, n, sizeof *mix->differences * 2 * DEPTH);
    if (!mix->memory || !mix->differences) {
        approx_mixing_clear(ctx, mix);
        return swq_memory_status(ctx);
    }
    for (size_t k = 0; k < DEPTH; k++) {
        mix->residual[k] = mix->differences + 2 * k * n;
        mix->image[k] = mix->differences + (2 * k + 1) * n;
    }
    mix->last_residual = mix->memory;
    mix->last_image = mix->memory + n;
    mix->weight = mix->memory + 2 * n;
    return SWQ_OK;
}

void approx_mixing_clear(swq_context *ctx, approx_mixing *mix)
{
    swq_free(ctx, mix->memory);
    swq_free(ctx, mix->differences);
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

typedef double couple __attribute__((vector_size(2 * sizeof(double))));
typedef float small_couple __attribute__((vector_size(2 * sizeof(float))));

static inline couple couple_at(const double *from)
{
    couple c;

    memcpy(&c, from, sizeof c);
    return c;
}

static inline couple couple_of(const float *from)
{
    small_couple c;

    memcpy(&c, from, sizeof c);
    return __builtin_convertvector(c, couple);
}

/* Add the products of a vector with two others, which reads it once; in couples, as compilers do
 * not find them here by themselves. */
static void add_two_products(const float *a, const double *b, const double *c, size_t n,
                             double *with_b, double *with_c)
{
    couple of_b[2] = {{0}}, of_c[2] = {{0}};
    size_t i = 0;

    for (; i + 4 <= n; i += 4) {
        const couple first = couple_of(a + i), second = couple_of(a + i + 2);
        of_b[0] += first * couple_at(b + i);
        of_b[1] += second * couple_at(b + i + 2);
        of_c[0] += first * couple_at(c + i);
        of_c[1] += second * couple_at(c + i + 2);
    }
    for (; i < n; i++) {
        of_b[0][0] += (double)a[i] * b[i];
        of_c[0][0] += (double)a[i] * c[i];
    }
    *with_b += (of_b[0][0] + of_b[0][1]) + (of_b[1][0] + of_b[1][1]);
    *with_c += (of_c[0][0] + of_c[0][1]) + (of_c[1][0] + of_c[1][1]);
}

/* Weight a block of entries of a vector, from `from` on. */
static void weigh_small(const approx_mixing *mix, const float *vector, size_t from, size_t size,
                        double *weighted)
{
    for (size_t i = 0; i < size; i++)
        weighted[i] = (double)vector[from + i] * mix->weight[from + i];
}

static void weigh_last(const approx_mixing *mix, size_t from, size_t size, double *weighted)
{
    for (size_t i = 0; i < size; i++)
        weighted[i] = mix->last_residual[from + i] * mix->weight[from + i];
}

static size_t block_size(const approx_mixing *mix, size_t from)
{
    return mix->n - from < BLOCK ? mix->n - from : BLOCK;
}

/* Compute a row of the Gram matrix anew, and right[k]: the weighted product of the residual with
 * the k-th difference of residuals. Reads each difference once. */
static void fill_row(approx_mixing *mix, int row, double *right)
{
    double newest[BLOCK], last[BLOCK], *gram = mix->gram[row];

    for (int k = 0; k < mix->pairs; k++)
        gram[k] = right[k] = 0;
    for (size_t from = 0; from < mix->n; from += BLOCK) {
        const size_t size = block_size(mix, from);
        weigh_small(mix, mix->residual[row], from, size, newest);
        weigh_last(mix, from, size, last);
        for (int k = 0; k < mix->pairs; k++)
            add_two_products(mix->residual[k] + from, newest, last, size, &gram[k], &right[k]);
    }
    for (int k = 0; k < mix->pairs; k++)
        mix->gram[k][row] = gram[k];
}

/* Compute new weights of the entries, and all products. */
static void weigh(approx_mixing *mix, const double *image, double *right)
{
    double one[BLOCK], other[BLOCK];
    const int n = mix->pairs;

    for (size_t i = 0; i < mix->n; i++)
        mix->weight[i] = 1 / sqrt(image[i] + TINY);
    mix->since = 0;
    memset(mix->gram, 0, sizeof mix->gram);
    memset(right, 0, sizeof *right * DEPTH);
    for (size_t from = 0; from < mix->n; from += BLOCK) {
        const size_t size = block_size(mix, from);
        for (int k = n % 2; k < n; k += 2) {
            weigh_small(mix, mix->residual[k], from, size, one);
            weigh_small(mix, mix->residual[k + 1], from, size, other);
            for (int j = 0; j <= k + 1; j++)
                add_two_products(mix->residual[j] + from, one, other, size, &mix->gram[k][j],
                                 &mix->gram[k + 1][j]);
        }
        weigh_last(mix, from, size, one);
        weigh_small(mix, mix->residual[0], from, size, other);
        for (int j = 0; j < n; j++) {
            double unused = 0;
            add_two_products(mix->residual[j] + from, one, other, size, &right[j],
                             j == 0 && n % 2 ? &mix->gram[0][0] : &unused);
        }
    }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < k; j++)
            mix->gram[j][k] = mix->gram[k][j];
}

static inline float as_float(double difference)
{
    return (float)(fabs(difference) < SMALLEST ? 0 : difference);
}

/* Remember the differences between this step and the last step in the place of the oldest
   differences. right: see fill_row.
 */
static void remember(approx_mixing *mix, const double *x, const double *image, double *right)
{
    int place = mix->at;
    float *residual = mix->residual[place], *difference = mix->image[place];

    for (size_t i = 0; i < mix->n; i++) {
        double now = image[i] - x[i];
        residual[i] = as_float(now - mix->last_residual[i]);
        difference[i] = as_float(image[i] - mix->last_image[i]);
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
        weigh(mix, image, right);
    else
        fill_row(mix, place, right);
}

/* The coefficients of the differences that leave the least residual; false if they cannot be found.
 */
static bool coefficients(const approx_mixing *mix, const double *right, double *gamma)
{
    double sum = 0;

    if (!swq_normal_equations((size_t)mix->pairs, *mix->gram, DEPTH, right, gamma))
        return false;
    for (int a = 0; a < mix->pairs; a++)
        sum += fabs(gamma[a]);
    return sum < MOST_WEIGHT;
}

static void subtract_two(double *restrict from, const float *restrict a, double times_a,
                         const float *restrict b, double times_b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        from[i] = from[i] - times_a * (double)a[i] - times_b * (double)b[i];
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
            image[i] -= gamma[k] * (double)mix->image[k][i];
        for (size_t i = from; i < until; i++) {
            double plain = mix->last_image[i], least = plain * (1 / MOST_GROWTH),
                   most = plain * MOST_GROWTH;
            image[i] = image[i] < least ? least : image[i] > most ? most : image[i];
        }
    }
}

double approx_mixing_step(approx_mixing *mix, const double *x, double *image)
{
    double change = change_between(mix->n, x, image), gamma[DEPTH], right[DEPTH] = {0};

    if (!(change < 4 * mix->change)) { /* the iteration went astray: forget earlier steps */
        mix->begun = false;
        mix->pairs = mix->at = 0;
    }
    if (mix->mixed && change > HARM * mix->change)
        mix->limit = fmin(mix->limit, 0.5 * mix->change);
    mix->change = change;
    remember(mix, x, image, right);
    mix->mixed = mix->pairs > 0 && change < mix->limit && coefficients(mix, right, gamma);
    if (mix->mixed)
        extrapolate(mix, gamma, image);
    return change;
}
