/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq report: the page's form and numbers, answers that are kept, interruptions, full disks and
 * bad input. What the page does in a browser is tests/browser's.
 */
#include "tests/cli/program.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(cli_report, .init = program_begin, .fini = program_end, .timeout = 480);

/* ---- HTML ---- */

enum { DEEPEST = 64 };

static bool is_one_of(const char *name, const char *const *list)
{
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list != NULL;
}

/* Elements without an end tag, and those whose content is not HTML. */
static const char *const lone[] = {"meta", "link", "input", "br", "img", NULL};
static const char *const raw[] = {"script", "style", NULL};

/* The position after a tag's ">", taking quotes into account. */
static const char *tag_end(const char *at)
{
    char quote = '\0';

    for (; *at && (quote || *at != '>'); at++) {
        if (quote)
            quote = *at == quote ? '\0' : quote;
        else if (*at == '"')
            quote = *at;
    }
    cr_assert(*at == '>', "a tag does not end");
    return at + 1;
}

static const char *tag_name(const char *at, char *name)
{
    int k = 0;

    while (isalnum((unsigned char)*at) && k < 15)
        name[k++] = *at++;
    name[k] = '\0';
    return at;
}

/* Asserts that every element is closed, in order, and that each JSON in the page is valid. Returns
 * the number of elements. */
static int assert_balanced(const char *text)
{
    char open[DEEPEST][16];
    int depth = 0, elements = 0;

    cr_assert(strncmp(text, "<!DOCTYPE html>", 15) == 0);
    for (const char *at = text + 15; (at = strchr(at, '<'));) {
        const bool closes = at[1] == '/';
        char name[16];
        const char *tag = at;
        cr_assert(closes || isalpha((unsigned char)at[1]), "a stray <: %.60s", at);
        at = tag_end(tag_name(at + 1 + closes, name));
        if (closes) {
            cr_assert(depth > 0 && strcmp(open[depth - 1], name) == 0, "</%s> ends <%s>: %.60s",
                      name, depth ? open[depth - 1] : "", tag - 60);
            depth--;
            continue;
        }
        elements++;
        if (is_one_of(name, raw)) {
            char end[24];
            snprintf(end, sizeof end, "</%s>", name);
            const char *behind = strstr(at, end);
            cr_assert(behind, "<%s> does not end", name);
            if (strstr(tag, "application/json") && strstr(tag, "application/json") < at) {
                cJSON *tree = cJSON_ParseWithLength(at, (size_t)(behind - at));
                cr_assert(tree, "no JSON: %.60s", at);
                cJSON_Delete(tree);
            }
            at = behind + strlen(end);
        } else if (!is_one_of(name, lone)) {
            cr_assert(depth < DEEPEST);
            strcpy(open[depth++], name);
        }
    }
    cr_assert_eq(depth, 0, "<%s> does not end", depth ? open[depth - 1] : "");
    return elements;
}

static void assert_page_has(const char *path, const char *const *pieces)
{
    char *page = file_text(path);

    cr_assert(assert_balanced(page) > 100);
    for (; *pieces; pieces++)
        cr_assert(strstr(page, *pieces), "'%s' is not in the page", *pieces);
    free(page);
}

/* ---- what is in it ---- */

Test(cli_report, a_table_is_shown_beside_the_print)
{
    static const char *const pieces[] = {
        "<meta name=\"generator\" content=\"switchq ",
        ">24.624</b><i>24.6</i>", /* FIFO, one slot, load 0.99 */
        ">3e-06</b><i>0+</i>",    /* DAMQ, four slots, load 0.25 */
        "176&nbsp;agree",
        "class=\"chart-data\"",
        "<code class=\"command\">switchq table 4.1</code>",
        "solved, no seed",
        "Processor",
        NULL,
    };
    program_run run = program_succeeds("report -o r --only table-4.1");

    cr_assert(strstr(run.out, "table-4.1    176 of 176 cells agree"), "%s", run.out);
    cr_assert(strstr(run.out, "Written: r/index.html"));
    assert_page_has("r/index.html", pieces);
    program_free(&run);
}

