/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of flow controls: of those whose senders learn of room with a delay, credits and
 * stop and go, and buffers that take or refuse a packet; of two-counter flow control; and of
 * virtual clocks.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"
#include "sim/traffic/trace_files.h"

#include <stdlib.h>
#include <string.h>

#define FLOW(name) "sim --engine async --buffer damq --flow " name

const cli_owner cli_by_flow = {"flow", "--flow ", (const void *const *)swq_hop_flows,
                               offsetof(cli_async, network.flow.row), NULL};

static swq_status read_counters(swq_context *ctx, const char *text, void *spec);

CLI_PROPERTY(has_credits, swq_hop_flow, credits)
CLI_PROPERTY(has_stop_go, swq_hop_flow, stop_go)
static bool hears_late(const void *row)
{
    return has_credits(row) || has_stop_go(row);
}

CLI_PROPERTY(goes_by_path, swq_hop_flow, by_path)
static bool refuses_packets(const void *row)
{
    const swq_hop_flow *flow = row;
    return flow->by_destination || flow->by_path;
}

CLI_PROPERTY(has_counters, swq_hop_flow, counters)
CLI_PROPERTY(has_clocks, swq_hop_flow, clocks)
static bool returns_credits(const void *row)
{
    const swq_architecture *architecture = row;
    return architecture->async.lanes || architecture->async.flow_groups;
}

CLI_PROPERTY(has_stores, swq_management, stores != NULL)
/* Managements with set-aside queues say so among their own fields. */
static bool says_delay(const void *spec)
{
    const swq_async *n = &((const cli_async *)spec)->network;
    return hears_late(n->flow.row) || returns_credits(n->architecture.row);
}

static double said_stages(const void *spec)
{
    const swq_async *n = &((const cli_async *)spec)->network;
    return n->flow.answers.stages ? n->flow.answers.stages : n->shape.stages;
}

#define FIELD(kind, member) CLI_AT(kind, cli_async, network.member)
#define ANSWERS             .takers = {{&cli_by_flow, refuses_packets}}

cli_parameter cli_flow_parameters[] = {
    {CLI_OPTION("credit-unit", "channel|queue|pool", SWQ_ENGINE_ASYNC),
     FIELD(CLI_CHOICE, flow.credit_unit), CLI_WORDS_OF("channel", "queue", "pool"),
     .takers = {{&cli_by_flow, has_credits}},
     .about = "the memory that credits stand for: the buffer behind the link (channel), an equal "
              "part of it "
              "for each queue, or the reserve of each queue and a shared pool",
     .preset = "default channel; pool if the buffer is partitioned or has limits",
     .key = "credit_unit",
     CLI_DEFAULTS({FLOW("credits"), "channel",
                   "one counter at each sender; pool if the buffer is partitioned or has limits"})},
    {CLI_OPTION("credit-delay", "N", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, flow.credit_delay),
     CLI_FROM(0, 4096), .any = true,
     .takers = {{&cli_by_flow, hears_late},
                {&cli_by_architecture, returns_credits},
                {&cli_by_management, has_stores}},
     .costless = true, .about = "cycles from a change in a buffer until its sender learns of it",
     .key = "credit_delay", .unit = "cycles", .shown = says_delay,
     CLI_DEFAULTS(
         {FLOW("credits"), "1", "one cycle on the wire back"},
         {FLOW("stop-go"), "1", "one cycle on the wire back"},
         {"sim --engine async --architecture wormhole", "1", "a cycle to register the credit"},
         {CLI_ATLAS_LINE, "1", "one cycle on the wire back"},
         {CLI_RECN_IQ_LINE, "1", "one cycle on the wire back"},
         {CLI_RECN_LINE, "1", "one cycle on the wire back"})},
    {CLI_OPTION("path-hops", "N", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, flow.answers.path_hops),
     CLI_FROM(1, SWQ_MAX_STAGES), .takers = {{&cli_by_flow, goes_by_path}},
     .about = "a buffer refuses a packet while it holds another with the same next N hops",
     .key = "path_hops", .unit = "hops",
     CLI_DEFAULTS({FLOW("path"), "2", "as in all of the dissertation's results"})},
    {CLI_OPTION("destination-stages", "N", SWQ_ENGINE_ASYNC), FIELD(CLI_INT, flow.answers.stages),
     CLI_FROM(1, SWQ_MAX_STAGES), ANSWERS, .said = said_stages,
     .about = "the buffers of the first N stages refuse packets, and those of later stages block",
     .preset = "default: all refuse", .key = "destination_stages", .unit = "stages",
     CLI_DEFAULTS({FLOW("path"), "(stages)", "the rule holds everywhere"})},
    {CLI_FLAG_OPTION("no-abort", SWQ_ENGINE_ASYNC), FIELD(CLI_UNFLAG, flow.answers.no_abort),
     ANSWERS, .about = "the transmission of a refused packet is not broken off", .key = "abort"},
    {CLI_FLAG_OPTION("no-restrict", SWQ_ENGINE_ASYNC), FIELD(CLI_UNFLAG, flow.answers.no_restrict),
     ANSWERS,
     .about = "a refused packet is sent again without waiting until the packet that caused the "
              "refusal has left",
     .key = "restricted_retry"},
    {CLI_FLAG_OPTION("no-requeue", SWQ_ENGINE_ASYNC), FIELD(CLI_UNFLAG, flow.answers.no_requeue),
     ANSWERS,
     .about = "if queues close one by one: a packet whose next queue is closed does not move to "
              "the tail of its queue",
     .key = "requeue"},
    {CLI_FLAG_OPTION("no-preroute", SWQ_ENGINE_ASYNC), FIELD(CLI_UNFLAG, flow.answers.no_preroute),
     ANSWERS,
     .about = "packets are sent without looking at the next buffer, which refuses what it has no "
              "room for as well",
     .key = "preroute"},
    {CLI_OPTION("two-counter", "H|T|tH|A|aH|SIGMA,XINC,XDEC,Y,YMAX", SWQ_ENGINE_ASYNC),
     .axis = CLI_AXIS_COUNTERS, .takers = {{&cli_by_flow, has_counters}}, .read = read_counters,
     .about = "a row of Table 8.2, or five numbers: the cycles between updates of a queue's "
              "counter, the blocks above which it rises, the blocks below which it falls, the "
              "count that closes the queue, and the highest count",
     .preset = "default H; several: H,20,8,4,2,4,A", .key = "two_counter",
     CLI_DEFAULTS(
         {FLOW("two-counter"), "H", "hysteresis, the row of Table 8.2 that others had used"})},
    CLI_PARAMETERS_END,
};

