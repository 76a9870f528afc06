/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a mean changes with the load: g = pi c has the derivative pi c' + pi P' Z c if all loads grow
 * by a common factor. P' is the product rule over the factors of the reception, each of which
 * changes by the gain of created packets and the loss of idle sources (switchq/chain.h); gain and
 * loss are kept separate, as flows of equal sums. No difference of loads is formed, so that the
 * slope is as exact as the chain. Source: P. Schweitzer, J. Appl. Probab. 5, 1968.
 */
#include "base/context.h"
#include "exact/deviation.h"

#include <float.h>
#include <math.h>

/* plus' = plus F + mass C, minus' = minus F + mass (idle). work[6][widest]. */
static void pass(const swq_solved *s, const swq_slopes *slopes, int64_t widest, long double *work,
                 swq_flows *flows)
{
    swq_product p = swq_chain_product(s->chain);
    long double *now[3], *next[3]; /* mass, plus, minus */

    for (int v = 0; v < 3; v++) {
        now[v] = work + v * widest;
        next[v] = work + (3 + v) * widest;
    }
    for (int64_t i = 0; i < p.factor[0].rows; i++)
        now[0][i] = s->pi[i];
    for (int k = 0; k < p.factors; k++) {
        for (int v = 0; v < 3; v++) {
            for (int64_t j = 0; j < p.factor[k].cols; j++)
                next[v][j] = 0;
            swq_spread_into(&p.factor[k], now[v], next[v]);
        }
        if (k < slopes->receptions) {
            swq_spread_into(&slopes->created[k], now[0], next[1]);
            swq_spread_into(&slopes->idle[k], now[0], next[2]);
        }
        for (int v = 0; v < 3; v++) {
            long double *turn = now[v];
            now[v] = next[v];
            next[v] = turn;
        }
    }
    for (int64_t j = 0; j < p.factor[0].rows; j++) {
        flows->plus[j] = (double)now[1][j];
        flows->minus[j] = (double)now[2][j];
    }
    flows->error = swq_flow_error(s);
}

/* pi c' minus pi c, which is exactly zero if the reward is proportional to the load; and a bound on
 * the error of c'. */
static void beyond_proportion(const swq_solved *s, const double *slope, int64_t states,
                              swq_known *result)
{
    const swq_switch *sw = swq_chain_switch(s->chain);
    double parts = sw->ports;
    long double sum = 0, off = 0;

    for (int i = 0; i < sw->ports; i++)
        parts += sw->load[i] / (1 - sw->load[i]);
    for (int64_t i = 0; i < states; i++) {
        sum += (long double)s->pi[i] * ((long double)slope[i] - s->reward[i]);
        if (slope[i] != s->reward[i])
            off += s->pi[i] * parts * s->reward[i];
    }
    *result = (swq_known){(double)sum, off > 0 ? (double)off * swq_flow_error(s) : 0};
    if (sum != 0) /* the sum, which may be denormal */
        result->error += DBL_TRUE_MIN;
}

swq_status swq_exact_slope(const swq_solved *s, swq_known *slope)
{
    swq_product p = swq_chain_product(s->chain);
    bool block = swq_chain_switch(s->chain)->flow == SWQ_BLOCK;
    int64_t widest = 0, states = p.factor[0].rows;
    swq_flows flows = {0};
    swq_slopes slopes = {0};
    swq_known moved = {0}, direct = {0};

    for (int k = 0; k < p.factors; k++)
        widest = p.factor[k].rows > widest ? p.factor[k].rows : widest;
    swq_status status = swq_flows_init(s->ctx, states, &flows);
    long double *work = swq_calloc(s->ctx, (size_t)widest, 6 * sizeof *work);
    if (!status && !work)
        status = swq_memory_status(s->ctx);
    if (!status)
        status = swq_chain_slopes(s->ctx, s->chain, &slopes);
    if (!status) {
        pass(s, &slopes, widest, work, &flows);
        beyond_proportion(s, block ? slopes.accepted : slopes.refused, states, &direct);
        status = swq_deviation(s, &flows, &moved);
    }
    if (!status || status == SWQ_ECONVERGE)
        *slope = (swq_known){moved.value + direct.value, moved.error + direct.error};
    swq_slopes_clear(s->ctx, &slopes);
    swq_free(s->ctx, work);
    swq_flows_clear(s->ctx, &flows);
    return status;
}
