/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of one length between switches with a shared buffer and queues at their outputs, each of
 * which needs two credits: one of the cell's flow group, which is its destination, and one of the
 * link's pool in the buffer to which the link leads (ATLAS I; Katevenis, Serpanos and Spyridakis,
 * 1998). docs/atlas.md has the rules, step by step.
 *
 *      list of a flow group        queue          link          shared buffer
 *      | cells without a   | --> | cells that | --------> | k pools of B places |
 *      | credit of it      |     | hold one   |  a place   a cell that leaves gives both back
 *
 * A multicast cell has one place in each buffer, and is copied there for the outputs by which its
 * nodes are reached. The place is free when the last copy has left (copies.h).
 *
 * With credits at departure there is no queue before a link to a switch: among the lists' first
 * cells that may go, the cell that came first leaves its list for the link.
 */
#ifndef SWQ_SIM_SWITCHES_ATLAS_CELLS_H
#define SWQ_SIM_SWITCHES_ATLAS_CELLS_H

#include "base/arrays.h"
#include "base/port_set.h"
#include "sim/traffic/sets.h"
#include "switchq/async.h"

#define SWQ_NO_CELL UINT32_MAX

typedef struct swq_cells_plan {
    const swq_fabric *fabric; /* laid out, with one path for each pair */
    const swq_node_sets *sets;
    bool copies_at_outputs; /* the copies of a cell come to their outputs as the cell comes; else
                               as the cell becomes the first in its switch's multicast queue */
    int pool;               /* credits of a link, 1 .. SWQ_MAX_POOL_CELLS */
    int each;               /* credits of a flow group on a link, 1 .. pool */
    int lanes; /* flow groups that may have cells outstanding on a link, 1 .. SWQ_MAX_FLOW_GROUPS */
    bool at_departure; /* a cell takes the credit of its flow group as it leaves, not as it joins
                          the queue */
    int node_cells;    /* cells that a node can hold, in a list for each flow group; 0: a node sends
                          one cell after the other */
    int priorities;    /* 1 .. SWQ_CELL_PRIORITIES */
    int time, rest;    /* cycles of a cell on a link, and of the link's pause after it */
    int hop, credit; /* cycles, at least 1, of a header to the next switch, and of a credit back */
} swq_cells_plan;

typedef enum swq_cell_state {
    SWQ_CELL_NOWHERE, /* the record is free */
    SWQ_CELL_AT_NODE, /* at the node that is to send the cell */
    SWQ_CELL_RIDES,   /* the record belongs to a further node of a multicast cell */
    SWQ_CELL_COMES,   /* on its way to an input, or in the multicast queue of its switch */
    SWQ_CELL_LISTED,  /* in the list of its flow group at an output, waiting for credits */
    SWQ_CELL_QUEUED,  /* in the queue of an output */
} swq_cell_state;

typedef struct swq_cell {
    uint32_t from, to;
    uint32_t group;  /* the cell's flow group: its destination node, or nodes + the number of its
                        set */
    uint32_t next;   /* the next cell of its list or queue, or the next free record */
    uint32_t port;   /* the input at which the cell is or to which it is on its way; SWQ_NO_CELL:
                        the cell is at its node */
    uint32_t out;    /* the place (output or node) at which the cell waits */
    uint32_t number; /* the cell's number among the cells of its sender */
    uint16_t state;  /* swq_cell_state */
    uint16_t priority;
} swq_cell;

/* The sender of a link: an output of a switch, or a node. */
typedef struct swq_cell_place {
    uint32_t to;   /* the input that the link leads to, or SWQ_TO_NODE | node */
    uint32_t free; /* the cycle from which the link is free */
} swq_cell_place;

/* A priority at a place: queue `place` * priorities + priority. */
typedef struct swq_cell_queue {
    uint32_t head, tail; /* the queue; with credits at departure, before a link to a switch, the
                            cell of a list that goes next */
    /* the line of flow groups that wait for a lane, or, with credits at departure, of flow groups
     * that have cells here: the first and the last group */
    uint32_t first_group, last_group;
    uint32_t lanes; /* lanes in use */
    uint32_t pool;  /* credits of the link that are left */
} swq_cell_queue;

/* A flow group on a link. */
typedef struct swq_cell_group {
    uint32_t head, tail; /* the cells that wait for a credit of this flow group */
    uint32_t next;       /* the flow group behind it in the line for lanes */
    uint16_t credits;
    bool in_line;
} swq_cell_group;

/* A node that sends. */
typedef struct swq_cell_node {
    /* a cell that the node is to send; SWQ_NO_CELL: the cell has joined a queue or a list */
    uint32_t cell;
    uint32_t sent; /* cells so far, whose count numbers the cells */
    uint32_t kept; /* cells that the node holds */
    bool busy;     /* still occupied by the last cell, until the cell's time is over */
} swq_cell_node;

/* Beside the record of a multicast cell: each of the cell's nodes has one of these. */
typedef struct swq_cell_copy {
    uint32_t ride;   /* the record of the cell's next node, or SWQ_NO_CELL */
    uint32_t beside; /* the next copy in the ring of copies that share a place in a buffer */
    uint32_t member; /* the node's place among the members of all sets */
    bool parted;     /* the cell has been copied to outputs of the switch in which it is */
} swq_cell_copy;

/* The multicast queue of a switch and a priority, without its first cell, whose copies are at their
 * outputs. */
typedef struct swq_multicast_queue {
    uint32_t head, tail;
    bool has_first; /* there is one, or the head becomes the first in the next cycle */
} swq_multicast_queue;

typedef struct swq_cell_credit {
    uint32_t queue, group;
} swq_cell_credit;

