/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everything that a network can ask for: what the two leaner kernels leave out is decided at run
 * time here.
 */
#define SWQ_OUTPUT_STORES 1
#define SWQ_READ_PORTS    1
#define SWQ_GENERAL       1
#define SWQ_SHARED        0
#define SWQ_WIDE          0
#define SWQ_UNLIKE        0
#include "sim/switches/input_queued/kernels.h"
#include "sim/switches/input_queued/turn.h"

const swq_kernel swq_kernel_general = {.look_at_units = look_at_units,
                                       .open = port_open,
                                       .enter = port_enter,
                                       .offer = offer,
                                       .answer = answer,
                                       .tails = true,
                                       .deadlocked = swq_queues_deadlocked};
