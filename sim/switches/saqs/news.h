/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Notices between ports: Xoff, Xon, tokens, with the path that they are about. A small timing wheel
 * keeps the notices under way, a list for each of the next cycles, in the order in which they were
 * sent.
 */
#ifndef SWQ_SIM_SWITCHES_SAQS_NEWS_H
#define SWQ_SIM_SWITCHES_SAQS_NEWS_H

#include "base/arrays.h"
#include "sim/switches/saqs/path.h"

typedef struct swq_news_item {
    swq_path path;
    uint32_t port; /* the recipient */
    uint16_t kind; /* defined by the scheme */
    uint16_t word;
    uint32_t next; /* the next item of its list */
} swq_news_item;

typedef struct swq_news {
    swq_news_item *item;    /* [room] */
    uint32_t *first, *last; /* [slots] the list of each cycle */
    uint32_t room, slots;   /* slots: a power of two, more than the longest delay */
    uint32_t free, flying;
} swq_news;

/* Sets the sizes for at most `most` items at a time, none under way for longer than `delay` cycles;
 * lists the arrays; and, once these have been allocated, makes the set empty. */
void swq_news_lay_out(swq_news *news, uint32_t most, uint32_t delay);
void swq_news_list(swq_news *news, swq_arrays *list);
void swq_news_begin(swq_news *news);

/* Sends an item that is due `delay` cycles, at least 1, after cycle `now`. */
void swq_news_send(swq_news *news, uint32_t now, uint32_t delay, swq_news_item item);

/* Takes the next item due in cycle `now`; false: there is none. */
bool swq_news_take(swq_news *news, uint32_t now, swq_news_item *item);

#endif
