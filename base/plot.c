/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plots: a gnuplot script with its data inline is written to a temporary file and run.
 * Room: base.
 */
#include "base/plot.h"

#include "base/context.h"
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct {
    const char *suffix, *format; /* format: gnuplot's terminal, with %d for its height */
    int height, panel_height;    /* of a single plot, and of each of several */
    bool moves;                  /* shows the frames one after another */
} terminal;

static const terminal *terminal_of(const char *path)
{
    static const terminal known[] = {
        {".svg", "svg size 960,%d dynamic noenhanced background rgb 'white' font 'Helvetica,13'",
         640, 460, false},
        {".png", "pngcairo size 1440,%d noenhanced font 'Helvetica,18'", 960, 690, false},
        {".gif", "gif animate delay 12 loop 0 noenhanced size 720,%d", 600, 0, true},
    };
    const char *suffix = strrchr(path, '.');

    for (size_t k = 0; suffix && k < sizeof known / sizeof *known; k++) {
        if (strcmp(suffix, known[k].suffix) == 0)
            return &known[k];
    }
    return NULL;
}

swq_status swq_plot_check(swq_context *ctx, const char *path)
{
    const terminal *as = terminal_of(path);

    if (as && !as->moves)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "plot must end in .svg or .png, not '%.200s'", path);
}

swq_status swq_plot_find_program(swq_context *ctx)
{
    const char *at = getenv("PATH");
    char program[PATH_MAX];

    if (!at) /* the system's usual path, which posix_spawnp searches then */
        at = "/bin:/usr/bin";
    for (size_t length; *at; at += length + (at[length] == ':')) {
        length = strcspn(at, ":");
        const int used = snprintf(program, sizeof program, "%.*s/gnuplot", length ? (int)length : 1,
                                  length ? at : ".");
        if (used > 0 && (size_t)used < sizeof program && access(program, X_OK) == 0)
            return SWQ_OK;
    }
    return swq_fail(ctx, SWQ_EIO, "cannot run gnuplot, which draws the plots: %s",
                    strerror(ENOENT));
}

/* A string as gnuplot reads it between double quotes. Quotes, backslashes, backquotes (which would
 * run a command) and line ends become octal escapes. */
