/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of switches with a shared memory.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/datacentre/values.h"
#include "cli/options/parse.h"
#include "cli/sim/sim.h"
#include "cli/spec/async.h"
#include "cli/spec/network.h"
#include "cli/spec/oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DC = SWQ_ENGINE_TIMED };

#define ASKED  "sim --architecture shared-memory"
#define FULL   ASKED " --memory 50KB --admission "
#define FAB    ASKED " --admission fab --sender reno --sizes 9K"
#define HOSTS  ASKED " --sender dctcp --sizes 9K"
#define LEAVES ASKED " --sender open --sizes 9K --topology leaf-spine"
#define PFC    HOSTS " --headroom 9K --pfc"

static const cli_owner by_admission = {
    .option = "admission",
    .before = "",
    .rows = (const void *const *)swq_admission_rules,
    .at = offsetof(cli_datacentre, dc.memory.admission),
};

#define TAKES(name, bits)                                                                          \
    static bool takes_##name(const void *rule)                                                     \
    {                                                                                              \
        return swq_dc_takes(rule) & (bits);                                                        \
    }
TAKES(test, SWQ_DC_TAKES_TEST)
TAKES(counted, SWQ_DC_TAKES_COUNTED)
TAKES(interval, SWQ_DC_TAKES_INTERVAL)
TAKES(first, SWQ_DC_TAKES_FIRST)
TAKES(flows, SWQ_DC_TAKES_FLOWS)
TAKES(gamma, SWQ_DC_TAKES_GAMMA)
TAKES(afd, SWQ_DC_TAKES_AFD)
TAKES(expel, SWQ_ADMISSION_EXPEL)

static cli_parameter switch_parameters[] = {
    {CLI_OPTION("rate", "RATE", DC), CLI_AT(CLI_RATE, cli_datacentre, dc.rate),
     CLI_FROM(SWQ_DC_LEAST_RATE, SWQ_DC_MOST_RATE), .key = "rate_bps", .says = "lines of %",
     .about = "what a line carries, such as 10G, 25Gbps or 400Mb/s",
     CLI_DEFAULTS({ASKED, "10G", "the slowest lines of the literature"})},
    {CLI_OPTION("memory", "SIZE[/port[/Gbps]]", DC), .says = "a memory of %",
     .axis = CLI_AXIS_WORDS, .about = "memory of a switch: 2MB, 256K/port, or 5.12K/port/Gbps",
     CLI_DEFAULTS({ASKED, "1MB", "small enough to be full at times"})},
    {CLI_OPTION("memories", "N", DC), CLI_AT(CLI_INT, cli_datacentre, dc.memory.parts),
     CLI_FROM(1, SWQ_DC_PORTS), .says = "% memories a switch", .plain = "1",
     .about = "memories of a switch, each with an equal share of --memory and of its outputs, in "
              "their order; rules of admission see one alone",
     CLI_DEFAULTS({ASKED, "1", "one for all, as small chips have"})},
    {CLI_OPTION("cell", "BYTES", DC), CLI_AT(CLI_SIZE_32, cli_datacentre, dc.memory.cell),
     CLI_FROM(1, 65536), .key = "cell_bytes", .says = "cells of % byte~",
     .about = "a packet takes whole cells of the memory",
     CLI_DEFAULTS({ASKED, "1", "as in simulators; chips have 80 to 256 bytes"})},
    {CLI_OPTION("classes", "Q", DC), CLI_AT(CLI_INT, cli_datacentre, dc.classes),
     CLI_FROM(1, SWQ_DC_CLASSES), .key = "classes", .says = "% queue~ a port",
     .about = "classes of packets, each with a queue at every port, 1 to 8",
     CLI_DEFAULTS({ASKED, "1", "one queue for each port"})},
    {CLI_OPTION("schedule", "fifo|priority|round-robin|drr", DC),
     CLI_AT(CLI_CHOICE, cli_datacentre, dc.schedule), .words = swq_dc_schedule_words,
     .key = "schedule", .says = "schedule %",
     .about = "the class that a port sends next: that of the oldest packet, the lowest number, in "
              "turn, or by deficit round robin with --quantum",
     CLI_DEFAULTS({ASKED " --classes 2", "fifo", "classes are then for the memory alone"})},
    {CLI_OPTION("quantum", "BYTES[,BYTES...]", DC), .needs = {"schedule drr"},
     .says = "quanta of %", .axis = CLI_AXIS_NONE,
     .about = "schedule drr: what a class may send in its turn, one number or one for each class",
     CLI_DEFAULTS(
         {ASKED " --classes 2 --schedule drr", "1500", "the longest packet of an Ethernet"})},
    {CLI_OPTION("cut-after", "BYTES", DC), CLI_AT(CLI_SIZE_32, cli_datacentre, dc.cut_after),
     CLI_FROM(1, 1000000), .key = "cut_after_bytes", .needs = {"cut-through on"}, .costless = true,
     .says = "going on after % byte~",
     .about = "cut-through on: the header, after which a packet goes on; shorter packets, and "
              "those for a faster line, go on when all of them has come",
     CLI_DEFAULTS({ASKED " --cut-through on", "64", "the shortest packet of an Ethernet"})},
    {CLI_OPTION("class-alpha", "A,A,...", DC), .excludes = "alpha", .says = "alphas %",
     .axis = CLI_AXIS_NONE, .about = "dynamic thresholds of the classes, instead of one --alpha"},
    {CLI_OPTION("test", "before|after", DC), CLI_AT(CLI_CHOICE, cli_datacentre, dc.memory.test),
     .words = swq_dc_test_words, .takers = {{&by_admission, takes_test}}, .key = "test",
     .costless = true, .says = "thresholds tested %",
     .about = "what is compared with a threshold: the queue before the packet comes, or with it",
     CLI_DEFAULTS({FULL "threshold", "before", "as Choudhury and Hahne have it"})},
    {CLI_OPTION("arriving", "counted|uncounted", DC),
     CLI_AT(CLI_EITHER, cli_datacentre, dc.memory.uncounted), CLI_WORDS_OF("counted", "uncounted"),
     .takers = {{&by_admission, takes_counted}}, .key = "arriving", .costless = true,
     .says = "arriving packet %", .about = "is the packet that comes counted with its own queue",
     CLI_DEFAULTS({FULL "lqd", "counted", "as in theory"})},
    CLI_PARAMETERS_END,
};

