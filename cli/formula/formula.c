/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq formula: evaluates the rows of the table of formulas. Options are the parameters of all
 * rows, read off the table; each is a number, a list where the row takes one, or a range that
 * makes a table.
 */
#include "switchq/formula.h"
#include "base/context.h"
#include "cli/formula/formula.h"
#include "cli/options/options.h"
#include "cli/options/parse.h"
#include "cli/print/append.h"
#include "cli/record/format.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANGES = 2 };

static cli_format format;
static char *plot_path;

/* ---- options: one for each name that a parameter has in any row ---- */

enum { MOST_OPTIONS = 128, HELP_LENGTH = 400 };

static struct poptOption parameter_options[MOST_OPTIONS + 1];
static char *given[MOST_OPTIONS];
static char help[MOST_OPTIONS][HELP_LENGTH];

static struct poptOption own_options[] = {
    CLI_TABLE(cli_format_options, NULL),
    CLI_TEXT_ROW("plot", "FILE.svg|.png|.pdf|.csv", &plot_path,
                 "also draw the results over a range"),
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    CLI_TABLE(parameter_options,
              "The formula's parameters (FROM:TO:STEP for a range of one or two of them):"),
    CLI_TABLE(own_options, "Output:"),
    POPT_TABLEEND,
};

/* The index of a parameter's option; -1: none. */
static int option_of(const char *name)
{
    for (int k = 0; parameter_options[k].longName; k++) {
        if (strcmp(parameter_options[k].longName, name) == 0)
            return k;
    }
    return -1;
}

static swq_status add_option(swq_context *ctx, const swq_formula_parameter *p)
{
    int k = option_of(p->name);

    if (k < 0) {
        for (k = 0; parameter_options[k].longName;)
            k++;
        if (k == MOST_OPTIONS)
            return swq_fail(ctx, SWQ_ELIMIT, "more than %d parameters", MOST_OPTIONS);
        parameter_options[k] =
            (struct poptOption){p->name, '\0', POPT_ARG_STRING, &given[k], 0, help[k], "X"};
    }
    if (p->list)
        parameter_options[k].argDescrip = "X[,X]";
    /* its meaning in each formula, once */
    if (!strstr(help[k], p->summary))
        cli_append(help[k], HELP_LENGTH, "%s%s", *help[k] ? "; or " : "", p->summary);
    return SWQ_OK;
}

static swq_status build_options(swq_context *ctx)
{
    swq_status status = SWQ_OK;

    for (int f = 0; swq_formulas[f] && !status; f++) {
        for (int k = 0; k < swq_formulas[f]->parameters && !status; k++)
            status = add_option(ctx, &swq_formulas[f]->parameter[k]);
    }
    return status;
}

/* Writes the options of all parameters of a formula: "--load, --ports". */
static void options_text(const swq_formula *f, char *text, size_t size)
{
    *text = '\0';
    for (int k = 0; k < f->parameters; k++) {
        cli_append(text, size, "%s--%s", k ? ", " : "", f->parameter[k].name);
    }
}

/* ---- values ---- */

static swq_status read_number(swq_context *ctx, const swq_formula_parameter *p, const char *text,
                              double *value)
{
    return cli_number_or_whole(ctx, p->name, text, p->least, p->most, p->whole, value);
}

static swq_status read_list(swq_context *ctx, const swq_formula_parameter *p, const char *text,
                            cli_formula_values *values)
{
    char word[64];

    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (values->count == SWQ_FORMULA_LIST)
            return swq_fail(ctx, SWQ_EINVAL, "--%s may have at most %d numbers, not '%.60s'",
                            p->name, SWQ_FORMULA_LIST, text);
        snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 63, at);
        swq_status status = read_number(ctx, p, word, &values->value[values->count++]);
        at += length;
        if (status || !*at)
            return status;
    }
}

/* FROM:TO:STEP. */
static swq_status read_range(swq_context *ctx, const swq_formula_parameter *p, const char *text,
                             cli_formula_values *values)
{
    values->range = true;
    values->count = 1;
    return cli_range(ctx, p->name, text, p->least, p->most, p->whole, &values->value,
                     &values->points);
}

