/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Importance functions of networks with packed buffers: those of importance.c, computed from the
 * words of the queues.
 */
#ifndef SWQ_SIM_RARE_IMPORTANCE_PACKED_H
#define SWQ_SIM_RARE_IMPORTANCE_PACKED_H

#include "sim/stages/net.h"

/* Packets in the fullest buffer, and in the fullest switch. */
uint32_t swq_packed_fill(const swq_net *net);
uint32_t swq_packed_packets(const swq_net *net);

/* The fullest buffer, and its rivals. */
uint32_t swq_packed_rivals(const swq_net *net);

#endif
