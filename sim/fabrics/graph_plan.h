/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network as the lines of its file say it, before ports are numbered: names, links and routes.
 */
#ifndef SWQ_SIM_FABRICS_GRAPH_PLAN_H
#define SWQ_SIM_FABRICS_GRAPH_PLAN_H

#include "base/lines.h"
#include "base/port_set.h"
#include "switchq/fabric.h"
#include "switchq/graph.h"

enum { SWQ_ANY_PORT = -1, SWQ_MAX_GRAPH_NAME = 63, SWQ_MOST_PLAN_PORTS = 256 };

/* A switch or a node by its name. */
typedef struct graph_name {
    char name[SWQ_MAX_GRAPH_NAME + 1];
    bool node;       /* else a switch */
    uint32_t number; /* among the nodes, or the switches, in the order of their first mention */
    int64_t line;    /* of that mention */
} graph_name;

/* A switch and one of its ports, 0 .. most_ports - 1, or SWQ_ANY_PORT: the lowest that is
 * free when all ports of the file are known. */
typedef struct graph_end {
    uint32_t at;
    int port;
} graph_end;

/* A link between two switches, or of a node, to[0], at a switch, to[1]. */
typedef struct graph_line {
    graph_end to[2];
    bool node;
    bool one_way;        /* from the output of to[0] to the input of to[1] alone */
    double speed, delay; /* > 0; 0: not said */
    bool failed;
    int64_t line; /* of the file */
} graph_line;

/* A set of the ports of a switch; empty: the entry of a table names no more than a port. */
typedef struct graph_ways {
    swq_port_set word[SWQ_PORT_SET_WIDE];
} graph_ways;

/* Packets at a switch for `count` nodes from `node` on, and the port by which those for each leave;
 * SWQ_UNUSED: the shortest way, or in a table none. */
typedef struct graph_route {
    uint32_t at, node, count;
    uint8_t *port;    /* [count] */
    uint8_t *part;    /* [count] of the lanes; NULL: the line names none */
    graph_ways *ways; /* [count]; NULL: the line has no more than a port for each node */
    int64_t line;
} graph_route;

typedef struct graph_plan {
    swq_lines *lines;
    void *tree; /* of graph_name, as tsearch keeps it */
    graph_name **names;
    graph_line *link;
    graph_route *route;
    uint32_t count[2]; /* of switches, of nodes */
    uint32_t names_count, links, routes;
    int most_ports;    /* of a switch, at most SWQ_MOST_PLAN_PORTS */
    bool closed;       /* routes have begun: no new name may follow */
    const char *table; /* a file of routes alone; NULL: they are in the file of the links */
    bool in_table;     /* it is read now */
} graph_plan;

/* The next word of a line: letters up to a blank, or what is in quotation marks. Errors: SWQ_EINVAL
 * naming `what`. */
swq_status graph_word(graph_plan *p, const char *what, char word[SWQ_MAX_GRAPH_NAME + 1]);

/* The number of the switch (the node) of that name, which is new if it was never mentioned. Errors:
 * SWQ_EINVAL for a new name behind the first route. */
swq_status graph_number(graph_plan *p, const char *name, bool node, uint32_t *number);

swq_status graph_add_link(graph_plan *p, const graph_line *link);
/* Adds routes for so many nodes, all of which take the shortest way. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status graph_add_routes(graph_plan *p, uint32_t at, uint32_t node, uint32_t count,
                            graph_route **added);

void graph_clear_plan(graph_plan *p);
/* Takes all routes from a plan. */
void graph_clear_routes(graph_plan *p);

/* Reads the file of p->lines, which has been opened, in either format, and gives every end of a
 * link its port, below *ports at all switches. Errors: SWQ_EINVAL naming file and line, SWQ_EIO,
 * SWQ_ENOMEM, SWQ_ELIMIT; graph_clear_plan frees the plan also then. */
swq_status graph_read_plan(graph_plan *p, int *ports);

/* The formats: each reads all lines from the current one on. */
swq_status graph_read_plain(graph_plan *p);
swq_status graph_read_anynet(graph_plan *p);

/* Takes the links that have failed from a plan whose ports are numbered, and, if there are any, the
 * routes of its file; *failed receives their number. Errors: SWQ_EINVAL naming the file and line,
 * or how many links there are; SWQ_EIO. O(links) for each that fails. */
swq_status graph_fail(graph_plan *p, const swq_graph_failures *which, uint32_t *failed);

/* Fills next and longest of a graph whose links and nodes are known, from the shortest ways and
 * then from the routes of the file; or from a table alone. */
swq_status graph_find_routes(graph_plan *p, swq_graph *g);

/* ---- tables: routes in a file of their own (graph_table.c) ---- */

/* The next field of a line, PORT[,PORT...][/PART], as entry k of a route. */
swq_status graph_table_entry(graph_plan *p, graph_route *route, uint32_t k);

/* What the routes of a table have beyond a port: g->several and g->parts. */
void graph_count_table(const graph_plan *p, swq_graph *g);

/* Checks that the table of a graph leads from every node to every other one, and never in a circle,
 * and sets g->longest. O(columns * switches * ports). */
swq_status graph_check_table(const graph_plan *p, swq_graph *g);

/* The name of a switch, or of a node, in the file. */
const char *graph_name_of(const graph_plan *p, bool node, uint32_t number);

#endif
