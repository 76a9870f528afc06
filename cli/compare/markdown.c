/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison as Markdown: a table of scenarios and contestants for each size of memory, their
 * costs, and why cells are blank.
 */
#include "base/context.h"
#include "base/outfile.h"
#include "cli/compare/compare.h"
#include "cli/options/parse.h"
#include "switchq/version.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { MOST_NOTES = 400 };

/* The reasons so far, in the order of their numbers. */
typedef struct {
    const char *reason[MOST_NOTES];
    int count;
} blank_notes;

/* The number of a reason, from 1; 0 if there are too many. */
static int note_of(blank_notes *n, const char *reason)
{
    for (int k = 0; k < n->count; k++) {
        if (strcmp(n->reason[k], reason) == 0)
            return k + 1;
    }
    if (n->count == MOST_NOTES)
        return 0;
    n->reason[n->count++] = reason;
    return n->count;
}

/* A text within a table. */
static void write_text(FILE *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '|' || *text == '\\' || *text == '<' || *text == '*' || *text == '_')
            putc('\\', to);
        putc(*text == '\n' ? ' ' : *text, to);
    }
}

static void write_cell(FILE *to, const cli_comparison *c, int f, int k, blank_notes *n)
{
    const swq_compared *mine = &c->contest.standing[cli_compare_cell(c, f, k)];

    if (!mine->there)
        fprintf(to, " (%d) |", note_of(n, cli_compare_reason(c, f, k)));
    else if (mine->wins)
        fprintf(to, " **%.4g** ★ |", mine->mean);
    else if (mine->rank == 1)
        fprintf(to, " **%.4g** |", mine->mean);
    else
        fprintf(to, " %.4g%s |", mine->mean, mine->rank ? "" : " ~");
}

static void write_number(FILE *to, double value, const char *sign)
{
    if (isnan(value))
        fputs(" – |", to);
    else
        fprintf(to, " %s%.3g |", sign, value);
}

static void write_size(FILE *to, const cli_comparison *c, int size, blank_notes *n)
{
    char text[40], left[1200];

    fprintf(to, "\n## Outcomes%s\n\n", cli_compare_size(c, size * c->scenarios, text));
    if (cli_compare_tell_blanks(c, size, left, sizeof left)) {
        putc(toupper(left[0]), to);
        write_text(to, left + 1);
        fputs(".\n\n", to);
    }
    const bool beside = c->beside[CLI_BESIDE_WORST] || c->beside[CLI_BESIDE_SOLVE];
    fputs("| contestant |", to);
    for (int s = 0; s < c->scenarios; s++) {
        putc(' ', to);
        write_text(to, c->scenario[s].name);
        fputs(" |", to);
    }
    fprintf(to, " gain | area | front |%s\n|---|", beside ? " worst case | exact loss |" : "");
    for (int s = 0; s < c->scenarios + (beside ? 5 : 3); s++)
        fputs("---:|", to);
    for (int k = 0; k < c->contest.contestants; k++) {
        fputs("\n| ", to);
        write_text(to, c->contestant[k].name);
        fputs(" |", to);
        for (int s = 0; s < c->scenarios; s++)
            write_cell(to, c, size * c->scenarios + s, k, n);
        if (isfinite(c->gain[size][k]))
            fprintf(to, " %.3f |", c->gain[size][k]);
        else
            fputs(" |", to);
        if (c->cost[size][k].ports)
            fprintf(to, " %.0f |", c->cost[size][k].area);
        else
            fputs(" |", to);
        fprintf(to, " %s |", c->on_front[size][k] ? "yes" : "");
        if (!beside)
            continue;
        fprintf(to, " %s |", *c->worst[size][k].ratio ? c->worst[size][k].ratio : "–");
        if (*c->loss[size][k].question && !*c->loss[size][k].why)
            fprintf(to, " %.4g |", c->loss[size][k].fraction);
        else
            fputs(" – |", to);
    }
    fputs("\n| *unpaired / paired* |", to);
    for (int s = 0; s < c->scenarios; s++)
        write_number(to, c->contest.ratio[size * c->scenarios + s], "");
    fprintf(to, " | | |%s\n| *widest paired interval, %%* |", beside ? " | |" : "");
    for (int s = 0; s < c->scenarios; s++)
        write_number(to, 100 * c->contest.precision[size * c->scenarios + s], "±");
    fprintf(to, " | | |%s\n", beside ? " | |" : "");
}

