/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What fabrics share whose rows say only which routers are linked (swq_fabric_kind.by_table): every
 * router with nodes has nodes_at_switch of them, these routers come first, and routes are those of
 * swq_fabric.next. A packet's class is its output.
 */
#ifndef SWQ_SIM_FABRICS_BY_TABLE_H
#define SWQ_SIM_FABRICS_BY_TABLE_H

#include "switchq/fabric.h"

/* ---- sizes, for swq_fabric_kind.count ---- */

/* Refuses an order q that is no power of a prime, naming the nearest that are, or that is above
 * `most`, whose table of routes, with a place for each pair of routers, would be too large. */
swq_status swq_check_order(swq_context *ctx, const char *topology, int q, int least, int most,
                           int links);

/* ---- wiring, for swq_fabric_kind.wire ---- */

/* The nodes of a router, at its first ports; `level` is that of their links. */
void swq_wire_nodes(swq_fabric *fabric, uint32_t router, int level);

/* A link in both directions, on the first free port of each router. */
void swq_wire_link(swq_fabric *fabric, uint32_t a, uint32_t b, int level);

/* A class for each output that leads anywhere; a node sends nothing to itself. After all links. */
void swq_wire_all_classes(swq_fabric *fabric);

/* Routers with nodes, each of which has a column in the table. */
static inline uint32_t swq_table_columns(const swq_fabric *f)
{
    return f->shape.kind && f->shape.kind->by_table ? f->nodes / f->nodes_at_switch : 0;
}

/* Fills the table of routes with shortest ways. Errors: SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ECANCELLED.
 * O(columns * switches * ports). */
swq_status swq_table_fill(swq_context *ctx, swq_fabric *fabric);

/* Switches with a column in the table of ways; 0: there is none. */
static inline uint32_t swq_way_columns(const swq_fabric *f)
{
    if (!f->shape.kind || !swq_shape_has_ways(&f->shape))
        return 0;
    if (f->shape.graph && f->shape.graph->table)
        return f->shape.graph->columns;
    return f->shape.kind->by_table ? f->nodes / f->nodes_at_switch : f->switches;
}

/* Fills the table of ways. Errors and time as above. */
swq_status swq_ways_fill(swq_context *ctx, swq_fabric *fabric);

/* ---- functions of the row ---- */

int swq_table_route(const swq_fabric *fabric, uint32_t port, uint32_t from, uint32_t to);

/* By way of another router with nodes; between nodes of one router packets go straight. */
uint32_t swq_other_routers(const swq_fabric *fabric, uint32_t from, uint32_t to);
uint32_t swq_other_router(const swq_fabric *fabric, uint32_t from, uint32_t to, uint32_t number);
bool swq_at_router(const swq_fabric *fabric, uint32_t port, uint32_t node);

/* The phase of a packet where every link of a way is one (swq_fabric_kind.phase_a_link). */
int swq_phase_of_link(const swq_fabric *fabric, uint32_t port, const swq_packet_state *packet);

/* The members that these rows share; the file has functions and arrays of these names. */
#define SWQ_BY_TABLE_ROW                                                                           \
    .point_to_point = true, .classes_are_outputs = true, .engines = SWQ_ENGINE_ASYNC,              \
    .sizes = sizes, .examples = examples, .by_table = true, .shortest_ways = true, .count = count, \
    .wire = wire, .route = swq_table_route, .stand_in = stand_in, .places = swq_other_routers,     \
    .place = swq_other_router, .come = swq_at_router, .phases = phases, .longest = longest,        \
    .describe = describe, .level_name = level_name

#endif
