/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Output queues: arrivals binomial (ports, load/ports), one packet sent a cycle.
 *
 * For unbounded queues, from the generating function; for finite ones, by the balance of flows
 * across each length, in which nothing is subtracted, so that small losses keep all their digits.
 * Source: Karol, Hluchyj and Morgan, IEEE Trans. Commun. 35(12), 1987; Hluchyj and Karol, JSAC
 * 6(9), 1988.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

enum {
    MOST_ARRIVALS =
        180,    /* the mean is at most one per cycle: the probability of more is below 1e-308 */
    RING = 256, /* lengths from which arrivals can still reach the next one */
    MOST_SLOTS = 100000
};

typedef struct {
    int most;
    double none;
    double chance[MOST_ARRIVALS + 2]; /* P(A >= x) */
    double excess[MOST_ARRIVALS + 2]; /* E[(A - x)^+] */
} arrivals;

/* load < 1 or ports > 1. */
static arrivals arrivals_of(int ports, double load)
{
    arrivals a = {.most = ports < MOST_ARRIVALS ? ports : MOST_ARRIVALS};
    double p = load / ports;

    a.none = exp(ports * log1p(-p));
    a.chance[0] = a.none;
    for (int k = 1; k <= a.most; k++)
        a.chance[k] = a.chance[k - 1] * (ports - k + 1) / k * (p / (1 - p));
    for (int k = a.most - 1; k >= 0; k--) {
        a.chance[k] += a.chance[k + 1];
        a.excess[k] = a.excess[k + 1] + a.chance[k + 1];
    }
    return a;
}

/* Probabilities of lengths after a packet was sent, relative to the probability of length 0; the
 * last RING of them are kept. */
typedef struct {
    arrivals a;
    double load, queue[RING], sum, mean;
    int length;
} output_lengths;

static output_lengths lengths_begin(int ports, double load)
{
    return (output_lengths){.a = arrivals_of(ports, load), .load = load, .queue = {1}, .sum = 1};
}

/* Add a length. The flow up across m, from j < m with m - j + 1 or more arrivals, equals the flow
 * down, from m without an arrival. This holds for any number of slots, so that one more slot only
 * adds a length. */
static void lengths_grow(output_lengths *l)
{
    int m = ++l->length;
    double up = 0;

    for (int j = m - 1; j >= 0 && m - j + 1 <= l->a.most; j--)
        up += l->queue[j % RING] * l->a.chance[m - j + 1];
    l->queue[m % RING] = up / l->a.none;
    l->sum += l->queue[m % RING];
    l->mean += m * l->queue[m % RING];
}

static double lengths_loss(const output_lengths *l)
{
    double lost = 0;

    for (int j = l->length; j >= 0 && l->length + 1 - j <= l->a.most; j--)
        lost += l->queue[j % RING] * l->a.excess[l->length + 1 - j];
    return lost / (l->load * l->sum);
}

double swq_output_queue_loss(int ports, double load, int slots, double *left)
{
    if (!(load >= 0 && load <= 1) || ports < 1 || slots < 1)
        return NAN;
    if (left)
        *left = 0;
    if (ports == 1 || load == 0)
        return 0;
    output_lengths l = lengths_begin(ports, load);
    while (l.length < slots - 1)
        lengths_grow(&l);
    if (left)
        *left = l.mean / l.sum;
    return lengths_loss(&l);
}

swq_status swq_output_queue_slots(swq_context *ctx, int ports, double load, double target,
                                  int *slots, double *loss)
{
    if (!(load >= 0 && load <= 1) || ports < 1 || !(target > 0))
        return swq_fail(ctx, SWQ_EINVAL,
                        "load must be from 0 to 1, ports at least 1 and target positive, not %g, "
                        "%d and %g",
                        load, ports, target);
    if (ports == 1 || load == 0) {
        *slots = 1;
        *loss = 0;
        return SWQ_OK;
    }
    output_lengths l = lengths_begin(ports, load);
    while (lengths_loss(&l) > target) {
        if (l.length + 1 == MOST_SLOTS)
            return swq_fail(ctx, SWQ_ELIMIT, "target %g needs more than %d slots at load %g",
                            target, MOST_SLOTS, load);
        lengths_grow(&l);
    }
    *slots = l.length + 1;
    *loss = lengths_loss(&l);
    return SWQ_OK;
}

/* Factorial moments of arrivals: E[A(A-1)] and E[A(A-1)(A-2)]. */
static double second(int ports, double load)
{
    return load * load * (1 - 1.0 / ports);
}

static double third(int ports, double load)
{
    return second(ports, load) * load * (1 - 2.0 / ports);
}

/* The wait is for the packets left behind, and for the packets of the same cycle that are sent
 * before. */
double swq_output_queue_wait(int ports, double load)
{
    if (!(load >= 0 && load <= 1) || ports < 1)
        return NAN;
    if (ports == 1)
        return 0;
    return (1 - 1.0 / ports) * load / (2 * (1 - load));
}

