/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The importance functions: how full buffers are, from the packets that are still to come before
 * one is refused; and who stands in their way.
 */
#include "sim/rare/importance.h"
#include "sim/rare/importance_packed.h"

#include "base/context.h"
#include "base/names.h"
#include "models/buffers/buffers.h"

#include <string.h>

/* Does room depend on limits that follow from the lengths of all queues: a dynamic threshold, or a
 * rule of admission that refuses packets although there is room? Rules that keep words (FollowLQD)
 * do so only after a full memory, so that free slots tell how near that is. */
static bool asks_rule(const swq_buffer *b)
{
    const swq_admission_rule *rule = swq_buffer_admission(b);

    return b->alpha > 0 || (rule->fate && !rule->takes_while_room && !rule->keeps);
}

/* The most packets for queue q that such a rule takes one after the other: a longer queue is never
 * taken packets for that a shorter one is refused, so that the number is found by halving. */
static int room_asked(const swq_buffer *b, int queues, const uint16_t *length, int q)
{
    uint16_t filled[SWQ_MAX_QUEUES];
    int least = 0, most = b->capacity; /* a full buffer takes none */

    for (int k = 0; k < queues; k++)
        most -= length[k];
    memcpy(filled, length, sizeof *filled * (size_t)queues);
    while (least < most) {
        const int more = (least + most) / 2; /* is there room for one more after these? */
        filled[q] = (uint16_t)(length[q] + more);
        if (swq_buffer_fate(b, queues, filled, NULL, q, NULL) == SWQ_TAKE)
            least = more + 1;
        else
            most = more;
    }
    return least;
}

/* How many packets for queue q can arrive, while none leaves, before a packet is refused. Closed
 * form of the admission rule, except for limits that follow from lengths. */
static int room_for(const swq_buffer *b, int queues, const uint16_t *length, int q)
{
    int shared = b->capacity - queues * b->queue_min, used = 0;

    if (asks_rule(b))
        return room_asked(b, queues, length, q);
    for (int k = 0; k < queues; k++)
        used += length[k] > b->queue_min ? length[k] - b->queue_min : 0;
    int own = length[q] < b->queue_min ? b->queue_min - length[q] : 0;
    int room = own + (used < shared ? shared - used : 0);
    int most = b->queue_max - length[q];
    return room < most ? room : most;
}

