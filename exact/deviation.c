/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The deviation of a mean, by two systems of visits; see deviation.h.
 */
#include "exact/deviation.h"

#include "base/context.h"
#include "base/packed.h"
#include "solvers/width.h"

#include <float.h>
#include <math.h>

/* This much weight starts at the root in both flows, so that every state is visited and relative
 * changes are meaningful; in z this adds a multiple of pi, which h cancels. */
#define START 0x1p-6

enum { REWARD_ROUNDINGS = 70 /* roundings of sums over at most 32 ports */ };

swq_status swq_flows_init(swq_context *ctx, int64_t states, swq_flows *flows)
{
    flows->plus = swq_calloc(ctx, (size_t)states, 2 * sizeof *flows->plus);
    if (!flows->plus)
        return swq_memory_status(ctx);
    flows->minus = flows->plus + states;
    return SWQ_OK;
}

void swq_flows_clear(swq_context *ctx, swq_flows *flows)
{
    swq_free(ctx, flows->plus);
    *flows = (swq_flows){0};
}

void swq_spread_into(const swq_csr *m, const long double *from, long double *to)
{
    for (int64_t s = 0; m->packed && s < m->packed->strips; s++)
        swq_packed_add_times(m, s, from, to + (s << SWQ_STRIP_BITS));
    for (int64_t i = 0; m->start && i < m->rows; i++) {
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            to[m->col[e]] += from[i] * m->value[e];
    }
}

double swq_flow_error(const swq_solved *s)
{
    double sums = (double)swq_chain_entries(s->chain) * 0x1p-63; /* in long double */

    return s->pi_error + (swq_chain_product(s->chain).roundings + REWARD_ROUNDINGS) * 0x1p-53 +
           sums;
}

static double total(const double *x, int64_t n)
{
    long double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += x[i];
    return (double)sum;
}

/* (y+ - y-) h, and a bound on its error from the errors of all vectors. */
static void weigh(const swq_solved *s, const swq_flows *y, const double *error, int64_t states,
                  swq_known *result)
{
    const double reward_error = swq_flow_error(s);
    long double sum = 0, off = 0;
    /* where the mean is so small that numbers lack digits, no error is known */
    bool known = s->mean >= SWQ_LEAST;

    for (int64_t i = 0; i < states; i++) {
        long double h = (long double)s->reward[i] - s->mean, both = y->plus[i] + y->minus[i];
        sum += ((long double)y->plus[i] - y->minus[i]) * h;
        known = known && isfinite(error[i]) && !(s->pi[i] > 0 && both < SWQ_LEAST);
        if (both > 0)
            off += fabsl(h) * (error[i] + both * y->error) +
                   both * reward_error * (s->reward[i] + s->mean);
    }
    *result = (swq_known){(double)sum, known ? (double)off + DBL_TRUE_MIN : INFINITY};
}

/* Is the long-run reward exactly 0: has every state that is visited no reward? Where pi has an
 * error bound, a zero of pi is a state that is never visited, not an underflow. */
static bool never_rewarded(const swq_solved *s, int64_t states)
{
    bool never = isfinite(s->pi_error);

    for (int64_t i = 0; i < states && never; i++)
        never = s->pi[i] == 0 || s->reward[i] == 0;
    return never;
}

swq_status swq_deviation(const swq_solved *s, const swq_flows *flows, swq_known *result)
{
    swq_product product = swq_chain_product(s->chain);
    int64_t states = product.factor[0].rows, root = 0;
    swq_flows y = {0};
    double all = total(flows->plus, states);

    *result = (swq_known){0, never_rewarded(s, states) ? 0 : INFINITY};
    if (all == 0 || result->error == 0) /* no flow at all: it was too small for a double */
        return SWQ_OK;
    for (int64_t i = 1; i < states; i++)
        root = s->pi[i] > s->pi[root] ? i : root;
    swq_status status = swq_flows_init(s->ctx, states, &y);
    double *error = swq_calloc(s->ctx, (size_t)states, sizeof *error);
    if (!status && !error)
        status = swq_memory_status(s->ctx);
    if (!status) {
        for (int64_t i = 0; i < states; i++)
            y.plus[i] = y.minus[i] = s->pi[i] * all / s->pi[root];
        y.error = flows->error;
        flows->plus[root] += START * all;
        flows->minus[root] += START * all;
        status = swq_solve_visits(s->ctx, &product, s->grouping, s->options->solver,
                                  &s->options->solving, root,
                                  (const double *const[]){flows->plus, flows->minus}, 2,
                                  (double *const[]){y.plus, y.minus}, error);
    }
    if (!status || status == SWQ_ECONVERGE)
        weigh(s, &y, error, states, result);
    swq_free(s->ctx, error);
    swq_flows_clear(s->ctx, &y);
    return status;
}
