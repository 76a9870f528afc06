/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one gate to chains: their rules may depend only on what their states contain.
 * Room: models.
 */
#include "switchq/chain.h"

#include "base/context.h"
#include "models/state.h"

#include <stdio.h>

/* The names of the rows that chains can have, "a, b, c". */
typedef struct {
    char text[300];
    size_t used;
} name_list;

static void add_name(name_list *list, const char *name)
{
    if (list->used < sizeof list->text)
        list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used,
                                       "%s%s", list->used ? ", " : "", name);
}

static swq_status check_arbiter(swq_context *ctx, const swq_arbiter *arbiter)
{
    name_list others = {.used = 0};

    if (!arbiter->beyond_chains)
        return SWQ_OK;
    for (int k = 0; swq_arbiters[k]; k++) {
        if (!swq_arbiters[k]->beyond_chains)
            add_name(&others, swq_arbiters[k]->name);
    }
    return swq_fail(ctx, SWQ_EINVAL,
                    "arbiter %s looks at %s, which a chain's states do not have; use %s",
                    arbiter->name, arbiter->beyond_chains, others.text);
}

static swq_status check_pool_rule(swq_context *ctx, const swq_pool_rule_row *rule)
{
    name_list others = {.used = 0};

    if (!rule->beyond_chains)
        return SWQ_OK;
    for (size_t k = 0; k < sizeof swq_pool_rules / sizeof *swq_pool_rules; k++) {
        if (!swq_pool_rules[k].beyond_chains)
            add_name(&others, swq_pool_rules[k].name);
    }
    return swq_fail(ctx, SWQ_EINVAL,
                    "pool-rule %s looks at %s, which a chain's states do not have; use %s",
                    rule->name, rule->beyond_chains, others.text);
}

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

swq_status swq_chain_check(swq_context *ctx, const swq_switch *sw)
{
    swq_status status = swq_switch_check(ctx, sw);

    if (!status)
        status = check_burst(ctx, sw);
    if (status)
        return status;
    return sw->buffer.scope == SWQ_POOL
               ? check_pool_rule(ctx, &swq_pool_rules[sw->buffer.pool_rule])
               : check_arbiter(ctx, sw->arbiter);
}
