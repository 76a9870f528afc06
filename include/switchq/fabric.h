/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fabrics: switches, the links between them and to the nodes, and the routes of packets. A
 * multistage network, a torus, a mesh, a hypercube and a tree have in common that every switch has
 * input ports (each with a buffer) and output ports (each with a link), and a packet that arrives
 * at an input port is of a *class*, which says which output it goes to and, in a buffer with
 * several queues, which queue it joins.
 *
 * Ports are numbered over all switches: port p of switch w is w * ports + p, both as an input and
 * as an output.
 */
#ifndef SWITCHQ_FABRIC_H
#define SWITCHQ_FABRIC_H

#include "switchq/topology.h"
#include "switchq/traffic.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_MAX_DIMS = 15,
    SWQ_MAX_FABRIC_PORTS = 32, /* of one switch: a set of them fits into a word */
    SWQ_MAX_FABRIC_CLASSES = 32,
    SWQ_MAX_CHOICE_DIMS = 4, /* most dimensions of tori and meshes with adaptive routing */
    SWQ_MAX_LEVELS = SWQ_MAX_STAGES,
    SWQ_MAX_TREE_LEVELS = 12 /* levels of switches */
};

/* Where an output leads if not to an input port: SWQ_TO_NODE | n is node n. */
#define SWQ_TO_NODE  0x80000000u
#define SWQ_NO_WHERE 0xffffffffu

typedef struct swq_fabric_kind swq_fabric_kind;

/* One row of the table of routings: how a packet's route is chosen. */
typedef struct swq_routing {
    const char *name;
    const char *summary;
    const char *source;
    bool adaptive;   /* a packet may have a choice of outputs; else the fabric gives one */
    bool unguarded;  /* adaptive, and can deadlock in fabrics with rings */
    bool by_another; /* the route leads via a random node, drawn for each packet: only with lanes,
                        in tori and meshes. Each of the route's two parts is deterministic, by the
                        fabric's tables */
    swq_needs needs;
} swq_routing;

/* All routings, ended by NULL; the first is deterministic. */
extern const swq_routing *const swq_routings[];
extern const swq_routing swq_routing_deterministic, swq_routing_adaptive, swq_routing_unguarded,
    swq_routing_valiant;

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_routing_find(swq_context *ctx, const char *name, const swq_routing **row);

/* The shape of a network: a row of the table of fabrics and its parameters. */
typedef struct swq_shape {
    const swq_fabric_kind *kind;
    const swq_topology *wiring; /* multistage: how the stages are wired */
    int ports, stages; /* multistage: k x k switches (k is `ports`) in `stages` stages; fat tree:
                          ports of a switch */
    int levels;        /* trees: of switches, 2 .. SWQ_MAX_TREE_LEVELS; fat tree: 2 or 3 */
    int arity[SWQ_MAX_TREE_LEVELS]; /* tree: links down from a switch of each level, leaves first */
    int up_ports;             /* trees: links up from each switch below the top; 0: as many as down
                               */
    int dims;                 /* torus, mesh, hypercube: 1 .. SWQ_MAX_DIMS */
    int extent[SWQ_MAX_DIMS]; /* torus, mesh: nodes in each dimension, >= 2, the dimension that is
                                 traversed first (the dissertation's d_{n-1}) first */
    bool one_way;             /* torus: links lead in the positive direction only */
    bool chained; /* torus, mesh: a node has ceil(dims / 2) switches of 5 x 5, each for two
                     dimensions, chained by their host ports (6.3.1), rather than one larger switch
                   */
    const swq_routing *routing; /* NULL: deterministic */
} swq_shape;

/* The switches of one level of a tree: see sim/fabrics/tree.c. */
typedef struct swq_tree_level {
    uint32_t down, up;    /* links of a switch */
    uint32_t first;       /* number of the first switch */
    uint32_t ways, block; /* switches that share a block of nodes below them; nodes of a block */
} swq_tree_level;

