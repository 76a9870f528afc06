/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Family "approximations-direct": models of tori, meshes and hypercubes have the stated errors
 * against the asynchronous simulator: ours (method grid-waits, docs/approximation.md), and the
 * formulas of Agarwal and after Dally (their rows). Worms are not simulated here:
 * tests/models/formulas/test_dally.c checks "dally" for them, flit by flit.
 */
#include "base/context.h"
#include "switchq/approx.h"
#include "switchq/formula.h"
#include "validate/checks/families.h"
#include "validate/checks/stated.h"

#include <math.h>
#include <stdio.h>

/* Cycles times nodes, so that all runs cost about the same and see about as many packets. */
enum { QUICK = 20000000, LONGER = 3 };

typedef struct {
    const char *kind;
    int dims, extent; /* of every dimension */
    bool one_way, open;
    int bytes;         /* of an input port; 0: 256 */
    int threshold;     /* of maximum usage; 0: blocking flow control */
    int least, length; /* lengths of messages in bytes, from `least` to `length`; least 0: all of
                          `length`; length 0: 32 */
} direct_network;

typedef struct {
    swq_async network;
    swq_sender_group group;
    uint32_t nodes;
} direct;

/* ---- networks ---- */

static swq_status make(swq_context *ctx, const swq_stated *row, direct *d)
{
    const direct_network *of = row->more;
    const int length = of->length ? of->length : 32;
    swq_async *n = &d->network;
    const swq_buffer_kind *kind;

    *n = swq_async_defaults();
    n->shape = (swq_shape){.dims = of->dims, .one_way = of->one_way};
    swq_status status = swq_fabric_find(ctx, of->kind, &n->shape);
    for (int k = 0; k < of->dims && of->extent; k++)
        n->shape.extent[k] = of->extent;
    if (!status)
        status = swq_buffer_kind_find(ctx, row->buffer, &kind);
    if (!status)
        status = swq_async_buffer(ctx, n, kind, of->bytes ? of->bytes : 256);
    if (of->threshold) {
        n->flow.row = &swq_flow_maximum_usage;
        n->flow.threshold = of->threshold;
    }
    const swq_spread messages = {of->least ? SWQ_UNIFORM : SWQ_CONSTANT,
                                 of->least ? of->least : length, length};
    d->group =
        swq_sender_group_uniform(n, of->open ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD, 0.01, messages);
    n->traffic.group = &d->group;
    n->traffic.groups = 1;
    return status ? status : swq_async_check(ctx, n, &d->nodes);
}

static void set_load(direct *d, double load)
{
    swq_sender_group_load(&d->network, &d->group, load);
}

/* Makes the network that the formulas assume: one cycle per hop, links without pauses, one block
 * per packet and room for `room` packets at a port. */
static swq_status make_plain(swq_context *ctx, const swq_stated *row, int room, direct *d)
{
    const direct_network *of = row->more;
    const swq_buffer_kind *kind;
    swq_status status = make(ctx, row, d);

    d->network.link.hop_delay = 1;
    d->network.link.rest = 0;
    d->network.packet.block = d->network.packet.max = of->length;
    if (!status)
        status = swq_buffer_kind_find(ctx, row->buffer, &kind);
    return status ? status : swq_async_buffer(ctx, &d->network, kind, room * of->length);
}

static swq_status simulate(swq_context *ctx, const direct *d, swq_effort effort, uint64_t seed,
                           swq_estimate *latency)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;

    options.seed = seed;
    options.confidence = SWQ_STATED_CONFIDENCE;
    options.cycles = (uint64_t)QUICK * (effort == SWQ_EFFORT_FULL ? LONGER : 1) / d->nodes;
    swq_status status = swq_async_run(ctx, &d->network, &options, NULL, &result);
    if (!status && result.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    if (!status && result.sim.stopped_by == SWQ_STOP_DEADLOCK)
        status = swq_fail(ctx, SWQ_ECONVERGE, "the network deadlocked");
    if (!status)
        *latency = result.sim.all.latency;
    return status;
}

/* ---- grid-waits ---- */

