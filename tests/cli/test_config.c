/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run saved in a file and run from it: the same answer; what is given on the command line goes
 * before; mistakes in a file are told with file and line.
 */
#include "tests/cli/every_option.h"
#include "tests/cli/program.h"

#include <unistd.h>

static void begin(void)
{
    program_begin();
    every_option_files();
}

TestSuite(cli_config, .init = begin, .fini = program_end, .timeout = 480);

static void strip(cJSON *tree)
{
    static const char *const ours[] = {"seconds", "cpu_seconds", "wall_seconds", "peak_bytes",
                                       "asked"};

    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
        cJSON_DeleteItemFromObjectCaseSensitive(tree, ours[k]);
    for (cJSON *item = tree->child; item; item = item->next)
        strip(item);
}

/* The answer to a line, as JSON. */
static cJSON *answer(const char *command, const char *line)
{
    program_run run = program("%s %s --json", command, line);
    cJSON *tree = cJSON_Parse(run.out);

    cr_assert(tree, "%s: %.300s", run.arguments, run.err);
    strip(tree);
    program_free(&run);
    return tree;
}

Test(cli_config, a_saved_run_gives_the_same_answer)
{
    char line[1000];

    for (const every_base *base = every_bases; base->command; base++) {
        if (strcmp(base->command, "export") == 0)
            continue;
        program_run gone = program_shell("rm -f c.yaml");
        program_free(&gone);
        snprintf(line, sizeof line, "%s --save-config c.yaml", base->line);
        cJSON *first = answer(base->command, line),
              *again = answer(base->command, "--config c.yaml");
        cr_expect(cJSON_Compare(first, again, true), "%s [%s]: another answer from the file",
                  base->command, base->name);
        cJSON_Delete(first);
        cJSON_Delete(again);
    }
}

/* Formulas and exports; and a second file written from the first. */
/* Lists in a file are ranges, also of values that contain commas, and of benchmarks. */
Test(cli_config, lists_are_ranges)
{
    FILE *to = fopen("c.yaml", "w");
    static const char text[] = "command: sim\n"
                               "set:\n"
                               "  stages: 3\n"
                               "  ports: 4\n"
                               "  buffer: damq\n"
                               "  load: 0.3\n"
                               "  cycles: 500\n"
                               "  warmup: 100\n"
                               "  benchmark: [I, II]\n"
                               "  sender: [window:1, 'bucket:0.2,64', tokens:900]\n";

    cr_assert(to && fputs(text, to) >= 0 && fclose(to) == 0);
    cJSON *file = answer("sim", "--config c.yaml --save-config d.yaml"),
          *again = answer("sim", "--config d.yaml"),
          *line = answer("sim", "--stages 3 --ports 4 --buffer damq --load 0.3 --cycles 500 "
                                "--warmup 100 --benchmark I,II "
                                "--sender window:1,bucket:0.2,64,tokens:900");

    cr_expect_eq(cJSON_GetArraySize(json_at(file, "points")), 6);
    cr_expect(cJSON_Compare(file, line, true));
    cr_expect(cJSON_Compare(file, again, true));
    cJSON_Delete(file);
    cJSON_Delete(again);
    cJSON_Delete(line);
}

Test(cli_config, every_command_has_it)
{
    static const char *const lines[][2] = {
        {"formula", "output-queue --load 0.1:0.9:0.4 --ports 2 --csv"},
        {"table", "4.1 --arbiter longest --csv"},
        {"validate", "--list"},
        {"sim", "--topology torus --dims 4x4 --buffer damq --bytes 256 --load 0.1 --cycles 2000 "
                "--group mask=1,value=0,load=0.3 --group mask=1,value=1 --csv"},
        {"solve", "--chain=chain.tra --rewards='re wards'\\''s.txt' --csv"},
    };

    program_run copy = program_shell("cp rewards.txt \"re wards's.txt\"");
    program_free(&copy);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        program_run one = program_succeeds("%s %s --save-config a.yaml", lines[k][0], lines[k][1]);
        program_run other =
            program_succeeds("%s --config a.yaml --save-config b.yaml", lines[k][0]);
        char *a = file_text("a.yaml"), *b = file_text("b.yaml");
        cr_expect_str_eq(one.out, other.out, "%s %s", lines[k][0], lines[k][1]);
        cr_expect_str_eq(a, b);
        free(a);
        free(b);
        program_free(&one);
        program_free(&other);
    }
    program_run out = program_shell(
        "\"$SWITCHQ\" export --format mtx -o x --buffer damq --slots 2 --load 0.5 --save-config "
        "e.yaml && cp x.mtx y.mtx && \"$SWITCHQ\" export --config e.yaml && cmp x.mtx y.mtx");
    cr_expect_eq(out.status, 0, "%s", out.err);
    program_free(&out);
}

