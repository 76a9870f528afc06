/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/cli.h"

static struct poptOption options[] = {
    POPT_TABLEEND,
};

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    int end = cli_read_options(ctx, self, options, argc, argv, NULL, 0);
    if (end >= 0)
        return end;
    swq_fail(ctx, SWQ_EINVAL, "not built yet");
    return cli_fail(ctx, SWQ_EINVAL);
}

const cli_command cli_sweep = {
    .name = "sweep",
    .usage = "STUDY [OPTION...]",
    .summary = "run a study of many points, resumable and in parallel",
    .run = run,
};
