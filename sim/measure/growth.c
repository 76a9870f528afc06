/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The growth of backlogs: reflected random walks, and t tests of their increments.
 */
#include "sim/measure/growth.h"
#include "base/statistics.h"

#include <math.h>

/* The most by which a correlation widens, as in swq_ratio_of_runs. */
#define MOST_CORRELATION 0.6

/* Sums of squares, and of products of consecutive ones, of increments less their mean. */
typedef struct {
    double end; /* the backlog at the end of the run: the sum of the walk's increments */
    double squares, products;
} backlog_walk;

static backlog_walk walk_of(const double *increment)
{
    const double n = SWQ_GROWTH_BATCHES;
    backlog_walk w = {0};

    for (int k = 0; k < SWQ_GROWTH_BATCHES; k++)
        w.end += increment[k];
    for (int k = 0; k < SWQ_GROWTH_BATCHES; k++) {
        const double x = increment[k] - w.end / n;
        w.squares += x * x;
        w.products += k > 0 ? x * (increment[k - 1] - w.end / n) : 0;
    }
    return w;
}

/* The scatter of the increments of some walks, in the part that is common to all of these walks. */
typedef struct {
    double widening; /* of the standard deviation, as increments are correlated */
    double degrees;  /* of freedom of that deviation */
} scatter;

/* Correlated increments count as fewer, as in swq_ratio_of_runs (Bayley and Hammersley 1946). The
 * lag-1 correlation of residuals is 1 / n too low. */
static scatter scatter_of(double squares, double products)
{
    const double n = SWQ_GROWTH_BATCHES, found = squares > 0 ? products / squares + 1 / n : 0;
    const double c = fmin(fmax(found, 0), MOST_CORRELATION);

    return (scatter){sqrt((1 + c) / (1 - c)), n * (1 - c * c) / (1 + c * c) - 1};
}

/* Standard deviation of the sum of the increments. */
static double deviation(const backlog_walk *w, const scatter *s)
{
    const double n = SWQ_GROWTH_BATCHES;

    return s->widening * sqrt(w->squares * n / (n - 1));
}

/* E|t|: the mean of a reflected walk's ratio of end and deviation. */
static double mean_ratio(double degrees)
{
    return sqrt(degrees) * tgamma((degrees - 1) / 2) / (tgamma(degrees / 2) * tgamma(0.5));
}

/* The ratio that a reflected walk exceeds with the probability `level`. */
static double largest_ratio(const scatter *s, double level)
{
    return swq_student_t(1 - level, s->degrees);
}

/* The number of standard deviations by which the true growth may exceed the observed growth,
 * one-sided. */
static double margin(const scatter *s, double level)
{
    return swq_student_t(1 - 2 * level, s->degrees);
}

static backlog_walk walk_of_sender(const swq_backlogs *b, uint32_t sender)
{
    const uint64_t *at = b->waiting + sender;
    double increment[SWQ_GROWTH_BATCHES];

    for (int k = 0; k < SWQ_GROWTH_BATCHES; k++, at += b->senders)
        increment[k] = (double)at[b->senders] - (double)at[0];
    return walk_of(increment);
}

/* The backlog of all senders, times `waits`, plus the contents of the network, times `inside`. */
static backlog_walk walk_of_all(const swq_backlogs *b, double waits, double inside)
{
    double increment[SWQ_GROWTH_BATCHES];
    const uint64_t *at = b->waiting;

    for (int k = 0; k < SWQ_GROWTH_BATCHES; k++) {
        increment[k] = inside * ((double)b->inside[k + 1] - (double)b->inside[k]);
        for (uint32_t i = 0; i < b->senders; i++, at++)
            increment[k] += waits * ((double)at[b->senders] - (double)at[0]);
    }
    return walk_of(increment);
}

/* Upper bound of the growth. */
static double largest_growth(const backlog_walk *w, double level)
{
    const scatter s = scatter_of(w->squares, w->products);

    return w->end + margin(&s, level) * deviation(w, &s);
}

/* Sums over all senders: their number, how much they create, how their backlogs scatter. */
static scatter common(const swq_backlogs *b, double *senders, double *created)
{
    double squares = 0, products = 0;

    *senders = *created = 0;
    for (uint32_t i = 0; i < b->senders; i++) {
        const backlog_walk w = walk_of_sender(b, i);
        *senders += b->created[i] > 0;
        *created += (double)b->created[i];
        squares += w.squares;
        products += w.products;
    }
    return scatter_of(squares, products);
}

swq_growth swq_growth_of(const swq_backlogs *b, double level)
{
    double senders, created, deviations = 0, highest = -1;
    swq_growth g = {0};
    const scatter each = common(b, &senders, &created);

    if (created == 0)
        return g;
    const double significant = largest_ratio(&each, level / senders),
                 more = margin(&each, level / senders);
    for (uint32_t i = 0; i < b->senders; i++) {
        const backlog_walk w = walk_of_sender(b, i);
        const double d = deviation(&w, &each), ratio = w.end > 0 ? w.end / d : 0;
        if (b->created[i] == 0)
            continue;
        deviations += d;
        g.worst.lacks = fmax(g.worst.lacks, (w.end + more * d) / (double)b->created[i]);
        if (ratio > highest)
            g.sender = i;
        highest = fmax(highest, ratio);
    }
    const backlog_walk all = walk_of_all(b, 1, 0),
                       fill = walk_of_all(b, 0, 1 / fmax((double)b->sent, 1)),
                       both = walk_of_all(b, 1 / created, 1 / fmax((double)b->sent, 1));
    const scatter own = scatter_of(all.squares, all.products);
    const double reflected = mean_ratio(each.degrees) * deviations;
    g.mean.grows = all.end - reflected > largest_ratio(&own, level) * deviation(&all, &own);
    g.worst.grows = g.mean.grows || highest > significant;
    g.mean.lacks = fmin(largest_growth(&both, level), 1);
    g.worst.lacks = fmin(g.worst.lacks + largest_growth(&fill, level), 1);
    return g;
}
