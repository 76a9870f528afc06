/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a spec to its answers, on all ranks together.
 */
#ifdef SWQ_HAVE_PETSC

#include "base/context.h"
#include "cluster/prove.h"
#include "exact/plausible.h"
#include "exact/weights.h"
#include "solvers/width.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

enum { REWARD_ROUNDINGS = 70 /* roundings of sums over at most 32 ports */ };

/* Check that the options' method exists on a cluster. */
static swq_status check_options(swq_context *ctx, const swq_exact_options *options)
{
    static const char *const known[] = {"auto", "aggregation", "anderson", "arnoldi", "power"};

    if (options->variance || options->slope)
        return swq_fail(ctx, SWQ_EINVAL, "--%s is not modelled with --mpi",
                        options->variance ? "variance" : "slope");
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(options->solver->name, known[k]) == 0)
            return SWQ_OK;
    }
    return swq_fail(ctx, SWQ_EINVAL,
                    "solver %s does not work on a chain that is spread over ranks (--mpi): "
                    "aggregation, anderson, arnoldi and power do",
                    options->solver->name);
}

static const swq_solver *named(const char *name)
{
    const swq_solver *const *at = swq_solvers;

    while (*at && strcmp((*at)->name, name) != 0)
        at++;
    return *at;
}

/* The mean number of packets refused, or accepted, by all inputs per cycle, enclosed as in
 * solvers/factors.c. */
static swq_mean weigh_reward(const swq_spread_chain *s, const swq_spread_solution *found)
{
    const int ports = s->chain->sw.ports;
    const bool blocks = s->chain->sw.flow == SWQ_BLOCK;
    double accepted[SWQ_CHAIN_PORTS], refused[SWQ_CHAIN_PORTS];
    const double given = (s->roundings + REWARD_ROUNDINGS) * 0x1p-53;
    const double d = found->pi_error + 2 * given + (double)s->all[0] * 0x1p-60;
    long double sum = 0;
    double most = 0;

    for (int64_t i = 0; i < s->own[0]; i++) {
        double reward = 0;
        swq_chain_reception(s->chain, i, accepted, refused);
        for (int p = 0; p < ports; p++)
            reward += blocks ? accepted[p] : refused[p];
        sum += (long double)found->pi[i] * reward;
        most = found->pi[i] > 0 ? fmax(most, reward) : most;
    }
    swq_fleet_add_fine(s->fleet, &sum, 1);
    most = swq_fleet_greatest(s->fleet, most);
    swq_mean mean = {(double)sum, 0, most * (1 + 2 * given)};
    if (d < 1) {
        mean.lower = (double)sum * (1 - d);
        mean.upper = fmin(mean.upper, (double)sum * (1 + d));
    }
    if (most > 0) /* else exactly zero */
        swq_mean_widen((double)s->all[0] + 8, &mean);
    return mean;
}

/* Sum over the own states, then over all ranks. */
static swq_status weigh(swq_spread_chain *s, const double *pi, swq_answers *a)
{
    swq_weights w;
    swq_status status = swq_fleet_agree(s->fleet, swq_weights_init(s->ctx, s->chain, &w));

    if (!status) {
        swq_weights_add(s->chain, pi, &w);
        swq_fleet_add_fine(s->fleet, w.in, (int)(offsetof(swq_weights, weight) / sizeof *w.in));
        swq_fleet_add_fine(s->fleet, w.weight, w.weights);
        status = swq_fleet_agree(s->fleet, swq_weights_tell(s->ctx, s->chain, &w, a));
    }
    swq_weights_clear(s->ctx, &w);
    return status;
}

static void fill_in(const swq_spread_chain *s, const swq_spread_solution *found,
                    const swq_exact_options *options, swq_answers *a)
{
    const bool chosen = options->solver->chooses;

    *a = (swq_answers){.states = s->all[0],
                       .intermediates = s->all[s->chain->receptions],
                       .entries = s->entries,
                       .factors = s->levels,
                       .transient = found->transient,
                       .period = found->period,
                       .unreduced = s->chain->foreseen.unreduced,
                       .solver = chosen ? named("aggregation") : options->solver,
                       .why =
                           chosen ? "auto: what works on factors that are spread over ranks" : NULL,
                       .iterations = found->iterations,
                       .residual = found->residual,
                       .converged = found->converged,
                       .saturation = {NAN, NAN, NAN},
                       .refusals = NAN,
                       .variance = {NAN, NAN},
                       .slope = {NAN, NAN},
                       .slope_by_load = {NAN, NAN}};
    a->relative_error = swq_weighing_error(found->pi_error, s->roundings, s->all[0]);
}

