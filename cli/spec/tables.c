/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All tables of parameters.
 */
#include "cli/spec/async.h"
#include "cli/spec/solver.h"
#include "cli/worst/worst.h"

const struct poptOption cli_all_parameters[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_spec_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_shape_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_solver_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_network_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_async_options, 0, NULL, NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_worst_parameters, 0, NULL, NULL},
    POPT_TABLEEND,
};

const char *cli_async_text(const char *option)
{
    return cli_text(cli_async_options, option);
}
