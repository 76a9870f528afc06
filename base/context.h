/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The library's own side of the context: counted allocation and failure messages.
 */
#ifndef SWQ_BASE_CONTEXT_H
#define SWQ_BASE_CONTEXT_H

#include "switchq/context.h"

#include <stdint.h>

/* Record a message and return `status`, so that a function fails in one line. */
swq_status swq_fail(swq_context *ctx, swq_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#ifdef __clang_analyzer__ /* shows it what is returned, which no file but context.c says */
#define swq_fail(ctx, status, ...) (swq_fail(ctx, status, __VA_ARGS__), (status))
#endif

/* Zeroed memory for count x size bytes, or NULL (multiplication checked, limit kept). The status to
 * return then is swq_memory_status(ctx). Freed with swq_free, which takes NULL too. */
void *swq_calloc(swq_context *ctx, size_t count, size_t size);

/* Resize a block (NULL: a new block); added bytes are zero. The old block stays valid on
 * failure. */
void *swq_resize(swq_context *ctx, void *block, size_t count, size_t size);

/* Resize the array that a variable points to, to `count` elements. array: the address of the
 * variable, whatever its type. False: no memory, and the variable is unchanged. */
bool swq_resize_array(swq_context *ctx, void *array, int64_t count, size_t size);

/* Free a block in the context that it was allocated in. */
void swq_free(swq_context *ctx, void *block);

/* Count memory that a library takes or gives back, if the library allocates by itself and is never
 * refused memory. */
void swq_context_count(swq_context *ctx, size_t taken, size_t given_back);

/* SWQ_ELIMIT if the memory counted exceeds the limit, which only a library that allocates by itself
   can cause.
 */
swq_status swq_context_keep_limit(swq_context *ctx);

/* Did the last allocation fail because of the memory limit? */
bool swq_over_limit(const swq_context *ctx);

/* Why the last allocation failed: SWQ_ELIMIT or SWQ_ENOMEM, never SWQ_OK. */
static inline swq_status swq_memory_status(const swq_context *ctx)
{
    return swq_over_limit(ctx) ? SWQ_ELIMIT : SWQ_ENOMEM;
}

/* Report progress to the context's callback, if it has one. */
void swq_progress(swq_context *ctx, const char *stage, double done, double total);

/* A number of bytes for humans: "1.5 GB". Returns text. */
char *swq_bytes_text(double bytes, char *text, size_t size);

/* Note a temporary file, so that it does not outlive a process that is ended by a signal
 * (swq_context_remove_temporaries); the text at `path` must stay until the file is forgotten. If
 * some dozens are noted already, further ones are ignored. */
void swq_temporary_note(swq_context *ctx, const char *path);
void swq_temporary_forget(swq_context *ctx, const char *path);

/* Must work stop, because it was cancelled or its time is up? */
bool swq_context_cancelled(const swq_context *ctx);

/* Was swq_context_cancel called? Safe in a signal handler. */
bool swq_context_interrupted(const swq_context *ctx);

/* A pointer that the context keeps for its user, NULL at first: the object behind it lives as long
 * as the context, and is released with it. base/team.h uses it. */
void **swq_context_kept(swq_context *ctx, void (*release)(void *));

/* Lend the context something that the program around the library has and the library has not, such
 * as the papers whose figures it knows (validate/figures). A context that works for another one
 * (swq_context_share_time) has what that one was lent. NULL: nothing. */
void swq_context_lend(swq_context *ctx, const void *thing);
const void *swq_context_lent(const swq_context *ctx);

/* From now on the blocks that live in `from` count as blocks of ctx, where they are freed. This may
 * exceed the memory limit of ctx, since they exist already. */
void swq_context_take_blocks(swq_context *ctx, swq_context *from);

/* For the context of a thread that works for another context: the time limit and the plug-ins of
 * `other`, which must outlive ctx. */
void swq_context_serve(swq_context *ctx, const swq_context *other);

#endif
