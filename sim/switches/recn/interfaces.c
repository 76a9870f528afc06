/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Interfaces of nodes: a node gives its interface a packet.
 */
#include "sim/switches/recn/recn.h"

bool swq_recn_open(const swq_recn *n, uint32_t node)
{
    return n->store[2 * n->inputs + node].taken < n->plan.slots[SWQ_RECN_INTERFACE];
}

void swq_recn_give(swq_recn *n, uint32_t node, const swq_recn_packet *p)
{
    const uint32_t s = 2 * n->inputs + node, record = swq_recn_record(n);

    n->packet[record] = *p;
    swq_recn_take_slot(&n->store[s]);
    n->inside++;
    swq_recn_comes_to(n, s, record, n->cycle);
}
