/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq report: the printed tables, with the computed value above the printed one in every cell.
 */
#include "base/context.h"
#include "cli/print/words.h"
#include "cli/report/report.h"
#include "switchq/papers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 24 };

/* The format of a quantity's numbers, and the name of its row. */
static const struct quantity {
    const char *key, *label, *axis;
    double scale;
    int decimals;
} quantities[] = {
    {"discarded", "", "discarded (percent)", 100, 2},
    {"throughput", "", "throughput (packets per node and cycle)", 1, 4},
    {"latency", "mean", "mean latency (cycles)", 1, 3},
    {"p99", "99%", "99th percentile (cycles)", 1, 3},
    {"max", "max", "maximum (cycles)", 1, 2},
};

/* Verdicts in the words of the answers; `mark` is for readers who do not see colours. */
static const struct {
    const char *verdict, *class, *mark;
} marks[] = {
    {"agrees", "agrees", ""},
    {"differs", "differs", "\xe2\x9c\x97"}, /* a cross */
    {"known", "known", "k"},
    {"misprint", "known", "m"},
    {"not comparable", "open", "\xe2\x80\x93"}, /* a dash */
    {"not run", "open", "?"},
};

static const struct quantity *quantity_of(const cJSON *row)
{
    const char *key = cli_string_of(row, "quantity");

    for (size_t k = 0; k < sizeof quantities / sizeof *quantities; k++) {
        if (strcmp(quantities[k].key, key) == 0)
            return &quantities[k];
    }
    return NULL;
}

static size_t mark_of(const cJSON *row)
{
    const char *verdict = cli_string_of(row, "verdict");

    if (!*verdict)
        return cli_true_of(row, "agrees") ? 0 : 1;
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
        if (strncmp(verdict, marks[k].verdict, strlen(marks[k].verdict)) == 0)
            return k;
    }
    return sizeof marks / sizeof *marks - 1;
}

static bool same_row(const cJSON *a, const cJSON *b)
{
    return strcmp(cli_string_of(a, "buffer"), cli_string_of(b, "buffer")) == 0 &&
           cli_number_of(a, "slots") == cli_number_of(b, "slots") &&
           strcmp(cli_string_of(a, "quantity"), cli_string_of(b, "quantity")) == 0;
}

static void heading_of(const cJSON *cell, char *text, size_t size)
{
    const bool solved = !cJSON_HasObjectItem(cell, "at");

    if (strcmp(cli_string_of(cell, "at"), "full load") == 0)
        snprintf(text, size, "%s",
                 strcmp(cli_string_of(cell, "quantity"), "throughput") == 0 ? "max throughput"
                                                                            : "full load");
    else
        snprintf(text, size, "%.2f", cli_number_of(cell, solved ? "load" : "at_value"));
}

/* ---- cells ---- */

/* Table 4.1: small percentages are given as powers of ten, as in the command's output. */
static void write_exact(FILE *to, const cJSON *cell)
{
    const double percent = 100 * cli_number_of(cell, "computed");
    const double lower = 100 * cli_number_of(cell, "lower"),
                 upper = 100 * cli_number_of(cell, "upper");

    fprintf(to, "<b data-tip=\"%.10g%% exactly, within %.1e of itself\">", percent,
            upper > 0 ? (upper - lower) / upper : 0);
    fprintf(to, percent >= 0.001 ? "%.3f" : "%.0e", percent);
    fputs("</b>", to);
}

