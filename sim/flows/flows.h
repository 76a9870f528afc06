/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of flow controls know of one another.
 */
#ifndef SWQ_SIM_FLOWS_FLOWS_H
#define SWQ_SIM_FLOWS_FLOWS_H

#include "sim/frame/rule.h"

/* Can queues of a buffer be closed one by one, so that a packet whose next queue is closed can go
 * behind another packet? */
bool swq_acks_requeue(const swq_async *n, int queues);

/* Blocks governed by one stop-and-go signal: the blocks of a queue's part, or of the whole
 * buffer. */
int swq_stop_go_room(const swq_async *n);

/* Errors: SWQ_EINVAL for options that the flow control does not support with this buffer. */
swq_status swq_credits_check(swq_context *ctx, const swq_async *n, int queues);

#endif
