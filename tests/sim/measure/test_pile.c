/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that take tasks from a pile: all are done once, and failures and cancelling are told.
 */
#include "base/context.h"
#include "sim/measure/pile.h"
#include "tests/support/support.h"

#include <stdatomic.h>

enum { TASKS = 50 };

typedef struct {
    atomic_int times[TASKS];
    swq_status status[TASKS];
    swq_context *caller;
    int fails[2];   /* tasks that fail; -1: none */
    int cancels;    /* the task that cancels the caller's context */
    size_t limit;   /* of each thread's context */
    bool cancelled; /* was it passed on while the task ran? */
} pile_work;

static swq_status run(swq_context *ctx, void *arg, int task)
{
    pile_work *w = arg;

    atomic_fetch_add(&w->times[task], 1);
    cr_assert_neq(ctx, w->caller);
    cr_assert_eq(swq_context_memory_limit(ctx), w->limit);
    if (task == w->cancels) {
        swq_context_cancel(w->caller);
        swq_progress(ctx, "busy", 1, 2);
        w->cancelled = swq_context_cancelled(ctx);
    }
    if (task == w->fails[0] || task == w->fails[1])
        return swq_fail(ctx, SWQ_EINVAL, "task %d", task);
    return SWQ_OK;
}

static swq_status *status_of(void *arg, int task)
{
    return &((pile_work *)arg)->status[task];
}

static swq_status do_all(pile_work *w, int threads)
{
    swq_pile pile = {.arg = w, .tasks = TASKS, .run = run, .status = status_of};

    w->caller = swq_context_new();
    swq_context_limit_memory(w->caller, w->limit);
    for (int k = 0; k < TASKS; k++)
        w->status[k] = SWQ_EIO;
    return swq_pile_run(w->caller, &pile, threads);
}

Test(sim_pile, each_task_once)
{
    static const int threads[] = {1, 2, 7, 256};

    for (int t = 0; t < 4; t++) {
        pile_work w = {.fails = {-1, -1}, .cancels = -1, .limit = 12345};
        cr_assert_eq(do_all(&w, threads[t]), SWQ_OK);
        for (int k = 0; k < TASKS; k++) {
            cr_assert_eq(w.times[k], 1);
            cr_assert_eq(w.status[k], SWQ_OK);
        }
        swq_context_free(w.caller);
    }
}

Test(sim_pile, the_first_failure_by_number_is_told)
{
    for (int threads = 1; threads <= 3; threads++) {
        pile_work w = {.fails = {31, 30}, .cancels = -1};
        cr_assert_eq(do_all(&w, threads), SWQ_EINVAL);
        cr_assert_str_eq(swq_context_message(w.caller), "task 30");
        for (int k = 0; k < TASKS; k++)
            cr_assert_eq(w.status[k], k == 30 || k == 31 ? SWQ_EINVAL : SWQ_OK);
        swq_context_free(w.caller);
    }
}

Test(sim_pile, what_was_not_begun_is_cancelled)
{
    pile_work w = {.fails = {-1, -1}, .cancels = 20};

    cr_assert_eq(do_all(&w, 1), SWQ_ECANCELLED);
    cr_assert(w.cancelled);
    for (int k = 0; k < TASKS; k++) {
        cr_assert_eq(w.times[k], k <= 20);
        cr_assert_eq(w.status[k], k <= 20 ? SWQ_OK : SWQ_ECANCELLED);
    }
    swq_context_free(w.caller);
}

Test(sim_pile, threads_are_checked)
{
    pile_work w = {.fails = {-1, -1}, .cancels = -1};

    cr_assert_eq(do_all(&w, 0), SWQ_EINVAL);
    cr_assert_eq(w.status[0], SWQ_EIO);
    swq_context_free(w.caller);
    cr_assert_eq(do_all(&w, 257), SWQ_EINVAL);
    swq_context_free(w.caller);
}

enum { TOLD = 4 };

static swq_status long_task(swq_context *ctx, void *arg, int task)
{
    (void)arg;
    (void)task;
    swq_progress(ctx, "its own business", 7, 9);
    return SWQ_OK;
}

static void note(void *arg, const char *stage, double done, double total)
{
    double **next = arg;

    cr_assert_str_eq(stage, "simulating");
    cr_assert_eq(total, 2);
    *(*next)++ = done;
}

/* Otherwise a long task would look like a program that hangs. */
Test(sim_pile, in_the_midst_of_a_task_it_is_told_how_far_all_have_got)
{
    double told[TOLD + 1], *next = told;
    swq_context *ctx = swq_context_new();
    pile_work w = {.fails = {-1, -1}, .cancels = -1};
    swq_pile pile = {.arg = &w, .tasks = 2, .run = long_task, .status = status_of};

    swq_context_watch(ctx, note, &next);
    cr_assert_eq(swq_pile_run(ctx, &pile, 1), SWQ_OK);
    cr_assert_eq(next - told, TOLD);
    static const double expected[TOLD] = {0, 1, 1, 2};
    for (int k = 0; k < TOLD; k++)
        cr_assert_eq(told[k], expected[k]);
    swq_context_free(ctx);
}

static swq_status leave_block(swq_context *ctx, void *arg, int task)
{
    void **block = arg;

    block[task] = swq_calloc(ctx, 10, (size_t)task + 1);
    return block[task] ? SWQ_OK : swq_memory_status(ctx);
}

static swq_status *no_status(void *arg, int task)
{
    static _Thread_local swq_status status;

    (void)arg;
    (void)task;
    return &status;
}

/* Answers are allocated on threads and freed by the caller, whose memory limit must still hold. */
Test(sim_pile, blocks_that_tasks_leave_are_the_callers)
{
    for (int threads = 1; threads <= 3; threads++) {
        void *block[TASKS] = {0};
        swq_context *ctx = swq_context_new();
        const swq_pile pile = {
            .arg = block, .tasks = TASKS, .run = leave_block, .status = no_status};

        swq_context_limit_memory(ctx, 100000);
        void *own = swq_calloc(ctx, 7, 1);
        cr_assert_eq(swq_pile_run(ctx, &pile, threads), SWQ_OK);
        cr_assert_eq(swq_context_live_blocks(ctx), TASKS + 1);
        cr_assert_eq(swq_context_live_bytes(ctx), 7 + 10 * TASKS * (TASKS + 1) / 2);
        cr_assert_geq(swq_context_peak_bytes(ctx), swq_context_live_bytes(ctx));
        for (int k = 0; k < TASKS; k++)
            swq_free(ctx, block[k]);
        swq_free(ctx, own);
        cr_assert_eq(swq_context_live_bytes(ctx), 0);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
}