/* Of rules of admission, behind --congested of other networks. */
cli_parameter cli_dc_rule_parameters[] = {
    {CLI_OPTION("drain-interval", "TIME", DC), CLI_AT(CLI_TIME, cli_datacentre, dc.memory.interval),
     CLI_FROM(SWQ_DC_LEAST_TIMER, SWQ_DC_MOST_TIME), .takers = {{&by_admission, takes_interval}},
     .key = "drain_interval_ns", .says = "drain rates every %",
     .about = "the time between looks at drain rates and congested queues, 1us or more",
     CLI_DEFAULTS({FULL "abm", "80us", "eight links of 10 us, as in the authors' own runs"})},
    {CLI_OPTION("first-alpha", "A", DC), CLI_AT(CLI_REAL, cli_datacentre, dc.memory.first_alpha),
     CLI_FROM(1e-6, 1e6), .takers = {{&by_admission, takes_first}}, .key = "first_alpha",
     .costless = true, .says = "alpha % for new flows",
     .about = "alpha of packets of a flow's first round trip, or with fab of flows that are new",
     CLI_DEFAULTS({FULL "abm", "1024", "as in the authors' program"})},
    {CLI_OPTION("new-flow", "BYTES", DC), CLI_AT(CLI_SIZE, cli_datacentre, dc.memory.new_flow),
     CLI_FROM(1, SWQ_DC_MOST_MEMORY), .takers = {{&by_admission, takes_flows}},
     .key = "new_flow_bytes", .costless = true, .says = "flows new for % byte~",
     .about = "a flow that has sent fewer bytes since its last pause is new",
     CLI_DEFAULTS({FAB, "22500B", "15 packets, as in the program of ABM's authors"})},
    {CLI_OPTION("flow-pause", "TIME", DC), CLI_AT(CLI_TIME, cli_datacentre, dc.memory.flow_pause),
     CLI_FROM(1, SWQ_DC_MOST_TIME), .takers = {{&by_admission, takes_flows}},
     .key = "flow_pause_ns", .costless = true, .says = "pauses of %",
     .about = "a flow that is silent for longer pauses, and is new again",
     CLI_DEFAULTS({FAB, "5ms", "as in the program of ABM's authors"})},
    {CLI_OPTION("gamma", "G", DC), CLI_AT(CLI_REAL, cli_datacentre, dc.memory.gamma),
     CLI_FROM(0, 1), .takers = {{&by_admission, takes_gamma}}, .key = "gamma", .costless = true,
     .says = "averages with gamma %",
     .about = "the weight of the past in averages of lengths, 0 or more and below 1",
     CLI_DEFAULTS({FULL "reverie", "0.999", "as in the authors' own runs"})},
    {CLI_OPTION("afd-interval", "TIME", DC),
     CLI_AT(CLI_TIME, cli_datacentre, dc.memory.afd_interval), CLI_FROM(1, SWQ_DC_MOST_TIME),
     .takers = {{&by_admission, takes_afd}}, .key = "afd_interval_ns", .says = "fair rates every %",
     .about = "the window in which arrivals are counted",
     CLI_DEFAULTS({FULL "ib", "50us", "as in the runs of ABM"})},
    {CLI_OPTION("afd-length", "BYTES", DC), CLI_AT(CLI_SIZE, cli_datacentre, dc.memory.afd_length),
     CLI_FROM(1, SWQ_DC_MOST_MEMORY), .takers = {{&by_admission, takes_afd}},
     .key = "afd_length_bytes", .costless = true, .says = "queues steered to %",
     .about = "the length to which fair rates steer a queue",
     CLI_DEFAULTS({FULL "ib", "100KB",
                   "a round trip of 80 us at 10 Gbit/s, as in the runs of "
                   "ABM"})},
    {CLI_OPTION("afd-above", "BYTES", DC), CLI_AT(CLI_SIZE, cli_datacentre, dc.memory.afd_above),
     CLI_FROM(0, SWQ_DC_MOST_MEMORY), .takers = {{&by_admission, takes_afd}},
     .key = "afd_above_bytes", .costless = true, .says = "random losses above %",
     .about = "the length above which a queue loses packets at random",
     CLI_DEFAULTS({FULL "ib", "150KiB", "what the vendor recommends for 10 Gbit/s"})},
    {CLI_OPTION("expel-every", "TIME", DC), CLI_AT(CLI_TIME, cli_datacentre, dc.memory.expel_every),
     CLI_FROM(1, SWQ_DC_MOST_TIME), .takers = {{&by_admission, takes_expel}},
     .key = "expel_every_ns", .costless = true, .says = "a cell expelled every %",
     .about = "the time in which the memory has bandwidth for one more cell",
     CLI_DEFAULTS({FULL "occamy", "160ns", "200 bytes at 10 Gbit/s"})},
    {CLI_OPTION("expel-bucket", "CELLS", DC),
     CLI_AT(CLI_INT, cli_datacentre, dc.memory.expel_bucket), CLI_FROM(1, 1000000000),
     .takers = {{&by_admission, takes_expel}}, .key = "expel_bucket_cells", .plain = "",
     .says = "a bucket of % cell~",
     .about = "cells that can be expelled at once, at most (default: 1500 bytes)",
     CLI_DEFAULTS({FULL "occamy", "1500", "the longest packet of an Ethernet, in cells"})},
    CLI_PARAMETERS_END,
};

