/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx: whole networks, approximately, at one load or a range of them, and beside a
 * simulation of the same points.
 * Room: cli.
 */
#include "cli/approx/approx.h"
#include "base/context.h"
#include "base/plot.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/points/points.h"
#include "cli/record/format.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"

#include <stdlib.h>
#include <string.h>

enum { USUAL_CYCLES = 20000 };

static cli_format format;
static int compare, saturation, methods;
static const swq_approx_method *method_asked; /* NULL: the best */
static char *method_text, *table_text, *plot_path, *cycles_text, *seed_text, *threads_text;

static struct poptOption own_options[] = {
    {"method", '\0', POPT_ARG_STRING, &method_text, 0,
     "another one than the best for the network ('--methods' lists them)", "NAME"},
    {"methods", '\0', POPT_ARG_NONE, &methods, 0, "list them: for what, and how far off", NULL},
    {"find-saturation", '\0', POPT_ARG_NONE, &saturation, 0,
     "what the network delivers at full load (needs no load)", NULL},
    {"table", '\0', POPT_ARG_STRING, &table_text, 0,
     "a printed table: printed, simulated and approximated side by side", "4.2|4.3|4.4"},
    POPT_TABLEEND,
};

static struct poptOption compare_options[] = {
    {"compare", '\0', POPT_ARG_NONE, &compare, 0,
     "also simulate every point, and say how far off the approximation is", NULL},
    {"cycles", '\0', POPT_ARG_STRING, &cycles_text, 0,
     "of every simulation, behind its warm-up (default 20000, asynchronous 200000)", "N"},
    CLI_SEED_OPTION(&seed_text),
    CLI_THREADS_OPTION(&threads_text, "simulations", CLI_ALL_CORES),
    POPT_TABLEEND,
};

static struct poptOption output_options[] = {
    {"plot", '\0', POPT_ARG_STRING, &plot_path, 0,
     "also draw latency over throughput, for a range or a table", "FILE.svg|FILE.png"},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_format_options, 0, NULL, NULL},
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_network_options, 0,
     "The network (--load R, or FROM:TO:STEP for a range):", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_async_options, 0,
     "Tori, meshes and hypercubes alone (--topology):", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, own_options, 0, "The approximation:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, compare_options, 0,
     "Comparison with the simulator:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, output_options, 0, "Output:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_memory_options, 0, NULL, NULL},
    POPT_TABLEEND,
};

swq_status cli_approx_read_runs(swq_context *ctx, uint64_t cycles, bool many, cli_approx_runs *runs)
{
    swq_status status = cli_memory_read(ctx);

    runs->cycles = cycles;
    runs->seed = 1;
    if (!status && cycles_text)
        status = cli_big(ctx, "cycles", cycles_text, 100, 4e9, &runs->cycles);
    if (!status && seed_text)
        status = cli_big(ctx, "seed", seed_text, 0, 9.2e18, &runs->seed);
    if (!status)
        status = cli_threads(ctx, threads_text, &runs->threads);
    runs->threads = many ? 1 : runs->threads;
    return status;
}

swq_status cli_approx_loads(swq_context *ctx, double single, double **load, int *points)
{
    swq_status status = cli_network_loads(ctx, single, load, points);

    if (!status && *points > CLI_APPROX_LOADS)
        status = swq_fail(ctx, SWQ_EINVAL, "--load has %d points, of at most %d", *points,
                          CLI_APPROX_LOADS);
    if (!status && plot_path)
        status = cli_plot_check(ctx, plot_path);
    if (!status && plot_path && *points < 2)
        status = swq_fail(ctx, SWQ_EINVAL, "--plot needs a range: --load FROM:TO:STEP");
    return status;
}

/* Refuses options that would have no effect. */
static swq_status check_options(swq_context *ctx)
{
    const char *network = cli_given(cli_network_options, NULL);
    const char *runs = cycles_text    ? "cycles"
                       : seed_text    ? "seed"
                       : threads_text ? "threads"
                                      : NULL;

    if (cli_format_read(ctx, &format))
        return SWQ_EINVAL;
    if (runs && !compare && !table_text)
        return swq_fail(ctx, SWQ_EINVAL, "--%s is for --compare or --table", runs);
    if (!network)
        network = cli_given(cli_async_options, NULL);
    if (table_text && (network || compare || saturation))
        return swq_fail(ctx, SWQ_EINVAL, "--%s does not go with --table, whose networks are known",
                        network   ? network
                        : compare ? "compare"
                                  : "find-saturation");
    if (saturation && cli_given(cli_network_options, "load"))
        return swq_fail(ctx, SWQ_EINVAL, "--load and --find-saturation cannot both be given");
    return SWQ_OK;
}