/* These are read after the senders. */
cli_parameter cli_late_flow_parameters[] = {
    {CLI_OPTION("circuits", "FILE", SWQ_ENGINE_ASYNC), .takers = {{&cli_by_flow, has_clocks}},
     .about = "a file of lines SOURCE DESTINATION RATE, the bytes per cycle of that pair, at most "
              "--flit; a pair without a line gets the rate of an unhindered source, divided by the "
              "number of nodes",
     .key = "circuits"},
    {CLI_OPTION("clock-ahead", "N|none", SWQ_ENGINE_ASYNC), .axis = CLI_AXIS_WHOLE,
     .takers = {{&cli_by_flow, has_clocks}},
     .about = "a packet waits at a switch while its circuit's clock, as it was when the packet "
              "came, is more than N cycles ahead of real time; none: no packet waits, and clocks "
              "only set the order",
     .key = "clock_ahead", .unit = "cycles",
     CLI_DEFAULTS({FLOW("virtual-clock"), "none", "clocks only set the order of packets"})},
    {CLI_OPTION("stop", "B|P%", SWQ_ENGINE_ASYNC), FIELD(CLI_OWN, flow.stop),
     .axis = CLI_AXIS_WHOLE, .takers = {{&cli_by_flow, has_stop_go}},
     .about = "blocks, or percent of the buffer, at which a sender must stop",
     .preset = "default: the largest that cannot overflow", .key = "stop", .unit = "blocks",
     CLI_DEFAULTS({FLOW("stop-go"), "(highest)", "the largest that cannot overflow"})},
    {CLI_OPTION("go", "B|P%", SWQ_ENGINE_ASYNC), FIELD(CLI_OWN, flow.go), .axis = CLI_AXIS_WHOLE,
     .takers = {{&cli_by_flow, has_stop_go}},
     .about = "blocks, or percent of the buffer, at which a sender may go on",
     .preset = "default: a block less than --stop", .key = "go", .unit = "blocks",
     CLI_DEFAULTS({FLOW("stop-go"), "(stop)", "a block less than --stop"})},
    CLI_PARAMETERS_END,
};

/* Do the queues of a buffer have parts or limits of their own? */
static bool has_limits(const swq_buffer *b)
{
    return b->queue_min > 0 || b->queue_max < b->capacity || b->alpha > 0;
}

