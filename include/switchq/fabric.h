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

#include "switchq/graph.h"
#include "switchq/topology.h"
#include "switchq/traffic.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_MAX_DIMS = 15,
    SWQ_MAX_FABRIC_PORTS = 32, /* of one switch whose sets of ports are words; more take several */
    SWQ_MAX_WORM_PORTS = 255,  /* of one switch with architecture wormhole in a tree, a multistage
                                  network or a graph; 256 in dragonflies and HyperX */
    SWQ_MAX_FABRIC_CLASSES = 32,
    SWQ_MAX_CHOICE_DIMS = 4, /* most dimensions of tori and meshes with adaptive routing */
    SWQ_MAX_LEVELS = SWQ_MAX_STAGES,
    SWQ_MAX_TREE_LEVELS = 12, /* levels of switches */
    SWQ_MAX_UGAL_THRESHOLD = 1000000,
    SWQ_MAX_DEROUTED_DIMS = 8, /* dimensions in which packets of routing dal may leave their way */
    SWQ_MAX_UGAL_FACTOR = 100,
    SWQ_MAX_NEXT_LINKS = 256, /* of swq_fabric_kind.next_links */
    SWQ_MAX_SIZES = 6         /* parameters of one row alone: swq_fabric_size */
};

/* Where an output leads if not to an input port: SWQ_TO_NODE | n is node n. */
#define SWQ_TO_NODE  0x80000000u
#define SWQ_NO_WHERE 0xffffffffu

typedef struct swq_fabric_kind swq_fabric_kind;
typedef struct swq_fabric swq_fabric;

/* What a packet under way carries, and routing may look at. */
typedef struct swq_packet_state {
    uint32_t from, to; /* ends of the part of its way that it is on */
    uint32_t then;     /* the node to which it goes on from there; SWQ_NO_WHERE: none */
    bool goes_on;      /* it is on the second part of its way */
    uint8_t hops;      /* switches in which it has been routed, counted to 255 */
    bool open;         /* it goes straight, and may still be sent by way of another place */
    uint8_t derouted;  /* set of the dimensions in which it has left its straight way */
    uint32_t draw;     /* a random number: which of several shortest ways it takes */
} swq_packet_state;

/* What routing may see of a switch: of each of its outputs, numbered over all switches, the bytes
 * (flits) sent over the link that may still take room at its other end, as far as the switch knows
 * by its credits: in one lane, or in all lanes if `lane` is negative. And the set of the lanes of
 * the link to an input port that a packet may take there. */
typedef struct swq_switch_view {
    const void *engine;
    uint32_t (*taken)(const void *engine, uint32_t output, int lane);
    uint32_t (*lanes)(const void *engine, uint32_t port, const swq_packet_state *packet);
} swq_switch_view;

/* Routings that compare two ways: what the queue of a way is. Kim, Dally, Scott and Abts (2008),
 * 4.2 and 4.3; along the way: Besta and Hoefler (2014), 4.2. */
typedef enum swq_way_queue {
    SWQ_QUEUE_LOCAL,  /* bytes in all lanes behind the way's first link (UGAL-L) */
    SWQ_QUEUE_LANE,   /* ... in the lanes of it that the packet may take (UGAL-L_VC) */
    SWQ_QUEUE_HYBRID, /* ... in these lanes if both ways begin with the same link, else in all lanes
                         (UGAL-L_VCH) */
    SWQ_QUEUE_GLOBAL, /* bytes in all lanes behind the way's first global link, wherever in the
                         group it is (UGAL-G); dragonfly and megafly */
    SWQ_QUEUE_PATH /* the sum, over all links of the way, of the bytes in all lanes behind them, in
                      place of the product of links and queue */
} swq_way_queue;

/* A link that a packet may take next, where it has a choice in each switch. */
typedef struct swq_next_link {
    uint8_t output;   /* 0 .. ports-1 */
    uint8_t links;    /* links between switches ahead of the packet, this one included */
    uint8_t derouted; /* swq_packet_state.derouted behind the link */
    bool straight;    /* the link leads nearer */
} swq_next_link;

