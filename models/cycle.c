/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One stage cycle of a switch. Source: Frazier (1995), section 4.2: arrival puts the switch into an
 * intermediate state, arbitration and transmission move it to the next; the state is looked at
 * after transmission and before reception. Room: models.
 */
#include "models/cycle.h"

#include "models/arbiters/arbiters.h"
#include "models/buffers/buffers.h"
#include "models/classes.h"

#include <string.h>

void swq_visible_lengths(const swq_layout *l, const swq_word *state, int b, bool uncredited,
                         swq_word *length)
{
    for (int q = 0; q < l->queues; q++) {
        int at = b * l->queues + q;
        length[q] = state[at];
        if (uncredited && l->freed >= 0)
            length[q] = (swq_word)(length[q] + state[l->freed + at]);
    }
}

/* The packet that input i offers: its destination + 1 (deferred: 1, or with bursts its word in
 * `held`); 0: none. */
static swq_word offer(const swq_switch *sw, const swq_layout *l, int i, const swq_word *state,
                      swq_dice *dice)
{
    if (l->held >= 0 && state[l->held + i])
        return state[l->held + i];
    if (!swq_dice_loaded(dice, l->create[i], 2))
        return 0;
    if (l->deferred)
        return l->bursts ? SWQ_NEXT_FRESH(l) : 1;
    return (swq_word)(1 + swq_dice_loaded(dice, sw->dest[i], l->ports));
}

/* Draw the destination of a packet that joins an empty FIFO queue, unless its burst determines it.
 * Behind others it stays undrawn, except that it may be noted to be of the same burst. */
static void join_fifo(const swq_switch *sw, const swq_layout *l, int i, swq_word packet, int b,
                      swq_word *state, swq_dice *dice)
{
    const int ahead = state[b];

    if (ahead > 0 && l->bursts && packet == SWQ_NEXT_SAME(l))
        state[l->same + b] |= (swq_word)(1u << (ahead - 1));
    if (ahead > 0)
        return;
    state[l->head + b] = l->bursts && swq_names_output(l, packet)
                             ? packet
                             : (swq_word)(1 + swq_dice_loaded(dice, sw->dest[i], l->ports));
}

void swq_admit(const swq_switch *sw, const swq_layout *l, int i, swq_word packet, int b,
               swq_word *visible, swq_word *state, swq_dice *dice)
{
    int queue = l->deferred ? 0 : packet - 1;

    visible[queue]++;
    if (l->deferred)
        join_fifo(sw, l, i, packet, b, state, dice);
    swq_lengths(l, state, b)[queue]++;
}

/* Note the fate of a packet, and what the source is certain to offer next: a packet that it holds,
 * or one more of its burst. */
static void settle(const swq_switch *sw, const swq_layout *l, int i, swq_word packet, bool taken,
                   swq_word *state, swq_dice *dice, swq_reception *what)
{
    what->accepted[i] = taken;
    what->refused[i] = !taken;
    if (l->held < 0)
        return;
    if (!taken && sw->flow == SWQ_BLOCK)
        state[l->held + i] = packet;
    else if (!l->bursts || swq_dice_loaded(dice, l->burst_ends, 2))
        state[l->held + i] = 0;
    else
        state[l->held + i] = l->deferred && taken ? SWQ_NEXT_SAME(l) : packet;
}

static void receive_per_input(const swq_switch *sw, const swq_layout *l, const swq_word *packet,
                              swq_word *state, swq_dice *dice, swq_reception *what)
{
    swq_word visible[SWQ_MAX_PORTS];

    for (int i = 0; i < l->ports; i++) {
        if (!packet[i])
            continue;
        swq_visible_lengths(l, state, i, true, visible);
        bool taken =
            swq_buffer_admits(&sw->buffer, l->queues, visible, l->deferred ? 0 : packet[i] - 1);
        if (taken)
            swq_admit(sw, l, i, packet[i], i, visible, state, dice);
        settle(sw, l, i, packet[i], taken, state, dice, what);
    }
}

static void receive_pool(const swq_switch *sw, const swq_layout *l, const swq_word *packet,
                         swq_word *state, swq_dice *dice, swq_reception *what)
{
    swq_word visible[SWQ_MAX_PORTS];
    int waiting[SWQ_MAX_PORTS], left = 0;

    swq_visible_lengths(l, state, 0, true, visible);
    const uint32_t open = swq_pool_open(&sw->buffer, l->queues, visible, l->ports, dice);
    for (int i = 0; i < l->ports; i++) {
        if (packet[i] && open >> i & 1)
            waiting[left++] = i;
        else if (packet[i])
            settle(sw, l, i, packet[i], false, state, dice, what);
    }
    while (left > 0) {
        int turn = swq_dice_fair(dice, left);
        int i = waiting[turn];
        waiting[turn] = waiting[--left];
        bool taken = swq_buffer_admits(&sw->buffer, l->queues, visible, packet[i] - 1);
        if (taken)
            swq_admit(sw, l, i, packet[i], 0, visible, state, dice);
        settle(sw, l, i, packet[i], taken, state, dice, what);
    }
}

