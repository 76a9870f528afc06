/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --plugin.
 * Room: cli.
 */
#include "cli/options/plugins.h"
#include "base/context.h"
#include "base/plugins.h"
#include "cli/options/files.h"

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

/* Loads the files of one value, which commas separate. */
static swq_status load_files(swq_context *ctx, const char *value)
{
    swq_status status = SWQ_OK;

    for (const char *at = value; !status && at;) {
        const size_t length = strcspn(at, ",");
        char *path = swq_calloc(ctx, length + 1, 1);
        if (!path)
            return swq_memory_status(ctx);
        memcpy(path, at, length);
        status = swq_plugin_load(ctx, path);
        swq_free(ctx, path);
        at = at[length] ? at + length + 1 : NULL;
    }
    return status;
}

swq_status cli_plugins_load(swq_context *ctx)
{
    swq_status status = SWQ_OK;

    for (int k = 0; given && given[k] && !status; k++)
        status = load_files(ctx, given[k]);
    return status ? cli_blame_option(ctx, "plugin", status) : SWQ_OK;
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
