/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq worst: answers, ranges, the certificate read by a checker of its own, refusals.
 */
#include "tests/cli/program.h"

TestSuite(cli_worst, .init = program_begin, .fini = program_end, .timeout = 120);

Test(cli_worst, the_ratio_is_a_fraction)
{
    cJSON *tree = program_json("worst --admission lqd --queues 2 --slots 6 --json");

    cr_expect_float_eq(json_number(tree, "result.competitive_ratio"), 1.25, 0);
    cr_expect_str_eq(json_string(tree, "result.exactly"), "5/4");
    cr_expect_str_eq(json_string(tree, "result.numerator"), "5");
    cr_expect_str_eq(json_string(tree, "result.denominator"), "4");
    cr_expect(cJSON_IsTrue(json_at(tree, "result.proven")));
    cr_expect_float_eq(json_number(tree, "graph.pairs"), 302, 0);
    cr_expect_eq(cJSON_GetArraySize(json_at(tree, "sequence.sequence_steps")),
                 (int)(json_number(tree, "sequence.lead_steps") +
                       json_number(tree, "sequence.period_steps")));
    cJSON_Delete(tree);
}

Test(cli_worst, a_range_is_a_table)
{
    program_run run = program_succeeds("worst --admission lqd --queues 2,3 --slots 4:8:2 --csv");
    static const char *const exact[] = {"6/5", "5/4", "14/11", "5/4", "9/7", "13/10"};

    for (int k = 0; k < 6; k++) {
        char *cell = csv_cell(run.out, k + 1, "exactly");
        cr_expect_str_eq(cell, exact[k]);
        free(cell);
    }
    program_free(&run);
    run = program_succeeds("worst --slots 2:8:2 --plot ratio.svg");
    program_free(&run);
    run = program_shell("grep -c '<svg' ratio.svg");
    cr_expect_str_eq(run.out, "1\n");
    program_free(&run);
}

/* Points that share a sequence show none of its lines; the axis counts slots of the whole memory.
 */
Test(cli_worst, a_range_has_its_own_words)
{
    program_run run =
        program_succeeds("worst --queues 2:3:1 --slots 4 --alpha 1 --speedup 2 --plot queues.csv");

    cr_expect(strstr(run.out, "admission room, memory of 4 slots, queue max 4, alpha 1, speedup 2"),
              "%s", run.out);
    cr_expect_not(strstr(run.out, "again and again"), "%s", run.out);
    program_free(&run);
    run = program_succeeds("worst --slots 2:6:2 --plot slots.csv");
    program_free(&run);
    run = program_shell("grep -c 'slots of the whole memory' slots.csv");
    cr_expect_str_eq(run.out, "3\n");
    program_free(&run);
}

Test(cli_worst, unbounded_is_an_answer)
{
    program_run run = program_succeeds("worst --admission harmonic --queues 5 --slots 2");

    cr_expect(strstr(run.out, "competitive ratio      unbounded"), "%s", run.out);
    program_free(&run);
}

Test(cli_worst, text_tells_the_sequence)
{
    program_run run = program_succeeds("worst --admission lqd --queues 2 --slots 3");

    cr_expect(strstr(run.out, "4/3, proven"), "%s", run.out);
    cr_expect(strstr(run.out, "Then, again and again"), "%s", run.out);
    cr_expect(strstr(run.out, "the rule pushes out of queue 0"), "%s", run.out);
    program_free(&run);
}

Test(cli_worst, the_best_rule_has_a_ratio_and_no_sequence)
{
    cJSON *tree = program_json("worst --rule best-no-push-out --slots 5 --json");

    cr_expect_str_eq(json_string(tree, "result.exactly"), "8/5");
    cr_expect_str_eq(json_string(tree, "model.rule_asked"), "best-no-push-out");
    cr_expect(cJSON_IsTrue(json_at(tree, "result.proven")));
    cr_expect_eq(cJSON_GetArraySize(json_at(tree, "sequence.sequence_steps")), 0);
    cJSON_Delete(tree);
    program_run run = program_succeeds("worst --rule best --slots 3");
    cr_expect(strstr(run.out, "against the best rule"), "%s", run.out);
    cr_expect(strstr(run.out, "4/3, proven"), "%s", run.out);
    program_free(&run);
}

/* ---- the certificate ---- */

static program_run check(const char *path)
{
    return program_shell("python3 -B \"$SWITCHQ_SOURCE\"/tests/ref/worst_check.py %s", path);
}

static bool has_python(void)
{
    program_run run = program_shell("command -v python3 >/dev/null");
    const bool has = run.status == 0;

    program_free(&run);
    return has;
}

