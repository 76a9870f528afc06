/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of chapter 8 as rows, and their runs: every line at every load of the senders but
 * G_NUT's, drawn over the throughput of the whole network.
 * Room: validate. Includes base, sim.
 */
#include "validate/figures/contest.h"
#include "base/context.h"
#include "validate/figures/work.h"

#include <math.h>
#include <string.h>

const double contest_loads[CONTEST_LOADS] = {0,    0.1, 0.2,  0.3, 0.35, 0.4, 0.45, 0.5,
                                             0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 1};

enum { G_NUT = 1, G_0 = 2, G_1 = 4, G_2 = 8 };

#define TWO_COUNTERS TWO_H, TWO_T, TWO_TH, TWO_A, TWO_AH
#define USAGES       DAMQ_B, SAMQ_B, SAFC_B, MU_6, MU_10
#define COMBINED     DST_256, DST_MU_22, DST_SAFC, DST_DAFC

static const contest_row rows[] = {
    {"8.5", "VI", 1, 2, 0, {FIFO_B, DAMQ_B}},
    {"8.7", "I", G_NUT | G_0 | G_1 | G_2, 1, 0, {FIFO_B}},
    {"8.8", "I", G_NUT | G_0 | G_1 | G_2, 1, 1, {DAMQ_B, FIFO_B}},
    {"8.9", "I", G_0, 5, 0, {USAGES}},
    {"8.10", "I", G_0, 5, 1, {TWO_COUNTERS, MU_6}},
    {"8.11", "I", G_0, 2, 2, {DST, PATH, DAMQ_B, MU_10}},
    {"8.13", "II", G_NUT | G_0, 2, 0, {FIFO_B, DAMQ_B}},
    {"8.14", "II", G_0, 5, 0, {USAGES}},
    {"8.15", "II", G_0, 5, 0, {TWO_COUNTERS}},
    {"8.16", "II", G_0, 2, 1, {DST, PATH, DAMQ_B}},
    {"8.18", "III", G_NUT | G_0, 2, 0, {FIFO_B, DAMQ_B}},
    {"8.19", "III", G_0, 5, 0, {USAGES}},
    {"8.20", "III", G_0, 5, 2, {TWO_COUNTERS, MU_6, MU_10}},
    {"8.21", "III", G_0, 2, 2, {DST, PATH, DAMQ_B, MU_10}},
    {"8.23", "IV", G_NUT | G_0 | G_1 | G_2, 1, 0, {DAMQ_B}},
    {"8.24", "IV", G_0, 5, 0, {USAGES}},
    {"8.25", "IV", G_0, 5, 1, {TWO_COUNTERS, MU_6}},
    {"8.26", "IV", G_0, 2, 1, {DST, PATH, MU_10}},
    {"8.27", "V", G_NUT | G_0, 2, 0, {FIFO_B, DAMQ_B}},
    {"8.28", "V", G_0, 5, 0, {USAGES}},
    {"8.29", "V", G_0, 5, 1, {TWO_COUNTERS, MU_10}},
    {"8.30", "V", G_0, 2, 1, {DST, PATH, MU_10}},
    {"8.31", "VI", 1, 9, 1, {SAMQ_B, SAFC_B, MU_6, MU_10, TWO_COUNTERS, DAMQ_B}},
    {"8.32", "VI", 1, 2, 1, {DST, PATH, DAMQ_B}},
    {"8.33", "I", G_0, 4, 0, {COMBINED}},
    {"8.34", "II", G_0, 4, 0, {COMBINED}},
    {"8.35", "III", G_0, 5, 0, {COMBINED, MU_22_256}},
    {"8.36", "IV", G_0, 4, 0, {COMBINED}},
    {"8.37", "V", G_0, 4, 0, {COMBINED}},
    {"8.38",
     "VI",
     1,
     7,
     3,
     {COMBINED, MU_22_256, DAMQ_B_256, SAFC_B_256, NACK_MU_22, NACK_SAFC, NACK_DAFC}},
    {"8.39", "VI", 1, 5, 0, {SAFC_B_256, SAMQ_B_256, DST_SAFC, DST_DAFC, DST_SAMQ}},
    {"8.40",
     "VI",
     1,
     7,
     0,
     {DAMQ_B_256, DST_256, DST_X, DST_SAFC, DST_X_SAFC, DST_DAFC, DST_X_DAFC}},
    {"8.43", "VI", 1, 4, 0, {DST_NONE, DST_ABORT, DST_RETRY, DST}},
    {"8.44", "II", G_0, 4, 0, {DST_NONE, DST_ABORT, DST_RETRY, DST}},
};