static void write_measured(FILE *to, const cJSON *cell, const struct quantity *q)
{
    const double value = q->scale * cli_number_of(cell, "computed"),
                 half = q->scale * cli_number_of(cell, "half_width");
    const char *note = cli_string_of(cell, "note");

    if (cli_true_of(cell, "saturated") && strcmp(cli_string_of(cell, "paper"), "Sat.") == 0) {
        fputs("<b>Sat.</b>", to);
        return;
    }
    if (!isfinite(value)) {
        fputs("<b>&nbsp;</b>", to);
        return;
    }
    fprintf(to, "<b data-tip=\"%.*f", q->decimals + 1, value);
    if (isfinite(half))
        fprintf(to, " \xc2\xb1 %.2g (95%%)", half);
    fprintf(to, "; printed ");
    cli_html(to, cli_string_of(cell, "paper"));
    fprintf(to, ", allowed to differ by %.3g", q->scale * cli_number_of(cell, "allowed"));
    if (*note)
        cli_html_format(to, "; %s", note);
    fprintf(to, "\">%.*f</b>", q->decimals, value);
    if (isfinite(half)) {
        char text[32];
        snprintf(text, sizeof text, "%.2g", half);
        fprintf(to, "<small>\xc2\xb1%s</small>", strncmp(text, "0.", 2) == 0 ? text + 1 : text);
    }
}

static void write_cell(FILE *to, const cJSON *cell)
{
    const struct quantity *q = quantity_of(cell);
    const size_t mark = mark_of(cell);

    fprintf(to, "<td class=\"%s%s\">", marks[mark].class, q ? " measured" : "");
    if (q)
        write_measured(to, cell, q);
    else
        write_exact(to, cell);
    fputs("<i>", to);
    cli_html(to, cli_string_of(cell, "paper"));
    fputs("</i>", to);
    if (*marks[mark].mark)
        fprintf(to, "<sup title=\"%s\">%s</sup>", marks[mark].verdict, marks[mark].mark);
    fputs("</td>", to);
}

/* The number of columns of a table. Table 4.1 has a column for each load; all others record the
 * number of their columns. */
static int columns_of(const cJSON *answer)
{
    const swq_paper_table *table = swq_paper_table_find(cli_string_of(answer, "table"));

    return table ? table->columns : SWQ_TABLE_4_1_LOADS;
}

static void write_head(FILE *to, const cJSON *rows, int columns, bool apart)
{
    const bool throughput = strcmp(cli_string_of(rows->child, "at"), "throughput") == 0;
    const cJSON *cell = rows->child;
    char text[40];

    fprintf(to,
            "<thead><tr><th scope=\"col\" rowspan=\"2\">Buffer</th>"
            "<th scope=\"col\" rowspan=\"2\">Slots</th>%s"
            "<th scope=\"colgroup\" colspan=\"%d\">%s</th></tr>\n<tr>",
            apart ? "<th scope=\"col\" rowspan=\"2\">Latency</th>" : "", columns,
            throughput ? "at a throughput of (packets per node and cycle)"
                       : "at a load of (packets per input and cycle)");
    for (int c = 0; c < columns; c++, cell = cell->next) {
        heading_of(cell, text, sizeof text);
        fprintf(to, "<th scope=\"col\"%s>%s</th>", quantity_of(cell) ? " class=\"measured\"" : "",
                text);
    }
    fputs("</tr></thead>\n<tbody>\n", to);
}

static void write_row_head(FILE *to, const cJSON *cell, const cJSON *before, bool apart)
{
    const bool again =
        before && strcmp(cli_string_of(before, "buffer"), cli_string_of(cell, "buffer")) == 0;
    const bool slots_again =
        again && cli_number_of(before, "slots") == cli_number_of(cell, "slots");
    char name[16];

    cli_capitals(cli_string_of(cell, "buffer"), name, sizeof name);
    fprintf(to, "<tr%s><th scope=\"row\">", again ? "" : " class=\"first\"");
    cli_html(to, slots_again ? "" : name);
    fputs("</th><td class=\"slots\">", to);
    if (!slots_again)
        fprintf(to, "%.0f", cli_number_of(cell, "slots"));
    fputs("</td>", to);
    if (apart)
        fprintf(to, "<td class=\"slots\">%s</td>",
                quantity_of(cell) ? quantity_of(cell)->label : "");
}

static bool several_quantities(const cJSON *rows)
{
    const cJSON *cell;

    cJSON_ArrayForEach(cell, rows)
    {
        if (strcmp(cli_string_of(cell, "quantity"), "p99") == 0)
            return true;
    }
    return false;
}

