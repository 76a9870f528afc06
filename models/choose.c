/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The actions of a node of a decision process: all admissions that its powers allow, all sets of
 * packets that can be sent.
 */
#include "models/buffers/buffers.h"
#include "models/cycle.h"
#include "models/decisions.h"
#include "models/reception.h"

#include <string.h>

/* An action is a number with a digit for each port. */
static int digit(int32_t what, int base, int place)
{
    for (; place > 0; place--)
        what /= base;
    return what % base;
}

int swq_action_input(const swq_decisions *d, int32_t what, int output)
{
    const int sender = digit(what, d->sw.ports + 1, output);
    return sender ? sender - 1 : SWQ_NO_INPUT;
}

int swq_action_packet(const swq_decisions *d, int32_t what, int input)
{
    return digit(what, d->sw.ports + SWQ_PACKET_PUSHES, input);
}

static size_t bytes_of(const swq_deciding *x)
{
    return sizeof *x->work * (size_t)x->d->layout.words;
}

/* ---- admission ---- */

/* An admission under construction. */
typedef struct {
    swq_deciding *x;
    int fate[SWQ_DECISION_POOL_PORTS]; /* decision about each input's packet */
    swq_word state[SWQ_DECISION_POOL_PORTS * (SWQ_DECISION_POOL_PORTS + 2) *
                   2]; /* lengths with the packets decided on */
} admission;

/* The queue of input i's packet. Behind a FIFO's head, destinations are not known. */
static int queue_of(const swq_layout *l, const swq_word *state, int i)
{
    return l->deferred ? 0 : state[l->held + i] - 1;
}

/* Draw a new head of FIFO b. */
static swq_word draw(const swq_deciding *x, int b, swq_dice *dice)
{
    return (swq_word)(1 + swq_dice_loaded(dice, x->d->sw.dest[b], x->d->sw.ports));
}

/* Carry out the admission, whose lengths were found to be allowed; returns the number of packets
 * lost. */
static int carry_out(const admission *a, swq_word *state, swq_dice *dice)
{
    const swq_layout *l = &a->x->d->layout;
    int lost = 0;

    for (int i = 0; i < l->ports; i++) {
        if (!state[l->held + i])
            continue;
        const int b = l->buffers > 1 ? i : 0, queue = queue_of(l, state, i), fate = a->fate[i];
        swq_word *length = swq_lengths(l, state, b);
        bool new_head = l->deferred && length[queue] == 0;
        lost += fate != SWQ_PACKET_ADMITTED;
        if (fate >= SWQ_PACKET_PUSHES) {
            length[fate - SWQ_PACKET_PUSHES]--;
            new_head = l->deferred;
        }
        if (fate != SWQ_PACKET_REFUSED) {
            length[queue]++;
            if (new_head)
                state[l->head + b] = draw(a->x, b, dice);
        }
    }
    if (!a->x->d->bursts)
        memset(state + l->held, 0, sizeof *state * (size_t)l->ports);
    return lost;
}

static swq_status finish_admission(admission *a)
{
    swq_deciding *x = a->x;
    const int base = x->d->sw.ports + SWQ_PACKET_PUSHES;
    int32_t what = 0;

    for (int i = x->d->sw.ports - 1; i >= 0; i--)
        what = what * base + a->fate[i];
    swq_dice_begin_enumeration(&x->dice);
    do {
        memcpy(x->work, x->given, bytes_of(x));
        int lost = carry_out(a, x->work, &x->dice);
        swq_status status = swq_deciding_outcome(x, x->dice.probability, lost);
        if (status)
            return status;
    } while (swq_dice_next(&x->dice));
    return swq_deciding_action(x, what);
}

static bool has_room(const swq_deciding *x, const swq_word *length, int queue)
{
    return swq_class_room(&x->d->layout.split, length, queue);
}

/* The least fate to try for input i. Of the packets that arrive for one queue of a pool only the
 * number of each fate matters, so these packets have fates in rising order of their inputs: the
 * least fate of input i is the fate of the input before it whose packet is for the same queue. */
static int least_fate(const admission *a, int i, int queue)
{
    const swq_layout *l = &a->x->d->layout;

    for (int k = i - 1; k >= 0 && l->buffers == 1; k--) {
        if (a->x->given[l->held + k] && queue_of(l, a->x->given, k) == queue)
            return a->fate[k];
    }
    return SWQ_PACKET_REFUSED;
}

/* Decide on the packets of inputs i, i + 1, ... */
static swq_status admit(admission *a, int i)
{
    const swq_deciding *x = a->x;
    const swq_layout *l = &x->d->layout;
    swq_status status;

    while (i < l->ports && !x->given[l->held + i])
        a->fate[i++] = SWQ_PACKET_REFUSED;
    if (i == l->ports)
        return finish_admission(a);
    const int queue = queue_of(l, x->given, i);
    swq_word *length = swq_lengths(l, a->state, l->buffers > 1 ? i : 0);
    const bool room = has_room(x, length, queue);
    const int least = least_fate(a, i, queue);
    if (least <= SWQ_PACKET_REFUSED && (!room || x->d->powers.refuse)) {
        a->fate[i] = SWQ_PACKET_REFUSED;
        status = admit(a, i + 1);
        if (status)
            return status;
    }
    if (room && least > SWQ_PACKET_ADMITTED)
        return SWQ_OK;
    if (room) {
        a->fate[i] = SWQ_PACKET_ADMITTED;
        length[queue]++;
        status = admit(a, i + 1);
        length[queue]--;
        return status;
    }
    for (int k = 0; k < l->queues && x->d->powers.push_out; k++) {
        /* pushing out a packet of the same queue is the same as refusing it, except in a FIFO */
        if (!length[k] || (k == queue && !l->deferred) || SWQ_PACKET_PUSHES + k < least)
            continue;
        length[k]--;
        if (has_room(x, length, queue)) {
            a->fate[i] = SWQ_PACKET_PUSHES + k;
            length[queue]++;
            status = admit(a, i + 1);
            length[queue]--;
            if (status)
                return status;
        }
        length[k]++;
    }
    return SWQ_OK;
}

