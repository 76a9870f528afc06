/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure as text: a table a panel, the printed numbers, the claims.
 */
#include "cli/figures/figure.h"
#include "cli/print/append.h"
#include "cli/tables/joint.h"

#include <math.h>
#include <string.h>

/* Is a node's 99th percentile its maximum, because there are too few packets? */
static bool is_maximum(const swq_figure_curve *curve, const swq_figure_point *p)
{
    return strncmp(curve->quantity, "99th", 4) == 0 && p->a_node < SWQ_FIGURE_LEAST_FOR_P99;
}

/* ---- a panel's table ---- */

/* The next cell of a panel; `found` NULL: a dash. An x that differs from the x asked for is
 * added. */
static void show_cell(cli_record *grid, const swq_figure *f, const char *row,
                      const swq_figure_curve *curve, const swq_figure_point *found)
{
    const bool fraction = f->kind->panel[curve->panel].y_most <= 1;
    cli_record *cell = cli_titled(cli_put_item(grid, curve->name), "  %s", row);

    if (!found)
        cli_show(cell, "", " -");
    else if (found->origin == SWQ_AT_TIME)
        cli_show(cell, "", " %.3f", found->y);
    else if (f->kind->over == SWQ_OVER_LOAD)
        cli_show(cell, "", fraction ? " %.4f" : " %.0f", found->y);
    else if (f->kind->over == SWQ_OVER_LANES)
        cli_show(cell, "", " %.1f", found->y);
    else if (found->origin == SWQ_AT_LOAD && !isnan(found->asked))
        cli_show(cell, "", " %.*f @%.3f", fraction ? 4 : 2, found->y, found->x);
    else
        cli_show(cell, "", " %.*f%s", fraction || f->kind->over == SWQ_OVER_BYTES ? 4 : 2, found->y,
                 is_maximum(curve, found) ? "'" : "");
}

static const swq_figure_point *at_asked(const swq_figure_curve *curve, double asked)
{
    const swq_figure_point *found = NULL;

    for (int k = 0; k < curve->points; k++)
        found = curve->point[k].asked == asked ? &curve->point[k] : found;
    return found;
}

/* A row of the panel's table: the points of the curves for which `asked` was asked, if there are
 * any. */
static void show_row(cli_record *grid, const swq_figure *f, int panel, double asked)
{
    char row[24];
    bool any = false;

    snprintf(row, sizeof row, cli_figure_axes[f->kind->over].format, asked);
    for (int c = 0; c < f->curves; c++)
        any = any || (f->curve[c].panel == panel && at_asked(&f->curve[c], asked));
    for (int c = 0; c < f->curves && any; c++) {
        if (f->curve[c].panel == panel)
            show_cell(grid, f, row, &f->curve[c], at_asked(&f->curve[c], asked));
    }
}

/* Latency at full load, and its x. */
static void show_ends(cli_record *grid, const swq_figure *f, int panel, bool place)
{
    const char *row = place ? cli_figure_axes[f->kind->over].json : "full load";

    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *curve = &f->curve[c];
        const swq_figure_point *end = NULL;
        for (int k = 0; k < curve->points; k++)
            end = curve->point[k].origin == SWQ_AT_FULL_LOAD ? &curve->point[k] : end;
        if (curve->panel != panel)
            continue;
        if (end && place)
            cli_show(cli_titled(cli_put_item(grid, curve->name), "  %s", row), "", " %.4f", end->x);
        else
            show_cell(grid, f, row, curve, end);
    }
}

/* Every x that was asked of some curve, ascending. */
static int asked_values(const swq_figure *f, double *value, int room)
{
    int count = 0;

    for (int c = 0; c < f->curves; c++) {
        for (int k = 0; k < f->curve[c].points; k++) {
            double asked = f->curve[c].point[k].asked;
            int at = 0;
            if (isnan(asked))
                continue;
            while (at < count && value[at] < asked)
                at++;
            if (count == room || (at < count && value[at] == asked))
                continue;
            memmove(value + at + 1, value + at, sizeof *value * (size_t)(count - at));
            value[at] = asked;
            count++;
        }
    }
    return count;
}

