/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The networks and runs of document 001's Figs. 9 and 10. The document does not say how long
 * messages are (here Dally's 20 flits, and as many cells), which switches the butterfly has (here 3
 * stages of 4x4 and 2 of 8x8), nor who sends to hot spots (here an eighth of the nodes to each, as
 * much as they can), nor where two hot spots are (here at one switch, so that they share links).
 * Room: validate. Includes base, sim.
 */
#include "validate/figures/atlas.h"
#include "base/context.h"
#include "sim/measure/pile.h"
#include "validate/figures/makers.h"

#include <math.h>
#include <string.h>

/* Nodes at the same switch, so their cells share all links to it. */
enum { HOT_A = 63, HOT_B = 62 };

#define INNOCENT_LOAD 0.2

/* ---- networks ---- */

static bool is_hot_figure(const atlas_row *row)
{
    return row == &atlas_rows[1];
}

static swq_message_type to_subset(uint32_t mask, uint32_t value, double share, int length)
{
    return (swq_message_type){.probability = share,
                              .aim = SWQ_AIM_SUBSET,
                              .mask = mask,
                              .value = value,
                              .length = {SWQ_CONSTANT, length, 0}};
}

/* Uniform over all nodes except the hot spots: a set for each place (bit 5, 4, .. 1) of a node's
 * highest zero bit. */
static void avoid_hot_spots(swq_sender_group *g, int length)
{
    g->types = 5;
    for (int k = 0; k < g->types; k++) {
        const uint32_t mask = 63u & ~(31u >> k), zero = 32u >> k;
        g->type[k] = to_subset(mask, mask & ~zero, zero / 62.0, length);
    }
}

/* Two eighths of the nodes each send to a hot spot, or send nothing; the others are innocent. */
static void make_groups(const atlas_line *line, const swq_async *n, int length,
                        swq_sender_group *group)
{
    const swq_spread spread = {SWQ_CONSTANT, length, 0};
    const uint32_t hot[] = {HOT_A, HOT_B};

    for (int k = 0; k < 2; k++) {
        group[k] = swq_sender_group_uniform(n, SWQ_SOURCE_HOLD, k < line->hot ? 1 : 0, spread);
        group[k].mask = 7;
        group[k].value = 4 * (uint32_t)k;
        group[k].type[0] = (swq_message_type){
            .probability = 1, .aim = SWQ_AIM_NODE, .value = hot[k], .length = spread};
    }
    group[2] = swq_sender_group_uniform(n, SWQ_SOURCE_OPEN, INNOCENT_LOAD, spread);
    avoid_hot_spots(&group[2], length);
}

static void make_worms(swq_async *n, int lanes, int buffer)
{
    static const int delay[4] = {0, 0, 1, 0};

    n->architecture = &swq_wormhole_lanes;
    n->max_packet = ATLAS_MESSAGE;
    n->lanes = lanes;
    n->node_lanes = lanes;
    n->lane_flits = buffer / lanes;
    n->credit_delay = 0;
    memcpy(n->router_delay, delay, sizeof delay);
}

static void make_cells(swq_async *n, atlas_kind kind, int each, int buffer)
{
    n->architecture = &swq_atlas_cells;
    n->max_packet = kind == ATLAS_SLOW ? 1 : ATLAS_CELL;
    n->hop_delay = kind == ATLAS_SLOW ? ATLAS_ROUND_TRIP - 1 : n->hop_delay;
    n->pool_cells = buffer;
    n->lane_cells = each;
    n->group_credit_at_departure = kind == ATLAS_LATE;
    n->node_cells = kind == ATLAS_FIFO ? 0 : ATLAS_NODE_CELLS;
}

swq_status atlas_make(swq_context *ctx, const atlas_row *row, const atlas_line *line, double x,
                      swq_sender_group *group, swq_async *network, bool *there)
{
    swq_async n = swq_async_defaults();
    const bool hot = is_hot_figure(row);
    const int buffer = hot ? ATLAS_BUFFER : (int)x, lanes = hot ? (int)x : line->lanes;

    n.shape = (swq_shape){.ports = line->ports, .stages = line->ports == 4 ? 3 : 2};
    n.link_rest = 0;
    swq_status status = swq_fabric_find(ctx, "butterfly", &n.shape);
    *there = line->kind != ATLAS_WORMHOLE || lanes <= buffer;
    if (status || !*there)
        return status;
    if (line->kind == ATLAS_WORMHOLE)
        make_worms(&n, lanes, buffer);
    else if (hot)
        make_cells(&n, line->kind, buffer / lanes, buffer);
    else
        make_cells(&n, line->kind,
                   line->kind != ATLAS_SLOW    ? 1
                   : buffer < ATLAS_ROUND_TRIP ? buffer
                                               : ATLAS_ROUND_TRIP,
                   buffer);
    n.group_lanes = hot && line->kind != ATLAS_WORMHOLE ? lanes : n.group_lanes;
    const int length = line->kind == ATLAS_WORMHOLE ? ATLAS_MESSAGE : ATLAS_MESSAGE * n.max_packet;
    n.group = group;
    n.groups = hot ? 3 : 1;
    if (hot)
        make_groups(line, &n, length, group);
    else
        group[0] =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, length, 0});
    *network = n;
    return SWQ_OK;
}

