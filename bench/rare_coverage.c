/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Do the intervals of rare discards contain the exact value as often as they say? Many independent
 * runs of each point, against its Markov chain:
 *     rare_coverage [RUNS [PRECISION [FROM [TO]]]] [fresh]
 * prints a line a point (those numbered FROM to TO, from 1): how many intervals of 95% contain the
 * exact value, and mean and variance of the scores, (estimate - exact) / standard error made
 * normal. With `fresh` each run finds its levels by a pilot run of its own, else all runs of a
 * point take the first one's.
 *
 * A point fails when its coverage is not between 0.92 and 0.97 to within what a binomial count
 * varies by (1e-3 on either side), or the mean of its scores is not 0 to within 3.5 standard
 * errors. Exit status: how many fail.
 */
#include "switchq/switchq.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *buffer;
    int slots;
    double load;
} coverage_point;

static const coverage_point points[] = {
    {"fifo", 2, 0.25}, {"fifo", 4, 0.25}, {"fifo", 6, 0.25}, {"fifo", 8, 0.5},  {"samq", 4, 0.25},
    {"samq", 8, 0.25}, {"samq", 8, 0.5},  {"safc", 8, 0.25}, {"safc", 8, 0.5},  {"damq", 2, 0.25},
    {"damq", 4, 0.25}, {"damq", 6, 0.25}, {"damq", 6, 0.5},  {"damq", 8, 0.75}, {"damq", 8, 0.25},
    {"dafc", 4, 0.25}, {"cbda", 2, 0.25}, {"cbda", 4, 0.25}, {"cbda", 4, 0.75}, {"cbda", 5, 0.5},
};
enum { POINTS = sizeof points / sizeof *points };

static void stop(swq_context *ctx)
{
    fprintf(stderr, "rare-coverage: %s\n", swq_context_message(ctx));
    exit(3);
}

static double exactly(swq_context *ctx, const swq_switch *sw)
{
    swq_exact_options how = swq_exact_options_defaults();
    swq_answers answers;

    if (swq_exact_solve(ctx, sw, &how, &answers))
        stop(ctx);
    double discard = answers.discard.value;
    swq_answers_clear(ctx, &answers);
    return discard;
}

static swq_network network_of(swq_context *ctx, const coverage_point *p, swq_switch *sw)
{
    const swq_buffer_kind *kind;
    swq_network n = {.shape.stages = 1, .traffic = swq_traffic_defaults()};

    *sw = (swq_switch){.ports = 2, .flow = SWQ_DISCARD, .load = {p->load, p->load}};
    swq_traffic_uniform(sw);
    if (swq_arbiter_find(ctx, "random", &sw->arbiter) ||
        swq_buffer_kind_find(ctx, p->buffer, &kind) ||
        swq_buffer_preset(ctx, kind, 2, p->slots, &sw->buffer) ||
        swq_fabric_find(ctx, "switch", &n.shape))
        stop(ctx);
    n.sw = *sw;
    n.traffic.load = p->load;
    return n;
}

/* Are both tails of a binomial count plausible, compared with coverages of 0.92 and 0.97? */
static bool plausible(int covered, int runs)
{
    return gsl_cdf_binomial_P((unsigned)covered, 0.92, (unsigned)runs) > 1e-3 &&
           gsl_cdf_binomial_Q((unsigned)covered - 1, 0.97, (unsigned)runs) > 1e-3;
}

static bool look_at(swq_context *ctx, const coverage_point *p, int runs, double precision,
                    bool fresh)
{
    static swq_rare_result r;
    swq_rare_level level[SWQ_RARE_LEVELS];
    swq_rare_options o = swq_rare_defaults();
    swq_switch sw;
    swq_network n = network_of(ctx, p, &sw);
    const double exact = exactly(ctx, &sw);
    int covered = 0, done = 0, few = 0;
    double sum = 0, squares = 0, steps = 0, gain = 0;

    o.precision = precision;
    for (int k = 0; k < runs + !fresh; k++) {
        o.seed = 1000 + (uint64_t)k;
        if (swq_rare_run(ctx, &n, &o, &r))
            stop(ctx);
        if (k == 0 && !fresh) {
            for (int i = 0; i < r.levels; i++)
                level[i] = r.level[i].level;
            o.importance = r.importance;
            o.level = level;
            o.levels = r.levels;
            continue;
        }
        if (!r.enough) {
            few++;
            continue;
        }
        const double t = gsl_cdf_tdist_Qinv(0.025, r.replications - 1);
        const double off = (r.discard_fraction.mean - exact) / r.discard_fraction.half_width;
        const double p_below = gsl_cdf_tdist_P(off * t, r.replications - 1);
        const double z = gsl_cdf_ugaussian_Pinv(fmin(fmax(p_below, 1e-15), 1 - 1e-15));
        covered += fabs(off) <= 1;
        sum += z;
        squares += z * z;
        steps += (double)r.steps;
        gain += log(r.crude_cycles / (double)r.steps);
        done++;
    }
    const double mean = sum / done, variance = (squares - sum * mean) / (done - 1);
    const bool fine = plausible(covered, done) && fabs(mean) <= 3.5 / sqrt(done);
    printf("%s  %d  %.2f  %.3e  %-7s %2d  %4d %3d  %.3f  %+.2f  %.2f  %9.3g  %8.2g  %s\n",
           p->buffer, p->slots, p->load, exact, r.importance->name, r.levels, done, few,
           (double)covered / done, mean, variance, steps / done, exp(gain / done),
           fine ? "" : "FAILS");
    fflush(stdout);
    return fine;
}

int main(int argc, char **argv)
{
    bool fresh = argc > 1 && strcmp(argv[argc - 1], "fresh") == 0;
    int numbers = argc - 1 - fresh, failed = 0;
    int runs = numbers > 0 ? atoi(argv[1]) : 200;
    double precision = numbers > 1 ? atof(argv[2]) : 0.2;
    int from = numbers > 2 ? atoi(argv[3]) : 1, to = numbers > 3 ? atoi(argv[4]) : POINTS;
    swq_context *ctx = swq_context_new();

    if (!ctx || runs < 2 || from < 1 || to > POINTS)
        return 2;
    puts("buffer slots load exact    importance levels runs few covered mean var  steps  gain");
    for (int k = from; k <= to; k++)
        failed += !look_at(ctx, &points[k - 1], runs, precision, fresh);
    swq_context_free(ctx);
    return failed;
}
