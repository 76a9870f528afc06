/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table 4.2, 4.3, 4.4, 5.1: structure of the three forms, the counts, exit statuses, bad
 * options. Runs are as short as they get: whether cells agree is not asked here.
 */
#include "tests/cli/program.h"

#include <math.h>

TestSuite(cli_table_sim, .init = program_begin, .fini = program_end, .timeout = 480);

#define SHORT "--cycles 500 --threads 2"

/* The joint verdict follows from its parts. */
static void check_joint(const cJSON *tree)
{
    const char *verdict = json_string(tree, "joint.verdict");
    bool fit = true;
    const cJSON *part;

    cJSON_ArrayForEach(part, json_at(tree, "joint.parts"))
    {
        const double above = json_number(part, "printed_above"),
                     below = json_number(part, "printed_below"),
                     numbers = json_number(part, "numbers");
        json_string(part, "name");
        cr_assert(above + below <= numbers && numbers > 0);
        cr_assert(json_number(part, "sign_p") <= 1 && json_number(part, "chi_square_p") <= 1);
        fit = fit && cJSON_IsTrue(json_at(part, "agrees"));
    }
    cr_assert_eq(fit, strcmp(verdict, "agrees") == 0, "%s", verdict);
    cr_assert_eq(*json_string(tree, "joint.note") != '\0', strcmp(verdict, "known") == 0);
}

/* Checks that every key exists and that counts add up. Returns the tree. */
static cJSON *check_json(const char *name, int cells, int cycles)
{
    program_run run = program("table %s --cycles %d --threads 2 --json", name, cycles);
    cJSON *tree = cJSON_ParseWithOpts(run.out, NULL, true);
    static const char *const verdicts[] = {"agree",     "differ",         "known",
                                           "misprints", "not_comparable", "not_run"};
    const cJSON *row;
    int sum = 0, agree = 0, differ = 0;

    cr_assert(tree, "%s", run.err);
    cr_assert_str_empty(run.err);
    cr_assert_str_eq(json_string(tree, "schema"), "switchq/table/1");
    cr_assert_str_eq(json_string(tree, "table"), name);
    cr_assert(strstr(json_string(tree, "rule"), "half-width"));
    cr_assert_str_eq(json_string(tree, "arbiter"), "rotating");
    cr_assert_str_eq(json_string(tree, "pool_rule"), "oldest");
    cr_assert_eq(json_number(tree, "cycles"), cycles);
    cr_assert_eq(json_number(tree, "seed"), 1);
    cr_assert_eq(json_number(tree, "stale"), 0);
    cr_assert(cJSON_IsFalse(json_at(tree, "interrupted")));
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "rows")), cells);
    cJSON_ArrayForEach(row, json_at(tree, "rows"))
    {
        bool agrees = strcmp(json_string(row, "verdict"), "agrees") == 0;
        json_string(row, "buffer");
        json_string(row, "quantity");
        json_string(row, "paper_unit");
        cr_assert(json_number(row, "slots") >= 1);
        cr_assert(json_number(row, "at_value") > 0 && json_number(row, "load") > 0);
        cr_assert(json_number(row, "computed") >= 0 && json_number(row, "half_width") >= 0);
        cr_assert_eq(agrees, cJSON_IsTrue(json_at(row, "agrees")));
        bool plain = agrees || strcmp(json_string(row, "verdict"), "differs") == 0;
        cr_assert_eq(plain, !*json_string(row, "note"), "a reason for all but the plain verdicts");
        agree += agrees;
        differ += plain && !agrees;
        /* the rule, implemented once more, where a difference is judged */
        const cJSON *allowed = json_at(row, "allowed");
        if (cJSON_IsNumber(allowed)) {
            bool percent = strcmp(json_string(row, "paper_unit"), "percent") == 0;
            double paper = strtod(json_string(row, "paper"), NULL) / (percent ? 100 : 1);
            cr_assert_eq(fabs(json_number(row, "computed") - paper) <= allowed->valuedouble + 1e-9,
                         agrees);
        }
    }
    for (int v = 0; v < 6; v++)
        sum += (int)json_number(tree, verdicts[v]);
    cr_assert_eq(sum, cells);
    cr_assert_eq(json_number(tree, "agree"), agree);
    cr_assert_eq(json_number(tree, "differ"), differ);
    check_joint(tree);
    bool leans = strcmp(json_string(tree, "joint.verdict"), "differs") == 0;
    cr_assert_eq(run.status, differ > 0 || leans, "status %d", run.status);
    program_free(&run);
    return tree;
}