static swq_status read_values(swq_context *ctx, const swq_formula *f,
                              const swq_formula_parameter *p, cli_formula_values *values)
{
    const char *text = given[option_of(p->name)];

    *values = (cli_formula_values){.points = 1};
    if (text && strchr(text, ':'))
        return read_range(ctx, p, text, values);
    values->value = calloc(SWQ_FORMULA_LIST, sizeof *values->value);
    if (!values->value)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for --%s", p->name);
    if (!text && isnan(p->usual)) {
        char known[200];
        options_text(f, known, sizeof known);
        return swq_fail(ctx, SWQ_EINVAL, "--%s is required, from %.10g to %.10g; %s has %s",
                        p->name, p->least, p->most, f->name, known);
    }
    if (!text) {
        values->value[0] = p->usual;
        values->count = 1;
        return SWQ_OK;
    }
    if (strchr(text, ',') && !p->list)
        return swq_fail(ctx, SWQ_EINVAL, "--%s of %s is one number or FROM:TO:STEP, not '%.60s'",
                        p->name, f->name, text);
    return read_list(ctx, p, text, values);
}

/* Refuses an option of another formula, which would have no effect. */
static swq_status refuse_others(swq_context *ctx, const swq_formula *f)
{
    char known[200];

    for (int k = 0; parameter_options[k].longName; k++) {
        bool has = false;
        for (int p = 0; p < f->parameters; p++)
            has = has || strcmp(f->parameter[p].name, parameter_options[k].longName) == 0;
        if (!given[k] || has)
            continue;
        options_text(f, known, sizeof known);
        return swq_fail(ctx, SWQ_EINVAL, "--%s is not a parameter of %s, which has %s",
                        parameter_options[k].longName, f->name, known);
    }
    return SWQ_OK;
}

static const swq_formula_parameter *parameter_of(const swq_formula *f, const char *name)
{
    for (int k = 0; k < f->parameters; k++) {
        if (strcmp(f->parameter[k].name, name) == 0)
            return &f->parameter[k];
    }
    return NULL;
}

/* --dims 4x4, as in other commands, gives the extents: a list if the formula takes one, else the
 * number of dimensions and their common extent. */
static swq_status read_dims(swq_context *ctx, const swq_formula *f)
{
    char extent[80], count[12];
    const swq_formula_parameter *of = parameter_of(f, "extent");
    const int dims = option_of("dims"), to = option_of("extent");
    const char *text = given[dims];
    int extents = 0;

    if (!of || !text || !strchr(text, 'x') || strlen(text) >= sizeof extent)
        return SWQ_OK;
    if (strspn(text, "0123456789x") < strlen(text) || strstr(text, "xx") || *text == 'x' ||
        text[strlen(text) - 1] == 'x')
        return swq_fail(ctx, SWQ_EINVAL,
                        "--dims is a number of dimensions, or their extents, such as 4x4, not '%s'",
                        text);
    if (given[to])
        return swq_fail(ctx, SWQ_EINVAL,
                        "--dims %s gives the extents, so --extent cannot be given, too", text);
    const size_t first = strcspn(text, "x");
    for (const char *at = text; *at; at += *at == 'x', extents++) {
        const size_t length = strcspn(at, "x");
        if (!of->list && (length != first || strncmp(at, text, first) != 0))
            return swq_fail(ctx, SWQ_EINVAL, "--dims of %s has one extent for all, not '%s'",
                            f->name, text);
        at += length;
    }
    snprintf(extent, sizeof extent, "%.*s", of->list ? (int)strlen(text) : (int)first, text);
    for (char *x = extent; (x = strchr(x, 'x'));)
        *x = ',';
    snprintf(count, sizeof count, "%d", extents);
    free(given[dims]);
    given[to] = strdup(extent);
    given[dims] = of->list ? NULL : strdup(count);
    return given[to] && (of->list || given[dims])
               ? SWQ_OK
               : swq_fail(ctx, SWQ_ENOMEM, "no memory for --dims");
}

static swq_status read_parameters(swq_context *ctx, cli_formula_table *t)
{
    swq_status status = refuse_others(ctx, t->formula);

    if (!status)
        status = read_dims(ctx, t->formula);
    t->points = 1;
    for (int k = 0; k < t->formula->parameters && !status; k++) {
        status = read_values(ctx, t->formula, &t->formula->parameter[k], &t->values[k]);
        if (!status && t->values[k].range && t->ranges == MOST_RANGES)
            status = swq_fail(ctx, SWQ_EINVAL, "--%s is one range too many: at most %d",
                              t->formula->parameter[k].name, MOST_RANGES);
        if (!status && t->values[k].range)
            t->range[t->ranges++] = k;
        if (!status && (int64_t)t->points * t->values[k].points > CLI_MOST_POINTS)
            status = swq_fail(ctx, SWQ_EINVAL, "--%s makes more than %d points",
                              t->formula->parameter[k].name, CLI_MOST_POINTS);
        if (!status)
            t->points *= t->values[k].points;
    }
    return status;
}

