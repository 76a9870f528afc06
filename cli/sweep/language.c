/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The questions that a study may ask: the commands, with the options of their own tables; and a
 * worker's way to ask a question.
 */
#include "base/clock.h"
#include "base/context.h"
#include "cli/figures/paper.h"
#include "cli/options/options.h"
#include "cli/print/text.h"
#include "cli/runner/runner.h"
#include "cli/sweep/flat.h"
#include "cli/sweep/sweep.h"
#include "switchq/formula.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const commands[] = {"solve", "sim", "approx", "formula", "worst", NULL};

/* Options that a study cannot use, and why. */
static const struct {
    const char *option, *why;
} barred[] = {
    {"help", "it asks nothing"},
    {"help-all", "it asks nothing"},
    {"methods", "it asks nothing"},
    {"config", "the study has the options itself"},
    {"booksim", "the study has the options itself; 'switchq sim --booksim FILE' prints them"},
    {"preset", "the study has the options itself; 'switchq sim --preset NAME' prints them"},
    {"table", "it has an answer for each cell; 'switchq approx --table' prints them"},
    {"json", "answers are kept as JSON anyway"},
    {"csv", "answers are kept as JSON"},
    {"plot", "points would draw over one another"},
    {"panel", "points would draw over one another"},
    {"x-range", "points would draw over one another"},
    {"y-range", "points would draw over one another"},
    {"log-axes", "points would draw over one another"},
    {"starts", "points would write the same file"},
    {"saq-log", "points would write the same file"},
    {"messages-out", "points would write the same file"},
    {"watch", "points would write the same file"},
    {"certificate", "points would write the same file"},
    {"sequence", "points would write the same file"},
    {"save-config", "points would write the same file"},
    {"checkpoint", "points would use the same file"},
    {"threads", "points run beside one another; see switchq sweep --threads"},
    {"mem", "see switchq sweep --mem"},
};

static const char *why_barred(const char *name)
{
    for (size_t k = 0; k < sizeof barred / sizeof *barred; k++) {
        if (strcmp(barred[k].option, name) == 0)
            return barred[k].why;
    }
    return NULL;
}

/* ---- options ---- */

/* A formula's options are its parameters; the table has the parameters of all formulas. */
static bool counts(const swq_formula *formula, const char *name)
{
    bool is_parameter = !formula || why_barred(name);

    for (int k = 0; !is_parameter && k < formula->parameters; k++)
        is_parameter = strcmp(formula->parameter[k].name, name) == 0;
    return is_parameter;
}

/* May a study have the option? arg: a pointer to the formula, or NULL. */
static bool may_have(void *arg, const struct poptOption *o)
{
    return counts(*(const swq_formula **)arg, o->longName) && !why_barred(o->longName);
}

static const cli_command *command_of(const char *full)
{
    const size_t length = strcspn(full, " ");

    for (int k = 0; cli_commands[k]; k++) {
        if (strlen(cli_commands[k]->name) == length &&
            !strncmp(cli_commands[k]->name, full, length))
            return cli_commands[k];
    }
    return NULL;
}

const struct poptOption *cli_sweep_options_of(swq_context *ctx, const char *command)
{
    return cli_options_of(ctx, command_of(command));
}

static swq_option_use option(void *arg, const char *full, const char *name, const char **nearest)
{
    swq_context *ctx = arg;
    const swq_formula *formula = NULL;

    if (strncmp(full, "formula ", 8) == 0)
        swq_formula_find(ctx, full + 8, &formula);
    const struct poptOption *table = cli_sweep_options_of(ctx, full);
    const struct poptOption *o = cli_option_named(table, name, strlen(name));
    *nearest = cli_nearest_option(table, name, may_have, &formula);
    if (!o || !counts(formula, name))
        return SWQ_OPTION_UNKNOWN;
    if (!why_barred(name))
        return cli_option_kind(o) == POPT_ARG_NONE ? SWQ_OPTION_FLAG : SWQ_OPTION_VALUE;
    *nearest = why_barred(name);
    return SWQ_OPTION_BARRED;
}

