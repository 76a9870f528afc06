/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/merge.c and study/tally.c: which of two records of a point stays, all or nothing, and what
 * a status counts.
 */
#include "study/merge.h"
#include "study/owner.h"
#include "study/tally.h"
#include "tests/study/studies.h"

#include <sqlite3.h>
#include <unistd.h>

static char mine[64], other[64];
static const swq_store_options usual = {.create = true};

static swq_context *ctx;

static void begin(void)
{
    ctx = study_begin();
    snprintf(mine, sizeof mine, "%s/mine.db", study_folder);
    snprintf(other, sizeof other, "%s/other.db", study_folder);
}

static void end(void)
{
    study_end(ctx);
}

TestSuite(merge, .init = begin, .fini = end, .timeout = 240);

static swq_store *open_all(const char *path)
{
    swq_store *s = NULL;

    cr_assert_eq(swq_store_open(ctx, path, &usual, &s), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_store_want_all(ctx, s), SWQ_OK);
    return s;
}

/* Any SQL, in a database that is created if necessary; the first column of the first row. */
static int64_t sql(const char *path, const char *text)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;

    swq_store_close(ctx, open_all(path));
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, text, -1, &row, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    const int code = sqlite3_step(row);
    cr_assert(code == SQLITE_ROW || code == SQLITE_DONE, "%s", sqlite3_errmsg(db));
    const int64_t value = code == SQLITE_ROW ? sqlite3_column_int64(row, 0) : 0;
    sqlite3_finalize(row);
    sqlite3_close(db);
    return value;
}

/* Puts a point there: "open", "running", "failed", or "done" with that answer. */
static void put(const char *path, int load, const char *state, int answer, const char *finished)
{
    char text[400];

    snprintf(text, sizeof text,
             "INSERT INTO points (point, command, options, repeat, state, finished, version) "
             "VALUES ('solve --load %d', 'solve', '{}', 0, '%s', '%s', 'v%d')",
             load, state, finished, answer);
    sql(path, text);
    if (answer) {
        snprintf(text, sizeof text,
                 "INSERT INTO answers SELECT id, '%d' FROM points WHERE point = 'solve --load %d'",
                 answer, load);
        sql(path, text);
    }
}

static swq_status merge(const swq_merge_options *how, swq_merge_counts *counts)
{
    const char *const part[] = {other};
    const swq_merge_options plain = {0};
    swq_merge_counts unused;
    swq_store *s = open_all(mine);
    const swq_status status =
        swq_store_merge(ctx, s, part, 1, how ? how : &plain, counts ? counts : &unused);

    swq_store_close(ctx, s);
    return status;
}

