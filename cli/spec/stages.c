/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --architecture and the sizes that belong to it, for switches in stage cycles.
 */
#include "cli/spec/stages.h"
#include "base/context.h"
#include "cli/print/append.h"
#include "cli/spec/async.h"

#include <string.h>

const char *const cli_departures_words[] = {"last", "first", NULL};

const cli_owner cli_by_stage = {"architecture", "", (const void *const *)swq_architectures,
                                offsetof(swq_switch, architecture), NULL};

CLI_PROPERTY(has_speedup, swq_architecture, stage.speedup)
CLI_PROPERTY(has_output_queues, swq_architecture, stage.output_queues)
CLI_PROPERTY(has_crosspoints, swq_architecture, stage.crosspoints)
CLI_PROPERTY(has_two_steps, swq_architecture, stage.two_steps)

static bool has_slow_crossbar(const void *row)
{
    const swq_architecture *architecture = row;
    return architecture->async.output_stores && !architecture->async.at_once;
}

static int ports(const void *spec)
{
    return ((const swq_switch *)spec)->ports;
}

#define FIELD(kind, member) CLI_AT(kind, swq_switch, member)

cli_parameter cli_stage_parameters[] = {
    {CLI_OPTION("architecture", "NAME", 0), .says = "%", .plain = "input-queued",
     .axis = CLI_AXIS_WORDS, .list = "architectures",
     .about = "where switches have memory: 'switchq list architectures'",
     .preset = "default input-queued; --management recn, recn-enhanced, fbicm: cioq",
     .key = "architecture",
     CLI_DEFAULTS(
         {"solve, export", "input-queued", "the switch of Table 4.1"},
         {"sim --engine async --buffer damq", "input-queued", "the dissertation's"},
         {"sim --engine async --management recn", "cioq", "the architecture that it is made for"})},
    {CLI_OPTION("speedup", "S", 0), FIELD(CLI_INT, speedup), .least = 1, .highest = ports,
     .takers = {{&cli_by_stage, has_speedup}, {&cli_by_architecture, has_slow_crossbar}},
     .axis = CLI_AXIS_NUMBERS,
     .about = "how many times faster the crossbar is than a link, in packets per port and cycle "
              "(asynchronous: also 1.5, for example)",
     .preset = "asynchronous, if not given: 2; --management recn, recn-enhanced, fbicm: 1.5",
     .key = "speedup",
     CLI_DEFAULTS({"sim --architecture cioq --engine async", "2",
                   "enough for nearly the whole bandwidth of a link"},
                  {"sim --engine async --management recn", "1.5", "as in document 002"})},
    {CLI_OPTION("output-slots", "B", SWQ_ENGINE_SYNC), .says = "% slot~ per output",
     FIELD(CLI_INT, output_slots), CLI_FROM(1, SWQ_MAX_SLOTS),
     .takers = {{&cli_by_stage, has_output_queues}},
     .about = "packet slots before each output, including the packet that departs",
     .key = "output_slots", .unit = "slots"},
    {CLI_OPTION("crosspoint-slots", "C", SWQ_ENGINE_SYNC), .says = "% slot~ per crosspoint",
     FIELD(CLI_INT, crosspoint_slots), CLI_FROM(1, SWQ_MAX_SLOTS),
     .takers = {{&cli_by_stage, has_crosspoints}},
     .about = "packet slots for each input and output", .key = "crosspoint_slots", .unit = "slots"},
    {CLI_OPTION("departures", "last|first", SWQ_ENGINE_SYNC), .plain = "last",
     FIELD(CLI_EITHER, departures_first), .words = cli_departures_words,
     .takers = {{&cli_by_stage, has_two_steps}},
     .about = "packets depart after others cross the switch (last), or before (first)",
     .key = "departures",
     CLI_DEFAULTS({"solve --architecture cioq --buffer damq --slots 2 --speedup 2 --output-slots 2",
                   "last",
                   "a packet may cross and leave in one cycle, as in a switch of input queues"},
                  {"sim --architecture cioq --buffer damq --slots 2 --speedup 2 --output-slots 2",
                   "last", "as for solve"})},
    CLI_PARAMETERS_END,
};

