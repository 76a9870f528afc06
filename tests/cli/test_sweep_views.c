/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep: --status, --export, --plot, --share and --merge, from outside. Numbers are held
 * against the command that a point is.
 */
#include "tests/cli/program.h"

#include <sqlite3.h>

TestSuite(sweep_views, .init = program_begin, .fini = program_end, .timeout = 240);

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Two buffers, two loads, and one point that fails: 3 slots cannot be divided among two queues. */
static const char mixed[] = "command: solve\n"
                            "over:\n"
                            "  buffer: [damq, samq]\n"
                            "  load: [0.5, '0.7,0.9']\n"
                            "  slots: [4, 3]\n";

static const char repeated[] = "command: sim\n"
                               "set: {slots: 4, flow: block, cycles: 5000, topology: switch}\n"
                               "over:\n"
                               "  buffer: [fifo, damq]\n"
                               "  load: [0.2, 0.4]\n"
                               "repeats: 3\n";

static void run_study(const char *text)
{
    write_text("study.yaml", text);
    program_run run = program("sweep study.yaml --threads 2 2>/dev/null");
    cr_assert(run.status == 0 || run.status == 1, "%d", run.status);
    program_free(&run);
}

/* Field `column` (0, 1, ...) of line `line` of a CSV text without quoted line ends, unquoted, up to
 * a comma outside quotes. */
static void csv_field(const char *text, int line, int column, char *field, size_t size)
{
    for (; line > 0; line--) {
        text = strstr(text, "\r\n");
        cr_assert_not_null(text);
        text += 2;
    }
    for (bool quoted = false; column > 0; text++) {
        cr_assert(*text && (quoted || *text != '\r'));
        if (*text == '"')
            quoted = !quoted;
        column -= *text == ',' && !quoted;
    }
    size_t used = 0;
    for (bool quoted = *text == '"'; text[quoted] && used + 1 < size; text++) {
        if (quoted ? text[1] == '"' : (*text == ',' || *text == '\r'))
            break;
        field[used++] = text[quoted];
    }
    field[used] = '\0';
}

static int csv_column(const char *text, const char *name)
{
    char field[200] = "";

    for (int column = 0; column < 200; column++) {
        csv_field(text, 0, column, field, sizeof field);
        if (strcmp(field, name) == 0)
            return column;
    }
    cr_assert_fail("no column %s", name);
    return -1;
}

static int csv_lines(const char *text)
{
    int lines = 0;

    for (; (text = strstr(text, "\r\n")) != NULL; text += 2)
        lines++;
    return lines - 1; /* without the header */
}

Test(sweep_views, export_csv)
{
    char field[200];

    run_study(mixed);
    program_run run = program_succeeds("sweep study.yaml --export csv");
    cr_assert_eq(csv_lines(run.out), 8);
    cr_assert_eq(
        strncmp(run.out, "command,buffer,load,slots,repeat,seed,version,state,message,result.", 66),
        0, "%.100s", run.out);
    const int load = csv_column(run.out, "load"), state = csv_column(run.out, "state"),
              message = csv_column(run.out, "message"),
              discard = csv_column(run.out, "result.discard_probability");

    /* the third point: a value with a comma is one field, and its answer is the command's, digit by
     * digit */
    cr_assert_not_null(strstr(run.out, ",\"0.7,0.9\","));
    csv_field(run.out, 3, load, field, sizeof field);
    cr_assert_str_eq(field, "0.7,0.9");
    csv_field(run.out, 3, state, field, sizeof field);
    cr_assert_str_eq(field, "done");
    csv_field(run.out, 3, discard, field, sizeof field);
    cJSON *answer = program_json("solve --buffer damq --load 0.7,0.9 --slots 4 --json");
    cr_assert_eq(strtod(field, NULL), json_number(answer, "result.discard_probability"));
    program_run direct = program_succeeds("solve --buffer damq --load 0.7,0.9 --slots 4 --json");
    cr_assert(strstr(direct.out, field), "%s is not as the command prints it", field);
    program_free(&direct);
    cJSON_Delete(answer);

    /* and a point that failed has a message and no result */
    csv_field(run.out, 6, state, field, sizeof field);
    cr_assert_str_eq(field, "failed");
    csv_field(run.out, 6, message, field, sizeof field);
    cr_assert_not_null(strstr(field, "slots must"), "%s", field);
    csv_field(run.out, 6, discard, field, sizeof field);
    cr_assert_str_eq(field, "");
    program_free(&run);
}

