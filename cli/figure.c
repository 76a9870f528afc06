/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq figure: a printed figure, simulated and drawn again, with what its text claims.
 * Room: cli.
 */
#include "base/context.h"
#include "base/outfile.h"
#include "base/plot.h"
#include "cli/cli.h"
#include "switchq/figures.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int as_json, as_csv, quick, no_plot;
static char *folder, *cycles_text, *seed_text, *threads_text, *threshold_text;

static struct poptOption options[] = {
    {"output", 'o', POPT_ARG_STRING, &folder, 0,
     "where figure-NAME.svg, .png and .csv, and .gif of 6.10 to 6.12, go (default: this folder)",
     "DIR"},
    {"no-plot", '\0', POPT_ARG_NONE, &no_plot, 0, "write the CSV file alone", NULL},
    {"quick", '\0', POPT_ARG_NONE, &quick, 0,
     "short runs, for a first look within seconds (6.5, 6.8, 6.9: half a minute)", NULL},
    {"cycles", '\0', POPT_ARG_STRING, &cycles_text, 0,
     "cycles measured in every run (default 20000, and more where a node would get fewer than 200 "
     "packets of a class); 6.2, whose runs have 3297: a hundredth as many runs of each kind",
     "N"},
    {"seed", '\0', POPT_ARG_STRING, &seed_text, 0, "of all random streams (default 1)", "S"},
    {"threads", '\0', POPT_ARG_STRING, &threads_text, 0,
     "runs at a time (default: as many as there are cores); the numbers do not depend on it", "T"},
    {"threshold", '\0', POPT_ARG_STRING, &threshold_text, 0,
     "6.10 to 6.12: blocks that a queue may have, 26 (default) or 10; the print does not say which",
     "T"},
    {"json", '\0', POPT_ARG_NONE, &as_json, 0, "print JSON", NULL},
    {"csv", '\0', POPT_ARG_NONE, &as_csv, 0, "print CSV, as in the file", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_memory_options, 0, NULL, NULL},
    POPT_TABLEEND,
};

enum { LONGEST_ROW = 255 };

static const char *const origin_words[] = {"throughput", "load", "full-load", "time"};

static const struct {
    const char *json, *text, *label; /* the axis in JSON, over a table, at the plot */
    const char *format;              /* of its values in a table */
} axes[] = {
    [SWQ_OVER_THROUGHPUT] = {"throughput", "throughput", "network throughput", "  %-11.2f"},
    [SWQ_OVER_PERCENT] = {"percent high priority", "high (%)",
                          "high priority (percent of the packets)", "  %-11g"},
    [SWQ_OVER_BISECTION] = {"bisection", "offered", "used fraction of the bisection's bandwidth",
                            "  %-11.2f"},
    [SWQ_OVER_BYTES] = {"bytes", "bytes", "memory of an input port (bytes)", "  %-11g"},
    [SWQ_OVER_CYCLES] = {"cycles", "cycle", "time (cycles)", "  %-11g"},
};

/* ---- settings ---- */

/* more: of the name, such as "-time". */
static void path_of(const char *name, const char *more, const char *suffix, char *path, size_t room)
{
    snprintf(path, room, "%s%sfigure-%s%s.%s", folder ? folder : "", folder ? "/" : "", name, more,
             suffix);
}

/* Before minutes are spent on runs: can a file be made there? Only making one tells, for some file
 * systems refuse what the permissions allow. */
static swq_status check_folder(swq_context *ctx, const char *name)
{
    char path[4200];
    struct stat about;
    swq_outfile file = {0};

    path_of(name, "", "csv", path, sizeof path);
    if (folder && stat(folder, &about) != 0)
        return swq_fail(ctx, SWQ_EIO, "--output '%.200s': %s", folder, strerror(errno));
    if (folder && !S_ISDIR(about.st_mode))
        return swq_fail(ctx, SWQ_EIO, "--output must be a folder, which '%.200s' is not", folder);
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return SWQ_OK; /* a pipe, which can be opened only once */
    swq_status status = swq_outfile_open(ctx, path, &file);
    swq_outfile_abort(ctx, &file);
    return status;
}

static swq_status read_threshold(swq_context *ctx, const char *text, int *threshold)
{
    if (strcmp(text, "26") != 0 && strcmp(text, "10") != 0)
        return swq_fail(ctx, SWQ_EINVAL, "--threshold must be 26 or 10, not '%.60s'", text);
    *threshold = *text == '2' ? 26 : 10;
    return SWQ_OK;
}

