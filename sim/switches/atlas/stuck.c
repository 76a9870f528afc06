/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells that can never move again: the cells that are left when all cells that might move have been
 * found, as a least fixed point. A cell in a queue might move if there is a credit of the link's
 * pool, or such a credit might come back; a cell in a list might move if the credit of its flow
 * group, or the lane, that it lacks is there or might come back. A credit might come back if a cell
 * that holds it might move. So the cells that are left wait for one another alone. Only networks
 * whose links close a ring are searched, and these have no multicast cells.
 */
#include "sim/switches/atlas/cells.h"

#include <string.h>

/* The queue in which a cell is, or in whose lists it waits. */
static size_t queue_of(const swq_cells *c, const swq_cell *cell)
{
    return swq_cells_queue(c, cell->out, cell->priority);
}

/* Might a waiting cell move, given the cells found movable so far? The arrays of audits serve as
 * marks, for each queue and each of its flow groups: some credit is on its way back, or held by a
 * cell that might move. */
static bool might(const swq_cells *c, const swq_cell *cell)
{
    if (cell->state < SWQ_CELL_LISTED || c->place[cell->out].to & SWQ_TO_NODE)
        return true;
    const size_t q = queue_of(c, cell), at = q * c->groups + cell->group;
    const swq_cell_queue *queue = &c->queue[q];
    const swq_cell_group *group = &c->group[at];

    if (cell->state == SWQ_CELL_QUEUED)
        return queue->pool > 0 || c->taken_pool[q] & 1;
    if (group->credits < c->plan.each) /* it has a lane */
        return group->credits > 0 || c->taken[at];
    return queue->lanes < (uint32_t)c->plan.lanes || c->taken_pool[q];
}

static void mark(const swq_cells *c, size_t queue, uint32_t group, uint32_t pool_too)
{
    /* 2: only a credit of a flow group, which may free a lane */
    c->taken_pool[queue] |= pool_too ? 3 : 2;
    c->taken[queue * c->groups + group] = 1;
}

static bool find_live(swq_cells *c)
{
    const size_t queues = (size_t)c->places * c->priorities;
    bool all = true, found = true;

    memset(c->taken_pool, 0, queues * sizeof *c->taken_pool);
    memset(c->taken, 0, queues * c->groups * sizeof *c->taken);
    for (uint32_t k = 0; k < c->cells; k++)
        c->live[k] = c->cell[k].state < SWQ_CELL_COMES;
    for (size_t slot = 0; slot < c->latest; slot++) {
        for (uint32_t k = 0; k < c->credits[slot]; k++)
            mark(c, c->credit[slot * c->inputs + k].queue, c->credit[slot * c->inputs + k].group,
                 true);
    }
    while (found) {
        found = false;
        all = true;
        for (uint32_t k = 0; k < c->cells; k++) {
            const swq_cell *cell = &c->cell[k];
            if (c->live[k])
                continue;
            if (!might(c, cell)) {
                all = false;
                continue;
            }
            found = c->live[k] = true;
            if (cell->port != SWQ_NO_CELL)
                mark(c, swq_cells_queue(c, c->upstream[cell->port], cell->priority), cell->group,
                     true);
            if (cell->state == SWQ_CELL_QUEUED)
                mark(c, queue_of(c, cell), cell->group, false);
        }
    }
    return all;
}

/* A cell that holds the credit or the lane for which the stuck cell `number` waits, and so is
 * stuck, too. */
static uint32_t holder_of(const swq_cells *c, uint32_t number)
{
    const swq_cell *cell = &c->cell[number];
    const bool any = cell->state == SWQ_CELL_QUEUED ||
                     c->group[queue_of(c, cell) * c->groups + cell->group].credits == c->plan.each;

    for (uint32_t k = 0; k < c->cells; k++) {
        const swq_cell *other = &c->cell[k];
        if (other->state < SWQ_CELL_COMES || other->priority != cell->priority ||
            (!any && other->group != cell->group))
            continue;
        if ((other->port != SWQ_NO_CELL && c->upstream[other->port] == cell->out) ||
            (cell->state == SWQ_CELL_LISTED && other->state == SWQ_CELL_QUEUED &&
             other->out == cell->out))
            return k;
    }
    return SWQ_NO_CELL; /* never: if nobody holds the credits, they are available */
}

bool swq_cells_stuck(swq_cells *c, swq_cell_wait *wait, int most, int *count)
{
    uint32_t number = 0;

    *count = 0;
    if (find_live(c))
        return false;
    while (c->live[number])
        number++;
    /* after as many steps as there are cells we are on a circle */
    for (uint32_t k = 0; k < c->cells && number != SWQ_NO_CELL; k++)
        number = holder_of(c, number);
    for (uint32_t first = number; number != SWQ_NO_CELL;) {
        const uint32_t next = holder_of(c, number);
        if (*count < most)
            wait[*count] = (swq_cell_wait){number, next};
        ++*count;
        number = next;
        if (number == first)
            break;
    }
    return true;
}
