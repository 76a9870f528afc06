/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq formula: its answer, the list of all rows, and the page of one.
 */
#include "base/context.h"
#include "cli/formula/formula.h"
#include "cli/help/help.h"
#include "cli/print/append.h"

#include <math.h>
#include <string.h>

static const char *const standing_words[] = {"exact", "limit", "bound", "approximation"};

static const char *standing_of(const swq_formula *f)
{
    return standing_words[f->standing];
}

/* The family named by this row or the last one before it that names one. */
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

/* ---- a row ---- */

static void put_row(cli_record *to, const swq_formula *f)
{
    cli_put_word(to, "name", f->name);
    cli_not_in_csv(cli_put_word(to, "family", family_of(f)));
    cli_not_in_csv(cli_put_word(to, "summary", f->summary));
    cli_not_in_csv(cli_put_word(to, "standing", standing_of(f)));
    cli_not_in_csv(cli_put_word(to, "assumptions", f->assumptions));
    cli_not_in_csv(cli_put_word(to, "source", f->source));
    cli_not_in_csv(cli_put_word(to, "accuracy", f->error));
}

/* How accurate the formula is. */
static void say_standing(cli_record *to, const swq_formula *f)
{
    cli_tell(to, 4, "  standing: %s", standing_of(f));
    if (f->error)
        cli_tell(to, 4, "  off by: %s", f->error);
    cli_tell(to, 4, "  assumes: %s", f->assumptions);
    cli_tell(to, 4, "  source: %s", f->source);
}

/* ---- points ---- */

/* The parameters that are the same at all points. */
static void say_given(cli_record *root, const cli_formula_table *t)
{
    char text[600] = "";

    for (int k = 0; k < t->formula->parameters; k++) {
        if (t->values[k].range)
            continue;
        cli_append(text, sizeof text, "%s%s ", *text ? ", " : "  ", t->formula->parameter[k].name);
        for (int v = 0; v < t->values[k].count; v++)
            cli_append(text, sizeof text, "%s%.12g", v ? "," : "", t->values[k].value[v]);
    }
    if (*text)
        cli_say(root, "%s\n", text);
    else
        cli_say(root, "%s", "");
}

static void put_parameters(cli_record *item, const cli_formula_table *t, int point)
{
    cli_record *group = cli_in_columns(cli_bare(cli_put_group(item, "parameters", NULL)));

    for (int k = 0; k < t->formula->parameters; k++) {
        const swq_formula_parameter *p = &t->formula->parameter[k];
        const double *value = cli_formula_value(t, point, k);
        cli_record *field = p->list ? cli_put_numbers(group, p->name, value, t->values[k].count)
                                    : cli_put_number(group, p->name, *value);
        cli_in_full(cli_labelled(field, p->name));
        /* the first value of a range is the name of a line */
        if (!t->values[k].range || k == t->range[0])
            cli_quietly(field);
    }
}

/* Does a result have the name of a parameter? Then its column gets another name. */
static bool names_clash(const swq_formula *f)
{
    for (int r = 0; r < f->results; r++) {
        for (int k = 0; k < f->parameters; k++) {
            if (strcmp(f->result[r].name, f->parameter[k].name) == 0)
                return true;
        }
    }
    return false;
}

/* The name of this result in all other commands, if the formula has another one; or NULL. */
static const char *common_name(const swq_formula *f, int result)
{
    const swq_formula_result *row = &f->result[result];

    return row->quantity && strcmp(row->quantity, row->name) != 0 ? row->quantity : NULL;
}

/* Puts the results of one point. A result that is not finite is null; a note beside it names the
 * results that are infinite, so that they are not mistaken for undefined ones. */
static void put_results(cli_record *item, const cli_formula_table *t, int point)
{
    const swq_formula *f = t->formula;
    cli_record *group = cli_in_columns(cli_put_group(item, "results", NULL));
    const char *infinite[SWQ_FORMULA_RESULTS];
    int count = 0;

    if (!names_clash(f))
        cli_bare(group);
    for (int r = 0; r < f->results; r++) {
        const double value = cli_formula_result(t, point, r);
        cli_record *field = cli_put_number(group, f->result[r].name, value);
        cli_in_unit(cli_labelled(cli_in_full(field), f->result[r].name), f->result[r].summary);
        if (!isinf(value))
            continue;
        cli_in_place(field, "infinite");
        infinite[count++] = f->result[r].name;
    }
    for (int r = 0; r < f->results; r++) {
        if (common_name(f, r))
            cli_quietly(cli_put_number(group, common_name(f, r), cli_formula_result(t, point, r)));
    }
    if (count)
        cli_quietly(cli_put_words(item, "infinite", infinite, count));
}

/* Is the result defined at any point? Rows may have one result for each of many stages. */
static bool is_shown(const cli_formula_table *t, int result)
{
    for (int point = 0; point < t->points; point++) {
        if (!isnan(cli_formula_result(t, point, result)))
            return true;
    }
    return false;
}

