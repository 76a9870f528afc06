/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks on the spec of an asynchronous network, and buffers of a number of bytes.
 */
#include "base/context.h"
#include "models/arbiters/arbiters.h"
#include "sim/async/multicast_check.h"
#include "sim/async/senders_check.h"
#include "sim/frame/interfaces.h"
#include "sim/frame/pieces.h"
#include "sim/frame/rule.h"
#include "sim/frame/schemes.h"
#include "sim/tables/gate.h"
#include "sim/traffic/spread.h"
#include "sim/traffic/trace.h"

#include <math.h>
#include <stdio.h>

enum { MOST_DELAY = 4096 };

static swq_status check_whole(swq_context *ctx, const char *what, int value, int least, int most)
{
    if (value >= least && value <= most)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "%s must be %d to %d, not %d", what, least, most, value);
}

swq_status swq_async_buffer(swq_context *ctx, swq_async *n, const swq_buffer_kind *kind, int bytes)
{
    swq_fabric f;
    swq_status status = swq_fabric_count(ctx, &n->shape, &f);

    if (!status)
        status = check_whole(ctx, "block", n->packet.block, 1, SWQ_MAX_PACKET);
    if (!status)
        status = check_whole(ctx, "max-packet", n->packet.max, 1, SWQ_MAX_PACKET);
    if (!status)
        status = check_whole(ctx, "bytes", bytes, 1, SWQ_MAX_BUFFER_BLOCKS * n->packet.block);
    if (!status)
        swq_buffer_fill(kind, kind->queues == SWQ_ONE_QUEUE ? 1 : f.classes,
                        bytes / n->packet.block, swq_async_packet(n), &n->memory.buffer);
    return status;
}

int swq_management_queues(const swq_async *n, const swq_fabric *f, bool output)
{
    return n->management.row->hooks->queues(n, f, output);
}

swq_status swq_async_memory(swq_context *ctx, swq_async *n, int bytes)
{
    return swq_async_buffer(ctx, n, &swq_buffer_damq, bytes);
}

/* Appends a hint: which options would admit packets to stores smaller than they are. */
static void hint_at_pieces(const swq_async *n, char *text, size_t size)
{
    if (n->packet.piece == 0 && n->packet.max > n->packet.block && !swq_async_managed(n) &&
        !n->flow.row->stop_go && !n->architecture.output.store_and_forward)
        snprintf(text, size, "; piece lets packets lie in several smaller ones");
}

/* An empty buffer without room for a packet will never have any. */
static swq_status check_room(swq_context *ctx, const swq_async *n, int queues, int escapes)
{
    const uint16_t empty[SWQ_MAX_FABRIC_CLASSES] = {0};
    const swq_buffer *b = &n->memory.buffer;
    const int packet = swq_async_packet(n);
    const int more = b->queue_min < packet ? packet - b->queue_min : 0; /* for an escape queue */
    const int least = swq_buffer_partitioned(b)
                          ? packet * queues
                          : b->queue_min * (queues - 1) + packet + more * escapes;
    const char *what = swq_async_unit(n) < n->packet.max ? "piece" : "packet";
    char each[40] = "its queue", pieces[100] = "";

    swq_buffer plain = *b;
    plain.alpha = 0; /* closes no queue that is empty */
    if (swq_async_room(&plain, escapes, queues, empty, queues - 1, packet))
        return SWQ_OK;
    if (b->queue_max < packet && b->capacity >= least)
        return swq_fail(ctx, SWQ_EINVAL,
                        "queue-max must be at least %d, so that a queue takes a %s of %d bytes "
                        "in blocks of %d, not %d",
                        packet, what, swq_async_unit(n), n->packet.block, b->queue_max);
    if (queues > 1)
        snprintf(each, sizeof each, "each of %d queues", queues);
    hint_at_pieces(n, pieces, sizeof pieces);
    return swq_fail(ctx, SWQ_EINVAL,
                    "bytes must be at least %d, %d blocks, so that %s takes a %s of %d bytes in "
                    "blocks of %d, not %d blocks%s",
                    least * n->packet.block, least, each, what, swq_async_unit(n), n->packet.block,
                    b->capacity, pieces);
}

