/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq formula: text, CSV, JSON and plots.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/formula.h"
#include "cli/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const standing_words[] = {"exact", "limit", "bound", "approximation"};

static const char *standing_of(const swq_formula *f)
{
    return standing_words[f->standing];
}

/* That of the last row that names one. */
static const char *family_of(const swq_formula *f)
{
    const char *family = "";

    for (int k = 0; swq_formulas[k]; k++) {
        if (swq_formulas[k]->family)
            family = swq_formulas[k]->family;
        if (swq_formulas[k] == f)
            break;
    }
    return family;
}

static const double *result_of(const cli_formula_table *t, int point, int result)
{
    return &t->result[(size_t)point * (size_t)t->formula->results + (size_t)result];
}

static const double *value_of(const cli_formula_table *t, int point, int parameter)
{
    return &t->values[parameter].value[cli_formula_place(t, point, parameter)];
}

/* ---- text ---- */

/* Is there such a result at any point? Rows may have one for each of many stages. */
static bool is_shown(const cli_formula_table *t, int result)
{
    for (int point = 0; point < t->points; point++) {
        if (!isnan(*result_of(t, point, result)))
            return true;
    }
    return false;
}

/* A number, or why there is none. */
static void number_text(double value, char *text, size_t size)
{
    if (isnan(value))
        snprintf(text, size, "none");
    else if (isinf(value))
        snprintf(text, size, "infinite");
    else
        snprintf(text, size, "%.12g", value);
}

/* The parameters that are the same at all points. */
static void print_given(const cli_formula_table *t)
{
    const char *between = "  ";

    for (int k = 0; k < t->formula->parameters; k++) {
        if (t->values[k].range)
            continue;
        printf("%s%s ", between, t->formula->parameter[k].name);
        for (int v = 0; v < t->values[k].count; v++)
            printf("%s%.12g", v ? "," : "", t->values[k].value[v]);
        between = ", ";
    }
    if (*between == ',')
        putchar('\n');
}

static void print_results(const cli_formula_table *t)
{
    char text[40];

    for (int r = 0; r < t->formula->results; r++) {
        if (!is_shown(t, r))
            continue;
        number_text(*result_of(t, 0, r), text, sizeof text);
        printf("  %-16s %-18s %s\n", t->formula->result[r].name, text,
               t->formula->result[r].summary);
    }
}

/* A line for each point: what has a range, then the results. */
static void print_points(const cli_formula_table *t)
{
    const swq_formula *f = t->formula;
    char text[40];

    for (int r = 0; r < t->ranges; r++)
        printf("  %10s", f->parameter[t->range[r]].name);
    for (int r = 0; r < f->results; r++) {
        if (is_shown(t, r))
            printf("  %18s", f->result[r].name);
    }
    putchar('\n');
    for (int point = 0; point < t->points; point++) {
        for (int r = 0; r < t->ranges; r++)
            printf("  %10.10g", *value_of(t, point, t->range[r]));
        for (int r = 0; r < f->results; r++) {
            number_text(*result_of(t, point, r), text, sizeof text);
            if (is_shown(t, r))
                printf("  %18s", text);
        }
        putchar('\n');
    }
    putchar('\n');
    for (int r = 0; r < f->results; r++) {
        if (is_shown(t, r))
            printf("  %-16s %s\n", f->result[r].name, f->result[r].summary);
    }
}

static void print_labelled(const char *label, const char *text)
{
    char line[1024];

    snprintf(line, sizeof line, "%s: %s", label, text);
    printf("  ");
    cli_print_wrapped(line, 4);
}

swq_status cli_formula_print(swq_context *ctx, const cli_formula_table *t)
{
    const swq_formula *f = t->formula;

    printf("%s: ", f->name);
    cli_print_wrapped(f->summary, 2);
    print_given(t);
    putchar('\n');
    if (t->ranges == 0)
        print_results(t);
    else
        print_points(t);
    putchar('\n');
    print_labelled("standing", standing_of(f));
    if (f->error)
        print_labelled("off by", f->error);
    print_labelled("assumes", f->assumptions);
    print_labelled("source", f->source);
    return cli_flush(ctx);
}

/* "--load L --ports N [--speedup N=1]" */
static void print_options(const swq_formula *f)
{
    char line[512] = "";

    for (int k = 0; k < f->parameters; k++) {
        const swq_formula_parameter *p = &f->parameter[k];
        size_t used = strlen(line);
        const char *kind = p->list ? "X,X" : p->whole ? "N" : "X";
        if (isnan(p->usual))
            snprintf(line + used, sizeof line - used, "%s--%s %s", k ? " " : "", p->name, kind);
        else
            snprintf(line + used, sizeof line - used, "%s[--%s %s]", k ? " " : "", p->name, kind);
    }
    printf("      ");
    cli_print_wrapped(line, 6);
}

