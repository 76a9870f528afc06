/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of the traffic of an asynchronous network: groups of senders, their messages and times,
 * and traces.
 */
#include "base/context.h"
#include "sim/async/checks.h"
#include "sim/frame/rule.h"
#include "sim/switches/check.h"
#include "sim/traffic/groups.h"
#include "sim/traffic/spread.h"
#include "sim/traffic/trace.h"

#include <math.h>
#include <stdio.h>

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

    status = g->node_load ? check_loads(ctx, g, nodes)
                          : swq_spread_check(ctx, "interval between messages", &g->interval, open,
                                             SWQ_MAX_DRAWN);
    if (!swq_sender_has_own_interval(n, g))
        return status;
    for (uint32_t i = 0; i < nodes && !status; i++) {
        const swq_spread interval = swq_sender_interval(n, g, i);
        char what[80] = "the interval between messages of a node with a slower link";
        if (g->node_load)
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
    if (g->burst > 1 && swq_has_slow_senders(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "burst must be 1 where links of nodes are slower than the fastest link of "
                        "the file (%s), not %g",
                        n->shape.graph->name, g->burst);
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
    return swq_check_whole(ctx, "priority", priority, 0, SWQ_CELL_PRIORITIES - 1);
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

/* All groups; a trace takes their place. */
static swq_status check_groups(swq_context *ctx, const swq_async *n, const swq_fabric *f,
                               bool priorities)
{
    swq_status status = SWQ_OK;

    if (n->traffic.groups < (n->traffic.trace ? 0 : 1) || n->traffic.groups > SWQ_MAX_SENDER_GROUPS)
        return swq_fail(ctx, SWQ_EINVAL, "groups must be 1 to %d, not %d", SWQ_MAX_SENDER_GROUPS,
                        n->traffic.groups);
    for (int g = 0; priorities && !status && g < n->traffic.groups; g++)
        status = check_priority(ctx, n, n->traffic.group[g].priority);
    for (int g = 0; !status && !n->traffic.trace && g < n->traffic.groups; g++)
        status = check_group(ctx, n, &n->traffic.group[g], f);
    return status;
}

swq_status swq_check_traffic(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    swq_status status = check_groups(ctx, n, f, true);

    if (!status)
        status = swq_multicast_check(ctx, n, f);
    if (status)
        return status;
    return n->traffic.trace ? check_trace(ctx, n, f) : check_times(ctx, n, f->nodes);
}

swq_status swq_async_check_senders(swq_context *ctx, const swq_async *n, swq_fabric *counted)
{
    swq_fabric f = {0};
    swq_status status = swq_fabric_count(ctx, &n->shape, &f);

    if (!status)
        status = swq_check_whole(ctx, "max-packet", n->packet.max, 1, SWQ_MAX_PACKET);
    if (!status)
        status = swq_check_whole(ctx, "link-rest", n->link.rest, 0, SWQ_MOST_DELAY);
    if (!status)
        status = check_groups(ctx, n, &f, false);
    if (!status)
        *counted = f;
    return status;
}