/* One row of the table of routings: how a packet's route is chosen. */
typedef struct swq_routing {
    const char *name;
    const char *summary;
    const char *source;
    bool adaptive;   /* a packet may have a choice of outputs; else the fabric gives one */
    bool unguarded;  /* adaptive, and can deadlock in fabrics with rings */
    bool escapes;    /* adaptive, in fabrics with shortest_ways: one escape class, of packets on
                        their deterministic way */
    bool by_another; /* the route leads via a place drawn for each packet, a random node or a place
                        that the fabric's row draws: only with lanes. Each of the two parts of the
                        route is deterministic, by the fabric's tables */
    /* With by_another: does a packet go by way of the place that was drawn for it, packet->to, and
     * from there to packet->then; or straight to packet->then? Asked when the packet is routed at
     * input port `port` of its first switch. NULL: always by way of the place. */
    bool (*detours)(const swq_fabric *fabric, uint32_t port, const swq_packet_state *packet,
                    const swq_switch_view *view);
    bool progressive; /* with `detours`: packets that go straight are asked again, with another
                         place drawn, as long as swq_fabric_kind.turns says so */
    /* Chooses one of the links that swq_fabric_kind.next_links lists, in each switch, when a packet
     * is routed at input port `port`: its place in the list. `word`: a random number, which decides
     * between equal ones. Only with lanes. NULL: packets have one way, or a choice of two. */
    int (*choose)(const swq_fabric *fabric, uint32_t port, const swq_packet_state *packet,
                  const swq_next_link *next, int count, const swq_switch_view *view, uint32_t word);
    swq_needs needs;
} swq_routing;

/* All routings, ended by NULL; the first is deterministic. */
extern const swq_routing *const swq_routings[];
extern const swq_routing swq_routing_deterministic, swq_routing_adaptive, swq_routing_unguarded,
    swq_routing_escape, swq_routing_valiant, swq_routing_ugal, swq_routing_par, swq_routing_dal;

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
    int size[SWQ_MAX_SIZES]; /* the values of the row's own parameters, in the order of its sizes */
    const struct swq_graph *graph; /* graph: the network of a file, the caller's */
    const swq_routing *routing;    /* NULL: deterministic */
    int ugal_threshold; /* routings ugal, par and dal: a packet goes straight as long as the product
                           of links and bytes ahead of the straight way is not greater than that of
                           the other way plus this, 0 .. SWQ_MAX_UGAL_THRESHOLD */
    swq_way_queue ugal_queue; /* the same: what the queue of a way is */
    int straight_factor;      /* the same: what the queue of the straight way is multiplied by, 1 ..
                                 SWQ_MAX_UGAL_FACTOR; 0: by its links */
    int detour_factor;        /* likewise, of the other way */
    bool late_credits; /* routings ugal and par, with links between groups: credits for links within
                          a group are held back by their round trip */
    bool drawn_ways;   /* in kinds with swq_fabric_kind.shortest_ways, not with routing adaptive:
                          of several, one is drawn for each packet, at each switch one of the outputs
                          with a shortest way, all alike; else each pair of switches has one way */
} swq_shape;

/* The switches of one level of a tree: see sim/fabrics/tree.c. */
typedef struct swq_tree_level {
    uint32_t down, up;    /* links of a switch */
    uint32_t first;       /* number of the first switch */
    uint32_t ways, block; /* switches that share a block of nodes below them; nodes of a block */
} swq_tree_level;

/* Parameters of a shape that several fabrics share, as bits. A row of the table of fabrics declares
 * which of these parameters it has; a shape that sets another one is refused. */
typedef enum swq_shape_parameter {
    SWQ_HAS_PORTS = 1 << 0,    /* ports, of the switches of a multistage network */
    SWQ_HAS_STAGES = 1 << 1,   /* stages */
    SWQ_HAS_DIMS = 1 << 2,     /* dims */
    SWQ_HAS_EXTENTS = 1 << 3,  /* the dims are given by the extent of each */
    SWQ_HAS_ARITY = 1 << 4,    /* arity, of each level */
    SWQ_HAS_RADIX = 1 << 5,    /* ports, of all switches of a fat tree */
    SWQ_HAS_LEVELS = 1 << 6,   /* levels */
    SWQ_HAS_UP_PORTS = 1 << 7, /* up_ports */
    SWQ_HAS_ONE_WAY = 1 << 8,  /* one_way */
    SWQ_HAS_CHAINED = 1 << 9   /* chained */
} swq_shape_parameter;

