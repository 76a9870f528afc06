/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rare discards: a pilot run for each candidate importance function, then replications with the
 * levels of the best, in rounds, until they are long enough.
 */
#include "sim/rare/check.h"
#include "sim/rare/pilot.h"

#include "base/clock.h"
#include "base/context.h"
#include "base/statistics.h"
#include "sim/measure/pile.h"
#include "sim/measure/replication.h"
#include "sim/measure/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PILOT = 1 << 30, /* replication number of a pilot run, which no other run has */
    LONGEST_WARM_UP = 1 << 20,
    LEAST_CYCLES = 256, /* of a main path, unless fewer are asked for */
    ROUNDS = 64,
    FIRST_SLICE = 64 /* cycles that each replication runs before any goes further */
};

typedef struct {
    const swq_network *network;
    const swq_rare_options *options;
    swq_sim_options making; /* of the networks */
    swq_importance const *importance;
    swq_pilot pilot;
    /* the importance function of a pilot run that did not get through, and the estimates that the
     * run made */
    const swq_importance *partly;
    swq_pilot part;
    void *table;      /* of the importance */
    swq_split *split; /* [replications] */
    swq_status *status;
    bool *warm;
    uint64_t warmup, cycles; /* of a replication; cycles: the target of this round */
    double *above, *below;   /* [replications] */
    double offered;
    int made;
    swq_rare_result result;
} rare_work;

/* ---- before the replications ---- */

static swq_status make_split(swq_context *ctx, rare_work *w, uint32_t number,
                             const swq_importance *row, const void *table, bool watch,
                             swq_split *split)
{
    swq_net *net;
    swq_status status = swq_net_new(ctx, w->network, &w->making, number, &net);

    return status ? status : swq_split_new(ctx, net, row->rule, table, watch, split);
}

/* Refuses an importance function that was asked for and does not fit the network, and names the
   functions that fit.
 */
static swq_status refuse_importance(swq_context *ctx, const swq_importance *row, const swq_net *net)
{
    char others[200] = "";

    for (int k = 0; swq_importances[k]; k++) {
        const size_t used = strlen(others);
        if (swq_importances[k]->rule->fits(net))
            snprintf(others + used, sizeof others - used, "%s%s", used ? ", " : "",
                     swq_importances[k]->name);
    }
    return swq_fail(ctx, SWQ_EINVAL, "importance %s is not for such buffers; use %s", row->name,
                    others);
}

/* Makes the table of an importance function that fits the network. Refuses a function that was
 * asked for and does not fit. */
static swq_status make_table(swq_context *ctx, rare_work *w, const swq_importance *row, bool *fits,
                             void **table)
{
    swq_net *net;
    swq_status status = swq_net_new(ctx, w->network, &w->making, PILOT, &net);

    if (status)
        return status;
    *fits = row->rule->fits(net);
    if (*fits)
        status = swq_importance_table(ctx, row->rule, net, table);
    else if (w->options->importance == row)
        status = refuse_importance(ctx, row, net);
    swq_net_free(ctx, net);
    return status;
}

/* Finds the length of the warm-up by crude simulation. */
static swq_status find_warm_up(swq_context *ctx, rare_work *w)
{
    swq_sim_options making = w->making;
    swq_replication r;
    swq_net *net;

    w->warmup = w->options->warmup;
    if (w->warmup != SWQ_WARMUP_AUTO)
        return SWQ_OK;
    making.cycles = LONGEST_WARM_UP; /* the warm-up is no longer than the run */
    swq_status status = swq_net_new(ctx, w->network, &making, PILOT, &net);
    if (!status)
        status = swq_replication_new(ctx, &net->system, &r);
    if (status)
        return status;
    swq_replication_warm_up(&r, ctx);
    w->warmup = r.warmup;
    if (r.interrupted)
        status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled in the warm-up");
    swq_replication_free(ctx, &r);
    return status;
}

/* Cycles left for pilot runs, which together may take as many as all main paths. */
static uint64_t pilot_cycles_left(const rare_work *w)
{
    const uint64_t all = w->options->cycles * (uint64_t)w->options->replications;

    return w->result.pilot_steps < all ? all - w->result.pilot_steps : 0;
}

