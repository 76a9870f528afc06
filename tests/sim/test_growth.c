/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Does a backlog grow? Made-up backlogs whose drift is known, many of each: how often the verdicts
 * are wrong, and that they are not always the careful ones.
 */
#include "sim/measure/growth.h"
#include "tests/support/support.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { MOST_SENDERS = 64, STEPS = 8, SIGMA = 100 };

static gsl_rng *rng;

static void make_rng(void)
{
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 20260611);
}

static void free_rng(void)
{
    gsl_rng_free(rng);
}

TestSuite(sim_growth, .init = make_rng, .fini = free_rng);

typedef struct {
    uint64_t waiting[(SWQ_GROWTH_BATCHES + 1) * MOST_SENDERS], created[MOST_SENDERS],
        inside[SWQ_GROWTH_BATCHES + 1];
    swq_backlogs b;
} made_up;

/* Walks reflected at 0 whose increments in a batch have the standard deviation SIGMA, of which the
 * fraction `common` of the variance is that of all senders, and the correlation `alike` from step
 * to step. Drifts are in standard deviations of a free walk's end; `odd` is that of sender 0. */
typedef struct {
    uint32_t senders;
    double common, drift, odd, alike;
} walks;

static void walk(const walks *w, made_up *m)
{
    const double step = SIGMA / sqrt(STEPS), run = SIGMA * sqrt(SWQ_GROWTH_BATCHES);
    double at[MOST_SENDERS] = {0}, shock[MOST_SENDERS] = {0};

    memset(m, 0, sizeof *m);
    m->b = (swq_backlogs){.senders = w->senders,
                          .waiting = m->waiting,
                          .created = m->created,
                          .inside = m->inside,
                          .sent = 1000};
    for (int k = 0; k < SWQ_GROWTH_BATCHES * STEPS; k++) {
        const double all = gsl_ran_gaussian(rng, sqrt(w->common));
        for (uint32_t i = 0; i < w->senders; i++) {
            const double drift = i == 0 ? w->odd : w->drift;
            const double z = all + gsl_ran_gaussian(rng, sqrt(1 - w->common));
            shock[i] = w->alike * shock[i] + sqrt(1 - w->alike * w->alike) * z;
            at[i] += step * shock[i] + drift * run / (SWQ_GROWTH_BATCHES * STEPS);
            at[i] = fmax(at[i], 0);
            m->waiting[(size_t)(k / STEPS + 1) * w->senders + i] = (uint64_t)(at[i] + 0.5);
        }
    }
    for (uint32_t i = 0; i < w->senders; i++)
        m->created[i] = 1000000;
}

typedef struct {
    double mean, worst;               /* fractions of runs that are shown to grow */
    double mean_missed, worst_missed; /* of runs whose bound is below the drift */
    double named;                     /* of runs whose worst sender is number 0 */
} rates;

static rates count(const walks *w, double level, int runs)
{
    static made_up m;
    rates r = {0};
    const double run = SIGMA * sqrt(SWQ_GROWTH_BATCHES) / 1e6,
                 all = (w->drift * (w->senders - 1) + w->odd) / w->senders;

    for (int k = 0; k < runs; k++) {
        walk(w, &m);
        const swq_growth g = swq_growth_of(&m.b, level);
        r.mean += g.mean.grows / (double)runs;
        r.worst += g.worst.grows / (double)runs;
        r.mean_missed += (g.mean.lacks < all * run) / (double)runs;
        r.worst_missed += (g.worst.lacks < fmax(w->odd, w->drift) * run) / (double)runs;
        r.named += (g.sender == 0) / (double)runs;
    }
    return r;
}

/* At most the level, and four standard errors. */
static double at_most(double level, int runs)
{
    return level + 4 * sqrt(level * (1 - level) / runs);
}

/* Senders that are just served have backlogs that rise as the square root of time, whether the
 * senders depend on each other or not, and are not taken for growing ones. */