Test(cli_table_sim, discards_of_4_2)
{
    cJSON *tree = check_json("4.2", 162, 100);
    const cJSON *row;

    cJSON_ArrayForEach(row, json_at(tree, "rows"))
    {
        bool full = strcmp(json_string(row, "at"), "full load") == 0;
        cr_assert_str_eq(json_string(row, "quantity"), full ? "throughput" : "discarded");
        cr_assert(json_number(row, "computed") <= 1, "fractions");
        /* resending never helps: at full load throughput is lower, otherwise more is discarded */
        double more = json_number(row, "resent") - json_number(row, "computed");
        cr_assert((full ? -more : more) > -0.02, "%g", more);
    }
    cJSON_Delete(tree);
}

Test(cli_table_sim, latencies_of_4_3)
{
    cJSON *tree = check_json("4.3", 161, 100);
    const cJSON *row;
    int saturated = 0;

    cJSON_ArrayForEach(row, json_at(tree, "rows"))
    {
        bool throughput = strcmp(json_string(row, "quantity"), "throughput") == 0;
        cr_assert(throughput ? json_number(row, "computed") < 1 : json_number(row, "computed") > 3);
        saturated += strcmp(json_string(row, "paper"), "Sat.") == 0;
    }
    cr_assert_eq(saturated, 7);
    cJSON_Delete(tree);
}

Test(cli_table_sim, hot_spot_of_4_4)
{
    cJSON *tree = check_json("4.4", 30, 500);

    cr_assert_float_eq(json_number(tree, "hot_spot_bound.bound"), 0.240963855, 1e-9);
    cr_assert(json_number(tree, "hot_spot_bound.highest") > 0.2);
    cr_assert(cJSON_IsTrue(json_at(tree, "hot_spot_bound.holds")));
    cJSON_Delete(tree);
}

Test(cli_table_sim, spread_of_5_1)
{
    cJSON *tree = check_json("5.1", 75, 100);
    const cJSON *row;
    double p99 = 0, most = 0;

    cr_assert_eq(json_number(tree, "not_comparable"), 25, "the maxima");
    /* 99%, max and mean of a buffer are 5 rows each */
    for (int buffer = 0; buffer < 5; buffer++) {
        for (int t = 0; t < 5; t++) {
            const cJSON *rows = json_at(tree, "rows");
            p99 = json_number(cJSON_GetArrayItem(rows, 15 * buffer + t), "computed");
            most = json_number(cJSON_GetArrayItem(rows, 15 * buffer + 5 + t), "computed");
            row = cJSON_GetArrayItem(rows, 15 * buffer + 10 + t);
            cr_assert_str_eq(json_string(row, "quantity"), "latency");
            double mean = json_number(row, "computed");
            cr_assert(3 <= mean && mean <= p99 && p99 <= most, "%g %g %g", mean, p99, most);
        }
    }
    /* with ten packets per node there is no 99th percentile */
    cr_assert_str_eq(json_string(cJSON_GetArrayItem(json_at(tree, "rows"), 0), "verdict"),
                     "not run");
    cJSON_Delete(tree);
}