/* Callbacks that report events. */
typedef struct swq_cells_told {
    void *arg;
    /* A node takes a cell from its source. The cell leaves the node, in the same cycle if the node
     * holds none, ... */
    void (*taken)(void *arg, uint32_t cell);
    void (*begun)(void *arg, uint32_t cell);
    /* ... leaves the buffer of input `port` by output `out`, both numbered over all switches,
     * ... */
    void (*passed)(void *arg, uint32_t cell, uint32_t port, uint32_t out);
    /* ... and, right after that, begins its way to its node. The record is free from here on. */
    void (*last)(void *arg, uint32_t cell);
    /* The cell that the node took last has been sent: its time and the link's pause end with this
     * cycle. */
    void (*sent)(void *arg, uint32_t node);
} swq_cells_told;

typedef struct swq_cells swq_cells;
struct swq_cells {
    swq_cells_plan plan;
    swq_cells_told told;
    void (*turn)(swq_cells *); /* one cycle: swq_cells_turn, or swq_cells_turn_wide */
    uint32_t cycle;
    uint32_t ports, inputs, places, cells, most_ends;
    uint32_t words; /* of a set of ports of a switch: 1, or SWQ_PORT_SET_WIDE */
    uint32_t priorities;
    uint32_t latest; /* length of the time wheel: a power of two, longer than any delay */

    swq_cell *cell;     /* [cells] */
    uint64_t *joined;   /* [cells] with credits at departure: a number that counts the cells as they
                           join lists */
    uint64_t last_join; /* the number of the cell that joined a list last */
    swq_cell_copy *copy;            /* [cells] with sets of nodes; else NULL */
    swq_multicast_queue *multicast; /* [switches * priorities] */
    uint32_t *moves_up; /* [switches * priorities] multicast queues of which the next cell becomes
                           the first in the next cycle */
    uint32_t movers;    /* their number */
    uint32_t free_cell;
    swq_cell_place *place; /* [places]: outputs, then nodes */
    swq_cell_queue *queue; /* [places * priorities] */
    uint32_t groups;       /* flow groups: nodes and sets */
    swq_cell_group *group; /* [places * priorities * groups] */
    swq_cell_node *node;   /* [nodes] */
    uint32_t *upstream;    /* [inputs] the place that sends over the link to this input */
    uint32_t *held;        /* [inputs] cells that are at the input or on their way to it */
    /* [inputs] when an input's cell last came to its output, and when an output last sent: ordered
     * as take_turns says */
    uint64_t *input_went, *output_went;
    swq_port_set *due; /* [switches * words] sets of the outputs that can send */
    uint64_t *busy;    /* set of the switches with such an output */
    uint64_t *sending; /* set of the nodes that have a new cell, or can send */
    uint32_t *number;  /* [priorities * (nodes + members) * nodes] priority, node or member of a
                          set, from: one more than the number of the last cell delivered */
    bool disorder;     /* a cell was delivered after a later cell of the same sender, flow group,
                          node and priority */

    /* The events of each of the next `latest` cycles. */
    swq_port_set *coming;    /* [latest * switches * words] sets of inputs at which a cell becomes
                                ready */
    uint32_t *arriving;      /* [latest * switches] the switches that have such an input */
    uint32_t *came;          /* [latest * inputs] the cell */
    swq_cell_credit *credit; /* [latest * inputs] credits that come back */
    uint32_t *ends; /* [latest * most_ends] places whose links become free; from c->places on, nodes
                       whose cell's time ends */
    uint32_t *arrivals, *credits, *ended; /* [latest] number of entries */

    /* [places * priorities] scratch of audits and of the search for deadlocks */
    uint32_t *taken_pool;
    uint32_t *taken; /* [places * priorities * groups] */
    bool *live;      /* [cells] */
};

/* Sets the sizes, lists the arrays, and, once they have been taken, empties the network. */
void swq_cells_lay_out(swq_cells *c, const swq_cells_plan *plan);
void swq_cells_list(swq_cells *c, swq_arrays *list);
void swq_cells_empty(swq_cells *c, const swq_cells_told *told);

static inline uint32_t swq_cells_queue(const swq_cells *c, uint32_t place, uint32_t priority)
{
    return place * c->priorities + priority;
}

/* Can the node be given a cell? */
static inline bool swq_cells_idle(const swq_cells *c, uint32_t node)
{
    const swq_cell_node *n = &c->node[node];
    return !n->busy && (!c->plan.node_cells || n->kept < (uint32_t)c->plan.node_cells);
}

/* Gives the node a cell in this cycle. to: a node, or nodes + the number of a set. Returns the
 * cell's number, which no other cell has until this cell has been delivered. */
uint32_t swq_cells_send(swq_cells *c, uint32_t node, uint32_t to, int priority);

/* The number of the record for the next node of a multicast cell; SWQ_NO_CELL: there is none. */
static inline uint32_t swq_cells_next_ride(const swq_cells *c, uint32_t cell)
{
    return c->copy ? c->copy[cell].ride : SWQ_NO_CELL;
}

/* One cycle: of switches of up to 64 ports, and of more. */
void swq_cells_turn(swq_cells *c);
void swq_cells_turn_wide(swq_cells *c);

/* Do the credits of all links add up, is the number of lanes in use within the limit, and has no
 * cell overtaken another cell of the same sender, flow group and priority? O(cells + places *
 * groups). */
bool swq_cells_sound(const swq_cells *c);

/* A cell in a circle of waiting cells: at input `port`, to node `to`. */
typedef struct swq_cell_wait {
    uint32_t cell, next;
} swq_cell_wait;

/* Looks for cells that can never move again. If there are any, returns true, the length of a circle
 * of cells that wait for each other, and the first `most` of these. O(cells^2) at worst. */
bool swq_cells_stuck(swq_cells *c, swq_cell_wait *wait, int most, int *count);

#endif