const swq_approx_method *cli_approx_asked(bool *compares)
{
    *compares = compare != 0;
    return method_asked;
}

/* ---- a network ---- */

typedef struct {
    cli_approximation a;
    cli_approx_runs runs;
    bool compare;
    char unsettled[400]; /* why a load has only the last iterate; "": all loads have settled */
} network_question;

static void clear_network(swq_context *ctx, void *at)
{
    network_question *q = at;

    (void)ctx;
    free(q->a.load);
    free(q->a.result);
    free(q->a.simulated);
    cli_network_clear(&q->a.n);
}

static swq_status read_network(swq_context *ctx, void *at, bool many)
{
    network_question *q = at;
    cli_approximation *a = &q->a;
    /* most approximations are for the arbiter that networks have, whatever the topology */
    swq_status status =
        cli_network_read_alike(ctx, &a->n, saturation ? CLI_LOAD_OPEN : CLI_LOAD_RANGE);

    a->method = cli_approx_asked(&q->compare);
    a->saturation = saturation != 0;
    if (!status)
        status = cli_approx_loads(ctx, a->n.network.traffic.load, &a->load, &a->points);
    if (!status)
        status = cli_approx_read_runs(ctx, USUAL_CYCLES, many, &q->runs);
    if (status)
        clear_network(ctx, q);
    return status;
}

/* Approximates at all loads. A load at which the iteration does not settle is marked in its result,
 * and the other loads are still answered. */
static swq_status approximate(swq_context *ctx, network_question *q)
{
    cli_approximation *a = &q->a;
    swq_status status = SWQ_OK;

    a->result = calloc((size_t)a->points, sizeof *a->result);
    if (!a->result)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for %d loads", a->points);
    for (int k = 0; k < a->points && !status; k++) {
        a->n.network.traffic.load = a->load[k];
        status = swq_approx_run(ctx, &a->n.network, a->method, &a->result[k]);
        if (status == SWQ_ECONVERGE) {
            snprintf(q->unsettled, sizeof q->unsettled, "%s", swq_context_message(ctx));
            status = SWQ_OK;
        }
        if (!status && !a->method) /* the same for all loads */
            status = swq_approx_find(ctx, a->result[k].method, &a->method);
    }
    return status;
}

static swq_status simulate(swq_context *ctx, cli_approximation *a, const cli_approx_runs *runs)
{
    a->simulated = calloc((size_t)a->points, sizeof *a->simulated);
    if (!a->simulated)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for %d simulations", a->points);
    for (int k = 0; k < a->points; k++) {
        swq_sim_point *p = &a->simulated[k];
        p->network = a->n.network;
        p->network.traffic.load = a->load[k];
        p->options = swq_sim_defaults();
        p->options.cycles = runs->cycles;
        p->options.seed = runs->seed;
    }
    const swq_status status = swq_sim_points(ctx, a->simulated, a->points, runs->threads);
    for (int k = 0; k < a->points; k++)
        swq_result_refuse(&a->simulated[k].result, NULL);
    return status;
}

static swq_status answer_network(swq_context *ctx, void *at)
{
    network_question *q = at;
    const swq_status status = approximate(ctx, q);

    return status || !q->compare ? status : simulate(ctx, &q->a, &q->runs);
}

static cli_record *record_network(swq_context *ctx, const void *at)
{
    (void)ctx;
    return cli_approx_record(&((const network_question *)at)->a);
}

static int end_network(swq_context *ctx, const void *at, const char *where)
{
    const network_question *q = at;

    (void)ctx;
    if (!*q->unsettled)
        return CLI_OK;
    cli_note("%s%s", where, q->unsettled);
    return CLI_FAILED;
}

static swq_status draw_network(swq_context *ctx, const void *at, const cli_record *record,
                               const char *path)
{
    (void)record;
    return cli_approx_draw(ctx, &((const network_question *)at)->a, path);
}

static const cli_question_kind networks = {
    .stage = "networks",
    .size = sizeof(network_question),
    .read = read_network,
    .answer = answer_network,
    .record = record_network,
    .end = end_network,
    .clear = clear_network,
};

