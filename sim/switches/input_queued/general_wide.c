/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The general kernel for switches of more than 32 ports, whose sets of ports are several words.
 */
#define SWQ_OUTPUT_STORES 1
#define SWQ_READ_PORTS    1
#define SWQ_GENERAL       1
#define SWQ_SHARED        0
#define SWQ_WIDE          1
#define SWQ_UNLIKE        0
#include "sim/switches/input_queued/kernels.h"
#include "sim/switches/input_queued/turn.h"

const swq_kernel swq_kernel_general_wide = {.look_at_units = look_at_units,
                                            .open = port_open,
                                            .enter = port_enter,
                                            .offer = offer,
                                            .answer = answer,
                                            .tails = true,
                                            .deadlocked = swq_queues_deadlocked};
