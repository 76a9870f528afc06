/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers into the database, and rows out of it.
 */
#include "base/context.h"
#include "study/store_inside.h"
#include "switchq/version.h"

#include <math.h>

/* ---- answers ---- */

static swq_status record_one(swq_store *s, const swq_store_entry *r, const char *when)
{
    sqlite3_stmt *record = swq_store_ready(s, SWQ_SQL_RECORD),
                 *answer = swq_store_ready(s, SWQ_SQL_RECORD_ANSWER);

    if (!record || !answer)
        return swq_store_not_ready(s);
    sqlite3_bind_int64(record, 1, r->id);
    sqlite3_bind_int64(record, 2, s->owner);
    swq_store_bind(record, 3, r->status == 0 ? "done" : "failed");
    if (r->status >= 0)
        sqlite3_bind_int(record, 4, r->status);
    swq_store_bind(record, 5, r->message && *r->message ? r->message : NULL);
    swq_store_bind(record, 6, SWQ_VERSION);
    sqlite3_bind_double(record, 7, r->cpu_seconds);
    sqlite3_bind_double(record, 8, r->wall_seconds);
    swq_store_bind(record, 9, r->host ? r->host : s->self.host);
    swq_store_bind(record, 10, when);
    swq_status status = swq_store_finish(s, record, "record answers in");
    if (status || !r->answer || sqlite3_changes(s->db) == 0)
        return status;
    sqlite3_bind_int64(answer, 1, r->id);
    swq_store_bind(answer, 2, r->answer);
    return swq_store_finish(s, answer, "record answers in");
}

swq_status swq_store_record(swq_context *ctx, swq_store *s, const swq_store_entry *record,
                            int count)
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
    return swq_store_end(s, status);
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
    sqlite3_stmt *row = swq_store_ready(s, SWQ_SQL_ROWS);
    swq_status status = SWQ_OK;
    int code = SQLITE_DONE;

    (void)ctx;
    if (!row)
        return swq_store_not_ready(s);
    swq_store_bind(row, 1, state);
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
        if (sqlite3_errcode(s->db) == SQLITE_NOMEM) /* for one of the texts */
            break;
        status = visit(arg, &r);
    }
    if (!status && code != SQLITE_DONE)
        status = swq_store_failure(s, "read");
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    return status;
}
