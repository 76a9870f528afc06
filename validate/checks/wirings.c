/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every source reaches every destination: through multistage networks digit by digit, through tori,
 * meshes and hypercubes in as many hops as there are between them; and a pool that lets the oldest
 * in first spreads latencies least.
 */
#include "base/context.h"
#include "switchq/fabric.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"
#include "validate/checks/scores.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- stages ---- */

static const struct {
    int radix, stages;
} sizes[] = {{2, 1}, {2, 3}, {2, 6}, {3, 3}, {4, 3}, {8, 2}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* The wirings for any number of stages; the one with index k. */
static const swq_topology *wiring(int k)
{
    for (int t = 0; swq_topologies[t]; t++) {
        if (swq_topologies[t]->stages == 0 && k-- == 0)
            return swq_topologies[t];
    }
    return NULL;
}

static int topologies(void)
{
    int n = 0;

    while (wiring(n))
        n++;
    return n;
}

/* Extents of grids; 0 ends them. */
static const struct {
    const char *kind;
    int extent[3];
} grids[] = {
    {"torus", {5}},       {"torus", {4, 3}},  {"torus", {11, 11}},
    {"torus", {3, 4, 2}}, {"mesh", {7}},      {"mesh", {4, 5}},
    {"mesh", {3, 2, 4}},  {"hypercube", {2}}, {"hypercube", {2, 2, 2}},
};
enum { GRIDS = sizeof grids / sizeof *grids };

static int count(swq_effort effort)
{
    (void)effort;
    return SIZES * topologies() + GRIDS;
}

static int dims_of(int g)
{
    int dims = 0;

    while (dims < 3 && grids[g].extent[dims])
        dims++;
    return dims;
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    const int g = k - SIZES * topologies();

    (void)effort;
    check->level = SWQ_LEVEL_EXACT;
    check->weight = 0.01;
    if (g >= 0) {
        const int *e = grids[g].extent;
        snprintf(check->name, sizeof check->name, "wirings/topology=%s,dims=%dx%dx%d",
                 grids[g].kind, e[0], e[1], e[2]);
        snprintf(check->claim, sizeof check->claim,
                 "%s: every path ends where it should, and the mean hops equal the mean distance",
                 grids[g].kind);
        return;
    }
    const swq_topology *t = wiring(k / SIZES);
    snprintf(check->name, sizeof check->name, "wirings/topology=%s,ports=%d,stages=%d", t->name,
             sizes[k % SIZES].radix, sizes[k % SIZES].stages);
    snprintf(check->claim, sizeof check->claim, "%s: every source reaches every destination",
             t->name);
}

/* The node at which a packet of `from` arrives if it follows the digits of `to`. */
static uint32_t follow(const swq_topology *t, int radix, int stages, uint32_t from, uint32_t to)
{
    uint32_t line = t->wire(radix, stages, 0, from);

    for (int s = 0; s < stages; s++) {
        uint32_t digit = to;
        for (int d = t->digit(stages, s); d > 0; d--)
            digit /= (uint32_t)radix;
        line = line / (uint32_t)radix * (uint32_t)radix + digit % (uint32_t)radix;
        line = t->wire(radix, stages, s + 1, line);
    }
    return line;
}

static void run_stages(const swq_topology *t, int radix, int stages, swq_finding *f)
{
    uint32_t nodes = 1;

    for (int s = 0; s < stages; s++)
        nodes *= (uint32_t)radix;
    f->left = (double)nodes * nodes;
    f->right = 0;
    for (uint32_t from = 0; from < nodes; from++) {
        for (uint32_t to = 0; to < nodes; to++)
            f->right += follow(t, radix, stages, from, to) == to;
    }
    f->off = f->left - f->right;
    swq_judge(f, 0);
    snprintf(f->text, sizeof f->text, "pairs, and those that arrive");
}

/* ---- grids ---- */

static int distance(int a, int b, int extent, bool ring)
{
    int d = abs(a - b);

    return ring && extent - d < d ? extent - d : d;
}

static swq_status run_grid(swq_context *ctx, int g, swq_finding *f)
{
    const int dims = dims_of(g);
    const bool ring = grids[g].kind[0] == 't';
    swq_shape shape = {0};
    swq_fabric fabric = {0};
    swq_fabric_loads loads = {0};
    double mean = 0, nodes = 1;
    swq_status status = swq_fabric_find(ctx, grids[g].kind, &shape);

    shape.dims = dims;
    for (int d = 0; d < dims; d++) {
        const int e = shape.extent[d] = grids[g].extent[d];
        double sum = 0;
        for (int a = 0; a < e; a++) {
            for (int b = 0; b < e; b++)
                sum += distance(a, b, e, ring);
        }
        mean += sum / e / e;
        nodes *= e;
    }
    if (!status)
        status = swq_fabric_make(ctx, &shape, &fabric);
    if (!status)
        status = swq_fabric_enumerate(ctx, &fabric, NULL, &loads);
    if (!status) {
        swq_compare(f, "mean hops, nothing sent to oneself", loads.mean_hops,
                    mean * nodes / (nodes - 1));
        swq_judge(f, 1e-12);
    }
    swq_fabric_clear(ctx, &fabric);
    return status;
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    const int g = k - SIZES * topologies();

    (void)effort;
    (void)seed;
    if (g >= 0)
        return run_grid(ctx, g, f);
    run_stages(wiring(k / SIZES), sizes[k % SIZES].radix, sizes[k % SIZES].stages, f);
    return SWQ_OK;
}

const swq_family swq_family_wirings = {
    .name = "wirings",
    .title = "Every source reaches every destination",
    .legs = "wirings and paths, followed; the places where they should lead, with counted "
            "distances",
    .criterion = "all pairs arrive; the mean hops equal the mean distance to 1e-12",
    .count = count,
    .describe = describe,
    .run = run,
};

/* ---- admission to a pool ---- */

enum { RUNS = 16, CYCLES = 4000 };

static int count_oldest(swq_effort effort)
{
    (void)effort;
    return 1;
}

static void describe_oldest(swq_effort effort, int k, swq_check *check)
{
    (void)effort;
    (void)k;
    snprintf(check->name, sizeof check->name, "pool-oldest/buffer=cbda-1,ports=4,load=0.9");
    snprintf(check->claim, sizeof check->claim,
             "latencies vary less when a full pool admits the packet that has waited "
             "longest than at random");
    check->level = SWQ_LEVEL_ORDER;
    check->weight = 0.3;
}

static swq_status latency_variance(swq_context *ctx, const swq_pool_rule *rule, uint64_t seed,
                                   double *variance)
{
    const swq_case c = {.buffer = "cbda",
                        .arbiter = "random",
                        .ports = 4,
                        .slots = 1,
                        .load = 0.9,
                        .mode = SWQ_BLOCK_NEXT,
                        .iterations = 1};
    swq_sim_options options = swq_sim_defaults();
    double node_load[SWQ_CHAIN_PORTS];
    swq_network network;
    swq_sim_result r;
    swq_switch sw;
    swq_status status = swq_case_switch(ctx, &c, &sw);

    if (!status)
        status = swq_case_network(ctx, &c, &sw, node_load, &network);
    network.sw.buffer.pool_rule = rule;
    options.seed = seed;
    options.warmup = SWQ_SCORE_WARM_UP;
    options.cycles = CYCLES;
    if (!status)
        status = swq_sim_run(ctx, &network, &options, &r);
    *variance = status ? NAN : r.all.variance;
    return status;
}

static swq_status run_oldest(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                             swq_finding *f)
{
    double sum = 0, square = 0;
    swq_status status = SWQ_OK;

    (void)effort;
    (void)k;
    f->left = f->right = 0;
    for (int n = 0; n < RUNS && !status; n++) {
        const uint64_t same = swq_check_seed(seed, "pool-oldest", n);
        double oldest, room;
        status = latency_variance(ctx, &swq_pool_oldest, same, &oldest);
        if (!status)
            status = latency_variance(ctx, &swq_pool_room, same, &room);
        if (status)
            return status;
        f->left += oldest / RUNS;
        f->right += room / RUNS;
        sum += room - oldest;
        square += (room - oldest) * (room - oldest);
    }
    f->off = sum / RUNS / sqrt((square - sum * sum / RUNS) / (RUNS - 1) / RUNS);
    f->allowed = 5;
    f->outcome = f->off >= f->allowed ? SWQ_OUTCOME_PASS : SWQ_OUTCOME_FAIL;
    snprintf(f->text, sizeof f->text,
             "variances of the latency; off: how far the first is below the second, which "
             "must be at least the amount allowed");
    return SWQ_OK;
}

const swq_family swq_family_oldest = {
    .name = "pool-oldest",
    .title = "A pool that admits the packet that has waited longest",
    .legs = "simulator, --pool-rule oldest; simulator, --pool-rule room, same packets",
    .criterion = "the variance of the latency is less, by at least 5 standard errors of the "
                 "difference of 16 pairs of runs",
    .count = count_oldest,
    .describe = describe_oldest,
    .run = run_oldest,
};
