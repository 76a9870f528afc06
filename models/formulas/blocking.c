/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mean fields of blocking delta networks: all buffers of a stage are alike and independent of all
 * others, whatever happened before. Mean fields ignore that a blocked packet wants the same output
 * again, and are therefore too optimistic.
 *
 * Jenq, JSAC 1(6), 1983: one slot, 2 x 2. Yoon, Lee and Liu, IEEE Trans. Comput. 39(3), 1990: more
 * slots, a x a. Both let a slot that is freed be taken in the same cycle, all the way back through
 * the network ("big cycle"). Where a buffer that is full as the cycle begins refuses ("small
 * cycle"): Ding and Bhuyan, IEEE Trans. Comput. 43(2), 1994, in the form of Yoon's equations.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

/* Converged: no step changes a probability by more than this. */
static const double settled = 4e-16;
enum { MOST_SLOTS = 64 };
/* Some seconds: near saturation, many stages of many slots converge slowly. */
static const double most_work = 5e8;

static swq_status give_up(swq_context *ctx, double steps)
{
    return swq_fail(ctx, SWQ_ECONVERGE, "the recursion had not settled after %.0f cycles", steps);
}

swq_status swq_jenq(swq_context *ctx, int stages, double load, double *throughput, double *delay)
{
    /* r[stages] is 1: behind the last stage there is always room; r[0] is that of the first */
    double occupied[SWQ_FORMULA_MOST_STAGES] = {0}, r[SWQ_FORMULA_MOST_STAGES + 1];
    double change = 1, step = 0;

    if (stages < 1 || stages > SWQ_FORMULA_MOST_STAGES || !(load >= 0 && load <= 1))
        return swq_fail(ctx, SWQ_EINVAL, "stages must be 1 .. %d and load 0 .. 1, not %d and %g",
                        SWQ_FORMULA_MOST_STAGES, stages, load);
    for (; step * stages < most_work && change > settled; step++) {
        double arrive = load; /* q of this stage */
        change = 0;
        for (int j = stages - 1; j >= 0; j--) {
            double free = 1 - occupied[j] + 0.75 * occupied[j];
            r[j] = free * (j == stages - 1 ? 1 : 1 - occupied[j + 1] + occupied[j + 1] * r[j + 1]);
        }
        for (int j = 0; j < stages; j++) {
            double p = occupied[j], next = 1 - (1 - arrive) * (1 - p + p * r[j]);
            arrive = p * (0.75 * p + 1 - p);
            occupied[j] = next;
            change = fmax(change, fabs(next - p));
        }
    }
    if (change > settled)
        return give_up(ctx, step);
    *throughput = occupied[stages - 1] * r[stages - 1];
    *delay = 0;
    for (int j = 0; j < stages; j++)
        *delay += 1 / r[j];
    return SWQ_OK;
}

/* One cycle of a buffer of m slots: a departure with probability r if there is a packet, then an
 * arrival with probability q if there is room (`same`: now; else: at the beginning of the cycle).
 * Returns the largest change. */
static double cycle(double *p, int m, double q, double r, bool same)
{
    double change = 0, before = 0; /* old p[i - 1] */

    for (int i = 0; i <= m; i++) {
        double old = p[i], up = p[i + (i < m)];
        double stay = i == 0 ? 1 - q : (1 - q) * (1 - r) + q * r;
        if (i == m) /* full: an arrival is kept only if a packet left and its slot counts */
            stay = same ? 1 - r + r * q : 1 - r;
        double next = old * stay;
        if (i > 0)
            next += before * q * (i > 1 ? 1 - r : 1);
        if (i < m)
            next += up * r * (i + 1 == m && !same ? 1 : 1 - q);
        before = old;
        p[i] = next;
        change = fmax(change, fabs(next - old));
    }
    return change;
}

swq_status swq_blocking_delta(swq_context *ctx, int ports, int stages, int slots, bool same_cycle,
                              double load, double *throughput, double *delay)
{
    const size_t states = (size_t)slots + 1;
    double r[SWQ_FORMULA_MOST_STAGES], q[SWQ_FORMULA_MOST_STAGES];
    double change = 1, step = 0;
    swq_status status = SWQ_OK;

    if (ports < 2 || stages < 1 || stages > SWQ_FORMULA_MOST_STAGES || slots < 1 ||
        slots > MOST_SLOTS || !(load >= 0 && load <= 1))
        return swq_fail(ctx, SWQ_EINVAL,
                        "ports, stages, slots and load must be 2 or more, 1 .. %d, 1 .. %d and "
                        "0 .. 1, not %d, %d, %d and %g",
                        SWQ_FORMULA_MOST_STAGES, MOST_SLOTS, ports, stages, slots, load);
    double *p = swq_calloc(ctx, (size_t)stages * states, sizeof *p);
    if (!p)
        return swq_memory_status(ctx);
    for (int j = 0; j < stages; j++)
        p[(size_t)j * states] = 1;
    for (; step * stages * slots < most_work && change > settled; step++) {
        change = 0;
        for (int j = stages - 1; j >= 0; j--) {
            double busy = 1 - p[(size_t)j * states], full = 0, wanted;
            wanted = swq_unbuffered_rate(ports, ports, 1, busy, NULL); /* q of the next stage */
            if (j + 1 < stages)
                full = p[(size_t)(j + 2) * states - 1];
            if (j + 1 < stages)
                q[j + 1] = wanted;
            r[j] = busy > 0 ? wanted / busy : 1;
            r[j] *= 1 - full + (same_cycle && full > 0 ? full * r[j + 1] : 0);
        }
        q[0] = load;
        for (int j = 0; j < stages; j++)
            change = fmax(change, cycle(p + (size_t)j * states, slots, q[j], r[j], same_cycle));
        if (swq_context_cancelled(ctx)) {
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
            goto out;
        }
    }
    if (change > settled) {
        status = give_up(ctx, step);
        goto out;
    }
    double sent = (1 - p[(size_t)(stages - 1) * states]) * r[stages - 1], waiting = 0;
    for (int j = 0; j < stages; j++)
        for (size_t i = 1; i < states; i++)
            waiting += (double)i * p[(size_t)j * states + i];
    *throughput = sent;
    *delay = sent > 0 ? waiting / sent : stages;
out:
    swq_free(ctx, p);
    return status;
}

static void fill(double load, double throughput, double delay, double *result)
{
    result[0] = throughput;
    result[1] = delay;
    result[2] = load > 0 ? fmin(1, throughput / load) : 1;
}

static swq_status jenq(swq_context *ctx, const swq_argument *argument, double *result)
{
    double throughput = 0, delay = 0;
    swq_status status =
        swq_jenq(ctx, (int)argument[0].value, argument[1].value, &throughput, &delay);

    if (!status)
        fill(argument[1].value, throughput, delay, result);
    return status;
}

static swq_status delta(swq_context *ctx, const swq_argument *argument, bool same, double *result)
{
    double throughput = 0, delay = 0;
    swq_status status =
        swq_blocking_delta(ctx, (int)argument[0].value, (int)argument[1].value,
                           (int)argument[2].value, same, argument[3].value, &throughput, &delay);

    if (!status)
        fill(argument[3].value, throughput, delay, result);
    return status;
}

static swq_status yoon(swq_context *ctx, const swq_argument *argument, double *result)
{
    return delta(ctx, argument, true, result);
}

static swq_status small_cycle(swq_context *ctx, const swq_argument *argument, double *result)
{
    return delta(ctx, argument, false, result);
}

#define RESULTS                                                                                    \
    (const swq_formula_result[])                                                                   \
    {                                                                                              \
        {"throughput", "packets per cycle and output", "packets per output and cycle",             \
         "throughput"},                                                                            \
            {"delay", "cycles from the first stage's buffer to the last one's output", "cycles",   \
             "mean_delay_cycles"},                                                                 \
            {"accepted", "fraction of what is offered that the first stage takes", NULL, NULL},    \
    }
#define SLOTS                                                                                      \
    {                                                                                              \
        .name = "slots", .summary = "packets in the buffer of an input", .least = 1,               \
        .most = MOST_SLOTS, .usual = NAN, .whole = true                                            \
    }

const swq_formula swq_formula_jenq = {
    .name = "jenq",
    .summary = "blocking network of 2 x 2 switches with one slot at each input",
    .assumptions = "uniform traffic, blocking; all buffers independent, as are cycles (a packet "
                   "held up chooses its output anew); a freed slot can be taken in the same cycle",
    .source = "Jenq (1983), IEEE JSAC 1(6)",
    .standing = SWQ_STANDS_APPROXIMATION,
    .error = "exact for one stage at load 1; saturation throughput, simulated: high by 5% in 2 "
             "stages, 10% "
             "in 3, 26% in 6, 35% in 8",
    .parameter = (const swq_formula_parameter[]){SWQ_PARAMETER_STAGES, SWQ_PARAMETER_LOAD},
    .parameters = 2,
    .result = RESULTS,
    .results = 3,
    .evaluate = jenq,
};

const swq_formula swq_formula_yoon = {
    .name = "yoon-lee-liu",
    .summary = "blocking network of switches of any size with buffers of any size",
    .assumptions = "uniform traffic, blocking; all buffers independent, as are cycles (a packet "
                   "held up chooses its output anew); a freed slot can be taken in the same cycle",
    .source = "Yoon, Lee and Liu (1990), IEEE Trans. Comput. 39(3)",
    .standing = SWQ_STANDS_APPROXIMATION,
    .error = "saturation throughput of FIFOs, simulated: high by 26, 26, 19, 11% with 1, 2, 4, 8 "
             "slots (2 x 2, 6 stages), 20, 24, 21, 16% (4 x 4, 3 stages)",
    .parameter =
        (const swq_formula_parameter[]){
            SWQ_PARAMETER_PORTS,
            SWQ_PARAMETER_STAGES,
            SLOTS,
            SWQ_PARAMETER_LOAD,
        },
    .parameters = 4,
    .result = RESULTS,
    .results = 3,
    .evaluate = yoon,
};

const swq_formula swq_formula_small_cycle = {
    .name = "small-cycle",
    .summary = "the same where a freed slot can be taken in the next cycle only",
    .assumptions =
        "uniform traffic, blocking; all buffers independent, as are cycles (a packet held up "
        "chooses its output anew); a buffer full as the cycle begins takes nothing",
    .source = "Ding and Bhuyan (1994), IEEE Trans. Comput. 43(2), as a variant of Yoon, Lee and "
              "Liu's equations",
    .standing = SWQ_STANDS_APPROXIMATION,
    .error = "saturation throughput of FIFOs, simulated: high by 15, 23, 22, 16% with 1, 2, 4, 8 "
             "slots (4 x 4, 3 stages)",
    .parameter =
        (const swq_formula_parameter[]){
            SWQ_PARAMETER_PORTS,
            SWQ_PARAMETER_STAGES,
            SLOTS,
            SWQ_PARAMETER_LOAD,
        },
    .parameters = 4,
    .result = RESULTS,
    .results = 3,
    .evaluate = small_cycle,
};