/* Output queues are independent: of the packets for a queue, as many as there is room for are
 * accepted at random, and no dice are thrown if all are. */
static void receive_queues(const swq_switch *sw, const swq_layout *l, const swq_word *packet,
                           swq_word *state, swq_dice *dice, swq_reception *what)
{
    swq_word visible[SWQ_MAX_PORTS];

    swq_visible_lengths(l, state, 0, true, visible);
    for (int q = 0; q < l->queues; q++) {
        int waiting[SWQ_MAX_PORTS], left = 0, room = sw->output_slots - visible[q];
        for (int i = 0; i < l->ports; i++) {
            if (packet[i] == q + 1)
                waiting[left++] = i;
        }
        const int taken = left < room ? left : room;
        /* of those accepted and those refused, the fewer are drawn */
        const bool draw_taken = 2 * taken <= left;
        for (int drawn = draw_taken ? taken : left - taken; drawn > 0; drawn--) {
            int turn = swq_dice_fair(dice, left);
            settle(sw, l, waiting[turn], packet[waiting[turn]], draw_taken, state, dice, what);
            waiting[turn] = waiting[--left]; /* NOLINT: at least one is left */
        }
        while (left > 0)
            settle(sw, l, waiting[--left], (swq_word)(q + 1), !draw_taken, state, dice, what);
        state[q] = (swq_word)(state[q] + taken);
    }
}

void swq_receive_from(const swq_switch *sw, const swq_layout *l, int i, bool open, swq_word *state,
                      swq_dice *dice, swq_reception *what)
{
    const int b = l->buffers > 1 ? i : 0;
    swq_word visible[SWQ_MAX_PORTS];

    what->held[i] = l->held >= 0 && state[l->held + i];
    what->accepted[i] = what->refused[i] = false;
    const swq_word packet = offer(sw, l, i, state, dice);
    what->packet[i] = l->deferred ? packet != 0 : packet;
    if (!packet)
        return;
    swq_visible_lengths(l, state, b, true, visible);
    const bool taken =
        open && swq_buffer_admits(&sw->buffer, l->queues, visible, l->deferred ? 0 : packet - 1);
    if (taken)
        swq_admit(sw, l, i, packet, b, visible, state, dice);
    settle(sw, l, i, packet, taken, state, dice, what);
}

void swq_receive(const swq_switch *sw, const swq_layout *l, swq_word *state, swq_dice *dice,
                 swq_reception *what)
{
    swq_word packet[SWQ_MAX_PORTS];

    if (l->classes > 1) {
        swq_receive_classes(sw, l, state, dice, what);
        return;
    }
    memset(what, 0, sizeof *what);
    for (int i = 0; i < l->ports; i++) {
        what->held[i] = l->held >= 0 && state[l->held + i];
        packet[i] = offer(sw, l, i, state, dice);
        what->packet[i] = l->deferred ? packet[i] != 0 : packet[i];
    }
    if (sw->buffer.scope == SWQ_POOL && !swq_switch_architecture(sw)->input_buffers)
        receive_queues(sw, l, packet, state, dice, what);
    else if (sw->buffer.scope == SWQ_POOL)
        receive_pool(sw, l, packet, state, dice, what);
    else
        receive_per_input(sw, l, packet, state, dice, what);
    if (l->freed >= 0)
        memset(state + l->freed, 0, sizeof *state * (size_t)(l->buffers * l->queues));
}

static void collect_requests(const swq_switch *sw, const swq_layout *l, swq_word *state,
                             const swq_closed *closed, swq_requests *requests)
{
    requests->ports = l->ports;
    requests->read_each_queue = sw->buffer.read == SWQ_READ_EACH_QUEUE;
    requests->iterations = sw->iterations > 0 ? sw->iterations : 1;
    requests->memory = l->memory >= 0 ? state + l->memory : NULL;
    for (int i = 0; i < l->ports; i++) {
        requests->waiting[i] = swq_occupancy(l, state, i);
        for (int j = 0; j < l->ports; j++) {
            if (l->deferred)
                requests->length[i][j] = state[l->head + i] == j + 1 ? state[i] : 0;
            else
                requests->length[i][j] = state[i * l->queues + j];
            if (l->out >= 0 && state[l->out + j] >= sw->output_slots)
                requests->length[i][j] = 0; /* no room: the output takes no part */
        }
        for (int j = 0; j < l->ports && closed; j++) {
            if (closed->way[i][j])
                requests->length[i][j] = 0;
        }
    }
}

