/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Maps in a script for gnuplot, with their data inline: grids of colours, in frames, and drawings
 * of boxes and arrows.
 */
#include "base/plot_script.h"

#include <math.h>
#include <string.h>

/* One frame. Rows are in the order of gnuplot's matrix format; letters are x, y, text. */
static void write_frame(FILE *script, const swq_colour_map *map, size_t frame)
{
    const size_t squares = map->rows * map->columns;
    const double *value = map->value + frame * squares;
    const char *letter = map->letter ? map->letter + frame * squares : NULL;
    char title[300];

    snprintf(title, sizeof title, map->frame_time > 0 ? "%s\n%.0f cycles" : "%s", map->title,
             (double)(frame + 1) * map->frame_time);
    swq_script_title(script, title);
    fprintf(script, "$map%zu << END\n", frame);
    for (size_t i = 0; i < squares; i++)
        fprintf(script, "%.9g%s", value[i], (i + 1) % map->columns ? " " : "\n");
    fputs("END\n", script);
    if (letter) {
        fprintf(script, "$letter%zu << END\n", frame);
        for (size_t i = 0; i < squares; i++)
            fprintf(script, "%zu %zu \"%c\"\n", i % map->columns, i / map->columns, letter[i]);
        fputs("END\n", script);
    }
    fprintf(script, "plot $map%zu matrix with image notitle", frame);
    if (letter)
        fprintf(script, ", $letter%zu using 1:2:3 with labels noenhanced notitle", frame);
    fputs("\n", script);
}

void swq_script_map(FILE *script, const swq_colour_map *map)
{
    fputs("set size ratio -1\nset palette defined (-1 '#2166ac', 0 '#f7f7f7', 1 '#b2182b')\n"
          "set xlabel ",
          script);
    swq_script_text(script, map->x_label);
    fputs("\nset ylabel ", script);
    swq_script_text(script, map->y_label);
    fputs("\nset cblabel ", script);
    swq_script_text(script, map->value_label);
    fprintf(script,
            "\nset cbrange [%.17g:%.17g]\nset xrange [-0.5:%zu.5]\nset yrange [%zu.5:-0.5]\n",
            -map->most, map->most, map->columns - 1, map->rows - 1);
    for (size_t k = 0; k < map->frames; k++)
        write_frame(script, map, k);
}

static void write_marks(FILE *script, const swq_heat_map *map, bool arrows, bool grey)
{
    fprintf(script, "$%s%d << END\n", arrows ? "arrows" : "boxes", grey);
    for (size_t k = 0; k < map->marks; k++) {
        const swq_heat_mark *m = &map->mark[k];
        if (m->arrow != arrows || isnan(m->value) != grey)
            continue;
        if (arrows)
            fprintf(script, "%.9g %.9g %.9g %.9g %.9g\n", m->x0, m->y0, m->x1 - m->x0,
                    m->y1 - m->y0, m->value);
        else
            fprintf(script, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", (m->x0 + m->x1) / 2,
                    (m->y0 + m->y1) / 2, m->x0, m->x1, m->y0, m->y1, m->value);
    }
    fputs("END\n", script);
}

static bool has_marks(const swq_heat_map *map, bool arrows, bool grey)
{
    for (size_t k = 0; k < map->marks; k++) {
        if (map->mark[k].arrow == arrows && isnan(map->mark[k].value) == grey)
            return true;
    }
    return false;
}

enum {
    LETTERS_OF_A_LINE = 70,
    TICKS = 20 /* for smaller ranges, every unit has a tick */
};

/* The range of the marks, with a margin. */
static void write_heat_ranges(FILE *script, const swq_heat_map *map)
{
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};

    for (size_t k = 0; k < map->marks; k++) {
        const swq_heat_mark *m = &map->mark[k];
        least[0] = fmin(least[0], fmin(m->x0, m->x1));
        most[0] = fmax(most[0], fmax(m->x0, m->x1));
        least[1] = fmin(least[1], fmin(m->y0, m->y1));
        most[1] = fmax(most[1], fmax(m->y0, m->y1));
    }
    if (map->square && most[0] - least[0] < TICKS)
        fputs("set xtics 1\n", script);
    if (map->square && most[1] - least[1] < TICKS)
        fputs("set ytics 1\n", script);
    fprintf(script, "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\nset cbrange [0:%.17g]\n",
            least[0] - 0.3, most[0] + 0.3, least[1] - 0.3, most[1] + 0.3, map->most);
}

void swq_script_heat(FILE *script, const swq_heat_map *map)
{
    static const char *const style[] = {
        " using 1:2:3:4:5:6:7 with boxxyerror fill solid noborder lc palette notitle",
        " using 1:2:3:4:5:6 with boxxyerror fill solid noborder lc rgb '#bbbbbb' notitle",
        " using 1:2:3:4:5 with vectors head filled size screen 0.006,25 lw 3 lc palette notitle",
        (" using 1:2:3:4 with vectors head filled size screen 0.006,25 lw 3 lc rgb '#bbbbbb' "
         "notitle"),
    };
    const char *between = "plot ";
    size_t longest = 0;

    if (map->square)
        fputs("set size ratio -1\n", script);
    fputs("set palette defined (0 '#fff7d6', 0.25 '#fec44f', 0.6 '#e34a33', 1 '#7f0000')\n"
          "set tics out nomirror\n",
          script);
    swq_script_title(script, map->title);
    fputs("set xlabel ", script);
    swq_script_text(script, map->x_label);
    fputs("\nset ylabel ", script);
    swq_script_text(script, map->y_label);
    fputs("\nset cblabel ", script);
    swq_script_text(script, map->value_label);
    fputs("\n", script);
    for (size_t k = 0; k < map->x_names; k++)
        longest = strlen(map->x_name[k]) > longest ? strlen(map->x_name[k]) : longest;
    for (size_t k = 0; k < map->x_names; k++) {
        fputs(k ? ", " : "set xtics (", script);
        swq_script_text(script, map->x_name[k]);
        fprintf(script, " %zu%s", k, k + 1 == map->x_names ? ")\n" : "");
    }
    if (longest * map->x_names > LETTERS_OF_A_LINE)
        fputs("set xtics rotate by -35\n", script);
    write_heat_ranges(script, map);
    for (int kind = 0; kind < 4; kind++)
        write_marks(script, map, kind > 1, kind % 2);
    for (int kind = 0; kind < 4; kind++) {
        if (!has_marks(map, kind > 1, kind % 2))
            continue;
        fprintf(script, "%s$%s%d%s", between, kind > 1 ? "arrows" : "boxes", kind % 2, style[kind]);
        between = ", ";
    }
    fputs("\n", script);
}
