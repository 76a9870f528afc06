/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Notices between ports: Xoff, Xon, tokens, with the path that they are about. A small timing wheel
 * keeps those under way, a list for each of the next cycles, in the order in which they were sent.
 * Room: sim. Includes base.
 */
#ifndef SWQ_SIM_SAQS_NEWS_H
#define SWQ_SIM_SAQS_NEWS_H

#include "base/arrays.h"
#include "sim/saqs/path.h"

typedef struct swq_news_item {
    swq_path path;
    uint32_t port; /* that it is for */
    uint16_t kind; /* whatever the scheme says */
    uint16_t word;
    uint32_t next; /* in its list */
} swq_news_item;

typedef struct swq_news {
    swq_news_item *item;    /* [room] */
    uint32_t *first, *last; /* [slots] of each cycle's list */
    uint32_t room, slots;   /* slots: a power of two, more than the longest delay */
    uint32_t free, flying;
} swq_news;

/* At most `most` at a time, and none for longer than `delay` cycles; its arrays; and, when these
 * have been taken, none under way. */
void swq_news_lay_out(swq_news *news, uint32_t most, uint32_t delay);
void swq_news_list(swq_news *news, swq_arrays *list);
void swq_news_begin(swq_news *news);

/* Send one that is due `delay` cycles, 1 or more, after cycle `now`. */
void swq_news_send(swq_news *news, uint32_t now, uint32_t delay, swq_news_item item);

/* Take the next one that is due in cycle `now`; false: there is none. */
bool swq_news_take(swq_news *news, uint32_t now, swq_news_item *item);

#endif