cli_record *cli_formula_record(const cli_formula_table *t)
{
    const swq_formula *f = t->formula;
    cli_record *root = cli_record_new("switchq/formula/1");
    char name[40] = "";

    cli_tell(root, 2, "%s: %s", f->name, f->summary);
    put_row(cli_quietly(cli_prefixed(cli_put_group(root, "formula", NULL))), f);
    say_given(root, t);
    cli_record *points =
        cli_told(cli_put_points(root, "points"), t->ranges ? f->parameter[t->range[0]].name : NULL);
    for (int point = 0; point < t->points; point++) {
        if (t->ranges)
            snprintf(name, sizeof name, "%.10g", *cli_formula_value(t, point, t->range[0]));
        cli_record *item = cli_titled(cli_put_item(points, name), "%s", "");
        put_parameters(item, t, point);
        put_results(item, t, point);
    }
    cli_say(root, "%s", "");
    for (int r = 0; r < f->results && t->ranges; r++) {
        if (is_shown(t, r))
            cli_say(root, "  %-16s %s", f->result[r].name, f->result[r].summary);
    }
    if (t->ranges)
        cli_say(root, "%s", "");
    say_standing(root, f);
    return root;
}

/* ---- all rows ---- */

/* "--load L --ports N [--speedup N=1]" */
static void say_options(cli_record *root, const swq_formula *f)
{
    char line[512] = "";

    for (int k = 0; k < f->parameters; k++) {
        const swq_formula_parameter *p = &f->parameter[k];
        const char *kind = p->list ? "X,X" : p->whole ? "N" : "X";
        if (isnan(p->usual))
            cli_append(line, sizeof line, "%s--%s %s", k ? " " : "", p->name, kind);
        else
            cli_append(line, sizeof line, "%s[--%s %s]", k ? " " : "", p->name, kind);
    }
    cli_tell(root, 6, "      %s", line);
}

static void put_parameter(cli_record *list, const swq_formula_parameter *p)
{
    cli_record *one = cli_put_item(list, NULL);

    cli_put_word(one, "name", p->name);
    cli_put_word(one, "summary", p->summary);
    cli_put_number(one, "least", p->least);
    cli_put_number(one, "most", p->most);
    cli_put_number(one, "usual", p->usual);
    cli_put_truth(one, "whole", p->whole);
    cli_put_truth(one, "list", p->list);
}

cli_record *cli_formula_list(void)
{
    cli_record *root = cli_record_new("switchq/formula/1");
    cli_record *rows = cli_put_list(root, "formulas", NULL);

    for (int k = 0; swq_formulas[k]; k++) {
        const swq_formula *f = swq_formulas[k];
        cli_record *row = cli_put_item(rows, f->name);
        put_row(row, f);
        cli_record *parameters = cli_put_list(row, "parameters", NULL);
        for (int p = 0; p < f->parameters; p++)
            put_parameter(parameters, &f->parameter[p]);
        cli_record *results = cli_put_list(row, "results", NULL);
        for (int r = 0; r < f->results; r++) {
            cli_record *one = cli_put_item(results, NULL);
            cli_put_word(one, "name", f->result[r].name);
            cli_put_word(one, "summary", f->result[r].summary);
            cli_put_word(one, "unit", f->result[r].unit);
            cli_put_word(one, "quantity", f->result[r].quantity);
        }
        if (f->family)
            cli_say(root, "%s%s:", k ? "\n" : "", f->family);
        cli_tell(root, 6, "  %s (%s): %s", f->name, standing_of(f), f->summary);
        say_options(root, f);
    }
    return root;
}

/* ---- a page of help ---- */

static void print_parameter(const swq_formula_parameter *p)
{
    printf("  --%s %s\n", p->name, p->list ? "X[,X]" : p->whole ? "N" : "X");
    cli_print_paragraph(p->summary, 8);
    printf("        from %.10g to %.10g", p->least, p->most);
    if (isnan(p->usual))
        puts("; must be given");
    else
        printf("; default %.10g\n", p->usual);
}

bool cli_formula_help(swq_context *ctx, const char *name)
{
    const swq_formula *f;

    if (swq_formula_find(ctx, name, &f))
        return false;
    printf("switchq formula %s - %s\n\nUsage: switchq formula %s", f->name, f->summary, f->name);
    for (int k = 0; k < f->parameters; k++)
        printf(isnan(f->parameter[k].usual) ? " --%s X" : " [--%s X]", f->parameter[k].name);
    puts(" [--json|--csv] [--plot FILE]\n\nParameters (a number, or FROM:TO:STEP):");
    for (int k = 0; k < f->parameters; k++)
        print_parameter(&f->parameter[k]);
    puts("\nResults:");
    for (int r = 0; r < f->results; r++)
        printf("  %-18s %s\n", f->result[r].name, f->result[r].summary);
    cli_record *about = cli_record_new("");
    cli_say(about, "%s", "");
    say_standing(about, f);
    cli_record_print(ctx, about, CLI_TEXT);
    return true;
}
