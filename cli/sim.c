/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim: a network, simulated. Here the engine is chosen, and no option of the other one let
 * pass.
 * Room: cli.
 */
#include "cli/sim.h"
#include "base/context.h"
#include "cli/async.h"

#include <string.h>

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

/* What asks for the asynchronous engine, in words; NULL: nothing does. */
static swq_status asked_by(swq_context *ctx, char *text, size_t size, bool *async)
{
    const char *engine = cli_text(cli_run_options, "engine");
    const char *topology = cli_text(cli_network_options, "topology");
    const char *option = cli_given(cli_async_options, NULL);
    swq_shape shape = {0};
    int known;
    swq_status status = cli_engine(ctx, &known);
    if (status)
        return status;
    status = topology ? swq_fabric_find(ctx, topology, &shape) : SWQ_OK;
    bool tells = shape.kind && shape.kind->point_to_point;

    if (engine)
        snprintf(text, size, "--engine %s", engine);
    else if (tells)
        snprintf(text, size, "--topology %s", topology);
    else
        snprintf(text, size, "--%s", option ? option : "engine sync");
    *async = engine ? strcmp(engine, "async") == 0 : tells || option;
    if (!status && engine && !*async && tells)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--topology %s is for the asynchronous engine; --engine %s is not it",
                          topology, engine);
    if (!status && !*async && option)
        status =
            swq_fail(ctx, SWQ_EINVAL, "--%s is for the asynchronous engine; --engine %s is not it",
                     option, engine ? engine : "sync");
    return status;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    char by[80];
    bool async;
    int end = cli_read_options(ctx, self, options, argc, argv, NULL, 0);
    if (end >= 0)
        return end;
    swq_status status = asked_by(ctx, by, sizeof by, &async);
    if (status)
        return cli_fail(ctx, status);
    const char *rare = cli_given(cli_rare_options, NULL);
    if (rare && async)
        return cli_fail(ctx, swq_fail(ctx, SWQ_EINVAL,
                                      "--%s is for the synchronous engine; %.60s asks for the "
                                      "asynchronous one",
                                      rare, by));
    if (rare && !cli_given(cli_rare_options, "rare"))
        return cli_fail(ctx, swq_fail(ctx, SWQ_EINVAL, "--%s needs --rare", rare));
    if (!async)
        return rare ? cli_sim_rare(ctx) : cli_sim_sync(ctx);
    const char *other = cli_given_but(cli_network_options, cli_async_shared);
    if (!other)
        other = cli_given_but(cli_sim_output_options, cli_async_shared);
    if (!other)
        return cli_sim_async(ctx);
    status = swq_fail(ctx, SWQ_EINVAL,
                      "--%s is for the synchronous engine; %.60s asks for the asynchronous one",
                      other, by);
    return cli_fail(ctx, status);
}

const cli_command cli_sim = {
    .name = "sim",
    .usage = "--buffer KIND --slots B --load R [OPTION...]",
    .summary = "simulate a network of switches",
    .examples =
        "  switchq sim --buffer damq --slots 4 --load 0.5 --flow block\n"
        "  switchq sim --topology switch --buffer damq --slots 4 --load 0.9 --arbiter random\n"
        "  switchq sim --buffer fifo --slots 4 --load 0.2 --flow block --traffic hotspot:0.05\n"
        "  switchq sim --buffer damq --slots 4 --load 0.5 --flow block --high 0.05 --priority "
        "queue\n"
        "  switchq sim --ports 2 --stages 6 --buffer samq --slots 4 --flow block "
        "--find-saturation --json\n"
        "  switchq sim --rare --topology switch --ports 2 --buffer damq --slots 4 --load 0.5\n"
        "  switchq sim --topology torus --dims 8x8 --buffer damq --bytes 256 --threshold 24 "
        "--load 0.3\n"
        "  switchq sim --engine async --buffer damq --load 0.8 --length 6-32 --cycles 50000\n",
    .run = run,
};
