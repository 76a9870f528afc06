/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Document 003's figures and its table of small packets: the networks of their rows, claims and
 * winners from made-up numbers, and a short run.
 */
#include "tests/support/support.h"
#include "validate/figures/bmin_table.h"

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

static bmin_scores scores(void)
{
    bmin_scores s = {.length = {1, 2, 4, 8, 16, 32, 64, 128, 256}};

    for (int m = 0; m < BMIN_MIXES; m++) {
        for (int k = 0; k < BMIN_KINDS; k++)
            s.received[m][k] = (swq_estimate){0.5, 0.01};
    }
    return s;
}

Test(bmin, winners_are_apart)
{
    bmin_scores s = scores();

    bmin_scores_judge(&s);
    cr_assert(!s.best[0][0] && s.loses_from == 0 && s.leads_to == 0);
    s.received[0][0].mean = 0.53; /* separated from the others */
    s.received[1][0].mean = 0.515;
    for (int m = 6; m < 9; m++)
        s.received[m][1].mean = 0.6;
    s.received[4][1].mean = 0.6; /* not from here on, as it is not less at the next length */
    s.received[8][5] = (swq_estimate){NAN, NAN};
    bmin_scores_judge(&s);
    cr_assert(s.best[0][0] && !s.best[1][0] && s.best[6][1] && s.best[8][1] && !s.best[8][5]);
    cr_assert_eq(s.leads_to, 1);
    cr_assert_eq(s.loses_from, 64);
}

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
    swq_context *ctx = test_papers();
    const swq_figure_options o = {.cycles = 40, .seed = 3, .threads = 2};
    swq_sim_options single = swq_sim_defaults();
    swq_async_result result;
    bmin_scores s;

    cr_assert_eq(bmin_scores_run(ctx, &o, &s), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect_eq(s.grid.figure.runs, BMIN_KINDS * BMIN_MIXES - 8);
    for (int m = 0; m < BMIN_MIXES; m++) {
        const bool long_ = m == 7 || m == 8 || m == 9 || m == 11;
        cr_expect_eq(!figure_grid_setting(&s.grid, 2, m), long_);
        cr_expect_eq((bool)isnan(s.received[m][2].mean), long_);
        cr_expect_eq(s.length[m], m < 9 ? 1 << m : 0);
    }
    const swq_figure_setting *fifo = figure_grid_setting(&s.grid, 6, 9);
    single.cycles = 40;
    single.seed = 3;
    single.warmup = s.grid.figure.setting[6 * (BMIN_MIXES + FIGURE_BENDS + 1) + 9].warmup;
    cr_assert_eq(swq_async_run(ctx, &fifo->async, &single, NULL, &result), SWQ_OK);
    cr_expect_eq(result.sim.all.throughput.mean, s.received[9][6].mean);
    figure_grid_clear(ctx, &s.grid);
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
    swq_context_cancel(ctx);
    cr_expect_eq(bmin_scores_run(ctx, &o, &s), SWQ_ECANCELLED);
    figure_grid_clear(ctx, &s.grid);
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
    figure_grid none;
    cr_expect_eq(figure_grid_run(ctx, "no such table", &o, &none), SWQ_EINVAL);
    figure_grid_clear(ctx, &none);
    swq_context_free(ctx);
}

/* ---- a short run ---- */

Test(bmin, a_short_figure_has_it_all)
{
    swq_context *ctx = test_papers();
    swq_figure_options o = swq_figure_defaults(true);
    swq_figure f;

    o.cycles = 40;
    o.threads = 2;
    cr_assert_eq(test_figure(ctx, "003.9", &o, &f), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(f.curves, 12);
    cr_assert_eq(f.claims, 3);
    cr_assert_eq(f.runs, 6 * (11 + 1));
    for (int c = 0; c < f.curves; c++) {
        cr_assert(f.curve[c].points > 5);
        cr_assert(f.curve[c].point[0].setting && f.curve[c].point[0].cycles == 1300);
    }
    test_figure_clear(ctx, &f);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    o.equal_all = true;
    cr_assert_eq(test_figure(ctx, "8.5", &o, &f), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "8.5"), "%s", swq_context_message(ctx));
    swq_context_free(ctx);
}
