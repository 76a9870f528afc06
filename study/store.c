/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The database of points and answers: opening it, transactions, and the points that a process
 * wants.
 */
#include "base/context.h"
#include "study/store_inside.h"
#include "switchq/version.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_PATIENCE_MS = 60000, USUAL_SILENCE = 120 };

/* ---- failures ---- */

/* Is there no such file, and can none be created? SQLite's message does not say the latter. */
static bool cannot_create(const char *path, char *why, size_t room)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');

    if (access(path, F_OK) == 0 || strlen(path) >= sizeof folder)
        return false;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (access(*folder ? folder : "/", W_OK) == 0)
        return false;
    snprintf(why, room, " (its folder: %.60s)", strerror(errno));
    return true;
}

swq_status swq_store_failure(swq_store *s, const char *doing)
{
    const int code = sqlite3_errcode(s->db);
    const char *why = sqlite3_errmsg(s->db);
    char more[80] = "";

    const bool unmapped = (code & 0xff) == SQLITE_IOERR && sqlite3_system_errno(s->db) == ENOMEM;
    switch (unmapped ? SQLITE_NOMEM : code & 0xff) {
    case SQLITE_NOMEM:
        return swq_fail(s->ctx, SWQ_ENOMEM, "no memory to %s '%.150s'", doing, s->path);
    case SQLITE_BUSY:
        if (swq_context_cancelled(s->ctx))
            return swq_fail(s->ctx, SWQ_ECANCELLED, "interrupted");
        why = "another process keeps it locked";
        break;
    case SQLITE_FULL:
        why = "the disk is full";
        break;
    case SQLITE_NOTADB:
        return swq_fail(s->ctx, SWQ_EINVAL, "'%.200s' is no SQLite database", s->path);
    case SQLITE_CANTOPEN:
        if (cannot_create(s->path, more, sizeof more))
            break;
        /* fall through */
    case SQLITE_IOERR:
        if (sqlite3_system_errno(s->db))
            snprintf(more, sizeof more, " (%.60s)", strerror(sqlite3_system_errno(s->db)));
        else if (code == SQLITE_IOERR_WRITE)
            snprintf(more, sizeof more, " (writing failed: a quota, or a limit on file sizes?)");
        break;
    }
    return swq_fail(s->ctx, SWQ_EIO, "cannot %s '%.150s': %.80s%s", doing, s->path, why, more);
}

/* Waits for locks of others, but not for ever, and not after a Ctrl-C. */
static int wait_for_lock(void *arg, int waited)
{
    swq_store *s = arg;
    const int ms = waited < 10 ? 1 : 20;
    const int so_far = waited < 10 ? waited : 10 + 20 * (waited - 10);

    if (so_far > s->options.patience_ms || swq_context_cancelled(s->ctx))
        return 0;
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
    return 1;
}

/* ---- statements ---- */

swq_status swq_store_run(swq_store *s, const char *sql, const char *doing)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) ? swq_store_failure(s, doing) : SWQ_OK;
}

swq_status swq_store_prepare(swq_store *s, const char *sql, sqlite3_stmt **statement)
{
    return sqlite3_prepare_v2(s->db, sql, -1, statement, NULL) ? swq_store_failure(s, "use")
                                                               : SWQ_OK;
}

sqlite3_stmt *swq_store_ready(swq_store *s, int which)
{
    sqlite3_stmt **statement = &s->statement[which];

    if (!*statement && sqlite3_prepare_v3(s->db, swq_statements[which], -1,
                                          SQLITE_PREPARE_PERSISTENT, statement, NULL)) {
        swq_store_failure(s, "use");
        return NULL;
    }
    return *statement;
}

swq_status swq_store_not_ready(const swq_store *s)
{
    const int code = sqlite3_errcode(s->db) & 0xff;
    return code == SQLITE_NOMEM ? SWQ_ENOMEM : code == SQLITE_NOTADB ? SWQ_EINVAL : SWQ_EIO;
}