static void write_table(FILE *to, const cJSON *answer, const cJSON *rows)
{
    const int columns = columns_of(answer);
    const bool apart = several_quantities(rows);
    const cJSON *cell, *before = NULL;
    int column = 0;

    fputs("<p class=\"legend\"><span class=\"key\"><b>computed</b><i>printed</i></span> ", to);
    fputs(
        "<span class=\"agrees\">agrees</span> <span class=\"differs\">differs \xe2\x9c\x97</span> "
        "<span class=\"known\">known k, misprint m</span> "
        "<span class=\"open\">not judged \xe2\x80\x93 ?</span></p>\n",
        to);
    fprintf(to,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table %s\">"
            "<table class=\"compare\">\n<caption>Table %s: each cell computed over printed"
            "</caption>\n",
            cli_string_of(answer, "table"), cli_string_of(answer, "table"));
    write_head(to, rows, columns, apart);
    cJSON_ArrayForEach(cell, rows)
    {
        if (column == 0)
            write_row_head(to, cell, before, apart);
        write_cell(to, cell);
        if (++column == columns) {
            fputs("</tr>\n", to);
            column = 0;
            before = cell;
        }
    }
    fputs("</tbody></table></div>\n", to);
}

/* The reasons why cells stand out, each once. */
static void write_reasons(FILE *to, const cJSON *rows)
{
    const cJSON *cell;
    bool any = false;

    cJSON_ArrayForEach(cell, rows)
    {
        const char *note = cli_string_of(cell, "note");
        const size_t mark = mark_of(cell);
        bool first = *note && marks[mark].class[0] == 'k';
        for (const cJSON *other = rows->child; other != cell && first; other = other->next)
            first = strcmp(cli_string_of(other, "note"), note) != 0;
        if (!first)
            continue;
        if (!any)
            fputs("<ul class=\"reasons\">\n", to);
        any = true;
        fprintf(to, "<li><b>%s</b> ", marks[mark].mark);
        for (const cJSON *other = cell; other; other = other->next) {
            char name[16], at[40];
            if (strcmp(cli_string_of(other, "note"), note) != 0)
                continue;
            cli_capitals(cli_string_of(other, "buffer"), name, sizeof name);
            heading_of(other, at, sizeof at);
            cli_html_format(to, "%s%s\xc2\xa0%.0f at %s", other == cell ? "" : ", ", name,
                            cli_number_of(other, "slots"), at);
        }
        fputs(": ", to);
        cli_html(to, note);
        fputs("</li>\n", to);
    }
    if (any)
        fputs("</ul>\n", to);
}

/* ---- plot ---- */

/* A table with several quantities is drawn by its 99th percentiles, as by the command. */
static bool is_drawn(const cJSON *cell, bool apart)
{
    const char *key = cli_string_of(cell, "quantity");

    if (cli_true_of(cell, "saturated") || strcmp(cli_string_of(cell, "at"), "full load") == 0 ||
        strcmp(key, "throughput") == 0)
        return false;
    return !apart || strcmp(key, "p99") == 0;
}

static void add_point(cJSON *series, const cJSON *cell, double scale)
{
    const char *paper = cli_string_of(cell, "paper");
    const double x = cli_number_of(cell, cJSON_HasObjectItem(cell, "at") ? "at_value" : "load");
    const double half = scale * cli_number_of(cell, "half_width");
    cJSON *point = cJSON_CreateArray();
    char *end;

    cJSON_AddItemToArray(point, cli_rounded(x));
    cJSON_AddItemToArray(point, cli_rounded(scale * cli_number_of(cell, "computed")));
    if (isfinite(half))
        cJSON_AddItemToArray(point, cli_rounded(half));
    cJSON_AddItemToArray(cJSON_GetObjectItem(series, "points"), point);
    double printed = strtod(paper, &end);
    if (end == paper || *end || printed <= 0)
        return;
    cJSON *mark = cJSON_CreateArray();
    cJSON_AddItemToArray(mark, cli_rounded(x));
    cJSON_AddItemToArray(mark, cli_rounded(printed));
    cJSON_AddItemToArray(cJSON_GetObjectItem(series, "printed"), mark);
}

