/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much wider than the scatter of batches the intervals are that a user sees, since the memory
 * of a network is hardly known, and when there are none.
 */
#include "tests/sim/inspector.h"
#include "tests/sim/samples.h"

#include <math.h>

/* Open sources with a load and a length of the run, in a network of 8 nodes. */
static swq_sim_result run_for(double load, uint64_t cycles)
{
    swq_async n = async_network(shape_in_stages("omega", 2, 3), "damq", 128);
    const swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, load, (swq_spread){SWQ_CONSTANT, 32, 0});

    n.traffic.group = &group;
    n.traffic.groups = 1;
    const swq_sim_options o = run_of(7, 1, 2000, cycles);

    return run_async(&n, &o, NULL).sim;
}

/* The share of a run that is beyond 50 memories is what counts. */
Test(sim_refuse, intervals_are_those_of_what_is_beyond_fifty_memories)
{
    const swq_sim_result scatter = run_for(0.5, 60000);
    swq_sim_result seen = scatter;

    swq_result_refuse(&seen, NULL);
    cr_assert_eq(seen.unknown, SWQ_UNKNOWN_NOTHING);
    cr_assert(scatter.counts.waits < 0.9 && scatter.counts.most >= scatter.counts.waits);
    cr_assert_float_eq(scatter.counts.waits,
                       1 - SWQ_MEMORY_TIMES * scatter.memory_cycles / (double)scatter.cycles,
                       1e-12);
    cr_assert_float_eq(seen.all.latency.half_width * sqrt(scatter.counts.waits),
                       scatter.all.latency.half_width, 1e-9);
    cr_assert_float_eq(seen.source_queue.half_width * sqrt(scatter.counts.waits),
                       scatter.source_queue.half_width, 1e-9);
    cr_assert_float_eq(seen.all.throughput.half_width * sqrt(scatter.counts.most),
                       scatter.all.throughput.half_width, 1e-9);
    cr_assert_float_eq(seen.stage[1].occupancy.half_width * sqrt(scatter.counts.most),
                       scatter.stage[1].occupancy.half_width, 1e-9);
    cr_assert_eq(seen.all.latency.mean, scatter.all.latency.mean);
}

Test(sim_refuse, a_run_of_fewer_has_none)
{
    swq_sim_result seen = run_for(0.5, 4000);

    cr_assert(isfinite(seen.all.throughput.half_width));
    swq_result_refuse(&seen, NULL);
    cr_assert_eq(seen.unknown, SWQ_UNKNOWN_ALL);
    cr_assert_eq(seen.counts.most, 0);
    cr_assert(isnan(seen.all.latency.half_width) && isnan(seen.all.throughput.half_width));
    cr_assert(isnan(seen.stage[0].occupancy.half_width) && isnan(seen.source_queue.half_width));
}
