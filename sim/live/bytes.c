/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of the asynchronous engine that are stepped. What a caller offers is a message of its
 * sender; a watch of the network tells of the ends of messages.
 */
#include "sim/live/live.h"

#include "base/context.h"
#include "sim/frame/timings.h"
#include "sim/measure/run.h"
#include "sim/traffic/groups.h"
#include "switchq/graph.h"

#include <string.h>

static uint32_t cycle_of(const swq_live *live)
{
    return live->async_net->cycle;
}

/* All that are in the network. */
static size_t most_ends(const swq_live *live)
{
    return live->async_net->messages.count;
}

static void keep_end(void *arg, const swq_message_end *end)
{
    swq_live_keep_end(arg, &(swq_live_end){.cycle = (uint64_t)end->birth + end->tail,
                                           .birth = end->birth,
                                           .latency_cycles = end->tail,
                                           .head_cycles = end->head,
                                           .from = end->from,
                                           .to = end->to,
                                           .bytes = (uint32_t)end->bytes});
}

/* ---- offers ---- */

/* Can a caller's message take the place of the next message of a group's source, and the source's
 * intervals be changed? */
static swq_status check_source(swq_context *ctx, const swq_sender_group *g, const char *what)
{
    if (g->kind != SWQ_SOURCE_HOLD && !g->silent)
        return swq_fail(ctx, SWQ_EINVAL,
                        "%s sources that hold one packet: sources must be hold, or load 0", what);
    if (g->from_start)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "%s sources whose intervals begin when a packet has been sent, not when its "
            "transmission begins",
            what);
    return SWQ_OK;
}

static swq_status check_bytes(const swq_live *live, uint32_t bytes)
{
    const uint32_t most = (uint32_t)live->async.packet.max, rest = bytes % most;
    const uint32_t least = (uint32_t)live->shortest;

    if (bytes > SWQ_MAX_MESSAGE)
        return swq_fail(live->ctx, SWQ_EINVAL, "bytes must be 0 to %d, not %u",
                        (int)SWQ_MAX_MESSAGE, bytes);
    if (rest && rest < least)
        return swq_fail(live->ctx, SWQ_EINVAL,
                        "bytes must not leave a packet shorter than the %u bytes of the network's "
                        "own shortest, as %u do",
                        least, bytes);
    return SWQ_OK;
}

static swq_status check_offer(const swq_live *live, const swq_live_packet *p)
{
    static const char *const what = "packets are offered to";
    const swq_sent *t = &live->async.traffic;
    swq_context *ctx = live->ctx;

    if (t->trace)
        return swq_fail(ctx, SWQ_EINVAL, "%s sources, and this network has a trace", what);
    swq_status status = swq_live_check_nodes(live, p);
    if (status)
        return status;
    const int group = live->async_net->group_of[p->from];
    if (group == t->groups)
        return swq_fail(ctx, SWQ_EINVAL, "%s nodes in a group of senders, and node %u is in none",
                        what, p->from);
    const swq_sender_group *g = &t->group[group];
    status = check_source(ctx, g, what);
    if (!status && g->burst > 1)
        status = swq_fail(ctx, SWQ_EINVAL, "%s sources without bursts: burst must be 1, not %g",
                          what, g->burst);
    if (!status && live->async_net->timed)
        status = swq_fail(ctx, SWQ_EINVAL, "%s groups of senders that neither begin nor end", what);
    if (!status && p->high)
        status =
            swq_fail(ctx, SWQ_EINVAL, "an asynchronous network has no packets of high priority");
    if (!status && p->to == p->from && live->fabric.shape.kind->point_to_point)
        status = swq_fail(ctx, SWQ_EINVAL, "destination must not be the source, %u, in topology %s",
                          p->to, live->fabric.shape.kind->name);
    return status ? status : check_bytes(live, p->bytes);
}

static bool is_full(const swq_live *live, uint32_t source)
{
    return !swq_sender_is_idle(live->async_net, source);
}

static void take(swq_live *live, const swq_live_packet *p)
{
    const uint32_t bytes = p->bytes ? p->bytes : (uint32_t)live->async.packet.max;

    swq_sender_give(live->async_net, p->from, p->to, bytes);
}

