/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that say how long to simulate and what to print, for both engines.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/points/points.h"
#include "cli/sim/sim.h"
#include "cli/spec/engine.h"
#include "cli/spec/network.h"

#include <stdlib.h>
#include <string.h>

static int as_json, as_csv, per_node, per_link, histogram, find_saturation;
static char *cycles_text, *warmup_text, *replications_text;
static char *precision_text, *groups_text, *group_by_text, *engine_text;
static char *series_text, *onset_text, *plot_text, *packets_text, *ignore_text, *percentiles_text,
    *measure_text, *starts_text, *saq_log_text, *messages_out_text, *watch_text;

static cli_parameter engine_parameters[] = {
    {CLI_OPTION_IN("engine", "sync|plain|async", 0, &engine_text), .says = "engine %",
     .about = "sync: all switches in step; plain: the same rules without short cuts, to check "
              "sync; async: byte by byte (default sync; async if only it has the topology or the "
              "flow control)"},
    CLI_PARAMETERS_END,
};

struct poptOption cli_engine_options[] = {
    CLI_PARAMETERS(engine_parameters),
    POPT_TABLEEND,
};

static swq_status read_time(swq_context *ctx, const char *text, void *run)
{
    double seconds;
    const swq_status status = cli_number(ctx, "time", text, 1e-3, 1e9, &seconds);

    (void)run;
    if (!status)
        swq_context_limit_time(ctx, seconds);
    return status;
}

/* None of them changes what is asked, but --find-saturation. */
static cli_parameter run_parameters[] = {
    {CLI_OPTION("time", "SECONDS", 0), .read = read_time, CLI_OF_THE_RUN,
     .excludes = "find-saturation",
     .about = "stop after SECONDS of real time, with what has been measured by then"},
    {CLI_OPTION_IN("replications", "R", 0, &replications_text),
     CLI_AT(CLI_INT, cli_run, options.replications), CLI_FROM(1, SWQ_MAX_REPLICATIONS),
     .axis = CLI_AXIS_NONE, .aside = true,
     .about = "number of independent runs, whose results are combined (default 1; shared-memory 8, "
              "--rare 32)",
     CLI_DEFAULTS(
         {"sim", "1", "one long run is better than several short ones"},
         {"sim --architecture shared-memory", "8", "intervals come from replications alone"},
         {"sim --rare", "32", "enough to estimate an interval"})},
    {CLI_OPTION("threads", "T", 0), CLI_AT(CLI_INT, cli_run, options.threads),
     CLI_FROM(1, SWQ_MAX_THREADS), .axis = CLI_AXIS_NONE, .aside = true,
     .about = "replications at a time (default: 1); remaining threads share the work on one large "
              "network: in stages by the fast engine, or asynchronous from 2048 switches on, with "
              "--flow block or maximum-usage and queues at inputs, or at outputs, too, or wormhole "
              "from 128 switches on. On one thread remain --per-node, --per-link, --measure, "
              "--starts, traces, --sender, --management, --piece, messages of several packets, "
              "adaptive routing, --ugal-queue global and path, --ugal-credits round-trip, and "
              "other flow controls and architectures. Does not change the numbers",
     .preset = "", CLI_DEFAULTS({"sim", "1", "the numbers do not depend on it"})},
    {CLI_OPTION("seed", "S", 0), CLI_AT(CLI_BIG, cli_run, options.seed), CLI_FROM(0, 9.2e18),
     .axis = CLI_AXIS_NONE, .aside = true, .about = "seed of all random streams",
     CLI_DEFAULTS({"sim", "1", "the same command gives the same numbers"})},
    {CLI_OPTION("confidence", "C", 0), CLI_AT(CLI_REAL, cli_run, options.confidence),
     CLI_FROM(0.5, 0.9999), .axis = CLI_AXIS_NONE, .aside = true,
     .about = "confidence of the intervals", CLI_DEFAULTS({"sim", "0.95", "the usual level"})},
    {CLI_FLAG_IN("find-saturation", 0, &find_saturation),
     .about = "find the saturation throughput, and intervals of the loads up to which open "
              "sources, and the worst of them, are served in full, by runs of 500000 cycles (or "
              "--cycles) to eight times as many (needs no load)"},
    {CLI_OPTION("resolution", "L", 0), CLI_AT(CLI_REAL, cli_run, search.resolution),
     CLI_FROM(1e-4, 0.5), .axis = CLI_AXIS_NONE, .aside = true, .needs = {"find-saturation"},
     .about =
         "width of the intervals of --find-saturation, if its runs are long enough (default 0.005)",
     .preset = "", CLI_DEFAULTS({"sim --find-saturation", "0.005", "finer than most intervals"})},
    CLI_PARAMETERS_END,
};

struct poptOption cli_run_parameters[] = {
    CLI_PARAMETERS(run_parameters),
    POPT_TABLEEND,
};

static swq_status read_warmup(swq_context *ctx, const char *text, void *run)
{
    return strcmp(text, "auto") == 0
               ? SWQ_OK
               : cli_big(ctx, "warmup", text, 0, 2e8, &((cli_run *)run)->options.warmup);
}

