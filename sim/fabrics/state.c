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

/* The set of the outputs that lead to the switch of a packet's node; NULL: the packet is there. */
static const swq_port_set *ways_ahead(const swq_fabric *f, uint32_t port, const swq_packet_state *p)
{
    const uint32_t ports = (uint32_t)f->ports, end = f->entry[p->to] / ports, at = port / ports;
    const swq_graph *g = f->shape.graph;

    return end == at ? NULL : swq_ways_of(f, at, g && g->table ? g->column[p->to] : end);
}

static uint32_t output_to_node(const swq_fabric *f, const swq_packet_state *p)
{
    return f->entry[p->to] % (uint32_t)f->ports;
}

const swq_port_set *swq_state_outputs(const swq_fabric *f, uint32_t port, swq_packet_state *p,
                                      swq_port_set *own)
{
    advance(f, port, p);
    const swq_port_set *ways = ways_ahead(f, port, p);
    if (ways)
        return ways;
    if (f->set_words > 1)
        swq_port_set_clear(own, SWQ_PORT_SET_WIDE);
    else
        own[0] = 0;
    swq_port_set_put(own, output_to_node(f, p), true, SWQ_PORT_SET_WIDE);
    return own;
}

/* The member of a set of outputs that a packet's number stands for at its switch number `hops`: the
 * finaliser of MurmurHash3 makes numbers for all of them. */
SWQ_INLINE int drawn(const swq_port_set *outputs, int words, const swq_packet_state *p)
{
    uint32_t word = p->draw + p->hops * UINT32_C(0x9e3779b9);

    word = (word ^ word >> 16) * UINT32_C(0x85ebca6b);
    word = (word ^ word >> 13) * UINT32_C(0xc2b2ae35);
    word ^= word >> 16;
    const uint32_t count = (uint32_t)swq_port_set_count(outputs, words);
    return (int)swq_port_set_member(outputs, (uint32_t)((uint64_t)word * count >> 32), words);
}

/* By itself, so that it takes no registers of packets that draw nothing. */
static __attribute__((noinline)) int drawn_output(const swq_fabric *f, uint32_t port,
                                                  const swq_packet_state *p)
{
    const swq_port_set *ways = ways_ahead(f, port, p);

    if (!ways)
        return (int)output_to_node(f, p);
    return f->set_words == 1 ? drawn(ways, 1, p) : drawn(ways, SWQ_PORT_SET_WIDE, p);
}

int swq_state_output(const swq_fabric *f, uint32_t port, swq_packet_state *p)
{
    advance(f, port, p);
    if (f->ways)
        return drawn_output(f, port, p);
    if (p->goes_on && f->shape.kind->grid) { /* as if it came from that node */
        if (p->from == p->to)
            return f->ports - 1; /* to which no host port leads */
        port = port / (uint32_t)f->ports == p->from ? f->entry[p->from] : port;
    }
    const int class = f->shape.kind->route(f, port, p->from, p->to);
    return swq_output_of(f, port, class);
}
