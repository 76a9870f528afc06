/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the check of an asynchronous network's spec, of which the fabric has been counted.
 * Errors of all: SWQ_EINVAL naming the parameter, its value and what is allowed.
 */
#ifndef SWQ_SIM_ASYNC_CHECKS_H
#define SWQ_SIM_ASYNC_CHECKS_H

#include "switchq/async.h"

enum { SWQ_MOST_DELAY = 4096 /* cycles of a hop, a rest, or a crossing */ };

/* The buffer of an input; and, if those of the last stage are larger, their size. */
swq_status swq_check_buffer(swq_context *ctx, const swq_async *spec, const swq_fabric *fabric);
swq_status swq_check_last(swq_context *ctx, const swq_async *spec, const swq_fabric *fabric);

/* Stores before links, and the crossbar that fills them. */
swq_status swq_check_output_stores(swq_context *ctx, const swq_async *spec,
                                   const swq_fabric *fabric);

/* Links that a file gives delays: their values, and whether everything else knows them. */
swq_status swq_check_links(swq_context *ctx, const swq_async *spec);

/* The queues of a management; and the notices that stop a queue and let it go on: xoff and xon. */
swq_status swq_check_management(swq_context *ctx, const swq_async *spec, const swq_fabric *fabric);
swq_status swq_check_notices(swq_context *ctx, const swq_async *spec);

/* Groups of senders or a trace, and their messages. */
swq_status swq_check_traffic(swq_context *ctx, const swq_async *spec, const swq_fabric *fabric);

/* Refuses multicast messages where no switch copies packets. */
swq_status swq_multicast_check(swq_context *ctx, const swq_async *spec, const swq_fabric *fabric);

/* Shape, packet.max, link.rest and the groups of senders alone, for what looks at nothing else;
 * counts the fabric. */
swq_status swq_async_check_senders(swq_context *ctx, const swq_async *spec, swq_fabric *counted);

#endif
