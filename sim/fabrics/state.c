/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A packet that carries a state: the parts of its way, one by way of another node and one on from
 * there.
 */
#include "sim/fabrics/state.h"

bool swq_state_has_come(const swq_fabric *f, uint32_t port, const swq_packet_state *p)
{
    const uint32_t ports = (uint32_t)f->ports;

    if (f->shape.kind->come)
        return f->shape.kind->come(f, port, p->to);
    return port / ports == f->entry[p->to] / ports;
}

int swq_state_output(const swq_fabric *f, uint32_t port, swq_packet_state *p)
{
    if (p->then != SWQ_NO_WHERE && swq_state_has_come(f, port, p)) {
        p->from = p->to;
        p->to = p->then;
        p->then = SWQ_NO_WHERE;
        p->goes_on = true;
    }
    p->hops = (uint8_t)(p->hops + (p->hops < UINT8_MAX));
    if (p->goes_on && f->shape.kind->grid) { /* as if it came from that node */
        if (p->from == p->to)
            return f->ports - 1; /* to which no host port leads */
        port = port / (uint32_t)f->ports == p->from ? f->entry[p->from] : port;
    }
    const int class = f->shape.kind->route(f, port, p->from, p->to);
    return f->output[(size_t)port * (size_t)f->classes + (size_t) class];
}
