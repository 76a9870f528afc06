/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pilot runs. The first one is crude simulation, and says how much of the time importance is v or
 * more, P(v), as far up as it gets; with thresholds chosen from P, the next run gets further up,
 * until packets are lost. Copies are to be as many at a threshold T as 1 / sqrt(P(T) P(T')), T'
 * being the next value up: then as much work is done at every height, and the variance is least
 * (Villen-Altamirano 1994). A threshold is put wherever this formula calls for at least twice as
 * many copies as there are below: the more thresholds the better.
 */
#include "sim/rare/pilot.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

enum {
    ENOUGH_STEPS = 100,   /* steps at a height or above it, and ... */
    ENOUGH_FAMILIES = 10, /* ... families that reached an importance, before P of that importance is
                             used */
    KNOWN_FAMILIES = 50,  /* families from which the rate of losses can be measured */
    ENOUGH_LOSSES = 20, /* families that lose packets, before a run counts as having got through */
    MOST_RUNS = 300,
    MOST_DOUBLINGS = 7, /* of the length of runs, when a run gets no further than the one before */
    EXPLOSION = 16,     /* times the intended steps: the run has far too many copies */
    LAST_RUN = 4,       /* times the steps of a run, for the run that judges the levels */
    REFINEMENTS = 2     /* runs after the first that gets through */
};

/* The estimate of all runs for a height v. No single run covers all heights: crude simulation sees
 * nothing high up, and a run with many copies has so short a main path that its P(v) low down is
 * noise, which would make the levels worse from run to run. So P(v) is a product of ratios P(v + 1)
 * / P(v), and each run's ratio is weighted by the number of its families that reached v. */
typedef struct {
    double steps, families; /* steps and families that reached the importance */
    double shares;          /* sum over runs of the ratio times families */
    double tail;            /* P(v) */
    double run;             /* weighted visits at or above it, in the last run */
} height;

typedef struct {
    height *at;       /* [most + 2] */
    uint32_t highest; /* highest with a known P */
    double lost;      /* per cycle */
} heights;

static void add_run(const swq_split *s, height *at)
{
    double steps = 0, families = 0;

    at[s->most + 1].run = 0;
    for (uint32_t v = s->most + 1; v-- > 0;) {
        steps += (double)s->visits[v];
        families += (double)s->peaks[v];
        at[v].run = at[v + 1].run + (double)s->visits[v] * s->weight[s->level_of[v]];
        if (at[v].run == 0)
            continue;
        at[v].steps += steps;
        at[v].families += families;
        at[v].shares += families * at[v + 1].run / at[v].run;
    }
}

static void look(const swq_split *s, heights *h)
{
    height *at = h->at;

    add_run(s, at);
    uint32_t known = 0; /* known better than the highest */
    h->highest = 0;
    at[0].tail = 1;
    for (uint32_t v = 0; v <= s->most; v++) {
        if (at[v].steps >= ENOUGH_STEPS && at[v].families >= ENOUGH_FAMILIES)
            h->highest = v;
        if (at[v].families >= KNOWN_FAMILIES && at[v].run > 0)
            known = v;
        at[v + 1].tail = at[v].families > 0 ? at[v].tail * at[v].shares / at[v].families : 0;
    }
    double lost = 0;
    for (int k = 0; k < s->net->system.levels; k++)
        lost += swq_split_lost(s, k);
    h->lost = at[known].run > 0 ? at[known].tail * lost / at[known].run : 0;
}

/* Heights between which no state lies have equal P up to rounding. */
static const double SAME = 1 - 1e-9;

/* P of the next event above height v: of the next height with a different P, or of a loss if losses
 * are more frequent. */
static double beyond(const heights *h, uint32_t v)
{
    const double here = h->at[v].tail;
    double next = here;

    for (uint32_t up = v + 1; up <= h->highest && next >= here * SAME; up++)
        next = h->at[up].tail;
    if (next >= here * SAME && h->lost > 0)
        next = h->lost;
    return fmin(here, fmax(next, h->lost));
}

static void choose(const heights *h, swq_pilot *p)
{
    double copies = 1;

    p->levels = 0;
    for (uint32_t v = 1; v <= h->highest && p->levels < SWQ_RARE_LEVELS; v++) {
        /* losses are more frequent: from here on, importance does not predict them */
        if (h->at[v].tail < h->lost)
            break;
        const double factor = floor(1 / sqrt(h->at[v].tail * beyond(h, v)) / copies + 0.5);
        if (factor < 2)
            continue;
        p->level[p->levels++] = (swq_rare_level){v, factor < 1000000 ? (int)factor : 1000000};
        copies *= p->level[p->levels - 1].factor;
    }
}

/* A run of about `steps` steps, and never more than `bound`. Returns false if it was stopped, or
 * has far exceeded `steps`. */
static bool run_once(swq_context *ctx, swq_split *s, uint64_t steps, uint64_t bound)
{
    const uint64_t chunk = 1 + steps / 64 / (uint64_t)(s->levels + 1);
    const uint64_t most = EXPLOSION * steps < bound ? EXPLOSION * steps : bound;

    for (uint64_t done = 0; done < steps; done = swq_split_steps(s)) {
        if (done >= most || !swq_split_run(s, ctx, swq_split_cycles(s) + chunk, most - done))
            return false;
    }
    return true;
}

/* The knowledge so far, for a result that rests on the pilot run alone. */
static void tell(const swq_split *s, const heights *h, swq_pilot *p)
{
    p->lost = h->lost;
    p->highest = h->highest;
    p->highest_at = h->at[h->highest].tail;
    for (int i = 0; i < p->levels; i++)
        p->level_at[i] = h->at[p->level[i].threshold].tail;
    p->importance_most = s->most;
    p->engine = s->net->system.engine;
}

static swq_status cut_short(swq_context *ctx)
{
    return swq_fail(ctx, SWQ_ECANCELLED, "cancelled in the pilot run");
}

static bool got_through(const swq_split *s)
{
    return swq_split_all_families(s).contributing >= ENOUGH_LOSSES;
}

static swq_status no_way(swq_context *ctx, const swq_split *s, const swq_pilot *p, uint32_t highest)
{
    return swq_fail(
        ctx, SWQ_ECONVERGE,
        "in %llu cycles of pilot runs no packet was lost, or too few: the importance reached %u of "
        "%u; another importance, or more pilot steps, may help, if packets can be lost at all",
        (unsigned long long)p->steps, highest, s->most);
}

/* Finds levels by runs that get further and further. */
static swq_status climb(swq_context *ctx, swq_split *s, const swq_pilot_length *length, heights *h,
                        swq_pilot *p)
{
    uint32_t before = 0;
    int doublings = 0, through = 0;

    for (int run = 0; run < MOST_RUNS && p->steps < length->most; run++) {
        swq_status status = swq_split_set(ctx, s, p->level, p->levels);
        if (status)
            return status;
        bool ended = run_once(ctx, s, length->steps << doublings, length->bound - p->steps);
        p->steps += swq_split_steps(s);
        if (s->interrupted || p->steps >= length->bound) {
            if (run == 0) /* half a crude run is better than nothing */
                look(s, h);
            return cut_short(ctx);
        }
        if (!ended) { /* the counts lack the largest families */
            p->levels -= (p->levels + 2) / 3;
            doublings += doublings < MOST_DOUBLINGS;
            continue;
        }
        look(s, h);
        choose(h, p);
        if (got_through(s) && ++through > REFINEMENTS)
            return SWQ_OK;
        if (!through && h->highest <= before && ++doublings > MOST_DOUBLINGS)
            return no_way(ctx, s, p, h->highest);
        before = h->highest > before ? h->highest : before;
    }
    return no_way(ctx, s, p, before);
}

/* One more pilot run with the final levels, to judge these levels. */
static swq_status judge_levels(swq_context *ctx, swq_split *s, const swq_pilot_length *length,
                               swq_pilot *p)
{
    swq_status status = swq_split_set(ctx, s, p->level, p->levels);
    if (status)
        return status;
    run_once(ctx, s, LAST_RUN * length->steps, length->bound - p->steps);
    const double done = (double)swq_split_steps(s);
    const swq_split_families f = swq_split_all_families(s);
    p->steps += (uint64_t)done;
    p->steps_per_cycle = done / (double)swq_split_cycles(s);
    p->families_per_step = f.sum_of_squares > 0 ? f.sum * f.sum / f.sum_of_squares / done : 0;
    return s->interrupted ? cut_short(ctx) : SWQ_OK;
}

swq_status swq_pilot_run(swq_context *ctx, swq_split *s, const swq_pilot_length *length,
                         swq_pilot *p)
{
    heights h = {.at = swq_calloc(ctx, (size_t)s->most + 2, sizeof *h.at)};

    if (!h.at)
        return swq_memory_status(ctx);
    p->levels = 0;
    p->steps = 0;
    swq_status status = climb(ctx, s, length, &h, p);
    tell(s, &h, p);
    if (!status)
        status = judge_levels(ctx, s, length, p);
    swq_free(ctx, h.at);
    return status;
}
