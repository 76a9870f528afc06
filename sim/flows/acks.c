/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Acknowledged flow controls: what can be asked for, what a network has for them, and the search
 * for packets that are refused for ever. Source: Dias and Kumar (1989); Frazier (1995), 8.4.4 and
 * 8.4.5.
 */
#include "sim/frame/acks.h"

#include "base/context.h"
#include "models/buffers/buffers.h"
#include "sim/flows/flows.h"
#include "sim/frame/flow.h"

#include <string.h>

/* ---- options that fit ---- */

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

/* Refuses options that acknowledged flow controls do not model. */
static swq_status check_network(swq_context *ctx, const swq_async *n)
{
    const char *flow = n->flow.row->name;

    if (!n->shape.wiring)
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is for multistage networks, not for topology %s: packets that "
                        "wait for answers could block one another in a circle",
                        flow, n->shape.kind->name);
    if (n->architecture.row->async.output_stores || !n->architecture.row->async.input_buffers)
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is for --architecture input-queued, where a packet is refused by "
                        "the next buffer, not for %s",
                        flow, n->architecture.row->name);
    if (swq_async_managed(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s is not for networks with a management (%s), which block", flow,
                        n->management.row->name);
    return SWQ_OK;
}

static swq_status check(swq_context *ctx, const swq_async *n, int queues)
{
    const swq_buffer *b = &n->memory.buffer;
    const int packet = swq_async_packet(n), stages = n->shape.stages;
    const int longest = b->queue_max < b->capacity ? b->queue_max : b->capacity;
    swq_status status = check_network(ctx, n);

    if (status)
        return status;
    if (longest < 2 * packet)
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow %s needs queues of at least two packets, %d blocks, so that a "
                        "refused packet leaves its place to another one; a queue of this buffer "
                        "has at most %d block%s%s",
                        n->flow.row->name, 2 * packet, longest, plural(longest),
                        swq_buffer_partitioned(b) && queues > 1 ? ", a part" : "");
    if (n->flow.row->by_path &&
        (n->flow.answers.path_hops < 1 || n->flow.answers.path_hops > stages))
        return swq_fail(ctx, SWQ_EINVAL,
                        "path-hops must be 1 to %d, the stage%s of the network, not %d", stages,
                        plural(stages), n->flow.answers.path_hops);
    if (n->flow.answers.stages < 0 || n->flow.answers.stages > stages)
        return swq_fail(ctx, SWQ_EINVAL,
                        "destination-stages must be 1 to %d, the stage%s of the network, not %d",
                        stages, plural(stages), n->flow.answers.stages);
    if (n->flow.answers.no_requeue && !swq_acks_requeue(n, queues))
        return swq_fail(ctx, SWQ_EINVAL,
                        "no-requeue is for buffers whose queues close one by one (a threshold, "
                        "parts, limits): packets of one queue are closed out together here");
    if (n->flow.answers.no_requeue && n->flow.answers.no_preroute)
        return swq_fail(ctx, SWQ_EINVAL,
                        "no-requeue is for senders that see which queues are closed, not for "
                        "no-preroute");
    return SWQ_OK;
}

bool swq_acks_requeue(const swq_async *n, int queues)
{
    const swq_buffer *b = &n->memory.buffer;
    const bool by_queue = n->flow.row->threshold || b->queue_max < b->capacity ||
                          b->queue_min > 0 || b->alpha > 0 || swq_buffer_partitioned(b);

    return queues > 1 && by_queue;
}

/* ---- ways ---- */

uint32_t swq_ack_key(const swq_async_net *net, uint32_t port, uint32_t from, uint32_t to)
{
    const swq_fabric *f = net->fabric;
    int hops = net->acks->hops;
    uint32_t key = 0;

    if (!hops)
        return to;
    for (; hops > 0; hops--) {
        const int class = f->shape.kind->route(f, port, from, to);
        const uint32_t out = f->output[(size_t)port * (uint32_t)f->classes + (uint32_t) class];
        key = key * (uint32_t)f->ports + out;
        port = f->link[port - port % (uint32_t)f->ports + out];
        if (port & SWQ_TO_NODE)
            break;
    }
    return key;
}

/* ---- packets that never move ---- */

/* Is a transmission under way at store `port`? It will be answered, so its packet is not stuck. */
bool swq_ack_under_way(const swq_async_net *net, uint32_t port)
{
    return net->acks && net->acks->underway[port];
}

/* Will a store clear the marks of packets that it refused? It will if a packet there that caused
 * marks (a BLOCKER) can move. */
bool swq_ack_clears(const swq_async_net *net, uint32_t port)
{
    const swq_acks *a = net->acks;
    const swq_parcel *store = swq_parcels_of(net, port);

    if (a->underway[port])
        return true;
    for (swq_walk w = swq_walk_begin(net, port); w.now; swq_walk_on(&w)) {
        const swq_queue *queue = &swq_queues_of(net, port)[swq_walk_queue(&w)];
        if (!net->movable[queue - net->queue])
            continue;
        for (uint16_t slot = queue->head; slot != SWQ_NO_SLOT; slot = store[slot].next) {
            if (a->blocker[swq_ack_at(net, port, slot)])
                return true;
        }
    }
    return false;
}

bool swq_find_livelock(const swq_async_net *net)
{
    return net->acks && net->acks->most.times >= SWQ_LIVELOCK;
}

