/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Residuals, from the tail of each distribution: P(residual = k) is P(number > k) / mean.
 */
#include "sim/traffic/residual.h"

#include <math.h>

enum { WORDS = 1 << 20 /* places of the stream for each beginning */ };

swq_endless_words swq_words_from(const swq_streams *streams, uint32_t who, uint64_t number,
                                 uint64_t first)
{
    return (swq_endless_words){first, streams, who, number * WORDS};
}

uint64_t swq_words_next(swq_endless_words *d)
{
    const uint64_t word = d->next;
    uint64_t spare;

    swq_stream_pair(d->streams, SWQ_STREAM_START, d->who, d->place++, &d->next, &spare);
    return word;
}

static uint64_t below(swq_endless_words *d, uint64_t n)
{
    return (uint64_t)(((__uint128_t)swq_words_next(d) * n) >> 64);
}

/* Draws the residual of a uniform number (least .. least + choices - 1) with the probabilities
 * P(number > k) / mean. Every k below `least` has the full weight 1. k = least + j has the weight
 * P(number > least + j), which falls linearly in j: the lesser of two different choices out of
 * `choices` is distributed so. */
static uint32_t draw_uniform(const swq_drawn *u, swq_endless_words *d)
{
    const uint64_t n = u->choices, sure = 2 * u->least;

    if (below(d, sure + n - 1) < sure) /* 2 / n times the sum of all chances */
        return (uint32_t)below(d, u->least);
    const uint64_t one = below(d, n), other = below(d, n - 1);
    return (uint32_t)(u->least + (one <= other ? one : other));
}

/* The chances are a staircase below the curve (1 + x / s)^-shape: a step of 1 at k = 0, and then
 * one from k - 1 to k. A point below the curve is drawn by inversion, and accepted if it is below
 * the staircase. Logarithms keep it exact for shapes near 1 and for small s. */
static uint32_t draw_pareto(const swq_drawn *p, swq_endless_words *d)
{
    const double shape = -1 / p->power, s = p->scale, steps = SWQ_MAX_MESSAGE - 1;
    const double cut = expm1(-(shape - 1) * log1p(steps / s)); /* minus what lies up to the end */
    const double area = -cut * s / (shape - 1);

    while (s > 0 && swq_word_uniform(swq_words_next(d)) * (1 + area) > 1) {
        const double u = swq_word_uniform(swq_words_next(d));
        const double x = s * expm1(-log1p(u * cut) / (shape - 1)), k = fmin(ceil(x), steps);
        if (swq_word_uniform(swq_words_next(d)) <= pow((s + x) / (s + k), shape))
            return (uint32_t)k;
    }
    return 0;
}

uint32_t swq_residual_draw(const swq_drawn *drawn, swq_endless_words *draws)
{
    if (drawn->choices)
        return draw_uniform(drawn, draws);
    if (drawn->power < 0)
        return draw_pareto(drawn, draws);
    /* a geometric number has no memory */
    return swq_spread_draw(drawn, swq_words_next(draws)) - (uint32_t)drawn->least;
}
