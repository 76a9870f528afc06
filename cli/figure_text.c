/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure as text: a table a panel, the printed numbers, the claims.
 * Room: cli.
 */
#include "cli/figure.h"

#include <math.h>
#include <string.h>

/* Columns of the text are as wide as the longest name. */
static int column_width(const swq_figure *f, int panel)
{
    size_t width = 8;

    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *curve = &f->curve[c];
        if (curve->panel != panel)
            continue;
        if (strlen(curve->name) > width)
            width = strlen(curve->name);
        if (curve->points && curve->point[0].origin == SWQ_AT_LOAD && width < 14)
            width = 14; /* "123.45 @0.123" */
    }
    return (int)width + 2;
}

/* A node's 99th percentile that is its maximum, for want of packets? */
static bool is_maximum(const swq_figure_curve *curve, const swq_figure_point *p)
{
    return strncmp(curve->quantity, "99th", 4) == 0 && p->a_node < 100;
}

/* Where x is not what was asked for, it is added. */
static void print_cell(const swq_figure *f, int width, const swq_figure_curve *curve,
                       const swq_figure_point *p)
{
    char text[40];

    if (p->origin == SWQ_AT_LOAD && !isnan(p->asked))
        snprintf(text, sizeof text, "%.2f @%.3f", p->y, p->x);
    else
        snprintf(text, sizeof text, "%.*f%s", f->kind->over == SWQ_OVER_BYTES ? 4 : 2, p->y,
                 is_maximum(curve, p) ? "'" : "");
    printf("%*s", width, text);
}

/* A row of the panel's table: what the curves have where `asked` was asked for. */
static void print_row(const swq_figure *f, int panel, int width, double asked, const char *format)
{
    bool any = false;

    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < f->curves && (pass == 0 || any); c++) {
            const swq_figure_curve *curve = &f->curve[c];
            const swq_figure_point *found = NULL;
            for (int k = 0; k < curve->points; k++) {
                if (curve->panel == panel && curve->point[k].asked == asked)
                    found = &curve->point[k];
            }
            if (pass == 0) {
                any = any || found;
                continue;
            }
            if (curve->panel != panel)
                continue;
            if (found)
                print_cell(f, width, curve, found);
            else
                printf("%*s", width, "-");
        }
        if (pass == 0 && any)
            printf(format, asked);
    }
    if (any)
        putchar('\n');
}

/* Latency at full load, and the place on the axis there. */
static void print_ends(const swq_figure *f, int panel, int width, bool place)
{
    printf("  %-11s", place ? cli_figure_axes[f->kind->over].json : "full load");
    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *curve = &f->curve[c];
        const swq_figure_point *end = NULL;
        for (int k = 0; k < curve->points; k++)
            end = curve->point[k].origin == SWQ_AT_FULL_LOAD ? &curve->point[k] : end;
        if (curve->panel != panel)
            continue;
        if (!end)
            printf("%*s", width, "-");
        else if (place)
            printf("%*.4f", width, end->x);
        else
            print_cell(f, width, curve, end);
    }
    putchar('\n');
}

/* Every value of x that some curve was asked for, ascending. */
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

/* A course of events, which a table cannot show. */
static bool one_run(const swq_figure *f, int panel)
{
    for (int c = 0; c < f->curves; c++) {
        if (f->curve[c].panel == panel && strstr(f->curve[c].quantity, "one run"))
            return true;
    }
    return false;
}

static void print_map(const swq_figure_map *m)
{
    char text[CLI_FIGURE_ROW];

    printf(
        "\nSwitches of the first run, load %.4f, threshold %d blocks; a ring of the dimension that "
        "is traversed first in each row.\nQ1+ less Q1-: P 8 blocks or more, p 1 or more, = less "
        "than 1, n, N as many the other way:\n",
        m->load, m->threshold);
    for (int r = 0; r < m->rows; r++) {
        cli_figure_map_row(m, r, text);
        fputs("  ", stdout);
        for (int k = 0; k < m->columns; k++)
            printf(" %c", text[k]);
        putchar('\n');
    }
}

/* Over time there are more points than a table has use for: every tenth part of the axis. */
static void print_times(const swq_figure *f, int panel, int width)
{
    enum { ROWS = 10 };
    double most = 0;

    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *curve = &f->curve[c];
        if (curve->points && curve->point[curve->points - 1].x > most)
            most = curve->point[curve->points - 1].x;
    }
    for (int r = 0; r < ROWS; r++) {
        double until = most * (r + 1) / ROWS * (1 + 1e-9);
        printf("  %-11.0f", until);
        for (int c = 0; c < f->curves; c++) {
            const swq_figure_curve *curve = &f->curve[c];
            const swq_figure_point *last = NULL;
            for (int k = 0; k < curve->points && curve->point[k].x <= until; k++)
                last = &curve->point[k];
            if (curve->panel != panel)
                continue;
            if (last)
                printf("%*.3f", width, last->y);
            else
                printf("%*s", width, "-");
        }
        putchar('\n');
    }
}

