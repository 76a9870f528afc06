/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Input queues at saturation, when an input that lost looks further into its queue: 2x2 switches
 * here, some more ports in window_chain.c, and from these to many ports.
 *
 * Two ports: an input looks further only for the other output, and sends the first packet that it
 * finds for it: so what an input has seen and kept is a run of packets for one output. If there are
 * two runs, they are for the same output, since heads for different outputs both leave. So the
 * lengths of the runs are the state; what is behind them is drawn when it is seen. Source of the
 * rule: Hluchyj and Karol, JSAC 6(9), 1988, who simulate it.
 */
#include "models/formulas/window.h"
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>
#include <string.h>

enum { MOST_WINDOW = 32, MOST_MANY = 5, MANY = 20 };

typedef struct {
    int window;
    size_t row, states;   /* window + 1, and its square */
    double *value, *next; /* [states], by the runs of both inputs */
    double *lost;         /* [states], by the winner's run and what the loser has seen */
} pair_chain;

/* Fill `lost`: packets served in a cycle, or the expected value of the state after the cycle, if
 * the loser has seen `run` packets for the same output, and the winner has `kept` left. The loser
 * looks at one more packet until it finds one for the other output, or has seen a whole window. */
static void fill_lost(const pair_chain *c, bool served)
{
    for (int kept = 0; kept < c->window; kept++) {
        const double *value = c->value + (size_t)kept * c->row;
        double *lost = c->lost + (size_t)kept * c->row;
        lost[c->window] = served ? 1 : value[c->window];
        for (int run = c->window - 1; run >= 1; run--)
            lost[run] = ((served ? 2 : value[run]) + lost[run + 1]) / 2;
    }
}

/* The value of a cycle from runs of a and b packets. */
static double cycle(const pair_chain *c, int a, int b, bool served)
{
    /* a head that has not been seen is drawn */
    size_t seen_a = a > 0 ? (size_t)a : 1, seen_b = b > 0 ? (size_t)b : 1;
    double same =
        (c->lost[(seen_a - 1) * c->row + seen_b] + c->lost[(seen_b - 1) * c->row + seen_a]) / 2;

    if (a > 0 && b > 0)
        return same;
    return (same + (served ? 2 : c->value[(seen_a - 1) * c->row + seen_b - 1])) / 2;
}

static void fill(const pair_chain *c, double *value, bool served)
{
    fill_lost(c, served);
    for (int a = 0; a <= c->window; a++) {
        for (int b = 0; b <= c->window; b++)
            value[(size_t)a * c->row + (size_t)b] = cycle(c, a, b, served);
    }
}

/* As in saturation.c: the long-run mean lies between the least and the greatest value expected for
 * a late cycle. */
static swq_status mean_served(swq_context *ctx, pair_chain *c, double *mean)
{
    double spread = INFINITY;

    fill(c, c->next, true);
    memcpy(c->value, c->next, sizeof *c->next * c->states);
    for (*mean = 0; spread > 1e-17;) {
        double least = INFINITY, greatest = 0, *old = c->value;
        for (size_t s = 0; s < c->states; s++) {
            least = fmin(least, c->value[s]);
            greatest = fmax(greatest, c->value[s]);
        }
        for (size_t s = 0; s < c->states; s++)
            c->value[s] -= least;
        *mean += least;
        spread = greatest - least;
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        fill(c, c->next, false);
        c->value = c->next;
        c->next = old;
    }
    return SWQ_OK;
}

static swq_status two_ports(swq_context *ctx, int window, double *throughput)
{
    pair_chain c = {.window = window};
    double mean = 0;

    c.row = (size_t)window + 1;
    c.states = c.row * c.row;
    c.value = swq_calloc(ctx, c.states, sizeof *c.value);
    c.next = swq_calloc(ctx, c.states, sizeof *c.next);
    c.lost = swq_calloc(ctx, c.states, sizeof *c.lost);
    swq_status status =
        c.value && c.next && c.lost ? mean_served(ctx, &c, &mean) : swq_memory_status(ctx);
    if (!status)
        *throughput = mean / 2;
    swq_free(ctx, c.value);
    swq_free(ctx, c.next);
    swq_free(ctx, c.lost);
    return status;
}

swq_status swq_window_saturation(swq_context *ctx, int ports, int window, double *throughput)
{
    if (window < 1 || window > MOST_WINDOW)
        return swq_fail(ctx, SWQ_EINVAL, "window must be from 1 to %d, not %d", MOST_WINDOW,
                        window);
    if (window == 1)
        return swq_hol_saturation(ctx, ports, 1, throughput);
    if (ports < 2)
        return swq_fail(ctx, SWQ_EINVAL, "ports must be at least 2, not %d", ports);
    return ports == 2 ? two_ports(ctx, window, throughput)
                      : swq_window_chain(ctx, ports, window, throughput);
}

/* ---- many ports ---- */

/* FIFO: the throughputs for MANY / 2 and MANY ports and the limit determine the terms in 1 / n and
 * 1 / n^2. */