static swq_status read_settings(swq_context *ctx, const char *name, swq_figure_options *o)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    swq_status status = check_folder(ctx, name);

    *o = swq_figure_defaults(quick != 0);
    o->threads = cores < 1 ? 1 : cores > SWQ_MAX_THREADS ? SWQ_MAX_THREADS : (int)cores;
    if (!status && cycles_text) {
        status = cli_big(ctx, "cycles", cycles_text, 10, 4e8, &o->cycles);
        o->least_a_node = 0; /* just so many, everywhere */
    }
    if (!status && seed_text)
        status = cli_big(ctx, "seed", seed_text, 0, 9.2e18, &o->seed);
    if (!status && threads_text)
        status = cli_integer(ctx, "threads", threads_text, 1, SWQ_MAX_THREADS, &o->threads);
    if (!status && threshold_text)
        status = read_threshold(ctx, threshold_text, &o->threshold);
    if (!status && as_json && as_csv)
        status = swq_fail(ctx, SWQ_EINVAL, "--json and --csv cannot both be given");
    return status ? status : cli_memory_read(ctx);
}

/* ---- claims ---- */

/* None is judged when some of the runs are missing. */
static const char *verdict_text(const swq_figure *f, const swq_claim *claim)
{
    return f->cut_short ? "not run" : swq_claim_verdict_text(claim->verdict);
}

/* ---- maps ---- */

static size_t map_squares(const swq_figure_map *m)
{
    return (size_t)m->rows * (size_t)m->columns;
}

/* Of all the measured cycles. */
static const double *map_of_run(const swq_figure_map *m)
{
    return m->difference + (size_t)m->frames * map_squares(m);
}

static void map_row(const swq_figure_map *m, int row, char *text)
{
    for (int k = 0; k < m->columns; k++)
        text[k] = swq_figure_map_letter(map_of_run(m)[row * m->columns + k]);
    text[m->columns] = '\0';
}

/* ---- JSON ---- */

static cJSON *json_of_map(const swq_figure_map *m)
{
    cJSON *map = cJSON_CreateObject();
    char text[LONGEST_ROW + 1];

    cli_json_number(map, "load", m->load);
    cJSON_AddNumberToObject(map, "threshold", m->threshold);
    cJSON *letters = cJSON_AddArrayToObject(map, "rings");
    cJSON *difference = cJSON_AddArrayToObject(map, "difference");
    for (int r = 0; r < m->rows; r++) {
        map_row(m, r, text);
        cJSON_AddItemToArray(letters, cJSON_CreateString(text));
        cJSON_AddItemToArray(difference,
                             cJSON_CreateDoubleArray(map_of_run(m) + r * m->columns, m->columns));
    }
    return map;
}

