/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --starts: a line of CSV for every transmission that starts, into a file.
 * Room: cli.
 */
#include "base/context.h"
#include "base/outfile.h"
#include "cli/options/parse.h"
#include "cli/sim/sim.h"
#include "switchq/fabric.h"

#include <stdlib.h>
#include <string.h>

struct cli_starts {
    swq_outfile file;
    bool bytes; /* the last column is bytes */
};

static void write_start(void *arg, const swq_start *s)
{
    const cli_starts *starts = arg;
    FILE *stream = starts->file.stream;

    if (s->switch_ == SWQ_NO_WHERE)
        fprintf(stream, "%u,,,,", s->cycle);
    else if (s->output_store)
        fprintf(stream, "%u,%u,,%u,", s->cycle, s->switch_, s->output);
    else
        fprintf(stream, "%u,%u,%u,%u,", s->cycle, s->switch_, s->input, s->output);
    fprintf(stream, "%u,%u,%u,%u\n", s->from, s->to, s->birth,
            starts->bytes ? s->bytes : (unsigned)s->packet_class);
}

swq_status cli_starts_open(swq_context *ctx, const char *last, swq_started_fn **started,
                           cli_starts **starts)
{
    const char *path = cli_text(cli_sim_output_options, "starts");

    *started = NULL;
    *starts = NULL;
    if (!path)
        return SWQ_OK;
    if (cli_given(cli_run_options, "find-saturation"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--starts is of one run: it does not go with --find-saturation");
    if (strcmp(path, "-") == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--starts must be the name of a file, which '-' is not");
    cli_starts *new = calloc(1, sizeof *new);
    if (!new)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for --starts");
    swq_status status = cli_outfile_open(ctx, path, &new->file);
    if (status) {
        free(new);
        return status;
    }
    new->bytes = strcmp(last, "bytes") == 0 || strcmp(last, "flits") == 0;
    fprintf(new->file.stream, "cycle,switch,input,output,from,to,birth,%s\n", last);
    *started = write_start;
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