Test(cli_report, the_page_needs_nothing_else)
{
    program_run run = program_succeeds("report -o r --only explorer,figure-6.2,table-4.4");
    char *page = file_text("r/index.html");

    cr_assert(assert_balanced(page) > 500);
    for (const char *at = page; (at = strstr(at, "://")); at++)
        cr_assert(strncmp(at - 4, "http://www.w3.org/", 18) == 0, "it refers to %.60s", at - 8);
    cr_assert_null(strstr(page, "src=\""));
    cr_assert_null(strstr(page, "@import"));
    cr_assert_null(strstr(page, "url(h"));
    cr_assert(strlen(page) < 5000000);
    cr_assert(strstr(page, "hot spot on, cycles 350"), "the explorer's numbers, as text");
    cr_assert(strstr(page, "6.2.2: "), "the figure's claims");
    cr_assert(strstr(page, "<p>One 4x4 switch, asynchronous, packets of 32 bytes, "),
              "its networks");
    cr_assert(strstr(page, "switchq figure 6.2 --quick"));
    free(page);
    program_free(&run);
}

/* The answer of the checks is larger than a megabyte. */
Test(cli_report, a_large_answer_is_used_again)
{
    program_run run = program_shell("\"$SWITCHQ\" report -o r --only table-4.1 > first && "
                                    "head -c 3000000 /dev/zero | tr '\\0' '\\n' >> "
                                    "r/answers/table-4.1.json && "
                                    "\"$SWITCHQ\" report -o r --only table-4.1");

    cr_assert_eq(run.status, 0, "%s%s", run.out, run.err);
    cr_assert(strstr(run.out, "answered before"), "%s", run.out);
    program_free(&run);
}

/* Answers may contain any character, which must not become markup. */
Test(cli_report, text_stays_text)
{
    static const char *const pieces[] = {"Rule: a &lt;cell&gt; &amp; &lt;b&gt; when the",
                                         "\"\\u003c/SCRIPT> 1\"", ">&lt;/SCRIPT&gt;</th>", NULL};
    program_run run = program_shell("\"$SWITCHQ\" report -o r --only table-4.1 && "
                                    "sed -i -e 's/a cell agrees/a <cell> \\& <b>/' "
                                    "-e 's/\"fifo\"/\"<\\/script>\"/g' r/answers/table-4.1.json && "
                                    "\"$SWITCHQ\" report -o r --only table-4.1");

    cr_assert_eq(run.status, 0, "%s%s", run.out, run.err);
    cr_assert(strstr(run.out, "answered before"));
    assert_page_has("r/index.html", pieces);
    program_free(&run);
}

/* The recording is that of a real network: nothing is delivered that was not created, and a link
 * carries at most a packet per cycle, which the hot one does while it is hot. */
Test(cli_report, the_explorer_has_a_tree)
{
    program_run run = program_succeeds("report -o r --only explorer");
    char *text = file_text("r/answers/explorer.json");
    cJSON *tree = cJSON_Parse(text);
    const cJSON *answer = json_at(tree, "answer"), *one;
    const int frames = (int)(json_number(answer, "cycles") / json_number(answer, "every"));

    cr_assert_str_eq(json_string(tree, "schema"), "switchq/report-answer/1");
    cr_assert_eq(cJSON_GetArraySize(json_at(answer, "runs")), 5);
    cJSON_ArrayForEach(one, json_at(answer, "runs"))
    {
        const bool pool = json_number(one, "slots") > 4;
        const cJSON *hot = json_at(one, "hot_delivered")->child;
        const double every = json_number(answer, "every");
        double got = 0;
        /* links to the hot node, from the stages: 16, 4 and 1 */
        cr_assert_eq(cJSON_GetArraySize(json_at(one, "layout.ways")), 21);
        cr_assert_eq(strlen(json_string(one, "cells")),
                     (size_t)frames * 3 * (size_t)json_number(one, "buffers") * (pool ? 2 : 1));
        cr_assert_eq(cJSON_GetArraySize(json_at(one, "delivered")), frames);
        for (int f = 0; hot; f++, hot = hot->next) {
            cr_assert(hot->valuedouble <= every);
            if (f * every >= 300 && f * every < json_number(answer, "off"))
                got += hot->valuedouble;
        }
        cr_assert(got > 0.97 * (json_number(answer, "off") - 300), "%s: %g",
                  json_string(one, "buffer"), got);
    }
    cJSON_Delete(tree);
    free(text);
    program_free(&run);
}

