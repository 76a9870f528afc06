/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The switches of document 003 at equal memory, under messages of many lengths and hot spots.
 */
#include "validate/figures/bmin_table.h"
#include "base/context.h"

#include <math.h>

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
        if (s->length[m] && !below(s->received[m][0], s->received[m][1]))
            break;
        s->loses_from = s->length[m];
    }
    for (int m = 0; m < BMIN_MIXES && s->length[m]; m++) {
        if (!below(s->received[m][1], s->received[m][0]))
            break;
        s->leads_to = s->length[m];
    }
}

swq_status bmin_scores_run(swq_context *ctx, const swq_figure_options *options, bmin_scores *scores)
{
    *scores = (bmin_scores){0};
    swq_status status = figure_grid_run(ctx, "small-packets", options, &scores->grid);
    const swq_figure_plan *plan = status ? NULL : scores->grid.kind->plan;

    if (!status && (plan->lines != BMIN_KINDS || plan->xs != BMIN_MIXES))
        status = swq_fail(ctx, SWQ_EINVAL, "table small-packets: not %d lines of %d cells",
                          BMIN_KINDS, BMIN_MIXES);
    for (int c = 0; c < BMIN_KINDS * BMIN_MIXES && !status; c++) {
        const int k = c % BMIN_KINDS, m = c / BMIN_KINDS;
        const figure_cell *cell = figure_grid_cell(&scores->grid, k, m);
        const swq_figure_setting *s = figure_grid_setting(&scores->grid, k, m);
        if (s)
            scores->length[m] = s->group[0].types == 1 ? s->async.packet.max : 0;
        scores->received[m][k] = cell->there ? cell->value[THROUGHPUT] : (swq_estimate){NAN, NAN};
    }
    if (!status)
        bmin_scores_judge(scores);
    return status;
}
