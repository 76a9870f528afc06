/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim: simulates a network. This file chooses the engine, and refuses options of the other
 * one.
 */
#include "cli/sim/sim.h"
#include "base/context.h"
#include "base/plot.h"
#include "cli/booksim/booksim.h"
#include "cli/datacentre/datacentre.h"
#include "cli/options/parse.h"
#include "cli/sim/detail.h"
#include "cli/sim/film.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"
#include "cli/spec/presets.h"

static struct poptOption options[] = {
    CLI_TABLE(cli_network_options, "The network:"),
    CLI_TABLE(cli_async_options,
              "Asynchronous networks alone (--engine async; torus, mesh, hypercube):"),
    CLI_TABLE(cli_datacentre_options, "Switches of data centres (--architecture shared-memory):"),
    CLI_TABLE(cli_run_options, "The run:"),
    CLI_TABLE(cli_rare_options, "Rare discards:"),
    CLI_TABLE(cli_sim_output_options, "Output:"),
    CLI_TABLE(cli_memory_options, NULL),
    CLI_TABLE(cli_booksim_options, "A file of another program:"),
    CLI_TABLE(cli_preset_options, "Settings of the literature:"),
    POPT_TABLEEND,
};

static const cli_points_panel panels[] = {
    {.x = "throughput",
     .y = "latency_cycles",
     .worms_y = "latency_tail_cycles",
     .axis = "load",
     .grows = true},
    {.y = "discard_fraction", .log_y = true},
    {.y = "throughput"},
    {.y = NULL},
};

static const cli_points_panel timed_panels[] = {
    {.x = "load", .y = "discard_fraction", .log_y = true},
    {.y = "delay_ns"},
    {.y = "memory_used_bytes"},
    {.y = NULL},
};

/* Refuses options that are of one run, where there is a range. */
static swq_status refuse_range(swq_context *ctx, const cli_axes *axes)
{
    static const char *const of_a_network[] = {"rare", "find-saturation"};
    static const char *const of_a_run[] = {"series", "time", "starts", "saq-log", "messages-out"};

    if (axes->points == 1)
        return SWQ_OK;
    for (int k = 0; k < 2; k++) {
        if (cli_given(options, of_a_network[k]))
            return swq_fail(
                ctx, SWQ_EINVAL,
                "--%s is for one network, not for a range of --%s; 'switchq sweep' takes several",
                of_a_network[k], axes->axis[0].option);
    }
    for (size_t k = 0; k < sizeof of_a_run / sizeof *of_a_run; k++) {
        if (cli_given(options, of_a_run[k]))
            return swq_fail(ctx, SWQ_EINVAL, "--%s is of one run: it does not go with a range",
                            of_a_run[k]);
    }
    return SWQ_OK;
}

static int question(swq_context *ctx, const cli_axes *axes, cli_points_how *how)
{
    const char *threads = cli_text(cli_run_options, "threads");
    const char *rare = cli_given(cli_rare_options, NULL);
    const cli_engine *engine = NULL;

    cli_axes_set(axes, 0);
    const bool timed = cli_datacentre_asked();
    swq_status status = timed ? SWQ_OK : cli_engine_choose(ctx, options, &engine);
    if (status)
        return cli_fail(ctx, status);
    *how = (cli_points_how){
        .kind = timed                             ? &cli_sim_datacentre
                : rare                            ? &cli_sim_rare
                : engine->bit == SWQ_ENGINE_ASYNC ? &cli_sim_async
                                                  : &cli_sim_sync,
        .threads = 1,
        .plot = rare ? NULL : cli_text(cli_sim_output_options, "plot"), /* refused as it is read */
        .panel = timed ? timed_panels : panels,
        .draw = timed ? NULL : cli_sim_plot_point,
        .entitle = cli_reel_entitle,
        .close = cli_reel_close,
    };
    status = cli_sim_format(ctx, &how->format);
    if (!status && rare && !cli_given(cli_rare_options, "rare"))
        status = swq_fail(ctx, SWQ_EINVAL, "--%s needs --rare", rare);
    if (!status)
        status = refuse_range(ctx, axes);
    if (!status && threads)
        status = cli_integer(ctx, "threads", threads, 1, SWQ_MAX_THREADS, &how->threads);
    if (!status && how->plot)
        status = cli_plot_check(ctx, how->plot);
    if (!status && how->plot && axes->points == 1 && timed)
        status = swq_fail(
            ctx, SWQ_EINVAL,
            "--plot needs a range with --architecture shared-memory, such as --load 0.5:0.9:0.1");
    if (!status && how->plot && axes->points == 1 && !timed)
        status = cli_detail_plotted(ctx);
    if (!status && !rare && !timed)
        status = cli_reel_open(ctx, axes);
    return status ? cli_fail(ctx, status) : -1;
}

const cli_command cli_sim = {
    .name = "sim",
    .plugins = true,
    .translator = {&cli_booksim, &cli_preset_translator},
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
    .options = options,
    .question = question,
    .run = cli_points_run,
};
