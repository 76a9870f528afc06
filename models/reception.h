/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reception of a stage cycle, written once for every engine: the packets that sources offer,
 * and the fate of each packet. It changes a state in place, and takes random choices from the dice.
 */
#ifndef SWQ_MODELS_RECEPTION_H
#define SWQ_MODELS_RECEPTION_H

#include "models/state.h"
#include "switchq/dice.h"

/* What became of the packets that inputs offered in one reception. */
typedef struct swq_reception {
    bool accepted[SWQ_CHAIN_PORTS];   /* the packet that input i offered was admitted */
    bool refused[SWQ_CHAIN_PORTS];    /* the packet that input i offered was refused */
    bool held[SWQ_CHAIN_PORTS];       /* the packet had been held by its source, or continues a
                                       burst */
    swq_word packet[SWQ_CHAIN_PORTS]; /* its destination + 1, just 1 if deferred, plus `ports` for
                                       high priority; 0: none offered */
    swq_word place[SWQ_CHAIN_PORTS];  /* an accepted packet's place in its queue, 1 for the head */
    swq_word pushes[SWQ_CHAIN_PORTS]; /* 1 + the queue of which the accepted packet pushed out the
                                       last packet, which is lost; 0: no packet was pushed out. In
                                       buffers of their own the lost packet came from input i as
                                       well; a pool does not know from which input it came */
    int expelled; /* packets that the rule of admission expelled before all others
                     came */
    swq_word expels[SWQ_CHAIN_PORTS]; /* ... of each queue */
} swq_reception;

/* Did input i, or in a pool an input like it, lose a packet: the packet that it offered, or a
 * packet that was pushed out? */
static inline bool swq_reception_lost(const swq_reception *what, int i)
{
    return what->refused[i] || what->pushes[i];
}

/* Sources create, hold and offer packets; buffers admit them. Clears `freed`. */
void swq_receive(const swq_switch *sw, const swq_layout *layout, swq_word *state, swq_dice *dice,
                 swq_reception *what);

/* Expel stored packets by the rule of admission, which is the first thing in a cycle; noted in
 * *what. */
void swq_expel(const swq_switch *sw, const swq_layout *layout, swq_word *state, swq_dice *dice,
               swq_reception *what);

/* Reception for inputs that take turns: the packet that input i creates or holds is offered, and
 * accepted or refused. Inputs with buffers of their own may come in any order; those of a pool come
 * in random order, and `open` says whether the pool's rule admits the input. Does not change
 * `freed` and the other inputs' part of *what. For one class of packets. */
void swq_receive_from(const swq_switch *sw, const swq_layout *layout, int i, bool open,
                      swq_word *state, swq_dice *dice, swq_reception *what);

/* A packet of input i, its destination + 1 (1 if deferred), joins buffer b, which has room for it.
 * visible[queues] counts it as well. */
void swq_admit(const swq_switch *sw, const swq_layout *layout, int i, swq_word packet, int b,
               swq_word *visible, swq_word *state, swq_dice *dice);

#endif
