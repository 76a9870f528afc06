/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of documents 000 and 002 on congestion trees that no figure has: their networks, and that
 * the enhancements of RECN matter more in a large one.
 */
#include "base/context.h"
#include "sim/patterns/patterns.h"
#include "validate/checks/printed_find.h"

#include <stdio.h>

enum {
    SLOT = 64 /* bytes */,
    SLOTS = 512,
    REST = 2,
    HOT = 21,
    ONSET = 100000,
    OVER = 200000,
    WINDOW = 25000,
    RUNS = 3,       /* of the small network */
    MOST_BITS = 33, /* of the large network's ways */
    PORTS = 8
};

static const int small[] = {4, 4, 4, 0}, medium[] = {4, 4, 4, 4, 0},
                 large[] = {4, 4, 4, 4, 4, 2, 0};

static swq_status tree(swq_context *ctx, const int *arity, swq_shape *shape)
{
    *shape = (swq_shape){0};
    for (; arity[shape->levels]; shape->levels++)
        shape->arity[shape->levels] = arity[shape->levels];
    return swq_fabric_find(ctx, "tree", shape);
}

/* ---- networks ---- */

static swq_status find_tree(swq_context *ctx, const int *arity, uint32_t nodes, uint32_t switches,
                            int stages, swq_finding *f)
{
    swq_shape shape;
    swq_fabric fabric = {0};
    swq_status status = tree(ctx, arity, &shape);

    if (!status)
        status = swq_fabric_count(ctx, &shape, &fabric);
    if (!status)
        printed_none(f,
                     (fabric.nodes != nodes) + (fabric.switches != switches) +
                         (shape.levels != stages) + (fabric.ports != PORTS),
                     4);
    return status;
}

swq_status printed_tree_of_64(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    (void)effort, (void)seed;
    return find_tree(ctx, small, 64, 48, 3, f);
}

swq_status printed_tree_of_256(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    (void)effort, (void)seed;
    return find_tree(ctx, medium, 256, 256, 4, f);
}

/* ---- 2,048 nodes ---- */

enum { GROUPS = 3 };

/* Nodes that send all they can to all. */
static const swq_sender_group to_all = {
    .kind = SWQ_SOURCE_HOLD,
    .interval = {SWQ_CONSTANT, 0, 0},
    .types = 1,
    .type = {{.probability = 1,
              .length = {SWQ_CONSTANT, SLOT, 0},
              .pattern = &swq_pattern_uniform}},
};

/* As in figure 002.7: three of four nodes send as much as they can to all nodes; the other nodes
 * send nothing, except for 100 microseconds, in which they send as much as they can to one node. */
static void make_groups(swq_sender_group group[GROUPS])
{
    for (int k = 0; k < GROUPS; k++)
        group[k] = to_all;
    group[0].mask = group[1].mask = 3;
    group[0].from = ONSET;
    group[0].until = OVER;
    group[0].type[0].aim = SWQ_AIM_NODE;
    group[0].type[0].value = HOT;
    group[0].type[0].pattern = NULL;
    group[1].silent = true;
}

static swq_status network_of(swq_context *ctx, const int *arity, const swq_management *row,
                             const swq_sender_group group[GROUPS], swq_async *n)
{
    *n = swq_async_defaults();
    n->architecture.row = &swq_cioq;
    n->architecture.output.speedup_bytes = 3;
    n->architecture.output.speedup_cycles = 2;
    n->packet.block = n->packet.max = SLOT;
    n->link.rest = REST;
    n->management.row = row;
    n->memory.bytes = SLOTS * SLOT;
    n->architecture.output.blocks = SLOTS;
    n->management.saqs = row->default_saqs;
    n->management.detect = row->default_detect;
    n->management.xoff = row->default_xoff;
    n->management.xon = row->default_xon;
    n->management.refused = SWQ_REFUSED_HOLD;
    n->management.turnpool_bits = MOST_BITS;
    n->traffic.group = group;
    n->traffic.groups = GROUPS;
    return tree(ctx, arity, &n->shape);
}

/* The throughput in the last three quarters of the congestion, as a fraction of that in the last
 * three quarters of the time before. */
static swq_status kept(swq_context *ctx, const int *arity, const swq_management *row, uint64_t seed,
                       double *fraction)
{
    swq_sim_options options = swq_sim_defaults();
    swq_sender_group group[GROUPS];
    swq_async_result result;
    swq_async n;

    make_groups(group);
    options.seed = seed;
    options.warmup = 0;
    options.cycles = OVER;
    options.series = WINDOW;
    swq_status status = network_of(ctx, arity, row, group, &n);
    if (!status)
        status = swq_async_run(ctx, &n, &options, NULL, &result);
    if (!status && result.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    if (status)
        return status;
    const swq_window *w = result.sim.series->window;
    double before = 0, during = 0;
    for (int k = 1; k < ONSET / WINDOW; k++) {
        before += w[k].all.throughput.mean;
        during += w[ONSET / WINDOW + k].all.throughput.mean;
    }
    swq_series_free(ctx, result.sim.series);
    *fraction = during / before;
    return SWQ_OK;
}

/* The fraction of the throughput that basic RECN keeps, and how much more enhanced RECN keeps. */
static swq_status gain(swq_context *ctx, const int *arity, uint64_t seed, double *basic,
                       double *difference)
{
    double enhanced = 0;
    swq_status status = kept(ctx, arity, &swq_management_recn, seed, basic);

    if (!status)
        status = kept(ctx, arity, &swq_management_recn_enhanced, seed, &enhanced);
    if (!status)
        *difference = enhanced - *basic;
    return status;
}

swq_status printed_larger_effect(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    double most = 0, basic = 0, of_large = 0, here = 0, gained = 0;

    if (effort == SWQ_EFFORT_QUICK) {
        f->outcome = SWQ_OUTCOME_SKIPPED;
        snprintf(f->text, sizeof f->text, "a minute: --full");
        return SWQ_OK;
    }
    swq_status status = gain(ctx, large, seed, &basic, &of_large);
    for (int run = 0; run < RUNS && !status; run++) {
        status = gain(ctx, small, seed + (uint64_t)run, &here, &gained);
        most = gained > most ? gained : most;
    }
    if (status)
        return status;
    printed_less(f, most, of_large);
    snprintf(f->text, sizeof f->text,
             "enhanced RECN keeps %.2f more than basic RECN, which keeps %.2f; with 64 nodes at "
             "most %.2f more",
             of_large, basic, most);
    return SWQ_OK;
}