/* What is computed on threads is freed when the file is written. */
Test(cli_config, ranges_are_saved)
{
    static const char *const lines[] = {
        "solve --buffer damq --slots 2 --load 0.1:0.5:0.1",
        "solve --topology omega --stages 2 --ports 2 --buffer fifo --slots 1 --load 0.1:0.5:0.4",
        "sim --stages 2 --ports 2 --buffer fifo --slots 1 --load 0.1:0.5:0.4 --cycles 500",
        "approx --stages 2 --ports 2 --buffer fifo --slots 1 --load 0.1:0.5:0.4",
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        program_run one = program_succeeds("%s --save-config r.yaml --csv", lines[k]);
        cr_expect_eq(access("r.yaml", F_OK), 0, "%s", lines[k]);
        program_free(&one);
        program_run gone = program_shell("rm -f r.yaml");
        program_free(&gone);
    }
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

Test(cli_config, what_is_given_goes_before_the_file)
{
    write_text("c.yaml", "command: solve\nset: {buffer: damq, slots: 4, load: 0.9, slope: true}\n");
    cJSON *file = answer("solve", "--config c.yaml --load 0.5"),
          *line = answer("solve", "--buffer damq --slots 4 --slope --load 0.5");
    cr_expect(cJSON_Compare(file, line, true));
    cJSON_Delete(file);
    cJSON_Delete(line);
    write_text("c.yaml", "formula: hol-saturation\nset: {ports: 4}\n");
    program_run one = program_succeeds("formula --config c.yaml --ports 2"),
                other = program_succeeds("formula hol-saturation --config=c.yaml --ports=2");
    cr_expect_str_eq(one.out, other.out);
    program_free(&one);
    program_free(&other);
}

Test(cli_config, mistakes_are_told_with_their_line)
{
    static const struct {
        const char *text, *arguments, *place, *what;
    } bad[] = {
        {"command: solve\nset:\n  slot: 4\n", "solve", "c.yaml, line 3", "did you mean 'slots'"},
        {"command: solve\nset:\n  slots: four\n  buffer: fifo\n  load: 0.5\n", "solve",
         "c.yaml, line 3", "--slots"},
        {"command: solve\nset:\n  slots: 4\n  buffer: fofo\n  load: 0.5\n", "solve",
         "c.yaml, line 4", "'fofo'"},
        {"command: sim\nset: {slots: 4}\n", "solve", "c.yaml, line 1",
         "for 'sim', not for 'solve'"},
        {"command: solve\nover: {slots: [1, 2]}\n", "solve", "c.yaml, line 2", "switchq sweep"},
        {"command: sim\nseed: 3\n", "sim", "c.yaml, line 2", "seed is for 'switchq sweep'"},
        {"command: solve\nste: {slots: 1}\n", "solve", "c.yaml, line 2", "did you mean 'set'"},
        {"command: solve\n---\ncommand: solve\n", "solve", "c.yaml, line 3", "one command line"},
        {"command: solve\nset: {config: a.yaml}\n", "solve", "c.yaml, line 2", "config"},
        {"command: solve\nset: {slope: perhaps}\n", "solve", "c.yaml, line 2", "true or false"},
        {"formula: hol-saturation\n", "formula output-queue", "c.yaml", "'hol-saturation'"},
        {"formula: hol-situation\n", "formula", "c.yaml, line 1", "hol-saturation"},
        {"{", "solve", "c.yaml, line", NULL},
    };

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        write_text("c.yaml", bad[k].text);
        program_run run = program("%s --config c.yaml --save-config d.yaml", bad[k].arguments);
        expect_refusal(&run, 2, bad[k].place, bad[k].what);
        cr_expect_neq(access("d.yaml", F_OK), 0, "%s: a file of a refused line", bad[k].text);
        program_free(&run);
    }
    program_run run = program("solve --config none.yaml");
    expect_refusal(&run, 2, "none.yaml", NULL);
    program_free(&run);
    run = program("solve --buffer fifo --slots 1 --load 0.5 --save-config -");
    expect_refusal(&run, 2, "--save-config", NULL);
    program_free(&run);
}
