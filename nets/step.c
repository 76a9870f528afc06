/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events: a reception, a switch's transmission, a stage of pools. Digits of a destination are drawn
 * when a rule first depends on them: a packet's remaining digits are independent of all that has
 * happened to it, so that this changes nothing.
 */
#include "nets/step.h"

#include "models/buffers/arrivals.h"
#include "models/cycle.h"
#include "models/reception.h"

#include <assert.h>
#include <string.h>

static int draw_digit(const swq_netswitch *s, swq_dice *dice)
{
    return 1 + swq_dice_loaded(dice, s->sw.dest[0], s->sw.ports);
}

/* Draw the next digit of heads, if room in the next buffer depends on it. */
static void draw_ahead(const swq_netplan *p, const swq_netswitch *s, swq_word *words,
                       swq_dice *dice)
{
    const swq_layout *l = &s->layout;

    for (int at = 0; s->ahead >= 0 && at < l->buffers * l->queues; at++) {
        swq_word *ahead = &words[s->ahead + at];
        if (words[s->at + at] > 0 && !*ahead)
            *ahead = (swq_word)draw_digit(&p->at[s->behind[at % l->queues]], dice);
    }
}

/* The digit + 1 of a queue's head for the next stage; 0 if it is not known. */
static swq_word digit_ahead(const swq_netswitch *s, const swq_word *words, int b, int q)
{
    return s->ahead >= 0 ? words[s->ahead + b * s->layout.queues + q] : 0;
}

static void forget_ahead(const swq_netswitch *s, swq_word *words, int b, int q)
{
    if (s->ahead >= 0)
        words[s->ahead + b * s->layout.queues + q] = 0;
}

/* The queue that a packet with this digit joins; digit 0, not drawn yet: any queue, since it does
 * not matter. */
static int queue_for(const swq_netswitch *s, swq_word digit)
{
    return s->layout.deferred || digit == 0 ? 0 : digit - 1;
}

/* ---- buffers at the inputs ---- */

static void find_closed(const swq_netplan *p, const swq_netswitch *s, const swq_word *words,
                        swq_closed *closed)
{
    const swq_layout *l = &s->layout;
    swq_word visible[SWQ_CHAIN_PORTS];

    for (int i = 0; i < l->ports; i++) {
        for (int q = 0; q < l->queues; q++) {
            const int j = l->deferred ? words[s->at + l->head + i] - 1 : q;
            if (words[s->at + i * l->queues + q] == 0)
                continue;
            const swq_netswitch *next = &p->at[s->behind[j]];
            swq_visible_lengths(&next->layout, words + next->at, s->behind_input[j], true, visible);
            closed->way[i][j] = !swq_class_room(&next->layout.split, visible,
                                                queue_for(next, digit_ahead(s, words, i, q)));
        }
    }
}

/* A packet reaches input i of a switch; digit 0: not drawn yet. */
static void arrive(const swq_netplan *p, const swq_netswitch *s, int i, swq_word digit,
                   swq_word *words, swq_dice *dice, int *count)
{
    swq_word visible[SWQ_CHAIN_PORTS];

    swq_visible_lengths(&s->layout, words + s->at, i, true, visible);
    if (p->by_queue && !digit)
        digit = (swq_word)draw_digit(s, dice);
    if (!swq_class_room(&s->layout.split, visible, queue_for(s, digit))) {
        assert(p->discards);
        count[SWQ_NETCOUNT_LOST]++;
        return;
    }
    if (s->layout.deferred)
        digit = 1;
    else if (!digit)
        digit = (swq_word)draw_digit(s, dice);
    swq_admit(&s->sw, &s->layout, i, digit, i, visible, words + s->at, dice);
    draw_ahead(p, s, words, dice);
}

