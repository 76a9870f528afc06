/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules of one stage cycle, written once for every engine: reception, then transmission. Both
 * change a state in place, and take random choices from the dice.
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
    bool held[SWQ_MAX_PORTS];       /* ... had been held by its source, or continues a burst */
    swq_word packet[SWQ_MAX_PORTS]; /* its destination + 1, just 1 if deferred, plus `ports` for
                                       high priority; 0: none offered */
    swq_word place[SWQ_MAX_PORTS];  /* with two classes: an accepted packet's place in its queue, 1
                                       for the head */
} swq_reception;

/* Sources create, hold and offer packets; buffers admit them. Clears `freed`. */
void swq_receive(const swq_switch *sw, const swq_layout *layout, swq_word *state, swq_dice *dice,
                 swq_reception *what);

/* The same for inputs that take turns: what input i creates or holds is offered, and accepted or
 * refused. Inputs with buffers of their own may come in any order; those of a pool come in random
 * order, and `open` says whether the pool's rule admits the input. Does not change `freed` and the
 * other inputs' part of *what. For one class of packets. */
void swq_receive_from(const swq_switch *sw, const swq_layout *layout, int i, bool open,
                      swq_word *state, swq_dice *dice, swq_reception *what);

/* Would a pool of these lengths admit this number of packets, whatever their destinations? */
bool swq_pool_has_room(const swq_switch *sw, const swq_layout *layout, const swq_word *length,
                       int packets);

/* The lengths of buffer b's queues as admission sees them; uncredited: including slots that are
 * freed and not yet credited. length[queues]. */
void swq_visible_lengths(const swq_layout *layout, const swq_word *state, int b, bool uncredited,
                         swq_word *length);

/* A packet of input i, its destination + 1 (1 if deferred), joins buffer b, which has room for it.
 * visible[queues] counts it as well. */
void swq_admit(const swq_switch *sw, const swq_layout *layout, int i, swq_word packet, int b,
               swq_word *visible, swq_word *state, swq_dice *dice);

/* In a network: way[i][j] says that input i may not send to output j, since there is no room behind
 * it. */
typedef struct swq_closed {
    bool way[SWQ_MAX_PORTS][SWQ_MAX_PORTS];
} swq_closed;

/* Who sends: grant[j] is the input that sends to output j, or SWQ_NO_INPUT. For buffers per input;
 * updates the arbiter's memory in the state. */
void swq_arbitrate(const swq_switch *sw, const swq_layout *layout, swq_word *state, swq_dice *dice,
                   int *grant);

/* The same if some packets may not be sent; NULL: all may. */
void swq_arbitrate_open(const swq_switch *sw, const swq_layout *layout, swq_word *state,
                        const swq_closed *closed, swq_dice *dice, int *grant);

/* The head of queue q of buffer b leaves, which frees a slot. */
void swq_send_head(const swq_switch *sw, const swq_layout *layout, int b, int q, swq_word *state,
                   swq_dice *dice);

/* Forget the freed slots of buffers that would admit the same packets if they were credited. */
void swq_forget_idle_credits(const swq_switch *sw, const swq_layout *layout, swq_word *state);

/* Send the granted packets. Returns their number; `freed` as below. */
int swq_send_granted(const swq_switch *sw, const swq_layout *layout, const int *grant,
                     swq_word *state, swq_dice *dice);

/* The same if more packets may be taken in this cycle: `freed` is set, and not cleared. */
int swq_take_granted(const swq_switch *sw, const swq_layout *layout, const int *grant,
                     swq_word *state, swq_dice *dice);

/* What one step moved: for output j, the input that sent to it, moved a packet to its queue or was
 * served by it, or SWQ_NO_INPUT; for input i, the outputs to whose crosspoints it moved packets, as
 * a mask. */
typedef struct swq_moves {
    int grant[SWQ_MAX_PORTS];
    uint32_t filled[SWQ_MAX_PORTS];
} swq_moves;

/* Do step k of the layout; step 0 follows the reception. Returns the number of packets that left
 * the switch. `freed` is set; the last step that frees slots clears it where it can make no
 * difference. */
int swq_take_step(const swq_switch *sw, const swq_layout *layout, int k, swq_word *state,
                  swq_dice *dice, swq_moves *moves);

/* Do all steps after the reception, such as arbitration and transmission. Returns the number of
 * packets sent. `freed` is set, and cleared where it can make no difference, so that states that
 * behave alike are equal. */
int swq_transmit(const swq_switch *sw, const swq_layout *layout, swq_word *state, swq_dice *dice);

#endif
