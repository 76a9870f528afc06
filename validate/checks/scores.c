/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normal scores of a simulated switch. The variance of the mean number of packets over T cycles
 * tends to sigma^2 / T with sigma^2 = E[(f - mu)^2] + 2 u Z h, where f is the number in a state, h
 * = f - mu, and u_j = sum_i pi_i h_i P_ij (exact/deviation.h); that of refusals is in
 * exact/variance.c.
 */
#include "validate/checks/scores.h"

#include "base/context.h"
#include "exact/deviation.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

const char *const swq_score_names[SWQ_SCORES] = {"refusals", "packets"};

/* ---- expectations from the chain ---- */

static void fill_packets(const swq_chain *chain, double *packets)
{
    for (int64_t s = 0; s < swq_chain_states(chain); s++) {
        for (int b = 0; b < swq_chain_buffers(chain); b++)
            packets[s] += swq_chain_occupancy(chain, s, b);
        packets[s] += swq_chain_behind(chain, s);
    }
}

/* plus = (pi f) P, minus = (pi mu) P = pi mu. work[2][widest] */
static void set_flows(const swq_solved *s, long double *work, int64_t widest, swq_flows *flows)
{
    swq_product p = swq_chain_product(s->chain);
    long double *from = work, *to = work + widest;

    for (int64_t i = 0; i < p.factor[0].rows; i++) {
        from[i] = (long double)s->pi[i] * s->reward[i];
        flows->minus[i] = s->pi[i] * s->mean;
    }
    for (int k = 0; k < p.factors; k++) {
        for (int64_t j = 0; j < p.factor[k].cols; j++)
            to[j] = 0;
        swq_spread_into(&p.factor[k], from, to);
        long double *turn = from;
        from = to;
        to = turn;
    }
    for (int64_t j = 0; j < p.factor[0].rows; j++)
        flows->plus[j] = (double)from[j];
}

static swq_status packet_variance(const swq_solved *s, double *variance)
{
    swq_product p = swq_chain_product(s->chain);
    const int64_t states = p.factor[0].rows;
    int64_t widest = states;
    swq_flows flows = {0};
    swq_known covariance = {0};
    long double square = 0;

    for (int k = 0; k < p.factors; k++)
        widest = p.factor[k].rows > widest ? p.factor[k].rows : widest;
    swq_status status = swq_flows_init(s->ctx, states, &flows);
    long double *work = swq_calloc(s->ctx, (size_t)widest, 2 * sizeof *work);
    if (!status && !work)
        status = swq_memory_status(s->ctx);
    if (!status) {
        set_flows(s, work, widest, &flows);
        status = swq_deviation(s, &flows, &covariance);
    }
    for (int64_t i = 0; i < states; i++)
        square += s->pi[i] * (s->reward[i] - s->mean) * (s->reward[i] - s->mean);
    *variance = (double)square + 2 * covariance.value;
    swq_free(s->ctx, work);
    swq_flows_clear(s->ctx, &flows);
    return status;
}

static swq_status expect_packets(swq_context *ctx, const swq_switch *sw,
                                 const swq_exact_options *options, double *mean, double *variance)
{
    swq_chain *chain = NULL;
    swq_grouping grouping = {0};
    swq_solution solution = {0};
    swq_status status = swq_chain_generate(ctx, sw, true, &chain);

    if (status)
        return status;
    double *packets = swq_calloc(ctx, (size_t)swq_chain_states(chain), sizeof *packets);
    const double *reward[] = {packets};
    status = packets ? swq_chain_group(ctx, chain, &grouping) : swq_memory_status(ctx);
    if (!status) {
        swq_product p = swq_chain_product(chain);
        fill_packets(chain, packets);
        status = swq_solve_product(ctx, &p, &grouping, options->solver, &options->solving, reward,
                                   1, &solution);
    }
    if (!status) {
        swq_solved s = {ctx,         chain,
                        &grouping,   options,
                        solution.pi, solution.pi_error,
                        packets,     solution.mean[0].value};
        *mean = s.mean;
        status = packet_variance(&s, variance);
    }
    swq_solution_clear(ctx, &solution);
    swq_grouping_clear(ctx, &grouping);
    swq_free(ctx, packets);
    swq_chain_free(ctx, chain);
    return status;
}