/* ---- answers that are kept ---- */

static bool was_reused(const cJSON *summary)
{
    return cJSON_IsTrue(json_at(json_at(summary, "blocks")->child, "reused"));
}

Test(cli_report, answers_are_kept_and_used_again)
{
    cJSON *first = program_json("report -o r --only table-4.1 --json");
    cJSON *second = program_json("report -o r --only table-4.1 --json");
    cJSON *third = program_json("report -o r --only table-4.1 --json --again");

    cr_assert_str_eq(json_string(first, "schema"), "switchq/report/1");
    cr_assert_str_eq(json_string(first, "page"), "r/index.html");
    cr_assert(!was_reused(first));
    cr_assert(was_reused(second));
    cr_assert(!was_reused(third));
    cr_assert_eq(json_number(json_at(second, "blocks")->child, "agree"), 176);
    cJSON_Delete(first);
    cJSON_Delete(second);
    cJSON_Delete(third);

    /* another block is added, and the page has both */
    program_run run = program_succeeds("report -o r --only explorer");
    char *page = file_text("r/index.html");
    cr_assert(strstr(page, "id=\"table-4.1\"") && strstr(page, "id=\"explorer\""));
    free(page);
    program_free(&run);
}

/* The page of a league answered before. The answer is for a part of the league, which differs from
 * the whole only in length. */
Test(cli_report, the_league_has_its_tables)
{
    cJSON_Delete(program_json("report -o r --only table-4.1 --json"));
    char *kept = file_text("r/answers/table-4.1.json");
    cJSON *record = cJSON_Parse(kept);
    cJSON *league = program_json(
        "compare league --contestants FIFO,DAMQ,CBDA --scenarios \"16 nodes, mixed lengths,stage "
        "cycles\" --quick --bytes 128,256 --database l.db --json");

    cJSON_ReplaceItemInObject(record, "command",
                              cJSON_CreateString("switchq compare league --quick"));
    cJSON_ReplaceItemInObject(record, "answer", league);
    char *text = cJSON_PrintUnformatted(record);
    FILE *file = fopen("r/answers/league.json", "w");
    fputs(text, file);
    fclose(file);
    program_run run = program_succeeds("report -o r --only league");
    char *page = file_text("r/index.html");
    cr_expect(strstr(run.out, "league       recorded (answered before)"), "%s", run.out);
    assert_balanced(page);
    cr_expect(strstr(page, "<h4>128 bytes an input</h4>"));
    cr_expect(strstr(page, "<h4>256 bytes an input</h4>"));
    cr_expect(strstr(page, "<th scope=\"col\">stage cycles</th>"));
    cr_expect(strstr(page, "<th scope=\"row\">CBDA</th><td title=\"--buffer cbda: an asynch"));
    cr_expect(strstr(page, "&#9733;</td>"), "CBDA wins in stage cycles");
    free(text);
    free(kept);
    free(page);
    program_free(&run);
    cJSON_Delete(record);
}

Test(cli_report, a_page_from_kept_answers_is_the_same_page)
{
    program_run run = program_shell("\"$SWITCHQ\" report -o r --only table-4.1,figure-6.2 && "
                                    "cp r/index.html first && "
                                    "\"$SWITCHQ\" report -o r --only table-4.1,figure-6.2 && "
                                    "cmp first r/index.html");
    cr_assert_eq(run.status, 0, "%s%s", run.out, run.err);
    program_free(&run);
}

/* Answers of another program, to another question, or torn. */
Test(cli_report, answers_that_do_not_fit_are_asked_again)
{
    static const char *const spoil[] = {
        "sed -i 's/\"program\":\"[0-9a-f]*\"/\"program\":\"0\"/' r/answers/table-4.1.json",
        ("sed -i 's/switchq table 4.1/switchq table 4.1 --arbiter longest/' "
         "r/answers/table-4.1.json"),
        "truncate -s 1000 r/answers/table-4.1.json",
        "printf '{\"schema\":\"switchq/report-answer/1\"}' >r/answers/table-4.1.json",
        ": >r/answers/table-4.1.json",
    };

    cJSON_Delete(program_json("report -o r --only table-4.1 --json"));
    for (size_t k = 0; k < sizeof spoil / sizeof *spoil; k++) {
        program_run run = program_shell("%s", spoil[k]);
        cr_assert_eq(run.status, 0, "%s", run.err);
        program_free(&run);
        cJSON *summary = program_json("report -o r --only table-4.1 --json");
        cr_assert(!was_reused(summary), "%s", spoil[k]);
        cJSON_Delete(summary);
    }
}

