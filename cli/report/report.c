/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq report: a page of tables, figures, verdicts and tree saturation, from answers that this
 * process computes and keeps.
 */
#include "cli/report/report.h"
#include "base/context.h"
#include "base/names.h"
#include "base/outfile.h"
#include "cli/figures/paper.h"
#include "cli/options/options.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "switchq/papers.h"
#include "switchq/version.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int full, quick, no_validate, again, as_json;
static char *folder, *only, *threads;

static struct poptOption options[] = {
    CLI_OUTPUT_OPTION(
        &folder,
        "the report's folder: index.html, and answers/ with the page's data as JSON and CSV",
        "DIR"),
    CLI_QUICK_OPTION(
        &quick, "the quick figures, about a minute, and the checks, another minute (the default)"),
    CLI_FLAG_ROW(
        "full", &full,
        "all figures, with runs as long as the commands' own, and all checks: about an hour"),
    CLI_TEXT_ROW(
        "only", "NAME,..", &only,
        "compute only these: explorer, tables, figures, league (a few minutes), checks, or blocks "
        "such as table-4.1 and figure-6.2; for the others the page shows earlier answers"),
    CLI_FLAG_ROW("no-validate", &no_validate, "skip the checks"),
    CLI_FLAG_ROW("again", &again,
                 "compute everything again, even if DIR has an answer of this program"),
    CLI_THREADS_OPTION(&threads, "simulations", CLI_ALL_CORES),
    CLI_FLAG_ROW("json", &as_json, "print a summary as JSON"),
    POPT_TABLEEND,
};

/* Figures that take a few seconds with --quick. */
static const char *const quick_figures[] = {"4.1", "4.2",  "5.1",  "5.4",  "6.1", "6.2",
                                            "6.3", "6.10", "6.11", "6.12", NULL};

/* ---- the list of blocks ---- */

static cli_block *add_block(cli_report_run *run, cli_section section, const char *kind,
                            const char *name)
{
    cli_block *block = &run->block[run->blocks++];

    block->section = section;
    block->asked = true;
    snprintf(block->id, sizeof block->id, "%s%s%s", kind, name ? "-" : "", name ? name : "");
    return block;
}

static void add_word(cli_block *block, const char *word)
{
    snprintf(block->word[block->words++], sizeof *block->word, "%s", word);
}

static void add_table(cli_report_run *run, const char *name, const char *title, bool simulated)
{
    cli_block *block = add_block(run, CLI_SECTION_TABLES, "table", name);

    snprintf(block->title, sizeof block->title, "Table %s: %s", name, title);
    add_word(block, "table");
    add_word(block, name);
    if (simulated && !run->full)
        add_word(block, "--quick");
}

static void add_figure(cli_report_run *run, const cli_paper_figure *kind)
{
    cli_block *block = add_block(run, CLI_SECTION_FIGURES, "figure", kind->name);

    snprintf(block->title, sizeof block->title, "Figure %s: %s", kind->name, kind->title);
    add_word(block, "figure");
    add_word(block, kind->name);
    if (!run->full)
        add_word(block, "--quick");
    block->asked = run->full || swq_name_is_among(kind->name, quick_figures);
}

static void add_blocks(cli_report_run *run)
{
    add_block(run, CLI_SECTION_EXPLORER, "explorer", NULL);
    add_table(run, "4.1", "packets discarded by one 2x2 switch, in percent of those created",
              false);
    for (int t = 0; swq_paper_tables[t]; t++)
        add_table(run, swq_paper_tables[t]->name, swq_paper_tables[t]->title, true);
    for (int f = 0; cli_paper_figures[f]; f++)
        add_figure(run, cli_paper_figures[f]);
    cli_block *league = add_block(run, CLI_SECTION_LEAGUE, "league", NULL);
    add_word(league, "compare");
    add_word(league, "league");
    if (!run->full)
        add_word(league, "--quick");
    league->asked = run->full; /* minutes */
    cli_block *checks = add_block(run, CLI_SECTION_CHECKS, "checks", NULL);
    add_word(checks, "validate");
    add_word(checks, run->full ? "--full" : "--quick");
    checks->asked = !no_validate;
}

/* ---- --only ---- */

static bool is_meant(const cli_block *block, const char *name)
{
    return strcmp(block->id, name) == 0 || strcmp(cli_section_words[block->section], name) == 0;
}

