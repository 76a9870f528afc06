/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes an empty network of cells, and adds up what it contains.
 */
#include "sim/switches/atlas/cells.h"

#include <string.h>

static uint32_t words_of(uint32_t members)
{
    return (members + 63) / 64;
}

void swq_cells_lay_out(swq_cells *c, const swq_cells_plan *plan)
{
    const swq_fabric *f = plan->fabric;
    const int busy = plan->time + plan->rest;
    const int longest = busy > plan->hop ? busy : plan->hop;

    *c = (swq_cells){.plan = *plan};
    c->ports = (uint32_t)f->ports;
    c->inputs = f->switches * c->ports;
    c->places = c->inputs + f->nodes;
    c->words = c->ports <= 64 ? 1 : SWQ_PORT_SET_WIDE;
    c->turn = c->words == 1 ? swq_cells_turn : swq_cells_turn_wide;
    c->most_ends = c->places + f->nodes;
    c->priorities = (uint32_t)plan->priorities;
    c->groups = f->nodes + plan->sets->sets;
    c->cells = (c->inputs * c->priorities * (uint32_t)plan->pool +
                f->nodes * (1 + (uint32_t)plan->node_cells)) *
               plan->sets->most;
    c->latest = 1;
    while (c->latest <= (uint32_t)(longest > plan->credit ? longest : plan->credit))
        c->latest *= 2;
}

void swq_cells_list(swq_cells *c, swq_arrays *list)
{
    const swq_fabric *f = c->plan.fabric;
    const double latest = c->latest, queues = (double)c->places * c->priorities;
    const double groups = queues * c->groups;
    const double multicast = c->plan.sets->sets ? (double)f->switches * c->priorities : 0;

    SWQ_ARRAY(list, c->cell, c->cells);
    SWQ_ARRAY(list, c->joined, c->plan.at_departure ? c->cells : 0);
    SWQ_ARRAY(list, c->copy, c->plan.sets->sets ? c->cells : 0);
    SWQ_ARRAY(list, c->multicast, multicast);
    SWQ_ARRAY(list, c->moves_up, multicast);
    SWQ_ARRAY(list, c->place, c->places);
    SWQ_ARRAY(list, c->queue, queues);
    SWQ_ARRAY(list, c->group, groups);
    SWQ_ARRAY(list, c->node, f->nodes);
    SWQ_ARRAY(list, c->upstream, c->inputs);
    SWQ_ARRAY(list, c->held, c->inputs);
    SWQ_ARRAY(list, c->input_went, c->inputs);
    SWQ_ARRAY(list, c->output_went, c->inputs);
    SWQ_ARRAY(list, c->due, (double)f->switches * c->words);
    SWQ_ARRAY(list, c->busy, words_of(f->switches));
    SWQ_ARRAY(list, c->sending, words_of(f->nodes));
    SWQ_ARRAY(list, c->number,
              (double)c->priorities * (f->nodes + c->plan.sets->members) * f->nodes);
    SWQ_ARRAY(list, c->coming, latest * f->switches * c->words);
    SWQ_ARRAY(list, c->arriving, latest * f->switches);
    SWQ_ARRAY(list, c->came, latest * c->inputs);
    SWQ_ARRAY(list, c->credit, latest * c->inputs);
    SWQ_ARRAY(list, c->ends, latest * c->most_ends);
    SWQ_ARRAY(list, c->arrivals, c->latest);
    SWQ_ARRAY(list, c->credits, c->latest);
    SWQ_ARRAY(list, c->ended, c->latest);
    SWQ_ARRAY(list, c->taken_pool, queues);
    SWQ_ARRAY(list, c->taken, groups);
    SWQ_ARRAY(list, c->live, c->cells);
}

void swq_cells_empty(swq_cells *c, const swq_cells_told *told)
{
    const swq_fabric *f = c->plan.fabric;

    c->told = *told;
    for (uint32_t k = 0; k < c->cells; k++)
        c->cell[k].next = k + 1;
    for (uint32_t k = 0; k < c->places; k++) {
        const uint32_t to = k < c->inputs ? f->link[k] : f->entry[k - c->inputs];
        c->place[k] = (swq_cell_place){.to = to};
        if (!(to & SWQ_TO_NODE)) /* neither a node nor SWQ_NO_WHERE */
            c->upstream[to] = k;
    }
    const size_t queues = (size_t)c->places * c->priorities;
    for (size_t q = 0; q < queues; q++)
        c->queue[q] = (swq_cell_queue){
            .pool = (uint32_t)c->plan.pool, .head = SWQ_NO_CELL, .first_group = SWQ_NO_CELL};
    for (uint32_t k = 0; k < f->switches * c->priorities && c->multicast; k++)
        c->multicast[k].head = SWQ_NO_CELL;
    for (size_t k = 0; k < queues * c->groups; k++)
        c->group[k] = (swq_cell_group){.head = SWQ_NO_CELL, .credits = (uint16_t)c->plan.each};
    for (uint32_t node = 0; node < f->nodes; node++)
        c->node[node].cell = SWQ_NO_CELL;
}

/* ---- adding up ---- */

/* Does a record count as the occupant of its place in a buffer? Of copies that share a place,
 * only the one with the lowest number does. */
static bool counts_for_place(const swq_cells *c, uint32_t number)
{
    if (c->copy) {
        for (uint32_t k = c->copy[number].beside; k != number; k = c->copy[k].beside) {
            if (k < number)
                return false;
        }
    }
    return c->cell[number].port != SWQ_NO_CELL;
}

/* Counts the credits of each queue and flow group that are with cells or on their way back. */
static void count_taken(const swq_cells *c)
{
    const size_t groups = c->groups, queues = (size_t)c->places * c->priorities;

    memset(c->taken_pool, 0, queues * sizeof *c->taken_pool);
    memset(c->taken, 0, queues * groups * sizeof *c->taken);
    for (uint32_t k = 0; k < c->cells; k++) {
        const swq_cell *cell = &c->cell[k];
        if (cell->state < SWQ_CELL_COMES)
            continue;
        if (counts_for_place(c, k)) {
            const size_t up = swq_cells_queue(c, c->upstream[cell->port], cell->priority);
            c->taken_pool[up]++;
            c->taken[up * groups + cell->group]++;
        }
        if (cell->state == SWQ_CELL_QUEUED && !(c->place[cell->out].to & SWQ_TO_NODE))
            c->taken[swq_cells_queue(c, cell->out, cell->priority) * groups + cell->group]++;
    }
    for (size_t slot = 0; slot < c->latest; slot++) {
        for (uint32_t k = 0; k < c->credits[slot]; k++) {
            const swq_cell_credit *back = &c->credit[slot * c->inputs + k];
            c->taken_pool[back->queue]++;
            c->taken[back->queue * groups + back->group]++;
        }
    }
}

bool swq_cells_sound(const swq_cells *c)
{
    const size_t groups = c->groups;
    bool sound = !c->disorder;

    count_taken(c);
    for (size_t q = 0; q < (size_t)c->places * c->priorities; q++) {
        const swq_cell_queue *queue = &c->queue[q];
        uint32_t lanes = 0;
        sound = sound && queue->pool + c->taken_pool[q] == (uint32_t)c->plan.pool;
        for (size_t d = 0; d < groups; d++) {
            const uint32_t credits = c->group[q * groups + d].credits;
            sound = sound && credits + c->taken[q * groups + d] == (uint32_t)c->plan.each;
            lanes += credits < (uint32_t)c->plan.each;
        }
        sound = sound && lanes == queue->lanes && lanes <= (uint32_t)c->plan.lanes;
    }
    return sound;
}
