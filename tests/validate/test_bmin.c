/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Document 003's figures and its table of small packets: the networks of their rows, claims and
 * winners from made-up numbers, and a short run.
 */
#include "tests/support/support.h"
#include "validate/figures/grid.h"

#include <math.h>

static const char *const figures[] = {"003.7", "003.8", "003.9", "003.10", "003.11", "003.12"};

Test(bmin, all_lines_are_networks_of_equal_memory)
{
    swq_context *ctx = test_papers();

    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
        for (int all = 0; all < 2; all++) {
            swq_figure_kind *kind;
            cr_assert_eq(swq_figure_open(ctx, figures[k], all, &kind), SWQ_OK, "%s",
                         swq_context_message(ctx));
            const swq_figure_plan *plan = kind->plan;
            for (int s = 0; s < plan->lines * (plan->xs + 1); s++) {
                const swq_figure_setting *setting = &plan->setting[s];
                const swq_async *n = &setting->async;
                const char *id = plan->line[s / (plan->xs + 1)].id;
                const bool hipiqs = strncmp(id, "HIPIQS", 6) == 0;
                uint32_t nodes;
                /* 320 flits less those of the crosspoints cannot hold 256 */
                if (!plan->there[s]) {
                    cr_assert(all && hipiqs, "%s, %s", figures[k], id);
                    continue;
                }
                cr_assert_eq(swq_async_check(ctx, n, &nodes), SWQ_OK);
                cr_assert_eq(nodes, n->shape.levels == 2 ? 16 : 64);
                cr_assert_eq(n->architecture.stores.count_all, all && hipiqs);
            }
            swq_figure_close(ctx, kind);
        }
    }
    swq_context_free(ctx);
}

/* In a bit reversal and in a transpose, 4 of 16 nodes, and 8 of 64, are their own destinations. */
Test(bmin, fixed_points_send_nothing)
{
    swq_context *ctx = test_papers();
    swq_figure_kind *kind;
    double each;

    cr_assert_eq(swq_figure_open(ctx, "003.12", false, &kind), SWQ_OK);
    const swq_figure_plan *plan = kind->plan;
    for (int s = 0; s < plan->lines * (plan->xs + 1); s++) {
        const swq_async *n = &plan->setting[s].async;
        cr_assert_eq(figure_nodes_a_sender(ctx, n, &each), SWQ_OK);
        cr_assert_float_eq(each, n->shape.levels == 2 ? 16.0 / 12 : 64.0 / 56, 1e-12, "%s",
                           plan->line[s / (plan->xs + 1)].id);
    }
    swq_figure_close(ctx, kind);
    cr_assert_eq(swq_figure_open(ctx, "003.9", false, &kind), SWQ_OK);
    cr_assert_eq(figure_nodes_a_sender(ctx, &kind->plan->setting[0].async, &each), SWQ_OK);
    cr_assert_eq(each, 1, "all nodes of uniform traffic send");
    swq_figure_close(ctx, kind);
    swq_context_free(ctx);
}

/* ---- claims ---- */

static swq_claim_verdict verdict_of(const swq_figure *f, const char *begins)
{
    for (int k = 0; k < f->claims; k++) {
        if (strncmp(f->claim[k].text, begins, strlen(begins)) == 0)
            return f->claim[k].verdict;
    }
    cr_assert_fail("no claim begins '%s'", begins);
    return SWQ_CLAIM_OPEN;
}

/* The claims of Fig. 9, whose six lines saturate there and receive what is offered until then; the
 * last one receives `less`. */
