/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq report: the printed figures, as plots, claims and tables of the plotted values.
 */
#include "switchq/figures.h"
#include "base/context.h"
#include "cli/report/report.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *json, *label, *short_label;
} axes[] = {
    [SWQ_OVER_THROUGHPUT] = {"throughput",
                             "throughput (fraction of the links\xe2\x80\x99 capacity)",
                             "throughput"},
    [SWQ_OVER_PERCENT] = {"percent high priority", "high priority (percent of the packets)",
                          "high (%)"},
    [SWQ_OVER_BISECTION] = {"bisection", "used fraction of the bisection\xe2\x80\x99s bandwidth",
                            "bisection"},
    [SWQ_OVER_BYTES] = {"bytes", "memory of an input port (bytes)", "bytes"},
    [SWQ_OVER_CYCLES] = {"cycles", "time (cycles)", "cycle"},
    [SWQ_OVER_LOAD] = {"load", "applied load (fraction of the links\xe2\x80\x99)", "load"},
    [SWQ_OVER_CELLS] = {"cells", "buffer of an incoming link (cells)", "cells"},
    [SWQ_OVER_PORTS] = {"ports", "ports of a switch", "ports"},
    [SWQ_OVER_LANES] = {"lanes", "lanes of a link", "lanes"},
    [SWQ_OVER_SLOTS] = {"slots", "slots of the shared memory", "slots"},
    [SWQ_OVER_MEMORY] = {"memory", "memory (KB for each port and Gb/s)", "memory"},
    [SWQ_OVER_BURST] = {"burst", "mean packets of a burst", "burst"},
};

static const cJSON *member(const cJSON *tree, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(tree, key);
}

static bool in_panel(const cJSON *item, const char *letter)
{
    return strcmp(cli_string_of(item, "panel"), letter) == 0;
}

/* Do curves of a panel share a name, so that quantities are needed to distinguish them? */
static bool several_quantities(const cJSON *curves, const char *letter)
{
    const cJSON *curve;

    cJSON_ArrayForEach(curve, curves)
    {
        for (const cJSON *other = curves->child; other != curve; other = other->next) {
            if (in_panel(curve, letter) && in_panel(other, letter) &&
                strcmp(cli_string_of(curve, "name"), cli_string_of(other, "name")) == 0)
                return true;
        }
    }
    return false;
}

static void name_of(const cJSON *curve, bool with_quantity, char *name, size_t size)
{
    const char *own = cli_string_of(curve, "name"), *quantity = cli_string_of(curve, "quantity");

    if (with_quantity && !strstr(own, quantity))
        snprintf(name, size, "%s, %s", own, quantity);
    else
        snprintf(name, size, "%s", own);
}

/* ---- plots ---- */

static cJSON *numbers(double a, double b, double c, double d)
{
    const double value[] = {a, b, c, d};
    cJSON *array = cJSON_CreateArray();

    for (int k = 0; k < 4 && (k < 2 || isfinite(value[k])); k++)
        cJSON_AddItemToArray(array, cli_rounded(value[k]));
    return array;
}

static cJSON *series_of(const cJSON *curve, const cJSON *printed, bool with_quantity)
{
    cJSON *series = cJSON_CreateObject();
    const cJSON *item;
    char name[120];

    name_of(curve, with_quantity, name, sizeof name);
    cJSON_AddStringToObject(series, "name", name);
    cJSON *points = cJSON_AddArrayToObject(series, "points");
    cJSON_ArrayForEach(item, member(curve, "points"))
    {
        cJSON_AddItemToArray(points, numbers(cli_number_of(item, "x"), cli_number_of(item, "y"),
                                             cli_number_of(item, "half_width"),
                                             cli_number_of(item, "load")));
    }
    cJSON *marks = cJSON_AddArrayToObject(series, "printed");
    cJSON_ArrayForEach(item, printed)
    {
        if (strcmp(cli_string_of(item, "curve"), cli_string_of(curve, "name")) == 0 &&
            in_panel(item, cli_string_of(curve, "panel")) &&
            strcmp(cli_string_of(item, "quantity"), cli_string_of(curve, "quantity")) == 0)
            cJSON_AddItemToArray(marks, numbers(cli_number_of(item, "x"),
                                                cli_number_of(item, "paper_value"), NAN, NAN));
    }
    return series;
}

