/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a spec to its answers: generate, multiply out, solve, and weigh the states.
 * Room: exact. Includes models, solvers, base.
 */
#include "switchq/exact.h"

#include "base/context.h"
#include "base/probability.h"
#include "exact/columns.h"
#include "exact/deviation.h"
#include "exact/plausible.h"

#include <float.h>
#include <math.h>
#include <time.h>

/* A rounding of the sums over states, in those of double. */
#define SUMMING (LDBL_MANT_DIG >= 64 ? 0x1p-11 : 1)

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

static void set_reward(swq_solved *s, const double *reward, int64_t states)
{
    long double sum = 0;

    for (int64_t i = 0; i < states; i++)
        sum += (long double)s->pi[i] * reward[i];
    s->reward = reward;
    s->mean = (double)sum;
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
        members[swq_chain_buffer_class(chain, b)]++;
    for (int b = a->buffers - 1; b >= 0; b--) { /* the first of a class comes last */
        int first = swq_chain_buffer_class(chain, b);
        for (int k = 0; k < size; k++)
            a->occupancy[b * size + k] = a->occupancy[first * size + k] / members[first];
    }
}

static void weigh_outputs(const swq_chain *chain, const double *pi, swq_answers *a)
{
    const swq_switch *sw = swq_chain_switch(chain);
    double accepted[SWQ_MAX_PORTS], refused[SWQ_MAX_PORTS], waiting[SWQ_MAX_PORTS];
    long double in[SWQ_MAX_PORTS] = {0}, out[SWQ_MAX_PORTS] = {0}, packets[SWQ_MAX_PORTS] = {0};

    for (int64_t s = 0; s < a->states; s++) {
        swq_chain_outputs(chain, s, accepted, refused, waiting);
        for (int j = 0; j < sw->ports; j++) {
            in[j] += (long double)pi[s] * accepted[j];
            out[j] += (long double)pi[s] * refused[j];
            packets[j] += (long double)pi[s] * waiting[j];
        }
    }
    for (int j = 0; j < sw->ports; j++) {
        a->throughput_output[j] = (double)in[j]; /* what comes in goes out */
        a->waiting_output[j] = (double)packets[j];
        a->refusal_output[j] = ratio((double)out[j], (double)(in[j] + out[j]));
        a->discard_output[j] = sw->flow == SWQ_DISCARD ? a->refusal_output[j] : 0;
    }
}

static void weigh_classes(const swq_chain *chain, const double *pi, swq_answers *a)
{
    const swq_switch *sw = swq_chain_switch(chain);
    long double in[SWQ_CLASSES] = {0}, out[SWQ_CLASSES] = {0};
    long double packets[SWQ_CLASSES] = {0}, held[SWQ_CLASSES] = {0};
    swq_chain_class of[SWQ_CLASSES];

    for (int64_t s = 0; s < a->states; s++) {
        swq_chain_classes(chain, s, of);
        for (int c = 0; c < SWQ_CLASSES; c++) {
            in[c] += (long double)pi[s] * of[c].accepted;
            out[c] += (long double)pi[s] * of[c].refused;
            packets[c] += (long double)pi[s] * of[c].packets;
            held[c] += (long double)pi[s] * of[c].held;
        }
    }
    for (int c = 0; c < SWQ_CLASSES; c++) {
        swq_class_answers *of_class = &a->by_class[c];
        of_class->refusal = ratio((double)out[c], (double)(in[c] + out[c]));
        of_class->discard = sw->flow == SWQ_DISCARD ? of_class->refusal : 0;
        of_class->throughput = (double)in[c] / sw->ports; /* what comes in goes out */
        of_class->mean_packets = (double)packets[c];
        of_class->mean_held = (double)held[c];
        of_class->mean_delay = in[c] > 0 ? 1 + (double)(packets[c] / in[c]) : NAN;
        of_class->mean_source_wait = in[c] > 0 ? (double)(held[c] / in[c]) : NAN;
    }
}

