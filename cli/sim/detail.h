/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim --per-node, --per-link, --histogram, --percentiles: asked for, told, and drawn.
 * Room: cli.
 */
#ifndef SWQ_CLI_SIM_DETAIL_H
#define SWQ_CLI_SIM_DETAIL_H

#include "cli/record/record.h"
#include "cli/sim/sim.h"
#include "sim/fabrics/places.h"
#include "switchq/detail.h"

/* What the options ask for: room for it, which the run's options point to from here on; nothing
 * without them. outputs: of all switches; many: for one point of a range. Free with
 * swq_detail_clear. Errors: SWQ_EINVAL, SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status cli_detail_read(swq_context *ctx, uint32_t nodes, size_t outputs, bool many,
                           cli_run *run, swq_detail *detail);

/* Lists in the group `result`: nodes, links, histogram, percentiles. unit: of throughputs. */
void cli_put_detail(cli_record *result, const swq_map *map, const swq_detail *detail,
                    const char *unit, bool discards);

/* Draw what was asked for: links or nodes as a map of the network, or the histogram. Errors: those
 * of base/plot. */
swq_status cli_detail_plot(swq_context *ctx, const swq_map *map, const swq_detail *detail,
                           const char *unit, const char *path);

/* --plot of one run: does it ask for one thing that can be drawn? Errors: SWQ_EINVAL if for none,
 * or for several. */
swq_status cli_detail_plotted(swq_context *ctx);

#endif
