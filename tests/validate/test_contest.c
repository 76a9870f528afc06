/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chapter 8's figures: rows and claims fit together, claims read what they say off cells that are
 * made up, and a figure's points are those of the network by itself.
 */
#include "base/context.h"
#include "cli/figures/paper.h"
#include "tests/support/support.h"
#include "validate/figures/grid.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(contest, .timeout = 240);

static swq_context *ctx;
static swq_figure out;
static swq_claim claims[FIGURE_CLAIMS];
static swq_figure_kind *kind;
static figure_cell cells[10 * 20];

static swq_estimate exactly(double mean)
{
    return (swq_estimate){mean, 1e-9};
}

/* Opens a figure, all of whose lines are the same: throughputs that grow with the load, latencies
 * that grow without limit. */
static void fill(const char *figure)
{
    if (!ctx)
        ctx = test_papers();
    swq_figure_close(ctx, kind);
    cr_assert_eq(swq_figure_open(ctx, figure, false, &kind), SWQ_OK, "%s",
                 swq_context_message(ctx));
    const int columns = figure_columns(kind->plan), xs = kind->plan->xs;
    cr_assert_leq(kind->plan->lines * columns, 200);
    memset(cells, 0, sizeof cells);
    for (int k = 0; k < kind->plan->lines * columns; k++) {
        const int column = k % columns;
        const double load = column < xs ? kind->plan->x[column] : 1;
        figure_cell *c = &cells[k];
        if (column >= xs && column + 1 < columns)
            continue;
        *c = (figure_cell){.there = true, .throughput = exactly(load)};
        c->value[THROUGHPUT] = exactly(load);
        c->value[MEAN_ALL] = exactly(30 + 100 * load);
        c->value[HOT_LINK] = exactly(0.5);
        for (int g = 0; g < 4; g++) {
            c->value[GROUP_THROUGHPUT + g] = exactly(load / (g + 1));
            c->value[GROUP_LATENCY + g] = exactly(30 + 100 * load);
        }
    }
}

static void state(void)
{
    figure_work f = {.ctx = ctx, .kind = kind, .plan = kind->plan, .out = &out, .cell = cells};

    out = (swq_figure){.claim = claims};
    figure_judge_claims(&f);
    cr_assert_eq(f.status, SWQ_OK, "%s", swq_context_message(ctx));
}

static const swq_claim *claim_of(const char *begins)
{
    for (int k = 0; k < out.claims; k++) {
        if (strncmp(claims[k].text, begins, strlen(begins)) == 0)
            return &claims[k];
    }
    cr_assert_fail("no claim '%s'", begins);
    return NULL;
}

static void expect(const char *begins, swq_claim_verdict verdict)
{
    const swq_claim *claim = claim_of(begins);
    cr_assert_eq(claim->verdict, verdict, "%s: %s", claim->text, claim->measured);
}

/* A claim about a line that the figure does not have, or a group that the benchmark does not have,
 * would silently have no effect. */
Test(contest, every_claim_reads_a_line_of_its_figure)
{
    for (int k = 0; cli_paper_figures[k]; k++) {
        int made = 0, comparisons = 0;
        if (cli_paper_figures[k]->name[0] != '8')
            continue;
        fill(cli_paper_figures[k]->name);
        state();
        cr_assert(out.claims > 0 && out.claims < FIGURE_CLAIMS, "%s", kind->name);
        for (int c = 0; c < out.claims; c++) {
            made += claims[c].holds + claims[c].fails + claims[c].open;
            comparisons += kind->plan->claim[c].comparisons;
            cr_assert(*claims[c].criterion && strlen(claims[c].text) > 10);
        }
        cr_assert_eq(made, comparisons, "%s: %d of %d", kind->name, made, comparisons);
    }
}

static figure_cell *cell_of(int line, double load)
{
    const swq_figure_plan *plan = kind->plan;
    int k = 0;

    while (k < plan->xs && plan->x[k] != load)
        k++;
    return &cells[line * figure_columns(plan) + (k < plan->xs ? k : plan->xs + FIGURE_BENDS)];
}

