/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns of switches that are not input-queued: outputs that choose from a column of crosspoints,
 * and memory behind the buffers at the inputs. The rules are in docs/switches.md. Arbiters,
 * admission and the choice from a column are those of models/.
 */
#include "models/arbiters/arbiters.h"
#include "sim/stages/behind.h"
#include "sim/stages/buffers.h"
#include "sim/stages/turn.h"

#include <string.h>

/* The turn of a switch, and its results. */
typedef struct steps_turn {
    swq_stage_turn at;
    size_t behind;     /* its first queue behind the inputs */
    uint16_t *pointer; /* the arbiter's pointers; NULL: the arbiter has none */
    bool served[SWQ_MAX_PORTS];
} steps_turn;

static void begin(swq_net *net, int stage, uint32_t sw, steps_turn *t)
{
    t->at = swq_turn_of(net, stage, sw);
    t->behind = swq_behind_at(net, t->at.number);
    t->pointer = net->memory ? net->memory + t->at.number * (size_t)net->memory_words : NULL;
    for (int i = 0; i < net->ports; i++)
        t->served[i] = false;
}

/* ---- the buffers at the inputs ---- */

static int packets_of(const swq_net *net, size_t at)
{
    int packets = 0;

    for (int q = 0; q < net->queues; q++)
        packets += net->length[at * (size_t)net->queues + (size_t)q];
    return packets;
}

/* The requests of the queues of input i: length[j] for output j, by queue[j]; all others are 0. */
static void heads_of(const swq_net *net, const steps_turn *t, int i, int *length, int *queue)
{
    const size_t at = t->at.buffer + (size_t)i;

    memset(length, 0, sizeof *length * (size_t)net->ports);
    for (int q = 0; q < net->queues; q++) {
        const int packets = net->length[at * (size_t)net->queues + (size_t)q];
        if (packets == 0)
            continue;
        const swq_packet *head = &net->packet[swq_head_slot(net, at, q)];
        const int j = swq_output_port(net, t->at.stage, head->to);
        length[j] = packets;
        queue[j] = q;
    }
}

static void count_inputs(swq_net *net, const steps_turn *t, const bool *waits)
{
    for (int i = 0; i < net->ports; i++) /* as many as see_waiting() has seen */
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Branch)
        swq_probe_buffers(&net->system, t->at.stage, waits[i], waits[i] && t->served[i]);
}

static void see_waiting(const swq_net *net, const steps_turn *t, bool *waits)
{
    for (int i = 0; i < net->ports; i++)
        waits[i] = packets_of(net, t->at.buffer + (size_t)i) > 0;
}

/* Moves the head of queue `queue` of input i across the crossbar. */
static void cross(swq_net *net, steps_turn *t, int i, int queue, size_t to)
{
    swq_trail trail = {0};
    const swq_packet p = swq_pop(net, t->at.buffer + (size_t)i, queue, &trail);

    swq_behind_push(net, to, p, trail);
    t->served[i] = true;
}

/* ---- columns ---- */

static int choose(swq_net *net, const int *length, uint16_t *pointer)
{
    return swq_choose(net->spec->sw.arbiter->serves, length, net->ports, pointer, &net->dice);
}

static void columns_turn(swq_net *net, steps_turn *t)
{
    int length[SWQ_MAX_PORTS][SWQ_MAX_PORTS], queue[SWQ_MAX_PORTS][SWQ_MAX_PORTS];
    bool waits[SWQ_MAX_PORTS];

    see_waiting(net, t, waits);
    for (int i = 0; i < net->ports; i++)
        heads_of(net, t, i, length[i], queue[i]);
    for (int j = 0; j < net->ports; j++) {
        int column[SWQ_MAX_PORTS];
        for (int i = 0; i < net->ports; i++) {
            column[i] = length[i][j];
            if (column[i] > 0) {
                const size_t at = t->at.buffer + (size_t)i;
                /* heads_of() has noted a queue with packets */
                // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage)
                const swq_packet *head = &net->packet[swq_head_slot(net, at, queue[i][j])];
                column[i] = swq_way_is_open(net, &t->at, j, head) ? column[i] : 0;
            }
        }
        const int i = choose(net, column, t->pointer ? t->pointer + j : NULL);
        if (i == SWQ_NO_INPUT)
            continue;
        swq_trail trail = {0};
        const swq_packet p = swq_pop(net, t->at.buffer + (size_t)i, queue[i][j], &trail);
        t->served[i] = true;
        swq_send_on(net, &t->at, i, p, trail);
    }
    count_inputs(net, t, waits);
}

/* ---- crosspoints behind buffers ---- */

