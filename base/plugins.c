/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of a table, with the rows of a context's plug-ins.
 */
#include "base/plugins.h"

#include "base/context_fields.h"

const void *const *swq_rows(const swq_context *ctx, const void *const *own)
{
    const swq_plugins *plugins = swq_context_plugins(ctx);

    for (int t = 0; plugins && t < plugins->tables; t++) {
        if (plugins->table[t].own == own)
            return (const void *const *)plugins->table[t].rows;
    }
    return own;
}

const swq_plugin_file *swq_row_plugin(const swq_context *ctx, const void *row)
{
    for (const swq_plugins *p = swq_context_plugins(ctx); p; p = p->older) {
        for (int f = 0; f < p->files; f++) {
            for (size_t k = 0; k < p->file[f].count; k++) {
                if (p->file[f].rows[k] == row)
                    return &p->file[f].file;
            }
        }
    }
    return NULL;
}

swq_plugins *swq_context_plugins(const swq_context *ctx)
{
    return ctx ? ctx->plugins : NULL;
}

void swq_context_set_plugins(swq_context *ctx, swq_plugins *plugins)
{
    ctx->plugins = plugins;
}

const swq_plugin_file *swq_plugin_at(const swq_context *ctx, int number)
{
    const swq_plugins *plugins = swq_context_plugins(ctx);

    return plugins && number >= 0 && number < plugins->files ? &plugins->file[number].file : NULL;
}
