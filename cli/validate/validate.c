/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq validate.
 */
#include "cli/validate/validate.h"
#include "cli/options/options.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "switchq/sim.h"

#include "cli/record/format.h"

#include "base/context.h"

#include <stdlib.h>
#include <string.h>

static int quick, full, list, verbose;
static cli_format format;
static char *only;

static cli_parameter run_parameters[] = {
    {CLI_FLAG_IN("full", 0, &full), CLI_OF_THE_RUN, .excludes = "quick",
     .about = "all checks: 20 to 30 minutes on two cores"},
    {CLI_OPTION_IN("only", "PATTERN", 0, &only), CLI_OF_THE_RUN,
     .about =
         "run only checks whose name contains this, or matches it as a shell pattern (* ? [])"},
    {CLI_FLAG_IN("list", 0, &list), CLI_OF_THE_RUN,
     .about = "list the checks and what they claim, and run none"},
    {CLI_FLAG_IN("verbose", 0, &verbose), CLI_OF_THE_RUN, .excludes = "list",
     .about = "show all checks, not only those that fail"},
    {CLI_OPTION("seed", "S", 0), CLI_AT(CLI_BIG, cli_validation, options.seed), CLI_FROM(0, 1e15),
     CLI_OF_THE_RUN, .about = "seed of all random streams (default 1)"},
    CLI_THREADS_ROW(cli_validation, options.threads, "checks", CLI_ALL_CORES),
    CLI_PARAMETERS_END,
};

static struct poptOption options[] = {
    CLI_QUICK_OPTION(&quick, "about a minute on two cores (default)"),
    CLI_PARAMETERS(run_parameters),
    CLI_TABLE(cli_format_options, NULL),
    POPT_TABLEEND,
};

static swq_status read_settings(swq_context *ctx, cli_validation *c)
{
    swq_status status = SWQ_OK;

    c->options = swq_validate_defaults();
    c->options.effort = full ? SWQ_EFFORT_FULL : SWQ_EFFORT_QUICK;
    c->options.only = only;
    c->verbose = verbose;
    c->options.threads = cli_usual_threads();
    if (only && !*only) /* usually a script's variable that is not set */
        status = swq_fail(ctx, SWQ_EINVAL, "--only must be part of a check's name, not ''");
    if (!status)
        status = cli_parameters_read(ctx, run_parameters, c);
    return status ? status : cli_format_read(ctx, &format);
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    cli_validation c = {0};
    int end = cli_read_options(ctx, self, options, argc, argv, NULL, 0);
    if (end >= 0)
        return end;
    swq_status status = read_settings(ctx, &c);
    if (!status)
        status = swq_validate_plan(ctx, &c.options, &c.v);
    if (!status && !list) {
        if (format == CLI_TEXT)
            status = cli_record_print(ctx, cli_validate_rules(&c), CLI_TEXT);
        if (!status)
            status = swq_validate_run(ctx, &c.options, &c.v);
        c.interrupted = status == SWQ_ECANCELLED;
    }
    if (!status || c.interrupted)
        status = cli_record_print(ctx, cli_validate_record(&c, list), format);
    end = status                                    ? cli_fail(ctx, status)
          : !list && (c.interrupted || !c.v.passed) ? CLI_FAILED
                                                    : CLI_OK;
    swq_validation_clear(ctx, &c.v);
    return end;
}

const cli_command cli_validate = {
    .name = "validate",
    .usage = "[OPTION...]",
    .common = "quick full only list json csv",
    .summary = "check chains, formulas, approximations and simulation against one another",
    .examples = "  switchq validate --list --only chain-simulator\n"
                "  switchq validate --only 'anchors/buffer=damq*arbiter=maximum' --verbose\n"
                "  switchq validate --only coverage/batches --seed 2\n"
                "  switchq validate --only known-values --json\n",
    .notes = "The rule of each check is stated before it is run. Exit status 1: a check failed,\n"
             "or the run was interrupted. Known disagreements are shown, and do not count as "
             "failures.\n",
    .run = run,
};
