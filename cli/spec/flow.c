/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of flow controls: of those whose senders learn of room with a delay, credits and
 * stop and go, and buffers that take or refuse a packet; of two-counter flow control; and of
 * virtual clocks.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"
#include "sim/traffic/trace_files.h"

#include <stdlib.h>
#include <string.h>

static char *unit, *delay, *stop, *go, *hops, *answer_stages, *two_counter, *circuits, *clock_ahead;
static int no_abort, no_restrict, no_requeue, no_preroute;

const char *const cli_credit_unit_words[] = {"channel", "queue", "pool", NULL};

#define TEXT(name, member, help, argument)                                                         \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &(member), SWQ_ENGINE_ASYNC, help, argument                   \
    }

#define FLAG(name, member, help)                                                                   \
    {                                                                                              \
        name, '\0', POPT_ARG_NONE, &(member), SWQ_ENGINE_ASYNC, help, NULL                         \
    }

struct poptOption cli_flow_options[] = {
    TEXT("credit-unit", unit,
         "--flow credits: what credits stand for: the buffer behind the link (default; pool if the "
         "buffer is partitioned or has limits), an equal part of it for each queue, or the reserve "
         "of each queue and a shared pool",
         "channel|queue|pool"),
    TEXT(
        "credit-delay", delay,
        "--flow credits, stop-go, wormhole, atlas, and managements with set-aside queues (recn-iq, "
        "recn, recn-enhanced, fbicm): cycles from a change in a buffer until its sender learns of "
        "it (default 1)",
        "N"),
    TEXT("stop", stop,
         "--flow stop-go: blocks, or percent of the buffer, at which a sender must stop (default: "
         "the largest that cannot overflow)",
         "B|P%"),
    TEXT("go", go,
         "--flow stop-go: blocks, or percent of the buffer, at which a sender may go on (default: "
         "a block less than --stop)",
         "B|P%"),
    TEXT("path-hops", hops,
         "--flow path: a buffer refuses a packet while it holds another with the same next N hops "
         "(default 2)",
         "N"),
    TEXT("destination-stages", answer_stages,
         "--flow destination, path: the buffers of the first N stages refuse packets, and those of "
         "later stages block (default: all refuse)",
         "N"),
    FLAG("no-abort", no_abort,
         "--flow destination, path: the transmission of a refused packet is not broken off"),
    FLAG("no-restrict", no_restrict,
         "--flow destination, path: a refused packet is sent again without waiting until the "
         "packet that caused the refusal has left"),
    FLAG("no-requeue", no_requeue,
         "--flow destination, path, if queues close one by one: a packet whose next queue is "
         "closed does not move to the tail of its queue"),
    FLAG("no-preroute", no_preroute,
         "--flow destination, path: packets are sent without looking at the next buffer, which "
         "refuses what it has no room for as well"),
    TEXT("two-counter", two_counter,
         "--flow two-counter: a row of Table 8.2, or five numbers: the cycles between updates of a "
         "queue's counter, the blocks above which it rises, the blocks below which it falls, the "
         "count that closes the queue, and the highest count (default H; several: H,20,8,4,2,4,A)",
         "H|T|tH|A|aH|SIGMA,XINC,XDEC,Y,YMAX"),
    TEXT("circuits", circuits,
         "--flow virtual-clock: a file of lines SOURCE DESTINATION RATE, the bytes per cycle of "
         "that pair, at most --flit; a pair without a line gets the rate of an unhindered source, "
         "divided by the "
         "number of nodes",
         "FILE"),
    TEXT("clock-ahead", clock_ahead,
         "--flow virtual-clock: a packet waits at a switch while its circuit's clock, as it was "
         "when the packet came, is more than N cycles ahead of real time; none: no packet waits, "
         "and clocks only set the order (default none)",
         "N|none"),
    POPT_TABLEEND,
};

/* Refuses options of other flow controls. */
static swq_status refuse(swq_context *ctx, const swq_async *n)
{
    const swq_hop_flow *flow = n->flow;
    const bool answers = flow->by_destination || flow->by_path;
    const struct {
        const char *option;
        bool given;
        const char *what;
        bool has;
    } owned[] = {
        {"credit-unit", unit, "credits", flow->credits},
        {"credit-delay", delay,
         "credits and stop-go, --architecture wormhole or atlas, and --management recn-iq, recn, "
         "recn-enhanced or fbicm",
         flow->credits || flow->stop_go || n->architecture->lanes || n->architecture->flow_groups ||
             cli_set_aside(n)},
        {"stop", stop, "stop-go", flow->stop_go},
        {"go", go, "stop-go", flow->stop_go},
        {"path-hops", hops, "path", flow->by_path},
        {"destination-stages", answer_stages, "destination and path", answers},
        {"no-abort", no_abort, "destination and path", answers},
        {"no-restrict", no_restrict, "destination and path", answers},
        {"no-requeue", no_requeue, "destination and path", answers},
        {"no-preroute", no_preroute, "destination and path", answers},
        {"two-counter", two_counter, "two-counter", flow->counters},
        {"circuits", circuits, "virtual-clock", flow->clocks},
        {"clock-ahead", clock_ahead, "virtual-clock", flow->clocks},
    };

    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        if (owned[k].given && !owned[k].has)
            return swq_fail(ctx, SWQ_EINVAL, "--%s is for --flow %s, not for %s", owned[k].option,
                            owned[k].what, flow->name);
    }
    return SWQ_OK;
}