/* Which parameters give the size of a fabric. */
typedef enum swq_shape_words {
    SWQ_SHAPE_STAGES,  /* ports and stages */
    SWQ_SHAPE_EXTENTS, /* dims and the extent of each */
    SWQ_SHAPE_DIMS,    /* only dims */
    SWQ_SHAPE_ARITY,   /* levels and the arity of each */
    SWQ_SHAPE_RADIX    /* ports and levels */
} swq_shape_words;

/* A network, laid out. It owns the arrays. */
typedef struct swq_fabric {
    swq_shape shape;
    uint32_t nodes, switches;
    int ports;   /* of each switch */
    int classes; /* at each input port */
    int escapes; /* adaptive: classes 0 .. escapes-1 belong to escape queues, which a packet enters
                    only along its deterministic route */
    int levels;  /* kinds of links that are measured separately: stages, or dimensions in the order
                    of traversal followed by host links */
    uint32_t *link;  /* [switches * ports] where an output leads: an input port, SWQ_TO_NODE | node,
                        or SWQ_NO_WHERE */
    uint32_t *entry; /* [nodes] the input port to which a node sends */
    uint8_t *output; /* [switches * ports * classes] the output (0 .. ports-1) of a class at an
                        input port; 255: there is no such class, or (adaptive) the class has a set
                        of outputs */
    uint32_t
        *outputs; /* [switches * ports * classes] adaptive: the set of outputs that a class at an
                     input port may take; 0: there is no such class, or it is an escape class, whose
                     packets have the set of the class that `route` gives. NULL: deterministic */
    uint8_t *in_level;    /* [switches * ports] level of an input port; 255: the port is not used */
    uint8_t *out_level;   /* [switches * ports] level of an output; 255: the output is not used */
    uint16_t *coordinate; /* [nodes * dims], or NULL */
    uint16_t *position;   /* [switches * ports] what `route` needs to know of an input port: in a
                             torus or mesh its node's coordinate in its dimension, or, for a host
                             port, the first dimension of its switch; in a hypercube its node; in a
                             tree its switch's level; otherwise NULL */
    uint32_t unit[SWQ_MAX_STAGES]; /* multistage: the value of the digit that a stage looks at */
    /* multistage with a power of two as `ports`: at input ports of level l, a packet's class, which
     * is its output, is (to >> shift[l]) & digit; digit 0: there is no such formula */
    uint32_t digit;
    uint8_t shift[SWQ_MAX_STAGES];
    swq_tree_level tree[SWQ_MAX_TREE_LEVELS];
    uint32_t level_inputs[SWQ_MAX_LEVELS],
        level_outputs[SWQ_MAX_LEVELS]; /* used ports of a level */
} swq_fabric;

/* One row of the table of fabrics. */
struct swq_fabric_kind {
    const char *name;
    const char *summary;
    const char *source;
    bool point_to_point;  /* a node sends to and receives from the same switch, and sends nothing to
                             itself */
    bool one_queue_rings; /* queues of one class form a ring, each port's leading to the next: if
                             one such queue can close its buffer, the ring can deadlock */
    unsigned engines; /* engines that run the fabric, as bits: SWQ_ENGINE_SYNC, SWQ_ENGINE_ASYNC */
    swq_shape_words words; /* which parameters give the fabric's size */
    bool rings;            /* links form rings in every dimension, and may be one-way */
    bool chained;          /* a node may have a chain of several switches */
    bool grid; /* nodes lie at the points of the grid shape.extent, and are numbered by coordinates
                */
    /* Check the shape, and set nodes, switches, ports, classes and levels of a fabric of which only
     * the shape is not zero. */
    swq_status (*count)(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric);
    /* Fill the arrays, which mark all ports as unused. Used ports of a level are counted later. */
    void (*wire)(swq_fabric *fabric);
    /* The class, 0 .. classes-1, of a packet from node `from` to node `to` at input port `port` of
     * its route. The class depends on nothing else, so that it can be computed for the port that a
     * packet is in and for the next port (pre-routing). */
    int (*route)(const swq_fabric *fabric, uint32_t port, uint32_t from, uint32_t to);
    /* The output that the deterministic rule gives at the switch of `port`. NULL: the kind cannot
     * be adaptive. */
    int (*first)(const swq_fabric *fabric, uint32_t port, uint32_t from, uint32_t to);
    /* The escape class of a packet that enters `port` along its deterministic route. NULL: no
     * escape queues are needed. */
    int (*escape)(const swq_fabric *fabric, uint32_t port, uint32_t from, uint32_t to);
    /* "stage 2", "dimension 1", "hosts". */
    void (*level_name)(const swq_fabric *fabric, int level, char *text, size_t size);
    swq_needs needs;
};

