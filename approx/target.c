/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The smallest buffers, or the largest load, with which a network loses no more than a target, by
 * approximation.
 */
#include "base/context.h"
#include "switchq/approx.h"

#include <math.h>
#include <stdio.h>

/* What a search for a size asks at each size. */
typedef struct {
    swq_context *ctx;
    const swq_network *network;
    const swq_buffer_kind *kind;
    const swq_approx_method *method;
    double target;
} approx_sizes;

/* Beyond saturation more slots do not help: a loss that falls by less than this fraction while the
 * slots double will not meet the target. */
#define STILL_FALLING 1e-2

static swq_status check_target(swq_context *ctx, const swq_network *n, double target)
{
    if (!(target >= SWQ_APPROX_LEAST_TARGET && target < 1))
        return swq_fail(ctx, SWQ_EINVAL,
                        "target must be %g or more and below 1, not %g: smaller losses are within "
                        "the rounding of an approximation",
                        SWQ_APPROX_LEAST_TARGET, target);
    if (n->sw.flow != SWQ_DISCARD)
        return swq_fail(ctx, SWQ_EINVAL, "target is a loss: flow must be discard");
    return SWQ_OK;
}

/* The network with `slots` slots for each input port of its switches. */
static swq_status sized(const approx_sizes *s, int slots, swq_network *n)
{
    *n = *s->network;
    return swq_buffer_preset_like(s->ctx, s->kind, n->sw.ports, slots, &s->network->sw.buffer,
                                  &n->sw.buffer);
}

/* What one size answers. A method may be for rare losses alone, and refuse sizes that are too small
 * for them: such a size does not meet the target. */
typedef enum { MEETS, MISSES, REFUSED } size_answer;

static swq_status look(const approx_sizes *s, int slots, swq_approx_result *result,
                       size_answer *answer)
{
    swq_network n;
    swq_status status = sized(s, slots, &n);

    if (!status)
        status = swq_approx_run(s->ctx, &n, s->method, result);
    swq_progress(s->ctx, "slots tried", slots, 0);
    *answer = status ? REFUSED : result->discard_fraction <= s->target ? MEETS : MISSES;
    return status == SWQ_EINVAL ? SWQ_OK : status;
}

/* Halve the interval between `low`, which does not meet the target, and `high`, which does, until
 * they are one step apart. */
static swq_status close_in(const approx_sizes *s, int step, int low, int high,
                           swq_approx_size *found)
{
    swq_approx_result now;
    size_answer answer;

    while (high - low > step) {
        const int middle = low + (high - low) / step / 2 * step;
        const swq_status status = look(s, middle, &now, &answer);
        if (status)
            return status;
        if (answer == MEETS) {
            high = middle;
            found->result = now;
        } else {
            low = middle;
            found->loss_before = answer == MISSES ? now.discard_fraction : NAN;
        }
    }
    found->slots = high;
    return SWQ_OK;
}

/* The search has ended at `slots`, by an error or a refusal that is the message of the context. */
static swq_status stopped(const approx_sizes *s, swq_status status, int slots, int low, double loss)
{
    char why[500];

    if (isnan(loss))
        return status;
    snprintf(why, sizeof why, "%s", swq_context_message(s->ctx));
    return swq_fail(s->ctx, status, "%d slots lose %.3g, more than %g, and with %d: %s", low, loss,
                    s->target, slots, why);
}

/* The smallest memory of a pool in single slots: between the size found and the next smaller one,
 * which have a slot for each port more and less. */
static swq_status close_in_memory(const approx_sizes *s, swq_approx_size *found)
{
    const int ports = s->network->sw.ports;
    swq_approx_result now;
    swq_network n;
    int high = found->slots * ports, low = high - ports;
    swq_status status = sized(s, found->slots, &n);
    swq_buffer *b = &n.sw.buffer;

    if (status || b->scope != SWQ_POOL || b->queue_max < b->capacity || b->queue_min ||
        b->alpha > 0)
        return status;
    while (!status && high - low > 1) {
        b->capacity = b->queue_max = (low + high) / 2;
        status = swq_approx_run(s->ctx, &n, s->method, &now);
        const bool refused = status == SWQ_EINVAL;
        status = refused ? SWQ_OK : status;
        if (!status && !refused && now.discard_fraction <= s->target)
            high = b->capacity;
        else
            low = b->capacity;
    }
    found->memory = high;
    return status;
}

