/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq list: every topic, in both forms, and that it shows the very tables of the library.
 */
#include "switchq/export.h"
#include "tests/cli/program.h"

TestSuite(cli_list, .init = program_begin, .fini = program_end, .timeout = 20);

static const char *const topics[] = {"buffers", "arbiters", "solvers", "traffic",
                                     "flow",    "formats",  "tables"};
enum { TOPICS = sizeof topics / sizeof *topics };

Test(cli_list, every_topic_has_rows_in_both_forms)
{
    for (int t = 0; t < TOPICS; t++) {
        cJSON *tree = program_json("list %s --json", topics[t]);
        program_run run = program_succeeds("list %s", topics[t]);
        const cJSON *row, *rows = json_at(tree, topics[t]);
        const char *at = run.out;
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

/* One name less or more in a table would show. */
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
    compare("formats", (const void *const *)swq_export_formats);
}