/* Reads --two-counter: the name of a row of Table 8.2, or five numbers such as 20,8,4,2,4. */
static swq_status read_counters(swq_context *ctx, const char *text, void *spec)
{
    swq_two_counter *c = &((cli_async *)spec)->network.flow.counters;
    int *const value[] = {&c->sigma, &c->x_inc, &c->x_dec, &c->y, &c->y_max};
    const char *at = text;

    for (int k = 0; swq_two_counters[k]; k++) {
        if (strcmp(swq_two_counters[k]->name, text) == 0)
            return swq_two_counter_find(ctx, text, c);
    }
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

swq_status cli_flow_read(swq_context *ctx, cli_async *read)
{
    swq_async *n = &read->network;
    swq_status status = cli_refuse_idle(ctx, cli_async_options, &cli_by_flow, read);

    n->flow.credit_unit = has_limits(&n->memory.buffer) ? SWQ_CREDIT_POOL : SWQ_CREDIT_CHANNEL;
    if (n->flow.row->by_path)
        n->flow.answers.path_hops = 2; /* as in all of the dissertation's results */
    if (!status && n->flow.row->counters)
        status = swq_two_counter_find(ctx, "H", &n->flow.counters);
    return status ? status : cli_parameters_read(ctx, cli_flow_parameters, read);
}

/* Reads --stop or --go: a number such as 12, or a percentage of `room` blocks such as 75%. */
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
    const char *ahead = cli_async_text("clock-ahead"), *circuits = cli_async_text("circuits");
    swq_async *n = &read->network;
    swq_status status = SWQ_OK;

    n->flow.clocks.holds = ahead && strcmp(ahead, "none") != 0;
    if (n->flow.clocks.holds)
        status = cli_integer(ctx, "clock-ahead", ahead, 0, 1000000000, &n->flow.clocks.ahead);
    if (status || !circuits)
        return status;
    status = swq_circuits_read(ctx, "--circuits", circuits, &read->fabric, read->flit,
                               &read->circuit, &n->flow.clocks.circuits);
    n->flow.clocks.circuit = read->circuit;
    read->circuits_path = circuits;
    return status;
}

swq_status cli_flow_finish(swq_context *ctx, cli_async *read)
{
    const char *stop = cli_async_text("stop"), *go = cli_async_text("go");
    swq_async *n = &read->network;
    const int room = swq_buffer_partitioned(&n->memory.buffer) ? n->memory.buffer.queue_max
                                                               : n->memory.buffer.capacity;
    swq_status status = SWQ_OK;

    if (n->flow.row->clocks)
        return read_clocks(ctx, read);
    if (!n->flow.row->stop_go)
        return SWQ_OK;
    n->flow.stop = swq_async_highest_stop(n);
    if (stop)
        status = read_level(ctx, "stop", stop, room, &n->flow.stop);
    n->flow.go = n->flow.stop - 1;
    if (!status && go)
        status = read_level(ctx, "go", go, room, &n->flow.go);
    return status;
}

/* ---- output ---- */

static void put_counters(cli_record *model, const swq_two_counter *c)
{
    cli_put_word(model, "two_counter", c->name);
    cli_put_count(model, "counter_interval", (uint64_t)c->sigma);
    cli_put_count(model, "counter_raise_above", (uint64_t)c->x_inc);
    cli_put_count(model, "counter_lower_below", (uint64_t)c->x_dec);
    cli_put_count(model, "counter_threshold", (uint64_t)c->y);
    cli_put_count(model, "counter_most", (uint64_t)c->y_max);
}

/* Puts the parameters of flow control by virtual clocks. Of the rates of circuits, which may be
 * many, only the name of their file is put. */
static void put_clocks(cli_record *model, const cli_async *n)
{
    if (n->circuits_path)
        cli_put_word(model, "circuits", n->circuits_path);
    if (n->network.flow.clocks.holds)
        cli_put_count(model, "clock_ahead", (uint64_t)n->network.flow.clocks.ahead);
    cli_put_number(model, "circuit_state_bytes", swq_circuit_state_bytes(&n->network, &n->fabric));
}

void cli_put_hop_flow(cli_record *model, const cli_async *n)
{
    const swq_async *net = &n->network;

    cli_put_word(model, "flow", net->flow.row->name);
    cli_parameters_put(model, cli_flow_parameters, n);
    if (net->flow.row->counters)
        put_counters(model, &net->flow.counters);
    if (net->flow.row->clocks)
        put_clocks(model, n);
    if (!net->flow.row->stop_go)
        return;
    cli_put_count(model, "stop", (uint64_t)net->flow.stop);
    cli_put_count(model, "go", (uint64_t)net->flow.go);
}
