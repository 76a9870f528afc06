/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of cells: credits come back, cells are ready at their outputs, outputs send, nodes send,
 * in this order (docs/atlas.md). Everything that goes from switch to switch takes a cycle or more,
 * so the order of switches does not matter.
 *
 * The text is compiled twice: by cycle.c for switches of up to 64 ports, with WORDS 1, so that a
 * set of ports is a word and no loop is left, and by cycle_wide.c for more.
 */
#include "sim/switches/atlas/copies.h"

/* Empties a set, and lists its ports in the order of their turns: first the port that went longest
 * ago; of ports that went in the same cycle, first the one that went later in it. So the port that
 * goes first now goes last the next time, whatever else happens in between; an order that followed
 * the clock could keep step with the traffic. went: [ports], brought up to date. Returns how many
 * there are. */
static inline uint32_t take_turns(const swq_cells *c, swq_port_set *set, uint64_t *went,
                                  uint8_t *turn)
{
    uint32_t n = 0;

    for (uint32_t word = 0; word < WORDS; word++) {
        swq_port_set left = set[word];
        if (WORDS > 1 && !left)
            continue;
        if (n == 0) {
            turn[n++] = (uint8_t)(64 * word + swq_port_set_first(left));
            left &= left - 1;
        }
        for (; left; left &= left - 1) {
            const uint8_t port = (uint8_t)(64 * word + swq_port_set_first(left));
            uint32_t at = n++;
            for (; at > 0 && went[turn[at - 1]] > went[port]; at--)
                turn[at] = turn[at - 1];
            turn[at] = port;
        }
        set[word] = 0;
    }
    for (uint32_t k = 0; k < n; k++)
        went[turn[k]] = (c->cycle + UINT64_C(1)) * SWQ_MAX_PORTS + (n - 1 - k);
    return n;
}

static inline void put(uint64_t *set, uint32_t k)
{
    set[k / 64] |= UINT64_C(1) << k % 64;
}

/* Puts a port, numbered over all switches, into its switch's set among `sets`. */
static inline void put_port(const swq_cells *c, swq_port_set *sets, uint32_t port)
{
    swq_port_set_put(sets + (size_t)(port / c->ports) * WORDS, port % c->ports, true, WORDS);
}

static inline uint32_t slot_of(const swq_cells *c, uint32_t after)
{
    return (c->cycle + after) & (c->latest - 1);
}

static inline swq_cell_group *group_of(const swq_cells *c, uint32_t queue, uint32_t group)
{
    return &c->group[(size_t)queue * c->groups + group];
}

static inline bool can_send(const swq_cell_place *p, const swq_cell_queue *q)
{
    return q->head != SWQ_NO_CELL && (q->pool > 0 || p->to & SWQ_TO_NODE);
}

/* The queue of the highest priority that can send from a place once its link is free; NULL: none
 * can. */
static inline swq_cell_queue *first_queue(const swq_cells *c, uint32_t place)
{
    const swq_cell_place *p = &c->place[place];
    swq_cell_queue *q = &c->queue[swq_cells_queue(c, place, 0)];

    for (uint32_t k = 0; k < c->priorities; k++, q++) {
        if (can_send(p, q))
            return q;
    }
    return NULL;
}

/* If the place, an output or a node, can send in this cycle, mark it. */
static inline void consider(swq_cells *c, uint32_t place)
{
    const swq_cell_place *p = &c->place[place];

    if ((int32_t)(p->free - c->cycle) > 0 ||
        !(c->priorities == 1 ? can_send(p, &c->queue[place]) : first_queue(c, place) != NULL))
        return;
    if (place >= c->inputs) {
        put(c->sending, place - c->inputs);
        return;
    }
    put_port(c, c->due, place);
    put(c->busy, place / c->ports);
}

/* ---- queues and lists ---- */

