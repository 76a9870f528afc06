/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of defaults, `switchq help defaults`: the defaults of parameters, and those of the other
 * options of commands. docs/defaults.md is made from the page.
 */
#include "cli/help/help.h"
#include "cli/options/parameter.h"

#include <string.h>

/* Defaults of options that are no parameters. */
static const struct {
    const char *option;
    cli_default is;
} others[] = {
    {"threads",
     {"solve", "(cores)",
      "for one large chain; 1 for the points of a range; the numbers do not depend on it"}},
    {"normalise",
     {"solve", "(1e-9)", "of a chain in a file: what rounding of its numbers explains"}},
    {"start",
     {"solve", "(init)",
      "of a chain in a file with several closed classes: the state of that label"}},
    {"checkpoint-every",
     {"solve", "(600)", "seconds: loses ten minutes at worst, and writes seldom"}},
    {"threads", {"worst", "(cores)", "as for solve"}},
    {"output", {"export", "(stdout)", "formats with several files need a name"}},
    {"engine", {"sim", "sync", "unless only async has the topology or the flow control"}},
    {"cycles", {"sim", "20000", "seconds for 64 nodes; fewer for more than 1024"}},
    {"warmup", {"sim", "auto", "MSER-5 finds when the network has settled"}},
    {"warmup",
     {"sim --architecture shared-memory", "1ms", "queues of 1 MB fill and empty in a millisecond"}},
    {"group-by", {"sim --node-groups 0-7", "destination", "hot spots are destinations"}},
    {"percentiles",
     {"sim --histogram", "50,90,99,99.9",
      "the percentiles that every run prints, without intervals"}},
    {"precision",
     {"sim --rare", "0.1", "for a probability as small as 1e-15, its order of magnitude matters"}},
    {"pilot-steps", {"sim --rare", "50000", "takes a second; the levels need no more"}},
    {"importance", {"sim --rare", "(pilot)", "the best in a pilot run"}},
    {"cycles",
     {"sim --engine async", "200000", "packets take ten times as many cycles as with sync"}},
    {"cycles",
     {"approx --compare", "20000", "those of sim; 200000 for tori, meshes and hypercubes"}},
    {"seed", {"approx --compare", "1", "as for sim"}},
    {"threads", {"approx --compare", "(cores)", "many independent runs"}},
    {"arbiter", {"table 4.1", "random", "reproduces the published values"}},
    {"pool-rule",
     {"table 4.1", "ports", "reproduces the published values; the default of solve is 'room'"}},
    {"slots", {"table 4.1", "(2 ports)", "with --ports: as far as the published table for two"}},
    {"most-states", {"table 4.1", "(100000)", "with --ports: each chain takes seconds"}},
    {"arbiter",
     {"table 4.2, table 4.3, table 4.4, table 5.1", "rotating", "reproduces the published values"}},
    {"pool-rule",
     {"table 4.2, table 4.3, table 4.4, table 5.1", "oldest",
      "reproduces the published values; the default of sim is 'room'"}},
    {"stale",
     {"table 4.2, table 4.3, table 4.4, table 5.1", "0", "the published stale count is not known"}},
    {"seed", {"table 4.2, table 4.3, table 4.4, table 5.1", "1", "as for sim"}},
    {"cycles",
     {"table 4.2, table 4.3, table 4.4, table 5.1", "(20000)",
      "5.1, which has percentiles: 100000; 4.1 with --ports: 1000000"}},
    {"threads",
     {"table 4.2, table 4.3, table 4.4, table 5.1", "(cores)", "the numbers do not depend on it"}},
    {"threshold", {"figure", "(26)", "figures 6.10 to 6.12; the dissertation does not give it"}},
    {"equal", {"figure", "(paper)", "figures 003.7 to 003.12: counted as in the document"}},
    {"cycles", {"figure", "(20000)", "more if a node would get few packets of a class"}},
    {"seed", {"figure", "(1)", "as for sim"}},
    {"threads", {"figure", "(cores)", "the numbers do not depend on it"}},
    {"output", {"figure", "(.)", "this folder"}},
    {"threads", {"sweep", "(cores)", "a process per point"}},
    {"mem", {"sweep", "(80%)", "of the machine's memory, for all workers together"}},
    {"database", {"sweep", "(STUDY.db)", "beside the study"}},
    {"output", {"sweep", "(stdout)", "as for export"}},
    {"prefer", {"sweep", "(error)", "answers that differ need a look"}},
    {"quick", {"validate, report", "(yes)", "about a minute"}},
    {"threads", {"validate, report", "(cores)", "the numbers do not depend on it"}},
    {"seed", {"validate", "(1)", "as for sim"}},
    {NULL, {NULL, NULL, NULL}},
};

enum { MOST_ROWS = 400, COLUMNS = 80 };

/* A line of the page. */
typedef struct {
    const char *option;
    const cli_default *is;
} default_row;

static int collect(default_row *rows)
{
    cli_options_walk w = cli_walk_options(cli_all_parameters);
    int count = 0;

    for (const struct poptOption *o; (o = cli_next_option(&w));) {
        const cli_default *d = cli_parameter_of(o)->defaults;
        bool again = false;
        for (int k = 0; k < count; k++)
            again = again || rows[k].is == d;
        for (; d && d->lines && !again && count < MOST_ROWS; d++)
            rows[count++] = (default_row){o->longName, d};
    }
    for (int k = 0; others[k].option && count < MOST_ROWS; k++)
        rows[count++] = (default_row){others[k].option, &others[k].is};
    return count;
}

static int longer(int length, const char *text)
{
    return (int)strlen(text) > length ? (int)strlen(text) : length;
}

/* The rows of the same command lines as rows[at], in columns; the reasons are wrapped. */
static void print_group(FILE *to, const default_row *rows, int count, int at)
{
    int option = 0, value = 0;

    for (int k = at; k < count; k++) {
        if (strcmp(rows[k].is->lines, rows[at].is->lines) == 0) {
            option = longer(option, rows[k].option);
            value = longer(value, rows[k].is->value);
        }
    }
    const int indent = option + value + 8;
    fprintf(to, "%s:\n\n", rows[at].is->lines);
    for (int k = at; k < count; k++) {
        if (strcmp(rows[k].is->lines, rows[at].is->lines) != 0)
            continue;
        int column =
            fprintf(to, "  --%-*s  %-*s ", option, rows[k].option, value, rows[k].is->value);
        for (const char *word = rows[k].is->why; *word; word += strspn(word, " ")) {
            const int length = (int)strcspn(word, " ");
            if (column + 1 + length > COLUMNS)
                column = fprintf(to, "\n%*s", indent - 1, "") - 1;
            column += fprintf(to, " %.*s", length, word);
            word += length;
        }
        fputc('\n', to);
    }
}

const char *cli_defaults_page(const char *begin)
{
    static char text[40000];
    default_row rows[MOST_ROWS];
    FILE *to = text[0] ? NULL : fmemopen(text, sizeof text, "w");

    if (!to)
        return text;
    const int count = collect(rows);
    fputs(begin, to);
    for (int k = 0; k < count; k++) {
        int first = 0;
        while (strcmp(rows[first].is->lines, rows[k].is->lines) != 0)
            first++;
        if (first < k)
            continue;
        fputc('\n', to);
        print_group(to, rows, count, k);
    }
    fclose(to);
    return text;
}