Test(sim_growth, just_served)
{
    static const walks cases[] = {{1, 0, 0, 0, 0},    {1, 0, -1, -1, 0},   {8, 0, 0, 0, 0},
                                  {8, 0.5, 0, 0, 0},  {64, 0, 0, 0, 0},    {64, 0.9, 0, 0, 0},
                                  {64, 0, -4, -4, 0}, {64, 0, -20, -20, 0}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int runs = cases[k].senders == 1 ? 2000 : cases[k].senders == 8 ? 500 : 100;
        const rates r = count(&cases[k], 0.05, runs);
        cr_expect(r.mean <= at_most(0.05, runs), "case %zu: %g", k, r.mean);
        cr_expect(r.worst <= at_most(0.06, runs), "case %zu: %g", k, r.worst);
        cr_expect(r.mean_missed == 0 && r.worst_missed == 0, "case %zu", k);
    }
    const walks one = {1, 0, 0, 0, 0};
    cr_expect(count(&one, 0.05, 1000).worst > 0.03, "or the test is one of nothing");
}

/* A drift is within its bound as often as the level says, and is found if it is large. */
Test(sim_growth, growing)
{
    static const struct {
        walks w;
        double mean, worst; /* least rates */
    } cases[] = {{{1, 0, 3, 3, 0}, 0.5, 0.8},
                 {{1, 0, 8, 8, 0}, 0.99, 0.99},
                 {{64, 0, 1.5, 1.5, 0}, 0.95, 0.95},
                 {{64, 0.5, 3, 3, 0}, 0.8, 0.8},
                 {{64, 0, 5, 5, 0}, 0.99, 0.99}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int runs = cases[k].w.senders == 1 ? 1000 : 100;
        const rates r = count(&cases[k].w, 0.05, runs);
        cr_expect(r.mean >= cases[k].mean && r.worst >= cases[k].worst, "case %zu: %g, %g", k,
                  r.mean, r.worst);
        cr_expect(r.mean_missed <= at_most(0.05, runs), "case %zu: %g", k, r.mean_missed);
        cr_expect(r.worst_missed <= at_most(0.05, runs), "case %zu: %g", k, r.worst_missed);
    }
}

/* One of 64 senders that is not served does not show in the mean. */
Test(sim_growth, one_of_many)
{
    const walks w = {64, 0, -8, 8, 0};
    const rates r = count(&w, 0.01, 150);

    cr_expect(r.worst > 0.99 && r.named > 0.99, "%g, %g", r.worst, r.named);
    cr_expect(r.mean == 0, "%g", r.mean);
    cr_expect(r.worst_missed <= at_most(0.01, 150), "%g", r.worst_missed);
}

/* Increments that are correlated from batch to batch scatter more than they look. */
Test(sim_growth, correlated_increments)
{
    const walks w = {16, 0, 0, 0, 0.9}; /* 0.31 from batch to batch */
    const rates r = count(&w, 0.05, 500);

    cr_expect(r.mean <= at_most(0.05, 500) && r.worst <= at_most(0.05, 500), "%g, %g", r.mean,
              r.worst);
}

/* Senders that create nothing are not asked, and what is in the network was not served. */
Test(sim_growth, what_counts)
{
    static made_up m;
    const walks w = {2, 0, -20, 8, 0};

    walk(&w, &m);
    cr_assert(swq_growth_of(&m.b, 0.01).worst.grows);
    m.created[0] = 0;
    for (int k = 0; k <= SWQ_GROWTH_BATCHES; k++)
        m.waiting[2 * k] = 0;
    swq_growth g = swq_growth_of(&m.b, 0.01);
    cr_assert(!g.worst.grows && g.sender == 1);
    const double lacks = g.mean.lacks;
    cr_assert(fabs(g.worst.lacks - lacks) < 1e-12, "one sender is all senders");
    for (int k = 1; k <= SWQ_GROWTH_BATCHES; k++)
        m.inside[k] = 10;
    g = swq_growth_of(&m.b, 0.01);
    cr_assert(g.mean.lacks > lacks + 0.01, "%g and %g", g.mean.lacks, lacks);
    cr_assert(g.worst.lacks > g.mean.lacks && g.worst.lacks < lacks + 0.06, "%g", g.worst.lacks);
    m.created[1] = 0;
    g = swq_growth_of(&m.b, 0.01);
    cr_assert(!g.mean.grows && !g.worst.grows && g.mean.lacks == 0 && g.worst.lacks == 0);
}
