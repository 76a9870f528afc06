/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of senders on the command line: --load, --length, --traffic and so on describe one group,
 * of all nodes; with --group they are the defaults of all groups. Words in, typed groups out.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/print/append.h"
#include "cli/spec/group.h"
#include "cli/spec/noxim.h"
#include "sim/traffic/collectives.h"
#include "sim/traffic/netrace.h"
#include "sim/traffic/spread.h"
#include "sim/traffic/trace_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const hold_or_open[] = {"hold", "open", NULL};
static const char *const rest_or_start[] = {"rest", "start", NULL};

static char **given_groups;

cli_parameter cli_senders_parameters[] = {
    {CLI_OPTION("length", "L", SWQ_ENGINE_ASYNC), .costless = true,
     .about = "bytes of a message: a number, from-to, geometric:MEAN, or with heavy tails "
              "pareto:MEAN:SHAPE",
     .preset = "default 32; recn-iq, recn, recn-enhanced, fbicm: 64",
     CLI_DEFAULTS({"sim --engine async", "32", "one packet per message"},
                  {CLI_RECN_IQ_LINE, "64", "a slot, as in document 000"},
                  {CLI_RECN_LINE, "64", "a slot, as in document 000"})},
    {CLI_OPTION("interval", "I", SWQ_ENGINE_ASYNC), .plain = "", .costless = true,
     .about = "cycles between the messages of a sender, instead of --load: N, A-B, geometric:MEAN "
              "or pareto:MEAN:SHAPE",
     .key = "interval", .unit = "cycles"},
    {CLI_OPTION("interval-from", "rest|start", SWQ_ENGINE_ASYNC), .plain = "rest", .costless = true,
     .about = "intervals of hold sources begin when the link has rested after the previous message "
              "(rest), or when the transmission of its last packet starts (start)",
     .key = "interval_from",
     CLI_DEFAULTS({"sim --engine async", "rest", "so that a load of 1 leaves no pause"})},
    {.option = {"group", '\0', POPT_ARG_ARGV, &given_groups,
                (int)SWQ_ENGINE_ASYNC | CLI_IS_PARAMETER, NULL, "KEY=VALUE[,KEY=VALUE]"},
     .costless = true,
     .about =
         "a group of senders, measured separately: the nodes whose number & mask is value (default "
         "all) and that are in no earlier group. KEY is mask, value, load, interval, "
         "interval-from, sources, length, burst or traffic; a key that is left out is taken from "
         "the option of that name. Or KEY is from or until: the group's first cycle, and the first "
         "cycle after it. Or it is priority: of its cells with --architecture atlas, 0 (default), "
         "1 or 2, of which 0 goes first. The option may be repeated.  traffic, here and as an "
         "option: DEST or a mixture of P*DEST joined by +, where P is the probability and DEST is "
         "uniform, a pattern, file:PATH, adv+I, worst-case, node:J, subset:MASK:VALUE or "
         "hotspot:F[:J], with @L behind it for a "
         "length of its own: 0.1*node:0@8+0.9*uniform; as an option alone, noxim:FILE; with "
         "--architecture atlas also multicast, "
         "to several nodes at once: multicast:K[:S] to one of S sets (default: as many as nodes) "
         "of K nodes drawn for the run, or all:MASK:VALUE to every node whose number & MASK is "
         "VALUE; or, as an option alone, trace:FILE (lines of cycle, source, destination, bytes, "
         "and pairs of a message that it waits for and a delay), netrace:FILE (.tra, .tra.bz2), or "
         "a collective operation of all nodes, all-to-all:BYTES, ring-all-reduce:BYTES or "
         "tree-all-reduce:BYTES, in phases, each message when its sender has what it depends on",
     .preset = "",
     CLI_DEFAULTS({"sim --topology torus --dims 4", "(all)", "one group of all nodes"})},
    CLI_PARAMETERS_END,
};

/* Cuts off the next piece, up to the separator; NULL: there is none. Unlike strtok, it returns
 * empty pieces. */
