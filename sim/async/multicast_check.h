/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which networks take multicast messages.
 */
#ifndef SWQ_SIM_ASYNC_MULTICAST_CHECK_H
#define SWQ_SIM_ASYNC_MULTICAST_CHECK_H

#include "switchq/async.h"

/* Refuses multicast messages where no switch copies packets. Errors: SWQ_EINVAL naming the option
 * that prevents copies. */
swq_status swq_multicast_check(swq_context *ctx, const swq_async *spec, const swq_fabric *fabric);

#endif
