/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which lanes packets hold while they ask for which, as a plan of the graph of dependencies, and
 * whether there is a circle. Where packets have a choice and escape lanes, the escape lanes alone
 * are looked at; lanes that are given away only when they are empty are then needed, too, which is
 * the plan's business.
 */
#include "sim/dependencies/waits.h"
#include "sim/fabrics/places.h"
#include "sim/switches/wormhole/spec.h"

#include <stdio.h>
#include <string.h>

static uint32_t joins(const void *arg, uint32_t port, const swq_packet_state *packet)
{
    return swq_worm_lanes(arg, port, packet);
}

static swq_status search(swq_context *ctx, const swq_worm_plan *plan, bool *cycle,
                         swq_waits_circle *named)
{
    const swq_waits_plan waits = {.fabric = plan->fabric,
                                  .queues = plan->lanes,
                                  .closing = SWQ_NEVER_CLOSED,
                                  .by_another = plan->by_another,
                                  .kept = plan->escapes_kept,
                                  .joins = joins,
                                  .arg = plan,
                                  .named = named};

    return plan->fabric->escapes ? swq_escapes_in_a_circle(ctx, &waits, cycle)
                                 : swq_waits_in_a_circle(ctx, &waits, cycle);
}

swq_status swq_worms_dependencies(swq_context *ctx, const swq_worm_plan *plan, bool *cycle)
{
    return search(ctx, plan, cycle, NULL);
}

/* A lane by the output that sends into it. */
static void put_lane(const swq_fabric *f, uint32_t input, int lane, char *text, size_t size)
{
    char place[80], port[80];
    uint32_t out = 0;

    while (f->link[out] != input)
        out++;
    swq_place_words(f, out, place, sizeof place);
    swq_port_words(f, out, port, sizeof port);
    snprintf(text, size, "lane %d of %s of %s", lane, port, place);
}

swq_status swq_worms_name_circle(swq_context *ctx, const swq_worm_plan *plan, bool *cycle,
                                 char *text, size_t size)
{
    swq_waits_circle circle = {0};
    const swq_status status = search(ctx, plan, cycle, &circle);

    text[0] = 0;
    for (uint32_t k = 0; !status && k < circle.length && k < SWQ_MOST_NAMED_WAITS; k++) {
        const size_t used = strlen(text);
        char lane[200];
        put_lane(plan->fabric, circle.port[k], circle.queue[k], lane, sizeof lane);
        snprintf(text + used, size - used, "%s%s", k ? ", " : "", lane);
    }
    const size_t used = strlen(text);
    if (circle.length > SWQ_MOST_NAMED_WAITS)
        snprintf(text + used, size - used, " and %u more", circle.length - SWQ_MOST_NAMED_WAITS);
    return status;
}

enum { MOST_SMALL_DIMS = 4 }; /* of networks that stand in for others */

/* Searches the graph of dependencies between lanes for a circle, and says it in words if there is
 * one. True, without words, if this graph is too large to be searched. Where the destination
 * determines a packet's lane, the whole network is searched, since a smaller one would have other
 * lanes; and so it is where the links taken do, unless ways in the smaller one are as long. */
static bool find_circle(const swq_async *spec, char *text, size_t size)
{
    const swq_fabric_kind *kind = spec->shape.kind;
    const int phases = kind->phases ? kind->phases(&spec->shape) : 0;
    const bool as_long = kind->phases && spec->shape.dims <= MOST_SMALL_DIMS;
    const swq_lanes_for lanes = spec->architecture.lanes.choice->lanes;
    const bool whole = lanes == SWQ_LANES_DESTINATION || (lanes == SWQ_LANES_HOP && !as_long);
    /* lanes for each link of a way are in an order: known also where a network is too large */
    const bool in_order = swq_shape_phase_a_link(&spec->shape) &&
                          (lanes == SWQ_LANES_PHASE ||
                           (lanes == SWQ_LANES_HOP && spec->architecture.lanes.count >= phases));
    swq_fabric fabric;
    bool cycle = !in_order;

    *text = 0;
    if ((swq_shape_escapes(&spec->shape) || spec->shape.routing == &swq_routing_unguarded) &&
        !spec->architecture.lanes.given_empty)
        return true;
    swq_context *ctx = swq_context_new();
    if (ctx && swq_waits_stand_in(ctx, &spec->shape, whole, &fabric)) {
        const swq_worm_plan plan = swq_worm_plan_of(spec, &fabric);
        if (swq_worms_name_circle(ctx, &plan, &cycle, text, size))
            cycle = true;
        swq_fabric_clear(ctx, &fabric);
    }
    swq_context_free(ctx);
    return cycle;
}

bool swq_worms_may_deadlock(const swq_async *spec)
{
    char text[SWQ_CIRCLE_WORDS];

    return find_circle(spec, text, sizeof text);
}

bool swq_worms_circle(const swq_async *spec, char *text, size_t size)
{
    return find_circle(spec, text, size) && *text;
}
