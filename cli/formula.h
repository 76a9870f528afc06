/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq formula, between what reads and evaluates (formula.c) and what shows (formula_show.c).
 * Room: cli.
 */
#ifndef SWQ_CLI_FORMULA_H
#define SWQ_CLI_FORMULA_H

#include "base/plot.h"
#include "cli/cli.h"
#include "switchq/formula.h"

/* A parameter's: one number, a list, or the points of a range. */
typedef struct cli_formula_values {
    double *value;
    int count;  /* numbers at a point */
    int points; /* 1, but for a range */
    bool range;
} cli_formula_values;

/* A formula at all points of its ranges, the last range's points next to each other. */
typedef struct cli_formula_table {
    const swq_formula *formula;
    cli_formula_values values[SWQ_FORMULA_PARAMETERS];
    int range[2], ranges; /* which parameters have one */
    int points;
    double *result; /* [points][results] */
} cli_formula_table;

/* Where in its range a parameter is at a point; 0 if it has none. */
int cli_formula_place(const cli_formula_table *table, int point, int parameter);

swq_status cli_formula_print(swq_context *ctx, const cli_formula_table *table);
swq_status cli_formula_csv(swq_context *ctx, const cli_formula_table *table);
swq_status cli_formula_json(swq_context *ctx, const cli_formula_table *table);

/* Whether it can be drawn to `path`, known before it is evaluated; and draw it. */
swq_status cli_formula_draw_check(swq_context *ctx, const cli_formula_table *table,
                                  const char *path);
swq_status cli_formula_draw(swq_context *ctx, const cli_formula_table *table, const char *path);

/* All rows. */
swq_status cli_formula_list(swq_context *ctx);
swq_status cli_formula_list_json(swq_context *ctx);

#endif