void swq_send_head(const swq_switch *sw, const swq_layout *l, int b, int q, swq_word *state,
                   swq_dice *dice)
{
    int at = b * l->queues + q;

    state[at]--;
    if (l->freed >= 0)
        state[l->freed + at]++;
    if (!l->deferred)
        return;
    if (l->bursts) {
        bool alike = state[l->same + b] & 1;
        state[l->same + b] >>= 1;
        if (alike)
            return;
        if (state[at] == 0 && state[l->held + b] == SWQ_NEXT_SAME(l))
            state[l->held + b] = state[l->head + b];
    }
    state[l->head + b] =
        (swq_word)(state[at] ? 1 + swq_dice_loaded(dice, sw->dest[b], l->ports) : 0);
}

bool swq_pool_has_room(const swq_switch *sw, const swq_layout *l, const swq_word *length,
                       int packets)
{
    const swq_buffer *b = &sw->buffer;
    int free_slots = b->capacity - l->queues * b->queue_min;

    for (int q = 0; q < l->queues; q++) {
        free_slots -= length[q] > b->queue_min ? length[q] - b->queue_min : 0;
        if (length[q] + packets > b->queue_max)
            return false;
    }
    return b->alpha == 0 && free_slots >= packets;
}

void swq_forget_idle_credits(const swq_switch *sw, const swq_layout *l, swq_word *state)
{
    for (int b = 0; b < l->buffers; b++) {
        swq_word seen[SWQ_MAX_PORTS], now[SWQ_MAX_PORTS];
        bool alike = true;
        swq_visible_lengths(l, state, b, true, seen);
        swq_visible_lengths(l, state, b, false, now);
        if (sw->buffer.scope == SWQ_POOL) {
            alike = swq_pool_has_room(sw, l, seen, l->ports);
        } else {
            for (int q = 0; q < l->queues && alike; q++)
                alike = swq_buffer_admits(&sw->buffer, l->queues, seen, q) ==
                        swq_buffer_admits(&sw->buffer, l->queues, now, q);
        }
        if (alike)
            memset(state + l->freed + b * l->queues, 0, sizeof *state * (size_t)l->queues);
    }
}

void swq_arbitrate_open(const swq_switch *sw, const swq_layout *l, swq_word *state,
                        const swq_closed *closed, swq_dice *dice, int *grant)
{
    swq_requests requests;

    collect_requests(sw, l, state, closed, &requests);
    sw->arbiter->arbitrate(&requests, dice, grant);
    if (sw->arbiter->settle)
        sw->arbiter->settle(&requests, grant);
}

void swq_arbitrate(const swq_switch *sw, const swq_layout *l, swq_word *state, swq_dice *dice,
                   int *grant)
{
    swq_arbitrate_open(sw, l, state, NULL, dice, grant);
}

int swq_take_granted(const swq_switch *sw, const swq_layout *l, const int *grant, swq_word *state,
                     swq_dice *dice)
{
    int sent = 0;

    for (int j = 0; j < l->ports; j++) {
        if (grant[j] != SWQ_NO_INPUT) {
            swq_send_head(sw, l, grant[j], l->deferred ? 0 : j, state, dice);
            sent++;
        }
    }
    return sent;
}

int swq_send_granted(const swq_switch *sw, const swq_layout *l, const int *grant, swq_word *state,
                     swq_dice *dice)
{
    int sent = swq_take_granted(sw, l, grant, state, dice);

    if (l->freed >= 0)
        swq_forget_idle_credits(sw, l, state);
    return sent;
}

/* All queues of a pool send at once. */
static int send_all(const swq_switch *sw, const swq_layout *l, swq_word *state, swq_dice *dice)
{
    int sent = 0;

    for (int q = 0; q < l->queues; q++) {
        if (state[q]) {
            swq_send_head(sw, l, 0, q, state, dice);
            sent++;
        }
    }
    return sent;
}

/* ---- choices without a matching ---- */

/* The input that each output takes from in its column, length[i * stride + j] for output j. */
static void serve_columns(const swq_switch *sw, const swq_layout *l, const swq_word *length,
                          int stride, swq_word *state, swq_dice *dice, int *grant)
{
    int column[SWQ_MAX_PORTS];

    for (int j = 0; j < l->ports; j++) {
        for (int i = 0; i < l->ports; i++)
            column[i] = length[i * stride + j];
        grant[j] = swq_choose(sw->arbiter->serves, column, l->ports,
                              l->memory >= 0 ? &state[l->memory + j] : NULL, dice);
    }
}

