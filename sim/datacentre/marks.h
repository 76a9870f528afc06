/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Marks for explicit congestion notification.
 */
#ifndef SWQ_SIM_DATACENTRE_MARKS_H
#define SWQ_SIM_DATACENTRE_MARKS_H

#include "sim/datacentre/net.h"

/* Marks stay; acknowledgements carry that of the packet that caused them. */
static inline bool dc_can_be_marked(const dc_packet *p)
{
    return !p->marked && !p->ack;
}

static inline bool dc_marks(dc_net *net, uint64_t length)
{
    const swq_dc_marking *m = &net->spec->marking;

    if (length <= m->low)
        return false;
    if (length > m->high)
        return true;
    return dc_uniform(net) <= m->most * (double)(length - m->low) / (double)(m->high - m->low);
}

#endif
