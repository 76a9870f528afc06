/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Do the brackets of a saturation load contain it as often as they claim? Many independent short
 * searches, of networks whose saturation is known exactly, or from one search with runs 40 times as
 * long.
 */
#include "base/context.h"
#include "validate/checks/families.h"
#include "validate/checks/scores.h"
#include "validate/figures/figures.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

enum { MEAN, WORST, ENDS };

static const char *const ends[ENDS] = {"mean", "worst-sender"};

/* Bounds of a saturation load, which lies between `least` and `most`. */
typedef struct {
    double least, most;
} load_range;

typedef struct {
    swq_network network;
    swq_figure_setting async;
    load_range load[ENDS];
} searched;

typedef struct {
    const char *name, *claim;
    swq_status (*make)(swq_context *ctx, searched *s);
    bool async;
    uint64_t cycles; /* of the shortest run */
} bracket_case;

/* ---- networks with a known load ---- */

/* A switch of senders that block: its chain at full load. */
static swq_status make_switch(swq_context *ctx, const char *buffer, int ports, searched *s)
{
    const swq_case c = {.buffer = buffer,
                        .arbiter = "random",
                        .ports = ports,
                        .slots = 2,
                        .load = 0.5,
                        .mode = SWQ_BLOCK_SAME,
                        .iterations = 1};
    swq_exact_options exact = swq_exact_options_defaults();
    double node_load[SWQ_CHAIN_PORTS];
    swq_answers a = {0};
    swq_switch sw;
    swq_status status = swq_case_switch(ctx, &c, &sw);

    if (!status)
        status = swq_exact_solve(ctx, &sw, &exact, &a);
    if (!status)
        status = swq_case_network(ctx, &c, &sw, node_load, &s->network);
    s->load[MEAN] = s->load[WORST] = (load_range){a.saturation.value, a.saturation.value};
    swq_answers_clear(ctx, &a);
    return status;
}

static swq_status make_fifo(swq_context *ctx, searched *s)
{
    return make_switch(ctx, "fifo", 3, s);
}

static swq_status make_damq(swq_context *ctx, searched *s)
{
    return make_switch(ctx, "damq", 2, s);
}

/* A link to a node that half of all packets go to, and each of n sources' share of the rest. */
static swq_status make_hot(swq_context *ctx, searched *s)
{
    const swq_case c = {.buffer = "damq",
                        .arbiter = "longest",
                        .ports = 2,
                        .slots = 64,
                        .load = 0.3,
                        .mode = SWQ_BLOCK_SAME,
                        .iterations = 1};
    double node_load[SWQ_CHAIN_PORTS];
    swq_switch sw;
    swq_status status = swq_case_switch(ctx, &c, &sw);

    if (!status)
        status = swq_case_network(ctx, &c, &sw, node_load, &s->network);
    if (!status)
        status = swq_fabric_find(ctx, "omega", &s->network.shape);
    s->network.shape.stages = 2;
    s->network.traffic.hot[s->network.traffic.hot_spots++] = (swq_hot_spot){0, 0.5};
    s->load[MEAN] = s->load[WORST] = (load_range){1 / (0.5 * 4 + 0.5), 1 / (0.5 * 4 + 0.5)};
    return status;
}

/* ---- networks with a long search ---- */

static swq_status make_torus(swq_context *ctx, searched *s)
{
    return figure_network(ctx, &s->async,
                          "--topology torus --dims 4x4 --buffer damq --bytes 256 --flow block "
                          "--sources open --load 0.5");
}

static swq_status make_stages(swq_context *ctx, searched *s)
{
    return figure_network(ctx, &s->async,
                          "--engine async --ports 2 --stages 3 --buffer fifo --bytes 256 --sources "
                          "open --load 0.5");
}