static char *next_piece(char **rest, char separator)
{
    char *piece = *rest;

    if (!piece)
        return NULL;
    char *end = strchr(piece, separator);
    *rest = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return piece;
}

/* ---- a group ---- */

/* Reads the loads of a file: a number for each node, or a table of Noxim that was read as traffic.
 */
static swq_status read_loads(cli_group_reader *r, swq_sender_group *g, double *load)
{
    cli_async *n = r->n;
    const int k = (int)(g - n->group);
    const uint32_t nodes = n->fabric.nodes;
    const bool noxim = cli_is_noxim(r->text[GROUP_LOAD]);
    uint32_t loaded = 0;
    char option[80];
    swq_status status;

    snprintf(option, sizeof option, "%s", cli_group_called(r, GROUP_LOAD));
    n->load_file[k] = strdup(r->text[GROUP_LOAD]);
    if (!n->load_file[k])
        return swq_fail(r->ctx, SWQ_ENOMEM, "no memory to read --load");
    if (noxim) {
        n->node_load[k] = n->matrix[0]->sent;
        n->matrix[0]->sent = NULL;
        status = cli_noxim_loads(r->ctx, n->matrix[0]->path, nodes,
                                 swq_spread_mean(&g->type[0].length), n->node_load[k]);
    } else {
        status = cli_numbers_read(r->ctx, option, n->load_file[k] + 5, nodes, &n->node_load[k]);
    }
    if (status)
        return status;
    for (uint32_t i = 0; i < nodes; i++)
        loaded += n->node_load[k][i] > 0;
    n->some_load = true;
    g->node_load = n->node_load[k];
    *load = NAN;
    swq_sender_group_load(&n->network, g, loaded > 0);
    return SWQ_OK;
}

static swq_status read_pace(cli_group_reader *r, swq_sender_group *g, double *load, bool load_open)
{
    bool open = g->kind == SWQ_SOURCE_OPEN;
    const bool noxim = r->text[GROUP_TRAFFIC] && cli_is_noxim(r->text[GROUP_TRAFFIC]);
    const char *other = r->text[GROUP_LOAD]       ? "--load"
                        : r->text[GROUP_INTERVAL] ? "--interval"
                                                  : NULL;

    if (noxim && (other || load_open))
        return swq_fail(r->ctx, SWQ_EINVAL, CLI_NOXIM_SAYS "%s does not change",
                        other ? other : "a search for saturation");
    if (noxim)
        r->text[GROUP_LOAD] = r->text[GROUP_TRAFFIC];
    if (r->text[GROUP_LOAD] && r->text[GROUP_INTERVAL])
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s and interval cannot both be given",
                        cli_group_called(r, GROUP_LOAD));
    if (g->from_start && open)
        return swq_fail(r->ctx, SWQ_EINVAL, "--%s is for --sources hold",
                        cli_group_called(r, GROUP_FROM));
    *load = NAN;
    if (r->text[GROUP_INTERVAL])
        return swq_spread_read(r->ctx, cli_group_called(r, GROUP_INTERVAL), r->text[GROUP_INTERVAL],
                               open, SWQ_MAX_DRAWN, &g->interval);
    if (g->from_start)
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "--%s start is for --interval: a load is met by intervals from the link's "
                        "rest on",
                        cli_group_called(r, GROUP_FROM));
    if (noxim || (r->text[GROUP_LOAD] && strncmp(r->text[GROUP_LOAD], "file:", 5) == 0))
        return read_loads(r, g, load);
    *load = 1;
    if (!r->text[GROUP_LOAD] && !load_open)
        return swq_fail(r->ctx, SWQ_EINVAL,
                        r->number ? "--group %d needs load or interval"
                                  : "--load or --interval is required",
                        r->number);
    swq_status status = r->text[GROUP_LOAD] ? cli_load_read(r->ctx, cli_group_called(r, GROUP_LOAD),
                                                            r->text[GROUP_LOAD], load)
                                            : SWQ_OK;
    if (status)
        return status;
    swq_sender_group_load(&r->n->network, g, *load);
    char what[400];
    snprintf(what, sizeof what, "--%s %.9g: the interval between messages",
             cli_group_called(r, GROUP_LOAD), *load);
    return g->silent ? SWQ_OK : swq_spread_check(r->ctx, what, &g->interval, open, SWQ_MAX_DRAWN);
}