Test(sweep_views, export_json_and_file)
{
    run_study(mixed);
    cJSON *rows = program_json("sweep study.yaml --export json");
    cr_assert_eq(cJSON_GetArraySize(rows), 8);
    const cJSON *third = cJSON_GetArrayItem(rows, 2);
    cr_assert_str_eq(json_string(third, "load"), "0.7,0.9");
    cr_assert_str_eq(json_string(third, "state"), "done");
    cr_assert_eq(json_number(third, "slots"), 4);
    cr_assert(
        cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(third, "result.discard_probability")));
    cr_assert_null(cJSON_GetObjectItemCaseSensitive(third, "message"));
    cJSON_Delete(rows);

    program_run run = program_succeeds("sweep study.yaml --export csv");
    program_run file = program_succeeds("sweep study.yaml --export csv -o table.csv");
    char *text = file_text("table.csv");
    cr_assert_str_eq(text, run.out);
    free(text);
    program_free(&run);
    program_free(&file);
    run = program("sweep study.yaml --export xml");
    expect_refusal(&run, 2, "--export", "xml");
    program_free(&run);
}

/* Two exports of a study from two databases are the same bytes: they contain no times. */
/* Whatever a command finds is in the table, and a point that finds nothing has failed. */
Test(sweep_views, every_answer_is_exported)
{
    static const char *const answers[] = {"model.slots",
                                          "model.load",
                                          "exact.throughput.decimal",
                                          "saturation.load_least",
                                          "delay.p99",
                                          "result.throughput.mean",
                                          "result.labels.deadlock.probability"};

    write_text("two.tra", "2 2\n0 1 1\n1 0 1\n");
    write_text("two.lab", "0=\"init\" 1=\"deadlock\"\n0: 0\n1: 1\n");
    run_study("- command: solve\n"
              "  set: {buffer: damq, load: 0.5, target: 0.01}\n"
              "- command: solve\n"
              "  set: {buffer: damq, slots: 2, target: 0.01}\n"
              "- command: solve\n"
              "  set: {buffer: damq, slots: 2, load: 1/2, exact: true}\n"
              "- command: sim\n"
              "  set: {topology: switch, buffer: damq, slots: 2, find-saturation: true}\n"
              "- command: solve\n"
              "  set: {buffer: damq, slots: 2, load: 0.5, delay: true}\n"
              "- command: approx\n"
              "  set: {buffer: damq, slots: 2, flow: block}\n"
              "  over: {load: [0.2, '0.1:0.3:0.1']}\n"
              "- command: solve\n"
              "  set: {chain: two.tra}\n"
              "- formula: output-queue\n"
              "  set: {ports: 2, load: '0.1:0.3:0.1'}\n");
    cJSON *rows = program_json("sweep study.yaml --export json");
    cr_assert_eq(cJSON_GetArraySize(rows), 9);
    for (int k = 0, answer = 0; k < 9; k++) {
        const cJSON *row = cJSON_GetArrayItem(rows, k);
        if (k == 6 || k == 8) { /* the ranges */
            cr_expect_str_eq(json_string(row, "state"), "failed");
            cr_expect(strstr(json_string(row, "message"), "several values"));
            continue;
        }
        cr_expect_str_eq(json_string(row, "state"), "done", "%d", k);
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(row, answers[answer++]);
        cr_expect(cJSON_IsNumber(value), "point %d has no %s", k, answers[answer - 1]);
    }
    cJSON_Delete(rows);
    program_run plot =
        program_shell("\"$SWITCHQ\" sweep study.yaml --plot x=slots y=load where target=0.01 -o "
                      "plot.svg 2>/dev/null");
    char *drawn = file_text("plot.svg");
    cr_expect(strstr(drawn, "load over slots"));
    free(drawn);
    program_free(&plot);
    write_text("bare.tra", "2 2\n0 1 1\n1 0 1\n");
    run_study("command: solve\nset: {chain: bare.tra}\n");
    rows = program_json("sweep study.yaml --export json");
    cr_expect(strstr(json_string(cJSON_GetArrayItem(rows, 0), "message"), "no number"));
    cJSON_Delete(rows);
}