/* Each input moves a packet, or one from each of its queues, to a crosspoint with room. */
static void fill_crosspoints(swq_net *net, steps_turn *t)
{
    const bool each = net->spec->sw.buffer.read == SWQ_READ_EACH_QUEUE;

    for (int i = 0; i < net->ports; i++) {
        const size_t row = t->behind + (size_t)i * (size_t)net->ports;
        int length[SWQ_MAX_PORTS], queue[SWQ_MAX_PORTS];
        heads_of(net, t, i, length, queue);
        for (int j = 0; j < net->ports; j++) {
            if (length[j] == 0 || !swq_behind_has_room(net, row + (size_t)j))
                length[j] = 0;
            else if (each) /* heads_of() has noted the queue */
                // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage)
                cross(net, t, i, queue[j], row + (size_t)j);
        }
        const int j = each ? SWQ_NO_INPUT
                           : choose(net, length, t->pointer ? t->pointer + net->ports + i : NULL);
        if (j != SWQ_NO_INPUT)
            cross(net, t, i, queue[j], row + (size_t)j);
    }
}

static void serve_crosspoints(swq_net *net, const steps_turn *t)
{
    for (int j = 0; j < net->ports; j++) {
        int column[SWQ_MAX_PORTS];
        for (int i = 0; i < net->ports; i++) {
            const size_t queue = t->behind + (size_t)i * (size_t)net->ports + (size_t)j;
            column[i] = net->behind.length[queue];
            if (column[i] > 0 && !swq_way_is_open(net, &t->at, j, swq_behind_head(net, queue)))
                column[i] = 0;
        }
        const int i = choose(net, column, t->pointer ? t->pointer + j : NULL);
        if (i == SWQ_NO_INPUT)
            continue;
        swq_trail trail = {0};
        const swq_packet p =
            swq_behind_pop(net, t->behind + (size_t)i * (size_t)net->ports + (size_t)j, &trail);
        swq_send_on(net, &t->at, i, p, trail);
    }
}

/* ---- output queues behind a crossbar ---- */

/* A phase, in which outputs with full queues take no part. */
static void transfer(swq_net *net, steps_turn *t)
{
    const swq_arbiter *arbiter = net->spec->sw.arbiter;
    swq_requests *r = &net->requests[0];
    int queue[SWQ_MAX_PORTS][SWQ_MAX_PORTS], grant[SWQ_MAX_PORTS];

    r->ports = net->ports;
    r->read_each_queue = net->spec->sw.buffer.read == SWQ_READ_EACH_QUEUE;
    r->iterations = net->spec->sw.iterations > 0 ? net->spec->sw.iterations : 1;
    r->memory = t->pointer;
    for (int i = 0; i < net->ports; i++) {
        r->waiting[i] = packets_of(net, t->at.buffer + (size_t)i);
        heads_of(net, t, i, r->length[i], queue[i]);
        for (int j = 0; j < net->ports; j++) {
            if (!swq_behind_has_room(net, t->behind + (size_t)j))
                r->length[i][j] = 0;
        }
    }
    arbiter->arbitrate(r, &net->dice, grant);
    if (arbiter->settle)
        arbiter->settle(r, grant);
    for (int j = 0; j < net->ports; j++) {
        if (grant[j] != SWQ_NO_INPUT)
            // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): a grant answers a request
            cross(net, t, grant[j], queue[grant[j]][j], t->behind + (size_t)j);
    }
}

static void empty_outputs(swq_net *net, const steps_turn *t)
{
    for (int j = 0; j < net->ports; j++) {
        const size_t queue = t->behind + (size_t)j;
        if (net->behind.length[queue] == 0 ||
            !swq_way_is_open(net, &t->at, j, swq_behind_head(net, queue)))
            continue;
        swq_trail trail = {0};
        const swq_packet p = swq_behind_pop(net, queue, &trail);
        swq_send_on(net, &t->at, 0, p, trail);
    }
}

/* ---- the turn of a stage ---- */

static void depart(swq_net *net, const steps_turn *t)
{
    if (swq_switch_architecture(&net->spec->sw)->stage.depart == SWQ_STEP_SERVE)
        serve_crosspoints(net, t);
    else
        empty_outputs(net, t);
}

static void move(swq_net *net, steps_turn *t)
{
    bool waits[SWQ_MAX_PORTS];

    see_waiting(net, t, waits);
    if (swq_switch_architecture(&net->spec->sw)->stage.move == SWQ_STEP_FILL) {
        fill_crosspoints(net, t);
    } else {
        for (int phase = 0; phase < net->spec->sw.speedup; phase++)
            transfer(net, t);
    }
    count_inputs(net, t, waits);
}

void swq_transmit_steps(swq_net *net, int stage)
{
    const swq_architecture *a = swq_switch_architecture(&net->spec->sw);
    const uint32_t switches = net->system.nodes / (uint32_t)net->ports;
    steps_turn t;

    for (uint32_t sw = 0; sw < switches; sw++) {
        begin(net, stage, sw, &t);
        if (!a->stage.two_steps) {
            columns_turn(net, &t);
            continue;
        }
        if (net->spec->sw.departures_first)
            depart(net, &t);
        move(net, &t);
        if (!net->spec->sw.departures_first)
            depart(net, &t);
    }
}
