/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The database: who gets which point, what is kept, what is refused; claims of the dead, of the
 * living and of the silent; failing allocations.
 */
#include "study/owner.h"
#include "study/store.h"
#include "study/tally.h"
#include "tests/study/studies.h"

#include <limits.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { POINTS = 5 };

static char path[64];
static const swq_store_options usual = {.create = true};

static swq_context *ctx;

static void begin(void)
{
    ctx = study_begin();
    snprintf(path, sizeof path, "%s/s.db", study_folder);
}

static void end(void)
{
    study_end(ctx);
}

TestSuite(store, .init = begin, .fini = end, .timeout = 240);

static swq_status want(void *store, const swq_point *point)
{
    return swq_store_want(ctx, store, point);
}

/* Five points: solve --load 1 .. 5. */
static swq_status want_five(swq_store *s)
{
    swq_study *study = test_study(ctx, "{command: solve, over: {load: [1, 2, 3, 4, 5]}}");
    swq_status status = swq_store_begin(ctx, s);

    if (!status)
        status = swq_study_points(ctx, study, want, s);
    if (!status)
        status = swq_store_commit(ctx, s);
    swq_study_free(ctx, study);
    return status;
}

static swq_store *open_five(const swq_store_options *how)
{
    swq_store *s = NULL;

    cr_assert_eq(swq_store_open(ctx, path, how, &s), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(want_five(s), SWQ_OK, "%s", swq_context_message(ctx));
    return s;
}

/* Claims points; returns how many there were, and their loads as one number, "123". */
static int claim(swq_store *s, int most, int64_t *id)
{
    swq_claimed got[POINTS];
    int count = 0, loads = 0;

    cr_assert_eq(swq_store_claim(ctx, s, most, got, &count), SWQ_OK, "%s",
                 swq_context_message(ctx));
    for (int k = 0; k < count; k++) {
        const char *load = strstr(got[k].words, "solve --load ");
        cr_assert_eq(load, got[k].words);
        loads = 10 * loads + atoi(load + 13);
        if (id)
            id[k] = got[k].id;
        swq_free(ctx, got[k].words);
    }
    return loads;
}

static swq_status record(swq_store *s, int64_t id, int status, const char *answer)
{
    const swq_store_entry r = {.id = id,
                               .status = status,
                               .message = status ? "because" : "",
                               .answer = answer,
                               .cpu_seconds = 0.5,
                               .wall_seconds = 0.25};
    return swq_store_record(ctx, s, &r, 1);
}

static swq_store_counts count(swq_store *s)
{
    swq_store_counts c;

    cr_assert_eq(swq_store_count(ctx, s, &c), SWQ_OK);
    return c;
}

/* Any SQL, through a separate connection; the first column of the first row. */
static int64_t sql(const char *text)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;

    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 2000);
    cr_assert_eq(sqlite3_prepare_v2(db, text, -1, &row, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    const int code = sqlite3_step(row);
    cr_assert(code == SQLITE_ROW || code == SQLITE_DONE, "%s", sqlite3_errmsg(db));
    const int64_t value = code == SQLITE_ROW ? sqlite3_column_int64(row, 0) : 0;
    sqlite3_finalize(row);
    sqlite3_close(db);
    return value;
}

/* ---- points and answers ---- */

Test(store, points_are_there_once_and_stay)
{
    swq_store *s = open_five(&usual);

    cr_assert_str_eq(swq_store_path(s), path);
    cr_assert_eq(count(s).wanted, POINTS);
    cr_assert_eq(count(s).added, POINTS);
    cr_assert_eq(want_five(s), SWQ_OK); /* again */
    cr_assert_eq(count(s).wanted, POINTS);
    swq_store_close(ctx, s);
    s = open_five(&usual);
    cr_assert_eq(count(s).added, 0);
    cr_assert_eq(count(s).open, POINTS);
    swq_store_close(ctx, s);
    cr_assert_eq(sql("SELECT count(*) FROM points"), POINTS);
    cr_assert_eq(sql("SELECT sum(json_extract(options, '$.load')) FROM points"), 15);
    cr_assert_eq(sql("PRAGMA application_id"), SWQ_STORE_APPLICATION);
    cr_assert_eq(sql("PRAGMA user_version"), SWQ_STORE_SCHEMA);
}

static swq_status check_row(void *arg, const swq_row *row)
{
    int *seen = arg;

    ++*seen;
    if (strcmp(row->point, "solve --load 1") == 0) {
        cr_expect_str_eq(row->state, "done");
        cr_expect_str_eq(row->answer, "{\"a\":1}");
        cr_expect_str_eq(row->version, SWQ_VERSION);
        cr_expect_eq(row->status, 0);
        cr_expect_null(row->message);
        cr_expect_eq(row->cpu_seconds, 0.5);
        cr_expect_eq(row->wall_seconds, 0.25);
        cr_expect(row->host && *row->host);
        cr_expect(row->finished && strlen(row->finished) == strlen("2026-01-31T23:59:59Z"));
    } else if (strcmp(row->point, "solve --load 2") == 0) {
        cr_expect_str_eq(row->state, "failed");
        cr_expect_str_eq(row->message, "because");
        cr_expect_null(row->answer);
        cr_expect_eq(row->status, 3);
    } else if (strcmp(row->point, "solve --load 3") == 0) {
        cr_expect_str_eq(row->state, "failed");
        cr_expect_eq(row->status, -1);
        cr_expect_str_eq(row->answer, "{}");
    } else {
        cr_expect_str_eq(row->state, "open");
        cr_expect(isnan(row->cpu_seconds));
        cr_expect_null(row->version);
    }
    return SWQ_OK;
}

Test(store, answers_are_kept_with_all_that_belongs_to_them)
{
    swq_store *s = open_five(&usual);
    int64_t id[3];
    int seen = 0;

    cr_assert_eq(claim(s, 3, id), 123);
    cr_assert_eq(count(s).running, 3);
    cr_assert_eq(record(s, id[0], 0, "{\"a\":1}"), SWQ_OK);
    cr_assert_eq(record(s, id[1], 3, NULL), SWQ_OK);
    cr_assert_eq(record(s, id[2], -1, "{}"), SWQ_OK);
    swq_store_close(ctx, s);
    s = open_five(&usual);
    cr_assert_eq(count(s).done, 1);
    cr_assert_eq(count(s).failed, 2);
    cr_assert_eq(count(s).open, 2);
    cr_assert_eq(swq_store_rows(ctx, s, NULL, check_row, &seen), SWQ_OK);
    cr_assert_eq(seen, POINTS);
    seen = 0;
    cr_assert_eq(swq_store_rows(ctx, s, "failed", check_row, &seen), SWQ_OK);
    cr_assert_eq(seen, 2);
    cr_assert_eq(claim(s, 5, NULL), 45); /* finished points are not given out again */
    swq_store_close(ctx, s);
    cr_assert_eq(sql("SELECT count(*) FROM results WHERE answer ->> '$.a' = 1"), 1);
}

Test(store, failed_points_and_those_of_other_versions_open_again_when_told)
{
    swq_store *s = open_five(&usual);
    int64_t id[3];

    claim(s, 3, id);
    record(s, id[0], 0, "{\"a\":1}");
    record(s, id[1], 0, "{\"a\":2}");
    record(s, id[2], 1, "{\"a\":3}");
    sql("UPDATE points SET version = '0.0.1' WHERE point = 'solve --load 2'");
    cr_assert_eq(count(s).other_version, 1);
    cr_assert_eq(swq_store_reopen(ctx, s, false, false), SWQ_OK);
    cr_assert_eq(count(s).open, 2);
    cr_assert_eq(swq_store_reopen(ctx, s, true, false), SWQ_OK);
    cr_assert_eq(count(s).open, 3);
    cr_assert_eq(count(s).failed, 0);
    cr_assert_eq(swq_store_reopen(ctx, s, false, true), SWQ_OK);
    cr_assert_eq(count(s).open, 4);
    cr_assert_eq(count(s).other_version, 0);
    swq_store_close(ctx, s);
    cr_assert_eq(sql("SELECT count(*) FROM answers"), 1);
}

/* ---- claims ---- */

Test(store, living_processes_share_points_and_give_them_back)
{
    swq_store *a = open_five(&usual), *b = open_five(&usual);
    int64_t id[2];

    cr_assert_eq(claim(a, 2, id), 12);
    cr_assert_eq(claim(b, 2, NULL), 34);
    cr_assert_eq(claim(a, 2, NULL), 5);
    cr_assert_eq(claim(b, 2, NULL), 0);
    /* it is another's, so nothing happens */
    cr_assert_eq(swq_store_release(ctx, b, id[0]), SWQ_OK);
    cr_assert_eq(claim(b, 2, NULL), 0);
    cr_assert_eq(swq_store_release(ctx, a, id[0]), SWQ_OK);
    cr_assert_eq(claim(b, 2, NULL), 1);
    swq_store_close(ctx, b); /* gives back 1, 3 and 4 */
    cr_assert_eq(claim(a, 5, NULL), 134);
    swq_store_close(ctx, a);
    cr_assert_eq(sql("SELECT count(*) FROM points WHERE state = 'open'"), POINTS);
    cr_assert_eq(sql("SELECT count(*) FROM owners"), 0);
}

Test(store, what_the_dead_have_claimed_is_taken_at_once)
{
    swq_store *s = open_five(&usual);
    int state;

    swq_store_close(ctx, s);
    const pid_t child = fork();
    if (child == 0) {
        s = open_five(&usual);
        claim(s, 3, NULL);
        _exit(0); /* as kill -9 leaves it */
    }
    cr_assert_eq(waitpid(child, &state, 0), child);
    cr_assert_eq(sql("SELECT count(*) FROM points WHERE state = 'running'"), 3);
    s = open_five(&usual);
    cr_assert_eq(claim(s, 2, NULL), 45);
    cr_assert_eq(claim(s, 5, NULL), 123);
    swq_store_close(ctx, s);
    cr_assert_eq(sql("SELECT count(*) FROM owners"), 0);
}

/* A pid that has been reused by another process since. */
Test(store, a_pid_is_not_enough_to_live_on)
{
    swq_store *a = open_five(&usual), *b = open_five(&usual);

    cr_assert_eq(claim(a, 5, NULL), 12345);
    cr_assert_eq(claim(b, 5, NULL), 0);
    sql("UPDATE owners SET started = started + 1");
    cr_assert_eq(claim(b, 5, NULL), 12345);
    swq_store_close(ctx, a); /* which gives back nothing that belongs to another by now */
    cr_assert_eq(count(b).running, POINTS);
    swq_store_close(ctx, b);
}

Test(store, processes_elsewhere_are_heard_before_they_are_given_up)
{
    const swq_store_options quick = {.create = true, .silence_seconds = 2};
    swq_store *a = open_five(&usual), *b = open_five(&quick);

    cr_assert_eq(claim(a, 5, NULL), 12345);
    sql("UPDATE owners SET machine = 'elsewhere', started = started + 1");
    cr_assert_eq(claim(b, 5, NULL), 0); /* begins to measure the silence */
    sleep(1);
    sql("UPDATE owners SET beat = beat + 1 WHERE machine = 'elsewhere'");
    cr_assert_eq(claim(b, 5, NULL), 0); /* it was heard */
    sleep(1);
    cr_assert_eq(claim(b, 5, NULL), 0); /* after a second or two, not later */
    sleep(2);
    cr_assert_eq(claim(b, 5, NULL), 12345);
    swq_store_close(ctx, b);
    swq_store_close(ctx, a);
}

Test(store, a_last_word_from_long_ago_is_enough)
{
    swq_store *a = open_five(&usual), *b = open_five(&usual);

    cr_assert_eq(claim(a, 5, NULL), 12345);
    sql("UPDATE owners SET machine = 'elsewhere', beat = beat - 7200");
    cr_assert_eq(claim(b, 5, NULL), 12345);
    swq_store_close(ctx, b);
    swq_store_close(ctx, a);
}

/* Taken for dead, it comes back with answers: they count unless another process has finished the
 * point. */
Test(store, answers_that_come_late)
{
    swq_store *a = open_five(&usual), *b = open_five(&usual);
    int64_t id[3];

    cr_assert_eq(claim(a, 3, id), 123);
    sql("UPDATE owners SET started = started + 1");
    cr_assert_eq(claim(b, 2, NULL), 45);
    cr_assert_eq(claim(b, 2, NULL), 12); /* all its claims are reopened; 3 stays open */
    cr_assert_eq(record(b, id[0], 0, "\"b\""), SWQ_OK);
    cr_assert_eq(record(a, id[0], 0, "\"a\""), SWQ_OK); /* dropped, as it is finished */
    cr_assert_eq(record(a, id[1], 0, "\"a\""), SWQ_OK); /* dropped, as another process has it */
    cr_assert_eq(record(a, id[2], 0, "\"a\""), SWQ_OK); /* accepted */
    cr_assert_eq(count(b).done, 2);
    cr_assert_eq(count(b).running, 3);
    swq_store_close(ctx, a);
    swq_store_close(ctx, b);
    cr_assert_eq(sql("SELECT count(*) FROM answers WHERE answer = '\"a\"'"), 1);
}

Test(store, a_process_says_that_it_lives)
{
    const swq_store_options quick = {.create = true, .silence_seconds = 6};
    swq_store *s = open_five(&quick);

    cr_assert_eq(swq_store_beat(ctx, s), SWQ_OK); /* nobody is concerned yet */
    claim(s, 1, NULL);
    sql("UPDATE owners SET beat = 0");
    cr_assert_eq(swq_store_beat(ctx, s), SWQ_OK); /* not due yet */
    sleep(1);
    cr_assert_eq(swq_store_beat(ctx, s), SWQ_OK);
    cr_assert(llabs((long long)sql("SELECT beat FROM owners") - (long long)time(NULL)) < 5);
    swq_store_close(ctx, s);
}

/* ---- refusals ---- */

static void expect_refusal_to_open(const swq_store_options *how, swq_status status,
                                   const char *reason)
{
    swq_store *s = NULL;

    cr_expect_eq(swq_store_open(ctx, path, how, &s), status, "%s", swq_context_message(ctx));
    cr_expect_null(s);
    cr_expect(strstr(swq_context_message(ctx), path), "%s", swq_context_message(ctx));
    cr_expect(strstr(swq_context_message(ctx), reason), "%s", swq_context_message(ctx));
}

Test(store, other_files_are_left_alone)
{
    const swq_store_options existing = {0};
    FILE *file = fopen(path, "w");

    fputs("This is a text, and long enough not to be taken for an empty database, surely.", file);
    fclose(file);
    expect_refusal_to_open(&usual, SWQ_EINVAL, "no SQLite database");
    unlink(path);
    sql("CREATE TABLE mine (a)");
    expect_refusal_to_open(&usual, SWQ_EINVAL, "another program");
    cr_assert_eq(sql("SELECT count(*) FROM sqlite_master"), 1);
    unlink(path);
    expect_refusal_to_open(&existing, SWQ_EIO, "open");
    cr_assert_neq(access(path, F_OK), 0);
}

Test(store, later_schemas_are_refused)
{
    swq_store *s = open_five(&usual);

    swq_store_close(ctx, s);
    sql("PRAGMA user_version = 99");
    expect_refusal_to_open(&usual, SWQ_EINVAL, "later switchq (schema 99");
}

Test(store, a_database_that_stays_locked_is_named)
{
    const swq_store_options impatient = {.create = true, .patience_ms = 50};
    swq_store *s = open_five(&impatient);
    sqlite3 *db = NULL;
    swq_claimed got[1];
    int many = 7;

    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    cr_assert_eq(swq_store_claim(ctx, s, 1, got, &many), SWQ_EIO);
    cr_assert_eq(many, 0);
    cr_assert(strstr(swq_context_message(ctx), path) &&
                  strstr(swq_context_message(ctx), "another process"),
              "%s", swq_context_message(ctx));
    swq_context_cancel(ctx); /* a Ctrl-C does not wait for it */
    cr_assert_eq(swq_store_claim(ctx, s, 1, got, &many), SWQ_ECANCELLED);
    sqlite3_close(db);
    swq_store_close(ctx, s);
}

Test(store, to_look_is_not_to_touch)
{
    const swq_store_options look = {.read_only = true};
    swq_store *s = open_five(&usual);
    int64_t id[1];

    claim(s, 1, id);
    record(s, id[0], 0, "{}");
    swq_store_close(ctx, s);
    cr_assert_eq(chmod(path, 0444), 0);
    s = open_five(&look);
    cr_assert_eq(count(s).wanted, POINTS);
    cr_assert_eq(count(s).done, 1);
    cr_assert_eq(record(s, id[0], 0, "{}"), SWQ_EIO);
    cr_assert(strstr(swq_context_message(ctx), path));
    swq_store_close(ctx, s);
}

/* ---- memory ---- */

static swq_status all_of_it(void)
{
    swq_store *s = NULL;
    swq_claimed got[POINTS];
    int many = 0;
    swq_status status = swq_store_open(ctx, path, &usual, &s);

    if (!status)
        status = want_five(s);
    if (!status)
        status = swq_store_claim(ctx, s, POINTS, got, &many);
    if (!status)
        status = record(s, got[0].id, 0, "{}");
    for (int k = 0; k < many; k++)
        swq_free(ctx, got[k].words);
    swq_store_close(ctx, s);
    return status;
}

Test(store, every_failing_allocation_is_reported)
{
    swq_status status = SWQ_ENOMEM;
    size_t k = 0;

    for (; status; k++) {
        cr_assert(k < 200);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        swq_store *s = open_five(&usual); /* the points are there; parsing is tested elsewhere */
        swq_store_close(ctx, s);
        swq_study *study = test_study(ctx, "{command: solve, over: {load: [1, 2, 3, 4, 5]}}");
        swq_context_fail_allocations(ctx, k, false);
        swq_claimed got[POINTS];
        int many = 0;
        status = swq_store_open(ctx, path, &usual, &s);
        if (!status) {
            swq_status wanted = swq_store_begin(ctx, s);
            wanted = wanted ? wanted : swq_study_points(ctx, study, want, s);
            wanted = wanted ? wanted : swq_store_commit(ctx, s);
            status = wanted ? wanted : swq_store_claim(ctx, s, POINTS, got, &many);
            for (int c = 0; c < many; c++)
                swq_free(ctx, got[c].words);
            swq_store_close(ctx, s);
        }
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert(!status || status == SWQ_ENOMEM, "%zu: %s", k, swq_context_message(ctx));
        swq_study_free(ctx, study);
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", k);
    }
    cr_assert(k > 5, "only %zu allocations", k);
    cr_assert_eq(all_of_it(), SWQ_OK);
    cr_assert_eq(sql("SELECT count(*) FROM points WHERE state = 'running'"), 0);
}

/* ---- memory of SQLite's own ---- */

static sqlite3_mem_methods usual_memory;
static long allocations_left = LONG_MAX;
static bool has_failed;

static bool fails(void)
{
    if (allocations_left == LONG_MAX || allocations_left-- > 0)
        return false;
    allocations_left = LONG_MAX;
    return has_failed = true;
}

static void *failing_malloc(int bytes)
{
    return fails() ? NULL : usual_memory.xMalloc(bytes);
}

static void *failing_realloc(void *block, int bytes)
{
    return fails() ? NULL : usual_memory.xRealloc(block, bytes);
}

/* SQLite takes small blocks from a store of its own, unless told otherwise. */
static void take_memory_over(void)
{
    cr_assert_eq(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual_memory), SQLITE_OK);
    sqlite3_mem_methods failing = usual_memory;
    failing.xMalloc = failing_malloc;
    failing.xRealloc = failing_realloc;
    cr_assert_eq(sqlite3_config(SQLITE_CONFIG_MALLOC, &failing), SQLITE_OK);
    cr_assert_eq(sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0), SQLITE_OK);
}

