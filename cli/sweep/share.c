/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep --share: every N-th point, for the tasks of a job array.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/sweep/views.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SHARES = 1000000 };

/* Reads a whole number from the environment. */
static swq_status variable(swq_context *ctx, const char *name, const char *missing, int least,
                           int *value)
{
    const char *text = getenv(name);

    if (!text && missing)
        text = missing;
    if (!text)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--share slurm: %s is not set; it is in the tasks of a job array "
                        "(sbatch --array=1-N)",
                        name);
    return cli_integer(ctx, name, text, least, 2147483647, value);
}

/* Slurm numbers tasks from any first number, in any steps. */
static swq_status slurm_share(swq_context *ctx, int *share, int *shares)
{
    int task = 0, count = 0, least = 0, step = 1;

    swq_status status = variable(ctx, "SLURM_ARRAY_TASK_ID", NULL, 0, &task);
    if (!status)
        status = variable(ctx, "SLURM_ARRAY_TASK_COUNT", NULL, 1, &count);
    if (!status)
        status = variable(ctx, "SLURM_ARRAY_TASK_MIN", "1", 0, &least);
    if (!status)
        status = variable(ctx, "SLURM_ARRAY_TASK_STEP", "1", 1, &step);
    if (status)
        return status;
    if (task < least || (task - least) % step != 0 || (task - least) / step >= count)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--share slurm: task %d is not one of %d from %d in steps of %d; number "
                        "them without gaps, or say --share K/N",
                        task, count, least, step);
    *share = (task - least) / step + 1;
    *shares = count;
    return SWQ_OK;
}

swq_status cli_sweep_share(swq_context *ctx, const char *text, int *share, int *shares)
{
    char first[16];
    const char *slash = strchr(text, '/');

    if (strcmp(text, "slurm") == 0)
        return slurm_share(ctx, share, shares);
    if (!slash || slash == text || (size_t)(slash - text) >= sizeof first)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--share must be K/N, such as 3/16, or the word slurm, not '%.40s'", text);
    snprintf(first, sizeof first, "%.*s", (int)(slash - text), text);
    swq_status status = cli_integer(ctx, "share K/N: N", slash + 1, 1, MOST_SHARES, shares);
    return status ? status : cli_integer(ctx, "share K/N: K", first, 1, *shares, share);
}
