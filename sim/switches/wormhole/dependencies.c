/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which lanes packets hold while they ask for which, as a plan of the graph of dependencies. Where
 * packets have a choice and escape lanes, the escape lanes alone are looked at; lanes that are
 * given away only when they are empty are then needed, too, which is the plan's business.
 */
#include "sim/dependencies/waits.h"
#include "sim/fabrics/places.h"
#include "sim/switches/wormhole/worms.h"

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
