/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pages of help on topics: that all are listed, fit a terminal and have commands that run; and the
 * manual pages.
 */
#include "tests/cli/program.h"

#include <stdlib.h>

TestSuite(cli_help_topics, .init = program_begin, .fini = program_end, .timeout = 480);

enum { MOST = 60, WIDTH = 80 };

typedef struct {
    char name[MOST][32];
    int count;
} names;

/* The first word of each line that begins with two blanks, after `from` and up to a blank line. */
static void read_names(const char *text, const char *from, names *found)
{
    const char *line = strstr(text, from);

    cr_assert(line, "%s", text);
    line = strstr(line, "\n\n");
    cr_assert(line);
    found->count = 0;
    for (line += 2; strncmp(line, "  ", 2) == 0; line = strchr(line, '\n') + 1) {
        cr_assert_lt(found->count, MOST);
        snprintf(found->name[found->count++], sizeof *found->name, "%.*s",
                 (int)strcspn(line + 2, " "), line + 2);
    }
}

static void read_all(names *commands, names *topics)
{
    program_run run = program_succeeds("help");

    read_names(run.out, "Usage:", commands);
    read_names(run.out, "is a page on:", topics);
    cr_assert_geq(commands->count, 13);
    cr_assert_geq(topics->count, 18);
    program_free(&run);
}

Test(cli_help_topics, every_topic_is_named_by_help_without_one)
{
    names commands, topics;
    program_run brief = program_succeeds("--help");

    read_all(&commands, &topics);
    for (int k = 0; k < topics.count; k++)
        cr_expect(strstr(brief.out, topics.name[k]), "%s", topics.name[k]);
    program_free(&brief);
}

Test(cli_help_topics, a_page_fits_a_terminal_and_says_what_it_is_about)
{
    names commands, topics;

    read_all(&commands, &topics);
    for (int k = 0; k < topics.count; k++) {
        program_run run = program_succeeds("help %s", topics.name[k]);
        const char *lists = strstr(run.out, "\n'switchq list ");
        cr_expect_eq(strncmp(run.out, topics.name[k], strlen(topics.name[k])), 0);
        for (const char *line = run.out; *line && (!lists || line < lists);
             line = strchr(line, '\n') + 1) {
            size_t length = strcspn(line, "\n");
            cr_expect(length <= WIDTH || strncmp(line, "  $ ", 4) == 0, "%s: %.*s", topics.name[k],
                      (int)length, line);
        }
        program_free(&run);
    }
}

/* Each in the syntax of the shell, with the program as `switchq`; none takes long. */
Test(cli_help_topics, their_commands_run)
{
    names commands, topics;
    int ran = 0;

    read_all(&commands, &topics);
    program_run link = program_shell(
        "ln -s \"$SWITCHQ\" switchq && cp \"$SWITCHQ_SOURCE\"/examples/studies/*.yaml .");
    cr_assert_eq(link.status, 0, "set SWITCHQ_SOURCE to the source: %s", link.err);
    program_free(&link);
    for (int k = 0; k < topics.count; k++) {
        program_run page = program_succeeds("help %s", topics.name[k]);
        for (const char *at = page.out; (at = strstr(at, "\n  $ switchq ")); at++) {
            char line[400];
            snprintf(line, sizeof line, "%.*s", (int)strcspn(at + 5, "\n"), at + 5);
            program_run run = program_shell("PATH=$PWD:$PATH; %s", line);
            cr_expect_eq(run.status, 0, "%s: '%s': status %d %s", topics.name[k], line, run.status,
                         run.err);
            program_free(&run);
            ran++;
        }
        program_free(&page);
    }
    cr_expect_geq(ran, 60, "%d", ran);
}

Test(cli_help_topics, a_list_under_a_page_is_that_of_list)
{
    program_run page = program_succeeds("help buffers"), list = program_succeeds("list buffers");

    cr_expect(strstr(page.out, list.out));
    program_free(&page);
    program_free(&list);
}

