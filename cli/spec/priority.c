/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options about packets of high priority, for one switch and for networks.
 * Room: cli.
 */
#include "cli/spec/priority.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/record/record.h"

const char *const cli_support_words[] = {"none", "arbiter", "queue", "queues", "buffer", NULL};
const char *const cli_high_queues_words[] = {"one", "output", NULL};
const char *const cli_class_names[SWQ_CLASSES] = {"normal", "high"};

static struct {
    char *priority, *high, *slots, *queues;
} given;

#define SYNC(name, member, help, argument)                                                         \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &given.member, SWQ_ENGINE_SYNC, help, argument                \
    }

struct poptOption cli_priority_options[] = {
    SYNC("high", high, "fraction of the packets with high priority", "F"),
    SYNC("priority", priority,
         "what switches do for packets of high priority: nothing (default); serve them first; and "
         "also hold them in one queue per buffer, in one per output, or in buffers of their own",
         "none|arbiter|queue|queues|buffer"),
    SYNC("priority-slots", slots,
         "slots for packets of high priority: in samq's and safc's queue (part of --slots; default "
         "1), or in the buffer of their own (in addition; default 2)",
         "B"),
    SYNC("priority-queues", queues,
         "queues in the buffer for packets of high priority (default one)", "one|output"),
    POPT_TABLEEND,
};

swq_status cli_priority_read(swq_context *ctx, const swq_buffer_kind *kind, int ports,
                             swq_priority *priority, int *extra)
{
    int support = SWQ_SUPPORT_NONE, queues = SWQ_ONE_QUEUE;
    swq_status status = SWQ_OK;

    *priority = (swq_priority){.fraction = 0};
    *extra = 0;
    if (given.high)
        status = cli_number(ctx, "high", given.high, 0, 1, &priority->fraction);
    if (!status && given.priority)
        status = cli_word(ctx, "priority", given.priority, cli_support_words, &support);
    if (!status && given.queues)
        status = cli_word(ctx, "priority-queues", given.queues, cli_high_queues_words, &queues);
    priority->support = (swq_support)support;
    priority->queues = (swq_queues)queues;
    const bool own_queue =
        kind->partitioned && (support == SWQ_SUPPORT_QUEUE || support == SWQ_SUPPORT_QUEUES);
    priority->slots = support == SWQ_SUPPORT_BUFFER ? 2
                      : own_queue                   ? support == SWQ_SUPPORT_QUEUE ? 1 : ports
                                                    : 0;
    if (!status && given.slots) {
        if (!own_queue && support != SWQ_SUPPORT_BUFFER)
            return swq_fail(
                ctx, SWQ_EINVAL,
                "--priority-slots is for --priority buffer, or a queue of samq or safc");
        status =
            cli_integer(ctx, "priority-slots", given.slots, 1, SWQ_MAX_SLOTS, &priority->slots);
    }
    if (!status && given.queues && support != SWQ_SUPPORT_BUFFER)
        status = swq_fail(ctx, SWQ_EINVAL, "--priority-queues is for --priority buffer");
    *extra = own_queue ? priority->slots : 0;
    return status;
}

swq_status cli_priority_needs_high(swq_context *ctx, swq_support support)
{
    if (support == SWQ_SUPPORT_NONE || given.high)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "--priority is for packets of high priority: --high says how many there are");
}

void cli_put_priority(cli_record *model, const swq_priority *priority)
{
    cli_put_number(model, "high_fraction", priority->fraction);
    cli_put_word(model, "priority", cli_support_words[priority->support]);
    if (priority->slots)
        cli_put_count(model, "priority_slots", (uint64_t)priority->slots);
    if (priority->support == SWQ_SUPPORT_BUFFER)
        cli_put_word(model, "priority_queues", cli_high_queues_words[priority->queues]);
}
