/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options about packets of high priority, for one switch and for networks.
 */
#include "cli/spec/priority.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/record/record.h"

const char *const cli_class_names[SWQ_CLASSES] = {"normal", "high"};

#define BUFFER "solve --high 0.1 --priority buffer, sim --high 0.1 --priority buffer"

static bool has_slots(const void *spec)
{
    return ((const swq_priority *)spec)->slots > 0;
}

static bool has_buffer(const void *spec)
{
    return ((const swq_priority *)spec)->support == SWQ_SUPPORT_BUFFER;
}

cli_parameter cli_priority_parameters[] = {
    {CLI_OPTION("high", "F", SWQ_ENGINE_SYNC), .says = "% high priority", .plain = "0",
     CLI_AT(CLI_REAL, swq_priority, fraction), CLI_FROM(0, 1),
     .about = "fraction of the packets with high priority", .key = "high_fraction"},
    {CLI_OPTION("priority", "none|arbiter|queue|queues|buffer", SWQ_ENGINE_SYNC), .plain = "none",
     CLI_AT(CLI_CHOICE, swq_priority, support),
     CLI_WORDS_OF("none", "arbiter", "queue", "queues", "buffer"),
     .about =
         "what switches do for packets of high priority: nothing (none); serve them first; and "
         "also hold them in one queue per buffer, in one per output, or in buffers of their "
         "own",
     .key = "priority",
     CLI_DEFAULTS({"solve --high 0.1, sim --high 0.1", "none",
                   "only measures the classes, before any is preferred"})},
    {CLI_OPTION("priority-slots", "B", SWQ_ENGINE_SYNC), CLI_AT(CLI_INT, swq_priority, slots),
     CLI_FROM(1, SWQ_MAX_SLOTS), .shown = has_slots,
     .about =
         "slots for packets of high priority: in samq's and safc's queue (part of --slots), or "
         "in the buffer of their own (in addition)",
     .preset = "default 1 in a queue, 2 in a buffer", .key = "priority_slots", .unit = "slots",
     CLI_DEFAULTS(
         {BUFFER, "2", "as in section 5.4"},
         {"solve --high 0.1 --priority queue --buffer samq --slots 3", "1", "as in a network"},
         {"sim --high 0.1 --priority queue --buffer samq --slots 5", "1",
          "packets of high priority are few"})},
    {CLI_OPTION("priority-queues", "one|output", SWQ_ENGINE_SYNC),
     CLI_AT(CLI_CHOICE, swq_priority, queues), CLI_WORDS_OF("one", "output"), .shown = has_buffer,
     .about = "queues in the buffer for packets of high priority", .key = "priority_queues",
     CLI_DEFAULTS(
         {BUFFER, "one", "packets of high priority are few, and seldom wait for one another"})},
    CLI_PARAMETERS_END,
};

struct poptOption cli_priority_options[] = {
    CLI_PARAMETERS(cli_priority_parameters),
    POPT_TABLEEND,
};

swq_status cli_priority_read(swq_context *ctx, const swq_buffer_kind *kind, int ports,
                             swq_priority *priority, int *extra)
{
    const bool given = cli_given(cli_priority_options, "priority-slots");

    *priority = (swq_priority){.fraction = 0};
    *extra = 0;
    swq_status status = cli_parameters_read(ctx, cli_priority_parameters, priority);
    const swq_support support = priority->support;
    const bool own_queue =
        kind->partitioned && (support == SWQ_SUPPORT_QUEUE || support == SWQ_SUPPORT_QUEUES);
    if (!given)
        priority->slots = support == SWQ_SUPPORT_BUFFER ? 2
                          : own_queue                   ? support == SWQ_SUPPORT_QUEUE ? 1 : ports
                                                        : 0;
    if (!status && given && !own_queue && support != SWQ_SUPPORT_BUFFER)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--priority-slots is for --priority buffer, or a queue of samq or safc");
    if (!status && cli_given(cli_priority_options, "priority-queues") &&
        support != SWQ_SUPPORT_BUFFER)
        status = swq_fail(ctx, SWQ_EINVAL, "--priority-queues is for --priority buffer");
    *extra = own_queue ? priority->slots : 0;
    return status;
}

swq_status cli_priority_needs_high(swq_context *ctx, swq_support support)
{
    if (support == SWQ_SUPPORT_NONE || cli_given(cli_priority_options, "high"))
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "--priority is for packets of high priority: --high says how many there are");
}

void cli_put_priority(cli_record *model, const swq_priority *priority)
{
    cli_parameters_put(model, cli_priority_parameters, priority);
}
