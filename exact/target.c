/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inverse questions: how many slots, or how much load, for a given loss.
 */
#include "switchq/exact.h"

#include "base/context.h"
#include "switchq/chain.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdio.h>

/* If one more slot lowers the loss by less than this fraction, the loss no longer falls. */
#define STILL_FALLING 1e-6

/* If the logarithm of the loss falls by less than this per step, it may soon stop falling. */
#define FALLING_WELL 1e-3

/* If the logarithm of the loss falls by less than this fraction of its previous fall, the loss may
 * be near its limit. */
#define STEADY 0.7

enum {
    MOST_TRIED = 200, /* sizes whose loss is remembered */
    MOST_GROWTH = 8   /* largest factor of the states in one leap */
};

static swq_status check_target(swq_context *ctx, const swq_switch *sw, double target)
{
    if (!(target > 0 && target < 1))
        return swq_fail(ctx, SWQ_EINVAL, "target must be above 0 and below 1, not %g", target);
    if (sw->flow != SWQ_DISCARD)
        return swq_fail(ctx, SWQ_EINVAL, "target is a loss: it needs flow discard");
    return SWQ_OK;
}

/* The memory that grows: the slots of buffers of `kind`; NULL: the memory `size` behind the
 * buffers. */
typedef struct {
    const swq_buffer_kind *kind;
    swq_size size;
    int least, most, step;
} growth;

static swq_status make_sized(swq_context *ctx, const swq_switch *sw, const growth *g, int s,
                             swq_switch *sized)
{
    *sized = *sw;
    if (g->kind) {
        return swq_buffer_preset_like(ctx, g->kind, sw->ports, s, &sw->buffer, &sized->buffer);
    }
    *(g->size == SWQ_SIZE_OUTPUT_SLOTS ? &sized->output_slots : &sized->crosspoint_slots) = s;
    swq_switch_own_memory(sized);
    return SWQ_OK;
}

/* A search for the smallest size, and what it has found so far. */
typedef struct {
    swq_context *ctx;
    const swq_switch *sw;
    const growth *g;
    double target;
    const swq_exact_options *options;
    struct {
        int size;
        double loss;
        bool met;
    } tried[MOST_TRIED];
    int tries;
    int met; /* the size to which `answers` belong; 0: none yet */
    swq_answers answers;
} size_search;

/* The loss with s slots, and whether its upper bound meets the target. The answers of the smallest
 * size that meets the target are kept. */
static swq_status look(size_search *x, int s, double *loss, bool *met)
{
    swq_answers now = {0};
    swq_switch sized;

    for (int k = 0; k < x->tries; k++) {
        if (x->tried[k].size == s) {
            *loss = x->tried[k].loss;
            *met = x->tried[k].met;
            return SWQ_OK;
        }
    }
    swq_status status = make_sized(x->ctx, x->sw, x->g, s, &sized);
    if (!status)
        status = swq_exact_solve(x->ctx, &sized, x->options, &now);
    if (status == SWQ_ECONVERGE)
        swq_answers_clear(x->ctx, &now);
    if (status)
        return status;
    *loss = now.discard.value;
    *met = now.discard.upper <= x->target;
    swq_progress(x->ctx, "slots tried", s, 0);
    if (x->tries < MOST_TRIED) {
        x->tried[x->tries].size = s;
        x->tried[x->tries].loss = *loss;
        x->tried[x->tries++].met = *met;
    }
    if (*met && (x->met == 0 || s < x->met)) {
        if (x->met > 0)
            swq_answers_clear(x->ctx, &x->answers);
        x->met = s;
        x->answers = now;
    } else {
        swq_answers_clear(x->ctx, &now);
    }
    return SWQ_OK;
}

static swq_status cancelled(const size_search *x, int s, double loss)
{
    return swq_fail(x->ctx, SWQ_ECANCELLED, "cancelled: %d slots still lose %.3g, more than %g", s,
                    loss, x->target);
}

/* Report the sizes and losses found before a size for which there is no memory. */
static swq_status too_large(const size_search *x, int s, double loss)
{
    char why[400];

    snprintf(why, sizeof why, "%s", swq_context_message(x->ctx));
    return swq_fail(x->ctx, SWQ_ELIMIT, "%d slots still lose %.3g, more than %g, and with %d %s%s",
                    s, loss, x->target, s + x->g->step, why,
                    x->g->kind ? "; 'switchq sim --rare --topology switch' measures the loss of "
                                 "larger buffers"
                               : "");
}

/* The definition of the answer: the first size, one by one, that meets the target, unless the loss
 * stops falling before. Sizes already tried are not solved again. */
static swq_status walk(size_search *x)
{
    const growth *g = x->g;
    double last = INFINITY, loss;
    bool met;

    for (int s = g->least; s <= g->most; s += g->step) {
        swq_status status = look(x, s, &loss, &met);
        if (status == SWQ_ECANCELLED && s > g->least)
            return cancelled(x, s - g->step, last);
        if (status == SWQ_ELIMIT && s > g->least)
            return too_large(x, s - g->step, last);
        if (status || met)
            return status;
        if (loss > last * (1 - STILL_FALLING)) /* above saturation, more slots do not help */
            return swq_fail(x->ctx, SWQ_ERANGE,
                            "no buffer meets the target %g: with %d slots the loss is %.6g and no "
                            "longer falls",
                            x->target, s, loss);
        last = loss;
    }
    return swq_fail(x->ctx, SWQ_ERANGE, "no buffer of up to %d slots meets the target %g", g->most,
                    x->target);
}

