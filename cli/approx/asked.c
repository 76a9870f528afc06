/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx: the options that its questions share.
 */
#include "base/context.h"
#include "cli/approx/approx.h"
#include "cli/options/parameter.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/points/points.h"
#include "cli/record/format.h"

static struct {
    int compare, saturation, methods;
    char *method, *target, *table, *plot;
} given;

static cli_parameter own_parameters[] = {
    {CLI_OPTION_IN("method", "NAME", 0, &given.method), .says = "method %",
     .about = "approximation to use instead of the best for the network (--methods lists all)"},
    {CLI_FLAG_IN("methods", 0, &given.methods), .aside = true,
     .about = "list the approximations: for which networks, and with which errors"},
    {CLI_OPTION_IN("target", "P", SWQ_ENGINE_SYNC, &given.target), .says = "a loss of at most %",
     .about = "find the smallest number of slots, or the largest load, with a loss of at most P; "
              "leave out --slots or --load"},
    {CLI_FLAG_IN("find-saturation", 0, &given.saturation),
     .about = "what the network delivers at full load (needs no load)"},
    {CLI_OPTION_IN("table", "4.2|4.3|4.4", 0, &given.table), .aside = true,
     .about = "a printed table: printed, simulated and approximated side by side"},
    CLI_PARAMETERS_END,
};

struct poptOption cli_approx_own_options[] = {
    CLI_PARAMETERS(own_parameters),
    POPT_TABLEEND,
};

static cli_parameter compare_parameters[] = {
    {CLI_FLAG_IN("compare", 0, &given.compare), CLI_OF_THE_RUN,
     .about = "also simulate every point, and say how far off the approximation is"},
    {CLI_OPTION("cycles", "N", 0), CLI_AT(CLI_BIG, cli_approx_runs, cycles), CLI_FROM(100, 4e9),
     CLI_OF_THE_RUN,
     .about = "of every simulation, behind its warm-up (default 20000, asynchronous 200000)"},
    CLI_SEED_ROW(cli_approx_runs, seed),
    CLI_THREADS_ROW(cli_approx_runs, threads, "simulations", CLI_ALL_CORES),
    CLI_PARAMETERS_END,
};

struct poptOption cli_approx_compare_options[] = {
    CLI_PARAMETERS(compare_parameters),
    POPT_TABLEEND,
};

struct poptOption cli_approx_output_options[] = {
    CLI_TEXT_ROW("plot", "FILE.svg|.png|.pdf|.csv", &given.plot,
                 "also draw latency over throughput, for a range or a table"),
    CLI_TABLE(cli_points_plot_options, NULL),
    CLI_TABLE(cli_format_options, NULL),
    POPT_TABLEEND,
};

swq_status cli_approx_read_runs(swq_context *ctx, uint64_t cycles, bool many, cli_approx_runs *runs)
{
    swq_status status = cli_memory_read(ctx);

    *runs = (cli_approx_runs){.cycles = cycles, .seed = 1, .threads = cli_usual_threads()};
    if (!status)
        status = cli_parameters_read(ctx, compare_parameters, runs);
    runs->threads = many ? 1 : runs->threads;
    return status;
}

swq_status cli_approx_target_asked(swq_context *ctx, cli_approx_target *target)
{
    const bool slots = cli_given(cli_switch_options, "slots") != NULL;
    const bool load = cli_given(cli_network_options, "load") != NULL;

    *target = (cli_approx_target){.loss = 0};
    if (!given.target)
        return SWQ_OK;
    if (slots == load)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--target finds --slots or --load: leave one of them out, not %s",
                        slots ? "none" : "both");
    target->slots = !slots;
    target->load = !load;
    return cli_number(ctx, "target", given.target, SWQ_APPROX_LEAST_TARGET, 1, &target->loss);
}

swq_status cli_approx_threads(swq_context *ctx, int *threads)
{
    const char *text = cli_text(cli_approx_compare_options, "threads");

    return given.compare ? cli_threads(ctx, text, threads) : SWQ_OK;
}

swq_status cli_approx_method_asked(swq_context *ctx, const swq_approx_method **method)
{
    *method = NULL;
    return given.method ? swq_approx_find(ctx, given.method, method) : SWQ_OK;
}
