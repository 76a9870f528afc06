/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See film.h.
 */
#include "sim/datacentre/film.h"
#include "base/context.h"
#include "sim/datacentre/outcome.h"

#include <string.h>

enum { THOUSANDTHS = 1000 };

swq_status dc_film_begin(swq_context *ctx, swq_dc_film *film, const dc_net *net)
{
    const swq_dc_graph *g = net->graph;
    const size_t cells = (size_t)film->most * net->queues;

    film->frames = 0;
    film->switches = g->switches;
    film->memories = net->memories;
    film->classes = net->classes;
    film->begun = net->now;
    film->first = swq_calloc(ctx, g->switches + 1, sizeof *film->first);
    film->to = swq_calloc(ctx, g->ports, sizeof *film->to);
    film->held = swq_calloc(ctx, cells, sizeof *film->held);
    film->paused = swq_calloc(ctx, net->ingress ? cells : 1, sizeof *film->paused);
    film->sent = swq_calloc(ctx, film->most, sizeof *film->sent);
    film->lost = swq_calloc(ctx, film->most, sizeof *film->lost);
    film->line_bytes = swq_calloc(ctx, film->most, sizeof *film->line_bytes);
    film->delay = swq_calloc(ctx, film->most, sizeof *film->delay);
    if (!film->first || !film->to || !film->held || !film->paused || !film->sent || !film->lost ||
        !film->line_bytes || !film->delay)
        return swq_memory_status(ctx);
    memcpy(film->first, g->first, (g->switches + 1) * sizeof *film->first);
    for (uint32_t p = 0; p < g->ports; p++)
        film->to[p] = g->to[p] < g->ports ? g->of[g->to[p]] : UINT32_MAX;
    return SWQ_OK;
}

void swq_dc_film_clear(swq_context *ctx, swq_dc_film *film)
{
    swq_free(ctx, film->first);
    swq_free(ctx, film->to);
    swq_free(ctx, film->held);
    swq_free(ctx, film->paused);
    swq_free(ctx, film->sent);
    swq_free(ctx, film->lost);
    swq_free(ctx, film->line_bytes);
    swq_free(ctx, film->delay);
    *film = (swq_dc_film){.most = film->most};
}

/* Of a queue, in whole thousandths of its memory, headrooms included, rounded up. */
static uint16_t share_of(const dc_net *net, uint32_t queue)
{
    const uint64_t held = net->queue[queue].held;
    const uint64_t all = net->tally.capacity[net->memory_of[queue / (uint32_t)net->classes]];

    return (uint16_t)((held * THOUSANDTHS + all - 1) / all);
}

/* Sums up to now; a frame has the difference to those before. */
static void record(swq_dc_film *film, const dc_net *net)
{
    const uint32_t classes = (uint32_t)net->classes, f = film->frames++;
    const dc_span now = dc_span_now(net);
    uint64_t sent = 0;
    double delay = 0;

    for (int k = 0; k < net->classes; k++) {
        sent += net->tally.by_class[k].sent;
        delay += net->tally.by_class[k].delay;
    }
    film->sent[f] = sent - film->before.sent;
    film->lost[f] = now.lost - film->before.lost;
    film->line_bytes[f] = now.line_bytes - film->before.line_bytes;
    film->delay[f] = delay - film->before.delay;
    film->before.sent = sent;
    film->before.lost = now.lost;
    film->before.line_bytes = now.line_bytes;
    film->before.delay = delay;
    for (uint32_t q = 0; q < net->queues; q++) {
        film->held[(size_t)f * net->queues + q] = share_of(net, q);
        if (net->ingress)
            film->paused[(size_t)f * net->queues + q] =
                net->port[q / classes].paused >> q % classes & 1;
    }
}

swq_status dc_film_run(swq_dc_film *film, dc_net *net, uint64_t duration, uint64_t end)
{
    swq_status status = SWQ_OK;

    while (!status && film->frames < film->most) {
        const uint64_t next =
            film->begun + (uint64_t)((swq_dc_wide)duration * (film->frames + 1) / film->most);
        if (next > end)
            break;
        status = dc_net_run(net, next);
        if (!status)
            record(film, net);
    }
    return status ? status : dc_net_run(net, end);
}