static swq_status check_buffer(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_buffer *b = &n->memory.buffer;
    const int queues = swq_async_managed(n) ? 1 : swq_async_queues(n, f);

    if (n->architecture.row && swq_async_stores(n)) {
        const swq_status packet = check_whole(ctx, "max-packet", n->packet.max, 1, SWQ_MAX_PACKET);
        return packet ? packet : check_whole(ctx, "chunk", n->packet.block, 1, SWQ_MAX_PACKET);
    }
    if (b->scope == SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL,
                        "scope must be input: an asynchronous network has a buffer at each input "
                        "port, no pools");
    swq_status status = check_whole(ctx, "max-packet", n->packet.max, 1, SWQ_MAX_PACKET);
    if (!status)
        status = check_whole(ctx, "block", n->packet.block, 1, SWQ_MAX_PACKET);
    if (!status && b->capacity < 1)
        status = swq_fail(ctx, SWQ_EINVAL, "bytes must be at least a block of %d", n->packet.block);
    if (!status)
        status = check_room(ctx, n, queues, f->escapes);
    return status ? status
                  : swq_buffer_check_units(ctx, b, queues, SWQ_MAX_BUFFER_BLOCKS, "blocks");
}

/* Larger buffers in the last stage. */
static swq_status check_last(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_buffer *b = &n->memory.buffer;
    const int least = swq_async_packet(n);
    const char *what = NULL;

    if (!n->memory.last_blocks)
        return SWQ_OK;
    if (f->shape.kind != &swq_fabric_multistage)
        what = "multistage networks";
    else if (n->architecture.row != &swq_input_queued)
        what = "architecture input-queued";
    else if (swq_async_managed(n))
        what = "management none";
    else if (n->flow.row != &swq_flow_blocking)
        what = "flow block";
    else if (swq_pieces_asked(n))
        what = "packets that go whole";
    else if (swq_buffer_partitioned(b) || b->queue_min > 0 || b->alpha > 0 ||
             b->queue_max < b->capacity)
        what = "buffers whose queues share all memory, such as fifo and damq";
    if (what)
        return swq_fail(ctx, SWQ_EINVAL, "last-bytes %d is for %s alone",
                        n->memory.last_blocks * n->packet.block, what);
    if (n->memory.last_blocks < least || n->memory.last_blocks > SWQ_MAX_BUFFER_BLOCKS)
        return swq_fail(ctx, SWQ_EINVAL, "last-bytes must be %d to %d, not %d",
                        least * n->packet.block, SWQ_MAX_BUFFER_BLOCKS * n->packet.block,
                        n->memory.last_blocks * n->packet.block);
    return SWQ_OK;
}