/* The smallest room of any queue of a part. */
static int least_room(const swq_buffer_part *part, const uint16_t *length)
{
    const swq_buffer *b = &part->rule;
    const uint16_t *mine = length + part->first_queue;
    int least = INT32_MAX;

    if (b->queue_min == 0 && b->queue_max == b->capacity && !asks_rule(b)) {
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

/* How much less room a buffer has than when it is empty. */
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

/* Does the room depend on the number of packets in the buffer alone? */
static bool is_whole(const swq_net *net)
{
    const swq_buffer *b = &net->part[0].rule;

    return net->parts == 1 && b->queue_min == 0 && b->queue_max == b->capacity && !asks_rule(b);
}

/* The fill of the fullest buffer of a network in which the room depends on the number of packets
 * alone (is_whole), as in most networks. */
static uint32_t fill_whole(const swq_net *net)
{
    const size_t buffers = (size_t)net->system.levels * net->buffers, queues = (size_t)net->queues;
    uint32_t most = 0;

    for (size_t at = 0; at < buffers; at++) {
        const uint16_t *length = net->length + at * queues;
        uint32_t sum = 0;
        for (size_t q = 0; q < queues; q++)
            sum += length[q];
        most = sum > most ? sum : most;
    }
    return most;
}

static uint32_t fill(const swq_net *net, const swq_importance_aid *aid)
{
    (void)aid;
    if (net->packs)
        return swq_packed_fill(net);
    if (is_whole(net))
        return fill_whole(net);
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

static uint32_t packets(const swq_net *net, const swq_importance_aid *aid)
{
    (void)aid;
    const size_t switches = (size_t)net->system.levels * (net->system.nodes / (uint32_t)net->ports);
    const size_t inputs = (size_t)net->ports, queues = inputs * (size_t)net->queues;
    uint32_t most = 0;

    if (net->packs)
        return swq_packed_packets(net);
    for (size_t sw = 0; sw < switches; sw++) {
        const uint16_t *length = net->length + sw * queues;
        uint32_t sum = 0;
        for (size_t q = 0; q < queues; q++)
            sum += length[q];
        most = sum > most ? sum : most;
    }
    return most;
}

static uint32_t packets_most(const swq_net *net)
{
    return (uint32_t)(net->ports * net->slots);
}

/* ---- the fullest buffer, and its rivals ---- */

/* A switch, as the functions for rivals see it. */
typedef struct {
    const uint16_t *length; /* [ports * queues] */
    const swq_net *net;
    int empty;                          /* room of an empty buffer */
    uint32_t column[2 * SWQ_MAX_PORTS]; /* packets for an output, at all inputs */
    bool whole;
} rivals_contest;

static uint32_t with_rivals(int fill, int empty, uint32_t rivals_parts)
{
    const uint32_t most = (uint32_t)(empty - fill + 1) * SWQ_IMPORTANCE_RIVAL;

    return (uint32_t)fill * SWQ_IMPORTANCE_PARTS + (rivals_parts < most ? rivals_parts : most);
}

/* The importance of a buffer whose queues share its slots: its fill, and the mean number of packets
 * that are in the way of one of its packets. */
static uint32_t shared_buffer(const rivals_contest *c, int i)
{
    const int queues = c->net->queues;
    const uint16_t *mine = c->length + i * queues;
    uint32_t sum = 0, rivals = 0;

    for (int q = 0; q < queues; q++) {
        sum += mine[q];
        rivals += mine[q] * (c->column[q] - mine[q]);
    }
    if (sum == 0)
        return 0;
    int fill = c->whole ? (int)sum : fill_of(c->net, mine, c->empty);
    if (rivals == 0) /* the usual case, which saves a division */
        return (uint32_t)fill * SWQ_IMPORTANCE_PARTS;
    /* a single queue holds packets for all outputs */
    sum *= c->net->spec->sw.buffer.queues == SWQ_ONE_QUEUE ? (uint32_t)c->net->ports : 1;
    return with_rivals(fill, c->empty, SWQ_IMPORTANCE_RIVAL * rivals / sum);
}

/* A partitioned buffer: the maximum over its queues of fill and rivals. */
static uint32_t pieces(const rivals_contest *c, int i)
{
    const int queues = c->net->queues;
    const uint16_t *mine = c->length + i * queues;
    uint32_t best = 0, sum = 0;

    for (int q = 0; q < queues; q++)
        sum += mine[q];
    for (int q = 0; q < queues && sum > 0; q++) {
        if (mine[q] == 0)
            continue;
        uint32_t rivals = c->column[q] - mine[q];
        if (c->net->spec->sw.buffer.read == SWQ_READ_ONE)
            rivals += sum - mine[q];
        uint32_t value = with_rivals(mine[q] < c->empty ? mine[q] : c->empty, c->empty,
                                     SWQ_IMPORTANCE_RIVAL * rivals);
        best = value > best ? value : best;
    }
    return best;
}

static uint32_t rivals_by_length(const swq_net *net)
{
    const size_t switches = (size_t)net->system.levels * (net->system.nodes / (uint32_t)net->ports);
    const size_t queues = (size_t)net->queues, all = (size_t)net->ports * queues;
    const swq_buffer *b = &net->spec->sw.buffer;
    const bool cut = swq_buffer_partitioned(b) && net->queues > 1;
    rivals_contest c = {.net = net, .empty = empty_room(net), .whole = is_whole(net)};
    uint32_t most = 0;

    for (size_t sw = 0; sw < switches; sw++) {
        c.length = net->length + sw * all;
        uint32_t sum = 0;
        for (size_t q = 0; q < all; q++)
            sum += c.length[q];
        /* no packet counts for more, without thresholds; most switches of a network end here */
        if (sum == 0 || (b->alpha == 0 && sum * SWQ_IMPORTANCE_PARTS <= most))
            continue;
        for (size_t q = 0; q < queues; q++) {
            c.column[q] = 0;
            for (size_t k = q; k < all; k += queues)
                c.column[q] += c.length[k];
        }
        for (int i = 0; i < net->ports; i++) {
            uint32_t v = cut ? pieces(&c, i) : shared_buffer(&c, i);
            most = v > most ? v : most;
        }
    }
    return most;
}

static uint32_t rivals(const swq_net *net, const swq_importance_aid *aid)
{
    (void)aid;
    return net->packs ? swq_packed_rivals(net) : rivals_by_length(net);
}

/* A full buffer loses nothing unless it is also kept from sending. */
static uint32_t rivals_most(const swq_net *net)
{
    return (uint32_t)empty_room(net) * SWQ_IMPORTANCE_PARTS + SWQ_IMPORTANCE_RIVAL;
}

/* ---- a pool, and how many outputs empty it ---- */

static bool is_pool(const swq_net *net)
{
    return net->spec->sw.buffer.scope == SWQ_POOL;
}

static uint32_t drain(const swq_net *net, const swq_importance_aid *aid)
{
    (void)aid;
    const size_t buffers = (size_t)net->system.levels * net->buffers;
    const int empty = empty_room(net);
    uint32_t most = 0;

    for (size_t at = 0; at < buffers; at++) {
        const uint16_t *length = net->length + at * (size_t)net->queues;
        const int fill = fill_of(net, length, empty);
        uint32_t idle = 0;
        for (int q = 0; q < net->queues; q++)
            idle += length[q] == 0;
        const uint32_t v = fill ? with_rivals(fill, empty, SWQ_IMPORTANCE_RIVAL * idle) : 0;
        most = v > most ? v : most;
    }
    return most;
}

/* ---- the table ---- */

static const struct swq_importance_of fill_rule = {.fits = any, .value = fill, .most = fill_most};
static const struct swq_importance_of packets_rule = {
    .fits = has_inputs, .value = packets, .most = packets_most};
static const struct swq_importance_of rivals_rule = {
    .fits = has_inputs, .value = rivals, .most = rivals_most};
static const struct swq_importance_of drain_rule = {
    .fits = is_pool, .value = drain, .most = rivals_most};

static const swq_importance fill_row = {
    "fill", "how near the fullest buffer is to refusing a packet, in packets", &fill_rule};
static const swq_importance packets_row = {
    "packets", "the number of packets in all buffers of the fullest switch", &packets_rule};
static const swq_importance rivals_row = {
    "rivals", "fill, plus a fraction of the packets for the same outputs elsewhere in the switch",
    &rivals_rule};

static const swq_importance chain_row = {"chain",
                                         "the estimate of a small Markov chain of a buffer, its "
                                         "rivals and the packets on their way to it",
                                         &swq_importance_chain};
static const swq_importance drain_row = {
    "drain", "fill of a pool, plus a fraction of a packet for each empty queue", &drain_rule};

const swq_importance *const swq_importances[] = {&fill_row,  &packets_row, &rivals_row,
                                                 &chain_row, &drain_row,   NULL};

swq_status swq_importance_table(swq_context *ctx, const struct swq_importance_of *rule,
                                const swq_net *net, void **table)
{
    *table = NULL;
    if (!rule->prepare)
        return SWQ_OK;
    *table = swq_calloc(ctx, rule->table_bytes(net), 1);
    if (!*table)
        return swq_memory_status(ctx);
    swq_status status = rule->prepare(ctx, net, *table);
    if (status) {
        swq_free(ctx, *table);
        *table = NULL;
    }
    return status;
}

swq_status swq_importance_find(swq_context *ctx, const char *name, const swq_importance **row)
{
    const void *found =
        swq_name_lookup(ctx, "importance", name, (const void *const *)swq_importances);
    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}