static void write_value(FILE *to, const swq_node *value)
{
    if (value->kind == SWQ_NODE_TEXT)
        fputs(value->text, to);
    for (int m = 0; value->kind == SWQ_NODE_LIST && m < value->count; m++)
        fprintf(to, "%s%s", m ? "," : "",
                value->item[m]->kind == SWQ_NODE_TEXT ? value->item[m]->text : "");
}

static void write_own(FILE *to, const swq_node *map, const char *not_an_option)
{
    for (int k = 0, told = 0; map && k < map->count; k++) {
        const char *key = map->key[k]->text;
        if (strcmp(key, not_an_option) == 0 || strcmp(key, "gain") == 0 ||
            map->item[k]->kind == SWQ_NODE_MAP)
            continue;
        fputs(told++ ? " `--" : "`--", to);
        fprintf(to, "%s ", key);
        write_value(to, map->item[k]);
        putc('`', to);
    }
}

/* Writes the options for any engine, followed by the options for each engine alone. */
static void write_options(FILE *to, const swq_node *map, const char *not_an_option)
{
    write_own(to, map, not_an_option);
    for (int k = 0; map && k < map->count; k++) {
        if (map->item[k]->kind != SWQ_NODE_MAP)
            continue;
        fprintf(to, "%s%s: ", map->count > 1 ? "; " : "", map->key[k]->text);
        write_own(to, map->item[k], "");
    }
}

static void write_sets(FILE *to, const cli_comparison *c)
{
    fputs("\n## Scenarios\n\nAll have ", to);
    write_options(to, c->common, "");
    fputs(".\n\n| scenario | judged by | options |\n|---|---|---|\n", to);
    for (int s = 0; s < c->scenarios; s++) {
        fputs("| ", to);
        write_text(to, c->scenario[s].name);
        fprintf(to, " | %s%s | ", c->scenario[s].measure->summary,
                c->scenario[s].no_gain ? " (does not count for gains)" : "");
        write_options(to, c->scenario[s].options, "measure");
        fputs(" |\n", to);
    }
    fputs("\n## Contestants\n\n| contestant | by | options |\n|---|---|---|\n", to);
    for (int k = 0; k < c->contest.contestants; k++) {
        fputs("| ", to);
        write_text(to, c->contestant[k].name);
        fprintf(to, " | %s | ", c->contestant[k].by->name);
        write_options(to, c->contestant[k].options, "by");
        fputs(" |\n", to);
    }
}