static swq_status check_type(swq_context *ctx, const swq_message_type *t, const swq_fabric *f)
{
    const swq_places at = swq_fabric_places(f), *places = &at;
    const uint32_t nodes = places->nodes;
    uint32_t least = t->value; /* the lowest member of a subset, if there is one */

    if (!(t->probability >= 0 && t->probability <= 1))
        return swq_fail(ctx, SWQ_EINVAL, "probability of a message type must be 0 to 1, not %g",
                        t->probability);
    if (t->aim == SWQ_AIM_NODE && t->value >= nodes)
        return swq_fail(ctx, SWQ_EINVAL, "destination must be 0 to %u, not %u", nodes - 1,
                        t->value);
    if ((t->aim == SWQ_AIM_SUBSET || t->aim == SWQ_AIM_ALL) &&
        ((t->value & t->mask) != t->value || least >= nodes))
        return swq_fail(ctx, SWQ_EINVAL,
                        "no node's number & 0x%x is 0x%x: the subset of destinations is empty",
                        t->mask, t->value);
    if (t->aim == SWQ_AIM_GROUP && f->group_ring < 2)
        return swq_fail(ctx, SWQ_EINVAL, "topology %s has no groups that traffic could go to",
                        f->shape.kind->name);
    if (t->aim == SWQ_AIM_GROUP && (t->value < 1 || t->value >= f->group_ring))
        return swq_fail(ctx, SWQ_EINVAL, "traffic must go 1 to %u groups further, not %u",
                        f->group_ring - 1, t->value);
    if (t->aim == SWQ_AIM_WORST && !f->shape.kind->worst)
        return swq_fail(ctx, SWQ_EINVAL, "topology %s has no worst-case traffic",
                        f->shape.kind->name);
    if (t->aim == SWQ_AIM_PATTERN && !t->pattern)
        return swq_fail(ctx, SWQ_EINVAL, "the pattern of a message type must be given");
    if ((t->aim == SWQ_AIM_PATTERN && t->pattern->matrix) != (t->matrix != NULL))
        return swq_fail(ctx, SWQ_EINVAL, "matrix must be given for pattern matrix, and only then");
    const swq_status status = t->matrix ? swq_destinations_check(ctx, t->matrix, nodes) : SWQ_OK;
    if (status)
        return status;
    if (t->aim == SWQ_AIM_PATTERN && swq_pattern_objection(t->pattern, places))
        return swq_fail(ctx, SWQ_EINVAL, "pattern %s: %s, not %u nodes", t->pattern->name,
                        swq_pattern_objection(t->pattern, places), nodes);
    return swq_spread_check(ctx, "length of a message", &t->length, 1, SWQ_MAX_MESSAGE);
}

static swq_status check_loads(swq_context *ctx, const swq_sender_group *g, uint32_t nodes)
{
    if (g->from_start)
        return swq_fail(ctx, SWQ_EINVAL,
                        "a load of each node is for intervals that begin at the end");
    for (uint32_t i = 0; i < nodes; i++) {
        if (!(g->node_load[i] >= 0 && g->node_load[i] <= 1))
            return swq_fail(ctx, SWQ_EINVAL, "load of node %u must be 0 to 1, not %g", i,
                            g->node_load[i]);
    }
    return SWQ_OK;
}

static swq_status check_intervals(swq_context *ctx, const swq_async *n, const swq_sender_group *g,
                                  uint32_t nodes)
{
    const bool open = g->kind == SWQ_SOURCE_OPEN;
    swq_status status = SWQ_OK;

    if (!g->node_load)
        return swq_spread_check(ctx, "interval between messages", &g->interval, open,
                                SWQ_MAX_DRAWN);
    status = check_loads(ctx, g, nodes);
    for (uint32_t i = 0; i < nodes && !status; i++) {
        const swq_spread interval = swq_sender_interval(n, g, i);
        char what[80];
        snprintf(what, sizeof what, "load %.9g of node %u: the interval between messages",
                 g->node_load[i], i);
        if (!swq_sender_silent(g, i))
            status = swq_spread_check(ctx, what, &interval, open, SWQ_MAX_DRAWN);
    }
    return status;
}

static swq_status check_group(swq_context *ctx, const swq_async *n, const swq_sender_group *g,
                              const swq_fabric *f)
{
    double sum = 0;

    if (g->silent)
        return SWQ_OK;
    if (g->kind != SWQ_SOURCE_HOLD && g->kind != SWQ_SOURCE_OPEN)
        return swq_fail(ctx, SWQ_EINVAL, "sources must be hold or open");
    if (!(g->burst >= 0 && g->burst <= SWQ_MAX_BURST))
        return swq_fail(ctx, SWQ_EINVAL, "burst must be 1 to %g messages, not %g", SWQ_MAX_BURST,
                        g->burst);
    if (g->types < 1 || g->types > SWQ_MAX_MESSAGE_TYPES)
        return swq_fail(ctx, SWQ_EINVAL, "message types must be 1 to %d, not %d",
                        SWQ_MAX_MESSAGE_TYPES, g->types);
    for (int t = 0; t < g->types; t++) {
        const swq_status status = check_type(ctx, &g->type[t], f);
        if (status)
            return status;
        sum += g->type[t].probability;
    }
    if (fabs(sum - 1) > 1e-9)
        return swq_fail(ctx, SWQ_EINVAL,
                        "probabilities of a group's message types must sum to 1, not %.12g", sum);
    return check_intervals(ctx, n, g, f->nodes);
}

