/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Iterative matchings when every input has packets for every output.
 *
 * PIM: m outputs and m inputs are left, and all want one another; each output grants one of these
 * inputs at random, and each input that was granted accepts one. So as many are matched as boxes
 * are hit when m balls fall into m boxes, and the rest is of the same kind.
 * Source: Anderson, Owicki, Saxe and Thacker, ACM TOCS 11(4), 1993; McKeown, IEEE/ACM ToN 7(2),
 * 1999.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

enum { MOST_PORTS = 1024, MOST_ITERATIONS = 64 };

/* hit[k]: the probability that m balls hit k of m boxes; k = 0 .. m. */
static void throw_balls(int m, double *hit)
{
    hit[0] = 1;
    for (int k = 1; k <= m; k++)
        hit[k] = 0;
    for (int ball = 1; ball <= m; ball++) {
        for (int k = ball; k >= 1; k--)
            hit[k] = (hit[k] * k + hit[k - 1] * (m - k + 1)) / m;
        hit[0] = 0;
    }
}

/* rest: [iterations + 1][ports + 1], the expected number left of m outputs after each number of
 * iterations. */
static swq_status match(swq_context *ctx, int ports, int iterations, double *rest, double *rounds,
                        double *hit)
{
    const int row = ports + 1;

    for (int m = 0; m <= ports; m++) {
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        throw_balls(m, hit);
        rest[m] = m;
        rounds[m] = m > 0;
        for (int k = 1; k <= m; k++)
            rounds[m] += hit[k] * rounds[m - k];
        for (int i = 1; i <= iterations; i++) {
            double *now = rest + i * row, *then = now - row;
            now[m] = 0;
            for (int k = 1; k <= m; k++)
                now[m] += hit[k] * then[m - k];
        }
    }
    return SWQ_OK;
}

swq_status swq_pim_saturation(swq_context *ctx, int ports, int iterations, swq_pim *pim)
{
    swq_status status = SWQ_OK;
    size_t row = (size_t)ports + 1;

    if (ports < 1 || ports > MOST_PORTS)
        return swq_fail(ctx, SWQ_EINVAL, "ports must be from 1 to %d, not %d", MOST_PORTS, ports);
    if (iterations < 1 || iterations > MOST_ITERATIONS)
        return swq_fail(ctx, SWQ_EINVAL, "iterations must be from 1 to %d, not %d", MOST_ITERATIONS,
                        iterations);
    double *rest = swq_calloc(ctx, row * ((size_t)iterations + 3), sizeof *rest);
    if (rest) {
        double *rounds = rest + row * ((size_t)iterations + 1);
        status = match(ctx, ports, iterations, rest, rounds, rounds + row);
        if (!status) {
            pim->throughput = 1 - rest[row * (size_t)iterations + (size_t)ports] / ports;
            pim->complete = rounds[ports];
        }
    } else {
        status = swq_memory_status(ctx);
    }
    swq_free(ctx, rest);
    return status;
}

static swq_status evaluate_pim(swq_context *ctx, const swq_argument *argument, double *result)
{
    swq_pim pim = {0};
    swq_status status =
        swq_pim_saturation(ctx, (int)argument[0].value, (int)argument[1].value, &pim);

    result[0] = pim.throughput;
    result[1] = -expm1(-argument[1].value); /* a box is missed with probability 1/e each time */
    result[2] = pim.complete;
    result[3] = log2(argument[0].value) + 4.0 / 3;
    return status;
}

/* From equal pointers, in each cycle one more output gets a pointer that differs from all other
 * pointers, and pointers that differ stay different. */
static swq_status evaluate_islip(swq_context *ctx, const swq_argument *argument, double *result)
{
    (void)ctx;
    result[0] = 1;
    result[1] = argument[0].value - 1;
    return SWQ_OK;
}

static const swq_formula_parameter parameters[] = {
    SWQ_PARAMETER_PORTS,
    {.name = "iterations",
     .summary = "of the matching in a cycle",
     .least = 1,
     .most = MOST_ITERATIONS,
     .usual = 1,
     .whole = true},
};
static const swq_formula_result pim_results[] = {
    {"throughput", "packets per output and cycle", "packets per output and cycle",
     "saturation_throughput"},
    {"limit", "the same for infinitely many ports: 1 - exp(-iterations)",
     "packets per output and cycle", NULL},
    {"complete", "mean number of iterations until all are matched", "iterations",
     "mean_iterations"},
    {"complete_bound", "what it does not exceed: log2(ports) + 4/3", "iterations", NULL},
};
static const swq_formula_result islip_results[] = {
    {"throughput", "packets per output and cycle", "packets per output and cycle",
     "saturation_throughput"},
    {"cycles", "after which it is reached, if all pointers are equal at first", "cycles",
     "settling_cycles"},
};

const swq_formula swq_formula_pim_saturation = {
    .name = "pim-saturation",
    .family = "arbiters",
    .summary = "saturation throughput of parallel iterative matching",
    .assumptions = "every input always has packets for every output",
    .source = "Anderson, Owicki, Saxe and Thacker (1993), ACM Trans. Computer Systems 11(4)",
    .standing = SWQ_STANDS_EXACT,
    .parameter = parameters,
    .parameters = SWQ_COUNT(parameters),
    .result = pim_results,
    .results = SWQ_COUNT(pim_results),
    .evaluate = evaluate_pim,
};
const swq_formula swq_formula_islip_saturation = {
    .name = "islip-saturation",
    .summary =
        "saturation throughput of iSLIP with one iteration, and the time until it is reached",
    .assumptions = "every input always has packets for every output",
    .source = "McKeown (1999), IEEE/ACM Trans. Networking 7(2)",
    .standing = SWQ_STANDS_EXACT,
    .parameter = parameters,
    .parameters = 1,
    .result = islip_results,
    .results = SWQ_COUNT(islip_results),
    .evaluate = evaluate_islip,
};
