/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of one length between switches with a shared buffer and queues at their outputs, held back
 * by two credits each: one of the cell's flow group, which is its destination, and one of the
 * link's pool in the buffer that the link leads to (ATLAS I; Katevenis, Serpanos and Spyridakis,
 * 1998). docs/atlas.md has the rules, step by step.
 *
 *      list of a flow group        queue          link          shared buffer
 *      | cells without a   | --> | cells that | --------> | k pools of B places |
 *      | credit of it      |     | hold one   |  a place   a cell that leaves gives both back
 *
 * Room: sim. Includes base.
 */
#ifndef SWQ_SIM_CELLS_CELLS_H
#define SWQ_SIM_CELLS_CELLS_H

#include "base/arrays.h"
#include "switchq/async.h"

#define SWQ_NO_CELL UINT32_MAX

typedef struct swq_cells_plan {
    const swq_fabric *fabric; /* laid out, with one way for each pair */
    int pool;                 /* credits of a link, 1 .. SWQ_MAX_POOL_CELLS */
    int each;                 /* credits of a flow group on a link, 1 .. pool */
    int lanes;                /* flow groups of which a link may have sent cells that are not gone,
                                 1 .. SWQ_MAX_FLOW_GROUPS */
    int node_cells;           /* that a node keeps, with a list for each flow group; 0: it sends one
                                 after the other */
    int priorities;           /* 1 .. SWQ_CELL_PRIORITIES */
    int time, rest;           /* cycles of a cell on a link, and of the link's rest behind it */
    int hop, credit; /* cycles, at least 1: of a header from switch to switch, of a credit */
} swq_cells_plan;

typedef enum swq_cell_state {
    SWQ_CELL_NOWHERE, /* the number is free */
    SWQ_CELL_AT_NODE, /* at the node that is to send it */
    SWQ_CELL_COMES,   /* on its way to an input */
    SWQ_CELL_LISTED,  /* in the list of its flow group, */
    SWQ_CELL_QUEUED,  /* or in the queue, of an output */
} swq_cell_state;

typedef struct swq_cell {
    uint32_t from, to;
    uint32_t next;   /* in its list or queue, or of the free ones */
    uint32_t port;   /* the input that it is at, or comes to; SWQ_NO_CELL: it is at its node */
    uint32_t out;    /* the place that it waits at */
    uint32_t number; /* of its sender's cells */
    uint16_t state;  /* swq_cell_state */
    uint16_t priority;
} swq_cell;

/* What sends over a link: an output of a switch, or a node. */
typedef struct swq_cell_place {
    uint32_t to;   /* the input that the link ends at, or SWQ_TO_NODE | node */
    uint32_t free; /* the link is, from this cycle on */
} swq_cell_place;

/* What a priority has there: queue `place` * priorities + priority. */
typedef struct swq_cell_queue {
    uint32_t head, tail;              /* the queue */
    uint32_t first_group, last_group; /* the line of flow groups that wait for a lane */
    uint32_t lanes;                   /* in use */
    uint32_t pool;                    /* credits */
} swq_cell_queue;

/* A flow group on a link. */
typedef struct swq_cell_group {
    uint32_t head, tail; /* the cells that wait for a credit */
    uint32_t next;       /* behind it in the line for lanes */
    uint16_t credits;
    bool in_line;
} swq_cell_group;

/* A node that sends. */
typedef struct swq_cell_node {
    uint32_t cell;  /* the one that it is given, or SWQ_NO_CELL: it has joined its queue or list */
    uint32_t taken; /* the cycle in which it was given the last one, or began to send it */
    uint32_t sent;  /* cells so far */
    uint32_t kept;  /* of these */
    bool busy;      /* ... with the last one, until a cell's time is over */
} swq_cell_node;

typedef struct swq_cell_credit {
    uint32_t queue, group;
} swq_cell_credit;

