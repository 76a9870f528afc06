/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq list: every topic, in both forms, and that it shows the very tables of the library.
 */
#include "cli/figures/paper.h"
#include "cli/help/list.h"
#include "cli/options/field.h"
#include "cli/spec/presets.h"
#include "sim/datacentre/sizes.h"
#include "switchq/async.h"
#include "switchq/export.h"
#include "switchq/figures.h"
#include "switchq/formula.h"
#include "switchq/papers.h"
#include "switchq/rare.h"
#include "tests/cli/program.h"

TestSuite(cli_list, .init = program_begin, .fini = program_end, .timeout = 120);

static const char *const topics[] = {
    "buffers",     "admission", "pool-rules",     "arbiters",       "solvers",
    "topologies",  "traffic",   "flow",           "formats",        "tables",
    "figures",     "formulas",  "approximations", "importances",    "architectures",
    "managements", "routing",   "choices",        "lane-choices",   "benchmarks",
    "policies",    "senders",   "quantities",     "words",          "measures",
    "sizes",       "presets",   "host-senders",   "host-topologies"};
enum { TOPICS = sizeof topics / sizeof *topics };

Test(cli_list, every_topic_has_rows_in_both_forms)
{
    for (int t = 0; t < TOPICS; t++) {
        cJSON *tree = program_json("list %s --json", topics[t]);
        program_run run = program_succeeds("list %s", topics[t]);
        const cJSON *row, *rows = json_at(tree, topics[t]);
        const char *at = run.out;
        cr_expect_not(strstr(at, "(null)"), "%s: a row says nothing of what others do", topics[t]);
        cr_assert_str_eq(json_string(tree, "schema"), "switchq/list/1");
        cr_assert(cJSON_GetArraySize(rows) >= 1);
        cr_assert_eq(cJSON_GetArraySize(tree), 2, "%s: the schema and one topic", topics[t]);
        cr_assert(strncmp(at, topics[t], strlen(topics[t])) == 0);
        cJSON_ArrayForEach(row, rows)
        {
            const char *summary = json_string(row, "summary");
            cr_assert(*summary);
            at = strstr(at, json_string(row, "name"));
            cr_assert(at, "%s: %s is not in the text", topics[t], json_string(row, "name"));
            cr_assert(strstr(at, summary), "%s: %s", topics[t], summary);
        }
        program_free(&run);
        cJSON_Delete(tree);
    }
}

Test(cli_list, without_a_topic_there_is_all_of_it)
{
    cJSON *tree = program_json("list --json");
    program_run run = program_succeeds("list");

    cr_assert_eq(cJSON_GetArraySize(tree), TOPICS + 1);
    for (int t = 0; t < TOPICS; t++) {
        program_run one = program_succeeds("list %s", topics[t]);
        json_at(tree, topics[t]);
        cr_assert(strstr(run.out, one.out), "%s", topics[t]);
        program_free(&one);
    }
    program_free(&run);
    cJSON_Delete(tree);
}

/* A missing or an extra name would be noticed. */
static void compare(const char *topic, const void *const *table)
{
    cJSON *tree = program_json("list %s --json", topic);
    const cJSON *row;
    int k = 0;

    cJSON_ArrayForEach(row, json_at(tree, topic))
    {
        cr_assert(table[k], "%s", topic);
        cr_assert_str_eq(json_string(row, "name"), *(const char *const *)table[k]);
        k++;
    }
    cr_assert_null(table[k], "%s: one is missing", topic);
    cJSON_Delete(tree);
}

Test(cli_list, the_rows_are_those_of_the_tables)
{
    compare("buffers", (const void *const *)swq_buffer_kinds);
    compare("arbiters", (const void *const *)swq_arbiters);
    compare("solvers", (const void *const *)swq_solvers);
    compare("policies", (const void *const *)swq_policies);
    compare("formats", (const void *const *)swq_export_formats);
    const void *topologies[64];
    int count = 0;
    for (int t = 0; swq_topologies[t]; t++)
        topologies[count++] = swq_topologies[t];
    for (int f = 0; swq_fabric_kinds[f]; f++) {
        if (swq_fabric_kinds[f]->point_to_point)
            topologies[count++] = swq_fabric_kinds[f];
    }
    topologies[count] = NULL;
    compare("topologies", topologies);
    compare("figures", (const void *const *)cli_paper_figures);
    compare("formulas", (const void *const *)swq_formulas);
    compare("approximations", (const void *const *)swq_approx_methods);
    compare("importances", (const void *const *)swq_importances);
    compare("managements", (const void *const *)swq_managements);
    compare("benchmarks", (const void *const *)swq_benchmarks);
    compare("presets", (const void *const *)cli_presets);
    compare("sizes", (const void *const *)swq_flow_size_rows);
}

/* Means of the data files, of which loads are made. */
Test(cli_list, sizes_say_their_means)
{
    program_run run = program_succeeds("list sizes");

    cr_assert(strstr(run.out, "mean 1711222.5 bytes, median 73077, 54% of the flows up to 100 KB"),
              "%s", run.out);
    cr_assert(strstr(run.out, "mean 5036535.175 bytes"), "%s", run.out);
    cr_assert(strstr(run.out, "mean 3423728.355 bytes"), "%s", run.out);
    program_free(&run);
}

