/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --starts, --saq-log and --messages-out: a line of CSV for each event, into a file.
 */
#include "cli/sim/logs.h"
#include "base/context.h"
#include "base/outfile.h"
#include "cli/options/parse.h"
#include "cli/sim/sim.h"
#include "switchq/fabric.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct cli_log {
    swq_outfile file;
    bool bytes;             /* of starts: the last column is bytes */
    uint32_t ports, inputs; /* of set-aside queues: of a switch; of all switches */
    unsigned flit;          /* of messages: bytes of a flit */
};

/* ---- starts ---- */

static void write_start(void *arg, const swq_start *s)
{
    const cli_log *log = arg;
    FILE *stream = log->file.stream;

    if (s->switch_ == SWQ_NO_WHERE)
        fprintf(stream, "%u,,,,", s->cycle);
    else if (s->output_store)
        fprintf(stream, "%u,%u,,%u,", s->cycle, s->switch_, s->output);
    else
        fprintf(stream, "%u,%u,%u,%u,", s->cycle, s->switch_, s->input, s->output);
    fprintf(stream, "%u,%u,%u,%u\n", s->from, s->to, s->birth,
            log->bytes ? s->bytes : (unsigned)s->packet_class);
}

/* ---- set-aside queues ---- */

static const char *const words[] = {
    [SWQ_SAQ_DETECTED] = "detected",
    [SWQ_SAQ_TOLD] = "told",
    [SWQ_SAQ_FREED] = "freed",
    [SWQ_SAQ_XOFF] = "xoff",
    [SWQ_SAQ_XON] = "xon",
    [SWQ_SAQ_LINE_TAKEN] = "line-taken",
    [SWQ_SAQ_LINE_FREED] = "line-freed",
    [SWQ_SAQ_STOPPED] = "stopped",
    [SWQ_SAQ_RELEASED] = "released",
    [SWQ_SAQ_NONE_FREE] = "none-free",
    [SWQ_SAQ_NO_LINE] = "no-line",
    [SWQ_SAQ_REFUSED] = "refused",
};

/* Is an event at an output? Lines of RECN-IQ are. */
static bool is_at_output(const swq_saq_event *e)
{
    return e->at_output || e->kind == SWQ_SAQ_LINE_TAKEN || e->kind == SWQ_SAQ_LINE_FREED ||
           e->kind == SWQ_SAQ_NO_LINE;
}

static void write_event(void *arg, const swq_saq_event *e)
{
    const cli_log *log = arg;
    FILE *stream = log->file.stream;

    fprintf(stream, "%u,%s,", e->cycle, words[e->kind]);
    if (e->port >= log->inputs)
        fprintf(stream, "interface,%u,", e->port - log->inputs);
    else
        fprintf(stream, "%u,%s %u,", e->port / log->ports, is_at_output(e) ? "output" : "input",
                e->port % log->ports);
    if (e->number > 0 || e->kind == SWQ_SAQ_LINE_TAKEN || e->kind == SWQ_SAQ_LINE_FREED)
        fprintf(stream, "%d", e->number);
    fputc(',', stream);
    for (int turn = 0; turn < e->length; turn++)
        fprintf(stream, "%s%u", turn ? " " : "",
                (unsigned)(e->turns >> turn * e->bits & ((UINT64_C(1) << e->bits) - 1)));
    fputc('\n', stream);
}

static swq_status check_saqs(swq_context *ctx, const cli_async *n)
{
    if (!cli_set_aside(&n->network))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--saq-log is for a --management with set-aside queues (recn-iq, recn, "
                        "recn-enhanced, fbicm), not for %s",
                        n->network.management.row->name);
    return SWQ_OK;
}

/* ---- messages ---- */

static void write_message(void *arg, const swq_message_end *m)
{
    const cli_log *log = arg;

    fprintf(log->file.stream, "%u,%u,%u,%llu,%u,%u,%d\n", m->birth, m->from, m->to,
            (unsigned long long)m->bytes * log->flit, m->head, m->tail, m->group + 1);
}

/* ---- a file ---- */

/* The one option that asks for a file, or NULL. Errors: SWQ_EINVAL for two of them. */
static swq_status find_option(swq_context *ctx, const char **option)
{
    static const char *const options[] = {"starts", "saq-log", "messages-out", NULL};

    *option = NULL;
    for (int k = 0; options[k]; k++) {
        if (!cli_given(cli_sim_output_options, options[k]))
            continue;
        if (*option)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s does not go with --%s: a run writes one file of events",
                            options[k], *option);
        *option = options[k];
    }
    if (*option && cli_given(cli_run_options, "find-saturation"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s is of one run: it does not go with --find-saturation", *option);
    return SWQ_OK;
}

static swq_status open_file(swq_context *ctx, const char *option, cli_log **log)
{
    const char *path = cli_text(cli_sim_output_options, option);

    if (strcmp(path, "-") == 0)
        return swq_fail(ctx, SWQ_EINVAL, "--%s must be the name of a file, which '-' is not",
                        option);
    cli_log *new = calloc(1, sizeof *new);
    if (!new)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for --%s", option);
    const swq_status status = cli_outfile_open(ctx, path, &new->file);
    if (status)
        free(new);
    else
        *log = new;
    return status;
}

swq_status cli_log_open(swq_context *ctx, const cli_async *n, swq_async_watch *watch, cli_log **log)
{
    const char *option;
    swq_status status = find_option(ctx, &option);

    *log = NULL;
    if (!status && option && strcmp(option, "saq-log") == 0)
        status = check_saqs(ctx, n);
    if (!status && option)
        status = open_file(ctx, option, log);
    if (status || !option)
        return status;
    cli_log *new = *log;
    assert(new && (n || strcmp(option, "starts") == 0)); /* the others are asynchronous */
    FILE *stream = new->file.stream;
    watch->arg = new;
    new->flit = n ? (unsigned)n->flit : 1;
    if (strcmp(option, "starts") == 0) {
        new->bytes = n != NULL;
        fprintf(stream, "cycle,switch,input,output,from,to,birth,%s\n",
                !n            ? "priority"
                : n->flit > 1 ? "flits"
                              : "bytes");
        watch->started = write_start;
    } else if (strcmp(option, "saq-log") == 0) {
        new->ports = (uint32_t)n->fabric.ports;
        new->inputs = n->fabric.switches *new->ports;
        fprintf(stream, "cycle,event,switch,port,number,path\n");
        watch->saq = write_event;
    } else {
        fprintf(stream, "created,from,to,bytes,head_cycles,tail_cycles,group\n");
        watch->message = write_message;
    }
    return SWQ_OK;
}

swq_status cli_log_close(swq_context *ctx, cli_log *log, bool keep)
{
    swq_status status = SWQ_OK;

    if (!log)
        return SWQ_OK;
    if (keep)
        status = swq_outfile_commit(ctx, &log->file);
    else
        swq_outfile_abort(ctx, &log->file);
    free(log);
    return status;
}
