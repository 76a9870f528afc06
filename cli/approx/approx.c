/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx: whole networks, approximately, at one load or a range of them, and beside a
 * simulation of the same points.
 */
#include "cli/approx/approx.h"
#include "base/context.h"
#include "base/plot.h"
#include "cli/options/parse.h"
#include "cli/points/points.h"
#include "cli/record/format.h"
#include "cli/spec/async.h"
#include "cli/spec/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_CYCLES = 20000 };

/* A longer run is announced; and the approximations that a search for a load takes. */
enum { LONG_SECONDS = 5, RUNS_FOR_A_LOAD = 40 };

static cli_format format;

static struct poptOption options[] = {
    CLI_TABLE(cli_network_options, "The network (--load R, or FROM:TO:STEP for a range):"),
    CLI_TABLE(cli_async_options, "Tori, meshes and hypercubes alone (--topology):"),
    CLI_TABLE(cli_approx_own_options, "The approximation:"),
    CLI_TABLE(cli_approx_compare_options, "Comparison with the simulator:"),
    CLI_TABLE(cli_approx_output_options, "Output:"),
    CLI_TABLE(cli_memory_options, NULL),
    POPT_TABLEEND,
};

static bool given(const char *option)
{
    return cli_given(options, option) != NULL;
}

/* Refuses options that would have no effect. */
static swq_status check_options(swq_context *ctx)
{
    static const char *const compare[] = {"compare", NULL};
    const char *network = cli_given(cli_network_options, NULL);
    const char *runs = cli_given_but(cli_approx_compare_options, compare);
    const char *table = cli_text(options, "table");
    const bool compares = given("compare"), saturates = given("find-saturation");

    if (cli_format_read(ctx, &format))
        return SWQ_EINVAL;
    if (runs && !compares && !table)
        return swq_fail(ctx, SWQ_EINVAL, "--%s is for --compare or --table", runs);
    if (!network)
        network = cli_given(cli_async_options, NULL);
    if (table && (network || compares || saturates))
        return swq_fail(ctx, SWQ_EINVAL, "--%s does not go with --table, whose networks are known",
                        network    ? network
                        : compares ? "compare"
                                   : "find-saturation");
    if (cli_text(options, "target") && (saturates || table))
        return swq_fail(ctx, SWQ_EINVAL, "--target does not go with --%s",
                        saturates ? "find-saturation" : "table");
    if (saturates && cli_given(cli_network_options, "load"))
        return swq_fail(ctx, SWQ_EINVAL, "--load and --find-saturation cannot both be given");
    return SWQ_OK;
}

/* ---- a network ---- */

typedef struct {
    cli_approximation a;
    cli_approx_runs runs;
    cli_approx_target target;
    char unsettled[400]; /* why there is only the last iterate; "": the iteration has settled */
} network_question;

static void clear_network(swq_context *ctx, void *at)
{
    network_question *q = at;

    (void)ctx;
    cli_network_clear(&q->a.n);
}

static swq_status check_target(swq_context *ctx, const cli_network *n)
{
    if (n->network.sw.flow != SWQ_DISCARD)
        return swq_fail(ctx, SWQ_EINVAL, "--target is a loss: it needs --flow discard");
    if (n->spec.slots_open && !n->spec.buffer)
        return swq_fail(ctx, SWQ_EINVAL, "--target finds --slots or --load, and no other size");
    return SWQ_OK;
}

/* Tells beforehand how long a run takes, if it takes long. */
static void announce(swq_context *ctx, const network_question *q)
{
    const cli_approximation *a = &q->a;
    double seconds = 0;

    if (q->target.slots || swq_approx_foresee(ctx, &a->n.network, a->method, &seconds))
        return; /* what is refused is refused when it is run */
    if (q->target.load)
        seconds *= RUNS_FOR_A_LOAD;
    if (seconds > LONG_SECONDS)
        cli_note("this approximation takes some %.2g s of CPU time at a high load (a third to "
                 "three times that), and less at a light one; Ctrl-C ends it",
                 seconds);
}

static swq_status read_network(swq_context *ctx, void *at, bool many)
{
    network_question *q = at;
    cli_approximation *a = &q->a;
    swq_status status = cli_approx_target_asked(ctx, &q->target);
    if (status)
        return status;
    /* most approximations are for the arbiter that networks have, whatever the topology */
    const bool any_load = given("find-saturation") || q->target.load;
    status = cli_network_read_alike(ctx, &a->n, any_load ? CLI_LOAD_OPEN : CLI_LOAD_GIVEN,
                                    q->target.slots);
    if (!status && q->target.loss > 0)
        status = check_target(ctx, &a->n);
    a->target = q->target.loss;
    a->loss_before = NAN;
    a->compared = given("compare");
    a->saturation = given("find-saturation");
    if (!status)
        status = cli_approx_method_asked(ctx, &a->method);
    if (!status)
        status = cli_approx_read_runs(ctx, USUAL_CYCLES, many, &q->runs);
    if (status)
        clear_network(ctx, q);
    else
        announce(ctx, q);
    return status;
}

static swq_status simulate(swq_context *ctx, cli_approximation *a, const cli_approx_runs *runs)
{
    a->simulated = (swq_sim_point){.network = a->n.network, .options = swq_sim_defaults()};
    a->simulated.options.cycles = runs->cycles;
    a->simulated.options.seed = runs->seed;
    const swq_status status = swq_sim_points(ctx, &a->simulated, 1, runs->threads);
    swq_result_refuse(&a->simulated.result, NULL);
    return status;
}

