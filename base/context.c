/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The context: its life, the last message, cancellation, progress. memory.c has its memory,
 * temporaries.c the files that must not outlive the process.
 */
#include "base/clock.h"
#include "base/context_fields.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *swq_status_text(swq_status status)
{
    static const char *const text[] = {
        [SWQ_OK] = "ok",
        [SWQ_EINVAL] = "invalid parameter",
        [SWQ_ENOMEM] = "out of memory",
        [SWQ_ELIMIT] = "limit exceeded",
        [SWQ_EREDUCIBLE] = "reducible chain",
        [SWQ_EPERIODIC] = "periodic chain",
        [SWQ_ECONVERGE] = "not converged",
        [SWQ_ERANGE] = "number out of range",
        [SWQ_ESINGULAR] = "singular matrix",
        [SWQ_EIO] = "input or output error",
        [SWQ_ECANCELLED] = "cancelled",
        [SWQ_EINTERNAL] = "internal error",
    };
    return (unsigned)status < sizeof text / sizeof *text ? text[status] : "unknown status";
}

swq_context *swq_context_new(void)
{
    swq_context *ctx = calloc(1, sizeof *ctx);
    if (ctx)
        ctx->allocations_left = SIZE_MAX;
    return ctx;
}

void swq_context_free(swq_context *ctx)
{
    if (ctx && ctx->kept)
        ctx->release(ctx->kept);
    if (ctx && ctx->plugins && !ctx->lender)
        ctx->plugins->release(ctx, ctx->plugins);
    if (ctx && ctx->scratch.directory) {
        close(ctx->scratch.file);
        free(ctx->scratch.directory);
    }
    free(ctx);
}

bool swq_scratch_used(const swq_context *ctx)
{
    return ctx->scratch.directory != NULL;
}

swq_scratch *swq_context_scratch(swq_context *ctx)
{
    return &ctx->scratch;
}

void swq_context_use_threads(swq_context *ctx, int threads)
{
    ctx->threads = threads;
}

int swq_context_threads(const swq_context *ctx)
{
    return ctx->threads > 1 ? ctx->threads : 1;
}

void **swq_context_kept(swq_context *ctx, void (*release)(void *))
{
    ctx->release = release;
    return &ctx->kept;
}

void swq_context_lend(swq_context *ctx, const void *thing)
{
    ctx->lent = thing;
}

const void *swq_context_lent(const swq_context *ctx)
{
    return ctx->lent || !ctx->master ? ctx->lent : swq_context_lent(ctx->master);
}

const char *swq_context_message(const swq_context *ctx)
{
    return ctx->message;
}

void swq_context_cancel(swq_context *ctx)
{
    atomic_store(&ctx->cancelled, true);
}

void swq_context_limit_time(swq_context *ctx, double seconds)
{
    ctx->deadline = seconds > 0 ? swq_seconds(CLOCK_MONOTONIC) + seconds : 0;
}

void swq_context_serve(swq_context *ctx, const swq_context *other)
{
    ctx->deadline = other->deadline;
    ctx->master = ctx->lender = other;
    ctx->plugins = other->plugins;
}

bool swq_context_interrupted(const swq_context *ctx)
{
    return atomic_load(&ctx->cancelled) || (ctx->master && atomic_load(&ctx->master->cancelled));
}

bool swq_context_cancelled(const swq_context *ctx)
{
    return swq_context_interrupted(ctx) ||
           (ctx->deadline > 0 && swq_seconds(CLOCK_MONOTONIC) >= ctx->deadline);
}

void swq_context_watch(swq_context *ctx, swq_progress_fn *watch, void *arg)
{
    ctx->watch = watch;
    ctx->watch_arg = arg;
}

void swq_progress(swq_context *ctx, const char *stage, double done, double total)
{
    if (ctx->watch)
        ctx->watch(ctx->watch_arg, stage, done, total);
}

swq_status(swq_fail)(swq_context *ctx, swq_status status, const char *format, ...)
{
    va_list args;

    if (!ctx) /* the caller does not need the message */
        return status;
    va_start(args, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is above
    vsnprintf(ctx->message, sizeof ctx->message, format, args);
    va_end(args);
    for (char *c = ctx->message; *c; c++) { /* a message is one line, whatever it quotes */
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    }
    return status;
}