Test(cli_worst, certificates_pass_an_independent_checker)
{
    static const char *const questions[] = {
        "--admission lqd --slots 6",
        "--admission lqd --slots 5 --queues 3",
        "--slots 6 --alpha 2",
        "--slots 6 --queues 3 --queue-min 1 --queue-max 4",
        "--admission lqd --slots 4 --arrivals-per-phase 2",
        "--admission lqd --slots 5 --objective excess",
        "--slots 5 --queues 3 --speedup 2",
        "--admission harmonic --slots 8 --queues 3",
        "--admission lqd --slots 5 --queues 3 --ties own",
        "--admission lqd --slots 5 --queues 3 --ties other",
        "--admission lqd --slots 5 --queues 3 --ties low",
        "--admission lqd --slots 5 --queues 3 --ties high",
        "--admission harmonic --slots 2 --queues 5",
        "--admission lqd --slots 4 --classes 1,3/2",
        "--admission lqd --slots 4 --classes 1,3 --drop head",
        "--admission lqd --slots 3 --queues 3 --classes 1,2 --ties low",
        "--slots 4 --alpha 2 --classes 1,5 --arrivals-per-phase 2",
        "--admission sharing --slots 4 --classes 1,2.5 --objective excess --speedup 2",
    };

    if (!has_python())
        cr_skip_test("no python3");
    for (size_t k = 0; k < sizeof questions / sizeof *questions; k++) {
        program_run run = program_succeeds("worst %s --certificate c.txt", questions[k]);
        program_free(&run);
        run = check("c.txt");
        cr_expect_eq(run.status, 0, "%s: %s", questions[k], run.err);
        cr_expect(strstr(run.out, "proven by"), "%s", run.out);
        program_free(&run);
    }
}

/* A potential that is lowered at one node, a node that is missing, a step that the rule would not
 * take, a ratio that the sequence does not reach. */
Test(cli_worst, the_checker_finds_mistakes)
{
    static const char *const spoils[] = {
        "'$d'",
        "'0,/^arrival 0 take/s//arrival 0 refuse/'",
        "'s/^ratio .*/ratio 6\\/5/'",
        "'$s/[-0-9]*$/-9999/'",
    };

    if (!has_python())
        cr_skip_test("no python3");
    program_run run = program_succeeds("worst --admission lqd --slots 6 --certificate c.txt");
    program_free(&run);
    for (size_t k = 0; k < sizeof spoils / sizeof *spoils; k++) {
        run = program_shell("sed %s c.txt > d.txt", spoils[k]);
        program_free(&run);
        run = check("d.txt");
        cr_expect_eq(run.status, 1, "%s: %s", spoils[k], run.out);
        program_free(&run);
    }
}

/* ---- the sequence, played by the simulator ---- */

/* What the first lines of the trace say that the rule sends. */
static long sent_by_rule(void)
{
    program_run run =
        program_shell("sed -n 's/.*the rule sends \\([0-9]*\\) packets.*/\\1/p' w.trace");
    const long sent = strtol(run.out, NULL, 10);

    program_free(&run);
    return sent;
}

Test(cli_worst, a_simulation_of_the_sequence_sends_as_many_packets)
{
    static const struct {
        int queues, slots; /* per queue */
        const char *rule;
    } cases[] = {{6, 1, "--admission lqd --ties own"}, {6, 1, "--admission lqd --ties low"},
                 {6, 1, "--admission sharing"},        {6, 1, "--admission threshold --alpha 2"},
                 {6, 1, "--admission harmonic"},       {2, 3, "--admission followlqd --ties own"}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run =
            program_succeeds("worst %s --slots %d --queues %d --arrivals-per-phase 2 "
                             "--sequence w.trace --repeat 20",
                             cases[k].rule, cases[k].queues * cases[k].slots, cases[k].queues);
        program_free(&run);
        cJSON *sim = program_json("sim --topology switch --ports %d --buffer cbda --slots %d %s "
                                  "--pool-rule in-order --traffic trace:w.trace --warmup 0 "
                                  "--cycles 20000 --json",
                                  cases[k].queues, cases[k].slots, cases[k].rule);
        cr_expect_gt(sent_by_rule(), 0);
        cr_expect_float_eq(json_number(sim, "invariants.all_delivered"), (double)sent_by_rule(), 0,
                           "%s", cases[k].rule);
        cJSON_Delete(sim);
    }
}

/* ---- refusals ---- */

static void expect_refused(const char *arguments, const char *part)
{
    program_run run = program("worst %s", arguments);

    cr_expect_eq(run.status, 2, "%s: %d", arguments, run.status);
    cr_expect(strstr(run.err, part), "%s: '%s' lacks '%s'", arguments, run.err, part);
    program_free(&run);
}

