/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of plugins/ need of one another.
 */
#ifndef SWQ_PLUGINS_INSIDE_H
#define SWQ_PLUGINS_INSIDE_H

#include "base/plugins.h"

#define SWQ_PLUGIN_HOST
#include "switchq/plugin.h"

/* The tables that a plug-in may add rows to. */
typedef struct swq_plugin_table {
    const char *word; /* what messages call a row: "arbiter" */
    const void *const *own;
    size_t needs; /* where in a row its swq_needs are, in bytes; NO_NEEDS: a row has none */
    const void *const *(*added)(const swq_plugin *plugin); /* rows of a plug-in; NULL: none */
    /* Records in ctx why the row is wrong, as an SWQ_EINVAL; NULL: there is nothing to check. */
    swq_status (*check)(swq_context *ctx, const void *row);
} swq_plugin_table;
enum { SWQ_PLUGIN_TABLES = 5 };
extern const swq_plugin_table swq_plugin_tables[SWQ_PLUGIN_TABLES];

/* Checks all rows of a plug-in: names, fields, and answers to small cases. Errors: SWQ_EINVAL
 * naming the row. */
swq_status swq_plugin_check(swq_context *ctx, const swq_plugin *plugin);

/* Tries an arbiter on small requests: grants are sound, and whatever the row promises of them holds
 * in these cases. Errors: SWQ_EINVAL with the case that went wrong. */
swq_status swq_plugin_try_arbiter(swq_context *ctx, const void *row);

/* Tries a rule of admission on small buffers. Errors: SWQ_EINVAL with the case that went wrong. */
swq_status swq_plugin_try_admission(swq_context *ctx, const void *row);

#endif