static void claims_of_9(const double *saturation, double less, swq_figure *out, swq_claim *claim)
{
    static figure_cell cell[6 * 20];
    static swq_context *ctx;
    static swq_figure_kind *kind;
    swq_estimate bisected[6];

    if (!ctx)
        ctx = test_papers();
    if (!kind)
        cr_assert_eq(swq_figure_open(ctx, "003.9", false, &kind), SWQ_OK);
    const swq_figure_plan *plan = kind->plan;
    figure_work f = {
        .ctx = ctx, .out = out, .kind = kind, .plan = plan, .cell = cell, .saturation = bisected};

    *out = (swq_figure){.claim = claim};
    for (int l = 0; l < 6; l++) {
        bisected[l] = (swq_estimate){saturation[l], 0.002};
        for (int k = 0; k < plan->xs; k++) {
            figure_cell *c = &cell[l * figure_columns(plan) + k];
            c->there = true;
            c->value[RECEIVED] =
                (swq_estimate){fmin(plan->x[k], saturation[l]) - (l == 5) * less, 0.001};
        }
    }
    figure_judge_claims(&f);
    cr_assert_eq(f.status, SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(out->claims, 3);
}

Test(bmin, the_scaling_law_holds_within_two_hundredths)
{
    static swq_claim claim[FIGURE_CLAIMS];
    swq_figure f;

    claims_of_9((double[]){0.90, 0.91, 0.915, 0.80, 0.79, 0.79}, 0, &f, claim);
    cr_assert_eq(verdict_of(&f, "5.2.3: a fifth"), SWQ_CLAIM_HOLDS);
    cr_assert_eq(verdict_of(&f, "5.2.3: two fifths"), SWQ_CLAIM_HOLDS);
    cr_assert_eq(verdict_of(&f, "5.2.3: equal received"), SWQ_CLAIM_HOLDS);
    cr_assert(strstr(f.claim[0].measured, "(-0.015)"), "the difference is shown: %s",
              f.claim[0].measured);
    claims_of_9((double[]){0.90, 0.93, 0.96, 0.80, 0.79, 0.79}, 0.03, &f, claim);
    cr_assert_eq(verdict_of(&f, "5.2.3: a fifth"), SWQ_CLAIM_FAILS);
    cr_assert_eq(verdict_of(&f, "5.2.3: two fifths"), SWQ_CLAIM_HOLDS);
    cr_assert_eq(verdict_of(&f, "5.2.3: equal received"), SWQ_CLAIM_IN_PART);
}

/* ---- the table ---- */

/* A chunk takes a turn of the central queue, however full it is: everything that cannot bypass it
 * is slow. */
Test(bmin, small_packets_lose_the_central_queue_its_turns)
{
    swq_context *ctx = test_papers();
    swq_sim_options options = swq_sim_defaults();

    options.cycles = 3000;
    options.warmup = 1000;
    for (int k = 0; k < 2; k++) {
        const char *line = k ? "central queue" : "HIPIQS";
        swq_figure_setting s;
        swq_async_result result;
        cr_assert_eq(figure_setting_open(ctx, "table small-packets", line, 1, &s), SWQ_OK, "%s",
                     swq_context_message(ctx));
        cr_assert_eq(swq_async_run(ctx, &s.async, &options, NULL, &result), SWQ_OK, "%s",
                     swq_context_message(ctx));
        const double received = result.sim.all.throughput.mean;
        cr_assert(k ? received < 0.8 : received > 0.95, "%s: %g", line, received);
    }
    swq_context_free(ctx);
}

/* The cells are those of single runs; some switches have no buffers for long packets. */
Test(bmin, a_short_table_has_its_cells)
{
    enum { CROSSPOINT = 2, FIFO = 6, KINDS = 7, MIXES = 12 };
    swq_context *ctx = test_papers();
    const swq_figure_options o = {.cycles = 40, .seed = 3, .threads = 2};
    swq_sim_options single = swq_sim_defaults();
    swq_async_result result;
    figure_grid g;

    cr_assert_eq(figure_grid_run(ctx, "small-packets", &o, &g), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_expect_eq(g.figure.runs, KINDS * MIXES - 8);
    for (int m = 0; m < MIXES; m++) {
        const bool long_ = m == 7 || m == 8 || m == 9 || m == 11;
        cr_expect_eq(!figure_grid_setting(&g, CROSSPOINT, m), long_);
        cr_expect_eq((bool)isnan(g.value[figure_grid_place(&g, 0, CROSSPOINT, m)].mean), long_);
    }
    const swq_figure_setting *fifo = figure_grid_setting(&g, FIFO, 9);
    single.cycles = 40;
    single.seed = 3;
    single.warmup = g.figure.setting[FIFO * (MIXES + FIGURE_BENDS + 1) + 9].warmup;
    cr_assert_eq(swq_async_run(ctx, &fifo->async, &single, NULL, &result), SWQ_OK);
    cr_expect_eq(result.sim.all.throughput.mean, g.value[figure_grid_place(&g, 0, FIFO, 9)].mean);
    cr_assert_eq(g.figure.claims, 1);
    cr_expect_eq(g.figure.claim[0].holds + g.figure.claim[0].fails + g.figure.claim[0].open, 9);
    figure_grid_clear(ctx, &g);
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
    swq_context_cancel(ctx);
    cr_expect_eq(figure_grid_run(ctx, "small-packets", &o, &g), SWQ_ECANCELLED);
    figure_grid_clear(ctx, &g);
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
    cr_expect_eq(figure_grid_run(ctx, "no such table", &o, &g), SWQ_EINVAL);
    figure_grid_clear(ctx, &g);
    swq_context_free(ctx);
}
