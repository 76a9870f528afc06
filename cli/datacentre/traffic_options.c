/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of what is sent: packets from outside; hosts, their network, flows and pauses.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/datacentre/values.h"
#include "cli/options/parse.h"
#include "cli/print/append.h"
#include "cli/sim/sim.h"
#include "cli/spec/async.h"
#include "cli/spec/network.h"
#include "cli/spec/oracle.h"
#include "sim/datacentre/flow_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 200, MOST_ROWS = 20 };

/* ---- packets from outside ---- */

/* 1500, or 64:0.5,1500:0.5 */
static swq_status read_sizes(swq_context *ctx, swq_dc *dc)
{
    const char *text = cli_dc_given("packet-bytes"), *at = text;

    if (!text)
        return SWQ_OK;
    if (!strchr(text, ':')) {
        int bytes = 0;
        const swq_status status = cli_integer(ctx, "packet-bytes", text, 1, 1000000, &bytes);
        dc->size_bytes[0] = (uint32_t)bytes;
        return status;
    }
    for (dc->sizes = 0;; dc->sizes++) {
        char *end;
        const long bytes = strtol(at, &end, 10);
        char *after = end;
        const double share = *end == ':' ? strtod(end + 1, &after) : -1;
        if (dc->sizes == SWQ_DC_SIZES || bytes < 1 || bytes > 1000000 || !(share >= 0) ||
            (*after && *after != ','))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--packet-bytes must be a number of bytes, 1 to 1000000, or up to %d "
                            "pairs BYTES:SHARE, not '%.60s'",
                            SWQ_DC_SIZES, text);
        dc->size_bytes[dc->sizes] = (uint32_t)bytes;
        dc->size_share[dc->sizes] = share;
        if (!*after) {
            dc->sizes++;
            return SWQ_OK;
        }
        at = after + 1;
    }
}

static swq_status read_class_shares(swq_context *ctx, swq_dc *dc)
{
    int count = 0;

    if (!cli_dc_given("class-shares"))
        return SWQ_OK;
    const swq_status status = cli_dc_read_list(ctx, "class-shares", cli_dc_given("class-shares"), 0,
                                               1, dc->classes, dc->class_share, &count);
    if (!status && count != dc->classes)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--class-shares takes a number for each of the %d classes, not %d",
                        dc->classes, count);
    return status;
}

static swq_status read_file(swq_context *ctx, cli_datacentre *d, const char *path)
{
    static const char *const not_with[] = {"load",     "packet-bytes", "class-shares", "warmup",
                                           "duration", "replications", "confidence",   NULL};

    for (int k = 0; not_with[k]; k++) {
        if (cli_dc_given(not_with[k]))
            return swq_fail(ctx, SWQ_EINVAL, "--%s does not go with packets of a file",
                            not_with[k]);
    }
    swq_status status = swq_dc_trace_read(ctx, path, &d->trace, &d->dc.packets);
    d->dc.arrivals = SWQ_DC_TRACE;
    d->dc.trace = d->trace;
    d->dc.trace_file = path;
    if (!status && cli_dc_given("fates-out")) {
        d->fate = swq_calloc(ctx, d->dc.packets, sizeof *d->fate);
        d->fates_path = cli_dc_given("fates-out");
        d->options.fate = d->fate;
        status = d->fate ? SWQ_OK : swq_memory_status(ctx);
    }
    return status;
}

/* ---- hosts ---- */

/* A name that may be followed by its parameters: dcqcn:gain=0.01,timer=55us. */
static swq_status read_sending(swq_context *ctx, const char *text, swq_dc_sending *s)
{
    char name[40];

    const size_t length = strcspn(text, ":");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    s->sender = swq_name_lookup(ctx, "sender", name, (const void *const *)swq_dc_senders());
    if (!s->sender)
        return SWQ_EINVAL;
    return text[length] ? cli_dc_read_sender_values(ctx, text + length + 1, s) : SWQ_OK;
}

/* The length of the first of several senders: up to a + before a name, as 1e+6 has one, too. */
static size_t length_of_first(const char *text)
{
    size_t k = 0;

    while (text[k] && !(text[k] == '+' && isalpha((unsigned char)text[k + 1])))
        k++;
    return k;
}