static swq_status set_load(swq_live *live, double load)
{
    const swq_async *n = &live->async;
    swq_status status = SWQ_OK;

    if (n->traffic.trace)
        return swq_fail(live->ctx, SWQ_EINVAL, "load does not go with a trace");
    if (live->async_net->timed)
        return swq_fail(live->ctx, SWQ_EINVAL,
                        "load is set of groups of senders that neither begin nor end");
    for (int g = 0; g < n->traffic.groups && !status; g++) {
        status = check_source(live->ctx, &live->group[g], "load is set of");
        if (!status && !live->group[g].by_load && swq_has_slow_senders(n))
            status = swq_fail(live->ctx, SWQ_EINVAL,
                              "load is set of senders that were opened with a load, where links "
                              "from nodes have several speeds");
        if (!status && live->group[g].node_load)
            status = swq_fail(live->ctx, SWQ_EINVAL, "load does not go with loads of single nodes");
    }
    if (status)
        return status;
    swq_sender_group before[SWQ_MAX_SENDER_GROUPS];
    memcpy(before, live->group, sizeof before);
    for (int g = 0; g < n->traffic.groups; g++)
        swq_sender_group_load(n, &live->group[g], load);
    if (swq_async_shortest(n) < live->shortest) {
        memcpy(live->group, before, sizeof before);
        return swq_fail(live->ctx, SWQ_EINVAL,
                        "a network that was opened with load 0 has no room for messages shorter "
                        "than the longest packet: open it with a load above 0");
    }
    swq_senders_set_load(live->async_net, true);
    return SWQ_OK;
}

/* ---- reading ---- */

static swq_live_shape shape_of(const swq_live *live)
{
    const swq_async_net *net = live->async_net;

    return (swq_live_shape){.nodes = net->system.nodes,
                            .stages = 1,
                            .switches = net->crossbars,
                            .rows = swq_watch_rows(net),
                            .outputs = (uint32_t)net->ports,
                            .columns = swq_watch_columns(net),
                            .slots = (uint32_t)net->system.store_room[0]};
}

static void occupancy(const swq_live *live, uint32_t *held)
{
    swq_watch_hold_by_queue(live->async_net, held);
}

static uint64_t waiting(const swq_live *live, uint32_t source)
{
    uint64_t packets = 0, age = 0, bytes = 0;

    swq_sender_audit(live->async_net, source, &packets, &age, &bytes);
    return packets;
}

/* ---- the state ---- */

static void state_of(swq_live *live, swq_state *state)
{
    swq_async_net_state_of(live->async_net, state);
    swq_state_add(state, live->system->histogram,
                  (size_t)live->system->cells * SWQ_HISTOGRAM_BINS *
                      sizeof *live->system->histogram);
    for (int g = 0; g < live->async.traffic.groups; g++) {
        swq_state_add(state, &live->group[g].interval, sizeof live->group[g].interval);
        swq_state_add(state, &live->group[g].silent, sizeof live->group[g].silent);
    }
}

static void restored(swq_live *live)
{
    if (!live->async.traffic.trace)
        swq_senders_set_load(live->async_net, false);
}

static void mix_numbers(uint64_t *hash, const int *number, int count)
{
    for (int k = 0; k < count; k++)
        swq_live_mix_number(hash, number[k]);
}

/* The fabric as it is laid out says more than the numbers of its shape. */
static void mix_fabric(uint64_t *hash, const swq_fabric *f)
{
    const size_t ports = (size_t)f->switches * (size_t)f->ports;
    const swq_shape *s = &f->shape;
    const int number[] = {f->ports,          f->classes,         f->escapes,
                          s->ugal_threshold, (int)s->ugal_queue, s->straight_factor,
                          s->detour_factor,  s->late_credits,    s->drawn_ways};

    swq_live_mix_text(hash, s->kind->name);
    swq_live_mix_text(hash, s->routing ? s->routing->name : swq_routings[0]->name);
    mix_numbers(hash, number, sizeof number / sizeof *number);
    swq_live_mix(hash, f->link, ports * sizeof *f->link);
    swq_live_mix(hash, f->entry, f->nodes * sizeof *f->entry);
    if (f->output)
        swq_live_mix(hash, f->output, ports * (size_t)f->classes);
    for (size_t k = 0; s->graph && s->graph->delays && k < ports; k++)
        swq_live_mix_number(hash, s->graph->delays[k]);
    for (size_t k = 0; s->graph && s->graph->speed_of && k < ports; k++)
        swq_live_mix_number(hash, swq_graph_link_speed(s->graph, (uint32_t)k));
}

