/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of cells: credits come back, cells are ready at their outputs, outputs send, nodes send,
 * in this order (docs/atlas.md). Whatever goes from switch to switch takes a cycle or more, so the
 * order of switches does not matter.
 * Room: sim.
 */
#include "sim/cells/cells.h"

/* The first member of a set from `from` on, in a circle; the set is not empty. */
static inline uint32_t next_of(uint32_t set, uint32_t from)
{
    const uint32_t ahead = set & ~UINT32_C(0) << from;
    return (uint32_t)__builtin_ctz(ahead ? ahead : set);
}

static inline void put(uint64_t *set, uint32_t k)
{
    set[k / 64] |= UINT64_C(1) << k % 64;
}

static inline uint32_t slot_of(const swq_cells *c, uint32_t after)
{
    return (c->cycle + after) & (c->latest - 1);
}

static inline swq_cell_group *group_of(const swq_cells *c, uint32_t place, uint32_t to)
{
    return &c->group[(size_t)place * c->plan.fabric->nodes + to];
}

/* Note an output, or a node, that can send in this cycle. */
static inline void consider(swq_cells *c, uint32_t place)
{
    const swq_cell_place *p = &c->place[place];

    if (p->head == SWQ_NO_CELL || (int32_t)(p->free - c->cycle) > 0 ||
        (p->pool == 0 && !(p->to & SWQ_TO_NODE)))
        return;
    if (place >= c->inputs) {
        put(c->sending, place - c->inputs);
        return;
    }
    c->due[place / c->ports] |= UINT32_C(1) << place % c->ports;
    put(c->busy, place / c->ports);
}

/* ---- queues and lists ---- */

static void join_queue(swq_cells *c, uint32_t place, uint32_t cell)
{
    swq_cell_place *p = &c->place[place];

    c->cell[cell].next = SWQ_NO_CELL;
    c->cell[cell].state = SWQ_CELL_QUEUED;
    if (p->head == SWQ_NO_CELL)
        p->head = cell;
    else
        c->cell[p->tail].next = cell;
    p->tail = cell;
    consider(c, place);
}

static void join_list(swq_cells *c, swq_cell_group *group, uint32_t cell)
{
    c->cell[cell].next = SWQ_NO_CELL;
    c->cell[cell].state = SWQ_CELL_LISTED;
    if (group->head == SWQ_NO_CELL)
        group->head = cell;
    else
        c->cell[group->tail].next = cell;
    group->tail = cell;
}

static void join_line(swq_cells *c, uint32_t place, uint32_t to)
{
    swq_cell_place *p = &c->place[place];
    swq_cell_group *group = group_of(c, place, to);

    if (group->in_line)
        return;
    group->in_line = true;
    group->next = SWQ_NO_CELL;
    if (p->first_group == SWQ_NO_CELL)
        p->first_group = to;
    else
        group_of(c, place, p->last_group)->next = to;
    p->last_group = to;
}

/* ---- credits ---- */

/* Has a flow group a credit to take, and a lane, or is there one for it? */
static inline bool is_let_in(const swq_cells *c, const swq_cell_place *p,
                             const swq_cell_group *group)
{
    return group->credits > 0 &&
           (group->credits < c->plan.each || p->lanes < (uint32_t)c->plan.lanes);
}

static inline void take_credit(const swq_cells *c, swq_cell_place *p, swq_cell_group *group)
{
    p->lanes += group->credits == c->plan.each;
    group->credits--;
}

/* The first cell of a flow group's list takes a credit of it. */
static void let_in(swq_cells *c, uint32_t place, swq_cell_group *group)
{
    const uint32_t cell = group->head;

    take_credit(c, &c->place[place], group);
    group->head = c->cell[cell].next;
    join_queue(c, place, cell);
}

static void give_lane(swq_cells *c, uint32_t place)
{
    swq_cell_place *p = &c->place[place];

    if (p->first_group == SWQ_NO_CELL)
        return;
    swq_cell_group *group = group_of(c, place, p->first_group);
    p->first_group = group->next;
    group->in_line = false;
    while (group->head != SWQ_NO_CELL && group->credits > 0)
        let_in(c, place, group);
}

static void count_credit(swq_cells *c, const swq_cell_credit *back)
{
    swq_cell_place *p = &c->place[back->place];
    swq_cell_group *group = group_of(c, back->place, back->group);

    p->pool++;
    group->credits++;
    p->lanes -= group->credits == c->plan.each; /* if it stays so */
    if (group->head != SWQ_NO_CELL) {
        let_in(c, back->place, group);
    } else if (group->credits == c->plan.each) {
        give_lane(c, back->place);
    }
    consider(c, back->place);
}