/* One sender, or as many as there are classes: dctcp+swift:base=20us. */
swq_status cli_dc_read_sender(swq_context *ctx, swq_dc *dc)
{
    const char *given = cli_dc_given("sender"), *at = given;
    swq_status status = SWQ_OK;
    int count = 0;

    for (; at && !status; count++) {
        char one[CLI_DC_SENDER_TEXT];
        const size_t length = length_of_first(at);
        if (count == dc->classes || length >= sizeof one)
            break;
        snprintf(one, sizeof one, "%.*s", (int)length, at);
        status = read_sending(ctx, one, &dc->network.sending[count]);
        at = at[length] ? at + length + 1 : NULL;
    }
    if (!status && count > 0 && (at || (count > 1 && count < dc->classes)))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--sender is one, or one for each of the %d class%s, with + between them, "
                        "each of up to %d characters, not '%.60s'",
                        dc->classes, dc->classes == 1 ? "" : "es", CLI_DC_SENDER_TEXT - 1, given);
    return status;
}

/* The topologies that take a number, or that have several switches (SWQ_DC_NUMBERS), as --topology
 * takes them: "switch and fat-tree". `last` joins the last two. */
static bool has(const swq_dc_topology *row, swq_dc_number number)
{
    return number == SWQ_DC_NUMBERS ? !row->single : row->number[number] != NULL;
}

static const char *names_of(const swq_dc_topology *const *row, int rows, const char *last,
                            char text[NAMES])
{
    *text = '\0';
    for (int k = 0; k < rows; k++)
        cli_append(text, NAMES, "%s%s%s",
                   k == 0          ? ""
                   : k == rows - 1 ? last
                                   : ", ",
                   row[k]->name, row[k]->file ? ":FILE" : "");
    return text;
}

static const char *topologies_with(swq_dc_number number, char text[NAMES])
{
    const swq_dc_topology *const *all = swq_dc_topologies();
    const swq_dc_topology *row[MOST_ROWS];
    int rows = 0;

    for (int k = 0; all[k] && rows < MOST_ROWS; k++) {
        if (has(all[k], number))
            row[rows++] = all[k];
    }
    return names_of(row, rows, " and ", text);
}

static swq_status refuse_numbers(swq_context *ctx, const swq_dc_topology *topology)
{
    char names[NAMES];

    for (int k = 0; k <= SWQ_DC_NUMBERS; k++) {
        const char *option = k < SWQ_DC_NUMBERS ? swq_dc_number_words[k] : "spread";
        if (cli_dc_given(option) && !has(topology, (swq_dc_number)k))
            return swq_fail(ctx, SWQ_EINVAL, "--%s is for --topology %s", option,
                            topologies_with((swq_dc_number)k, names));
    }
    return SWQ_OK;
}

/* Options of hosts, of topologies that have other numbers, and of packets from outside. */
swq_status cli_dc_refuse_without(swq_context *ctx, const swq_dc *dc)
{
    static const char *const from_outside[] = {"arrivals", "fates-out", NULL};
    static const char *const answered[] = {"ack-bytes", "least-timeout", NULL};
    const bool hosts = dc->network.sending[0].sender != NULL;
    const swq_dc_topology *topology = swq_dc_topology_of(dc);

    if (!hosts && cli_dc_given("traffic"))
        return swq_fail(ctx, SWQ_EINVAL, "--traffic needs --sender");
    const swq_status status = refuse_numbers(ctx, topology);
    if (status)
        return status;
    for (int k = 0; hosts && from_outside[k]; k++) {
        if (cli_dc_given(from_outside[k]))
            return swq_fail(ctx, SWQ_EINVAL, "--%s does not go with --sender", from_outside[k]);
    }
    if (!topology->single && !hosts)
        return swq_fail(ctx, SWQ_EINVAL, "--topology %s needs --sender", cli_dc_given("topology"));
    if (!hosts)
        return SWQ_OK;
    for (int k = 0; answered[k] && !cli_dc_any_sender(dc, cli_dc_is_acknowledged); k++) {
        if (cli_dc_given(answered[k]))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s is for senders that wait for acknowledgements, not for open",
                            answered[k]);
    }
    if (cli_dc_given("window") && !cli_dc_any_sender(dc, cli_dc_is_windowed))
        return swq_fail(ctx, SWQ_EINVAL, "--window is not for --sender %s", cli_dc_given("sender"));
    if (cli_dc_given("target-delay") && !cli_dc_any_sender(dc, cli_dc_is_delay))
        return swq_fail(ctx, SWQ_EINVAL, "--target-delay is for --sender delay");
    return SWQ_OK;
}