static swq_status pilot_of(swq_context *ctx, rare_work *w, const swq_importance *row,
                           uint32_t number, const void *table, swq_pilot *pilot)
{
    const swq_pilot_length length = {.steps = w->options->pilot_steps,
                                     .most = w->importance ? w->pilot.steps : UINT64_MAX,
                                     .bound = pilot_cycles_left(w)};
    swq_split split;
    swq_status status = make_split(ctx, w, PILOT + 1 + number, row, table, true, &split);

    if (status)
        return status;
    swq_split_warm_up(&split, ctx, w->warmup);
    status = swq_pilot_run(ctx, &split, &length, pilot);
    w->result.pilot_steps += pilot->steps;
    swq_split_free(ctx, &split);
    return status;
}

static swq_status try_importance(swq_context *ctx, rare_work *w, const swq_importance *row,
                                 uint32_t number, bool *fits)
{
    swq_pilot pilot = {0};
    void *table = NULL;
    swq_status status = make_table(ctx, w, row, fits, &table);

    if (*fits && !status)
        status = pilot_of(ctx, w, row, number, table, &pilot);
    swq_free(ctx, table);
    if (*fits && (status == SWQ_ECANCELLED || status == SWQ_ECONVERGE) && pilot.steps > 0 &&
        (!w->partly || pilot.lost > w->part.lost)) {
        w->partly = row;
        w->part = pilot;
    }
    if (*fits && !status &&
        (!w->importance || pilot.families_per_step > w->pilot.families_per_step)) {
        w->importance = row;
        w->pilot = pilot;
    }
    return status;
}

static swq_status find_levels(swq_context *ctx, rare_work *w)
{
    const swq_rare_options *o = w->options;
    swq_status status = SWQ_OK, failed = SWQ_OK;
    bool fits = false;

    if (o->level) {
        w->importance = o->importance;
        w->pilot.levels = o->levels;
        for (int i = 0; i < o->levels; i++)
            w->pilot.level[i] = o->level[i];
        return SWQ_OK;
    }
    /* Later rows of the table usually predict losses better, so they are the first to say how much
     * work is needed. */
    uint32_t rows = 0;
    while (swq_importances[rows])
        rows++;
    for (uint32_t k = rows; k-- > 0 && (!status || status == SWQ_ECONVERGE);) {
        if (o->importance && o->importance != swq_importances[k])
            continue;
        status = try_importance(ctx, w, swq_importances[k], k, &fits);
        failed = status ? status : failed;
    }
    const bool bounded = status == SWQ_ECANCELLED && !swq_context_cancelled(ctx);
    if (status && status != SWQ_ECONVERGE && !(bounded && w->importance))
        return status;
    return w->importance ? SWQ_OK : failed;
}

static void tell_outlook(rare_work *w)
{
    const swq_rare_options *o = w->options;

    w->result.pilot_gain = NAN;
    if (o->level)
        return;
    w->result.pilot_gain = w->pilot.families_per_step / w->pilot.lost;
    const swq_rare_outlook outlook = {w->importance, w->pilot.lost / w->offered,
                                      w->result.pilot_gain, w->pilot.levels};
    if (o->piloted)
        o->piloted(o->arg, &outlook);
}

/* The result of the pilot run, when nothing follows it. */
static void report_pilot(swq_context *ctx, rare_work *w)
{
    swq_rare_result *r = &w->result;
    const swq_pilot *p = w->importance ? &w->pilot : &w->part;

    r->pilot_only = true;
    r->stopped_by = swq_context_interrupted(ctx) ? SWQ_STOP_INTERRUPTED
                    : swq_context_cancelled(ctx) ? SWQ_STOP_TIME
                                                 : SWQ_STOP_CYCLES;
    r->precision_missed = w->options->precision > 0;
    r->importance = w->importance ? w->importance : w->partly;
    r->importance_most = p->importance_most;
    r->offered = w->offered;
    r->discard_fraction = (swq_estimate){p->lost / w->offered, INFINITY};
    for (int stage = 0; stage < w->network->shape.stages; stage++)
        r->stage[stage] = (swq_estimate){NAN, INFINITY};
    r->levels = p->levels;
    r->copies = 1;
    for (int i = 0; i < p->levels; i++) {
        r->level[i] = (swq_rare_level_result){p->level[i], {p->level_at[i], INFINITY}};
        r->copies *= p->level[i].factor;
    }
    r->reached = p->highest;
    r->reached_probability = p->highest_at;
    r->relative = r->crude_cycles = r->gain = r->pilot_gain = NAN;
    r->seed = w->options->seed;
    r->warmup = w->warmup;
    r->engine = p->engine;
}

