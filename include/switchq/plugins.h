/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loading plug-ins into a context: shared objects of a user that add arbiters, patterns of traffic
 * and rules of buffers to the tables. plugin.h is the header that a plug-in is written with.
 */
#ifndef SWITCHQ_PLUGINS_H
#define SWITCHQ_PLUGINS_H

#include "switchq/context.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A plug-in that was loaded. Owned by the context. */
typedef struct swq_plugin_file {
    char *path;        /* as it was given */
    uint32_t checksum; /* of the file's bytes, by the method of POSIX cksum */
    uint64_t bytes;
} swq_plugin_file;

/* Load the shared object `path` and add its rows to the tables of this context, where functions
 * that take a name, such as swq_arbiter_find, find them from now on. Before that, every row is
 * checked: its name, its fields, the needs that it declares, and what its functions answer to a few
 * hundred small cases (an arbiter's grants and its promises about them; a rule's answers for full
 * and empty buffers). The rows stay valid until swq_plugins_unload or swq_context_free. Takes
 * milliseconds. A plug-in is machine code and can do whatever the process can do: load only files
 * that you trust.
 *
 * Errors: SWQ_EIO if the file cannot be read; SWQ_EINVAL naming the file if it is not a shared
 * object, lacks the symbol of a plug-in, was compiled for another version of the interface, is
 * loaded already, or has a row that fails a check, which the message names; SWQ_ENOMEM, SWQ_ELIMIT.
 * The context is then unchanged. */
swq_status swq_plugin_load(swq_context *ctx, const char *path);

/* Plug-in `number` of the context, from 0, in the order of loading; NULL: there are not as many. */
const swq_plugin_file *swq_plugin_at(const swq_context *ctx, int number);

/* Close all plug-ins of a context. No row of theirs may be used any more. */
void swq_plugins_unload(swq_context *ctx);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
