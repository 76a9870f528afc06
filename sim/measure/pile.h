/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A pile of numbered tasks that threads take from, each thread with a context of its own.
 * Room: sim.
 */
#ifndef SWQ_SIM_MEASURE_PILE_H
#define SWQ_SIM_MEASURE_PILE_H

#include "switchq/context.h"

typedef struct swq_pile {
    void *arg;
    int tasks;
    /* Do a task, numbered from 0. ctx is the thread's: with the caller's memory limit, cancelled
     * when the caller's is. On any thread, tasks in any order. */
    swq_status (*run)(swq_context *ctx, void *arg, int task);
    /* Where the status of a task is kept. */
    swq_status *(*status)(void *arg, int task);
    /* How progress is told: what is being done (NULL: "simulating"), and how much of it a task is
     * (NULL: 1 each). */
    const char *stage;
    double (*weight)(void *arg, int task);
} swq_pile;

/* Do all tasks, `threads` at a time, this thread among them; which thread does what is left to
 * chance. Each task gets a status: SWQ_ECANCELLED for those not begun when ctx was cancelled, whose
 * `run` is not called, and SWQ_ENOMEM where a thread could have no context. SWQ_OK when all are,
 * else the status of the first task (by number) that failed, with its message. Progress is told by
 * the weights of finished tasks, by this thread alone. Errors: SWQ_EINVAL for threads not in
 * 1..SWQ_MAX_THREADS; those of tasks. */
swq_status swq_pile_run(swq_context *ctx, const swq_pile *pile, int threads);

#endif