/* ---- replications ---- */

static swq_status run_replication(swq_context *ctx, void *arg, int k)
{
    rare_work *w = arg;
    swq_split *s = &w->split[k];

    if (!w->warm[k])
        swq_split_warm_up(s, ctx, w->warmup);
    w->warm[k] = !s->interrupted;
    if (w->warm[k])
        swq_split_run(s, ctx, w->cycles, UINT64_MAX);
    return SWQ_OK;
}

static swq_status *status_of(void *arg, int k)
{
    return &((rare_work *)arg)->status[k];
}

/* Estimates w->above per cycle over the replications that have begun: all of them, unless the run
 * was cut short. */
static swq_estimate estimate(rare_work *w, double per_cycle)
{
    swq_estimate e;
    size_t begun = 0;

    for (int k = 0; k < w->made; k++) {
        const uint64_t cycles = swq_split_cycles(&w->split[k]);
        w->above[begun] = w->above[k];
        w->below[begun] = (double)cycles * per_cycle;
        begun += cycles > 0;
    }
    w->result.replications = (int)begun;
    swq_ratio_interval(w->above, w->below, begun, w->options->confidence, &e.mean, &e.half_width);
    return e;
}

static void judge_stages(rare_work *w)
{
    swq_rare_result *r = &w->result;

    for (int stage = 0; stage < w->network->shape.stages; stage++) {
        for (int k = 0; k < w->made; k++)
            w->above[k] = swq_split_lost(&w->split[k], stage);
        r->stage[stage] = estimate(w, w->offered);
    }
    for (int k = 0; k < w->made; k++) {
        w->above[k] = 0;
        for (int stage = 0; stage < w->network->shape.stages; stage++)
            w->above[k] += swq_split_lost(&w->split[k], stage);
    }
    r->discard_fraction = estimate(w, w->offered);
    for (int i = 0; i < r->levels; i++) {
        for (int k = 0; k < w->made; k++)
            w->above[k] = swq_split_time(&w->split[k], i + 1);
        r->level[i].probability = estimate(w, 1);
    }
}

static void judge_families(rare_work *w)
{
    swq_rare_result *r = &w->result;
    double sum = 0, squares = 0;

    r->crossings = r->contributing = r->cycles = r->discards = 0;
    r->steps = 0;
    for (int k = 0; k < w->made; k++) {
        const swq_split *s = &w->split[k];
        const swq_split_families f = swq_split_all_families(s);
        r->crossings += f.crossings;
        r->contributing += f.contributing;
        sum += f.sum;
        squares += f.sum_of_squares;
        r->cycles += swq_split_cycles(s);
        r->steps += swq_split_steps(s);
        for (int i = 0; i <= s->levels; i++) {
            for (int stage = 0; stage < w->network->shape.stages; stage++)
                r->discards += s->total[i].discards[stage] + s->family[i].discards[stage];
        }
    }
    r->families = squares > 0 ? sum * sum / squares : 0;
    r->enough = r->families >= SWQ_RARE_FAMILIES && isfinite(r->discard_fraction.half_width);
}

/* For something never seen, 0 +- 0 would claim too much. */
static void withhold(swq_estimate *e, bool enough)
{
    if (!enough || e->mean == 0)
        e->half_width = INFINITY;
}

static void withhold_intervals(swq_rare_result *r, int stages)
{
    withhold(&r->discard_fraction, r->enough);
    for (int stage = 0; stage < stages; stage++)
        withhold(&r->stage[stage], r->enough);
    for (int i = 0; i < r->levels; i++)
        withhold(&r->level[i].probability, r->enough);
}

static void judge(rare_work *w)
{
    swq_rare_result *r = &w->result;

    judge_stages(w);
    judge_families(w);
    const double rate = r->discard_fraction.mean * w->offered;
    r->relative = r->discard_fraction.half_width / r->discard_fraction.mean;
    const double z = swq_student_t(w->options->confidence, 1e6) / r->relative;
    r->crude_cycles = z * z / rate;
    r->gain = r->crude_cycles / ((double)r->steps + (double)r->pilot_steps +
                                 (double)r->warmup * w->options->replications);
}

static uint64_t most_cycles(const rare_work *w, double cycles)
{
    const double most = (double)w->options->cycles;

    return cycles < most ? (uint64_t)ceil(cycles) : w->options->cycles;
}