/* ---- runs ---- */

typedef struct {
    const atlas_work *w;
    swq_status *status; /* [lines * xs] */
    double *cpu_seconds;
} atlas_pile;

/* Cycles of a cell on a link. */
static int cell_time(const atlas_line *line)
{
    return line->kind == ATLAS_SLOW || line->kind == ATLAS_WORMHOLE ? 1 : ATLAS_CELL;
}

static void keep(const atlas_row *row, const atlas_line *line, const swq_async_result *result,
                 atlas_cell *cell)
{
    const bool hot = is_hot_figure(row);
    const swq_flow_result *flow = hot ? &result->sim.by_group[2] : &result->sim.all;
    const double time = cell_time(line);
    swq_estimate delay = line->kind == ATLAS_WORMHOLE ? flow->tail_latency : flow->message_tail;

    delay = (swq_estimate){delay.mean / time, delay.half_width / time};
    /* Some innocent packets are blocked for ever, so the delay of the other innocent packets is
     * meaningless. */
    if (flow->throughput.mean < 0.95 * INNOCENT_LOAD)
        delay = (swq_estimate){NAN, NAN};
    *cell = (atlas_cell){
        .there = true,
        .y = hot ? delay : flow->throughput,
        .throughput = flow->throughput,
        .cycles = result->sim.cycles,
        .a_node = (double)flow->delivered / result->sim.nodes,
    };
}