static void transmit_switch(const swq_netplan *p, const swq_netswitch *s, swq_word *words,
                            swq_dice *dice, int *count)
{
    const swq_layout *l = &s->layout;
    const bool blocks = !p->discards && s->stage < p->stages - 1;
    int grant[SWQ_CHAIN_PORTS];
    swq_word digit[SWQ_CHAIN_PORTS] = {0};
    uint32_t sends = 0;
    swq_closed closed;

    if (blocks) {
        memset(&closed, 0, sizeof closed);
        find_closed(p, s, words, &closed);
    }
    swq_arbitrate_open(&s->sw, l, words + s->at, blocks ? &closed : NULL, dice, grant);
    for (int j = 0; j < l->ports; j++) {
        if (grant[j] == SWQ_NO_INPUT)
            continue;
        const int q = l->deferred ? 0 : j;
        sends |= 1u << grant[j];
        digit[j] = digit_ahead(s, words, grant[j], q);
        forget_ahead(s, words, grant[j], q);
    }
    for (int i = 0; i < l->ports; i++) {
        const bool busy = swq_occupancy(l, words + s->at, i) > 0;
        count[SWQ_NETCOUNT_BUSY] += busy;
        count[SWQ_NETCOUNT_STUCK] += busy && !(sends >> i & 1);
    }
    count[SWQ_NETCOUNT_SENT] += swq_send_granted(&s->sw, l, grant, words + s->at, dice);
    draw_ahead(p, s, words, dice);
    for (int j = 0; j < l->ports; j++) {
        if (grant[j] != SWQ_NO_INPUT && s->behind[j] >= 0)
            arrive(p, &p->at[s->behind[j]], s->behind_input[j], digit[j], words, dice, count);
    }
}

/* ---- pools ---- */

static void send_from_pool(const swq_netswitch *s, int q, swq_word *words, swq_dice *dice)
{
    swq_send_head(&s->sw, &s->layout, 0, q, words + s->at, dice);
    forget_ahead(s, words, 0, q);
}

/* Offer the packets that the pools of a stage have for one pool of the next stage, in random order;
 * packets are accepted while there is room. */
static void meet_at_pool(const swq_netplan *p, const swq_netswitch *s, swq_word *words,
                         swq_dice *dice, int *count)
{
    const swq_layout *l = &s->layout;
    swq_word visible[SWQ_CHAIN_PORTS], digit[SWQ_CHAIN_PORTS] = {0};
    swq_arrivals arrivals;
    uint32_t refused = 0;

    swq_visible_lengths(l, words + s->at, 0, true, visible);
    swq_arrivals_begin(&s->sw.buffer, l->queues, visible, l->ports, dice, &arrivals);
    for (int i = 0; i < l->ports; i++) {
        const swq_netswitch *from = &p->at[s->before[i]];
        const int q = s->before_output[i];
        if (words[from->at + q] == 0)
            continue;
        digit[i] = digit_ahead(from, words, 0, q);
        if (p->by_queue && !digit[i])
            digit[i] = (swq_word)draw_digit(s, dice);
        if (!swq_arrivals_add(&arrivals, i))
            refused |= 1u << i;
    }
    for (int i; (i = swq_arrivals_next(&arrivals, NULL, NULL, dice)) >= 0;) {
        if (!swq_class_room(&l->split, visible, queue_for(s, digit[i]))) {
            refused |= 1u << i;
            continue;
        }
        if (!digit[i])
            digit[i] = (swq_word)draw_digit(s, dice);
        swq_admit(&s->sw, l, i, digit[i], 0, visible, words + s->at, dice);
        send_from_pool(&p->at[s->before[i]], s->before_output[i], words, dice);
        count[SWQ_NETCOUNT_SENT]++;
    }
    for (int i = 0; i < l->ports; i++) {
        if (!(refused >> i & 1))
            continue;
        count[p->discards ? SWQ_NETCOUNT_LOST : SWQ_NETCOUNT_STUCK]++;
        if (!p->discards)
            continue;
        send_from_pool(&p->at[s->before[i]], s->before_output[i], words, dice);
        count[SWQ_NETCOUNT_SENT]++;
    }
}