static void mix_design(uint64_t *hash, const swq_switch_design *d)
{
    const swq_link_lanes *l = &d->lanes;
    const int number[] = {d->output.blocks,
                          d->output.speedup_bytes,
                          d->output.speedup_cycles,
                          d->output.crossbar_delay,
                          d->output.store_and_forward,
                          l->count,
                          l->of_node,
                          l->flits,
                          l->pool,
                          l->reserve,
                          l->reserve_in_use,
                          l->escapes_alike,
                          l->escapes_kept,
                          l->given_empty,
                          l->router_delay[0],
                          l->router_delay[1],
                          l->router_delay[2],
                          l->router_delay[3],
                          l->link_delay};

    swq_live_mix_text(hash, d->row->name);
    swq_live_mix_text(hash, l->choice->name);
    mix_numbers(hash, number, sizeof number / sizeof *number);
    mix_numbers(hash, l->level_delay, SWQ_MAX_LEVELS);
}

static void mix_type(uint64_t *hash, const swq_message_type *type, const swq_drawing_type *drawn,
                     uint32_t nodes)
{
    const swq_destinations *m = type->matrix;

    swq_live_mix_number(hash, type->probability);
    swq_live_mix_number(hash, type->aim);
    swq_live_mix_number(hash, type->mask);
    swq_live_mix_number(hash, type->value);
    swq_live_mix_number(hash, type->length.kind);
    swq_live_mix_number(hash, type->length.first);
    swq_live_mix_number(hash, type->length.second);
    if (type->pattern)
        swq_live_mix_text(hash, type->pattern->name);
    if (drawn->image)
        swq_live_mix(hash, drawn->image, nodes * sizeof *drawn->image);
    if (m) {
        swq_live_mix(hash, m->to, m->first[nodes] * sizeof *m->to);
        swq_live_mix(hash, drawn->row_sum, m->first[nodes] * sizeof *drawn->row_sum);
    }
}

/* The intervals are part of the state. */
static void mix_traffic(uint64_t *hash, const swq_live *live)
{
    const swq_sent *t = &live->async.traffic;
    const uint32_t nodes = live->fabric.nodes;

    for (int g = 0; g < t->groups; g++) {
        const swq_sender_group *group = &t->group[g];
        const uint32_t number[] = {group->mask, group->value, group->from, group->until};
        swq_live_mix(hash, number, sizeof number);
        swq_live_mix_number(hash, group->kind);
        swq_live_mix_number(hash, group->from_start);
        swq_live_mix_number(hash, group->burst);
        if (group->node_load)
            swq_live_mix(hash, group->node_load, nodes * sizeof *group->node_load);
        for (int k = 0; k < group->types && !t->trace; k++)
            mix_type(hash, &group->type[k], &live->async_net->group[g].type[k], nodes);
    }
    for (uint64_t k = 0; t->trace && k < t->trace_messages; k++) {
        const uint64_t line[] = {t->trace[k].cycle, t->trace[k].source, t->trace[k].destination,
                                 t->trace[k].bytes};
        swq_live_mix(hash, line, sizeof line);
    }
    for (uint64_t k = 0; k < t->dependencies; k++) {
        const uint64_t line[] = {t->dependency[k].message, t->dependency[k].on,
                                 t->dependency[k].delay};
        swq_live_mix(hash, line, sizeof line);
    }
    if (live->async_net->sets.sets) /* they are drawn for the seed */
        swq_live_mix(hash, &live->options.seed, sizeof live->options.seed);
}

static void mix_flow(uint64_t *hash, const swq_flow_control *f)
{
    const int number[] = {f->threshold,
                          (int)f->credit_unit,
                          f->credit_delay,
                          f->stop,
                          f->go,
                          f->answers.path_hops,
                          f->answers.stages,
                          f->answers.no_abort,
                          f->answers.no_restrict,
                          f->answers.no_requeue,
                          f->answers.no_preroute,
                          f->counters.sigma,
                          f->counters.x_inc,
                          f->counters.x_dec,
                          f->counters.y,
                          f->counters.y_max};

    swq_live_mix_text(hash, f->row->name);
    mix_numbers(hash, number, sizeof number / sizeof *number);
}

