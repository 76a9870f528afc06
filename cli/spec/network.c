/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that describe a network and its traffic, turned into a typed spec.
 */
#include "cli/spec/network.h"
#include "base/context.h"
#include "base/names.h"
#include "base/plugins.h"
#include "cli/options/parse.h"
#include "cli/spec/noxim.h"
#include "cli/spec/priority.h"
#include "sim/traffic/trace_files.h"

#include <stdlib.h>
#include <string.h>

const char *const cli_source_words[] = {"hold", "open", "trace", NULL};

#define SIM   "sim, approx"
#define ASYNC "sim --engine async"

static swq_status read_limit(swq_context *ctx, const char *text, void *spec)
{
    int limit = 0;
    const swq_status status = cli_integer(ctx, "queue-limit", text, 1, 1000000, &limit);

    ((cli_network *)spec)->network.traffic.queue_limit = (uint32_t)limit;
    return status;
}

#define FIELD(kind, member) CLI_AT(kind, cli_network, network.member)

static cli_parameter place_parameters[] = {
    {CLI_OPTION("topology", "NAME", 0), .says = "%", .axis = CLI_AXIS_WORDS, .list = "topologies",
     .about = "shape of the network ('switchq list topologies'); switch is a single switch; torus, "
              "mesh and hypercube are asynchronous; graph:FILE is the network of a file",
     .key = "topology",
     CLI_DEFAULTS({SIM, "omega", "the network of chapters 4 and 5"},
                  {ASYNC, "omega", "as with sync"})},
    {CLI_OPTION("stages", "S", 0), .says = "% stage~", .axis = CLI_AXIS_SIZES,
     .about = "stages of N x N switches, N^S nodes", .key = "stages",
     CLI_DEFAULTS({SIM, "3", "64 nodes, as in its tables"}, {ASYNC, "3", "as with sync"})},
    {CLI_OPTION("load", "R", 0), .axis = CLI_AXIS_LOADS, .costless = true,
     .about = "packets created per cycle and source (asynchronous: bytes, as a fraction of what a "
              "link carries, of each node's own link; shared-memory: bytes of packets, with "
              "--sender payload, as a fraction of lines), or file:PATH with one number per node",
     .key = "load"},
    {CLI_OPTION("traffic", "PATTERN", 0), .says = "% traffic", .list = "traffic", .costless = true,
     .about = "where packets go: a pattern ('switchq list traffic'), hotspot:F[:J] (the fraction F "
              "goes to node J in addition), file:PATH (a matrix, a row per source, or lines of "
              "sender,receiver,share), noxim:FILE (a table of Noxim, which also has the loads), "
              "trace:PATH (lines of cycle, source, destination, and 1 for high priority); "
              "asynchronous: see --group",
     .key = "traffic",
     CLI_DEFAULTS({SIM, "uniform", "as for one switch"}, {ASYNC, "uniform", "as with sync"})},
    {CLI_FLAG_OPTION("normalise", 0), .costless = true,
     .about = "divide each row of the matrix of --traffic file:PATH by its sum; a node without "
              "shares sends nothing",
     .key = "normalise"},
    {CLI_OPTION("hot-spots", "F:J[,F:J]", 0), .costless = true,
     .about = "additional fractions of the packets for some nodes, with any pattern",
     .key = "hot_spots"},
    CLI_PARAMETERS_END,
};

static cli_parameter source_parameters[] = {
    {CLI_OPTION("sources", "hold|open", 0), .says = "% sources", FIELD(CLI_CHOICE, traffic.kind),
     CLI_WORDS_OF("hold", "open"), .costless = true,
     .about = "a source holds one packet until it enters the network (hold), or packets queue at "
              "the source",
     .key = "sources",
     CLI_DEFAULTS({SIM, "hold",
                   "a refused source creates no more packets, as in the tables of chapter 4 (4.5)"},
                  {ASYNC, "hold", "as with sync"},
                  {"sim --engine async --architecture wormhole", "open",
                   "as in the literature on wormhole networks"})},
    {CLI_OPTION("queue-limit", "N", SWQ_ENGINE_SYNC), .axis = CLI_AXIS_WHOLE, .read = read_limit,
     .costless = true,
     .about = "largest number of packets that queue at an open source; further packets are lost",
     .key = "queue_limit", .unit = "packets"},
    {CLI_OPTION("burst", "B", 0), .says = "bursts of %", FIELD(CLI_REAL, traffic.burst),
     CLI_FROM(1, 1e6), .costless = true,
     .about = "mean number of packets (asynchronous: messages) that a source creates back to back "
              "for one node",
     .key = "burst", .unit = "packets"},
    {CLI_FLAG_OPTION("resend", SWQ_ENGINE_SYNC), FIELD(CLI_FLAG, resend),
     .about = "a discarded packet returns to its source and is sent again", .key = "resend"},
    {CLI_OPTION("stale", "T", SWQ_ENGINE_SYNC), .plain = "0", FIELD(CLI_INT, stale),
     CLI_FROM(0, 1000000),
     .about =
         "queues whose head has waited T cycles go before longer queues, the longest waiting first",
     .key = "stale", .unit = "cycles"},
    CLI_PARAMETERS_END,
};