/* Are the panel's curves of asynchronous networks, which are run at loads? */
static bool by_load(const swq_figure *f, int panel)
{
    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *curve = &f->curve[c];
        if (curve->panel == panel && curve->points)
            return curve->point[0].origin == SWQ_AT_LOAD;
    }
    return false;
}

/* Is the panel a course of events over time, which a table cannot show? */
static bool one_run(const swq_figure *f, int panel)
{
    for (int c = 0; c < f->curves; c++) {
        if (f->curve[c].panel == panel && strstr(f->curve[c].quantity, "one run"))
            return true;
    }
    return false;
}

/* Over time there are more points than a table can use: shows every tenth of the axis, and nothing
 * of a curve that has ended before it. */
static void show_times(cli_record *grid, const swq_figure *f, int panel)
{
    enum { ROWS = 10 };
    double most = 0;
    char row[24];

    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *curve = &f->curve[c];
        if (curve->points && curve->point[curve->points - 1].x > most)
            most = curve->point[curve->points - 1].x;
    }
    for (int r = 0; r < ROWS; r++) {
        const double after = most * r / ROWS * (1 + 1e-9);
        const double until = most * (r + 1) / ROWS * (1 + 1e-9);
        snprintf(row, sizeof row, "%.0f", until);
        for (int c = 0; c < f->curves; c++) {
            const swq_figure_curve *curve = &f->curve[c];
            const swq_figure_point *last = NULL;
            for (int k = 0; k < curve->points && curve->point[k].x <= until; k++)
                last = &curve->point[k];
            if (curve->panel == panel)
                show_cell(grid, f, row, curve, last && last->x > after ? last : NULL);
        }
    }
}

static void say_panel(cli_record *root, const swq_figure *f, int panel)
{
    const swq_figure_kind *kind = f->kind;
    const bool lettered = *kind->panel[panel].letter;
    double value[64];
    int columns = 0;

    cli_say(root, "\n%s%s%s%s%s:", kind->panel[panel].letter, lettered ? ") " : "",
            lettered ? kind->panel[panel].title : "", lettered ? "; " : "",
            kind->panel[panel].y_label);
    if (kind->over == SWQ_OVER_CYCLES && one_run(f, panel)) {
        cli_say(root, "  (in the CSV file and the plot)");
        return;
    }
    for (int c = 0; c < f->curves; c++)
        columns += f->curve[c].panel == panel;
    cli_record *grid = cli_not_in_json(cli_not_in_csv(cli_put_list(root, "panel", NULL)));
    cli_as_grid(grid,
                by_load(f, panel) && kind->over != SWQ_OVER_LOAD && kind->over != SWQ_OVER_LANES
                    ? "  offered"
                    : cli_figure_axes[kind->over].text,
                columns);
    if (kind->over == SWQ_OVER_CYCLES)
        show_times(grid, f, panel);
    else
        for (int k = 0, values = asked_values(f, value, 64); k < values; k++)
            show_row(grid, f, panel, value[k]);
    if (kind->over == SWQ_OVER_THROUGHPUT || kind->over == SWQ_OVER_BISECTION) {
        show_ends(grid, f, panel, false);
        show_ends(grid, f, panel, true);
        if (by_load(f, panel))
            cli_say(root, "  @: the throughput of all nodes together, at that offered load");
    }
}

/* ---- the rest ---- */

static void say_map(cli_record *root, const swq_figure_map *m)
{
    char letters[CLI_FIGURE_ROW], text[2 * CLI_FIGURE_ROW];

    cli_say(
        root,
        "\nSwitches of the first run, load %.4f, threshold %d blocks; a ring of the dimension "
        "that is traversed first in each row.\nQ1+ less Q1-: P 8 blocks or more, p 1 or more, = "
        "less than 1, n, N as many the other way:",
        m->load, m->threshold);
    for (int r = 0; r < m->rows; r++) {
        cli_figure_map_row(m, r, letters);
        *text = '\0';
        for (int k = 0; k < m->columns; k++)
            cli_append(text, sizeof text, " %c", letters[k]);
        cli_say(root, "  %s", text);
    }
}