static swq_status evaluate(swq_context *ctx, cli_formula_table *t)
{
    const swq_formula *f = t->formula;
    swq_argument argument[SWQ_FORMULA_PARAMETERS];
    swq_status status = SWQ_OK;

    t->result = calloc((size_t)t->points * (size_t)f->results, sizeof *t->result);
    if (!t->result)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for %d points", t->points);
    for (int point = 0; point < t->points && !status; point++) {
        for (int k = 0; k < f->parameters; k++) {
            assert(t->values[k].value);
            const double *value = &t->values[k].value[cli_formula_place(t, point, k)];
            argument[k] = (swq_argument){*value, value, t->values[k].count};
        }
        if (t->points > 1)
            swq_progress(ctx, "points", point, t->points);
        status =
            swq_formula_evaluate(ctx, f, argument, t->result + (size_t)point * (size_t)f->results);
    }
    return status;
}

/* ---- the command ---- */

static int one_formula(swq_context *ctx, const char *name)
{
    cli_formula_table table = {0};
    swq_status status = swq_formula_find(ctx, name, &table.formula);

    if (!status)
        status = read_parameters(ctx, &table);
    if (!status && plot_path)
        status = cli_formula_draw_check(ctx, &table, plot_path);
    if (!status)
        status = evaluate(ctx, &table);
    if (!status)
        status = cli_record_print(ctx, cli_formula_record(&table), format);
    if (!status && plot_path)
        status = cli_formula_draw(ctx, &table, plot_path);
    for (int k = 0; k < SWQ_FORMULA_PARAMETERS; k++)
        free(table.values[k].value);
    free(table.result);
    return status ? cli_fail(ctx, status) : CLI_OK;
}

static int all_formulas(swq_context *ctx)
{
    swq_status status = SWQ_OK;
    const char *lost = cli_given(parameter_options, NULL);

    if (!lost && plot_path)
        lost = "plot";
    if (!lost && format == CLI_CSV)
        lost = "csv";
    if (lost)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--%s needs a formula's name; 'switchq formula' lists them", lost);
    else
        status = cli_record_print(ctx, cli_formula_list(), format);
    return status ? cli_fail(ctx, status) : CLI_OK;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    const char *name = NULL;

    int at = 0;

    /* the parameters of a cost are names of rows, where those of a formula are numbers */
    while (at < argc && argv[at][0] == '-')
        at++;
    if (at < argc && argc <= CLI_MOST_ARGUMENTS && strcmp(argv[at], cli_cost.name) == 0) {
        const char *rest[CLI_MOST_ARGUMENTS];
        memcpy(rest, argv, sizeof *rest * (size_t)at);
        memcpy(rest + at, argv + at + 1, sizeof *rest * (size_t)(argc - at - 1));
        return cli_cost.run(ctx, &cli_cost, argc - 1, rest);
    }
    swq_status status = build_options(ctx);
    if (status)
        return cli_fail(ctx, status);
    int end = cli_read_options(ctx, self, options, argc, argv, &name, 1);
    if (end >= 0)
        return end;
    if (cli_format_read(ctx, &format))
        return cli_fail(ctx, SWQ_EINVAL);
    return name ? one_formula(ctx, name) : all_formulas(ctx);
}

const cli_command cli_formula = {
    .name = "formula",
    .usage = "[NAME [OPTION...]], and NAME --help for its parameters",
    .common = "json csv plot",
    .summary = "evaluate closed forms and recursions from the literature",
    .examples =
        "  switchq formula\n"
        "  switchq formula hol-saturation --ports 4\n"
        "  switchq formula output-queue-finite --load 0.8 --ports 4 --slots 4:20:4\n"
        "  switchq formula output-queue --load 0.1:0.9:0.1 --ports 2:8:2 --csv\n"
        "  switchq formula input-queue-random-heads --load 0.05:0.55:0.05 --plot wait.svg\n",
    .run = run,
    .help = cli_formula_help,
};
