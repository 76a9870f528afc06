/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A packet that carries a state: the parts of its way, one by way of another node and one on from
 * there.
 */
#ifndef SWQ_SIM_FABRICS_STATE_H
#define SWQ_SIM_FABRICS_STATE_H

#include "base/port_set.h"
#include "switchq/fabric.h"

/* Has a packet at an input port come to the place of packet->to, by way of which it goes? */
bool swq_state_has_come(const swq_fabric *fabric, uint32_t port, const swq_packet_state *packet);

/* The output, 0 .. ports-1, of a packet that is routed at an input port, deterministic routing. In
 * the place by way of which it goes, it begins the second part of its way. */
int swq_state_output(const swq_fabric *fabric, uint32_t port, swq_packet_state *packet);

/* The same where ways are drawn or chosen (fabric->ways): the set of the outputs one of which it
 * takes, of fabric->set_words words; drawn, all alike. Returns a set of the fabric's, or own, which
 * has as many words. */
const swq_port_set *swq_state_outputs(const swq_fabric *fabric, uint32_t port,
                                      swq_packet_state *packet, swq_port_set *own);

#endif