static void say_printed(cli_record *root, const swq_figure *f)
{
    int judged = 0, agree = 0, not_comparable = 0;
    char more[64] = "";

    for (int k = 0; k < f->printeds; k++) {
        judged += f->printed[k].verdict <= SWQ_PRINTED_DIFFERS;
        agree += f->printed[k].verdict == SWQ_PRINTED_AGREES;
        not_comparable += f->printed[k].verdict == SWQ_PRINTED_NOT_JUDGED;
    }
    if (f->printeds == 0)
        return;
    if (judged == 0 && f->cut_short) {
        cli_say(root, "\nPrinted numbers: not run.");
        return;
    }
    if (not_comparable)
        snprintf(more, sizeof more, ", %d %s not comparable", not_comparable,
                 not_comparable == 1 ? "is" : "are");
    cli_say(root, "\nPrinted numbers: %d of %d agree%s%s", agree, judged, more,
            agree < judged ? "; those that do not:" : ".");
    for (int k = 0; k < f->printeds; k++) {
        const swq_printed_point *p = &f->printed[k];
        if (p->verdict == SWQ_PRINTED_DIFFERS)
            cli_say(root, "  %-16s %4.2f%s  printed %6.2f  found %6.2f +- %.2f  %+.1f%%",
                    f->curve[p->curve].name, p->x, p->at_full_load ? " (full load)" : "", p->y,
                    p->found.mean, p->found.half_width, 100 * (p->found.mean / p->y - 1));
    }
}

/* Is any node's 99th percentile its maximum, because there are too few packets? */
static bool few_packets(const swq_figure *f)
{
    bool few = false;

    for (int c = 0; c < f->curves; c++) {
        for (int k = 0; k < f->curve[c].points; k++)
            few = few || is_maximum(&f->curve[c], &f->curve[c].point[k]);
    }
    return few;
}

/* The number of claims with a comparison that fails, and how many of these failures are known. */
static void say_together(cli_record *root, const swq_figure *f)
{
    int fail = 0, known = 0;

    for (int k = 0; k < f->claims; k++) {
        fail += f->claim[k].fails > 0;
        known += f->claim[k].fails > 0 && f->claim[k].known;
    }
    cli_say(root, "\nAll together: %s; %d of %d claims have a comparison that fails, %d as known.",
            swq_joint_verdict_text(swq_figure_verdict(f)), fail, f->claims, known);
    cli_say_joint(root, &f->joint);
}

void cli_figure_say_claims(cli_record *root, const swq_figure *f)
{
    cli_say(root, "\nClaims:");
    for (int k = 0; k < f->claims; k++) {
        const swq_claim *claim = &f->claim[k];
        cli_say(root, "  [%s] %s\n      criterion: %s\n      measured:  %s",
                cli_figure_verdict(f, claim), claim->text, claim->criterion, claim->measured);
        if (claim->known && claim->verdict != SWQ_CLAIM_HOLDS)
            cli_say(root, "      known:     %s", claim->known);
    }
}

void cli_figure_say(cli_record *root, const swq_figure *f)
{
    cli_say(root, "Figure %s (%s, section %s): %s\n%s; the CSV file has 95%% intervals",
            f->kind->name, f->kind->short_source, f->kind->section, f->kind->title,
            f->kind->setting);
    if (f->cut_short)
        cli_say(root, "\nCUT SHORT: only the runs that were finished are shown.");
    for (int p = 0; p < f->kind->panels; p++)
        say_panel(root, f, p);
    if (f->map.rows)
        say_map(root, &f->map);
    if (few_packets(f))
        cli_say(root, "' fewer than 100 packets a node: a node's 99th percentile is its maximum.");
    say_printed(root, f);
    cli_figure_say_claims(root, f);
    if (!f->cut_short)
        say_together(root, f);
    cli_say(root, "\n%d runs of %llu cycles%s, seed %llu", f->runs,
            (unsigned long long)f->options.cycles,
            f->kind->over == SWQ_OVER_CYCLES ? "" : " or more",
            (unsigned long long)f->options.seed);
}