/* ---- what is due ---- */

/* A cell waits at an output, or a node, that leads to a switch. */
static void wait_at(swq_cells *c, uint32_t place, uint32_t number)
{
    swq_cell_place *p = &c->place[place];
    swq_cell *cell = &c->cell[number];
    swq_cell_group *group = group_of(c, place, cell->to);

    cell->out = place;
    if (group->head == SWQ_NO_CELL && is_let_in(c, p, group)) {
        take_credit(c, p, group);
        join_queue(c, place, number);
        return;
    }
    join_list(c, group, number);
    if (group->credits == c->plan.each)
        join_line(c, place, cell->to);
}

/* A cell that is ready at an input comes to its output. */
static void come(swq_cells *c, uint32_t sw, uint32_t port, uint32_t number)
{
    const swq_fabric *f = c->plan.fabric;
    swq_cell *cell = &c->cell[number];
    const int class = f->shape.kind->route(f, port, cell->from, cell->to);

    cell->out = sw * c->ports + f->output[(size_t)port * (size_t)f->classes + (size_t) class];
    if (c->place[cell->out].to & SWQ_TO_NODE)
        join_queue(c, cell->out, number);
    else
        wait_at(c, cell->out, number);
}

static void receive(swq_cells *c)
{
    const uint32_t slot = slot_of(c, 0), first = c->cycle % c->ports;
    uint32_t *coming = c->coming + (size_t)slot * c->plan.fabric->switches;
    const uint32_t *arriving = c->arriving + (size_t)slot * c->plan.fabric->switches;

    for (uint32_t k = 0; k < c->ended[slot]; k++) {
        const uint32_t end = c->ends[(size_t)slot * c->most_ends + k];
        if (end < c->places) {
            consider(c, end);
        } else {
            c->node[end - c->places].busy = false;
            c->told.sent(c->told.arg, end - c->places, c->node[end - c->places].taken);
        }
    }
    for (uint32_t k = 0; k < c->credits[slot]; k++)
        count_credit(c, &c->credit[(size_t)slot * c->inputs + k]);
    for (uint32_t k = 0; k < c->arrivals[slot]; k++) {
        const uint32_t sw = arriving[k];
        while (coming[sw]) {
            const uint32_t i = next_of(coming[sw], first), port = sw * c->ports + i;
            coming[sw] &= ~(UINT32_C(1) << i);
            come(c, sw, port, c->came[(size_t)slot * c->inputs + port]);
        }
    }
    c->arrivals[slot] = c->credits[slot] = c->ended[slot] = 0;
}

/* ---- sending ---- */

/* A cell begins its way over the link to a switch. */
static void begin(swq_cells *c, swq_cell_place *p, uint32_t number)
{
    const uint32_t slot = slot_of(c, (uint32_t)c->plan.hop), sw = p->to / c->ports;
    uint32_t *coming = &c->coming[(size_t)slot * c->plan.fabric->switches + sw];
    swq_cell *cell = &c->cell[number];

    p->pool--;
    cell->port = p->to;
    cell->state = SWQ_CELL_COMES;
    c->held[p->to]++;
    if (*coming == 0)
        c->arriving[(size_t)slot * c->plan.fabric->switches + c->arrivals[slot]++] = sw;
    *coming |= UINT32_C(1) << p->to % c->ports;
    c->came[(size_t)slot * c->inputs + p->to] = number;
}

/* Something ends in `after` cycles: see swq_cells.ends. */
static void ends_in(swq_cells *c, uint32_t after, uint32_t end)
{
    const uint32_t slot = slot_of(c, after);

    c->ends[(size_t)slot * c->most_ends + c->ended[slot]++] = end;
}

/* A cell leaves the buffer that it is in, and both credits for it go back. */
static void leave(swq_cells *c, uint32_t port, uint32_t to)
{
    const uint32_t slot = slot_of(c, (uint32_t)c->plan.credit);

    c->held[port]--;
    c->credit[(size_t)slot * c->inputs + c->credits[slot]++] =
        (swq_cell_credit){c->upstream[port], to};
}

static void deliver(swq_cells *c, uint32_t number)
{
    swq_cell *cell = &c->cell[number];
    uint32_t *next = &c->number[(size_t)cell->to * c->plan.fabric->nodes + cell->from];

    c->told.last(c->told.arg, number);
    c->disorder = c->disorder || cell->number < *next;
    *next = cell->number + 1;
    cell->state = SWQ_CELL_NOWHERE;
    cell->next = c->free_cell;
    c->free_cell = number;
}

