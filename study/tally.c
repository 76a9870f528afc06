/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups and counts, left to SQL.
 * Sees SQLite.
 */
#include "study/tally.h"

#include "base/context.h"
#include "study/owner.h"
#include "study/sqlite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Known only for processes of this machine. */
static bool is_gone(sqlite3_stmt *row)
{
    const char *machine = (const char *)sqlite3_column_text(row, 2);
    swq_owner self;

    swq_owner_self(&self);
    return machine && strcmp(machine, self.machine) == 0 &&
           !swq_owner_lives(sqlite3_column_int64(row, 3), sqlite3_column_int64(row, 4));
}

swq_status swq_store_tally(swq_context *ctx, swq_store *store, swq_tally of, swq_tally_visit *visit,
                           void *arg)
{
    static const char *const query[SWQ_TALLIES] = {
        [SWQ_TALLY_REASONS] =
            "SELECT coalesce(message, ''), count(*) FROM points JOIN wanted USING (id) "
            "WHERE state = 'failed' GROUP BY 1 ORDER BY 2 DESC, 1",
        [SWQ_TALLY_OWNERS] =
            "SELECT owners.host || ', process ' || owners.pid, count(*), machine, pid, started "
            "FROM points "
            "JOIN wanted USING (id) JOIN owners ON owners.id = points.owner "
            "WHERE state = 'running' GROUP BY owners.id ORDER BY 2 DESC, 1",
        [SWQ_TALLY_VERSIONS] =
            "SELECT version, count(*) FROM points JOIN wanted USING (id) "
            "WHERE state IN ('done', 'failed') AND version IS NOT NULL GROUP BY 1 ORDER BY 2 DESC",
    };
    (void)ctx;
    sqlite3_stmt *row = NULL;
    swq_status status = swq_store_prepare(store, query[of], &row);
    int step = SQLITE_DONE;

    while (!status && (step = sqlite3_step(row)) == SQLITE_ROW) {
        char what[600];
        const char *text = (const char *)sqlite3_column_text(row, 0);
        if (!text) /* no memory for the text */
            break;
        snprintf(what, sizeof what, "%s%s", text,
                 of == SWQ_TALLY_OWNERS && is_gone(row) ? " (gone)" : "");
        status = visit(arg, what, sqlite3_column_int64(row, 1));
    }
    if (!status && step != SQLITE_DONE)
        status = swq_store_failure(store, "read");
    sqlite3_finalize(row);
    return status;
}

swq_status swq_store_pace(swq_context *ctx, swq_store *store, swq_pace *pace)
{
    (void)ctx;
    static const char query[] =
        "SELECT count(*) FILTER (WHERE age <= 600), max(age) FILTER (WHERE age <= 600), "
        "avg(cpu_seconds) FROM (SELECT cpu_seconds, "
        "strftime('%s', 'now') - strftime('%s', finished) AS age FROM points "
        "JOIN wanted USING (id) WHERE state = 'done')";
    sqlite3_stmt *row = NULL;
    swq_status status = swq_store_prepare(store, query, &row);

    if (!status && sqlite3_step(row) != SQLITE_ROW)
        status = swq_store_failure(store, "read");
    if (!status) {
        *pace = (swq_pace){.recent = sqlite3_column_int64(row, 0),
                           .seconds = fmax(1, sqlite3_column_double(row, 1)),
                           .cpu_seconds = sqlite3_column_type(row, 2) == SQLITE_NULL
                                              ? NAN
                                              : sqlite3_column_double(row, 2)};
    }
    sqlite3_finalize(row);
    return status;
}
