/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers to the questions of a figure: the runner asks the program itself.
 */
#include "cli/figures/paper.h"

#include "base/context.h"
#include "cli/cli.h"
#include "cli/print/json_path.h"
#include "cli/runner/runner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The number at a path; NAN: there is none. An index A-B of a list stands for the mean over its
 * items A to B. */
static double number_at(const cJSON *tree, const char *path)
{
    int first, last, length = 0;
    double sum = 0;

    for (const char *part = path; part && *part; part += strcspn(part, "."), part += *part == '.') {
        if (sscanf(part, "%d-%d.%n", &first, &last, &length) != 2 || !length)
            continue;
        for (int k = first; k <= last; k++) {
            char one[200];
            snprintf(one, sizeof one, "%.*s%d.%s", (int)(part - path), path, k, part + length);
            sum += number_at(tree, one);
        }
        return last >= first ? sum / (last - first + 1) : NAN;
    }
    const cJSON *item = path ? cli_json_at(tree, path) : NULL;
    return cJSON_IsBool(item) ? cJSON_IsTrue(item) : cli_json_as_number(item);
}

static void take(const swq_figure_question *q, const cli_asked *asked, swq_figure_answer *to)
{
    const cli_answer *answer = &asked->answer;

    *to = (swq_figure_answer){.value = NAN, .lower = NAN, .upper = NAN};
    if (asked->interrupted)
        return;
    if (answer->status == 0 && answer->tree) {
        const cJSON *exactly = q->exactly ? cli_json_at(answer->tree, q->exactly) : NULL;
        to->value = number_at(answer->tree, q->value);
        to->lower = number_at(answer->tree, q->lower);
        to->upper = number_at(answer->tree, q->upper);
        if (q->width) {
            const double half = number_at(answer->tree, q->width);
            to->lower = to->value - half;
            to->upper = to->value + half;
        }
        if (exactly && cJSON_IsString(exactly))
            snprintf(to->exactly, sizeof to->exactly, "%s", exactly->valuestring);
    }
    to->limited = answer->status == CLI_LIMIT;
    if (isnan(to->value))
        /* without the advice, which is for the command line of that question */
        snprintf(to->why, sizeof to->why, "%.*s",
                 *answer->message ? (int)strcspn(answer->message, ";") : 100,
                 *answer->message ? answer->message : "the answer has no such number");
}

swq_status cli_paper_answer(swq_context *ctx, const swq_figure_question *question, int count,
                            int threads, swq_figure_answer *to)
{
    cli_asked *asked = swq_calloc(ctx, (size_t)count, sizeof *asked);
    int commands = 0, *of = swq_calloc(ctx, (size_t)count, sizeof *of);

    if (!asked || !of) {
        swq_free(ctx, asked);
        swq_free(ctx, of);
        return swq_memory_status(ctx);
    }
    for (int k = 0; k < count; k++) { /* a command with several numbers is asked once */
        while (of[k] < commands && strcmp(asked[of[k]].words, question[k].words) != 0)
            of[k]++;
        if (of[k] == commands)
            asked[commands++].words = question[k].words;
    }
    const size_t memory = swq_context_memory_limit(ctx); /* a question has a limit of its own */
    const swq_status status = cli_ask_all(ctx, asked, commands, threads, true);
    swq_context_limit_memory(ctx, memory);
    for (int k = 0; k < count; k++)
        take(&question[k], &asked[of[k]], &to[k]);
    cli_asked_clear(asked, commands);
    swq_free(ctx, asked);
    swq_free(ctx, of);
    return status;
}
