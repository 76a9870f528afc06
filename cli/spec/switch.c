/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that describe a switch, turned into a typed spec.
 */
#include "cli/spec/switch.h"
#include "base/context.h"
#include "base/plugins.h"
#include "cli/options/parse.h"
#include "cli/print/append.h"
#include "cli/record/inside.h"
#include "cli/spec/async.h"
#include "cli/spec/buffer.h"
#include "cli/spec/priority.h"
#include "models/arbiters/arbiters.h"
#include "models/buffers/large.h"
#include "switchq/topology.h"

#include <string.h>

const char *const cli_flow_words[] = {"discard", "block", NULL};
const char *const cli_credit_words[] = {"same", "next", NULL};

/* Does the switch have a pool? In a pool every queue sends, so that no arbiter decides. */
static bool has_pool(const cli_record *model)
{
    const cli_record *scope = cli_record_child(model, "scope");
    char word[CLI_RECORD_VALUE];

    return scope && cli_record_value(scope, word) && strcmp(word, "pool") == 0;
}

static cli_parameter switch_parameters[] = {
    {CLI_OPTION("buffer", "KIND", 0), .says = "%", .axis = CLI_AXIS_WORDS, .list = "buffers",
     BUFFERS(cli_has_buffers, cli_has_no_queues),
     .about = "buffer organisation ('switchq list buffers')", .key = "buffer"},
    {CLI_OPTION("slots", "B", 0), .says = "% slot~ per input port", .axis = CLI_AXIS_SIZES,
     .general = true,
     .takers = {{&cli_by_stage, cli_has_stage_buffers}, {&cli_by_architecture, cli_has_buffers}},
     .about = "packet slots per input port (a pool has N times as many)", .key = "slots",
     .unit = "slots"},
    {CLI_OPTION("ports", "N", 0), .says = "% x %", CLI_AT(CLI_INT, cli_spec, sw.ports),
     CLI_FROM(1, SWQ_MAX_PORTS), .axis = CLI_AXIS_SIZES,
     .about = "inputs and outputs of a switch: up to 32 in chains, 256 in sim",
     .preset = "default 2 for one switch, 4 in a network", .key = "ports",
     CLI_DEFAULTS({SOLVE, "2", "the switch of Table 4.1"},
                  {"solve --topology omega --stages 1", "4",
                   "as for sim, so that both give the same numbers; likewise below"},
                  {SIM, "4", "its switches"},
                  {LONE, "2", "as for solve, so that both give the same numbers; likewise below"},
                  {"approx --topology switch", "2", "as for sim"},
                  {"sim --rare --topology switch", "2", "as for solve"},
                  {ASYNC, "4", "as with sync; 2 for one switch"})},
    {CLI_OPTION("arbiter", "NAME", 0), .idle = has_pool, .axis = CLI_AXIS_WORDS, .list = "arbiters",
     .about = "which input sends ('switchq list arbiters')",
     .preset = "default random for one switch, rotating in a network", .key = "arbiter",
     CLI_DEFAULTS({SOLVE, "random", "reproduces Table 4.1; other arbiters are compared with it"},
                  {"solve --topology omega --stages 1", "rotating", "as for sim"},
                  {SIM, "rotating", "its arbiter (4.3)"}, {LONE, "random", "as for solve"},
                  {"approx --topology switch", "rotating",
                   "the arbiter of most approximations; 'switchq solve' solves one switch exactly"},
                  {"sim --rare --topology switch", "random", "as for solve"},
                  {ASYNC, "rotating", "as in chapter 6, for one switch too"},
                  {"sim --topology torus --dims 4", "rotating", "as above"})},
    {CLI_OPTION("iterations", "N", 0), .says = "% iteration~", .axis = CLI_AXIS_WHOLE,
     .about = "number of rounds of the arbiters islip and pim", .key = "arbiter_iterations",
     .unit = "rounds",
     CLI_DEFAULTS({"solve --arbiter islip, sim --arbiter islip", "1",
                   "the fewest: more rounds cost time in hardware"})},
    {CLI_OPTION("flow", "discard|block", 0), CLI_AT(CLI_CHOICE, cli_spec, sw.flow),
     .words = cli_flow_words,
     .about = "a refused packet is lost (discard) or held by its source (block; others: 'switchq "
              "list flow')",
     .preset = "default discard; asynchronous: block", .key = "flow",
     CLI_DEFAULTS({SOLVE, "discard", "for one switch, the question is usually its loss"},
                  {SIM, "discard", "as for one switch; asynchronous networks block"},
                  {LONE, "discard", "as for solve"},
                  {ASYNC, "block",
                   "nothing is lost in asynchronous networks (6.1.1): there is no 'discard'"},
                  {"sim --topology torus --dims 4", "maximum-usage",
                   "a torus with unlimited queues may deadlock"})},
    {CLI_OPTION("credit", "same|next", SWQ_ENGINE_SYNC), CLI_AT(CLI_CHOICE, cli_spec, sw.credit),
     .words = cli_credit_words,
     .about = "a freed slot can be refilled in the same cycle or the next",
     .preset = "default same for discard, next for block", .key = "credit",
     CLI_DEFAULTS(
         {SOLVE, "same",
          "a departing packet makes room in the same cycle; --flow block has a default of its own"},
         {"solve --flow block, sim --flow block, approx --flow block", "next",
          "a source, or the switch before, hears of a freed slot a cycle later"},
         {SIM, "same", "as for one switch; --flow block has a default of its own"},
         {LONE, "same", "as for solve"})},
    CLI_PARAMETERS_END,
};