const contest_row *contest_row_of(const char *figure)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (strcmp(rows[k].figure, figure) == 0)
            return &rows[k];
    }
    return NULL;
}

/* ---- runs ---- */

swq_status contest_point_make(swq_context *ctx, const contestant *row, const char *benchmark,
                              double load, const swq_sim_options *options, contest_point *p)
{
    const swq_benchmark *named;
    swq_async *n = &p->run.network;
    swq_fabric f;

    swq_status status = swq_benchmark_find(ctx, benchmark, &named);
    if (!status)
        status = contestant_make(ctx, row, n);
    if (!status)
        status = swq_benchmark_make(ctx, named, n, load, &p->groups);
    if (status)
        return status;
    n->group = p->groups.group;
    n->groups = p->groups.groups;
    p->run.options = *options;
    if (p->groups.hot_link == SWQ_NO_WHERE)
        return SWQ_OK;
    status = swq_fabric_count(ctx, &n->shape, &f);
    if (!status)
        status = swq_detail_new(ctx, f.nodes, (size_t)f.switches * (size_t)f.ports,
                                SWQ_DETAIL_LINKS, &p->detail);
    p->run.options.detail = &p->detail;
    return status;
}

void contest_point_read(const contest_point *p, contest_cell *c)
{
    const swq_sim_result *r = &p->run.result.sim;
    const swq_estimate none = {NAN, NAN};
    const bool grouped = p->groups.groups > 1;

    *c = (contest_cell){.there = true,
                        .total = r->all.throughput,
                        .total_latency = r->all.latency,
                        .hot = none,
                        .cycles = r->cycles * (uint64_t)r->replications,
                        .a_node = (double)r->all.delivered / r->nodes};
    for (int g = 0; g < CONTEST_GROUPS; g++) {
        const bool has = g < p->groups.groups;
        c->throughput[g] = !has ? none : grouped ? r->by_group[g].throughput : r->all.throughput;
        c->latency[g] = !has ? none : grouped ? r->by_group[g].latency : r->all.latency;
    }
    if (p->groups.hot_link != SWQ_NO_WHERE)
        c->hot = p->detail.link[p->groups.hot_link].utilisation;
}

void contest_setting(const contest_point *p, const contestant *row, const char *benchmark,
                     double load, swq_figure_setting *s)
{
    figure_set_async(s, &p->run.network, row->buffer, row->bytes, load);
    s->benchmark = benchmark;
    s->warmup = p->run.result.sim.warmup;
    s->replications = p->run.result.sim.replications;
}

/* All lines at all loads; a line whose flow control does not exist is left out. */
static swq_status make_points(const contest *c, contest_point *point, int *to, int *points)
{
    const contest_row *row = c->row;
    swq_sim_options options = figure_async_options(c->f);
    swq_status status = SWQ_OK;

    *points = 0;
    if (options.warmup == SWQ_WARMUP_AUTO)
        options.warmup = CONTEST_WARMUP;
    for (int l = 0; l < row->lines + row->more; l++) {
        const bool there = contestant_there(&contestants[row->line[l]]);
        for (int k = 0; k < CONTEST_LOADS && !status && there; k++) {
            to[*points] = l * CONTEST_LOADS + k;
            status = contest_point_make(c->f->ctx, &contestants[row->line[l]], row->benchmark,
                                        contest_loads[k], &options, &point[(*points)++]);
        }
    }
    return status;
}

swq_status contest_points_run(swq_context *ctx, contest_point *point, int points, int threads)
{
    swq_async_point *run = swq_calloc(ctx, (size_t)points + 1, sizeof *run);

    if (!run)
        return swq_memory_status(ctx);
    for (int k = 0; k < points; k++)
        run[k] = point[k].run;
    swq_status status = points ? swq_async_points(ctx, run, points, threads) : SWQ_OK;
    for (int k = 0; k < points; k++)
        point[k].run = run[k];
    swq_free(ctx, run);
    return status == SWQ_ECANCELLED ? SWQ_OK : status;
}

static swq_status run_points(const contest *c, contest_point *point, const int *to, int points)
{
    figure_work *f = c->f;
    swq_status status = contest_points_run(f->ctx, point, points, f->out->options.threads);

    for (int k = 0; k < points && !status; k++) {
        const swq_sim_result *r = &point[k].run.result.sim;
        if (point[k].run.status || r->stopped_by == SWQ_STOP_INTERRUPTED) {
            f->out->cut_short = true;
            continue;
        }
        f->out->runs++;
        f->out->cpu_seconds += r->cpu_seconds;
        if (r->stopped_by != SWQ_STOP_CYCLES)
            continue;
        contest_point_read(&point[k], &c->cell[to[k]]);
        contest_setting(&point[k], &contestants[c->row->line[to[k] / CONTEST_LOADS]],
                        c->row->benchmark, contest_loads[to[k] % CONTEST_LOADS],
                        &f->out->setting[to[k]]);
    }
    return status;
}

