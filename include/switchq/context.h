/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Status codes, and the one handle to which all objects belong: memory accounting, the last error
 * message, and cancellation. There is no global state, so one process may have any number of
 * contexts; one context serves one thread.
 */
#ifndef SWITCHQ_CONTEXT_H
#define SWITCHQ_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum swq_status {
    SWQ_OK = 0,
    SWQ_EINVAL,     /* a parameter is outside its range; the message names it */
    SWQ_ENOMEM,     /* the system had no memory left */
    SWQ_ELIMIT,     /* the context's memory limit, or a size limit, would be exceeded */
    SWQ_EREDUCIBLE, /* the chain has more than one closed class: no unique stationary vector */
    SWQ_EPERIODIC,  /* the chain is periodic, which the chosen method does not allow */
    SWQ_ECONVERGE,  /* an iteration ended early; the last iterate is returned */
    SWQ_ERANGE,     /* a number left the range of double, so no honest error bound exists */
    SWQ_ESINGULAR,  /* a factorisation broke down */
    SWQ_EIO,        /* a file could not be read or written */
    SWQ_ECANCELLED, /* swq_context_cancel was called */
    SWQ_EINTERNAL   /* a result contradicts itself: a fault of this library */
} swq_status;

/* A short English name of a status, never NULL. */
const char *swq_status_text(swq_status status);

typedef struct swq_context swq_context;

/* A new context without a memory limit, or NULL when there is no memory for it. The caller frees it
 * with swq_context_free after everything that was made with it. */
swq_context *swq_context_new(void);

/* Free a context; NULL is allowed. */
void swq_context_free(swq_context *ctx);

/* Allow at most `bytes` of live memory from now on; 0 means no limit. */
void swq_context_limit_memory(swq_context *ctx, size_t bytes);
size_t swq_context_memory_limit(const swq_context *ctx);

/* Live bytes, the most that were ever live, and the number of live blocks. What UMFPACK, CHOLMOD
 * and GMP allocate is counted as well, and what METIS takes is estimated; the work space of BLAS,
 * some megabytes of the process, is not counted. */
size_t swq_context_live_bytes(const swq_context *ctx);
size_t swq_context_peak_bytes(const swq_context *ctx);
size_t swq_context_live_blocks(const swq_context *ctx);

/* The message of the last failure in this context, "" if there was none. Owned by the context and
 * valid until the next failure. */
const char *swq_context_message(const swq_context *ctx);

/* Ask long work to stop at its next opportunity with SWQ_ECANCELLED. Safe in a signal handler. */
void swq_context_cancel(swq_context *ctx);

/* Have long work stop in the same way `seconds` of real time from now; 0: no limit. */
void swq_context_limit_time(swq_context *ctx, double seconds);

/* Generate and solve large chains on this number of threads, at least 1, the default of a new
 * context. Results are the same to the bit. Do not change it after the first such work.
 */
void swq_context_use_threads(swq_context *ctx, int threads);
int swq_context_threads(const swq_context *ctx);

/* Remove the temporary files of outputs that are being written. Safe in a signal handler, and meant
 * for one that is about to end the process. */
void swq_context_remove_temporaries(swq_context *ctx);

/* Called now and then during long work: the stage of the work, the amount done, and the total
 * amount (0: not known). Must be quick and must not call the library with the same context. */
typedef void swq_progress_fn(void *arg, const char *stage, double done, double total);

/* Have `watch` called with `arg` from now on; NULL ends it. */
void swq_context_watch(swq_context *ctx, swq_progress_fn *watch, void *arg);

/* For tests: let the next `after` allocations succeed and the following allocation fail; with
 * `for_good` all later ones fail, too. after == SIZE_MAX switches this off. */
void swq_context_fail_allocations(swq_context *ctx, size_t after, bool for_good);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