swq_status cli_formula_list(swq_context *ctx)
{
    for (int k = 0; swq_formulas[k]; k++) {
        const swq_formula *f = swq_formulas[k];
        if (f->family)
            printf("%s%s:\n", k ? "\n" : "", f->family);
        printf("  %s (%s): ", f->name, standing_of(f));
        cli_print_wrapped(f->summary, 6);
        print_options(f);
    }
    return cli_flush(ctx);
}

/* ---- CSV ---- */

static void csv_number(double value)
{
    if (isnan(value))
        return;
    printf(isinf(value) ? "inf" : "%.15g", value);
}

swq_status cli_formula_csv(swq_context *ctx, const cli_formula_table *t)
{
    const swq_formula *f = t->formula;

    for (int k = 0; k < f->parameters; k++)
        printf("%s,", f->parameter[k].name);
    for (int r = 0; r < f->results; r++)
        printf("%s%s", f->result[r].name, r + 1 < f->results ? "," : "\n");
    for (int point = 0; point < t->points; point++) {
        for (int k = 0; k < f->parameters; k++) {
            for (int v = 0; v < t->values[k].count; v++)
                printf("%s%.15g", v ? " " : "", value_of(t, point, k)[v]);
            putchar(',');
        }
        for (int r = 0; r < f->results; r++) {
            csv_number(*result_of(t, point, r));
            putchar(r + 1 < f->results ? ',' : '\n');
        }
    }
    return cli_flush(ctx);
}

/* ---- JSON ---- */

static void add_row(cJSON *tree, const swq_formula *f)
{
    cJSON_AddStringToObject(tree, "name", f->name);
    cJSON_AddStringToObject(tree, "family", family_of(f));
    cJSON_AddStringToObject(tree, "summary", f->summary);
    cJSON_AddStringToObject(tree, "standing", standing_of(f));
    cJSON_AddStringToObject(tree, "assumptions", f->assumptions);
    cJSON_AddStringToObject(tree, "source", f->source);
    if (f->error)
        cJSON_AddStringToObject(tree, "off_by", f->error);
    else
        cJSON_AddNullToObject(tree, "off_by");
}

static void add_point(cJSON *points, const cli_formula_table *t, int point)
{
    const swq_formula *f = t->formula;
    cJSON *object = cJSON_CreateObject(), *infinite = NULL;

    cJSON_AddItemToArray(points, object);
    cJSON *parameters = cJSON_AddObjectToObject(object, "parameters");
    for (int k = 0; k < f->parameters; k++) {
        const double *value = value_of(t, point, k);
        if (f->parameter[k].list)
            cJSON_AddItemToObject(parameters, f->parameter[k].name,
                                  cli_json_numbers(value, t->values[k].count));
        else
            cli_json_number(parameters, f->parameter[k].name, *value);
    }
    cJSON *results = cJSON_AddObjectToObject(object, "results");
    for (int r = 0; r < f->results; r++)
        cli_json_number(results, f->result[r].name, *result_of(t, point, r));
    /* null may stand for no such thing, or for a queue without end */
    for (int r = 0; r < f->results; r++) {
        if (!isinf(*result_of(t, point, r)))
            continue;
        if (!infinite)
            infinite = cJSON_AddArrayToObject(object, "infinite");
        cJSON_AddItemToArray(infinite, cJSON_CreateString(f->result[r].name));
    }
}

swq_status cli_formula_json(swq_context *ctx, const cli_formula_table *t)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/formula/1");
    add_row(cJSON_AddObjectToObject(tree, "formula"), t->formula);
    cJSON *points = cJSON_AddArrayToObject(tree, "points");
    for (int point = 0; point < t->points; point++)
        add_point(points, t, point);
    return cli_json_print(ctx, tree);
}

swq_status cli_formula_list_json(swq_context *ctx)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/formula/1");
    cJSON *rows = cJSON_AddArrayToObject(tree, "formulas");
    for (int k = 0; swq_formulas[k]; k++) {
        const swq_formula *f = swq_formulas[k];
        cJSON *row = cJSON_CreateObject();
        cJSON_AddItemToArray(rows, row);
        add_row(row, f);
        cJSON *parameters = cJSON_AddArrayToObject(row, "parameters");
        for (int p = 0; p < f->parameters; p++) {
            cJSON *one = cJSON_CreateObject();
            cJSON_AddItemToArray(parameters, one);
            cJSON_AddStringToObject(one, "name", f->parameter[p].name);
            cJSON_AddStringToObject(one, "summary", f->parameter[p].summary);
            cli_json_number(one, "least", f->parameter[p].least);
            cli_json_number(one, "most", f->parameter[p].most);
            cli_json_number(one, "usual", f->parameter[p].usual);
            cJSON_AddBoolToObject(one, "whole", f->parameter[p].whole);
            cJSON_AddBoolToObject(one, "list", f->parameter[p].list);
        }
        cJSON *results = cJSON_AddArrayToObject(row, "results");
        for (int r = 0; r < f->results; r++) {
            cJSON *one = cJSON_CreateObject();
            cJSON_AddItemToArray(results, one);
            cJSON_AddStringToObject(one, "name", f->result[r].name);
            cJSON_AddStringToObject(one, "summary", f->result[r].summary);
        }
    }
    return cli_json_print(ctx, tree);
}

