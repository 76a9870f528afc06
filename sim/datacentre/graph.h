/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which ports of switches and hosts are joined, by which lines, and which ports lead nearer to a
 * host. Made once for all replications of a run.
 */
#ifndef SWQ_SIM_DATACENTRE_GRAPH_H
#define SWQ_SIM_DATACENTRE_GRAPH_H

#include "sim/datacentre/packets.h"
#include "switchq/datacentre.h"

/* Ports are numbered over all switches, one switch after another. A line leads both ways. */
struct swq_dc_graph {
    uint32_t switches, ports, hosts;
    uint32_t *first;        /* [switches + 1] the first port of each switch */
    uint32_t *of;           /* [ports] the switch of a port */
    uint32_t *to;           /* [ports] the port at the other end; `ports` + h: host h; DC_NONE */
    uint64_t *rate, *delay; /* [ports] of the line: bit/s, ps; 0 if there is none */
    uint64_t *bytes;        /* [switches] the memory; 0: that of the spec */
    uint32_t *at;           /* [hosts] the port of a host's switch */
    uint32_t rack;          /* hosts h of the same h / rack share a switch; 1: not all switches with
                               hosts have the same number, one after another, or there is one alone */
    /* shortest ways, counted in lines */
    uint32_t columns; /* switches with hosts */
    uint32_t *column; /* [switches] DC_NONE: no hosts */
    uint32_t *way;    /* [switches * columns] where `choice` has the ports that lead nearer */
    uint8_t *choice;  /* their number less 1, then the ports of the switch, in their order */
    uint32_t choices, room;
    char **name; /* [switches + hosts] of a file; NULL: numbers */
};

/* ---- topology.c ---- */

/* The network of a spec, without its ways. Errors: SWQ_EINVAL naming the parameter; SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status dc_graph_make(swq_context *ctx, const swq_dc *spec, swq_dc_graph **graph);

/* ---- graph.c ---- */

/* A graph of `switches` switches of ports[w] ports each, none of them joined. */
swq_status dc_graph_new(swq_context *ctx, uint32_t switches, const uint32_t *ports, uint32_t hosts,
                        swq_dc_graph **graph);
void dc_graph_join(swq_dc_graph *g, uint32_t a, uint32_t b, uint64_t rate, uint64_t delay);
void dc_graph_host(swq_dc_graph *g, uint32_t host, uint32_t port, uint64_t rate, uint64_t delay);
void dc_graph_find_racks(swq_dc_graph *g);

/* "switch core-a", by its name in the file, or "switch 3". */
enum { DC_GRAPH_NAME = 100 };
void dc_graph_switch_name(const swq_dc_graph *g, uint32_t number, char name[DC_GRAPH_NAME]);

/* The sum of the rates of all lines that switches, or hosts, send by; bit/s. */
double dc_graph_capacity(const swq_dc_graph *g);
double dc_graph_host_capacity(const swq_dc_graph *g);

/* Have the lines of all hosts the same rate? */
bool dc_graph_hosts_alike(const swq_dc_graph *g);

/* ---- ways.c ---- */

/* Finds the shortest ways. Errors: SWQ_EINVAL naming two hosts without one. O(columns * ports). */
swq_status dc_graph_find_ways(swq_context *ctx, swq_dc_graph *g);

static inline uint32_t dc_switch_of(const swq_dc_graph *g, uint32_t host)
{
    return g->of[g->at[host]];
}

/* The ports of a switch that lead nearer to a host at another one; [0]: their number less 1. */
static inline const uint8_t *dc_ways(const swq_dc_graph *g, uint32_t memory, uint32_t host)
{
    return g->choice + g->way[(size_t)memory * g->columns + g->column[dc_switch_of(g, host)]];
}

#endif
