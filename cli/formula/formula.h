/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq formula: what reading and evaluating (formula.c), showing (show.c) and drawing (draw.c)
 * share.
 */
#ifndef SWQ_CLI_FORMULA_H
#define SWQ_CLI_FORMULA_H

#include "cli/record/record.h"
#include "switchq/formula.h"

/* Values of a parameter: one number, a list, or the points of a range. */
typedef struct cli_formula_values {
    double *value;
    int count;  /* numbers at each point */
    int points; /* 1, except for a range */
    bool range;
} cli_formula_values;

/* A formula at all points of its ranges; the last range varies fastest. */
typedef struct cli_formula_table {
    const swq_formula *formula;
    cli_formula_values values[SWQ_FORMULA_PARAMETERS];
    int range[2], ranges; /* the parameters that have a range */
    int points;
    double *result; /* [points][results] */
} cli_formula_table;

/* The index of a point in a parameter's range; 0 if it has none. */
static inline int cli_formula_place(const cli_formula_table *t, int point, int parameter)
{
    for (int r = t->ranges - 1; r >= 0; r--) {
        int points = t->values[t->range[r]].points;
        if (t->range[r] == parameter)
            return point % points;
        point /= points;
    }
    return 0;
}

/* A parameter's numbers at a point, and a result there. */
static inline const double *cli_formula_value(const cli_formula_table *t, int point, int parameter)
{
    return &t->values[parameter].value[cli_formula_place(t, point, parameter)];
}

static inline double cli_formula_result(const cli_formula_table *t, int point, int result)
{
    return t->result[(size_t)point * (size_t)t->formula->results + (size_t)result];
}

cli_record *cli_formula_record(const cli_formula_table *table);

/* The record of all rows. */
cli_record *cli_formula_list(void);

/* Can the formula's table be drawn to `path`? To be asked before the table is evaluated. The next
 * function draws it. */
swq_status cli_formula_draw_check(swq_context *ctx, const cli_formula_table *table,
                                  const char *path);
swq_status cli_formula_draw(swq_context *ctx, const cli_formula_table *table, const char *path);

/* Prints the page of a formula: its meaning, its parameters, its results, its accuracy. False:
 * there is no such formula. */
bool cli_formula_help(swq_context *ctx, const char *name);

#endif
