/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which lanes of a link a packet may take. Room: sim.
 */
#include "sim/worms/worms.h"

static uint32_t lanes_from(const swq_worm_plan *plan, int first)
{
    const uint32_t all = plan->lanes == 32 ? ~UINT32_C(0) : (UINT32_C(1) << plan->lanes) - 1;
    return all & ~UINT32_C(0) << first;
}

/* Is a packet on the link to an input, within a ring, one for the upper half of its lanes? */
static bool is_upper(const swq_worm_plan *plan, uint32_t port, const swq_worm *p)
{
    const swq_fabric *f = plan->fabric;
    const size_t dims = (size_t)f->shape.dims, k = f->in_level[port];

    if (plan->choice == SWQ_LANES_DATELINE)
        return f->shape.kind->escape(f, port, p->from, p->to);
    const uint16_t a = f->coordinate[p->from * dims + k], b = f->coordinate[p->to * dims + k];
    const bool down = !f->shape.one_way && port % (uint32_t)f->ports % 2 == 1;
    return down ? a < b : a > b;
}

uint32_t swq_worm_first_lanes(const swq_worm_plan *plan)
{
    const int escapes = plan->fabric->escapes;

    if (escapes)
        return lanes_from(plan, 0) & ~lanes_from(plan, escapes);
    switch (plan->choice) {
    case SWQ_LANES_DESTINATION:
        return lanes_from(plan, 0);
    case SWQ_LANES_DATELINE:
    case SWQ_LANES_CROSSING:
        return UINT32_C(1) | UINT32_C(1) << plan->lanes / 2;
    case SWQ_LANES_ANY:
        break;
    }
    return 1;
}

uint32_t swq_worm_lanes(const swq_worm_plan *plan, uint32_t port, const swq_worm *p)
{
    const swq_fabric *f = plan->fabric;

    if (f->escapes)
        return lanes_from(plan, f->escapes);
    switch (plan->choice) {
    case SWQ_LANES_DESTINATION:
        return UINT32_C(1) << p->to % (uint32_t)plan->lanes;
    case SWQ_LANES_DATELINE:
    case SWQ_LANES_CROSSING:
        if (f->in_level[port] < f->shape.dims) {
            const uint32_t upper = lanes_from(plan, plan->lanes / 2);
            return is_upper(plan, port, p) ? upper : lanes_from(plan, 0) & ~upper;
        }
        break;
    case SWQ_LANES_ANY:
        break;
    }
    return lanes_from(plan, 0);
}