/* Do the queues of a buffer have parts or limits of their own? */
static bool has_limits(const swq_buffer *b)
{
    return b->queue_min > 0 || b->queue_max < b->capacity || b->alpha > 0;
}

/* Options of buffers that take or refuse a packet. */
static swq_status read_answers(swq_context *ctx, swq_async *n)
{
    swq_status status = SWQ_OK;

    n->no_abort = no_abort;
    n->no_restrict = no_restrict;
    n->no_requeue = no_requeue;
    n->no_preroute = no_preroute;
    if (n->flow->by_path)
        n->path_hops = 2; /* as in all of the dissertation's results */
    if (hops)
        status = cli_integer(ctx, "path-hops", hops, 1, SWQ_MAX_STAGES, &n->path_hops);
    if (!status && answer_stages)
        status = cli_integer(ctx, "destination-stages", answer_stages, 1, SWQ_MAX_STAGES,
                             &n->answer_stages);
    return status;
}

/* 20,8,4,2,4 */
static swq_status read_counters(swq_context *ctx, const char *text, swq_two_counter *c)
{
    int *const value[] = {&c->sigma, &c->x_inc, &c->x_dec, &c->y, &c->y_max};
    const char *at = text;

    *c = (swq_two_counter){0};
    for (int k = 0; k < 5; k++) {
        const size_t digits = strspn(at, "0123456789");
        if (digits == 0 || digits > 9 || at[digits] != (k < 4 ? ',' : '\0'))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--two-counter must be H, T, tH, A, aH or five whole numbers "
                            "SIGMA,XINC,XDEC,Y,YMAX, such as 20,8,4,2,4, not '%.60s'",
                            text);
        *value[k] = atoi(at);
        at += digits + 1;
    }
    return SWQ_OK;
}

static swq_status find_counters(swq_context *ctx, swq_two_counter *c)
{
    if (!two_counter)
        return swq_two_counter_find(ctx, "H", c);
    for (int k = 0; swq_two_counters[k]; k++) {
        if (strcmp(swq_two_counters[k]->name, two_counter) == 0)
            return swq_two_counter_find(ctx, two_counter, c);
    }
    return read_counters(ctx, two_counter, c);
}

swq_status cli_flow_read(swq_context *ctx, swq_async *n)
{
    int which = has_limits(&n->buffer) ? SWQ_CREDIT_POOL : SWQ_CREDIT_CHANNEL;
    swq_status status = refuse(ctx, n);

    if (!status && unit)
        status = cli_word(ctx, "credit-unit", unit, cli_credit_unit_words, &which);
    n->credit_unit = (swq_credit_unit)which;
    if (!status && delay)
        status = cli_integer(ctx, "credit-delay", delay, 0, 4096, &n->credit_delay);
    if (!status && n->flow->counters)
        status = find_counters(ctx, &n->counters);
    return status ? status : read_answers(ctx, n);
}

/* 12, or 75%, of a number of blocks. */
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

static swq_status read_clocks(swq_context *ctx, cli_async *read)
{
    swq_async *n = &read->network;
    swq_status status = SWQ_OK;

    n->clock_holds = clock_ahead && strcmp(clock_ahead, "none") != 0;
    if (n->clock_holds)
        status = cli_integer(ctx, "clock-ahead", clock_ahead, 0, 1000000000, &n->clock_ahead);
    if (status || !circuits)
        return status;
    status = swq_circuits_read(ctx, "--circuits", circuits, &read->fabric, read->flit,
                               &read->circuit, &n->circuits);
    n->circuit = read->circuit;
    read->circuits_path = circuits;
    return status;
}

swq_status cli_flow_finish(swq_context *ctx, cli_async *read)
{
    swq_async *n = &read->network;
    const int room = swq_buffer_partitioned(&n->buffer) ? n->buffer.queue_max : n->buffer.capacity;
    swq_status status = SWQ_OK;

    if (n->flow->clocks)
        return read_clocks(ctx, read);
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
