/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plots: a script for gnuplot is written to a temporary file and run. plot_curves.c and plot_maps.c
 * write what it draws; plot_csv.c writes it as a table, without gnuplot.
 */
#include "base/plot.h"

#include "base/context.h"
#include "base/outfile.h"
#include "base/plot_csv.h"
#include "base/plot_script.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct {
    const char *suffix, *format; /* gnuplot's terminal, with %d for its height; NULL: a table */
    int height, panel_height;    /* of a single plot, and of each of several */
    double marks;                /* size of the marks of curves */
    bool moves;                  /* shows the frames one after another */
} terminal;

static const terminal *terminal_of(const char *path)
{
    static const terminal known[] = {
        {".svg", "svg size 960,%d dynamic noenhanced background rgb 'white' font 'Helvetica,13'",
         640, 460, 0.75, false},
        {".png", "pngcairo size 1440,%d noenhanced font 'Helvetica,18'", 960, 690, 1.3, false},
        {".pdf", "pdfcairo size 24cm,%dcm noenhanced font 'Helvetica,11'", 16, 12, 0.6, false},
        {".gif", "gif animate delay 12 loop 0 noenhanced size 720,%d", 600, 0, 1, true},
        {".csv", NULL, 0, 0, 0, false},
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
    return swq_fail(ctx, SWQ_EINVAL, "plot must end in .svg, .png, .pdf or .csv, not '%.200s'",
                    path);
}

swq_status swq_plot_find_program(swq_context *ctx, const char *path)
{
    const terminal *as = terminal_of(path);
    const char *at = getenv("PATH");
    char program[PATH_MAX];

    if (as && !as->format)
        return SWQ_OK;
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

static void write_terminal(FILE *script, const terminal *as, int height, const char *path)
{
    char output[4096];

    /* a leading | would make it a command */
    snprintf(output, sizeof output, "%s%s", path[0] == '/' ? "" : "./", path);
    fputs("set encoding utf8\nset terminal ", script);
    fprintf(script, as->format, height);
    fprintf(script, "\nset pointsize %.2g\nset output ", as->marks);
    swq_script_text(script, output);
    fputs("\n", script);
}

/* The content of a script: plots, or one of the two kinds of maps. */
typedef struct {
    const swq_plot *plot;
    size_t plots;
    const swq_colour_map *map;
    const swq_heat_map *heat;
} plot_drawing;

static void write_script(FILE *script, const plot_drawing *what, const terminal *as,
                         const char *path)
{
    int height = what->plots > 1 ? (int)what->plots * as->panel_height : as->height;

    write_terminal(script, as, height, path);
    if (what->heat)
        swq_script_heat(script, what->heat);
    else if (what->map)
        swq_script_map(script, what->map);
    else
        swq_script_plots(script, what->plot, what->plots);
    fputs("set output\n", script);
}

/* The environment for gnuplot, with a UTF-8 locale, since scripts are UTF-8: in other locales
 * gnuplot warns. The result is the caller's; NULL without memory. */
static char **unicode_environment(swq_context *ctx)
{
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t count = 0;

    while (environ[count])
        count++;
    char **variables = swq_calloc(ctx, count + 2, sizeof *variables);
    if (variables) {
        /* of two variables with the same name, programs take the first */
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

static swq_status write_table(swq_context *ctx, const plot_drawing *what, const char *path)
{
    swq_outfile target = {0};
    swq_status status = swq_outfile_open(ctx, path, &target);

    if (status)
        return status;
    if (what->heat)
        swq_csv_heat(target.stream, what->heat);
    else if (what->map)
        swq_csv_map(target.stream, what->map);
    else
        swq_csv_plots(target.stream, what->plot, what->plots);
    status = swq_outfile_commit(ctx, &target);
    swq_outfile_abort(ctx, &target);
    return status;
}

static swq_status draw_picture(swq_context *ctx, const plot_drawing *what, const char *path)
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

static swq_status write_drawing(swq_context *ctx, const plot_drawing *what, const char *path)
{
    return terminal_of(path)->format ? draw_picture(ctx, what, path) : write_table(ctx, what, path);
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
        return swq_fail(ctx, SWQ_EINVAL,
                        "map must end in .svg, .png, .pdf, .gif or .csv, not '%.200s'", path);
    if (map->frames > 1 && !as->moves && as->format)
        return swq_fail(ctx, SWQ_EINVAL,
                        "a map of %zu frames must end in .gif or .csv, not '%.200s'", map->frames,
                        path);
    return write_drawing(ctx, &(plot_drawing){NULL, 0, map, NULL}, path);
}

swq_status swq_plot_write_heat(swq_context *ctx, const swq_heat_map *map, const char *path)
{
    swq_status status = swq_plot_check(ctx, path);

    return status ? status : write_drawing(ctx, &(plot_drawing){NULL, 0, NULL, map}, path);
}
