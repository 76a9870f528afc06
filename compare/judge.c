/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paired differences and what they say.
 * Source: Law and Kelton, Simulation Modeling and Analysis (paired t, common random numbers); Holm
 * (1979).
 */
#include "compare/judge.h"
#include "base/context.h"
#include "base/statistics.h"
#include "validate/checks/run.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Mean and standard deviation of a list of numbers. */
typedef struct {
    double mean, deviation;
} moments;

/* Mean and standard deviation of value[r * step], r = 0 .. count - 1, less less[r * less_step]
 * unless `less` is NULL. A step of 0: one number stands for all replications. */
static moments moments_of(const double *value, int step, const double *less, int less_step,
                          int count)
{
    moments m = {0};

    for (int r = 0; r < count; r++)
        m.mean += (value[r * step] - (less ? less[r * less_step] : 0)) / count;
    for (int r = 0; r < count; r++) {
        const double off = value[r * step] - (less ? less[r * less_step] : 0) - m.mean;
        m.deviation += off * off;
    }
    m.deviation = count > 1 ? sqrt(m.deviation / (count - 1)) : 0;
    return m;
}

/* ---- cells ---- */

static size_t cell_of(const swq_comparison *c, int scenario, int contestant)
{
    return (size_t)scenario * (size_t)c->contestants + (size_t)contestant;
}

static const double *values_of(const swq_comparison *c, int scenario, int contestant)
{
    return c->value + cell_of(c, scenario, contestant) * (size_t)c->repeats;
}

static swq_compared *standing_of(const swq_comparison *c, int scenario, int contestant)
{
    return &c->standing[cell_of(c, scenario, contestant)];
}

static swq_known_by by_of(const swq_comparison *c, int contestant)
{
    return c->by ? c->by[contestant] : SWQ_BY_SIMULATION;
}

static bool is_simulated(const swq_comparison *c, int contestant)
{
    return by_of(c, contestant) == SWQ_BY_SIMULATION;
}

/* The number of replications; 1 for chains and approximations, which need none. */
static int count_of(const swq_comparison *c, int scenario, int contestant)
{
    if (!is_simulated(c, contestant))
        return 1;
    return c->count ? c->count[cell_of(c, scenario, contestant)] : c->repeats;
}

static double width_of(const swq_comparison *c, int scenario, int contestant)
{
    const bool proven = c->width && by_of(c, contestant) == SWQ_BY_CHAIN;

    return proven ? c->width[cell_of(c, scenario, contestant)] : 0;
}

static bool more_is_better(const swq_comparison *c, int scenario)
{
    return c->more_better && c->more_better[scenario];
}

static bool is_judged(const swq_comparison *c, int scenario, int contestant)
{
    return standing_of(c, scenario, contestant)->there &&
           by_of(c, contestant) != SWQ_BY_APPROXIMATION;
}

static void stand_alone(swq_comparison *c, int s)
{
    c->best[s] = c->winner[s] = -1;
    for (int k = 0; k < c->contestants; k++) {
        swq_compared *mine = standing_of(c, s, k);
        const double *value = values_of(c, s, k);
        const int count = count_of(c, s, k);
        *mine = (swq_compared){.there = count > 0};
        for (int r = 0; r < count; r++)
            mine->there = mine->there && isfinite(value[r]);
        if (!mine->there)
            continue;
        const moments m = moments_of(value, 1, NULL, 0, count);
        mine->mean = m.mean;
        mine->half = width_of(c, s, k);
        if (count > 1)
            mine->half += swq_student_t(c->confidence, count - 1) * m.deviation / sqrt(count);
        if (!is_judged(c, s, k))
            continue;
        mine->rank = 1;
        const swq_compared *best = c->best[s] < 0 ? NULL : standing_of(c, s, c->best[s]);
        if (!best || (more_is_better(c, s) ? m.mean > best->mean : m.mean < best->mean))
            c->best[s] = k;
    }
}

/* ---- pairs ---- */

