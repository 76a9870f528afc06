/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN-IQ in an asynchronous network: what the engine of sim/saqs needs of the packets that its
 * senders send. A packet's number there is its place in the network's packets.
 * Room: sim.
 */
#ifndef SWQ_SIM_ASYNC_RECN_IQ_H
#define SWQ_SIM_ASYNC_RECN_IQ_H

#include "sim/saqs/recn_iq.h"

typedef struct swq_recn_iq {
    swq_iq iq;
} swq_recn_iq;

#endif