static cJSON *chart_of(const cJSON *rows)
{
    const bool apart = several_quantities(rows);
    const struct quantity *q = apart ? &quantities[3] : quantity_of(rows->child);
    const bool latency = q && q->key[0] != 'd';
    cJSON *chart = cJSON_CreateObject(), *all = cJSON_AddArrayToObject(chart, "series");
    const cJSON *cell, *before = NULL;
    cJSON *series = NULL;

    cJSON_AddStringToObject(chart, "x",
                            latency ? "throughput (packets per node and cycle)"
                                    : "load (packets per input and cycle)");
    cJSON_AddStringToObject(chart, "y", q ? q->axis : quantities[0].axis);
    cJSON_AddBoolToObject(chart, "log", !latency);
    cJSON_ArrayForEach(cell, rows)
    {
        char name[40], buffer[16];
        if (!is_drawn(cell, apart))
            continue;
        if (!before || !same_row(before, cell)) {
            series = cJSON_CreateObject();
            cJSON_AddItemToArray(all, series);
            cli_capitals(cli_string_of(cell, "buffer"), buffer, sizeof buffer);
            snprintf(name, sizeof name, "%s %.0f", buffer, cli_number_of(cell, "slots"));
            cJSON_AddStringToObject(series, "name", name);
            cJSON_AddArrayToObject(series, "points");
            cJSON_AddArrayToObject(series, "printed");
        }
        before = cell;
        add_point(series, cell, q ? q->scale : 100);
    }
    return chart;
}

/* ---- the section ---- */

static swq_status write(swq_context *ctx, FILE *to, const cli_block *block)
{
    const cJSON *answer = cli_block_answer(block);
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(answer, "rows");

    if (cJSON_GetArraySize(rows) == 0)
        return SWQ_OK;
    write_table(to, answer, rows);
    write_reasons(to, rows);
    fprintf(to, "<figure class=\"chart\" data-title=\"Table %s, drawn\">\n",
            cli_string_of(answer, "table"));
    cJSON *chart = chart_of(rows);
    swq_status status = cli_html_json(ctx, to, "chart-data", chart);
    cJSON_Delete(chart);
    fputs("</figure>\n<details class=\"rule\"><summary>Rule and model</summary><p>", to);
    cli_html_format(to, "Rule: %s.", cli_string_of(answer, "rule"));
    fputs("</p><p>", to);
    if (*cli_string_of(answer, "assumptions"))
        cli_html_format(to, "Model: %s; ", cli_string_of(answer, "assumptions"));
    cli_html_format(to, "arbiter %s; pool rule %s.", cli_string_of(answer, "arbiter"),
                    cli_string_of(answer, "pool_rule"));
    fputs("</p></details>\n", to);
    return status;
}

static int whole_of(const cJSON *answer, const char *key)
{
    const double value = cli_number_of(answer, key);
    return isnan(value) ? 0 : (int)value;
}

static cli_score score(const cJSON *answer)
{
    cli_score s = {.agree = whole_of(answer, "agree"),
                   .known = whole_of(answer, "known") + whole_of(answer, "misprints"),
                   .open = whole_of(answer, "not_comparable") + whole_of(answer, "not_run"),
                   .differ = whole_of(answer, "differ")};

    s.all = s.agree + s.known + s.open + s.differ;
    return s;
}

const cli_section_writer cli_section_tables = {
    .title = "Tables",
    .lead = "The printed tables of G. L. Frazier\xe2\x80\x99s dissertation (UCLA, 1995), "
            "computed again. Table 4.1 is solved exactly; the others are simulated, with "
            "95% intervals. The rule by which a cell agrees was set before anything was "
            "run, and is printed below each table.",
    .write = write,
    .score = score,
    .word = {"cells", "agree", "known or misprinted", "not judged", "differ"},
};
