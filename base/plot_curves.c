/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves in a script for gnuplot, with their data inline.
 * Room: base.
 */
#include "base/plot_script.h"

#include <math.h>

/* The common x or y of all points that are drawn; NAN: they have several values. */
static double only_value(const swq_plot *plot, bool of_y)
{
    const bool logarithmic = of_y ? plot->log_y : plot->log_x;
    double only = NAN;

    for (size_t c = 0; c < plot->curves; c++) {
        const swq_curve *curve = &plot->curve[c];
        for (size_t i = 0; i < curve->points; i++) {
            const double v = of_y ? curve->y[i] : curve->x[i];
            if (!isfinite(v) || (logarithmic && v <= 0))
                continue;
            if (v != only && !isnan(only))
                return NAN;
            only = v;
        }
    }
    return only;
}

static void write_range(FILE *script, char axis, double least, double most, double only)
{
    if (least != 0 || most != 0)
        fprintf(script, "set %crange [%.17g:%.17g]\n", axis, least, most);
    else if (only == 0)
        fprintf(script, "set %crange [-1:1]\n", axis);
    else if (isfinite(only)) /* gnuplot warns about an empty range */
        fprintf(script, "set %crange [%.17g:%.17g]\n", axis, fmin(only / 2, only * 2),
                fmax(only / 2, only * 2));
    else
        fprintf(script, "set autoscale %c\n", axis);
}

static const char *colour_of(const swq_curve *curve)
{
    static const char *const colour[] = {"#d62728", "#ff7f0e", "#2ca02c", "#1f77b4",
                                         "#9467bd", "#17becf", "#8c564b", "#555555"};

    return colour[(size_t)curve->colour % (sizeof colour / sizeof *colour)];
}

static void write_style(FILE *script, const swq_curve *curve)
{
    static const int mark[] = {7, 5, 9, 11, 13, 6, 4, 8};
    const size_t marks = sizeof mark / sizeof *mark;

    if (curve->steps)
        fprintf(script, "with histeps lw 1.6 lc rgb '%s'", colour_of(curve));
    else if (curve->stairs)
        fputs("using 1:2 with steps lw 1.6 dt 2 lc rgb '#777777'", script);
    else if (curve->faint)
        fputs("using 1:2 with points pt 7 ps 0.6 lc rgb '#999999'", script);
    else if (curve->printed)
        fputs("with points pt 6 ps 1.7 lw 1.6 lc rgb '#000000'", script);
    else
        fprintf(script, "%swith %s lw 1.6 ps 0.9 lc rgb '%s' pt %d%s",
                curve->half && curve->band ? "using 1:2 " : "",
                curve->half && !curve->band ? "yerrorlines" : "linespoints", colour_of(curve),
                mark[(size_t)curve->mark % marks], curve->dashed ? " dt 2" : "");
}

static void write_scale(FILE *script, char axis, bool logarithmic)
{
    if (logarithmic)
        fprintf(script, "set logscale %c\nset format %c '%%g'\n", axis, axis);
    else /* the panel above may have set it */
        fprintf(script, "unset logscale %c\nset format %c\n", axis, axis);
}

static void write_points(FILE *script, const swq_curve *curve)
{
    for (size_t i = 0; i < curve->points; i++) {
        fprintf(script, "%.17g %.17g", curve->x[i], curve->y[i]);
        if (curve->half)
            fprintf(script, " %.17g", curve->half[i]);
        putc('\n', script);
    }
}

/* Write the labels that stand beside points. */
static void write_beside(FILE *script, const swq_plot *plot, size_t number)
{
    for (size_t c = 0; c < plot->curves; c++) {
        const swq_curve *curve = &plot->curve[c];
        if (!*curve->beside)
            continue;
        fprintf(script, ", $curve%zu_%zu using 1:2:(", number, c);
        swq_script_text(script, curve->beside);
        fprintf(script, ") with labels left offset character 0.7,%s noenhanced notitle",
                curve->faint ? "-0.4 tc rgb '#999999' font ',9'" : "0.4 font ',12'");
    }
}

static bool has_faint(const swq_plot *plot)
{
    bool any = false;

    for (size_t c = 0; c < plot->curves; c++)
        any = any || plot->curve[c].faint;
    return any;
}

/* Writes the gnuplot commands that draw one panel: title, labels, axes and curves. number: the
 * number of the panel, which its blocks of data have in their names. */
static void write_plot(FILE *script, const swq_plot *plot, size_t number)
{
    swq_script_title(script, plot->title);
    fputs("set xlabel ", script);
    swq_script_text(script, plot->x_label);
    fputs("\nset ylabel ", script);
    swq_script_text(script, plot->y_label);
    fputs("\nset grid xtics ytics lt 1 lc rgb '#dddddd'\nset key outside right top noenhanced",
          script);
    fputs(has_faint(plot) ? " font ',10' spacing 0.9\n" : "\n", script);
    write_scale(script, 'x', plot->log_x);
    write_scale(script, 'y', plot->log_y);
    write_range(script, 'x', plot->x_least, plot->x_most, only_value(plot, false));
    write_range(script, 'y', plot->y_least, plot->y_most, only_value(plot, true));
    for (size_t c = 0; c < plot->curves; c++) {
        fprintf(script, "$curve%zu_%zu << END\n", number, c);
        write_points(script, &plot->curve[c]);
        fputs("END\n", script);
    }
    const char *between = "plot ";
    for (size_t c = 0; c < plot->curves; c++) {
        const swq_curve *curve = &plot->curve[c];
        if (!curve->half || !curve->band)
            continue;
        fprintf(script,
                "%s$curve%zu_%zu using 1:($2-$3):($2+$3) with filledcurves fs transparent solid "
                "0.25 noborder lc rgb '%s' notitle",
                between, number, c, colour_of(curve));
        between = ", ";
    }
    for (size_t c = 0; c < plot->curves; c++) {
        const swq_curve *curve = &plot->curve[c];
        fprintf(script, "%s$curve%zu_%zu ", between, number, c);
        between = ", ";
        write_style(script, curve);
        fputs(" title ", script);
        swq_script_text(script, curve->name);
    }
    write_beside(script, plot, number);
    fputs("\n", script);
}

void swq_script_plots(FILE *script, const swq_plot *plot, size_t plots)
{
    if (plots > 1) /* the same margins, so that the axes are aligned */
        fprintf(script,
                "set multiplot layout %zu,1\nset lmargin at screen 0.1\n"
                "set rmargin at screen 0.76\n",
                plots);
    for (size_t k = 0; k < plots; k++)
        write_plot(script, &plot[k], k);
    if (plots > 1)
        fputs("unset multiplot\n", script);
}