/* The questions behind the columns worst case and exact loss. */
static void write_beside(FILE *to, const cli_comparison *c)
{
    char says[CLI_QUESTION];

    if (c->beside[CLI_BESIDE_WORST] || c->beside[CLI_BESIDE_SOLVE])
        fputs("\n## Worst cases, exact losses and areas\n\n", to);
    for (int command = 0; command < CLI_BESIDE; command++) {
        if (cli_compare_says_beside(c, command, says))
            fprintf(to, "- %s\n", says);
    }
    if (c->beside[CLI_BESIDE_WORST] || c->beside[CLI_BESIDE_SOLVE])
        fputs("\n| contestant | asked |\n|---|---|\n", to);
    for (int k = 0; k < c->contest.contestants; k++) {
        const cli_worst_case *worst = &c->worst[0][k];
        const cli_exact_loss *loss = &c->loss[0][k];
        const char *const asked[2] = {worst->question, loss->question};
        const char *const why[2] = {worst->why, loss->why};
        for (int n = 0; n < 2; n++) {
            if (!*asked[n] && !*why[n])
                continue;
            fputs("| ", to);
            write_text(to, c->contestant[k].name);
            fputs(" | ", to);
            if (*asked[n])
                fprintf(to, "`%s`%s", asked[n], *why[n] ? ": " : "");
            write_text(to, why[n]);
            fputs(" |\n", to);
        }
    }
}

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The command that makes the page. */
static void write_command(FILE *to, const cli_comparison *c, const char *path)
{

    fprintf(to, "Made by switchq %s with `switchq compare %s", SWQ_VERSION, c->path);
    if (c->bytes)
        fprintf(to, " --bytes %s", c->bytes);
    if (c->area_given)
        fprintf(to, " --area %s", c->area_given);
    if (c->chosen[0])
        fprintf(to, " --contestants \"%s\"", c->chosen[0]);
    if (c->chosen[1])
        fprintf(to, " --scenarios \"%s\"", c->chosen[1]);
    if (c->benchmarks)
        fputs(" --benchmark", to);
    if (c->quick)
        fputs(" --quick", to);
    if (c->precision > 0)
        fprintf(to, " --precision %g", c->precision);
    fprintf(to, " --seed %llu", (unsigned long long)c->seed);
    if (c->second_seed)
        fprintf(to, " --second-seed %llu", (unsigned long long)c->second_seed);
    fprintf(to, " --page %s", file_of(path));
    if (c->data_path)
        fprintf(to, " --data %s", file_of(c->data_path));
    fputs("`.\n\n", to);
}

static bool same_base(const cli_comparison *c)
{
    bool same = true;

    for (int size = 0; size < c->sizes; size++)
        same = same && c->base[size] == 0;
    return same;
}

static void write_about(FILE *to, const cli_comparison *c)
{
    fprintf(
        to,
        "**Bold** marks a contestant that nobody beats by more than chance, and ★ one that beats "
        "all others by more than chance. All %d pairs are judged together (Holm, %.3g), by the "
        "differences of replications with the same seeds: %d or more of each, from seed %llu on.",
        c->contest.pairs, 1 - c->contest.confidence, c->repeats, (unsigned long long)c->seed);
    if (c->second_seed)
        fprintf(
            to,
            " From seed %llu on, %d pairs were marked; %d of them are marked here as well, and %d "
            "are reversed.",
            (unsigned long long)c->second_seed, c->marks, c->marks_in_both, c->marks_reversed);
    fprintf(to,
            " Equal: %s. *gain* is relative to %s%s, as the geometric mean over scenarios. A "
            "contestant is on the *front* if nobody gains as much for less area (in cells of "
            "memory). ~ marks an approximation, which is not judged.\n",
            c->equal->summary, c->contestant[0].name,
            same_base(c) ? "" : " (or, where that has none, to the first contestant that has one)");
}

swq_status cli_compare_markdown(const cli_comparison *c, const char *path)
{
    swq_outfile file;
    static blank_notes n;
    swq_status status = cli_outfile_open(c->ctx, path, &file);

    if (status)
        return status;
    n.count = 0;
    fprintf(file.stream, "# switchq compare %s\n\n", c->path);
    write_command(file.stream, c, path);
    write_about(file.stream, c);
    for (int size = 0; size < c->sizes; size++)
        write_size(file.stream, c, size, &n);
    if (n.count > 0)
        fputs("\n## Blank cells\n\n", file.stream);
    for (int k = 0; k < n.count; k++) {
        fprintf(file.stream, "%s(%d) ", k ? "\n" : "", k + 1);
        write_text(file.stream, n.reason[k]);
        fputs("  ", file.stream);
    }
    if (n.count > 0)
        putc('\n', file.stream);
    write_sets(file.stream, c);
    write_beside(file.stream, c);
    return swq_outfile_commit(c->ctx, &file);
}