/* Row `name` of a topic, or NULL. */
static const cJSON *row_of(const cJSON *tree, const char *topic, const char *name)
{
    const cJSON *row;

    cJSON_ArrayForEach(row, json_at(tree, topic))
    {
        if (strcmp(json_string(row, "name"), name) == 0)
            return row;
    }
    return NULL;
}

static void expect_only(const cJSON *tree, const char *topic, const char *name, const char *only)
{
    const cJSON *row = row_of(tree, topic, name);

    cr_assert(row, "%s lacks %s", topic, name);
    if (only)
        cr_expect_str_eq(json_string(row, "only"), only, "%s", name);
    else
        cr_expect_null(cJSON_GetObjectItemCaseSensitive(row, "only"), "%s", name);
}

/* Patterns are those of the table, and the list says which command accepts what. */
Test(cli_list, traffic_and_flow_say_what_is_for_networks_only)
{
    cJSON *tree = program_json("list --json");
    program_run run = program_succeeds("list traffic");
    int patterns = 0;

    for (int p = 0; swq_patterns[p]; p++) {
        if (swq_patterns[p] == &swq_pattern_matrix) /* file:, for both */
            continue;
        expect_only(tree, "traffic", swq_patterns[p]->name,
                    swq_patterns[p] == &swq_pattern_uniform ? NULL : "sim");
        patterns++;
        if (swq_patterns[p]->alias) {
            expect_only(tree, "traffic", swq_patterns[p]->alias, "sim");
            patterns++;
        }
    }
    expect_only(tree, "traffic", "hotspot:F[:J]", NULL);
    expect_only(tree, "traffic", "file:PATH", NULL);
    expect_only(tree, "traffic", "matrix:P,P/P,P", "solve");
    expect_only(tree, "traffic", "trace:PATH", "sim");
    expect_only(tree, "traffic", "--hot-spots", "sim");
    expect_only(tree, "traffic", "adv+I", "sim --engine async");
    expect_only(tree, "traffic", "worst-case", "sim --engine async");
    expect_only(tree, "traffic", "node:J", "sim --engine async");
    expect_only(tree, "traffic", "multicast:K[:S]", "sim --engine async");
    expect_only(tree, "traffic", "all:MASK:VALUE", "sim --engine async");
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "traffic")), patterns + 15);
    cr_assert(strstr(run.out, "a fourth number: 1 if the priority is high; asynchronous: bytes"),
              "%s", run.out);
    cr_assert(strstr(run.out, "; only sim\n") && strstr(run.out, "; only solve\n"));
    program_free(&run);
    run = program_succeeds("list topologies");
    cr_assert(strncmp(run.out, "topologies:\n", 12) == 0, "%s", run.out);
    expect_only(tree, "topologies", "omega", "sim");
    expect_only(tree, "topologies", "torus", "sim --engine async");
    program_free(&run);
    expect_only(tree, "flow", "block", NULL);
    expect_only(tree, "flow", "--resend", "sim");
    expect_only(tree, "flow", "--sources open", "sim");
    expect_only(tree, "flow", "--priority queues", "sim");
    expect_only(tree, "flow", "maximum-usage", "sim --engine async");
    expect_only(tree, "flow", "credits", "sim --engine async");
    expect_only(tree, "flow", "stop-go", "sim --engine async");
    expect_only(tree, "flow", "destination", "sim --engine async");
    expect_only(tree, "flow", "path+maximum-usage", "sim --engine async");
    expect_only(tree, "flow", "two-counter", "sim --engine async");
    expect_only(tree, "flow", "virtual-clock", "sim --engine async");
    expect_only(tree, "senders", "feedback:HOT,COLD,DELAY", "sim --engine async");
    cr_assert(row_of(tree, "tables", "4.1"));
    for (int t = 0; swq_paper_tables[t]; t++)
        cr_assert(row_of(tree, "tables", swq_paper_tables[t]->name));
    cJSON_Delete(tree);
}