Test(cli_worst, bad_input_is_named)
{
    expect_refused("--admission lqd", "--slots is required");
    expect_refused("--slots 0", "--slots must be a whole number from 1");
    expect_refused("--slots 4 --queues 9", "--queues must be a whole number from 1");
    expect_refused("--slots 4 --admission lqdd", "lqdd");
    expect_refused("--slots 4 --objective loss", "--objective");
    expect_refused("--slots 4 --arrivals-per-phase 0",
                   "--arrivals-per-phase must be a whole number from 1");
    expect_refused("--slots 4 --speedup 9", "--speedup must be a whole number from 1");
    expect_refused("--slots 4 --plot a.svg", "--plot needs a range");
    expect_refused("--slots 4,6 --certificate c.txt", "--certificate is for one memory");
    expect_refused("--slots 4 --admission lqd --alpha 1", "alpha");
    expect_refused("--slots 4 --admission lqd --ties random", "--ties");
    expect_refused("--slots 4 --admission occamy", "occamy");
    expect_refused("--slots 4 --admission fab", "fab");
    expect_refused("--slots 4 --admission edt --speedup 2", "edt");
    expect_refused("--slots 4 --repeat 2", "--repeat is for --sequence");
    expect_refused("--slots 4,6 --sequence c.txt", "--sequence is for one memory");
    expect_refused("--slots 4 --rule better", "--rule");
    expect_refused("--slots 4 --rule best --admission lqd", "--admission is for --rule given");
    expect_refused("--slots 4 --rule best --alpha 1", "--alpha is for --rule given");
    expect_refused("--slots 4 --rule best --certificate c.txt",
                   "--certificate is for --rule given");
    expect_refused("--slots 4 --rule best --objective excess", "objective must be throughput");
    expect_refused("--slots 4 --rule best --speedup 2",
                   "speedup must be 1 for the best rule, not 2");
    expect_refused("--slots 4 --rule best --arrivals-per-phase 2",
                   "arrivals-per-phase must be unlimited");
    expect_refused("--slots 8 --queues 3 --rule best", "8 slots of 3 queues (165 ways)");
    expect_refused("--slots 4 --admission followlqd --speedup 2", "followlqd");
}

Test(cli_worst, bad_classes_are_named)
{
    static const char *const bad[] = {"1",    "1,",      "2,3",    "1,x",   "1,0.5", "1,3/",
                                      "1,/3", "1,2.5.1", "1,1001", "1,1/2", "1,-2"};

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char line[80];
        snprintf(line, sizeof line, "--slots 4 --classes %s", bad[k]);
        expect_refused(line, "--classes must be 1,V");
    }
    expect_refused("--slots 16 --classes 1,2", "classes are for memories of 1 to 15 slots, not 16");
    expect_refused("--slots 4 --queues 4 --speedup 8 --classes 1,2", "classes with speedup 8");
    expect_refused("--slots 4 --drop head --admission lqd", "--drop is for --classes");
    expect_refused("--slots 4 --classes 1,2 --drop head", "--drop is not a parameter");
    expect_refused("--slots 4 --classes 1,2 --sequence s.trace", "a trace has no values");
    expect_refused("--slots 4 --classes 1,2 --rule best", "--classes is for --rule given");
}

Test(cli_worst, values_are_told)
{
    cJSON *tree = program_json("worst --admission lqd --slots 3 --classes 1,5/2 --json");
    const cJSON *step;
    double rule = 0, optimum = 0;
    int k = 0;

    cr_expect_str_eq(json_string(tree, "result.exactly"), "10/3");
    cr_expect_float_eq(json_number(tree, "model.class_value"), 2.5, 0);
    cJSON_ArrayForEach(step, json_at(tree, "sequence.sequence_steps"))
    {
        if (k++ < (int)json_number(tree, "sequence.lead_steps"))
            continue;
        rule += json_number(step, "rule_sent_value");
        optimum += json_number(step, "optimum_sent_value");
    }
    cr_expect_float_eq(optimum, 10. / 3 * rule, 1e-9);
    cJSON_Delete(tree);
    program_run run = program_succeeds("worst --admission lqd --slots 3 --classes 1,5/2");
    cr_expect(strstr(run.out, "packets are worth 1 or 5/2"), "%s", run.out);
    cr_expect(strstr(run.out, "for queue 0, worth V: the rule refuses it"), "%s", run.out);
    program_free(&run);
    tree = program_json("worst --admission lqd --slots 3 --json");
    cr_expect_null(cJSON_GetObjectItemCaseSensitive(json_at(tree, "model"), "class_value"));
    cJSON_Delete(tree);
}

Test(cli_worst, too_large_a_memory_is_refused_before_it_is_taken)
{
    program_run run = program("worst --admission lqd --queues 3 --slots 40 --mem 100M");

    cr_expect_eq(run.status, 3);
    cr_expect(strstr(run.err, "limit"), "%s", run.err);
    program_free(&run);
}
