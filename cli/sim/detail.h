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

/* A point of either engine begins with this: what is read, measured and drawn alike. */
typedef struct cli_sim_point {
    cli_run run;
    swq_detail detail;
    const swq_shape *shape;
    uint32_t nodes;
    const char *unit; /* of throughputs */
    bool discards;    /* can packets be lost? */
} cli_sim_point;

/* The run's options, whose point knows its shape and nodes, and what the options ask for in detail:
 * room for it, which the run's options point to from here on. outputs: of all switches; many: for
 * one point of a range. Free the details with swq_detail_clear. Errors: SWQ_EINVAL, SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status cli_sim_read_point(swq_context *ctx, const cli_run_of *what, size_t outputs, bool many,
                              cli_sim_point *point);

/* Names of its places; a fabric that is none of stages is laid out for them, if details are asked
 * for. Clear the fabric afterwards. */
swq_status cli_sim_map(swq_context *ctx, const cli_sim_point *point, swq_fabric *fabric,
                       swq_map *map);

/* Lists in the group `result` of the record: nodes, links, histogram, percentiles. Errors: those of
 * laying out the fabric. */
swq_status cli_put_detail(swq_context *ctx, cli_record *root, const cli_sim_point *point);

/* Draw what was asked for: links or nodes as a map of the network, the histogram, or the series of
 * its record. Errors: those of base/plot. */
swq_status cli_sim_plot_point(swq_context *ctx, const void *point, const cli_record *record,
                              const char *path);

/* --plot of one run: does it ask for one thing that can be drawn? Errors: SWQ_EINVAL if for none,
 * or for several. */
swq_status cli_detail_plotted(swq_context *ctx);

#endif