static void quote(FILE *script, const char *text)
{
    putc('"', script);
    for (; *text; text++) {
        if (strchr("\"'\\`\n", *text))
            fprintf(script, "\\%03o", (unsigned)(unsigned char)*text);
        else
            putc(*text, script);
    }
    putc('"', script);
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

/* The labels beside points. */
static void write_beside(FILE *script, const swq_plot *plot, size_t number)
{
    for (size_t c = 0; c < plot->curves; c++) {
        const swq_curve *curve = &plot->curve[c];
        if (!*curve->beside)
            continue;
        fprintf(script, ", $curve%zu_%zu using 1:2:(", number, c);
        quote(script, curve->beside);
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

/* number: that of the panel, for the names of its data. */
static void write_plot(FILE *script, const swq_plot *plot, size_t number)
{
    fputs("set title ", script);
    quote(script, plot->title);
    fputs(" noenhanced\nset xlabel ", script);
    quote(script, plot->x_label);
    fputs("\nset ylabel ", script);
    quote(script, plot->y_label);
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
        quote(script, curve->name);
    }
    write_beside(script, plot, number);
    fputs("\n", script);
}

static void write_terminal(FILE *script, const terminal *as, int height, const char *path)
{
    char output[4096];

    /* a leading | would make it a command */
    snprintf(output, sizeof output, "%s%s", path[0] == '/' ? "" : "./", path);
    fputs("set encoding utf8\nset terminal ", script);
    fprintf(script, as->format, height);
    fputs("\nset output ", script);
    quote(script, output);
    fputs("\n", script);
}

/* What a script draws: plots, or one of the two kinds of maps. */
typedef struct {
    const swq_plot *plot;
    size_t plots;
    const swq_colour_map *map;
    const swq_heat_map *heat;
} plot_drawing;

static void write_plots(FILE *script, const swq_plot *plot, size_t plots)
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

/* One frame. Rows are in the order of gnuplot's matrix format; letters are x, y, text. */
static void write_frame(FILE *script, const swq_colour_map *map, size_t frame)
{
    const size_t squares = map->rows * map->columns;
    const double *value = map->value + frame * squares;
    const char *letter = map->letter ? map->letter + frame * squares : NULL;
    char title[300];

    snprintf(title, sizeof title, map->frame_time > 0 ? "%s\n%.0f cycles" : "%s", map->title,
             (double)(frame + 1) * map->frame_time);
    fputs("set title ", script);
    quote(script, title);
    fprintf(script, " noenhanced\n$map%zu << END\n", frame);
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

static void write_map(FILE *script, const swq_colour_map *map)
{
    fputs("set size ratio -1\nset palette defined (-1 '#2166ac', 0 '#f7f7f7', 1 '#b2182b')\n"
          "set xlabel ",
          script);
    quote(script, map->x_label);
    fputs("\nset ylabel ", script);
    quote(script, map->y_label);
    fputs("\nset cblabel ", script);
    quote(script, map->value_label);
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

static void write_heat(FILE *script, const swq_heat_map *map)
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
          "set tics out nomirror\nset title ",
          script);
    quote(script, map->title);
    fputs(" noenhanced\nset xlabel ", script);
    quote(script, map->x_label);
    fputs("\nset ylabel ", script);
    quote(script, map->y_label);
    fputs("\nset cblabel ", script);
    quote(script, map->value_label);
    fputs("\n", script);
    for (size_t k = 0; k < map->x_names; k++)
        longest = strlen(map->x_name[k]) > longest ? strlen(map->x_name[k]) : longest;
    for (size_t k = 0; k < map->x_names; k++) {
        fputs(k ? ", " : "set xtics (", script);
        quote(script, map->x_name[k]);
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

static void write_script(FILE *script, const plot_drawing *what, const terminal *as,
                         const char *path)
{
    int height = what->plots > 1 ? (int)what->plots * as->panel_height : as->height;

    write_terminal(script, as, height, path);
    if (what->heat)
        write_heat(script, what->heat);
    else if (what->map)
        write_map(script, what->map);
    else
        write_plots(script, what->plot, what->plots);
    fputs("set output\n", script);
}

/* The environment, with a locale whose characters are UTF-8, as those of scripts are: in others
 * gnuplot warns. The result is the caller's; NULL without memory. */
static char **unicode_environment(swq_context *ctx)
{
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t count = 0;

    while (environ[count])
        count++;
    char **variables = swq_calloc(ctx, count + 2, sizeof *variables);
    if (variables) {
        /* of two with the same name the first is taken */
        variables[0] = locale;
        memcpy(variables + 1, environ, count * sizeof *variables);
    }
    return variables;
}

/* quiet: suppress the line that gnuplot writes to standard error after an animation. */
static swq_status run_gnuplot(swq_context *ctx, const char *script, bool quiet)
{
    char name[] = "gnuplot", path[64];
    char *const arguments[] = {name, path, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int state;

    strncpy(path, script, sizeof path - 1);
    path[sizeof path - 1] = '\0';
    char **const variables = unicode_environment(ctx);
    if (!variables)
        return swq_memory_status(ctx);
    int error = posix_spawn_file_actions_init(&actions);
    if (error) {
        swq_free(ctx, variables);
        return swq_fail(ctx, SWQ_ENOMEM, "cannot run gnuplot: %s", strerror(error));
    }
    if (quiet)
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!error)
        error = posix_spawnp(&child, name, &actions, NULL, arguments, variables);
    posix_spawn_file_actions_destroy(&actions);
    swq_free(ctx, variables);
    if (error)
        return swq_fail(ctx, SWQ_EIO, "cannot run gnuplot, which draws the plots: %s",
                        strerror(error));
    while (waitpid(child, &state, 0) < 0) {
        if (errno != EINTR)
            return swq_fail(ctx, SWQ_EIO, "lost gnuplot: %s", strerror(errno));
    }
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        return swq_fail(ctx, SWQ_EIO,
                        quiet ? "gnuplot failed to draw an animation"
                              : "gnuplot failed; its message is above");
    return SWQ_OK;
}

swq_status swq_plot_write(swq_context *ctx, const swq_plot *plot, const char *path)
{
    return swq_plot_write_panels(ctx, plot, 1, path);
}

static swq_status write_drawing(swq_context *ctx, const plot_drawing *what, const char *path)
{
    swq_outfile target = {0};
    char script_path[] = "/tmp/switchq-plot-XXXXXX";
    swq_status status = swq_outfile_open(ctx, path, &target);
    if (status)
        return status;
    int descriptor = mkstemp(script_path);
    if (descriptor >= 0)
        swq_temporary_note(ctx, script_path);
    FILE *script = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!script) {
        status = swq_fail(ctx, SWQ_EIO, "cannot write a temporary file: %s", strerror(errno));
    } else {
        write_script(script, what, terminal_of(path), target.temporary ? target.temporary : path);
        if (fclose(script) != 0)
            status = swq_fail(ctx, SWQ_EIO, "cannot write a temporary file: %s", strerror(errno));
    }
    if (!status)
        status = run_gnuplot(ctx, script_path, terminal_of(path)->moves);
    if (descriptor >= 0) {
        unlink(script_path);
        swq_temporary_forget(ctx, script_path);
    }
    if (!status) /* gnuplot has written the temporary file, and our own stream is still empty */
        status = swq_outfile_commit(ctx, &target);
    swq_outfile_abort(ctx, &target);
    return status;
}

swq_status swq_plot_write_panels(swq_context *ctx, const swq_plot *plot, size_t plots,
                                 const char *path)
{
    swq_status status = swq_plot_check(ctx, path);

    return status ? status : write_drawing(ctx, &(plot_drawing){plot, plots, NULL, NULL}, path);
}

swq_status swq_plot_write_map(swq_context *ctx, const swq_colour_map *map, const char *path)
{
    const terminal *as = terminal_of(path);

    if (!as)
        return swq_fail(ctx, SWQ_EINVAL, "map must end in .svg, .png or .gif, not '%.200s'", path);
    if (map->frames > 1 && !as->moves)
        return swq_fail(ctx, SWQ_EINVAL, "a map of %zu frames must end in .gif, not '%.200s'",
                        map->frames, path);
    return write_drawing(ctx, &(plot_drawing){NULL, 0, map, NULL}, path);
}

swq_status swq_plot_write_heat(swq_context *ctx, const swq_heat_map *map, const char *path)
{
    swq_status status = swq_plot_check(ctx, path);

    return status ? status : write_drawing(ctx, &(plot_drawing){NULL, 0, NULL, map}, path);
}
