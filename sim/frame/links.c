/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Details of links: how many packets the buffer at the end of each holds, without a look at all
 * buffers in every cycle. A packet that came in cycle t and left in cycle u was there u - t cycles.
 * So the packet-cycles of a buffer are the sum of all u less the sum of all t, where u is the
 * present cycle for packets that are still in the buffer.
 */
#include "sim/frame/net.h"

/* Packet-cycles of a buffer since cycle 0. */
static uint64_t area(const swq_async_net *net, uint32_t port)
{
    return net->system.stayed[port] + (uint64_t)net->system.staying[port] * net->cycle;
}

void swq_links_begin(swq_async_net *net)
{
    for (uint32_t p = 0; net->system.stayed && p < net->fabric->switches * (uint32_t)net->ports;
         p++)
        net->system.stayed_before[p] = area(net, p);
}

static void settle_link(swq_async_net *net, size_t link, uint32_t end)
{
    swq_probe_link_held(&net->system, link, area(net, end) - net->system.stayed_before[end]);
}

void swq_links_settle(swq_system *system)
{
    swq_async_net *net = (swq_async_net *)system;
    const swq_fabric *f = net->fabric;

    if (!system->stayed)
        return;
    for (uint32_t i = 0; i < f->nodes; i++)
        settle_link(net, i, f->entry[i]);
    for (uint32_t p = 0; p < f->switches * (uint32_t)f->ports; p++) {
        if (!(f->link[p] & SWQ_TO_NODE)) /* SWQ_NO_WHERE has this bit set, too */
            settle_link(net, f->nodes + (size_t)p, f->link[p]);
    }
}

bool swq_link_ends_at_node(const swq_system *system, size_t link)
{
    const swq_fabric *f = ((const swq_async_net *)system)->fabric;

    return link >= f->nodes && f->link[link - f->nodes] & SWQ_TO_NODE;
}
