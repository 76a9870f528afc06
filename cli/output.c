/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What commands print alike: JSON pieces, and the check that it all arrived.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <string.h>

bool cli_progress_shown;

void cli_clear_progress(void)
{
    if (cli_progress_shown)
        fputs("\r\033[K", stderr);
    cli_progress_shown = false;
}

void cli_json_number(cJSON *object, const char *key, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, key, value);
    else
        cJSON_AddNullToObject(object, key);
}

static void add_load(cJSON *model, const cli_spec *spec)
{
    if (spec->same_load)
        cJSON_AddNumberToObject(model, "load", spec->sw.load[0]);
    else
        cJSON_AddItemToObject(model, "load",
                              cJSON_CreateDoubleArray(spec->sw.load, spec->sw.ports));
}

static void add_traffic(cJSON *model, const cli_spec *spec)
{
    cJSON_AddStringToObject(model, "traffic", spec->traffic);
    if (strcmp(spec->traffic, "uniform") == 0)
        return;
    if (strcmp(spec->traffic, "hotspot") == 0) {
        cJSON_AddNumberToObject(model, "hot_fraction", spec->hot_fraction);
        cJSON_AddNumberToObject(model, "hot_output", spec->hot_output);
    }
    cJSON *rows = cJSON_AddArrayToObject(model, "destinations");
    for (int i = 0; i < spec->sw.ports; i++)
        cJSON_AddItemToArray(rows, cJSON_CreateDoubleArray(spec->sw.dest[i], spec->sw.ports));
}

cJSON *cli_json_model(const cli_spec *spec)
{
    const swq_switch *sw = &spec->sw;
    cJSON *model = cJSON_CreateObject();

    cJSON_AddStringToObject(model, "buffer", spec->buffer);
    cJSON_AddNumberToObject(model, "ports", sw->ports);
    cJSON_AddNumberToObject(model, "slots", spec->slots);
    add_load(model, spec);
    cJSON_AddStringToObject(model, "flow", cli_flow_words[sw->flow]);
    cJSON_AddStringToObject(model, "credit", cli_credit_words[sw->credit]);
    cJSON_AddStringToObject(model, "arbiter", sw->arbiter->name);
    add_traffic(model, spec);
    cJSON_AddStringToObject(model, "scope", cli_scope_words[sw->buffer.scope]);
    cJSON_AddStringToObject(model, "queues", cli_queues_words[sw->buffer.queues]);
    cJSON_AddStringToObject(model, "read", cli_read_words[sw->buffer.read]);
    cJSON_AddNumberToObject(model, "capacity", sw->buffer.capacity);
    cJSON_AddNumberToObject(model, "queue_min", sw->buffer.queue_min);
    cJSON_AddNumberToObject(model, "queue_max", sw->buffer.queue_max);
    cJSON_AddNumberToObject(model, "alpha", sw->buffer.alpha);
    cJSON_AddStringToObject(model, "pool_rule", cli_pool_rule_words[sw->buffer.pool_rule]);
    return model;
}

swq_status cli_json_print(swq_context *ctx, cJSON *tree)
{
    char *text = tree ? cJSON_Print(tree) : NULL;

    cJSON_Delete(tree);
    if (!text)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the JSON output");
    puts(text);
    cJSON_free(text);
    return cli_flush(ctx);
}

swq_status cli_flush(swq_context *ctx)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EIO, "cannot write to standard output: %s", strerror(errno));
}
