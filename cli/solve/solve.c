/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve: one switch, exactly.
 */
#include "cli/solve/solve.h"
#include "base/context.h"
#include "base/plot.h"
#include "base/scratch.h"
#include "cli/options/files.h"
#include "cli/options/parameter.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/points/points.h"
#include "cli/record/format.h"
#include "cli/spec/network.h"
#include "cli/spec/solver.h"

#include <math.h>
#include <string.h>

static int as_exact;
static cli_format format;
static int with_variance, with_slope, by_output;
static char *target_text, *plot_path, *threads_text, *policy_name, *scratch_directory;

static struct poptOption output_options[] = {
    CLI_THREADS_OPTION(&threads_text, "parts of one large chain, or points of a range",
                       CLI_ALL_CORES ", 1 for a range"),
    CLI_TEXT_ROW("plot", "FILE.svg|.png|.pdf|.csv", &plot_path,
                 "also draw loss, throughput and delay over a range of numbers"),
    CLI_TABLE(cli_points_plot_options, NULL),
    CLI_TABLE(cli_format_options, NULL),
    POPT_TABLEEND,
};

static cli_parameter question_parameters[] = {
    {CLI_OPTION_IN("target", "P", 0, &target_text), .says = "a loss of at most %",
     .about = "find the smallest number of slots, or the largest load, with a loss of at most P; "
              "leave out --slots or --load"},
    {CLI_OPTION_IN("policy", "NAME", 0, &policy_name), .list = "policies", .says = "policy %",
     .about = "find the least loss that any policy reaches, and that policy, in place of given "
              "rules of admission and arbitration ('switchq list policies')"},
    {CLI_FLAG_IN("exact", 0, &as_exact), .aside = true,
     .about =
         "answer in exact fractions, and read every probability as it is written (0.9 or 9/10)"},
    CLI_PARAMETERS_END,
};

static struct poptOption more_options[] = {
    CLI_FLAG_ROW("variance", &with_variance,
                 "print the asymptotic variance of the number of packets refused, and the error "
                 "that a simulation would have"),
    CLI_FLAG_ROW("slope", &with_slope,
                 "print the derivative of the discard probability (block: of the throughput) with "
                 "respect to the load"),
    CLI_FLAG_ROW(
        "by-output", &by_output,
        "print throughput, loss and waiting packets of each output, even if all outputs are alike"),
    POPT_TABLEEND,
};

static struct poptOption solver_options[] = {
    CLI_TABLE(cli_solver_options, NULL),
    CLI_TEXT_ROW("scratch", "DIR", &scratch_directory,
                 "keep the factors of a large chain in a file without a name in this directory: "
                 "--mem does not count them, the answers are the same"),
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    CLI_TABLE(cli_spec_options, "The switch:"),
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, question_parameters, CLI_IS_PARAMETER,
     "The question:", NULL},
    CLI_TABLE(cli_packets_options, "Single packets:"),
    CLI_TABLE(more_options, "More answers:"),
    CLI_TABLE(cli_shape_options, "Or a whole network:"),
    CLI_TABLE(cli_chain_options, "Or any chain:"),
    CLI_TABLE(solver_options, "The solver:"),
    CLI_TABLE(cli_cluster_options, "Many machines:"),
    CLI_TABLE(output_options, "Output:"),
    POPT_TABLEEND,
};

/* Answers the question: for the switch as given, or by finding the slots or the load that meet the
 * target. */
