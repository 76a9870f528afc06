/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The check of a network's shape and senders alone, for what looks at nothing else.
 */
#ifndef SWQ_SIM_ASYNC_SENDERS_CHECK_H
#define SWQ_SIM_ASYNC_SENDERS_CHECK_H

#include "switchq/async.h"

/* Checks shape, packet.max, link.rest and the groups of senders, and counts the fabric. Errors:
 * SWQ_EINVAL naming the parameter, its value and what is allowed. */
swq_status swq_async_check_senders(swq_context *ctx, const swq_async *network, swq_fabric *counted);

#endif
