/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The same network by the fast engine and by the plain one, and on one thread and several: all
 * numbers are the same, because each draw is a function of the seed and of whose it is.
 */
#include "base/context.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"
#include "validate/checks/networks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ENGINE, THREADS, LEGS };

static const char *const leg_names[LEGS] = {"plain-fast", "threads"};

static int specs(swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL ? 2000 : 120;
}

static int count(swq_effort effort)
{
    return LEGS * specs(effort);
}

/* Draws a spec independently of the run's seed, so that names can say what is run. */
static swq_status draw(swq_context *ctx, int k, swq_drawn_network *drawn)
{
    swq_draws draws = swq_draws_of(1, "engines", k);

    return swq_draw_fast_network(ctx, &draws, drawn);
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    static const char *const claims[LEGS] = {
        "the fast engine's numbers equal the plain one's, to the bit",
        "the numbers of three threads equal those of one, to the bit"};

    (void)effort;
    snprintf(check->name, sizeof check->name, "engines/%s,spec=%d", leg_names[k % LEGS], k / LEGS);
    snprintf(check->claim, sizeof check->claim, "network %d drawn at random: %s", k / LEGS,
             claims[k % LEGS]);
    check->level = SWQ_LEVEL_EXACT;
    check->weight = 0.02;
}

/* Keeps a number in which the two differ; equal infinities are equal. */
static void compare(swq_finding *f, const char *what, double left, double right)
{
    if (left == right || (isnan(left) && isnan(right)))
        left = right = isfinite(left) ? left : 0;
    swq_compare(f, what, left, right);
}

static void compare_estimates(swq_finding *f, const char *what, swq_estimate a, swq_estimate b)
{
    compare(f, what, a.mean, b.mean);
    compare(f, what, a.half_width, b.half_width);
}

static void compare_flows(swq_finding *f, const swq_flow_result *a, const swq_flow_result *b)
{
    compare_estimates(f, "throughput", a->throughput, b->throughput);
    compare_estimates(f, "latency", a->latency, b->latency);
    compare_estimates(f, "discards", a->discard_fraction, b->discard_fraction);
    compare(f, "created", (double)a->created, (double)b->created);
    compare(f, "delivered", (double)a->delivered, (double)b->delivered);
    compare(f, "discarded", (double)a->discarded, (double)b->discarded);
    compare(f, "variance of latency", a->variance, b->variance);
    compare(f, "longest latency", a->max, b->max);
    for (int p = 0; p < SWQ_PERCENTILES; p++) {
        compare(f, "percentile", a->percentile[p], b->percentile[p]);
        compare_estimates(f, "percentile of nodes", a->node_percentile[p], b->node_percentile[p]);
    }
}

static void compare_runs(swq_finding *f, const swq_sim_result *a, const swq_sim_result *b)
{
    compare_flows(f, &a->all, &b->all);
    for (int s = 0; s < a->stages; s++) {
        compare_estimates(f, "occupancy", a->stage[s].occupancy, b->stage[s].occupancy);
        compare_estimates(f, "sent", a->stage[s].sent, b->stage[s].sent);
        compare_estimates(f, "blocked", a->stage[s].blocked, b->stage[s].blocked);
        compare_estimates(f, "discarded", a->stage[s].discarded, b->stage[s].discarded);
    }
    compare_estimates(f, "packets at sources", a->source_queue, b->source_queue);
    compare_estimates(f, "refusals", a->refusal, b->refusal);
    compare(f, "packet-hops", (double)a->packet_hops, (double)b->packet_hops);
    compare(f, "created in all", (double)a->total_created, (double)b->total_created);
    compare(f, "in flight", (double)a->total_in_flight, (double)b->total_in_flight);
    swq_judge(f, 0);
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    swq_sim_result fast, plain, threads;
    char words[128];
    swq_drawn_network *s = swq_calloc(ctx, 1, sizeof *s);
    swq_status status = s ? draw(ctx, k / LEGS, s) : swq_memory_status(ctx);

    (void)effort;
    if (!status) {
        s->options.seed += seed;
        status = swq_sim_run(ctx, &s->network, &s->options, &fast);
    }
    if (!status) {
        s->options.plain = true;
        status = swq_sim_run(ctx, &s->network, &s->options, &plain);
    }
    if (!status) {
        s->options.plain = false;
        s->options.threads = 3;
        status = swq_sim_run(ctx, &s->network, &s->options, &threads);
    }
    if (!status) {
        compare_runs(&f[ENGINE], &fast, &plain);
        compare_runs(&f[THREADS], &fast, &threads);
        swq_drawn_words(s, words, sizeof words);
        for (int l = 0; l < LEGS; l++) {
            char what[sizeof f->text];
            snprintf(what, sizeof what, "%.40s; %s", f[l].text, words);
            memcpy(f[l].text, what, sizeof what);
        }
        if (strcmp(fast.engine, plain.engine) == 0) {
            f[ENGINE].outcome = SWQ_OUTCOME_SKIPPED;
            snprintf(f[ENGINE].text, sizeof f->text, "has no fast form: %s", words);
        }
    }
    swq_free(ctx, s);
    return status;
}

const swq_family swq_family_engines = {
    .name = "engines",
    .title = "Fast engine against plain engine, threads against one thread",
    .legs = "fast engine, one thread; the rules of models/ themselves; three threads",
    .criterion = "all counts, means, half-widths and percentiles are equal",
    .count = count,
    .describe = describe,
    .parts = LEGS,
    .run = run,
};