/* All kinds, ended by NULL: multistage, torus, mesh, hypercube, trees. */
extern const swq_fabric_kind *const swq_fabric_kinds[];
extern const swq_fabric_kind swq_fabric_multistage, swq_fabric_torus, swq_fabric_mesh,
    swq_fabric_hypercube, swq_fabric_tree, swq_fabric_fat_tree;

/* The kind of that name; for the name of a row of swq_topologies, multistage and that wiring. Sets
 * only shape->kind and shape->wiring. Errors: SWQ_EINVAL for an unknown name (suggesting the
 * nearest). */
swq_status swq_fabric_find(swq_context *ctx, const char *name, swq_shape *shape);

/* Check a shape, and count nodes, switches, ports, classes and levels without laying it out; the
 * rest of *fabric is zero. Errors: SWQ_EINVAL naming a parameter, its value and what is allowed. */
swq_status swq_fabric_count(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric);

/* Where the nodes of a counted fabric are, for patterns of traffic: in a grid or in a row. The
 * result points into the fabric. */
swq_places swq_fabric_places(const swq_fabric *fabric);

/* Bytes that the arrays of a counted fabric take. */
double swq_fabric_bytes(const swq_fabric *fabric);

/* Lay out a network. Free with swq_fabric_clear. Errors: those of swq_fabric_count, SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status swq_fabric_make(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric);
void swq_fabric_clear(swq_context *ctx, swq_fabric *fabric);

/* May packets have a choice of outputs? */
static inline bool swq_shape_adaptive(const swq_shape *shape)
{
    return shape->routing && shape->routing->adaptive;
}

/* The loads that one pattern of traffic puts on the links, by enumeration of the routes of all
 * pairs; if a packet has a choice of outputs, each is equally likely. */
typedef struct swq_fabric_loads {
    double mean_hops;    /* mean number of links from node to node, or stage to stage, that a packet
                            takes; links between the switches of one node do not count */
    double mean_entered; /* mean number of switches that a packet enters */
    double level_load[SWQ_MAX_LEVELS]; /* mean load of the links at a level's outputs, for one
                                          packet (of one byte) per node and cycle */
    double level_most[SWQ_MAX_LEVELS]; /* ... and the highest load */
    double most; /* highest load of all links: no node can send more than 1 / most */
} swq_fabric_loads;

/* Enumerate. weight: [nodes * nodes], the probability that node `from` sends to `to`, rows summing
 * to one; NULL: uniform (in a point-to-point kind, without the node itself). In a point-to-point
 * kind, packets that a node would send to itself are not sent, and means are over the remaining
 * packets. Errors: SWQ_ENOMEM, SWQ_ELIMIT; SWQ_EINVAL if the links lead a packet to a wrong node or
 * past more than `switches` switches, which never happens in a fabric from swq_fabric_make;
 * SWQ_ECANCELLED. O(nodes^2 * hops). */
swq_status swq_fabric_enumerate(swq_context *ctx, const swq_fabric *fabric, const double *weight,
                                swq_fabric_loads *loads);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