struct poptOption cli_network_options[] = {
    CLI_PARAMETERS(place_parameters),
    CLI_PARAMETERS(source_parameters),
    CLI_PARAMETERS(cli_priority_parameters),
    CLI_TABLE(cli_switch_options, NULL),
    POPT_TABLEEND,
};

/* Options for a command whose loads and traffic are those of a switch. */
static cli_parameter shape_parameters[] = {
    {CLI_OPTION("topology", "NAME", 0), .says = "%", .axis = CLI_AXIS_WORDS, .list = "topologies",
     .about = "solve a whole network of such switches: omega, butterfly, baseline, flip or cube, "
              "as with 'switchq sim'"},
    {CLI_OPTION("stages", "S", 0), .says = "% stage~", .axis = CLI_AXIS_SIZES,
     .about = "stages of N x N switches in the network, which has N^S nodes",
     CLI_DEFAULTS({"solve --topology omega --ports 2 --buffer cbda --slots 1", "3", "as for sim"})},
    CLI_PARAMETERS_END,
};

struct poptOption cli_shape_options[] = {
    CLI_PARAMETERS(shape_parameters),
    POPT_TABLEEND,
};

static const char *given(const char *option)
{
    return cli_text(cli_network_options, option);
}

swq_status cli_hot_spots(swq_context *ctx, const char *option, const char *text, uint32_t nodes,
                         swq_hot_spot *hot, int *spots)
{
    const bool with_node = strcmp(option, "hot-spots") == 0;
    char copy[512];

    if (strlen(text) >= sizeof copy)
        return swq_fail(ctx, SWQ_EINVAL, "--%s is too long: '%.60s...'", option, text);
    snprintf(copy, sizeof copy, "%s", text);
    for (char *spot = copy, *rest; spot; spot = rest) {
        int number = 0;
        rest = strchr(spot, ',');
        if (rest)
            *rest++ = '\0';
        char *node = strchr(spot, ':');
        if (with_node && !node)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--hot-spots must be F:J[,F:J], fractions and their nodes, not '%.60s'",
                            text);
        if (*spots == SWQ_MAX_HOT_SPOTS)
            return swq_fail(ctx, SWQ_EINVAL, "--%s: at most %d hot spots", option,
                            SWQ_MAX_HOT_SPOTS);
        if (node)
            *node++ = '\0';
        swq_status status = cli_number(ctx, option, spot, 0, 1, &hot[*spots].fraction);
        if (!status && node)
            status = cli_integer(ctx, with_node ? "hot-spots' node" : option, node, 0,
                                 (int)nodes - 1, &number);
        if (status)
            return status;
        hot[(*spots)++].node = (uint32_t)number;
    }
    return SWQ_OK;
}

/* A pattern by its name. If there is none, the message also lists the words that take a value,
 * which have been read before. */
static swq_status read_pattern(swq_context *ctx, const char *name, const swq_pattern **pattern)
{
    enum { MOST = 200 };
    const void *const *patterns = swq_rows(ctx, (const void *const *)swq_patterns);
    static const char *const others[] = {"hotspot", "file", "trace"};
    const void *row[MOST + 1] = {NULL};
    int rows = 0;

    for (int k = 0; patterns[k] && rows < MOST - 3; k++) {
        if (!((const swq_pattern *)patterns[k])->matrix)
            row[rows++] = patterns[k];
    }
    for (int k = 0; k < 3; k++)
        row[rows++] = &others[k];
    row[rows] = NULL;
    const void *found = swq_name_lookup(ctx, "--traffic", swq_pattern_name(name), row);
    if (!found)
        return SWQ_EINVAL;
    *pattern = found;
    return SWQ_OK;
}