/* What has the higher rank is kept or taken, whichever side it is on. */
Test(merge, an_answer_beats_a_failure_beats_nothing)
{
    static const struct {
        const char *mine, *theirs;
        int my_answer, their_answer;
        const char *state; /* the state that is kept */
        int answer;
    } cases[] = {
        {"open", "open", 0, 0, "open", 0},     {"open", "running", 0, 0, "open", 0},
        {"open", "failed", 0, 0, "failed", 0}, {"open", "done", 0, 7, "done", 7},
        {"running", "done", 0, 7, "done", 7},  {"failed", "open", 0, 0, "failed", 0},
        {"failed", "done", 0, 7, "done", 7},   {"done", "open", 3, 0, "done", 3},
        {"done", "running", 3, 0, "done", 3},  {"done", "failed", 3, 0, "done", 3},
        {"done", "done", 3, 3, "done", 3},     {"", "running", 0, 0, "open", 0},
        {"", "failed", 0, 0, "failed", 0},     {"", "done", 0, 7, "done", 7},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    char text[200];
    swq_merge_counts counts;

    for (int k = 0; k < CASES; k++) {
        if (*cases[k].mine)
            put(mine, k, cases[k].mine, cases[k].my_answer, "2026-01-01T00:00:00Z");
        put(other, k, cases[k].theirs, cases[k].their_answer, "2026-01-02T00:00:00Z");
    }
    cr_assert_eq(merge(NULL, &counts), SWQ_OK, "%s", swq_context_message(ctx));
    for (int k = 0; k < CASES; k++) {
        snprintf(text, sizeof text,
                 "SELECT count(*) FROM results WHERE point = 'solve --load %d' AND state = '%s' "
                 "AND coalesce(answer, '0') = '%d' AND owner IS NULL",
                 k, cases[k].state, cases[k].answer);
        cr_expect_eq(sql(mine, text), 1, "mine %s, theirs %s", cases[k].mine, cases[k].theirs);
    }
    cr_expect_eq(counts.points, CASES);
    cr_expect_eq(counts.taken, 4);
    cr_expect_eq(counts.failed, 2);
    cr_expect_eq(counts.same, 1);
    cr_expect_eq(counts.foreign, 3);
    cr_expect_eq(counts.replaced, 0);
    cr_expect_eq(sql(mine, "SELECT count(*) FROM points"), CASES);
}

static bool never_same(const char *a, const char *b, char *where, size_t room)
{
    (void)a, (void)b;
    snprintf(where, room, "result.x");
    return false;
}

/* Two answers that differ are named, and what came before them is not merged either; or the newer
 * is taken. */
Test(merge, answers_that_differ)
{
    const swq_merge_options newest = {.prefer_newest = true};
    swq_merge_counts counts;

    put(other, 1, "done", 5, "2026-01-02T00:00:00Z");
    put(other, 2, "done", 6, "2026-01-02T00:00:00Z");
    put(other, 3, "done", 7, "2026-01-02T00:00:00Z");
    put(mine, 2, "done", 8, "2026-01-01T00:00:00Z");
    put(mine, 3, "done", 9, "2026-01-03T00:00:00Z");
    cr_assert_eq(merge(NULL, NULL), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "solve --load 2"));
    cr_assert_not_null(strstr(swq_context_message(ctx), other));
    cr_assert_eq(sql(mine, "SELECT count(*) FROM points"), 2, "something was merged");

    cr_assert_eq(merge(&newest, &counts), SWQ_OK);
    cr_assert_eq(counts.replaced, 1);
    cr_assert_eq(counts.taken, 1);
    cr_assert_eq(sql(mine, "SELECT answer FROM results WHERE point = 'solve --load 2'"), 6);
    cr_assert_eq(sql(mine, "SELECT answer FROM results WHERE point = 'solve --load 3'"), 9);

    /* the caller decides what is the same, and where it is not */
    cr_assert_eq(merge(&(swq_merge_options){.same = never_same}, NULL), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "result.x"));
}

Test(merge, refused)
{
    const char *const self[] = {mine};
    const swq_merge_options plain = {0};
    swq_merge_counts counts;

    put(mine, 1, "done", 5, "");
    cr_assert_eq(merge(NULL, NULL), SWQ_EIO, "there is no such part");
    cr_assert_not_null(strstr(swq_context_message(ctx), other));
    swq_store *s = open_all(mine);
    cr_assert_eq(swq_store_merge(ctx, s, self, 1, &plain, &counts), SWQ_EINVAL);
    swq_store_close(ctx, s);
    put(other, 1, "done", 5, "");
    sql(other, "PRAGMA application_id = 77");
    cr_assert_eq(merge(NULL, NULL), SWQ_EINVAL);
    cr_assert_eq(sql(mine, "SELECT count(*) FROM points"), 1);
}

Test(merge, cancelled)
{
    put(mine, 1, "open", 0, "");
    put(other, 1, "done", 5, "");
    swq_store *s = open_all(mine);
    const char *const part[] = {other};
    swq_merge_counts counts;
    swq_context_cancel(ctx);
    cr_assert_eq(swq_store_merge(ctx, s, part, 1, &(swq_merge_options){0}, &counts),
                 SWQ_ECANCELLED);
    swq_store_close(ctx, s);
    swq_context_free(ctx);
    ctx = swq_context_new();
    cr_assert_eq(sql(mine, "SELECT count(*) FROM answers"), 0);
}

