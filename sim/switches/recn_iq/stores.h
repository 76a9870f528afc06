/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN-IQ in an asynchronous network: what the engine of recn_iq.h asks about the packets that
 * senders send. The engine's number of a packet is its index among the network's packets.
 * Room: sim.
 */
#ifndef SWQ_SIM_SWITCHES_RECN_IQ_STORES_H
#define SWQ_SIM_SWITCHES_RECN_IQ_STORES_H

#include "sim/switches/recn_iq/recn_iq.h"

typedef struct swq_recn_iq {
    swq_iq iq;
} swq_recn_iq;

#endif
