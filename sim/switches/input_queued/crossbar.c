/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Input queues, a crossbar of any speed, and a store before each link.
 */
#define SWQ_OUTPUT_STORES 1
#define SWQ_READ_PORTS    0
#define SWQ_GENERAL       0
#define SWQ_SHARED        0
#define SWQ_WIDE          0
#define SWQ_UNLIKE        0
#include "sim/switches/input_queued/kernels.h"
#include "sim/switches/input_queued/turn.h"

const swq_kernel swq_kernel_crossbar = {.look_at_units = look_at_units,
                                        .open = port_open,
                                        .enter = port_enter,
                                        .shared = &swq_kernel_shared_crossbar,
                                        .waits = true,
                                        .tails = true,
                                        .deadlocked = swq_queues_deadlocked};
