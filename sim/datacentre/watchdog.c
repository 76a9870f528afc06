/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The watchdog of pauses: an output whose class has been paused without a break for the detection
 * time, and has packets, is in a storm. What it has, and what comes for it, is dropped until it has
 * not been paused for the restoration time. Source: SONiC's watchdog with the action drop.
 */
#include "sim/datacentre/net.h"

/* Of a queue. */
struct dc_watch {
    uint64_t since; /* ps: the queue has been paused, or has not been, since then */
    bool paused;
    bool storm;
    bool due; /* an event is due, at the latest when the time below is over */
};

/* In a storm, how long the queue must not be paused; else how long it may be. Of no meaning for a
 * queue in a storm that is paused, and for one that is neither. */
static uint64_t ends(const dc_net *net, const dc_watch *w)
{
    return w->since + (w->storm ? net->spec->pfc.restoration : net->spec->pfc.detection);
}

static void plan(dc_net *net, uint32_t queue)
{
    dc_watch *w = &net->watch[queue];

    if (w->due || w->paused == w->storm)
        return;
    w->due = true;
    dc_events_push(net->ctx, net->events, ends(net, w), DC_WATCH, queue);
}

void dc_watch_pause(dc_net *net, uint32_t queue)
{
    const uint32_t classes = (uint32_t)net->classes;

    if (queue >= net->queues)
        return; /* of a host */
    dc_watch *w = &net->watch[queue];
    const bool paused = net->port[queue / classes].paused >> queue % classes & 1;
    if (paused == w->paused)
        return;
    w->paused = paused;
    w->since = net->now;
    plan(net, queue);
}

static void begin_storm(dc_net *net, uint32_t queue)
{
    net->watch[queue].storm = true;
    dc_note_storm(&net->tally, queue, (int)(queue % (uint32_t)net->classes));
    while (net->queue[queue].packets > 0)
        dc_lose_stored(net, queue, true, SWQ_DC_IN_STORM);
}

void dc_watch_turn(dc_net *net, uint32_t queue)
{
    dc_watch *w = &net->watch[queue];

    w->due = false;
    if (w->paused == w->storm)
        return;
    if (net->now < ends(net, w))
        plan(net, queue);
    else if (w->storm)
        w->storm = false;
    else if (net->queue[queue].packets > 0)
        begin_storm(net, queue);
}

bool dc_watch_drops(dc_net *net, uint32_t queue)
{
    const dc_watch *w = &net->watch[queue];

    if (!w->storm && w->paused && net->now >= ends(net, w))
        begin_storm(net, queue);
    return w->storm;
}

swq_status dc_watch_make(swq_context *ctx, dc_net *net)
{
    net->watch = swq_calloc(ctx, net->queues, sizeof *net->watch);
    return net->watch ? SWQ_OK : swq_memory_status(ctx);
}