Test(cli_help_topics, help_on_a_command_is_its_help)
{
    names commands, topics;

    read_all(&commands, &topics);
    for (int k = 0; k < commands.count; k++) {
        program_run help = program_succeeds("help %s", commands.name[k]);
        program_run own = program_succeeds("%s --help", commands.name[k]);
        cr_expect_str_eq(help.out, own.out);
        program_free(&help);
        program_free(&own);
    }
}

Test(cli_help_topics, a_wrong_name_is_refused_with_the_nearest)
{
    program_run run = program("help bufers"), two = program("help buffers arbiters"),
                command = program("help slove");

    expect_refusal(&run, 2, "bufers", "'buffers'");
    expect_refusal(&two, 2, "arbiters", NULL);
    expect_refusal(&command, 2, "slove", "'solve'");
    program_free(&run);
    program_free(&two);
    program_free(&command);
}

Test(cli_help_topics, a_word_that_is_no_topic_leads_to_those_that_have_it)
{
    program_run word = program("help escape"), none = program("help zzzyzzy");

    expect_refusal(&word, 2, "'escape'", "topics that mention it: defaults");
    cr_expect(strstr(word.err, "did you mean") == NULL, "%s", word.err);
    expect_refusal(&none, 2, "'zzzyzzy'", "known: solve");
    program_free(&word);
    program_free(&none);
}

/* ---- manual pages ---- */

static void expect_clean(const char *name)
{
    program_run page = program_succeeds("help %s --man > page.man", name);
    program_run lint = program_shell("command -v mandoc > found || exit 0; mandoc -Tlint -Wwarning "
                                     "page.man | grep -v 'section mismatch'; true");

    cr_expect_str_empty(lint.out, "%s: %s", name, lint.out);
    program_free(&page);
    program_free(&lint);
}

Test(cli_help_topics, manual_pages_of_all_are_clean_roff)
{
    names commands, topics;

    read_all(&commands, &topics);
    expect_clean("");
    for (int k = 0; k < commands.count; k++)
        expect_clean(commands.name[k]);
    for (int k = 0; k < topics.count; k++)
        expect_clean(topics.name[k]);
}

Test(cli_help_topics, a_manual_page_has_every_option_and_example)
{
    program_run page = program_succeeds("help solve --man"),
                help = program_succeeds("solve --help-all");

    for (const char *at = help.out; (at = strstr(at, "\n  --")); at++) {
        char option[80] = "\\fB", *end = option + 3;
        for (const char *c = at + 3; *c && strcspn(c, "= \n") > 0; c++)
            end += snprintf(end, 4, *c == '-' ? "\\-" : "%c", *c);
        cr_expect(strstr(page.out, option), "%s", option);
    }
    cr_expect(strstr(page.out, ".TH SWITCHQ\\-SOLVE 1 "));
    cr_expect(strstr(page.out, "\n.SS The switch\n"));
    cr_expect(strstr(page.out, "Known:\nfifo,\nsamq,"));
    cr_expect(strstr(page.out, "switchq solve \\-\\-buffer damq \\-\\-slots 4 \\-\\-load 0.9\n"));
    program_free(&page);
    program_free(&help);
}

/* For programs: the same options as in --help-all, with their values. */
Test(cli_help_topics, options_as_json)
{
    cJSON *tree = program_json("help solve --json");
    program_run all = program_succeeds("solve --help-all");
    const cJSON *row;
    int options = 0, lines = 0;

    cJSON_ArrayForEach(row, json_at(tree, "options"))
    {
        char line[200];
        const cJSON *takes = cJSON_GetObjectItemCaseSensitive(row, "argument");
        snprintf(line, sizeof line, "--%s%s%s", json_string(row, "name"), takes ? " " : "",
                 takes ? takes->valuestring : "");
        cr_expect(strstr(all.out, line), "%s", line);
        options++;
    }
    for (const char *at = all.out; (at = strstr(at, "\n  -")); at++)
        lines++;
    cr_expect_eq(options, lines, "%d options, %d lines", options, lines);
    program_free(&all);
    cJSON_Delete(tree);
}
