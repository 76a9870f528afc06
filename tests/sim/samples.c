/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See samples.h.
 */
#include "tests/sim/samples.h"

#include "base/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>

double score_of(const swq_estimate *estimate, double exact, size_t batches, double confidence)
{
    double off = estimate->mean - exact, degrees = (double)batches - 1;

    if (estimate->half_width == 0)
        return fabs(off) <= 1e-9 * fmax(1, fabs(exact)) ? 0 : INFINITY;
    double t = off / estimate->half_width * swq_student_t(confidence, degrees);
    double tail = gsl_cdf_tdist_Q(fabs(t), degrees);
    if (!(tail > 1e-300))
        return INFINITY; /* NAN too */
    return copysign(gsl_cdf_ugaussian_Qinv(tail), t);
}

void scores_add(scores *all, double score, const char *what)
{
    cr_assert(fabs(score) <= 4.5, "%s: %s is off by %.2f", what, all->quantity, score);
    if (score == 0)
        return;
    cr_assert(all->count < SCORES_MOST);
    all->score[all->count++] = score;
}

void scores_check(const scores *all, size_t least)
{
    double sorted[SCORES_MOST], n = (double)all->count, mean = 0, square = 0, distance = 0;

    cr_assert(all->count >= least, "%s: only %zu scores", all->quantity, all->count);
    memcpy(sorted, all->score, sizeof *sorted * all->count);
    gsl_sort(sorted, 1, all->count);
    for (size_t k = 0; k < all->count; k++) {
        double p = gsl_cdf_ugaussian_P(sorted[k]);
        mean += sorted[k] / n;
        square += sorted[k] * sorted[k] / n;
        distance = fmax(distance, fmax(p - (double)k / n, (double)(k + 1) / n - p));
    }
    double low = gsl_cdf_chisq_Pinv(1e-5, n) / n, high = 1.15 * gsl_cdf_chisq_Qinv(1e-5, n) / n;
    if (getenv("SWITCHQ_SCORES"))
        fprintf(stderr, "%-14s n %4zu  mean %+.3f (%.3f)  square %.3f (%.3f .. %.3f)  KS %.3f\n",
                all->quantity, all->count, mean, 4 / sqrt(n), square, low, high,
                sqrt(n) * distance);
    cr_assert(fabs(mean) <= 4 / sqrt(n), "%s: mean of %zu scores %.3f", all->quantity, all->count,
              mean);
    cr_assert(low <= square && square <= high, "%s: mean square of %zu scores %.3f, not %.3f..%.3f",
              all->quantity, all->count, square, low, high);
    cr_assert(sqrt(n) * distance <= 2.47, "%s: Kolmogorov-Smirnov %.3f of %zu scores",
              all->quantity, sqrt(n) * distance, all->count);
}

swq_network network_of(const swq_switch *sw)
{
    swq_network network = {.shape.stages = 1, .sw = *sw};
    swq_context *ctx = swq_context_new();

    cr_assert_eq(swq_fabric_find(ctx, "switch", &network.shape), SWQ_OK);
    swq_context_free(ctx);
    network.traffic = swq_traffic_defaults();
    network.traffic.load = sw->load[0];
    return network;
}

swq_network network_in_stages(swq_context *ctx, const char *topology, int stages,
                              const swq_switch *sw)
{
    swq_network network = network_of(sw);

    cr_assert_eq(swq_fabric_find(ctx, topology, &network.shape), SWQ_OK, "%s", topology);
    network.shape.stages = stages;
    return network;
}

swq_sim_options run_of(uint64_t seed, int replications, uint64_t warmup, uint64_t cycles)
{
    swq_sim_options options = swq_sim_defaults();

    options.seed = seed;
    options.replications = replications;
    options.warmup = warmup;
    options.cycles = cycles;
    return options;
}

swq_sim_result simulate(swq_context *ctx, const swq_network *network,
                        const swq_sim_options *options)
{
    swq_sim_result r;

    cr_assert_eq(swq_sim_run(ctx, network, options, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert(r.conserved, "packets are lost or made");
    cr_assert_eq(r.total_created, r.total_delivered + r.total_discarded + r.total_in_flight);
    cr_assert(r.little_exact, "packet-cycles do not add up");
    return r;
}
