/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The method "hot-tree" with what it knows of the tree beyond a result's stages.
 * Room: approx.
 */
#ifndef SWQ_APPROX_HOTSPOT_H
#define SWQ_APPROX_HOTSPOT_H

#include "switchq/approx.h"

extern const swq_approx_method approx_hot_tree;

/* One stage, 1 first, told apart by where a switch lies: on the tree of the ways to the hot node,
 * or off it. */
typedef struct swq_approx_hot_stage {
    double on_tree, off_tree;     /* packets per switch, after transmission; NAN: no such switch */
    double hot_sent, cold_sent;   /* packets per cycle over one hot output, and over one other
                                     output of a switch on the tree */
    double hot_delay, cold_delay; /* cycles that packets for them spend at this stage */
} swq_approx_hot_stage;

typedef struct swq_approx_hot_spot {
    double bound;                     /* packets per cycle and node: Pfister and Norton's (1985) */
    double hot_latency, cold_latency; /* cycles, of packets to the hot node and of all others */
    swq_approx_hot_stage stage[SWQ_MAX_STAGES];
} swq_approx_hot_spot;

/* As the method's run, and *spot. The method must have no objection. */
swq_status swq_approx_hot_tree(swq_context *ctx, const swq_network *network,
                               swq_approx_result *result, swq_approx_hot_spot *spot);

#endif