/* NAME, or graph:FILE */
swq_status cli_dc_read_topology(swq_context *ctx, swq_dc *dc)
{
    const swq_dc_topology *const *rows = swq_dc_topologies();
    const char *given = cli_dc_given("topology");
    char names[NAMES];
    int k = 0;

    if (!given)
        return SWQ_OK;
    for (; rows[k]; k++) {
        const size_t length = strlen(rows[k]->name);
        if (strncmp(given, rows[k]->name, length) == 0 &&
            (rows[k]->file ? given[length] == ':' && given[length + 1] : !given[length]))
            break;
    }
    dc->network.topology = rows[k];
    if (rows[k])
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "--topology must be %s with --architecture shared-memory, not '%.60s'",
                    names_of(rows, k, " or ", names), given);
}

swq_status cli_dc_read_graph(swq_context *ctx, cli_datacentre *d)
{
    swq_dc *dc = &d->dc;

    if (!swq_dc_topology_of(dc)->file)
        return SWQ_OK;
    const char *path = strchr(cli_dc_given("topology"), ':') + 1;
    const swq_status status = swq_dc_graph_read(ctx, path, dc->rate, dc->network.delay, &d->graph);
    dc->network.graph = d->graph;
    return status;
}

/* ecmp, spray, adaptive, or flowlet:GAP */
swq_status cli_dc_read_spread(swq_context *ctx, swq_dc_network *n)
{
    const char *text = cli_dc_given("spread"), *word = swq_dc_spread_words[SWQ_DC_FLOWLET];
    int k = 0;

    if (!text)
        return SWQ_OK;
    if (strncmp(text, word, strlen(word)) == 0 && text[strlen(word)] == ':') {
        n->spread = SWQ_DC_FLOWLET;
        return swq_units_read(ctx, "--spread flowlet", SWQ_UNITS_TIME, text + strlen(word) + 1, 1,
                              SWQ_DC_MOST_TIME, &n->flowlet_gap);
    }
    while (k < SWQ_DC_FLOWLET && strcmp(text, swq_dc_spread_words[k]) != 0)
        k++;
    if (k == SWQ_DC_FLOWLET)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--spread must be ecmp, spray, adaptive or flowlet:GAP, such as "
                        "flowlet:50us, not '%.60s'",
                        text);
    n->spread = (swq_dc_spread)k;
    return SWQ_OK;
}

/* RATE,FANIN,SIZE[,CLASS] */
static swq_status read_incast(swq_context *ctx, swq_dc *dc)
{
    const char *text = cli_dc_given("incast");
    char rate[40], fan_in[40], size[40], class[40] = "0";
    int hosts = 0, number = 0, length = 0;
    double percent = 0;

    if (!text)
        return SWQ_OK;
    const int parts = sscanf(text, "%39[^,],%39[^,],%39[^,]%n,%39[^,]%n", rate, fan_in, size,
                             &length, class, &length);
    if (parts < 3 || text[length])
        return swq_fail(ctx, SWQ_EINVAL, "--incast must be RATE,FANIN,SIZE[,CLASS], not '%.60s'",
                        text);
    swq_status status = cli_number(ctx, "incast RATE", rate, 1e-6, 1e9, &dc->flows.query_rate);
    if (!status)
        status = cli_integer(ctx, "incast FANIN", fan_in, 1, 1 << 20, &hosts);
    if (!status)
        status = cli_integer(ctx, "incast CLASS", class, 0, dc->classes - 1, &number);
    dc->flows.fan_in = (uint32_t)hosts;
    dc->flows.query_class = (uint8_t)number;
    if (status)
        return status;
    char *end = strchr(size, '%');
    if (!end || end[1])
        return swq_units_read(ctx, "--incast SIZE", SWQ_UNITS_SIZE, size, (uint64_t)hosts,
                              SWQ_DC_MOST_MEMORY, &dc->flows.query_bytes);
    *end = '\0';
    status = cli_number(ctx, "incast SIZE in percent", size, 1e-3, 1e5, &percent);
    dc->flows.query_bytes = (uint64_t)(percent / 100 * (double)dc->memory.bytes);
    return status;
}

