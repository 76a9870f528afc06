/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stop and go for each queue, of any management (--xoff, --xon): a queue that has grown long tells
 * the element, or the sender, that feeds its store to send it nothing, and when it is short again
 * to go on. A notice goes back along the channel and takes as long as a header does along it.
 */
#include "sim/frame/net.h"

static uint32_t delay_to_feeder(const swq_async_net *net, uint32_t store)
{
    /* an output store is fed by the crossbar, timing[0], and an input store by a link */
    return store >= net->inputs ? net->timing[0].delay : net->hop_delay;
}

/* The most notices: a store receives one packet at a time and sends one at a time, and for each
 * such packet a queue sends at most one notice. */
void swq_stop_notices(const swq_async_net *net, uint32_t *most, uint32_t *delay)
{
    *delay = net->hop_delay;
    if (net->output_stores && net->timing[0].delay > *delay)
        *delay = net->timing[0].delay;
    *most = net->elements * 2 * (*delay / net->managed.gap + 1);
}

void swq_stop_changed(swq_async_net *net, uint32_t store, int queue)
{
    swq_managed *m = &net->managed;
    const int blocks = swq_queues_of(net, store)[queue].blocks;
    const bool told = swq_in_set(m, m->told, store, queue);
    swq_notice notice = {.element = store, .queue = (uint16_t)queue};

    if (!told && blocks >= m->xoff) {
        swq_put_in_set(m, m->told, store, queue);
        notice.kind = SWQ_NOTICE_XOFF;
    } else if (told && blocks <= m->xon) {
        swq_take_from_set(m, m->told, store, queue);
        notice.kind = SWQ_NOTICE_XON;
    } else {
        return;
    }
    swq_notice_send(net, delay_to_feeder(net, store), notice);
}

void swq_stop_notice(swq_async_net *net, const swq_notice *notice)
{
    swq_managed *m = &net->managed;

    if (notice->kind == SWQ_NOTICE_XOFF) {
        swq_put_in_set(m, m->stopped, notice->element, notice->queue);
        return;
    }
    swq_take_from_set(m, m->stopped, notice->element, notice->queue);
    swq_wake_feeder(net, net->cycle, net->port[notice->element].feeder);
}