/* A cycle, counted from the beginning of the run. */
static swq_status read_cycle(cli_group_reader *r, cli_group_key k, uint32_t least, uint32_t *cycle)
{
    uint64_t number;
    swq_status status = cli_big(r->ctx, cli_group_called(r, k), r->text[k], least, 4.2e9, &number);

    *cycle = status ? 0 : (uint32_t)number;
    return status;
}

static swq_status read_group(cli_group_reader *r, swq_sender_group *g, double *load, bool load_open)
{
    const int slot = r->n->network.management.row->default_packet;
    swq_spread length = {SWQ_CONSTANT, slot ? slot : 32.0 / r->n->flit, 0};
    /* open sources are what is usual for wormhole networks */
    int kind = r->n->network.architecture.row->async.lanes, from = 0;
    swq_status status = SWQ_OK;

    *g = (swq_sender_group){0};
    if (r->text[GROUP_MASK])
        status = cli_group_bits(r, cli_group_called(r, GROUP_MASK), r->text[GROUP_MASK], &g->mask);
    if (!status && r->text[GROUP_VALUE])
        status =
            cli_group_bits(r, cli_group_called(r, GROUP_VALUE), r->text[GROUP_VALUE], &g->value);
    if (!status && (g->value & g->mask) != g->value)
        status = swq_fail(r->ctx, SWQ_EINVAL, "--%s 0x%x has bits that the mask 0x%x lacks",
                          cli_group_called(r, GROUP_VALUE), g->value, g->mask);
    if (!status && r->text[GROUP_PRIORITY])
        status = cli_integer(r->ctx, cli_group_called(r, GROUP_PRIORITY), r->text[GROUP_PRIORITY],
                             0, SWQ_CELL_PRIORITIES - 1, &g->priority);
    if (!status && r->text[GROUP_SINCE])
        status = read_cycle(r, GROUP_SINCE, 0, &g->from);
    if (!status && r->text[GROUP_UNTIL])
        status = read_cycle(r, GROUP_UNTIL, g->from + 1, &g->until);
    if (!status && r->text[GROUP_SOURCES])
        status = cli_word(r->ctx, cli_group_called(r, GROUP_SOURCES), r->text[GROUP_SOURCES],
                          hold_or_open, &kind);
    if (!status && r->text[GROUP_FROM])
        status = cli_word(r->ctx, cli_group_called(r, GROUP_FROM), r->text[GROUP_FROM],
                          rest_or_start, &from);
    g->kind = kind ? SWQ_SOURCE_OPEN : SWQ_SOURCE_HOLD;
    g->from_start = from == 1;
    if (!status && r->text[GROUP_LENGTH])
        status =
            cli_group_length(r, cli_group_called(r, GROUP_LENGTH), r->text[GROUP_LENGTH], &length);
    if (!status && r->text[GROUP_BURST])
        status = cli_number(r->ctx, cli_group_called(r, GROUP_BURST), r->text[GROUP_BURST], 1,
                            SWQ_MAX_BURST, &g->burst);
    r->length = length;
    if (!status)
        status = cli_group_traffic(r, g, length);
    if (!status && !r->n->network.traffic.trace)
        status = cli_group_hot_spots(r, g);
    if (!status && r->text[GROUP_LENGTH] && !r->some_plain && (r->own[GROUP_LENGTH] || !r->number))
        status = swq_fail(r->ctx, SWQ_EINVAL,
                          "--%s has no effect: each part of the traffic has a length of its own",
                          cli_group_called(r, GROUP_LENGTH));
    if (!status && !r->text[GROUP_LENGTH] && r->some_plain && !r->n->network.traffic.trace &&
        32 % r->n->flit)
        status = swq_fail(r->ctx, SWQ_EINVAL, "--length must be a multiple of --flit %d, not 32",
                          r->n->flit);
    return status ? status : read_pace(r, g, load, load_open);
}