/* A parameter that one row alone has, an integer. */
typedef struct swq_fabric_size {
    const char *name; /* in the field's terms: "p" */
    const char *summary;
    int least, most;
    bool needed; /* the parameter must be given; else 0 stands for the row's own default */
    const char *const *words; /* names of the values, by their place; ended by NULL. Or NULL */
} swq_fabric_size;

/* A network, laid out. It owns the arrays. */
struct swq_fabric {
    swq_shape shape;
    uint32_t nodes, switches;
    int ports;                /* of each switch */
    uint32_t nodes_at_switch; /* most nodes whose packets leave by one switch */
    int classes;              /* at each input port */
    int escapes; /* adaptive: classes 0 .. escapes-1 belong to escape queues, which a packet enters
                    only along its deterministic route */
    /* nodes that traffic takes for a group, numbered one after another, and groups of a ring, as
     * which swq_fabric_group_ahead counts them: all groups of a dragonfly, the routers of a row of
     * a hyperx. group_ring 0: groups, the nodes of a router in a slim-fly, are in no ring, or there
     * are none */
    uint32_t group_nodes, group_ring;
    int place_dims; /* dimensions of shape.extent that say where nodes are; 0: in a row */
    int levels; /* kinds of links that are measured separately: stages, or dimensions in the order
                   of traversal followed by host links */
    uint32_t *link;  /* [switches * ports] where an output leads: an input port, SWQ_TO_NODE | node,
                        or SWQ_NO_WHERE */
    uint32_t *entry; /* [nodes] the input port to which a node sends */
    uint8_t *output; /* [switches * ports * classes] the output (0 .. ports-1) of a class at an
                        input port; 255: there is no such class, or (adaptive) the class has a set
                        of outputs */
    /* [switches * ports * classes * set_words] adaptive: the set of outputs that a class at an
     * input port may take, output k as bit k % 64 of word k / 64; empty: there is no such class, or
     * it is an escape class, whose packets have the set of the class that `route` gives. NULL:
     * deterministic, or the sets of `ways` */
    uint64_t *outputs;
    int set_words;        /* words of such a set: 1 for switches of up to 64 ports, else 4 */
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
    uint64_t inverse[SWQ_MAX_SIZES]; /* of numbers that the kind divides by (base/divide.h) */
    uint8_t
        *next; /* [switches * nodes / nodes_at_switch] kinds by table: the output of packets at a
                  switch for the nodes of another one; 255 at that switch itself. NULL: others */
    /* swq_shape_has_ways: [switches * way_columns * set_words] the set of the outputs of a switch
     * with a shortest way to switch number 0 .. way_columns-1, or those of a graph's table, in its
     * columns. NULL: one way for each pair, or the sets of `outputs` */
    uint64_t *ways;
    uint32_t way_columns;
    uint32_t level_inputs[SWQ_MAX_LEVELS],
        level_outputs[SWQ_MAX_LEVELS]; /* used ports of a level */
};

