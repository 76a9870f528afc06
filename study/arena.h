/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that is freed together: for trees of many small pieces.
 * Room: study.
 */
#ifndef SWQ_STUDY_ARENA_H
#define SWQ_STUDY_ARENA_H

#include "switchq/context.h"

/* Zero it to begin with. */
typedef struct swq_arena {
    struct swq_arena_block *newest;
} swq_arena;

/* Zeroed memory, aligned for anything; NULL: none, and a message is in the context. */
void *swq_arena_take(swq_context *ctx, swq_arena *arena, size_t count, size_t size);

/* A copy of a text of so many bytes, with a zero behind it. */
char *swq_arena_text(swq_context *ctx, swq_arena *arena, const char *text, size_t length);

void swq_arena_clear(swq_context *ctx, swq_arena *arena);

#endif
