/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The store's connection for the few files of this room that ask questions of their own in SQL.
 * Room: study, which is the only one that sees it.
 */
#ifndef SWQ_STUDY_SQLITE_H
#define SWQ_STUDY_SQLITE_H

#include "study/store.h"

#include <sqlite3.h>

/* A statement, the caller's to sqlite3_finalize. Errors: SWQ_EIO, SWQ_ENOMEM. */
swq_status swq_store_prepare(swq_store *store, const char *sql, sqlite3_stmt **statement);

/* After a call that failed: the status, with SQLite's message in the context; `doing`: "read". */
swq_status swq_store_failure(swq_store *store, const char *doing);

/* Commit what swq_store_begin began, or undo it all if `status` is a failure, which is returned. */
swq_status swq_store_end(swq_store *store, swq_status status);

#endif
