/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --plugin.
 */
#include "cli/options/plugins.h"
#include "base/context.h"
#include "base/plugins.h"
#include "cli/options/files.h"
#include "plugins/plugins.h"

#include <string.h>

static char **given; /* the values of all --plugin, NULL-ended; NULL: the option is not given */

struct poptOption cli_plugin_options[] = {
    {"plugin", '\0', POPT_ARG_ARGV, &given, 0,
     "add the arbiters, patterns of traffic and rules of buffers of a shared object "
     "(docs/plugins.md);"
     " may be repeated; a plug-in is a program that runs with your rights",
     "FILE.so[,FILE.so]"},
    POPT_TABLEEND,
};

enum { MOST_FILES = 64 };

/* The files of all values, which commas separate. `text` is cut into pieces. */
static swq_status split_files(swq_context *ctx, char *text, char **path, int *count)
{
    for (char *next; text; text = next) {
        next = strchr(text, ',');
        if (next)
            *next++ = '\0';
        if (*count == MOST_FILES)
            return swq_fail(ctx, SWQ_EINVAL, "at most %d files, not more", MOST_FILES);
        path[(*count)++] = text;
    }
    return SWQ_OK;
}

char *cli_plugins_given(swq_context *ctx)
{
    size_t room = 1, used = 0;

    if (!given)
        return NULL;
    for (int k = 0; given[k]; k++)
        room += strlen(given[k]) + 1;
    char *text = swq_calloc(ctx, room, 1);
    for (int k = 0; text && given[k]; k++)
        used += (size_t)snprintf(text + used, room - used, "%s%s", k ? "," : "", given[k]);
    return text;
}

swq_status cli_plugins_load(swq_context *ctx, bool has_option)
{
    char *path[MOST_FILES], *text = NULL;
    swq_status status = SWQ_OK;
    int count = 0;

    if (has_option && given) {
        text = cli_plugins_given(ctx);
        status = text ? split_files(ctx, text, path, &count) : swq_memory_status(ctx);
    }
    if (!status)
        status = swq_plugins_use(ctx, path, count);
    swq_free(ctx, text);
    /* a lack of memory has no message to put the option before */
    return status == SWQ_EINVAL || status == SWQ_EIO ? cli_blame_option(ctx, "plugin", status)
                                                     : status;
}

swq_plugins *cli_plugins_set_aside(swq_context *ctx)
{
    swq_plugins *outer = swq_context_plugins(ctx);

    swq_context_set_plugins(ctx, NULL);
    return outer;
}

void cli_plugins_finish(swq_context *ctx, swq_plugins *outer)
{
    swq_plugins_unload(ctx);
    swq_context_set_plugins(ctx, outer);
}

void cli_plugins_echo(const swq_context *ctx, cJSON *tree)
{
    if (!swq_plugin_at(ctx, 0) || !cJSON_IsObject(tree))
        return;
    cJSON *list = cJSON_AddArrayToObject(tree, "plugins");
    for (int k = 0; swq_plugin_at(ctx, k); k++) {
        const swq_plugin_file *f = swq_plugin_at(ctx, k);
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "file", f->path);
        cJSON_AddNumberToObject(item, "checksum", (double)f->checksum);
        cJSON_AddNumberToObject(item, "file_bytes", (double)f->bytes);
        cJSON_AddItemToArray(list, item);
    }
}
