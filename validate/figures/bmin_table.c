/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The switches of document 003 at equal memory, under messages of many lengths and hot spots.
 * Room: validate. Includes base, sim.
 */
#include "validate/figures/bmin_table.h"
#include "base/context.h"

#include <math.h>

const bmin_kind bmin_kinds[BMIN_KINDS] = {
    {"HIPIQS", "hipiqs", NULL},         {"central queue", "central", NULL},
    {"crosspoint", "crosspoint", NULL}, {"multi-buffer", "multi-buffer", NULL},
    {"prizma", "prizma", NULL},         {"DAMQ", "input-queued", "damq"},
    {"FIFO", "input-queued", "fifo"},
};

const bmin_mix bmin_mixes[BMIN_MIXES] = {
    {"1 flit", 1, 1, 0, 0},
    {"2 flits", 2, 2, 0, 0},
    {"4 flits", 4, 4, 0, 0},
    {"8 flits", 8, 8, 0, 0},
    {"16 flits", 16, 16, 0, 0},
    {"32 flits", 32, 32, 0, 0},
    {"64 flits", 64, 64, 0, 0},
    {"128 flits", 128, 128, 0, 0},
    {"256 flits", 256, 256, 0, 0},
    {"1-16, a tenth 256", 1, 16, 0.1, 0},
    {"16 flits, 10% hot", 16, 16, 0, 0.1},
    {"1-16/256, 10% hot", 1, 16, 0.1, 0.1},
};

enum { LONG = 256 };

/* Both lengths, each to all nodes and to the hot node. */
static void mix_types(const bmin_mix *mix, swq_sender_group *group)
{
    const swq_message_type uniform = group->type[0];
    const swq_spread spread[] = {{SWQ_UNIFORM, mix->least, mix->most}, {SWQ_CONSTANT, LONG, 0}};
    const double share[] = {1 - mix->of_256, mix->of_256}, to[] = {1 - mix->hot, mix->hot};

    group->types = 0;
    for (int k = 0; k < 4; k++) {
        if (share[k / 2] * to[k % 2] == 0)
            continue;
        swq_message_type *type = &group->type[group->types++];
        *type = uniform;
        type->probability = share[k / 2] * to[k % 2];
        type->length = spread[k / 2];
        if (k % 2) {
            type->aim = SWQ_AIM_NODE;
            type->value = 0;
        }
    }
}

swq_status bmin_cell_make(swq_context *ctx, const bmin_kind *kind, const bmin_mix *mix, double load,
                          swq_sender_group *group, swq_async *network)
{
    const bmin_line line = {.memory = BMIN_FIFO,
                            .levels = 2,
                            .buffer = BMIN_MEMORY,
                            .message = mix->of_256 > 0 ? LONG : mix->most};
    const swq_buffer_kind *buffer;
    swq_async n;
    swq_status status = bmin_make(ctx, &line, true, load, group, &n);

    if (!status)
        status = swq_architecture_find(ctx, kind->architecture, &n.architecture);
    if (!status && kind->buffer) {
        status = swq_buffer_kind_find(ctx, kind->buffer, &buffer);
        if (!status)
            status = swq_async_buffer(ctx, &n, buffer, BMIN_MEMORY);
    } else if (!status) {
        n.buffer = (swq_buffer){0};
        n.memory = BMIN_MEMORY;
        n.block = n.architecture->chunks ? BMIN_PORTS : 1;
        n.count_all = n.architecture->crosspoints;
        status = swq_selection_find(ctx, "queue", &n.choice);
    }
    if (status)
        return status;
    mix_types(mix, group);
    swq_sender_group_load(&n, group, load);
    *network = n;
    return SWQ_OK;
}

/* ---- the best ---- */

/* Is a below b by more than the intervals? False if either has no number. */
static bool below(swq_estimate a, swq_estimate b)
{
    return a.mean + a.half_width < b.mean - b.half_width;
}

void bmin_scores_judge(bmin_scores *s)
{
    s->loses_from = s->leads_to = 0;
    for (int m = 0; m < BMIN_MIXES; m++) {
        for (int k = 0; k < BMIN_KINDS; k++) {
            s->best[m][k] = !isnan(s->received[m][k].mean);
            for (int other = 0; other < BMIN_KINDS; other++) {
                if (other != k && !isnan(s->received[m][other].mean))
                    s->best[m][k] =
                        s->best[m][k] && below(s->received[m][other], s->received[m][k]);
            }
        }
    }
    for (int m = BMIN_MIXES - 1; m >= 0; m--) {
        const bmin_mix *mix = &bmin_mixes[m];
        if (mix->of_256 > 0 || mix->hot > 0 || mix->least != mix->most)
            continue;
        if (!below(s->received[m][0], s->received[m][1]))
            break;
        s->loses_from = mix->most;
    }
    for (int m = 0; m < BMIN_MIXES; m++) { /* rows with one length come first */
        if (!below(s->received[m][1], s->received[m][0]))
            break;
        s->leads_to = bmin_mixes[m].most;
    }
}

/* ---- runs ---- */

enum { CELLS = BMIN_MIXES * BMIN_KINDS };

/* Do the buffers of a cell's network hold its packets? A buffer per pair is too small for long
 * ones. */
static bool fits(const swq_async *network)
{
    swq_context *aside = swq_context_new(); /* why not is of no interest here */
    uint32_t nodes;
    const bool good = aside && !swq_async_check(aside, network, &nodes);

    swq_context_free(aside);
    return good;
}

static swq_status read_all(swq_context *ctx, const swq_async_point *point, const int *cell,
                           int points, bmin_scores *s)
{
    for (int c = 0; c < CELLS; c++)
        s->received[c / BMIN_KINDS][c % BMIN_KINDS] = (swq_estimate){NAN, NAN};
    for (int k = 0; k < points; k++) {
        const swq_sim_result *r = &point[k].result.sim;
        if (point[k].status || r->stopped_by == SWQ_STOP_INTERRUPTED)
            return swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
        s->runs++;
        s->cpu_seconds += r->cpu_seconds;
        if (r->stopped_by == SWQ_STOP_CYCLES)
            s->received[cell[k] / BMIN_KINDS][cell[k] % BMIN_KINDS] = r->all.throughput;
    }
    return SWQ_OK;
}

swq_status bmin_scores_run(swq_context *ctx, const swq_sim_options *options, int threads,
                           bmin_scores *scores)
{
    swq_async_point *point = swq_calloc(ctx, CELLS, sizeof *point);
    swq_sender_group *group = swq_calloc(ctx, CELLS, sizeof *group);
    int cell[CELLS], points = 0;
    swq_status status = point && group ? SWQ_OK : swq_memory_status(ctx);

    *scores = (bmin_scores){0};
    for (int k = 0; k < CELLS && !status; k++) {
        swq_async_point *p = &point[points];
        p->options = *options;
        status = bmin_cell_make(ctx, &bmin_kinds[k % BMIN_KINDS], &bmin_mixes[k / BMIN_KINDS], 1,
                                &group[k], &p->network);
        if (!status && fits(&p->network))
            cell[points++] = k;
    }
    if (!status)
        status = swq_async_points(ctx, point, points, threads);
    if (!status)
        status = read_all(ctx, point, cell, points, scores);
    swq_free(ctx, group);
    swq_free(ctx, point);
    if (!status)
        bmin_scores_judge(scores);
    return status;
}
