/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spec of an asynchronous network: its defaults, and the checks on it.
 * Room: sim. Includes base and models.
 */
#include "base/context.h"
#include "models/arbiters/arbiters.h"
#include "sim/async/spread.h"

#include <math.h>

enum { MOST_DELAY = 4096 };

swq_async swq_async_defaults(void)
{
    return (swq_async){
        .block = 8,
        .max_packet = 32,
        .flow = &swq_flow_blocking,
        .arbiter = &swq_arbiter_rotating,
        .hop_delay = 5,
        .link_rest = 2,
    };
}

void swq_sender_group_load(const swq_async *network, swq_sender_group *group, double load)
{
    double bytes = 0, link_time = 0;

    for (int t = 0; t < group->types; t++) {
        const swq_message_type *type = &group->type[t];
        bytes += type->probability * swq_spread_mean(&type->length);
        link_time += type->probability *
                     swq_spread_link_time(&type->length, network->max_packet, network->link_rest);
    }
    double apart = load > 0 ? bytes / load : INFINITY;
    group->silent = load <= 0;
    group->interval = (swq_spread){SWQ_GEOMETRIC, apart, group->kind == SWQ_SOURCE_OPEN};
    if (group->kind != SWQ_SOURCE_OPEN && !group->silent) {
        apart -= link_time;
        group->interval.first = apart > 0 && load < 1 ? apart : 0;
    }
}

swq_sender_group swq_sender_group_uniform(const swq_async *network, swq_source_kind kind,
                                          double load, swq_spread length)
{
    swq_sender_group g = {
        .kind = kind,
        .type = {{.probability = 1, .pattern = &swq_pattern_uniform, .length = length}},
        .types = 1,
    };

    swq_sender_group_load(network, &g, load);
    return g;
}

static swq_status check_whole(swq_context *ctx, const char *what, int value, int least, int most)
{
    if (value >= least && value <= most)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "%s must be %d to %d, not %d", what, least, most, value);
}

static swq_status check_buffer(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    if (!n->buffer)
        return swq_fail(ctx, SWQ_EINVAL, "buffer must be given");
    if (n->buffer->scope == SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL,
                        "buffer must be one at each input port (fifo, samq, safc, damq, dafc), not "
                        "%s",
                        n->buffer->name);
    swq_status status = check_whole(ctx, "max-packet", n->max_packet, 1, SWQ_MAX_PACKET);
    if (!status)
        status = check_whole(ctx, "block", n->block, 1, SWQ_MAX_PACKET);
    if (!status)
        status = check_whole(ctx, "bytes", n->bytes, 1, SWQ_MAX_BUFFER_BLOCKS * n->block);
    if (status)
        return status;
    int queues = n->buffer->partitioned ? f->classes : 1;
    int packet = (n->max_packet + n->block - 1) / n->block;
    if (n->bytes / n->block / queues < packet)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "bytes must be at least %d, so that each of %d queue%s of %s takes a packet "
            "of %d bytes in blocks of %d, not %d",
            packet * n->block * queues, queues, queues > 1 ? "s" : "", n->buffer->name,
            n->max_packet, n->block, n->bytes);
    return SWQ_OK;
}

static swq_status check_type(swq_context *ctx, const swq_message_type *t, uint32_t nodes)
{
    uint32_t least = t->value; /* the lowest member of a subset, if it has any */

    if (!(t->probability >= 0 && t->probability <= 1))
        return swq_fail(ctx, SWQ_EINVAL, "probability of a message type must be 0 to 1, not %g",
                        t->probability);
    if (t->aim == SWQ_AIM_NODE && t->value >= nodes)
        return swq_fail(ctx, SWQ_EINVAL, "destination must be 0 to %u, not %u", nodes - 1,
                        t->value);
    if (t->aim == SWQ_AIM_SUBSET && ((t->value & t->mask) != t->value || least >= nodes))
        return swq_fail(ctx, SWQ_EINVAL,
                        "no node's number & 0x%x is 0x%x: the subset of destinations is empty",
                        t->mask, t->value);
    if (t->aim == SWQ_AIM_PATTERN && (!t->pattern || t->pattern == &swq_pattern_matrix))
        return swq_fail(ctx, SWQ_EINVAL,
                        "the pattern of a message type must be uniform or a permutation");
    if (t->aim == SWQ_AIM_PATTERN && t->pattern->objection && t->pattern->objection(nodes))
        return swq_fail(ctx, SWQ_EINVAL, "pattern %s: %s, not %u nodes", t->pattern->name,
                        t->pattern->objection(nodes), nodes);
    return swq_spread_check(ctx, "length of a message", &t->length, 1, SWQ_MAX_MESSAGE);
}

