/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One stage cycle of a switch. Source: Frazier (1995), section 4.2: arrival puts the switch into an
 * intermediate state, arbitration and transmission move it to the next; the state is looked at
 * after transmission and before reception.
 */
#include "models/cycle.h"

#include "models/arbiters/arbiters.h"
#include "models/buffers/buffers.h"
#include "models/classes.h"
#include "models/reception.h"

#include <string.h>

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

void swq_arbitrate_open(const swq_switch *sw, const swq_layout *l, swq_word *state,
                        const swq_closed *closed, swq_dice *dice, int *grant)
{
    int length[SWQ_CHAIN_PORTS][SWQ_MAX_PORTS];
    swq_requests requests = {.length = length};

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

    swq_forget_idle_credits(l, state);
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
    int column[SWQ_CHAIN_PORTS];

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
    int open[SWQ_CHAIN_PORTS];
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
    if (swq_switch_architecture(sw)->stage.columns)
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
    uint8_t sending[2 * SWQ_CHAIN_PORTS]; /* of each queue of a pool: is it not empty? */
    int sent = 0;

    for (int q = 0; l->kept >= 0 && q < l->queues; q++)
        sending[q] = state[q] > 0;
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
    if (k == l->freeing)
        swq_forget_idle_credits(l, state);
    if (l->kept >= 0 && k == l->steps - 1)
        swq_buffer_admission(&sw->buffer)
            ->end_cycle(&sw->buffer, l->queues, state, sending, state + l->kept);
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
