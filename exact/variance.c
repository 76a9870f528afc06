/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The asymptotic variance of the number of refusals per cycle: with r refusals in a cycle and mu
 * their mean, sigma^2 = E[(r - mu)^2] + 2 u Z h, where u_j = sum_i pi_i P_ij (E[r | i -> j] - mu)
 * and h is the expected number of refusals in a state's next cycle, minus mu. The count over T
 * cycles has the variance T sigma^2 in the limit. A pass through the factors computes the mass a of
 * a node and its first moment b: a' = a F, b' = b F + a R; of the second factorial moment only the
 * sum is needed, to which a factor adds 2 b R + a (pairs), since its row sums are one. Source: M.
 * Kijima, Markov Processes for Stochastic Modeling, 1997 (variance of additive functionals).
 */
#include "base/context.h"
#include "exact/deviation.h"

#include <math.h>

static long double sum_of(const swq_csr *m, const long double *from)
{
    long double sum = 0;

    for (int64_t i = 0; m->start && i < m->rows; i++) {
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            sum += from[i] * m->value[e];
    }
    return sum;
}

/* flows->plus receives sum_i pi_i E[r; i -> j], and *factorial E[r (r - 1)]. work[4][widest]. */
static void pass(const swq_solved *s, int64_t widest, long double *work, swq_flows *flows,
                 long double *factorial)
{
    swq_product p = swq_chain_product(s->chain);
    long double *mass = work, *moment = work + widest;
    long double *next_mass = work + 2 * widest, *next_moment = work + 3 * widest;

    *factorial = 0;
    for (int64_t i = 0; i < p.factor[0].rows; i++)
        mass[i] = s->pi[i];
    for (int k = 0; k < p.factors; k++) {
        const swq_csr *refusals = swq_chain_refusals(s->chain, k);
        for (int64_t j = 0; j < p.factor[k].cols; j++)
            next_mass[j] = next_moment[j] = 0;
        *factorial +=
            2 * sum_of(refusals, moment) + sum_of(swq_chain_refusal_pairs(s->chain, k), mass);
        swq_spread_into(&p.factor[k], mass, next_mass);
        swq_spread_into(&p.factor[k], moment, next_moment);
        swq_spread_into(refusals, mass, next_moment);
        long double *turn = mass;
        mass = next_mass;
        next_mass = turn;
        turn = moment;
        moment = next_moment;
        next_moment = turn;
    }
    for (int64_t j = 0; j < p.factor[0].rows; j++) {
        flows->plus[j] = (double)moment[j];
        flows->minus[j] = s->pi[j] * s->mean;
    }
    flows->error = 2 * swq_flow_error(s); /* of pi and of the mean */
}

swq_status swq_exact_variance(const swq_solved *s, swq_known *variance)
{
    swq_product p = swq_chain_product(s->chain);
    int64_t widest = 0;
    swq_flows flows = {0};
    swq_known covariance = {0};
    long double factorial = 0;

    for (int k = 0; k < p.factors; k++)
        widest = p.factor[k].rows > widest ? p.factor[k].rows : widest;
    swq_status status = swq_flows_init(s->ctx, p.factor[0].rows, &flows);
    long double *work = swq_calloc(s->ctx, (size_t)widest, 4 * sizeof *work);
    if (!status && !work)
        status = swq_memory_status(s->ctx);
    if (!status) {
        pass(s, widest, work, &flows, &factorial);
        status = swq_deviation(s, &flows, &covariance);
    }
    if (!status || status == SWQ_ECONVERGE) {
        long double mu = s->mean, square = mu + factorial;
        variance->value = (double)(square - mu * mu + 2 * covariance.value);
        variance->error = 2 * covariance.error + 2 * swq_flow_error(s) * (double)(square + mu * mu);
        if (!isfinite(s->pi_error)) /* without a bound on pi there is none on the variance, even if
                                       pi_error was multiplied with 0 */
            variance->error = INFINITY;
    }
    swq_free(s->ctx, work);
    swq_flows_clear(s->ctx, &flows);
    return status;
}
