/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plots and maps as tables. Each row has the title and the labels of its panel, so that it can be
 * read alone.
 */
#include "base/plot_csv.h"

#include "base/text.h"

#include <math.h>

/* A text in one line: "Figure 4.1: Latency; (a) FIFO". */
static void join_lines(const char *text, char *line, size_t size)
{
    size_t used = 0;

    for (; *text && used + 2 < size; text++) {
        if (*text == '\n')
            line[used++] = ';';
        line[used++] = *text == '\n' ? ' ' : *text;
    }
    line[used] = '\0';
}

/* Texts of a picture with commas between. */
static void write_texts(FILE *to, const char *const *text, size_t texts)
{
    char line[4096];

    for (size_t k = 0; k < texts; k++) {
        join_lines(text[k] ? text[k] : "", line, sizeof line);
        if (k)
            putc(',', to);
        swq_csv_text(to, line);
    }
}

/* A number, or nothing for one that is not finite. */
static void write_number(FILE *to, double value)
{
    char text[40];

    if (isfinite(value))
        fputs(swq_number_text(value, text), to);
}

/* Numbers, each after a comma. */
static void write_numbers(FILE *to, const double *value, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        putc(',', to);
        write_number(to, value[k]);
    }
}

/* ---- curves ---- */

/* Has a number a place on an axis? least, most: the range of the axis; both 0: any. */
static bool on_axis(double value, bool logarithmic, double least, double most)
{
    return isfinite(value) && !(logarithmic && value <= 0) &&
           ((least == 0 && most == 0) || (value >= least && value <= most));
}

static void write_point(FILE *to, const swq_plot *plot, const swq_curve *curve, size_t k)
{
    const char *const name[] = {curve->name, curve->beside};
    const char *const about[] = {plot->x_label, plot->y_label, plot->title};
    const double half = curve->half && curve->half[k] > 0 ? curve->half[k] : NAN;
    const double number[] = {curve->x[k], curve->y[k], curve->y[k] - half, curve->y[k] + half};

    write_texts(to, name, sizeof name / sizeof *name);
    write_numbers(to, number, sizeof number / sizeof *number);
    fputs(curve->hollow && curve->hollow[k] ? ",true," : ",false,", to);
    write_texts(to, about, sizeof about / sizeof *about);
    putc('\n', to);
}

void swq_csv_plots(FILE *to, const swq_plot *plot, size_t plots)
{
    fputs("series,label,x,y,low,high,past_saturation,x_label,y_label,title\n", to);
    for (const swq_plot *p = plot; p < plot + plots; p++) {
        for (const swq_curve *c = p->curve; c < p->curve + p->curves; c++) {
            for (size_t k = 0; k < c->points; k++) {
                if (on_axis(c->x[k], p->log_x, p->x_least, p->x_most) &&
                    on_axis(c->y[k], p->log_y, p->y_least, p->y_most))
                    write_point(to, p, c, k);
            }
        }
    }
}

/* ---- maps ---- */

void swq_csv_map(FILE *to, const swq_colour_map *map)
{
    const char *const about[] = {map->x_label, map->y_label, map->value_label, map->title};
    const size_t squares = map->rows * map->columns;

    fputs("letter,cycles,x,y,value,x_label,y_label,value_label,title\n", to);
    for (size_t k = 0; k < map->frames * squares; k++) {
        const size_t frame = k / squares, row = k % squares / map->columns;
        const double number[] = {map->frame_time > 0 ? (double)(frame + 1) * map->frame_time : NAN,
                                 (double)(k % map->columns), (double)row, map->value[k]};
        const char letter[] = {map->letter ? map->letter[k] : '\0', '\0'};
        swq_csv_text(to, letter);
        write_numbers(to, number, sizeof number / sizeof *number);
        putc(',', to);
        write_texts(to, about, sizeof about / sizeof *about);
        putc('\n', to);
    }
}

/* The label of a mark's place on the x axis: that of the middle of a box. */
static const char *name_of(const swq_heat_map *map, const swq_heat_mark *m)
{
    const long at = lround((m->x0 + m->x1) / 2);

    return at >= 0 && (size_t)at < map->x_names ? map->x_name[at] : "";
}

void swq_csv_heat(FILE *to, const swq_heat_map *map)
{
    fputs("mark,x0,y0,x1,y1,value,x_name,x_label,y_label,value_label,title\n", to);
    for (const swq_heat_mark *m = map->mark; m < map->mark + map->marks; m++) {
        const double number[] = {m->x0, m->y0, m->x1, m->y1, m->value};
        const char *const about[] = {name_of(map, m), map->x_label, map->y_label, map->value_label,
                                     map->title};
        fputs(m->arrow ? "arrow" : "box", to);
        write_numbers(to, number, sizeof number / sizeof *number);
        putc(',', to);
        write_texts(to, about, sizeof about / sizeof *about);
        putc('\n', to);
    }
}
