/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paired differences and what they say.
 * Source: Law and Kelton, Simulation Modeling and Analysis (paired t, common random numbers); Holm
 * (1979).
 * Room: compare.
 */
#include "compare/judge.h"
#include "base/context.h"
#include "base/statistics.h"
#include "validate/checks/run.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* Of some numbers. */
typedef struct {
    double mean, deviation;
} moments;

static moments moments_of(const double *value, const double *less, int count)
{
    moments m = {0};

    for (int r = 0; r < count; r++)
        m.mean += (value[r] - (less ? less[r] : 0)) / count;
    for (int r = 0; r < count; r++) {
        const double off = value[r] - (less ? less[r] : 0) - m.mean;
        m.deviation += off * off;
    }
    m.deviation = sqrt(m.deviation / (count - 1));
    return m;
}

static const double *values_of(const swq_comparison *c, int scenario, int contestant)
{
    return c->value +
           ((size_t)scenario * (size_t)c->contestants + (size_t)contestant) * (size_t)c->repeats;
}

static swq_compared *standing_of(const swq_comparison *c, int scenario, int contestant)
{
    return &c->standing[(size_t)scenario * (size_t)c->contestants + (size_t)contestant];
}

/* Differences that are all the same are certain. */
static double chance_of(moments difference, int repeats)
{
    if (difference.deviation <= 1e-12 * fabs(difference.mean))
        return difference.mean == 0 ? 1 : 0;
    return 2 * gsl_cdf_tdist_Q(fabs(difference.mean) * sqrt(repeats) / difference.deviation,
                               repeats - 1);
}

static void stand_alone(swq_comparison *c, int s)
{
    const double t = swq_student_t(c->confidence, c->repeats - 1) / sqrt(c->repeats);

    c->best[s] = c->winner[s] = -1;
    for (int k = 0; k < c->contestants; k++) {
        swq_compared *mine = standing_of(c, s, k);
        const double *value = values_of(c, s, k);
        *mine = (swq_compared){.there = true, .rank = 1};
        for (int r = 0; r < c->repeats; r++)
            mine->there = mine->there && isfinite(value[r]);
        if (!mine->there)
            continue;
        const moments m = moments_of(value, NULL, c->repeats);
        mine->mean = m.mean;
        mine->half = t * m.deviation;
        const swq_compared *best = c->best[s] < 0 ? NULL : standing_of(c, s, c->best[s]);
        if (!best || (c->more_is_better ? m.mean > best->mean : m.mean < best->mean))
            c->best[s] = k;
    }
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All pairs of a scenario: their chances go to p, from *count on; and how much narrower pairing
 * makes their intervals. ratio: room for the pairs of one scenario. */
static void judge_pairs(swq_comparison *c, int s, double *p, int *count, double *ratio)
{
    const double root = sqrt(c->repeats), paired = swq_student_t(c->confidence, c->repeats - 1);
    const double apart = swq_student_t(c->confidence, 2.0 * (c->repeats - 1));
    int ratios = 0;

    c->ratio[s] = c->precision[s] = NAN;
    for (int a = 0; a < c->contestants; a++) {
        for (int b = a + 1; b < c->contestants; b++) {
            if (!standing_of(c, s, a)->there || !standing_of(c, s, b)->there)
                continue;
            const double *x = values_of(c, s, a), *y = values_of(c, s, b);
            const moments d = moments_of(x, y, c->repeats), one = moments_of(x, NULL, c->repeats),
                          two = moments_of(y, NULL, c->repeats);
            const double half = paired * d.deviation / root;
            const double loose = apart * hypot(one.deviation, two.deviation) / root;
            const double best = fabs(standing_of(c, s, c->best[s])->mean);
            p[(*count)++] = chance_of(d, c->repeats);
            if (half > 0)
                ratio[ratios++] = loose / half;
            if (best > 0)
                c->precision[s] = fmax(c->precision[s], half / best);
            if (a == c->best[s] || b == c->best[s]) {
                swq_compared *other = standing_of(c, s, a == c->best[s] ? b : a);
                other->behind = fabs(d.mean);
                other->behind_half = half;
                other->unpaired_half = loose;
            }
        }
    }
    qsort(ratio, (size_t)ratios, sizeof *ratio, by_value);
    if (ratios)
        c->ratio[s] = (ratio[(ratios - 1) / 2] + ratio[ratios / 2]) / 2;
}

/* Ranks, once it is known what is more than chance. p: as judge_pairs left them. */
static void rank(swq_comparison *c, int s, const double *p, int *at)
{
    int better_than[SWQ_CONTESTANTS] = {0}, there = 0;

    for (int a = 0; a < c->contestants; a++) {
        there += standing_of(c, s, a)->there;
        for (int b = a + 1; b < c->contestants; b++) {
            swq_compared *x = standing_of(c, s, a), *y = standing_of(c, s, b);
            if (!x->there || !y->there || p[(*at)++] > c->limit || x->mean == y->mean)
                continue;
            const bool first = (x->mean < y->mean) != c->more_is_better;
            (first ? y : x)->rank++;
            better_than[first ? a : b]++;
        }
    }
    for (int k = 0; k < c->contestants && there > 1; k++) {
        if (better_than[k] == there - 1)
            c->winner[s] = k;
    }
    if (c->winner[s] >= 0)
        standing_of(c, s, c->winner[s])->wins = true;
}

static double gain_of(const swq_comparison *c, int k)
{
    double sum = 0;

    for (int s = 0; s < c->scenarios; s++) {
        const swq_compared *mine = standing_of(c, s, k), *first = standing_of(c, s, 0);
        const bool usable = mine->there && first->there && mine->mean > 0 && first->mean > 0;
        const double better = usable ? log(first->mean / mine->mean) : NAN;
        sum += c->more_is_better ? -better : better;
    }
    return exp(sum / c->scenarios);
}

swq_status swq_contest_judge(swq_context *ctx, swq_comparison *c)
{
    const size_t each = (size_t)c->contestants * (size_t)(c->contestants - 1) / 2;
    const size_t all = each * (size_t)c->scenarios;
    double *p = swq_calloc(ctx, 2 * all + each + 1, sizeof *p);
    int at = 0;

    if (!p)
        return swq_memory_status(ctx);
    c->pairs = 0;
    for (int s = 0; s < c->scenarios; s++) {
        stand_alone(c, s);
        judge_pairs(c, s, p, &c->pairs, p + 2 * all);
    }
    for (int k = 0; k < c->pairs; k++)
        p[all + (size_t)k] = p[k];
    c->limit = swq_holm(p + all, (size_t)c->pairs, 1 - c->confidence);
    for (int s = 0; s < c->scenarios; s++)
        rank(c, s, p, &at);
    for (int k = 0; k < c->contestants; k++)
        c->gain[k] = gain_of(c, k);
    swq_free(ctx, p);
    return SWQ_OK;
}
