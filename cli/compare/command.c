/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq compare: contestants in scenarios, by simulation with common random numbers.
 */
#include "base/context.h"
#include "base/machine.h"
#include "cli/compare/compare.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/record/format.h"
#include "cli/sweep/workers.h"

#include <stdlib.h>
#include <string.h>

static cli_format format;
static int quick, retry, benchmarks;
static char *threads_text, *database_text, *terms_path, *plot_path, *page_path, *data_path,
    *bytes_text, *area_text, *contestants_text, *scenarios_text;

enum { MOST_SEED = 1000000000 };

static cli_parameter what_parameters[] = {
    {CLI_OPTION_IN("bytes", "B[,B...]", 0, &bytes_text), CLI_OF_THE_RUN, .excludes = "area",
     .about = "bytes of packet memory per input, in place of the study's 'memory'"},
    {CLI_OPTION_IN("area", "CELLS[,CELLS...]", 0, &area_text), CLI_OF_THE_RUN,
     .about =
         "compare at equal area: each contestant gets the most memory, in steps of 32 bytes per "
         "input, with which a switch takes no more cells of area than this (docs/cost.md)"},
    {CLI_OPTION_IN("contestants", "NAME[,NAME...]", 0, &contestants_text), CLI_OF_THE_RUN,
     .about = "run only these contestants of the study; gains are relative to the first of them"},
    {CLI_OPTION_IN("scenarios", "NAME[,NAME...]", 0, &scenarios_text), CLI_OF_THE_RUN,
     .about = "run only these scenarios of the study"},
    {CLI_FLAG_IN("benchmark", 0, &benchmarks), CLI_OF_THE_RUN,
     .about = "the congestion benchmarks I to VI in place of the study's scenarios, at full load "
              "unless its set has another load"},
    {CLI_OPTION("seed", "S", 0), CLI_AT(CLI_INT, cli_compare_given, seed), CLI_FROM(0, MOST_SEED),
     CLI_OF_THE_RUN, .about = "first seed, in place of the study's"},
    {CLI_OPTION("second-seed", "S", 0), CLI_AT(CLI_INT, cli_compare_given, second_seed),
     CLI_FROM(1, MOST_SEED), CLI_OF_THE_RUN,
     .about = "repeat the comparison from this first seed, and count the marks that are the same "
              "and those that are reversed; exit status 1 if any is reversed"},
    {CLI_OPTION("precision", "P", 0), CLI_AT(CLI_REAL, cli_compare_given, precision),
     CLI_FROM(1e-6, 0.5), CLI_OF_THE_RUN,
     .about = "add repeats where they are needed, until all paired differences of a scenario are "
              "known to within this fraction of its best"},
    CLI_PARAMETERS_END,
};

static struct poptOption run_options[] = {
    CLI_FLAG_ROW("quick", &quick,
                 "a quarter of the repeats, but at least six, and none added for the study's "
                 "precision; a full run uses these answers again"),
    CLI_THREADS_OPTION(&threads_text, "points, each in a process of its own,", CLI_ALL_CORES),
    CLI_FLAG_ROW("retry", &retry, "try failed points again"),
    CLI_TEXT_ROW("database", "FILE", &database_text, "where answers are kept (default: STUDY.db)"),
    CLI_TEXT_ROW("cost-file", "FILE", &terms_path,
                 "terms of the cost that differ from the default, by name (YAML or JSON)"),
    POPT_TABLEEND,
};

static struct poptOption output_options[] = {
    CLI_TEXT_ROW("plot", "FILE.svg|.png|.pdf|.csv", &plot_path, "plot gain over cost"),
    CLI_TEXT_ROW("page", "FILE.html|.md", &page_path,
                 "write everything as a page that needs no other file, or as Markdown"),
    CLI_TEXT_ROW("data", "FILE.csv", &data_path,
                 "write a line for each run, with its seed, its command line and the version"),
    CLI_TABLE(cli_format_options, NULL),
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, what_parameters, CLI_IS_PARAMETER,
     "What is compared:", NULL},
    CLI_TABLE(run_options, "The run:"),
    CLI_TABLE(output_options, "Output:"),
    POPT_TABLEEND,
};

