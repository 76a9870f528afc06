/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The idle cycles before packets, many at a time: exactly swq_gap, but for most of them without its
 * logarithm in double. A gap is a product, rounded down, and so a logarithm in float, with a bound
 * of its error, tells the gap unless the product lies close to a whole number. Loops without a
 * branch take eight words at once.
 */
#ifndef SWQ_SIM_STAGES_FAST_GAPS_H
#define SWQ_SIM_STAGES_FAST_GAPS_H

#include "sim/stages/fast/shape.h"
#include "sim/stages/sources.h"

/* A bound of the errors of -log u in float, for u of 2^-10 or more. The upper 31 bits of the word,
 * with the last bit set, are a number n > 2^21, which gives u with a relative error of 1 / n <
 * 4.8e-7; its conversion to float adds 6e-8. The polynomial is right to 2e-7 with its roundings,
 * and the multiple of log 2, up to 7, is rounded twice, by 4.2e-7 each. The product with the mean
 * and the sums with the bound are rounded, too, by 7 * 6e-8 of the mean each. All of this is less
 * than 3e-6. */
#define LOG_ERROR 4e-6f

enum {
    LEAST_TOLD = 1 << 21,    /* n from which on the bound holds */
    LARGEST_SCALE = 1 << 14, /* beyond it, too few gaps would be told */
    SQRT_HALF = 0x3f3504f3   /* as the bits of a float */
};

/* -log(n / 2^31), for n > 0. The polynomial is that of Cephes' logf (Moshier 1992), for a mantissa
 * between the roots of 1/2 and 2. */
SWQ_INLINE float minus_log(int32_t n)
{
    const float f = (float)n;
    int32_t bits;
    float m;

    memcpy(&bits, &f, sizeof bits);
    const int32_t exponent = (bits - SQRT_HALF) >> 23, mantissa = bits - exponent * (1 << 23);
    memcpy(&m, &mantissa, sizeof m);
    const float x = m - 1, square = x * x;
    float p = 7.0376836292e-2f;
    p = p * x - 1.1514610310e-1f;
    p = p * x + 1.1676998740e-1f;
    p = p * x - 1.2420140846e-1f;
    p = p * x + 1.4249322787e-1f;
    p = p * x - 1.6668057665e-1f;
    p = p * x + 2.0000714765e-1f;
    p = p * x - 2.4999993993e-1f;
    p = p * x + 3.3333331174e-1f;
    return (float)(31 - exponent) * 0.69314718056f - (x + (square * x * p - 0.5f * square));
}

/* The gaps of some words, `scale` being minus their per_log; untold[k]: it is not certain. */
SWQ_INLINE void tell_gaps(const uint64_t *word, uint32_t count, float scale, uint32_t *gap,
                          uint32_t *untold)
{
    const float error = LOG_ERROR * scale;

    for (uint32_t k = 0; k < count; k++) {
        const int32_t n = (int32_t)(word[k] >> 33) | 1;
        const float product = scale * minus_log(n);
        const int32_t least = (int32_t)(product - error), most = (int32_t)(product + error);
        gap[k] = (uint32_t)most;
        untold[k] = (uint32_t)((least != most) | (n < LEAST_TOLD));
    }
}

/* The gaps of the next packets of some sources, at most 256, from a word for each; they are not
 * always at full load. */
SHARED void draw_gaps(const swq_net *net, const uint32_t *source, const uint64_t *word,
                      uint32_t count, uint32_t *gap)
{
    const double scale = -net->sources.per_log[0];
    uint32_t untold[256];

    if (net->spec->traffic.node_load || scale > LARGEST_SCALE) {
        for (uint32_t k = 0; k < count; k++)
            gap[k] = swq_gap(net, source[k], word[k]);
        return;
    }
    tell_gaps(word, count, (float)scale, gap, untold);
    for (uint32_t k = 0; k < count; k++) {
        if (untold[k])
            gap[k] = swq_gap(net, source[k], word[k]);
    }
}

#endif
