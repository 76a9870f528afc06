/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of the database: what the files study/store*.c share.
 */
#ifndef SWQ_STUDY_STORE_INSIDE_H
#define SWQ_STUDY_STORE_INSIDE_H

#include "study/owner.h"
#include "study/sqlite.h"

#include <time.h>

/* Statements, numbered as in study/schema.c. */
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

/* The tables; and the points that this process wants, which vanish with its connection. */
extern const char swq_schema[], swq_schema_wanted[];

enum { SWQ_STORE_MOST_SILENT = 64 };

/* A process of another machine, and the time, by our clock, since which it has been silent. */
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
    int64_t owner; /* this process's row in `owners`; 0: none yet */
    time_t beaten;
    int64_t place; /* the place of the point that was claimed last */
    int64_t added;
    swq_silent silent[SWQ_STORE_MOST_SILENT];
    int silents;
};

/* Runs a text of statements that return no rows. */
swq_status swq_store_run(swq_store *s, const char *sql, const char *doing);

/* A statement ready to be bound; NULL: the context has the message, and the caller returns
 * swq_store_not_ready. */
sqlite3_stmt *swq_store_ready(swq_store *s, int which);
swq_status swq_store_not_ready(const swq_store *s);

/* Binds a text, or NULL. It must live until the statement has been run. */
void swq_store_bind(sqlite3_stmt *statement, int place, const char *text);

/* Runs a bound statement that returns no rows. */
swq_status swq_store_finish(swq_store *s, sqlite3_stmt *statement, const char *doing);

/* Runs a statement with one or two numbers. */
swq_status swq_store_apply(swq_store *s, int which, int64_t one, int64_t two, const char *doing);

#endif
