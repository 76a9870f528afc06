/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory of a network, from the beats of all its replications.
 */
#include "sim/measure/memory.h"

#include "base/correlation_time.h"

#include <math.h>

/* The beats of all replications, which have the same length but for the last ones. */
typedef struct {
    const swq_replication *replication;
    int replications;
    double *above, *below;
    size_t *run;
    double span; /* mean cycles of a beat */
} all_beats;

static void fill(const all_beats *a, int sum, double *array)
{
    for (int k = 0; k < a->replications; k++) {
        const swq_beats *b = &a->replication[k].beats;
        for (size_t i = 0; i < b->count; i++)
            *array++ = b->beat[i * SWQ_BEAT_SUMS + (size_t)sum];
    }
}

/* The correlation time, in cycles, of the ratio of two sums, which may be less than a beat. */
static double time_of(const all_beats *a, int above, int below)
{
    fill(a, above, a->above);
    fill(a, below, a->below);
    return a->span * swq_correlation_time_between(
                         swq_correlation_time(a->above, a->below, a->run, (size_t)a->replications));
}

swq_memory swq_memory_of(const swq_replication *replication, const swq_sim_options *options,
                         double *space)
{
    const size_t most = (size_t)options->replications * SWQ_MOST_BEATS;
    all_beats a = {.replication = replication,
                   .replications = options->replications,
                   .above = space,
                   .below = space + most,
                   .run = (size_t *)(void *)(space + 2 * most)};
    swq_memory m = {INFINITY, INFINITY, 0};
    double beats = 0;

    for (int k = 0; k < options->replications; k++) {
        a.run[k] = replication[k].beats.count;
        beats += (double)a.run[k];
        m.cycles += (double)replication[k].cycles;
    }
    if (beats == 0)
        return m;
    a.span = m.cycles / beats;
    m.network = fmax(time_of(&a, SWQ_BEAT_AMOUNT, SWQ_BEAT_CYCLES),
                     time_of(&a, SWQ_BEAT_INSIDE, SWQ_BEAT_CYCLES));
    m.waits = fmax(m.network, fmax(time_of(&a, SWQ_BEAT_PACKETS, SWQ_BEAT_CYCLES),
                                   time_of(&a, SWQ_BEAT_LATENCY, SWQ_BEAT_DELIVERED)));
    return m;
}
