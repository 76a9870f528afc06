/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plain.c for a network that is spread over threads: see shares.h.
 */
#define SWQ_OUTPUT_STORES 0
#define SWQ_READ_PORTS    0
#define SWQ_GENERAL       0
#define SWQ_SHARED        1
#define SWQ_WIDE          0
#define SWQ_UNLIKE        0
#include "sim/switches/input_queued/kernels.h"
#include "sim/switches/input_queued/turn.h"

const swq_kernel swq_kernel_shared_plain = {
    .look_at_units = look_at_units, .open = port_open, .enter = port_enter, .parted = port_parted};
