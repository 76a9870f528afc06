/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which networks know links with timings of their own (sim/frame/timings.h).
 */
#include "base/context.h"
#include "sim/async/checks.h"
#include "sim/frame/pieces.h"
#include "sim/frame/rule.h"
#include "sim/frame/timings.h"
#include "switchq/graph.h"

#include <math.h>
#include <stdio.h>

/* The part of the spec that does not know links with timings of their own; NULL: all of it does. */
static const char *like_part(const swq_async *n, char *text, size_t size)
{
    if (!n->architecture.row->async.kernel)
        snprintf(text, size, "architecture %s", n->architecture.row->name);
    else if (n->management.row && (n->management.row->hooks || n->management.row->stores))
        snprintf(text, size, "management %s", n->management.row->name);
    else if (n->interface.present)
        snprintf(text, size, "interface-packets %d", n->interface.packets);
    else if (n->flow.row->stop_go || swq_acks_ask(n) ||
             (n->shape.graph->speed_of && n->flow.row == &swq_flow_two_counter))
        snprintf(text, size, "flow %s", n->flow.row->name);
    else if (n->sender.row)
        snprintf(text, size, "sender %s", n->sender.row->name);
    else if (swq_shape_adaptive(&n->shape))
        snprintf(text, size, "routing %s", n->shape.routing->name);
    else if (swq_pieces_asked(n))
        snprintf(text, size, "piece %d", n->packet.piece);
    else
        return NULL;
    return text;
}

swq_status swq_check_links(swq_context *ctx, const swq_async *n)
{
    const swq_graph *g = n->shape.graph;
    char text[80];

    if (!swq_links_unlike(n))
        return SWQ_OK;
    const char *part = like_part(n, text, sizeof text);
    if (part)
        return swq_fail(ctx, SWQ_EINVAL,
                        "links of %s have %s, which %s does not know: they are for "
                        "architectures %s, %s, %s and %s, with flow block, maximum-usage%s or "
                        "credits",
                        g->name, g->speed_of ? "several speeds" : "delays", part,
                        swq_input_queued.name, swq_cioq.name, swq_output_queued.name,
                        swq_wormhole_lanes.name, g->speed_of ? "" : ", two-counter");
    if (!g->delays && (g->delay > SWQ_MAX_LINK_DELAY || g->delay != floor(g->delay)))
        return swq_fail(ctx, SWQ_EINVAL,
                        "links of %s have a delay of %g: it must be a whole number from 1 to %d",
                        g->name, g->delay, SWQ_MAX_LINK_DELAY);
    if (swq_links_longest(n) + (uint32_t)(n->packet.max + n->link.rest) > UINT16_MAX)
        return swq_fail(ctx, SWQ_EINVAL,
                        "a packet of %d bytes takes more than %d cycles over a link of %s",
                        n->packet.max, UINT16_MAX, g->name);
    return SWQ_OK;
}
