/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The database of points and answers, on SQLite.
 * Room: study. SQLite is seen here and through study/sqlite.h.
 */
#include "study/store.h"
#include "base/context.h"
#include "study/owner.h"
#include "study/schema.h"
#include "study/sqlite.h"
#include "switchq/version.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { USUAL_PATIENCE_MS = 60000, USUAL_SILENCE = 120, SKEW = 3600, MOST_SILENT = 64 };

/* A process elsewhere, and since when (by our clock) it has not been heard of. */
typedef struct {
    int64_t owner, beat;
    time_t since;
} silent;

struct swq_store {
    swq_context *ctx;
    sqlite3 *db;
    char *path;
    swq_store_options options;
    sqlite3_stmt *statement[STATEMENTS];
    swq_owner self;
    int64_t owner; /* this process in `owners`; 0: not yet */
    time_t beaten;
    int64_t place; /* of the point claimed last */
    int64_t added;
    silent silent[MOST_SILENT];
    int silents;
};

/* ---- failures ---- */

static swq_status fail(swq_store *s, const char *doing)
{
    const int code = sqlite3_errcode(s->db);
    const char *why = sqlite3_errmsg(s->db);
    char more[80] = "";

    switch (code & 0xff) {
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
    case SQLITE_IOERR:
        snprintf(more, sizeof more, " (%.60s)", strerror(sqlite3_system_errno(s->db)));
        break;
    }
    return swq_fail(s->ctx, SWQ_EIO, "cannot %s '%.150s': %.80s%s", doing, s->path, why, more);
}

/* Wait for others' locks, but not for ever, and not behind a Ctrl-C. */
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

static swq_status run(swq_store *s, const char *sql, const char *doing)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) ? fail(s, doing) : SWQ_OK;
}

/* A statement ready to be bound; NULL: a message is in the context. */
static sqlite3_stmt *ready(swq_store *s, int which)
{
    sqlite3_stmt **statement = &s->statement[which];

    if (!*statement && sqlite3_prepare_v3(s->db, statements[which], -1, SQLITE_PREPARE_PERSISTENT,
                                          statement, NULL)) {
        fail(s, "use");
        return NULL;
    }
    return *statement;
}

static swq_status not_ready(const swq_store *s)
{
    const int code = sqlite3_errcode(s->db) & 0xff;
    return code == SQLITE_NOMEM ? SWQ_ENOMEM : code == SQLITE_NOTADB ? SWQ_EINVAL : SWQ_EIO;
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    if (text)
        sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(statement, place);
}

/* Run a bound statement that has no rows. */
static swq_status finish(swq_store *s, sqlite3_stmt *statement, const char *doing)
{
    const int code = sqlite3_step(statement);
    const swq_status status = code == SQLITE_DONE ? SWQ_OK : fail(s, doing);

    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

/* A statement of one or two numbers. */
static swq_status apply(swq_store *s, int which, int64_t one, int64_t two, const char *doing)
{
    sqlite3_stmt *statement = ready(s, which);

    if (!statement)
        return not_ready(s);
    sqlite3_bind_int64(statement, 1, one);
    if (sqlite3_bind_parameter_count(statement) > 1)
        sqlite3_bind_int64(statement, 2, two);
    return finish(s, statement, doing);
}

swq_status swq_store_begin(swq_context *ctx, swq_store *s)
{
    (void)ctx;
    return s->options.read_only ? run(s, "BEGIN", "read") : run(s, "BEGIN IMMEDIATE", "write to");
}

swq_status swq_store_commit(swq_context *ctx, swq_store *s)
{
    (void)ctx;
    return run(s, "COMMIT", "write to");
}

/* Commit, or if something failed undo it all, leaving the message of what failed. */
static swq_status end(swq_store *s, swq_status status)
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
        return fail(s, "open");
    const int code = sqlite3_step(statement);
    *value = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    const swq_status status = code == SQLITE_ROW || code == SQLITE_DONE ? SWQ_OK : fail(s, "open");
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
                        "'%.200s' is a database of another program; it is left alone", s->path);
    if (version > SWQ_STORE_SCHEMA)
        return swq_fail(s->ctx, SWQ_EINVAL,
                        "'%.150s' was written by a later switchq (schema %lld, this one knows %d)",
                        s->path, (long long)version, SWQ_STORE_SCHEMA);
    return SWQ_OK;
}

/* Two processes may find it empty at once: the second looks again when it has the lock. */
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
        status = run(s, schema, "create");
    if (!status && fresh)
        status = run(s, mark, "create");
    return end(s, status);
}