Test(cli_report, an_interruption_leaves_what_was_finished)
{
    program_run run = program_shell(
        "\"$SWITCHQ\" report --full -o r --only table-4.1,table-5.1 & pid=$!; "
        "while ! [ -e r/answers/table-4.1.json ]; do sleep 0.02; done; sleep 0.3; kill -INT $pid; "
        "wait $pid");

    cr_assert_eq(run.status, 1, "%s%s", run.out, run.err);
    cr_assert(strstr(run.out, "CUT SHORT"), "%s", run.out);
    program_free(&run);
    cr_assert_neq(access("r/answers/table-5.1.json", F_OK), 0);
    static const char *const pieces[] = {"24.624", "Not here: interrupted", NULL};
    assert_page_has("r/index.html", pieces);

    cJSON *summary = program_json("report --full -o r --only table-4.1 --json");
    cr_assert(was_reused(summary));
    cJSON_Delete(summary);
}

/* ---- what goes wrong ---- */

Test(cli_report, bad_input_is_refused)
{
    static const struct {
        const char *arguments, *name, *value;
    } bad[] = {
        {"report", "-o DIR", NULL},
        {"report -o ''", "-o DIR", NULL},
        {"report -o r --quick --full", "--quick and --full", NULL},
        {"report -o r --only checks --no-validate", "--only checks", "--no-validate"},
        {"report -o r --only table-4.9", "table-4.9", "table-4.1"},
        {"report -o r --only nothing-of-the-kind", "--only", "nothing-of-the-kind"},
        {"report -o r --only table-4.1,", "--only", "''"},
        {"report -o r --threads 0", "--threads", "0"},
        {"report -o r r", "unexpected argument", "'r'"},
        {"report -o r --onyl tables", "--onyl", "--only"},
        {"report -o /proc/r", "/proc/r", NULL},
    };

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        program_run run = program("%s", bad[k].arguments);
        expect_refusal(&run, 2, bad[k].name, bad[k].value);
        program_free(&run);
    }
    char *names = folder_names();
    cr_assert_str_empty(names, "left behind: %s", names);
    free(names);
}

Test(cli_report, a_page_of_somebody_else_is_left_alone)
{
    program_run run = program_shell("mkdir r && echo '<p>my page' >r/index.html && "
                                    "\"$SWITCHQ\" report -o r --only table-4.1");
    expect_refusal(&run, 2, "r/index.html", "not a report of switchq");
    program_free(&run);
    char *text = file_text("r/index.html");
    cr_assert_str_eq(text, "<p>my page\n");
    free(text);

    run = program_shell("echo >file && \"$SWITCHQ\" report -o file --only table-4.1");
    expect_refusal(&run, 2, "must be a folder", "file");
    program_free(&run);
}

/* The limit on file sizes simulates a full disk: first not even the answer fits, then the answer
 * does and the page does not. What was there before is kept, and no torn file is left. */
Test(cli_report, a_full_disk_is_told)
{
    static const char line[] = "(trap '' XFSZ; ulimit -f %d; \"$SWITCHQ\" report -o r --again "
                               "--only explorer >out)";
    char whole[200];

    cJSON_Delete(program_json("report -o r --only explorer --json"));
    char *before = file_text("r/index.html");
    for (int k = 0; k < 2; k++) {
        snprintf(whole, sizeof whole, line, k ? 1240 : 8);
        program_run run = program_shell("%s", whole);
        expect_refusal(&run, 2, k ? "r/index.html" : "r/answers/explorer.json", "cannot write");
        program_free(&run);
        char *after = file_text("r/index.html");
        cr_assert_str_eq(after, before);
        free(after);
        run = program_shell("ls -A r r/answers | tr '\\n' ' '");
        cr_assert_str_eq(run.out, "r: answers index.html  r/answers: explorer.json ");
        program_free(&run);
    }
    free(before);
}
