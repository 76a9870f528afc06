/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks on a network's spec.
 */
#include "base/context.h"
#include "models/checks.h"
#include "models/priority.h"
#include "sim/fabrics/fabrics.h"
#include "sim/tables/gate.h"

#include <math.h>

/* Can an input hold packets of one class in several queues, from which one must be chosen? */
static bool inputs_have_choices(const swq_network *n)
{
    swq_class_queues queues;

    swq_class_queues_init(&n->sw.buffer, n->sw.ports, &n->sw.priority, &queues);
    return queues.fans[0] || queues.fans[1];
}

const char *swq_stale_objection(const swq_network *n)
{
    const swq_arbiter *arbiter = n->sw.arbiter;
    const bool each = n->sw.buffer.read == SWQ_READ_EACH_QUEUE;

    if (swq_switch_architecture(&n->sw) != swq_architectures[0])
        return "it is for input-queued switches";
    if (n->sw.buffer.scope == SWQ_POOL)
        return "all queues of a pool send";
    if (arbiter->compares == SWQ_COMPARES_NONE)
        return "the arbiter does not compare lengths of queues";
    if (arbiter->compares != SWQ_COMPARES_INPUT)
        return NULL;
    if (!inputs_have_choices(n))
        return "the arbiter compares the queues of an input, and this buffer has one";
    if (each && arbiter->serves != SWQ_SERVES_LONGEST)
        return "the arbiter compares the queues of an input, and this buffer sends from all of "
               "them";
    return NULL;
}

static swq_status check_stale(swq_context *ctx, const swq_network *n)
{
    const char *objection = n->stale > 0 ? swq_stale_objection(n) : NULL;

    if (n->stale < 0 || n->stale > 1000000)
        return swq_fail(ctx, SWQ_EINVAL, "stale must be 0 to 1000000 cycles, not %d", n->stale);
    if (objection)
        return swq_fail(
            ctx, SWQ_EINVAL, "stale must be 0, not %d, with architecture %s and arbiter %s: %s",
            n->stale, swq_switch_architecture(&n->sw)->name, n->sw.arbiter->name, objection);
    return SWQ_OK;
}

/* Refuses options for which architectures other than input-queued switches have no rules. */
static swq_status check_architecture(swq_context *ctx, const swq_network *n)
{
    const char *name = swq_switch_architecture(&n->sw)->name;

    if (swq_switch_architecture(&n->sw) == swq_architectures[0])
        return SWQ_OK;
    if (n->sw.priority.support != SWQ_SUPPORT_NONE)
        return swq_fail(ctx, SWQ_EINVAL, "priority is for architecture %s, not for %s",
                        swq_architectures[0]->name, name);
    return SWQ_OK;
}

static const swq_takes takes = {
    .who = "the synchronous engine",
    .needs = SWQ_NEEDS(SWQ_NEED_AGES) | SWQ_NEEDS(SWQ_NEED_OPEN_PORTS) |
             SWQ_NEEDS(SWQ_NEED_OUTPUTS) | SWQ_NEEDS(SWQ_NEED_STAGES) |
             SWQ_NEEDS(SWQ_NEED_PUSH_OUT) | SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS) |
             SWQ_NEEDS(SWQ_NEED_KEPT_WORDS) | SWQ_NEEDS(SWQ_NEED_EXPULSION) |
             SWQ_NEEDS(SWQ_NEED_ORDER) | SWQ_NEEDS(SWQ_NEED_FUTURE),
};

/* What is still to come is known if sources send whatever becomes of their packets, and if nothing
 * stands between them and the memory. */
