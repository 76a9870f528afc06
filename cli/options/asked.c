/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The question, kept for the answer.
 */
#include "cli/options/asked.h"
#include "cli/answer.h"
#include "study/study.h"
#include "switchq/version.h"

#include <stdlib.h>
#include <string.h>

static char *line; /* "switchq solve --load 0.5"; NULL: no question yet, or no memory */

void cli_asked_set(const cli_command *command, int argc, const char *const *argv)
{
    size_t room = strlen("switchq ") + strlen(command->name) + 1, used;

    if (cli_answer_wanted())
        return;
    for (int k = 0; k < argc; k++)
        room += 1 + swq_point_quote(argv[k], NULL, 0);
    free(line);
    line = malloc(room);
    if (!line)
        return;
    used = (size_t)snprintf(line, room, "switchq %s", command->name);
    for (int k = 0; k < argc; k++) {
        line[used++] = ' ';
        used += swq_point_quote(argv[k], line + used, room - used);
    }
}

const char *cli_asked_line(void)
{
    return cli_answer_wanted() ? NULL : line;
}

void cli_asked_echo(cJSON *tree)
{
    if (!line || !cJSON_IsObject(tree))
        return;
    cJSON *asked = cJSON_AddObjectToObject(tree, "asked");
    cJSON_AddStringToObject(asked, "command", line);
    cJSON_AddStringToObject(asked, "version", SWQ_VERSION);
}
