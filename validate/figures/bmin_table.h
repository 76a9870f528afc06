/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The switches of document 003 with all packet memory counted and equal, under messages of many
 * lengths and hot spots, one number each: the runs are papers/hipiqs1997/table-small-packets.yaml.
 */
#ifndef SWQ_VALIDATE_FIGURES_BMIN_TABLE_H
#define SWQ_VALIDATE_FIGURES_BMIN_TABLE_H

#include "validate/figures/grid.h"

/* Switches, HIPIQS first, then the central queue; and mixes of messages, those of one length
 * first. */
enum { BMIN_KINDS = 7, BMIN_MIXES = 12 };

typedef struct bmin_scores {
    figure_grid grid;       /* a line for each switch, a cell for each mix */
    int length[BMIN_MIXES]; /* flits of a mix's messages; 0: there are several lengths, or a hot
                               spot */
    swq_estimate received[BMIN_MIXES][BMIN_KINDS]; /* at an applied load of 1; NAN: no number */
    bool best[BMIN_MIXES][BMIN_KINDS]; /* better than the others by more than the intervals */
    int loses_from; /* the smallest length, with messages of one length, from which HIPIQS receives
                       less than the central queue by more than the intervals; 0: none */
    int leads_to;   /* the largest length up to which HIPIQS receives more; 0: none */
} bmin_scores;

/* Runs all switches and mixes of the table. Free with figure_grid_clear(ctx, &scores->grid), also
 * after an error. Errors: those of figure_grid_run. */
swq_status bmin_scores_run(swq_context *ctx, const swq_figure_options *options,
                           bmin_scores *scores);

/* Marks the best, and finds the length from which HIPIQS loses. */
void bmin_scores_judge(bmin_scores *scores);

#endif