static swq_status check_oracle(swq_context *ctx, const swq_network *n, const char *rule)
{
    const swq_oracle *o = &n->sw.buffer.oracle;
    const bool trace = n->traffic.kind == SWQ_SOURCE_TRACE;

    if (n->shape.stages != 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s knows what is still to come in the first stage only: stages "
                        "must be 1, not %d",
                        rule, n->shape.stages);
    if (n->sw.flow != SWQ_DISCARD || n->resend || n->traffic.queue_limit > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s knows what is still to come only if sources send on time: "
                        "flow must be discard, without resend and queue-limit",
                        rule);
    if (swq_buffer_pool_rule(&n->sw.buffer)->oldest_first ||
        swq_buffer_pool_rule(&n->sw.buffer)->opens_ports)
        return swq_fail(ctx, SWQ_EINVAL, "admission %s has pool-rule room or in-order, not %s",
                        rule, swq_buffer_pool_rule(&n->sw.buffer)->name);
    if (o->answer && (!trace || o->answers != n->traffic.trace_packets))
        return swq_fail(ctx, SWQ_EINVAL,
                        "oracle file:%s has an answer for each packet of a trace: it needs traffic "
                        "trace, with %llu packets",
                        o->file, (unsigned long long)o->answers);
    return SWQ_OK;
}

/* Rules over the lengths of queues are for pools without queues of high priority here. */
static swq_status check_admission(swq_context *ctx, const swq_network *n)
{
    const swq_admission_rule *rule = swq_buffer_admission(&n->sw.buffer);

    if (!rule->fate)
        return SWQ_OK;
    if (n->sw.buffer.scope != SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s is for a pool (cbda) in the synchronous engine", rule->name);
    if (n->sw.priority.support != SWQ_SUPPORT_NONE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s knows no packets of high priority: priority must be none",
                        rule->name);
    if (n->resend && swq_admission_loses_stored(rule))
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s loses stored packets for good: it does not go with resend",
                        rule->name);
    if (n->stale > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "admission %s looks at queues as they are: stale must be 0, not %d",
                        rule->name, n->stale);
    if (rule->needs & SWQ_NEEDS(SWQ_NEED_FUTURE))
        return check_oracle(ctx, n, rule->name);
    return SWQ_OK;
}

/* The shape is one of a fabric that the engine has, sets no parameter that the fabric does not
 * have, and has the switch's ports. */
static swq_status check_shape(swq_context *ctx, const swq_network *n, uint32_t *nodes)
{
    const swq_shape *s = &n->shape;

    if (!(s->kind->engines & SWQ_ENGINE_SYNC))
        return swq_fail(ctx, SWQ_EINVAL, "topology %s is for asynchronous networks", s->kind->name);
    if (!s->wiring)
        return swq_fail(ctx, SWQ_EINVAL, "wiring must be given for a multistage network");
    if (s->ports && s->ports != n->sw.ports)
        return swq_fail(ctx, SWQ_EINVAL,
                        "ports of the shape must be 0 or those of the switch, %d, not %d",
                        n->sw.ports, s->ports);
    if (s->routing && s->routing != swq_routings[0])
        return swq_fail(ctx, SWQ_EINVAL, "routing %s is for asynchronous networks",
                        s->routing->name);
    const swq_status status = swq_shape_check_parameters(ctx, s);
    return status ? status : swq_topology_nodes(ctx, s->wiring, n->sw.ports, s->stages, nodes);
}

swq_status swq_network_check(swq_context *ctx, const swq_network *n, uint32_t *nodes)
{
    const swq_switch *sw = &n->sw;

    if (!n->shape.kind)
        return swq_fail(ctx, SWQ_EINVAL, "topology must be given");
    /* the nodes' loads and destinations matter, not the switch's */
    swq_status status = swq_switch_check_rules(ctx, sw, SWQ_MAX_PORTS);
    if (!status && n->sw.burst > 1)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "burst of the switch must be 0 in a network, whose traffic has bursts of "
                          "its own, not %g",
                          n->sw.burst);
    if (!status && sw->ports < 2)
        status = swq_fail(ctx, SWQ_EINVAL, "ports must be 2 to %d in a network, not %d",
                          SWQ_MAX_PORTS, sw->ports);
    if (!status)
        status = check_shape(ctx, n, nodes);
    if (!status)
        status = swq_traffic_check(ctx, &n->traffic, *nodes);
    if (!status && n->resend && sw->flow != SWQ_DISCARD)
        status = swq_fail(ctx, SWQ_EINVAL, "resend is for flow discard only");
    if (!status)
        status = check_architecture(ctx, n);
    if (!status)
        status = swq_gate_network(ctx, &takes, n);
    if (!status)
        status = check_admission(ctx, n);
    if (!status)
        status = check_stale(ctx, n);
    return status;
}