Test(sweep_views, export_is_reproducible)
{
    run_study("[{command: sim, set: {slots: 4, flow: block, cycles: 500, topology: switch},"
              " over: {buffer: [fifo, damq], load: [0.2, 0.4]}, repeats: 3},"
              " {command: approx, set: {slots: 4, flow: block, buffer: damq, load: 0.3}}]");
    program_run one = program_succeeds("sweep study.yaml --export csv");
    program_run again = program("sweep study.yaml --database other.db --threads 1 2>/dev/null");
    cr_assert_eq(again.status, 0);
    program_run two = program_succeeds("sweep study.yaml --database other.db --export csv");
    cr_assert_str_eq(one.out, two.out);
    cr_assert_eq(csv_lines(one.out), 13);
    cr_assert_not_null(strstr(one.out, "result.latency_cycles.half_width"));
    cr_assert_not_null(strstr(one.out, "result.latency_cycles"));
    program_free(&one);
    program_free(&two);
    program_free(&again);
}

Test(sweep_views, status)
{
    run_study(mixed);
    cJSON *tree = program_json("sweep study.yaml --status --json");
    cr_assert_eq(json_number(tree, "point_count"), 8);
    cr_assert_eq(json_number(tree, "done"), 6);
    cr_assert_eq(json_number(tree, "failed"), 2);
    cr_assert_eq(json_number(tree, "open") + json_number(tree, "running"), 0);
    const cJSON *reasons = json_at(tree, "reasons"), *versions = json_at(tree, "versions");
    cr_assert_eq(cJSON_GetArraySize(reasons), 1, "both failed for one reason");
    cr_assert_eq(json_number(reasons->child, "point_count"), 2);
    cr_assert_not_null(strstr(json_string(reasons->child, "message"), "slots must"));
    cr_assert_eq(cJSON_GetArraySize(versions), 1);
    cr_assert_eq(json_number(versions->child, "point_count"), 8);
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "at_work")), 0);
    cJSON_Delete(tree);
    program_run run = program_succeeds("sweep study.yaml --status");
    cr_assert_not_null(strstr(run.out, "8 points"));
    cr_assert_not_null(strstr(run.out, "done        6  (75%)"), "%s", run.out);
    program_free(&run);
}

/* Dead processes keep their claims until somebody needs them, and have no pace. */
Test(sweep_views, status_after_a_kill)
{
    FILE *file = fopen("study.yaml", "w");
    cr_assert_not_null(file);
    fputs("command: sim\nset: {buffer: damq, slots: 4, load: 0.5}\n"
          "over: {cycles: [100, 1000000000]}\n",
          file);
    fclose(file);
    program_run run =
        program_shell("timeout -s KILL 2 \"$SWITCHQ\" sweep study.yaml --threads 1 2>/dev/null");
    program_free(&run);
    run = program_succeeds("sweep study.yaml --status");
    cr_assert(strstr(run.out, "done        1") && strstr(run.out, "under way   1"), "%s", run.out);
    cr_assert_not_null(strstr(run.out, "(gone)"), "%s", run.out);
    cr_assert_not_null(strstr(run.out, "nobody is at work"), "%s", run.out);
    cr_assert_null(strstr(run.out, "pace"), "%s", run.out);
    program_free(&run);
    cJSON *tree = program_json("sweep study.yaml --status --json");
    cr_assert(cJSON_IsNull(json_at(tree, "seconds_left")));
    cJSON_Delete(tree);
}

Test(sweep_views, what_does_not_go_together)
{
    static const char *const pair[][2] = {
        {"--list", "--status"},      {"--list", "--dry-run"},
        {"--list", "--json"},        {"--dry-run", "--status"},
        {"--retry", "--export csv"}, {"--threads 2", "--merge other.db"},
        {"--status", "--export csv"}};

    run_study(mixed);
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++) {
        program_run run = program("sweep study.yaml %s %s", pair[k][0], pair[k][1]);
        cr_assert_eq(run.status, 2, "%s %s: %d", pair[k][0], pair[k][1], run.status);
        cr_assert_str_empty(run.out);
        program_free(&run);
    }
}

/* ---- shares and merging ---- */