/* ---- drawing ---- */

static const char *const group_names[] = {"G_NUT", "G_0", "G_1", "G_2"};

static const char *curve_name(const contest_row *row, int line, int group)
{
    const contestant *c = &contestants[row->line[line]];
    const bool several = (row->groups & (row->groups - 1)) != 0;

    if (!several)
        return c->name;
    return row->lines > 1 && group < 2 ? c->of_group[group] : group_names[group % CONTEST_GROUPS];
}

static void draw_line(const contest *c, int line, int group, int panel, bool latency, int colour)
{
    static const char *const quantity[] = {"throughput", "mean latency"};

    figure_add_curve(c->f, curve_name(c->row, line, group), quantity[latency], panel, colour,
                     colour, false);
    for (int k = 0; k < CONTEST_LOADS; k++) {
        const contest_cell *cell = &c->cell[line * CONTEST_LOADS + k];
        const swq_estimate y = latency ? cell->latency[group] : cell->throughput[group];
        if (!cell->there || isnan(y.mean))
            continue;
        figure_add_point(c->f, (swq_figure_point){
                                   .origin = k + 1 < CONTEST_LOADS ? SWQ_AT_LOAD : SWQ_AT_FULL_LOAD,
                                   .x = cell->total.mean,
                                   .asked = k + 1 < CONTEST_LOADS ? contest_loads[k] : NAN,
                                   .y = y.mean,
                                   .half_width = y.half_width,
                                   .load = contest_loads[k],
                                   .throughput = cell->total,
                                   .a_node = cell->a_node,
                                   .cycles = cell->cycles,
                                   .setting = &c->f->out->setting[line * CONTEST_LOADS + k]});
    }
}

static void draw(const contest *c)
{
    const int panels = c->f->kind->panels;

    for (int panel = 0; panel < panels; panel++) {
        int colour = 0;
        for (int l = 0; l < c->row->lines; l++) {
            for (int g = 0; g < CONTEST_GROUPS; g++) {
                if (c->row->groups & 1u << g)
                    draw_line(c, l, g, panel, panel + 1 == panels, colour++);
            }
        }
    }
}

static swq_status make(figure_work *f)
{
    contest c = {.f = f, .row = contest_row_of(f->kind->name)};
    const size_t lines = (size_t)c.row->lines + (size_t)c.row->more, all = lines * CONTEST_LOADS;
    contest_point *point = swq_calloc(f->ctx, all, sizeof *point);
    int *to = swq_calloc(f->ctx, all, sizeof *to), points = 0;
    const int curves = c.row->lines * CONTEST_GROUPS * 2;

    c.cell = swq_calloc(f->ctx, all, sizeof *c.cell);
    swq_status status = point && to && c.cell ? SWQ_OK : swq_memory_status(f->ctx);
    if (!status)
        status = figure_room(f, curves, curves * CONTEST_LOADS);
    if (!status)
        status = figure_settings(f, (int)all);
    if (!status)
        status = make_points(&c, point, to, &points);
    if (!status)
        status = run_points(&c, point, to, points);
    if (!status && f->out->cut_short && f->out->runs == 0)
        status = swq_fail(f->ctx, SWQ_ECANCELLED, "interrupted before the first run was finished");
    if (!status) {
        draw(&c);
        contest_claim(&c);
    }
    for (int k = 0; k < points; k++)
        swq_detail_clear(f->ctx, &point[k].detail);
    swq_free(f->ctx, point);
    swq_free(f->ctx, to);
    swq_free(f->ctx, c.cell);
    return status;
}

/* ---- the table of figures ---- */

static const swq_figure_plan plan = {
    .make = make,
    .longer = 10,
    .jointly = figure_chapter_6,
};

#define SETTING                                                                                    \
    "256-node omega of 4x4 switches, packets of 32 bytes; " FIGURE_SIMULATOR                       \
    "; a sender's intervals begin when its link has rested"

#define CONTEST(name_, section_, title_, latency_most_)                                            \
    {                                                                                              \
        .name = (name_), .title = (title_), .section = (section_), .setting = SETTING,             \
        .panels = 2, .x_most = 0.8, .plan = &plan,                                                 \
        .panel = {{"a", "throughput", "throughput of a group's senders", 1},                       \
                  {"b", "latency", "mean latency of a group (clock cycles)", (latency_most_)}},    \
    }
