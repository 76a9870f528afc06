/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recording the contents of the buffers. The engine knows nothing of the recording: the network is
 * stopped every few cycles and looked at. The marked node is a group of its own, since the engine
 * counts by group anyway.
 */
#include "switchq/record.h"

#include "base/context.h"
#include "sim/stages/net.h"

enum { MOST_FRAMES = 100000, MOST_EVERY = 10000 };

/* Sums over all cells, and over the cells of the marked node's group. */
typedef struct {
    uint64_t delivered[2], latency[2];
} totals;

static totals count(const swq_system *system)
{
    totals t = {{0}, {0}};

    for (int c = 0; c < system->cells; c++) {
        const uint64_t *cell = system->tally + swq_tally_cell(system->levels, c);
        /* all cells, and the cells of the marked node */
        const int series = c >= system->classes ? 2 : 1;
        for (int only_marked = 0; only_marked < series; only_marked++) {
            t.delivered[only_marked] += cell[SWQ_CELL_DELIVERED];
            t.latency[only_marked] += cell[SWQ_CELL_LATENCY];
        }
    }
    return t;
}

static void record_frame(swq_net *net, uint32_t frame, uint32_t marked, swq_recording *r)
{
    const totals before = count(&net->system);
    const size_t buffers = (size_t)r->stages * r->buffers;

    /* one by one, since a longer advance would end where a trace has run dry */
    for (uint32_t k = 0; k < r->every; k++)
        net->system.advance(&net->system, 1);
    const totals after = count(&net->system);
    r->delivered[frame] = (uint32_t)(after.delivered[0] - before.delivered[0]);
    r->marked_delivered[frame] = (uint32_t)(after.delivered[1] - before.delivered[1]);
    r->latency[frame] = after.latency[0] - before.latency[0];
    r->marked_latency[frame] = after.latency[1] - before.latency[1];
    r->waiting[frame] = (uint32_t)net->system.waiting;
    swq_net_hold(&net->system, marked, r->packets + frame * buffers, r->marked + frame * buffers);
}

static void list_arrays(swq_recording *r, swq_arrays *list)
{
    const double frames = r->frames, cells = frames * r->stages * r->buffers;

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, r->packets, cells);
    SWQ_ARRAY(list, r->marked, cells);
    SWQ_ARRAY(list, r->waiting, frames);
    SWQ_ARRAY(list, r->delivered, frames);
    SWQ_ARRAY(list, r->marked_delivered, frames);
    SWQ_ARRAY(list, r->latency, frames);
    SWQ_ARRAY(list, r->marked_latency, frames);
}

static swq_status record(swq_context *ctx, swq_net *net, uint32_t marked, swq_recording *r)
{
    swq_arrays list;

    r->stages = net->system.levels;
    r->buffers = net->buffers;
    r->slots = net->slots;
    list_arrays(r, &list);
    swq_status status = swq_arrays_take(ctx, &list);
    for (uint32_t f = 0; !status && f < r->frames; f++) {
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled while recording");
        record_frame(net, f, marked, r);
        if (f % 64 == 0)
            swq_progress(ctx, "recording", f, r->frames);
    }
    return status;
}

static swq_status check(swq_context *ctx, uint32_t frames, uint32_t every, uint32_t marked,
                        uint32_t nodes)
{
    if (frames < 1 || frames > MOST_FRAMES)
        return swq_fail(ctx, SWQ_EINVAL, "frames must be 1 to %d, not %u", MOST_FRAMES, frames);
    if (every < 1 || every > MOST_EVERY)
        return swq_fail(ctx, SWQ_EINVAL, "every must be 1 to %d, not %u", MOST_EVERY, every);
    if (marked >= nodes)
        return swq_fail(ctx, SWQ_EINVAL, "marked must be a node, 0 to %u, not %u", nodes - 1,
                        marked);
    return SWQ_OK;
}

swq_status swq_sim_record(swq_context *ctx, const swq_network *network, uint64_t seed,
                          uint32_t frames, uint32_t every, uint32_t marked,
                          swq_recording *recording)
{
    swq_recording made = {.frames = frames, .every = every};
    swq_sim_options options = swq_sim_defaults();
    swq_net *net = NULL;
    uint32_t nodes;
    swq_status status = swq_network_check(ctx, network, &nodes);
    if (!status && swq_switch_architecture(&network->sw) != swq_architectures[0])
        status = swq_fail(ctx, SWQ_EINVAL, "recordings are of architecture %s, not of %s",
                          swq_architectures[0]->name, network->sw.architecture->name);
    if (!status)
        status = check(ctx, frames, every, marked, nodes);
    if (status)
        return status;
    uint8_t *group = swq_calloc(ctx, nodes, 1);
    if (!group)
        return swq_memory_status(ctx);
    group[marked] = 1;
    options.seed = seed;
    options.group = group;
    options.groups = 2;
    status = swq_net_new(ctx, network, &options, 0, &net);
    if (!status)
        status = record(ctx, net, marked, &made);
    swq_net_free(ctx, net);
    swq_free(ctx, group);
    if (status)
        swq_recording_clear(ctx, &made);
    else
        *recording = made;
    return status;
}

void swq_recording_clear(swq_context *ctx, swq_recording *r)
{
    swq_arrays list;

    list_arrays(r, &list);
    swq_arrays_free(ctx, &list);
    *r = (swq_recording){0};
}