Test(sweep_views, shares_merge_to_the_whole)
{
    run_study(repeated);
    program_run whole = program_succeeds("sweep study.yaml --export csv");
    for (int k = 1; k <= 3; k++) {
        program_run part = program("sweep study.yaml --share %d/3 --database part-%d.db "
                                   "--threads 1 2>/dev/null",
                                   k, k);
        cr_assert_eq(part.status, 0);
        program_free(&part);
        cJSON *tree = program_json("sweep study.yaml --share %d/3 --database part-%d.db "
                                   "--status --json",
                                   k, k);
        cr_assert_eq(json_number(tree, "point_count"), 4);
        cr_assert_eq(json_number(tree, "done"), 4);
        cJSON_Delete(tree);
    }
    program_run merge = program_succeeds(
        "sweep study.yaml --database all.db --merge part-1.db part-2.db part-3.db");
    cr_assert_not_null(strstr(merge.out, "12 answers taken"), "%s", merge.out);
    cr_assert_not_null(strstr(merge.out, "12 of 12"), "%s", merge.out);
    program_run merged = program_succeeds("sweep study.yaml --database all.db --export csv");
    cr_assert_str_eq(merged.out, whole.out);
    program_free(&merge);
    program_free(&merged);

    /* answers that exist already do not count */
    merge = program_succeeds("sweep study.yaml --database all.db --merge part-*.db");
    cr_assert_not_null(strstr(merge.out, "0 answers taken, 12 there already"), "%s", merge.out);
    program_free(&merge);
    program_free(&whole);
}

static void change(const char *database, const char *sql)
{
    sqlite3 *db;
    char *message = NULL;

    cr_assert_eq(sqlite3_open(database, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, &message), SQLITE_OK, "%s", message);
    sqlite3_close(db);
}

/* Answers that differ are an error that names point and number, and nothing is merged; on request
 * the newer one is taken. Times may differ. */
Test(sweep_views, merge_conflicts)
{
    run_study("command: solve\nset: {buffer: damq, slots: 4}\nover: {load: [0.5, 0.9]}\n");
    program_run copy = program_shell("cp study.db other.db && cp study.db before.db");
    cr_assert_eq(copy.status, 0);
    program_free(&copy);
    change("other.db", "UPDATE answers SET answer = json_set(answer, '$.solver.seconds', 99)");
    program_run merge = program_succeeds("sweep study.yaml --merge other.db");
    cr_assert_not_null(strstr(merge.out, "2 there already"), "%s", merge.out);
    program_free(&merge);

    change("other.db", "UPDATE answers SET answer = json_set(answer, '$.result.throughput', 0.25) "
                       "WHERE point = 2; UPDATE points SET finished = '2999-01-01T00:00:00Z'");
    merge = program("sweep study.yaml --merge other.db");
    expect_refusal(&merge, 2, "--load 0.9", "result.throughput");
    cr_assert_not_null(strstr(merge.err, "other.db"));
    program_free(&merge);
    merge = program_succeeds("sweep study.yaml --export csv");
    cr_assert_null(strstr(merge.out, ",0.25,"));
    program_free(&merge);

    merge = program_succeeds("sweep study.yaml --merge other.db --prefer newest");
    cr_assert_not_null(strstr(merge.out, "1 replaced by newer"), "%s", merge.out);
    program_free(&merge);
    merge = program_succeeds("sweep study.yaml --export csv");
    cr_assert_not_null(strstr(merge.out, ",0.25,"));
    program_free(&merge);
    /* now the one from before is older */
    merge = program_succeeds("sweep study.yaml --merge before.db --prefer newest");
    cr_assert_null(strstr(merge.out, "replaced"), "%s", merge.out);
    program_free(&merge);
}

