/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The temporary files of outputs that are being written, which a signal that ends the process
 * removes.
 */
#include "base/context_fields.h"

#include <unistd.h>

void swq_temporary_note(swq_context *ctx, const char *path)
{
    for (int k = 0; k < SWQ_MOST_TEMPORARIES; k++) {
        if (!atomic_load(&ctx->temporary[k])) {
            atomic_store(&ctx->temporary[k], path);
            return;
        }
    }
}

void swq_temporary_forget(swq_context *ctx, const char *path)
{
    for (int k = 0; k < SWQ_MOST_TEMPORARIES; k++) {
        if (atomic_load(&ctx->temporary[k]) == path)
            atomic_store(&ctx->temporary[k], NULL);
    }
}

void swq_context_remove_temporaries(swq_context *ctx)
{
    for (int k = 0; k < SWQ_MOST_TEMPORARIES; k++) {
        const char *path = atomic_load(&ctx->temporary[k]);
        if (path)
            unlink(path);
    }
}