struct poptOption cli_stage_options[] = {
    CLI_PARAMETERS(cli_stage_parameters),
    POPT_TABLEEND,
};

/* Does `name` name an architecture that only the asynchronous engine has? */
static bool asynchronous(const char *name)
{
    for (int k = 0; swq_architectures[k]; k++) {
        if (strcmp(swq_architectures[k]->name, name) == 0)
            return swq_architectures[k]->engines == SWQ_ENGINE_ASYNC;
    }
    return false;
}

/* The names of all architectures in stage cycles, separated by commas, for messages. */
static const char *all_names(char *text, size_t size)
{
    *text = '\0';
    for (int k = 0; swq_architectures[k]; k++) {
        if (swq_architectures[k]->engines & SWQ_ENGINE_SYNC)
            cli_append(text, size, "%s%s", *text ? " and " : "", swq_architectures[k]->name);
    }
    return text;
}

static const char *given(const char *option)
{
    return cli_text(cli_stage_options, option);
}

/* Refuses an architecture of which a size was not given: --speedup, --output-slots or
 * --crosspoint-slots. */
static swq_status require(swq_context *ctx, const swq_switch *sw)
{
    const swq_architecture *row = sw->architecture;
    const char *lacks = row->stage.speedup && !given("speedup")           ? "speedup"
                        : row->stage.output_queues && !sw->output_slots   ? "output-slots"
                        : row->stage.crosspoints && !sw->crosspoint_slots ? "crosspoint-slots"
                                                                          : NULL;

    if (!lacks)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "--%s is required for --architecture %s", lacks, row->name);
}

swq_status cli_stages_architecture(swq_context *ctx, const swq_architecture **row)
{
    const char *name = given("architecture");
    char names[200];

    *row = swq_architectures[0];
    if (name && asynchronous(name))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--architecture %s is for sim --engine async; in stage cycles there are "
                        "%s",
                        name, all_names(names, sizeof names));
    return name ? swq_architecture_find(ctx, name, SWQ_ENGINE_SYNC, row) : SWQ_OK;
}

swq_status cli_stages_read(swq_context *ctx, swq_switch *sw, cli_open_size *size)
{
    const swq_architecture *row;
    swq_status status = cli_stages_architecture(ctx, &row);

    if (status)
        return status;
    sw->architecture = row;
    sw->output_slots = sw->crosspoint_slots = sw->speedup = 0;
    if (size && row->stage.crosspoints && !given("crosspoint-slots")) {
        sw->crosspoint_slots = 1;
        *size = CLI_SIZE_CROSSPOINT;
    } else if (size && row->stage.output_queues && !given("output-slots")) {
        sw->output_slots = 1;
        *size = CLI_SIZE_OUTPUT;
    }
    status = cli_refuse_idle(ctx, cli_spec_options, &cli_by_stage, sw);
    if (!status)
        status = cli_parameters_read(ctx, cli_stage_parameters, sw);
    if (!status)
        status = require(ctx, sw);
    swq_switch_own_memory(sw);
    return status;
}

void cli_put_architecture(cli_record *model, const swq_switch *sw)
{
    const swq_architecture *a = swq_switch_architecture(sw);

    cli_put_word(model, "architecture", a->name);
    if (a->stage.speedup)
        cli_put_count(model, "speedup", (uint64_t)sw->speedup);
    if (a->stage.output_queues)
        cli_put_count(model, "output_slots", (uint64_t)sw->output_slots);
    if (a->stage.crosspoints)
        cli_put_count(model, "crosspoint_slots", (uint64_t)sw->crosspoint_slots);
    if (a->stage.two_steps)
        cli_put_word(model, "departures", cli_departures_words[sw->departures_first]);
}