/* Length of the main paths: a little less than what the pilot run suggests. */
static uint64_t first_cycles(const rare_work *w)
{
    const swq_rare_options *o = w->options;
    const double t = swq_student_t(o->confidence, o->replications - 1);

    if (o->precision == 0)
        return o->cycles;
    double families = t / o->precision * (t / o->precision);
    families = families > SWQ_RARE_FAMILIES ? families : SWQ_RARE_FAMILIES;
    double per_cycle = w->pilot.families_per_step * w->pilot.steps_per_cycle;
    double cycles = per_cycle > 0 ? 0.8 * families / per_cycle / o->replications : LEAST_CYCLES;
    return most_cycles(w, cycles > LEAST_CYCLES ? cycles : LEAST_CYCLES);
}

static uint64_t more_cycles(const rare_work *w)
{
    const swq_rare_result *r = &w->result;
    const double miss = r->relative / w->options->precision;
    double factor = isfinite(miss) ? 1.1 * miss * miss : 3;
    double lack = r->families > 0 ? 1.1 * SWQ_RARE_FAMILIES / r->families : 3;

    factor = lack > factor ? lack : factor;
    factor = factor < 1.25 ? 1.25 : factor > 3 ? 3 : factor;
    return most_cycles(w, factor * (double)w->cycles);
}

static bool good_enough(const rare_work *w)
{
    const swq_rare_options *o = w->options;

    return o->precision > 0 && w->result.enough && w->result.relative <= o->precision;
}

/* Runs all main paths up to `cycles`, in slices of a fourth of the cycles done before. So wherever
 * the run is cut short, except in its first moments, all replications have begun, and none is far
 * ahead of another. No number depends on where slices end. */
static swq_status go_on(swq_context *ctx, rare_work *w, uint64_t cycles)
{
    const swq_pile pile = {.arg = w, .tasks = w->made, .run = run_replication, .status = status_of};
    swq_status status = SWQ_OK;

    while (w->cycles < cycles && !status && !swq_context_cancelled(ctx)) {
        const uint64_t slice = w->cycles / 4 > FIRST_SLICE ? w->cycles / 4 : FIRST_SLICE;
        w->cycles += slice < cycles - w->cycles ? slice : cycles - w->cycles;
        status = swq_pile_run(ctx, &pile, w->options->threads);
    }
    return status;
}

static swq_status replicate(swq_context *ctx, rare_work *w)
{
    uint64_t cycles = first_cycles(w);

    w->result.stopped_by = SWQ_STOP_CYCLES;
    for (int round = 0; round < ROUNDS; round++) {
        swq_status status = go_on(ctx, w, cycles);
        const bool cancelled = swq_context_cancelled(ctx);
        if (status && !cancelled)
            return status;
        judge(w);
        if (cancelled) {
            w->result.stopped_by =
                swq_context_interrupted(ctx) ? SWQ_STOP_INTERRUPTED : SWQ_STOP_TIME;
            return w->result.cycles > 0
                       ? SWQ_OK
                       : swq_fail(ctx, SWQ_ECANCELLED, "cancelled before anything was measured");
        }
        if (good_enough(w)) {
            w->result.stopped_by = SWQ_STOP_PRECISION;
            break;
        }
        if (w->cycles >= w->options->cycles)
            break;
        cycles = more_cycles(w);
    }
    return SWQ_OK;
}

/* Checks the memory of all replications against the limit. */
static swq_status check_memory(swq_context *ctx, rare_work *w)
{
    const double limit = (double)swq_context_memory_limit(ctx);
    char needed[40], allowed[40];
    swq_net *net;
    swq_status status = swq_net_new(ctx, w->network, &w->making, PILOT, &net);
    if (status)
        return status;
    const uint32_t most = w->importance->rule->most(net);
    const uint32_t top = w->pilot.levels ? w->pilot.level[w->pilot.levels - 1].threshold : 0;
    const bool fits = w->importance->rule->fits(net);
    double bytes = 0, table = 0;
    if (fits) {
        bytes = swq_net_bytes(w->network, &w->making, w->result.nodes) +
                swq_split_bytes(net, w->importance->rule, w->pilot.levels);
        table =
            w->importance->rule->table_bytes ? (double)w->importance->rule->table_bytes(net) : 0;
    }
    if (!fits)
        status = refuse_importance(ctx, w->importance, net);
    swq_net_free(ctx, net);
    if (status)
        return status;
    if (top > most)
        return swq_fail(ctx, SWQ_EINVAL,
                        "thresholds of importance %s must be 1 to %u here; %u is never reached",
                        w->importance->name, most, top);

    bytes = table + bytes * w->options->replications;
    w->result.bytes = (size_t)bytes;
    if (limit == 0 || bytes <= limit)
        return SWQ_OK;
    return swq_fail(
        ctx, SWQ_ELIMIT, "%d replications with %d levels would take %s; the memory limit is %s",
        w->options->replications, w->pilot.levels, swq_bytes_text(bytes, needed, sizeof needed),
        swq_bytes_text(limit, allowed, sizeof allowed));
}

