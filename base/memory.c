/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counted memory. Each block carries its size in front of it so that live and peak bytes are exact
 * and a limit can be kept.
 */
#include "base/context_fields.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is stored in front of a block, padded so that the block is aligned for any type. A block of
 * at least ALIGNED_FROM bytes begins at a cache line, so that an element that fits into a line does
 * not straddle two:
 *
 *     what the C library gave: | shift bytes | header | the block ...
 */
typedef union {
    struct {
        size_t bytes;   /* of the block */
        uint32_t shift; /* less than LINE */
    };
    max_align_t align;
} block_header;

enum { LINE = 64, ALIGNED_FROM = 2048 /* bytes */ };

void swq_context_limit_memory(swq_context *ctx, size_t bytes)
{
    ctx->limit = bytes;
}

size_t swq_context_memory_limit(const swq_context *ctx)
{
    return ctx->limit;
}

size_t swq_context_live_bytes(const swq_context *ctx)
{
    return ctx->live;
}

size_t swq_context_peak_bytes(const swq_context *ctx)
{
    return ctx->peak;
}

size_t swq_context_live_blocks(const swq_context *ctx)
{
    return ctx->blocks;
}

void swq_context_take_blocks(swq_context *ctx, swq_context *from)
{
    ctx->live += from->live;
    ctx->blocks += from->blocks;
    if (ctx->live > ctx->peak)
        ctx->peak = ctx->live;
    from->live = from->blocks = 0;
}

void swq_context_fail_allocations(swq_context *ctx, size_t after, bool for_good)
{
    ctx->allocations_left = after;
    ctx->fail_for_good = for_good;
}

bool swq_over_limit(const swq_context *ctx)
{
    return ctx->memory_status == SWQ_ELIMIT;
}

bool swq_scratch_failed(const swq_context *ctx)
{
    return ctx->memory_status == SWQ_EIO;
}

void swq_context_note_failure(swq_context *ctx, swq_status status)
{
    ctx->memory_status = status;
}

void swq_context_count(swq_context *ctx, size_t taken, size_t given_back)
{
    ctx->live += taken;
    assert(ctx->live >= given_back);
    ctx->live -= given_back;
    if (ctx->live > ctx->peak)
        ctx->peak = ctx->live;
}

swq_status swq_context_keep_limit(swq_context *ctx)
{
    if (!ctx->limit || ctx->live <= ctx->limit)
        return SWQ_OK;
    ctx->memory_status = SWQ_ELIMIT;
    return swq_fail(ctx, SWQ_ELIMIT,
                    "what a library takes by itself exceeds the memory limit of %zu bytes",
                    ctx->limit);
}

static void *refuse(swq_context *ctx, swq_status status, size_t count, size_t size)
{
    ctx->memory_status = status;
    if (status == SWQ_ELIMIT && ctx->limit)
        swq_fail(ctx, status,
                 "a block of %zu x %zu bytes would exceed the memory limit of %zu bytes", count,
                 size, ctx->limit);
    else if (status == SWQ_ELIMIT)
        swq_fail(ctx, status, "a block of %zu x %zu bytes is more than can be addressed", count,
                 size);
    else
        swq_fail(ctx, status, "no memory for %zu x %zu bytes", count, size);
    return NULL;
}

static bool injected_failure(swq_context *ctx)
{
    if (ctx->allocations_left == SIZE_MAX)
        return false;
    if (ctx->allocations_left > 0) {
        ctx->allocations_left--;
        return false;
    }
    if (!ctx->fail_for_good)
        ctx->allocations_left = SIZE_MAX;
    return true;
}

bool swq_context_lose_allocation(swq_context *ctx, size_t bytes)
{
    if (!injected_failure(ctx))
        return false;
    refuse(ctx, SWQ_ENOMEM, bytes, 1);
    return true;
}

static char *given_by_library(block_header *header)
{
    return (char *)header - header->shift;
}

/* Memory for a block: with the `before` bytes of an old block, or zeroed. */
static block_header *place_block(block_header *old, size_t before, size_t bytes)
{
    const uint32_t was = old ? old->shift : 0;
    /* a block that shrinks keeps its slack, or realloc would cut off its end before it is moved */
    const size_t slack = bytes < ALIGNED_FROM && was == 0 ? 0 : LINE;
    /* calloc for fresh blocks: large ones are zero pages that cost nothing until touched */
    char *given = old ? realloc(given_by_library(old), slack + sizeof *old + bytes)
                      : calloc(1, slack + sizeof *old + bytes);
    if (!given)
        return NULL;
    const uint32_t shift =
        slack ? (uint32_t)(-((uintptr_t)given + sizeof *old) & (uintptr_t)(LINE - 1)) : 0;
    if (old && shift != was)
        memmove(given + shift + sizeof *old, given + was + sizeof *old,
                before < bytes ? before : bytes);
    block_header *fresh = (block_header *)(void *)(given + shift);
    fresh->shift = shift;
    return fresh;
}

void *swq_resize(swq_context *ctx, void *block, size_t count, size_t size)
{
    block_header *old = block ? (block_header *)block - 1 : NULL;
    size_t before = old ? old->bytes : 0;

    if (size && count > (SIZE_MAX - sizeof(block_header) - LINE) / size)
        return refuse(ctx, SWQ_ELIMIT, count, size);
    size_t bytes = count * size;
    size_t others = ctx->live - before;
    if (ctx->limit && (bytes > ctx->limit || others > ctx->limit - bytes))
        return refuse(ctx, SWQ_ELIMIT, count, size);
    if (injected_failure(ctx))
        return refuse(ctx, SWQ_ENOMEM, count, size);
    block_header *fresh = place_block(old, before, bytes);
    if (!fresh)
        return refuse(ctx, SWQ_ENOMEM, count, size);
    if (old && bytes > before)
        memset((char *)(fresh + 1) + before, 0, bytes - before);
    fresh->bytes = bytes;
    ctx->blocks += !old;
    ctx->live = others + bytes;
    if (ctx->live > ctx->peak)
        ctx->peak = ctx->live;
    return fresh + 1;
}

bool swq_resize_array(swq_context *ctx, void *array, int64_t count, size_t size)
{
    void *block;

    memcpy(&block, array, sizeof block);
    block = swq_resize(ctx, block, (size_t)count, size);
    if (block)
        memcpy(array, &block, sizeof block);
    return block != NULL;
}

void *swq_calloc(swq_context *ctx, size_t count, size_t size)
{
    return swq_resize(ctx, NULL, count, size);
}

void swq_free(swq_context *ctx, void *block)
{
    if (!block)
        return;
    block_header *header = (block_header *)block - 1;
    assert(ctx->blocks > 0 && ctx->live >= header->bytes); /* else another context counted it */
    ctx->live -= header->bytes;
    ctx->blocks--;
    free(given_by_library(header));
}

char *swq_bytes_text(double bytes, char *text, size_t size)
{
    static const char *const unit[] = {"bytes", "KB", "MB", "GB", "TB"};
    int k = 0;

    for (; bytes >= 1024 && k < 4; k++)
        bytes /= 1024;
    snprintf(text, size, "%.3g %s", bytes, bytes == 1 && k == 0 ? "byte" : unit[k]);
    return text;
}
