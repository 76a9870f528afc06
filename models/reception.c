/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reception: sources create, hold and offer packets; buffers admit them, by their rules of
 * admission; what becomes of each packet is noted in an swq_reception. Source: Frazier (1995),
 * section 4.2, and chapter 5 for packets of high priority.
 */
#include "models/reception.h"

#include "models/buffers/arrivals.h"
#include "models/classes.h"

#include <string.h>

/* A reception under way. */
typedef struct {
    const swq_switch *sw;
    const swq_layout *l;
    swq_word *state;
    swq_dice *dice;
    swq_reception *what;
    swq_word packet[SWQ_CHAIN_PORTS]; /* packet that each input offers, in the form of the word
                                       `held`; 0: none */
} receiving;

/* ---- the offers of the sources ---- */

/* A new packet: its destination + 1 (deferred: 1; with bursts, the word that says that it begins
 * one), as far as the destination is known where there are classes. */
static swq_word create(const swq_switch *sw, const swq_layout *l, int i, swq_dice *dice)
{
    if (l->classes > 1) {
        const int class = swq_class_offered(l) ? swq_dice_loaded(dice, l->of_class, 2) : 0;
        const int to = l->split.fans[class] ? swq_dice_loaded(dice, sw->dest[i], l->ports) : 0;
        return (swq_word)(1 + class * l->ports + to);
    }
    if (l->deferred)
        return l->bursts ? SWQ_NEXT_FRESH(l) : 1;
    return (swq_word)(1 + swq_dice_loaded(dice, sw->dest[i], l->ports));
}

/* The packet that input i offers, held or new; 0: none. Noted in *what. */
static swq_word offer(const swq_switch *sw, const swq_layout *l, int i, const swq_word *state,
                      swq_dice *dice, swq_reception *what)
{
    swq_word packet = 0;

    what->held[i] = l->held >= 0 && state[l->held + i];
    if (what->held[i])
        packet = state[l->held + i];
    else if (swq_dice_loaded(dice, l->create[i], 2))
        packet = create(sw, l, i, dice);
    what->packet[i] = l->deferred ? packet != 0 : packet;
    return packet;
}

/* ---- admission to the buffers ---- */

/* The queue that an offered packet joins. */
static int queue_of(const swq_layout *l, swq_word packet)
{
    if (l->classes > 1)
        return swq_queue_of_kind(l, swq_packet_kind(l, packet));
    return l->deferred ? 0 : packet - 1;
}

/* Draw the destination of a packet that joins an empty FIFO queue, unless the packet's burst
 * determines it. The destination of a packet behind others stays undrawn, except that the packet
 * may be noted to be of the same burst as the packet before. */
static void join_fifo(const swq_switch *sw, const swq_layout *l, int i, swq_word packet, int b,
                      swq_word *state, swq_dice *dice)
{
    const int ahead = state[b];

    if (ahead > 0 && l->bursts && packet == SWQ_NEXT_SAME(l))
        state[l->same + b] |= (swq_word)(1u << (ahead - 1));
    if (ahead > 0)
        return;
    state[l->head + b] = l->bursts && swq_names_output(l, packet)
                             ? packet
                             : (swq_word)(1 + swq_dice_loaded(dice, sw->dest[i], l->ports));
}

void swq_admit(const swq_switch *sw, const swq_layout *l, int i, swq_word packet, int b,
               swq_word *visible, swq_word *state, swq_dice *dice)
{
    const int queue = queue_of(l, packet);

    visible[queue]++;
    if (l->deferred)
        join_fifo(sw, l, i, packet, b, state, dice);
    swq_lengths(l, state, b)[queue]++;
}

/* Note the fate of input i's packet, and the packet that its source is certain to offer next: a
 * packet that the source holds, or one more of its burst. */
static void settle(const receiving *r, int i, bool taken)
{
    const swq_layout *l = r->l;
    const swq_word packet = r->packet[i];

    r->what->accepted[i] = taken;
    r->what->refused[i] = !taken;
    if (l->held < 0)
        return;
    if (!taken && r->sw->flow == SWQ_BLOCK)
        r->state[l->held + i] = packet;
    else if (!l->bursts || swq_dice_loaded(r->dice, l->burst_ends, 2))
        r->state[l->held + i] = 0;
    else
        r->state[l->held + i] = l->deferred && taken ? SWQ_NEXT_SAME(l) : packet;
}

/* Offer input i's packet to buffer b, whose queues admission sees as `visible`. */
static void offer_to(const receiving *r, int i, int b, swq_word *visible)
{
    swq_word *length = swq_lengths(r->l, r->state, b);
    const int queue = queue_of(r->l, r->packet[i]);
    swq_word *kept = r->l->kept >= 0 ? r->state + r->l->kept + b * r->l->queues : NULL;
    const swq_fate fate = swq_class_fate(&r->l->split, visible, kept, queue, r->dice);

    if (fate >= 0) { /* a packet of this queue makes room */
        visible[fate]--;
        length[fate]--;
        r->what->pushes[i] = (swq_word)(fate + 1);
    }
    if (fate != SWQ_REFUSE) {
        swq_admit(r->sw, r->l, i, r->packet[i], b, visible, r->state, r->dice);
        r->what->place[i] = length[queue];
    }
    settle(r, i, fate != SWQ_REFUSE);
}