typedef struct {
    /* a minus b; its half-width, from pairs, and as if seeds were independent */
    double mean, half, loose;
    double chance; /* p-value: the probability of a difference as large, if there is none */
} pairing;

/* Differences that are all equal are certain. */
static double chance_of(double gap, double deviation, double mean, int count)
{
    if (count < 2 || deviation <= 1e-12 * fabs(mean))
        return gap == 0 ? 1 : 0;
    return 2 * gsl_cdf_tdist_Q(gap * sqrt(count) / deviation, count - 1);
}

static pairing pair_up(const swq_comparison *c, int s, int a, int b)
{
    const double *x = values_of(c, s, a), *y = values_of(c, s, b);
    const int step_x = is_simulated(c, a), step_y = is_simulated(c, b);
    const int of_x = count_of(c, s, a), of_y = count_of(c, s, b);
    const int count = !step_x ? of_y : !step_y || of_x < of_y ? of_x : of_y;
    const double width = width_of(c, s, a) + width_of(c, s, b);
    const moments d = moments_of(x, step_x, y, step_y, count);
    pairing p = {.mean = d.mean, .half = width, .loose = width};

    p.chance = chance_of(fmax(0, fabs(d.mean) - width), d.deviation, d.mean, count);
    if (count > 1) {
        const moments one = moments_of(x, step_x, NULL, 0, count),
                      two = moments_of(y, step_y, NULL, 0, count);
        const double apart = step_x && step_y ? 2.0 * (count - 1) : count - 1;
        p.half += swq_student_t(c->confidence, count - 1) * d.deviation / sqrt(count);
        p.loose +=
            swq_student_t(c->confidence, apart) * hypot(one.deviation, two.deviation) / sqrt(count);
    }
    return p;
}

