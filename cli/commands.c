/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of commands.
 * Room: cli.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

const cli_command *const cli_commands[] = {
    &cli_solve,    &cli_sim,    &cli_approx, &cli_formula, &cli_sweep, &cli_table,      &cli_figure,
    &cli_validate, &cli_report, &cli_list,   &cli_export,  &cli_help,  &cli_completion, NULL,
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
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", full);
        found = cli_commands[k];
        count++;
    }
    if (count > 1)
        swq_fail(ctx, SWQ_EINVAL, "command '%.40s' is ambiguous: %s", name, names);
    else if (!found)
        swq_name_lookup(ctx, "command", name, (const void *const *)cli_commands);
    return count == 1 ? found : NULL;
}
