/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The number of queues of a pool that hold packets, given the number of packets.
 */
#include "approx/links/pool/rest.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

#define TAKE(array, count)                                                                         \
    ((array) = swq_calloc(ctx, (size_t)(count), sizeof *(array)), (array) != NULL)

swq_status pool_rest_init(swq_context *ctx, int ports, int capacity, pool_rest *rest)
{
    size_t totals = (size_t)capacity + 1, k = (size_t)ports;

    *rest = (pool_rest){.ports = ports, .capacity = capacity};
    if (TAKE(rest->folded, (k + 1) * totals) && TAKE(rest->nonempty, k * totals) &&
        TAKE(rest->others, totals) && TAKE(rest->all, totals))
        return SWQ_OK;
    pool_rest_clear(ctx, rest);
    return swq_memory_status(ctx);
}

void pool_rest_clear(swq_context *ctx, pool_rest *rest)
{
    swq_free(ctx, rest->folded);
    swq_free(ctx, rest->nonempty);
    swq_free(ctx, rest->others);
    swq_free(ctx, rest->all);
    *rest = (pool_rest){0};
}

static void fold(pool_rest *rest, const double *weight)
{
    int totals = rest->capacity + 1;

    memset(rest->folded, 0, (size_t)totals * sizeof *rest->folded);
    rest->folded[0] = 1;
    for (int m = 1; m <= rest->ports; m++) {
        const double *fewer = rest->folded + (size_t)(m - 1) * (size_t)totals;
        double *here = rest->folded + (size_t)m * (size_t)totals;
        for (int n = 0; n < totals; n++) {
            here[n] = 0;
            for (int i = 1; i <= n; i++)
                here[n] += weight[i] * fewer[n - i];
        }
    }
}

void pool_rest_find(pool_rest *rest, const double *weight)
{
    int k = rest->ports, totals = rest->capacity + 1;

    fold(rest, weight);
    for (int n = 0; n < totals; n++) {
        double *p = rest->nonempty + (size_t)n * (size_t)k, ways = 1;
        rest->others[n] = rest->all[n] = 0;
        for (int m = 0; m <= k; ways *= (double)(k - m) / (m + 1), m++) {
            /* ways = C(k, m); for the other queues, C(k-1, m) = C(k, m) (k - m) / k */
            double packets = rest->folded[(size_t)m * (size_t)totals + (size_t)n];
            double one_empty = pow(weight[0], k - 1 - m) * packets * ways;
            rest->all[n] += m == k ? packets : one_empty * weight[0];
            if (m == k)
                break;
            p[m] = one_empty * (k - m) / k;
            rest->others[n] += p[m];
        }
        for (int m = 0; m < k; m++)
            p[m] = rest->others[n] > 0 ? p[m] / rest->others[n] : m == (n < k ? n : k - 1);
    }
}

/* Weights multiplied by c rho^q are equivalent: choose those with w(1) = w(2) = 1. */
static void tilt(double *weight, int capacity)
{
    double ratio = weight[2] > 0 ? weight[1] / weight[2] : 1, factor = 1 / (weight[1] * ratio);

    for (int q = 0; q <= capacity; q++, factor *= ratio)
        weight[q] *= factor;
}

void pool_rest_fit(const pool_rest *rest, const double *total, const double *length, double rare,
                   double *weight)
{
    for (int q = 0; q <= rest->capacity; q++) {
        double per_weight = rare;
        for (int n = q; n <= rest->capacity; n++)
            if (rest->all[n] > 0)
                per_weight += total[n] * rest->others[n - q] / rest->all[n];
        /* with two queues, the other one has the rest: no weights are needed */
        weight[q] = rest->ports == 2 ? 1 : length[q] / per_weight;
    }
    if (weight[1] > 0)
        tilt(weight, rest->capacity);
}