static cli_parameter traffic_parameters[] = {
    {CLI_OPTION("ecn", "step:K|red:KMIN,KMAX,PMAX", DC), .costless = true, .as_given = true,
     .says = "marks %", .axis = CLI_AXIS_NONE,
     .about = "packets are marked above K bytes of their queue, or at random from KMIN to KMAX "
              "bytes (default: no packet is marked)",
     CLI_DEFAULTS({ASKED, "(none)", "marks are for senders that react"})},
    {CLI_OPTION("mark-at", "enqueue|dequeue", DC),
     CLI_AT(CLI_EITHER, cli_datacentre, dc.marking.at_dequeue), CLI_WORDS_OF("enqueue", "dequeue"),
     .key = "mark_at", .needs = {"ecn"}, .costless = true, .says = "marked at %",
     .about = "when --ecn looks at the queue",
     CLI_DEFAULTS({ASKED " --ecn step:30K", "enqueue", "as in most switches"})},
    {CLI_OPTION("arrivals", "poisson|slots|FILE", DC), .costless = true, .says = "arrivals %",
     .axis = CLI_AXIS_WORDS,
     .about = "packets come at random times, or in slots of the time that a line takes for one, or "
              "as lines time_ps,input,output,class,bytes of a file",
     CLI_DEFAULTS({ASKED, "poisson", "the usual model of many senders"})},
    {CLI_OPTION("packet-bytes", "BYTES[:SHARE,BYTES:SHARE...]", DC), .costless = true,
     .says = "packets of % bytes", .axis = CLI_AXIS_NONE,
     .about = "size of packets, or sizes with their shares",
     CLI_DEFAULTS({ASKED, "1500", "the longest packet of an Ethernet"})},
    {CLI_OPTION("class-shares", "F,F,...", DC), .costless = true, .says = "classes in shares %",
     .axis = CLI_AXIS_NONE,
     .about = "shares of packets that are of each class (default: equal shares); with --sender of "
              "the flows of --sizes (default: all of class 0)",
     CLI_DEFAULTS({ASKED " --classes 2", "(equal)", "a choice is needed"},
                  {HOSTS " --classes 2", "1,0", "as in the runs of ABM: one class has all data"})},
    {CLI_OPTION("spine-links", "K", DC), CLI_AT(CLI_INT, cli_datacentre, dc.network.spine_links),
     CLI_FROM(1, SWQ_DC_PORTS), .says = "% link~ between two switches",
     .about = "links between two switches that are joined",
     CLI_DEFAULTS({LEAVES, "1", "the plainest"})},
    {CLI_OPTION("spine-rate", "RATE", DC), CLI_AT(CLI_RATE, cli_datacentre, dc.network.spine_rate),
     CLI_FROM(SWQ_DC_LEAST_RATE, SWQ_DC_MOST_RATE), .says = "spine links of %",
     .about = "what a link between switches carries (default: as --rate)",
     CLI_DEFAULTS({LEAVES, "(rate)", "all links alike"})},
    {CLI_OPTION("delay", "TIME", DC), CLI_AT(CLI_TIME, cli_datacentre, dc.network.delay),
     CLI_FROM(0, SWQ_DC_MOST_TIME), .key = "link_delay_ns", .needs = {"sender"}, .costless = true,
     .says = "links of %", .about = "with --sender: the delay of each link",
     CLI_DEFAULTS({HOSTS, "1us", "200 m of fibre"})},
    {CLI_OPTION("spread", "ecmp|spray|adaptive|flowlet:GAP", DC), .costless = true,
     .says = "spread %", .as_given = true, .axis = CLI_AXIS_WORDS,
     .about = "networks: the link that a packet takes where several lead on: by a hash of its "
              "flow, drawn, the one with the shortest queue, or drawn when packets of a flow come "
              "later than the time GAP after one another",
     CLI_DEFAULTS({LEAVES, "ecmp", "as in data centres: a flow stays in order"})},
    {CLI_OPTION("sizes", "NAME|file:PATH|BYTES", DC), .needs = {"sender"}, .costless = true,
     .says = "flows of %", .axis = CLI_AXIS_WORDS, .list = "sizes",
     .about = "sizes of flows that begin at random times, at --load ('switchq list sizes')"},
    {CLI_OPTION("incast", "RATE,FANIN,SIZE[,CLASS]", DC), .needs = {"sender"}, .costless = true,
     .says = "incast %", .axis = CLI_AXIS_NONE,
     .about =
         "each host asks RATE times a second FANIN hosts, which send SIZE bytes together, a size "
         "or a percentage of the memory, in class CLASS or 0"},
    {CLI_OPTION("off", "TIME", DC), CLI_AT(CLI_TIME, cli_datacentre, dc.flows.off),
     CLI_FROM(1, SWQ_DC_MOST_TIME / 1000), .key = "off_ns", .needs = {"sender", "sizes"},
     .excludes = "load", .costless = true, .says = "silent for %",
     .about = "with --sizes, instead of --load: each host sends one flow at a time, and is silent "
              "for TIME on average between two"},
    {CLI_OPTION("flow-list", "[FORMAT:]FILE", DC), .needs = {"sender"}, .costless = true,
     .says = "flows of %", .axis = CLI_AXIS_WORDS,
     .about =
         "flows of a file: csv (start_ps,source,destination,bytes[,class][,after]), hpcc or htsim"},
    {CLI_OPTION("window", "PACKETS", DC), CLI_AT(CLI_INT, cli_datacentre, dc.network.window),
     CLI_FROM(1, 1000000), .key = "window_packets", .plain = "", .needs = {"sender"},
     .costless = true, .says = "a window of %",
     .about = "packets on their way of sender window, and at first of the others",
     CLI_DEFAULTS({HOSTS, "10", "as in RFC 6928"})},
    {CLI_OPTION("header", "BYTES", DC), CLI_AT(CLI_INT, cli_datacentre, dc.network.header),
     CLI_FROM(0, 10000), .key = "header_bytes", .plain = "", .needs = {"sender"}, .costless = true,
     .says = "headers of %", .about = "with --sender: bytes of a packet that are no payload",
     CLI_DEFAULTS({HOSTS, "40", "TCP and IP without options"})},
    {CLI_OPTION("ack-bytes", "BYTES", DC), CLI_AT(CLI_INT, cli_datacentre, dc.network.ack),
     CLI_FROM(1, 10000), .key = "ack_bytes", .plain = "", .needs = {"sender"}, .costless = true,
     .says = "acknowledgements of %", .about = "with --sender: size of an acknowledgement",
     CLI_DEFAULTS({HOSTS, "64", "the shortest packet of an Ethernet"})},
    {CLI_OPTION("least-timeout", "TIME", DC),
     CLI_AT(CLI_TIME, cli_datacentre, dc.network.least_timeout),
     CLI_FROM(1, SWQ_DC_MOST_TIME / 1000), .key = "least_timeout_ns", .needs = {"sender"},
     .costless = true, .says = "timeouts from %",
     .about = "with --sender: after this time without news, or a longer one by the round trips "
              "seen, packets are sent again",
     CLI_DEFAULTS({HOSTS, "10ms", "as in ABM's script"})},
    {CLI_OPTION("target-delay", "TIME", DC), CLI_AT(CLI_TIME, cli_datacentre, dc.network.target),
     CLI_FROM(1, SWQ_DC_MOST_TIME / 1000), .key = "target_delay_ns", .needs = {"sender"},
     .costless = true, .says = "a target of %",
     .about = "sender delay: what a round trip may take beyond the empty network's",
     CLI_DEFAULTS(
         {ASKED " --sender delay --sizes 9K", "50us", "some packets at each link of the way"})},
    {CLI_FLAG_OPTION("pfc", DC), .needs = {"sender", "headroom"}, .says = "priority flow control",
     .about = "with --sender: priority flow control: classes are lossless, as inputs pause their "
              "senders and have a --headroom"},
    {CLI_OPTION("lossless", "CLASS,CLASS,...", DC), .needs = {"pfc"}, .says = "lossless classes %",
     .axis = CLI_AXIS_NONE, .about = "pfc: the lossless classes (default: all)",
     CLI_DEFAULTS({PFC, "(all)", "a choice is needed"})},
    {CLI_OPTION("headroom", "SIZE", DC), CLI_AT(CLI_SIZE, cli_datacentre, dc.pfc.headroom),
     CLI_FROM(0, SWQ_DC_MOST_MEMORY), .key = "headroom_bytes", .needs = {"pfc"},
     .says = "headrooms of %",
     .about = "pfc: memory of each input and lossless class for what still comes after a pause "
              "('switchq formula pfc-headroom')"},
    {CLI_OPTION("pfc-alpha", "A", DC), CLI_AT(CLI_REAL, cli_datacentre, dc.pfc.alpha),
     CLI_FROM(1e-6, 1e6), .key = "pfc_alpha", .needs = {"pfc"}, .costless = true,
     .says = "inputs' alpha %",
     .about = "pfc: an input pauses when it holds more than A times the free shared memory",
     CLI_DEFAULTS({PFC, "1", "as in SONiC's model"})},
    {CLI_OPTION("pause-response", "TIME", DC), CLI_AT(CLI_TIME, cli_datacentre, dc.pfc.response),
     CLI_FROM(0, SWQ_DC_MOST_TIME / 1000), .key = "pause_response_ns", .needs = {"pfc"},
     .costless = true, .says = "pauses obeyed after %",
     .about = "pfc: from a pause frame's last bit until it is obeyed (default 0ns; 100G: 394 "
              "quanta of 512 "
              "bits, 2017.28ns)",
     CLI_DEFAULTS({PFC, "0ns", "a bound for real hardware must be given"})},
    {CLI_OPTION("pause-watchdog", "TIME[:TIME]", DC), .needs = {"pfc"}, .costless = true,
     .says = "a watchdog of %", .axis = CLI_AXIS_WORDS,
     .about = "pfc in networks: packets of an output are dropped after this time in pause without "
              "a break, until it has not been paused for the second TIME (default: the first)",
     CLI_DEFAULTS(
         {"sim --preset abm --headroom 1K --pfc --lossless 1", "(none)", "a choice is needed"})},
    {CLI_OPTION("duration", "TIME", DC), CLI_AT(CLI_TIME, cli_datacentre, options.duration),
     CLI_FROM(1, SWQ_DC_MOST_TIME), .axis = CLI_AXIS_NONE, .costless = true,
     .says = "measured for %", .aside = true, .about = "measured time of each replication",
     CLI_DEFAULTS({ASKED, "10ms", "8,000 packets of a busy line of 10 Gbit/s"})},
    {CLI_OPTION("flows-out", "[FORMAT:]FILE", DC), .needs = {"sender"}, .costless = true,
     .aside = true, .axis = CLI_AXIS_NONE,
     .about = "with --sender: write the flows of the first replication that began in the measured "
              "time: csv, those that are complete as lines "
              "number,start_ps,source,destination,bytes,class,end_ps,slowdown; hpcc or htsim, all "
              "as a list of flows of that simulator"},
    {CLI_OPTION("fates-out", "FILE", DC), .costless = true, .aside = true, .axis = CLI_AXIS_NONE,
     .about = "write what became of each packet of --arrivals FILE as lines "
              "number,fate,time_ps,marked"},
    CLI_PARAMETERS_END,
};

