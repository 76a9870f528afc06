/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim --per-node, --per-link, --histogram, --percentiles: options, output and drawings.
 */
#ifndef SWQ_CLI_SIM_DETAIL_H
#define SWQ_CLI_SIM_DETAIL_H

#include "cli/record/record.h"
#include "cli/sim/sim.h"
#include "sim/fabrics/places.h"
#include "switchq/detail.h"

/* The common beginning of the points of both engines, which is read, measured and drawn in the same
 * way. */
typedef struct cli_sim_point {
    cli_run run;
    swq_detail detail;
    const swq_shape *shape;
    uint32_t nodes;
    const char *unit; /* of throughput */
    bool discards;    /* can packets be lost? */
} cli_sim_point;

/* Reads the run's options for a point, whose shape and nodes are known, and makes room for the
 * details that the options ask for; the run's options point to these details from here on. outputs:
 * over all switches; many: for one of several points of a range. Free the details with
 * swq_detail_clear. Errors: SWQ_EINVAL, SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status cli_sim_read_point(swq_context *ctx, const cli_run_of *what, size_t outputs, bool many,
                              cli_sim_point *point);

/* Names of the network's places. If details are asked for, a fabric other than a multistage network
 * is laid out for them. Clear the fabric afterwards. */
swq_status cli_sim_map(swq_context *ctx, const cli_sim_point *point, swq_fabric *fabric,
                       swq_map *map);

/* Puts lists into the group `result` of the record: nodes, links, histogram, percentiles. Errors:
 * those of laying out the fabric. */
swq_status cli_put_detail(swq_context *ctx, cli_record *root, const cli_sim_point *point);

/* Draws the plot that was asked for: links or nodes as a map of the network, the histogram, or the
 * series in the point's record. Errors: those of base/plot. */
swq_status cli_sim_plot_point(swq_context *ctx, const void *point, const cli_record *record,
                              const char *path);

/* --plot of a single run: do the options ask for exactly one result that can be drawn? Errors:
 * SWQ_EINVAL. */
swq_status cli_detail_plotted(swq_context *ctx);

#endif