/* The number of steps between two losses if the logarithm falls by `rate` per step. */
static int steps_between(double loss, double target, double rate, int most)
{
    const double steps = ceil(log(fmax(loss, 1e-300) / target) / rate);

    return steps < 1 ? 1 : steps < most ? (int)steps : most;
}

static double states_of(const size_search *x, int s)
{
    swq_switch sized;
    swq_chain_size size;
    swq_status status = make_sized(x->ctx, x->sw, x->g, s, &sized);

    if (!status)
        status = swq_chain_foresee(x->ctx, &sized, x->options->reduce, &size);
    return status ? INFINITY : size.states;
}

/* The next size to try after s, which loses `loss`, if the logarithm falls by `rate` per step: one
 * step before the target would be met, since the fall slows down as slots are added; but with at
 * most MOST_GROWTH times the states, so that one step too far does not cost more than all steps
 * before it. */
static int leap(const size_search *x, int s, double loss, double rate)
{
    const growth *g = x->g;
    const double states = states_of(x, s);
    int steps = steps_between(loss, x->target, rate, (g->most - s) / g->step) - 1;

    while (steps > 1 && !(states_of(x, s + steps * g->step) <= MOST_GROWTH * states))
        steps = steps - 1 - steps / 8;
    return s + (steps > 1 ? steps : 1) * g->step;
}

/* Narrow the interval between `low`, which misses the target, and `high`, which meets it: try the
 * size given by linear interpolation of the logarithm, and its neighbour on the other side of the
 * target, until the two are adjacent. */
static swq_status close_in(size_search *x, int low, double at_low, int high, double at_high)
{
    const int step = x->g->step;
    int beside = 0; /* the neighbour of the last size tried; 0: interpolate */
    bool met;

    while (high - low > step) {
        const int apart = (high - low) / step;
        const double rate = log(at_low / fmax(at_high, 1e-300)) / apart;
        int s = low + steps_between(at_low, x->target, rate, apart - 1) * step;
        double loss;
        s = beside > low && beside < high ? beside : s;
        swq_status status = look(x, s, &loss, &met);
        if (status)
            return status == SWQ_ECANCELLED ? cancelled(x, low, at_low) : walk(x);
        beside = beside ? 0 : met ? s - step : s + step;
        if (met) {
            high = s;
            at_high = loss;
        } else {
            low = s;
            at_low = loss;
        }
    }
    return SWQ_OK;
}

/* Leap ahead as long as the loss falls well and steadily, then close in. The result is that of a
 * walk if more slots never lose more, and help less and less; all other cases are left to a walk,
 * also if a size that might be larger than the answer cannot be solved. */
static swq_status search(size_search *x)
{
    const growth *g = x->g;
    double loss = 0, last = 0, rate = INFINITY;
    int before = 0; /* steps from the last size; 0: this size is the first */
    bool met = false;

    for (int s = g->least; s <= g->most; s += before * g->step) {
        swq_status status = look(x, s, &loss, &met);
        if (status == SWQ_ECANCELLED && before)
            return cancelled(x, s - before * g->step, last);
        if (status)
            return before && status != SWQ_ECANCELLED ? walk(x) : status;
        if (met && before > 1)
            return close_in(x, s - before * g->step, last, s, loss);
        const double fell = before ? log(last / fmax(loss, 1e-300)) / before : INFINITY;
        if (fell < FALLING_WELL)
            return walk(x);
        if (met)
            return SWQ_OK;
        const bool steady = isfinite(rate) && fell > STEADY * rate;
        before = steady ? (leap(x, s, loss, fell) - s) / g->step : 1;
        rate = fell;
        last = loss;
    }
    return walk(x);
}

static swq_status grow(swq_context *ctx, swq_switch *sw, const growth *g, double target,
                       const swq_exact_options *options, int *found, swq_answers *answers)
{
    size_search x = {.ctx = ctx, .sw = sw, .g = g, .target = target, .options = options};
    swq_switch sized;
    swq_status status = search(&x);

    if (!status)
        status = make_sized(ctx, sw, g, x.met, &sized);
    if (status) {
        if (x.met)
            swq_answers_clear(ctx, &x.answers);
        return status;
    }
    *found = x.met;
    *sw = sized;
    *answers = x.answers;
    return SWQ_OK;
}

swq_status swq_exact_slots_for_target(swq_context *ctx, swq_switch *sw, const swq_buffer_kind *kind,
                                      double target, int most, const swq_exact_options *options,
                                      int *slots, swq_answers *answers)
{
    const growth g = {.kind = kind,
                      .least = swq_buffer_least(kind, sw->buffer.admission, sw->ports),
                      .most = most,
                      .step = swq_buffer_step(kind, sw->buffer.admission, sw->ports)};
    swq_status status = check_target(ctx, sw, target);

    return status ? status : grow(ctx, sw, &g, target, options, slots, answers);
}

