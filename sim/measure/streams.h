/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams of packets and stages, from batches: for whole runs and for windows alike.
 */
#ifndef SWQ_SIM_MEASURE_STREAMS_H
#define SWQ_SIM_MEASURE_STREAMS_H

#include "sim/measure/collector.h"

/* The stream of packets in cells first, first + step, ..., of a group of `nodes` nodes: all results
 * except those from histograms, which become NAN. */
void swq_collect_rates(const swq_collector *c, int first, int step, int count, double nodes,
                       swq_flow_result *f);

void swq_collect_stages(const swq_collector *c, swq_stage_result *result);

/* Packets waiting at a node, with an upper bound as in swq_events_fraction; set-aside queues in use
 * (NAN: the network has none). */
swq_estimate swq_collect_source_queue(const swq_collector *c, double *below);
swq_estimate swq_collect_saqs(const swq_collector *c);

/* Flits a cycle of a link; and of the links of all nodes together, or of a group's: their number if
 * links are alike. Throughput is a part of these. */
double swq_speed_of_link(const swq_system *system, size_t link);
double swq_lines(const swq_system *system);
double swq_lines_in_group(const swq_system *system, int group);

/* How many times wider intervals become; NAN: there are none, and no bounds of rare events. */
typedef struct swq_widening {
    double most, /* of results that depend on the network alone */
        waits;   /* of latencies, and of packets at their sources */
} swq_widening;

static inline void swq_widen_interval(swq_estimate *e, double times)
{
    e->half_width *= times;
}

void swq_widen_flow(swq_flow_result *flow, swq_widening widening);

/* Widens the intervals of the flows of `groups` groups and of `levels` stages. */
void swq_widen_intervals(int groups, int levels, swq_widening widening, swq_flow_result *all,
                         swq_flow_result *classes, swq_flow_result *group, swq_stage_result *stage);

#endif