/* Can a node be a sender of both groups? Groups take nodes by the bits of their numbers. */
static bool share_senders(const swq_sender_group *a, const swq_sender_group *b, uint32_t nodes)
{
    const uint32_t both = a->mask & b->mask, least = a->value | b->value;

    return (a->value & both) == (b->value & both) && least < nodes;
}

/* Packets that wait at a sender that holds its messages are no queue. */
static swq_status check_times(swq_context *ctx, const swq_async *n, uint32_t nodes)
{
    for (int g = 0; g < n->traffic.groups; g++) {
        const swq_sender_group *a = &n->traffic.group[g];
        if (a->until && a->until <= a->from)
            return swq_fail(ctx, SWQ_EINVAL,
                            "group %d must end after it begins in cycle %u, and not before cycle "
                            "%u",
                            g + 1, a->from, a->until);
        if (swq_async_timed(n) && a->burst > 1)
            return swq_fail(ctx, SWQ_EINVAL,
                            "burst must be 1 where groups begin or end, not %g: a group would "
                            "begin within a burst",
                            a->burst);
        for (int k = 0; k < g && swq_async_timed(n); k++) {
            const swq_sender_group *b = &n->traffic.group[k];
            if (a->kind != b->kind && !a->silent && !b->silent && share_senders(a, b, nodes))
                return swq_fail(ctx, SWQ_EINVAL,
                                "groups %d and %d must have the same sources, hold or open, as a "
                                "node can go from one to the other",
                                k + 1, g + 1);
        }
    }
    return SWQ_OK;
}

static swq_status check_priority(swq_context *ctx, const swq_async *n, int priority)
{
    if (priority && !(n->architecture.row && n->architecture.row->async.flow_groups))
        return swq_fail(ctx, SWQ_EINVAL,
                        "priority %d of a group is for architecture atlas, not for %s", priority,
                        n->architecture.row ? n->architecture.row->name : "input-queued");
    return check_whole(ctx, "priority", priority, 0, SWQ_CELL_PRIORITIES - 1);
}

static swq_status check_trace(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    uint64_t before = 0;

    for (uint64_t k = 0; k < n->traffic.trace_messages; k++) {
        const swq_async_message *m = &n->traffic.trace[k];
        if (m->cycle < before || m->cycle > 4000000000)
            return swq_fail(ctx, SWQ_EINVAL,
                            "cycle of trace message %llu must be from the one before's to "
                            "4000000000, not %llu",
                            (unsigned long long)k, (unsigned long long)m->cycle);
        if (m->source >= f->nodes || m->destination >= f->nodes)
            return swq_fail(ctx, SWQ_EINVAL,
                            "source and destination of trace message %llu must be 0 to %u, not %u "
                            "and %u",
                            (unsigned long long)k, f->nodes - 1, m->source, m->destination);
        if (m->source == m->destination && f->shape.kind->point_to_point)
            return swq_fail(ctx, SWQ_EINVAL,
                            "trace message %llu is from node %u to itself, which has no way in "
                            "topology %s",
                            (unsigned long long)k, m->source, f->shape.kind->name);
        if (m->bytes < 1 || m->bytes > SWQ_MAX_MESSAGE)
            return swq_fail(ctx, SWQ_EINVAL, "bytes of trace message %llu must be 1 to %d, not %u",
                            (unsigned long long)k, SWQ_MAX_MESSAGE, m->bytes);
        before = m->cycle;
    }
    return SWQ_OK;
}

