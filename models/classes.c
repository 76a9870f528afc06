/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One stage cycle of a switch that knows packets of high priority, by the rules of models/cycle.c
 * and of Frazier (1995), chapter 5; and the renaming of its outputs.
 * Room: models.
 */
#include "models/classes.h"

#include <string.h>

/* ---- heads ---- */

swq_kind_of_packet swq_head_kind(const swq_layout *l, int q, swq_word head)
{
    const int normal = swq_normal_queues(l);

    if (q >= normal)
        return (swq_kind_of_packet){1, l->split.fans[1] ? q - normal : head - 1};
    if (l->split.fans[0])
        return (swq_kind_of_packet){l->mixed ? head - 1 : 0, q};
    return (swq_kind_of_packet){(head - 1) / l->ports, (head - 1) % l->ports};
}

int swq_class_request(const swq_layout *l, const swq_word *length, const swq_word *heads, int q,
                      swq_kind_of_packet *head)
{
    const int at = swq_head_of_queue(l, q);

    if (length[q] > 0)
        *head = swq_head_kind(l, q, at < 0 ? 1 : heads[at]);
    return length[q];
}

bool swq_head_missing(const swq_layout *l, const swq_word *length, const swq_word *heads)
{
    bool missing = false;

    for (int q = 0; q < l->queues && !missing; q++) {
        const int at = swq_head_of_queue(l, q);
        missing = at >= 0 && length[q] > 0 && heads[at] == 0;
    }
    return missing;
}

void swq_share_packet(const swq_layout *l, const double *dest, swq_word packet, double packets,
                      double *by_output, double *by_class)
{
    const swq_kind_of_packet p = swq_packet_kind(l, packet);

    if (packets == 0)
        return;
    for (int j = 0; j < l->ports; j++)
        by_output[j] += packets * (l->split.fans[p.class] ? j == p.to : dest[j]);
    for (int c = 0; c < SWQ_CLASSES; c++)
        by_class[c] += packets * (swq_class_offered(l) ? c == p.class : l->of_class[c]);
}

static swq_word *heads_of(const swq_layout *l, swq_word *state, int b)
{
    return state + l->head + b * l->heads; /* not used if there are none */
}

void swq_draw_heads(const swq_switch *sw, const swq_layout *l, int b, swq_word *state,
                    swq_dice *dice)
{
    const int normal = swq_normal_queues(l);

    for (int q = 0; q < l->queues && l->heads > 0; q++) {
        const int at = swq_head_of_queue(l, q);
        if (at < 0 || swq_lengths(l, state, b)[q] == 0 || heads_of(l, state, b)[at] != 0)
            continue;
        const bool fans = l->split.fans[q >= normal];
        const int class = l->mixed && q < normal ? swq_dice_loaded(dice, l->of_class, 2) : 0;
        const int to = fans ? 0 : swq_dice_loaded(dice, sw->dest[b], l->ports);
        heads_of(l, state, b)[at] = (swq_word)(1 + class * (fans ? 1 : l->ports) + to);
    }
}

/* ---- reception ---- */

/* Queue lengths as admission sees them: as they are, or including slots not yet credited. */
static void visible_lengths(const swq_layout *l, const swq_word *state, int b, bool uncredited,
                            swq_word *length)
{
    for (int q = 0; q < l->queues; q++) {
        const int at = b * l->queues + q;
        length[q] = state[at];
        if (uncredited && l->freed >= 0)
            length[q] = (swq_word)(length[q] + state[l->freed + at]);
    }
}

static swq_word offer(const swq_switch *sw, const swq_layout *l, int i, const swq_word *state,
                      swq_dice *dice)
{
    if (l->held >= 0 && state[l->held + i])
        return state[l->held + i];
    if (!swq_dice_loaded(dice, l->create[i], 2))
        return 0;
    const int class = swq_class_offered(l) ? swq_dice_loaded(dice, l->of_class, 2) : 0;
    const int to = l->split.fans[class] ? swq_dice_loaded(dice, sw->dest[i], l->ports) : 0;
    return (swq_word)(1 + class * l->ports + to);
}

/* Offer input i's packet to buffer b, whose queues admission sees as `visible`. */
static void settle(const swq_layout *l, int i, int b, swq_word *visible, swq_word *state,
                   swq_reception *what)
{
    const int queue = swq_queue_of_kind(l, swq_packet_kind(l, what->packet[i]));
    const bool taken = swq_class_room(&l->split, visible, queue);

    if (taken) {
        visible[queue]++;
        what->place[i] = ++swq_lengths(l, state, b)[queue];
    }
    what->accepted[i] = taken;
    what->refused[i] = !taken;
    if (l->held >= 0)
        state[l->held + i] = taken ? 0 : what->packet[i];
}