/* The approximation's answer at the fraction `part` of the knee (0: at the highest load at which it
 * claims to be accurate); sets the network to that load. */
static swq_status answer_at(swq_context *ctx, double part, direct *d, swq_approx_torus_result *a)
{
    swq_status status = swq_approx_run_async(ctx, &d->network, NULL, a);

    if (!status) {
        set_load(d, part > 0 ? part * a->knee : a->valid);
        status = swq_approx_run_async(ctx, &d->network, NULL, a);
    }
    return status;
}

/* The model's answer, and the simulation at the same load. */
static swq_status both(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
                       direct *d, swq_approx_torus_result *a, swq_estimate *latency)
{
    swq_status status = make(ctx, row, d);

    if (!status)
        status = answer_at(ctx, row->load, d, a);
    return status ? status : simulate(ctx, d, effort, seed, latency);
}

static swq_status grid_waits(swq_context *ctx, const swq_stated *row, swq_effort effort,
                             uint64_t seed, swq_finding *finding)
{
    direct d;
    swq_approx_torus_result a = {0};
    swq_estimate latency = {0};
    swq_status status = both(ctx, row, effort, seed, &d, &a, &latency);

    if (!status)
        swq_stated_off(finding, row, a.latency, latency);
    return status;
}

/* Runs are as long as the runs on which the statement rests: near its highest throughput a torus
 * may fall back or, without a threshold, deadlock, and eventually does; so longer runs find lower
 * throughputs. */
static swq_status knee(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
                       swq_finding *finding)
{
    direct d;
    swq_approx_torus_result a = {0};
    static const swq_search search = {.resolution = 1.0 / 256};
    swq_async_result full;
    swq_saturation found = {.interrupted = false};
    swq_sim_options options = swq_sim_defaults();
    swq_status status = make(ctx, row, &d);

    options.seed = seed;
    options.confidence = SWQ_STATED_CONFIDENCE;
    options.cycles = effort == SWQ_EFFORT_FULL ? 20000 : 5000;
    /* throughput equals the load up to its maximum, so loads must be closer than the statement */
    if (!status)
        status = swq_approx_run_async(ctx, &d.network, NULL, &a);
    if (!status)
        status = swq_async_saturation(ctx, &d.network, &options, &search, &full, &found);
    if (!status && swq_context_cancelled(ctx))
        status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    if (!status)
        swq_stated_off(finding, row, a.knee, found.peak.throughput);
    return status;
}

/* ---- formulas ---- */

/* Agarwal's waits, plus the hop delays and the waits of senders. */
static swq_status agarwal_ends(swq_context *ctx, const swq_stated *row, swq_effort effort,
                               uint64_t seed, swq_finding *finding)
{
    const direct_network *of = row->more;
    direct d;
    swq_approx_torus_result a = {0};
    swq_estimate latency = {0};
    swq_status status = both(ctx, row, effort, seed, &d, &a, &latency);

    if (status)
        return status;
    const double time = 32 + d.network.link.rest;
    const double utilisation = a.load / 32 * time * a.hops / (2 * of->dims);
    const double waits = swq_agarwal(of->dims, a.hops, utilisation, time) - a.hops - time;
    swq_stated_off(finding, row, a.alone + a.source_wait + waits, latency);
    return SWQ_OK;
}

static swq_status torus_figures(swq_context *ctx, const direct_network *of, bool self,
                                swq_grid_figures *figures)
{
    swq_grid grid = {.torus = true, .one_way = of->one_way, .self = self, .dims = of->dims};

    for (int k = 0; k < of->dims; k++)
        grid.extent[k] = of->extent;
    return swq_grid_solve(ctx, &grid, figures);
}

/* Measures latency at a utilization. The simulator counts one switch more, and not the last
 * byte. */
static swq_status measure(swq_context *ctx, const swq_stated *row, const swq_grid_figures *figures,
                          direct *d, swq_effort effort, uint64_t seed, swq_estimate *latency)
{
    const direct_network *of = row->more;

    set_load(d, row->load / figures->load);
    swq_status status = simulate(ctx, d, effort, seed, latency);
    latency->mean += of->length - 1;
    return status;
}