static swq_status refuse_name(swq_context *ctx, const cli_report_run *run, const char *name)
{
    const char *best = NULL;
    int distance = 4;

    for (int b = 0; b < run->blocks; b++) {
        int d = swq_name_distance(run->block[b].id, name);
        best = d < distance ? run->block[b].id : best;
        distance = d < distance ? d : distance;
    }
    if (best)
        return swq_fail(ctx, SWQ_EINVAL, "--only: '%.60s' is unknown; did you mean %s?", name,
                        best);
    return swq_fail(ctx, SWQ_EINVAL,
                    "--only must list explorer, tables, figures, league, checks, or blocks such as "
                    "table-4.1 and figure-6.2, not '%.60s'",
                    name);
}

static swq_status choose(swq_context *ctx, cli_report_run *run, const char *list)
{
    char name[80];

    for (int b = 0; b < run->blocks; b++)
        run->block[b].asked = false;
    for (const char *at = list;;) {
        const size_t length = strcspn(at, ",");
        bool found = false;
        snprintf(name, sizeof name, "%.*s", (int)(length < 79 ? length : 79), at);
        for (int b = 0; b < run->blocks; b++) {
            /* a section means its blocks with that effort; a block's name means the block in any
             * case */
            cli_block *block = &run->block[b];
            const bool whole = strcmp(block->id, name) != 0;
            if (!is_meant(block, name))
                continue;
            if (no_validate && block->section == CLI_SECTION_CHECKS)
                return swq_fail(ctx, SWQ_EINVAL,
                                "--only checks and --no-validate cannot both be given");
            found = true;
            block->asked = block->asked || !whole || run->full ||
                           block->section != CLI_SECTION_FIGURES ||
                           swq_name_is_among(strchr(block->id, '-') + 1, quick_figures);
        }
        if (!found)
            return refuse_name(ctx, run, name);
        if (!at[length])
            return SWQ_OK;
        at += length + 1;
    }
}

/* ---- the folder ---- */

/* A page that this program has not made must not be overwritten. */
static swq_status check_page(swq_context *ctx, const char *path)
{
    char text[1024];
    FILE *file = fopen(path, "r");

    if (!file)
        return SWQ_OK;
    const size_t got = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[got] = '\0';
    if (strstr(text, "<meta name=\"generator\" content=\"switchq "))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EIO,
                    "'%.200s' exists and is not a report of switchq; choose another folder", path);
}

/* Checks, before minutes are spent, that the report's folder can be written to: makes it and begins
 * a file in it, since only writing tells. Errors: SWQ_EIO. */
static swq_status check_folder(swq_context *ctx, const char *path)
{
    char name[4300];
    swq_outfile file = {0};
    swq_status status = cli_make_folder(ctx, path);

    snprintf(name, sizeof name, "%s/answers", path);
    if (!status)
        status = cli_make_folder(ctx, name);
    snprintf(name, sizeof name, "%s/index.html", path);
    if (!status)
        status = check_page(ctx, name);
    if (!status) {
        status = swq_outfile_open(ctx, name, &file);
        swq_outfile_abort(ctx, &file);
    }
    return status;
}

/* ---- asking ---- */

static void tell(const cli_block *block)
{
    const cli_score s = cli_block_score(block);
    const struct {
        int count;
        const char *word;
    } rest[] = {{s.known, cli_section_of(block)->word.known},
                {s.open, cli_section_of(block)->word.open},
                {s.differ, cli_section_of(block)->word.differ}};

    if (as_json)
        return;
    printf("%-12s ", block->id);
    if (!block->record)
        printf("not here: %s", block->why);
    else if (s.all)
        printf("%d of %d %s %s", s.agree, s.all, cli_section_of(block)->word.unit,
               cli_section_of(block)->word.agree);
    else
        printf("recorded");
    for (size_t k = 0; k < sizeof rest / sizeof *rest && block->record; k++) {
        if (rest[k].count)
            printf(", %d %s", rest[k].count, rest[k].word);
    }
    if (block->record && block->reused)
        printf(" (answered before)");
    else if (block->record)
        printf(" (%.1f s)", cli_number_of(block->record, "seconds"));
    putchar('\n');
    fflush(stdout);
}

static swq_status ask_all(swq_context *ctx, cli_report_run *run)
{
    swq_status status = SWQ_OK;

    for (int b = 0; b < run->blocks && !status; b++) {
        cli_block *block = &run->block[b];
        if (!block->asked || !run->again)
            cli_answer_reuse(ctx, run, block);
        if (!block->asked)
            continue;
        if (!block->record && swq_context_cancelled(ctx))
            snprintf(block->why, sizeof block->why, "interrupted");
        else if (!block->record)
            status = cli_answer_obtain(ctx, run, block);
        if (!status)
            tell(block);
    }
    return status;
}

static swq_status write_page(swq_context *ctx, const cli_report_run *run)
{
    char path[4300];
    swq_outfile file;

    snprintf(path, sizeof path, "%s/index.html", run->folder);
    swq_status status = swq_outfile_open(ctx, path, &file);
    if (status)
        return status;
    status = cli_report_page(ctx, run, file.stream);
    if (status)
        swq_outfile_abort(ctx, &file);
    else
        status = swq_outfile_commit(ctx, &file);
    return status;
}

