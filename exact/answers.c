/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a spec to its answers: generate, multiply out, solve, and weight the states.
 */
#include "switchq/exact.h"

#include "base/context.h"
#include "base/probability.h"
#include "exact/columns.h"
#include "exact/deviation.h"
#include "exact/foresee.h"
#include "exact/plausible.h"
#include "exact/weights.h"
#include "models/chain_parts.h"
#include "solvers/operator.h"

#include <float.h>
#include <math.h>
#include <time.h>

enum { ARRANGED_FROM = 1 << 17 /* nodes of a level, beyond which its vectors leave the caches */ };

/* Packets per cycle, summed over the inputs, for each state: the reward that is enclosed. */
static double *total_reward(swq_context *ctx, const swq_chain *chain, bool of_accepted)
{
    int64_t states = swq_chain_states(chain);
    int ports = swq_chain_switch(chain)->ports;
    double accepted[SWQ_CHAIN_PORTS], refused[SWQ_CHAIN_PORTS];
    double *total = swq_calloc(ctx, (size_t)states, sizeof *total);

    for (int64_t s = 0; total && s < states; s++) {
        swq_chain_reception(chain, s, accepted, refused);
        for (int i = 0; i < ports; i++)
            total[s] += of_accepted ? accepted[i] : refused[i];
    }
    return total;
}

static void set_reward(swq_solved *s, const double *reward, int64_t states)
{
    long double sum = 0;

    for (int64_t i = 0; i < states; i++)
        sum += (long double)s->pi[i] * reward[i];
    s->reward = reward;
    s->mean = (double)sum;
}

static swq_status weigh_states(swq_context *ctx, const swq_chain *chain, const double *pi,
                               swq_answers *a)
{
    swq_weights w;
    swq_status status = swq_weights_init(ctx, chain, &w);

    if (!status) {
        swq_weights_add(chain, pi, &w);
        status = swq_weights_tell(ctx, chain, &w, a);
    }
    swq_weights_clear(ctx, &w);
    return status;
}

static swq_known scaled(swq_known f, double factor)
{
    const double value = f.value * factor, lost = f.value != 0 ? DBL_TRUE_MIN : 0;

    return (swq_known){value, (f.error + lost) * factor + fabs(value) * 0x1p-51 + lost};
}

/* The slope of the headline figure. swq_exact_slope gives the slope of the enclosed reward, minus
 * the reward. */
static swq_status find_slope(const swq_solved *s, swq_answers *a)
{
    const swq_switch *sw = swq_chain_switch(s->chain);
    double created = 0;
    bool same = true;
    swq_known slope;

    for (int i = 0; i < sw->ports; i++) {
        created += sw->load[i];
        same = same && sw->load[i] == sw->load[0];
        if (sw->load[i] == 1)
            return SWQ_OK;
    }
    if (created == 0)
        return SWQ_OK;
    swq_status status = swq_exact_slope(s, &slope);
    if (status && status != SWQ_ECONVERGE)
        return status;
    if (sw->flow == SWQ_BLOCK) {
        slope.value += s->mean;
        slope.error += swq_flow_error(s) * s->mean;
    }
    a->slope = scaled(slope, 1 / (sw->flow == SWQ_BLOCK ? sw->ports : created));
    if (same)
        a->slope_by_load = scaled(a->slope, 1 / sw->load[0]);
    return status;
}

/* Answers that need more solutions, and are computed only on request. */
static swq_status answer_more(swq_solved *s, const double *reward, swq_answers *a)
{
    swq_status status = SWQ_OK, early = SWQ_OK;
    bool discard = swq_chain_switch(s->chain)->flow == SWQ_DISCARD;
    double *refusals = NULL;

    if (s->options->slope) {
        set_reward(s, reward, a->states);
        status = find_slope(s, a);
    }
    if (status == SWQ_ECONVERGE) {
        early = status;
        status = SWQ_OK;
    }
    if (!status && s->options->variance) {
        refusals = discard ? NULL : total_reward(s->ctx, s->chain, false);
        if (!discard && !refusals)
            return swq_memory_status(s->ctx);
        set_reward(s, discard ? reward : refusals, a->states);
        a->refusals = s->mean;
        status = swq_exact_variance(s, &a->variance);
    }
    swq_free(s->ctx, refusals);
    return status ? status : early;
}

