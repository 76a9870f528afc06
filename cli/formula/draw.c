/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq formula: a panel for each result over a range.
 */
#include "base/context.h"
#include "cli/formula/formula.h"
#include "cli/options/parse.h"
#include "cli/print/append.h"
#include "cli/print/drawing.h"

#include <math.h>
#include <string.h>

/* ---- plot ---- */

enum { MOST_CURVES = 16 };

/* The range on the x axis, and the range of which each value has a curve (-1: none). */
typedef struct {
    int x, family, curves;
} axes;

static axes axes_of(const cli_formula_table *t)
{
    if (t->ranges == 1)
        return (axes){t->range[0], -1, 1};
    int first = t->range[0], second = t->range[1];
    if (t->values[first].points < t->values[second].points)
        return (axes){second, first, t->values[first].points};
    return (axes){first, second, t->values[second].points};
}

/* "output-queue-finite: fraction of packets lost (ports 4)" */
static void title_of(const cli_formula_table *t, int result, char *title, size_t size)
{
    const swq_formula *f = t->formula;
    const char *between = " (";

    snprintf(title, size, "%s: %s", f->name, f->result[result].summary);
    for (int k = 0; k < f->parameters; k++) {
        if (t->values[k].range || t->values[k].count != 1)
            continue;
        cli_append(title, size, "%s%s %.6g", between, f->parameter[k].name, t->values[k].value[0]);
        between = ", ";
    }
    cli_append(title, size, "%s", *between == ',' ? ")" : "");
}

/* "load (packets per cycle and input)", each [200] */
static void label_axes(const cli_formula_table *t, int parameter, int result, char *x, char *y)
{
    const swq_formula_parameter *p = &t->formula->parameter[parameter];
    const swq_formula_result *r = &t->formula->result[result];

    snprintf(x, 200, "%.40s (%.150s)", p->name, p->summary);
    snprintf(y, 200, r->unit ? "%.40s (%.150s)" : "%.40s", r->name, r->unit);
}

/* The finite points of a result: a curve for each value of the other range. */
static void draw_panel(const cli_formula_table *t, axes a, int result, cli_drawing *d)
{
    const swq_formula *f = t->formula;
    double least = INFINITY, greatest = 0;
    char title[200], x_label[200], y_label[200];

    title_of(t, result, title, sizeof title);
    label_axes(t, a.x, result, x_label, y_label);
    for (int point = 0; point < t->points; point++) {
        const double value = cli_formula_result(t, point, result);
        least = isfinite(value) ? fmin(least, value) : least;
        greatest = isfinite(value) ? fmax(greatest, value) : greatest;
    }
    cli_draw_panel(d,
                   &(swq_plot){.x_label = x_label,
                               .y_label = y_label,
                               .log_y = least > 0 && greatest > 1000 * least},
                   "%s", title);
    for (int c = 0; c < a.curves; c++) {
        if (a.family < 0)
            cli_draw_curve(d, "%s", f->result[result].name);
        else
            cli_draw_curve(d, "%s %.6g", f->parameter[a.family].name, t->values[a.family].value[c]);
        for (int point = 0; point < t->points; point++) {
            if (a.family < 0 || cli_formula_place(t, point, a.family) == c)
                cli_draw_point(d, *cli_formula_value(t, point, a.x),
                               cli_formula_result(t, point, result), 0);
        }
    }
}

swq_status cli_formula_draw_check(swq_context *ctx, const cli_formula_table *t, const char *path)
{
    if (t->ranges == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--plot needs a range, such as --%s FROM:TO:STEP",
                        t->formula->parameter[0].name);
    axes a = axes_of(t);
    if (a.curves > MOST_CURVES)
        return swq_fail(ctx, SWQ_EINVAL, "--plot draws at most %d curves, not %d, one for each %s",
                        MOST_CURVES, a.curves, t->formula->parameter[a.family].name);
    return cli_plot_check(ctx, path);
}

swq_status cli_formula_draw(swq_context *ctx, const cli_formula_table *t, const char *path)
{
    const axes a = axes_of(t);
    cli_drawing d = {0};

    for (int r = 0; r < t->formula->results; r++)
        draw_panel(t, a, r, &d);
    return cli_draw(ctx, &d, path);
}
