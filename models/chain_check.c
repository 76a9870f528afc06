/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one gate to chains: their rules may depend only on what their states contain.
 */
#include "switchq/chain.h"

#include "base/context.h"
#include "models/gate.h"
#include "models/state.h"

#include <string.h>

/* A chain's states hold lengths, heads and the arbiter's memory. */
const swq_takes swq_chain_takes = {
    .who = "a chain",
    .needs = SWQ_NEEDS(SWQ_NEED_OPEN_PORTS) | SWQ_NEEDS(SWQ_NEED_OUTPUTS) |
             SWQ_NEEDS(SWQ_NEED_STAGES) | SWQ_NEEDS(SWQ_NEED_PUSH_OUT) |
             SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS) | SWQ_NEEDS(SWQ_NEED_KEPT_WORDS) |
             SWQ_NEEDS(SWQ_NEED_EXPULSION),
};

static const swq_takes takes_with_classes = {
    .who = "a chain with packets of high priority",
    .needs =
        SWQ_NEEDS(SWQ_NEED_OPEN_PORTS) | SWQ_NEEDS(SWQ_NEED_OUTPUTS) | SWQ_NEEDS(SWQ_NEED_STAGES),
};

/* The bits of a queue must fit into one word of the state. */
static swq_status check_burst(swq_context *ctx, const swq_switch *sw)
{
    int longest =
        sw->buffer.queue_max < sw->buffer.capacity ? sw->buffer.queue_max : sw->buffer.capacity;

    if (sw->burst > 1 && (sw->priority.fraction > 0 || sw->priority.support != SWQ_SUPPORT_NONE))
        return swq_fail(ctx, SWQ_EINVAL,
                        "a chain has bursts (burst %g) or packets of high priority (high, "
                        "priority), not both; the simulator does",
                        sw->burst);
    if (sw->burst <= 1 || sw->buffer.queues != SWQ_ONE_QUEUE || longest <= SWQ_BURST_FIFO)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "with bursts a chain keeps a bit for each packet of a FIFO queue: at most %d "
                    "slots, not %d",
                    SWQ_BURST_FIFO, longest);
}

static bool alike(const swq_switch *sw, int i, int k)
{
    return sw->load[i] == sw->load[k] &&
           memcmp(sw->dest[i], sw->dest[k], sizeof sw->dest[i][0] * (size_t)sw->ports) == 0;
}

/* A pool does not know from which input a packet came that is pushed out. */
static swq_status check_push_out(swq_context *ctx, const swq_switch *sw)
{
    const swq_admission_rule *rule = swq_buffer_admission(&sw->buffer);

    if (!swq_admission_loses_stored(rule) || sw->buffer.scope != SWQ_POOL)
        return SWQ_OK;
    for (int i = 1; i < sw->ports; i++) {
        if (!alike(sw, 0, i))
            return swq_fail(
                ctx, SWQ_EINVAL,
                "admission %s loses stored packets of a pool, and a chain does not know "
                "whose they were: inputs must be alike, which 0 and %d are not",
                rule->name, i);
    }
    return SWQ_OK;
}

swq_status swq_chain_check(swq_context *ctx, const swq_switch *sw)
{
    const bool classes = sw->priority.fraction > 0 || sw->priority.support != SWQ_SUPPORT_NONE;
    swq_status status = swq_switch_check(ctx, sw);

    if (!status)
        status = check_burst(ctx, sw);
    if (!status)
        status = swq_gate_switch(ctx, classes ? &takes_with_classes : &swq_chain_takes, sw);
    return status ? status : check_push_out(ctx, sw);
}
