/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waiting times in networks of output-queued switches without limit on the queues.
 *
 * The first stage is a queue with Binomial(k, p/k) arrivals, which is exact. Its departures are
 * burstier than that, so later stages wait longer; their waits rise towards a limit by a factor
 * fitted to what is known of it for light and heavy load.
 * Source: Kruskal, Snir and Weiss, IEEE Trans. Comput. 37(11), 1988.
 * Room: models. Includes base.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

double swq_stage_wait(int ports, double load, int stage)
{
    const double k = ports, p = load;

    if (p >= 1)
        return ports == 1 ? 0 : INFINITY;
    return (1 + 0.8 * p / k * (1 - pow(0.4, stage - 1))) * (1 - 1 / k) * p / (2 * (1 - p));
}

static swq_status evaluate(swq_context *ctx, const swq_argument *argument, double *result)
{
    const int ports = (int)argument[0].value, stages = (int)argument[1].value;
    const double load = argument[2].value;
    double total = 0;

    (void)ctx;
    for (int i = 1; i <= stages; i++)
        total += swq_stage_wait(ports, load, i);
    result[0] = total;
    result[1] = stages + total;
    result[2] = swq_output_queue_wait_variance(ports, load);
    for (int i = 1; i <= SWQ_FORMULA_STAGES; i++)
        result[2 + i] = i <= stages ? swq_stage_wait(ports, load, i) : NAN;
    return SWQ_OK;
}

const swq_formula swq_formula_kruskal_snir_weiss = {
    .name = "kruskal-snir-weiss",
    .family = "buffered networks",
    .summary = "waiting times, stage by stage, with output queues that never fill",
    .assumptions = "uniform traffic, output queues without limit served in order of arrival",
    .source = "Kruskal, Snir and Weiss (1988)",
    .standing = SWQ_STANDS_APPROXIMATION,
    .error = "the first stage is exact; later waits, simulated with 2 x 2, 4 x 4 and 8 x 8 "
             "switches: within 1.2% at load 0.5, 2.7% at 0.8, 2% at 0.9. Stages are not "
             "independent: the variance of the whole delay was 1.1 to 2.4 times the first stage's "
             "times the stages",
    .parameter =
        (const swq_formula_parameter[]){
            SWQ_PARAMETER_PORTS,
            SWQ_PARAMETER_STAGES,
            SWQ_PARAMETER_LOAD,
        },
    .parameters = 3,
    .result =
        (const swq_formula_result[]){
            {"wait", "cycles, in all stages together"},
            {"latency", "cycles, one for each stage and the waits"},
            {"variance_1", "of the wait in the first stage"},
            SWQ_RESULTS_BY_STAGE("wait", "cycles, in this stage"),
        },
    .results = 3 + SWQ_FORMULA_STAGES,
    .evaluate = evaluate,
};
