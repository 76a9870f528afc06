/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/ref/ref_pauses.h"

#include <math.h>

static long left(const ref_pauses *s)
{
    long bytes = s->shared;

    for (int i = 0; i < s->inputs; i++)
        bytes -= s->part[i][0];
    return bytes;
}

static double length(const ref_pauses *s, int input)
{
    return s->averaged ? s->average[input] : (double)s->part[input][0];
}

/* What an input may hold; its degree of congestion becomes that of its average. */
static double limit(ref_pauses *s, int input)
{
    double n = 0;

    if (!s->averaged)
        return s->alpha * (double)left(s);
    s->degree[input] = (long)fmin((double)s->congested, floor(s->average[input]));
    for (int i = 0; i < s->inputs; i++)
        n += (double)s->degree[i];
    return s->alpha * (double)left(s) / fmax(1, n / (double)s->congested);
}

static int is_above(ref_pauses *s, double long_as, double most)
{
    if (s->averaged && fabs(long_as - most) < 1e-9 * (most + 1) && long_as != most)
        s->close++;
    return long_as > most;
}

ref_pauses_fate ref_pauses_comes(ref_pauses *s, int input, long bytes)
{
    const int above = is_above(s, length(s, input), limit(s, input));

    if (s->part[input][1] == 0 && !above && bytes <= left(s)) {
        s->part[input][0] += bytes;
        return REF_PAUSES_SHARED;
    }
    s->asked[input] = 1;
    if (s->part[input][1] + bytes > s->headroom)
        return REF_PAUSES_LOST;
    s->part[input][1] += bytes;
    return REF_PAUSES_HEADROOM;
}

void ref_pauses_leaves(ref_pauses *s, int input, long bytes)
{
    for (int part = 1; part >= 0; part--) {
        const long less = bytes < s->part[input][part] ? bytes : s->part[input][part];
        s->part[input][part] -= less;
        bytes -= less;
    }
    const double now = (double)(s->part[input][0] + s->part[input][1]), was = s->average[input];
    s->average[input] = fmin(now, was + (1 - s->gamma) * (now - was));
    if (!s->asked[input] || s->part[input][1] > 0)
        return;
    const double is = length(s, input);
    if (is < 1248 || !is_above(s, is + 2496, limit(s, input)))
        s->asked[input] = 0;
}