static swq_status weigh_states(swq_context *ctx, const swq_chain *chain, const double *pi,
                               swq_answers *a)
{
    const swq_switch *sw = swq_chain_switch(chain);
    const double *accepted = swq_chain_accepted(chain), *refused = swq_chain_refused(chain);
    long double in[SWQ_MAX_PORTS] = {0}, out[SWQ_MAX_PORTS] = {0}, packets = 0, held = 0;
    long double behind = 0;
    double all_in = 0, all_out = 0;

    a->buffers = swq_chain_buffers(chain);
    a->capacity = swq_chain_capacity(chain);
    a->occupancy =
        swq_calloc(ctx, (size_t)a->buffers * ((size_t)a->capacity + 1), sizeof *a->occupancy);
    int size = a->capacity + 1;
    long double *weight = swq_calloc(ctx, (size_t)a->buffers * (size_t)size, sizeof *weight);
    if (!a->occupancy || !weight) {
        swq_free(ctx, weight);
        return swq_memory_status(ctx);
    }
    for (int64_t s = 0; s < a->states; s++) {
        for (int i = 0; i < sw->ports; i++) {
            in[i] += (long double)pi[s] * accepted[s * sw->ports + i];
            out[i] += (long double)pi[s] * refused[s * sw->ports + i];
        }
        int occupancy[SWQ_MAX_PORTS];
        held += (long double)pi[s] * swq_chain_occupancies(chain, s, occupancy);
        behind += (long double)pi[s] * swq_chain_behind(chain, s);
        for (int b = 0; b < a->buffers; b++) {
            weight[swq_chain_buffer_class(chain, b) * size + occupancy[b]] += pi[s];
            packets += (long double)pi[s] * occupancy[b];
        }
    }
    for (int k = 0; k < a->buffers * size; k++)
        a->occupancy[k] = (double)weight[k];
    swq_free(ctx, weight);
    a->mean_packets = (double)(packets + behind);
    a->mean_behind = (double)behind;
    for (int i = 0; i < sw->ports && sw->burst > 1 && sw->flow == SWQ_BLOCK; i++)
        held += out[i]; /* what is refused in a reception is held after it */
    a->mean_held = (double)held;
    share_occupancy(chain, a);
    weigh_outputs(chain, pi, a);
    a->classes = sw->priority.fraction > 0 || sw->priority.support != SWQ_SUPPORT_NONE;
    if (a->classes)
        weigh_classes(chain, pi, a);
    for (int b = 0; b < a->buffers; b++)
        a->full[b] = a->occupancy[b * (a->capacity + 1) + a->capacity];
    for (int i = 0; i < sw->ports; i++) {
        a->refusal_input[i] = ratio((double)out[i], (double)(in[i] + out[i]));
        a->discard_input[i] = sw->flow == SWQ_DISCARD ? a->refusal_input[i] : 0;
        all_in += (double)in[i];
        all_out += (double)out[i];
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

/* The headline's interval, relative to it; 0 when it is exactly zero. */
static double width_of(const swq_mean *m)
{
    double half = fmax(m->upper - m->value, m->value - m->lower);
    return half > 0 ? half / fabs(m->value) : 0;
}

/* What was asked for is an interval, not a small change. */
static swq_status check_width(swq_context *ctx, const swq_exact_options *options, swq_answers *a,
                              const swq_mean *headline)
{
    double width = width_of(headline);

    if (width <= options->solving.enclosure)
        return SWQ_OK;
    a->converged = false;
    if (width > 1)
        return swq_fail(ctx, SWQ_ECONVERGE,
                        "solver %s: nothing useful could be proven of the result (--tol %.2g "
                        "wanted)",
                        a->solver->name, options->solving.enclosure);
    return swq_fail(ctx, SWQ_ECONVERGE,
                    "solver %s: proven to within %.1g of itself, not %.1g as wanted (--tol)",
                    a->solver->name, width, options->solving.enclosure);
}

static swq_known scaled(swq_known f, double factor)
{
    return (swq_known){f.value * factor, f.error * factor + fabs(f.value * factor) * 0x1p-51};
}

/* The slope of the headline figure out of that of the enclosed reward, less the reward. */
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

/* What takes more solutions, and is computed when it is asked for. */
static swq_status answer_more(swq_solved *s, const double *reward, swq_answers *a)
{
    const double *refused = swq_chain_refused(s->chain);
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
        refusals = discard ? NULL : total_reward(s->ctx, s->chain, refused);
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

    swq_status status = swq_chain_generate(ctx, sw, options->reduce, &chain);
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
    /* a weight, its part of a sum in long double, and a handful of roundings of the quotients */
    a->relative_error =
        2 * solution.pi_error +
        2 * (swq_chain_product(chain).roundings + 40 + SUMMING * (double)solution.states) * 0x1p-53;
    enclose_headlines(sw, &solution.mean[0], a);
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
        status = check_width(ctx, options, a, sw->flow == SWQ_BLOCK ? &a->throughput : &a->discard);
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