swq_status swq_choose_admission(swq_deciding *x)
{
    admission a = {.x = x};

    memcpy(a.state, x->given, bytes_of(x));
    return admit(&a, 0);
}

/* ---- a step of the admission to a pool ---- */

/* The node with the packet of input i decided: it pushes out of queue `out` (-1: of none), and
 * joins its queue or not. */
static swq_status step(swq_deciding *x, int i, int out, bool joins, int what)
{
    const swq_layout *l = &x->d->layout;

    memcpy(x->work, x->given, bytes_of(x));
    swq_word *length = swq_lengths(l, x->work, 0);
    if (out >= 0)
        length[out]--;
    if (joins)
        length[queue_of(l, x->work, i)]++;
    x->work[l->held + i] = 0;
    const swq_status status = swq_deciding_outcome(x, 1, out >= 0 || !joins);
    return status ? status : swq_deciding_action(x, what);
}

swq_status swq_choose_step(swq_deciding *x)
{
    const swq_layout *l = &x->d->layout;
    int i = 0;

    while (i < l->ports && !x->given[l->held + i])
        i++;
    if (i == l->ports) { /* all packets are decided */
        memcpy(x->work, x->given, bytes_of(x));
        const swq_status status = swq_deciding_outcome(x, 1, 0);
        return status ? status : swq_deciding_action(x, 0);
    }
    const int queue = queue_of(l, x->given, i);
    swq_word *length = swq_lengths(l, x->given, 0);
    const bool room = has_room(x, length, queue);
    swq_status status = SWQ_OK;
    if (!room || x->d->powers.refuse)
        status = step(x, i, -1, false, SWQ_PACKET_REFUSED);
    if (room && !status)
        return step(x, i, -1, true, SWQ_PACKET_ADMITTED);
    for (int k = 0; k < l->queues && x->d->powers.push_out && !status; k++) {
        if (!length[k] || k == queue)
            continue;
        length[k]--;
        const bool makes_room = has_room(x, length, queue);
        length[k]++;
        if (makes_room)
            status = step(x, i, k, true, SWQ_PACKET_PUSHES + k);
    }
    return status;
}

/* ---- transmission ---- */

/* A set of packets under construction. */
typedef struct {
    swq_deciding *x;
    int grant[SWQ_CHAIN_PORTS];
} sending;

static bool requests(const swq_layout *l, const swq_word *state, int i, int j)
{
    return l->deferred ? state[l->head + i] == j + 1 : state[i * l->queues + j] > 0;
}

static swq_status finish_sending(sending *s)
{
    swq_deciding *x = s->x;
    const int n = x->d->sw.ports;
    int32_t what = 0;

    for (int j = n - 1; j >= 0; j--)
        what = what * (n + 1) + (s->grant[j] == SWQ_NO_INPUT ? 0 : s->grant[j] + 1);
    swq_dice_begin_enumeration(&x->dice);
    do {
        memcpy(x->work, x->given, bytes_of(x));
        swq_send_granted(&x->rules, &x->d->layout, s->grant, x->work, &x->dice);
        swq_status status = swq_deciding_outcome(x, x->dice.probability, 0);
        if (status)
            return status;
    } while (swq_dice_next(&x->dice));
    return swq_deciding_action(x, what);
}

/* Decide who sends to outputs j, j + 1, ...; `sent`: inputs that already send. */
static swq_status grant_from(sending *s, int j, unsigned sent)
{
    const swq_switch *sw = &s->x->d->sw;
    const bool each = sw->buffer.read == SWQ_READ_EACH_QUEUE;
    swq_status status = SWQ_OK;

    if (j == sw->ports)
        return finish_sending(s);
    for (int i = 0; i < sw->ports && !status; i++) {
        if (!requests(&s->x->d->layout, s->x->given, i, j) || (sent >> i & 1 && !each))
            continue;
        s->grant[j] = i;
        status = grant_from(s, j + 1, sent | 1u << i);
    }
    s->grant[j] = SWQ_NO_INPUT;
    return status ? status : grant_from(s, j + 1, sent);
}

/* Send by the arbiter, or from all queues of a pool. */
static swq_status send_by_rule(swq_deciding *x)
{
    swq_dice_begin_enumeration(&x->dice);
    do {
        memcpy(x->work, x->given, bytes_of(x));
        swq_transmit(&x->rules, &x->d->layout, x->work, &x->dice);
        swq_status status = swq_deciding_outcome(x, x->dice.probability, 0);
        if (status)
            return status;
    } while (swq_dice_next(&x->dice));
    return swq_deciding_action(x, 0);
}

swq_status swq_choose_transmission(swq_deciding *x)
{
    sending s = {.x = x};

    return x->d->powers.send ? grant_from(&s, 0, 0) : send_by_rule(x);
}