static bool is_called(const char *name, const char *traffic)
{
    const size_t word = strcspn(traffic, ":");

    return strlen(name) == word && strncmp(traffic, name, word) == 0;
}

/* The collective operation that the traffic names; NULL: none. */
static const swq_collective *collective_of(const char *traffic)
{
    int k = 0;

    while (swq_collectives[k] && !is_called(swq_collectives[k]->name, traffic))
        k++;
    return swq_collectives[k];
}

bool cli_is_trace(const char *traffic)
{
    return is_called("trace", traffic) || is_called("netrace", traffic) || collective_of(traffic);
}

/* The key with which a group overrides an option; GROUP_KEYS if it takes the option. Messages whose
 * traffic says how long they are override --length; that is known once the traffic has been read.
 */
static cli_group_key overrides(const cli_group_reader *r, cli_group_key option)
{
    if (r->own[option])
        return option;
    if (option == GROUP_LOAD && r->own[GROUP_INTERVAL])
        return GROUP_INTERVAL;
    if ((option == GROUP_INTERVAL || option == GROUP_FROM) && r->own[GROUP_LOAD])
        return GROUP_LOAD;
    if (option == GROUP_LENGTH && !r->some_plain)
        return GROUP_TRAFFIC;
    return GROUP_KEYS;
}

/* mask=1,value=0,load=0.5: cuts the text into pieces. */
static swq_status cut_group(cli_group_reader *r, char *text)
{
    char *rest = text, *word;
    swq_status status = SWQ_OK;

    while ((word = next_piece(&rest, ','))) {
        char *equals = strchr(word, '=');
        int k = 0;
        if (!equals)
            return swq_fail(r->ctx, SWQ_EINVAL, "--group %d must be KEY=VALUE,..., not '%.60s'",
                            r->number, word);
        *equals = '\0';
        while (cli_group_keys[k] && strcmp(cli_group_keys[k], word) != 0)
            k++;
        if (k == GROUP_KEYS)
            return swq_fail(
                r->ctx, SWQ_EINVAL,
                "--group %d: key '%.40s' is unknown; known: mask, value, priority, from, until, "
                "load, interval, interval-from, sources, length, burst, traffic",
                r->number, word);
        if (r->own[k])
            return swq_fail(r->ctx, SWQ_EINVAL, "--group %d: %s is given twice", r->number, word);
        r->text[k] = equals + 1;
        r->own[k] = true;
    }
    /* a group's own key of pacing, such as load, overrides other keys of pacing that come from
     * options */
    for (cli_group_key k = GROUP_LOAD; k <= GROUP_FROM; k++) {
        if (overrides(r, k) != GROUP_KEYS && !r->own[k])
            r->text[k] = NULL;
    }
    if (r->own[GROUP_TRAFFIC] && cli_is_trace(r->text[GROUP_TRAFFIC]))
        status = swq_fail(r->ctx, SWQ_EINVAL,
                          "--group %d: a trace is for --traffic: it defines what all nodes send",
                          r->number);
    return status;
}

/* With a trace, a group is only a set of nodes. */
static swq_status read_members(cli_group_reader *r, swq_sender_group *g)
{
    for (int k = GROUP_SINCE; k < GROUP_KEYS; k++) {
        if (r->own[k])
            return swq_fail(r->ctx, SWQ_EINVAL,
                            "--%s does not go with a trace, which defines all traffic",
                            cli_group_called(r, (cli_group_key)k));
        r->text[k] = NULL;
    }
    double load;
    return read_group(r, g, &load, true);
}