/* The outputs to which input i moves packets, among those whose crosspoint has room. */
static uint32_t choose_crosspoints(const swq_switch *sw, const swq_layout *l, int i,
                                   swq_word *state, swq_dice *dice)
{
    const bool pointer = l->memory_words == 2 * l->ports;
    int open[SWQ_MAX_PORTS];
    uint32_t mask = 0;

    for (int j = 0; j < l->ports; j++) {
        const int packets = !l->deferred                  ? state[i * l->queues + j]
                            : state[l->head + i] == j + 1 ? state[i]
                                                          : 0;
        open[j] = state[l->cross + i * l->ports + j] < sw->crosspoint_slots ? packets : 0;
        mask |= open[j] > 0 ? 1u << j : 0;
    }
    if (l->deferred || sw->buffer.read == SWQ_READ_EACH_QUEUE)
        return mask;
    int chosen = swq_choose(sw->arbiter->serves, open, l->ports,
                            pointer ? &state[l->memory + l->ports + i] : NULL, dice);
    return chosen == SWQ_NO_INPUT ? 0 : 1u << chosen;
}

static void fill_crosspoints(const swq_switch *sw, const swq_layout *l, swq_word *state,
                             swq_dice *dice, uint32_t *filled)
{
    for (int i = 0; i < l->ports; i++) {
        filled[i] = choose_crosspoints(sw, l, i, state, dice);
        for (int j = 0; j < l->ports; j++) {
            if (filled[i] >> j & 1) {
                state[l->cross + i * l->ports + j]++;
                swq_send_head(sw, l, i, l->deferred ? 0 : j, state, dice);
            }
        }
    }
}

/* ---- the steps ---- */

static int send_step(const swq_switch *sw, const swq_layout *l, swq_word *state, swq_dice *dice,
                     swq_moves *moves)
{
    if (sw->buffer.scope == SWQ_POOL)
        return send_all(sw, l, state, dice);
    if (swq_switch_architecture(sw)->columns)
        serve_columns(sw, l, state, l->queues, state, dice, moves->grant);
    else
        swq_arbitrate(sw, l, state, dice, moves->grant);
    return swq_take_granted(sw, l, moves->grant, state, dice);
}

static void transfer_step(const swq_switch *sw, const swq_layout *l, swq_word *state,
                          swq_dice *dice, swq_moves *moves)
{
    swq_arbitrate(sw, l, state, dice, moves->grant);
    swq_take_granted(sw, l, moves->grant, state, dice);
    for (int j = 0; j < l->ports; j++)
        state[l->out + j] = (swq_word)(state[l->out + j] + (moves->grant[j] != SWQ_NO_INPUT));
}

static int serve_step(const swq_switch *sw, const swq_layout *l, swq_word *state, swq_dice *dice,
                      swq_moves *moves)
{
    int sent = 0;

    serve_columns(sw, l, state + l->cross, l->ports, state, dice, moves->grant);
    for (int j = 0; j < l->ports; j++) {
        if (moves->grant[j] != SWQ_NO_INPUT) {
            state[l->cross + moves->grant[j] * l->ports + j]--;
            sent++;
        }
    }
    return sent;
}

static int depart_step(const swq_layout *l, swq_word *state)
{
    int sent = 0;

    for (int j = 0; j < l->ports; j++) {
        sent += state[l->out + j] > 0;
        state[l->out + j] = (swq_word)(state[l->out + j] - (state[l->out + j] > 0));
    }
    return sent;
}

int swq_take_step(const swq_switch *sw, const swq_layout *l, int k, swq_word *state, swq_dice *dice,
                  swq_moves *moves)
{
    int sent = 0;

    switch (l->step[k]) {
    case SWQ_STEP_SEND:
        if (l->classes > 1)
            return swq_transmit_classes(sw, l, state, dice);
        sent = send_step(sw, l, state, dice, moves);
        break;
    case SWQ_STEP_TRANSFER:
        transfer_step(sw, l, state, dice, moves);
        break;
    case SWQ_STEP_FILL:
        fill_crosspoints(sw, l, state, dice, moves->filled);
        break;
    case SWQ_STEP_SERVE:
        sent = serve_step(sw, l, state, dice, moves);
        break;
    case SWQ_STEP_DEPART:
        sent = depart_step(l, state);
        break;
    }
    if (k == l->freeing && l->freed >= 0)
        swq_forget_idle_credits(sw, l, state);
    return sent;
}

int swq_transmit(const swq_switch *sw, const swq_layout *l, swq_word *state, swq_dice *dice)
{
    swq_moves moves;
    int sent = 0;

    for (int k = 0; k < l->steps; k++)
        sent += swq_take_step(sw, l, k, state, dice, &moves);
    return sent;
}