static void print_panel(const swq_figure *f, int panel)
{
    const swq_figure_kind *kind = f->kind;
    const bool ends = kind->over == SWQ_OVER_THROUGHPUT || kind->over == SWQ_OVER_BISECTION;
    double value[64];
    int values = asked_values(f, value, 64), width = column_width(f, panel);

    if (*kind->panel[panel].letter)
        printf("\n%s) %s; %s:\n", kind->panel[panel].letter, kind->panel[panel].title,
               kind->panel[panel].y_label);
    else
        printf("\n%s:\n", kind->panel[panel].y_label);
    if (kind->over == SWQ_OVER_CYCLES && one_run(f, panel)) {
        puts("  (in the CSV file and the plot)");
        return;
    }
    printf("  %-11s", by_load(f, panel) ? "offered" : cli_figure_axes[kind->over].text);
    for (int c = 0; c < f->curves; c++) {
        if (f->curve[c].panel == panel)
            printf("%*s", width, f->curve[c].name);
    }
    putchar('\n');
    if (kind->over == SWQ_OVER_CYCLES) {
        print_times(f, panel, width);
        return;
    }
    for (int k = 0; k < values; k++)
        print_row(f, panel, width, value[k], cli_figure_axes[kind->over].format);
    if (ends) {
        print_ends(f, panel, width, false);
        print_ends(f, panel, width, true);
    }
}

static void print_printed(const swq_figure *f)
{
    int judged = 0, agree = 0;

    for (int k = 0; k < f->printeds; k++) {
        judged += f->printed[k].verdict <= SWQ_PRINTED_DIFFERS;
        agree += f->printed[k].verdict == SWQ_PRINTED_AGREES;
    }
    if (f->printeds == 0)
        return;
    if (judged == 0 && f->cut_short) {
        puts("\nPrinted numbers: not run.");
        return;
    }
    printf("\nPrinted numbers: %d of %d agree%s\n", agree, judged,
           agree < judged ? "; those that do not:" : ".");
    for (int k = 0; k < f->printeds; k++) {
        const swq_printed_point *p = &f->printed[k];
        if (p->verdict == SWQ_PRINTED_DIFFERS)
            printf("  %-16s %4.2f%s  printed %6.2f  found %6.2f +- %.2f  %+.1f%%\n",
                   f->curve[p->curve].name, p->x, p->at_full_load ? " (full load)" : "", p->y,
                   p->found.mean, p->found.half_width, 100 * (p->found.mean / p->y - 1));
    }
}

/* Is a node's 99th percentile anywhere its maximum, for want of packets? */
static bool few_packets(const swq_figure *f)
{
    bool few = false;

    for (int c = 0; c < f->curves; c++) {
        for (int k = 0; k < f->curve[c].points; k++)
            few = few || is_maximum(&f->curve[c], &f->curve[c].point[k]);
    }
    return few;
}

void cli_figure_text(const swq_figure *f)
{
    printf("Figure %s (Frazier 1995, section %s): %s\n"
           "%s; 95%% intervals\n",
           f->kind->name, f->kind->section, f->kind->title, f->kind->setting);
    if (f->cut_short)
        puts("\nCUT SHORT: only the runs that were finished are shown.");
    for (int p = 0; p < f->kind->panels; p++)
        print_panel(f, p);
    if (f->map.rows)
        print_map(&f->map);
    if (few_packets(f))
        puts("' fewer than 100 packets a node: a node's 99th percentile is its maximum.");
    print_printed(f);
    puts("\nClaims:");
    for (int k = 0; k < f->claims; k++) {
        const swq_claim *claim = &f->claim[k];
        printf("  [%s] %s\n      criterion: %s\n      measured:  %s\n",
               cli_figure_verdict(f, claim), claim->text, claim->criterion, claim->measured);
        if (claim->known && claim->verdict != SWQ_CLAIM_HOLDS)
            printf("      known:     %s\n", claim->known);
    }
    printf("\n%d runs of %llu cycles%s, seed %llu\n", f->runs,
           (unsigned long long)f->options.cycles,
           f->kind->over == SWQ_OVER_CYCLES ? "" : " or more", (unsigned long long)f->options.seed);
}
