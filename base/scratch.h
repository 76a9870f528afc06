/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory in a file without a name: large data that are read in order may be stored there, so that
 * the system keeps in memory as much as it has room for. A shelf is a list of mapped pieces of the
 * file, from which blocks are taken one after another and given back all at once.
 */
#ifndef SWQ_BASE_SCRATCH_H
#define SWQ_BASE_SCRATCH_H

#include "base/context.h"

#include <stdint.h>

/* The scratch file of a context; without a directory there is none. */
typedef struct swq_scratch {
    char *directory; /* NULL: none */
    int file;
    int64_t end;        /* of the file; pieces that were given back are holes */
    double taken, most; /* bytes of blocks: now, and the most so far */
} swq_scratch;

typedef struct swq_shelf {
    int count, room;
    struct swq_shelf_piece {
        char *at;
        int64_t bytes, offset; /* offset: in the file */
    } * piece;
    int64_t used;  /* bytes of the last piece */
    double blocks; /* bytes of all blocks */
} swq_shelf;

/* Keep large factors of chains, and arrays that are read together with them, in a file without a
 * name in `directory`: the memory limit does not count these, and results are the same to the bit.
 * The file vanishes when the context is freed or the process ends. Later calls have no effect.
 * Writing beyond a limit on the size of files (RLIMIT_FSIZE) raises SIGXFSZ, which a caller ignores
 * to get SWQ_EIO instead. Errors: SWQ_EIO if the directory does not exist or cannot be written;
 * SWQ_ENOMEM. If the disk is full later, the functions that fill the file return SWQ_EIO. */
swq_status swq_context_use_scratch(swq_context *ctx, const char *directory);

/* The scratch file of the context, never NULL. */
swq_scratch *swq_context_scratch(swq_context *ctx);

/* Does the context have a file? */
bool swq_scratch_used(const swq_context *ctx);

/* Did the last allocation fail because of the file? */
bool swq_scratch_failed(const swq_context *ctx);

/* Why the last allocation failed, of memory or of scratch: SWQ_ELIMIT, SWQ_ENOMEM or SWQ_EIO. */
static inline swq_status swq_scratch_status(const swq_context *ctx)
{
    return swq_scratch_failed(ctx) ? SWQ_EIO : swq_memory_status(ctx);
}

/* For swq_shelf_take: note why the allocation fails. The second function: must the allocation fail
 * now, because of swq_context_fail_allocations? */
void swq_context_note_failure(swq_context *ctx, swq_status status);
bool swq_context_lose_allocation(swq_context *ctx, size_t bytes);

/* A zeroed block that begins at a cache line, or NULL: swq_scratch_status then says why. Only for
 * contexts with a scratch file. */
void *swq_shelf_take(swq_context *ctx, swq_shelf *shelf, size_t bytes);

/* Give all blocks back. */
void swq_shelf_clear(swq_context *ctx, swq_shelf *shelf);

/* Say that a pass over the blocks is over: their memory goes back to the system, which keeps the
 * contents cached while it has room. Safe while other threads read. */
void swq_shelf_let_go(const swq_shelf *shelf);

/* Bytes that are free in the directory; INFINITY if the number is not known. */
double swq_scratch_room(swq_context *ctx);

#endif
