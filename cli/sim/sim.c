/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim: simulates a network. This file chooses the engine, and refuses options of the other
 * one.
 * Room: cli.
 */
#include "cli/sim/sim.h"
#include "base/context.h"
#include "base/plot.h"
#include "cli/options/parse.h"
#include "cli/sim/detail.h"
#include "cli/sim/film.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"

static struct poptOption options[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_network_options, 0, "The network:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_async_options, 0,
     "Asynchronous networks alone (--engine async; torus, mesh, hypercube):", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_run_options, 0, "The run:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_rare_options, 0, "Rare discards:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_sim_output_options, 0, "Output:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_memory_options, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* How each engine is run. */
static const struct {
    unsigned engine;
    const cli_points_kind *points;
} runs[] = {{SWQ_ENGINE_SYNC, &cli_sim_sync}, {SWQ_ENGINE_ASYNC, &cli_sim_async}};

const struct cli_points_panel cli_sim_panels[] = {
    {"throughput", "latency_cycles", "load", false},
    {NULL, "discard_fraction", NULL, true},
    {NULL, "throughput", NULL, false},
    {NULL, NULL, NULL, false},
};

/* Reads how points are run and printed, as far as it is the same for all. */
static swq_status read_how(swq_context *ctx, const cli_axes *axes, cli_points_how *how)
{
    const char *threads = cli_text(cli_run_options, "threads");
    swq_status status = SWQ_OK;

    how->format = cli_given(cli_sim_output_options, "json")  ? CLI_JSON
                  : cli_given(cli_sim_output_options, "csv") ? CLI_CSV
                                                             : CLI_TEXT;
    how->plot = cli_text(cli_sim_output_options, "plot");
    how->threads = 1;
    if (threads)
        status = cli_integer(ctx, "threads", threads, 1, SWQ_MAX_THREADS, &how->threads);
    if (!status && how->plot)
        status = cli_plot_check(ctx, how->plot);
    if (!status && how->plot && axes->points == 1)
        status = cli_detail_plotted(ctx);
    if (!status && axes->points > 1 && cli_given(cli_sim_output_options, "series"))
        status = swq_fail(ctx, SWQ_EINVAL, "--series is of one run: it does not go with a range");
    if (!status && axes->points > 1 && cli_given(cli_run_options, "find-saturation"))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--find-saturation is for one network, not for a range of --%s; 'switchq "
                          "sweep' takes several",
                          axes->axis[0].option);
    if (!status && axes->points > 1 && cli_given(cli_run_options, "time"))
        status = swq_fail(ctx, SWQ_EINVAL, "--time is of one run: it does not go with a range");
    if (!status && axes->points > 1 && cli_given(cli_sim_output_options, "starts"))
        status = swq_fail(ctx, SWQ_EINVAL, "--starts is of one run: it does not go with a range");
    if (!status && axes->points > 1 && cli_given(cli_sim_output_options, "saq-log"))
        status = swq_fail(ctx, SWQ_EINVAL, "--saq-log is of one run: it does not go with a range");
    return status;
}

/* Runs the points of either engine; the axes belong to the caller. */
static int run_points(swq_context *ctx, const cli_axes *axes)
{
    const cli_engine *engine;
    cli_points_how how;
    int k = 0;

    cli_axes_set(axes, 0);
    swq_status status = cli_engine_choose(ctx, options, &engine);
    const char *rare = cli_given(cli_rare_options, NULL);
    if (!status && rare && !cli_given(cli_rare_options, "rare"))
        status = swq_fail(ctx, SWQ_EINVAL, "--%s needs --rare", rare);
    if (!status && rare && axes->points > 1)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--rare is for one network, not for a range of --%s; 'switchq sweep' "
                          "takes several",
                          axes->axis[0].option);
    if (!status && !rare)
        status = read_how(ctx, axes, &how);
    if (status)
        return cli_fail(ctx, status);
    if (rare)
        return cli_sim_rare(ctx);
    while (runs[k].engine != engine->bit)
        k++;
    status = cli_reel_open(ctx, axes);
    if (status)
        return cli_fail(ctx, status);
    const int end = cli_points_run(ctx, axes, runs[k].points, &how);
    status = cli_reel_close(ctx, end != 2);
    return status ? cli_fail(ctx, status) : end;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    cli_axes axes;
    int end = cli_read_options(ctx, self, options, argc, argv, NULL, 0);

    if (end >= 0)
        return end;
    swq_status status = cli_axes_read(ctx, options, &axes);
    if (status)
        return cli_fail(ctx, status);
    end = run_points(ctx, &axes);
    cli_axes_clear(&axes);
    return end;
}

const cli_command cli_sim = {
    .name = "sim",
    .usage = "--buffer KIND[,KIND] --slots B --load R|FROM:TO:STEP [OPTION...]",
    .common = "topology stages buffer slots load flow traffic cycles plot json",
    .summary = "simulate a network of switches",
    .examples =
        "  switchq sim --buffer damq --slots 4 --load 0.5 --flow block\n"
        "  switchq sim --buffer fifo,damq --slots 4 --flow block --load 0.1:0.7:0.1 --plot "
        "curves.svg\n"
        "  switchq sim --topology mesh --dims 16x16 --buffer damq --load 0.05 --traffic transpose "
        "--cycles 20000 --per-link --plot links.svg\n"
        "  switchq sim --topology switch --buffer damq --slots 4 --load 0.9\n"
        "  switchq sim --buffer fifo --slots 4 --load 0.2 --flow block --traffic hotspot:0.05\n"
        "  switchq sim --buffer damq --slots 4 --load 0.5 --flow block --high 0.05 --priority "
        "queue\n"
        "  switchq sim --ports 2 --stages 6 --buffer samq --slots 4 --flow block "
        "--find-saturation --json\n"
        "  switchq sim --rare --topology switch --ports 2 --buffer damq --slots 4 --load 0.5\n"
        "  switchq sim --topology torus --dims 8x8 --buffer damq --bytes 256 --threshold 24 "
        "--load 0.3\n"
        "  switchq sim --topology mesh --dims 8x8 --buffer damq --load 0.1 --traffic transpose "
        "--cycles 5000 --watch film.html\n"
        "  switchq sim --engine async --buffer damq --load 0.8 --length 6-32 --cycles 50000\n",
    .run = run,
};
