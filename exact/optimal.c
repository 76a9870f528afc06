/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies that lose least: the checks, and the answer.
 */
#include "switchq/optimal.h"

#include "base/context.h"
#include "base/names.h"
#include "exact/rules.h"
#include "models/gate.h"
#include "solvers/width.h"
#include "switchq/chain.h"

#include <math.h>
#include <time.h>

static const swq_policy optimal = {
    .name = "optimal",
    .summary = "the best arbitration and admission; a packet may be refused although there is room",
    .arbitration = true,
    .refusal = true,
};
static const swq_policy optimal_arbitration = {
    .name = "optimal-arbitration",
    .summary = "the best arbitration, with the buffer's own admission",
    .arbitration = true,
};
static const swq_policy optimal_admission = {
    .name = "optimal-admission",
    .summary = "the best admission under the arbiter; a packet may be refused although there is "
               "room",
    .refusal = true,
};
static const swq_policy optimal_push_out = {
    .name = "optimal-push-out",
    .summary = "the best arbitration and admission; a packet that finds no room may also push out "
               "a waiting packet",
    .arbitration = true,
    .refusal = true,
    .push_out = true,
};

static const swq_policy push_out = {
    .name = "push-out",
    .summary = "nothing is chosen: longest-queue drop, as --admission lqd has it",
    .longest = true,
};

const swq_policy *const swq_policies[] = {
    &optimal, &optimal_arbitration, &optimal_admission, &optimal_push_out, &push_out, NULL,
};

swq_status swq_policy_find(swq_context *ctx, const char *name, const swq_policy **policy)
{
    const void *row = swq_name_lookup(ctx, "policy", name, (const void *const *)swq_policies);

    if (!row)
        return SWQ_EINVAL;
    *policy = row;
    return SWQ_OK;
}

swq_optimal_options swq_optimal_options_defaults(void)
{
    return (swq_optimal_options){
        .reduce = true, .rules = true, .tolerance = 1e-10, .max_iterations = 1000000};
}

/* The decisions of a policy in this switch; a pool has no arbitration. */
static swq_powers powers_on(const swq_switch *sw, const swq_policy *policy)
{
    return (swq_powers){.send = policy->arbitration && sw->buffer.scope != SWQ_POOL,
                        .refuse = policy->refusal,
                        .push_out = policy->push_out};
}

/* The switch under a policy that is a rule of admission. */
static swq_switch under(const swq_switch *sw, const swq_policy *policy)
{
    swq_switch other = *sw;

    if (policy->longest)
        other.buffer.admission = &swq_admission_longest_queue_drop;
    return other;
}

swq_status swq_optimal_check(swq_context *ctx, const swq_switch *sw, const swq_policy *policy)
{
    const bool pool = sw->buffer.scope == SWQ_POOL,
               admits = policy->refusal || policy->push_out || policy->longest;
    const swq_takes takes = {.who = policy->name,
                             .needs = SWQ_NEEDS(SWQ_NEED_OPEN_PORTS) |
                                      SWQ_NEEDS(SWQ_NEED_PUSH_OUT) |
                                      SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS)};
    const swq_admission_rule *rule = swq_buffer_admission(&sw->buffer);
    /* a fixed rule admits the packets of a cycle in any order, of which there are many */
    const int most = pool && !policy->longest ? SWQ_DECISION_POOL_PORTS : SWQ_DECISION_PORTS;
    swq_status status = swq_chain_check(ctx, sw);

    if (status)
        return status;
    if (sw->ports > most)
        return swq_fail(ctx, SWQ_EINVAL, "policy %s is for at most %d ports%s, not %d",
                        policy->name, most, most > SWQ_DECISION_PORTS ? " of a pool" : "",
                        sw->ports);
    if (sw->architecture && sw->architecture != swq_architectures[0])
        return swq_fail(ctx, SWQ_EINVAL, "policy %s is for architecture %s, not %s", policy->name,
                        swq_architectures[0]->name, sw->architecture->name);
    if (sw->flow != SWQ_DISCARD)
        return swq_fail(ctx, SWQ_EINVAL,
                        "policy %s minimises the loss: it is for flow discard, not block",
                        policy->name);
    if (sw->credit != SWQ_CREDIT_SAME)
        return swq_fail(ctx, SWQ_EINVAL, "policy %s is for credit same, not next", policy->name);
    if (sw->burst > 1 && sw->buffer.queues == SWQ_ONE_QUEUE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "policy %s is for independent packets before one queue: burst 1, not %g",
                        policy->name, sw->burst);
    if (pool && !admits)
        return swq_fail(ctx, SWQ_EINVAL,
                        "policy %s chooses who sends; in a pool every queue sends (optimal, "
                        "optimal-push-out choose what it admits)",
                        policy->name);
    if (policy->longest && sw->buffer.queues == SWQ_ONE_QUEUE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "policy %s is for several queues in a buffer, not for one queue",
                        policy->name);
    status = swq_gate_switch(ctx, &takes, sw);
    if (status)
        return status;
    if (admits && rule->fate && !(policy->longest && rule == &swq_admission_longest_queue_drop))
        return swq_fail(ctx, SWQ_EINVAL,
                        "policy %s chooses who is admitted: leave out admission %s", policy->name,
                        rule->name);
    if (admits && sw->buffer.alpha > 0)
        return swq_fail(ctx, SWQ_EINVAL, "policy %s chooses who is admitted: leave out alpha",
                        policy->name);
    if (admits && swq_buffer_pool_rule(&sw->buffer) != &swq_pool_room)
        return swq_fail(ctx, SWQ_EINVAL,
                        "policy %s chooses who is admitted: leave out pool-rule %s", policy->name,
                        swq_buffer_pool_rule(&sw->buffer)->name);
    return SWQ_OK;
}

