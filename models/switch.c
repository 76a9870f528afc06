/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks on a spec.
 */
#include "switchq/switch.h"

#include "base/context.h"
#include "models/checks.h"
#include "models/priority.h"

#include <math.h>

/* Only buffers at the inputs distinguish classes; memory behind the crossbar does not. */
static swq_status refuse_priority(swq_context *ctx, const swq_switch *sw)
{
    if (sw->priority.fraction == 0 && sw->priority.support == SWQ_SUPPORT_NONE)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "architecture %s knows no packets of high priority (high, priority); "
                    "input-queued does",
                    swq_switch_architecture(sw)->name);
}

/* Packets are pushed out only where they may be lost, and only from queues that hold them. */
static swq_status check_push_out(swq_context *ctx, const swq_switch *sw)
{
    const swq_admission_rule *rule = swq_buffer_admission(&sw->buffer);

    if (swq_admission_loses_stored(rule) && sw->flow != SWQ_DISCARD)
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s loses packets: flow must be discard, not block", rule->name);
    if (rule->fate && sw->credit != SWQ_CREDIT_SAME)
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s counts the packets that there are: credit must be same, not "
                        "next",
                        rule->name);
    return SWQ_OK;
}

swq_status swq_switch_check_rules(swq_context *ctx, const swq_switch *sw, int most_ports)
{
    if (sw->ports < 1 || sw->ports > most_ports)
        return swq_fail(ctx, SWQ_EINVAL, "ports must be 1 to %d, not %d", most_ports, sw->ports);
    if ((sw->flow != SWQ_DISCARD && sw->flow != SWQ_BLOCK) ||
        (sw->credit != SWQ_CREDIT_SAME && sw->credit != SWQ_CREDIT_NEXT))
        return swq_fail(ctx, SWQ_EINVAL, "flow and credit must be values of their enumerations");
    if (!sw->arbiter)
        return swq_fail(ctx, SWQ_EINVAL, "arbiter must be given");
    if (sw->arbiter->most_ports > 0 && sw->ports > sw->arbiter->most_ports &&
        sw->buffer.scope == SWQ_PER_INPUT && sw->buffer.read == SWQ_READ_ONE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "arbiter %s looks at every set of transmissions, which is too slow beyond "
                        "%d ports; ports is %d",
                        sw->arbiter->name, sw->arbiter->most_ports, sw->ports);
    if (sw->iterations < 0 || sw->iterations > SWQ_MAX_PORTS)
        return swq_fail(ctx, SWQ_EINVAL, "iterations must be 1 to %d, not %d", SWQ_MAX_PORTS,
                        sw->iterations);
    if (sw->burst != 0 && !(sw->burst >= 1 && sw->burst <= SWQ_MOST_BURST))
        return swq_fail(ctx, SWQ_EINVAL, "burst must be 1 to %g packets, not %g", SWQ_MOST_BURST,
                        sw->burst);
    swq_status status = swq_switch_check_architecture(ctx, sw);
    if (!status)
        status = swq_buffer_check(ctx, &sw->buffer, sw->ports);
    if (!status)
        status = check_push_out(ctx, sw);
    if (!status)
        status = swq_priority_check(ctx, &sw->buffer, sw->ports, &sw->priority);
    return status;
}

swq_status swq_switch_check(swq_context *ctx, const swq_switch *sw)
{
    swq_status status = swq_switch_check_rules(ctx, sw, SWQ_CHAIN_PORTS);

    if (!status && swq_switch_architecture(sw) != &swq_input_queued)
        status = refuse_priority(ctx, sw);
    if (status)
        return status;
    for (int i = 0; i < sw->ports; i++) {
        double sum = 0;
        if (!(sw->load[i] >= 0 && sw->load[i] <= 1))
            return swq_fail(ctx, SWQ_EINVAL, "load of input %d must be 0 to 1, not %g", i,
                            sw->load[i]);
        if (sw->load[i] > 0 && sw->load[i] < 1e-30)
            return swq_fail(ctx, SWQ_EINVAL,
                            "load of input %d must be 0 or at least 1e-30, not %g: products of "
                            "smaller loads leave the range of double",
                            i, sw->load[i]);
        for (int j = 0; j < sw->ports; j++) {
            if (!(sw->dest[i][j] >= 0 && sw->dest[i][j] <= 1 + 1e-12))
                return swq_fail(ctx, SWQ_EINVAL,
                                "destination probability of input %d, output %d must be 0 to 1, "
                                "not %g",
                                i, j, sw->dest[i][j]);
            sum += sw->dest[i][j];
        }
        if (fabs(sum - 1) > 1e-12)
            return swq_fail(ctx, SWQ_EINVAL,
                            "destination probabilities of input %d must sum to 1, not %.15g", i,
                            sum);
    }
    return SWQ_OK;
}
