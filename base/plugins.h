/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of rows that plug-ins make longer. A context has the plug-ins that were loaded into it;
 * everything that looks a row up by its name, or lists a table, asks swq_rows for the table's rows
 * in its context. Code that computes with a row holds the row, and needs no table. plugins/ loads
 * the files.
 */
#ifndef SWQ_BASE_PLUGINS_H
#define SWQ_BASE_PLUGINS_H

#include "switchq/plugins.h"

enum { SWQ_MOST_PLUGIN_TABLES = 8 };

/* One plug-in: the file, and what is needed to close it. */
typedef struct swq_plugin_loaded {
    swq_plugin_file file;
    void *handle;      /* of dlopen */
    const void **rows; /* [count] rows of the plug-in, of all tables */
    size_t count;
} swq_plugin_loaded;

/* A set of plug-ins, and the tables that they add rows to. A context may have several: one that is
 * in use, in which names are looked up, and older ones, whose rows are still held by somebody. */
typedef struct swq_plugins {
    swq_plugin_loaded *file; /* [files] in the order in which they were loaded */
    int files;
    struct {
        const void *const *own; /* the table as it is built in, ended by NULL */
        const void **rows;      /* the same rows, then those of the plug-ins, ended by NULL */
    } table[SWQ_MOST_PLUGIN_TABLES];
    int tables;
    struct swq_plugins *older; /* NULL: this is the first set */
    void (*release)(swq_context *ctx, struct swq_plugins *plugins); /* with all older sets */
} swq_plugins;

/* The rows of a table in this context, ended by NULL: `own`, or a longer copy of it. */
const void *const *swq_rows(const swq_context *ctx, const void *const *own);

/* The plug-in, of any set, that a row comes from; NULL: it is built in, or belongs to the caller.
 */
const swq_plugin_file *swq_row_plugin(const swq_context *ctx, const void *row);

/* The set in use, NULL if there is none. The context owns it and all older ones. */
swq_plugins *swq_context_plugins(const swq_context *ctx);
void swq_context_set_plugins(swq_context *ctx, swq_plugins *plugins);

#endif
