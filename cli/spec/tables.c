/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All tables of parameters, and the texts that were given for their options.
 */
#include "cli/chip/chip.h"
#include "cli/datacentre/datacentre.h"
#include "cli/headroom/headroom.h"
#include "cli/sim/sim.h"
#include "cli/spec/async.h"
#include "cli/spec/buffer.h"
#include "cli/spec/solver.h"
#include "cli/worst/worst.h"

#include "base/context.h"

const struct poptOption cli_all_parameters[] = {
    CLI_TABLE(cli_spec_options, NULL),
    CLI_TABLE(cli_shape_options, NULL),
    CLI_TABLE(cli_solver_options, NULL),
    CLI_TABLE(cli_network_options, NULL),
    CLI_TABLE(cli_async_options, NULL),
    CLI_TABLE(cli_run_parameters, NULL),
    CLI_TABLE(cli_datacentre_options, NULL),
    CLI_TABLE(cli_worst_parameters, NULL),
    CLI_TABLE(cli_headroom_parameters, NULL),
    CLI_TABLE(cli_chip_parameters, NULL),
    POPT_TABLEEND,
};

const char *cli_spec_text(const char *option)
{
    return cli_text(cli_spec_options, option);
}

const char *cli_async_text(const char *option)
{
    return cli_text(cli_async_options, option);
}

const char *cli_network_text(const char *option)
{
    return cli_text(cli_network_options, option);
}

swq_status cli_required(swq_context *ctx, const char *option, const char *text)
{
    if (text)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "--%s is required", option);
}
