/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a sender begins: with what is left of the interval in which a cycle chosen at random lies.
 */
#ifndef SWQ_SIM_FRAME_BEGINNING_H
#define SWQ_SIM_FRAME_BEGINNING_H

#include "sim/frame/net.h"

enum { SWQ_ANY_TYPE = -1 };

/* The first message of a sender in a group. */
typedef struct swq_beginning {
    uint32_t wait; /* cycles before its creation */
    int type;      /* type of the burst in whose midst the message is, or SWQ_ANY_TYPE: the message
                      begins a burst */
} swq_beginning;

/* The beginning of a sender whose first message has the number `number`; `word` is the random
 * word that draws this message's interval. Open: the messages are a stationary process, so that
 * a sender creates the cycles over the mean interval in any time from the first cycle on. Hold:
 * the residual of the interval alone. */
swq_beginning swq_sender_beginning(const swq_async_net *net, uint32_t sender, int group,
                                   uint64_t number, uint64_t word);

#endif