static cJSON *json_of(const swq_figure *f)
{
    const swq_figure_kind *kind = f->kind;
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/figure/1");
    cJSON_AddStringToObject(tree, "figure", kind->name);
    cJSON_AddStringToObject(tree, "title", kind->title);
    cJSON_AddStringToObject(tree, "source", "G. L. Frazier, dissertation, UCLA 1995");
    cJSON_AddStringToObject(tree, "section", kind->section);
    cJSON_AddStringToObject(tree, "x", axes[kind->over].json);
    cJSON *run = cJSON_AddObjectToObject(tree, "run");
    cli_json_number(run, "seed", (double)f->options.seed);
    cJSON_AddNumberToObject(run, "cycles", (double)f->options.cycles);
    cJSON_AddNumberToObject(run, "least_packets_a_node", (double)f->options.least_a_node);
    cJSON_AddNumberToObject(run, "runs", f->runs);
    cJSON_AddBoolToObject(run, "cut_short", f->cut_short);
    cJSON *curves = cJSON_AddArrayToObject(tree, "curves");
    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *curve = &f->curve[c];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(curves, object);
        cJSON_AddStringToObject(object, "name", curve->name);
        cJSON_AddStringToObject(object, "panel", kind->panel[curve->panel].letter);
        cJSON_AddStringToObject(object, "quantity", curve->quantity);
        cJSON *points = cJSON_AddArrayToObject(object, "points");
        for (int k = 0; k < curve->points; k++) {
            const swq_figure_point *p = &curve->point[k];
            cJSON *point = cJSON_CreateObject();
            cJSON_AddItemToArray(points, point);
            cJSON_AddStringToObject(point, "at", origin_words[p->origin]);
            cli_json_number(point, "x", p->x);
            cli_json_number(point, "y", p->y);
            cli_json_number(point, "half_width", p->half_width);
            cli_json_number(point, "load", p->load);
            cli_json_number(point, "throughput", p->throughput.mean);
            cli_json_number(point, "throughput_half_width", p->throughput.half_width);
            cli_json_number(point, "packets_a_node", p->a_node);
            cJSON_AddNumberToObject(point, "cycles", (double)p->cycles);
        }
    }
    cJSON *printed = cJSON_AddArrayToObject(tree, "printed");
    for (int k = 0; k < f->printeds; k++) {
        const swq_printed_point *p = &f->printed[k];
        cJSON *point = cJSON_CreateObject();
        cJSON_AddItemToArray(printed, point);
        cJSON_AddStringToObject(point, "curve", f->curve[p->curve].name);
        cJSON_AddStringToObject(point, "panel", kind->panel[f->curve[p->curve].panel].letter);
        cJSON_AddStringToObject(point, "quantity", f->curve[p->curve].quantity);
        cJSON_AddStringToObject(point, "at", origin_words[p->at_full_load ? 2 : 0]);
        cli_json_number(point, "x", p->x);
        cli_json_number(point, "paper", p->y);
        cli_json_number(point, "computed", p->found.mean);
        cli_json_number(point, "half_width", p->found.half_width);
        cJSON_AddStringToObject(point, "verdict", swq_printed_verdict_text(p->verdict));
    }
    cJSON_AddStringToObject(tree, "printed_rule", swq_figure_printed_rule);
    if (f->map.rows)
        cJSON_AddItemToObject(tree, "map", json_of_map(&f->map));
    cJSON *claims = cJSON_AddArrayToObject(tree, "claims");
    for (int k = 0; k < f->claims; k++) {
        const swq_claim *claim = &f->claim[k];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(claims, object);
        cJSON_AddStringToObject(object, "claim", claim->text);
        cJSON_AddStringToObject(object, "criterion", claim->criterion);
        cJSON_AddStringToObject(object, "measured", claim->measured);
        cJSON_AddStringToObject(object, "verdict", verdict_text(f, claim));
        if (claim->known)
            cJSON_AddStringToObject(object, "known", claim->known);
    }
    return tree;
}

/* ---- CSV ---- */

static void print_csv(FILE *to, const swq_figure *f)
{
    fputs("figure,panel,curve,quantity,at,x,y,half_width,load,throughput,throughput_half_width,"
          "packets_a_node,cycles,computed,verdict\n",
          to);
    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *curve = &f->curve[c];
        for (int k = 0; k < curve->points; k++) {
            const swq_figure_point *p = &curve->point[k];
            fprintf(to, "%s,%s,\"%s\",\"%s\",%s,%.9g,%.9g,%.3g,%.9g,", f->kind->name,
                    f->kind->panel[curve->panel].letter, curve->name, curve->quantity,
                    origin_words[p->origin], p->x, p->y, p->half_width, p->load);
            if (p->origin == SWQ_AT_TIME)
                fputs(",,,", to);
            else
                fprintf(to, "%.9g,%.3g,%.9g,", p->throughput.mean, p->throughput.half_width,
                        p->a_node);
            fprintf(to, "%llu,,\n", (unsigned long long)p->cycles);
        }
    }
    for (int r = 0; r < f->map.rows; r++) {
        for (int k = 0; k < f->map.columns; k++)
            fprintf(to,
                    "%s,map,\"ring %d\",\"mean blocks of Q1+ less Q1-\",node,%d,%.9g,,%.9g,,,,,,\n",
                    f->kind->name, r, k, map_of_run(&f->map)[r * f->map.columns + k], f->map.load);
    }
    for (int k = 0; k < f->printeds; k++) {
        const swq_printed_point *p = &f->printed[k];
        const swq_figure_curve *curve = &f->curve[p->curve];
        fprintf(to, "%s,%s,\"%s\",\"%s\",printed,%.9g,%.9g,,,,,,,", f->kind->name,
                f->kind->panel[curve->panel].letter, curve->name, curve->quantity, p->x, p->y);
        if (!isnan(p->found.mean))
            fprintf(to, "%.9g", p->found.mean);
        fprintf(to, ",%s\n", swq_printed_verdict_text(p->verdict));
    }
}

