/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waiting times in networks of output-queued switches without limit on the queues.
 *
 * The first stage is a queue with Binomial(k, p/k) arrivals, which is exact. Its departures are
 * burstier than that, so later stages wait longer; their waits rise towards a limit by a factor
 * fitted to what is known of it for light and heavy load.
 *
 * Messages of m packets that follow one another: to the first stage they come whole, in any cycle,
 * so that the queue's work B is m times Binomial(k, p/mk); a message waits for the work that is
 * left, E[B(B - 1)] / 2(1 - p), and for the messages that came with it and are sent before it.
 * Between stages a link is busy with a message for m cycles, and later stages are much as if m
 * cycles were one.
 * Source: Kruskal, Snir and Weiss, IEEE Trans. Comput. 37(11), 1988; for messages, derived here.
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

double swq_message_wait(int ports, double load, int length, int stage)
{
    const double m = length, k = ports, p = load;

    if (stage > 1 || length == 1)
        return m * swq_stage_wait(ports, load, stage);
    return p >= 1 ? INFINITY : p * (m - 1 / k) / (2 * (1 - p));
}

/* Variance of the wait in the first stage: the variance of the work U that is left, which is (U + B
 * - 1)^+ a cycle later, and of the m cycles for each message that came with this message and is
 * sent before. */
static double first_variance(int ports, double load, int length)
{
    const double m = length, k = ports, a1 = load / m;

    if (load >= 1)
        return INFINITY;
    /* factorial moments of the messages A of a cycle, of B = mA, of U, and of the messages before
     * this one */
    double a2 = a1 * a1 * (1 - 1 / k), a3 = a2 * a1 * (1 - 2 / k);
    double b2 = m * m * a2 + m * (m - 1) * a1;
    double b3 = m * m * m * a3 + 3 * m * m * (m - 1) * a2 + m * (m - 1) * (m - 2) * a1;
    double u1 = b2 / (2 * (1 - load)), u2 = 2 * u1 * u1 + b3 / (3 * (1 - load));
    double before1 = a1 > 0 ? a2 / (2 * a1) : 0, before2 = a1 > 0 ? a3 / (3 * a1) : 0;

    return u2 + u1 - u1 * u1 + m * m * (before2 + before1 - before1 * before1);
}

static swq_status evaluate(swq_context *ctx, const swq_argument *argument, double *result)
{
    const int ports = (int)argument[0].value, stages = (int)argument[1].value;
    const double load = argument[2].value;
    const int length = (int)argument[3].value;
    double total = 0;

    (void)ctx;
    for (int i = 1; i <= stages; i++)
        total += swq_message_wait(ports, load, length, i);
    result[0] = total;
    result[1] = stages + total;
    result[2] = first_variance(ports, load, length);
    for (int i = 1; i <= SWQ_FORMULA_STAGES; i++)
        result[2 + i] = i <= stages ? swq_message_wait(ports, load, length, i) : NAN;
    return SWQ_OK;
}

const swq_formula swq_formula_kruskal_snir_weiss = {
    .name = "kruskal-snir-weiss",
    .family = "buffered networks",
    .summary = "waiting times, stage by stage, with output queues that never fill",
    .assumptions = "uniform traffic, output queues without limit served in order of arrival; "
                   "messages come to the first stage whole, in any cycle, and go on packet by "
                   "packet without gaps",
    .source = "Kruskal, Snir and Weiss (1988), IEEE Trans. Comput. 37(11); messages of several "
              "packets: derived from it",
    .standing = SWQ_STANDS_APPROXIMATION,
    .error = "the first stage is exact; later waits, simulated with 2 x 2, 4 x 4 and 8 x 8 "
             "switches: within 1.2% at load 0.5, 2.7% at 0.8, 2% at 0.9. Stages are not "
             "independent: the variance of the whole delay was 1.1 to 2.4 times the first stage's "
             "times the stages. Messages of 2 to 16 packets: up to 9% low in the second stage, "
             "within 3% beyond; if links bring them to the first stage too, it waits less (2 x 2, "
             "4 packets, load 0.5: half as long)",
    .parameter =
        (const swq_formula_parameter[]){
            SWQ_PARAMETER_PORTS,
            SWQ_PARAMETER_STAGES,
            SWQ_PARAMETER_LOAD,
            {.name = "length",
             .summary = "packets of a message",
             .least = 1,
             .most = 1000000,
             .usual = 1,
             .whole = true},
        },
    .parameters = 4,
    .result =
        (const swq_formula_result[]){
            {"wait", "cycles, in all stages together", "cycles", "mean_wait_cycles"},
            {"latency", "cycles, one for each stage and the waits, of a message's first packet",
             "cycles", "latency_cycles"},
            {"variance_1", "of the wait in the first stage", "cycles squared", NULL},
            SWQ_RESULTS_BY_STAGE("wait", "cycles, in this stage", "cycles"),
        },
    .results = 3 + SWQ_FORMULA_STAGES,
    .evaluate = evaluate,
};
