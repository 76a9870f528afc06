/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routes as words of turns.
 */
#include "sim/switches/saqs/routes.h"
#include "base/context.h"
#include "sim/dependencies/waits.h"
#include "sim/switches/saqs/path.h"

int swq_turn_bits(const swq_fabric *fabric)
{
    int bits = 1;

    while (1 << bits < fabric->ports)
        bits++;
    return bits;
}

uint64_t swq_route_of(const swq_fabric *f, uint32_t from, uint32_t to)
{
    const int bits = swq_turn_bits(f);
    uint32_t port = f->entry[from];
    uint64_t route = 0;

    for (int at = 0; !(port & SWQ_TO_NODE); at += bits) {
        const int class = f->shape.kind->route(f, port, from, to);
        const uint8_t turn = f->output[(size_t)port * (size_t)f->classes + (size_t) class];
        route |= (uint64_t)turn << at;
        port = f->link[port / (uint32_t)f->ports * (uint32_t)f->ports + turn];
    }
    return route;
}

swq_status swq_routes_check(swq_context *ctx, const char *scheme, const swq_fabric *f,
                            int turnpool_bits)
{
    const int most = f->shape.kind->longest(f), needed = swq_turn_bits(f) * most;

    if (swq_shape_adaptive(&f->shape))
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing must be deterministic with management %s, whose paths are those "
                        "of packets, not %s",
                        scheme, f->shape.routing->name);
    if (f->shape.chained || swq_shape_has_rings(&f->shape))
        return swq_fail(ctx, SWQ_EINVAL,
                        "topology %s%s is not for management %s, whose memories can close a ring "
                        "there",
                        f->shape.kind->name, f->shape.chained ? " with chained switches" : "",
                        scheme);
    if (turnpool_bits < 1 || turnpool_bits > SWQ_MOST_TURNPOOL_BITS)
        return swq_fail(ctx, SWQ_EINVAL, "turnpool-bits must be 1 to %d, not %d",
                        SWQ_MOST_TURNPOOL_BITS, turnpool_bits);
    if (needed > SWQ_MOST_TURNPOOL_BITS)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "management %s is for ways of at most %d bits, and those of this %s have up "
            "to %d turns of %d bits",
            scheme, SWQ_MOST_TURNPOOL_BITS, swq_shape_name(&f->shape), most, swq_turn_bits(f));
    if (needed > turnpool_bits)
        return swq_fail(ctx, SWQ_EINVAL,
                        "turnpool-bits must be at least %d, for ways of up to %d turns of %d bits, "
                        "not %d",
                        needed, most, swq_turn_bits(f), turnpool_bits);
    return SWQ_OK;
}
