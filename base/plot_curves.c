/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves in a script for gnuplot, with their data inline.
 */
#include "base/plot_script.h"

#include <math.h>

/* Does a point decide about the range of an axis? */
static bool sets_axis(const swq_plot *plot, const swq_curve *curve, size_t point)
{
    return !(plot->y_of_solid && curve->hollow && curve->hollow[point]);
}

/* The end of the y axis where the greatest y of points that are not hollow decides, and their bars
 * unless they are longer than half of that; 0: there is none, or none is hollow. */
static double most_solid(const swq_plot *plot)
{
    double most = 0, end = 0;
    bool hollow = false;

    for (size_t c = 0; c < plot->curves; c++) {
        const swq_curve *curve = &plot->curve[c];
        for (size_t i = 0; i < curve->points; i++) {
            if (sets_axis(plot, curve, i)) {
                most = fmax(most, curve->y[i]);
                end = fmax(end, curve->y[i] + (curve->half ? curve->half[i] : 0));
            } else {
                hollow = true;
            }
        }
    }
    return hollow ? fmin(1.05 * end, 1.5 * most) : 0;
}

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

/* The strokes of a line in gnuplot's words: "dt (7,3)". */
static void write_dash(FILE *script, const swq_curve *curve)
{
    enum { LENGTH_OF_DASH = 2 }; /* in units of gnuplot */
    const char *const all = swq_palette_dashes[(size_t)curve->style.dash % SWQ_PALETTE_DASHES];
    const char *dash = all;

    fputs(*dash ? "" : " dt solid", script);
    for (int length, used, k = 0; sscanf(dash, "%d%n", &length, &used) == 1; dash += used, k++)
        fprintf(script, "%s%d", k ? "," : " dt (", LENGTH_OF_DASH * length);
    fputs(*all ? ")" : "", script);
}

/* gnuplot's numbers of filled marks, each followed by its hollow one, in the order of
 * swq_palette_marks. */
static int mark_of(const swq_curve *curve, bool hollow)
{
    static const int mark[SWQ_PALETTE_MARKS][2] = {{7, 6},   {5, 4},   {9, 8},
                                                   {13, 12}, {11, 10}, {15, 14}};

    return mark[(size_t)curve->style.mark % SWQ_PALETTE_MARKS][hollow];
}

/* The line, its bars, and filled marks. */
static void write_style(FILE *script, const swq_curve *curve)
{
    char colour[8];

    swq_palette_mix(&curve->style, colour);
    if (curve->steps)
        fprintf(script, "with histeps lw 1.6 lc rgb '%s'", colour);
    else if (curve->stairs)
        fputs("using 1:2 with steps lw 1.6 dt 2 lc rgb '#777777'", script);
    else if (curve->faint)
        fputs("using 1:2 with points pt 7 ps 0.6 lc rgb '#999999'", script);
    else if (curve->printed)
        fputs("using 1:2 with points pt 6 ps 1.7 lw 1.6 lc rgb '#000000'", script);
    else {
        fprintf(script, "%swith %s lw 1.8 lc rgb '%s' pt %d",
                curve->half && !curve->band ? "using 1:2:3 " : "using 1:2 ",
                curve->half && !curve->band ? "yerrorlines" : "linespoints", colour,
                mark_of(curve, false));
        write_dash(script, curve);
    }
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
        if (curve->hollow)
            fprintf(script, curve->half ? " %d" : " 0 %d", curve->hollow[i]);
        putc('\n', script);
    }
}

/* Empties the marks of hollow points. */
static void write_hollow(FILE *script, const swq_curve *curve, size_t number, size_t c)
{
    char colour[8];

    if (!curve->hollow)
        return;
    swq_palette_mix(&curve->style, colour);
    fprintf(script,
            ", $curve%zu_%zu using 1:($4 > 0 ? $2 : NaN) with points pt %d lc rgb 'white' notitle",
            number, c, mark_of(curve, false));
    fprintf(
        script,
        ", $curve%zu_%zu using 1:($4 > 0 ? $2 : NaN) with points pt %d lw 1.6 lc rgb '%s' notitle",
        number, c, mark_of(curve, true), colour);
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
    const double most = most_solid(plot);
    if (most > 0 && plot->y_least == 0 && plot->y_most == 0)
        fprintf(script, "set yrange [*:%.17g]\n", most);
    else
        write_range(script, 'y', plot->y_least, plot->y_most, only_value(plot, true));
    for (size_t c = 0; c < plot->curves; c++) {
        fprintf(script, "$curve%zu_%zu << END\n", number, c);
        write_points(script, &plot->curve[c]);
        fputs("END\n", script);
    }
    const char *between = "plot ";
    char colour[8];
    for (size_t c = 0; c < plot->curves; c++) {
        const swq_curve *curve = &plot->curve[c];
        if (!curve->half || !curve->band)
            continue;
        swq_palette_mix(&curve->style, colour);
        fprintf(script,
                "%s$curve%zu_%zu using 1:($2-$3):($2+$3) with filledcurves fs transparent solid "
                "0.25 noborder lc rgb '%s' notitle",
                between, number, c, colour);
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
    for (size_t c = 0; c < plot->curves; c++)
        write_hollow(script, &plot->curve[c], number, c);
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