double swq_contest_pair(const swq_comparison *c, int scenario, int a, int b)
{
    if (!is_judged(c, scenario, a) || !is_judged(c, scenario, b))
        return NAN;
    return pair_up(c, scenario, a, b).half;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Judges all pairs of a scenario: appends the pairs' p-values to p, from *count on; and finds how
 * much pairing narrows the pairs' intervals. ratio: room for the pairs of one scenario. */
static void judge_pairs(swq_comparison *c, int s, double *p, int *count, double *ratio)
{
    int ratios = 0;

    c->ratio[s] = c->precision[s] = NAN;
    for (int a = 0; a < c->contestants; a++) {
        for (int b = a + 1; b < c->contestants; b++) {
            if (!is_judged(c, s, a) || !is_judged(c, s, b))
                continue;
            const pairing d = pair_up(c, s, a, b);
            const double best = fabs(standing_of(c, s, c->best[s])->mean);
            p[(*count)++] = d.chance;
            if (d.half > 0 && is_simulated(c, a) && is_simulated(c, b))
                ratio[ratios++] = d.loose / d.half;
            if (best > 0)
                c->precision[s] = fmax(c->precision[s], d.half / best);
            if (a == c->best[s] || b == c->best[s]) {
                swq_compared *other = standing_of(c, s, a == c->best[s] ? b : a);
                const bool above = (a == c->best[s]) == (d.mean < 0);
                const bool worse = above != more_is_better(c, s);
                other->behind = worse || d.mean == 0 ? fabs(d.mean) : -fabs(d.mean);
                other->behind_half = d.half;
                other->unpaired_half = d.loose;
            }
        }
    }
    qsort(ratio, (size_t)ratios, sizeof *ratio, by_value);
    if (ratios)
        c->ratio[s] = (ratio[(ratios - 1) / 2] + ratio[ratios / 2]) / 2;
}

/* Ranks contestants, once it is known which differences are significant. p: as judge_pairs left
 * them. */
static void rank(swq_comparison *c, int s, const double *p, int *at)
{
    int better_than[SWQ_CONTESTANTS] = {0}, judged = 0;

    for (int a = 0; a < c->contestants; a++) {
        judged += is_judged(c, s, a);
        for (int b = a + 1; b < c->contestants; b++) {
            swq_compared *x = standing_of(c, s, a), *y = standing_of(c, s, b);
            if (!is_judged(c, s, a) || !is_judged(c, s, b))
                continue;
            const bool marked = p[(*at)++] <= c->limit;
            const double difference = marked ? pair_up(c, s, a, b).mean : 0;
            if (difference == 0)
                continue;
            const bool first = (difference < 0) != more_is_better(c, s);
            const int better = first ? a : b, worse = first ? b : a;
            (first ? y : x)->rank++;
            better_than[better]++;
            if (c->mark)
                c->mark[cell_of(c, s, better) * (size_t)c->contestants + (size_t)worse] = true;
        }
    }
    for (int k = 0; k < c->contestants && judged > 1; k++) {
        if (better_than[k] == judged - 1)
            c->winner[s] = k;
    }
    if (c->winner[s] >= 0)
        standing_of(c, s, c->winner[s])->wins = true;
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
    for (size_t k = 0; c->mark && k < (size_t)c->scenarios * (size_t)c->contestants; k++)
        memset(c->mark + k * (size_t)c->contestants, 0, (size_t)c->contestants);
    for (int s = 0; s < c->scenarios; s++)
        rank(c, s, p, &at);
    swq_free(ctx, p);
    return SWQ_OK;
}

/* ---- gains ---- */

static bool has_gain(const swq_comparison *c, int s)
{
    return !c->no_gain || !c->no_gain[s];
}

int swq_contest_base(const swq_comparison *c, int from, int to)
{
    for (int k = 0; k < c->contestants; k++) {
        bool there = true;
        for (int s = from; s < to; s++)
            there = there && (!has_gain(c, s) || standing_of(c, s, k)->there);
        if (there)
            return k;
    }
    return -1;
}

/* Logarithm of how much better contestant k is than `base`, in a replication; -1: in their
 * means. */
static double log_gain(const swq_comparison *c, int s, int k, int base, int repeat)
{
    double mine = standing_of(c, s, k)->mean, other = standing_of(c, s, base)->mean;

    if (repeat >= 0) {
        mine = values_of(c, s, k)[is_simulated(c, k) ? repeat : 0];
        other = values_of(c, s, base)[is_simulated(c, base) ? repeat : 0];
    }
    const double better = mine > 0 && other > 0 ? log(other / mine) : NAN;
    return more_is_better(c, s) ? -better : better;
}

/* The mean of log_gain over the scenarios that count for gains. */
static double mean_gain(const swq_comparison *c, int k, int base, int from, int to, int repeat)
{
    double sum = 0;
    int scenarios = 0;

    for (int s = from; s < to; s++)
        scenarios += has_gain(c, s);
    for (int s = from; s < to; s++)
        sum += has_gain(c, s) ? log_gain(c, s, k, base, repeat) / scenarios : 0;
    return scenarios ? sum : NAN;
}

double swq_contest_gain(const swq_comparison *c, int k, int base, int from, int to, double *half)
{
    int count = c->repeats;
    double mean = 0, square = 0;

    *half = NAN;
    for (int s = from; s < to; s++) {
        const int both[2] = {k, base};
        if (!has_gain(c, s))
            continue;
        for (int n = 0; n < 2; n++) {
            if (!standing_of(c, s, both[n])->there)
                return NAN;
            if (is_simulated(c, both[n]) && count_of(c, s, both[n]) < count)
                count = count_of(c, s, both[n]);
        }
    }
    const double gain = exp(mean_gain(c, k, base, from, to, -1));
    for (int r = 0; r < count; r++) {
        const double of = mean_gain(c, k, base, from, to, r), off = of - mean;
        mean += off / (r + 1);
        square += off * (of - mean);
    }
    if (count > 1)
        *half = gain * swq_student_t(c->confidence, count - 1) * sqrt(square / (count - 1) / count);
    return gain;
}
