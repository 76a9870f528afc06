/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Topologies of data centres: rows, of which built-in ones say what levels of switches there are,
 * and which ports are joined.
 */
#ifndef SWQ_SIM_DATACENTRE_TOPOLOGIES_H
#define SWQ_SIM_DATACENTRE_TOPOLOGIES_H

#include "base/units.h"
#include "sim/datacentre/graph.h"

typedef struct dc_topology {
    swq_dc_topology row;
    /* The hooks below may be NULL. Defaults of numbers, where they are not those of all. */
    void (*preset)(swq_dc *dc);
    /* Numbers that the topology cannot have. Errors: SWQ_EINVAL naming the number. */
    swq_status (*check)(swq_context *ctx, const swq_dc *dc);
    /* The levels of a network, that with hosts first; their number. NULL: there is a file. */
    int (*levels)(const swq_dc *dc, swq_dc_level level[SWQ_DC_LEVELS]);
    /* Joins the switches of a graph, whose hosts have been joined with them. */
    void (*join)(const swq_dc *dc, swq_dc_graph *graph);
    /* What the network consists of, in words. */
    void (*says)(const swq_dc *dc, char text[SWQ_DC_TOPOLOGY_TEXT]);
} dc_topology;

extern const dc_topology dc_one_switch; /* one_switch.c */
/* In topologies/, a file for each: */
extern const dc_topology dc_leaf_spine, dc_fat_tree, dc_dumbbell, dc_of_file;

/* The row of a spec. */
const dc_topology *dc_topology_of(const swq_dc *dc);

/* bit/s of a line between switches. */
uint64_t dc_rate_between(const swq_dc *dc);

/* Errors: SWQ_EINVAL naming a number that the topology of a spec cannot have. */
swq_status dc_topology_check(swq_context *ctx, const swq_dc *dc);

#endif
