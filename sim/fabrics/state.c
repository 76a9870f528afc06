/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A packet that carries a state: the parts of its way, one by way of another node and one on from
 * there.
 */
#include "sim/fabrics/state.h"
#include "sim/fabrics/fabrics.h"

bool swq_state_has_come(const swq_fabric *f, uint32_t port, const swq_packet_state *p)
{
    const uint32_t ports = (uint32_t)f->ports;

    if (f->shape.kind->come)
        return f->shape.kind->come(f, port, p->to);
    return port / ports == f->entry[p->to] / ports;
}

/* In the place by way of which it goes, a packet begins the second part of its way. */
static void advance(const swq_fabric *f, uint32_t port, swq_packet_state *p)
{
    if (p->then != SWQ_NO_WHERE && swq_state_has_come(f, port, p)) {
        p->from = p->to;
        p->to = p->then;
        p->then = SWQ_NO_WHERE;
        p->goes_on = true;
    }
    p->hops = (uint8_t)(p->hops + (p->hops < UINT8_MAX));
}

/* ---- shortest ways, of which one is drawn or chosen ---- */

static uint64_t outputs_ahead(const swq_fabric *f, uint32_t port, const swq_packet_state *p)
{
    const uint32_t ports = (uint32_t)f->ports, end = f->entry[p->to], at = port / ports;
    const swq_graph *g = f->shape.graph;
    const uint32_t column = g && g->table ? g->column[p->to] : end / ports;

    return end / ports == at ? UINT64_C(1) << end % ports
                             : f->ways[(size_t)at * f->way_columns + column];
}

uint64_t swq_state_outputs(const swq_fabric *f, uint32_t port, swq_packet_state *p)
{
    advance(f, port, p);
    return outputs_ahead(f, port, p);
}

/* The member of a set of outputs that a packet's number stands for at its switch number `hops`: the
 * finaliser of MurmurHash3 makes numbers for all of them. */
static int drawn(uint64_t outputs, const swq_packet_state *p)
{
    uint32_t word = p->draw + p->hops * UINT32_C(0x9e3779b9);

    word = (word ^ word >> 16) * UINT32_C(0x85ebca6b);
    word = (word ^ word >> 13) * UINT32_C(0xc2b2ae35);
    word ^= word >> 16;
    uint32_t left = (uint32_t)((uint64_t)word * (uint32_t)__builtin_popcountll(outputs) >> 32);
    for (; left > 0; left--)
        outputs &= outputs - 1;
    return __builtin_ctzll(outputs);
}

int swq_state_output(const swq_fabric *f, uint32_t port, swq_packet_state *p)
{
    advance(f, port, p);
    if (f->ways)
        return drawn(outputs_ahead(f, port, p), p);
    if (p->goes_on && f->shape.kind->grid) { /* as if it came from that node */
        if (p->from == p->to)
            return f->ports - 1; /* to which no host port leads */
        port = port / (uint32_t)f->ports == p->from ? f->entry[p->from] : port;
    }
    const int class = f->shape.kind->route(f, port, p->from, p->to);
    return swq_output_of(f, port, class);
}