static void note_cost(const swq_spread_chain *s, const swq_spread_solution *found,
                      double generating, double solving, swq_cluster_cost *cost)
{
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    const double bytes = 1024.0 * (double)used.ru_maxrss;
    cost->ranks = s->fleet->ranks;
    cost->most_bytes = swq_fleet_greatest(s->fleet, bytes);
    cost->least_bytes = swq_fleet_least(s->fleet, bytes);
    cost->most_entries =
        s->most_entries > cost->most_entries ? s->most_entries : cost->most_entries;
    cost->sent_bytes = fmax(cost->sent_bytes, s->sent);
    cost->generating += generating;
    cost->solving += solving;
    cost->resumed = cost->resumed || found->resumed;
}

static swq_status solve_one(swq_fleet *fleet, const swq_switch *sw,
                            const swq_exact_options *options, swq_checkpoint *checkpoint,
                            swq_answers *a, swq_cluster_cost *cost)
{
    swq_spread_chain s;
    swq_spread_solution found = {0};
    const double began = MPI_Wtime();
    swq_status status = swq_spread_generate(fleet, sw, options->reduce, &s);

    if (!status)
        status = swq_spread_furnish(&s);
    const double generated = MPI_Wtime();
    if (!status)
        status = swq_spread_solve(&s, options->solver, &options->solving, checkpoint, &found);
    if (found.pi && (!status || status == SWQ_ECONVERGE)) {
        const swq_mean mean = weigh_reward(&s, &found);
        fill_in(&s, &found, options, a);
        swq_answers_enclose(sw, &mean, a);
        const swq_status weighed = weigh(&s, found.pi, a);
        note_cost(&s, &found, generated - began, MPI_Wtime() - generated, cost);
        if (weighed)
            status = weighed;
        else if (!status)
            status = swq_answers_width(fleet->ctx, sw, options, a);
    }
    swq_free(fleet->ctx, found.pi);
    swq_spread_clear(&s);
    return status;
}

/* The throughput if all sources are always busy; the finding that this throughput does not exist is
 * also an answer. */
static swq_status saturate(swq_fleet *fleet, const swq_switch *sw, const swq_exact_options *options,
                           swq_answers *a, swq_cluster_cost *cost)
{
    swq_checkpoint none = {0};
    swq_answers saturated = {0};
    swq_switch full = *sw;

    for (int i = 0; i < sw->ports; i++)
        full.load[i] = sw->load[i] > 0 ? 1 : 0;
    const swq_status status = solve_one(fleet, &full, options, &none, &saturated, cost);
    if (!status || status == SWQ_ECONVERGE) {
        a->saturation = saturated.throughput;
        a->converged = a->converged && saturated.converged;
    }
    swq_answers_clear(fleet->ctx, &saturated);
    return status == SWQ_EREDUCIBLE ? SWQ_OK : status;
}

swq_status swq_cluster_solve(swq_fleet *fleet, const swq_switch *sw,
                             const swq_exact_options *options, const swq_cluster_options *cluster,
                             swq_answers *answers, swq_cluster_cost *cost)
{
    swq_checkpoint checkpoint = {cluster->checkpoint, cluster->checkpoint_seconds, MPI_Wtime()};
    swq_answers a = {0};
    const double began = MPI_Wtime();
    swq_status status = check_options(fleet->ctx, options);

    *cost = (swq_cluster_cost){0};
    if (!status)
        status = swq_chain_check(fleet->ctx, sw);
    if (!status)
        status = solve_one(fleet, sw, options, &checkpoint, &a, cost);
    if (status && status != SWQ_ECONVERGE) {
        swq_answers_clear(fleet->ctx, &a);
        return status;
    }
    if (sw->flow == SWQ_BLOCK) {
        const swq_status again = saturate(fleet, sw, options, &a, cost);
        status = again ? again : status;
    }
    if (!status)
        status = swq_answers_check(fleet->ctx, &a, sw->ports);
    if (status && status != SWQ_ECONVERGE) {
        swq_answers_clear(fleet->ctx, &a);
        return status;
    }
    a.seconds = MPI_Wtime() - began;
    *answers = a;
    return status;
}

#endif