/* Derivatives at 1 of Q(z) = (1-p)(1-z) / (A(z) - z) and Y(z) = (1 - A(z)) / (p (1-z)). */
double swq_output_queue_wait_variance(int ports, double load)
{
    double mean = swq_output_queue_wait(ports, load);

    if (isnan(mean) || load == 0 || ports == 1)
        return mean;
    if (load == 1)
        return INFINITY;
    double a2 = second(ports, load), a3 = third(ports, load), idle = 1 - load;
    double left = a2 / (2 * idle), before = a2 / (2 * load);
    double left2 = 2 * (left * left + a3 / (6 * idle)), before2 = a3 / (3 * load);
    return left2 + 2 * left * before + before2 + mean - mean * mean;
}

static swq_status evaluate_infinite(swq_context *ctx, const swq_argument *argument, double *result)
{
    double load = argument[0].value;
    int ports = (int)argument[1].value;

    (void)ctx;
    result[0] = swq_output_queue_wait(ports, load);
    result[1] = swq_output_queue_wait_variance(ports, load);
    result[2] = result[0] * load;
    return SWQ_OK;
}

static swq_status evaluate_finite(swq_context *ctx, const swq_argument *argument, double *result)
{
    double load = argument[0].value;

    (void)ctx;
    result[0] =
        swq_output_queue_loss((int)argument[1].value, load, (int)argument[2].value, &result[2]);
    result[1] = load * (1 - result[0]);
    result[3] = load > 0 ? result[2] / result[1] : 0;
    return SWQ_OK;
}

static swq_status evaluate_slots(swq_context *ctx, const swq_argument *argument, double *result)
{
    int slots = 0;
    double loss = 0;
    swq_status status = swq_output_queue_slots(ctx, (int)argument[1].value, argument[0].value,
                                               argument[2].value, &slots, &loss);

    result[0] = slots;
    result[1] = slots - 1;
    result[2] = loss;
    return status;
}

#define ASSUMPTIONS                                                                                \
    "Bernoulli arrivals, uniform destinations; outputs take all that comes in a cycle; a packet "  \
    "can be sent in the cycle of its arrival"

static const swq_formula_parameter parameters[] = {
    SWQ_PARAMETER_LOAD,
    SWQ_PARAMETER_MANY_PORTS,
    {.name = "slots",
     .summary = "packets that an output queue holds, including the one being sent",
     .least = 1,
     .most = MOST_SLOTS,
     .usual = NAN,
     .whole = true},
};
static const swq_formula_parameter target_parameters[] = {
    SWQ_PARAMETER_LOAD,
    SWQ_PARAMETER_MANY_PORTS,
    SWQ_PARAMETER_TARGET,
};
static const swq_formula_result infinite_results[] = {
    {"wait", "mean wait in cycles, 0 if sent in the cycle of arrival", "cycles",
     "mean_wait_cycles"},
    {"wait_variance", "its variance", "cycles squared", NULL},
    {"queue", "mean packets of an output left behind when one was sent", "packets", NULL},
};
static const swq_formula_result finite_results[] = {
    {"loss", "fraction of packets lost", NULL, "discard_probability"},
    {"throughput", "packets per output and cycle", "packets per output and cycle", "throughput"},
    {"queue", "mean packets of an output left behind when one was sent", "packets", NULL},
    {"wait", "mean wait of those not lost, in cycles", "cycles", "mean_wait_cycles"},
};
static const swq_formula_result slots_results[] = {
    {"slots", "packets that an output queue holds, including the one being sent", "slots",
     "output_slots"},
    {"room", "slots besides that one: the b of the paper", "slots", NULL},
    {"loss", "fraction of packets lost", NULL, "discard_probability"},
};

const swq_formula swq_formula_output_queue = {
    .name = "output-queue",
    .family = "output queues",
    .summary = "wait in unlimited output queues, also in the first stage of a buffered network",
    .assumptions = ASSUMPTIONS,
    .source = "Karol, Hluchyj and Morgan (1987), IEEE Trans. Commun. 35(12)",
    .standing = SWQ_STANDS_EXACT,
    .parameter = parameters,
    .parameters = 2,
    .result = infinite_results,
    .results = SWQ_COUNT(infinite_results),
    .evaluate = evaluate_infinite,
};
const swq_formula swq_formula_output_queue_finite = {
    .name = "output-queue-finite",
    .summary = "loss of output queues with a given number of slots",
    .assumptions = ASSUMPTIONS,
    .source = "Karol, Hluchyj and Morgan (1987), IEEE Trans. Commun. 35(12); Hluchyj and Karol "
              "(1988), IEEE JSAC 6(9)",
    .standing = SWQ_STANDS_EXACT,
    .parameter = parameters,
    .parameters = SWQ_COUNT(parameters),
    .result = finite_results,
    .results = SWQ_COUNT(finite_results),
    .evaluate = evaluate_finite,
};
const swq_formula swq_formula_output_queue_slots = {
    .name = "output-queue-slots",
    .summary = "the fewest slots of an output queue for a loss",
    .assumptions = ASSUMPTIONS,
    .source = "Karol, Hluchyj and Morgan (1987), IEEE Trans. Commun. 35(12); Hluchyj and Karol "
              "(1988), IEEE JSAC 6(9)",
    .standing = SWQ_STANDS_EXACT,
    .parameter = target_parameters,
    .parameters = SWQ_COUNT(target_parameters),
    .result = slots_results,
    .results = SWQ_COUNT(slots_results),
    .evaluate = evaluate_slots,
};
