/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The store's connection for the few files of this folder that have SQL queries of their own; no
 * other folder includes this header.
 */
#ifndef SWQ_STUDY_SQLITE_H
#define SWQ_STUDY_SQLITE_H

#include "study/store.h"

#include <sqlite3.h>

/* Prepares a statement, which the caller frees with sqlite3_finalize. Errors: SWQ_EIO,
 * SWQ_ENOMEM. */
swq_status swq_store_prepare(swq_store *store, const char *sql, sqlite3_stmt **statement);

/* The status after a call that failed, with SQLite's message in the context; `doing`: "read", for
 * example. */
swq_status swq_store_failure(swq_store *store, const char *doing);

/* Commits the transaction of swq_store_begin or, if `status` is a failure, rolls it back and
 * returns that. */
swq_status swq_store_end(swq_store *store, swq_status status);

#endif