/* If one part is bad, nothing of the good one before it is merged. */
Test(sweep_views, merge_is_whole_or_not)
{
    write_text("study.yaml",
               "command: solve\nset: {buffer: damq, slots: 4}\nover: {load: [0.5, 0.9]}\n");
    program_run part = program("sweep study.yaml --database part.db 2>/dev/null");
    cr_assert_eq(part.status, 0);
    program_free(&part);
    write_text("junk.db", "this is not a database at all, but long enough to look at; "
                          "this is not a database at all, but long enough to look at");
    program_run merge = program("sweep study.yaml --merge part.db junk.db");
    expect_refusal(&merge, 2, "junk.db", NULL);
    program_free(&merge);
    cJSON *tree = program_json("sweep study.yaml --status --json");
    cr_assert_eq(json_number(tree, "done"), 0);
    cJSON_Delete(tree);
    merge = program("sweep study.yaml --merge missing.db");
    cr_assert_neq(merge.status, 0);
    cr_assert_not_null(strstr(merge.err, "missing.db"));
    program_free(&merge);
    merge = program("sweep study.yaml --merge study.db");
    expect_refusal(&merge, 2, "study.db", "own");
    program_free(&merge);
    merge = program("sweep study.yaml --merge");
    expect_refusal(&merge, 2, "--merge", NULL);
    program_free(&merge);
    merge = program("sweep study.yaml --merge part.db --prefer oldest");
    expect_refusal(&merge, 2, "--prefer", "oldest");
    program_free(&merge);
}

Test(sweep_views, shares_of_slurm)
{
    static const char *const refused[][2] = {
        {"0/3", "1"},
        {"4/3", "3"},
        {"1/0", "1"},
        {"x/3", "x"},
        {"3", "K/N"},
        {"1/2/3", "2/3"},
        {"slurm", "SLURM_ARRAY_TASK_ID"},
    };

    write_text("study.yaml",
               "command: solve\nset: {buffer: damq, slots: 4}\nover: {load: [0.1, 0.2, 0.3]}\n");
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        program_run run = program("sweep study.yaml --share %s", refused[k][0]);
        expect_refusal(&run, 2, "--share", refused[k][1]);
        program_free(&run);
    }
    /* sbatch --array=4-8:2: the second of three */
    program_run run =
        program_shell("SLURM_ARRAY_TASK_ID=6 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=4 "
                      "SLURM_ARRAY_TASK_STEP=2 $SWITCHQ sweep study.yaml --share slurm "
                      "--database two.db >/dev/null 2>&1 && "
                      "$SWITCHQ sweep study.yaml --database two.db --export csv --share 2/3");
    cr_assert_eq(run.status, 0, "%s", run.err);
    cr_assert_eq(csv_lines(run.out), 1);
    cr_assert_not_null(strstr(run.out, "solve,damq,0.2,4,"), "%s", run.out);
    program_free(&run);
    run = program_shell("SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 "
                        "$SWITCHQ sweep study.yaml --share slurm");
    expect_refusal(&run, 2, "slurm", "7");
    program_free(&run);
}

/* ---- plots ---- */

static void need_gnuplot(void)
{
    if (system("command -v gnuplot >/dev/null 2>&1") != 0)
        cr_skip_test("no gnuplot here");
}

static char *plotted(const char *words)
{
    program_run run = program_succeeds("sweep study.yaml --plot %s -o plot.svg", words);
    program_free(&run);
    char *text = file_text("plot.svg");
    cr_assert_not_null(strstr(text, "</svg>"));
    return text;
}

Test(sweep_views, plot_of_repeats)
{
    need_gnuplot();
    run_study(repeated);
    char *text = plotted("x=load y=latency by=buffer");
    cr_assert_not_null(strstr(text, "fifo (3 repeats, 95%)"));
    cr_assert_not_null(strstr(text, "damq (3 repeats, 95%)"));
    free(text);
    text = plotted("x=load y=result.latency_cycles.mean where buffer=damq logx logy");
    free(text);
    text = plotted("'x=throughput y=latency by=buffer,repeat' where load=0.20");
    cr_assert_not_null(strstr(text, "damq, repeat 0 (95%)"), "an interval of its own");
    cr_assert_not_null(strstr(text, "load 0.2,"));
    free(text);
}

/* A program in gnuplot's place keeps what it receives: the script for "sweep study.yaml --plot
 * WORDS". */
static char *script_of(const char *words)
{
    program_run run =
        program_shell("mkdir -p bin && printf '#!/bin/sh\ncp \"$1\" seen\n' >bin/gnuplot "
                      "&& chmod +x bin/gnuplot && PATH=$PWD/bin:$PATH $SWITCHQ sweep "
                      "study.yaml --plot %s -o plot.svg",
                      words);

    cr_assert_eq(run.status, 0, "%s", run.err);
    program_free(&run);
    return file_text("seen");
}

