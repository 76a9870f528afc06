/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure whose points are answers, as text: a table a panel, with a row for each curve, and what
 * is missing.
 */
#include "cli/figures/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_X = 64 };

/* Every x that was asked in a panel, ascending. */
static int all_x(const swq_figure *f, int panel, double *x)
{
    int count = 0;

    for (int k = 0; k < f->runs; k++) {
        const swq_figure_question *q = &f->question[k];
        int at = 0;
        if (f->curve[q->curve].panel != panel)
            continue;
        while (at < count && x[at] < q->x)
            at++;
        if (count == MOST_X || (at < count && x[at] == q->x))
            continue;
        memmove(x + at + 1, x + at, sizeof *x * (size_t)(count - at));
        x[at] = q->x;
        count++;
    }
    return count;
}

static void show(cli_record *cell, const swq_figure_curve *curve, double x)
{
    const swq_figure_point *found = NULL;

    for (int k = 0; k < curve->points; k++)
        found = curve->point[k].x == x ? &curve->point[k] : found;
    if (!found)
        cli_show(cell, "", " -");
    else if (*found->answer->exactly)
        cli_show(cell, "", " %s", found->answer->exactly);
    else
        cli_show(cell, "", " %.4g", found->y);
}

static void say_panel(cli_record *root, const swq_figure *f, int panel)
{
    const swq_figure_kind *kind = f->kind;
    double x[MOST_X];
    char column[24];
    const int columns = all_x(f, panel, x);

    if (columns == 0)
        return;
    cli_say(root, "\n%s) %s; %s:", kind->panel[panel].letter, kind->panel[panel].title,
            kind->panel[panel].y_label);
    cli_record *grid = cli_not_in_json(cli_not_in_csv(cli_put_list(root, "panel", NULL)));
    cli_as_grid(grid, cli_figure_axes[kind->panel[panel].over].text, columns);
    for (int c = 0; c < f->curves; c++) {
        for (int k = 0; k < columns && f->curve[c].panel == panel; k++) {
            snprintf(column, sizeof column, "%g", x[k]);
            show(cli_titled(cli_put_item(grid, column), "  %s", f->curve[c].name), &f->curve[c],
                 x[k]);
        }
    }
}

/* A line for the first gap of each curve. */
static void say_gaps(cli_record *root, const swq_figure *f)
{
    if (f->gaps)
        cli_say(root, "\nNot there (-), with the reason at the first x:");
    for (int k = 0; k < f->gaps; k++) {
        const swq_figure_gap *gap = &f->gap[k];
        const swq_figure_curve *curve = &f->curve[gap->curve];
        if (k == 0 || f->gap[k - 1].curve != gap->curve)
            cli_say(root, "  %s) %s, %g: %s", f->kind->panel[curve->panel].letter, curve->name,
                    gap->x, gap->why);
    }
}

void cli_figure_say_answers(cli_record *root, const swq_figure *f)
{
    cli_say(root, "Figure %s (%s, %s): %s\n%s; the CSV file has bounds", f->kind->name,
            f->kind->short_source, f->kind->section, f->kind->title, f->kind->setting);
    if (f->cut_short)
        cli_say(root, "\nCUT SHORT: only the answers that were finished are shown.");
    for (int p = 0; p < f->kind->panels; p++)
        say_panel(root, f, p);
    say_gaps(root, f);
    if (f->claims > 0)
        cli_figure_say_claims(root, f);
    cli_say(root, "\n%d questions", f->runs);
}