static cJSON *chart_of(const swq_figure_kind *kind, int panel, const cJSON *answer)
{
    const cJSON *curves = member(answer, "curves"), *curve;
    const char *letter = kind->panel[panel].letter;
    const bool with_quantity = several_quantities(curves, letter);
    cJSON *chart = cJSON_CreateObject(), *all = cJSON_AddArrayToObject(chart, "series");

    cJSON_AddStringToObject(chart, "x", axes[kind->panel[panel].over].label);
    cJSON_AddStringToObject(chart, "y", kind->panel[panel].y_label);
    if (kind->panel[panel].x_most > 0)
        cJSON_AddItemToObject(chart, "x_most", cli_rounded(kind->panel[panel].x_most));
    if (kind->panel[panel].y_most > 0)
        cJSON_AddItemToObject(chart, "y_most", cli_rounded(kind->panel[panel].y_most));
    cJSON_AddStringToObject(chart, "x_short", axes[kind->panel[panel].over].short_label);
    cJSON_ArrayForEach(curve, curves)
    {
        if (in_panel(curve, letter) && cJSON_GetArraySize(member(curve, "points")) > 0)
            cJSON_AddItemToArray(all, series_of(curve, member(answer, "printed"), with_quantity));
    }
    return chart;
}

/* ---- the numbers behind a plot ---- */

static void write_number(FILE *to, const char *format, double value)
{
    if (isfinite(value))
        fprintf(to, format, value);
}

static void write_points(FILE *to, const cJSON *curve, const char *name)
{
    const cJSON *point;

    cJSON_ArrayForEach(point, member(curve, "points"))
    {
        fputs("<tr><th scope=\"row\">", to);
        cli_html(to, name);
        fputs("</th><td>", to);
        write_number(to, "%.4g", cli_number_of(point, "x"));
        fputs("</td><td>", to);
        write_number(to, "%.5g", cli_number_of(point, "y"));
        fputs("</td><td>", to);
        write_number(to, "\xc2\xb1%.2g", cli_number_of(point, "half_width"));
        fputs("</td><td>", to);
        write_number(to, "%.4g", cli_number_of(point, "load"));
        fputs("</td></tr>\n", to);
    }
}

static void write_data(FILE *to, const swq_figure_kind *kind, int panel, const cJSON *answer)
{
    const cJSON *curves = member(answer, "curves"), *curve;
    const char *letter = kind->panel[panel].letter;
    const bool with_quantity = several_quantities(curves, letter);
    char name[120];

    fprintf(to,
            "<details class=\"data\"><summary>Data of the plot</summary>"
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Data\">"
            "<table class=\"plain\"><thead><tr><th scope=\"col\">Curve</th>"
            "<th scope=\"col\">%s</th><th scope=\"col\">",
            axes[kind->panel[panel].over].short_label);
    cli_html(to, kind->panel[panel].y_label);
    fputs("</th><th scope=\"col\">95%</th><th scope=\"col\">load</th></tr></thead>\n<tbody>\n", to);
    cJSON_ArrayForEach(curve, curves)
    {
        if (!in_panel(curve, letter))
            continue;
        name_of(curve, with_quantity, name, sizeof name);
        write_points(to, curve, name);
    }
    fputs("</tbody></table></div></details>\n", to);
}

static bool has_curves(const cJSON *answer, const char *letter)
{
    const cJSON *curve;

    cJSON_ArrayForEach(curve, member(answer, "curves"))
    {
        if (in_panel(curve, letter) && cJSON_GetArraySize(member(curve, "points")) > 0)
            return true;
    }
    return false;
}

static swq_status write_panel(swq_context *ctx, FILE *to, const swq_figure_kind *kind, int panel,
                              const cJSON *answer)
{
    const bool one = kind->panels == 1;

    fputs("<figure class=\"chart\" data-title=\"", to);
    cli_html_format(to, "Figure %s%s%s", kind->name, one ? "" : " ", kind->panel[panel].letter);
    fputs("\">\n", to);
    if (!one && kind->panel[panel].title) {
        fputs("<figcaption>", to);
        cli_html_format(to, "(%s) %s", kind->panel[panel].letter, kind->panel[panel].title);
        fputs("</figcaption>\n", to);
    }
    cJSON *chart = chart_of(kind, panel, answer);
    swq_status status = cli_html_json(ctx, to, "chart-data", chart);
    cJSON_Delete(chart);
    write_data(to, kind, panel, answer);
    fputs("</figure>\n", to);
    return status;
}

/* ---- maps ---- */

/* A square's shade: sign and size, in four steps of eight blocks, as with the letters in print. */
static int shade_of(double difference)
{
    const double size = fabs(difference);
    const int step = size < 1 ? 0 : size < 4 ? 1 : size < 8 ? 2 : 3;

    return difference < 0 ? -step : step;
}