Test(sweep_views, axes_have_the_units_of_their_answers)
{
    static const char *const study[][2] = {
        {"command: sim\nset: {slots: 4, cycles: 300, buffer: damq}\nover: {load: [0.2, 0.4]}\n",
         "throughput (packets per node and cycle)"},
        {"command: sim\nset: {engine: async, cycles: 2000, buffer: damq}\nover: {load: [0.2, "
         "0.4]}\n",
         "throughput (of the links' bandwidth, per node)"},
        {"command: solve\nset: {slots: 4, buffer: damq}\nover: {load: [0.2, 0.4]}\n",
         "throughput (packets per output and cycle)"},
    };

    for (size_t k = 0; k < sizeof study / sizeof *study; k++) {
        run_study(study[k][0]);
        char *text = script_of("x=throughput y=latency");
        cr_expect(strstr(text, "cycles)"), "%s", text);
        char quoted[80], *at = quoted; /* gnuplot's strings have an apostrophe as \0047 */
        for (const char *c = study[k][1]; *c; c++)
            at += *c == '\'' ? sprintf(at, "\\0047") : sprintf(at, "%c", *c);
        cr_expect(strstr(text, quoted), "%s: %s", quoted, text);
        free(text);
        program_run run = program_shell("rm -rf study.db* study.sqlite* *.db");
        program_free(&run);
    }
}

/* A network of fifos saturates below 0.9; repeats are one point. */
Test(sweep_views, points_past_saturation_are_hollow)
{
    run_study("command: sim\nset: {slots: 4, stages: 2, flow: block, cycles: 2000, buffer: fifo}\n"
              "over: {load: [0.3, 0.9]}\nrepeats: 2\n");
    program_run run = program_shell(
        "PATH=/nowhere $SWITCHQ sweep study.yaml --plot x=load y=throughput -o p.csv");
    char *table = file_text("p.csv"), *low = csv_cell(table, 1, "past_saturation"),
         *high = csv_cell(table, 2, "past_saturation");

    cr_expect_str_eq(low, "false");
    cr_expect_str_eq(high, "true");
    free(low);
    free(high);
    free(table);
    program_free(&run);
}

/* The words of the question that all points share, without what an axis or the legend says; and
 * what was chosen, once. */
Test(sweep_views, titles_have_the_words_of_the_question)
{
    run_study(
        "command: solve\nset: {slots: 3, ports: 2}\nover: {buffer: [damq, fifo], alpha: [1, 2], "
        "admission: [threshold], load: [0.3, 0.6]}\n");
    char *text = script_of("x=load y=discard by=buffer where alpha=2");
    cr_expect(strstr(text, "set title \"study.yaml: discard probability over load\\00122 x 2, "
                           "3 slots per input port, ") &&
                  strstr(text, "alpha 2,\\0012admission threshold\" noenhanced"),
              "%s", text);
    cr_expect(strstr(text, "set xlabel \"load (packets that a source creates per cycle)\""), "%s",
              text);
    free(text);
    text = script_of("x=load y=result.throughput by=buffer,alpha where command=solve load=0.3");
    cr_expect(strstr(text, "study.yaml: result.throughput over load"), "%s", text);
    cr_expect(strstr(text, "admission\\0012threshold, command solve, load 0.3"), "%s", text);
    free(text);
}

/* The interval of two repeats has 12.7 times their standard error: it must not decide the axis. */
Test(sweep_views, long_bars_are_cut)
{
    double end = NAN;

    run_study(
        "command: sim\nset: {slots: 4, cycles: 60, warmup: 0, buffer: damq, topology: switch, "
        "flow: block}\nover: {load: [0.3, 1]}\nrepeats: 2\n");
    char *text = script_of("x=load y=latency by=buffer");
    const char *at = strstr(text, "set yrange [0:");
    cr_assert(at && sscanf(at, "set yrange [0:%lf]", &end) == 1 && end < 5, "%s", text);
    free(text);
}