swq_status swq_exact_size_for_target(swq_context *ctx, swq_switch *sw, swq_size size, double target,
                                     int most, const swq_exact_options *options,
                                     swq_answers *answers)
{
    const growth g = {.size = size, .least = 1, .most = most, .step = 1};
    const swq_architecture *a = swq_switch_architecture(sw);
    swq_status status = check_target(ctx, sw, target);
    int found;

    if (!status && !(size == SWQ_SIZE_OUTPUT_SLOTS ? a->stage.output_queues : a->stage.crosspoints))
        status = swq_fail(ctx, SWQ_EINVAL, "architecture %s has no %s", a->name,
                          size == SWQ_SIZE_OUTPUT_SLOTS ? "output-slots" : "crosspoint-slots");
    return status ? status : grow(ctx, sw, &g, target, options, &found, answers);
}

/* The loss at a multiple of the given loads, for the root finder, which works on logarithms: the
 * loss runs over many orders of magnitude, the load over few. */
typedef struct {
    swq_context *ctx;
    const swq_switch *sw;
    const swq_exact_options *options;
    double target;
    swq_status status;
} loss_at;

static void scale_loads(const swq_switch *sw, double factor, swq_switch *scaled)
{
    *scaled = *sw;
    for (int i = 0; i < sw->ports; i++)
        scaled->load[i] = fmin(1, sw->load[i] * factor);
}

static double excess(double log_factor, void *arg)
{
    loss_at *l = arg;
    swq_switch scaled;
    swq_answers answers;

    scale_loads(l->sw, exp(log_factor), &scaled);
    l->status = swq_exact_solve(l->ctx, &scaled, l->options, &answers);
    if (l->status == SWQ_ECONVERGE)
        swq_answers_clear(l->ctx, &answers);
    if (l->status)
        return 0;                        /* ends the search; GSL would abort on a NaN */
    double loss = answers.discard.upper; /* the target is met for sure, as with slots */
    swq_answers_clear(l->ctx, &answers);
    return log(fmax(loss, 1e-300)) - log(l->target);
}

static swq_status find_root(loss_at *l, double low, double high, double *root)
{
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_function f = {.function = excess, .params = l};
    swq_status status = SWQ_OK;

    if (!solver)
        status = swq_fail(l->ctx, SWQ_ENOMEM, "no memory for the root finder");
    if (!status && gsl_root_fsolver_set(solver, &f, low, high) != GSL_SUCCESS)
        status = l->status ? l->status : swq_fail(l->ctx, SWQ_ESINGULAR, "no root in the bracket");
    for (int k = 0; !status && k < 100; k++) {
        if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS || l->status) {
            status = l->status ? l->status : swq_fail(l->ctx, SWQ_ECONVERGE, "root finder failed");
            break;
        }
        *root = gsl_root_fsolver_x_lower(solver); /* the end where the target is met */
        if (gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                   gsl_root_fsolver_x_upper(solver), 1e-12, 0) == GSL_SUCCESS)
            break;
    }
    if (solver)
        gsl_root_fsolver_free(solver);
    return status;
}

/* The least load, from `low` on, that can be solved: in an almost empty switch, the states of a
 * large buffer may be too rare for a double, and nothing can be proven. */
static double excess_at_least(loss_at *l, double *low, double high)
{
    double value = excess(*low, l);
    for (int k = 0; l->status == SWQ_ECONVERGE && k < 20; k++) {
        *low = (*low + high) / 2;
        value = excess(*low, l);
    }
    return value;
}

swq_status swq_exact_load_for_target(swq_context *ctx, const swq_switch *sw, double target,
                                     const swq_exact_options *options, double *factor,
                                     swq_answers *answers)
{
    swq_switch scaled;
    double largest = 0, root = 0;
    loss_at l = {.ctx = ctx, .sw = sw, .options = options, .target = target};
    swq_status status = check_target(ctx, sw, target);
    if (!status)
        status = swq_switch_check(ctx, sw);
    if (status)
        return status;
    for (int i = 0; i < sw->ports; i++)
        largest = fmax(largest, sw->load[i]);
    if (largest == 0)
        return swq_fail(ctx, SWQ_EINVAL, "load must be above 0 for some input");
    double high = -log(largest), low = high - log(1e6);
    double at_high = excess(high, &l);
    if (l.status)
        return l.status;
    if (at_high <= 0)
        root = high; /* the target is met even when the busiest input is always busy */
    else if (excess_at_least(&l, &low, high) > 0 && !l.status)
        return swq_fail(ctx, SWQ_ERANGE,
                        "target %g is missed at a load of %.3g, the least that can be solved",
                        target, exp(low) * largest);
    else
        status = l.status ? l.status : find_root(&l, low, high, &root);
    if (status)
        return status;
    *factor = exp(root);
    scale_loads(sw, *factor, &scaled);
    return swq_exact_solve(ctx, &scaled, options, answers);
}
