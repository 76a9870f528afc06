/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks that a file describes: switches, the links between them, the nodes at them, and routes.
 * docs/graphs.md has the formats.
 */
#ifndef SWITCHQ_GRAPH_H
#define SWITCHQ_GRAPH_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { SWQ_MAX_GRAPH_SWITCHES = 1 << 20, SWQ_MAX_GRAPH_NODES = 1 << 24 };

/* A speed of links: `flits` flits in `cycles` cycles, in lowest terms, of which a cycle is that of
 * a flit on the fastest link of the file: cycles >= flits. */
typedef struct swq_link_speed {
    double given; /* the number in the file */
    uint32_t cycles, flits;
} swq_link_speed;

/* A slower link has at least this part of the fastest speed, and there are at most so many speeds.
 */
enum { SWQ_MOST_SLOWER = 1024, SWQ_MOST_SPEEDS = 255 };

/* A network of switches with the same number of ports, some of them unused. Ports are numbered over
 * all switches: port p of switch w is w * ports + p, both as an input and as an output. */
typedef struct swq_graph {
    char *name; /* the file's */
    uint32_t switches, nodes;
    uint32_t links;  /* between switches, each in both directions */
    uint32_t failed; /* links of the file that have failed, and are none of these */
    int ports;       /* of each switch: as many as the switch with the most links and nodes uses */
    uint32_t nodes_at_switch; /* most nodes at one switch */
    double delay;             /* of all links, cycles; 1 where the file says nothing; 0: delays */
    int longest;              /* most switches that a packet enters on its route */
    uint32_t *link;   /* [switches * ports] the port at the other end, SWQ_TO_NODE | node, or
                         SWQ_NO_WHERE (switchq/fabric.h) */
    uint16_t *delays; /* [switches * ports] cycles of the link of an output, and of the link back
                         from a node; NULL: all links have the same delay */
    uint32_t *entry;  /* [nodes] the port of a node */
    /* Speeds of links: their number, and [speeds] the fastest first; and [switches * ports] which
     * of them the link of an output has, and the link back from a node. NULL: all have the same. */
    int speeds;
    swq_link_speed *speed;
    uint8_t *speed_of;
    uint32_t columns; /* of the table of routes: switches, or nodes if routes are from a file */
    uint32_t *column; /* [nodes] where the table has the routes to a node */
    uint8_t *next;    /* [switches * columns] the output (0 .. ports-1) of packets for a node at
                         another switch; 255 at the node's own switch */
    bool table; /* the routes are those of a file of routes alone (swq_graph_read_table), where
                   `next` is 255 at switches that packets for the node do not come by */
    bool
        several; /* the table has several ways somewhere, of which swq_shape.drawn_ways takes one */
    int parts;   /* of the lanes of a link that the table names; 0: it names none */
    uint64_t *ways; /* [switches * columns * words of a set] the set of outputs, as in
                       swq_fabric.ways; NULL: not several */
    uint8_t *part;  /* [switches * columns] the part, 0 .. parts-1, of the lanes of the link that
                       is taken there; NULL: no parts */
    uint32_t *back; /* [switches * ports] the output that leads to an input port; NULL: no parts */
} swq_graph;

/* Flits a cycle of the link of an output, and of a node's link, 0 to 1; graph: NULL is a network
 * whose links all have the same speed, 1. */
static inline double swq_graph_link_speed(const swq_graph *graph, uint32_t port)
{
    if (!graph || !graph->speed_of)
        return 1;
    const swq_link_speed *speed = &graph->speed[graph->speed_of[port]];
    return (double)speed->flits / speed->cycles;
}

static inline double swq_graph_line_speed(const swq_graph *graph, uint32_t node)
{
    return graph && graph->speed_of ? swq_graph_link_speed(graph, graph->entry[node]) : 1;
}

/* What has failed: so many links between switches, drawn by a seed; or the links and switches that
 * a file names. */
typedef struct swq_graph_failures {
    uint32_t links;
    uint64_t seed;
    const char *path; /* or NULL */
} swq_graph_failures;

/* Read a network from a file in the format of switchq or of BookSim's anynet, which begins with the
 * word "router" or "node", without the links that have failed (NULL: none): if there are any, all
 * routes are shortest ways. Free with swq_graph_clear. Errors: SWQ_EIO; SWQ_EINVAL with file and
 * line: a word that is not of the format, a port that is used twice, more than SWQ_MAX_WORM_PORTS
 * links and nodes at a switch, a node at two switches, links of unlike speeds
 * whose ratio is no fraction (see docs/graphs.md), delays that are no whole numbers, fewer than
 * two nodes, a route that leads in circles or not by a link, two nodes without a way between them;
 * SWQ_ENOMEM, SWQ_ELIMIT. O(switches * (switches + links)) time, and as many bytes as switches
 * times columns. */
swq_status swq_graph_read(swq_context *ctx, const char *path, const swq_graph_failures *failures,
                          swq_graph *graph);

/* The same, where routes are those of the file `table` alone, which has lines "route" and "routes";
 * those of the network's own file are not used. Errors: also SWQ_EINVAL for nodes of two switches
 * without a route, and for routes that lead in a circle, which are named. */
swq_status swq_graph_read_table(swq_context *ctx, const char *path, const char *table,
                                swq_graph *graph);
void swq_graph_clear(swq_context *ctx, swq_graph *graph);

/* Write a fabric that is laid out as a file in the format of switchq, with its links, ports and
 * deterministic routes, so that a simulation of the file is one of the fabric; path "-" is standard
 * output. Errors: SWQ_EIO; SWQ_EINVAL if routes depend on more than switch and destination, or if
 * nodes receive from other switches than they send to, as in multistage networks; SWQ_ENOMEM,
 * SWQ_ELIMIT, SWQ_ECANCELLED. O(nodes^2 * hops) time, nodes times switches bytes. */
struct swq_fabric;
swq_status swq_graph_write(swq_context *ctx, const struct swq_fabric *fabric, const char *path);

/* The same of the routes alone, as a table, with all outputs where ways are drawn. Where links have
 * phases that switch and destination determine, these are the parts of the lanes. */
swq_status swq_graph_write_table(swq_context *ctx, const struct swq_fabric *fabric,
                                 const char *path);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