static swq_status check_architecture(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_architecture *a = n->architecture.row;
    const int packet = swq_async_packet(n);
    char pieces[100] = "";

    if (!a)
        return swq_fail(ctx, SWQ_EINVAL, "architecture must be given");
    if (swq_async_stores(n))
        return swq_async_stores(n)->check(ctx, n, f);
    if (!a->async.output_stores)
        return SWQ_OK;
    if (f->levels == SWQ_MAX_LEVELS)
        return swq_fail(ctx, SWQ_EINVAL, "architecture %s: the network has too many levels, %d",
                        a->name, f->levels);
    hint_at_pieces(n, pieces, sizeof pieces);
    if (n->architecture.output.blocks < packet ||
        n->architecture.output.blocks > SWQ_MAX_BUFFER_BLOCKS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "output-bytes must be %d to %d: %d to %d blocks of %d, of which a %s "
                        "takes up to %d; not %d blocks%s",
                        packet * n->packet.block, SWQ_MAX_BUFFER_BLOCKS * n->packet.block, packet,
                        SWQ_MAX_BUFFER_BLOCKS, n->packet.block,
                        swq_async_unit(n) < n->packet.max ? "piece" : "packet", packet,
                        n->architecture.output.blocks, pieces);
    if (n->architecture.output.speedup_cycles < 1 ||
        n->architecture.output.speedup_bytes < n->architecture.output.speedup_cycles ||
        n->architecture.output.speedup_bytes >
            (int64_t)f->ports * n->architecture.output.speedup_cycles ||
        n->architecture.output.speedup_bytes > 1000000)
        return swq_fail(ctx, SWQ_EINVAL,
                        "speedup must be 1 to %d, the ports of a switch, not %d bytes in %d cycles",
                        f->ports, n->architecture.output.speedup_bytes,
                        n->architecture.output.speedup_cycles);
    if (a->async.at_once &&
        (!n->architecture.output.store_and_forward || n->architecture.output.speedup_cycles != 1 ||
         n->architecture.output.speedup_bytes != f->ports))
        return swq_fail(ctx, SWQ_EINVAL,
                        "architecture %s has a speedup of %d, its ports, and packets cross whole",
                        a->name, f->ports);
    return check_whole(ctx, "crossbar-delay", n->architecture.output.crossbar_delay, 1, MOST_DELAY);
}

int swq_management_least(const swq_async *n, const swq_fabric *f, bool output)
{
    return n->management.row->apart
               ? SWQ_LEAST_PART * swq_async_packet(n) * swq_management_queues(n, f, output)
               : 0;
}

/* Does each queue of a store have its own part of the memory? */
static swq_status check_parts(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const int blocks[2] = {n->memory.buffer.capacity, n->architecture.output.blocks};

    for (int k = 0; k < (n->architecture.row->async.output_stores ? 2 : 1); k++) {
        const int least = swq_management_least(n, f, k == 1);
        if (blocks[k] < least)
            return swq_fail(
                ctx, SWQ_EINVAL,
                "management %s needs %d bytes in %s, for %d packets of %d bytes in each "
                "of %d queues, not %d",
                n->management.row->name, least * n->packet.block,
                k ? "an output store" : "an input", SWQ_LEAST_PART, n->packet.max,
                swq_management_queues(n, f, k == 1), blocks[k] * n->packet.block);
    }
    return SWQ_OK;
}