/* Does --traffic `name` name destinations that only asynchronous networks have? */
static bool is_for_async(const char *name)
{
    static const char *const names[] = {"node",
                                        "subset",
                                        "all",
                                        "multicast",
                                        "all-to-all",
                                        "ring-all-reduce",
                                        "tree-all-reduce",
                                        "worst-case"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strcmp(name, names[k]) == 0)
            return true;
    }
    return strncmp(name, "adv+", 4) == 0;
}

/* Reads --traffic file:PATH and noxim:FILE. */
static swq_status read_matrix(swq_context *ctx, cli_network *n, const char *path,
                              bool can_normalise)
{
    const bool noxim = cli_is_noxim(n->traffic);
    const cli_matrix_reading as = {.option = "traffic",
                                   .nodes = n->nodes,
                                   .normalise = n->normalise || noxim,
                                   .noxim = noxim,
                                   .can_normalise = can_normalise};

    if (n->nodes > CLI_MOST_MATRIX_NODES)
        return swq_fail(ctx, SWQ_EINVAL, "--traffic file is for up to %d nodes, not %u",
                        CLI_MOST_MATRIX_NODES, n->nodes);
    swq_status status = cli_matrix_read(ctx, &as, path, &n->matrix);
    if (!status)
        status = cli_matrix_in_full(ctx, &n->matrix);
    n->network.traffic.pattern = &swq_pattern_matrix;
    n->network.traffic.matrix = n->matrix.dense;
    return status;
}

/* A source whose row of the matrix is zero, which --normalise permits, has no load. */
static swq_status silence_without_shares(swq_context *ctx, cli_network *n)
{
    swq_traffic *t = &n->network.traffic;

    for (uint32_t i = 0; t->matrix && i < n->nodes; i++) {
        const double *row = t->matrix + (size_t)i * n->nodes;
        uint32_t j = 0;
        while (j < n->nodes && row[j] == 0)
            j++;
        if (j < n->nodes)
            continue;
        if (!n->node_load) {
            n->node_load = calloc(n->nodes, sizeof *n->node_load);
            if (!n->node_load)
                return swq_fail(ctx, SWQ_ENOMEM, "no memory for the loads of %u nodes", n->nodes);
            for (uint32_t k = 0; k < n->nodes; k++)
                n->node_load[k] = t->load;
            t->node_load = n->node_load;
        }
        n->node_load[i] = 0;
    }
    return SWQ_OK;
}

static swq_status read_traffic(swq_context *ctx, cli_network *n, bool can_normalise)
{
    swq_traffic *t = &n->network.traffic;
    const char *text = n->traffic ? n->traffic : "uniform", *colon = strchr(text, ':');
    const bool traffic = n->traffic != NULL;
    char name[40];
    swq_status status = SWQ_OK;

    n->traffic = text;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    const bool file = strcmp(name, "file") == 0 || strcmp(name, "noxim") == 0;
    const bool trace = strcmp(name, "trace") == 0;
    const bool hot = strcmp(name, "hotspot") == 0;
    if ((file || trace || hot) && !(colon && colon[1]))
        return swq_fail(ctx, SWQ_EINVAL, "--traffic %s needs a value: '%s:...'", name, name);
    n->normalise = can_normalise && cli_given(cli_network_options, "normalise");
    if (n->normalise && strcmp(name, "file") != 0)
        return swq_fail(ctx, SWQ_EINVAL, "--normalise is for --traffic file:PATH, not for %.60s",
                        text);
    if (cli_is_noxim(text) && !can_normalise)
        return swq_fail(ctx, SWQ_EINVAL, "--traffic noxim:FILE is for sim");
    if (is_for_async(name))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--traffic %.60s is for asynchronous networks: sim --engine async", text);
    if (!(file || trace || hot) && colon && strcmp(name, "matrix") != 0)
        return swq_fail(ctx, SWQ_EINVAL, "--traffic %s takes no value, not '%.60s'", name, text);
    if (file) {
        status = read_matrix(ctx, n, colon + 1, can_normalise);
    } else if (trace) {
        status = swq_trace_packets_read(ctx, "--traffic trace", colon + 1, n->nodes, &n->trace,
                                        &t->trace_packets);
        t->trace = n->trace;
        t->kind = SWQ_SOURCE_TRACE;
    } else if (hot) {
        status = cli_hot_spots(ctx, "traffic hotspot", colon + 1, n->nodes, t->hot, &t->hot_spots);
    } else if (strcmp(name, swq_pattern_matrix.name) == 0) {
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--traffic must be a pattern ('switchq list traffic'), hotspot:F[:J], "
                          "file:PATH or trace:PATH, not '%.60s'",
                          text);
    } else {
        status = read_pattern(ctx, name, &t->pattern);
    }
    const int before = t->hot_spots;
    double all = 0;
    if (!status && given("hot-spots"))
        status =
            cli_hot_spots(ctx, "hot-spots", given("hot-spots"), n->nodes, t->hot, &t->hot_spots);
    for (int k = before; !status && k < t->hot_spots; k++)
        all += t->hot[k].fraction;
    return !status && all >= 1 && traffic
               ? swq_fail(ctx, SWQ_EINVAL, "--traffic has no effect: --hot-spots take all packets")
               : status;
}

