/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim --per-node, --per-link, --histogram, --percentiles: options, output and drawings.
 * Room: cli.
 */
#ifndef SWQ_CLI_SIM_DETAIL_H
#define SWQ_CLI_SIM_DETAIL_H

#include "cli/record/record.h"
#include "cli/sim/sim.h"
#include "sim/fabrics/places.h"
#include "switchq/detail.h"

/* What a point of either engine begins with: the part that is read, measured and drawn in the same
 * way. */
typedef struct cli_sim_point {
    cli_run run;
    swq_detail detail;
    const swq_shape *shape;
    uint32_t nodes;
    const char *unit; /* of throughput */
    bool discards;    /* can packets be lost? */
} cli_sim_point;

/* Reads the run's options for a point, whose shape and nodes are known, and what they ask for in
 * detail, with room for it, which the run's options point to from here on. outputs: over all
 * switches; many: for one of several points of a range. Free the details with swq_detail_clear.
 * Errors: SWQ_EINVAL, SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status cli_sim_read_point(swq_context *ctx, const cli_run_of *what, size_t outputs, bool many,
                              cli_sim_point *point);

/* Names of the network's places. If details are asked for, a fabric other than a multistage network
 * is laid out for them. Clear the fabric afterwards. */
swq_status cli_sim_map(swq_context *ctx, const cli_sim_point *point, swq_fabric *fabric,
                       swq_map *map);

/* Puts lists into the group `result` of the record: nodes, links, histogram, percentiles. Errors:
 * those of laying out the fabric. */
swq_status cli_put_detail(swq_context *ctx, cli_record *root, const cli_sim_point *point);

/* Draws what was asked for: links or nodes as a map of the network, the histogram, or the series in
 * its record. Errors: those of base/plot. */
swq_status cli_sim_plot_point(swq_context *ctx, const void *point, const cli_record *record,
                              const char *path);

/* --plot of a single run: is exactly one thing asked for that can be drawn? Errors: SWQ_EINVAL. */
swq_status cli_detail_plotted(swq_context *ctx);

#endif