static swq_status find_slots(swq_context *ctx, cli_approximation *a)
{
    cli_spec *spec = &a->n.spec;
    swq_approx_size found;
    const swq_status status = swq_approx_slots_for_target(
        ctx, &a->n.network, &spec->kind, a->target, SWQ_MAX_SLOTS, a->method, &found);

    spec->slots = found.slots;
    spec->sw.buffer = a->n.network.sw.buffer;
    a->result = found.result;
    a->memory = found.memory;
    a->loss_before = found.loss_before;
    return status;
}

static swq_status find_load(swq_context *ctx, cli_approximation *a)
{
    return swq_approx_load_for_target(ctx, &a->n.network, a->target, a->method, &a->result);
}

/* An iteration that does not settle is marked in its result, and is an answer all the same. */
static swq_status answer_network(swq_context *ctx, void *at)
{
    network_question *q = at;
    cli_approximation *a = &q->a;
    swq_status status = q->target.slots ? find_slots(ctx, a)
                        : q->target.load
                            ? find_load(ctx, a)
                            : swq_approx_run(ctx, &a->n.network, a->method, &a->result);

    if (status == SWQ_ECONVERGE) {
        snprintf(q->unsettled, sizeof q->unsettled, "%s", swq_context_message(ctx));
        status = SWQ_OK;
    }
    if (!status && !a->method)
        status = swq_approx_find(ctx, a->result.method, &a->method);
    return status || !a->compared ? status : simulate(ctx, a, &q->runs);
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

static const cli_points_panel panels[] = {
    {.x = "throughput", .y = "latency_cycles", .grows = true, .beside = "simulated"},
    {.y = NULL},
};

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
    const char *topology = cli_network_text("topology");
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
        option = cli_given(options, "find-saturation");
    if (!status && option)
        status = swq_fail(ctx, SWQ_EINVAL, "--%s is not for --topology %s", option, topology);
    return status;
}

/* The model of tori, meshes and hypercubes has one arbiter; another one can only be simulated. */
static swq_status refuse_arbiter(swq_context *ctx)
{
    static const char *const idle[] = {"arbiter", "iterations"};

    for (int k = 0; k < 2 && !given("compare"); k++) {
        if (cli_given(cli_network_options, idle[k]))
            return swq_fail(
                ctx, SWQ_EINVAL,
                "--%s changes no approximation of a torus, mesh or hypercube: it needs --compare",
                idle[k]);
    }
    return SWQ_OK;
}

static const char *const with_methods[] = {"methods", "json", NULL};

static int question(swq_context *ctx, const cli_axes *axes, cli_points_how *how)
{
    const swq_approx_method *method = NULL;
    bool torus = false;
    swq_status status = check_options(ctx);

    if (!status)
        status = cli_approx_method_asked(ctx, &method);
    const bool methods = given("methods");
    const char *table_asked = cli_text(options, "table"), *plot = cli_text(options, "plot");
    const char *other = methods ? cli_given_but(options, with_methods) : NULL;
    if (!status && other)
        status = swq_fail(
            ctx, SWQ_EINVAL,
            "--%s does not go with --methods, which lists them all, as text or with --json", other);
    if (!status && methods) {
        status = cli_approx_methods(ctx, format);
        return status ? cli_fail(ctx, status) : CLI_OK;
    }
    if (!status && table_asked) {
        cli_approx_table table = {
            .name = table_asked, .method = method, .format = format, .plot = plot};
        status = cli_approx_read_runs(ctx, USUAL_CYCLES, false, &table.runs);
        if (!status)
            return cli_approx_as_printed(ctx, &table);
    }
    if (!status)
        status = asynchronous(ctx, &torus);
    if (!status && torus)
        status = refuse_arbiter(ctx);
    if (!status && plot)
        status = cli_plot_check(ctx, plot);
    if (!status && plot && axes->points == 1)
        status = swq_fail(ctx, SWQ_EINVAL, "--plot needs a range: --load FROM:TO:STEP");
    int threads = 1;
    if (!status && axes->points > 1)
        status = cli_approx_threads(ctx, &threads);
    *how = (cli_points_how){.kind = torus ? &cli_approx_tori : &networks,
                            .format = format,
                            .threads = threads,
                            .plot = plot,
                            .panel = panels};
    return status ? cli_fail(ctx, status) : -1;
}

const cli_command cli_approx = {
    .name = "approx",
    .plugins = true,
    .usage = "--buffer KIND --slots B --load R|FROM:TO:STEP [OPTION...]",
    .common = "topology stages buffer slots load flow traffic target compare plot json",
    .summary = "approximate a network of switches in milliseconds",
    .examples =
        "  switchq approx --buffer damq --slots 4 --load 0.5 --flow block\n"
        "  switchq approx --buffer fifo --slots 4 --load 0.1:0.9:0.1 --flow block --compare\n"
        "  switchq approx --stages 10 --buffer safc --slots 8 --flow block --find-saturation\n"
        "  switchq approx --buffer cbda --slots 2 --load 0.7 --method exact-chains\n"
        "  switchq approx --topology torus --dims 11x11 --buffer damq --load 0.1:0.7:0.1\n"
        "  switchq approx --topology switch --buffer cbda --ports 64 --load 0.9 --target 1e-9\n"
        "  switchq approx --methods\n",
    .notes = "4 x 4 switches of up to 12 slots take well below a second, about one at full load;\n"
             "32 and more take seconds, and minutes near saturation. Ctrl-C ends the run.\n"
             "The arbiters rotating and longest get the same answer.\n",
    .options = options,
    .question = question,
    .run = cli_points_run,
};
