/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multicast cells. Each node of a cell has a record; the first record is the cell's own, and the
 * others ride with it. In the switch in which the routes to the nodes part, each output gets a
 * copy: the records of the nodes behind it.
 *
 *      cell:  | 2 | -> | 5 | -> | 6 |      parts into   | 2 | -> | 5 |   for one output,
 *                                                        | 6 |            for another
 *
 * The copies of a cell form a ring: they share one place in the buffer until the last copy has
 * left.
 */
#ifndef SWQ_SIM_SWITCHES_ATLAS_COPIES_H
#define SWQ_SIM_SWITCHES_ATLAS_COPIES_H

#include "sim/switches/atlas/cells.h"

/* The output, 0 .. ports-1, by which the node of a record is reached from an input of its route. */
static inline uint32_t swq_cells_output(const swq_cells *c, uint32_t port, uint32_t number)
{
    const swq_fabric *f = c->plan.fabric;
    const swq_cell *cell = &c->cell[number];
    const int class = f->shape.kind->route(f, port, cell->from, cell->to);

    return f->output[(size_t)port * (size_t)f->classes + (size_t) class];
}

/* Gives a new cell a record for each of its nodes. to: a node, or nodes + the number of a set.
 * Returns the cell's number. */
uint32_t swq_copies_make(swq_cells *c, uint32_t number, uint32_t to);

/* A node takes a cell from its source. */
void swq_copies_ride(swq_cells *c, uint32_t number);

/* The output, 0 .. ports-1, by which all nodes of a cell are reached from the input at which it is;
 * SWQ_NO_CELL: they are reached by several. */
uint32_t swq_copies_output(const swq_cells *c, uint32_t number);

/* Parts a cell at an input into its copies. first[k] receives the copy for output k, or
 * SWQ_NO_CELL; [ports]. */
void swq_copies_part(swq_cells *c, uint32_t number, uint32_t *first);

/* A cell, or a copy, leaves its switch. Is its place still needed for another copy? If not, and it
 * had been first in the multicast queue, the next cell there moves up in the next cycle. */
bool swq_copies_remain(swq_cells *c, uint32_t number);

/* A cell comes to the multicast queue of its switch. Is it the first there? Otherwise it waits. */
bool swq_copies_join(swq_cells *c, uint32_t number);

/* Takes the head of a multicast queue, which becomes its first cell. */
uint32_t swq_copies_move_up(swq_cells *c, uint32_t queue);

#endif
