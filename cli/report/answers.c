/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq report: asking the questions, and keeping the answers. A file of answers holds the
 * question, the program and the machine beside the answer, so that a page from several runs still
 * says how each number was obtained.
 */
#include "base/clock.h"
#include "base/context.h"
#include "base/outfile.h"
#include "cli/options/parse.h"
#include "cli/print/append.h"
#include "cli/print/text.h"
#include "cli/report/report.h"
#include "switchq/version.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char schema[] = "switchq/report-answer/1";

static void path_of(const cli_report_run *run, const cli_block *block, char *path, size_t size)
{
    snprintf(path, size, "%s/answers/%s.json", run->folder, block->id);
}

void cli_block_line(const cli_block *block, char *text, size_t size)
{
    snprintf(text, size, "switchq");

    for (int w = 0; w < block->words; w++)
        cli_append(text, size, " %s", block->word[w]);
    if (block->words == 0)
        cli_append(text, size, " report --only %s -o DIR", block->id);
}

static bool same_question(const cli_report_run *run, const cli_block *block, const cJSON *record)
{
    char line[200];

    cli_block_line(block, line, sizeof line);
    return strcmp(cli_string_of(record, "schema"), schema) == 0 &&
           strcmp(cli_string_of(record, "command"), line) == 0 &&
           strcmp(cli_string_of(record, "version"), SWQ_VERSION) == 0 &&
           strcmp(cli_string_of(record, "program"), run->program) == 0 &&
           cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(record, "answer"));
}

void cli_answer_reuse(swq_context *ctx, const cli_report_run *run, cli_block *block)
{
    char path[4300], *text = NULL;

    path_of(run, block, path, sizeof path);
    /* the answer of all checks has some ten megabytes */
    if (cli_read_file(ctx, path, 256, &text))
        return;
    cJSON *record = cJSON_Parse(text);
    free(text);
    if (record && same_question(run, block, record)) {
        block->record = record;
        block->reused = true;
        return;
    }
    cJSON_Delete(record);
}

static void add_date(cJSON *record)
{
    char text[40];
    time_t clock = time(NULL);
    struct tm utc;

    if (gmtime_r(&clock, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        cJSON_AddStringToObject(record, "date", text);
}

/* A figure writes its numbers as CSV next to the answer; plots are drawn by the page. */
static int words_of(const cli_report_run *run, const cli_block *block, char *folder, size_t size,
                    const char **word)
{
    int words = 0;

    while (words < block->words) {
        word[words] = block->word[words];
        words++;
    }
    if (block->section == CLI_SECTION_FIGURES) {
        snprintf(folder, size, "%s/answers", run->folder);
        word[words++] = "--no-plot";
        word[words++] = "-o";
        word[words++] = folder;
    }
    if (block->section == CLI_SECTION_LEAGUE) { /* the league, too, resumes where it was */
        snprintf(folder, size, "%s/answers/league.db", run->folder);
        word[words++] = "--database";
        word[words++] = folder;
    }
    /* the only table that is solved cannot use threads */
    if (run->threads && strcmp(block->id, "table-4.1") != 0) {
        word[words++] = "--threads";
        word[words++] = run->threads;
    }
    return words;
}

/* Interrupted commands may still answer with the results so far. */
static bool cut_short(const cJSON *tree)
{
    return cli_true_of(tree, "interrupted") ||
           cli_true_of(cJSON_GetObjectItemCaseSensitive(tree, "run"), "cut_short") ||
           cli_true_of(cJSON_GetObjectItemCaseSensitive(tree, "summary"), "interrupted");
}

static swq_status ask(swq_context *ctx, const cli_report_run *run, cli_block *block,
                      cli_answer *answer)
{
    const char *word[CLI_BLOCK_WORDS + 6];
    char folder[4300];

    *answer = (cli_answer){0};
    if (block->words > 0) {
        int words = words_of(run, block, folder, sizeof folder, word);
        cli_ask(ctx, words, word, answer);
        return SWQ_OK;
    }
    swq_status status = cli_explorer_record(ctx, &answer->tree);
    if (status)
        snprintf(answer->message, sizeof answer->message, "%s", swq_context_message(ctx));
    return status == SWQ_ECANCELLED ? SWQ_OK : status;
}

static cJSON *record_of(const cli_report_run *run, const cli_block *block, cli_answer *answer,
                        double seconds, double cpu)
{
    cJSON *record = cJSON_CreateObject();
    char line[200];

    cli_block_line(block, line, sizeof line);
    cJSON_AddStringToObject(record, "schema", schema);
    cJSON_AddStringToObject(record, "command", line);
    cJSON_AddStringToObject(record, "version", SWQ_VERSION);
    cJSON_AddStringToObject(record, "program", run->program);
    add_date(record);
    cJSON_AddItemToObject(record, "machine", cJSON_Duplicate(run->machine, true));
    cJSON_AddNumberToObject(record, "status", answer->status);
    cJSON_AddItemToObject(record, "seconds", cli_rounded(seconds));
    cJSON_AddItemToObject(record, "cpu_seconds", cli_rounded(cpu));
    cJSON_AddItemToObject(record, "answer", answer->tree);
    answer->tree = NULL;
    return record;
}

static swq_status keep(swq_context *ctx, const cli_report_run *run, const cli_block *block)
{
    char path[4300], *text = cli_json_text(block->record, false);
    swq_outfile file;

    if (!text)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the answer");
    path_of(run, block, path, sizeof path);
    swq_status status = swq_outfile_open(ctx, path, &file);
    if (!status) {
        fputs(text, file.stream);
        putc('\n', file.stream);
        status = swq_outfile_commit(ctx, &file);
    }
    free(text);
    return status;
}

swq_status cli_answer_obtain(swq_context *ctx, const cli_report_run *run, cli_block *block)
{
    const double begun = swq_seconds(CLOCK_MONOTONIC), cpu = swq_seconds(CLOCK_PROCESS_CPUTIME_ID);
    cli_answer answer;
    swq_status status = ask(ctx, run, block, &answer);

    cli_clear_progress();
    if (!status && answer.tree && !cut_short(answer.tree)) {
        block->record = record_of(run, block, &answer, swq_seconds(CLOCK_MONOTONIC) - begun,
                                  swq_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
        status = keep(ctx, run, block);
    } else if (swq_context_cancelled(ctx)) {
        snprintf(block->why, sizeof block->why, "interrupted");
    } else {
        snprintf(block->why, sizeof block->why, "%s",
                 *answer.message ? answer.message : "the command gave no answer");
    }
    cli_answer_clear(&answer);
    return status;
}