swq_status swq_expect(swq_context *ctx, const swq_switch *sw, swq_expected *e)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a = {0};

    options.variance = true;
    swq_status status = swq_exact_solve(ctx, sw, &options, &a);
    e->mean[SWQ_SCORE_REFUSALS] = a.refusals;
    e->variance[SWQ_SCORE_REFUSALS] = a.variance.value;
    swq_answers_clear(ctx, &a);
    if (!status)
        status = expect_packets(ctx, sw, &options, &e->mean[SWQ_SCORE_PACKETS],
                                &e->variance[SWQ_SCORE_PACKETS]);
    return status;
}

/* ---- observations from the simulator ---- */

swq_status swq_case_network(swq_context *ctx, const swq_case *c, const swq_switch *sw,
                            double *node_load, swq_network *network)
{
    *network = (swq_network){.shape.stages = 1, .sw = *sw, .traffic = swq_traffic_defaults()};
    network->traffic.load = sw->load[0];
    network->sw.burst = 0; /* in a network, bursts belong to the traffic */
    if (sw->burst > 1)
        network->traffic.burst = sw->burst;
    if (swq_case_hot(c))
        network->traffic.hot[network->traffic.hot_spots++] = (swq_hot_spot){1, 0.2};
    if (swq_case_unequal(c)) {
        for (int i = 0; i < sw->ports; i++)
            node_load[i] = sw->load[i];
        network->traffic.node_load = node_load;
    }
    return swq_fabric_find(ctx, "switch", &network->shape);
}

/* Refused packets are counted as lost or, with blocking, wait at their sources after these have had
 * their turn. */
void swq_observe(const swq_switch *sw, const swq_sim_result *r, double mean[SWQ_SCORES])
{
    mean[SWQ_SCORE_REFUSALS] = sw->flow == SWQ_BLOCK ? r->source_queue.mean * sw->ports
                                                     : (double)r->all.discarded / (double)r->cycles;
    mean[SWQ_SCORE_PACKETS] = r->stage[0].occupancy.mean;
}

static double score_of(double observed, double mean, double variance, double cycles)
{
    const double off = observed - mean;

    /* a quantity that never varies is known up to rounding, and so is its variance */
    if (variance < 1e-9)
        return fabs(off) < 1e-9 ? 0 : INFINITY;
    return off / sqrt(variance / cycles);
}

swq_status swq_score_simulate(swq_context *ctx, const swq_network *network, uint64_t cycles,
                              uint64_t seed, swq_sim_result *result)
{
    swq_sim_options options = swq_sim_defaults();

    options.seed = seed;
    options.warmup = SWQ_SCORE_WARM_UP;
    options.cycles = cycles;
    swq_status status = swq_sim_run(ctx, network, &options, result);
    if (!status && (result->stopped_by == SWQ_STOP_INTERRUPTED || result->cycles < cycles))
        status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    return status;
}

swq_status swq_score_case(swq_context *ctx, const swq_case *c, uint64_t seed, uint64_t cycles,
                          const swq_switch *sw, const swq_expected *expected,
                          double observed[SWQ_SCORES], double score[SWQ_SCORES])
{
    double node_load[SWQ_CHAIN_PORTS];
    swq_network network;
    swq_sim_result result;
    swq_status status = swq_case_network(ctx, c, sw, node_load, &network);

    if (!status)
        status = swq_score_simulate(ctx, &network, cycles, seed, &result);
    if (status)
        return status;
    swq_observe(sw, &result, observed);
    for (int q = 0; q < SWQ_SCORES; q++)
        score[q] =
            score_of(observed[q], expected->mean[q], expected->variance[q], (double)result.cycles);
    return SWQ_OK;
}

/* ---- probabilities ---- */

uint64_t swq_check_seed(uint64_t seed, const char *family, int k)
{
    uint64_t z = seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)k;

    for (; *family; family++)
        z = (z ^ (uint64_t)(unsigned char)*family) * UINT64_C(0x100000001b3);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) >> 12;
}

double swq_two_sided(double score)
{
    return isnan(score) ? 0 : fmin(1, 2 * gsl_cdf_ugaussian_Q(fabs(score)));
}

void swq_score_losses(swq_finding *f, const swq_expected *e, uint64_t lost, uint64_t cycles)
{
    f->left = e->mean[SWQ_SCORE_REFUSALS];
    f->right = (double)lost / (double)cycles;
    const double score =
        (f->right - f->left) / sqrt(e->variance[SWQ_SCORE_REFUSALS] / (double)cycles);
    f->off = fabs(score);
    f->p = swq_two_sided(score);
}
