/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Document 003's figures and its table of small packets: the networks of their rows, claims and
 * winners from made-up numbers, and a short run.
 */
#include "tests/support/support.h"
#include "validate/figures/bmin_table.h"
#include "validate/figures/contest.h"

static const char *const figures[] = {"003.7", "003.8", "003.9", "003.10", "003.11", "003.12"};

Test(bmin, all_lines_are_networks_of_equal_memory)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < BMIN_FIGURES; k++) {
        const bmin_row *row = bmin_row_of(figures[k]);
        cr_assert(row && row->drawn <= row->lines && row->lines <= BMIN_LINES);
        cr_assert_str_eq(swq_figures_003[k].name, figures[k]);
        for (int l = 0; l < row->lines; l++) {
            for (int all = 0; all < 2; all++) {
                swq_sender_group group;
                swq_async network;
                uint32_t nodes;
                cr_assert_eq(bmin_make(ctx, &row->line[l], all, 0.5, &group, &network), SWQ_OK);
                /* 320 flits less those of the crosspoints cannot hold 256 */
                const bool small =
                    all && row->line[l].memory == BMIN_HIPIQS &&
                    row->line[l].buffer <
                        140 + (row->line[l].packet ? row->line[l].packet : row->line[l].message);
                cr_assert_eq(swq_async_check(ctx, &network, &nodes), small ? SWQ_EINVAL : SWQ_OK,
                             "%s, line %d: %s", figures[k], l, swq_context_message(ctx));
                if (small)
                    continue;
                cr_assert_eq(nodes, row->line[l].levels == 2 ? 16 : 64);
                cr_assert_eq(network.count_all, all && row->line[l].memory == BMIN_HIPIQS);
            }
        }
    }
    cr_assert_null(bmin_row_of("8.7"));
    swq_context_free(ctx);
}

Test(bmin, fixed_points_send_nothing)
{
    static const bmin_line line = {
        .memory = BMIN_FIFO, .levels = 2, .buffer = 640, .message = 64, .pattern = "transpose"};
    swq_context *ctx = swq_context_new();
    swq_sender_group group;
    swq_async network;
    double each;

    cr_assert_eq(bmin_make(ctx, &line, false, 0.5, &group, &network), SWQ_OK);
    cr_assert_eq(bmin_senders(ctx, &network, &each), SWQ_OK);
    cr_assert_float_eq(each, 16.0 / 12, 1e-12);
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
    static bmin_result result[6];
    figure_work f = {.out = out, .kind = &swq_figures_003[2]};
    const bmin b = {.f = &f, .row = bmin_row_of("003.9"), .result = result};

    *out = (swq_figure){.claim = claim};
    for (int l = 0; l < 6; l++) {
        result[l].saturation = (swq_estimate){saturation[l], 0.002};
        for (int k = 0; k < BMIN_LOADS; k++)
            result[l].cell[k] = (bmin_cell){
                .there = true,
                .received = {fmin(bmin_loads[k], saturation[l]) - (l == 5) * less, 0.001}};
    }
    cr_assert_eq(bmin_claim(&b), 3);
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
    bmin_scores s = {.runs = 0};

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
    swq_context *ctx = swq_context_new();
    swq_sim_options options = swq_sim_defaults();

    options.cycles = 3000;
    options.warmup = 1000;
    for (int k = 0; k < 2; k++) {
        swq_sender_group group;
        swq_async network;
        swq_async_result result;
        cr_assert_eq(bmin_cell_make(ctx, &bmin_kinds[k], &bmin_mixes[1], 1, &group, &network),
                     SWQ_OK, "%s", swq_context_message(ctx));
        cr_assert_eq(swq_async_run(ctx, &network, &options, NULL, &result), SWQ_OK, "%s",
                     swq_context_message(ctx));
        const double received = result.sim.all.throughput.mean;
        cr_assert(k ? received < 0.8 : received > 0.95, "%s: %g", bmin_kinds[k].name, received);
    }
    swq_context_free(ctx);
}

/* ---- a short run ---- */

Test(bmin, a_short_figure_has_it_all)
{
    swq_context *ctx = swq_context_new();
    swq_figure_options o = swq_figure_defaults(true);
    swq_figure f;

    o.cycles = 40;
    o.threads = 2;
    cr_assert_eq(swq_figure_run(ctx, &swq_figures_003[2], &o, &f), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(f.curves, 12);
    cr_assert_eq(f.claims, 3);
    cr_assert_eq(f.runs, 6 * (BMIN_LOADS + 1));
    for (int c = 0; c < f.curves; c++) {
        cr_assert(f.curve[c].points > 5);
        cr_assert(f.curve[c].point[0].setting && f.curve[c].point[0].cycles == 1300);
    }
    swq_figure_clear(ctx, &f);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    o.equal_all = true;
    cr_assert_eq(swq_figure_run(ctx, &swq_figures_8[0], &o, &f), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "8.5"), "%s", swq_context_message(ctx));
    swq_context_free(ctx);
}