static void transmit_pools(const swq_netplan *p, int stage, swq_word *words, swq_dice *dice,
                           int *count)
{
    const swq_netswitch *first = &p->at[stage * p->per_stage];

    for (const swq_netswitch *s = first; s < first + p->per_stage; s++) {
        for (int q = 0; q < p->ports && s->present; q++) {
            const bool busy = words[s->at + q] > 0;
            count[SWQ_NETCOUNT_BUSY] += busy;
            if (busy && s->behind[q] < 0) {
                send_from_pool(s, q, words, dice);
                count[SWQ_NETCOUNT_SENT]++;
            }
        }
    }
    const swq_netswitch *next = first + p->per_stage;
    for (int k = 0; k < p->per_stage && stage < p->stages - 1; k++) {
        if (next[k].present)
            meet_at_pool(p, &next[k], words, dice, count);
    }
    for (const swq_netswitch *s = first; s < first + p->per_stage; s++) {
        if (s->present && s->layout.freed >= 0)
            swq_forget_idle_credits(&s->layout, words + s->at);
    }
    const int turns = stage < p->stages - 1 ? 2 : 1;
    for (const swq_netswitch *s = first; s < first + turns * p->per_stage; s++) {
        if (s->present)
            draw_ahead(p, s, words, dice);
    }
}

/* ---- turns ---- */

/* Let the slots that a stage freed in this cycle count as free. With credit next this happens after
 * the turn of the stage before it, which has not seen them yet. */
static void credit(const swq_netplan *p, int stage, swq_word *words)
{
    for (int k = 0; k < p->per_stage; k++) {
        const swq_netswitch *s = &p->at[stage * p->per_stage + k];
        if (s->present && s->layout.freed >= 0)
            memset(words + s->at + s->layout.freed, 0,
                   sizeof *words * (size_t)(s->layout.buffers * s->layout.queues));
    }
}

static void end_turn(const swq_netplan *p, const swq_netevent *event, swq_word *words)
{
    for (int k = 0; k < p->per_stage; k++) {
        const swq_netswitch *s = &p->at[event->stage * p->per_stage + k];
        if (s->present)
            words[s->done] = 0;
    }
    if (event->kind != SWQ_NETEVENT_RECEPTION && event->stage < p->stages - 1)
        credit(p, event->stage + 1, words);
}

/* If a source that always has a packet is before a single queue, for which destinations do not
 * matter, it makes no difference whether the source holds the packet or creates a new one: forget
 * held packets there. */
static void forget_held(const swq_netswitch *s, swq_word *words)
{
    const swq_layout *l = &s->layout;

    for (int i = 0; i < l->ports && l->held >= 0 && l->deferred; i++) {
        if (s->sw.load[i] == 1)
            words[s->at + l->held + i] = 0;
    }
}

void swq_netstep(const swq_netplan *p, const swq_netevent *event, swq_word *words, swq_dice *dice,
                 int *count)
{
    swq_reception what;

    if (event->kind == SWQ_NETEVENT_POOLS) {
        transmit_pools(p, event->stage, words, dice, count);
    } else {
        const swq_netswitch *s = swq_netplan_next(p, event->stage, words);
        words[s->done] = 1;
        if (event->kind == SWQ_NETEVENT_SWITCH) {
            transmit_switch(p, s, words, dice, count);
        } else {
            swq_receive(&s->sw, &s->layout, words + s->at, dice, &what);
            for (int i = 0; i < p->ports; i++) {
                count[SWQ_NETCOUNT_ACCEPTED] += what.accepted[i];
                count[SWQ_NETCOUNT_REFUSED] += what.refused[i];
            }
            forget_held(s, words);
            draw_ahead(p, s, words, dice);
        }
    }
    if (event->last)
        end_turn(p, event, words);
}