struct poptOption cli_datacentre_options[] = {
    CLI_PARAMETERS(switch_parameters),
    CLI_PARAMETERS(cli_dc_rule_parameters),
    CLI_PARAMETERS(traffic_parameters),
    POPT_TABLEEND,
};

/* Options of other networks that shared memories have, too. */
static const char *const shared[] = {
    "per-link",   "series",    "traffic",  "sender",       "architecture", "engine",   "ports",
    "load",       "admission", "alpha",    "queue-min",    "queue-max",    "ties",     "drop",
    "congested",  "oracle",    "warmup",   "replications", "threads",      "seed",     "json",
    "confidence", "csv",       "mem",      "cut-through",  "plot",         "topology", "panel",
    "x-range",    "y-range",   "log-axes", "time",         "watch",        "hosts",    "leaves",
    "spines",     NULL};

bool cli_datacentre_asked(void)
{
    const char *text = cli_text(cli_network_options, "architecture");

    if (!text)
        text = cli_text(cli_async_options, "architecture");
    return text && strcmp(text, "shared-memory") == 0;
}

static swq_status refuse_others(swq_context *ctx)
{
    static const struct poptOption *const tables[] = {cli_network_options,    cli_async_options,
                                                      cli_run_options,        cli_rare_options,
                                                      cli_sim_output_options, NULL};

    for (int k = 0; tables[k]; k++) {
        const char *other = cli_given_but(tables[k], shared);
        if (other)
            return swq_fail(ctx, SWQ_EINVAL, "--%s does not go with --architecture shared-memory",
                            other);
    }
    return SWQ_OK;
}