/* ---- the end ---- */

/* A block's failure is the report's: 1 if there is an answer, else the command's own status. */
static int exit_status(swq_context *ctx, const cli_report_run *run)
{
    int status = swq_context_cancelled(ctx) ? CLI_FAILED : CLI_OK;

    for (int b = 0; b < run->blocks; b++) {
        const cli_block *block = &run->block[b];
        if (block->asked && (!block->record || cli_number_of(block->record, "status") != 0))
            status = CLI_FAILED;
    }
    return status;
}

static cJSON *summary_of(const cli_report_run *run, const char *path)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/report/1");
    cJSON_AddStringToObject(tree, "page", path);
    cJSON *blocks = cJSON_AddArrayToObject(tree, "blocks");
    for (int b = 0; b < run->blocks; b++) {
        const cli_block *block = &run->block[b];
        const cli_score s = cli_block_score(block);
        char line[200];
        if (!block->asked && !block->record)
            continue;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddItemToArray(blocks, item);
        cli_block_line(block, line, sizeof line);
        cJSON_AddStringToObject(item, "block", block->id);
        cJSON_AddStringToObject(item, "command", line);
        cJSON_AddBoolToObject(item, "answered", block->record != NULL);
        cJSON_AddBoolToObject(item, "reused", block->reused);
        if (!block->record)
            cJSON_AddStringToObject(item, "why", block->why);
        if (!s.all)
            continue;
        cJSON_AddStringToObject(item, "of", cli_section_of(block)->word.unit);
        cJSON_AddNumberToObject(item, "agree", s.agree);
        cJSON_AddNumberToObject(item, "known", s.known);
        cJSON_AddNumberToObject(item, "open", s.open);
        cJSON_AddNumberToObject(item, "differ", s.differ);
    }
    return tree;
}

static swq_status finish(swq_context *ctx, const cli_report_run *run)
{
    char path[4300];
    swq_status status = write_page(ctx, run);

    if (status)
        return status;
    snprintf(path, sizeof path, "%s/index.html", run->folder);
    if (as_json)
        return cli_json_print(ctx, summary_of(run, path));
    if (swq_context_cancelled(ctx))
        puts("CUT SHORT: interrupted; the answers so far are kept, and the same command resumes.");
    printf("Written: %s\n", path);
    return cli_flush(ctx);
}

static swq_status read_settings(swq_context *ctx, cli_report_run *run)
{
    int count;

    run->folder = folder;
    run->full = full != 0;
    run->again = again != 0;
    run->threads = threads;
    if (!folder || !*folder)
        return swq_fail(ctx, SWQ_EINVAL, "-o DIR must be given: the report's folder");
    if (strlen(folder) > 4000)
        return swq_fail(ctx, SWQ_EINVAL, "--output must be at most 4000 characters long");
    if (quick && full)
        return swq_fail(ctx, SWQ_EINVAL, "--quick and --full cannot both be given");
    add_blocks(run);
    swq_status status = only ? choose(ctx, run, only) : SWQ_OK;
    if (!status && threads)
        status = cli_integer(ctx, "threads", threads, 1, SWQ_MAX_THREADS, &count);
    return status ? status : check_folder(ctx, folder);
}

static int run_report(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    static cli_report_run run;
    int end = cli_read_options(ctx, self, options, argc, argv, NULL, 0);
    if (end >= 0)
        return end;

    run = (cli_report_run){0};
    swq_status status = read_settings(ctx, &run);
    if (!status) {
        run.machine = cli_machine();
        cli_program_digest(run.program);
        status = ask_all(ctx, &run);
    }
    if (!status)
        status = finish(ctx, &run);
    end = status ? cli_fail(ctx, status) : exit_status(ctx, &run);
    for (int b = 0; b < run.blocks; b++)
        cJSON_Delete(run.block[b].record);
    cJSON_Delete(run.machine);
    return end;
}

const cli_command cli_report = {
    .name = "report",
    .usage = "-o DIR [OPTION...]",
    .common = "output quick only threads",
    .summary = "write a page of tables, figures and verdicts",
    .notes = "DIR/index.html needs only a browser. Answers are kept in DIR/answers as they "
             "come,\n"
             "so the same command resumes an interrupted report. Exit status 1: a cell, a "
             "claim or a check\n"
             "failed, or a block is missing; the page says which.\n",
    .examples = "  switchq report -o report --only explorer,table-4.1\n"
                "  switchq report -o report --only figure-6.2\n",
    .run = run_report,
};