/* The loads of a table of Noxim: a packet is a flit. */
static swq_status read_rates(swq_context *ctx, cli_network *n, cli_load which)
{
    const char *other = n->load ? "load" : given("hot-spots") ? "hot-spots" : NULL;

    if (other || which == CLI_LOAD_OPEN || which == CLI_LOAD_NONE)
        return swq_fail(ctx, SWQ_EINVAL, CLI_NOXIM_SAYS "%s%s does not change", other ? "--" : "",
                        other ? other : "a search for saturation");
    n->node_load = n->matrix.sent;
    n->matrix.sent = NULL;
    n->network.traffic.node_load = n->node_load;
    return cli_noxim_loads(ctx, n->traffic + strlen("noxim:"), n->nodes, 1, n->node_load);
}

swq_status cli_load_read(swq_context *ctx, const char *option, const char *text, double *load)
{
    if (strchr(text, ','))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s of a network is a number from 0 to 1, a range FROM:TO:STEP of them, "
                        "or file:PATH with one for each node, not '%.60s'",
                        option, text);
    return cli_number(ctx, option, text, 0, 1, load);
}

static swq_status read_load(swq_context *ctx, cli_network *n, cli_load which)
{
    swq_traffic *t = &n->network.traffic;

    t->load = 1;
    if (n->matrix.sent)
        return read_rates(ctx, n, which);
    if (t->kind == SWQ_SOURCE_TRACE) {
        if (n->load || given("sources") || given("burst") || given("hot-spots") || given("high"))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--load, --sources, --burst, --hot-spots and --high do not go with a "
                            "trace, which defines all traffic");
        return SWQ_OK;
    }
    if (!n->load && which != CLI_LOAD_OPEN && which != CLI_LOAD_NONE)
        return swq_fail(ctx, SWQ_EINVAL, "--load is required");
    if (!n->load)
        return SWQ_OK;
    if (strncmp(n->load, "file:", 5) != 0)
        return cli_load_read(ctx, "load", n->load, &t->load);
    swq_status status = cli_numbers_read(ctx, "load", n->load + 5, n->nodes, &n->node_load);
    t->node_load = n->node_load;
    return status;
}

static swq_status read_sources(swq_context *ctx, cli_network *n)
{
    swq_traffic *t = &n->network.traffic;
    const bool trace = t->kind == SWQ_SOURCE_TRACE;
    swq_status status = cli_parameters_read(ctx, source_parameters, n);

    if (!status && given("queue-limit") && t->kind != SWQ_SOURCE_OPEN)
        status = swq_fail(ctx, SWQ_EINVAL, "--queue-limit is for --sources open");
    return status || trace ? status : cli_priority_needs_high(ctx, n->network.sw.priority.support);
}

swq_status cli_stages_of(swq_context *ctx, const char *text, swq_shape *shape)
{
    shape->stages = shape->wiring->stages ? shape->wiring->stages : 3;
    return text ? cli_integer(ctx, "stages", text, 1, SWQ_MAX_STAGES, &shape->stages) : SWQ_OK;
}