static void receive_pool(const swq_switch *sw, const swq_layout *l, swq_word *state, swq_dice *dice,
                         swq_reception *what)
{
    swq_word visible[2 * SWQ_MAX_PORTS];
    int waiting[SWQ_MAX_PORTS], left = 0;

    visible_lengths(l, state, 0, true, visible);
    const uint32_t open = swq_pool_open(&sw->buffer, l->queues, visible, l->ports, dice);
    for (int i = 0; i < l->ports; i++) {
        if (what->packet[i] && open >> i & 1) {
            waiting[left++] = i;
        } else if (what->packet[i]) {
            what->refused[i] = true;
            if (l->held >= 0)
                state[l->held + i] = what->packet[i];
        }
    }
    while (left > 0) { /* high priority first */
        int best[SWQ_MAX_PORTS] = {0}, ties = 0, highest = 0;
        for (int w = 0; w < left; w++) {
            const int class = swq_packet_kind(l, what->packet[waiting[w]]).class;
            if (class > highest) {
                highest = class;
                ties = 0;
            }
            if (class == highest)
                best[ties++] = w;
        }
        const int turn = best[swq_dice_fair(dice, ties)], i = waiting[turn];
        waiting[turn] = waiting[--left];
        settle(l, i, 0, visible, state, what);
    }
}

void swq_receive_classes(const swq_switch *sw, const swq_layout *l, swq_word *state, swq_dice *dice,
                         swq_reception *what)
{
    swq_word visible[2 * SWQ_MAX_PORTS];

    memset(what, 0, sizeof *what);
    for (int i = 0; i < l->ports; i++) {
        what->held[i] = l->held >= 0 && state[l->held + i];
        what->packet[i] = offer(sw, l, i, state, dice);
    }
    if (sw->buffer.scope == SWQ_POOL)
        receive_pool(sw, l, state, dice, what);
    for (int i = 0; i < l->ports && sw->buffer.scope == SWQ_PER_INPUT; i++) {
        if (!what->packet[i])
            continue;
        visible_lengths(l, state, i, true, visible);
        settle(l, i, i, visible, state, what);
        swq_draw_heads(sw, l, i, state, dice);
    }
    if (l->freed >= 0)
        memset(state + l->freed, 0, sizeof *state * (size_t)(l->buffers * l->queues));
}

/* ---- arbitration and transmission ---- */

static void send_head(const swq_layout *l, int b, int q, swq_word *state)
{
    const int at = swq_head_of_queue(l, q);

    swq_lengths(l, state, b)[q]--;
    if (l->freed >= 0)
        state[l->freed + b * l->queues + q]++;
    if (at >= 0)
        heads_of(l, state, b)[at] = 0;
}

/* Would the buffer admit a packet from each of its inputs, whichever queues they join? */
static bool room_for_all(const swq_layout *l, const swq_word *length)
{
    for (int p = 0; p < l->split.parts; p++) {
        const swq_buffer_part *part = &l->split.part[p];
        int left = part->rule.capacity - part->queues * part->rule.queue_min;
        for (int q = part->first_queue; q < part->first_queue + part->queues; q++) {
            left -= length[q] > part->rule.queue_min ? length[q] - part->rule.queue_min : 0;
            if (length[q] + l->ports > part->rule.queue_max)
                return false;
        }
        if (part->rule.alpha != 0 || left < l->ports)
            return false;
    }
    return true;
}

/* Forget the freed slots of a buffer that would admit the same packets if they were credited. */
static void forget_idle_credits(const swq_layout *l, swq_word *state)
{
    for (int b = 0; b < l->buffers && l->freed >= 0; b++) {
        swq_word seen[2 * SWQ_MAX_PORTS], now[2 * SWQ_MAX_PORTS];
        bool alike = true;
        visible_lengths(l, state, b, true, seen);
        visible_lengths(l, state, b, false, now);
        if (l->buffers == 1 && l->ports > 1)
            alike = room_for_all(l, seen);
        for (int q = 0; q < l->queues && alike; q++)
            alike = swq_class_room(&l->split, seen, q) == swq_class_room(&l->split, now, q);
        if (alike)
            memset(state + l->freed + b * l->queues, 0, sizeof *state * (size_t)l->queues);
    }
}

