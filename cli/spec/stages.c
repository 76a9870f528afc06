/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --architecture and the sizes that belong to it, for switches in stage cycles.
 * Room: cli.
 */
#include "cli/spec/stages.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/engine.h"
#include "switchq/async.h"

#include <string.h>

const char *const cli_departures_words[] = {"last", "first", NULL};

static char *architecture, *speedup, *output_slots, *crosspoint_slots, *departures;

#define TEXT(name, member, help, argument)                                                         \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &(member), 0, help, argument                                  \
    }

struct poptOption cli_stage_options[] = {
    TEXT("architecture", architecture,
         "where the switch has memory: 'switchq list architectures' (default input-queued)",
         "NAME"),
    TEXT("speedup", speedup, "cioq: packets that a port of the crossbar moves in a cycle", "S"),
    TEXT("output-slots", output_slots,
         "output-queued, cioq: packet slots before each output, including the packet that departs",
         "B"),
    TEXT("crosspoint-slots", crosspoint_slots,
         "crosspoint, input-crosspoint: packet slots for each input and output", "C"),
    TEXT("departures", departures,
         "cioq, input-crosspoint: packets depart after (default) or before others cross the switch",
         "last|first"),
    POPT_TABLEEND,
};

#undef TEXT
#define TEXT_OF(engines, name, member, help, argument)                                             \
    {                                                                                              \
        name, '\0', POPT_ARG_STRING, &(member), engines, help, argument                            \
    }

struct poptOption cli_stage_network_options[] = {
    TEXT_OF(0, "architecture", architecture,
            "where switches have memory: 'switchq list architectures' (default input-queued; "
            "--management recn, recn-enhanced, fbicm: cioq)",
            "NAME"),
    TEXT_OF(0, "speedup", speedup,
            "cioq: how many times faster the crossbar is than a link, in packets per port and "
            "cycle (asynchronous: also 1.5, for example; default 2; --management recn, "
            "recn-enhanced, fbicm: 1.5)",
            "S"),
    TEXT_OF(
        SWQ_ENGINE_SYNC, "output-slots", output_slots,
        "output-queued, cioq: packet slots before each output, including the packet that departs",
        "B"),
    TEXT_OF(SWQ_ENGINE_SYNC, "crosspoint-slots", crosspoint_slots,
            "crosspoint, input-crosspoint: packet slots for each input and output", "C"),
    TEXT_OF(SWQ_ENGINE_SYNC, "departures", departures,
            "cioq, input-crosspoint: packets depart after others cross the switch (as without this "
            "option), or before",
            "last|first"),
    POPT_TABLEEND,
};

cli_stage_words cli_stages_given(void)
{
    return (cli_stage_words){architecture, speedup, output_slots, crosspoint_slots, departures};
}

/* Does `name` name an architecture that only the asynchronous engine has? */
static bool asynchronous(const char *name)
{
    bool here = false, there = false;

    for (int k = 0; swq_stage_architectures[k]; k++)
        here = here || strcmp(swq_stage_architectures[k]->name, name) == 0;
    for (int k = 0; swq_architectures[k]; k++)
        there = there || strcmp(swq_architectures[k]->name, name) == 0;
    return there && !here;
}

/* "cioq and input-crosspoint": the rows in which that flag is set; SIZE_MAX: all. */
static const char *rows_with(size_t flag, char *text, size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (int k = 0; swq_stage_architectures[k]; k++) {
        bool has = true;
        if (flag != SIZE_MAX)
            memcpy(&has, (const char *)swq_stage_architectures[k] + flag, sizeof has);
        if (has && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " and " : "",
                                     swq_stage_architectures[k]->name);
    }
    return text;
}

/* Reads an option that only some architectures have, as a number from 1 to `most`; 0 if it is not
 * given. */
static swq_status read_size(swq_context *ctx, const swq_stage_architecture *row, const char *option,
                            size_t flag, const char *text, int most, int *value)
{
    char names[200];
    bool has;

    memcpy(&has, (const char *)row + flag, sizeof has);
    *value = 0;
    if (text && !has)
        return swq_fail(ctx, SWQ_EINVAL, "--%s is for --architecture %s, not for %s", option,
                        rows_with(flag, names, sizeof names), row->name);
    if (has && !text)
        return swq_fail(ctx, SWQ_EINVAL, "--%s is required for --architecture %s", option,
                        row->name);
    return has ? cli_integer(ctx, option, text, 1, most, value) : SWQ_OK;
}

swq_status cli_stages_architecture(swq_context *ctx, const cli_stage_words *given,
                                   const swq_stage_architecture **row)
{
    const char *name = given->architecture;
    char names[200];

    *row = swq_stage_architectures[0];
    if (name && asynchronous(name))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--architecture %s is for sim --engine async; in stage cycles there are "
                        "%s",
                        name, rows_with(SIZE_MAX, names, sizeof names));
    return name ? swq_stage_architecture_find(ctx, name, row) : SWQ_OK;
}

swq_status cli_stages_read(swq_context *ctx, const cli_stage_words *given, swq_switch *sw,
                           cli_open_size *size)
{
    const swq_stage_architecture *row;
    cli_stage_words words = *given;
    int first = 0;
    swq_status status = cli_stages_architecture(ctx, given, &row);

    if (status)
        return status;
    if (size && row->crosspoints && !words.crosspoint_slots) {
        words.crosspoint_slots = "1";
        *size = CLI_SIZE_CROSSPOINT;
    } else if (size && row->output_queues && !words.output_slots) {
        words.output_slots = "1";
        *size = CLI_SIZE_OUTPUT;
    }
    sw->architecture = row;
    status = read_size(ctx, row, "speedup", offsetof(swq_stage_architecture, speedup),
                       words.speedup, sw->ports, &sw->speedup);
    if (!status)
        status =
            read_size(ctx, row, "output-slots", offsetof(swq_stage_architecture, output_queues),
                      words.output_slots, SWQ_MAX_SLOTS, &sw->output_slots);
    if (!status)
        status =
            read_size(ctx, row, "crosspoint-slots", offsetof(swq_stage_architecture, crosspoints),
                      words.crosspoint_slots, SWQ_MAX_SLOTS, &sw->crosspoint_slots);
    if (!status && words.departures)
        status = cli_word(ctx, "departures", words.departures, cli_departures_words, &first);
    sw->departures_first = first == 1;
    if (!status && words.departures && !row->two_steps)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--departures is for architectures that move packets before they depart: "
                          "in %s the steps alternate in either order",
                          row->name);
    swq_switch_own_memory(sw);
    return status;
}