static swq_status take_memory(swq_context *ctx, rare_work *w)
{
    const size_t n = (size_t)w->options->replications;
    swq_status status = SWQ_OK;

    w->split = swq_calloc(ctx, n, sizeof *w->split);
    w->status = swq_calloc(ctx, n, sizeof *w->status);
    w->warm = swq_calloc(ctx, n, sizeof *w->warm);
    w->above = swq_calloc(ctx, n, sizeof *w->above);
    w->below = swq_calloc(ctx, n, sizeof *w->below);
    if (!w->split || !w->status || !w->warm || !w->above || !w->below)
        return swq_memory_status(ctx);
    bool fits = false;
    status = make_table(ctx, w, w->importance, &fits, &w->table);
    while (!status && w->made < w->options->replications) {
        swq_split *s = &w->split[w->made];
        status = make_split(ctx, w, (uint32_t)w->made, w->importance, w->table, false, s);
        w->made += !status;
        if (!status)
            status = swq_split_set(ctx, s, w->pilot.level, w->pilot.levels);
    }
    return status;
}

static void give_back(swq_context *ctx, rare_work *w)
{
    for (int k = 0; k < w->made; k++)
        swq_split_free(ctx, &w->split[k]);
    swq_free(ctx, w->split);
    swq_free(ctx, w->table);
    swq_free(ctx, w->status);
    swq_free(ctx, w->warm);
    swq_free(ctx, w->above);
    swq_free(ctx, w->below);
}

static void report(rare_work *w)
{
    swq_rare_result *r = &w->result;

    r->offered = w->offered;
    r->importance = w->importance;
    r->importance_most = w->split[0].most;
    r->levels = w->pilot.levels;
    r->copies = 1;
    for (int i = 0; i < r->levels; i++) {
        r->level[i].level = w->pilot.level[i];
        r->copies *= w->pilot.level[i].factor;
    }
    r->seed = w->options->seed;
    r->warmup = w->warmup;
    r->engine = w->split[0].net->system.engine;
}

/* Everything after the pilot runs. */
static swq_status replicate_all(swq_context *ctx, rare_work *w)
{
    swq_status status = check_memory(ctx, w);

    if (!status)
        status = take_memory(ctx, w);
    if (status)
        return status;
    report(w);
    status = replicate(ctx, w);
    w->result.precision_missed =
        w->options->precision > 0 && w->result.stopped_by != SWQ_STOP_PRECISION;
    withhold_intervals(&w->result, w->network->shape.stages);
    return status;
}

swq_status swq_rare_run(swq_context *ctx, const swq_network *network,
                        const swq_rare_options *options, swq_rare_result *result)
{
    const double cpu = swq_seconds(CLOCK_PROCESS_CPUTIME_ID), wall = swq_seconds(CLOCK_MONOTONIC);
    rare_work w = {.network = network, .options = options, .making = swq_rare_making(options)};
    swq_status status = swq_rare_check(ctx, network, options, &w.result.nodes);

    if (status)
        return status;
    w.offered = swq_rare_offered(&network->traffic, w.result.nodes);
    status = find_warm_up(ctx, &w);
    if (!status) {
        status = find_levels(ctx, &w);
        if (!status) {
            tell_outlook(&w);
            status = replicate_all(ctx, &w);
        }
        if (status == SWQ_ECANCELLED && !options->level && (w.importance || w.partly)) {
            report_pilot(ctx, &w);
            status = SWQ_OK;
        }
    }
    if (!status)
        status = swq_rare_check_result(ctx, &w.result, network->shape.stages);
    if (!status) {
        w.result.cpu_seconds = swq_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        w.result.wall_seconds = swq_seconds(CLOCK_MONOTONIC) - wall;
        *result = w.result;
    }
    give_back(ctx, &w);
    return status;
}