/* ---- text ---- */

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
    printf("  %-11s", place ? axes[f->kind->over].json : "full load");
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
    char text[LONGEST_ROW + 1];

    printf(
        "\nSwitches of the first run, load %.4f, threshold %d blocks; a ring of the dimension that "
        "is traversed first in each row.\nQ1+ less Q1-: P 8 blocks or more, p 1 or more, = less "
        "than 1, n, N as many the other way:\n",
        m->load, m->threshold);
    for (int r = 0; r < m->rows; r++) {
        map_row(m, r, text);
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
    printf("  %-11s", by_load(f, panel) ? "offered" : axes[kind->over].text);
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
        print_row(f, panel, width, value[k], axes[kind->over].format);
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

static void print_text(const swq_figure *f)
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
        printf("  [%s] %s\n      criterion: %s\n      measured:  %s\n", verdict_text(f, claim),
               claim->text, claim->criterion, claim->measured);
        if (claim->known && claim->verdict != SWQ_CLAIM_HOLDS)
            printf("      known:     %s\n", claim->known);
    }
    printf("\n%d runs of %llu cycles%s, seed %llu\n", f->runs,
           (unsigned long long)f->options.cycles,
           f->kind->over == SWQ_OVER_CYCLES ? "" : " or more", (unsigned long long)f->options.seed);
}

/* ---- files ---- */

static swq_status write_csv(swq_context *ctx, const swq_figure *f)
{
    char path[4200];
    swq_outfile file = {0};

    path_of(f->kind->name, "", "csv", path, sizeof path);
    swq_status status = swq_outfile_open(ctx, path, &file);
    if (status)
        return status;
    print_csv(file.stream, f);
    return swq_outfile_commit(ctx, &file);
}

/* The curves of a panel, and one of printed points; x and y: room for all of them. */
static void fill_panel(const swq_figure *f, int panel, swq_curve *curve, double *x, double *y,
                       swq_plot *plot)
{
    size_t curves = 0, printed = 0;

    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *from = &f->curve[c];
        swq_curve *to = &curve[curves];
        if (from->panel != panel || from->points == 0)
            continue;
        *to = (swq_curve){.x = x,
                          .y = y,
                          .points = (size_t)from->points,
                          .colour = from->colour,
                          .mark = from->mark,
                          .dashed = from->dashed};
        snprintf(to->name, sizeof to->name, "%s", from->name);
        for (int k = 0; k < from->points; k++) {
            *x++ = from->point[k].x;
            *y++ = from->point[k].y;
        }
        curves++;
    }
    for (int k = 0; k < f->printeds; k++) {
        if (f->curve[f->printed[k].curve].panel == panel) {
            x[printed] = f->printed[k].x;
            y[printed++] = f->printed[k].y;
        }
    }
    if (printed)
        curve[curves++] =
            (swq_curve){.name = "printed", .x = x, .y = y, .points = printed, .printed = true};
    plot->curve = curve;
    plot->curves = curves;
}

/* The map, whole and as it grows. */
static swq_status draw_map(swq_context *ctx, const swq_figure *f)
{
    const swq_figure_map *m = &f->map;
    const size_t squares = map_squares(m), frames = (size_t)m->frames;
    char title[240], path[4200];
    swq_status status = SWQ_OK;
    swq_colour_map map = {.title = title,
                          .x_label = "place in the ring (dimension traversed first)",
                          .y_label = "ring",
                          .value_label = "mean blocks of Q1+ less Q1-",
                          .rows = (size_t)m->rows,
                          .columns = (size_t)m->columns,
                          .frames = 1,
                          .value = map_of_run(m),
                          .most = 16};
    char *letter = swq_calloc(ctx, squares, 1);

    if (!letter)
        return swq_memory_status(ctx);
    for (size_t k = 0; k < squares; k++)
        letter[k] = swq_figure_map_letter(map.value[k]);
    map.letter = letter;
    snprintf(title, sizeof title, "Figure %s: %s", f->kind->name, f->kind->title);
    for (int k = 0; k < 2 && !status; k++) {
        path_of(f->kind->name, "", k ? "png" : "svg", path, sizeof path);
        status = swq_plot_write_map(ctx, &map, path);
    }
    if (!status && frames) {
        map.letter = NULL;
        map.value = m->difference;
        map.frames = frames;
        map.frame_time = m->frame_cycles;
        path_of(f->kind->name, "", "gif", path, sizeof path);
        status = swq_plot_write_map(ctx, &map, path);
    }
    swq_free(ctx, letter);
    return status;
}

