/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where an answer goes if a command was run within this process.
 */
#include "cli/answer.h"
#include "cli/print/append.h"

#include <string.h>

/* The question that this thread answers within the process; NULL: the user asked, and gets text. */
static _Thread_local cli_answer *asked;

cli_answer *cli_answer_expect(cli_answer *answer)
{
    cli_answer *outer = asked;

    asked = answer;
    return outer;
}

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
    cli_append(asked->message, sizeof asked->message, "%s%s", *asked->message ? "; " : "", message);
    return true;
}

void cli_answer_clear(cli_answer *answer)
{
    cJSON_Delete(answer->tree);
    *answer = (cli_answer){0};
}