/* One row of the table of fabrics. */
struct swq_fabric_kind {
    const char *name;
    const char *summary;
    const char *source;
    bool point_to_point; /* a node sends to and receives from the same switch, and sends nothing to
                            itself */
    unsigned engines; /* engines that run the fabric, as bits: SWQ_ENGINE_SYNC, SWQ_ENGINE_ASYNC */
    unsigned parameters;          /* the set of swq_shape_parameter that the fabric has */
    const swq_fabric_size *sizes; /* its own parameters, ended by one without a name; or NULL */
    const swq_shape *examples;    /* small networks of this kind, ended by one without `kind`, which
                                     the    tests of every row walk; a multistage one has no wiring */
    bool rings;                   /* links form rings in every dimension */
    bool grid; /* nodes lie at the points of the grid shape.extent, and are numbered by coordinates
                */
    bool tree; /* links lead up and down: swq_fabric.tree has its levels */
    bool positions;           /* has swq_fabric.position */
    bool file;                /* shape.graph must be set: on the command line a file, NAME:FILE */
    bool classes_are_outputs; /* the class of a packet is the number of its output */
    bool by_table;            /* routes are shortest ways over the links that `wire` makes, from
                                 swq_fabric.next. All switches with nodes have nodes_at_switch of them, and
                                 come before the others */
    bool shortest_ways; /* packets may take any shortest way over links (swq_fabric.ways): one is
                           drawn, or chosen in each switch (routing adaptive) */
    bool ordered; /* with shortest_ways: routes keep an order of dimensions, which other shortest
                     ways do not, so that with these every link of a way is a phase of its own */
    /* Check the shape, and set nodes, switches, ports, classes and levels of a fabric of which only
     * the shape is not zero. */
    swq_status (*count)(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric);
    /* Fill the arrays, which mark all ports as unused. Used ports of a level are counted later. */
    void (*wire)(swq_fabric *fabric);
    /* The class, 0 .. classes-1, of a packet from node `from` to node `to` at input port `port` of
     * its route. The class depends on nothing else, so that it can be computed for the port that a
     * packet is in and for the next port (pre-routing). */
    int (*route)(const swq_fabric *fabric, uint32_t port, uint32_t from, uint32_t to);
    /* The output that the deterministic rule gives at the switch of `port`. NULL: the kind has no
     * sets of outputs for classes, and cannot be adaptive unless it has shortest_ways. */
    int (*first)(const swq_fabric *fabric, uint32_t port, uint32_t from, uint32_t to);
    /* The escape class of a packet that enters `port` along its deterministic route. NULL: no
     * escape queues are needed. */
    int (*escape)(const swq_fabric *fabric, uint32_t port, uint32_t from, uint32_t to);
    /* Makes a shape small, to a network in which packets wait in circles if and only if they do so
     * in this one: what is said of deadlocks is found there. NULL: the network itself is small
     * enough, or nothing rules a deadlock out. */
    void (*stand_in)(swq_shape *shape);
    /* Where packets may go by way of other places than any node: the number of places between two
     * nodes, and one node of each place. A packet has come to a place when it is at an input port
     * of it. NULL: every node is such a place. */
    uint32_t (*places)(const swq_fabric *fabric, uint32_t from, uint32_t to);
    uint32_t (*place)(const swq_fabric *fabric, uint32_t from, uint32_t to, uint32_t number);
    bool (*come)(const swq_fabric *fabric, uint32_t port, uint32_t node);
    /* May a packet that has gone straight so far still be sent by way of another place from input
     * port `port` of its second or a later switch? NULL: nowhere in this kind. */
    bool (*turns)(const swq_fabric *fabric, uint32_t port, const swq_packet_state *packet);
    /* Where a packet may choose a link in each switch: lists the links that it may take from an
     * input port, at most `ports` of them, and returns their number; 0: it has come to the switch
     * of its node. NULL: it has no such choice. */
    int (*next_links)(const swq_fabric *fabric, uint32_t port, const swq_packet_state *packet,
                      swq_next_link *list);
    /* The same, in a counted fabric: the links on all ways between two nodes, at most. */
    double (*links_of_ways)(const swq_fabric *fabric);
    /* Where a way has phases that follow one another, and packets of one phase do not wait in
     * circles: their number, and the phase, from 0 on, of a packet on the link to an input port.
     * NULL: it has none. */
    int (*phases)(const swq_shape *shape);
    int (*phase)(const swq_fabric *fabric, uint32_t port, const swq_packet_state *packet);
    bool phase_a_link;    /* every link of a way is a phase of its own */
    const char *phase_is; /* how a packet's phase is found, for people; NULL with phase_a_link */
    const char *place_is; /* what places are, for people: "group"; NULL: node */
    /* The same, where they depend on the shape; NULL: the words above. */
    const char *(*phase_words)(const swq_shape *shape);
    const char *(*place_words)(const swq_shape *shape);
    int global_level; /* with links between groups: their level; 0: there are none */
    /* In a counted fabric: the group to which each group sends in the worst case of the shortest
     * ways. NULL: the kind has no such traffic, or SWQ_AIM_GROUP is it. */
    uint32_t (*worst)(const swq_fabric *fabric, uint32_t group);
    /* The most switches that a packet enters on its deterministic way, in a counted fabric. */
    int (*longest)(const swq_fabric *fabric);
    /* A counted fabric in words, such as "torus 8x8, 64 nodes, 5 x 5 switches". */
    void (*describe)(const swq_fabric *fabric, char *text, size_t size);
    /* "stage 2", "dimension 1", "hosts". */
    void (*level_name)(const swq_fabric *fabric, int level, char *text, size_t size);
    /* The direction of an output, and of the input of that number: "dimension 1 up". NULL: ports
     * have numbers only. */
    void (*direction_name)(const swq_fabric *fabric, uint32_t port, char *text, size_t size);
    swq_needs needs;
};

