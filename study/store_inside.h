/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of the database: what the files study/store*.c share.
 * Room: study.
 */
#ifndef SWQ_STUDY_STORE_INSIDE_H
#define SWQ_STUDY_STORE_INSIDE_H

#include "study/owner.h"
#include "study/sqlite.h"

#include <time.h>

/* Statements, by their place in study/schema.c. */
enum {
    SWQ_SQL_FIND_POINT,
    SWQ_SQL_ADD_POINT,
    SWQ_SQL_ADD_WANTED,
    SWQ_SQL_WANT_ALL,
    SWQ_SQL_REOPEN_ANSWERS,
    SWQ_SQL_REOPEN,
    SWQ_SQL_COUNT,
    SWQ_SQL_FIND_OPEN,
    SWQ_SQL_CLAIM,
    SWQ_SQL_RELEASE,
    SWQ_SQL_RELEASE_OWNER,
    SWQ_SQL_ADD_OWNER,
    SWQ_SQL_BEAT,
    SWQ_SQL_DROP_OWNER,
    SWQ_SQL_RUNNING_OWNERS,
    SWQ_SQL_RECORD,
    SWQ_SQL_RECORD_ANSWER,
    SWQ_SQL_ROWS,
    SWQ_SQL_STATEMENTS,
};

extern const char *const swq_statements[SWQ_SQL_STATEMENTS];

/* The tables; and what this process wants, which is gone with its connection. */
extern const char swq_schema[], swq_schema_wanted[];

enum { SWQ_STORE_MOST_SILENT = 64 };

/* A process elsewhere, and since when (by our clock) it has not been heard of. */
typedef struct {
    int64_t owner, beat;
    time_t since;
} swq_silent;

struct swq_store {
    swq_context *ctx;
    sqlite3 *db;
    char *path;
    swq_store_options options;
    sqlite3_stmt *statement[SWQ_SQL_STATEMENTS];
    swq_owner self;
    int64_t owner; /* this process in `owners`; 0: not yet */
    time_t beaten;
    int64_t place; /* of the point claimed last */
    int64_t added;
    swq_silent silent[SWQ_STORE_MOST_SILENT];
    int silents;
};

/* Run a text of statements without rows. */
swq_status swq_store_run(swq_store *s, const char *sql, const char *doing);

/* A statement ready to be bound; NULL: a message is in the context, and swq_store_not_ready is the
 * status to return. */
sqlite3_stmt *swq_store_ready(swq_store *s, int which);
swq_status swq_store_not_ready(const swq_store *s);

/* NULL binds nothing. The text must live until the statement has run. */
void swq_store_bind(sqlite3_stmt *statement, int place, const char *text);

/* Run a bound statement that has no rows. */
swq_status swq_store_finish(swq_store *s, sqlite3_stmt *statement, const char *doing);

/* A statement of one or two numbers. */
swq_status swq_store_apply(swq_store *s, int which, int64_t one, int64_t two, const char *doing);

#endif
