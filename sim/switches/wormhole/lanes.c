/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which lanes of a link a packet may take.
 */
#include "sim/switches/wormhole/worms.h"

static uint32_t lanes_from(const swq_worm_plan *plan, int first)
{
    const uint32_t all = plan->lanes == 32 ? ~UINT32_C(0) : (UINT32_C(1) << plan->lanes) - 1;
    return all & ~UINT32_C(0) << first;
}

/* On a link within a ring: does a packet use the upper half of the lanes? */
static bool is_upper(const swq_worm_plan *plan, uint32_t port, const swq_packet_state *p)
{
    const swq_fabric *f = plan->fabric;
    const size_t dims = (size_t)f->shape.dims, k = f->in_level[port];

    if (plan->choice == SWQ_LANES_DATELINE)
        return f->shape.kind->escape(f, port, p->from, p->to);
    const uint16_t a = f->coordinate[p->from * dims + k], b = f->coordinate[p->to * dims + k];
    const bool down = !f->shape.one_way && port % (uint32_t)f->ports % 2 == 1;
    return down ? a < b : a > b;
}

static bool is_host(const swq_fabric *f, uint32_t port)
{
    return f->shape.kind->point_to_point && f->in_level[port] == f->levels - 1;
}

/* The first lane of part k of the lanes, of so many parts. */
static int part(const swq_worm_plan *plan, int k, int parts)
{
    return k * plan->lanes / parts;
}

static bool has_halves(const swq_worm_plan *plan)
{
    return plan->choice == SWQ_LANES_DATELINE || plan->choice == SWQ_LANES_CROSSING;
}

static uint32_t lanes_of_phase(const swq_worm_plan *plan, int k, int phases)
{
    return lanes_from(plan, part(plan, k, phases)) &
           ~(k + 1 < phases ? lanes_from(plan, part(plan, k + 1, phases)) : 0);
}

uint32_t swq_worm_phases(const swq_worm_plan *plan, uint32_t lanes[SWQ_MAX_LANES])
{
    const swq_fabric *f = plan->fabric;

    if (f->escapes || plan->choice != SWQ_LANES_PHASE)
        return 0;
    const int phases = f->shape.kind->phases(&f->shape);
    for (int k = 0; k < phases && k < SWQ_MAX_LANES; k++)
        lanes[k] = lanes_of_phase(plan, k, phases);
    return (uint32_t)phases;
}

uint32_t swq_worm_first_lanes(const swq_worm_plan *plan)
{
    const int escapes = plan->fabric->escapes, ways = plan->by_another ? 2 : 1;
    uint32_t first = 0;

    if (escapes)
        return lanes_from(plan, 0) & ~lanes_from(plan, escapes);
    if (plan->choice == SWQ_LANES_DESTINATION || plan->choice == SWQ_LANES_HOP)
        return lanes_from(plan, 0);
    if (plan->choice == SWQ_LANES_PHASE) {
        const int phases = plan->fabric->shape.kind->phases(&plan->fabric->shape);
        for (int k = 0; k < phases; k++)
            first |= UINT32_C(1) << part(plan, k, phases);
        return first;
    }
    for (int way = 0; way < ways; way++) {
        const int begin = way * plan->lanes / ways, end = (way + 1) * plan->lanes / ways;
        first |= UINT32_C(1) << begin;
        if (has_halves(plan))
            first |= UINT32_C(1) << (begin + (end - begin) / 2);
    }
    return first;
}

uint32_t swq_worm_node_lanes(const swq_worm_plan *plan)
{
    const bool all = plan->fabric->shape.kind->point_to_point && !plan->fabric->escapes &&
                     plan->choice != SWQ_LANES_DESTINATION;

    return all ? lanes_from(plan, 0) : 0;
}

uint32_t swq_worm_lanes(const swq_worm_plan *plan, uint32_t port, const swq_packet_state *p)
{
    const swq_fabric *f = plan->fabric;
    int begin = 0, end = plan->lanes;

    if (f->escapes) /* links from nodes need no escape lanes */
        return lanes_from(plan, plan->escapes_alike && is_host(f, port) ? 0 : f->escapes);
    if (plan->choice == SWQ_LANES_DESTINATION)
        return UINT32_C(1) << p->to % (uint32_t)plan->lanes;
    if (is_host(f, port))
        return lanes_from(plan, 0);
    if (plan->choice == SWQ_LANES_HOP) {
        const int taken = p->hops > 0 ? p->hops - 1 : 0;
        return UINT32_C(1) << (taken < end ? taken : end - 1);
    }
    if (plan->choice == SWQ_LANES_PHASE) {
        return lanes_of_phase(plan, f->shape.kind->phase(f, port, p),
                              f->shape.kind->phases(&f->shape));
    }
    if (!plan->by_another && !has_halves(plan))
        return lanes_from(plan, 0);
    if (plan->by_another) {
        begin = p->goes_on ? end / 2 : 0;
        end = p->goes_on ? end : end / 2;
    }
    if (has_halves(plan)) {
        const int middle = begin + (end - begin) / 2;
        const bool upper = is_upper(plan, port, p);
        begin = upper ? middle : begin;
        end = upper ? end : middle;
    }
    return lanes_from(plan, begin) & ~(end < plan->lanes ? lanes_from(plan, end) : 0);
}
