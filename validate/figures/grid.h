/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables whose cells are runs: a plan's lines, each at full load, with a value of its options for
 * each cell, and what the cells show.
 */
#ifndef SWQ_VALIDATE_FIGURES_GRID_H
#define SWQ_VALIDATE_FIGURES_GRID_H

#include "validate/figures/figures.h"

typedef struct figure_grid {
    swq_figure_kind *kind;
    swq_figure figure;   /* number of runs, seconds, and the settings of the cells that were run */
    figure_cell *cell;   /* as figure_work's */
    swq_estimate *value; /* [values][lines][xs]; NAN: there is no number */
    bool *best;          /* the same: is it better than those of all other lines with as much memory
                            in that column, by more than the intervals? */
} figure_grid;

/* Runs all cells of a table, of papers/ or of a file "NAME.yaml", and judges its claims. Free with
 * figure_grid_clear, also after an error. Errors: SWQ_EINVAL if there is no such table,
 * SWQ_ECANCELLED; those of its runs. */
swq_status figure_grid_run(swq_context *ctx, const char *table, const swq_figure_options *options,
                           figure_grid *grid);
void figure_grid_clear(swq_context *ctx, figure_grid *grid);

/* The printed number of a cell; NULL: there is none. Does it agree, and by how much may it be off?
 * The rule, in words, is figure_grid_rule. */
extern const char figure_grid_rule[];
const figure_printed_row *figure_grid_printed(const figure_grid *grid, int value, int line,
                                              int column);
bool figure_grid_agrees(const figure_printed_row *printed, swq_estimate found, double *allowed);

/* Finds the best of each column again. */
void figure_grid_judge(figure_grid *grid);

/* The place of a value in `value` and `best`. */
size_t figure_grid_place(const figure_grid *grid, int value, int line, int column);

/* A cell, and its network; NULL: there is none. */
const figure_cell *figure_grid_cell(const figure_grid *grid, int line, int column);
const swq_figure_setting *figure_grid_setting(const figure_grid *grid, int line, int column);

/* The network of a line at an x, by its number, of a figure or table; NULL: there is none. */
const swq_figure_setting *figure_plan_setting(const swq_figure_kind *kind, const char *line, int x);

/* The same network, opened for a single run. Copies the setting, whose network points to groups of
 * the copy. Errors: SWQ_EINVAL if there is no such figure, line or network. */
swq_status figure_setting_open(swq_context *ctx, const char *figure, const char *line, int x,
                               swq_figure_setting *setting);

#endif
