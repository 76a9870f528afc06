/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim --per-node, --per-link, --histogram, --percentiles: asked for, told, and drawn.
 * Room: cli.
 */
#ifndef SWQ_CLI_SIM_DETAIL_H
#define SWQ_CLI_SIM_DETAIL_H

#include "cli/record/record.h"
#include "cli/sim/sim.h"
#include "switchq/detail.h"
#include "switchq/fabric.h"

/* The network that details are of, as far as its places have names. */
typedef struct cli_map {
    const swq_shape *shape;
    const swq_fabric *fabric; /* laid out; NULL: of stages, which their wiring tells */
    uint32_t nodes;
} cli_map;

/* What the options ask for: room for it, which the run's options point to from here on; nothing
 * without them. outputs: of all switches; many: for one point of a range. Free with
 * swq_detail_clear. Errors: SWQ_EINVAL, SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status cli_detail_read(swq_context *ctx, uint32_t nodes, size_t outputs, bool many,
                           cli_run *run, swq_detail *detail);

/* Of a trace nothing is drawn: no intervals. */
void cli_detail_drop_intervals(swq_detail *detail);

/* Lists in the group `result`: nodes, links, histogram, percentiles. unit: of throughputs. */
void cli_put_detail(cli_record *result, const cli_map *map, const swq_detail *detail,
                    const char *unit, bool discards);

/* Draw what was asked for: links or nodes as a map of the network, or the histogram. Errors: those
 * of base/plot. */
swq_status cli_detail_plot(swq_context *ctx, const cli_map *map, const swq_detail *detail,
                           const char *unit, const char *path);

/* --plot of one run: does it ask for one thing that can be drawn? Errors: SWQ_EINVAL if for none,
 * or for several. */
swq_status cli_detail_plotted(swq_context *ctx);

/* ---- places ---- */

/* Is there such a link? Outputs at the border of a mesh have none. */
bool cli_link_exists(const cli_map *map, size_t link);

/* Where it comes from and leads to: "node 5", "stage 1, switch 2, output 3", "(1,2)". */
void cli_link_from(const cli_map *map, size_t link, char *text, size_t size);
void cli_link_to(const cli_map *map, size_t link, char *text, size_t size);

/* "sources", "stage 2", "dimension 1", "hosts". */
void cli_link_level(const cli_map *map, size_t link, char *text, size_t size);

#endif