static swq_status answer(swq_context *ctx, cli_spec *spec, const swq_exact_options *how,
                         double target, swq_answers *answers)
{
    double factor = 1;

    if (spec->open == CLI_SIZE_OUTPUT || spec->open == CLI_SIZE_CROSSPOINT)
        return swq_exact_size_for_target(ctx, &spec->sw,
                                         spec->open == CLI_SIZE_OUTPUT ? SWQ_SIZE_OUTPUT_SLOTS
                                                                       : SWQ_SIZE_CROSSPOINT_SLOTS,
                                         target, SWQ_MAX_SLOTS, how, answers);
    if (spec->slots_open)
        return swq_exact_slots_for_target(ctx, &spec->sw, &spec->kind, target, SWQ_MAX_SLOTS, how,
                                          &spec->slots, answers);
    if (!spec->load_open)
        return swq_exact_solve(ctx, &spec->sw, how, answers);
    swq_status status = swq_exact_load_for_target(ctx, &spec->sw, target, how, &factor, answers);
    for (int i = 0; i < spec->sw.ports && !status; i++)
        spec->sw.load[i] = fmin(1, factor);
    return status;
}

static swq_status read_target(swq_context *ctx, const cli_spec *spec, double *target)
{
    bool open = spec->slots_open || spec->load_open;
    *target = 0;
    if (!target_text)
        return SWQ_OK;
    if (!open)
        return swq_fail(ctx, SWQ_EINVAL,
                        spec->buffer && !swq_switch_architecture(&spec->sw)->stage.two_steps
                            ? "--target finds --slots or --load: leave one of them out, not none"
                            : "--target finds a size or --load: leave one of them out, not none");
    swq_status status = cli_number(ctx, "target", target_text, 0, 1, target);
    if (!status && spec->sw.flow != SWQ_DISCARD)
        status = swq_fail(ctx, SWQ_EINVAL, "--target is a loss: it needs --flow discard");
    return status;
}

/* ---- a point ---- */

typedef struct {
    cli_spec spec;
    swq_exact_options how;
    cli_solve_more more;
    swq_answers answers;
    cli_packets packets;
    const swq_policy *policy; /* NULL: the rules of the switch itself */
    swq_optimal optimal;
    size_t peak;
    char unsettled[400]; /* why there is only the last iterate; "": the solution converged */
} solve_point;

static swq_status read_point(swq_context *ctx, void *at, bool many)
{
    solve_point *p = at;

    (void)many; /* one thread solves a chain */
    swq_status status = cli_spec_read(ctx, &p->spec, target_text != NULL);

    if (!status && !target_text) /* with a target, the open size or load is checked as values for it
                                    are tried */
        status = swq_chain_check(ctx, &p->spec.sw);
    if (!status)
        status = read_target(ctx, &p->spec, &p->more.target);
    if (!status)
        status = cli_solver_read(ctx, &p->how);
    p->how.variance = p->more.variance = with_variance != 0;
    p->how.slope = p->more.slope = with_slope != 0;
    p->more.by_output = by_output != 0;
    if (!status)
        status = cli_packets_read(ctx, &p->spec.sw, &p->packets);
    if (!status && policy_name)
        status = cli_policy_read(ctx, policy_name, &p->spec, &p->policy);
    if (!status && policy_name && p->spec.classes)
        status =
            swq_fail(ctx, SWQ_EINVAL, "--policy does not know packets of high priority (--high)");
    if (!status && policy_name && cli_given(cli_solver_options, "solver"))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--policy has a method of its own: --solver cannot be given with it");
    if (!status && policy_name)
        status = swq_optimal_check(ctx, &p->spec.sw, p->policy);
    return status;
}

/* The answer for --policy. */
static swq_status answer_policy(swq_context *ctx, solve_point *p)
{
    swq_optimal_options wanted = swq_optimal_options_defaults();

    wanted.reduce = p->how.reduce;
    wanted.tolerance = p->how.solving.enclosure;
    if (cli_given(cli_solver_options, "max-iterations"))
        wanted.max_iterations = p->how.solving.max_iterations;
    return swq_optimal_solve(ctx, &p->spec.sw, p->policy, &wanted, &p->optimal);
}