static swq_status read_lossless(swq_context *ctx, swq_dc *dc)
{
    double class[SWQ_DC_CLASSES];
    int count = 0;

    dc->pfc.classes = (1u << dc->classes) - 1;
    if (!cli_dc_given("lossless"))
        return SWQ_OK;
    swq_status status = cli_dc_read_list(ctx, "lossless", cli_dc_given("lossless"), 0,
                                         dc->classes - 1, dc->classes, class, &count);
    if (!status)
        status = cli_dc_refuse_fractions(ctx, "lossless", class, count);
    dc->pfc.classes = 0;
    for (int k = 0; k < count && !status; k++)
        dc->pfc.classes |= 1u << (int)class[k];
    return status;
}

/* DETECTION[:RESTORATION] */
static swq_status read_watchdog(swq_context *ctx, swq_dc *dc)
{
    const char *text = cli_dc_given("pause-watchdog"), *colon = text ? strchr(text, ':') : NULL;
    swq_dc_pfc *p = &dc->pfc;
    char first[40], names[NAMES];

    if (!text)
        return SWQ_OK;
    if (swq_dc_topology_of(dc)->single)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--pause-watchdog is for --topology %s: outputs to hosts are never paused",
                        topologies_with(SWQ_DC_NUMBERS, names));
    snprintf(first, sizeof first, "%.*s", colon ? (int)(colon - text) : (int)strlen(text), text);
    swq_status status = swq_units_read(ctx, "--pause-watchdog", SWQ_UNITS_TIME, first, 1,
                                       SWQ_DC_MOST_TIME, &p->detection);
    p->restoration = p->detection;
    if (!status && colon)
        status = swq_units_read(ctx, "--pause-watchdog RESTORATION", SWQ_UNITS_TIME, colon + 1, 1,
                                SWQ_DC_MOST_TIME, &p->restoration);
    return status;
}

swq_status cli_dc_read_pfc(swq_context *ctx, swq_dc *dc)
{
    const swq_dc_pfc *p = &dc->pfc;

    if (!cli_given(cli_datacentre_options, "pfc"))
        return SWQ_OK;
    swq_status status = read_lossless(ctx, dc);
    if (!status && cli_dc_given("admission") && p->classes == (1u << dc->classes) - 1 &&
        !swq_dc_keeps(dc->memory.admission).inputs)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--admission changes nothing where --pfc makes all classes lossless; "
                          "--lossless leaves some that are not");
    return status ? status : read_watchdog(ctx, dc);
}

/* KIND:SIZE */
static swq_status read_collective(swq_context *ctx, swq_dc *dc)
{
    const char *text = cli_dc_given("traffic"), *size = text ? strchr(text, ':') : NULL;
    int k = SWQ_DC_PERMUTATION;

    if (!text)
        return SWQ_OK;
    while (size && swq_dc_collective_words[k] &&
           (strlen(swq_dc_collective_words[k]) != (size_t)(size - text) ||
            strncmp(text, swq_dc_collective_words[k], (size_t)(size - text)) != 0))
        k++;
    if (!size || !swq_dc_collective_words[k])
        return swq_fail(
            ctx, SWQ_EINVAL,
            "--traffic must be permutation:SIZE, all-to-all:SIZE, all-to-all-at-once:SIZE "
            "or ring-all-reduce:SIZE with --architecture shared-memory, not '%.60s'",
            text);
    dc->flows.collective = (swq_dc_collective)k;
    return swq_units_read(ctx, "--traffic SIZE", SWQ_UNITS_SIZE, size + 1, 1, SWQ_MOST_FLOW_BYTES,
                          &dc->flows.collective_bytes);
}

