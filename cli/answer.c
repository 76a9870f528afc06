/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asking a command in this process.
 * Room: cli.
 */
#include "cli/answer.h"
#include "base/context.h"
#include "cli/options/config.h"

#include <string.h>

/* The question being asked; NULL: the user asked, and gets text. */
static cli_answer *asked;

bool cli_answer_wanted(void)
{
    return asked != NULL;
}

bool cli_answer_take(cJSON *tree)
{
    if (!asked)
        return false;
    cJSON_Delete(asked->tree);
    asked->tree = tree;
    return true;
}

bool cli_answer_note(const char *message)
{
    if (!asked)
        return false;
    snprintf(asked->message, sizeof asked->message, "%s", message);
    return true;
}

bool cli_answer_add(const char *message)
{
    if (!asked)
        return false;
    const size_t used = strlen(asked->message);
    snprintf(asked->message + used, sizeof asked->message - used, "%s%s", used ? "; " : "",
             message);
    return true;
}

void cli_ask(swq_context *ctx, int count, const char *const *words, cli_answer *answer)
{
    const char *arguments[CLI_MOST_ARGUMENTS + 1];
    const cli_command *command = NULL;

    /* a report that is asked for asks questions of its own */
    cli_answer *outer = asked;
    *answer = (cli_answer){.status = CLI_BAD_INPUT};
    asked = answer;
    swq_context_limit_time(ctx, 0); /* that of an earlier question */
    if (count < 1 || count > CLI_MOST_ARGUMENTS)
        swq_fail(ctx, SWQ_EINVAL, "a command has 1 .. %d words, not %d", CLI_MOST_ARGUMENTS, count);
    else
        command = cli_command_find(ctx, words[0]);
    if (command) {
        /* in front: an option that lacks its value would take what comes last */
        arguments[0] = "--json";
        memcpy(arguments + 1, words + 1, sizeof *words * (size_t)(count - 1));
        answer->status = cli_config_run(ctx, command, count, arguments);
    } else {
        cli_answer_note(swq_context_message(ctx));
    }
    asked = outer;
}

void cli_answer_clear(cli_answer *answer)
{
    cJSON_Delete(answer->tree);
    *answer = (cli_answer){0};
}