/* ---- answers ---- */

void cli_dc_put(cli_record *model, const cli_datacentre *d, const char *option)
{
    const struct poptOption *o = cli_option_named(cli_datacentre_options, option, strlen(option));

    cli_parameter_put(model, cli_parameter_of(o), option, d);
}

/* ---- reading ---- */

static swq_status read_run(swq_context *ctx, cli_datacentre *d)
{
    swq_dc_options *o = &d->options;
    const char *series = cli_text(cli_sim_output_options, "series");
    cli_run run = {.options = {.replications = o->replications,
                               .threads = o->threads,
                               .seed = o->seed,
                               .confidence = o->confidence}};
    swq_status status = cli_sim_format(ctx, &d->format);

    o->per_link = cli_given(cli_sim_output_options, "per-link");
    if (!status)
        status = cli_dc_read_units(ctx, "warmup", SWQ_UNITS_TIME, 0, SWQ_DC_MOST_TIME, &o->warmup);
    if (!status && series)
        status = swq_units_read(ctx, "--series", SWQ_UNITS_TIME, series, 1, SWQ_DC_MOST_TIME,
                                &o->series);
    if (!status)
        status = cli_run_numbers(ctx, &run);
    o->replications = run.options.replications;
    o->threads = run.options.threads;
    o->seed = run.options.seed;
    o->confidence = run.options.confidence;
    return status ? status : cli_memory_read(ctx);
}

