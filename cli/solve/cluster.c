/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --mpi: one chain over the ranks of an MPI job. Only rank 0 prints.
 */
#include "cluster/cluster.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/print/words.h"
#include "cli/solve/solve.h"
#include "cli/spec/solver.h"
#include "study/mpi.h"

#include <string.h>

static int with_mpi;
static char *checkpoint_path;

static cli_parameter parameters[] = {
    {CLI_FLAG_IN("mpi", 0, &with_mpi), CLI_OF_THE_RUN,
     .about = "spread the chain over the ranks of an MPI job: mpirun -n R switchq solve --mpi ... "
              "(a switchq built by 'make PETSC=1')"},
    {CLI_OPTION_IN("checkpoint", "FILE", 0, &checkpoint_path), CLI_OF_THE_RUN, .needs = {"mpi"},
     .about = "with --mpi: keep the iterate in this file, and continue from it if the file exists"},
    {CLI_OPTION("checkpoint-every", "SECONDS", 0),
     CLI_AT(CLI_REAL, swq_cluster_options, checkpoint_seconds), CLI_FROM(0, 1e9), CLI_OF_THE_RUN,
     .needs = {"mpi", "checkpoint"},
     .about = "with --checkpoint: seconds between checkpoints (default 600)"},
    CLI_PARAMETERS_END,
};

struct poptOption cli_cluster_options[] = {
    CLI_PARAMETERS(parameters),
    POPT_TABLEEND,
};

bool cli_cluster_asked(void)
{
    return with_mpi;
}

bool cli_cluster_hush(int argc, const char **argv)
{
    bool asked = with_mpi != 0;

    for (int a = 0; a < argc && !asked; a++)
        asked = strcmp(argv[a], "--mpi") == 0;
    if (!asked || swq_mpi_launched_rank() == 0)
        return false;
    return freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr);
}

/* Refuses options that a distributed chain does not answer. */
static swq_status check_options(swq_context *ctx, const struct poptOption *options)
{
    static const char *const known[] = {"load",
                                        "traffic",
                                        "burst",
                                        "buffer",
                                        "slots",
                                        "ports",
                                        "arbiter",
                                        "flow",
                                        "credit",
                                        "iterations",
                                        "queue-min",
                                        "queue-max",
                                        "alpha",
                                        "scope",
                                        "queues",
                                        "read",
                                        "pool-rule",
                                        "admission",
                                        "architecture",
                                        "departures",
                                        "high",
                                        "reduce",
                                        "solver",
                                        "tol",
                                        "max-iterations",
                                        "mem",
                                        "json",
                                        "csv",
                                        "mpi",
                                        "checkpoint",
                                        "checkpoint-every",
                                        "by-output",
                                        "config",
                                        "save-config",
                                        NULL};
    const char *other = cli_given_but(options, known);

    if (other)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s is not modelled with --mpi, which only gives the plain answers of "
                        "'switchq solve' for one switch",
                        other);
    if (checkpoint_path && (!*checkpoint_path || strlen(checkpoint_path) > 1000))
        return swq_fail(ctx, SWQ_EINVAL, "--checkpoint needs the name of a file");
    return SWQ_OK;
}

static void put_cost(cli_record *root, const swq_cluster_cost *cost)
{
    char most[40], sent[40];
    cli_record *cluster = cli_quietly(cli_prefixed(cli_put_group(root, "cluster", NULL)));

    cli_put_count(cluster, "ranks", (uint64_t)cost->ranks);
    cli_put_number(cluster, "rank_bytes", cost->most_bytes);
    cli_put_number(cluster, "rank_bytes_least", cost->least_bytes);
    cli_put_count(cluster, "rank_entries", (uint64_t)cost->most_entries);
    cli_put_number(cluster, "exchanged_bytes", cost->sent_bytes);
    cli_put_number(cluster, "generating_seconds", cost->generating);
    cli_put_number(cluster, "solving_seconds", cost->solving);
    cli_put_truth(cluster, "resumed", cost->resumed);
    swq_bytes_text(cost->most_bytes, most, sizeof most);
    swq_bytes_text(cost->sent_bytes, sent, sizeof sent);
    cli_say(root,
            "  %d rank%s, at most %s and %lld entries each; %s exchanged in a step of the chain\n"
            "  generated in %.3g s, solved in %.3g s%s",
            cost->ranks, cli_plural((uint64_t)cost->ranks), most, (long long)cost->most_entries,
            sent, cost->generating, cost->solving,
            cost->resumed ? ", going on from the checkpoint" : "");
}

/* On all ranks together; only rank 0 has the record. */
static swq_status answer(swq_context *ctx, swq_fleet *fleet, const cli_spec *spec,
                         const swq_exact_options *how, const cli_solve_more *more,
                         const swq_cluster_options *options, cli_record **record)
{
    swq_answers answers = {0};
    swq_cluster_cost cost;
    const cli_packets none = {.has_delay = false};
    swq_status status = swq_cluster_solve(fleet, &spec->sw, how, options, &answers, &cost);

    cli_clear_progress();
    if (!status || (status == SWQ_ECONVERGE && answers.solver)) {
        *record = cli_solve_record(spec, &answers, more, &none, (size_t)cost.most_bytes);
        if (*record)
            put_cost(*record, &cost);
    }
    swq_answers_clear(ctx, &answers);
    return status;
}

int cli_solve_cluster(swq_context *ctx, const struct poptOption *options, bool by_output,
                      cli_format format)
{
    swq_cluster_options cluster = {checkpoint_path, 600};
    const cli_solve_more more = {.by_output = by_output};
    swq_exact_options how = swq_exact_options_defaults();
    swq_fleet *fleet = NULL;
    cli_record *record = NULL;
    cli_spec spec;
    swq_status status = check_options(ctx, options);

    if (!status)
        cli_make_folder_for(checkpoint_path);
    cli_cluster_hush(0, NULL); /* it may have come from a file of options */
    if (!status)
        status = cli_parameters_read(ctx, parameters, &cluster);
    if (!status)
        status = cli_spec_read(ctx, &spec, false);
    if (!status)
        status = cli_solver_read(ctx, &how);
    if (!status)
        status = swq_fleet_open(ctx, swq_mpi_launched(), &fleet);
    if (status)
        return cli_fail(ctx, status);
    status = answer(ctx, fleet, &spec, &how, &more, &cluster, &record);
    if (record && swq_fleet_rank(fleet) == 0) {
        const swq_status printed = cli_record_print(ctx, record, format);
        status = status ? status : printed;
    } else if (record) {
        cli_record_free(record);
    }
    const int end = status ? cli_fail(ctx, status) : CLI_OK;
    swq_fleet_close(fleet); /* last, since a launcher ends all ranks when the first one ends */
    return end;
}