struct poptOption cli_switch_options[] = {
    CLI_PARAMETERS(switch_parameters),
    CLI_PARAMETERS(cli_limit_parameters),
    CLI_PARAMETERS(cli_kind_parameters),
    CLI_PARAMETERS(cli_pool_parameters),
    POPT_TABLEEND,
};

struct poptOption cli_spec_options[] = {
    CLI_PARAMETERS(cli_traffic_parameters),
    CLI_TABLE(cli_switch_options, NULL),
    CLI_PARAMETERS(cli_stage_parameters),
    CLI_PARAMETERS(cli_priority_parameters),
    POPT_TABLEEND,
};

/* Reads only --buffer and --ports, on which other options depend. */
swq_status cli_buffer_kind_read(swq_context *ctx, cli_spec *spec)
{
    const swq_buffer_kind *row = NULL;
    swq_status status = cli_required(ctx, "buffer", cli_spec_text("buffer"));
    if (!status)
        status = swq_buffer_kind_find(ctx, cli_spec_text("buffer"), &row);
    if (!status)
        status = cli_parameter_read(ctx, switch_parameters, "ports", spec);
    if (!status)
        spec->kind = *row;
    return status;
}

/* The names of the arbiters that work in iterations, "islip or pim". */
static const char *iterative_names(swq_context *ctx, char *text, size_t size)
{
    const void *const *rows = swq_rows(ctx, (const void *const *)swq_arbiters);

    *text = '\0';
    for (int k = 0; rows[k]; k++) {
        const swq_arbiter *row = rows[k];
        if (row->iterative)
            cli_append(text, size, "%s%s", *text ? " or " : "", row->name);
    }
    return text;
}

swq_status cli_iterations_read(swq_context *ctx, const char *text, const swq_arbiter *arbiter,
                               int *iterations)
{
    char names[100];

    if (!text)
        return SWQ_OK;
    swq_status status = cli_integer(ctx, "iterations", text, 1, SWQ_MAX_PORTS, iterations);
    if (!status && !arbiter->iterative)
        status = swq_fail(ctx, SWQ_EINVAL, "--iterations is for --arbiter %s, not %s",
                          iterative_names(ctx, names, sizeof names), arbiter->name);
    return status;
}

/* An arbiter decides where packets compete for the only read port of a buffer, or buffers for an
 * output; each queue of a pool sends on its own. */
static swq_status read_arbiter(swq_context *ctx, swq_switch *sw)
{
    const swq_architecture *a = swq_switch_architecture(sw);
    const char *idle = cli_spec_text("arbiter")      ? "arbiter"
                       : cli_spec_text("iterations") ? "iterations"
                                                     : NULL;

    if (idle && !a->stage.arbitrates)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s is for architectures that arbitrate; in %s every queue sends", idle,
                        a->name);
    if (cli_spec_text("iterations") && a->stage.columns)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--iterations is for matchings; in --architecture %s outputs choose by themselves",
            a->name);
    if (cli_spec_text("arbiter") && a->stage.columns &&
        strcmp(cli_spec_text("arbiter"), "round-robin") == 0) {
        sw->arbiter = &swq_arbiter_islip;
        return SWQ_OK;
    }
    if (idle && sw->buffer.scope == SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s is for buffers at the inputs; in a pool (--%s %s) every queue sends",
                        idle, cli_spec_text("scope") ? "scope" : "buffer",
                        cli_spec_text("scope") ? cli_spec_text("scope") : cli_spec_text("buffer"));
    swq_status status = cli_spec_text("arbiter")
                            ? swq_arbiter_find(ctx, cli_spec_text("arbiter"), &sw->arbiter)
                            : SWQ_OK;
    return status ? status
                  : cli_iterations_read(ctx, cli_spec_text("iterations"), sw->arbiter,
                                        &sw->iterations);
}

/* Reads the architecture, and the buffers of the inputs if the architecture has any. One of the
 * sizes may be missing. */
