/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel of general.c for networks whose links have timings of their own (net->link_timing).
 */
#define SWQ_OUTPUT_STORES 1
#define SWQ_READ_PORTS    1
#define SWQ_GENERAL       1
#define SWQ_SHARED        0
#define SWQ_WIDE          0
#define SWQ_UNLIKE        1
#include "sim/switches/input_queued/kernels.h"
#include "sim/switches/input_queued/turn.h"

const swq_kernel swq_kernel_unlike = {.look_at_units = look_at_units,
                                      .open = port_open,
                                      .enter = port_enter,
                                      .offer = offer,
                                      .answer = answer,
                                      .tails = true,
                                      .deadlocked = swq_queues_deadlocked};