static cli_parameter length_parameters[] = {
    {CLI_OPTION_IN("cycles", "N", 0, &cycles_text), CLI_AT(CLI_BIG, cli_run, options.cycles),
     CLI_FROM(1, 4e9), CLI_OF_THE_RUN,
     .about = "cycles measured, in each replication (default 20000, asynchronous 200000; fewer for "
              "more than 1024 nodes); with a precision, the most (default 500 times as many)"},
    {CLI_OPTION_IN("warmup", "N|auto", 0, &warmup_text), .read = read_warmup, CLI_OF_THE_RUN,
     .about = "cycles before measurement begins (default auto: until MSER-5 finds the number of "
              "packets in the system settled); shared-memory: a TIME (default 1ms)"},
    {CLI_OPTION_IN("packets", "N", 0, &packets_text), CLI_AT(CLI_BIG, cli_run, options.packets),
     CLI_FROM(1, 1e12), CLI_OF_THE_RUN,
     .about = "stop each replication when N packets (not messages) have been delivered, within 64 "
              "cycles"},
    {CLI_OPTION_IN("ignore", "N", 0, &ignore_text), CLI_AT(CLI_BIG, cli_run, options.ignore),
     CLI_FROM(1, 1e12), CLI_OF_THE_RUN, .excludes = "warmup",
     .about = "instead of a warm-up: begin to measure when N packets have been delivered"},
    {CLI_OPTION_IN("precision", "P", 0, &precision_text),
     CLI_AT(CLI_REAL, cli_run, options.precision), CLI_FROM(1e-6, 0.5), CLI_OF_THE_RUN,
     .about = "run until mean latency and throughput are known to within the fraction P"},
    CLI_PARAMETERS_END,
};

struct poptOption cli_run_options[] = {
    CLI_PARAMETERS(length_parameters),
    CLI_PARAMETERS(run_parameters),
    CLI_TABLE(cli_engine_options, NULL),
    POPT_TABLEEND,
};

struct poptOption cli_sim_output_options[] = {
    CLI_FLAG_ROW("per-node", &per_node,
                 "also print for each node the packets created, sent and received, and their "
                 "latencies; and the means over nodes of their percentiles (--plot: a map)"),
    CLI_FLAG_ROW("per-link", &per_link,
                 "also print for each link its utilisation, and the packets in the buffer that it "
                 "leads to (--plot: a map of the links)"),
    CLI_FLAG_ROW("histogram", &histogram,
                 "also print the histogram of the latency (--plot: as a curve)"),
    CLI_TEXT_ROW("percentiles", "P,P,...", &percentiles_text,
                 "also print these percentiles of the latency, with intervals (with --histogram by "
                 "default 50,90,99,99.9)"),
    CLI_TEXT_ROW("measure", "NAME,NAME,...", &measure_text,
                 "also measure these quantities ('switchq list measures'), with intervals, and the "
                 "percentiles of --percentiles"),
    {"node-groups", '\0', POPT_ARG_STRING, &groups_text, SWQ_ENGINE_SYNC,
     "measure groups of nodes separately: ranges joined by + form a group; the remaining nodes are "
     "a group too",
     "A-B+C,D-E"},
    {"group-by", '\0', POPT_ARG_STRING, &group_by_text, SWQ_ENGINE_SYNC,
     "a packet belongs to its destination's group (default), or its source's",
     "destination|source"},
    CLI_TEXT_ROW("series", "N", &series_text,
                 "also print results over time, for each window of N cycles, from cycle 0 on, "
                 "warm-up included, or from the end of a given --warmup on; with intervals from "
                 "--replications; shared-memory: for each TIME, from the end of the warm-up on"),
    CLI_TEXT_ROW("onset", "CYCLE", &onset_text,
                 "with --series: print how far throughput falls after this cycle, and after how "
                 "many cycles it has recovered (10 windows in a row within 2% of the mean before)"),
    CLI_TEXT_ROW("starts", "FILE", &starts_text,
                 "write the start of every transmission in the first replication as CSV: cycle, "
                 "switch, input, output (none: from its sender), from, to, birth, and bytes "
                 "(asynchronous) or priority"),
    {"saq-log", '\0', POPT_ARG_STRING, &saq_log_text, SWQ_ENGINE_ASYNC,
     "--management recn-iq, recn, recn-enhanced, fbicm: write every event of a set-aside queue in "
     "the first replication as CSV: cycle, event, switch (or interface), port (or node), number of "
     "the queue, and the path as seen from there",
     "FILE"},
    {"messages-out", '\0', POPT_ARG_STRING, &messages_out_text, SWQ_ENGINE_ASYNC,
     "write a line of CSV for each message of the first replication that has arrived, from cycle 0 "
     "on: created, from, to, bytes, the cycles until its first byte and until its last byte "
     "arrived, and its group of senders",
     "FILE"},
    CLI_TEXT_ROW("watch", "FILE.html", &watch_text,
                 "write a page for any browser that shows how full every buffer was during the "
                 "first replication, with a slider for the time; for a range, up to four runs side "
                 "by side (of data centres: one run)"),
    CLI_TEXT_ROW("plot", "FILE.svg|.png|.pdf|.csv", &plot_text,
                 "also draw a plot: for a range, latency over throughput, and loss and throughput "
                 "over the load (or over another range of numbers), with intervals as bands; for "
                 "one run, what --per-link, --per-node, --histogram or --series asks for"),
    CLI_TABLE(cli_points_plot_options, NULL),
    CLI_FLAG_ROW("json", &as_json, "print JSON"),
    CLI_FLAG_ROW("csv", &as_csv,
                 "print CSV: a row for the whole run, and for each class, group, stage and window"),
    POPT_TABLEEND,
};

