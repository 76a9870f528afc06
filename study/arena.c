/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks in a list, each filled from its front.
 */
#include "study/arena.h"
#include "base/context.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 16 << 10 };

struct swq_arena_block {
    struct swq_arena_block *older;
    size_t used, room;
    max_align_t bytes[];
};

void *swq_arena_take(swq_context *ctx, swq_arena *arena, size_t count, size_t size)
{
    const size_t unit = sizeof(max_align_t);
    struct swq_arena_block *block = arena->newest;

    if (count > (SIZE_MAX / 2) / size) {
        swq_fail(ctx, SWQ_ELIMIT, "%zu pieces of %zu bytes are too many", count, size);
        return NULL;
    }
    const size_t bytes = (count * size + unit - 1) / unit * unit;
    if (!block || block->room - block->used < bytes) {
        const size_t room = bytes > BLOCK ? bytes : BLOCK;
        block = swq_calloc(ctx, 1, sizeof *block + room);
        if (!block)
            return NULL;
        block->room = room;
        block->older = arena->newest;
        arena->newest = block;
    }
    void *taken = (char *)block->bytes + block->used;
    block->used += bytes;
    return taken;
}

char *swq_arena_text(swq_context *ctx, swq_arena *arena, const char *text, size_t length)
{
    char *copy = swq_arena_take(ctx, arena, length + 1, 1);

    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void swq_arena_clear(swq_context *ctx, swq_arena *arena)
{
    for (struct swq_arena_block *block = arena->newest; block;) {
        struct swq_arena_block *older = block->older;
        swq_free(ctx, block);
        block = older;
    }
    arena->newest = NULL;
}
