/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over batches, of all replications together, and their ratios.
 */
#include "sim/measure/sums.h"

#include "base/statistics.h"

#include <math.h>

enum { MANY_EVENTS = 1000 }; /* are as good as normal */

double swq_relied_on(double known, double count)
{
    return known * (1 + known / count) / 2;
}

static double sum_in_batch(const swq_replication *r, size_t b, const swq_sum *what)
{
    double sum = 0;

    if (what->cycles)
        return (double)r->length[b] * what->factor;
    for (int k = 0; k < what->count; k++) {
        const uint64_t *counter =
            &r->batch[b * r->counters + (size_t)(what->first + k * what->step)];
        sum += (double)(counter[0] + (what->beside ? counter[what->beside] : 0) +
                        (what->also ? counter[what->also] : 0));
    }
    return sum * what->factor;
}

void swq_sum_fill(const swq_collector *c, const swq_sum *what, double *array)
{
    size_t at = 0;

    for (int k = 0; k < c->options->replications; k++) {
        const swq_replication *r = &c->replication[k];
        size_t groups = c->taken[k];
        for (size_t g = 0; g < groups; g++, at++) {
            size_t end = swq_taken_end(c, r, g, groups);
            array[at] = 0;
            for (size_t b = g * c->merge; b < end; b++)
                array[at] += sum_in_batch(r, b, what);
        }
    }
}

swq_estimate swq_filled_ratio(const swq_collector *c, const double *below)
{
    const swq_ratio r =
        swq_ratio_of_runs(c->above, below, c->taken, (size_t)c->options->replications);

    return (swq_estimate){r.mean, swq_ratio_half_width(&r, c->options->confidence)};
}

swq_estimate swq_sum_ratio(const swq_collector *c, swq_sum above, swq_sum below)
{
    swq_sum_fill(c, &above, c->above);
    swq_sum_fill(c, &below, c->below);
    return swq_filled_ratio(c, c->below);
}

swq_sum swq_sum_cycles(double units)
{
    return (swq_sum){.cycles = true, .factor = units};
}

swq_sum swq_sum_counter(int which)
{
    return (swq_sum){.first = which, .step = 1, .count = 1, .factor = 1};
}

swq_sum swq_sum_cells(const swq_system *system, int which, int first, int step, int count)
{
    return (swq_sum){.first = swq_tally_cell(system->levels, first) + which,
                     .step = step * SWQ_CELL_COUNTERS,
                     .count = count,
                     .factor = 1};
}

uint64_t swq_sum_total(const swq_collector *c, swq_sum what)
{
    uint64_t sum = 0;

    for (int k = 0; k < c->options->replications; k++) {
        const swq_replication *r = &c->replication[k];
        const uint64_t *tally = c->windows ? r->batch : r->system->tally;
        for (int n = 0; n < what.count && (!c->windows || r->batches > 0); n++)
            sum += tally[what.first + n * what.step];
        for (size_t b = 0; b < r->batches && what.cycles; b++)
            sum += r->length[b];
    }
    return sum;
}

swq_estimate swq_events_fraction(const swq_collector *c, const swq_events *what, double *below)
{
    const double confidence = c->options->confidence, most = what->packets ? INFINITY : 1;
    const double count = (double)swq_sum_total(c, what->events),
                 all = (double)swq_sum_total(c, what->counted) * what->counted.factor;

    swq_sum_fill(c, &what->events, c->above);
    swq_sum_fill(c, &what->trials, c->below);
    const swq_ratio r =
        swq_ratio_of_runs(c->above, c->below, c->taken, (size_t)c->options->replications);
    const double known = swq_independent_events(r.mean, r.error, count);
    const double counted = swq_relied_on(known, count);
    if (isnan(r.mean) || all == 0 || known >= SWQ_RARE_EVENTS ||
        (what->packets && count > 0 && isinf(r.error)))
        *below = NAN;
    else if (count == 0)
        *below = fmin(most, -expm1(log1p(-confidence) / all) * what->together);
    else
        *below = fmin(most, r.mean / counted * swq_poisson_above(counted, (1 + confidence) / 2));
    double half = swq_ratio_half_width(&r, confidence);
    /* a count of few events varies more upwards than a symmetric interval allows for */
    if (!what->packets && known >= SWQ_RARE_EVENTS && known < MANY_EVENTS)
        half = fmax(half, r.mean * (swq_poisson_above(known, (1 + confidence) / 2) / known - 1));
    return (swq_estimate){r.mean, half};
}

swq_sum swq_sum_times(double factor, swq_sum what)
{
    what.factor *= factor;
    return what;
}
