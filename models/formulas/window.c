/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Input queues of a 2x2 switch at saturation, when an input that lost looks further into its queue.
 *
 * An input looks further only for the other output, and sends the first packet that it finds for
 * it: so what an input has seen and kept is a run of packets for one output. Two runs are for the
 * same: only one that lost keeps one, and heads that differ both leave. So the lengths of the runs
 * are the state; what is behind them is drawn when it is seen.
 * Source of the rule: Hluchyj and Karol, JSAC 6(9), 1988, who simulate it.
 * Room: models. Includes base.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>
#include <string.h>

enum { MOST_WINDOW = 32 };

typedef struct {
    int window;
    size_t row, states;   /* window + 1, and its square */
    double *value, *next; /* [states], by the runs of both inputs */
    double *lost;         /* [states], by the winner's run and what the loser has seen */
} chain;

/* lost: packets served in a cycle, or what is expected behind it, when the loser has seen `run`
 * packets for the same output, and the winner has `kept` left. The loser looks at one more until it
 * finds one for the other output, or has seen a window. */
static void fill_lost(const chain *c, bool served)
{
    for (int kept = 0; kept < c->window; kept++) {
        const double *value = c->value + (size_t)kept * c->row;
        double *lost = c->lost + (size_t)kept * c->row;
        lost[c->window] = served ? 1 : value[c->window];
        for (int run = c->window - 1; run >= 1; run--)
            lost[run] = ((served ? 2 : value[run]) + lost[run + 1]) / 2;
    }
}

/* A cycle from runs of a and b packets. */
static double cycle(const chain *c, int a, int b, bool served)
{
    /* a head that was not seen yet is drawn */
    size_t seen_a = a > 0 ? (size_t)a : 1, seen_b = b > 0 ? (size_t)b : 1;
    double same =
        (c->lost[(seen_a - 1) * c->row + seen_b] + c->lost[(seen_b - 1) * c->row + seen_a]) / 2;

    if (a > 0 && b > 0)
        return same;
    return (same + (served ? 2 : c->value[(seen_a - 1) * c->row + seen_b - 1])) / 2;
}

static void fill(const chain *c, double *value, bool served)
{
    fill_lost(c, served);
    for (int a = 0; a <= c->window; a++) {
        for (int b = 0; b <= c->window; b++)
            value[(size_t)a * c->row + (size_t)b] = cycle(c, a, b, served);
    }
}

/* As for the partitions: what is expected of a late cycle, from any state, has the mean between its
 * least and its greatest. */
static swq_status mean_served(swq_context *ctx, chain *c, double *mean)
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

swq_status swq_window_saturation(swq_context *ctx, int window, double *throughput)
{
    chain c = {.window = window};
    double mean = 0;

    if (window < 1 || window > MOST_WINDOW)
        return swq_fail(ctx, SWQ_EINVAL, "window must be from 1 to %d, not %d", MOST_WINDOW,
                        window);
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

static swq_status evaluate(swq_context *ctx, const swq_argument *argument, double *result)
{
    return swq_window_saturation(ctx, (int)argument[0].value, &result[0]);
}

static const swq_formula_parameter parameters[] = {
    {.name = "window",
     .summary = "packets of an input queue that are looked at, 1 for FIFO",
     .least = 1,
     .most = MOST_WINDOW,
     .usual = NAN,
     .whole = true},
};
static const swq_formula_result results[] = {
    {"throughput", "packets per output and cycle"},
};
const swq_formula swq_formula_window_saturation = {
    .name = "window-saturation",
    .summary = "saturation throughput of input queues that are looked into, 2x2",
    .assumptions =
        "2 inputs and 2 outputs; every input always has packets; destinations uniform "
        "and independent; an input that lost sends the first packet for the other output "
        "in its window",
    .source = "the rule: Hluchyj and Karol (1988)",
    .standing = SWQ_STANDS_EXACT,
    .parameter = parameters,
    .parameters = SWQ_COUNT(parameters),
    .result = results,
    .results = SWQ_COUNT(results),
    .evaluate = evaluate,
};
