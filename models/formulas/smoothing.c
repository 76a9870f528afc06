/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Input smoothing: inputs collect packets for a frame of b cycles, then send all of them at once
 * through a switch with b lines to each output.
 * Source: Hluchyj and Karol, JSAC 6(9), 1988.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>
#include <stdint.h>

enum { MOST_FRAME = 1000000 };

/* E[(A - most)^+] for binomial A, 0 < p < 1. Probabilities are relative to the probability of the
 * mode, and divided by their sum; the logarithm of a factorial would be too inaccurate. */
static double excess(int64_t trials, double p, int64_t most)
{
    int64_t mode = (int64_t)((double)(trials + 1) * p);
    double odds = p / (1 - p), sum = 0, beyond = 0, chance = 1;

    for (int64_t k = mode; k >= 0 && chance > 0; k--) {
        sum += chance;
        beyond += k > most ? (double)(k - most) * chance : 0;
        chance *= (double)k / ((double)(trials - k + 1) * odds);
        if (chance < 1e-20 * sum && k <= most)
            break;
    }
    chance = 1;
    for (int64_t k = mode; k < trials; k++) {
        chance *= (double)(trials - k) / (double)(k + 1) * odds;
        double term = k + 1 > most ? (double)(k + 1 - most) * chance : 0;
        sum += chance;
        beyond += term;
        if (chance == 0 || (k + 1 > most && term < 1e-20 * beyond))
            break;
    }
    return beyond / sum;
}

double swq_smoothing_loss(int ports, double load, int frame)
{
    if (!(load >= 0 && load <= 1) || ports < 1 || frame < 1 || frame > MOST_FRAME)
        return NAN;
    if (ports == 1 || load == 0)
        return 0;
    return excess((int64_t)ports * frame, load / ports, frame) / (load * frame);
}

/* The loss falls with every longer frame: the mean excess of an average is convex in it. */
swq_status swq_smoothing_frame(swq_context *ctx, int ports, double load, double target, int *frame,
                               double *loss)
{
    int low = 0, high = 1;

    if (!(load >= 0 && load <= 1) || ports < 1 || !(target > 0))
        return swq_fail(ctx, SWQ_EINVAL,
                        "load must be from 0 to 1, ports at least 1 and target positive, not %g, "
                        "%d and %g",
                        load, ports, target);
    while (swq_smoothing_loss(ports, load, high) > target) {
        if (high == MOST_FRAME)
            return swq_fail(ctx, SWQ_ELIMIT, "target %g needs a frame of more than %d at load %g",
                            target, MOST_FRAME, load);
        low = high;
        high = 2 * high < MOST_FRAME ? 2 * high : MOST_FRAME;
    }
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (swq_smoothing_loss(ports, load, mid) > target)
            low = mid;
        else
            high = mid;
    }
    *frame = high;
    *loss = swq_smoothing_loss(ports, load, high);
    return SWQ_OK;
}

static swq_status evaluate(swq_context *ctx, const swq_argument *argument, double *result)
{
    (void)ctx;
    result[0] =
        swq_smoothing_loss((int)argument[1].value, argument[0].value, (int)argument[2].value);
    result[1] = argument[0].value * (1 - result[0]);
    return SWQ_OK;
}

static swq_status evaluate_frame(swq_context *ctx, const swq_argument *argument, double *result)
{
    int frame = 0;
    double loss = 0;
    swq_status status = swq_smoothing_frame(ctx, (int)argument[1].value, argument[0].value,
                                            argument[2].value, &frame, &loss);

    result[0] = frame;
    result[1] = loss;
    return status;
}

#define ASSUMPTIONS                                                                                \
    "Bernoulli arrivals, uniform destinations; all packets of a frame are sent at its end, over "  \
    "as many lines to each output as a frame has cycles"

static const swq_formula_parameter parameters[] = {
    SWQ_PARAMETER_LOAD,
    SWQ_PARAMETER_MANY_PORTS,
    {.name = "frame",
     .summary = "cycles of a frame, slots of an input, and lines to an output",
     .least = 1,
     .most = MOST_FRAME,
     .usual = NAN,
     .whole = true},
};
static const swq_formula_parameter target_parameters[] = {
    SWQ_PARAMETER_LOAD,
    SWQ_PARAMETER_MANY_PORTS,
    SWQ_PARAMETER_TARGET,
};
static const swq_formula_result results[] = {
    {"loss", "fraction of packets lost", NULL, "discard_probability"},
    {"throughput", "packets per output and cycle", "packets per output and cycle", "throughput"},
};
static const swq_formula_result frame_results[] = {
    {"frame", "cycles of a frame, slots of an input, and lines to an output", "cycles", NULL},
    {"loss", "fraction of packets lost", NULL, "discard_probability"},
};

const swq_formula swq_formula_input_smoothing = {
    .name = "input-smoothing",
    .summary = "loss when inputs send all packets of a frame at once",
    .assumptions = ASSUMPTIONS,
    .source = "Hluchyj and Karol (1988), IEEE JSAC 6(9)",
    .standing = SWQ_STANDS_EXACT,
    .parameter = parameters,
    .parameters = SWQ_COUNT(parameters),
    .result = results,
    .results = SWQ_COUNT(results),
    .evaluate = evaluate,
};
const swq_formula swq_formula_input_smoothing_frame = {
    .name = "input-smoothing-frame",
    .summary = "the shortest frame of input smoothing for a loss",
    .assumptions = ASSUMPTIONS,
    .source = "Hluchyj and Karol (1988), IEEE JSAC 6(9)",
    .standing = SWQ_STANDS_EXACT,
    .parameter = target_parameters,
    .parameters = SWQ_COUNT(target_parameters),
    .result = frame_results,
    .results = SWQ_COUNT(frame_results),
    .evaluate = evaluate_frame,
};