static swq_status formula(void *arg, swq_context *ctx, const char *name)
{
    const swq_formula *found;

    (void)arg;
    return swq_formula_find(ctx, name, &found);
}

void cli_sweep_language(swq_context *ctx, swq_study_language *language)
{
    *language = (swq_study_language){ctx, commands, option, formula, false};
}

/* ---- answers ---- */

/* The point's words, and others that are not part of its key: the resources that a worker may use.
 * The caller frees the text; NULL: no memory. */
static char *with_limits(const char *words, size_t memory)
{
    const bool formula = strncmp(words, "formula ", 8) == 0;   /* it needs next to nothing */
    const bool compares = strstr(words, " --compare") != NULL; /* by default on all processors */
    const size_t room = strlen(words) + 60;
    char *text = malloc(room);

    if (text && formula)
        snprintf(text, room, "%s", words);
    else if (text)
        snprintf(text, room, "%s%s --mem %zu", words, compares ? " --threads 1" : "", memory);
    return text;
}

static swq_status note_number(void *arg, const char *key, const cJSON *value)
{
    bool *any = arg;

    (void)key;
    *any = *any || cli_flat_is_number(value);
    return SWQ_OK;
}

/* The reason why an answer is not the answer of one point; NULL: it is one, or the command itself
 * has given the reason. */
static const char *why_unfit(const cli_answer *answer)
{
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(answer->tree, "schema");
    const cJSON *points = cJSON_GetObjectItemCaseSensitive(answer->tree, "points");
    bool any = false;

    if ((cJSON_IsString(schema) && strcmp(schema->valuestring, "switchq/points/1") == 0) ||
        cJSON_GetArraySize(points) > 1)
        return "an option has several values: in a study they go into 'over', as a list or a range";
    cli_flat_walk(answer->tree, note_number, &any);
    return any || answer->status ? NULL : "the answer has no number that a study could keep";
}

void cli_sweep_answer(void *arg, const char *words, swq_reply *reply)
{
    static char *text;
    static char message[512];
    const double cpu = swq_seconds(CLOCK_PROCESS_CPUTIME_ID), wall = swq_seconds(CLOCK_MONOTONIC);
    const size_t *limit = arg;
    swq_context *ctx = swq_context_new(); /* a context for this point alone, so that the context's
                                             peak of memory is the point's */
    char *line = with_limits(words, *limit);
    cli_asked asked = {.words = line, .answer = {.status = CLI_LIMIT}};

    free(text);
    text = NULL;
    if (ctx && line)
        cli_ask_all(ctx, &asked, 1, 1, false);
    cli_answer *answer = &asked.answer;
    const char *why = why_unfit(answer);
    if (why) {
        cJSON_Delete(answer->tree);
        answer->tree = NULL;
        answer->status = CLI_BAD_INPUT;
        snprintf(answer->message, sizeof answer->message, "%s", why);
    }
    if (answer->tree && !(text = cli_json_text(answer->tree, false))) {
        answer->status = CLI_LIMIT;
        snprintf(answer->message, sizeof answer->message, "no memory for the answer");
    }
    snprintf(message, sizeof message, "%s", answer->message);
    *reply = (swq_reply){
        .status = answer->status,
        .message = message,
        .answer = text,
        .cpu_seconds = swq_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu,
        .wall_seconds = swq_seconds(CLOCK_MONOTONIC) - wall,
    };
    cli_asked_clear(&asked, 1);
    free(line);
    swq_context_free(ctx);
}

void cli_sweep_answer_quietly(void *arg, const char *words, swq_reply *reply)
{
    static bool quiet;

    if (!quiet) {
        const int nowhere = open("/dev/null", O_RDWR);
        if (nowhere >= 0) {
            dup2(nowhere, STDIN_FILENO);
            dup2(nowhere, STDOUT_FILENO);
            dup2(nowhere, STDERR_FILENO);
        }
        quiet = true;
    }
    cli_sweep_answer(arg, words, reply);
}
