/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of solving and of memory.
 */
#include "cli/spec/solver.h"
#include "base/context.h"
#include "base/machine.h"
#include "cli/options/parameter.h"
#include "cli/options/parse.h"
#include "cli/spec/switch.h"

const char *const cli_reduce_words[] = {"none", "auto", NULL};

static cli_parameter memory_parameters[] = {
    {CLI_OPTION("mem", "SIZE", 0), .aside = true, .about = "memory limit, e.g. 2G",
     .preset = "default 80% of the machine's memory, or of what ulimit allows",
     CLI_DEFAULTS(
         {"solve", "(80%)",
          "of the machine's memory, as for all commands: refuse rather than swap"},
         {"export, sim, worst, approx --compare, table 4.1, figure", "(80%)", "as for solve"})},
    CLI_PARAMETERS_END,
};

struct poptOption cli_memory_options[] = {
    CLI_PARAMETERS(memory_parameters),
    POPT_TABLEEND,
};

static swq_status read_solver(swq_context *ctx, const char *text, void *spec)
{
    return swq_solver_find(ctx, text, &((swq_exact_options *)spec)->solver);
}

static swq_status read_max_iterations(swq_context *ctx, const char *text, void *spec)
{
    int iterations = 0;
    const swq_status status = cli_integer(ctx, "max-iterations", text, 1, 2000000000, &iterations);

    ((swq_exact_options *)spec)->solving.max_iterations = iterations;
    return status;
}

static cli_parameter solver_parameters[] = {
    {CLI_OPTION("reduce", "none|auto", 0), .aside = true,
     CLI_AT(CLI_EITHER, swq_exact_options, reduce), .words = cli_reduce_words,
     .axis = CLI_AXIS_NONE,
     .about = "merge states that differ only by a renaming of ports, where the switch allows it",
     CLI_DEFAULTS({"solve", "auto", "gives a smaller chain with the same answers"},
                  {"export", "none", "other tools see the original states"},
                  {"table 4.1", "auto", "as for solve"})},
    {CLI_OPTION("solver", "NAME", 0), .aside = true, .list = "solvers", .read = read_solver,
     .about = "method ('switchq list solvers')",
     CLI_DEFAULTS({"solve", "auto", "the quickest for the chain's size and kind"},
                  {"table 4.1", "auto", "as for solve"})},
    {CLI_OPTION("tol", "T", 0), .aside = true,
     CLI_AT(CLI_REAL, swq_exact_options, solving.enclosure), CLI_FROM(1e-15, 0.1),
     .axis = CLI_AXIS_NONE,
     .about = "relative precision of the discard probability (block: of the throughput): its "
              "interval is proven to be within T of it, or the run says that it is not",
     CLI_DEFAULTS({"solve", "1e-10", "more digits than papers print, at little cost"},
                  {"table 4.1", "1e-10", "as for solve"})},
    {CLI_OPTION("max-iterations", "N", 0), .aside = true, .read = read_max_iterations,
     .about = "largest number of iterations",
     CLI_DEFAULTS({"solve", "100000", "an iteration that takes more would hardly ever end"},
                  {"table 4.1", "100000", "as for solve"})},
    CLI_PARAMETERS_END,
};

struct poptOption cli_solver_options[] = {
    CLI_PARAMETERS(solver_parameters),
    CLI_PARAMETERS(memory_parameters),
    POPT_TABLEEND,
};

swq_status cli_memory_read(swq_context *ctx)
{
    const char *memory = cli_parameter_text(memory_parameters);
    size_t limit = swq_usual_memory();
    swq_status status = memory ? cli_bytes(ctx, "mem", memory, &limit) : SWQ_OK;
    if (!status)
        swq_context_limit_memory(ctx, limit);
    return status;
}

bool cli_solver_given(void)
{
    static const char *const others[] = {"reduce", "mem", NULL};

    return cli_given_but(cli_solver_options, others) != NULL;
}

swq_status cli_solver_read(swq_context *ctx, swq_exact_options *options)
{
    *options = swq_exact_options_defaults();
    options->reduce = true;
    const swq_status status = cli_parameters_read(ctx, solver_parameters, options);
    return status ? status : cli_memory_read(ctx);
}
