/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The disposition of each printed number or claim of validate/targets.csv: what it is compared
 * with. The rows of tables (F41 .. F52) are found by their own fields; all others are listed one
 * by one, in printed_frazier.c and printed_others.c.
 * Room: validate.
 */
#ifndef SWQ_VALIDATE_PRINTED_H
#define SWQ_VALIDATE_PRINTED_H

#include "switchq/figures.h"
#include "switchq/papers.h"
#include "switchq/validate.h"
#include "validate/targets.h"

/* A number or claim of the text. */
typedef struct printed_row {
    const char *id; /* of validate/targets.csv */
    swq_level level;
    const char *reason; /* SWQ_LEVEL_SKIP: why it is not checked; else, if it fails: what is known
                           of the cause, or NULL */
    int excused;        /* so many comparisons may fail for that cause, and no more */
    const char *figure; /* it is a claim of this figure, or read off it; or NULL */
    const char *claims; /* how the figure's claims begin that it stands for, "|" between them */
    /* Left, right, off, allowed and outcome; a figure's claims need neither. */
    void (*read)(const swq_figure *figure, swq_finding *finding);
    swq_status (*find)(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *finding);
    double weight; /* CPU seconds of `find` */
} printed_row;

/* Rows of one figure stand beside one another; ended by one without id. */
extern const printed_row printed_of_figures[], printed_of_frazier[], printed_of_others[];

/* ---- rows of tables ---- */

/* Where in a table a row of the csv belongs, from its configuration. */
typedef struct printed_place {
    char buffer[8]; /* "fifo" */
    int slots;      /* packets per input port */
    double at;      /* load or throughput; NAN: full load */
} printed_place;

/* Is the configuration that of a table's cell? */
bool printed_place_of(const char *configuration, printed_place *place);

/* The cell of a simulated table, or -1. */
int printed_cell_of(const swq_paper_table *table, const swq_target *target);

/* The table of a row of the csv: how many rows of it come from one run; 0: it is of no table. */
int printed_rows_together(const swq_target *target);

/* The first of `rows` targets of a table, all of one run. */
swq_status printed_table_run(swq_context *ctx, swq_effort effort, const swq_target *target,
                             int rows, uint64_t seed, swq_finding *finding);

/* What is claimed of a table's row, and of what kind that is. */
void printed_table_describe(swq_effort effort, const swq_target *target, swq_check *check);

/* ---- figures ---- */

/* Is that figure regenerated at that effort, and about how many CPU seconds does it take? */
bool printed_figure_wanted(const char *figure, swq_effort effort, double *weight);

/* The options that the figure is run with. */
swq_figure_options printed_figure_options(swq_effort effort, uint64_t seed);

/* Regenerate the figure of rows[0], and hold rows 0 .. count-1 against it. */
swq_status printed_figure_run(swq_context *ctx, swq_effort effort, const printed_row *rows,
                              int count, uint64_t seed, swq_finding *finding);

/* ---- what evaluators say ---- */

/* |left - right| <= allowed: PASS, else FAIL. */
void printed_near(swq_finding *finding, double left, double right, double allowed);

/* left < right. */
void printed_less(swq_finding *finding, double left, double right);

/* Nothing of `of` comparisons failed; text: those that did. */
void printed_none(swq_finding *finding, int failed, int of);

#endif