static swq_status prepare(swq_store *s)
{
    bool fresh = false;
    swq_status status = check_kind(s, &fresh);

    /* a log is quicker and lets others read meanwhile, but needs memory that all users share; where
     * it cannot be, SQLite stays with its usual journal and tells so, which is well */
    if (!status && !s->options.read_only && !swq_owner_far_file(s->path))
        status = run(s, "PRAGMA journal_mode = WAL", "open");
    if (!status)
        status = run(s, "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY", "open");
    if (!status && fresh)
        status = create(s);
    return status ? status : run(s, schema_wanted, "use");
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
    s->path = strcpy(copy, path);
    s->options = *options;
    if (!s->options.patience_ms)
        s->options.patience_ms = USUAL_PATIENCE_MS;
    if (!s->options.silence_seconds)
        s->options.silence_seconds = USUAL_SILENCE;
    swq_owner_self(&s->self);
    swq_status status =
        sqlite3_open_v2(path, &s->db, how | SQLITE_OPEN_NOMUTEX, NULL) ? fail(s, "open") : SWQ_OK;
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
    if (s->owner && !swq_store_begin(ctx, s)) {
        swq_status status = apply(s, RELEASE_OWNER, s->owner, 0, "write to");
        if (!status)
            status = apply(s, DROP_OWNER, s->owner, 0, "write to");
        end(s, status);
    }
    for (int k = 0; k < STATEMENTS; k++)
        sqlite3_finalize(s->statement[k]);
    /* the last one to leave leaves a single file, which a read-only folder may hold, too; if others
     * are there, this fails and they go on */
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
    sqlite3_stmt *find = ready(s, FIND_POINT);

    if (!find)
        return not_ready(s);
    bind_text(find, 1, words);
    const int code = sqlite3_step(find);
    *id = code == SQLITE_ROW ? sqlite3_column_int64(find, 0) : 0;
    const swq_status status = code == SQLITE_ROW || code == SQLITE_DONE ? SWQ_OK : fail(s, "read");
    sqlite3_reset(find);
    return status;
}

static swq_status add_point(swq_store *s, const swq_point *point, int64_t *id)
{
    sqlite3_stmt *add = ready(s, ADD_POINT);

    if (!add)
        return not_ready(s);
    bind_text(add, 1, point->words);
    bind_text(add, 2, point->command);
    bind_text(add, 3, point->options);
    sqlite3_bind_int(add, 4, point->repeat);
    if (point->seeded)
        sqlite3_bind_int64(add, 5, (int64_t)point->seed);
    const swq_status status = finish(s, add, "write to");
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
        return SWQ_OK; /* not there, so nothing is known of it */
    if (!status && id == 0)
        status = add_point(s, point, &id);
    return status ? status : apply(s, ADD_WANTED, id, 0, "use");
}

swq_status swq_store_want_all(swq_context *ctx, swq_store *s)
{
    sqlite3_stmt *all = ready(s, WANT_ALL);

    (void)ctx;
    return all ? finish(s, all, "read") : not_ready(s);
}

swq_status swq_store_reopen(swq_context *ctx, swq_store *s, bool retry, bool again)
{
    swq_status status = swq_store_begin(ctx, s);

    if (status)
        return status;
    for (int which = REOPEN_ANSWERS; which <= REOPEN && !status; which++) {
        sqlite3_stmt *reopen = ready(s, which);
        if (!reopen) {
            status = not_ready(s);
            break;
        }
        sqlite3_bind_int(reopen, 1, retry);
        sqlite3_bind_int(reopen, 2, again);
        bind_text(reopen, 3, SWQ_VERSION);
        status = finish(s, reopen, "write to");
    }
    return end(s, status);
}

swq_status swq_store_count(swq_context *ctx, swq_store *s, swq_store_counts *counts)
{
    sqlite3_stmt *count = ready(s, COUNT);
    swq_store_counts c = {.added = s->added};
    int code;

    (void)ctx;
    if (!count)
        return not_ready(s);
    bind_text(count, 1, SWQ_VERSION);
    while ((code = sqlite3_step(count)) == SQLITE_ROW) {
        const char *state = (const char *)sqlite3_column_text(count, 0);
        const int64_t number = sqlite3_column_int64(count, 1);
        *(strcmp(state, "open") == 0      ? &c.open
          : strcmp(state, "running") == 0 ? &c.running
          : strcmp(state, "done") == 0    ? &c.done
                                          : &c.failed) = number;
        c.wanted += number;
        c.other_version += sqlite3_column_int64(count, 2);
    }
    const swq_status status = code == SQLITE_DONE ? SWQ_OK : fail(s, "read");
    sqlite3_reset(count);
    if (!status)
        *counts = c;
    return status;
}

