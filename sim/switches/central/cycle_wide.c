/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of switches with one memory for all packets, in switches of more than 32 ports.
 */
#define SWQ_WIDE 1
#include "sim/switches/central/turn.h"

const swq_kernel swq_kernel_central_wide = {
    .look_at_units = look_at_switches, .open = fifo_open, .enter = port_enter};