static swq_status check_group(swq_context *ctx, const swq_sender_group *g, uint32_t nodes)
{
    double sum = 0;

    if (g->silent)
        return SWQ_OK;
    if (g->kind != SWQ_SOURCE_HOLD && g->kind != SWQ_SOURCE_OPEN)
        return swq_fail(ctx, SWQ_EINVAL, "sources must be hold or open");
    swq_status status = swq_spread_check(ctx, "interval between messages", &g->interval,
                                         g->kind == SWQ_SOURCE_OPEN, SWQ_MAX_DRAWN);
    if (status)
        return status;
    if (g->types < 1 || g->types > SWQ_MAX_MESSAGE_TYPES)
        return swq_fail(ctx, SWQ_EINVAL, "message types must be 1 to %d, not %d",
                        SWQ_MAX_MESSAGE_TYPES, g->types);
    for (int t = 0; t < g->types; t++) {
        status = check_type(ctx, &g->type[t], nodes);
        if (status)
            return status;
        sum += g->type[t].probability;
    }
    if (fabs(sum - 1) > 1e-9)
        return swq_fail(ctx, SWQ_EINVAL,
                        "probabilities of a group's message types must sum to 1, not %.12g", sum);
    return SWQ_OK;
}

static swq_status check_trace(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    uint64_t before = 0;

    for (uint64_t k = 0; k < n->trace_messages; k++) {
        const swq_async_message *m = &n->trace[k];
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

static swq_status check_rows(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    if (!n->flow)
        return swq_fail(ctx, SWQ_EINVAL, "flow must be given");
    if (!n->arbiter)
        return swq_fail(ctx, SWQ_EINVAL, "arbiter must be given");
    if (n->arbiter->most_ports && f->ports > n->arbiter->most_ports)
        return swq_fail(ctx, SWQ_EINVAL, "arbiter %s is for switches of at most %d ports, not %d",
                        n->arbiter->name, n->arbiter->most_ports, f->ports);
    if (n->flow->threshold)
        return check_whole(ctx, "threshold", n->threshold, 0, SWQ_MAX_BUFFER_BLOCKS);
    return SWQ_OK;
}

swq_status swq_async_check(swq_context *ctx, const swq_async *n, uint32_t *nodes)
{
    swq_fabric f;
    swq_status status = swq_fabric_count(ctx, &n->shape, &f);

    if (!status)
        status = check_buffer(ctx, n, &f);
    if (!status)
        status = check_whole(ctx, "hop-delay", n->hop_delay, 1, MOST_DELAY);
    if (!status)
        status = check_whole(ctx, "link-rest", n->link_rest, 0, MOST_DELAY);
    if (!status)
        status = check_whole(ctx, "release", (int)n->release, SWQ_RELEASE_BLOCKS, SWQ_RELEASE_END);
    if (!status)
        status = check_rows(ctx, n, &f);
    if (!status && (n->groups < (n->trace ? 0 : 1) || n->groups > SWQ_MAX_SENDER_GROUPS))
        status = swq_fail(ctx, SWQ_EINVAL, "groups must be 1 to %d, not %d", SWQ_MAX_SENDER_GROUPS,
                          n->groups);
    for (int g = 0; !status && !n->trace && g < n->groups; g++)
        status = check_group(ctx, &n->group[g], f.nodes);
    if (!status && n->trace)
        status = check_trace(ctx, n, &f);
    if (!status)
        *nodes = f.nodes;
    return status;
}

/* Blocks of all packets, if they are all alike; else 0. */
static int same_blocks(const swq_async *n)
{
    int blocks = 0;

    if (n->trace)
        return 0;
    for (int g = 0; g < n->groups; g++) {
        for (int t = 0; t < n->group[g].types && !n->group[g].silent; t++) {
            const swq_spread *length = &n->group[g].type[t].length;
            bool whole = length->first <= n->max_packet ||
                         fmod(length->first, n->max_packet) == 0; /* split into equal packets */
            double packet = length->first < n->max_packet ? length->first : n->max_packet;
            int each = ((int)packet + n->block - 1) / n->block;
            if (length->kind != SWQ_CONSTANT || !whole || (blocks && each != blocks))
                return 0;
            blocks = each;
        }
    }
    return blocks;
}

bool swq_async_may_deadlock(const swq_async *n)
{
    const int capacity = n->bytes / n->block, packet = (n->max_packet + n->block - 1) / n->block;
    const int same = same_blocks(n);

    if (n->shape.kind != &swq_fabric_torus || n->buffer->partitioned)
        return false;
    if (n->buffer->queues == SWQ_ONE_QUEUE || !n->flow->threshold)
        return true;
    /* a queue of the threshold's length is sent one more packet */
    int longest = same ? (n->threshold / same + 1) * same : n->threshold + packet;
    return capacity - longest < packet;
}