/* What gnuplot receives: the mean of the repeats with its t-interval, or the run's own interval. */
Test(sweep_views, plotted_numbers)
{
    static const double t = 4.302652729911275; /* 97.5% point, two degrees of freedom */
    double y[3], x, mean, half;

    run_study(repeated);
    cJSON *rows = program_json("sweep study.yaml --export json");
    for (int k = 0; k < 3; k++) { /* damq at load 0.4 comes last */
        const cJSON *row = cJSON_GetArrayItem(rows, 9 + k);
        cr_assert_str_eq(json_string(row, "buffer"), "damq");
        cr_assert_eq(json_number(row, "load"), 0.4);
        y[k] = cJSON_GetObjectItemCaseSensitive(row, "result.latency_cycles.mean")->valuedouble;
    }
    const double own = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(rows, 11),
                                                        "result.latency_cycles.half_width")
                           ->valuedouble;
    cJSON_Delete(rows);

    char *text = script_of("x=load y=latency by=buffer");
    const char *at = strstr(text, "$curve0_1 << END\n0.2");
    cr_assert_not_null(at, "the second curve is damq, and begins at load 0.2: %s", text);
    at = strchr(strchr(at, '\n') + 1, '\n') + 1;
    cr_assert_eq(sscanf(at, "%lf %lf %lf", &x, &mean, &half), 3, "%s", at);
    const double expected = (y[0] + y[1] + y[2]) / 3;
    double squares = 0;
    for (int k = 0; k < 3; k++)
        squares += (y[k] - expected) * (y[k] - expected);
    cr_assert_eq(x, 0.4);
    assert_relative(mean, expected, 1e-14, "%.17g, not %.17g", mean, expected);
    assert_relative(half, t * sqrt(squares / 6), 1e-9, "%.17g", half);
    free(text);

    text = script_of("x=load y=latency by=buffer,repeat where load=0.4");
    at = strstr(text, "$curve0_5 << END\n");
    cr_assert_eq(sscanf(at, "$curve0_5 << END %lf %lf %lf", &x, &mean, &half), 3);
    cr_assert_eq(mean, y[2]);
    cr_assert_eq(half, own);
    free(text);
}

Test(sweep_views, plots_refused)
{
    static const char *const refused[][3] = {
        {"x=load", "y=KEY", NULL},
        {"y=latency", "x=KEY", NULL},
        {"x=load y=discard by=bufer", "bufer", NULL},
        {"x=load y=discard where slts=4", "slts", NULL},
        {"x=load y=discard nonsense", "nonsense", NULL},
        {"x=load x=slots y=discard", "twice", NULL},
        {"x=load y=discard where slots=9", "no point", NULL},
        {"x=slots y=discard by=buffer", "load", "by="},
        {"x=load y=discard where slots=4 by=bufer", "by 'bufer'", NULL},
    };

    run_study("command: solve\nover: {buffer: [damq, fifo], load: [0.5, 0.9], slots: [4, 6]}\n");
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        program_run run = program("sweep study.yaml --plot %s -o plot.svg", refused[k][0]);
        cr_assert_eq(run.status, 2, "%s: %d", refused[k][0], run.status);
        cr_assert_not_null(strstr(run.err, refused[k][1]), "%s: %s", refused[k][0], run.err);
        cr_assert(!refused[k][2] || strstr(run.err, refused[k][2]), "%s", run.err);
        cr_assert_str_empty(run.out);
        program_free(&run);
    }
    /* nothing can be drawn on a logarithmic axis */
    write_text("idle.yaml", "{command: solve, set: {buffer: fifo, slots: 2, load: 0}}\n");
    program_run none = program("sweep idle.yaml");
    cr_assert_eq(none.status, 0);
    program_free(&none);
    none = program("sweep idle.yaml --plot x=load y=discard logy -o plot.svg");
    expect_refusal(&none, 2, "logarithmic", "--plot");
    program_free(&none);
    /* an unknown key: the message lists the existing ones, options and results */
    program_run run = program("sweep study.yaml --plot x=load y=latancy by=buffer -o plot.svg");
    cr_assert_eq(run.status, 2);
    cr_assert_not_null(strstr(run.err, "latancy"));
    cr_assert_not_null(strstr(run.err, "result.mean_delay_cycles"));
    cr_assert_not_null(strstr(run.err, "slots"));
    program_free(&run);
    run = program("sweep study.yaml --plot x=load y=discard by=buffer,slots -o plot.eps");
    expect_refusal(&run, 2, "plot.eps", ".svg");
    program_free(&run);
    char *names = folder_names();
    cr_assert_null(strstr(names, "plot"), "%s", names);
    free(names);
}
