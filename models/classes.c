/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One stage cycle of a switch that knows packets of high priority, by the rules of models/cycle.c
 * and of Frazier (1995), chapter 5; and the renaming of its outputs.
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

/* The queue of buffer b whose head has class `class` and destination `to`. */
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
    int queue[SWQ_CHAIN_PORTS];

    for (int j = 0; j < l->ports; j++)
        queue[j] = grant[j] == SWQ_NO_INPUT ? 0 : queue_asking(l, state, grant[j], class[j], j);
    for (int j = 0; j < l->ports; j++) {
        if (grant[j] != SWQ_NO_INPUT)
            send_head(l, grant[j], queue[j], state);
    }
    swq_forget_idle_credits(l, state);
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
    swq_forget_idle_credits(l, state);
    return sent;
}

int swq_transmit_classes(const swq_switch *sw, const swq_layout *l, swq_word *state, swq_dice *dice)
{
    int grant[SWQ_CHAIN_PORTS], class[SWQ_CHAIN_PORTS], sent = 0;
    int asked[SWQ_CLASSES][SWQ_CHAIN_PORTS][SWQ_MAX_PORTS];
    swq_requests request[SWQ_CLASSES];

    if (sw->buffer.scope == SWQ_POOL)
        return send_all(l, state);
    for (int c = 0; c < SWQ_CLASSES; c++) {
        request[c].ports = l->ports;
        request[c].read_each_queue = sw->buffer.read == SWQ_READ_EACH_QUEUE;
        request[c].iterations = sw->iterations > 0 ? sw->iterations : 1;
        request[c].memory = l->memory >= 0 ? state + l->memory : NULL;
        request[c].length = asked[c];
        for (int i = 0; i < l->ports; i++) {
            memset(asked[c][i], 0, sizeof *asked[c][i] * (size_t)l->ports);
            request[c].waiting[i] = swq_occupancy(l, state, i);
        }
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