static uint64_t identity_of(const swq_live *live)
{
    const swq_async *n = &live->async;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    const int number[] = {n->packet.block,          n->packet.max,
                          n->packet.piece,          n->memory.last_blocks,
                          n->memory.bytes,          (int)n->memory.release,
                          n->memory.release_cycles, n->arbiter.iterations,
                          n->link.hop_delay,        n->link.rest};

    mix_fabric(&hash, &live->fabric);
    mix_design(&hash, &n->architecture);
    mix_numbers(&hash, number, sizeof number / sizeof *number);
    if (swq_links_unlike(n))
        swq_live_mix_number(&hash, n->shape.graph->delay);
    swq_live_mix_buffer(&hash, &n->memory.buffer);
    swq_live_mix_text(&hash, n->arbiter.row->name);
    swq_live_mix_text(&hash, n->arbiter.choice ? n->arbiter.choice->name : "");
    mix_flow(&hash, &n->flow);
    mix_traffic(&hash, live);
    return hash;
}

/* ---- beginning and end ---- */

static void release(swq_live *live)
{
    if (live->async_net)
        live->system->release(live->ctx, live->system);
    swq_fabric_clear(live->ctx, &live->fabric);
}

static const swq_live_engine engine = {
    .cycle = cycle_of,
    .most_ends = most_ends,
    .check_offer = check_offer,
    .is_full = is_full,
    .take = take,
    .shape = shape_of,
    .occupancy = occupancy,
    .waiting = waiting,
    .set_load = set_load,
    .state = state_of,
    .restored = restored,
    .identity = identity_of,
    .free = release,
};

static swq_status check(swq_context *ctx, const swq_async *n, bool follow)
{
    uint32_t nodes;
    char text[64];
    swq_status status = swq_async_check(ctx, n, &nodes);

    if (status)
        return status;
    if (swq_async_without_state(n, text, sizeof text))
        return swq_fail(ctx, SWQ_EINVAL, "%s is not for a network that is stepped", text);
    if (follow && swq_multicast_asked(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "packets are followed in networks whose messages are for one node each");
    return SWQ_OK;
}

static swq_status make(swq_live *live)
{
    swq_context *ctx = live->ctx;
    double bytes;
    swq_status status = swq_fabric_make(ctx, &live->async.shape, &live->fabric);

    if (!status)
        status = swq_async_net_bytes(ctx, &live->async, &live->run, &live->fabric, &bytes);
    if (!status)
        status = swq_run_check_memory(ctx, bytes + swq_fabric_bytes(&live->fabric), 1);
    if (!status)
        status =
            swq_async_net_new(ctx, &live->async, &live->run, &live->fabric, 0, &live->async_net);
    if (status)
        return status;
    live->system = &live->async_net->system;
    live->system->begin(live->system); /* measuring begins in cycle 0 */
    const swq_store_hooks *stores = live->async_net->stores;
    live->shortest = stores && stores->by_flit ? 1 : swq_async_shortest(&live->async);
    if (live->options.follow) {
        live->watch = (swq_async_watch){.message = keep_end, .arg = live};
        status = swq_watch_new(ctx, live->async_net, &live->watch);
        live->token_room = live->async.traffic.trace ? 0 : live->async_net->messages.count;
    }
    return status ? status : swq_live_finish(live);
}

swq_status swq_live_open_async(swq_context *ctx, const swq_async *network,
                               const swq_live_options *options, swq_live **made)
{
    swq_live *live;
    swq_status status = check(ctx, network, options->follow);

    if (!status)
        status = swq_live_begin(ctx, options, &live);
    if (status)
        return status;
    live->engine = &engine;
    live->async = *network;
    if (network->traffic.groups)
        memcpy(live->group, network->traffic.group,
               (size_t)network->traffic.groups * sizeof *live->group);
    live->async.traffic.group = live->group;
    live->async.traffic.told = options->follow;
    live->async.general = network->general || options->plain;
    status = make(live);
    if (status)
        swq_live_close(live);
    else
        *made = live;
    return status;
}
