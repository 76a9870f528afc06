/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that is freed together: for trees of many small pieces.
 */
#ifndef SWQ_STUDY_ARENA_H
#define SWQ_STUDY_ARENA_H

#include "switchq/context.h"

/* Begin with zeros. */
typedef struct swq_arena {
    struct swq_arena_block *newest;
} swq_arena;

/* Takes zeroed memory, aligned for any type; NULL: there is none, and the context has the
 * message. */
void *swq_arena_take(swq_context *ctx, swq_arena *arena, size_t count, size_t size);

/* A copy of `bytes` bytes of text, with a zero after them. */
char *swq_arena_text(swq_context *ctx, swq_arena *arena, const char *text, size_t length);

void swq_arena_clear(swq_context *ctx, swq_arena *arena);

#endif