static void send_head(swq_cells *c, uint32_t place)
{
    swq_cell_place *p = &c->place[place];
    const uint32_t number = p->head, port = c->cell[number].port;
    const uint32_t busy = (uint32_t)(c->plan.time + c->plan.rest);

    p->head = c->cell[number].next;
    p->free = c->cycle + busy;
    ends_in(c, busy, place);
    leave(c, port, c->cell[number].to);
    if (!(p->to & SWQ_TO_NODE))
        begin(c, p, number);
    c->told.passed(c->told.arg, number, port, place);
    if (p->to & SWQ_TO_NODE)
        deliver(c, number);
}

static void look_at(swq_cells *c, uint32_t sw)
{
    const uint32_t first = c->cycle % c->ports;

    while (c->due[sw]) {
        const uint32_t o = next_of(c->due[sw], first);
        c->due[sw] &= ~(UINT32_C(1) << o);
        send_head(c, sw * c->ports + o);
    }
    c->busy[sw / 64] &= ~(UINT64_C(1) << sw % 64);
}

/* ---- nodes ---- */

uint32_t swq_cells_send(swq_cells *c, uint32_t node, uint32_t to)
{
    const uint32_t number = c->free_cell;
    swq_cell *cell = &c->cell[number];
    swq_cell_node *n = &c->node[node];

    c->free_cell = cell->next;
    *cell = (swq_cell){.from = node,
                       .to = to,
                       .port = SWQ_NO_CELL,
                       .number = n->sent++,
                       .state = SWQ_CELL_AT_NODE};
    n->cell = number;
    n->busy = true;
    put(c->sending, node);
    return number;
}

/* The node has taken a cell: it can take another one when a cell's time is over. */
static void take(swq_cells *c, uint32_t node, uint32_t number)
{
    const uint32_t after = (uint32_t)(c->plan.time + c->plan.rest) - 1;
    swq_cell_node *n = &c->node[node];

    n->cell = SWQ_NO_CELL;
    n->taken = c->cycle;
    c->told.taken(c->told.arg, number);
    if (after > 0) {
        ends_in(c, after, c->places + node);
        return;
    }
    n->busy = false;
    c->told.sent(c->told.arg, node, n->taken);
}

/* One cell after the other. */
static void plain_turn(swq_cells *c, uint32_t node)
{
    swq_cell_place *p = &c->place[c->inputs + node];
    const uint32_t number = c->node[node].cell;
    swq_cell_group *group = group_of(c, c->inputs + node, c->cell[number].to);

    if (!is_let_in(c, p, group) || p->pool == 0)
        return;
    take_credit(c, p, group);
    begin(c, p, number);
    c->sending[node / 64] &= ~(UINT64_C(1) << node % 64);
    take(c, node, number);
    c->told.begun(c->told.arg, number);
}

/* A node that keeps cells is a place like an output. */
static void node_turn(swq_cells *c, uint32_t node)
{
    swq_cell_place *p = &c->place[c->inputs + node];
    swq_cell_node *n = &c->node[node];
    const uint32_t given = n->cell, busy = (uint32_t)(c->plan.time + c->plan.rest);

    if (!c->plan.node_cells) {
        plain_turn(c, node);
        return;
    }
    c->sending[node / 64] &= ~(UINT64_C(1) << node % 64);
    if (given != SWQ_NO_CELL) {
        n->kept++;
        wait_at(c, c->inputs + node, given);
        take(c, node, given);
    }
    if (p->head == SWQ_NO_CELL || p->pool == 0 || (int32_t)(p->free - c->cycle) > 0)
        return;
    const uint32_t number = p->head;
    p->head = c->cell[number].next;
    p->free = c->cycle + busy;
    ends_in(c, busy, c->inputs + node);
    begin(c, p, number);
    n->kept--;
    c->sending[node / 64] &= ~(UINT64_C(1) << node % 64);
    c->told.begun(c->told.arg, number);
}

void swq_cells_cycle(swq_cells *c)
{
    const uint32_t nodes = c->plan.fabric->nodes, switches = c->plan.fabric->switches;

    receive(c);
    for (uint32_t k = 0; k < (switches + 63) / 64; k++) {
        for (uint64_t set = c->busy[k]; set; set &= set - 1)
            look_at(c, 64 * k + (uint32_t)__builtin_ctzll(set));
    }
    for (uint32_t k = 0; k < (nodes + 63) / 64; k++) {
        for (uint64_t set = c->sending[k]; set; set &= set - 1)
            node_turn(c, 64 * k + (uint32_t)__builtin_ctzll(set));
    }
    c->cycle++;
}
