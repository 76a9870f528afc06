/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory in a file that has no name: what is large and read in order may lie there, so that the
 * system keeps of it what there is room for. A shelf is a list of pieces of the file, mapped, from
 * which blocks are taken one after another and given back all at once. Room: base.
 */
#ifndef SWQ_BASE_SCRATCH_H
#define SWQ_BASE_SCRATCH_H

#include "base/context.h"

#include <stdint.h>

/* Of a context; without a directory there is no file. */
typedef struct swq_scratch {
    char *directory; /* NULL: none */
    int file;
    int64_t end;        /* of the file; pieces that were given back are holes */
    double taken, most; /* bytes of blocks, now and at most */
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

/* Keep large factors of chains, and what is read along with them, in a file without a name in this
 * directory: the memory limit does not count them, and results are the same to the bit. The file is
 * gone when the context is freed or the process ends. Later calls have no effect. Writing beyond a
 * limit on the size of files (RLIMIT_FSIZE) raises SIGXFSZ, which the caller ignores to have
 * SWQ_EIO instead. Errors: SWQ_EIO when there is no such directory, or it cannot be written to;
 * SWQ_ENOMEM. A disk that turns out to be full is SWQ_EIO of the functions that fill it. */
swq_status swq_context_use_scratch(swq_context *ctx, const char *directory);

/* That of the context, never NULL. */
swq_scratch *swq_context_scratch(swq_context *ctx);

/* Does the context have a file? */
bool swq_scratch_used(const swq_context *ctx);

/* Why the last allocation failed, of memory or of scratch: SWQ_ELIMIT, SWQ_ENOMEM or SWQ_EIO. */
bool swq_scratch_failed(const swq_context *ctx);

static inline swq_status swq_scratch_status(const swq_context *ctx)
{
    return swq_scratch_failed(ctx) ? SWQ_EIO : swq_memory_status(ctx);
}

/* For swq_shelf_take: note why it fails, and whether swq_context_fail_allocations wants it to. */
void swq_context_note_failure(swq_context *ctx, swq_status status);
bool swq_context_lose_allocation(swq_context *ctx, size_t bytes);

/* A zeroed block, which begins at a line of the cache, or NULL: swq_scratch_status then says why.
 * Only where swq_scratch_used. */
void *swq_shelf_take(swq_context *ctx, swq_shelf *shelf, size_t bytes);

/* Give all blocks back. */
void swq_shelf_clear(swq_context *ctx, swq_shelf *shelf);

/* The blocks have been gone through: what is in memory of them is the system's again, which still
 * has it at hand as long as nobody else needs the room. Safe while others read. */
void swq_shelf_let_go(const swq_shelf *shelf);

/* Bytes that are free in the directory; INFINITY if that is not known. */
double swq_scratch_room(swq_context *ctx);

#endif
