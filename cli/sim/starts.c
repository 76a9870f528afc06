/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --starts: a line of CSV for every transmission that starts, into a file.
 * Room: cli.
 */
#include "base/context.h"
#include "base/outfile.h"
#include "cli/spec/async.h"

#include <stdlib.h>
#include <string.h>

struct cli_starts {
    swq_outfile file;
};

static void started(void *arg, const swq_start *s)
{
    FILE *stream = arg;

    if (s->switch_ == SWQ_NO_WHERE)
        fprintf(stream, "%u,,,,", s->cycle);
    else if (s->output_store)
        fprintf(stream, "%u,%u,,%u,", s->cycle, s->switch_, s->output);
    else
        fprintf(stream, "%u,%u,%u,%u,", s->cycle, s->switch_, s->input, s->output);
    fprintf(stream, "%u,%u,%u,%u\n", s->from, s->to, s->birth, s->bytes);
}

swq_status cli_starts_open(swq_context *ctx, const char *path, swq_async_watch *watch,
                           cli_starts **starts)
{
    if (strcmp(path, "-") == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--starts must be the name of a file, which '-' is not");
    cli_starts *new = calloc(1, sizeof *new);
    if (!new)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for --starts");
    swq_status status = swq_outfile_open(ctx, path, &new->file);
    if (status) {
        free(new);
        return status;
    }
    fputs("cycle,switch,input,output,from,to,birth,bytes\n", new->file.stream);
    *watch = (swq_async_watch){.started = started, .arg = new->file.stream};
    *starts = new;
    return SWQ_OK;
}

swq_status cli_starts_close(swq_context *ctx, cli_starts *starts, bool keep)
{
    swq_status status = SWQ_OK;

    if (!starts)
        return SWQ_OK;
    if (keep)
        status = swq_outfile_commit(ctx, &starts->file);
    else
        swq_outfile_abort(ctx, &starts->file);
    free(starts);
    return status;
}
