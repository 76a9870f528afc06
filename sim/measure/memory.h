/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For how long a network remembers, and whether a run is many times as long.
 */
#ifndef SWQ_SIM_MEASURE_MEMORY_H
#define SWQ_SIM_MEASURE_MEMORY_H

#include "sim/measure/collector.h"

/* In cycles. The memory of the network is the longest correlation time of its throughput and of the
 * packets in it, whose number shows slow changes with the least noise; the memory of waits is the
 * longest correlation time when packets at their sources and latencies are looked at, too.
 * INFINITY: nothing was measured. */
typedef struct swq_memory {
    double network, waits; /* network <= waits */
    double cycles;         /* measured, of all replications together */
} swq_memory;

/* Estimates both memories from all replications together, whose means differ the less the shorter
 * the memory is. space: room for SWQ_MEMORY_SPACE numbers for each replication. */
swq_memory swq_memory_of(const swq_replication *replication, const swq_sim_options *options,
                         double *space);

/* Space that computing the memory needs, in doubles for each replication. */
enum { SWQ_MEMORY_SPACE = 2 * SWQ_MOST_BEATS + 1 };

#endif
