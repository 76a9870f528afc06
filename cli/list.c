/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq list: what there is, read off the tables themselves.
 * Room: cli.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/cli.h"
#include "switchq/export.h"

#include <string.h>

static int as_json;

static struct poptOption options[] = {
    {"json", '\0', POPT_ARG_NONE, &as_json, 0, "print JSON", NULL},
    POPT_TABLEEND,
};

/* One line to print: a name, what it is, and where it comes from or what it promises. */
typedef struct {
    const char *name, *summary, *more;
} line;

static line buffer_line(int k)
{
    const swq_buffer_kind *row = swq_buffer_kinds[k];
    return row ? (line){row->name, row->summary, row->source} : (line){0};
}

static line arbiter_line(int k)
{
    const swq_arbiter *row = swq_arbiters[k];
    return row ? (line){row->name, row->summary, row->source} : (line){0};
}

static line solver_line(int k)
{
    const swq_solver *row = swq_solvers[k];
    return row ? (line){row->name, row->summary, row->promise} : (line){0};
}

static line format_line(int k)
{
    const swq_export_format *row = swq_export_formats[k];
    return row ? (line){row->name, row->summary, NULL} : (line){0};
}

static line traffic_line(int k)
{
    static const line lines[] = {
        {"uniform", "every output equally likely", NULL},
        {"hotspot:F[:J]", "a fraction F to output J (default 0), the rest uniform over all outputs",
         "Pfister and Norton (1985)"},
        {"matrix:P,P/P,P", "destination probabilities, a row for each input", NULL},
        {"file:PATH", "the same in a file, separated by blanks, commas or line ends", NULL},
        {0},
    };
    return lines[k];
}

static line flow_line(int k)
{
    static const line lines[] = {
        {"discard", "a refused packet is lost", "Frazier (1995), 4.2"},
        {"block", "its source holds it and offers it again, creating no other meanwhile",
         "Frazier (1995), 4.3"},
        {"--credit same", "a slot freed in a cycle can be refilled in that cycle", NULL},
        {"--credit next", "... only in the next", "Frazier (1995), 4.3"},
        {0},
    };
    return lines[k];
}

static line table_line(int k)
{
    static const line lines[] = {
        {"4.1", "discards of one 2x2 switch, from Markov chains", "Frazier (1995), 4.2"},
        {0},
    };
    return lines[k];
}

typedef struct {
    const char *name;
    line (*at)(int k);
} topic;

static const topic topics[] = {
    {"buffers", buffer_line},  {"arbiters", arbiter_line}, {"solvers", solver_line},
    {"traffic", traffic_line}, {"flow", flow_line},        {"formats", format_line},
    {"tables", table_line},
};

enum { TOPICS = sizeof topics / sizeof *topics };

static void print_topic(const topic *t)
{
    printf("%s:\n", t->name);
    for (int k = 0; t->at(k).name; k++) {
        line l = t->at(k);
        printf("  %-16s %s\n", l.name, l.summary);
        if (l.more)
            printf("  %-16s   [%s]\n", "", l.more);
    }
}

static void add_topic(cJSON *tree, const topic *t)
{
    cJSON *rows = cJSON_AddArrayToObject(tree, t->name);

    for (int k = 0; t->at(k).name; k++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddItemToArray(rows, row);
        cJSON_AddStringToObject(row, "name", t->at(k).name);
        cJSON_AddStringToObject(row, "summary", t->at(k).summary);
        if (t->at(k).more)
            cJSON_AddStringToObject(row, "more", t->at(k).more);
    }
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    const void *rows[TOPICS + 1] = {0};
    const char *name = NULL;
    const topic *only = NULL;
    int end = cli_read_options(ctx, self, options, argc, argv, &name, 1);
    if (end >= 0)
        return end;
    for (int t = 0; t < TOPICS; t++)
        rows[t] = &topics[t];
    if (name && !(only = swq_name_lookup(ctx, "topic", name, rows)))
        return cli_fail(ctx, SWQ_EINVAL);

    cJSON *tree = as_json ? cJSON_CreateObject() : NULL;
    cJSON_AddStringToObject(tree, "schema", "switchq/list/1");
    for (int t = 0; t < TOPICS; t++) {
        if (only && only != &topics[t])
            continue;
        if (as_json)
            add_topic(tree, &topics[t]);
        else
            print_topic(&topics[t]);
    }
    swq_status status = as_json ? cli_json_print(ctx, tree) : cli_flush(ctx);
    return status ? cli_fail(ctx, status) : CLI_OK;
}

const cli_command cli_list = {
    .name = "list",
    .usage = "[buffers|arbiters|solvers|traffic|flow|formats|tables]",
    .summary = "list the buffers, arbiters, solvers and so on that there are",
    .run = run,
};