static void join_queue(swq_cells *c, uint32_t place, uint32_t cell)
{
    swq_cell_queue *q = &c->queue[swq_cells_queue(c, place, c->cell[cell].priority)];

    c->cell[cell].next = SWQ_NO_CELL;
    c->cell[cell].state = SWQ_CELL_QUEUED;
    if (q->head == SWQ_NO_CELL)
        q->head = cell;
    else
        c->cell[q->tail].next = cell;
    q->tail = cell;
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

static void join_line(swq_cells *c, uint32_t queue, uint32_t number)
{
    swq_cell_queue *q = &c->queue[queue];
    swq_cell_group *group = group_of(c, queue, number);

    if (group->in_line)
        return;
    group->in_line = true;
    group->next = SWQ_NO_CELL;
    if (q->first_group == SWQ_NO_CELL)
        q->first_group = number;
    else
        group_of(c, queue, q->last_group)->next = number;
    q->last_group = number;
}

/* ---- credits ---- */

/* Does a flow group have a credit left, and a lane, or is a lane free for the group? */
static inline bool is_let_in(const swq_cells *c, const swq_cell_queue *q,
                             const swq_cell_group *group)
{
    return group->credits > 0 &&
           (group->credits < c->plan.each || q->lanes < (uint32_t)c->plan.lanes);
}

static inline void take_credit(const swq_cells *c, swq_cell_queue *q, swq_cell_group *group)
{
    q->lanes += group->credits == c->plan.each;
    group->credits--;
}

/* Moves the first cell of a flow group's list, with one of its credits, to the queue. */
static void let_in(swq_cells *c, uint32_t queue, swq_cell_group *group)
{
    const uint32_t cell = group->head;

    take_credit(c, &c->queue[queue], group);
    group->head = c->cell[cell].next;
    join_queue(c, c->cell[cell].out, cell);
}

static void give_lane(swq_cells *c, uint32_t queue)
{
    swq_cell_queue *q = &c->queue[queue];

    if (q->first_group == SWQ_NO_CELL)
        return;
    swq_cell_group *group = group_of(c, queue, q->first_group);
    q->first_group = group->next;
    group->in_line = false;
    while (group->head != SWQ_NO_CELL && group->credits > 0)
        let_in(c, queue, group);
}

/* ---- credits at departure ---- */

/* The cell that goes next from the lists before a link: of the cells that may go, the one that
 * joined its list first; or SWQ_NO_CELL. */
static __attribute__((noinline)) uint32_t first_let_in(const swq_cells *c, uint32_t queue)
{
    const swq_cell_queue *q = &c->queue[queue];
    uint32_t first = SWQ_NO_CELL;

    for (uint32_t k = q->first_group; k != SWQ_NO_CELL; k = group_of(c, queue, k)->next) {
        const swq_cell_group *group = group_of(c, queue, k);
        if (is_let_in(c, q, group) &&
            (first == SWQ_NO_CELL || c->joined[group->head] < c->joined[first]))
            first = group->head;
    }
    return first;
}

static void leave_line(swq_cells *c, uint32_t queue, uint32_t number)
{
    swq_cell_queue *q = &c->queue[queue];
    swq_cell_group *group = group_of(c, queue, number);
    uint32_t before = SWQ_NO_CELL;

    for (uint32_t k = q->first_group; k != number; k = group_of(c, queue, k)->next)
        before = k;
    if (before == SWQ_NO_CELL)
        q->first_group = group->next;
    else
        group_of(c, queue, before)->next = group->next;
    if (q->last_group == number)
        q->last_group = before;
    group->in_line = false;
}

/* A cell joins the list of its flow group, without a credit. */
static __attribute__((noinline)) void join_without(swq_cells *c, uint32_t queue, uint32_t number)
{
    const swq_cell *cell = &c->cell[number];

    c->joined[number] = ++c->last_join;
    join_list(c, group_of(c, queue, cell->group), number);
    join_line(c, queue, cell->group);
    c->queue[queue].head = first_let_in(c, queue);
    consider(c, cell->out);
}

/* The cell that goes next takes a credit of its flow group, and leaves its list. */
static __attribute__((noinline)) void leave_list(swq_cells *c, uint32_t queue, uint32_t number)
{
    const swq_cell *cell = &c->cell[number];
    swq_cell_group *group = group_of(c, queue, cell->group);

    take_credit(c, &c->queue[queue], group);
    group->head = cell->next;
    if (group->head == SWQ_NO_CELL)
        leave_line(c, queue, cell->group);
    c->queue[queue].head = first_let_in(c, queue);
}

/* Takes the cell that goes next from a queue. */
static inline uint32_t take_head(swq_cells *c, swq_cell_queue *q)
{
    const uint32_t number = q->head;

    if (c->cell[number].state == SWQ_CELL_LISTED)
        leave_list(c, (uint32_t)(q - c->queue), number);
    else
        q->head = c->cell[number].next;
    return number;
}

/* ---- credits that come back ---- */

static void count_credit(swq_cells *c, const swq_cell_credit *back)
{
    swq_cell_queue *q = &c->queue[back->queue];
    swq_cell_group *group = group_of(c, back->queue, back->group);

    q->pool++;
    group->credits++;
    q->lanes -= group->credits == c->plan.each; /* undone by let_in if a cell is waiting */
    if (c->plan.at_departure) {
        q->head = first_let_in(c, back->queue);
    } else if (group->head != SWQ_NO_CELL) {
        let_in(c, back->queue, group);
    } else if (group->credits == c->plan.each) {
        give_lane(c, back->queue);
    }
    consider(c, c->priorities == 1 ? back->queue : back->queue / c->priorities);
}

/* ---- due events ---- */

/* Puts a cell in line at an output or a node whose link leads to a switch. */
static void wait_at(swq_cells *c, uint32_t place, uint32_t number)
{
    swq_cell *cell = &c->cell[number];
    const uint32_t queue = swq_cells_queue(c, place, cell->priority);
    swq_cell_queue *q = &c->queue[queue];
    swq_cell_group *group = group_of(c, queue, cell->group);

    cell->out = place;
    if (c->plan.at_departure) {
        join_without(c, queue, number);
        return;
    }
    if (group->head == SWQ_NO_CELL && is_let_in(c, q, group)) {
        take_credit(c, q, group);
        join_queue(c, place, number);
        return;
    }
    join_list(c, group, number);
    if (group->credits == c->plan.each)
        join_line(c, queue, cell->group);
}

static void come_to(swq_cells *c, uint32_t output, uint32_t number)
{
    c->cell[number].out = output;
    if (c->place[output].to & SWQ_TO_NODE)
        join_queue(c, output, number);
    else
        wait_at(c, output, number);
}

/* The copies of a cell come to their outputs, copies for outputs of lower numbers first. */
static void come_apart(swq_cells *c, uint32_t number)
{
    const uint32_t sw = c->cell[number].port / c->ports;
    uint32_t first[SWQ_MAX_PORTS];

    swq_copies_part(c, number, first);
    for (uint32_t output = 0; output < c->ports; output++) {
        if (first[output] != SWQ_NO_CELL)
            come_to(c, sw * c->ports + output, first[output]);
    }
}

/* A multicast cell is ready at an input, perhaps for one output alone. */
static __attribute__((noinline)) void come_to_several(swq_cells *c, uint32_t sw, uint32_t number)
{
    const uint32_t output = swq_copies_output(c, number);

    if (output != SWQ_NO_CELL)
        come_to(c, sw * c->ports + output, number);
    else if (c->plan.copies_at_outputs || swq_copies_join(c, number))
        come_apart(c, number);
}

/* Routes a cell that is ready at an input, and moves it to its output. */
static void come(swq_cells *c, uint32_t sw, uint32_t port, uint32_t number)
{
    if (swq_cells_next_ride(c, number) != SWQ_NO_CELL)
        come_to_several(c, sw, number);
    else
        come_to(c, sw * c->ports + swq_cells_output(c, port, number), number);
}

/* The cells that become ready in a switch in this cycle come to their outputs. */
static void come_in_turn(swq_cells *c, uint32_t sw, size_t slot)
{
    const uint32_t base = sw * c->ports, *came = c->came + slot * c->inputs;
    uint8_t turn[64 * WORDS];
    const uint32_t n = take_turns(c, c->coming + (slot * c->plan.fabric->switches + sw) * WORDS,
                                  c->input_went + base, turn);

    for (uint32_t k = 0; k < n; k++)
        come(c, sw, base + turn[k], came[base + turn[k]]);
}

static void receive(swq_cells *c)
{
    const size_t slot = slot_of(c, 0);

    for (uint32_t k = 0; k < c->ended[slot]; k++) {
        const uint32_t end = c->ends[slot * c->most_ends + k];
        if (end < c->places) {
            consider(c, end);
        } else {
            c->node[end - c->places].busy = false;
            c->told.sent(c->told.arg, end - c->places);
        }
    }
    for (uint32_t k = 0; k < c->credits[slot]; k++)
        count_credit(c, &c->credit[slot * c->inputs + k]);
    for (uint32_t k = 0; k < c->movers; k++)
        come_apart(c, swq_copies_move_up(c, c->moves_up[k]));
    for (uint32_t k = 0; k < c->arrivals[slot]; k++)
        come_in_turn(c, c->arriving[slot * c->plan.fabric->switches + k], slot);
    c->arrivals[slot] = c->credits[slot] = c->ended[slot] = c->movers = 0;
}

/* ---- sending ---- */

/* Sends a cell over the link to a switch. */
static void begin(swq_cells *c, uint32_t to, swq_cell_queue *q, uint32_t number)
{
    const uint32_t slot = slot_of(c, (uint32_t)c->plan.hop), sw = to / c->ports;
    swq_port_set *coming = c->coming + (size_t)slot * c->plan.fabric->switches * WORDS;
    swq_cell *cell = &c->cell[number];

    q->pool--;
    cell->port = to;
    cell->state = SWQ_CELL_COMES;
    c->held[to]++;
    if (!swq_port_set_any(coming + (size_t)sw * WORDS, WORDS))
        c->arriving[(size_t)slot * c->plan.fabric->switches + c->arrivals[slot]++] = sw;
    put_port(c, coming, to);
    c->came[(size_t)slot * c->inputs + to] = number;
}

/* Schedules an entry of swq_cells.ends, `after` cycles from now. */
static void ends_in(swq_cells *c, uint32_t after, uint32_t end)
{
    const uint32_t slot = slot_of(c, after);

    c->ends[(size_t)slot * c->most_ends + c->ended[slot]++] = end;
}

/* A cell leaves its buffer, and its two credits go back: one of the pool, one of its flow group.
 * A copy leaves nothing unless it is the last copy of its cell. */
static void leave(swq_cells *c, uint32_t port, uint32_t number)
{
    const swq_cell *cell = &c->cell[number];
    const uint32_t slot = slot_of(c, (uint32_t)c->plan.credit);

    if (c->copy && swq_copies_remain(c, number))
        return;
    c->held[port]--;
    c->credit[(size_t)slot * c->inputs + c->credits[slot]++] =
        (swq_cell_credit){swq_cells_queue(c, c->upstream[port], cell->priority), cell->group};
}

static void deliver(swq_cells *c, uint32_t number)
{
    swq_cell *cell = &c->cell[number];
    const size_t nodes = c->plan.fabric->nodes, aims = nodes + c->plan.sets->members;
    const size_t aim = cell->group < nodes ? cell->to : nodes + c->copy[number].member;
    uint32_t *next = &c->number[(cell->priority * aims + aim) * nodes + cell->from];

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
    swq_cell_queue *q = c->priorities == 1 ? &c->queue[place] : first_queue(c, place);
    const uint32_t number = take_head(c, q), port = c->cell[number].port;
    const uint32_t busy = (uint32_t)(c->plan.time + c->plan.rest);

    p->free = c->cycle + busy;
    ends_in(c, busy, place);
    leave(c, port, number);
    if (!(p->to & SWQ_TO_NODE))
        begin(c, p->to, q, number);
    c->told.passed(c->told.arg, number, port, place);
    if (p->to & SWQ_TO_NODE)
        deliver(c, number);
}

static void look_at(swq_cells *c, uint32_t sw)
{
    const uint32_t base = sw * c->ports;
    uint8_t turn[64 * WORDS];
    const uint32_t n = take_turns(c, c->due + (size_t)sw * WORDS, c->output_went + base, turn);

    for (uint32_t k = 0; k < n; k++)
        send_head(c, base + turn[k]);
    c->busy[sw / 64] &= ~(UINT64_C(1) << sw % 64);
}

/* ---- nodes ---- */

/* A node has taken cell `number` from its source, and can take the next cell when the time of this
 * one is over. */
static void take(swq_cells *c, uint32_t node, uint32_t number)
{
    const uint32_t after = (uint32_t)(c->plan.time + c->plan.rest) - 1;
    swq_cell_node *n = &c->node[node];

    n->cell = SWQ_NO_CELL;
    if (c->copy)
        swq_copies_ride(c, number);
    c->told.taken(c->told.arg, number);
    if (after > 0) {
        ends_in(c, after, c->places + node);
        return;
    }
    n->busy = false;
    c->told.sent(c->told.arg, node);
}

/* The turn of a node without memory for cells, which sends one cell after the other. */
static void plain_turn(swq_cells *c, uint32_t node)
{
    const uint32_t place = c->inputs + node, number = c->node[node].cell;
    const uint32_t queue = swq_cells_queue(c, place, c->cell[number].priority);
    swq_cell_queue *q = &c->queue[queue];
    swq_cell_group *group = group_of(c, queue, c->cell[number].group);

    if (!is_let_in(c, q, group) || q->pool == 0)
        return;
    take_credit(c, q, group);
    begin(c, c->place[place].to, q, number);
    c->sending[node / 64] &= ~(UINT64_C(1) << node % 64);
    take(c, node, number);
    c->told.begun(c->told.arg, number);
}

/* A node that holds cells works like an output. */
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
    swq_cell_queue *q = first_queue(c, c->inputs + node);
    if (!q || (int32_t)(p->free - c->cycle) > 0)
        return;
    const uint32_t number = take_head(c, q);
    p->free = c->cycle + busy;
    ends_in(c, busy, c->inputs + node);
    begin(c, p->to, q, number);
    n->kept--;
    c->sending[node / 64] &= ~(UINT64_C(1) << node % 64);
    c->told.begun(c->told.arg, number);
}

static inline void cycle(swq_cells *c)
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