static swq_status solve_one(swq_context *ctx, const swq_switch *sw,
                            const swq_exact_options *options, swq_answers *a)
{
    swq_chain *chain = NULL;
    swq_grouping grouping = {0};
    swq_solution solution = {0};
    double *reward = NULL;

    const bool lean = !options->variance && !options->slope;
    swq_status status = swq_exact_check_room(ctx, sw, options, solve_one);
    if (!status)
        status =
            (lean ? swq_chain_generate_lean : swq_chain_generate)(ctx, sw, options->reduce, &chain);
    if (!status)
        status = swq_chain_group(ctx, chain, &grouping);
    if (!status && lean) {
        swq_chain_forget_nodes(ctx, chain);
        const swq_product p = swq_chain_product(chain);
        if (swq_product_widest(&p) >= ARRANGED_FROM)
            status = swq_chain_arrange(ctx, chain, &grouping);
    }
    if (!status) {
        reward = total_reward(ctx, chain, sw->flow == SWQ_BLOCK);
        status = reward ? SWQ_OK : swq_memory_status(ctx);
    }
    if (!status) {
        swq_product product = swq_chain_product(chain);
        status = swq_solve_product(ctx, &product, &grouping, options->solver, &options->solving,
                                   (const double *const[]){reward}, 1, &solution);
    }
    if (!solution.pi || !solution.mean) /* a solution may come with SWQ_ECONVERGE */
        goto done;

    *a = (swq_answers){.states = solution.states,
                       .intermediates = swq_chain_intermediates(chain),
                       .transitions = solution.transitions,
                       .entries = swq_chain_entries(chain),
                       .factors = swq_chain_product(chain).factors,
                       .transient = solution.transient,
                       .period = solution.period,
                       .unreduced = swq_chain_unreduced(chain),
                       .solver = solution.solver,
                       .why = solution.why,
                       .iterations = solution.iterations,
                       .residual = solution.residual,
                       .converged = solution.converged,
                       .saturation = {NAN, NAN, NAN},
                       .refusals = NAN,
                       .variance = {NAN, NAN},
                       .slope = {NAN, NAN},
                       .slope_by_load = {NAN, NAN}};
    a->relative_error =
        swq_weighing_error(solution.pi_error, swq_chain_product(chain).roundings, solution.states);
    swq_answers_enclose(sw, &solution.mean[0], a);
    swq_status weighed = weigh_states(ctx, chain, solution.pi, a);
    if (!weighed) {
        swq_solved solved = {ctx,  chain, &grouping, options, solution.pi, solution.pi_error,
                             NULL, 0};
        weighed = answer_more(&solved, reward, a);
    }
    if (weighed) {
        status = weighed;
        a->converged = false;
        if (weighed != SWQ_ECONVERGE)
            swq_answers_clear(ctx, a);
    } else if (!status) {
        status = swq_answers_width(ctx, sw, options, a);
    }
done:
    swq_free(ctx, reward);
    swq_solution_clear(ctx, &solution);
    swq_grouping_clear(ctx, &grouping);
    swq_chain_free(ctx, chain);
    return status;
}

swq_exact_options swq_exact_options_defaults(void)
{
    return (swq_exact_options){
        .reduce = true,
        .solver = swq_solvers[0],
        .solving = swq_solver_options_defaults(),
    };
}

swq_status swq_exact_solve(swq_context *ctx, const swq_switch *sw, const swq_exact_options *options,
                           swq_answers *answers)
{
    clock_t began = clock();
    swq_answers out = {0}, saturated = {0};
    swq_status status = swq_chain_check(ctx, sw);
    if (!status)
        status = swq_columns_apart(sw, options)
                     ? swq_columns_solve(ctx, sw, options, solve_one, &out)
                     : solve_one(ctx, sw, options, &out);
    if (status && status != SWQ_ECONVERGE)
        return status;
    if (sw->flow == SWQ_BLOCK) {
        swq_switch full = *sw;
        swq_exact_options plain = *options;
        plain.variance = plain.slope = false;
        for (int i = 0; i < sw->ports; i++)
            full.load[i] = sw->load[i] > 0 ? 1 : 0;
        swq_status again = solve_one(ctx, &full, &plain, &saturated);
        if (!again || again == SWQ_ECONVERGE) {
            out.saturation = saturated.throughput;
            out.converged = out.converged && saturated.converged;
            swq_answers_clear(ctx, &saturated);
        } else if (again != SWQ_EREDUCIBLE && again != SWQ_EPERIODIC) {
            swq_answers_clear(ctx, &out);
            return again;
        }
        status = out.converged ? SWQ_OK : SWQ_ECONVERGE;
    }
    if (!status)
        status = swq_answers_check(ctx, &out, sw->ports);
    if (status && status != SWQ_ECONVERGE) {
        swq_answers_clear(ctx, &out);
        return status;
    }
    out.seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    *answers = out;
    return status;
}

swq_status swq_answers_check(swq_context *ctx, const swq_answers *a, int ports)
{
    const struct {
        const char *what;
        double value;
    } headlines[] = {{"discard probability", a->discard.value},
                     {"throughput of an output", a->throughput.value},
                     {"saturation throughput of an output", a->saturation.value},
                     {"refusal probability", a->refusal}};
    swq_status status = SWQ_OK;

    for (size_t k = 0; k < sizeof headlines / sizeof *headlines && !status; k++)
        status = swq_probability_check(ctx, headlines[k].what, headlines[k].value, 0);
    for (int i = 0; i < ports && !status; i++)
        status =
            swq_probability_check(ctx, "refusal probability of an input", a->refusal_input[i], 0);
    for (int j = 0; j < ports && !status; j++) {
        status =
            swq_probability_check(ctx, "refusal probability of an output", a->refusal_output[j], 0);
        if (!status)
            status =
                swq_probability_check(ctx, "throughput of an output", a->throughput_output[j], 0);
    }
    for (int k = 0; k < a->buffers * (a->capacity + 1) && !status; k++)
        status =
            swq_probability_check(ctx, "probability of a buffer's content", a->occupancy[k], 0);
    return status;
}