/* Each allocation fails in turn: nothing leaks, nothing is merged partly. */
Test(merge, allocations_fail)
{
    const char *const part[] = {other};
    bool merged = false;

    put(mine, 1, "open", 0, "");
    put(other, 1, "done", 5, "");
    put(other, 2, "done", 6, "");
    for (size_t k = 0; !merged; k++) {
        swq_merge_counts counts;
        cr_assert_lt(k, 50);
        swq_store *s = open_all(mine);
        swq_context_fail_allocations(ctx, k, false);
        const swq_status status =
            swq_store_merge(ctx, s, part, 1, &(swq_merge_options){0}, &counts);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        merged = status == SWQ_OK;
        cr_assert(merged || status == SWQ_ENOMEM);
        swq_store_close(ctx, s);
        cr_assert_eq(sql(mine, "SELECT count(*) FROM answers"), merged ? 2 : 0);
    }
}

/* ---- what a status counts ---- */

typedef struct {
    char text[300];
} listing;

static swq_status list(void *arg, const char *what, int64_t points)
{
    listing *l = arg;
    const size_t used = strlen(l->text);

    snprintf(l->text + used, sizeof l->text - used, "%s: %d; ", what, (int)points);
    return SWQ_OK;
}

static const char *tally(swq_tally of)
{
    static listing l;
    swq_store *s = open_all(mine);

    l = (listing){0};
    cr_assert_eq(swq_store_tally(ctx, s, of, list, &l), SWQ_OK);
    swq_store_close(ctx, s);
    return l.text;
}

Test(merge, tallies)
{
    swq_owner self;
    char text[400];

    for (int k = 0; k < 3; k++)
        put(mine, k, "failed", 0, "");
    put(mine, 3, "running", 0, "");
    put(mine, 4, "running", 0, "");
    put(mine, 5, "done", 4, "");
    sql(mine, "UPDATE points SET message = CASE id WHEN 2 THEN 'once' ELSE 'twice' END "
              "WHERE state = 'failed'");
    /* this process, and one with its pid that began long before */
    swq_owner_self(&self);
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, "INSERT INTO owners VALUES (%d, 'h%d', '%s', %lld, %lld, 0)",
                 k + 1, k, self.machine, (long long)self.pid, (long long)(k ? 1 : self.started));
        sql(mine, text);
    }
    sql(mine, "UPDATE points SET owner = id - 3 WHERE state = 'running'");
    cr_assert_str_eq(tally(SWQ_TALLY_REASONS), "twice: 2; once: 1; ");
    cr_assert_str_eq(tally(SWQ_TALLY_VERSIONS), "v0: 3; v4: 1; ");
    snprintf(text, sizeof text, "h0, process %lld: 1; h1, process %lld (gone): 1; ",
             (long long)self.pid, (long long)self.pid);
    cr_assert_str_eq(tally(SWQ_TALLY_OWNERS), text);
}

Test(merge, pace)
{
    swq_store *s = open_all(mine);
    swq_pace pace;

    cr_assert_eq(swq_store_pace(ctx, s, &pace), SWQ_OK);
    swq_store_close(ctx, s);
    cr_assert_eq(pace.recent, 0);
    cr_assert(isnan(pace.cpu_seconds));
    put(mine, 1, "done", 1, "");
    put(mine, 2, "done", 1, "");
    put(mine, 3, "done", 1, "");
    sql(mine, "UPDATE points SET cpu_seconds = id, finished = "
              "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', (-id * 250) || ' seconds')");
    s = open_all(mine);
    cr_assert_eq(swq_store_pace(ctx, s, &pace), SWQ_OK);
    swq_store_close(ctx, s);
    cr_assert_eq(pace.recent, 2, "the third was 750 seconds ago");
    cr_assert(pace.seconds >= 500 && pace.seconds < 520, "%g", pace.seconds);
    cr_assert_eq(pace.cpu_seconds, 2);
}