void swq_store_bind(sqlite3_stmt *statement, int place, const char *text)
{
    if (text)
        sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(statement, place);
}

swq_status swq_store_finish(swq_store *s, sqlite3_stmt *statement, const char *doing)
{
    const int code = sqlite3_step(statement);
    const swq_status status = code == SQLITE_DONE ? SWQ_OK : swq_store_failure(s, doing);

    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

swq_status swq_store_apply(swq_store *s, int which, int64_t one, int64_t two, const char *doing)
{
    sqlite3_stmt *statement = swq_store_ready(s, which);

    if (!statement)
        return swq_store_not_ready(s);
    sqlite3_bind_int64(statement, 1, one);
    if (sqlite3_bind_parameter_count(statement) > 1)
        sqlite3_bind_int64(statement, 2, two);
    return swq_store_finish(s, statement, doing);
}

swq_status swq_store_begin(swq_context *ctx, swq_store *s)
{
    (void)ctx;
    return s->options.read_only ? swq_store_run(s, "BEGIN", "read")
                                : swq_store_run(s, "BEGIN IMMEDIATE", "write to");
}

swq_status swq_store_commit(swq_context *ctx, swq_store *s)
{
    (void)ctx;
    return swq_store_run(s, "COMMIT", "write to");
}

swq_status swq_store_end(swq_store *s, swq_status status)
{
    if (!status)
        status = swq_store_commit(s->ctx, s);
    if (status && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* ---- opening ---- */

static swq_status pragma(swq_store *s, const char *name, int64_t *value)
{
    char sql[60];
    sqlite3_stmt *statement = NULL;

    snprintf(sql, sizeof sql, "PRAGMA %s", name);
    if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL))
        return swq_store_failure(s, "open");
    const int code = sqlite3_step(statement);
    *value = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    const swq_status status =
        code == SQLITE_ROW || code == SQLITE_DONE ? SWQ_OK : swq_store_failure(s, "open");
    sqlite3_finalize(statement);
    return status;
}

static swq_status check_kind(swq_store *s, bool *fresh)
{
    int64_t application = 0, version = 0, entries = 0;
    swq_status status = pragma(s, "application_id", &application);

    if (!status)
        status = pragma(s, "user_version", &version);
    if (!status)
        status = pragma(s, "schema_version", &entries);
    if (status)
        return status;
    *fresh = application == 0 && version == 0 && entries == 0;
    if (*fresh && !s->options.create)
        return swq_fail(s->ctx, SWQ_EINVAL, "'%.200s' is an empty file", s->path);
    if (!*fresh && application != SWQ_STORE_APPLICATION)
        return swq_fail(s->ctx, SWQ_EINVAL,
                        "'%.200s' is a database of another program, and is left unchanged",
                        s->path);
    if (version > SWQ_STORE_SCHEMA)
        return swq_fail(s->ctx, SWQ_EINVAL,
                        "'%.150s' was written by a later switchq (schema %lld, this one knows %d)",
                        s->path, (long long)version, SWQ_STORE_SCHEMA);
    return SWQ_OK;
}

/* Two processes may find it empty at the same time: the second one checks again under the lock. */
static swq_status create(swq_store *s)
{
    char mark[80];
    bool fresh = false;
    swq_status status = swq_store_begin(s->ctx, s);

    if (status)
        return status;
    status = check_kind(s, &fresh);
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             SWQ_STORE_APPLICATION, SWQ_STORE_SCHEMA);
    if (!status && fresh)
        status = swq_store_run(s, swq_schema, "create");
    if (!status && fresh)
        status = swq_store_run(s, mark, "create");
    return swq_store_end(s, status);
}

/* A write-ahead log is faster and lets others read at the same time, but needs memory shared by all
 * users. Where memory cannot be shared, SQLite keeps its usual journal, which needs one more sync
 * to be safe. */
