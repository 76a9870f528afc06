/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep from outside: answers are those of the commands, only what is missing is computed,
 * the number of workers and of processes changes nothing, failures and interruptions.
 */
#include "tests/cli/program.h"

#include <sqlite3.h>

TestSuite(study_sweep, .init = program_begin, .fini = program_end, .timeout = 480);

static const char switches[] = "command: solve\n"
                               "set: {ports: 2}\n"
                               "over:\n"
                               "  buffer: [fifo, damq]\n"
                               "  slots: [2, 4]\n"
                               "  load: {from: 0.1, to: 0.9, step: 0.1}\n"
                               "without:\n"
                               "  - {buffer: fifo, slots: 4}\n";

/* Repeats of simulations, an approximation, a formula, and a point that fails. */
static const char mixed[] = "command: sim\n"
                            "set: {topology: switch, slots: 4, cycles: 1000, flow: block}\n"
                            "over: {buffer: [fifo, damq], load: [0.3, 0.6]}\n"
                            "repeats: 3\n"
                            "---\n"
                            "command: approx\n"
                            "set: {slots: 4, flow: block, buffer: damq}\n"
                            "over: {load: [0.3, 1.5]}\n"
                            "---\n"
                            "{\"formula\": \"hol-saturation\", \"over\": {\"ports\": [2, 4]}}\n";

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* The first column of the first row as text; the caller's to free(). */
static char *sql(const char *database, const char *text)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;

    cr_assert_eq(sqlite3_open_v2(database, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, text, -1, &row, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    const int code = sqlite3_step(row);
    cr_assert(code == SQLITE_ROW || code == SQLITE_DONE, "%s", sqlite3_errmsg(db));
    const char *found = code == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : NULL;
    char *copy = strdup(found ? found : "");
    sqlite3_finalize(row);
    sqlite3_close(db);
    return copy;
}

static void expect_sql(const char *database, const char *text, const char *expected)
{
    char *found = sql(database, text);
    cr_expect_str_eq(found, expected, "%s: %s, not %s", text, found, expected);
    free(found);
}

/* Everything except times, places and the order in which points were finished. */
static char *content(const char *database)
{
    return sql(
        database,
        "SELECT group_concat(line, char(10)) FROM (SELECT point || ' ' || state || ' ' || "
        "ifnull(status, '') || ' ' || ifnull(message, '') || ' ' || options || ' ' || repeat "
        "|| ' ' || ifnull(seed, '') || ' ' || version || ' ' || ifnull(json_remove(answer, "
        "'$.solver.seconds', '$.run.cpu_seconds', '$.run.wall_seconds'), '') AS line FROM results "
        "ORDER BY point)");
}

/* ---- answers ---- */

Test(study_sweep, answers_are_those_of_the_commands)
{
    write_text("s.yaml", switches);
    cJSON *summary = program_json("sweep s.yaml --json --threads 2");
    cr_assert_eq(json_number(summary, "point_count"), 27);
    cr_assert_eq(json_number(summary, "done"), 27);
    cr_assert_eq(json_number(summary, "failed"), 0);
    cr_assert_eq(json_number(summary, "run.points_computed"), 27);
    cr_assert_eq(json_number(summary, "run.already_there"), 0);
    cr_assert_eq(json_number(summary, "run.workers"), 2);
    cJSON_Delete(summary);
    char *point = sql("s.db", "SELECT point FROM results WHERE options ->> '$.buffer' = 'damq' AND "
                              "options ->> '$.load' = 0.3 AND options ->> '$.slots' = 4");
    char *answer =
        sql("s.db", "SELECT answer FROM results WHERE options ->> '$.buffer' = 'damq' AND "
                    "options ->> '$.load' = 0.3 AND options ->> '$.slots' = 4");
    cr_assert_str_eq(point, "solve --buffer damq --load 0.3 --ports 2 --slots 4");
    cJSON *kept = cJSON_Parse(answer), *asked = program_json("%s --json", point);
    cJSON_DeleteItemFromObject(cJSON_GetObjectItem(kept, "solver"), "seconds");
    cJSON_DeleteItemFromObject(cJSON_GetObjectItem(asked, "solver"), "seconds");
    cr_assert(cJSON_Compare(kept, asked, true), "%s", answer);
    cJSON_Delete(kept);
    cJSON_Delete(asked);
    free(point);
    free(answer);
}

Test(study_sweep, the_points_are_listed_and_nothing_is_written)
{
    write_text("s.yaml", switches);
    program_run run = program_succeeds("sweep s.yaml --list");
    int lines = 0;

    for (const char *at = run.out; *at; at++)
        lines += *at == '\n';
    cr_assert_eq(lines, 27);
    cr_assert(
        strncmp(run.out, "switchq solve --buffer fifo --load 0.1 --ports 2 --slots 2\n", 59) == 0);
    program_free(&run);
    cJSON *summary = program_json("sweep s.yaml --dry-run --json");
    cr_assert_eq(json_number(summary, "point_count"), 27);
    cr_assert_eq(json_number(summary, "open"), 27);
    cr_assert_eq(json_number(summary, "to_compute"), 27);
    cJSON_Delete(summary);
    char *names = folder_names();
    cr_assert_str_eq(names, "s.yaml ");
    free(names);
}

/* Benchmarks, and values that contain commas, which may be lists within a list. */
Test(study_sweep, benchmarks_senders_and_counters_are_values)
{
    write_text("s.yaml", "command: sim\n"
                         "set: {stages: 3, ports: 4, buffer: damq, load: 0.3, cycles: 500}\n"
                         "over:\n"
                         "  benchmark: [I, II]\n"
                         "  sender: [window:1, 'bucket:0.2,64', [feedback:4, 2, 20]]\n"
                         "---\n"
                         "command: sim\n"
                         "set: {stages: 3, ports: 4, buffer: damq, load: 0.3, cycles: 500,\n"
                         "      flow: two-counter, benchmark: VI}\n"
                         "over: {two-counter: [H, [20, 8, 4, 2, 4]]}\n");
    program_run run = program_succeeds("sweep s.yaml --list");
    cr_expect(strstr(run.out, "--benchmark II"), "%s", run.out);
    cr_expect(strstr(run.out, "--sender feedback:4,2,20 "), "%s", run.out);
    cr_expect(strstr(run.out, "--two-counter 20,8,4,2,4\n"), "%s", run.out);
    program_free(&run);
    cJSON *summary = program_json("sweep s.yaml --json --threads 2");
    cr_expect_eq(json_number(summary, "done"), 8);
    cr_expect_eq(json_number(summary, "failed"), 0);
    cJSON_Delete(summary);
    char *sender = sql("s.db", "SELECT answer ->> '$.model.sender' FROM results WHERE "
                               "options ->> '$.benchmark' = 'II' AND "
                               "options ->> '$.sender' = 'feedback:4,2,20'");
    cr_expect_str_eq(sender, "feedback:4,2,20");
    free(sender);
}

Test(study_sweep, a_study_may_come_from_standard_input)
{
    program_run run = program_shell("echo '{command: solve, set: {buffer: damq, slots: 2, load: "
                                    "0.5}}' | \"$SWITCHQ\" sweep - --database x.db");
    cr_assert_eq(run.status, 0, "%s", run.err);
    program_free(&run);
    expect_sql("x.db", "SELECT count(*) FROM answers", "1");
}

/* ---- going on ---- */

Test(study_sweep, only_what_is_missing_is_computed)
{
    write_text("s.yaml", "command: solve\nover: {buffer: [damq, fifo], slots: [2], load: [0.5]}\n");
    write_text("more.yaml", "command: solve\nset: {load: 0.50}\nover: {slots: [2, 4], buffer: "
                            "[fifo, damq]}\n");
    program_run run = program_succeeds("sweep s.yaml --threads 1");
    program_free(&run);
    char *before = sql("s.db", "SELECT group_concat(finished || cpu_seconds) FROM points");
    cJSON *summary = program_json("sweep more.yaml --database s.db --json --threads 1");
    cr_assert_eq(json_number(summary, "point_count"), 4);
    cr_assert_eq(json_number(summary, "run.points_computed"), 2);
    cr_assert_eq(json_number(summary, "run.already_there"), 2);
    cJSON_Delete(summary);
    char *after = sql("s.db", "SELECT group_concat(finished || cpu_seconds) FROM (SELECT * FROM "
                              "points ORDER BY id LIMIT 2)");
    cr_assert_str_eq(after, before);
    summary = program_json("sweep more.yaml --database s.db --json");
    cr_assert_eq(json_number(summary, "run.points_computed"), 0);
    cJSON_Delete(summary);
    free(before);
    free(after);
}

Test(study_sweep, failures_are_kept_told_and_tried_again)
{
    write_text("s.yaml", mixed);
    program_run run = program("sweep s.yaml --threads 2");
    cr_assert_eq(run.status, 1);
    cr_assert(strstr(run.out, "15 done, 1 failed"), "%s", run.out);
    cr_assert(strstr(run.out, "failed: switchq approx") && strstr(run.out, "--load must be"), "%s",
              run.out);
    program_free(&run);
    expect_sql("s.db", "SELECT status || message FROM points WHERE state = 'failed'",
               "2--load must be a number from 0 to 1, not '1.5'");
    run = program("sweep s.yaml");
    cr_assert_eq(run.status, 1); /* not tried again, but not forgotten */
    cr_assert(strstr(run.out, "computed now 0") && strstr(run.out, "--retry"), "%s", run.out);
    program_free(&run);
    run = program_succeeds("sweep s.yaml --dry-run");
    cr_assert(strstr(run.out, "to be computed: 0\n"), "%s", run.out);
    program_free(&run);
    run = program_succeeds("sweep s.yaml --dry-run --retry");
    cr_assert(strstr(run.out, "to be computed: 1\n"), "%s", run.out);
    program_free(&run);
    run = program("sweep s.yaml --retry");
    cr_assert_eq(run.status, 1);
    cr_assert(strstr(run.out, "computed now 1"), "%s", run.out);
    program_free(&run);
}

Test(study_sweep, points_of_another_version_are_computed_again_when_told)
{
    write_text("s.yaml",
               "command: solve\nset: {buffer: damq, slots: 2}\nover: {load: [0.5, 0.6]}\n");
    program_run run = program_succeeds("sweep s.yaml");
    program_free(&run);
    free(sql("s.db", "UPDATE points SET version = '0.0.1' WHERE id = 1"));
    run = program_succeeds("sweep s.yaml");
    cr_assert(strstr(run.out, "another version") && strstr(run.out, "--again"), "%s", run.out);
    program_free(&run);
    run = program_succeeds("sweep s.yaml --again");
    cr_assert(strstr(run.out, "computed now 1"), "%s", run.out);
    program_free(&run);
    expect_sql("s.db", "SELECT count(*) FROM points WHERE version = '" SWQ_VERSION "'", "2");
}

/* ---- workers and processes ---- */

Test(study_sweep, the_number_of_workers_changes_nothing)
{
    write_text("s.yaml", mixed);
    program_run run = program("sweep s.yaml --threads 1 --database one.db");
    cr_assert_eq(run.status, 1);
    program_free(&run);
    run = program("sweep s.yaml --threads 4 --database four.db");
    cr_assert_eq(run.status, 1);
    program_free(&run);
    char *one = content("one.db"), *four = content("four.db");
    cr_assert(strlen(one) > 10000);
    cr_assert_str_eq(one, four);
    free(one);
    free(four);
}

Test(study_sweep, processes_side_by_side_share_the_points)
{
    write_text("s.yaml", mixed);
    program_run run = program("sweep s.yaml --threads 1 --database one.db");
    program_free(&run);
    run =
        program_shell("for k in 1 2 3; do \"$SWITCHQ\" sweep s.yaml --threads 1 --json > $k.json & "
                      "done; wait");
    cr_assert_str_empty(run.err);
    program_free(&run);
    double computed = 0;
    for (int k = 1; k <= 3; k++) {
        char name[20];
        snprintf(name, sizeof name, "%d.json", k);
        char *text = file_text(name);
        cJSON *summary = cJSON_Parse(text);
        cr_assert(summary, "%s", text);
        /* each process stays until everything is done */
        cr_assert_eq(json_number(summary, "done"), 15);
        computed += json_number(summary, "run.points_computed");
        cJSON_Delete(summary);
        free(text);
    }
    cr_assert_eq(computed, 16);
    char *one = content("one.db"), *shared = content("s.db");
    cr_assert_str_eq(one, shared);
    free(one);
    free(shared);
    char *names = folder_names(); /* no journal is left */
    cr_assert_str_eq(names, "1.json 2.json 3.json one.db s.db s.yaml ");
    free(names);
}

/* One process works on a long point; another one with --no-wait leaves it and ends. */
Test(study_sweep, a_process_may_leave_what_others_are_at)
{
    write_text("s.yaml", "command: sim\nset: {buffer: damq, slots: 4, topology: switch, load: 0.5, "
                         "cycles: 4000000000}\n");
    program_run run = program_shell("\"$SWITCHQ\" sweep s.yaml --threads 1 >/dev/null & p=$!; "
                                    "until \"$SWITCHQ\" sweep s.yaml --status --json 2>/dev/null | "
                                    "grep -q '\"running\":[[:space:]]*1'; do sleep 0.05; done; "
                                    "timeout 10 \"$SWITCHQ\" sweep s.yaml --no-wait --json; "
                                    "echo status $?; kill $p; wait $p");
    cr_assert(strstr(run.out, "\"points_computed\":\t0") && !strstr(run.out, "status 124"), "%s%s",
              run.out, run.err);
    program_free(&run);
}

static void interrupted(const char *signal)
{
    write_text("s.yaml", "command: sim\nset: {buffer: damq, slots: 4, topology: switch, cycles: "
                         "300000}\nover: {load: {from: 0.01, to: 1, step: 0.01}}\n");
    program_run run = program_shell("\"$SWITCHQ\" sweep s.yaml --threads 2 & p=$!; "
                                    "until [ -s s.db ]; do sleep 0.02; done; sleep 0.3; "
                                    "kill -%s $p; wait $p; echo status $?",
                                    signal);
    cr_assert(strstr(run.out, "status 1"), "%s%s", run.out, run.err);
    cr_assert(strstr(run.out, "interrupted; what was done is kept"), "%s%s", run.out, run.err);
    cr_assert_str_empty(run.err);
    program_free(&run);
    expect_sql("s.db", "SELECT count(*) FROM points WHERE state = 'running'", "0");
    expect_sql("s.db", "PRAGMA integrity_check", "ok");
    char *done = sql("s.db", "SELECT count(*) FROM answers");
    cJSON *summary = program_json("sweep s.yaml --dry-run --json");
    cr_assert_eq(json_number(summary, "done"), atoi(done));
    cr_assert_eq(json_number(summary, "open"), 100 - atoi(done));
    cJSON_Delete(summary);
    free(done);
}

Test(study_sweep, a_ctrl_c_keeps_what_was_done)
{
    interrupted("INT");
}

Test(study_sweep, so_does_the_end_of_a_job)
{
    interrupted("TERM");
}

Test(study_sweep, memory_is_shared_among_workers)
{
    write_text("big.yaml", "command: solve\nset: {buffer: damq, load: 0.9}\n"
                           "over: {slots: [4, 8]}\n"); /* of 0.2 and 1.1 MB */
    program_run run = program("sweep big.yaml --threads 2 --mem 2M");
    cr_assert_eq(run.status, 1);
    program_free(&run);
    expect_sql("big.db",
               "SELECT count(*) FROM points WHERE state = 'failed' AND status = 3 AND "
               "message LIKE '%memory%'",
               "1");
    expect_sql("big.db", "SELECT count(*) FROM points WHERE state = 'done'", "1");
    run = program_succeeds("sweep big.yaml --threads 1 --mem 2M --retry");
    program_free(&run);
}

/* ---- refusals ---- */

static void expect_bad(const char *study, const char *options, const char *name, const char *value)
{
    write_text("s.yaml", study);
    program_run run = program("sweep s.yaml %s", options);
    expect_refusal(&run, 2, name, value);
    program_free(&run);
}

Test(study_sweep, bad_input_is_named_before_anything_is_run)
{
    static const char good[] = "command: solve\nset: {buffer: damq, slots: 2, load: 0.5}\n";

    expect_bad("command: solve\nset: {slot: 2}\n", "", "s.yaml, line 2", "did you mean 'slots'");
    expect_bad("command: solve\nset: {ports: 2, json: true}\n", "", "s.yaml, line 2", "json");
    expect_bad("command: solve\nset: {slots: 2, save-config: x}\n", "", "save-config", "same file");
    expect_bad("command: sim\nset: {starts: x}\n", "", "starts", "same file");
    expect_bad("command: sim\nset: {watch: x}\n", "", "watch", "same file");
    expect_bad("command: solve\nset: {checkpoint: x}\n", "", "checkpoint", "same file");
    expect_bad("command: sim\nset: {config: x}\n", "", "config", "itself");
    expect_bad("command: sim\nset: {help-all: true}\n", "", "help-all", "asks nothing");
    expect_bad("command: approx\nset: {table: 4.4}\n", "", "table of approx", "each cell");
    expect_bad("command: sim\nset: {threads: 2}\n", "", "threads", "switchq sweep --threads");
    expect_bad("formula: hol-saturation\nset: {slots: 2}\n", "", "slots", "hol-saturation");
    expect_bad("formula: hol-saturatio\n", "", "line 1", "did you mean 'hol-saturation'");
    expect_bad("command: export\n", "", "'export'", "solve, sim, approx, formula");
    expect_bad(good, "--threads 0", "--threads", "'0'");
    expect_bad(good, "--mem nonsense", "--mem", "'nonsense'");
    expect_bad(good, "--mem 1", "--mem", "1 MB");
    expect_bad(good, "--database s.yaml", "--database", "s.yaml");
    expect_bad(good, "--database s.yaml/x.db", "s.yaml/x.db", "Not a directory");
    expect_bad(good, "--share 3/2", "switchq: --share", "'3'");
    expect_bad(good, "--status", "s.db", "no database");
    expect_bad(good, "--export xml --database s.yaml", "s.yaml", "database");
    expect_bad("formula: nothing-like-it\n", "", "line 1", "...");
    expect_bad(good, "--databsae x.db", "--databsae", "--database");
    program_run run = program("sweep");
    expect_refusal(&run, 2, "STUDY", NULL);
    program_free(&run);
    run = program("sweep nowhere.yaml");
    expect_refusal(&run, 2, "nowhere.yaml", "No such file");
    program_free(&run);
    char *names = folder_names();
    cr_assert_str_eq(names, "s.yaml ");
    free(names);
}

/* The grid of ABM takes hours: its points are listed. */
Test(study_sweep, the_examples_are_fine)
{
    program_run run = program_shell("for s in \"$SWITCHQ_SOURCE\"/examples/studies/*.yaml; do "
                                    "case $s in */compare*) continue;; */abm-grid*) list=--list;; "
                                    "*) list=;; esac; "
                                    "\"$SWITCHQ\" sweep $s $list --database x.db || exit 1; done");
    cr_assert_eq(run.status, 0, "%s%s", run.out, run.err);
    program_free(&run);
}
