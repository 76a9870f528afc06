/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The walk of brim.h. Its law is kept relative to that of an unlimited memory, and its steps are
 * scaled accordingly, so that all numbers are moderate.
 */
#include "approx/memory/brim.h"

#include "base/context.h"

#include <math.h>
#include <stdbool.h>

/* Levels below the brim: below them, the law is that of an unlimited memory. */
#define DEPTH(ports) (2 * (ports) + 64)

/* Bounds of the exponents of the number of busy queues, and of its square, and halvings of the
 * intervals between them. */
#define MOST_TILT    60.0
#define LEAST_SQUARE (-3.0)
#define MOST_SQUARE  0.3
enum { HALVINGS = 60 };

#define TAKE(array, count)                                                                         \
    ((array) = swq_calloc(ctx, (size_t)(count), sizeof *(array)), (array) != NULL)

typedef struct brim {
    int ports, depth;
    double load, busy, decay;
    double *arrive; /* [ports + 1] */
    double *send;   /* [ports + 1]: law of the number of busy queues */
    double *step;   /* [2 ports + 1]: chance to rise by u = index - ports, times exp(decay u) */
    double *flow;   /* [(depth + 1)^2]: from level to level, 0 the brim */
    double *law;    /* [depth + 1]: what comes from below the lowest level, then the law */
} brim;

/* send(k) <- C(ports, k) exp(a k + b (k - busy)^2); returns its mean. */
static double tilt(brim *b, double linear, double square)
{
    const int n = b->ports;
    double most = -INFINITY, sum = 0, mean = 0;

    for (int k = 0; k <= n; k++) {
        const double off = k - b->busy;
        b->send[k] =
            lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + linear * k + square * off * off;
        most = fmax(most, b->send[k]);
    }
    for (int k = 0; k <= n; k++) {
        b->send[k] = exp(b->send[k] - most);
        sum += b->send[k];
        mean += k * b->send[k];
    }
    for (int k = 0; k <= n; k++)
        b->send[k] /= sum;
    return mean / sum;
}

/* With a given spread, the mean becomes `busy`. Returns log E[exp(-decay (sent - busy))]. */
static double spread(brim *b, double square)
{
    double low = -MOST_TILT, high = MOST_TILT;

    for (int k = 0; k < HALVINGS; k++) {
        const double middle = (low + high) / 2;
        *(tilt(b, middle, square) < b->busy ? &low : &high) = middle;
    }
    double sum = b->send[0] * exp(-b->decay * (0 - b->busy));
    for (int k = 1; k <= b->ports; k++)
        sum += b->send[k] * exp(-b->decay * (k - b->busy));
    return log(sum);
}

/* The scaled chance of `a` arrivals. */
static double chance_of(const brim *b, int a)
{
    const int n = b->ports;

    return exp(lgamma(n + 1) - lgamma(a + 1) - lgamma(n - a + 1) + a * log(b->load) +
               (n - a) * log1p(-b->load) + b->decay * (a - b->busy));
}

/* The law of what is sent: E[exp(decay (arrivals - sent))] = 1. Both laws are scaled. */
static void find_steps(brim *b)
{
    const int n = b->ports;
    double low = LEAST_SQUARE, high = MOST_SQUARE, arrivals = chance_of(b, 0), sum = 0;

    b->arrive[0] = arrivals;
    for (int a = 1; a <= n; a++) {
        b->arrive[a] = chance_of(b, a);
        arrivals += b->arrive[a];
    }
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = (low + high) / 2;
        *(spread(b, middle) < -log(arrivals) ? &low : &high) = middle;
    }
    for (int k = 0; k <= n; k++) {
        b->send[k] *= exp(-b->decay * (k - b->busy));
        sum += b->send[k];
    }
    for (int a = 0; a <= n; a++)
        for (int k = 0; k <= n; k++)
            b->step[a - k + n] += b->arrive[a] / arrivals * b->send[k] / sum;
}

static double *flow(const brim *b, int from, int to)
{
    return b->flow + (size_t)from * (size_t)(b->depth + 1) + (size_t)to;
}

/* The scaled chance of a step that would rise `up` from the level `from`: what is above the brim is
 * lost. */
static double cut(const brim *b, int from, int up)
{
    const double chance = b->step[up + b->ports];

    return up > from ? chance * exp(-b->decay * (up - from)) : chance;
}

/* Flows between levels; below the lowest one, the law is that of an unlimited memory. */
static void find_flows(brim *b)
{
    for (int from = 0; from <= b->depth + b->ports; from++)
        for (int up = -b->ports; up <= b->ports; up++) {
            const int to = up > from ? 0 : from - up;
            if (to > b->depth)
                continue;
            *(from <= b->depth ? flow(b, from, to) : &b->law[to]) += cut(b, from, up);
        }
}

/* law <- law (1 - flow)^-1, without pivots: levels are eliminated from the lowest up. */
static void settle(brim *b)
{
    const int n = b->depth;

    for (int k = n; k >= 0; k--) {
        const double stays = 1 - *flow(b, k, k);
        for (int i = 0; i < k; i++)
            *flow(b, i, k) /= stays;
        const int top = k - b->ports > 0 ? k - b->ports : 0;
        for (int j = top; j < k; j++) {
            const double out = *flow(b, k, j);
            b->law[j] += b->law[k] / stays * out;
            for (int i = 0; i < k; i++)
                *flow(b, i, j) += *flow(b, i, k) * out;
        }
        b->law[k] /= stays;
    }
    for (int k = 1; k <= n; k++)
        for (int i = 0; i < k; i++)
            b->law[k] += b->law[i] * *flow(b, i, k);
}

static double overflow(const brim *b)
{
    double lost = 0;

    for (int from = 0; from < b->ports; from++)
        for (int up = from + 1; up <= b->ports; up++)
            lost += b->law[from] * cut(b, from, up) * (up - from);
    return lost;
}

swq_status memory_brim(swq_context *ctx, int ports, double load, double busy, double decay,
                       double *lost)
{
    brim b = {.ports = ports, .depth = DEPTH(ports), .load = load, .busy = busy, .decay = decay};
    const size_t levels = (size_t)b.depth + 1;
    const bool ok = TAKE(b.arrive, ports + 1) && TAKE(b.send, ports + 1) &&
                    TAKE(b.step, 2 * ports + 1) && TAKE(b.flow, levels * levels) &&
                    TAKE(b.law, levels);

    if (ok) {
        find_steps(&b);
        find_flows(&b);
        settle(&b);
        *lost = overflow(&b);
    }
    swq_free(ctx, b.arrive);
    swq_free(ctx, b.send);
    swq_free(ctx, b.step);
    swq_free(ctx, b.flow);
    swq_free(ctx, b.law);
    return ok ? SWQ_OK : swq_memory_status(ctx);
}
