/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A pile of numbered tasks that threads take from, each thread with a context of its own.
 */
#ifndef SWQ_SIM_MEASURE_PILE_H
#define SWQ_SIM_MEASURE_PILE_H

#include "switchq/context.h"

typedef struct swq_pile {
    void *arg;
    int tasks;
    /* Does a task, numbered from 0, on any thread and in any order. ctx is the thread's own: it has
     * the caller's memory limit, and is cancelled when the caller's is. Blocks that a task leaves
     * behind, such as its answer, belong to the caller's context when the pile is done. */
    swq_status (*run)(swq_context *ctx, void *arg, int task);
    /* The place where the status of a task is to be stored. */
    swq_status *(*status)(void *arg, int task);
    /* How progress is reported: the name of the stage (NULL: "simulating"), and the weight of a
     * task (NULL: each has 1). */
    const char *stage;
    double (*weight)(void *arg, int task);
    /* The memory that a task will take, in bytes; 0, or NULL: it is not foreseen. */
    double (*bytes)(swq_context *ctx, void *arg, int task);
} swq_pile;

/* Does all tasks on `threads` threads, the caller's among them, in no fixed order; on fewer threads
 * if any `threads` tasks would not fit into the context's memory limit together. Each task gets a
 * status: SWQ_ECANCELLED if ctx was cancelled before it began (`run` is not called), and SWQ_ENOMEM
 * if its thread could have no context. Returns SWQ_OK if every task's status is SWQ_OK, else the
 * status of the failed task with the lowest number, and its message. Only the caller's thread
 * reports progress, by the weights of finished tasks. Errors: SWQ_EINVAL for threads not in
 * 1..SWQ_MAX_THREADS; those of tasks. */
swq_status swq_pile_run(swq_context *ctx, const swq_pile *pile, int threads);

#endif
