/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See to_reference.h.
 */
#include "tests/support/to_reference.h"
#include "switchq/arbiter.h"

ref_switch to_reference(const swq_switch *sw)
{
    ref_switch r = {
        .ports = sw->ports,
        .pool = sw->buffer.scope == SWQ_POOL,
        .queue_per_output = sw->buffer.queues == SWQ_QUEUE_PER_OUTPUT,
        .read_all = sw->buffer.read == SWQ_READ_EACH_QUEUE,
        .capacity = sw->buffer.capacity,
        .queue_min = sw->buffer.queue_min,
        .queue_max = sw->buffer.queue_max,
        .alpha = sw->buffer.alpha,
        .pool_ports_rule = sw->buffer.pool_rule == &swq_pool_ports,
        .block = sw->flow == SWQ_BLOCK,
        .credit_next = sw->credit == SWQ_CREDIT_NEXT,
        .arbiter = sw->arbiter->name,
    };
    for (int i = 0; i < sw->ports; i++) {
        r.load[i] = sw->load[i];
        for (int j = 0; j < sw->ports; j++)
            r.dest[i][j] = sw->dest[i][j];
    }
    return r;
}
