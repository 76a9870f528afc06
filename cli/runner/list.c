/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions that are command lines, answered beside one another.
 */
#include "base/context.h"
#include "cli/points/points.h"
#include "study/study.h"

#include <stdlib.h>
#include <string.h>

/* The words of a question, split. */
typedef struct {
    const char *word[CLI_MOST_ARGUMENTS + 1];
    char *text;
    int count;
    const cli_command *command;
} question_words;

static swq_status split(swq_context *ctx, const char *words, question_words *q)
{
    q->text = strdup(words);
    swq_status status = q->text ? SWQ_OK : swq_fail(ctx, SWQ_ENOMEM, "no memory for a question");

    if (!status)
        status = swq_point_split(ctx, q->text, q->word, CLI_MOST_ARGUMENTS, &q->count);
    if (!status && q->count == 0)
        status = swq_fail(ctx, SWQ_EINVAL, "a question needs a command");
    if (!status)
        q->command = cli_command_find(ctx, q->word[0]);
    return status ? status : q->command ? SWQ_OK : SWQ_EINVAL;
}

/* Reads the options of a question whose command the runner knows, and finds the question's kind.
 * Returns -1, or the exit status if the question is answered, or refused, already. */
static int read_options(swq_context *ctx, question_words *q, const cli_question_kind **kind)
{
    cli_points_how how = {.threads = 1};
    cli_axes axes;

    q->word[0] = "--json"; /* as in cli_ask */
    int end = cli_read_options(ctx, q->command, q->command->options, q->count, q->word, NULL, 0);
    if (end >= 0)
        return end;
    swq_status status = cli_axes_read(ctx, q->command->options, &axes);
    if (!status && axes.points > 1)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "an option has several values: in a study they go into 'over', as a list "
                          "or a range");
    end = status ? cli_fail(ctx, status) : q->command->question(ctx, &axes, &how);
    cli_axes_clear(&axes);
    *kind = how.kind;
    return end;
}

/* ---- a question and the runner ---- */

typedef struct {
    cli_asked *asked;
    cli_questions questions;
    bool beside; /* other threads read options as well */
    int end; /* of the question that was set last: -1, or it needs no runner, and has this status */
} asked_list;

static swq_status set(swq_context *ctx, void *arg, int k, const cli_question_kind **kind)
{
    asked_list *l = arg;
    question_words q = {.count = 0};
    swq_status status = split(ctx, l->asked[k].words, &q);

    l->end = -1;
    if (!status)
        l->end = read_options(ctx, &q, kind);
    free(q.text);
    return status ? status : l->end < 0 ? SWQ_OK : SWQ_EINVAL;
}

/* Reading and recording use option tables. */
static void begin(const asked_list *l)
{
    if (l->beside)
        cli_begin_options();
}

static void end(const asked_list *l)
{
    if (l->beside)
        cli_end_options();
}

/* Reads a question, or answers it at once if its command is not known to the runner. */
static swq_status take(swq_context *ctx, asked_list *l, int k)
{
    question_words q = {.count = 0};
    cli_answer *answer = &l->asked[k].answer, *outer = cli_answer_expect(answer);
    swq_status status = split(ctx, l->asked[k].words, &q);
    const bool runs = !status && q.command->question;

    l->end = -1;
    swq_context_limit_time(ctx, 0);
    if (!status && !runs)
        cli_ask(ctx, q.count, q.word, answer);
    free(q.text);
    if (runs)
        status = cli_questions_read(ctx, &l->questions, k);
    if (status && l->end < 0)
        l->end = cli_fail(ctx, status);
    if (status)
        answer->status = l->end;
    else if (runs)
        l->questions.one[k].answer = answer;
    cli_answer_expect(outer);
    return status == SWQ_ENOMEM ? status : SWQ_OK;
}

static void give(swq_context *ctx, asked_list *l, int k)
{
    const cli_one_question *one = &l->questions.one[k];
    cli_asked *asked = &l->asked[k];
    cli_answer *answer = &asked->answer;

    asked->cpu_seconds = one->cpu_seconds;
    asked->wall_seconds = one->wall_seconds;
    asked->interrupted = one->status == SWQ_ECANCELLED;
    if (one->status)
        return;
    cli_answer *outer = cli_answer_expect(answer);
    cli_record *record = cli_questions_record(ctx, &l->questions, k);
    const swq_status status = record ? cli_record_print(ctx, record, CLI_JSON) : SWQ_ENOMEM;
    answer->status = status ? cli_fail(ctx, status) : cli_questions_end(ctx, &l->questions, k, "");
    asked->interrupted = answer->status && swq_context_cancelled(ctx);
    cli_answer_expect(outer);
}

swq_status cli_ask_all(swq_context *ctx, cli_asked *asked, int count, int threads, bool beside)
{
    asked_list l = {.asked = asked, .questions = {.count = count, .set = set}, .beside = beside};
    swq_status status = SWQ_OK;

    l.questions.arg = &l;
    cli_hold_words();
    for (int k = 0; k < count; k++) {
        asked[k].answer = (cli_answer){.status = CLI_FAILED};
        asked[k].interrupted = true;
    }
    begin(&l);
    for (int k = 0; k < count && !status; k++) {
        if (swq_context_cancelled(ctx))
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        else
            status = take(ctx, &l, k);
        asked[k].interrupted = status != SWQ_OK;
    }
    end(&l);
    if (!status && l.questions.one)
        cli_questions_answer(ctx, &l.questions, threads);
    begin(&l);
    for (int k = 0; k < count && !status && l.questions.one; k++) {
        if (l.questions.one[k].at)
            give(ctx, &l, k);
    }
    cli_questions_clear(ctx, &l.questions);
    end(&l);
    cli_free_held_words();
    if (!status && swq_context_cancelled(ctx))
        status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    return status;
}

void cli_asked_clear(cli_asked *asked, int count)
{
    for (int k = 0; k < count; k++)
        cli_answer_clear(&asked[k].answer);
}