static const char *const group_by_words[] = {"destination", "source", NULL};

/* With a precision, a run may take up to that many times the usual cycles. */
enum { PRECISION_CYCLES = 500 };

/* Cycles of the shortest run that judges a load in the search for saturation. */
enum { BRACKET_CYCLES = 500000 };

/* Reads --series. All replications have the same windows, so options that let a run end at a cycle
 * not known beforehand are refused. */
static swq_status read_series(swq_context *ctx, swq_sim_options *o)
{
    const char *against = precision_text    ? "precision"
                          : ignore_text     ? "ignore"
                          : find_saturation ? "find-saturation"
                                            : NULL;

    if (against)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--series does not go with --%s: its windows need a number of cycles that "
                        "is known beforehand",
                        against);
    return cli_big(ctx, "series", series_text, 1, 4e9, &o->series);
}

static swq_status read_onset(swq_context *ctx, const swq_sim_options *o, uint64_t *onset)
{
    *onset = CLI_NO_ONSET;
    if (!onset_text)
        return SWQ_OK;
    if (!series_text)
        return swq_fail(ctx, SWQ_EINVAL, "--onset needs --series, whose windows it uses");
    const uint64_t first = o->warmup == SWQ_WARMUP_AUTO ? 0 : o->warmup; /* of the windows */
    if (first >= 4000000000 - o->series)
        return swq_fail(ctx, SWQ_EINVAL, "--onset needs a whole window of --series before it");
    return cli_big(ctx, "onset", onset_text, (double)(first + o->series), 4e9, onset);
}

static swq_status read_length(swq_context *ctx, const cli_run_of *what, cli_run *run)
{
    swq_sim_options *o = &run->options;

    o->cycles = what->cycles;
    if (what->nodes > 1024)
        o->cycles = what->nodes < 20480 ? what->cycles * 1024 / what->nodes : what->cycles / 20;
    if (what->trace)
        o->cycles = 4000000000;
    if (precision_text || packets_text)
        o->cycles = PRECISION_CYCLES * what->cycles;
    if (what->trace || what->timed)
        o->warmup = 0;
    if (what->timed && (precision_text || (warmup_text && strcmp(warmup_text, "auto") == 0)))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s does not go with a --group that has from or until: it is for traffic "
                        "that settles",
                        precision_text ? "precision" : "warmup auto");
    const swq_status status = series_text ? read_series(ctx, o) : SWQ_OK;
    return status ? status : cli_parameters_read(ctx, length_parameters, run);
}

swq_status cli_run_numbers(swq_context *ctx, cli_run *run)
{
    return cli_parameters_read(ctx, run_parameters, run);
}

swq_status cli_sim_format(swq_context *ctx, cli_format *format)
{
    *format = as_json ? CLI_JSON : as_csv ? CLI_CSV : CLI_TEXT;
    if (as_json && as_csv)
        return swq_fail(ctx, SWQ_EINVAL, "--json and --csv cannot both be given");
    return SWQ_OK;
}

swq_status cli_run_read(swq_context *ctx, const cli_run_of *what, cli_run *run)
{
    swq_sim_options *o = &run->options;
    const cli_engine *engine = NULL;
    int word = 0;

    *run = (cli_run){.options = swq_sim_defaults(),
                     .find_saturation = find_saturation != 0,
                     .search = {.resolution = 0.005}};
    swq_status status = read_length(ctx, what, run);
    if (!status)
        status = read_onset(ctx, o, &run->onset);
    run->search.judged = cycles_text ? o->cycles : BRACKET_CYCLES;
    if (!status)
        status = cli_run_numbers(ctx, run);
    if (!status)
        status = cli_engine_asked(ctx, &engine);
    o->plain = engine && engine->plain;
    if (!status && group_by_text)
        status = cli_word(ctx, "group-by", group_by_text, group_by_words, &word);
    o->group_by_source = word == 1;
    if (!status && group_by_text && !groups_text)
        status = swq_fail(ctx, SWQ_EINVAL, "--group-by needs --node-groups");
    o->per_node = per_node != 0;
    if (!status)
        status = cli_sim_format(ctx, &run->format);
    if (!status && what->trace && (replications_text || precision_text))
        status =
            swq_fail(ctx, SWQ_EINVAL,
                     "--replications and --precision do not go with a trace, which is one run");
    if (!status && find_saturation && cli_given(cli_network_options, "load"))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--load and --find-saturation, which finds it, cannot both be given");
    return status ? status : cli_memory_read(ctx);
}