/* The queue of a buffer whose head has this class and this destination. */
static int queue_asking(const swq_layout *l, swq_word *state, int b, int class, int to)
{
    for (int q = 0; q < l->queues; q++) {
        swq_kind_of_packet head = {0};
        if (swq_class_request(l, swq_lengths(l, state, b), heads_of(l, state, b), q, &head) > 0 &&
            head.class == class && head.to == to)
            return q;
    }
    return 0; /* never reached: a grant answers a request */
}

void swq_send_classes(const swq_layout *l, const int *grant, const int *class, swq_word *state)
{
    int queue[SWQ_MAX_PORTS];

    for (int j = 0; j < l->ports; j++)
        queue[j] = grant[j] == SWQ_NO_INPUT ? 0 : queue_asking(l, state, grant[j], class[j], j);
    for (int j = 0; j < l->ports; j++) {
        if (grant[j] != SWQ_NO_INPUT)
            send_head(l, grant[j], queue[j], state);
    }
    forget_idle_credits(l, state);
}

/* Each output of a pool takes the head of its high queue, or else of its normal one. */
static int send_all(const swq_layout *l, swq_word *state)
{
    int sent = 0;

    for (int j = 0; j < l->ports; j++) {
        const int high = l->split.base[1] + j;
        const int q = state[high] > 0 ? high : j;
        if (state[q] == 0)
            continue;
        send_head(l, 0, q, state);
        sent++;
    }
    forget_idle_credits(l, state);
    return sent;
}

int swq_transmit_classes(const swq_switch *sw, const swq_layout *l, swq_word *state, swq_dice *dice)
{
    int grant[SWQ_MAX_PORTS], class[SWQ_MAX_PORTS], sent = 0;
    swq_requests request[SWQ_CLASSES];

    if (sw->buffer.scope == SWQ_POOL)
        return send_all(l, state);
    for (int c = 0; c < SWQ_CLASSES; c++) {
        request[c].ports = l->ports;
        request[c].read_each_queue = sw->buffer.read == SWQ_READ_EACH_QUEUE;
        request[c].iterations = sw->iterations > 0 ? sw->iterations : 1;
        request[c].memory = l->memory >= 0 ? state + l->memory : NULL;
        memset(request[c].length, 0, sizeof request[c].length[0] * (size_t)l->ports);
        for (int i = 0; i < l->ports; i++)
            request[c].waiting[i] = swq_occupancy(l, state, i);
    }
    for (int i = 0; i < l->ports; i++) {
        for (int q = 0; q < l->queues; q++) {
            swq_kind_of_packet head = {0};
            const int length =
                swq_class_request(l, swq_lengths(l, state, i), heads_of(l, state, i), q, &head);
            if (length > 0)
                request[head.class].length[i][head.to] = length;
        }
    }
    swq_grant_classes(sw->arbiter, &request[0], &request[1], dice, grant, class);
    swq_send_classes(l, grant, class, state);
    for (int i = 0; i < l->ports; i++) {
        sent += grant[i] != SWQ_NO_INPUT;
        swq_draw_heads(sw, l, i, state, dice);
    }
    return sent;
}

/* ---- renaming ---- */

void swq_rename_queues(const swq_layout *l, const uint8_t *to, const swq_word *from,
                       swq_word *image)
{
    const int normal = swq_normal_queues(l);

    for (int q = 0; q < l->queues; q++) {
        const bool high = q >= normal;
        const int first = high ? normal : 0;
        image[l->split.fans[high] ? first + to[q - first] : q] = from[q];
    }
}

void swq_rename_heads(const swq_layout *l, const uint8_t *to, const swq_word *from, swq_word *image)
{
    const int normal = swq_normal_queues(l);

    for (int q = 0; q < l->queues; q++) {
        const int at = swq_head_of_queue(l, q);
        if (at < 0)
            continue;
        if (q < normal && l->split.fans[0]) {
            image[to[at]] = from[at];
        } else {
            const int class = from[at] ? (from[at] - 1) / l->ports : 0;
            const int j = from[at] ? (from[at] - 1) % l->ports : 0;
            image[at] = (swq_word)(from[at] ? 1 + class * l->ports + to[j] : 0);
        }
    }
}

swq_word swq_rename_packet(const swq_layout *l, const uint8_t *to, swq_word packet)
{
    if (packet == 0)
        return 0;
    const swq_kind_of_packet p = swq_packet_kind(l, packet);
    return l->split.fans[p.class] ? (swq_word)(1 + p.class * l->ports + to[p.to]) : packet;
}
