/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The network that a file describes (switchq/graph.h). Packets take the route of the graph's table;
 * a packet's class is its output. Links on a way are told apart by how many links the packet has
 * taken, so that lanes for each number make an order of all lanes: no packet waits in a circle.
 */
#include "switchq/graph.h"
#include "base/context.h"
#include "sim/fabrics/by_table.h"
#include "sim/fabrics/fabrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINKS, HOSTS, LEVELS }; /* levels */

static swq_status count(swq_context *ctx, const swq_shape *shape, swq_fabric *f)
{
    const swq_graph *g = shape->graph;

    if (!g)
        return swq_fail(ctx, SWQ_EINVAL, "topology graph needs a file: graph:FILE");
    f->nodes = g->nodes;
    f->switches = g->switches;
    f->ports = f->classes = g->ports;
    f->nodes_at_switch = g->nodes_at_switch;
    f->levels = LEVELS;
    return SWQ_OK;
}

static void wire(swq_fabric *f)
{
    const swq_graph *g = f->shape.graph;
    const uint32_t ports = (uint32_t)f->ports;

    memcpy(f->entry, g->entry, g->nodes * sizeof *f->entry);
    for (uint32_t port = 0; port < f->switches * ports; port++) {
        const uint32_t end = g->link[port], level = end & SWQ_TO_NODE ? HOSTS : LINKS;
        f->link[port] = end;
        if (end != SWQ_NO_WHERE)
            f->out_level[port] = f->in_level[level == HOSTS ? port : end] = (uint8_t)level;
    }
    swq_wire_all_classes(f);
}

static int route(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to)
{
    const swq_graph *g = f->shape.graph;
    const uint32_t at = port / (uint32_t)f->ports, end = g->entry[to];

    (void)from;
    if (end / (uint32_t)f->ports == at)
        return (int)(end % (uint32_t)f->ports);
    return g->next[(size_t)at * g->columns + g->column[to]];
}

static int longest(const swq_fabric *f)
{
    return f->shape.graph->longest;
}

static int phases(const swq_shape *shape)
{
    const swq_graph *g = shape->graph;
    const int links = g ? g->longest - 1 : 1;
    const int parts = shape->routing && shape->routing->by_another ? 2 : 1;

    if (g && g->parts)
        return parts * g->parts;
    return links > 0 ? parts * links : 1;
}

/* The part that a table names at the switch before; on the second part of a way, as many parts on.
 */
static int phase(const swq_fabric *f, uint32_t port, const swq_packet_state *p)
{
    const swq_graph *g = f->shape.graph;

    if (!g->parts)
        return swq_phase_of_link(f, port, p);
    const uint32_t at = g->back[port] / (uint32_t)f->ports;
    return g->part[(size_t)at * g->columns + g->column[p->to]] + (p->goes_on ? g->parts : 0);
}

static const char *phase_words(const swq_shape *shape)
{
    return shape->routing && shape->routing->by_another
               ? "by the table of routes, from the first part on to the place between or straight, "
                 "from the middle one on behind it"
               : "by the table of routes";
}

static void describe(const swq_fabric *f, char *text, size_t size)
{
    const swq_graph *g = f->shape.graph;

    const int used = snprintf(text, size,
                              "graph %.80s, %" PRIu32 " nodes at %" PRIu32
                              " switches of at most %d ports, %" PRIu32 " links",
                              g->name, f->nodes, f->switches, f->ports, g->links);
    if (g->failed && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", %" PRIu32 " more failed", g->failed);
}

static void level_name(const swq_fabric *fabric, int level, char *text, size_t size)
{
    (void)fabric;
    snprintf(text, size, "%s", level == LINKS ? "links" : "hosts");
}

/* ---- a triangle with a node at each corner, for what walks all fabrics ---- */

static uint32_t triangle_link[] = {SWQ_TO_NODE | 0, 5, 7, SWQ_TO_NODE | 1, 8, 1,
                                   SWQ_TO_NODE | 2, 2, 4};
static uint32_t triangle_entry[] = {0, 3, 6}, triangle_column[] = {0, 1, 2};
static uint8_t triangle_next[] = {255, 1, 2, 2, 255, 1, 1, 2, 255};
static char triangle_name[] = "triangle";
static const swq_graph triangle = {.name = triangle_name,
                                   .switches = 3,
                                   .nodes = 3,
                                   .links = 3,
                                   .ports = 3,
                                   .nodes_at_switch = 1,
                                   .delay = 1,
                                   .longest = 2,
                                   .link = triangle_link,
                                   .entry = triangle_entry,
                                   .columns = 3,
                                   .column = triangle_column,
                                   .next = triangle_next};

static const swq_shape examples[] = {{.kind = &swq_fabric_graph, .graph = &triangle}, {0}};

const swq_fabric_kind swq_fabric_graph = {
    .name = "graph",
    .summary = "graph:FILE: switches, links, nodes and routes of a file, in the format of switchq "
               "or of BookSim's anynet",
    .source = "docs/graphs.md",
    .point_to_point = true,
    .classes_are_outputs = true,
    .engines = SWQ_ENGINE_ASYNC,
    .examples = examples,
    .file = true,
    .shortest_ways = true,
    .count = count,
    .wire = wire,
    .route = route,
    .phases = phases,
    .phase = phase,
    .phase_a_link = true,
    .phase_words = phase_words,
    .longest = longest,
    .describe = describe,
    .level_name = level_name,
};