#define UNIFORM(name_, section_, title_)                                                           \
    {                                                                                              \
        .name = (name_), .title = (title_), .section = (section_), .setting = SETTING,             \
        .panels = 1, .x_most = 0.85, .plan = &plan,                                                \
        .panel = {{"", "", "mean latency (clock cycles)", 700}},                                   \
    }

const swq_figure_kind swq_figures_8[CONTEST_FIGURES] = {
    UNIFORM("8.5", "8.5.2", "Uniform traffic: FIFO and DAMQ buffers"),
    CONTEST("8.7", "8.5.4", "Benchmark I: FIFO buffers, blocking", 2500),
    CONTEST("8.8", "8.5.4", "Benchmark I: DAMQ buffers, blocking", 1200),
    CONTEST("8.9", "8.5.4", "Benchmark I: maximum usage and static buffers, G_0", 1000),
    CONTEST("8.10", "8.5.4", "Benchmark I: two-counter flow control, G_0", 1000),
    CONTEST("8.11", "8.5.4", "Benchmark I: destination- and path-based flow control, G_0", 1000),
    CONTEST("8.13", "8.5.5", "Benchmark II: FIFO and DAMQ buffers, blocking", 2000),
    CONTEST("8.14", "8.5.5", "Benchmark II: maximum usage and static buffers, G_0", 1500),
    CONTEST("8.15", "8.5.5", "Benchmark II: two-counter flow control, G_0", 1500),
    CONTEST("8.16", "8.5.5", "Benchmark II: destination- and path-based flow control, G_0", 1500),
    CONTEST("8.18", "8.5.6", "Benchmark III: FIFO and DAMQ buffers, blocking", 2000),
    CONTEST("8.19", "8.5.6", "Benchmark III: maximum usage and static buffers, G_0", 1000),
    CONTEST("8.20", "8.5.6", "Benchmark III: two-counter flow control, G_0", 1000),
    CONTEST("8.21", "8.5.6", "Benchmark III: destination- and path-based flow control, G_0", 1000),
    CONTEST("8.23", "8.5.7", "Benchmark IV: DAMQ buffers, blocking", 2000),
    CONTEST("8.24", "8.5.7", "Benchmark IV: maximum usage and static buffers, G_0", 1000),
    CONTEST("8.25", "8.5.7", "Benchmark IV: two-counter flow control, G_0", 1000),
    CONTEST("8.26", "8.5.7", "Benchmark IV: destination- and path-based flow control, G_0", 1000),
    CONTEST("8.27", "8.5.8", "Benchmark V: FIFO and DAMQ buffers, blocking", 1000),
    CONTEST("8.28", "8.5.8", "Benchmark V: maximum usage and static buffers, G_0", 1000),
    CONTEST("8.29", "8.5.8", "Benchmark V: two-counter flow control, G_0", 1000),
    CONTEST("8.30", "8.5.8", "Benchmark V: destination- and path-based flow control, G_0", 1000),
    UNIFORM("8.31", "8.5.9", "Benchmark VI: maximum usage, static buffers, two-counter"),
    UNIFORM("8.32", "8.5.9", "Benchmark VI: destination- and path-based flow control"),
    CONTEST("8.33", "8.5.10", "Benchmark I: combined flow controls, 256 bytes, G_0", 1000),
    CONTEST("8.34", "8.5.10", "Benchmark II: combined flow controls, 256 bytes, G_0", 1500),
    CONTEST("8.35", "8.5.10", "Benchmark III: combined flow controls, 256 bytes, G_0", 1000),
    CONTEST("8.36", "8.5.10", "Benchmark IV: combined flow controls, 256 bytes, G_0", 1000),
    CONTEST("8.37", "8.5.10", "Benchmark V: combined flow controls, 256 bytes, G_0", 1000),
    UNIFORM("8.38", "8.5.10", "Benchmark VI: combined flow controls, 256 bytes"),
    UNIFORM("8.39", "8.5.10", "Benchmark VI: destination-based with SAMQ buffers, 256 bytes"),
    UNIFORM("8.40", "8.5.10", "Benchmark VI: destination-based in the first three stages alone"),
    UNIFORM("8.43", "8.6.3", "Benchmark VI: abortive transmissions and restricted retry"),
    CONTEST("8.44", "8.6.3", "Benchmark II: abortive transmissions and restricted retry, G_0",
            1500),
};