static swq_status name_database(cli_comparison *c, char **database)
{
    const char *path = database_text ? database_text : c->path;

    if (!*path || strcmp(path, "-") == 0)
        return swq_fail(c->ctx, SWQ_EINVAL, "%s needs the name of a file",
                        database_text ? "--database" : "compare");
    *database = swq_calloc(c->ctx, strlen(path) + 4, 1);
    if (!*database)
        return swq_memory_status(c->ctx);
    memcpy(*database, path, strlen(path));
    if (!database_text)
        memcpy(*database + strlen(path), ".db", sizeof ".db");
    if (strcmp(*database, c->path) == 0)
        return swq_fail(c->ctx, SWQ_EINVAL,
                        "'%.150s' is the study itself: --database must name another file", c->path);
    return SWQ_OK;
}

static bool ends_in(const char *path, const char *end)
{
    const size_t length = strlen(path), of_end = strlen(end);

    return length > of_end && strcmp(path + length - of_end, end) == 0;
}

static swq_status check(swq_context *ctx, const char *path, int *workers)
{
    swq_status status = cli_format_read(ctx, &format);

    if (!status && !path)
        status = swq_fail(
            ctx, SWQ_EINVAL,
            "compare needs a study: switchq compare STUDY.yaml, league, buffers or 1000-hosts");
    if (!status)
        status = cli_workers_read(ctx, threads_text, workers);
    if (!status && plot_path)
        status = cli_plot_check(ctx, plot_path);
    return status;
}

static swq_status read_given(cli_comparison *c, cli_compare_given *given)
{
    *given = (cli_compare_given){.bytes = bytes_text,
                                 .area = area_text,
                                 .seed = -1,
                                 .contestants = contestants_text,
                                 .scenarios = scenarios_text};
    const swq_status status = cli_parameters_read(c->ctx, what_parameters, given);
    c->second_seed = (uint64_t)given->second_seed;
    return status;
}

/* Once all answers are known. Options belong to the process, and asking for the costs of
 * contestants resets them, so the options that are needed here are arguments. */
static swq_status tell(cli_comparison *c, const char *plot, const char *page, const char *data,
                       cli_format as)
{
    swq_status status = cli_compare_worst(c);

    if (!status)
        status = cli_compare_ask_beside(c);
    if (status)
        return status;
    cli_compare_gains(c);
    status = cli_record_print(c->ctx, cli_compare_record(c), as);
    if (!status && plot)
        status = cli_compare_draw(c, plot);
    if (!status && page)
        status = ends_in(page, ".md") ? cli_compare_markdown(c, page) : cli_compare_page(c, page);
    if (!status && data)
        status = cli_compare_data(c, data);
    return status;
}

static swq_status prepare(cli_comparison *c, const cli_compare_given *given, const char *terms)
{
    swq_status status = cli_compare_read(c, given);

    if (!status && c->second_seed == c->seed)
        status = swq_fail(c->ctx, SWQ_EINVAL, "--second-seed %llu is also the first seed",
                          (unsigned long long)c->seed);
    if (!status && c->by_area)
        status = cli_compare_fit(c, terms);
    c->fitting = true; /* if nothing can be built, check_blanks says so */
    if (!status)
        status = cli_compare_plan(c);
    if (!status)
        status = cli_compare_cost(c, terms);
    c->fitting = false;
    if (!status)
        status = cli_compare_check_blanks(c, terms);
    return status ? status : cli_compare_plan(c); /* some may cost too much */
}