/* Does the group have a node that is in no group before it? */
static bool has_members(const cli_async *n, int g)
{
    for (uint32_t i = 0; i < n->fabric.nodes; i++) {
        if (swq_sender_group_has(&n->network, g, i))
            return true;
    }
    return false;
}

/* Refuses an option that every group overrides: by[g][k] is the key with which group g overrides
 * the option k. */
static swq_status refuse_overridden(const cli_group_reader *common, cli_group_key by[][GROUP_KEYS])
{
    const int groups = common->n->network.traffic.groups;

    for (cli_group_key k = GROUP_LOAD; k < GROUP_KEYS; k++) {
        char text[300] = "";
        int g = 0;
        for (; g < groups && by[g][k] != GROUP_KEYS; g++)
            cli_append(text, sizeof text, "%sgroup %d by %s", g ? ", " : "", g + 1,
                       cli_group_keys[by[g][k]]);
        if (common->text[k] && g == groups)
            return swq_fail(common->ctx, SWQ_EINVAL,
                            "--%s has no effect: every --group overrides it: %s", cli_group_keys[k],
                            text);
    }
    return SWQ_OK;
}

static swq_status read_groups(cli_group_reader *common, char *const *groups, bool trace)
{
    cli_group_key by[SWQ_MAX_SENDER_GROUPS][GROUP_KEYS] = {{GROUP_LOAD}};
    cli_async *n = common->n;
    swq_status status = SWQ_OK;

    for (int k = 0; groups[k] && !status; k++) {
        cli_group_reader r = *common;
        char *copy = strdup(groups[k]);
        r.number = k + 1;
        if (!copy)
            return swq_fail(r.ctx, SWQ_ENOMEM, "no memory to read --group");
        if (k == SWQ_MAX_SENDER_GROUPS)
            status =
                swq_fail(r.ctx, SWQ_EINVAL, "--group: at most %d groups", SWQ_MAX_SENDER_GROUPS);
        else
            status = cut_group(&r, copy);
        if (!status && trace)
            status = read_members(&r, &n->group[k]);
        else if (!status)
            status = read_group(&r, &n->group[k], &n->load[k], false);
        n->network.traffic.groups = k + 1;
        if (!status && !has_members(n, k))
            status =
                swq_fail(r.ctx, SWQ_EINVAL,
                         "--group %d: of %u nodes, none outside the groups before has a number "
                         "& 0x%x that is 0x%x",
                         r.number, n->fabric.nodes, n->group[k].mask, n->group[k].value);
        for (cli_group_key o = GROUP_LOAD; o < GROUP_KEYS && !status; o++)
            by[k][o] = overrides(&r, o);
        free(copy);
    }
    return status || trace ? status : refuse_overridden(common, by);
}

/* The value of an option of either table. */
static const char *option_text(const char *name)
{
    const char *text = cli_network_text(name);
    return text ? text : cli_async_text(name);
}

/* Reads the file of trace:FILE and netrace:FILE. */
static swq_status read_lines(cli_group_reader *r)
{
    const char *word = is_called("netrace", r->text[GROUP_TRAFFIC]) ? "netrace" : "trace";
    const char *path = r->text[GROUP_TRAFFIC] + strlen(word);
    swq_trace_messages *trace = &r->n->trace;

    if (path[0] != ':' || !path[1])
        return swq_fail(r->ctx, SWQ_EINVAL, "--traffic %s needs a value: '%s:...'", word, word);
    swq_status status = word[0] == 'n' ? swq_netrace_read(r->ctx, path + 1, &r->n->fabric, trace)
                                       : swq_trace_messages_read(r->ctx, "--traffic trace",
                                                                 path + 1, &r->n->fabric, trace);
    for (uint64_t k = 0; k < trace->messages && !status && r->n->flit > 1; k++) {
        int bytes = (int)trace->message[k].bytes;
        status = cli_in_flits(r->ctx, r->n, "traffic: bytes of a message", &bytes);
        trace->message[k].bytes = (uint32_t)bytes;
    }
    return status;
}

