/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a switch costs to build: bits of memory by purpose, crosspoints, wires of a link, requests
 * that arbiters examine, and state at a node. The parts are counted one by one from the same specs
 * that the engines run, each with its rule and its source; docs/cost.md has the rules.
 */
#ifndef SWITCHQ_COST_H
#define SWITCHQ_COST_H

#include "switchq/async.h"
#include "switchq/datacentre.h"
#include "switchq/sim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What is counted. Everything except wires and state at a node belongs to a whole switch. */
typedef enum swq_cost_kind {
    SWQ_COST_DATA,        /* bits of packet memory */
    SWQ_COST_POINTERS,    /* bits of list pointers, of registers of queues, counters and flow
                             control */
    SWQ_COST_HEADERS,     /* bits of header registers, which are read apart from the data */
    SWQ_COST_CAM,         /* bits that are searched by content */
    SWQ_COST_CROSSPOINTS, /* of a bit */
    SWQ_COST_WIRES,       /* of one link, for data and for credits or notices that come back */
    SWQ_COST_REQUESTS,    /* inputs of all arbiters */
    SWQ_COST_NODE,        /* bits of state at a node */
    SWQ_COST_KINDS
} swq_cost_kind;

extern const char *const swq_cost_kind_names[SWQ_COST_KINDS]; /* "data", "pointers", ... */

/* The terms of a cost, which a designer may change. */
typedef struct swq_cost_terms {
    double link_bits;   /* bits that a link carries at once; times the bytes of a flit */
    double header_bits; /* of a header register */
    double slot_bytes, block_bytes; /* networks in stage cycles: of a packet slot, of a block */
    double register_cells;          /* area, in cells of a memory with two ports, of a register's
                                       bit; */
    double cam_cells;               /* area, in cells, of a bit that is searched by content; */
    double crosspoint_cells;        /* area, in cells, of a crosspoint of a bit; */
    double port_cells; /* area, in cells, that a further port adds to a bit of memory */
    /* networks: */
    double switch_base, switch_port;      /* dollars of a switch, and of each of its ports in use */
    double electric_base, electric_metre; /* dollars per Gbit/s of an electric cable, */
    double optic_base, optic_metre;       /* and of an optical one */
    double link_gbps;                     /* Gbit/s of a link */
    double rack_ports;                    /* ports of switches for which a rack has room */
    double rack_metres;                   /* of a cable inside a rack; */
    double pitch_metres;                  /* from a rack to the next, along a row or across; */
    double leave_metres;                  /* that a cable between racks has besides */
} swq_cost_terms;

/* One row of the table of terms. */
typedef struct swq_cost_term {
    const char *name;
    const char *summary;
    const char *source; /* a document, or a note that the value is assumed */
    double usual, least, most;
    bool whole;
    size_t offset; /* in swq_cost_terms */
} swq_cost_term;

extern const swq_cost_term swq_cost_term_rows[]; /* ended by a row without a name */

/* The usual value of each term. */
swq_cost_terms swq_cost_terms_defaults(void);

/* Set the term of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest), or a
 * value that is out of range. */
swq_status swq_cost_term_set(swq_context *ctx, swq_cost_terms *terms, const char *name,
                             double value);

enum { SWQ_COST_PARTS = 48, SWQ_COST_UNCOUNTED = 12 };

/* One part of a switch. Texts are static. */
typedef struct swq_cost_part {
    swq_cost_kind kind;
    const char *part, *rule, *source;
    double amount;
    int ports; /* SWQ_COST_DATA: ports of this memory, reading and writing together; else 0 */
} swq_cost_part;

typedef struct swq_cost {
    int ports;           /* of the switch */
    uint32_t nodes;      /* of the network */
    double packet_bytes; /* packet memory of a switch divided by its ports */
    double total[SWQ_COST_KINDS];
    double memory_bits; /* data, pointers, headers and CAM */
    double area;        /* memory and crosspoints, weighted by the terms, in cells of a memory with
                           two ports; arbiters and other logic are not included */
    swq_cost_part part[SWQ_COST_PARTS];
    int parts;
    struct {
        const char *what, *why;
    } uncounted[SWQ_COST_UNCOUNTED]; /* parts whose cost no document gives, by name */
    int uncounted_count;
} swq_cost;

/* The cost of a switch of an asynchronous network, whose senders do not matter. flit: the number of
 * real bytes in a byte of the spec, which is what a link carries in a cycle, >= 1. The spec has
 * been checked. Errors: those of swq_fabric_count. O(1). */
swq_status swq_cost_async(swq_context *ctx, const swq_async *network, int flit,
                          const swq_cost_terms *terms, swq_cost *cost);

/* The cost of a switch of a network in stage cycles; `nodes` is the result of swq_network_check. */
swq_status swq_cost_stages(swq_context *ctx, const swq_network *network, uint32_t nodes,
                           const swq_cost_terms *terms, swq_cost *cost);

/* Cables of a level of links, both ways of a link in one cable. */
typedef struct swq_cost_cables {
    uint64_t cables, optic; /* all; those for which optics are cheaper */
    double metres, longest; /* of all together; of one */
    double dollars;
} swq_cost_cables;

typedef struct swq_cost_network_sums {
    uint32_t nodes, switches, racks;
    uint64_t used_ports; /* of all switches */
    double switch_dollars, cable_dollars;
    int levels;
    swq_cost_cables level[SWQ_MAX_LEVELS]; /* [levels]; the last is that of nodes */
} swq_cost_network_sums;

/* What a whole network costs. Racks are filled with switches in the order of their numbers, and
 * stand in a square; nodes stand in the rack of their switch. Errors: SWQ_EINVAL for a topology in
 * which a node sends to one switch and receives from another; those of swq_fabric_make. O(switches
 * * ports^2) beside the making of the fabric. */
swq_status swq_cost_of_network(swq_context *ctx, const swq_shape *shape,
                               const swq_cost_terms *terms, swq_cost_network_sums *sums);

/* The cost of a switch of a data centre, or of a leaf where there are leaves and spines; its nodes
 * are not counted. Errors: those of swq_dc_check. O(1). */
swq_status swq_cost_datacentre(swq_context *ctx, const swq_dc *dc, const swq_cost_terms *terms,
                               swq_cost *cost);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