/* Checks stores whose queues share a memory. */
static swq_status check_queues(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_buffer *b = &n->memory.buffer;

    if (n->management.row &&
        n->management.row->stores) /* the management's own hooks have checked it */
        return SWQ_OK;
    if (!swq_async_managed(n))
        return n->management.xoff || n->management.xon || n->management.queues
                   ? swq_fail(ctx, SWQ_EINVAL, "queues, xoff and xon are for a management")
                   : SWQ_OK;
    const char *name = n->management.row->name;
    if (!n->architecture.row->async.input_buffers && !n->architecture.row->async.stores)
        return swq_fail(ctx, SWQ_EINVAL,
                        "management %s is for architectures input-queued and cioq, not for %s",
                        name, n->architecture.row->name);
    if (n->flow.row->credits || n->flow.row->stop_go)
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is not for management %s, whose stores tell their senders by "
                        "xoff and xon",
                        n->flow.row->name, name);
    if (b->read != SWQ_READ_ONE || b->queue_min > 0 || b->queue_max < b->capacity || b->alpha > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "management %s has queues that share one memory and one read port: it has "
                        "no queue-min, queue-max, alpha or read",
                        name);
    if (n->management.row->default_queues)
        return check_whole(ctx, "queues", n->management.queues, 1, SWQ_MAX_STORE_QUEUES);
    if (n->management.queues)
        return swq_fail(ctx, SWQ_EINVAL, "management %s has its own number of queues, not %d", name,
                        n->management.queues);
    const int queues = n->management.row->hooks->queues(n, f, false);
    if (queues > SWQ_MAX_STORE_QUEUES)
        return swq_fail(ctx, SWQ_EINVAL,
                        "management %s would need %d queues in a store, which has at most %d", name,
                        queues, SWQ_MAX_STORE_QUEUES);
    return check_parts(ctx, n, f);
}

static swq_status check_management(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    swq_status status = check_queues(ctx, n, f);

    if (!status && swq_async_managed(n) && n->management.row->to_shortest &&
        (n->management.xoff || n->management.xon || n->flow.row->threshold))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "management %s has no xoff, xon or threshold: which queue a packet will "
                          "join is not known before it comes",
                          n->management.row->name);
    if (!status && n->interface.present)
        status = swq_interfaces_check(ctx, n);
    return status;
}

/* Checks the parameters of a management that detects congestion in the stores before links: the
 * architecture has such stores, and the thresholds fit into them. */
static swq_status check_upstream(swq_context *ctx, const swq_async *n)
{
    const int most = n->architecture.output.blocks / swq_async_packet(n);

    if (!n->architecture.row->async.output_stores || n->architecture.row->async.at_once)
        return swq_fail(ctx, SWQ_EINVAL,
                        "management %s is for architecture cioq, which has stores before links, "
                        "not for %s",
                        n->management.row->name, n->architecture.row->name);
    if (n->management.xoff)
        return swq_fail(ctx, SWQ_EINVAL,
                        "xoff must not be given with management %s, which has "
                        "detect and xon",
                        n->management.row->name);
    if (n->management.detect < 1 || n->management.detect >= most)
        return swq_fail(ctx, SWQ_EINVAL,
                        "detect must be 1 to %d with management %s, less than the %d packets that "
                        "a store before a link has room for, not %d",
                        most - 1, n->management.row->name, most, n->management.detect);
    return check_whole(ctx, "xon", n->management.xon, 1, n->management.detect);
}

/* Checks the notices that stop a queue and let it go on: xoff and xon. */
static swq_status check_notices(swq_context *ctx, const swq_async *n)
{
    const int most = n->memory.buffer.capacity / swq_async_packet(n);

    if (swq_async_managed(n) && n->management.row->tells_upstream)
        return check_upstream(ctx, n);
    if (!swq_async_managed(n) || (!n->management.xoff && !n->management.xon))
        return SWQ_OK;
    if (n->management.xoff < 1 || n->management.xoff > most)
        return swq_fail(ctx, SWQ_EINVAL,
                        "xoff must be 1 to %d, the packets of %d bytes that an input has room for, "
                        "not %d",
                        most, n->packet.max, n->management.xoff);
    return check_whole(ctx, "xon", n->management.xon, 0, n->management.xoff - 1);
}

static swq_status check_rows(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    if (!n->flow.row)
        return swq_fail(ctx, SWQ_EINVAL, "flow must be given");
    if (!n->arbiter.row)
        return swq_fail(ctx, SWQ_EINVAL, "arbiter must be given");
    if (n->arbiter.row->most_ports && f->ports > n->arbiter.row->most_ports)
        return swq_fail(ctx, SWQ_EINVAL, "arbiter %s is for switches of at most %d ports, not %d",
                        n->arbiter.row->name, n->arbiter.row->most_ports, f->ports);
    if (n->flow.row->threshold)
        return check_whole(ctx, "threshold", n->flow.threshold, 0, SWQ_MAX_BUFFER_BLOCKS);
    return SWQ_OK;
}

