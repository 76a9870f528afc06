/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a spec to its answers: generate, multiply out, solve, and weigh the states.
 * Room: exact. Includes models, solvers, base.
 */
#include "switchq/exact.h"

#include "base/context.h"

#include <math.h>
#include <time.h>

/* Packets per cycle, summed over the inputs, for each state: the reward that is enclosed. */
static double *total_reward(swq_context *ctx, const swq_chain *chain, const double *by_input)
{
    int64_t states = swq_chain_states(chain);
    int ports = swq_chain_switch(chain)->ports;
    double *total = swq_calloc(ctx, (size_t)states, sizeof *total);

    for (int64_t s = 0; total && s < states; s++) {
        for (int i = 0; i < ports; i++)
            total[s] += by_input[s * ports + i];
    }
    return total;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* What the buffers of a class hold was added up at the first of them: give each its even share. */
static void share_occupancy(const swq_chain *chain, swq_answers *a)
{
    int members[SWQ_MAX_PORTS] = {0}, size = a->capacity + 1;

    for (int b = 0; b < a->buffers; b++)
        members[swq_chain_input_class(chain, b)]++;
    for (int b = a->buffers - 1; b >= 0; b--) { /* the first of a class comes last */
        int first = swq_chain_input_class(chain, b);
        for (int k = 0; k < size; k++)
            a->occupancy[b * size + k] = a->occupancy[first * size + k] / members[first];
    }
}

static swq_status weigh_states(swq_context *ctx, const swq_chain *chain, const double *pi,
                               swq_answers *a)
{
    const swq_switch *sw = swq_chain_switch(chain);
    const double *accepted = swq_chain_accepted(chain), *refused = swq_chain_refused(chain);
    double in[SWQ_MAX_PORTS] = {0}, out[SWQ_MAX_PORTS] = {0}, all_in = 0, all_out = 0;

    a->buffers = swq_chain_buffers(chain);
    a->capacity = sw->buffer.capacity;
    a->occupancy =
        swq_calloc(ctx, (size_t)a->buffers * ((size_t)a->capacity + 1), sizeof *a->occupancy);
    if (!a->occupancy)
        return swq_memory_status(ctx);
    for (int64_t s = 0; s < a->states; s++) {
        for (int i = 0; i < sw->ports; i++) {
            in[i] += pi[s] * accepted[s * sw->ports + i];
            out[i] += pi[s] * refused[s * sw->ports + i];
        }
        for (int b = 0; b < a->buffers; b++) {
            int k = swq_chain_occupancy(chain, s, b);
            a->occupancy[swq_chain_input_class(chain, b) * (a->capacity + 1) + k] += pi[s];
            a->mean_packets += pi[s] * k;
        }
        a->mean_held += pi[s] * swq_chain_held(chain, s);
    }
    share_occupancy(chain, a);
    for (int b = 0; b < a->buffers; b++)
        a->full[b] = a->occupancy[b * (a->capacity + 1) + a->capacity];
    for (int i = 0; i < sw->ports; i++) {
        a->refusal_input[i] = ratio(out[i], in[i] + out[i]);
        a->discard_input[i] = sw->flow == SWQ_DISCARD ? a->refusal_input[i] : 0;
        all_in += in[i];
        all_out += out[i];
    }
    a->refusal = ratio(all_out, all_in + all_out);
    a->mean_delay = all_in > 0 ? 1 + a->mean_packets / all_in : NAN;
    a->mean_source_wait = all_in > 0 ? a->mean_held / all_in : NAN;
    return SWQ_OK;
}

/* The enclosed reward is what is refused (discard) or accepted (block) per cycle; both headline
 * figures follow from it. */
static void enclose_headlines(const swq_switch *sw, const swq_mean *mean, swq_answers *a)
{
    double created = 0, n = sw->ports;

    for (int i = 0; i < sw->ports; i++)
        created += sw->load[i];
    if (sw->flow == SWQ_BLOCK) {
        a->throughput = (swq_mean){mean->value / n, mean->lower / n * (1 - 0x1p-51),
                                   mean->upper / n * (1 + 0x1p-51)};
        return;
    }
    if (created > 0)
        a->discard =
            (swq_mean){mean->value / created, mean->lower / created, mean->upper / created};
    a->throughput =
        (swq_mean){fmax(0, created - mean->value) / n, fmax(0, created - mean->upper) / n,
                   fmax(0, created - mean->lower) / n};
    if (created == 0)
        return;
    /* the sum of the loads, the difference and the quotients round too */
    double slack = (n + 4) * 0x1p-52;
    a->discard.lower *= 1 - slack;
    a->discard.upper = fmin(1, a->discard.upper * (1 + slack));
    a->throughput.lower -= slack * created / n;
    a->throughput.upper += slack * created / n;
}

static swq_status solve_one(swq_context *ctx, const swq_switch *sw,
                            const swq_exact_options *options, swq_answers *a)
{
    swq_chain *chain = NULL;
    swq_grouping grouping = {0};
    swq_solution solution = {0};
    swq_chain_size size;
    double *reward = NULL;

    swq_status status = swq_chain_foresee(ctx, sw, options->reduce, &size);
    if (!status)
        status = swq_chain_generate(ctx, sw, options->reduce, &chain);
    if (!status)
        status = swq_chain_group(ctx, chain, &grouping);
    if (!status) {
        reward = total_reward(ctx, chain,
                              sw->flow == SWQ_BLOCK ? swq_chain_accepted(chain)
                                                    : swq_chain_refused(chain));
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
                       .transitions = swq_chain_entries(chain),
                       .transient = solution.transient,
                       .period = solution.period,
                       .unreduced = size.unreduced,
                       .solver = solution.solver,
                       .why = solution.why,
                       .iterations = solution.iterations,
                       .residual = solution.residual,
                       .converged = solution.converged,
                       .saturation = {NAN, NAN, NAN}};
    /* a weight and the sums and quotients over it: a handful of roundings per state at most */
    a->relative_error =
        2 * solution.pi_error + 2 * (swq_chain_product(chain).roundings + 2.0 * (double)solution.states) * 0x1p-53;
    enclose_headlines(sw, &solution.mean[0], a);
    swq_status weighed = weigh_states(ctx, chain, solution.pi, a);
    if (weighed) {
        status = weighed;
        swq_answers_clear(ctx, a);
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
    swq_status status = solve_one(ctx, sw, options, &out);
    if (status && status != SWQ_ECONVERGE)
        return status;
    if (sw->flow == SWQ_BLOCK) {
        swq_switch full = *sw;
        for (int i = 0; i < sw->ports; i++)
            full.load[i] = sw->load[i] > 0 ? 1 : 0;
        swq_status again = solve_one(ctx, &full, options, &saturated);
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
    out.seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    *answers = out;
    return status;
}

void swq_answers_clear(swq_context *ctx, swq_answers *answers)
{
    swq_free(ctx, answers->occupancy);
    *answers = (swq_answers){0};
}