static swq_status choose_journal(swq_store *s)
{
    sqlite3_stmt *statement = NULL;
    bool log = false;
    swq_status status = SWQ_OK;

    if (!swq_owner_far_file(s->path)) {
        int code = sqlite3_prepare_v2(s->db, "PRAGMA journal_mode = WAL", -1, &statement, NULL);
        /* SQLite does not wait by itself while another process changes the journal mode */
        for (int tries = 0; code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY; tries++) {
            if (tries && !wait_for_lock(s, tries))
                break;
            code = sqlite3_step(statement);
        }
        /* NULL: no memory for the text */
        const unsigned char *mode = code == SQLITE_ROW ? sqlite3_column_text(statement, 0) : NULL;
        log = mode && strcmp((const char *)mode, "wal") == 0;
        status = mode ? SWQ_OK : swq_store_failure(s, "open");
        sqlite3_finalize(statement);
    }
    return status
               ? status
               : swq_store_run(s, log ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL",
                               "open");
}

static swq_status prepare(swq_store *s)
{
    bool fresh = false;
    swq_status status = swq_store_run(s, "BEGIN", "open");

    if (!status) /* in one transaction, as another process may be creating it */
        status = swq_store_end(s, check_kind(s, &fresh));
    if (!status && !s->options.read_only)
        status = choose_journal(s);
    if (!status)
        status = swq_store_run(s, "PRAGMA temp_store = MEMORY", "open");
    if (!status && fresh)
        status = create(s);
    return status ? status : swq_store_run(s, swq_schema_wanted, "use");
}

swq_status swq_store_open(swq_context *ctx, const char *path, const swq_store_options *options,
                          swq_store **store)
{
    swq_store *s = swq_calloc(ctx, 1, sizeof *s);
    char *copy = swq_calloc(ctx, strlen(path) + 1, 1);
    const int how = options->read_only ? SQLITE_OPEN_READONLY
                    : options->create  ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                       : SQLITE_OPEN_READWRITE;

    if (!s || !copy) {
        swq_free(ctx, s);
        swq_free(ctx, copy);
        return swq_memory_status(ctx);
    }
    s->ctx = ctx;
    s->path = memcpy(copy, path, strlen(path) + 1);
    s->options = *options;
    if (!s->options.patience_ms)
        s->options.patience_ms = USUAL_PATIENCE_MS;
    if (!s->options.silence_seconds)
        s->options.silence_seconds = USUAL_SILENCE;
    swq_owner_self(&s->self);
    swq_status status = sqlite3_open_v2(path, &s->db, how | SQLITE_OPEN_NOMUTEX, NULL)
                            ? swq_store_failure(s, "open")
                            : SWQ_OK;
    if (s->db) {
        sqlite3_extended_result_codes(s->db, 1);
        sqlite3_busy_handler(s->db, wait_for_lock, s);
    }
    if (!status)
        status = prepare(s);
    if (status)
        swq_store_close(ctx, s);
    else
        *store = s;
    return status;
}