static swq_status do_task(swq_context *ctx, void *arg, int task)
{
    const atlas_pile *p = arg;
    const atlas_work *w = p->w;
    const int l = task / w->row->xs, k = task % w->row->xs;
    const atlas_line *line = &w->row->line[l];
    const swq_figure_options *o = &w->f->out->options;
    swq_figure_setting *setting = &w->f->out->setting[task];
    swq_sender_group group[ATLAS_GROUPS];
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;
    swq_async network;
    bool there;

    swq_status status = atlas_make(ctx, w->row, line, w->row->x[k], group, &network, &there);
    if (status || !there)
        return status;
    options.seed = o->seed;
    options.cycles = o->cycles * (uint64_t)cell_time(line);
    options.warmup = options.cycles / 2;
    status = swq_async_run(ctx, &network, &options, NULL, &result);
    if (!status && result.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    if (status)
        return status;
    p->cpu_seconds[task] = result.sim.cpu_seconds;
    figure_set_async(setting, &network, NULL, (int)w->row->x[k],
                     is_hot_figure(w->row) ? INNOCENT_LOAD : 1);
    setting->warmup = options.warmup;
    setting->replications = 1;
    if (result.sim.stopped_by == SWQ_STOP_CYCLES)
        keep(w->row, line, &result, &w->cell[task]);
    return SWQ_OK;
}

static swq_status *status_of(void *arg, int task)
{
    return &((const atlas_pile *)arg)->status[task];
}

static double weight_of(void *arg, int task)
{
    const atlas_row *row = ((const atlas_pile *)arg)->w->row;

    return row->line[task / row->xs].kind == ATLAS_WORMHOLE ? 2 : 1;
}

static swq_status run_all(const atlas_work *w)
{
    figure_work *f = w->f;
    const size_t tasks = (size_t)w->row->lines * (size_t)w->row->xs;
    atlas_pile p = {.w = w,
                    .status = swq_calloc(f->ctx, tasks, sizeof *p.status),
                    .cpu_seconds = swq_calloc(f->ctx, tasks, sizeof *p.cpu_seconds)};
    const swq_pile pile = {
        .arg = &p, .tasks = (int)tasks, .run = do_task, .status = status_of, .weight = weight_of};
    swq_status status = p.status && p.cpu_seconds ? SWQ_OK : swq_memory_status(f->ctx);

    if (!status)
        status = swq_pile_run(f->ctx, &pile, f->out->options.threads);
    for (size_t k = 0; k < tasks && p.status && p.cpu_seconds; k++) {
        f->out->runs += !p.status[k];
        f->out->cpu_seconds += p.cpu_seconds[k];
    }
    if (status == SWQ_ECANCELLED && f->out->runs > 0) {
        f->out->cut_short = true;
        status = SWQ_OK;
    }
    swq_free(f->ctx, p.status);
    swq_free(f->ctx, p.cpu_seconds);
    return status;
}

/* ---- drawing ---- */

static void draw(const atlas_work *w)
{
    const bool hot = is_hot_figure(w->row);
    int colour = 0;

    for (int l = 0; l < w->row->lines; l++) {
        const atlas_line *line = &w->row->line[l];
        colour = l > 0 && w->row->line[l - 1].panel == line->panel ? colour + 1 : 0;
        figure_add_curve(w->f, line->name, hot ? "mean latency, tail" : "throughput", line->panel,
                         colour, colour, line->kind == ATLAS_WORMHOLE);
        for (int k = 0; k < w->row->xs; k++) {
            const atlas_cell *cell = &w->cell[l * w->row->xs + k];
            if (!cell->there || isnan(cell->y.mean))
                continue;
            figure_add_point(
                w->f, (swq_figure_point){.origin = hot ? SWQ_AT_LOAD : SWQ_AT_FULL_LOAD,
                                         .x = w->row->x[k],
                                         .asked = w->row->x[k],
                                         .y = cell->y.mean,
                                         .half_width = cell->y.half_width,
                                         .load = hot ? INNOCENT_LOAD : 1,
                                         .throughput = cell->throughput,
                                         .a_node = cell->a_node,
                                         .cycles = cell->cycles,
                                         .setting = &w->f->out->setting[l * w->row->xs + k]});
        }
    }
}

swq_status figure_make_atlas(figure_work *f)
{
    atlas_work w = {.f = f, .row = &atlas_rows[strcmp(f->kind->name, "001.9") != 0]};
    const int cells = w.row->lines * w.row->xs;

    w.cell = swq_calloc(f->ctx, (size_t)cells, sizeof *w.cell);
    swq_status status = w.cell ? SWQ_OK : swq_memory_status(f->ctx);
    if (!status)
        status = figure_room(f, w.row->lines, cells);
    if (!status)
        status = figure_settings(f, cells);
    if (!status)
        status = run_all(&w);
    if (!status) {
        draw(&w);
        atlas_claim(&w);
    }
    swq_free(f->ctx, w.cell);
    return status;
}

/* ---- rows ---- */

#define NINE(panel, ports)                                                                         \
    {"ATLAS", panel, ports, ATLAS_CHIP, 0, 0},                                                     \
        {"ATLAS, round trip 3 cells", panel, ports, ATLAS_SLOW, 0, 0},                             \
        {"ATLAS, FIFOs at nodes", panel, ports, ATLAS_FIFO, 0, 0},                                 \
        {"ATLAS, credits at departure", panel, ports, ATLAS_LATE, 0, 0},                           \
        {"wormhole, 1 lane", panel, ports, ATLAS_WORMHOLE, 1, 0},                                  \
        {"wormhole, 2 lanes", panel, ports, ATLAS_WORMHOLE, 2, 0},                                 \
        {"wormhole, 4 lanes", panel, ports, ATLAS_WORMHOLE, 4, 0},                                 \
        {"wormhole, 8 lanes", panel, ports, ATLAS_WORMHOLE, 8, 0},                                 \
    {                                                                                              \
        "wormhole, 16 lanes", panel, ports, ATLAS_WORMHOLE, 16, 0                                  \
    }
#define TEN(panel, ports, kind)                                                                    \
    {"no hot spot", panel, ports, kind, 0, 0}, {"1 hot spot", panel, ports, kind, 0, 1},           \
    {                                                                                              \
        "2 hot spots", panel, ports, kind, 0, 2                                                    \
    }

const atlas_row atlas_rows[ATLAS_FIGURES] = {
    {"001.9", 18, 7, {1, 2, 4, 8, 16, 32, 64}, {NINE(0, 4), NINE(1, 8)}},
    {"001.10",
     12,
     5,
     {1, 2, 4, 8, 16},
     {TEN(0, 4, ATLAS_CHIP), TEN(1, 4, ATLAS_WORMHOLE), TEN(2, 8, ATLAS_CHIP),
      TEN(3, 8, ATLAS_WORMHOLE)}},
};
