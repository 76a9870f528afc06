/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of flow controls whose senders are told with a delay: credits, and stop and go.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"

#include <string.h>

static char *unit, *delay, *stop, *go;

const char *const cli_credit_unit_words[] = {"channel", "queue", "pool", NULL};

#define TEXT(name, member, help, argument)                                                         \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &(member), SWQ_ENGINE_ASYNC, help, argument                   \
    }

struct poptOption cli_flow_options[] = {
    TEXT("credit-unit", unit,
         "--flow credits: a sender has them for the buffer behind its link (default; pool for one "
         "that is partitioned or has limits), for an equal part for each queue there, or for what "
         "is reserved for each queue and a shared pool",
         "channel|queue|pool"),
    TEXT("credit-delay", delay,
         "--flow credits, stop-go: cycles from a change in a buffer until its sender knows "
         "(default 1)",
         "N"),
    TEXT("stop", stop,
         "--flow stop-go: blocks, or percent of the buffer, at which a sender is told to stop "
         "(default: the most that cannot overflow)",
         "B|P%"),
    TEXT("go", go,
         "--flow stop-go: blocks, or percent, at which it is told to go again (default: a block "
         "less than --stop)",
         "B|P%"),
    POPT_TABLEEND,
};

/* What another flow control has. */
static swq_status refuse(swq_context *ctx, const swq_hop_flow *flow)
{
    const struct {
        const char *option, *text, *what;
        bool has;
    } owned[] = {
        {"credit-unit", unit, "credits", flow->credits},
        {"credit-delay", delay, "credits and stop-go", flow->credits || flow->stop_go},
        {"stop", stop, "stop-go", flow->stop_go},
        {"go", go, "stop-go", flow->stop_go},
    };

    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        if (owned[k].text && !owned[k].has)
            return swq_fail(ctx, SWQ_EINVAL, "--%s is for --flow %s, not for %s", owned[k].option,
                            owned[k].what, flow->name);
    }
    return SWQ_OK;
}

/* A buffer whose queues have parts or limits of their own. */
static bool has_limits(const swq_buffer *b)
{
    return b->queue_min > 0 || b->queue_max < b->capacity || b->alpha > 0;
}

swq_status cli_flow_read(swq_context *ctx, swq_async *n)
{
    int which = has_limits(&n->buffer) ? SWQ_CREDIT_POOL : SWQ_CREDIT_CHANNEL;
    swq_status status = refuse(ctx, n->flow);

    if (!status && unit)
        status = cli_word(ctx, "credit-unit", unit, cli_credit_unit_words, &which);
    n->credit_unit = (swq_credit_unit)which;
    if (!status && delay)
        status = cli_integer(ctx, "credit-delay", delay, 0, 4096, &n->credit_delay);
    return status;
}

/* 12, or 75% of so many blocks. */
static swq_status read_level(swq_context *ctx, const char *option, const char *text, int room,
                             int *blocks)
{
    const size_t length = strlen(text);
    char number[32];
    double percent;

    if (length == 0 || text[length - 1] != '%' || length >= sizeof number)
        return cli_integer(ctx, option, text, 0, SWQ_MAX_BUFFER_BLOCKS, blocks);
    memcpy(number, text, length - 1);
    number[length - 1] = '\0';
    swq_status status = cli_number(ctx, option, number, 0, 100, &percent);
    *blocks = status ? *blocks : (int)(room * percent / 100);
    return status;
}

swq_status cli_flow_finish(swq_context *ctx, swq_async *n)
{
    const int room = swq_buffer_partitioned(&n->buffer) ? n->buffer.queue_max : n->buffer.capacity;
    swq_status status = SWQ_OK;

    if (!n->flow->stop_go)
        return SWQ_OK;
    n->stop = swq_async_highest_stop(n);
    if (stop)
        status = read_level(ctx, "stop", stop, room, &n->stop);
    n->go = n->stop - 1;
    if (!status && go)
        status = read_level(ctx, "go", go, room, &n->go);
    return status;
}