Test(contest, claims_read_what_they_say)
{
    fill("8.8");
    figure_cell *end = cell_of(0, 1);
    end->value[GROUP_THROUGHPUT + 3] = exactly(0.58);
    end->value[GROUP_THROUGHPUT + 1] = exactly(0.28);
    end->value[HOT_LINK] = exactly(0.94);
    state();
    expect("8.5.4: DAMQ: G_2 is limited", SWQ_CLAIM_HOLDS);
    expect("8.5.4: DAMQ: G_0 only reaches", SWQ_CLAIM_HOLDS);
    expect("8.5.4: DAMQ: the hot link", SWQ_CLAIM_HOLDS);
    end->value[GROUP_THROUGHPUT + 1] = exactly(0.29);
    end->value[GROUP_THROUGHPUT + 3] = exactly(0.56);
    state();
    expect("8.5.4: DAMQ: G_2 is limited", SWQ_CLAIM_FAILS);
    expect("8.5.4: DAMQ: G_0 only reaches", SWQ_CLAIM_FAILS);

    /* where G_2's latency is 39, nine tenths of the way from load 0 to load 0.1 */
    cell_of(0, 0)->value[GROUP_LATENCY + 1] = exactly(100);
    cell_of(0, 0.1)->value[GROUP_LATENCY + 1] = exactly(211);
    state();
    expect("8.5.4: where G_2's latency", SWQ_CLAIM_HOLDS);
    cr_assert(strstr(claim_of("8.5.4: where G_2's latency")->measured, "199.9"));
}

Test(contest, peaks_and_ends_are_told_apart)
{
    fill("8.18");
    cell_of(1, 0.5)->value[GROUP_THROUGHPUT + 1] = exactly(0.36);
    for (int k = 0; k <= kind->plan->xs; k++) {
        const double load = k < kind->plan->xs ? kind->plan->x[k] : 1;
        if (load != 0.5)
            cell_of(1, load)->value[GROUP_THROUGHPUT + 1] = exactly(0.2);
    }
    state();
    expect("8.5.6: DAMQ: G_0's throughput saturates at 0.36", SWQ_CLAIM_HOLDS);
    expect("8.5.6: ... and drops", SWQ_CLAIM_HOLDS);
    cell_of(1, 1)->value[GROUP_THROUGHPUT + 1] = exactly(0.36);
    state();
    expect("8.5.6: ... and drops", SWQ_CLAIM_OPEN);
}

/* The footnote: throughput times 256 destinations times latency, over 32 bytes. */
Test(contest, packets_in_the_network)
{
    fill("8.38");
    figure_cell *end = cell_of(6, 1);
    end->value[THROUGHPUT] = exactly(0.64);
    end->value[MEAN_ALL] = exactly(1445 * 32 / 256.0 / 0.64);
    state();
    expect("8.5.10: SAFC, blocking: 1,445", SWQ_CLAIM_HOLDS);
    end->value[MEAN_ALL] = exactly(1.07 * 1445 * 32 / 256.0 / 0.64);
    state();
    expect("8.5.10: SAFC, blocking: 1,445", SWQ_CLAIM_FAILS);
}

/* Chapter 8 has the simulator of chapter 6 (8.5.1): the same switch, whichever chapter has it. */
Test(contest, one_simulator_for_both_chapters)
{
    static const char *const same[] = {"FIFO", "SAMQ", "SAFC", "DAMQ"};

    ctx = test_papers();
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        swq_figure_setting eight, six;
        char line[16];
        snprintf(line, sizeof line, "%s 256", same[k]);
        cr_assert_eq(figure_setting_open(ctx, "table benchmarks", same[k], 1, &eight), SWQ_OK);
        cr_assert_eq(figure_setting_open(ctx, "6.1", line, 0, &six), SWQ_OK);
        const swq_async *a = &six.async, *b = &eight.async;
        cr_assert_eq(a->arbiter.row, b->arbiter.row);
        cr_assert_eq(a->memory.release, b->memory.release);
        cr_assert_eq(a->packet.block, b->packet.block, "%s", line);
        cr_assert_eq(a->memory.buffer.capacity, b->memory.buffer.capacity, "%s", line);
        cr_assert(a->link.hop_delay == b->link.hop_delay && a->link.rest == b->link.rest);
        cr_assert_eq(a->shape.wiring, b->shape.wiring);
    }
    swq_context_free(ctx);
}