/* Everything that is listed is accepted. */
Test(cli_list, what_is_listed_for_networks_runs)
{
    cJSON *tree = program_json("list --json");
    const cJSON *row;

    FILE *file = fopen("line.txt", "w");
    fputs("host 0 a\nhost 1 b\nlink a b\n", file);
    fclose(file);
    cJSON_ArrayForEach(row, json_at(tree, "topologies"))
    {
        const char *name = json_string(row, "name");
        bool async = strcmp(json_string(row, "only"), "sim") != 0;
        const bool graph = strcmp(name, "graph") == 0;
        program_run run = program_succeeds(
            "sim --buffer damq --slots 2 --load 0.5 --cycles 100 "
            "--topology %s %s",
            graph ? "graph:line.txt" : name,
            strcmp(name, "tree") == 0        ? "--arity 2 --levels 2"
            : strcmp(name, "dragonfly") == 0 ? "--hosts 1"
            : strcmp(name, "hyperx") == 0    ? "--dims 3x3 --hosts 1"
            : strcmp(name, "slim-fly") == 0 || strcmp(name, "polarfly") == 0 ? "--order 3"
            : strcmp(name, "megafly") == 0                                   ? "--hosts 1"
            : strcmp(name, "fat-tree") == 0 ? "--radix 4 --levels 2"
            : async && !graph               ? "--dims 3"
                                            : "");
        program_free(&run);
    }
    cJSON_ArrayForEach(row, json_at(tree, "traffic"))
    {
        const char *name = json_string(row, "name");
        if (strpbrk(name, ":*+") || name[0] == '-')
            continue;
        program_run run = program_succeeds(
            "sim --buffer damq --load 0.5 --cycles 100 --traffic %s %s", name,
            strcmp(name, "worst-case") == 0 ? "--topology slim-fly --order 3" : "--slots 2");
        program_free(&run);
    }
    cJSON_ArrayForEach(row, json_at(tree, "flow"))
    {
        const char *name = json_string(row, "name");
        if (strncmp(name, "--sources", 9) != 0 && strncmp(name, "--priority", 10) != 0)
            continue;
        program_run run =
            program_succeeds("sim --buffer damq --slots 2 --load 0.5 --cycles 100 %s %s", name,
                             name[2] == 'p' ? "--high 0.1" : "");
        program_free(&run);
    }
    cJSON_Delete(tree);
}

Test(cli_list, csv_has_the_rows_of_json)
{
    program_run run = program_succeeds("list arbiters --csv");
    cJSON *tree = program_json("list arbiters --json");

    expect_rows(run.out, json_at(tree, "arbiters"));
    cJSON_Delete(tree);
    program_free(&run);
}

/* The name of a row finds its list, and the name of a list may be abbreviated. */
Test(cli_list, a_row_is_found_by_its_name)
{
    program_run row = program_succeeds("list islip"), flows = program_succeeds("list flows"),
                flow = program_succeeds("list flow"), cut = program_succeeds("list arb"),
                whole = program_succeeds("list arbiters");

    cr_expect(strstr(row.out, "'switchq list arbiters'"), "%s", row.out);
    cr_expect_str_eq(flows.out, flow.out);
    cr_expect_str_eq(cut.out, whole.out);
    program_free(&row);
    program_free(&flows);
    program_free(&flow);
    program_free(&cut);
    program_free(&whole);
    row = program("list islipp");
    expect_refusal(&row, 2, "topic", "islipp");
    program_free(&row);
}

/* ---- words of the field ---- */

/* Does the list `list` have a row called `name`, up to a colon? */
static bool has_row(const char *list, const char *name)
{
    cli_item item;
    bool found = false;

    for (int k = 0; !found && cli_list_item(list, k, &item); k++) {
        const size_t length = strcspn(item.name, ":[ ");
        found = strlen(name) == length && strncmp(item.name, name, length) == 0;
    }
    return found;
}

Test(cli_list, meanings_of_words_exist)
{
    const cli_field_word *before = NULL;

    for (const cli_field_word *row = cli_field_words; row->word; before = row++) {
        cr_expect(!before || strcmp(before->word, row->word) <= 0, "%s: not sorted", row->word);
        if (row->place == CLI_FIELD_ROW)
            cr_expect(has_row(row->list, row->row), "%s: %s is not in %s", row->word, row->row,
                      row->list);
        if (row->place == CLI_FIELD_PAGE) {
            program_run page = program_succeeds("help %s", row->row);
            program_free(&page);
        }
        if (row->place != CLI_FIELD_OPTION)
            continue;
        char commands[60], *rest = commands;
        snprintf(commands, sizeof commands, "%s", row->list);
        for (char *command; (command = strtok_r(rest, ", ", &rest));) {
            program_run options = program_succeeds("%s --help-all", command);
            cr_expect(strstr(options.out, row->row), "%s: %s has no option %s", row->word, command,
                      row->row);
            program_free(&options);
        }
    }
}

Test(cli_list, help_leads_from_a_word_to_its_meaning)
{
    static const char *const cases[][2] = {
        {"vc", "option --lanes of sim"},
        {"VCS", "option --lanes of sim"},
        {"leaf-spine", "'fat-tree' of 'switchq list topologies'"},
        {"incast", "'hotspot' of 'switchq list traffic'"},
        {"incast", "option --incast of sim"},
        {"PFC", "option --pfc of sim"},
        {"priority flow control", "option --pfc of sim"},
        {"virtual channel", "option --lanes of sim"},
        {"red", "option --ecn of sim"},
        {"lanes", "option --lanes L of sim"}, /* not a word of others: an option */
        {"slots", "option --slots M of worst:\n    packet slots of the whole memory"},
        {"ecn", "'dctcp' of 'switchq list senders'"},
        {"deadlock", "tori - tori, meshes"},
        {"glossary", "a virtual channel"}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program_succeeds("help %s", cases[k][0]);
        cr_expect(strstr(run.out, cases[k][1]), "%s: %s", cases[k][0], run.out);
        program_free(&run);
    }
}