void swq_store_close(swq_context *ctx, swq_store *s)
{
    if (!s)
        return;
    if (s->db && !sqlite3_get_autocommit(s->db)) /* adding points was interrupted */
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    if (s->owner && !swq_store_begin(ctx, s)) {
        swq_status status = swq_store_apply(s, SWQ_SQL_RELEASE_OWNER, s->owner, 0, "write to");
        if (!status)
            status = swq_store_apply(s, SWQ_SQL_DROP_OWNER, s->owner, 0, "write to");
        swq_store_end(s, status);
    }
    for (int k = 0; k < SWQ_SQL_STATEMENTS; k++)
        sqlite3_finalize(s->statement[k]);
    /* the last process to leave turns the database into a single file, which also works in a
     * read-only folder; if other processes use the database, this fails and they go on */
    if (s->db && !s->options.read_only) {
        sqlite3_busy_handler(s->db, NULL, NULL);
        sqlite3_exec(s->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    sqlite3_close_v2(s->db);
    swq_free(ctx, s->path);
    swq_free(ctx, s);
}

const char *swq_store_path(const swq_store *s)
{
    return s->path;
}

/* ---- wanting ---- */

static swq_status find_point(swq_store *s, const char *words, int64_t *id)
{
    sqlite3_stmt *find = swq_store_ready(s, SWQ_SQL_FIND_POINT);

    if (!find)
        return swq_store_not_ready(s);
    swq_store_bind(find, 1, words);
    const int code = sqlite3_step(find);
    *id = code == SQLITE_ROW ? sqlite3_column_int64(find, 0) : 0;
    const swq_status status =
        code == SQLITE_ROW || code == SQLITE_DONE ? SWQ_OK : swq_store_failure(s, "read");
    sqlite3_reset(find);
    return status;
}

static swq_status add_point(swq_store *s, const swq_point *point, int64_t *id)
{
    sqlite3_stmt *add = swq_store_ready(s, SWQ_SQL_ADD_POINT);

    if (!add)
        return swq_store_not_ready(s);
    swq_store_bind(add, 1, point->words);
    swq_store_bind(add, 2, point->command);
    swq_store_bind(add, 3, point->options);
    sqlite3_bind_int(add, 4, point->repeat);
    if (point->seeded)
        sqlite3_bind_int64(add, 5, (int64_t)point->seed);
    const swq_status status = swq_store_finish(s, add, "write to");
    *id = sqlite3_last_insert_rowid(s->db);
    s->added += !status;
    return status;
}

swq_status swq_store_want(swq_context *ctx, swq_store *s, const swq_point *point)
{
    int64_t id = 0;
    swq_status status = find_point(s, point->words, &id);

    (void)ctx;
    if (!status && id == 0 && s->options.read_only)
        return SWQ_OK; /* the point does not exist, so nothing is known about it */
    if (!status && id == 0)
        status = add_point(s, point, &id);
    return status ? status : swq_store_apply(s, SWQ_SQL_ADD_WANTED, id, 0, "use");
}

swq_status swq_store_want_all(swq_context *ctx, swq_store *s)
{
    sqlite3_stmt *all = swq_store_ready(s, SWQ_SQL_WANT_ALL);

    (void)ctx;
    return all ? swq_store_finish(s, all, "read") : swq_store_not_ready(s);
}

swq_status swq_store_reopen(swq_context *ctx, swq_store *s, bool retry, bool again)
{
    swq_status status = swq_store_begin(ctx, s);

    if (status)
        return status;
    for (int which = SWQ_SQL_REOPEN_ANSWERS; which <= SWQ_SQL_REOPEN && !status; which++) {
        sqlite3_stmt *reopen = swq_store_ready(s, which);
        if (!reopen) {
            status = swq_store_not_ready(s);
            break;
        }
        sqlite3_bind_int(reopen, 1, retry);
        sqlite3_bind_int(reopen, 2, again);
        swq_store_bind(reopen, 3, SWQ_VERSION);
        status = swq_store_finish(s, reopen, "write to");
    }
    return swq_store_end(s, status);
}

swq_status swq_store_count(swq_context *ctx, swq_store *s, swq_store_counts *counts)
{
    sqlite3_stmt *count = swq_store_ready(s, SWQ_SQL_COUNT);
    swq_store_counts c = {.added = s->added};
    int code;

    (void)ctx;
    if (!count)
        return swq_store_not_ready(s);
    swq_store_bind(count, 1, SWQ_VERSION);
    while ((code = sqlite3_step(count)) == SQLITE_ROW) {
        const char *state = (const char *)sqlite3_column_text(count, 0);
        if (!state) /* no memory for the text */
            break;
        const int64_t number = sqlite3_column_int64(count, 1);
        *(strcmp(state, "open") == 0      ? &c.open
          : strcmp(state, "running") == 0 ? &c.running
          : strcmp(state, "done") == 0    ? &c.done
                                          : &c.failed) = number;
        c.wanted += number;
        c.other_version += sqlite3_column_int64(count, 2);
    }
    const swq_status status = code == SQLITE_DONE ? SWQ_OK : swq_store_failure(s, "read");
    sqlite3_reset(count);
    if (!status)
        *counts = c;
    return status;
}
