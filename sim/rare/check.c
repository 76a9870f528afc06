/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of rare.h: their defaults, and their checks.
 */
#include "sim/rare/check.h"

#include "base/context.h"
#include "base/probability.h"
#include "sim/measure/run.h"
#include "sim/tables/gate.h"

#include <math.h>

swq_rare_options swq_rare_defaults(void)
{
    return (swq_rare_options){
        .seed = 1,
        .replications = SWQ_RARE_REPLICATIONS,
        .threads = 1,
        .cycles = 100000000,
        .warmup = SWQ_WARMUP_AUTO,
        .precision = 0.1,
        .confidence = 0.95,
        .pilot_steps = 50000,
    };
}

static swq_status check_levels(swq_context *ctx, const swq_rare_options *o)
{
    if (!o->level)
        return SWQ_OK;
    if (!o->importance)
        return swq_fail(ctx, SWQ_EINVAL, "levels need an importance function");
    if (o->levels < 0 || o->levels > SWQ_RARE_LEVELS)
        return swq_fail(ctx, SWQ_EINVAL, "there must be 0 to %d levels, not %d", SWQ_RARE_LEVELS,
                        o->levels);
    for (int i = 0; i < o->levels; i++) {
        if (o->level[i].threshold <= (i ? o->level[i - 1].threshold : 0))
            return swq_fail(ctx, SWQ_EINVAL, "thresholds must rise from 1 on; %u does not",
                            o->level[i].threshold);
        if (o->level[i].factor < 1 || o->level[i].factor > 1000000)
            return swq_fail(ctx, SWQ_EINVAL, "factor of a level must be 1 to 1000000, not %d",
                            o->level[i].factor);
    }
    return SWQ_OK;
}

double swq_rare_offered(const swq_traffic *t, uint32_t nodes)
{
    double sum = 0;

    if (!t->node_load)
        return t->load * nodes;
    for (uint32_t i = 0; i < nodes; i++)
        sum += t->node_load[i];
    return sum;
}

/* Splitting needs an importance function, which says how near a network is to refusing a packet
 * that comes. */
static const swq_takes takes = {
    .who = "the splitting of rare discards",
    .needs = SWQ_NEEDS(SWQ_NEED_AGES) | SWQ_NEEDS(SWQ_NEED_OPEN_PORTS) |
             SWQ_NEEDS(SWQ_NEED_PUSH_OUT) | SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS) |
             SWQ_NEEDS(SWQ_NEED_KEPT_WORDS) | SWQ_NEEDS(SWQ_NEED_EXPULSION),
};

static swq_status check_network(swq_context *ctx, const swq_network *n)
{
    if (swq_switch_architecture(&n->sw) != swq_architectures[0])
        return swq_fail(ctx, SWQ_EINVAL, "rare discards are for architecture %s, not for %s",
                        swq_architectures[0]->name, n->sw.architecture->name);
    if (n->sw.flow != SWQ_DISCARD)
        return swq_fail(ctx, SWQ_EINVAL,
                        "flow must be discard: a network that blocks loses no packets");
    if (n->resend)
        return swq_fail(ctx, SWQ_EINVAL, "resend does not go with rare discards");
    if (n->traffic.kind != SWQ_SOURCE_HOLD)
        return swq_fail(ctx, SWQ_EINVAL,
                        "sources must be hold for rare discards: with discarding, no packet waits");
    if (n->traffic.burst > 1)
        return swq_fail(ctx, SWQ_EINVAL, "burst must be 1 for rare discards, not %g",
                        n->traffic.burst);
    /* how near such a rule is to refusing a packet does not follow from the lengths of queues */
    const swq_admission_rule *admission = swq_buffer_admission(&n->sw.buffer);
    if (admission->keeps > 1 || admission->kept_values)
        return swq_fail(ctx, SWQ_EINVAL,
                        "rare discards are for rules of admission that look at lengths of queues, "
                        "and admission %s also keeps other values",
                        admission->name);
    return swq_gate_network(ctx, &takes, n);
}

swq_sim_options swq_rare_making(const swq_rare_options *o)
{
    swq_sim_options s = swq_sim_defaults();

    s.seed = o->seed;
    s.cycles = o->cycles;
    s.warmup = o->warmup;
    s.replications = o->replications;
    s.threads = o->threads;
    s.precision = o->precision;
    s.confidence = o->confidence;
    s.plain = o->plain;
    return s;
}

swq_status swq_rare_check(swq_context *ctx, const swq_network *network, const swq_rare_options *o,
                          uint32_t *nodes)
{
    swq_status status = swq_network_check(ctx, network, nodes);
    swq_sim_options making = swq_rare_making(o);

    if (!status)
        status = check_network(ctx, network);
    if (!status && !(swq_rare_offered(&network->traffic, *nodes) > 0))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "load must be above 0 for rare discards: without packets none is lost");
    if (!status)
        status = swq_run_check(ctx, &making, *nodes);
    if (!status && o->replications < 2)
        status = swq_fail(ctx, SWQ_EINVAL, "replications must be 2 to %d for rare discards, not %d",
                          SWQ_MAX_REPLICATIONS, o->replications);
    if (!status && (o->pilot_steps < 1000 || o->pilot_steps > 1000000000))
        status = swq_fail(ctx, SWQ_EINVAL, "pilot-steps must be 1000 to 1000000000, not %llu",
                          (unsigned long long)o->pilot_steps);
    return status ? status : check_levels(ctx, o);
}

/* A point estimate may exceed 1, but not by many half-widths. */
static swq_status check_estimate(swq_context *ctx, const char *what, const swq_estimate *e)
{
    enum { HALF_WIDTHS = 4 };

    if (isfinite(e->half_width))
        return swq_probability_check(ctx, what, e->mean, HALF_WIDTHS * e->half_width);
    if (e->mean > 1 + SWQ_PROBABILITY_ROUNDING)
        return swq_fail(ctx, SWQ_ECONVERGE,
                        "the run is too short to tell a probability: the %s came out as %.6g; more "
                        "cycles or replications are needed",
                        what, e->mean);
    return swq_probability_check(ctx, what, e->mean, 0);
}

swq_status swq_rare_check_result(swq_context *ctx, const swq_rare_result *r, int stages)
{
    swq_status status = check_estimate(ctx, "discard probability", &r->discard_fraction);

    for (int k = 0; k < stages && !status; k++)
        status = check_estimate(ctx, "discard probability at a stage", &r->stage[k]);
    for (int i = 0; i < r->levels && !status; i++)
        status = check_estimate(ctx, "probability of a level", &r->level[i].probability);
    return status;
}