/* ---- beginning and end ---- */

static void list_arrays(const swq_async_net *net, swq_acks *a, swq_arrays *list)
{
    const double inputs = net->inputs, parcels = inputs * net->slots;

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, a->flight, a->flights);
    SWQ_ARRAY(list, a->key, parcels);
    SWQ_ARRAY(list, a->mark, parcels);
    SWQ_ARRAY(list, a->refused, parcels);
    SWQ_ARRAY(list, a->blocker, parcels);
    SWQ_ARRAY(list, a->cleared, inputs);
    SWQ_ARRAY(list, a->pick, inputs * net->queues);
    SWQ_ARRAY(list, a->underway, inputs);
    SWQ_ARRAY(list, a->rule, inputs);
    SWQ_ARRAY(list, a->sender_mark, net->fabric->nodes);
    SWQ_ARRAY(list, a->sender_refused, net->fabric->nodes);
}

static swq_acks as_asked(const swq_async_net *net)
{
    const swq_async *n = net->spec;

    return (swq_acks){
        .flights = net->fabric->nodes + net->inputs,
        .answer = net->hop_delay + 1,
        .restricted = !n->flow.answers.no_restrict,
        .requeue = !n->flow.answers.no_requeue && swq_acks_requeue(n, net->queues),
        .abort = !n->flow.answers.no_abort,
        .blind = n->flow.answers.no_preroute,
        .relinks = net->queues > 1 && !swq_buffer_partitioned(&n->memory.buffer),
        .hops = n->flow.row->by_path ? n->flow.answers.path_hops : 0,
    };
}

static double bytes(const swq_async_net *net)
{
    swq_acks a = as_asked(net);
    swq_arrays list;

    list_arrays(net, &a, &list);
    return sizeof a + swq_arrays_bytes(&list);
}

static swq_status make(swq_context *ctx, swq_async_net *net)
{
    const int stages = net->spec->flow.answers.stages;
    swq_arrays list;

    net->acks = swq_calloc(ctx, 1, sizeof *net->acks);
    if (!net->acks)
        return swq_memory_status(ctx);
    *net->acks = as_asked(net);
    list_arrays(net, net->acks, &list);
    swq_status status = swq_arrays_take(ctx, &list);
    if (status)
        return status;
    for (uint32_t port = 0; port < net->inputs; port++) {
        net->acks->rule[port] = stages == 0 || net->fabric->in_level[port] < stages;
        net->acks->cleared[port] = 1;
    }
    memset(net->acks->key, 0xff, sizeof *net->acks->key * net->inputs * (size_t)net->slots);
    return SWQ_OK;
}

static void release(swq_context *ctx, swq_async_net *net)
{
    swq_arrays list;

    if (!net->acks)
        return;
    list_arrays(net, net->acks, &list);
    swq_arrays_free(ctx, &list);
    swq_free(ctx, net->acks);
    net->acks = NULL;
}

/* The time until the answer and, for relinking a packet, two cycles per block. */
static uint32_t ahead(const swq_async *spec)
{
    return (uint32_t)(1 + 2 * swq_async_packet(spec) + spec->link.rest);
}

static void keep(swq_async_net *net, swq_state *state)
{
    swq_acks *a = net->acks;
    swq_arrays list;

    list_arrays(net, a, &list);
    swq_state_add_arrays(state, &list);
    swq_state_add(state, &a->first, sizeof a->first);
    swq_state_add(state, &a->count, sizeof a->count);
    swq_state_add(state, &a->compared, sizeof a->compared);
    swq_state_add(state, &a->refusals, sizeof a->refusals);
    swq_state_add(state, &a->most, sizeof a->most);
}

/* ---- rows ---- */

/* The steps of a cycle under acknowledged flow controls are part of the general kernel:
 * flights.h. */
static const swq_flow_hooks hooks = {
    .check = check,
    .ahead = ahead,
    .bytes = bytes,
    .make = make,
    .free = release,
    .keep = keep,
};

const swq_hop_flow swq_flow_destination = {
    .name = "destination",
    .summary = "a buffer refuses a packet while it holds another for the same node",
    .source = "Dias and Kumar (1989); Frazier (1995), 8.4.4",
    .by_destination = true,
    .engines = SWQ_ENGINE_ASYNC,
    .hooks = &hooks,
};

const swq_hop_flow swq_flow_destination_usage = {
    .name = "destination+maximum-usage",
    .summary =
        "both rules: destination, and a queue of more blocks than a threshold is sent nothing",
    .source = "Frazier (1995), 8.5.10",
    .by_destination = true,
    .threshold = true,
    .engines = SWQ_ENGINE_ASYNC,
    .hooks = &hooks,
};

const swq_hop_flow swq_flow_path = {
    .name = "path",
    .summary = "a buffer refuses a packet while it holds another with the same next hops",
    .source = "Frazier (1995), 8.4.5",
    .by_path = true,
    .engines = SWQ_ENGINE_ASYNC,
    .hooks = &hooks,
};

const swq_hop_flow swq_flow_path_usage = {
    .name = "path+maximum-usage",
    .summary = "both rules: path, and a queue of more blocks than a threshold is sent nothing",
    .source = "here, after Frazier (1995), 8.4.5 and 8.5.10",
    .by_path = true,
    .threshold = true,
    .engines = SWQ_ENGINE_ASYNC,
    .hooks = &hooks,
};