static swq_status agarwal(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
                          swq_finding *finding)
{
    enum { WITHOUT_END = 400 };
    const direct_network *of = row->more;
    direct d;
    swq_grid_figures figures = {.nodes = 0};
    swq_estimate latency = {0};
    swq_status status = make_plain(ctx, row, WITHOUT_END, &d);

    if (!status)
        status = torus_figures(ctx, of, false, &figures);
    if (!status)
        status = measure(ctx, row, &figures, &d, effort, seed, &latency);
    if (!status)
        swq_stated_off(finding, row,
                       swq_agarwal(of->dims, figures.mean_hops, row->load, of->length), latency);
    return status;
}

/* Virtual cut-through, one way, with room for one message in each of the dims + 2 queues. */
static swq_status dally(swq_context *ctx, const swq_stated *row, swq_effort effort, uint64_t seed,
                        swq_finding *finding)
{
    const direct_network *of = row->more;
    direct d;
    swq_grid_figures figures = {.nodes = 0}, with_self = {.nodes = 0};
    swq_estimate latency = {0};
    swq_dally formula;
    swq_status status = make_plain(ctx, row, of->dims + 2, &d);

    if (!status)
        status = torus_figures(ctx, of, false, &figures);
    if (!status)
        status = torus_figures(ctx, of, true, &with_self);
    if (!status)
        status = measure(ctx, row, &figures, &d, effort, seed, &latency);
    if (status)
        return status;
    swq_dally_solve(of->extent, of->dims, row->load / with_self.load, of->length, 1, &formula);
    swq_stated_off(finding, row, formula.latency + formula.source_wait, latency);
    return SWQ_OK;
}

/* ---- rows ---- */

#define NETWORK(...)                                                                               \
    .more = &(const direct_network)                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define ROW(find_, part, from, to, full_)                                                          \
    .level = SWQ_LEVEL_APPROX, .find = (find_), .load = (part), .least = (from) / 100.0,           \
    .most = (to) / 100.0, .full = (full_), .weight = 0.3

/* up to where an answer claims to be accurate: 60, 35 or 30% of the knee */
#define VALID(what, kind_, full_, ...)                                                             \
    {                                                                                              \
        .name = "grid-waits/" what ",up-to=valid",                                                 \
        .claim =                                                                                   \
            "grid-waits: latency within 5% at the highest load for which an answer claims it",     \
        ROW(grid_waits, 0, -5, 5, full_), .buffer = (kind_), NETWORK(__VA_ARGS__)                  \
    }

/* a cell of the table, or a range of a column */
#define CELL(what, kind_, part, from, to, full_, ...)                                              \
    {                                                                                              \
        .name = "grid-waits/" what ",knee=" #part,                                                 \
        .claim = "grid-waits: latency at " #part " of the knee is off by " #from " to " #to "%",   \
        ROW(grid_waits, part, from, to, full_), .buffer = (kind_), NETWORK(__VA_ARGS__)            \
    }
#define BOTH(what, part, open_, hold_, quick_, ...)                                                \
    CELL(what ",sources=open", "damq", part, open_, open_, true, __VA_ARGS__, .open = true),       \
        CELL(what ",sources=hold", "damq", part, hold_, hold_, !(quick_), __VA_ARGS__)
#define KNEE(what, from, to, full_, ...)                                                           \
    {                                                                                              \
        .name = "grid-waits/" what ",what=knee",                                                   \
        .claim =                                                                                   \
            "grid-waits: the knee is " #from " to " #to "% of the highest simulated throughput",   \
        ROW(knee, 0, from, to, full_), .buffer = "damq", NETWORK(__VA_ARGS__)                      \
    }
/* stated in whole percent, so to half a percent */
#define ENDS(what, from, to, ...)                                                                  \
    {                                                                                              \
        .name = "agarwal/same-ends," what ",knee=0.8",                                             \
        .claim = "Agarwal's model with the same ends at 80% of the knee: latency " #from           \
                 " to " #to "%",                                                                   \
        ROW(agarwal_ends, 0.8, (from)-0.5, (to) + 0.5, true), .buffer = "damq",                    \
        NETWORK(__VA_ARGS__)                                                                       \
    }