static void write_map(FILE *to, const cJSON *map)
{
    const cJSON *row, *value;
    int ring = 0;

    fprintf(to,
            "<figure class=\"map\"><figcaption>Mean number of blocks that wait to go up, "
            "minus those that wait to go down, at each node\xe2\x80\x99s host port; a row "
            "is a ring (load %.3g, threshold %.0f)</figcaption>\n"
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
            "aria-label=\"Map\"><table class=\"map\"><tbody>\n",
            cli_number_of(map, "load"), cli_number_of(map, "threshold"));
    cJSON_ArrayForEach(row, member(map, "difference"))
    {
        fprintf(to, "<tr><th scope=\"row\">%d</th>", ring++);
        cJSON_ArrayForEach(value, row)
        {
            const double d = value->valuedouble;
            const int shade = shade_of(d);
            fprintf(to, "<td class=\"%s%d\" data-tip=\"ring %d: %+.2f blocks\">%s</td>",
                    shade < 0 ? "down" : "up", shade < 0 ? -shade : shade, ring - 1, d,
                    shade == 0  ? "\xc2\xb7"
                    : shade < 0 ? "\xe2\x88\x92"
                                : "+");
        }
        fputs("</tr>\n", to);
    }
    fputs("</tbody></table></div></figure>\n", to);
}

/* ---- claims ---- */

static const struct {
    const char *verdict, *class, *mark;
} verdicts[] = {
    {"holds in part", "known", "\xe2\x97\x90"}, /* half circle */
    {"holds", "agrees", "\xe2\x9c\x93"},        /* check mark */
    {"does not hold", "differs", "\xe2\x9c\x97"},
    {"cannot be told", "open", "?"},
    {"not run", "open", "?"},
};
enum { VERDICTS = sizeof verdicts / sizeof *verdicts };

static int verdict_of(const cJSON *claim)
{
    int k = 0;

    while (k < VERDICTS - 1 && strcmp(cli_string_of(claim, "verdict"), verdicts[k].verdict) != 0)
        k++;
    return k;
}

static void write_claims(FILE *to, const cJSON *claims)
{
    const cJSON *claim;

    if (cJSON_GetArraySize(claims) == 0)
        return;
    fputs("<h4>What the text says about it</h4>\n"
          "<ul class=\"claims\">\n",
          to);
    cJSON_ArrayForEach(claim, claims)
    {
        const int k = verdict_of(claim);
        fprintf(to, "<li class=\"%s\"><b class=\"verdict\">%s <span>%s</span></b>",
                verdicts[k].class, verdicts[k].mark, verdicts[k].verdict);
        fputs("<p>", to);
        cli_html(to, cli_string_of(claim, "claim"));
        fputs("</p><p class=\"aside\">", to);
        cli_html_format(to, "Measured: %s. ", cli_string_of(claim, "measured"));
        if (*cli_string_of(claim, "explanation"))
            cli_html_format(to, "Known: %s. ", cli_string_of(claim, "explanation"));
        fputs("</p><p class=\"aside\">", to);
        cli_html_format(to, "Criterion: %s.", cli_string_of(claim, "criterion"));
        fputs("</p></li>\n", to);
    }
    fputs("</ul>\n", to);
}

/* The words in which the figure's file says what is run, as `switchq figure` prints them. */
static void write_setting(FILE *to, const swq_figure_kind *kind)
{
    if (!*kind->setting)
        return;
    fputs("<p>", to);
    cli_html_format(to, "%c%s.", toupper((unsigned char)kind->setting[0]), kind->setting + 1);
    fputs("</p>\n", to);
}

static swq_status write(swq_context *ctx, FILE *to, const cli_block *block)
{
    const cJSON *answer = cli_block_answer(block), *map = member(answer, "map");
    swq_figure_kind *kind;
    swq_status status = swq_figure_open(ctx, cli_string_of(answer, "figure"), false, &kind);

    if (status)
        return status;
    write_setting(to, kind);
    if (map)
        write_map(to, map);
    fputs("<div class=\"panels\">\n", to);
    for (int p = 0; p < kind->panels && !status; p++) {
        if (has_curves(answer, kind->panel[p].letter))
            status = write_panel(ctx, to, kind, p, answer);
    }
    fputs("</div>\n", to);
    write_claims(to, member(answer, "claims"));
    swq_figure_close(ctx, kind);
    return status;
}

static cli_score score(const cJSON *answer)
{
    cli_score s = {0};
    const cJSON *claim;

    cJSON_ArrayForEach(claim, member(answer, "claims"))
    {
        cli_score_add(&s, verdicts[verdict_of(claim)].class);
    }
    return s;
}

const cli_section_writer cli_section_figures = {
    .title = "Figures",
    .lead = "The printed figures, simulated and drawn again. Hollow marks are numbers that "
            "are printed beside the curves. Each claim of the text about a figure is "
            "judged by a criterion that was set before the runs.",
    .write = write,
    .score = score,
    .word = {"claims", "hold", "in part", "cannot be told", "do not hold"},
};