static const bracket_case cases[] = {
    {"fifo-2,ports=3", "3x3 fifo-2, blocking: the chain's", make_fifo, false, 2000},
    {"damq-2,ports=2", "2x2 damq-2, blocking: the chain's", make_damq, false, 2000},
    {"hot-spot", "4x4 omega of damq-64, half of all packets to one node: 0.4", make_hot, false,
     2000},
    {"torus-4x4,async", "4x4 torus of DAMQs: that of 40 times as long runs", make_torus, true,
     5000},
    {"fifo-3-stages,async", "8x8 omega of FIFOs: that of 40 times as long runs", make_stages, true,
     5000},
};
enum { CASES = sizeof cases / sizeof *cases, QUICK = 3 };

/* ---- the family ---- */

static int runs_of(swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL ? 200 : 30;
}

static int count(swq_effort effort)
{
    return (effort == SWQ_EFFORT_FULL ? CASES : QUICK) * ENDS;
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    const bracket_case *c = &cases[k / ENDS];

    snprintf(check->name, sizeof check->name, "brackets/%s,%s", c->name, ends[k % ENDS]);
    snprintf(check->claim, sizeof check->claim, "%s saturation load is in the bracket of the %s",
             c->claim, ends[k % ENDS]);
    check->level = SWQ_LEVEL_STAT;
    check->weight = (c->async ? 0.1 : 0.01) / ENDS * runs_of(effort);
}

static swq_status search(swq_context *ctx, const bracket_case *c, const searched *s, uint64_t seed,
                         uint64_t cycles, swq_bracket *b)
{
    swq_sim_options options = swq_sim_defaults();

    options.seed = seed;
    options.cycles = cycles;
    swq_status status = c->async ? swq_async_bracket(ctx, &s->async.async, &options, 0.01, b)
                                 : swq_sim_bracket(ctx, &s->network, &options, 0.01, b);
    if (!status && b->interrupted)
        return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    return status;
}

static swq_status know(swq_context *ctx, const bracket_case *c, uint64_t seed, searched *s)
{
    enum { LONGER = 40 };
    swq_bracket b;
    swq_status status = c->make(ctx, s);

    if (status || !c->async)
        return status;
    status = search(ctx, c, s, swq_check_seed(seed, c->name, -1), LONGER * c->cycles, &b);
    s->load[MEAN] = (load_range){b.least, b.most};
    s->load[WORST] = (load_range){b.worst_least, b.worst_most};
    return status;
}

/* The fewest of a probability of 0.95. More are no error: the level is shared by all judgements
 * that a search may need. */
static void judge(int covered, int runs, swq_finding *f)
{
    f->left = 0.95;
    f->right = covered / (double)runs;
    f->p = gsl_cdf_binomial_P((unsigned)covered, 0.95, (unsigned)runs);
    f->off = fmax(gsl_cdf_ugaussian_Qinv(fmin(fmax(f->p, 1e-300), 0.5)), 0);
    snprintf(f->text, sizeof f->text, "%d of %d brackets", covered, runs);
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    const bracket_case *c = &cases[k / ENDS];
    const int runs = runs_of(effort);
    int covered[ENDS] = {0};
    searched s = {0};
    swq_bracket b;
    swq_status status = know(ctx, c, seed, &s);

    for (int n = 0; n < runs && !status; n++) {
        status = search(ctx, c, &s, swq_check_seed(seed, c->name, n), c->cycles, &b);
        covered[MEAN] += b.least <= s.load[MEAN].most && s.load[MEAN].least <= b.most;
        covered[WORST] +=
            b.worst_least <= s.load[WORST].most && s.load[WORST].least <= b.worst_most;
    }
    for (int end = 0; end < ENDS && !status; end++)
        judge(covered[end], runs, &f[end]);
    return status;
}

const swq_family swq_family_brackets = {
    .name = "brackets",
    .title = "The brackets of saturation loads",
    .legs = "95% brackets of 30 (full: 200) short searches; the chain's saturation, a link's, or "
            "(full) that of runs 40 times as long",
    .criterion = "the number of brackets that contain the load, or overlap the long search's "
                 "bracket, is at least that of a probability of 0.95: p-value of the binomial tail "
                 "below it, judged with all others",
    .count = count,
    .describe = describe,
    .parts = ENDS,
    .run = run,
};
