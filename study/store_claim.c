/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims of points, by processes that may die at any time.
 */
#include "base/context.h"
#include "study/store_inside.h"

#include <string.h>

enum { SKEW = 3600 }; /* seconds by which clocks of machines may differ */

static swq_status enrol(swq_store *s)
{
    sqlite3_stmt *add = swq_store_ready(s, SWQ_SQL_ADD_OWNER);

    if (!add)
        return swq_store_not_ready(s);
    s->beaten = time(NULL);
    swq_store_bind(add, 1, s->self.host);
    swq_store_bind(add, 2, s->self.machine);
    sqlite3_bind_int64(add, 3, s->self.pid);
    sqlite3_bind_int64(add, 4, s->self.started);
    sqlite3_bind_int64(add, 5, (int64_t)s->beaten);
    const swq_status status = swq_store_finish(s, add, "write to");
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
    return swq_store_apply(s, SWQ_SQL_BEAT, s->owner, (int64_t)now, "write to");
}

/* Has a process of another machine been silent for too long? Clocks of machines may differ, so its
 * last sign of life counts only if it is very old; otherwise our own clock measures the silence. */
static bool silent_too_long(swq_store *s, int64_t owner, int64_t beat)
{
    const time_t now = time(NULL);
    swq_silent *found = NULL;

    if (now - beat > s->options.silence_seconds + SKEW)
        return true;
    for (int k = 0; k < s->silents && !found; k++)
        found = s->silent[k].owner == owner ? &s->silent[k] : NULL;
    if (!found)
        found =
            &s->silent[s->silents < SWQ_STORE_MOST_SILENT ? s->silents++
                                                          : (int)(owner % SWQ_STORE_MOST_SILENT)];
    if (found->owner != owner || found->beat != beat)
        *found = (swq_silent){.owner = owner, .beat = beat, .since = now};
    return now - found->since > s->options.silence_seconds;
}

static bool is_dead(swq_store *s, sqlite3_stmt *row)
{
    const char *machine = (const char *)sqlite3_column_text(row, 1);

    if (!machine) /* its owner's row is missing, which cannot happen */
        return true;
    if (strcmp(machine, s->self.machine) == 0)
        return !swq_owner_lives(sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3));
    return silent_too_long(s, sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 4));
}

/* Reopens the claims of dead processes. */
static swq_status take_over(swq_store *s)
{
    int64_t dead[SWQ_STORE_MOST_SILENT];
    int count = 0, code;
    sqlite3_stmt *row = swq_store_ready(s, SWQ_SQL_RUNNING_OWNERS);

    if (!row)
        return swq_store_not_ready(s);
    while ((code = sqlite3_step(row)) == SQLITE_ROW && count < SWQ_STORE_MOST_SILENT) {
        const int64_t owner = sqlite3_column_int64(row, 0);
        if (owner != s->owner && is_dead(s, row))
            dead[count++] = owner;
    }
    swq_status status =
        code == SQLITE_DONE || code == SQLITE_ROW ? SWQ_OK : swq_store_failure(s, "read");
    sqlite3_reset(row);
    for (int k = 0; k < count && !status; k++) {
        status = swq_store_apply(s, SWQ_SQL_RELEASE_OWNER, dead[k], 0, "write to");
        if (!status)
            status = swq_store_apply(s, SWQ_SQL_DROP_OWNER, dead[k], 0, "write to");
    }
    return status;
}

/* Finds the next `most` wanted points that are open, behind the place s->place. */
static swq_status find_open(swq_store *s, int most, swq_claimed *claim, int *count)
{
    sqlite3_stmt *row = swq_store_ready(s, SWQ_SQL_FIND_OPEN);
    int code = SQLITE_DONE;
    swq_status status = SWQ_OK;

    if (!row)
        return swq_store_not_ready(s);
    sqlite3_bind_int64(row, 1, s->place);
    sqlite3_bind_int(row, 2, most);
    while (*count < most && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *words = (const char *)sqlite3_column_text(row, 2);
        char *copy = words ? swq_calloc(s->ctx, strlen(words) + 1, 1) : NULL;
        if (!copy) {
            status = words ? swq_memory_status(s->ctx) : swq_store_failure(s, "read");
            break;
        }
        claim[*count] =
            (swq_claimed){sqlite3_column_int64(row, 1), memcpy(copy, words, strlen(words) + 1)};
        s->place = sqlite3_column_int64(row, 0);
        ++*count;
    }
    if (!status && code != SQLITE_ROW && code != SQLITE_DONE)
        status = swq_store_failure(s, "read");
    sqlite3_reset(row);
    return status;
}

swq_status swq_store_claim(swq_context *ctx, swq_store *s, int most, swq_claimed *claim, int *count)
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
    if (!status && *count == 0) { /* start over, with points that other processes have given back */
        s->place = 0;
        status = take_over(s);
        if (!status)
            status = find_open(s, most, claim, count);
    }
    for (int k = 0; k < *count && !status; k++)
        status = swq_store_apply(s, SWQ_SQL_CLAIM, claim[k].id, s->owner, "write to");
    status = swq_store_end(s, status);
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
    return swq_store_apply(s, SWQ_SQL_RELEASE, id, s->owner, "write to");
}
