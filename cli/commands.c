/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of commands; running one, for the user or from within this process.
 */
#include "base/context.h"
#include "base/names.h"
#include "base/plugins.h"
#include "cli/answer.h"
#include "cli/options/config.h"
#include "cli/options/plugins.h"
#include "cli/print/append.h"

#include <stdio.h>
#include <string.h>

const cli_command *const cli_commands[] = {
    &cli_solve,  &cli_sim,  &cli_approx, &cli_formula, &cli_sweep,      &cli_table,   &cli_figure,
    &cli_chip,   &cli_cost, &cli_bound,  &cli_worst,   &cli_headroom,   &cli_compare, &cli_validate,
    &cli_report, &cli_list, &cli_export, &cli_help,    &cli_completion, NULL,
};

const cli_command *cli_command_find(swq_context *ctx, const char *name)
{
    const cli_command *found = NULL;
    char names[120] = "";
    int count = 0;

    for (int k = 0; cli_commands[k]; k++) {
        const char *full = cli_commands[k]->name;
        if (strcmp(full, name) == 0)
            return cli_commands[k];
        if (!*name || strncmp(full, name, strlen(name)) != 0)
            continue;
        cli_append(names, sizeof names, "%s%s", *names ? ", " : "", full);
        found = cli_commands[k];
        count++;
    }
    if (count > 1)
        swq_fail(ctx, SWQ_EINVAL, "command '%.40s' is ambiguous: %s", name, names);
    else if (!found)
        swq_name_lookup(ctx, "command", name, (const void *const *)cli_commands);
    return count == 1 ? found : NULL;
}

int cli_command_run(swq_context *ctx, const cli_command *command, int argc, const char **argv)
{
    const cli_config_file outer = cli_config_set_aside();
    swq_plugins *outer_plugins = cli_plugins_set_aside(ctx);
    const int end = command->run(ctx, command, argc, argv);
    swq_status status = cli_config_finish(ctx, outer, end == CLI_OK || end == CLI_FAILED);

    cli_plugins_finish(ctx, outer_plugins);
    return status ? cli_fail(ctx, status) : end;
}

void cli_ask(swq_context *ctx, int count, const char *const *words, cli_answer *answer)
{
    const char *arguments[CLI_MOST_ARGUMENTS + 1];
    const cli_command *command = NULL;

    /* a report asks questions of its own */
    *answer = (cli_answer){.status = CLI_BAD_INPUT};
    cli_answer *outer = cli_answer_expect(answer);
    swq_context_limit_time(ctx, 0); /* the limit of an earlier question */
    if (count < 1 || count > CLI_MOST_ARGUMENTS)
        swq_fail(ctx, SWQ_EINVAL, "a command has 1 .. %d words, not %d", CLI_MOST_ARGUMENTS, count);
    else
        command = cli_command_find(ctx, words[0]);
    if (command) {
        /* in front, since an option whose value is missing would take the last argument for its
         * value */
        arguments[0] = "--json";
        memcpy(arguments + 1, words + 1, sizeof *words * (size_t)(count - 1));
        answer->status = cli_command_run(ctx, command, count, arguments);
    } else {
        cli_answer_note(swq_context_message(ctx));
    }
    cli_answer_expect(outer);
}
