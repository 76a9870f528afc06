/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Merging: every point of a part is looked up in the study's database, and what is better there or
 * here stays. One transaction over all parts.
 * Sees SQLite.
 */
#include "study/merge.h"

#include "base/context.h"
#include "study/sqlite.h"

#include <string.h>
#include <sys/stat.h>

/* Columns of a part's rows; the first of them make up a point. */
enum {
    COLUMN_POINT = 0,
    COLUMN_STATE = 5,
    COLUMN_FINISHED = 12,
    POINT_COLUMNS = 13,
    COLUMN_ANSWER = 13
};

typedef struct {
    swq_context *ctx;
    swq_store *store;
    const char *part; /* path of the part */
    const swq_merge_options *options;
    swq_merge_counts *counts;
    sqlite3_stmt *find, *add, *set, *answer; /* statements of the store */
} merger;

/* The rank of a state: a higher one replaces a lower one. */
static int worth(const char *state)
{
    return strcmp(state, "done") == 0 ? 2 : strcmp(state, "failed") == 0 ? 1 : 0;
}

static const char *text_of(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);

    return text ? text : "";
}

static swq_status finish(merger *m, sqlite3_stmt *statement)
{
    const int code = sqlite3_step(statement);
    const swq_status status =
        code == SQLITE_DONE ? SWQ_OK : swq_store_failure(m->store, "merge into");

    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

/* Adds the part's point (id 0), or gives the point `id` the contents of the part's. */
static swq_status take(merger *m, sqlite3_stmt *theirs, int64_t id)
{
    sqlite3_stmt *to = id ? m->set : m->add;

    for (int k = 0; k < POINT_COLUMNS; k++)
        sqlite3_bind_value(to, k + 1, sqlite3_column_value(theirs, k));
    swq_status status = finish(m, to);
    if (status || sqlite3_column_type(theirs, COLUMN_ANSWER) == SQLITE_NULL)
        return status;
    if (!id)
        id = sqlite3_last_insert_rowid(sqlite3_db_handle(m->add));
    sqlite3_bind_int64(m->answer, 1, id);
    sqlite3_bind_value(m->answer, 2, sqlite3_column_value(theirs, COLUMN_ANSWER));
    return finish(m, m->answer);
}

/* Both databases have an answer to the point: are the two the same? If not, which one is kept?
 * *newer: the part's answer is kept. */
static swq_status compare(merger *m, sqlite3_stmt *theirs, bool *newer)
{
    const char *mine = text_of(m->find, 1), *other = text_of(theirs, COLUMN_ANSWER);
    char where[100] = "";

    const bool same = m->options->same ? m->options->same(mine, other, where, sizeof where)
                                       : strcmp(mine, other) == 0;
    *newer = false;
    if (same) {
        m->counts->same++;
        return SWQ_OK;
    }
    if (!m->options->prefer_newest)
        return swq_fail(m->ctx, SWQ_EINVAL,
                        "'%.60s' has another answer to '%.120s'%s%.60s; '--prefer newest' takes "
                        "the later one",
                        m->part, text_of(theirs, COLUMN_POINT), *where ? ": " : "", where);
    *newer = strcmp(text_of(theirs, COLUMN_FINISHED), text_of(m->find, 2)) > 0;
    m->counts->replaced += *newer;
    return SWQ_OK;
}

/* Merges a point that the study's database already has. */
static swq_status merge_known(merger *m, sqlite3_stmt *theirs, int their_worth)
{
    const int my_worth = worth(text_of(m->find, 0));
    bool better = their_worth > my_worth;
    swq_status status = SWQ_OK;

    if (better && their_worth == 2)
        m->counts->taken++;
    else if (better)
        m->counts->failed++;
    else if (their_worth == 2)
        status = compare(m, theirs, &better);
    return status || !better ? status : take(m, theirs, sqlite3_column_int64(m->find, 3));
}

/* Merges one point of the part. */
static swq_status merge_row(merger *m, sqlite3_stmt *theirs)
{
    const int their_worth = worth(text_of(theirs, COLUMN_STATE));
    swq_status status;

    m->counts->points++;
    sqlite3_bind_value(m->find, 1, sqlite3_column_value(theirs, COLUMN_POINT));
    const int found = sqlite3_step(m->find);
    if (found == SQLITE_DONE) {
        m->counts->foreign++;
        m->counts->taken += their_worth == 2;
        m->counts->failed += their_worth == 1;
        status = take(m, theirs, 0);
    } else {
        status = found == SQLITE_ROW ? merge_known(m, theirs, their_worth)
                                     : swq_store_failure(m->store, "merge into");
    }
    sqlite3_reset(m->find);
    return status;
}

static swq_status merge_rows(merger *m, swq_store *from)
{
    /* claims in a part mean nothing here */
    static const char all[] =
        "SELECT points.point, command, options, repeat, seed, "
        "CASE state WHEN 'running' THEN 'open' ELSE state END, status, message, version, "
        "cpu_seconds, wall_seconds, host, finished, answer FROM points "
        "LEFT JOIN answers ON answers.point = points.id ORDER BY points.id";
    sqlite3_stmt *row = NULL;
    swq_status status = swq_store_prepare(from, all, &row);
    int step = SQLITE_DONE;

    while (!status && (step = sqlite3_step(row)) == SQLITE_ROW) {
        status = merge_row(m, row);
        if (!status && swq_context_cancelled(m->ctx))
            status = swq_fail(m->ctx, SWQ_ECANCELLED, "cancelled");
    }
    if (!status && step != SQLITE_DONE)
        status = swq_store_failure(from, "read");
    sqlite3_finalize(row);
    return status;
}

static swq_status merge_part(merger *m, const char *path)
{
    const swq_store_options reading = {.read_only = true};
    struct stat mine, theirs;
    swq_store *from = NULL;

    m->part = path;
    if (stat(path, &theirs) == 0 && stat(swq_store_path(m->store), &mine) == 0 &&
        mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino)
        return swq_fail(m->ctx, SWQ_EINVAL, "--merge: '%.200s' is the study's own database", path);
    swq_status status = swq_store_open(m->ctx, path, &reading, &from);
    if (!status)
        status = merge_rows(m, from);
    swq_store_close(m->ctx, from);
    return status;
}

swq_status swq_store_merge(swq_context *ctx, swq_store *store, const char *const *part, int parts,
                           const swq_merge_options *options, swq_merge_counts *counts)
{
    static const char find[] =
        "SELECT state, answer, finished, points.id FROM points "
        "LEFT JOIN answers ON answers.point = points.id WHERE points.point = ?1";
    static const char add[] =
        "INSERT INTO points (point, command, options, repeat, seed, state, status, message, "
        "version, cpu_seconds, wall_seconds, host, finished) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    static const char set[] =
        "UPDATE points SET owner = NULL, state = ?6, status = ?7, message = ?8, version = ?9, "
        "cpu_seconds = ?10, wall_seconds = ?11, host = ?12, finished = ?13 WHERE point = ?1";
    static const char answer[] = "INSERT OR REPLACE INTO answers (point, answer) VALUES (?1, ?2)";
    merger m = {.ctx = ctx, .store = store, .options = options, .counts = counts};

    *counts = (swq_merge_counts){0};
    swq_status status = swq_store_begin(ctx, store);
    if (status)
        return status;
    status = swq_store_prepare(store, find, &m.find);
    if (!status)
        status = swq_store_prepare(store, add, &m.add);
    if (!status)
        status = swq_store_prepare(store, set, &m.set);
    if (!status)
        status = swq_store_prepare(store, answer, &m.answer);
    for (int k = 0; k < parts && !status; k++) {
        swq_progress(ctx, "merging", k, parts);
        status = merge_part(&m, part[k]);
    }
    sqlite3_finalize(m.find);
    sqlite3_finalize(m.add);
    sqlite3_finalize(m.set);
    sqlite3_finalize(m.answer);
    return swq_store_end(store, status);
}