static swq_status answer_point(swq_context *ctx, void *at)
{
    solve_point *p = at;
    swq_status status =
        scratch_directory ? swq_context_use_scratch(ctx, scratch_directory) : SWQ_OK;

    if (!status)
        status = p->policy ? answer_policy(ctx, p)
                           : answer(ctx, &p->spec, &p->how, p->more.target, &p->answers);

    if (!status && !p->policy)
        status = cli_packets_solve(ctx, &p->spec.sw, &p->how, &p->packets);
    if (status == SWQ_ECONVERGE &&
        (p->policy ||
         p->answers.solver)) { /* the last iterate, with its true residual and bounds */
        snprintf(p->unsettled, sizeof p->unsettled, "%s", swq_context_message(ctx));
        status = SWQ_OK;
    }
    p->peak = swq_context_peak_bytes(ctx);
    return status;
}

static cli_record *record_point(swq_context *ctx, const void *at)
{
    const solve_point *p = at;

    (void)ctx;
    if (p->policy)
        return cli_policy_record(&p->spec, p->policy, &p->optimal, p->peak);
    return cli_solve_record(&p->spec, &p->answers, &p->more, &p->packets, p->peak);
}

static int end_point(swq_context *ctx, const void *at, const char *where)
{
    const solve_point *p = at;

    return *p->unsettled ? cli_fail(ctx, swq_fail(ctx, SWQ_ECONVERGE, "%s%s", where, p->unsettled))
                         : CLI_OK;
}

static void clear_point(swq_context *ctx, void *at)
{
    solve_point *p = at;

    swq_answers_clear(ctx, &p->answers);
    swq_optimal_clear(ctx, &p->optimal);
    cli_packets_clear(ctx, &p->packets);
}

static const cli_points_panel panels[] = {
    {.y = "discard_probability", .log_y = true},
    {.y = "throughput"},
    {.y = "mean_delay_cycles"},
    {.y = NULL},
};

static const cli_question_kind one_switch = {
    .size = sizeof(solve_point),
    .read = read_point,
    .answer = answer_point,
    .record = record_point,
    .end = end_point,
    .clear = clear_point,
    .stage = "switches",
};

/* ---- the command ---- */

static swq_status refuse_threads(swq_context *ctx)
{
    return threads_text ? swq_fail(ctx, SWQ_EINVAL,
                                   "--exact runs on one thread: --threads cannot be given with it")
                        : SWQ_OK;
}

/* Refuses incompatible options, and hands questions of other files to them; returns -1 if the
 * question is about a switch. */
static int elsewhere(swq_context *ctx)
{
    const char *other = target_text         ? "target"
                        : policy_name       ? "policy"
                        : as_exact          ? "exact"
                        : with_variance     ? "variance"
                        : with_slope        ? "slope"
                        : by_output         ? "by-output"
                        : plot_path         ? "plot"
                        : scratch_directory ? "scratch"
                        : threads_text      ? "threads"
                                            : NULL;
    swq_status status = cli_format_read(ctx, &format);

    if (!status && cli_cluster_asked())
        return cli_solve_cluster(ctx, options, by_output != 0, format);
    if (!status && !cli_chain_given() && cli_solve_network_asked()) {
        status = cli_solve_network_options(ctx, options);
        if (!status && as_exact && plot_path)
            status = swq_fail(ctx, SWQ_EINVAL, "--exact does not give the answers of --plot");
        if (!status && as_exact)
            status = refuse_threads(ctx);
        if (!status)
            return as_exact ? cli_solve_network_exact(ctx, format) : -1;
    }
    if (status)
        return cli_fail(ctx, status);
    if ((cli_chain_given() || as_exact) && cli_packets_asked())
        status = swq_fail(ctx, SWQ_EINVAL, "--delay and --losses cannot be given with --%s",
                          as_exact ? "exact" : "chain");
    else if ((cli_chain_given() || as_exact) && cli_given(cli_packets_options, "tail"))
        status = swq_fail(ctx, SWQ_EINVAL, "--tail is for --delay and --losses");
    else if (cli_chain_given() && other)
        status = swq_fail(ctx, SWQ_EINVAL, "--%s is for a switch: it cannot be given with --chain",
                          other);
    else if (cli_chain_given())
        return cli_solve_chain(ctx, format);
    if (!status && policy_name &&
        (target_text || as_exact || with_variance || with_slope || by_output ||
         cli_packets_asked() || cli_given(cli_packets_options, "tail")))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--policy gives the least loss: it does not go with --target, --exact, "
                          "--variance, --slope, --by-output, --delay, --losses, --tail");
    if (!status && scratch_directory && (as_exact || policy_name))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--scratch is for the factors of a chain: it cannot be given with --%s",
                          as_exact ? "exact" : "policy");
    if (!status && as_exact && (with_variance || with_slope || by_output || plot_path))
        status = swq_fail(
            ctx, SWQ_EINVAL,
            "--exact does not give the answers of --variance, --slope, --by-output, --plot");
    if (!status && as_exact)
        status = refuse_threads(ctx);
    if (!status && as_exact)
        return cli_solve_exact(ctx, target_text != NULL, format);
    return status ? cli_fail(ctx, status) : -1;
}

