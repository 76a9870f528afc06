/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules of one stage cycle behind its reception (models/reception.h), written once for every
 * engine: arbitration and transmission. They change a state in place, and take random choices from
 * the dice.
 */
#ifndef SWQ_MODELS_CYCLE_H
#define SWQ_MODELS_CYCLE_H

#include "models/state.h"
#include "switchq/dice.h"

/* In a network: way[i][j] says that input i may not send to output j, since there is no room behind
 * the output. */
typedef struct swq_closed {
    bool way[SWQ_CHAIN_PORTS][SWQ_CHAIN_PORTS];
} swq_closed;

/* Arbitrate: grant[j] becomes the input that sends to output j, or SWQ_NO_INPUT. For buffers per
 * input; updates the arbiter's memory in the state. */
void swq_arbitrate(const swq_switch *sw, const swq_layout *layout, swq_word *state, swq_dice *dice,
                   int *grant);

/* Arbitrate if some packets may not be sent; closed == NULL: all may be sent. */
void swq_arbitrate_open(const swq_switch *sw, const swq_layout *layout, swq_word *state,
                        const swq_closed *closed, swq_dice *dice, int *grant);

/* The head of queue q of buffer b leaves, which frees a slot. */
void swq_send_head(const swq_switch *sw, const swq_layout *layout, int b, int q, swq_word *state,
                   swq_dice *dice);

/* Send the granted packets. Returns their number; `freed` as below. */
int swq_send_granted(const swq_switch *sw, const swq_layout *layout, const int *grant,
                     swq_word *state, swq_dice *dice);

/* Send the granted packets, if more packets may be taken in this cycle: `freed` is set, and not
 * cleared. */
int swq_take_granted(const swq_switch *sw, const swq_layout *layout, const int *grant,
                     swq_word *state, swq_dice *dice);

/* The packets that one step moved: for output j, the input that sent to the output, moved a packet
 * to its queue or was served by it, or SWQ_NO_INPUT; for input i, the outputs to whose crosspoints
 * input i moved packets, as a mask. */
typedef struct swq_moves {
    int grant[SWQ_CHAIN_PORTS];
    uint32_t filled[SWQ_CHAIN_PORTS];
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