/* Sizes of topologies, which are options of other networks, too. */
static swq_status read_sizes(swq_context *ctx, swq_dc_network *n)
{
    const struct {
        const char *option;
        int most, *to;
    } size[] = {{"leaves", 4096, &n->leaves},
                {"spines", SWQ_DC_PORTS, &n->spines},
                {"hosts", SWQ_DC_PORTS, &n->hosts}};
    swq_status status = SWQ_OK;

    for (int k = 0; k < 3 && !status; k++) {
        const char *text = cli_dc_given(size[k].option);
        if (text)
            status = cli_integer(ctx, size[k].option, text, 1, size[k].most, size[k].to);
    }
    return status;
}

/* Everything that is a row, after the topology and its ports, which set defaults. */
static swq_status read_rows(swq_context *ctx, cli_datacentre *d)
{
    const char *ports = cli_dc_given("ports");
    swq_status status = cli_refuse_lacking(ctx, cli_datacentre_options, cli_sim.options, DC);

    if (!status)
        status = cli_dc_read_topology(ctx, &d->dc);
    if (!status && ports)
        status = cli_integer(ctx, "ports", ports, 1, SWQ_DC_PORTS, &d->dc.ports);
    swq_dc_topology_preset(&d->dc);
    if (!status)
        status = cli_parameters_read(ctx, switch_parameters, d);
    if (!status)
        status = read_sizes(ctx, &d->dc.network);
    if (!status)
        status = cli_parameters_read(ctx, cli_dc_rule_parameters, d);
    return status ? status : cli_parameters_read(ctx, traffic_parameters, d);
}

