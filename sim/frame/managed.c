/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a network with a management of congestion has, and when its row's hooks are called.
 */
#include "sim/frame/net.h"

/* ---- memory ---- */

static uint32_t slots_for(uint32_t delay)
{
    uint32_t slots = 1;

    while (slots <= delay)
        slots *= 2;
    return slots;
}

void swq_managed_lay_out(swq_async_net *net, uint32_t shortest)
{
    const swq_async *spec = net->spec;
    swq_managed *m = &net->managed;
    uint32_t most = 0, delay = 0, own = 0, own_delay = 0;

    net->output_queues = 1;
    if (!swq_async_managed(spec)) {
        m->words = net->ports > SWQ_MAX_FABRIC_PORTS && !net->stores
                       ? ((uint32_t)net->queues + 63) / 64
                       : 0;
        return;
    }
    m->hooks = spec->management.row->hooks;
    net->output_queues = m->hooks->queues(spec, net->fabric, true);
    m->words =
        ((uint32_t)(net->queues > net->output_queues ? net->queues : net->output_queues) + 63) / 64;
    m->xoff = spec->management.xoff * net->packet;
    m->xon = spec->management.xon * net->packet;
    if (spec->management.row->tells_upstream) {
        m->xon = 0;
        m->detect = spec->management.detect * net->packet;
        m->below = spec->management.xon * net->packet;
    }
    m->gap = UINT32_MAX;
    for (int k = 0; k < (net->output_stores ? 2 : 1); k++) {
        const swq_timing *t = &net->timing[k];
        const uint32_t cycles = (shortest * t->per + t->bytes - 1) / t->bytes;
        m->gap = cycles < m->gap ? cycles : m->gap;
    }
    if (m->xoff > 0)
        swq_stop_notices(net, &most, &delay);
    if (m->hooks->notices)
        m->hooks->notices(net, &own, &own_delay);
    m->notices.room = most + own;
    m->notices.slots = slots_for(delay > own_delay ? delay : own_delay);
}

void swq_managed_list(swq_async_net *net, swq_arrays *list)
{
    swq_managed *m = &net->managed;
    const double sets = m->hooks ? (double)net->elements * m->words : 0;
    const double stores = m->hooks ? net->elements : 0;
    const double queues = m->hooks ? (double)net->inputs * net->queues +
                                         (double)(net->elements - net->inputs) * net->output_queues
                                   : 0;

    SWQ_ARRAY(list, m->full, (double)net->elements * m->words);
    SWQ_ARRAY(list, m->held, sets);
    SWQ_ARRAY(list, m->stopped, m->xoff > 0 ? sets : 0);
    SWQ_ARRAY(list, m->told, m->xoff > 0 ? sets : 0);
    SWQ_ARRAY(list, m->marked, sets);
    SWQ_ARRAY(list, m->changed, 4 * stores);
    SWQ_ARRAY(list, m->next_queue, queues);
    SWQ_ARRAY(list, m->entered, stores);
    SWQ_ARRAY(list, m->apart, m->below > 0 ? net->elements - net->inputs : 0);
    SWQ_ARRAY(list, m->notices.store, m->notices.room);
    SWQ_ARRAY(list, m->notices.first, m->notices.room ? m->notices.slots : 0);
    SWQ_ARRAY(list, m->notices.last, m->notices.room ? m->notices.slots : 0);
}

/* ---- a cycle ---- */

void swq_managed_notices(swq_async_net *net)
{
    swq_notice notice;

    while (swq_notice_take(net, &notice)) {
        if (notice.kind < SWQ_NOTICE_OWN)
            swq_stop_notice(net, &notice);
        else
            net->managed.hooks->notice(net, &notice);
    }
}

void swq_managed_settle(swq_async_net *net)
{
    swq_managed *m = &net->managed;

    for (uint32_t k = 0; k < m->changes; k++) {
        const uint32_t store = m->changed[2 * k];
        const int queue = (int)m->changed[2 * k + 1];
        swq_take_from_set(m, m->marked, store, queue);
        if (m->xoff > 0)
            swq_stop_changed(net, store, queue);
        if (m->hooks->changed)
            m->hooks->changed(net, store, queue);
    }
    m->changes = 0;
}