/* The exit status of a comparison that was run to its end. */
static int verdict(const cli_comparison *c)
{
    const char *why = cli_compare_why_nothing(c);

    if (why)
        fprintf(stderr, "switchq: %.100s: no run gave a number to compare: %s\n", c->path, why);
    return why || c->marks_reversed > 0 ? CLI_FAILED : CLI_OK;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    cli_comparison *c = calloc(1, sizeof *c);
    cli_compare_given given = {0};
    const char *path = NULL;
    char *database = NULL;
    int workers = 1;

    if (!c)
        return cli_fail(ctx, swq_fail(ctx, SWQ_ENOMEM, "no memory for a comparison"));
    int end = cli_read_options(ctx, self, options, argc, argv, &path, 1);
    if (end >= 0) {
        free(c);
        return end;
    }
    const char *plot = plot_path, *page = page_path, *data = data_path, *terms = terms_path;
    const bool again = retry != 0;
    swq_status status = check(ctx, path, &workers);
    const cli_format wanted = format;
    c->ctx = ctx;
    c->path = path;
    c->quick = quick != 0;
    c->data_path = data;
    c->benchmarks = benchmarks != 0;
    if (!status)
        status = read_given(c, &given);
    if (!status)
        status = name_database(c, &database);
    if (!status)
        status = prepare(c, &given, terms);
    if (!status) {
        const size_t memory = swq_usual_memory();
        cli_make_folder_for(database);
        status = cli_compare_run(c, database, workers,
                                 (memory ? memory : SIZE_MAX) / (size_t)workers, again);
    }
    cli_clear_progress();
    if (!status && !c->lent)
        status = tell(c, plot, page, data, wanted);
    if (status && c->interrupted)
        swq_fail(ctx, status,
                 "interrupted: the answers so far are in %.150s, and the same command resumes",
                 database);
    end = status ? cli_fail(ctx, status) : c->lent ? CLI_OK : verdict(c);
    swq_free(ctx, database);
    cli_compare_clear(c);
    free(c);
    return end;
}

const cli_command cli_compare = {
    .name = "compare",
    .no_file = true,
    .plugins = true,
    .usage = "STUDY|league|buffers|1000-hosts [OPTION...]",
    .common = "bytes quick threads plot page json csv",
    .summary = "contestants in scenarios: who wins, and what it costs",
    .notes =
        "A comparison is described by a YAML (or JSON) file:\n"
        "  set: {ports: 4, stages: 3, sources: open}   # options of all simulations\n"
        "  contestants:\n"
        "    FIFO: {buffer: fifo, slots: 4}\n"
        "    DAMQ: {buffer: damq, slots: 4}\n"
        "  scenarios:\n"
        "    half: {load: 0.5}\n"
        "  repeats: 8            # with seeds that all contestants share\n"
        "  precision: 0.01       # of paired differences; adds repeats where needed\n"
        "  memory: [128, 256]    # bytes per input; 'slots: memory/32' uses it\n"
        "  seed: 1\n"
        "  measure: latency      # or throughput, discards\n"
        "  equal: memory         # or wires, area, none\n"
        "  beside: {worst: {queues: 2, slots: 8}}   # of rules of shared memories\n"
        "Answers are kept beside this file, so the same command resumes after an interruption.\n"
        "docs/compare.md says more. compare-small.yaml of the examples below is one of the\n"
        "studies in the sources' folder examples/studies.\n"
        "Three studies are part of the program: 'league', 40 switches in 12 scenarios;\n"
        "'buffers', 11 rules that share a memory in 15 scenarios of a data centre; and\n"
        "'1000-hosts', networks of low diameter with their routings in 6 scenarios.\n",
    .examples =
        "  switchq compare compare-small.yaml --quick\n"
        "  switchq compare compare-small.yaml --plot front.svg --page compare.html\n"
        "  switchq compare compare-small.yaml --json\n"
        "  switchq compare league --quick --bytes 256 --plot front.svg\n"
        "  switchq compare buffers --quick --contestants DT,LQD --scenarios 'web 40% Tofino'\n"
        "  switchq compare buffers --quick --page buffers.html --data buffers.csv\n",
    .run = run,
};
