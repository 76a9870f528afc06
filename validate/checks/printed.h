/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For each printed number or claim of validate/targets.csv: with which result it is compared. The
 * rows of tables (F41 .. F52) are found by their own fields; all others are lines of
 * validate/judged.csv.
 */
#ifndef SWQ_VALIDATE_PRINTED_H
#define SWQ_VALIDATE_PRINTED_H

#include "switchq/figures.h"
#include "switchq/papers.h"
#include "switchq/validate.h"
#include "validate/checks/finding.h"
#include "validate/targets.h"

/* A number or a claim of the text. */
typedef struct printed_row {
    const char *id; /* of validate/targets.csv */
    swq_level level;
    const char *reason; /* SWQ_LEVEL_SKIP: why it is not checked; else the known cause if it fails,
                           or NULL */
    const char *rule;   /* a condition that must hold, or else the row fails; NULL: the family or
                           the figure's claims state it */
    int excused;        /* how many comparisons may fail for that cause */
    const char *figure; /* the figure that makes the claim; or NULL */
    /* the beginnings of the figure's claims that the row represents, separated by "|" */
    const char *claims;
    /* Sets left, right, off, allowed and outcome; not needed for claims of figures. */
    swq_status (*find)(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *finding);
    const char *that; /* in place of `find`: comparisons with answers of commands
                         (validate/asked.yaml), separated by "|" */
    double weight;    /* CPU seconds of `find` or `that` */
} printed_row;

/* validate/judged.csv, which the build turns into this array: rows of a figure are consecutive;
 * ended by a row without an id. */
extern const printed_row printed_rows[];

/* ---- rows of tables ---- */

/* The place of a csv row in a table, from its configuration. */
typedef struct printed_place {
    char buffer[8]; /* "fifo" */
    int slots;      /* packets per input port */
    double at;      /* load or throughput; NAN: full load */
} printed_place;

/* Does the configuration describe a cell of a table? */
bool printed_place_of(const char *configuration, printed_place *place);

/* The index of the cell of a simulated table, or -1. */
int printed_cell_of(const swq_paper_table *table, const swq_target *target);

/* How many rows of the csv come from one run of this row's table; 0: it belongs to no table. */
int printed_rows_together(const swq_target *target);

/* Runs the first of `rows` targets of a table, all from one run. */
swq_status printed_table_run(swq_context *ctx, swq_effort effort, const swq_target *target,
                             int rows, uint64_t seed, swq_finding *finding);

/* The numbers of a whole table together, and the CPU seconds of its runs. */
swq_status printed_whole_table_run(swq_context *ctx, swq_effort effort,
                                   const swq_paper_table *table, uint64_t seed,
                                   swq_finding *finding);
double printed_whole_table_weight(swq_effort effort, const swq_paper_table *table);

/* Describes the claim of a table's row, and the kind of the claim. */
void printed_table_describe(swq_effort effort, const swq_target *target, swq_check *check);

/* ---- figures ---- */

/* Is the figure regenerated at that effort, and about how many CPU seconds does it take? */
bool printed_figure_wanted(const char *figure, swq_effort effort, double *weight);

/* The options with which the figure is run. */
swq_figure_options printed_figure_options(swq_effort effort, uint64_t seed);

/* Regenerates the figure of rows[0], and compares rows 0 .. count-1 with it; finding[count] is the
 * judgement of the figure's numbers together. */
swq_status printed_figure_run(swq_context *ctx, swq_effort effort, const printed_row *rows,
                              int count, uint64_t seed, swq_finding *finding);

/* ---- answers of commands ---- */

/* Judges comparisons in the language of claims, separated by "|", in which $seed stands for the
 * seed and <QUICK FULL> for a value that differs with the effort; `confidence`: of intervals of
 * runs (0: as usual). The judge, of which the tally and the pairs count, is the caller's to free
 * (swq_free). Errors: SWQ_EINVAL for a mistake, and for a question that is refused; those of the
 * context's figures (swq_figures_from). */
struct figure_judge;
swq_status printed_asked_judge(swq_context *ctx, swq_effort effort, const char *name,
                               const char *that, uint64_t seed, double confidence,
                               struct figure_judge **judge);

/* Judges the comparisons of a row's `that`. A single one leaves its two sides; several leave how
 * many hold. */
swq_status printed_asked_run(swq_context *ctx, swq_effort effort, const printed_row *row,
                             uint64_t seed, swq_finding *finding);

/* ---- results of evaluators ---- */

/* A joint verdict: how many parts agree, and the least likely one. */
void printed_joint(swq_finding *finding, const swq_joint *joint);

/* left < right. */
void printed_less(swq_finding *finding, double left, double right);

/* PASS if none of `of` comparisons failed; else the text lists the failed comparisons. */
void printed_none(swq_finding *finding, int failed, int of);

#endif