static swq_status read_flows(swq_context *ctx, swq_dc *dc)
{
    swq_dc_flows *f = &dc->flows;

    f->sizes = cli_dc_given("sizes");
    f->list = cli_dc_given("flow-list");
    if (cli_dc_given("load") && !f->sizes)
        return swq_fail(ctx, SWQ_EINVAL, "--load of hosts needs --sizes");
    if (cli_dc_given("class-shares") && !f->sizes)
        return swq_fail(ctx, SWQ_EINVAL, "--class-shares needs --sizes with --sender");
    if (f->sizes && !cli_dc_given("load") && !cli_dc_given("off"))
        return swq_fail(ctx, SWQ_EINVAL, "--sizes needs --load or --off");
    if (!f->sizes && !f->list && !cli_dc_given("incast") && !cli_dc_given("traffic"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--sender needs flows: --sizes with --load or --off, --incast, "
                        "--traffic or --flow-list");
    swq_status status = cli_dc_given("load")
                            ? cli_number(ctx, "load", cli_dc_given("load"), 0, 10, &f->load)
                            : SWQ_OK;
    if (!status)
        status = read_class_shares(ctx, dc);
    if (!status)
        status = read_collective(ctx, dc);
    if (!status)
        status = read_incast(ctx, dc);
    if (!status)
        status = read_sizes(ctx, dc);
    if (!status && dc->sizes != 1)
        status = swq_fail(ctx, SWQ_EINVAL, "--packet-bytes is one size with --sender");
    return status;
}

/* Nothing here looks ahead: answers are of a file, for the packets of another. */
swq_status cli_dc_read_oracle(swq_context *ctx, swq_dc *dc)
{
    const char *text = cli_dc_given("oracle");
    swq_buffer buffer;

    if (!text)
        return SWQ_OK;
    if (strncmp(text, "file:", 5) != 0 || dc->arrivals != SWQ_DC_TRACE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--oracle must be file:PATH here, with --arrivals FILE, not '%.60s'", text);
    const swq_status status = cli_oracle_read(ctx, text, &buffer);
    if (status)
        return status;
    if (buffer.oracle.answers != dc->packets)
        return swq_fail(ctx, SWQ_EINVAL, "--oracle: '%.200s' has %llu answers for %llu packets",
                        text + 5, (unsigned long long)buffer.oracle.answers,
                        (unsigned long long)dc->packets);
    dc->memory.oracle = buffer.oracle.answer;
    return SWQ_OK;
}

swq_status cli_dc_read_arrivals(swq_context *ctx, cli_datacentre *d)
{
    swq_dc *dc = &d->dc;
    const char *text = cli_dc_given("arrivals");

    if (cli_dc_given("flows-out")) {
        swq_flow_format format;
        d->flows_path = swq_flow_format_of(cli_dc_given("flows-out"), &format);
        d->options.flows_as = format == SWQ_FLOWS_HPCC    ? SWQ_DC_AS_HPCC
                              : format == SWQ_FLOWS_HTSIM ? SWQ_DC_AS_HTSIM
                                                          : SWQ_DC_AS_COMPLETE;
    }
    if (dc->network.sending[0].sender)
        return read_flows(ctx, dc);

    dc->arrivals = SWQ_DC_POISSON;
    if (text && strcmp(text, "slots") == 0)
        dc->arrivals = SWQ_DC_SLOTS;
    else if (text && strcmp(text, "poisson") != 0)
        return read_file(ctx, d, text);
    if (cli_dc_given("fates-out"))
        return swq_fail(ctx, SWQ_EINVAL, "--fates-out needs --arrivals FILE");
    if (!cli_dc_given("load"))
        return swq_fail(ctx, SWQ_EINVAL, "--load is required, unless --arrivals is a file");
    swq_status status = cli_dc_read_each(
        ctx, "load", "ports", 0, dc->arrivals == SWQ_DC_SLOTS ? 1 : 1000, dc->ports, dc->load);
    if (!status)
        status = read_sizes(ctx, dc);
    for (int k = 0; k < dc->classes; k++)
        dc->class_share[k] = 1.0 / dc->classes;
    return status ? status : read_class_shares(ctx, dc);
}
