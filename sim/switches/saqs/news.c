/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Notices on their way.
 */
#include "sim/switches/saqs/news.h"

#include <assert.h>

enum { NONE = UINT32_MAX };

void swq_news_lay_out(swq_news *n, uint32_t most, uint32_t delay)
{
    n->room = most;
    n->slots = 2;
    while (n->slots <= delay)
        n->slots *= 2;
}

void swq_news_list(swq_news *n, swq_arrays *list)
{
    SWQ_ARRAY(list, n->item, n->room);
    SWQ_ARRAY(list, n->first, n->slots);
    SWQ_ARRAY(list, n->last, n->slots);
}

void swq_news_begin(swq_news *n)
{
    for (uint32_t k = 0; k < n->room; k++)
        n->item[k].next = k + 1 < n->room ? k + 1 : NONE;
    n->free = n->room ? 0 : NONE;
    for (uint32_t k = 0; k < n->slots; k++)
        n->first[k] = n->last[k] = NONE;
    n->flying = 0;
}

void swq_news_send(swq_news *n, uint32_t now, uint32_t delay, swq_news_item item)
{
    const uint32_t slot = (now + delay) & (n->slots - 1), k = n->free;

    assert(delay > 0 && delay < n->slots && k != NONE);
    n->free = n->item[k].next;
    item.next = NONE;
    n->item[k] = item;
    if (n->first[slot] == NONE)
        n->first[slot] = k;
    else
        n->item[n->last[slot]].next = k;
    n->last[slot] = k;
    n->flying++;
}

bool swq_news_take(swq_news *n, uint32_t now, swq_news_item *item)
{
    uint32_t *first = &n->first[now & (n->slots - 1)];
    const uint32_t k = *first;

    if (n->flying == 0 || k == NONE)
        return false;
    *item = n->item[k];
    *first = item->next;
    n->item[k].next = n->free;
    n->free = k;
    n->flying--;
    return true;
}