static swq_status fifo(swq_context *ctx, double ports, double *throughput)
{
    const double limit = swq_hol_saturation_limit(1);
    double half = 0, all = 0;

    if (ports <= MANY)
        return swq_hol_saturation(ctx, (int)ports, 1, throughput);
    swq_status status = swq_hol_saturation(ctx, MANY / 2, 1, &half);
    if (!status)
        status = swq_hol_saturation(ctx, MANY, 1, &all);
    if (status)
        return status;
    /* limit + a x + b x^2, x = MANY / n */
    double b = (half - limit - 2 * (all - limit)) / 2, a = all - limit - b, x = MANY / ports;
    *throughput = limit + (a + b * x) * x;
    return SWQ_OK;
}

/* The throughput that a window loses with more ports is taken to be proportional to what the next
 * smaller window loses; two numbers of ports for which both windows are known give the factor. */
static swq_status from_few(swq_context *ctx, int window, const double *ports, int count,
                           double *throughput)
{
    const int few = window <= 3 ? 3 : 2;
    double known[2][2]; /* by window (the smaller first) and ports */
    swq_status status = SWQ_OK;

    if (window == 1) {
        for (int k = 0; k < count && !status; k++)
            status = fifo(ctx, ports[k], &throughput[k]);
        return status;
    }
    status = from_few(ctx, window - 1, ports, count, throughput);
    for (int k = 0; k < 4 && !status; k++)
        status = swq_window_saturation(ctx, few + k % 2, window - 1 + k / 2, &known[k / 2][k % 2]);
    if (status)
        return status;
    double slope = (known[1][1] - known[1][0]) / (known[0][1] - known[0][0]);
    for (int k = 0; k < count; k++)
        throughput[k] = known[1][1] + slope * (throughput[k] - known[0][1]);
    return SWQ_OK;
}

swq_status swq_window_saturation_many(swq_context *ctx, double ports, int window,
                                      double *throughput, double *limit)
{
    const double both[] = {floor(ports), INFINITY};
    double value[2];

    if (!(ports >= 2) || window < 1 || window > MOST_MANY)
        return swq_fail(ctx, SWQ_EINVAL,
                        "ports must be at least 2 and window from 1 to %d, not %g and %d",
                        MOST_MANY, ports, window);
    swq_status status = from_few(ctx, window, both, limit ? 2 : 1, value);
    if (status)
        return status;
    *throughput = value[0];
    if (limit)
        *limit = value[1];
    return SWQ_OK;
}

/* ---- rows ---- */

static swq_status exact(swq_context *ctx, const swq_argument *a, double *result)
{
    return swq_window_saturation(ctx, (int)a[1].value, (int)a[0].value, &result[0]);
}

static swq_status many(swq_context *ctx, const swq_argument *a, double *result)
{
    double throughput = 0, limit = 0;
    swq_status status =
        swq_window_saturation_many(ctx, a[1].value, (int)a[0].value, &throughput, &limit);

    if (status)
        return status;
    result[0] = throughput;
    result[1] = limit;
    return SWQ_OK;
}

#define WINDOW(up_to)                                                                              \
    {                                                                                              \
        .name = "window",                                                                          \
        .summary = "packets of an input queue that the arbiter considers, 1 for FIFO", .least = 1, \
        .most = (up_to), .usual = NAN, .whole = true                                               \
    }
#define ASSUMPTIONS                                                                                \
    "every input always has packets; destinations uniform and independent; in round k of a cycle " \
    "inputs that have not sent ask with packet k of their windows, and idle outputs take any of "  \
    "those"

const swq_formula swq_formula_window_saturation = {
    .name = "window-saturation",
    .summary = "saturation throughput of input queues with a window, few ports",
    .assumptions = ASSUMPTIONS,
    .source = "the rule: Hluchyj and Karol (1988), IEEE JSAC 6(9), its chain solved",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            WINDOW(MOST_WINDOW),
            {.name = "ports",
             .summary = "inputs and outputs of a switch: 3 for windows up to 5, 4 up to 3, 5 up to "
                        "2",
             .least = 2,
             .most = 40,
             .usual = 2,
             .whole = true},
        },
    .parameters = 2,
    .result =
        (const swq_formula_result[]){{"throughput", "packets per output and cycle",
                                      "packets per output and cycle", "saturation_throughput"}},
    .results = 1,
    .evaluate = exact,
};

const swq_formula swq_formula_window_saturation_many = {
    .name = "window-saturation-many",
    .summary = "saturation throughput of input queues with a window, many ports",
    .assumptions = ASSUMPTIONS,
    .source = "the rule: Hluchyj and Karol (1988), IEEE JSAC 6(9); from the exact values of 2 to 4 "
              "ports on",
    .standing = SWQ_STANDS_APPROXIMATION,
    .error =
        "simulated with 8, 16, 64 and 512 ports (+-0.1%): windows of 2 within 0.1%, of 3 up to "
        "0.4% low, of 4 up to 0.7% high, of 5 up to 1.4% high",
    .parameter =
        (const swq_formula_parameter[]){
            WINDOW(MOST_MANY),
            SWQ_PARAMETER_MANY_PORTS,
        },
    .parameters = 2,
    .result =
        (const swq_formula_result[]){
            {"throughput", "packets per output and cycle", "packets per output and cycle",
             "saturation_throughput"},
            {"limit", "the same for infinitely many ports", "packets per output and cycle", NULL},
        },
    .results = 2,
    .evaluate = many,
};