Test(contest, a_figure_has_the_points_of_its_networks)
{
    swq_figure_options options = swq_figure_defaults(true);
    swq_figure f = {0}, again = {0};
    swq_async_result r;

    ctx = test_papers();
    options.cycles = 50;
    cr_assert_eq(swq_figure_open(ctx, "8.7", false, &kind), SWQ_OK);
    cr_assert_eq(swq_figure_run(ctx, kind, &options, &f), SWQ_OK, "%s", swq_context_message(ctx));
    options.threads = 2;
    cr_assert_eq(swq_figure_run(ctx, kind, &options, &again), SWQ_OK);
    cr_assert_eq(f.runs, kind->plan->xs + 1);
    cr_assert_eq(f.curves, 8);
    swq_sim_options o = swq_sim_defaults();
    o.cycles = o.warmup = 500;
    int half = 0;
    while (kind->plan->x[half] != 0.5)
        half++;
    const swq_figure_setting *fifo = figure_plan_setting(kind, "FIFO", half);
    cr_assert(fifo && strcmp(fifo->benchmark, "I") == 0);
    cr_assert_str_eq(fifo->async.arbiter.row->name, "advancing");
    cr_assert_eq(swq_async_run(ctx, &fifo->async, &o, NULL, &r), SWQ_OK);
    for (int c = 0; c < f.curves; c++) {
        cr_assert_eq(f.curve[c].points, again.curve[c].points);
        for (int k = 0; k < f.curve[c].points; k++) {
            const swq_figure_point *at = &f.curve[c].point[k];
            cr_assert_eq(at->y, again.curve[c].point[k].y, "threads");
            if (at->load != 0.5)
                continue;
            const int group = c % 4;
            cr_assert_eq(at->x, r.sim.all.throughput.mean);
            cr_assert_eq(at->y, c < 4 ? r.sim.by_group[group].throughput.mean
                                      : r.sim.by_group[group].latency.mean);
        }
    }
    swq_figure_clear(ctx, &f);
    swq_figure_clear(ctx, &again);
    swq_context_cancel(ctx);
    cr_assert_eq(swq_figure_run(ctx, kind, &options, &f), SWQ_ECANCELLED);
    swq_context_free(ctx);
}

/* ---- the table of all on all ---- */

Test(contest, innocent_are_weighed_by_their_senders)
{
    const swq_benchmark_groups groups = {.groups = 3, .nut = true, .members = {4, 12, 48}};
    const swq_flow_result of_group[] = {
        {.throughput = {0.9, 0.1}}, {.throughput = {0.2, 0.01}}, {.throughput = {0.5, 0.02}}};
    swq_estimate e = figure_innocent(&groups, of_group);

    cr_assert_float_eq(e.mean, (12 * 0.2 + 48 * 0.5) / 60, 1e-12);
    cr_assert_float_eq(e.half_width, (12 * 0.01 + 48 * 0.02) / 60, 1e-12);
}

