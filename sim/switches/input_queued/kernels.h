/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The forms of the kernel, and the search for deadlocks that they share.
 */
#ifndef SWQ_SIM_SWITCHES_INPUT_QUEUED_KERNELS_H
#define SWQ_SIM_SWITCHES_INPUT_QUEUED_KERNELS_H

#include "sim/frame/net.h"

extern const swq_kernel swq_kernel_plain, swq_kernel_read_ports, swq_kernel_crossbar,
    swq_kernel_general, swq_kernel_general_wide, swq_kernel_unlike, swq_kernel_unlike_wide,
    swq_kernel_shared_plain, swq_kernel_shared_read_ports, swq_kernel_shared_crossbar;

/* Looks for packets that can never move again, and fills net->waiting. The next function looks for
 * packets that are refused for ever, too. */
bool swq_find_deadlock(swq_async_net *net);
bool swq_queues_deadlocked(swq_async_net *net);

#endif