#define AGARWAL(what, at, from, to, full_, ...)                                                    \
    {                                                                                              \
        .name = "agarwal/" what ",utilisation=" #at,                                               \
        .claim = "agarwal: latency at utilisation " #at " is off by " #from " to " #to "%",        \
        ROW(agarwal, at, (from)-0.5, (to) + 0.5, full_), .buffer = "safc",                         \
        NETWORK(__VA_ARGS__, .open = true)                                                         \
    }
#define DALLY(what, at, to, full_, ...)                                                            \
    {                                                                                              \
        .name = "dally/cut-through," what ",utilisation=" #at,                                     \
        .claim = "dally: latency with cut-through at utilisation " #at " is -1 to " #to "%",       \
        ROW(dally, at, -1.5, (to) + 0.5, full_), .buffer = "safc",                                 \
        NETWORK(__VA_ARGS__, .one_way = true, .open = true)                                        \
    }

#define GRID(kind_, dims_, extent_) .kind = (kind_), .dims = (dims_), .extent = (extent_)
#define TORUS(k)                    GRID("torus", 2, k)
#define MESH(k)                     GRID("mesh", 2, k)

static const swq_stated rows[] = {
    VALID("torus=4x4,sources=open", "damq", true, TORUS(4), .open = true),
    VALID("torus=4x4,sources=hold", "damq", true, TORUS(4)),
    VALID("torus=8x8,sources=open", "damq", false, TORUS(8), .open = true),
    VALID("torus=8x8,sources=hold", "damq", true, TORUS(8)),
    VALID("torus=11x11,sources=open", "damq", true, TORUS(11), .open = true),
    VALID("torus=11x11,sources=hold", "damq", true, TORUS(11)),
    VALID("torus=16x16,sources=open", "damq", true, TORUS(16), .open = true),
    VALID("torus=16x16,sources=hold", "damq", true, TORUS(16)),
    VALID("mesh=8x8,sources=open", "damq", true, MESH(8), .open = true),
    VALID("mesh=8x8,sources=hold", "damq", true, MESH(8)),
    VALID("torus=3x3,sources=hold", "damq", true, TORUS(3)),
    VALID("torus=4x4x4,sources=hold", "damq", true, GRID("torus", 3, 4)),
    VALID("torus=5x5x5", "damq", true, GRID("torus", 3, 5)),
    VALID("torus=10x10,one-way", "damq", true, TORUS(10), .one_way = true, .open = true),
    VALID("hypercube=6", "damq", true, GRID("hypercube", 6, 0), .open = true),
    VALID("torus=8x8,buffer=samq-512", "samq", true, TORUS(8), .bytes = 512),
    VALID("torus=8x8,buffer=safc-512", "safc", true, TORUS(8), .bytes = 512),
    VALID("torus=8x8,length=80", "damq", true, TORUS(8), .length = 80),
    VALID("torus=8x8,buffer=fifo", "fifo", true, TORUS(8)),
    VALID("torus=8x8,length=6-32", "damq", true, TORUS(8), .least = 6),
    VALID("torus=11x11,threshold=10", "damq", true, TORUS(11), .threshold = 10),
    BOTH("torus=4x4", 0.8, 9.4, 13.2, false, TORUS(4)),
    BOTH("torus=4x4", 0.9, 11.8, 20.8, false, TORUS(4)),
    BOTH("torus=8x8", 0.8, 5.1, 4.7, false, TORUS(8)),
    BOTH("torus=8x8", 0.9, 8.9, 7.0, false, TORUS(8)),
    BOTH("torus=11x11", 0.8, 4.9, 5.0, true, TORUS(11)),
    BOTH("torus=11x11", 0.9, 7.4, 5.9, false, TORUS(11)),
    BOTH("torus=16x16", 0.8, 4.6, 6.2, false, TORUS(16)),
    BOTH("torus=16x16", 0.9, 6.3, 8.4, false, TORUS(16)),
    BOTH("mesh=8x8", 0.8, 2.5, 1.9, false, MESH(8)),
    BOTH("mesh=8x8", 0.9, 2.3, 0.7, false, MESH(8)),
    CELL("torus=8x8,length=6-32", "damq", 0.8, -2.2, 1.5, true, TORUS(8), .least = 6),
    CELL("torus=16x16,length=6-32", "damq", 0.8, -2.2, 1.5, true, TORUS(16), .least = 6),
    CELL("mesh=8x8,length=6-32", "damq", 0.8, -2.2, 1.5, true, MESH(8), .least = 6),
    CELL("torus=8x8,threshold=10", "damq", 0.8, 3.8, 10.4, true, TORUS(8), .threshold = 10),
    CELL("torus=16x16,threshold=10", "damq", 0.8, 3.8, 10.4, true, TORUS(16), .threshold = 10),
    CELL("torus=8x8,buffer=fifo", "fifo", 0.8, -0.2, 6.0, true, TORUS(8), .open = true),
    CELL("torus=11x11,buffer=fifo", "fifo", 0.8, -0.2, 6.0, true, TORUS(11)),
    CELL("torus=16x16,buffer=fifo", "fifo", 0.8, -0.2, 6.0, true, TORUS(16)),
    CELL("mesh=8x8,buffer=fifo", "fifo", 0.8, -0.2, 6.0, true, MESH(8), .open = true),
    KNEE("torus=8x8,threshold=26", -3, 3, true, TORUS(8), .threshold = 26),
    KNEE("torus=11x11,threshold=26", -3, 3, true, TORUS(11), .threshold = 26),
    KNEE("torus=16x16,threshold=26", -3, 3, true, TORUS(16), .threshold = 26),
    KNEE("mesh=8x8", -5.5, -4.5, true, MESH(8)),
    ENDS("torus=4x4,sources=open", -48, -48, TORUS(4), .open = true),
    ENDS("torus=4x4,sources=hold", -76, -76, TORUS(4)),
    ENDS("torus=8x8,sources=open", -33, -16, TORUS(8), .open = true),
    ENDS("torus=8x8,sources=hold", -33, -16, TORUS(8)),
    ENDS("torus=11x11,sources=open", -33, -16, TORUS(11), .open = true),
    ENDS("torus=11x11,sources=hold", -33, -16, TORUS(11)),
    ENDS("torus=16x16,sources=open", -33, -16, TORUS(16), .open = true),
    ENDS("torus=16x16,sources=hold", -33, -16, TORUS(16)),
    AGARWAL("one-way,torus=8x8,length=4", 0.4, 3, 15, true, GRID("torus", 2, 8), .one_way = true,
            .length = 4),
    AGARWAL("one-way,torus=8x8,length=16", 0.4, 3, 15, false, GRID("torus", 2, 8), .one_way = true,
            .length = 16),
    AGARWAL("one-way,torus=8x8,length=64", 0.6, 3, 15, true, GRID("torus", 2, 8), .one_way = true,
            .length = 64),
    AGARWAL("one-way,torus=16x16,length=8", 0.2, 3, 15, true, GRID("torus", 2, 16), .one_way = true,
            .length = 8),
    AGARWAL("one-way,torus=16x16,length=64", 0.4, 3, 15, true, GRID("torus", 2, 16),
            .one_way = true, .length = 64),
    AGARWAL("one-way,torus=8x8,length=16", 0.8, 7, 9, true, GRID("torus", 2, 8), .one_way = true,
            .length = 16),
    AGARWAL("one-way,torus=16x16,length=8", 0.8, -2, 1, true, GRID("torus", 2, 16), .one_way = true,
            .length = 8),
    AGARWAL("one-way,torus=16,length=4", 0.2, 6, 26, true, GRID("torus", 1, 16), .one_way = true,
            .length = 4),
    AGARWAL("one-way,torus=16,length=16", 0.4, 6, 26, true, GRID("torus", 1, 16), .one_way = true,
            .length = 16),
    AGARWAL("one-way,torus=16,length=32", 0.6, 6, 26, true, GRID("torus", 1, 16), .one_way = true,
            .length = 32),
    AGARWAL("one-way,torus=16,length=16", 0.8, 6, 26, true, GRID("torus", 1, 16), .one_way = true,
            .length = 16),
    AGARWAL("torus=16x16,length=32", 0.2, 4, 4, true, GRID("torus", 2, 16), .length = 32),
    AGARWAL("torus=16x16,length=32", 0.4, 4, 4, true, GRID("torus", 2, 16), .length = 32),
    AGARWAL("torus=16x16,length=32", 0.6, 3, 3, true, GRID("torus", 2, 16), .length = 32),
    AGARWAL("torus=16x16,length=32", 0.8, -1, -1, true, GRID("torus", 2, 16), .length = 32),
    AGARWAL("torus=11x11,length=32", 0.2, -1, -1, true, GRID("torus", 2, 11), .length = 32),
    AGARWAL("torus=11x11,length=32", 0.4, -3, -3, true, GRID("torus", 2, 11), .length = 32),
    AGARWAL("torus=11x11,length=32", 0.6, -5, -5, true, GRID("torus", 2, 11), .length = 32),
    AGARWAL("torus=11x11,length=32", 0.8, -6, -6, true, GRID("torus", 2, 11), .length = 32),
    AGARWAL("torus=8x8,length=32", 0.2, -7, -7, true, GRID("torus", 2, 8), .length = 32),
    AGARWAL("torus=8x8,length=32", 0.4, -14, -14, true, GRID("torus", 2, 8), .length = 32),
    AGARWAL("torus=8x8,length=32", 0.6, -20, -20, true, GRID("torus", 2, 8), .length = 32),
    AGARWAL("torus=8x8,length=32", 0.8, -26, -26, true, GRID("torus", 2, 8), .length = 32),
    AGARWAL("one-way,torus=4x4x4,length=16", 0.2, -6, -6, true, GRID("torus", 3, 4),
            .one_way = true, .length = 16),
    AGARWAL("one-way,torus=4x4x4,length=16", 0.4, -12, -12, true, GRID("torus", 3, 4),
            .one_way = true, .length = 16),
    AGARWAL("one-way,torus=4x4x4,length=16", 0.6, -18, -18, true, GRID("torus", 3, 4),
            .one_way = true, .length = 16),
    AGARWAL("one-way,torus=4x4x4,length=16", 0.8, -22, -22, true, GRID("torus", 3, 4),
            .one_way = true, .length = 16),
    DALLY("torus=8x8,length=16", 0.1, 4, false, GRID("torus", 2, 8), .length = 16),
    DALLY("torus=8x8,length=16", 0.2, 26, true, GRID("torus", 2, 8), .length = 16),
    DALLY("torus=16x16,length=32", 0.1, 4, true, GRID("torus", 2, 16), .length = 32),
    DALLY("torus=16x16,length=32", 0.2, 26, true, GRID("torus", 2, 16), .length = 32),
    DALLY("torus=4x4x4,length=32", 0.1, 4, true, GRID("torus", 3, 4), .length = 32),
    DALLY("torus=4x4x4,length=32", 0.2, 26, true, GRID("torus", 3, 4), .length = 32),
    DALLY("torus=16,length=16", 0.1, 4, true, GRID("torus", 1, 16), .length = 16),
    DALLY("torus=16,length=16", 0.2, 26, true, GRID("torus", 1, 16), .length = 16),
    {.name = NULL},
};

SWQ_STATED_FUNCTIONS(rows, "approximations-direct", LONGER)

const swq_family swq_family_direct = {
    .name = "approximations-direct",
    .title = "Approximations of tori, meshes and hypercubes: is their error the stated one?",
    .legs = "approximation, formula; asynchronous simulator",
    .criterion = "value / simulated - 1 lies within what docs/approximation.md states "
                 "(grid-waits), or `switchq formula` (agarwal, dally), including the sign, to "
                 "the digits stated, within the half-width of the simulation's 99.9% interval "
                 "plus 0.05%",
    .count = count,
    .describe = describe,
    .run = run,
};
