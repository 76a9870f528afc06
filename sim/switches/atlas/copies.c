/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multicast cells: their records, their copies, and the multicast queues of switches.
 */
#include "sim/switches/atlas/copies.h"

/* ---- records ---- */

static void make_copy(swq_cells *c, uint32_t number, uint32_t member)
{
    c->copy[number] = (swq_cell_copy){.ride = SWQ_NO_CELL, .beside = number, .member = member};
    c->cell[number].to = c->plan.sets->member[member];
}

uint32_t swq_copies_make(swq_cells *c, uint32_t number, uint32_t to)
{
    const swq_node_sets *sets = c->plan.sets;
    uint32_t last = number;

    if (to < sets->nodes) {
        c->copy[number] = (swq_cell_copy){.ride = SWQ_NO_CELL, .beside = number};
        return number;
    }
    const uint32_t first = sets->start[to - sets->nodes], end = sets->start[to - sets->nodes + 1];
    make_copy(c, number, first);
    for (uint32_t member = first + 1; member < end; member++) {
        const uint32_t k = c->free_cell;
        c->free_cell = c->cell[k].next;
        c->cell[k] = c->cell[number];
        make_copy(c, k, member);
        c->copy[last].ride = k;
        last = k;
    }
    return number;
}

void swq_copies_ride(swq_cells *c, uint32_t number)
{
    for (uint32_t k = number; (k = c->copy[k].ride) != SWQ_NO_CELL;)
        c->cell[k].state = SWQ_CELL_RIDES;
}

/* ---- copies ---- */

uint32_t swq_copies_output(const swq_cells *c, uint32_t number)
{
    const uint32_t port = c->cell[number].port, output = swq_cells_output(c, port, number);

    for (uint32_t k = c->copy[number].ride; k != SWQ_NO_CELL; k = c->copy[k].ride) {
        if (swq_cells_output(c, port, k) != output)
            return SWQ_NO_CELL;
    }
    return output;
}

/* Makes the first records of the copies a ring, and has them begin at `port`, where their cell
 * was. */
static void share_place(swq_cells *c, uint32_t port, const uint32_t *first)
{
    uint32_t before = SWQ_NO_CELL, least = SWQ_NO_CELL;

    for (uint32_t output = 0; output < c->ports; output++) {
        const uint32_t k = first[output];
        if (k == SWQ_NO_CELL)
            continue;
        c->cell[k].port = port;
        c->copy[k].parted = true;
        if (before == SWQ_NO_CELL)
            least = k;
        else
            c->copy[before].beside = k;
        before = k;
    }
    c->copy[before].beside = least;
}

void swq_copies_part(swq_cells *c, uint32_t number, uint32_t *first)
{
    const uint32_t port = c->cell[number].port;
    uint32_t last[SWQ_MAX_PORTS], next;

    for (uint32_t output = 0; output < c->ports; output++)
        first[output] = SWQ_NO_CELL;
    for (uint32_t k = number; k != SWQ_NO_CELL; k = next) {
        const uint32_t output = swq_cells_output(c, port, k);
        next = c->copy[k].ride;
        c->copy[k].ride = SWQ_NO_CELL;
        if (first[output] == SWQ_NO_CELL)
            first[output] = k;
        else
            c->copy[last[output]].ride = k;
        last[output] = k;
    }
    share_place(c, port, first);
}

/* ---- multicast queues ---- */

static uint32_t queue_of(const swq_cells *c, const swq_cell *cell)
{
    return swq_cells_queue(c, cell->port / c->ports, cell->priority);
}

bool swq_copies_join(swq_cells *c, uint32_t number)
{
    swq_multicast_queue *q = &c->multicast[queue_of(c, &c->cell[number])];
    const bool first = !q->has_first;

    q->has_first = true;
    if (first)
        return true;
    c->cell[number].next = SWQ_NO_CELL;
    if (q->head == SWQ_NO_CELL)
        q->head = number;
    else
        c->cell[q->tail].next = number;
    q->tail = number;
    return false;
}

uint32_t swq_copies_move_up(swq_cells *c, uint32_t queue)
{
    const uint32_t number = c->multicast[queue].head;

    c->multicast[queue].head = c->cell[number].next;
    return number;
}

/* The first cell of a multicast queue has left. */
static void leave_queue(swq_cells *c, uint32_t queue)
{
    if (c->multicast[queue].head == SWQ_NO_CELL)
        c->multicast[queue].has_first = false;
    else
        c->moves_up[c->movers++] = queue;
}

bool swq_copies_remain(swq_cells *c, uint32_t number)
{
    swq_cell_copy *copy = &c->copy[number];
    const bool parted = copy->parted;
    uint32_t before = number;

    copy->parted = false;
    while (c->copy[before].beside != number)
        before = c->copy[before].beside;
    if (before != number) {
        c->copy[before].beside = copy->beside;
        copy->beside = number;
        return true;
    }
    if (parted && !c->plan.copies_at_outputs)
        leave_queue(c, queue_of(c, &c->cell[number]));
    return false;
}