static swq_status draw(swq_context *ctx, const swq_figure *f)
{
    const swq_figure_kind *kind = f->kind;
    swq_plot plot[SWQ_FIGURE_PANELS];
    char title[SWQ_FIGURE_PANELS][240], path[4200];
    size_t points = (size_t)f->printeds, curves = (size_t)f->curves + SWQ_FIGURE_PANELS, panels = 0;
    swq_status status = SWQ_OK;

    for (int c = 0; c < f->curves; c++)
        points += (size_t)f->curve[c].points;
    /* each panel gets room for all */
    swq_curve *curve = swq_calloc(ctx, SWQ_FIGURE_PANELS * curves, sizeof *curve);
    double *number = swq_calloc(ctx, SWQ_FIGURE_PANELS * 2 * points, sizeof *number);
    if (!curve || !number)
        status = swq_memory_status(ctx);
    for (int p = 0; p < kind->panels && !status; p++) {
        double *x = number + (size_t)p * 2 * points;
        bool one = kind->panels == 1;
        snprintf(title[panels], sizeof title[panels], "%s%s%s%s%s%s%s%s", p ? "" : "Figure ",
                 p ? "" : kind->name, p ? "" : ": ", p ? "" : kind->title,
                 one ? ""
                 : p ? "("
                     : "\n(",
                 kind->panel[p].letter, one ? "" : ") ", kind->panel[p].title);
        plot[panels] = (swq_plot){.title = title[panels],
                                  .x_label = axes[kind->over].label,
                                  .y_label = kind->panel[p].y_label,
                                  .x_most = kind->x_most,
                                  .y_most = kind->panel[p].y_most};
        fill_panel(f, p, curve + (size_t)p * curves, x, x + points, &plot[panels]);
        panels += plot[panels].curves > 0;
    }
    for (int k = 0; k < 2 && !status && panels; k++) {
        path_of(f->kind->name, f->map.rows ? "-time" : "", k ? "png" : "svg", path, sizeof path);
        status = swq_plot_write_panels(ctx, plot, panels, path);
    }
    swq_free(ctx, curve);
    swq_free(ctx, number);
    return status;
}

/* ---- the command ---- */

static swq_status print(swq_context *ctx, const swq_figure *f)
{
    cli_clear_progress();
    if (as_json)
        return cli_json_print(ctx, json_of(f));
    if (as_csv)
        print_csv(stdout, f);
    else
        print_text(f);
    return cli_flush(ctx);
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    const swq_figure_kind *kind = NULL;
    swq_figure_options settings;
    swq_figure figure = {0};
    const char *name = NULL;
    int end = cli_read_options(ctx, self, options, argc, argv, &name, 1);
    if (end >= 0)
        return end;
    swq_status status = swq_figure_find(ctx, name, &kind);
    if (!status)
        status = read_settings(ctx, name, &settings);
    if (!status)
        status = swq_figure_run(ctx, kind, &settings, &figure);
    if (!status && !figure.cut_short) {
        status = write_csv(ctx, &figure);
        if (!status && !no_plot)
            status = draw(ctx, &figure);
        if (!status && !no_plot && figure.map.rows)
            status = draw_map(ctx, &figure);
    }
    /* also when it could not be drawn: the numbers took long to get */
    if (figure.kind) {
        swq_status printed = print(ctx, &figure);
        status = status ? status : printed;
    }
    if (!status && figure.cut_short)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted: no files were written");
    end = status ? cli_fail(ctx, status) : CLI_OK;
    /* what shorter runs than usual find against a claim is no failure */
    bool judged = !quick && !cycles_text;
    for (int k = 0; k < figure.claims && judged && end == CLI_OK; k++)
        end = swq_claim_surprises(&figure.claim[k]) ? CLI_FAILED : CLI_OK;
    swq_figure_clear(ctx, &figure);
    return end;
}

const cli_command cli_figure = {
    .name = "figure",
    .usage = "NAME [OPTION...]",
    .summary = "draw a printed figure again, with what its text claims",
    .examples = "  switchq figure 4.1 --quick\n"
                "  switchq figure 4.2 --cycles 500 --no-plot --csv\n"
                "  switchq figure 5.1 --quick -o . --json\n"
                "  switchq figure 6.12 --quick --threshold 10\n",
    .notes =
        "Figures of chapter 6 run with 'switchq sim --release start': memory is free from a\n"
        "transmission's start, as its numbers ask for. sim's own default is --release blocks.\n",
    .run = run,
};
