/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which lanes packets hold while they ask for which, as a plan of the graph of dependencies. Where
 * packets have a choice and escape lanes, the escape lanes alone are looked at; lanes that are
 * given away only when they are empty are then needed, too, which is the plan's business.
 */
#include "sim/dependencies/waits.h"
#include "sim/switches/wormhole/worms.h"

static uint32_t joins(const void *arg, uint32_t port, const swq_packet_state *packet)
{
    return swq_worm_lanes(arg, port, packet);
}

swq_status swq_worms_dependencies(swq_context *ctx, const swq_worm_plan *plan, bool *cycle)
{
    const swq_waits_plan waits = {.fabric = plan->fabric,
                                  .queues = plan->lanes,
                                  .closing = SWQ_NEVER_CLOSED,
                                  .by_another = plan->by_another,
                                  .joins = joins,
                                  .arg = plan};

    return plan->fabric->escapes ? swq_escapes_in_a_circle(ctx, &waits, cycle)
                                 : swq_waits_in_a_circle(ctx, &waits, cycle);
}
