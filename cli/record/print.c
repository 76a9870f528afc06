/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records to standard output, or to who asks.
 */
#include "base/context.h"
#include "cli/record/inside.h"

static swq_status no_memory(swq_context *ctx)
{
    return swq_fail(ctx, SWQ_ENOMEM, "no memory for the answer");
}

static cJSON *points_of(cli_record **root, int count)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/points/1");
    cJSON *points = cJSON_AddArrayToObject(tree, "points");
    for (int k = 0; k < count; k++)
        cJSON_AddItemToArray(points, cli_record_json(root[k]));
    return tree;
}

swq_status cli_record_print(swq_context *ctx, cli_record *root, cli_format format)
{
    swq_status status = SWQ_OK;

    cli_clear_progress();
    if (!root || root->failed)
        status = no_memory(ctx);
    else if (format == CLI_JSON)
        status = cli_json_print(ctx, cli_record_json(root));
    else if (format == CLI_CSV)
        status = cli_records_csv(ctx, &root, 1, stdout);
    else
        cli_record_text(root);
    cli_record_free(root);
    return status ? status : cli_flush(ctx);
}

swq_status cli_records_print(swq_context *ctx, cli_record **root, int count, cli_format format)
{
    swq_status status = SWQ_OK;

    cli_clear_progress();
    for (int k = 0; k < count && !status; k++)
        status = !root[k] || root[k]->failed ? no_memory(ctx) : SWQ_OK;
    if (!status && format == CLI_JSON)
        status = cli_json_print(ctx, points_of(root, count));
    else if (!status && format == CLI_CSV)
        status = cli_records_csv(ctx, root, count, stdout);
    for (int k = 0; k < count && !status && format == CLI_TEXT; k++) {
        if (k)
            putchar('\n');
        cli_record_text(root[k]);
    }
    for (int k = 0; k < count; k++)
        cli_record_free(root[k]);
    return status ? status : cli_flush(ctx);
}
