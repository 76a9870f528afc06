/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fields of a context, for the files of base/ that implement it.
 */
#ifndef SWQ_BASE_CONTEXT_FIELDS_H
#define SWQ_BASE_CONTEXT_FIELDS_H

#include "base/context.h"
#include "base/plugins.h"
#include "base/scratch.h"

#include <assert.h>
#include <stdatomic.h>

static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "a signal handler must not wait for a lock");

/* temporary files at a time; an export needs most of them, a file for each part */
enum { SWQ_MOST_TEMPORARIES = 32 };

struct swq_context {
    size_t limit, live, peak, blocks;
    size_t allocations_left; /* SIZE_MAX: no failure is injected */
    bool fail_for_good;
    swq_status memory_status;  /* why the last allocation failed */
    atomic_bool cancelled;     /* set by signal handlers and other threads */
    const swq_context *master; /* the context whose cancellation also cancels this one, or NULL */
    int threads;               /* 0 counts as 1 */
    swq_plugins *plugins;      /* NULL: none; of `lender` if there is one */
    const swq_context *lender; /* the context whose plug-ins this one uses, or NULL */
    void *kept;
    void (*release)(void *); /* frees the object that the context keeps (swq_context_kept) */
    const void *lent;        /* swq_context_lend; NULL: nothing */
    double deadline;         /* on the monotonic clock, in seconds; 0: none */
    swq_progress_fn *watch;
    void *watch_arg;
    _Atomic(const char *) temporary[SWQ_MOST_TEMPORARIES]; /* read by a signal handler */
    char message[640];
    swq_scratch scratch;
};

#endif