/* What others are told. */
typedef struct swq_cells_told {
    void *arg;
    /* A node takes a cell from its sender; it leaves its node, in the same cycle if the node keeps
     * none, ... */
    void (*taken)(void *arg, uint32_t cell);
    void (*begun)(void *arg, uint32_t cell);
    /* ... leaves a buffer, by output `out` of all, ... */
    void (*passed)(void *arg, uint32_t cell, uint32_t port, uint32_t out);
    /* ... and, after that, begins its way to its node: the number is free then. */
    void (*last)(void *arg, uint32_t cell);
    /* A cell's time, and the link's rest, end with this cycle, since a node took it in another. */
    void (*sent)(void *arg, uint32_t node, uint32_t taken);
} swq_cells_told;

typedef struct swq_cells {
    swq_cells_plan plan;
    swq_cells_told told;
    uint32_t cycle;
    uint32_t ports, inputs, places, cells, most_ends;
    uint32_t priorities;
    uint32_t latest; /* a power of two, longer than anything is on its way */

    swq_cell *cell; /* [cells] */
    uint32_t free_cell;
    swq_cell_place *place; /* [places]: outputs, then nodes */
    swq_cell_queue *queue; /* [places * priorities] */
    swq_cell_group *group; /* [places * priorities * nodes] */
    swq_cell_node *node;   /* [nodes] */
    uint32_t *upstream;    /* [inputs] the place whose link ends here */
    uint32_t *held;        /* [inputs] cells that are here or come */
    uint32_t *due;         /* [switches] sets of the outputs that can send */
    uint64_t *busy;        /* set of the switches that have any */
    uint64_t *sending;     /* set of the nodes that have a new cell, or can send */
    uint32_t *number;      /* [priorities * nodes * nodes] priority, to, from: of the cells
                              delivered, one behind the last */
    bool disorder;         /* one was delivered after a later one of its pair and priority */

    /* what there is to do in each of the next `latest` cycles */
    uint32_t *coming;        /* [latest * switches] sets of inputs at which a cell is ready, */
    uint32_t *arriving;      /* [latest * switches] the switches of these, */
    uint32_t *came;          /* [latest * inputs] and the cells */
    swq_cell_credit *credit; /* [latest * inputs] that count from then on */
    uint32_t *ends;          /* [latest * most_ends] places whose links are free; and, behind their
                                numbers, nodes that a cell's time ends for */
    uint32_t *arrivals, *credits, *ended; /* [latest] how many */

    uint32_t *taken_pool; /* [places * priorities] for audits, and for looking for deadlocks */
    uint32_t *taken;      /* [places * priorities * nodes] */
    bool *live;           /* [cells] */
} swq_cells;

/* Sizes; the arrays, after that; and, when these have been taken, an empty network. */
void swq_cells_lay_out(swq_cells *c, const swq_cells_plan *plan);
void swq_cells_list(swq_cells *c, swq_arrays *list);
void swq_cells_empty(swq_cells *c, const swq_cells_told *told);

static inline uint32_t swq_cells_queue(const swq_cells *c, uint32_t place, uint32_t priority)
{
    return place * c->priorities + priority;
}

/* Can a node be given a cell? */
static inline bool swq_cells_idle(const swq_cells *c, uint32_t node)
{
    const swq_cell_node *n = &c->node[node];
    return !n->busy && (!c->plan.node_cells || n->kept < (uint32_t)c->plan.node_cells);
}

/* It is, in this cycle: the cell's number, which stays its until it is delivered. */
uint32_t swq_cells_send(swq_cells *c, uint32_t node, uint32_t to, int priority);

/* One cycle. */
void swq_cells_cycle(swq_cells *c);

/* Do all credits of all links add up, is no lane too many in use, and has no cell overtaken
 * another one of its sender and destination? O(cells + places * nodes). */
bool swq_cells_sound(const swq_cells *c);

/* Cells that wait for each other: at the input `port` one for node `to`, for what is at another. */
typedef struct swq_cell_wait {
    uint32_t cell, next;
} swq_cell_wait;

/* Can some cells never move again? Then a circle of cells that wait for each other: its length, and
 * the first `most` of them. O(cells^2) at worst. */
bool swq_cells_stuck(swq_cells *c, swq_cell_wait *wait, int most, int *count);

#endif
