/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A node is given a cell.
 */
#include "sim/switches/atlas/copies.h"

uint32_t swq_cells_send(swq_cells *c, uint32_t node, uint32_t to, int priority)
{
    const uint32_t number = c->free_cell;
    swq_cell *cell = &c->cell[number];
    swq_cell_node *n = &c->node[node];

    c->free_cell = cell->next;
    *cell = (swq_cell){.from = node,
                       .to = to,
                       .group = to,
                       .port = SWQ_NO_CELL,
                       .number = n->sent++,
                       .state = SWQ_CELL_AT_NODE,
                       .priority = (uint16_t)priority};
    n->cell = number;
    n->busy = true;
    c->sending[node / 64] |= UINT64_C(1) << node % 64;
    return c->copy ? swq_copies_make(c, number, to) : number;
}