/* Checks that the network supports a choice of outputs, if it has one. */
static swq_status check_routing(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    if (n->arbiter.choice && !swq_shape_adaptive(&n->shape))
        return swq_fail(ctx, SWQ_EINVAL, "choice is for routing adaptive, not for deterministic");
    if (n->arbiter.choice && !n->arbiter.row->unrolled && !swq_async_stores(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "choice is for arbiter %s, not for %s, which matches queues to outputs "
                        "itself",
                        swq_arbiter_rotating.name, n->arbiter.row->name);
    if (n->arbiter.choice && n->arbiter.choice->by_turn && !n->architecture.row->async.lanes)
        return swq_fail(
            ctx, SWQ_EINVAL, "choice %s is for architecture %s, which has lanes, not %s",
            n->arbiter.choice->name, swq_wormhole_lanes.name, n->architecture.row->name);
    if (swq_shape_chooses(&n->shape) && n->architecture.row != &swq_wormhole_lanes)
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing %s is for architecture %s, which has lanes for each link of a "
                        "way, not for %s",
                        n->shape.routing->name, swq_wormhole_lanes.name, n->architecture.row->name);
    if (n->shape.routing && n->shape.routing->by_another &&
        n->architecture.row != &swq_wormhole_lanes)
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing %s is for architecture %s, which has lanes for both halves of a "
                        "way, not for %s",
                        n->shape.routing->name, swq_wormhole_lanes.name, n->architecture.row->name);
    if (n->shape.drawn_ways && n->architecture.row != &swq_wormhole_lanes)
        return swq_fail(ctx, SWQ_EINVAL,
                        "ways drawn is for architecture %s, whose packets carry what was drawn, "
                        "not for %s",
                        swq_wormhole_lanes.name, n->architecture.row->name);
    if (!swq_shape_adaptive(&n->shape))
        return SWQ_OK;
    if (swq_async_managed(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing must be deterministic with a management (%s), whose queues are "
                        "for the ways of packets, not %s",
                        n->management.row->name, n->shape.routing->name);
    if (swq_credits_ask(n) && f->escapes > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is not for escape queues, for each of which a packet's room is "
                        "reserved (routing %s in topology %s): --flow block, maximum-usage",
                        n->flow.row->name, n->shape.routing->name, n->shape.kind->name);
    if (swq_credits_ask(n) && n->arbiter.choice &&
        (n->arbiter.choice->by_room || n->arbiter.choice->by_queue))
        return swq_fail(ctx, SWQ_EINVAL,
                        "choice %s depends on the contents of stores, which flow %s does not show: "
                        "choice must be random or first",
                        n->arbiter.choice->name, n->flow.row->name);
    return SWQ_OK;
}

static swq_status check_flow(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    if (!swq_acks_ask(n) &&
        (n->flow.answers.path_hops || n->flow.answers.stages || n->flow.answers.no_abort ||
         n->flow.answers.no_restrict || n->flow.answers.no_requeue || n->flow.answers.no_preroute))
        return swq_fail(ctx, SWQ_EINVAL,
                        "path-hops, destination-stages, no-abort, no-restrict, no-requeue and "
                        "no-preroute are for flows destination and path, not for %s",
                        n->flow.row->name);
    return n->flow.row->hooks ? n->flow.row->hooks->check(ctx, n, swq_async_queues(n, f)) : SWQ_OK;
}

/* Only in lanes do sets of ports have more members. */
static swq_status check_ports(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    if (f->ports <= SWQ_MAX_FABRIC_PORTS || !n->architecture.row ||
        n->architecture.row->async.lanes)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "architecture %s is for switches of at most %d ports, and those of this %s "
                    "have %d; wormhole takes so many",
                    n->architecture.row->name, SWQ_MAX_FABRIC_PORTS, swq_shape_name(&n->shape),
                    f->ports);
}