static swq_status read_switch(swq_context *ctx, swq_dc *dc)
{
    const char *engine = cli_dc_given("engine");

    if (engine && strcmp(engine, "async") != 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--engine must be async with --architecture shared-memory, not '%.60s'",
                        engine);
    swq_status status = cli_dc_read_sender(ctx, dc);
    if (!status)
        status = cli_dc_refuse_without(ctx, dc);
    return status ? status : cli_dc_read_spread(ctx, &dc->network);
}

swq_status cli_datacentre_read_switch(swq_context *ctx, cli_datacentre *d)
{
    *d = (cli_datacentre){.dc = swq_dc_defaults(), .options = swq_dc_options_defaults()};
    swq_status status = refuse_others(ctx);

    if (!status)
        status = read_rows(ctx, d);
    if (!status)
        status = read_switch(ctx, &d->dc);
    if (!status)
        status = cli_dc_read_graph(ctx, d);
    if (!status)
        status = cli_dc_read_memory(ctx, d);
    if (!status)
        status = cli_dc_read_rule(ctx, &d->dc);
    if (!status)
        status = cli_refuse_idle(ctx, cli_datacentre_options, &by_admission, d);
    if (!status)
        status = cli_dc_read_admission(ctx, &d->dc);
    if (!status)
        status = cli_dc_read_quanta(ctx, &d->dc);
    if (!status)
        status = cli_dc_read_cut_through(ctx, &d->dc);
    if (!status)
        status = cli_dc_read_marks(ctx, &d->dc);
    return status ? status : cli_dc_read_pfc(ctx, &d->dc);
}

swq_status cli_datacentre_read(swq_context *ctx, cli_datacentre *d)
{
    swq_status status = cli_datacentre_read_switch(ctx, d);

    if (!status)
        status = cli_dc_read_arrivals(ctx, d);
    if (!status)
        status = cli_dc_read_oracle(ctx, &d->dc);
    if (!status)
        status = read_run(ctx, d);
    return status ? status : swq_dc_check(ctx, &d->dc, &d->options);
}

void cli_datacentre_clear(swq_context *ctx, cli_datacentre *d)
{
    swq_dc_trace_free(ctx, d->trace);
    swq_free(ctx, d->fate);
    swq_dc_graph_free(ctx, d->graph);
    d->trace = NULL;
    d->fate = NULL;
    d->graph = NULL;
}
