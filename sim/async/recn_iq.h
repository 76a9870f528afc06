/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN-IQ in an asynchronous network: what the engine of sim/saqs asks about the packets that
 * senders send. The engine's number of a packet is its index among the network's packets.
 * Room: sim.
 */
#ifndef SWQ_SIM_ASYNC_RECN_IQ_H
#define SWQ_SIM_ASYNC_RECN_IQ_H

#include "sim/saqs/recn_iq.h"

typedef struct swq_recn_iq {
    swq_iq iq;
} swq_recn_iq;

#endif
