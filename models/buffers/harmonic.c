/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The harmonic rule: of a memory of B slots with N queues, the m longest queues together may hold
 * B (1 + 1/2 + ... + 1/m) / (1 + 1/2 + ... + 1/N) packets, for each m, the packet that comes
 * counted. Source: A. Kesselman and Y. Mansour, "Harmonic buffer management policy for shared
 * memory switches", Theor. Comput. Sci. 324, 2004.
 */
#include "models/buffers/buffers.h"
#include "switchq/arbiter.h"

static long double divisor(long double a, long double b)
{
    while (b > 0) {
        // cppcheck-suppress invalidFunctionArg
        const long double rest = fmodl(a, b);
        a = b;
        b = rest;
    }
    return a;
}

static swq_fate take_harmonic(const swq_buffer *b, int queues, const uint16_t *length,
                              uint16_t *kept, int join, swq_dice *dice)
{
    int sorted[2 * SWQ_MAX_PORTS];
    long double unit = 1, all = 0, part = 0, sum = 0; /* harmonic numbers as multiples of 1 / unit,
                                                         which are whole numbers */

    (void)kept, (void)dice;
    for (int q = 0; q < queues; q++) {
        const int now = length[q] + (q == join);
        int k = q;
        for (; k > 0 && sorted[k - 1] < now; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = now;
        unit *= (q + 1) / divisor(unit, q + 1);
    }
    for (int m = 1; m <= queues; m++)
        all += unit / m;
    for (int m = 1; m <= queues; m++) {
        part += unit / m;
        sum += sorted[m - 1];
        if (sum * all > b->capacity * part)
            return SWQ_REFUSE;
    }
    return SWQ_TAKE;
}

const swq_admission_rule swq_admission_harmonic = {
    .name = "harmonic",
    .summary = "the m longest queues together take at most the share (1 + 1/2 + ... + 1/m) / (1 + "
               "1/2 + ... + 1/N) of the slots, for each m",
    .source = "Kesselman and Mansour (2004)",
    .needs = SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS),
    .fate = take_harmonic,
};