static double loads_of(const swq_switch *sw)
{
    double created = 0;

    for (int i = 0; i < sw->ports; i++)
        created += sw->load[i];
    return created;
}

/* Convert packets lost per cycle to fractions, with the roundings of the sum of loads and of a
 * quotient. */
static void conclude(const swq_switch *sw, const swq_gain *g, swq_optimal *o)
{
    const double created = loads_of(sw), slack = (sw->ports + 4) * 0x1p-52;
    const double lower = fmax(0, (double)g->lower), upper = (double)g->upper;

    o->throughput =
        (swq_mean){fmax(0, created - (double)g->value) / sw->ports,
                   fmax(0, created - upper) / sw->ports, fmax(0, created - lower) / sw->ports};
    o->throughput.lower -= slack * created / sw->ports;
    o->throughput.upper += slack * created / sw->ports;
    if (created > 0)
        o->discard = (swq_mean){(double)g->value / created, lower / created * (1 - slack),
                                fmin(1, upper / created * (1 + slack))};
    if (upper > 0)
        swq_mean_widen(4, &o->discard);
}

static void count(const swq_decisions *d, swq_optimal *o)
{
    o->steps = d->steps;
    o->states = d->stage[0].node.count;
    for (int k = 0; k < d->stages; k++) {
        const swq_choices *c = &d->stage[k];
        o->situations += c->stage == SWQ_STAGE_RECEPTION ? 0 : c->node.count;
        o->actions += c->stage == SWQ_STAGE_RECEPTION ? 0 : c->actions;
        o->outcomes += c->outcomes;
    }
}

swq_status swq_optimal_solve(swq_context *ctx, const swq_switch *sw, const swq_policy *policy,
                             const swq_optimal_options *options, swq_optimal *answer)
{
    const clock_t began = clock();
    const swq_powers powers = powers_on(sw, policy);
    const swq_switch ruled = under(sw, policy);
    swq_decisions d = {.stages = 0};
    swq_values values = {.d = NULL};
    swq_gain gain = {0, 0, 0};
    swq_optimal out = {.converged = true};
    swq_status status = swq_optimal_check(ctx, sw, policy), late = SWQ_OK;

    if (!status)
        status = swq_decisions_generate(ctx, &ruled, &powers, options->reduce, &d);
    if (!status)
        status = swq_values_init(ctx, &d, &values);
    if (!status && loads_of(sw) > 0)
        status =
            swq_values_iterate(ctx, &values, options->tolerance, options->max_iterations, &gain);
    if (status == SWQ_ECONVERGE) {
        out.converged = false;
        late = status;
        status = SWQ_OK;
    }
    if (!status && options->rules && !d.steps) /* a step is only a part of a decision */
        status = swq_rules_list(ctx, &values, &out);
    if (!status) {
        conclude(sw, &gain, &out);
        count(&d, &out);
        out.iterations = values.iterations;
        out.seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
        *answer = out;
    } else {
        swq_optimal_clear(ctx, &out);
    }
    swq_values_clear(ctx, &values);
    swq_decisions_clear(ctx, &d);
    return status ? status : late;
}

void swq_optimal_clear(swq_context *ctx, swq_optimal *o)
{
    swq_free(ctx, o->rule);
    swq_free(ctx, o->text);
    *o = (swq_optimal){.rules = 0};
}