static swq_status read_memory(swq_context *ctx, cli_spec *spec, int extra_slots)
{
    const bool open = spec->slots_open;
    swq_status status = cli_stages_read(ctx, &spec->sw, open ? &spec->open : NULL);

    if (status)
        return status;
    const swq_architecture *a = swq_switch_architecture(&spec->sw);
    spec->slots_open = spec->open != CLI_SIZE_NONE;
    if (!a->stage.input_buffers)
        return SWQ_OK;
    spec->slots_open = open && spec->open == CLI_SIZE_NONE && !cli_spec_text("slots");
    if (spec->open != CLI_SIZE_NONE &&
        !cli_spec_text("slots")) /* only one size can be found at a time */
        return cli_required(ctx, "slots", cli_spec_text("slots"));
    status = cli_buffer_read(ctx, spec, extra_slots);
    if (!status && spec->sw.buffer.scope == SWQ_POOL && !a->stage.pools)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--%s %s is a pool, behind which there is no crossbar: --architecture %s "
                          "needs buffers at the inputs",
                          cli_spec_text("scope") ? "scope" : "buffer",
                          cli_spec_text("scope") ? cli_spec_text("scope") : spec->buffer, a->name);
    if (spec->slots_open)
        spec->open = CLI_SIZE_SLOTS;
    spec->slots_open = spec->open != CLI_SIZE_NONE;
    return status;
}

swq_status cli_switch_read(swq_context *ctx, cli_spec *spec, int extra_slots)
{
    swq_switch *sw = &spec->sw;
    swq_status status = cli_parameter_read(ctx, switch_parameters, "ports", spec);

    if (!status)
        status = read_memory(ctx, spec, extra_slots);
    sw->flow = SWQ_DISCARD;
    if (!status)
        status = cli_parameter_read(ctx, switch_parameters, "flow", spec);
    sw->credit = sw->flow == SWQ_BLOCK ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
    if (!status)
        status = cli_parameter_read(ctx, switch_parameters, "credit", spec);
    if (!status && cli_spec_text("credit") && sw->credit == SWQ_CREDIT_NEXT &&
        sw->flow == SWQ_DISCARD && !swq_switch_architecture(sw)->stage.input_buffers)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--credit next with --flow discard is for buffers at the inputs, not for "
                          "--architecture %s",
                          swq_switch_architecture(sw)->name);
    if (!status && swq_switch_architecture(sw)->stage.input_buffers)
        status = cli_buffer_idle(ctx, &sw->buffer, sw->ports);
    return status ? status : read_arbiter(ctx, sw);
}

swq_switch cli_switch_defaults(bool lone)
{
    return (swq_switch){.ports = lone ? 2 : 4,
                        .arbiter = lone ? swq_arbiters[0] : &swq_arbiter_rotating};
}

/* Must come first, since the part of --slots that belongs to high priority depends on the kind of
 * buffer. */
static swq_status read_priority(swq_context *ctx, cli_spec *spec, swq_priority *priority,
                                int *extra)
{
    const swq_architecture *a;

    if (!cli_given(cli_priority_options, NULL))
        return SWQ_OK;
    swq_status status = cli_stages_architecture(ctx, &a);
    if (!status && a != swq_architectures[0])
        status =
            swq_fail(ctx, SWQ_EINVAL,
                     "--high and the options of --priority are for --architecture %s, not for %s",
                     swq_architectures[0]->name, a->name);
    if (!status)
        status = cli_buffer_kind_read(ctx, spec);
    if (!status)
        status = cli_priority_read(ctx, &spec->kind, spec->sw.ports, priority, extra);
    if (!status && *extra)
        status = cli_slots_besides(ctx, spec->sw.ports, *extra);
    spec->classes = true;
    return status ? status : cli_priority_needs_high(ctx, priority->support);
}

swq_status cli_spec_read(swq_context *ctx, cli_spec *spec, bool open)
{
    *spec = (cli_spec){.sw = cli_switch_defaults(true),
                       .slots_open = open && cli_spec_text("load"),
                       .load_open = open && !cli_spec_text("load")};
    swq_priority priority = {.fraction = 0};
    int extra = 0;
    swq_status status = read_priority(ctx, spec, &priority, &extra);
    if (!status)
        status = cli_switch_read(ctx, spec, extra);
    if (!status && spec->sw.ports > SWQ_CHAIN_PORTS)
        status =
            swq_fail(ctx, SWQ_EINVAL,
                     "--ports must be 1 to %d for a chain, not '%d': 'switchq sim' simulates "
                     "switches of up to %d ports%s",
                     SWQ_CHAIN_PORTS, spec->sw.ports, SWQ_MAX_PORTS,
                     swq_switch_architecture(&spec->sw) == &swq_output_queued
                         ? ", and 'switchq formula output-queue-finite' has the loss of output "
                           "queues, for uniform traffic"
                         : "");
    spec->sw.priority = priority;
    if (!status)
        status = cli_switch_traffic_read(ctx, spec);
    return status ? status : swq_switch_check(ctx, &spec->sw);
}