/* Makes the messages of a collective operation of NAME:BYTES. */
static swq_status read_collective(cli_group_reader *r, const swq_collective *row)
{
    const char *value = r->text[GROUP_TRAFFIC] + strlen(row->name);
    const uint64_t flit = (uint64_t)r->n->flit;
    uint64_t bytes;

    if (value[0] != ':' || !value[1])
        return swq_fail(r->ctx, SWQ_EINVAL, "--traffic %s needs bytes: '%s:BYTES'", row->name,
                        row->name);
    swq_status status = cli_big(r->ctx, "traffic's bytes", value + 1, 1, 1e15, &bytes);
    if (!status && bytes % flit)
        status = swq_fail(r->ctx, SWQ_EINVAL,
                          "--traffic's bytes must be a multiple of --flit %d, not %llu", r->n->flit,
                          (unsigned long long)bytes);
    if (!status)
        status = swq_collective_make(r->ctx, row, r->n->fabric.nodes, bytes / flit, &r->n->trace,
                                     &r->n->phase);
    r->n->collective = row;
    r->n->collective_bytes = bytes;
    r->n->network.traffic.phase = r->n->phase;
    r->n->network.traffic.phases = row->phases(r->n->fabric.nodes);
    return status;
}

static swq_status read_trace(cli_group_reader *r, char *const *groups)
{
    for (int k = GROUP_LOAD; k < GROUP_TRAFFIC; k++) {
        if (r->text[k])
            return swq_fail(r->ctx, SWQ_EINVAL,
                            "--%s does not go with a trace, which defines all traffic",
                            cli_group_keys[k]);
    }
    if (cli_network_text("hot-spots"))
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "--hot-spots does not go with a trace, which defines all traffic");
    const swq_collective *row = collective_of(r->text[GROUP_TRAFFIC]);
    const swq_status status = row ? read_collective(r, row) : read_lines(r);
    swq_sent *sent = &r->n->network.traffic;

    sent->trace = r->n->trace.message;
    sent->trace_messages = r->n->trace.messages;
    sent->dependency = r->n->trace.dependency;
    sent->dependencies = r->n->trace.dependencies;
    r->n->trace_path = r->text[GROUP_TRAFFIC];
    return status || !groups ? status : read_groups(r, groups, true);
}

static swq_status read_senders(swq_context *ctx, cli_async *n, cli_load load)
{
    char *const *groups = given_groups;
    cli_group_reader r = {.ctx = ctx, .n = n};
    bool load_open = load == CLI_LOAD_OPEN || load == CLI_LOAD_NONE;
    char length[24];

    for (int k = GROUP_LOAD; k < GROUP_KEYS; k++)
        r.text[k] = option_text(cli_group_keys[k]);
    n->grouped = groups != NULL;
    n->network.traffic.group = n->group;
    const bool trace = r.text[GROUP_TRAFFIC] && cli_is_trace(r.text[GROUP_TRAFFIC]);
    if (load_open && (trace || groups || r.text[GROUP_INTERVAL] || r.text[GROUP_LOAD]))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--find-saturation changes the load of all senders: it does not go with "
                        "--%s",
                        trace                    ? "traffic trace"
                        : groups                 ? "group"
                        : r.text[GROUP_INTERVAL] ? "interval"
                                                 : "load");
    if (trace)
        return read_trace(&r, groups);
    if (groups)
        return read_groups(&r, groups, false);
    n->network.traffic.groups = 1;
    if (load == CLI_LOAD_NONE) {
        snprintf(length, sizeof length, "%d", n->network.packet.max * n->flit);
        r.text[GROUP_LENGTH] = length;
    }
    return read_group(&r, &n->group[0], &n->load[0], load_open);
}

swq_status cli_async_traffic(swq_context *ctx, cli_async *n, cli_load load)
{
    const swq_status status = read_senders(ctx, n, load);

    if (!status && !n->matrix[0] && cli_given(cli_network_options, "normalise"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--normalise is for --traffic file:PATH, and no traffic is from such a "
                        "file");
    return status;
}