/* All kinds, ended by NULL. */
extern const swq_fabric_kind *const swq_fabric_kinds[];
extern const swq_fabric_kind swq_fabric_multistage, swq_fabric_torus, swq_fabric_mesh,
    swq_fabric_hypercube, swq_fabric_tree, swq_fabric_fat_tree, swq_fabric_dragonfly,
    swq_fabric_hyperx, swq_fabric_slimfly, swq_fabric_polarfly, swq_fabric_megafly,
    swq_fabric_graph;

/* The kind of that name, or NAME:FILE for a kind that has a file; for the name of a row of
 * swq_topologies, multistage and that wiring. Sets only shape->kind and shape->wiring. Errors:
 * SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_fabric_find(swq_context *ctx, const char *name, swq_shape *shape);

/* The name by which a shape is known: that of its wiring, or else that of its row. */
const char *swq_shape_name(const swq_shape *shape);

/* Refuses a parameter that a shape's row does not have. `name` is how the message calls it: "levels
 * is for topologies tree and fat-tree, not for torus". Errors: SWQ_EINVAL. */
swq_status swq_shape_must_have(swq_context *ctx, const swq_shape *shape,
                               swq_shape_parameter parameter, const char *name);

/* Check a shape, and count nodes, switches, ports, classes and levels without laying it out; the
 * rest of *fabric is zero. Errors: SWQ_EINVAL naming a parameter, its value and what is allowed. */
swq_status swq_fabric_count(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric);

/* Where the nodes of a counted fabric are, for patterns of traffic: in a grid or in a row. The
 * result points into the fabric. */
swq_places swq_fabric_places(const swq_fabric *fabric);

/* The first node of the group that is `step` groups further than the group of a node, in its ring,
 * of a counted fabric that has groups. */
static inline uint32_t swq_fabric_group_ahead(const swq_fabric *fabric, uint32_t node,
                                              uint32_t step)
{
    const uint32_t group = node / fabric->group_nodes, place = group % fabric->group_ring;

    return (group - place + (place + step) % fabric->group_ring) * fabric->group_nodes;
}

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

/* May packets always wait for an escape queue, or lane, of their deterministic way? */
static inline bool swq_shape_escapes(const swq_shape *shape)
{
    return swq_shape_adaptive(shape) && !shape->routing->unguarded &&
           (shape->kind->escape || shape->routing->escapes);
}

/* Has the fabric the sets of outputs with a shortest way, swq_fabric.ways? */
static inline bool swq_shape_has_ways(const swq_shape *shape)
{
    return shape->drawn_ways || (swq_shape_adaptive(shape) && shape->kind->shortest_ways);
}

/* Do packets choose a link in each switch? */
static inline bool swq_shape_chooses(const swq_shape *shape)
{
    return shape->routing && shape->routing->choose;
}

/* Is every link of a way a phase of its own? */
static inline bool swq_shape_phase_a_link(const swq_shape *shape)
{
    return (shape->kind->phase_a_link && !(shape->graph && shape->graph->parts)) ||
           swq_shape_chooses(shape) || (shape->kind->ordered && swq_shape_has_ways(shape));
}

/* The loads that one pattern of traffic puts on the links, by enumeration of the routes of all
 * pairs; if a packet has a choice of outputs, each is equally likely. */
typedef struct swq_fabric_loads {
    double mean_hops;    /* mean number of links from node to node, or stage to stage, that a packet
                            takes; links between the switches of one node do not count */
    double mean_entered; /* mean number of switches that a packet enters */
    double level_load[SWQ_MAX_LEVELS]; /* mean load of the links at a level's outputs, for one
                                          packet (of one byte) per node and cycle */
    double level_most[SWQ_MAX_LEVELS]; /* highest load of these links */
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
