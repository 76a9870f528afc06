/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The threads of a context: numbered tasks that they share, one job at a time. The results of a
 * task must depend only on its number. Then they do not depend on the number of threads.
 */
#ifndef SWQ_BASE_TEAM_H
#define SWQ_BASE_TEAM_H

#include "switchq/context.h"

#include <stdint.h>

/* Tasks have no context of their own: they allocate nothing. */
typedef void swq_task_fn(void *arg, int64_t task);

/* Do tasks 0 .. tasks - 1 on swq_context_threads threads, of which the caller's is one. Helper
 * threads are started for the first job of a context and sleep between jobs; if none can be
 * started, the caller's thread does all tasks. The caller then sees what the tasks wrote. */
void swq_team_run(swq_context *ctx, int64_t tasks, swq_task_fn *run, void *arg);

#endif
