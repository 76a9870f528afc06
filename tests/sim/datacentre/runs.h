/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of data centres, and runs of them, that several tests need. All assert that nothing
 * fails.
 */
#ifndef SWQ_TESTS_SIM_DATACENTRE_RUNS_H
#define SWQ_TESTS_SIM_DATACENTRE_RUNS_H

#include "switchq/datacentre.h"
#include "tests/support/support.h"

/* Rows by their names. */
const swq_dc_sender *dc_sender_named(const char *name);
const swq_dc_topology *dc_topology_named(const char *name);

/* 3 leaves with 4 hosts of 10 Gbit/s, 2 spines, links of 1 us. */
swq_dc dc_leaves(const char *sender);

/* That many replications of a duration in ps, without a warm-up. */
swq_dc_options dc_runs(uint64_t duration, int replications);

/* Runs a network, in which packets must be conserved and of which no memory may be left. */
swq_dc_result dc_run(const swq_dc *dc, const swq_dc_options *options);

/* Runs one replication of the flows of a list, lines start_ps,source,destination,bytes[,class]. */
swq_dc_result dc_run_list(swq_dc dc, const char *lines, uint64_t duration);

/* Flows of all sizes. */
const swq_dc_completion *dc_all_sizes(const swq_dc_result *result);

/* Writes a temporary file, whose path ends in XXXXXX before. */
void dc_write_file(char *path, const char *first, const char *text);

/* The network of a file: lines of 10 Gbit/s and 1 us where it says nothing, switches with as many
 * bytes. */
swq_dc_graph *dc_graph_of(swq_context *ctx, const char *text, uint64_t bytes);

#endif