static int question(swq_context *ctx, const cli_axes *axes, cli_points_how *how)
{
    const bool network = cli_solve_network_asked();
    const bool range = axes->points > 1;
    int end = elsewhere(ctx);

    if (end >= 0)
        return end;
    *how = (cli_points_how){.kind = network ? &cli_solve_networks : &one_switch,
                            .format = format,
                            .threads = 1,
                            .plot = plot_path,
                            .panel = panels};
    swq_status status = plot_path ? cli_plot_check(ctx, plot_path) : SWQ_OK;
    if (!status && scratch_directory) {
        status = swq_context_use_scratch(ctx, scratch_directory);
        status = status ? cli_blame_option(ctx, "scratch", status) : SWQ_OK;
    }
    if (!status && plot_path && !range)
        status = swq_fail(ctx, SWQ_EINVAL, "--plot needs a range, such as --load 0.1:0.9:0.1");
    if (!status && target_text && range)
        status = swq_fail(
            ctx, SWQ_EINVAL,
            "--target is for one switch, not for a range of --%s; 'switchq sweep' takes several",
            axes->axis[0].option);
    if (!status && threads_text && !range && network)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--threads is for the points of a range where there is a network");
    if (!status && (threads_text || !range))
        status = cli_threads(ctx, threads_text, &how->threads);
    if (!status && !range)
        swq_context_use_threads(ctx, how->threads);
    return status ? cli_fail(ctx, status) : -1;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    const bool hushed = cli_cluster_hush(argc, argv);
    const int end = cli_points_run(ctx, self, argc, argv);

    return hushed ? CLI_OK : end;
}

const cli_command cli_solve = {
    .name = "solve",
    .plugins = true,
    .usage = "--buffer KIND[,KIND] --slots B --load R|FROM:TO:STEP [OPTION...], or --chain FILE "
             "[OPTION...]",
    .common = "buffer slots load ports flow arbiter traffic target plot json",
    .summary = "solve the Markov chain of one switch exactly, or any other from a file",
    .examples =
        "  switchq solve --buffer damq --slots 4 --load 0.9\n"
        "  switchq solve --buffer fifo,damq --slots 4 --load 0.1:0.9:0.1 --plot loss.svg\n"
        "  switchq solve --buffer fifo --slots 8 --load 0.6,0.9 --traffic hotspot:0.2 --json\n"
        "  switchq solve --buffer samq --ports 3 --slots 3 --load 0.5 --flow block\n"
        "  switchq solve --buffer cbda --slots 4 --load 0.9 --queue-max 5\n"
        "  switchq solve --buffer damq --slots 2 --load 9/10 --exact\n"
        "  switchq solve --buffer damq --slots 4 --load 0.9 --variance --slope\n"
        "  switchq solve --buffer damq --slots 4 --load 0.9 --policy optimal\n"
        "  switchq solve --topology omega --stages 2 --ports 2 --buffer fifo --slots 1 --load 1 "
        "--flow block\n",
    .options = options,
    .question = question,
    .run = run,
};