Test(cli_table_sim, csv_is_the_same_as_json_and_a_seed_is_a_seed)
{
    cJSON *tree = program_json("table 4.4 " SHORT " --seed 5 --stale 9 --json");
    program_run run =
        program_succeeds("table 4.4 --cycles 500 --threads 1 --seed 5 --stale 9 --csv");

    expect_rows(run.out, json_at(tree, "rows"));
    char *seed = csv_cell(run.out, 30, "seed"), *stale = csv_cell(run.out, 30, "stale");
    cr_assert_str_eq(seed, "5");
    cr_assert_str_eq(stale, "9");
    free(seed);
    free(stale);
    program_free(&run);
    cJSON_Delete(tree);
}

/* The rule is printed, every line fits into a terminal, and every printed value is there. */
Test(cli_table_sim, text_and_plot)
{
    program_run run =
        program_succeeds("table 4.4 " SHORT " --arbiter longest --stale 2 --plot p.svg");
    char *svg = file_text("p.svg");

    cr_assert(strstr(run.out, "Rule: a cell agrees when"));
    cr_assert(strstr(run.out, "arbiter longest, stale after 2"));
    cr_assert(strstr(run.out, " of 30 cells agree; "));
    cr_assert(strstr(run.out, "Hot-spot bound on throughput: 0.240964"));
    cr_assert(
        strstr(run.out, "DAMQ  4         printed  3.07    3.16    3.30    3.67    25.20     0.24"),
        "%s", run.out);
    cr_assert(strstr(svg, "CBDA 4") && strstr(svg, "latency (cycles)"));
    for (const char *line = run.out; *line; line += strcspn(line, "\n") + 1)
        cr_assert(strcspn(line, "\n") <= 100, "%.120s", line);
    free(svg);
    program_free(&run);
}

Test(cli_table_sim, bad_options)
{
    static const struct {
        const char *arguments, *name, *value;
    } cases[] = {
        {"4.3 --cycles 99", "--cycles", "'99'"},
        {"4.3 --cycles many", "--cycles", "'many'"},
        {"4.3 --quick --cycles 500", "--quick", "--cycles"},
        {"4.3 --seed -1", "--seed", "'-1'"},
        {"4.3 --seed 1234567890123456", "--seed", "999999999999999"},
        {"4.3 --threads 0", "--threads", "'0'"},
        {"4.3 --threads 257", "--threads", "256"},
        {"4.3 --stale x", "--stale", "'x'"},
        {"7.1", "table 7.1", "'switchq chip'"},
        {"4.4 --stale 1 --arbiter islip", "stale must be 0, not 1", "arbiter islip"},
        {"4.3 --arbiter rotatin", "arbiter", "'rotating'"},
        {"4.3 --pool-rule old", "--pool-rule", "'old'"},
        {"4.3 --plot x.eps", "plot", "'x.eps'"},
        {"4.3 --json --csv", "--json", "--csv"},
        {"4.3 --solver gth", "--solver", "4.1"},
        {"4.3 --reduce none", "--reduce", "4.1"},
        {"4.1 --quick", "--quick", "simulated"},
        {"4.1 --cycles 1000", "--cycles", "simulated"},
        {"4.1 --seed 1", "--seed", "simulated"},
        {"4.1 --threads 1", "--threads", "simulated"},
        {"4.1 --stale 1", "--stale", "simulated"},
        {"4.5", "'4.5'", "4.1, 4.2, 4.3, 4.4, 5.1"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run = program("table %s", cases[c].arguments);
        expect_refusal(&run, 2, cases[c].name, cases[c].value);
        program_free(&run);
    }
}

/* Ctrl-C: the table so far, marked as incomplete, and exit status 1. */
Test(cli_table_sim, an_interrupt_ends_it_with_what_there_is)
{
    program_run run = program_shell("\"$SWITCHQ\" table 4.4 --cycles 100000000 --threads 1 & "
                                    "sleep 0.5; kill -INT $!; wait $!");

    cr_assert_eq(run.status, 1, "%d %s", run.status, run.err);
    cr_assert(strstr(run.out, "CUT SHORT"), "%s", run.out);
    cr_assert(strstr(run.out, "0 of 30 cells agree; 0 differ (*); 30 not run or too short (?)"));
    program_free(&run);
}