/* What a command asks of its network beside the options themselves. */
typedef struct {
    cli_load load;
    bool alike;      /* a lone switch has the default arbiter of networks */
    bool slots_open; /* --slots is missing, and to be found */
} network_reading;

/* shape: the table of --topology and --stages; load and traffic: the texts of these options. */
static swq_status read_all(swq_context *ctx, cli_network *n, network_reading as,
                           const struct poptOption *shape, const char *load, const char *traffic)
{
    const char *topology = cli_text(shape, "topology"), *stages = cli_text(shape, "stages");
    swq_network *net = &n->network;
    const swq_architecture *architecture;
    swq_priority priority = {.fraction = 0};
    int extra = 0;

    *n = (cli_network){
        .network = {.traffic = swq_traffic_defaults()}, .load = load, .traffic = traffic};
    n->spec.slots_open = as.slots_open;
    net->shape.kind = &swq_fabric_multistage;
    net->shape.wiring = swq_topologies[0];
    swq_status status = topology ? swq_topology_find(ctx, topology, &net->shape.wiring) : SWQ_OK;
    if (!status)
        status = cli_stages_of(ctx, stages, &net->shape);
    if (status)
        return status;
    n->spec.sw = cli_switch_defaults(net->shape.wiring->lone);
    if (as.alike)
        n->spec.sw.arbiter = cli_switch_defaults(false).arbiter;
    /* first, since the part of --slots that belongs to high priority depends on the kind of
     * buffer */
    status = cli_stages_architecture(ctx, &architecture);
    if (!status && architecture->stage.input_buffers)
        status = cli_buffer_kind_read(ctx, &n->spec);
    else if (!status && given("ports"))
        status = cli_integer(ctx, "ports", given("ports"), 1, SWQ_MAX_PORTS, &n->spec.sw.ports);
    if (!status && n->spec.sw.ports < 2)
        status = swq_fail(ctx, SWQ_EINVAL, "--ports must be 2 to %d in a network, not %d",
                          SWQ_MAX_PORTS, n->spec.sw.ports);
    if (!status)
        status = cli_priority_read(ctx, &n->spec.kind, n->spec.sw.ports, &priority, &extra);
    if (!status && extra && as.slots_open)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--target finds --slots only where packets of high priority have no "
                          "slots of their own (--priority arbiter)");
    if (!status && extra)
        status = cli_slots_besides(ctx, n->spec.sw.ports, extra);
    if (!status)
        status = cli_switch_read(ctx, &n->spec, extra);
    if (!status)
        status = swq_topology_nodes(ctx, net->shape.wiring, n->spec.sw.ports, net->shape.stages,
                                    &n->nodes);
    net->sw = n->spec.sw;
    net->sw.priority = priority;
    net->shape.ports = net->sw.ports;
    if (!status)
        status = read_traffic(ctx, n, shape == cli_network_options);
    if (!status)
        status = read_load(ctx, n, as.load);
    if (!status)
        status = silence_without_shares(ctx, n);
    if (!status)
        status = read_sources(ctx, n);
    if (!status)
        status = swq_network_check(ctx, net, &n->nodes);
    if (status)
        cli_network_clear(n);
    return status;
}

swq_status cli_network_read(swq_context *ctx, cli_network *n, cli_load which)
{
    return read_all(ctx, n, (network_reading){.load = which}, cli_network_options, given("load"),
                    given("traffic"));
}

swq_status cli_network_read_alike(swq_context *ctx, cli_network *n, cli_load which, bool slots_open)
{
    const network_reading as = {.load = which, .alike = true, .slots_open = slots_open};

    return read_all(ctx, n, as, cli_network_options, given("load"), given("traffic"));
}

swq_status cli_network_read_to_solve(swq_context *ctx, cli_network *n, const char *load)
{
    return read_all(ctx, n, (network_reading){.load = CLI_LOAD_GIVEN}, cli_shape_options,
                    load ? load : cli_text(cli_spec_options, "load"),
                    cli_text(cli_spec_options, "traffic"));
}

void cli_network_clear(cli_network *n)
{
    cli_matrix_clear(&n->matrix);
    free(n->node_load);
    free(n->trace);
    n->node_load = NULL;
    n->trace = NULL;
}