static void receive_per_input(const receiving *r)
{
    swq_word visible[2 * SWQ_CHAIN_PORTS];

    for (int i = 0; i < r->l->ports; i++) {
        if (!r->packet[i])
            continue;
        swq_visible_lengths(r->l, r->state, i, true, visible);
        offer_to(r, i, i, visible);
        if (r->l->classes > 1)
            swq_draw_heads(r->sw, r->l, i, r->state, r->dice);
    }
}

/* Packets of high priority come first. */
static int precedes(const void *packets, int i, int k)
{
    const receiving *r = packets;

    return swq_packet_kind(r->l, r->packet[i]).class - swq_packet_kind(r->l, r->packet[k]).class;
}

static void receive_pool(const receiving *r)
{
    swq_word visible[2 * SWQ_CHAIN_PORTS];
    swq_arrivals arrivals;

    swq_visible_lengths(r->l, r->state, 0, true, visible);
    swq_arrivals_begin(&r->sw->buffer, r->l->queues, visible, r->l->ports, r->dice, &arrivals);
    for (int i = 0; i < r->l->ports; i++) {
        if (r->packet[i] && !swq_arrivals_add(&arrivals, i))
            settle(r, i, false);
    }
    swq_precedes_fn *rule = r->l->classes > 1 ? precedes : NULL;
    for (int i; (i = swq_arrivals_next(&arrivals, rule, r, r->dice)) >= 0;)
        offer_to(r, i, 0, visible);
}

/* Output queues are independent: of the packets for a queue, as many as there is room for are
 * accepted at random, and no dice are thrown if all are. */
static void receive_queues(const receiving *r)
{
    swq_word visible[SWQ_CHAIN_PORTS];

    swq_visible_lengths(r->l, r->state, 0, true, visible);
    for (int q = 0; q < r->l->queues; q++) {
        int waiting[SWQ_CHAIN_PORTS], left = 0, room = r->sw->output_slots - visible[q];
        for (int i = 0; i < r->l->ports; i++) {
            if (r->packet[i] == q + 1)
                waiting[left++] = i;
        }
        const int taken = left < room ? left : room;
        /* of those accepted and those refused, the fewer are drawn */
        const bool draw_taken = 2 * taken <= left;
        for (int drawn = draw_taken ? taken : left - taken; drawn > 0; drawn--) {
            int turn = swq_dice_fair(r->dice, left);
            settle(r, waiting[turn], draw_taken);
            waiting[turn] = waiting[--left]; /* NOLINT: at least one is left */
        }
        while (left > 0)
            settle(r, waiting[--left], !draw_taken);
        r->state[q] = (swq_word)(r->state[q] + taken);
    }
}

void swq_expel(const swq_switch *sw, const swq_layout *l, swq_word *state, swq_dice *dice,
               swq_reception *what)
{
    const swq_admission_rule *rule = swq_buffer_admission(&sw->buffer);

    what->expelled = 0;
    if (!rule->expel)
        return;
    memset(what->expels, 0, sizeof what->expels);
    for (int q;
         (q = rule->expel(&l->split.part[0].rule, l->queues, state, what->expelled, dice)) >= 0;) {
        state[q]--;
        what->expels[q]++;
        what->expelled++;
    }
}

void swq_receive_from(const swq_switch *sw, const swq_layout *l, int i, bool open, swq_word *state,
                      swq_dice *dice, swq_reception *what)
{
    receiving r = {.sw = sw, .l = l, .state = state, .dice = dice, .what = what};
    const int b = l->buffers > 1 ? i : 0;
    swq_word visible[SWQ_CHAIN_PORTS];

    what->accepted[i] = what->refused[i] = false;
    what->pushes[i] = 0;
    r.packet[i] = offer(sw, l, i, state, dice, what);
    if (!r.packet[i])
        return;
    swq_visible_lengths(l, state, b, true, visible);
    if (open)
        offer_to(&r, i, b, visible);
    else
        settle(&r, i, false);
}

void swq_receive(const swq_switch *sw, const swq_layout *l, swq_word *state, swq_dice *dice,
                 swq_reception *what)
{
    receiving r = {.sw = sw, .l = l, .state = state, .dice = dice, .what = what};

    memset(what, 0, sizeof *what);
    swq_expel(sw, l, state, dice, what);
    for (int i = 0; i < l->ports; i++)
        r.packet[i] = offer(sw, l, i, state, dice, what);
    if (sw->buffer.scope == SWQ_POOL && !swq_switch_architecture(sw)->stage.input_buffers)
        receive_queues(&r);
    else if (sw->buffer.scope == SWQ_POOL)
        receive_pool(&r);
    else
        receive_per_input(&r);
    if (l->freed >= 0)
        memset(state + l->freed, 0, sizeof *state * (size_t)(l->buffers * l->queues));
}