/* ---- plot ---- */

enum { MOST_CURVES = 16 };

/* Over which range, and which one makes the curves (-1: none). */
typedef struct {
    int x, family, curves;
} axes;

static axes axes_of(const cli_formula_table *t)
{
    if (t->ranges == 1)
        return (axes){t->range[0], -1, 1};
    int first = t->range[0], second = t->range[1];
    if (t->values[first].points < t->values[second].points)
        return (axes){second, first, t->values[first].points};
    return (axes){first, second, t->values[second].points};
}

/* "output-queue-finite: fraction of packets lost (ports 4)" */
static void title_of(const cli_formula_table *t, int result, char *title, size_t size)
{
    const swq_formula *f = t->formula;
    const char *between = " (";

    snprintf(title, size, "%s: %s", f->name, f->result[result].summary);
    for (int k = 0; k < f->parameters; k++) {
        if (t->values[k].range || t->values[k].count != 1)
            continue;
        size_t used = strlen(title);
        snprintf(title + used, size - used, "%s%s %.6g", between, f->parameter[k].name,
                 t->values[k].value[0]);
        between = ", ";
    }
    size_t used = strlen(title);
    snprintf(title + used, size - used, "%s", *between == ',' ? ")" : "");
}

enum { TITLE = 200 };

/* One result, its finite points; x, y: [points]. */
static void fill_panel(const cli_formula_table *t, axes a, int result, double *x, double *y,
                       swq_curve *curve, const char *title, swq_plot *plot)
{
    const swq_formula *f = t->formula;
    double least = INFINITY, greatest = 0;
    size_t used = 0;

    for (int c = 0; c < a.curves; c++) {
        curve[c] = (swq_curve){.x = x + used, .y = y + used, .colour = c, .mark = c};
        if (a.family >= 0)
            snprintf(curve[c].name, sizeof curve[c].name, "%s %.6g", f->parameter[a.family].name,
                     t->values[a.family].value[c]);
        else
            snprintf(curve[c].name, sizeof curve[c].name, "%s", f->result[result].name);
        for (int point = 0; point < t->points; point++) {
            double value = *result_of(t, point, result);
            if ((a.family >= 0 && cli_formula_place(t, point, a.family) != c) || !isfinite(value))
                continue;
            x[used] = *value_of(t, point, a.x);
            y[used++] = value;
            curve[c].points++;
            least = fmin(least, value);
            greatest = fmax(greatest, value);
        }
    }
    *plot = (swq_plot){.title = title,
                       .x_label = f->parameter[a.x].name,
                       .y_label = f->result[result].name,
                       .log_y = least > 0 && greatest > 1000 * least,
                       .curve = curve,
                       .curves = (size_t)a.curves};
}

swq_status cli_formula_draw_check(swq_context *ctx, const cli_formula_table *t, const char *path)
{
    if (t->ranges == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--plot needs a range, such as --%s FROM:TO:STEP",
                        t->formula->parameter[0].name);
    axes a = axes_of(t);
    if (a.curves > MOST_CURVES)
        return swq_fail(ctx, SWQ_EINVAL, "--plot draws at most %d curves, not %d, one for each %s",
                        MOST_CURVES, a.curves, t->formula->parameter[a.family].name);
    return swq_plot_check(ctx, path);
}

swq_status cli_formula_draw(swq_context *ctx, const cli_formula_table *t, const char *path)
{
    const int results = t->formula->results;
    axes a = axes_of(t);
    size_t cells = (size_t)t->points * (size_t)results;
    swq_plot panel[SWQ_FORMULA_RESULTS];
    char title[SWQ_FORMULA_RESULTS][TITLE];
    size_t panels = 0;

    double *x = calloc(2 * cells, sizeof *x);
    swq_curve *curve = calloc((size_t)a.curves * (size_t)results, sizeof *curve);
    if (!x || !curve) {
        free(x);
        free(curve);
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the plot");
    }
    for (int r = 0; r < results; r++) {
        double *at = x + (size_t)r * (size_t)t->points;
        swq_curve *its = curve + (size_t)r * (size_t)a.curves;
        size_t points = 0;
        title_of(t, r, title[panels], TITLE);
        fill_panel(t, a, r, at, at + cells, its, title[panels], &panel[panels]);
        for (int c = 0; c < a.curves; c++)
            points += its[c].points;
        panels += points > 0;
    }
    swq_status status = panels ? swq_plot_write_panels(ctx, panel, panels, path)
                               : swq_fail(ctx, SWQ_EINVAL, "--plot has no finite value to draw");
    free(x);
    free(curve);
    return status;
}