/* Which options a row takes is said by members of the row itself. */
static const swq_takes takes = {.who = "the asynchronous engine",
                                .needs = SWQ_NEEDS(SWQ_NEED_OUTPUTS) | SWQ_NEEDS(SWQ_NEED_BYTES)};

swq_status swq_async_check(swq_context *ctx, const swq_async *n, uint32_t *nodes)
{
    swq_fabric f = {0};
    swq_status status = swq_fabric_count(ctx, &n->shape, &f);

    if (!status)
        status = check_ports(ctx, n, &f);
    if (!status)
        status = check_buffer(ctx, n, &f);
    if (!status)
        status = check_last(ctx, n, &f);
    if (!status)
        status = check_whole(ctx, "hop-delay", n->link.hop_delay, 1, MOST_DELAY);
    if (!status)
        status = check_whole(ctx, "link-rest", n->link.rest, 0, MOST_DELAY);
    if (!status)
        status = check_whole(ctx, "release", (int)n->memory.release, SWQ_RELEASE_BLOCKS,
                             SWQ_RELEASE_AFTER);
    if (!status && n->memory.release == SWQ_RELEASE_AFTER)
        status = check_whole(ctx, "release", n->memory.release_cycles, 1, MOST_DELAY);
    if (!status)
        status = check_rows(ctx, n, &f);
    if (!status)
        status = check_architecture(ctx, n, &f);
    if (!status)
        status = check_management(ctx, n, &f);
    if (!status)
        status = check_notices(ctx, n);
    if (!status)
        status = swq_pieces_check(ctx, n, &f);
    if (!status)
        status = check_routing(ctx, n, &f);
    if (!status)
        status = check_flow(ctx, n, &f);
    if (!status && (n->traffic.groups < (n->traffic.trace ? 0 : 1) ||
                    n->traffic.groups > SWQ_MAX_SENDER_GROUPS))
        status = swq_fail(ctx, SWQ_EINVAL, "groups must be 1 to %d, not %d", SWQ_MAX_SENDER_GROUPS,
                          n->traffic.groups);
    for (int g = 0; !status && g < n->traffic.groups; g++)
        status = check_priority(ctx, n, n->traffic.group[g].priority);
    for (int g = 0; !status && !n->traffic.trace && g < n->traffic.groups; g++)
        status = check_group(ctx, n, &n->traffic.group[g], &f);
    if (!status)
        status = swq_multicast_check(ctx, n, &f);
    if (!status && !n->traffic.trace)
        status = check_times(ctx, n, f.nodes);
    if (!status && n->traffic.trace)
        status = check_trace(ctx, n, &f);
    if (!status)
        status = swq_after_check(ctx, n);
    if (!status)
        status = swq_messages_check(ctx, n);
    if (!status)
        status = swq_scheme_check(ctx, n, &f);
    if (!status)
        status = swq_gate_async(ctx, &takes, n);
    if (!status)
        *nodes = f.nodes;
    return status;
}

swq_status swq_async_check_senders(swq_context *ctx, const swq_async *n, swq_fabric *counted)
{
    swq_fabric f = {0};
    swq_status status = swq_fabric_count(ctx, &n->shape, &f);

    if (!status)
        status = check_whole(ctx, "max-packet", n->packet.max, 1, SWQ_MAX_PACKET);
    if (!status)
        status = check_whole(ctx, "link-rest", n->link.rest, 0, MOST_DELAY);
    if (!status && (n->traffic.groups < (n->traffic.trace ? 0 : 1) ||
                    n->traffic.groups > SWQ_MAX_SENDER_GROUPS))
        status = swq_fail(ctx, SWQ_EINVAL, "groups must be 1 to %d, not %d", SWQ_MAX_SENDER_GROUPS,
                          n->traffic.groups);
    for (int g = 0; !status && !n->traffic.trace && g < n->traffic.groups; g++)
        status = check_group(ctx, n, &n->traffic.group[g], &f);
    if (!status)
        *counted = f;
    return status;
}
