/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The importance functions: how full buffers are, from the packets that are still to come before
 * one is refused; and who stands in their way.
 * Room: sim. Includes models and base.
 */
#include "sim/rare/importance.h"

#include "base/context.h"
#include "base/names.h"

#include <string.h>

enum { PARTS = 8 /* that a packet's worth of importance is cut into */ };

/* Packets that may still come for queue q, one after the other and nothing leaving, before one is
 * refused. The admission rule's closed form but for thresholds, which are rare. */
static int room_for(const swq_buffer *b, int queues, const uint16_t *length, int q)
{
    int shared = b->capacity - queues * b->queue_min, used = 0;

    if (b->alpha > 0) {
        uint16_t filled[SWQ_MAX_QUEUES];
        int more = 0;
        memcpy(filled, length, sizeof *filled * (size_t)queues);
        while (swq_buffer_admits(b, queues, filled, q)) {
            filled[q]++;
            more++;
        }
        return more;
    }
    for (int k = 0; k < queues; k++)
        used += length[k] > b->queue_min ? length[k] - b->queue_min : 0;
    int own = length[q] < b->queue_min ? b->queue_min - length[q] : 0;
    int room = own + (used < shared ? shared - used : 0);
    int most = b->queue_max - length[q];
    return room < most ? room : most;
}

/* The least room for any queue of a part. */
static int least_room(const swq_part *part, const uint16_t *length)
{
    const swq_buffer *b = &part->rule;
    const uint16_t *mine = length + part->first_queue;
    int least = INT32_MAX;

    if (b->queue_min == 0 && b->queue_max == b->capacity && b->alpha == 0) {
        int used = 0;
        for (int q = 0; q < part->queues; q++)
            used += mine[q];
        return b->capacity - used;
    }
    for (int q = 0; q < part->queues; q++) {
        int room = room_for(b, part->queues, mine, q);
        least = room < least ? room : least;
    }
    return least;
}

static int empty_room(const swq_net *net)
{
    static const uint16_t empty[SWQ_MAX_QUEUES];
    int most = 0;

    for (int p = 0; p < net->parts; p++) {
        int room = least_room(&net->part[p], empty);
        most = room > most ? room : most;
    }
    return most;
}

/* How much less room a buffer has than an empty one. */
static int fill_of(const swq_net *net, const uint16_t *length, int empty)
{
    int least = empty;

    for (int p = 0; p < net->parts; p++) {
        int room = least_room(&net->part[p], length);
        least = room < least ? room : least;
    }
    return empty - least;
}

/* ---- the fullest buffer ---- */

static bool any(const swq_net *net)
{
    (void)net;
    return true;
}

static uint32_t fill(const swq_net *net)
{
    const size_t buffers = (size_t)net->system.levels * net->buffers;
    const int empty = empty_room(net);
    int most = 0;

    for (size_t at = 0; at < buffers; at++) {
        int f = fill_of(net, net->length + at * (size_t)net->queues, empty);
        most = f > most ? f : most;
    }
    return (uint32_t)most;
}

static uint32_t fill_most(const swq_net *net)
{
    return (uint32_t)empty_room(net);
}

/* ---- the fullest switch ---- */

static bool has_inputs(const swq_net *net)
{
    return net->spec->sw.buffer.scope == SWQ_PER_INPUT;
}

static uint32_t packets(const swq_net *net)
{
    const size_t switches = (size_t)net->system.levels * (net->system.nodes / (uint32_t)net->ports);
    const size_t queues = (size_t)net->ports * (size_t)net->queues;
    uint32_t most = 0;

    for (size_t sw = 0; sw < switches; sw++) {
        uint32_t sum = 0;
        for (size_t q = 0; q < queues; q++)
            sum += net->length[sw * queues + q];
        most = sum > most ? sum : most;
    }
    return most;
}

static uint32_t packets_most(const swq_net *net)
{
    return (uint32_t)(net->ports * net->slots);
}

/* ---- the fullest buffer, and its rivals ---- */

static uint32_t rivals_of(const swq_net *net, const uint16_t *sw, int i)
{
    const int queues = net->queues;
    const uint16_t *mine = sw + i * queues;
    uint32_t rivals = 0;

    for (int k = 0; k < net->ports; k++) {
        for (int q = 0; q < queues && k != i; q++)
            rivals += mine[q] ? sw[k * queues + q] : 0;
    }
    return rivals;
}

static uint32_t rivals(const swq_net *net)
{
    const size_t switches = (size_t)net->system.levels * (net->system.nodes / (uint32_t)net->ports);
    const size_t queues = (size_t)net->ports * (size_t)net->queues;
    const int empty = empty_room(net);
    uint32_t most = 0;

    for (size_t sw = 0; sw < switches; sw++) {
        const uint16_t *length = net->length + sw * queues;
        for (int i = 0; i < net->ports; i++) {
            uint32_t f = (uint32_t)fill_of(net, length + i * net->queues, empty) * PARTS;
            if (f + PARTS * 2 <= most)
                continue;
            uint32_t r = rivals_of(net, length, i);
            uint32_t bonus = r >= 4 * PARTS ? PARTS * 2 : r * 4;
            bonus = bonus < PARTS * 2 ? bonus : PARTS * 2;
            most = f + bonus > most ? f + bonus : most;
        }
    }
    return most;
}

static uint32_t rivals_most(const swq_net *net)
{
    return (uint32_t)(empty_room(net) + 2) * PARTS;
}

/* ---- the table ---- */

static struct swq_importance_of fill_rule = {any, fill, fill_most};
static struct swq_importance_of packets_rule = {has_inputs, packets, packets_most};
static struct swq_importance_of rivals_rule = {has_inputs, rivals, rivals_most};

static const swq_importance fill_row = {
    "fill", "how near the fullest buffer is to refusing a packet, in packets", &fill_rule};
static const swq_importance packets_row = {
    "packets", "packets in the fullest switch, in all its buffers", &packets_rule};
static const swq_importance rivals_row = {
    "rivals", "fill, and in parts of a packet those elsewhere in the switch for the same outputs",
    &rivals_rule};

const swq_importance *const swq_importances[] = {&fill_row, &packets_row, &rivals_row, NULL};

swq_status swq_importance_find(swq_context *ctx, const char *name, const swq_importance **row)
{
    const void *found =
        swq_name_lookup(ctx, "importance", name, (const void *const *)swq_importances);
    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}
