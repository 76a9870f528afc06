/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the hooks of a management call: notices on their way, and holding a queue.
 */
#include "sim/frame/net.h"

#include <assert.h>

enum { NO_NOTICE = UINT32_MAX };

void swq_notices_begin(swq_async_net *net)
{
    swq_notices *n = &net->managed.notices;

    for (uint32_t k = 0; k < n->room; k++)
        n->store[k].next = k + 1 < n->room ? k + 1 : NO_NOTICE;
    n->free = n->room ? 0 : NO_NOTICE;
    for (uint32_t k = 0; n->room && k < n->slots; k++)
        n->first[k] = n->last[k] = NO_NOTICE;
}

void swq_notice_send(swq_async_net *net, uint32_t delay, swq_notice notice)
{
    swq_notices *n = &net->managed.notices;
    const uint32_t slot = (net->cycle + delay) & (n->slots - 1), k = n->free;

    assert(delay > 0 && delay < n->slots && k != NO_NOTICE);
    n->free = n->store[k].next;
    n->store[k] = notice;
    n->store[k].next = NO_NOTICE;
    if (n->first[slot] == NO_NOTICE)
        n->first[slot] = k;
    else
        n->store[n->last[slot]].next = k;
    n->last[slot] = k;
    n->flying++;
    net->managed.sent++;
}

bool swq_notice_take(swq_async_net *net, swq_notice *notice)
{
    swq_notices *n = &net->managed.notices;
    uint32_t *first = &n->first[net->cycle & (n->slots - 1)];
    const uint32_t k = *first;

    if (k == NO_NOTICE)
        return false;
    *notice = n->store[k];
    *first = notice->next;
    n->store[k].next = n->free;
    n->free = k;
    n->flying--;
    return true;
}

void swq_queue_hold(swq_async_net *net, uint32_t store, int queue)
{
    swq_put_in_set(&net->managed, net->managed.held, store, queue);
}

void swq_queue_release(swq_async_net *net, uint32_t store, int queue, uint32_t wake)
{
    swq_take_from_set(&net->managed, net->managed.held, store, queue);
    swq_wake_input(net, wake, store);
}