/* ---- claims ---- */

static swq_status enrol(swq_store *s)
{
    sqlite3_stmt *add = ready(s, ADD_OWNER);

    if (!add)
        return not_ready(s);
    s->beaten = time(NULL);
    bind_text(add, 1, s->self.host);
    bind_text(add, 2, s->self.machine);
    sqlite3_bind_int64(add, 3, s->self.pid);
    sqlite3_bind_int64(add, 4, s->self.started);
    sqlite3_bind_int64(add, 5, (int64_t)s->beaten);
    const swq_status status = finish(s, add, "write to");
    s->owner = status ? 0 : sqlite3_last_insert_rowid(s->db);
    return status;
}

swq_status swq_store_beat(swq_context *ctx, swq_store *s)
{
    const time_t now = time(NULL);

    (void)ctx;
    if (!s->owner || now - s->beaten < s->options.silence_seconds / 6)
        return SWQ_OK;
    s->beaten = now;
    return apply(s, BEAT, s->owner, (int64_t)now, "write to");
}

/* Has a process elsewhere been silent too long? Clocks may differ from machine to machine, so its
 * last word counts only if it is very old; otherwise our own clock measures the silence. */
static bool silent_too_long(swq_store *s, int64_t owner, int64_t beat)
{
    const time_t now = time(NULL);
    silent *found = NULL;

    if (now - beat > s->options.silence_seconds + SKEW)
        return true;
    for (int k = 0; k < s->silents && !found; k++)
        found = s->silent[k].owner == owner ? &s->silent[k] : NULL;
    if (!found)
        found = &s->silent[s->silents < MOST_SILENT ? s->silents++ : (int)(owner % MOST_SILENT)];
    if (found->owner != owner || found->beat != beat)
        *found = (silent){.owner = owner, .beat = beat, .since = now};
    return now - found->since > s->options.silence_seconds;
}

static bool is_dead(swq_store *s, sqlite3_stmt *row)
{
    const char *machine = (const char *)sqlite3_column_text(row, 1);

    if (!machine) /* its claim was left without it: it cannot be */
        return true;
    if (strcmp(machine, s->self.machine) == 0)
        return !swq_owner_lives(sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3));
    return silent_too_long(s, sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 4));
}

/* Open what the dead have claimed. */
static swq_status take_over(swq_store *s)
{
    int64_t dead[MOST_SILENT];
    int count = 0, code;
    sqlite3_stmt *row = ready(s, RUNNING_OWNERS);

    if (!row)
        return not_ready(s);
    while ((code = sqlite3_step(row)) == SQLITE_ROW && count < MOST_SILENT) {
        const int64_t owner = sqlite3_column_int64(row, 0);
        if (owner != s->owner && is_dead(s, row))
            dead[count++] = owner;
    }
    swq_status status = code == SQLITE_DONE || code == SQLITE_ROW ? SWQ_OK : fail(s, "read");
    sqlite3_reset(row);
    for (int k = 0; k < count && !status; k++) {
        status = apply(s, RELEASE_OWNER, dead[k], 0, "write to");
        if (!status)
            status = apply(s, DROP_OWNER, dead[k], 0, "write to");
    }
    return status;
}

/* Open points behind s->place. */
static swq_status find_open(swq_store *s, int most, swq_claim *claim, int *count)
{
    sqlite3_stmt *row = ready(s, FIND_OPEN);
    int code = SQLITE_DONE;
    swq_status status = SWQ_OK;

    if (!row)
        return not_ready(s);
    sqlite3_bind_int64(row, 1, s->place);
    sqlite3_bind_int(row, 2, most);
    while (*count < most && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *words = (const char *)sqlite3_column_text(row, 2);
        char *copy = words ? swq_calloc(s->ctx, strlen(words) + 1, 1) : NULL;
        if (!copy) {
            status = words ? swq_memory_status(s->ctx) : fail(s, "read");
            break;
        }
        claim[*count] = (swq_claim){sqlite3_column_int64(row, 1), strcpy(copy, words)};
        s->place = sqlite3_column_int64(row, 0);
        ++*count;
    }
    if (!status && code != SQLITE_ROW && code != SQLITE_DONE)
        status = fail(s, "read");
    sqlite3_reset(row);
    return status;
}