/* A winner must be separated from all others with as much memory, and only from these. */
Test(contest, winners_are_marked_where_intervals_part)
{
    enum { LINES = 4, COLUMNS = 4 };
    swq_figure_setting setting[LINES * (COLUMNS + 1)] = {0};
    bool there[LINES * (COLUMNS + 1)], best[2 * LINES * COLUMNS] = {0};
    figure_value_row value[] = {{.better = -1, .last = COLUMNS - 1},
                                {.better = 1, .last = COLUMNS - 1}};
    const swq_figure_plan plan = {.lines = LINES,
                                  .xs = COLUMNS,
                                  .value = value,
                                  .values = 2,
                                  .setting = setting,
                                  .there = there};
    swq_figure_kind of_plan = {.plan = &plan};
    swq_estimate e[2 * LINES * COLUMNS];
    figure_grid g = {.kind = &of_plan, .value = e, .best = best};

    for (int line = 0; line < LINES; line++) {
        for (int k = 0; k <= COLUMNS; k++) {
            setting[line * (COLUMNS + 1) + k].memory = line == 2 ? 256 : 128;
            there[line * (COLUMNS + 1) + k] = true;
        }
        for (int k = 0; k < COLUMNS; k++) {
            e[figure_grid_place(&g, 0, line, k)] =
                (swq_estimate){0.1 * (line + 1), k == 1 ? 0.06 : 0.04};
            e[figure_grid_place(&g, 1, line, k)] = (swq_estimate){0.5 + 0.1 * line, 0.04};
        }
    }
    e[figure_grid_place(&g, 0, 3, 2)] = (swq_estimate){NAN, NAN};
    e[figure_grid_place(&g, 0, 0, 3)] = (swq_estimate){NAN, NAN};
    figure_grid_judge(&g);
    for (int k = 0; k < COLUMNS; k++) {
        cr_assert_eq(best[figure_grid_place(&g, 0, 0, k)], k != 1 && k != 3, "%d", k);
        cr_assert_eq(best[figure_grid_place(&g, 0, 1, k)], k == 3, "%d", k);
        cr_assert(best[figure_grid_place(&g, 0, 2, k)], "alone with its memory");
        cr_assert_not(best[figure_grid_place(&g, 0, 3, k)]);
        cr_assert(best[figure_grid_place(&g, 1, 3, k)] && best[figure_grid_place(&g, 1, 2, k)]);
        cr_assert_not(best[figure_grid_place(&g, 1, 0, k)] || best[figure_grid_place(&g, 1, 1, k)]);
    }
}

/* A table of one's own: its sums, the part of its columns that a value has, and mistakes. */
Test(contest, a_table_of_a_file)
{
    static const char head[] =
        "table: mine\ntitle: t\nx: {over: cells, at: [1, 2]}\ncells: [two ports, four ports]\n"
        "set: {topology: switch, flow: discard, ports: [2, 4], load: 1, buffer: fifo}\n"
        "lines: {A: {slots: 2}, B: {slots: 4}}\nvalues:\n";
    static const char *const wrong[][2] = {
        {"  - {is: 1}\n", "key"},
        {"  - {key: throughput, is: 1, best: good}\n", "best"},
        {"  - {key: throughput, is: lateness($line)}\n", "there"},
        {"  - {key: throughput, wide: 1, is: 1}\n", "wide"}};
    const swq_figure_options o = {.cycles = 2000, .seed = 1, .threads = 1};
    char folder[] = "/tmp/switchq-table-XXXXXX", path[60];
    swq_context *own = test_papers();
    figure_grid g;

    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/mine.yaml", folder);
    FILE *file = fopen(path, "w");
    fprintf(file, "%s%s", head,
            "  - {key: throughput, is: throughput($line), best: most}\n"
            "  - {key: innocent_loss, from: 2, is: \"1 - throughput($line) / throughput($line, "
            "1)\"}\n");
    fclose(file);
    cr_assert_eq(figure_grid_run(own, path, &o, &g), SWQ_OK, "%s", swq_context_message(own));
    const double two = g.value[figure_grid_place(&g, 0, 0, 0)].mean,
                 four = g.value[figure_grid_place(&g, 0, 0, 1)].mean;
    cr_expect_float_eq(two, 0.75, 0.03); /* Karol, Hluchyj and Morgan (1987) */
    cr_expect_float_eq(four, 0.65524, 0.03);
    cr_expect_eq(g.value[figure_grid_place(&g, 1, 0, 1)].mean, 1 - four / two);
    cr_expect(isnan(g.value[figure_grid_place(&g, 1, 0, 0)].mean));
    figure_grid_clear(own, &g);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        file = fopen(path, "w");
        fprintf(file, "%s%s", head, wrong[k][0]);
        fclose(file);
        cr_expect_eq(figure_grid_run(own, path, &o, &g), SWQ_EINVAL, "%s", wrong[k][0]);
        cr_expect(strstr(swq_context_message(own), wrong[k][1]), "%s", swq_context_message(own));
        figure_grid_clear(own, &g);
    }
    unlink(path);
    rmdir(folder);
    cr_expect_eq(swq_context_live_blocks(own), 0);
    swq_context_free(own);
}