swq_status swq_approx_slots_for_target(swq_context *ctx, swq_network *network,
                                       const swq_buffer_kind *kind, double target, int most,
                                       const swq_approx_method *method, swq_approx_size *found)
{
    const approx_sizes s = {ctx, network, kind, method, target};
    const int least = swq_buffer_least(kind, network->sw.buffer.admission, network->sw.ports);
    const int step = swq_buffer_step(kind, network->sw.buffer.admission, network->sw.ports);
    swq_status status = check_target(ctx, network, target);
    int low = 0;

    *found = (swq_approx_size){.loss_before = NAN};
    for (int slots = least; !status && slots <= most; slots *= 2) {
        size_answer answer;
        status = look(&s, slots, &found->result, &answer);
        if (status || (answer == REFUSED && !isnan(found->loss_before)))
            return stopped(&s, status ? status : SWQ_EINVAL, slots, low, found->loss_before);
        if (answer == MEETS) {
            status = close_in(&s, step, low ? low : slots - step, slots, found);
            if (!status)
                status = close_in_memory(&s, found);
            return status ? status : sized(&s, found->slots, network);
        }
        const double loss = answer == MISSES ? found->result.discard_fraction : NAN;
        if (loss > found->loss_before * (1 - STILL_FALLING))
            return swq_fail(ctx, SWQ_ERANGE,
                            "no buffer meets the target %g: with %d slots the loss is %.6g and no "
                            "longer falls",
                            target, slots, loss);
        low = slots;
        found->loss_before = loss;
    }
    if (status || isnan(found->loss_before)) /* all sizes are refused: the last one says why */
        return status ? status : SWQ_EINVAL;
    return swq_fail(ctx, SWQ_ERANGE,
                    "no buffer of up to %d slots meets the target %g: %d lose %.3g", most, target,
                    low, found->loss_before);
}

/* Loads are found to this relative precision. */
#define LOAD_PRECISION 1e-9
#define LEAST_LOAD     1e-6

/* The network at a load, and whether it meets the target: not if no method takes so high a load. */
static swq_status look_at_load(swq_context *ctx, swq_network *network, double load, double target,
                               const swq_approx_method *method, swq_approx_result *result,
                               bool *met)
{
    network->traffic.load = load;
    const swq_status status = swq_approx_run(ctx, network, method, result);
    *met = !status && result->discard_fraction <= target;
    swq_progress(ctx, "load tried", load, 0);
    return status == SWQ_EINVAL && load > LEAST_LOAD ? SWQ_OK : status;
}

swq_status swq_approx_load_for_target(swq_context *ctx, swq_network *network, double target,
                                      const swq_approx_method *method, swq_approx_result *result)
{
    swq_approx_result now;
    double low = LEAST_LOAD, high = 1;
    bool met = false;
    swq_status status = check_target(ctx, network, target);

    if (!status)
        status = look_at_load(ctx, network, high, target, method, result, &met);
    if (status || met)
        return status;
    status = look_at_load(ctx, network, low, target, method, result, &met);
    if (!status && !met)
        return swq_fail(ctx, SWQ_ERANGE, "target %g is missed at a load of %g", target, low);
    while (!status && high - low > LOAD_PRECISION * high) {
        /* the loss runs over many orders of magnitude: first on the scale of logarithms */
        const double load = high > 2 * low ? sqrt(low * high) : (low + high) / 2;
        status = look_at_load(ctx, network, load, target, method, &now, &met);
        if (met) {
            low = load;
            *result = now;
        } else {
            high = load;
        }
    }
    network->traffic.load = low;
    return status;
}