swq_status swq_store_claim(swq_context *ctx, swq_store *s, int most, swq_claim *claim, int *count)
{
    const int64_t before = s->place;
    swq_status status = swq_store_begin(ctx, s);

    *count = 0;
    if (status)
        return status;
    if (!s->owner)
        status = enrol(s);
    if (!status)
        status = find_open(s, most, claim, count);
    if (!status && *count == 0) { /* round again, with what others have left */
        s->place = 0;
        status = take_over(s);
        if (!status)
            status = find_open(s, most, claim, count);
    }
    for (int k = 0; k < *count && !status; k++)
        status = apply(s, CLAIM, claim[k].id, s->owner, "write to");
    status = end(s, status);
    if (!status)
        return SWQ_OK;
    s->place = before;
    for (; *count > 0; --*count)
        swq_free(ctx, claim[*count - 1].words);
    return status;
}

swq_status swq_store_release(swq_context *ctx, swq_store *s, int64_t id)
{
    (void)ctx;
    return apply(s, RELEASE, id, s->owner, "write to");
}

/* ---- answers ---- */

static swq_status record_one(swq_store *s, const swq_record *r, const char *when)
{
    sqlite3_stmt *record = ready(s, RECORD), *answer = ready(s, RECORD_ANSWER);

    if (!record || !answer)
        return not_ready(s);
    sqlite3_bind_int64(record, 1, r->id);
    sqlite3_bind_int64(record, 2, s->owner);
    bind_text(record, 3, r->status == 0 ? "done" : "failed");
    if (r->status >= 0)
        sqlite3_bind_int(record, 4, r->status);
    bind_text(record, 5, r->message && *r->message ? r->message : NULL);
    bind_text(record, 6, SWQ_VERSION);
    sqlite3_bind_double(record, 7, r->cpu_seconds);
    sqlite3_bind_double(record, 8, r->wall_seconds);
    bind_text(record, 9, r->host ? r->host : s->self.host);
    bind_text(record, 10, when);
    swq_status status = finish(s, record, "record answers in");
    if (status || !r->answer || sqlite3_changes(s->db) == 0)
        return status;
    sqlite3_bind_int64(answer, 1, r->id);
    bind_text(answer, 2, r->answer);
    return finish(s, answer, "record answers in");
}

swq_status swq_store_record(swq_context *ctx, swq_store *s, const swq_record *record, int count)
{
    char when[24] = "";
    const time_t now = time(NULL);
    struct tm utc;
    swq_status status = swq_store_begin(ctx, s);

    if (status)
        return status;
    if (gmtime_r(&now, &utc))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    for (int k = 0; k < count && !status; k++)
        status = record_one(s, &record[k], when);
    return end(s, status);
}

/* ---- reading ---- */

static double real_or_nan(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? NAN
                                                           : sqlite3_column_double(row, column);
}

static const char *text_at(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

swq_status swq_store_rows(swq_context *ctx, swq_store *s, const char *state, swq_row_visit *visit,
                          void *arg)
{
    sqlite3_stmt *row = ready(s, ROWS);
    swq_status status = SWQ_OK;
    int code = SQLITE_DONE;

    (void)ctx;
    if (!row)
        return not_ready(s);
    bind_text(row, 1, state);
    while (!status && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const swq_row r = {
            .id = sqlite3_column_int64(row, 0),
            .point = text_at(row, 1),
            .command = text_at(row, 2),
            .options = text_at(row, 3),
            .repeat = sqlite3_column_int(row, 4),
            .seeded = sqlite3_column_type(row, 5) != SQLITE_NULL,
            .seed = (uint64_t)sqlite3_column_int64(row, 5),
            .state = text_at(row, 6),
            .status = sqlite3_column_type(row, 7) == SQLITE_NULL ? -1 : sqlite3_column_int(row, 7),
            .message = text_at(row, 8),
            .answer = text_at(row, 9),
            .version = text_at(row, 10),
            .host = text_at(row, 11),
            .finished = text_at(row, 12),
            .cpu_seconds = real_or_nan(row, 13),
            .wall_seconds = real_or_nan(row, 14),
        };
        status = visit(arg, &r);
    }
    if (!status && code != SQLITE_DONE)
        status = fail(s, "read");
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    return status;
}

/* ---- for the room's other files ---- */

swq_status swq_store_prepare(swq_store *s, const char *sql, sqlite3_stmt **statement)
{
    return sqlite3_prepare_v2(s->db, sql, -1, statement, NULL) ? fail(s, "use") : SWQ_OK;
}

swq_status swq_store_failure(swq_store *s, const char *doing)
{
    return fail(s, doing);
}

swq_status swq_store_end(swq_store *s, swq_status status)
{
    return end(s, status);
}