/* ---- which question it is ---- */

/* Whether the network is a torus, a mesh or a hypercube. An option that belongs only to these, or
 * only to other networks, is refused where it would have no effect. */
static swq_status asynchronous(swq_context *ctx, bool *yes)
{
    const char *topology = cli_text(cli_network_options, "topology");
    unsigned engines = SWQ_ENGINE_SYNC;
    swq_status status = topology ? cli_topology_engines(ctx, topology, &engines) : SWQ_OK;

    *yes = !(engines & SWQ_ENGINE_SYNC);
    const struct poptOption *other =
        cli_given_lacking(options, *yes ? SWQ_ENGINE_ASYNC : SWQ_ENGINE_SYNC);
    const char *option = other ? other->longName : NULL;
    if (!status && !*yes && option)
        status =
            swq_fail(ctx, SWQ_EINVAL, "--%s is for --topology torus, mesh or hypercube, not %s",
                     option, topology ? topology : "omega");
    if (!status && !option && *yes)
        option = saturation ? "find-saturation" : NULL;
    if (!status && option)
        status = swq_fail(ctx, SWQ_EINVAL, "--%s is not for --topology %s", option, topology);
    return status;
}

/* The model of tori, meshes and hypercubes has one arbiter; another one can only be simulated. */
static swq_status refuse_arbiter(swq_context *ctx)
{
    static const char *const idle[] = {"arbiter", "iterations"};

    for (int k = 0; k < 2 && !compare; k++) {
        if (cli_given(cli_network_options, idle[k]))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s changes no approximation of a torus, mesh or hypercube: it needs "
                            "--compare",
                            idle[k]);
    }
    return SWQ_OK;
}

static const char *const with_methods[] = {"methods", "json", NULL};

static int question(swq_context *ctx, const cli_axes *axes, cli_points_how *how)
{
    bool torus = false;
    swq_status status = check_options(ctx);

    (void)axes; /* the range of loads is one question */
    method_asked = NULL;
    if (!status && method_text)
        status = swq_approx_find(ctx, method_text, &method_asked);
    const char *other = methods ? cli_given_but(options, with_methods) : NULL;
    if (!status && other)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--%s does not go with --methods, which lists them all, as text or with "
                          "--json",
                          other);
    if (!status && methods) {
        status = cli_approx_methods(ctx, format);
        return status ? cli_fail(ctx, status) : CLI_OK;
    }
    if (!status && table_text) {
        cli_approx_table table = {
            .name = table_text, .method = method_asked, .format = format, .plot = plot_path};
        status = cli_approx_read_runs(ctx, USUAL_CYCLES, false, &table.runs);
        if (!status)
            return cli_approx_as_printed(ctx, &table);
    }
    if (!status)
        status = asynchronous(ctx, &torus);
    if (!status && torus)
        status = refuse_arbiter(ctx);
    *how = (cli_points_how){.kind = torus ? &cli_approx_tori : &networks,
                            .format = format,
                            .threads = 1,
                            .plot = plot_path,
                            .draw = torus ? cli_approx_draw_torus : draw_network};
    return status ? cli_fail(ctx, status) : -1;
}

const cli_command cli_approx = {
    .name = "approx",
    .usage = "--buffer KIND --slots B --load R [OPTION...]",
    .common = "topology stages buffer slots load flow traffic compare plot json",
    .summary = "approximate a network of switches in milliseconds",
    .examples =
        "  switchq approx --buffer damq --slots 4 --load 0.5 --flow block\n"
        "  switchq approx --buffer fifo --slots 4 --load 0.1:0.9:0.1 --flow block --compare\n"
        "  switchq approx --stages 10 --buffer safc --slots 8 --flow block --find-saturation\n"
        "  switchq approx --buffer cbda --slots 2 --load 0.7 --method exact-chains\n"
        "  switchq approx --topology torus --dims 11x11 --buffer damq --load 0.1:0.7:0.1\n"
        "  switchq approx --methods\n",
    .notes = "4 x 4 switches of up to 12 slots take well below a second, about one at full load;\n"
             "32 and more take seconds, and minutes near saturation. Ctrl-C ends the run.\n"
             "The arbiters rotating and longest get the same answer.\n",
    .options = options,
    .own_ranges = true,
    .question = question,
    .run = cli_points_run,
};
