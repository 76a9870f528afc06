/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules of one stage cycle, written once for every engine: reception, then transmission. Both
 * change a state in place and leave chance to the dice.
 * Room: models.
 */
#ifndef SWQ_MODELS_CYCLE_H
#define SWQ_MODELS_CYCLE_H

#include "models/state.h"
#include "switchq/dice.h"

/* What happened in one reception. */
typedef struct swq_reception {
    bool accepted[SWQ_MAX_PORTS];   /* the packet that input i offered was admitted */
    bool refused[SWQ_MAX_PORTS];    /* ... was refused */
    bool held[SWQ_MAX_PORTS];       /* ... had been held by its source, or goes on with a burst */
    swq_word packet[SWQ_MAX_PORTS]; /* its destination + 1, just 1 if deferred, plus `ports` for
                                       high priority; 0: none offered */
    swq_word place[SWQ_MAX_PORTS];  /* with two classes: of an accepted packet, 1 as the head */
} swq_reception;

/* Sources create, hold and offer packets; buffers admit them. Clears `freed`. */
void swq_receive(const swq_switch *sw, const swq_layout *layout, swq_word *state, swq_dice *dice,
                 swq_reception *what);

/* The same with inputs that take turns: what input i creates or holds is offered and settled.
 * Inputs with buffers of their own may come in any order; those of a pool come in random order, and
 * `open` says whether the pool's rule lets the input in. Leaves `freed` and other inputs' part of
 * *what alone. One class of packets. */
void swq_receive_from(const swq_switch *sw, const swq_layout *layout, int i, bool open,
                      swq_word *state, swq_dice *dice, swq_reception *what);

/* Would a pool of these lengths admit this number of packets, whatever their destinations? */
bool swq_pool_has_room(const swq_switch *sw, const swq_layout *layout, const swq_word *length,
                       int packets);

/* The lengths of buffer b's queues that admission looks at; uncredited: with the slots that are
 * freed and not yet credited. length[queues]. */
void swq_visible_lengths(const swq_layout *layout, const swq_word *state, int b, bool uncredited,
                         swq_word *length);

/* A packet of input i, its destination + 1 (1 if deferred), joins buffer b, which has room for it.
 * visible[queues] counts it as well. */
void swq_admit(const swq_switch *sw, const swq_layout *layout, int i, swq_word packet, int b,
               swq_word *visible, swq_word *state, swq_dice *dice);

/* In a network: what input i has for output j may not be sent, since there is no room behind it. */
typedef struct swq_closed {
    bool way[SWQ_MAX_PORTS][SWQ_MAX_PORTS];
} swq_closed;

/* Who sends: grant[j] is the input that sends to output j, or SWQ_NO_INPUT. For buffers per input;
 * the arbiter's memory in the state moves on. */
void swq_arbitrate(const swq_switch *sw, const swq_layout *layout, swq_word *state, swq_dice *dice,
                   int *grant);

/* The same where some may not be sent; NULL: all may. */
void swq_arbitrate_open(const swq_switch *sw, const swq_layout *layout, swq_word *state,
                        const swq_closed *closed, swq_dice *dice, int *grant);

/* The head of queue q of buffer b leaves, which frees a slot. */
void swq_send_head(const swq_switch *sw, const swq_layout *layout, int b, int q, swq_word *state,
                   swq_dice *dice);

/* Forget the freed slots of buffers that would admit the same packets if they were credited. */
void swq_forget_idle_credits(const swq_switch *sw, const swq_layout *layout, swq_word *state);

/* The granted packets leave. Returns their number; `freed` as below. */
int swq_send_granted(const swq_switch *sw, const swq_layout *layout, const int *grant,
                     swq_word *state, swq_dice *dice);

/* The same where more packets may be taken in this cycle: `freed` is set, and left as it is. */
int swq_take_granted(const swq_switch *sw, const swq_layout *layout, const int *grant,
                     swq_word *state, swq_dice *dice);

/* What one step moved: the input that sent to output j, moved a packet to its queue or was served
 * by it, or SWQ_NO_INPUT; the outputs to whose crosspoints input i moved packets, as a mask. */
typedef struct swq_moves {
    int grant[SWQ_MAX_PORTS];
    uint32_t filled[SWQ_MAX_PORTS];
} swq_moves;

/* Take step k of the layout, 0 being the one behind the reception. Returns the number of packets
 * that left the switch. `freed` is set, and cleared again in the last step that frees slots where
 * it could make no difference. */
int swq_take_step(const swq_switch *sw, const swq_layout *layout, int k, swq_word *state,
                  swq_dice *dice, swq_moves *moves);

/* All steps behind the reception, such as to arbitrate and to transmit. Returns the number of
 * packets sent. `freed` is set, and cleared again where it could make no difference, so that states
 * that behave alike are one. */
int swq_transmit(const swq_switch *sw, const swq_layout *layout, swq_word *state, swq_dice *dice);

#endif