/* Texts that are read from such a database are converted, in memory that may be lacking. */
static void make_wide(void)
{
    sqlite3 *db = NULL;

    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db,
                              "PRAGMA encoding = 'UTF-16'; CREATE TABLE t (x); DROP TABLE t; "
                              "PRAGMA schema_version = 0",
                              NULL, NULL, NULL),
                 SQLITE_OK);
    sqlite3_close(db);
}

static swq_status has_texts(void *rows, const swq_row *row)
{
    cr_expect(row->point && row->command && row->options && row->state);
    ++*(int *)rows;
    return SWQ_OK;
}

static swq_status is_text(void *arg, const char *what, int64_t number)
{
    (void)arg;
    cr_expect(!strstr(what, "(null)"), "%s: %lld", what, (long long)number);
    return SWQ_OK;
}

/* Opens the database and reads what is in it. To SQLite some blocks that it lacks look like a lock
 * of another process, for which a user would wait longer. */
static swq_status read_all(void)
{
    static const swq_store_options hurried = {.patience_ms = 20};
    swq_store *s = NULL;
    swq_store_counts counts;
    int rows = 0;
    swq_status status = swq_store_open(ctx, path, &hurried, &s);

    if (status)
        return status;
    status = swq_store_count(ctx, s, &counts);
    if (!status)
        status = swq_store_rows(ctx, s, NULL, has_texts, &rows);
    for (int of = 0; of < SWQ_TALLIES && !status; of++)
        status = swq_store_tally(ctx, s, (swq_tally)of, is_text, NULL);
    swq_store_close(ctx, s);
    return status;
}

Test(store, every_failing_allocation_of_sqlite_is_reported)
{
    long k = 0;
    int reported = 0;

    take_memory_over();
    make_wide();
    swq_store *first =
        open_five(&usual); /* while it is open, the others write nothing to the disk */
    const size_t blocks = swq_context_live_blocks(ctx);
    for (bool reached = true; reached; k++) {
        has_failed = false;
        allocations_left = k;
        const swq_status status = read_all();
        allocations_left = LONG_MAX;
        reached = has_failed;
        reported += status == SWQ_ENOMEM;
        cr_expect(!status || status == SWQ_ENOMEM, "%ld: %s", k, swq_context_message(ctx));
        cr_assert_eq(swq_context_live_blocks(ctx), blocks, "allocation %ld", k);
    }
    cr_expect_gt(reported, 10, "of %ld", k);
    cr_expect_eq(read_all(), SWQ_OK);
    swq_store_close(ctx, first);
}
