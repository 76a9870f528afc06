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
#define TREE   ASKED " --sender open --sizes 9K --topology fat-tree"
#define PFC    HOSTS " --headroom 9K --pfc"

static cli_parameter parameters[] = {
    {CLI_OPTION("rate", "RATE", DC), .says = "lines of %", .axis = CLI_AXIS_WORDS,
     .about = "what a line carries, such as 10G, 25Gbps or 400Mb/s (default 10G)",
     CLI_DEFAULTS({ASKED, "10G", "the slowest lines of the literature"})},
    {CLI_OPTION("memory", "SIZE[/port[/Gbps]]", DC), .says = "a memory of %",
     .axis = CLI_AXIS_WORDS,
     .about = "memory of a switch: 2MB, 256K/port, or 5.12K/port/Gbps (default 1MB)",
     CLI_DEFAULTS({ASKED, "1MB", "small enough to be full at times"})},
    {CLI_OPTION("memories", "N", DC), .says = "% memories a switch", .plain = "1",
     .axis = CLI_AXIS_NUMBERS,
     .about = "memories of a switch, each with an equal share of --memory and of its outputs, in "
              "their order; rules of admission see one alone (default 1)",
     CLI_DEFAULTS({ASKED, "1", "one for all, as small chips have"})},
    {CLI_OPTION("cell", "BYTES", DC), .says = "cells of % byte~", .axis = CLI_AXIS_NUMBERS,
     .about = "a packet takes whole cells of the memory (default 1)",
     CLI_DEFAULTS({ASKED, "1", "as in simulators; chips have 80 to 256 bytes"})},
    {CLI_OPTION("classes", "Q", DC), .says = "% queue~ a port", .axis = CLI_AXIS_NUMBERS,
     .about = "classes of packets, each with a queue at every port, 1 to 8 (default 1)",
     CLI_DEFAULTS({ASKED, "1", "one queue for each port"})},
    {CLI_OPTION("schedule", "fifo|priority|round-robin|drr", DC), .says = "schedule %",
     .axis = CLI_AXIS_WORDS,
     .about = "the class that a port sends next: that of the oldest packet, the lowest number, in "
              "turn, or by deficit round robin with --quantum (default fifo)",
     CLI_DEFAULTS({ASKED " --classes 2", "fifo", "classes are then for the memory alone"})},
    {CLI_OPTION("quantum", "BYTES[,BYTES...]", DC), .says = "quanta of %", .axis = CLI_AXIS_NONE,
     .about = "schedule drr: what a class may send in its turn, one number or one for each class "
              "(default 1500)",
     CLI_DEFAULTS(
         {ASKED " --classes 2 --schedule drr", "1500", "the longest packet of an Ethernet"})},
    {CLI_OPTION("cut-after", "BYTES", DC), .costless = true, .says = "going on after % byte~",
     .axis = CLI_AXIS_NUMBERS,
     .about =
         "cut-through on: the header, after which a packet goes on; shorter packets, and those "
         "for a faster line, go on when all of them has come (default 64)",
     CLI_DEFAULTS({ASKED " --cut-through on", "64", "the shortest packet of an Ethernet"})},
    {CLI_OPTION("class-alpha", "A,A,...", DC), .says = "alphas %", .axis = CLI_AXIS_NONE,
     .about = "dynamic thresholds of the classes, instead of one --alpha"},
    {CLI_OPTION("test", "before|after", DC), .costless = true, .says = "thresholds tested %",
     .axis = CLI_AXIS_WORDS,
     .about =
         "threshold, abm, fab, ib, occamy, reverie: what is compared with a threshold: the queue "
         "before the packet comes, or with it (default before)",
     CLI_DEFAULTS({FULL "threshold", "before", "as Choudhury and Hahne have it"})},
    {CLI_OPTION("arriving", "counted|uncounted", DC), .costless = true, .says = "arriving packet %",
     .axis = CLI_AXIS_WORDS,
     .about = "lqd: is the packet that comes counted with its own queue (default counted)",
     CLI_DEFAULTS({FULL "lqd", "counted", "as in theory"})},
    {CLI_OPTION("drain-interval", "TIME", DC), .says = "drain rates every %",
     .axis = CLI_AXIS_WORDS,
     .about = "abm: the time between looks at drain rates and congested queues, 1us or more "
              "(default 80us)",
     CLI_DEFAULTS({FULL "abm", "80us", "eight links of 10 us, as in the authors' own runs"})},
    {CLI_OPTION("first-alpha", "A", DC), .costless = true, .says = "alpha % for new flows",
     .axis = CLI_AXIS_NUMBERS,
     .about = "abm, reverie: alpha of packets of a flow's first round trip; fab: of flows that "
              "are new (default 1024)",
     CLI_DEFAULTS({FULL "abm", "1024", "as in the authors' program"})},
    {CLI_OPTION("new-flow", "BYTES", DC), .costless = true, .says = "flows new for % byte~",
     .axis = CLI_AXIS_WORDS,
     .about = "fab: a flow that has sent fewer bytes since its last pause is new (default 22500B)",
     CLI_DEFAULTS({FAB, "22500B", "15 packets, as in the program of ABM's authors"})},
    {CLI_OPTION("flow-pause", "TIME", DC), .costless = true, .says = "pauses of %",
     .axis = CLI_AXIS_WORDS,
     .about = "fab: a flow that is silent for longer pauses, and is new again (default 5ms)",
     CLI_DEFAULTS({FAB, "5ms", "as in the program of ABM's authors"})},
    {CLI_OPTION("gamma", "G", DC), .costless = true, .says = "averages with gamma %",
     .axis = CLI_AXIS_NUMBERS,
     .about = "reverie: the weight of the past in averages of lengths, 0 or more and below 1 "
              "(default 0.999)",
     CLI_DEFAULTS({FULL "reverie", "0.999", "as in the authors' own runs"})},
    {CLI_OPTION("afd-interval", "TIME", DC), .says = "fair rates every %", .axis = CLI_AXIS_WORDS,
     .about = "ib: the window in which arrivals are counted (default 50us)",
     CLI_DEFAULTS({FULL "ib", "50us", "as in the runs of ABM"})},
    {CLI_OPTION("afd-length", "BYTES", DC), .costless = true, .says = "queues steered to %",
     .axis = CLI_AXIS_WORDS,
     .about = "ib: the length to which fair rates steer a queue (default 100KB)",
     CLI_DEFAULTS({FULL "ib", "100KB",
                   "a round trip of 80 us at 10 Gbit/s, as in the runs of "
                   "ABM"})},
    {CLI_OPTION("afd-above", "BYTES", DC), .costless = true, .says = "random losses above %",
     .axis = CLI_AXIS_WORDS,
     .about = "ib: the length above which a queue loses packets at random (default 150KiB)",
     CLI_DEFAULTS({FULL "ib", "150KiB", "what the vendor recommends for 10 Gbit/s"})},
    {CLI_OPTION("expel-every", "TIME", DC), .costless = true, .says = "a cell expelled every %",
     .axis = CLI_AXIS_WORDS,
     .about = "occamy: the time in which the memory has bandwidth for one more cell (default "
              "160ns)",
     CLI_DEFAULTS({FULL "occamy", "160ns", "200 bytes at 10 Gbit/s"})},
    {CLI_OPTION("expel-bucket", "CELLS", DC), .says = "a bucket of % cell~",
     .axis = CLI_AXIS_NUMBERS,
     .about = "occamy: cells that can be expelled at once, at most (default: 1500 bytes)",
     CLI_DEFAULTS({FULL "occamy", "1500", "the longest packet of an Ethernet, in cells"})},
    {CLI_OPTION("ecn", "step:K|red:KMIN,KMAX,PMAX", DC), .costless = true, .as_given = true,
     .says = "marks %", .axis = CLI_AXIS_NONE,
     .about = "packets are marked above K bytes of their queue, or at random from KMIN to KMAX "
              "bytes (default: no packet is marked)",
     CLI_DEFAULTS({ASKED, "(none)", "marks are for senders that react"})},
    {CLI_OPTION("mark-at", "enqueue|dequeue", DC), .costless = true, .says = "marked at %",
     .axis = CLI_AXIS_WORDS, .about = "when --ecn looks at the queue (default enqueue)",
     CLI_DEFAULTS({ASKED " --ecn step:30K", "enqueue", "as in most switches"})},
    {CLI_OPTION("arrivals", "poisson|slots|FILE", DC), .costless = true, .says = "arrivals %",
     .axis = CLI_AXIS_WORDS,
     .about = "packets come at random times, or in slots of the time that a line takes for one, or "
              "as lines "
              "time_ps,input,output,class,bytes of a file (default poisson)",
     CLI_DEFAULTS({ASKED, "poisson", "the usual model of many senders"})},
    {CLI_OPTION("packet-bytes", "BYTES[:SHARE,BYTES:SHARE...]", DC), .costless = true,
     .says = "packets of % bytes", .axis = CLI_AXIS_NONE,
     .about = "size of packets, or sizes with their shares (default 1500)",
     CLI_DEFAULTS({ASKED, "1500", "the longest packet of an Ethernet"})},
    {CLI_OPTION("class-shares", "F,F,...", DC), .costless = true, .says = "classes in shares %",
     .axis = CLI_AXIS_NONE,
     .about = "shares of packets that are of each class (default: equal shares); with --sender of "
              "the flows of --sizes (default: all of class 0)",
     CLI_DEFAULTS({ASKED " --classes 2", "(equal)", "a choice is needed"},
                  {HOSTS " --classes 2", "1,0", "as in the runs of ABM: one class has all data"})},
    {CLI_OPTION("leaves", "L", DC), .says = "% lea~", .axis = CLI_AXIS_NUMBERS,
     .about = "switches with hosts ('switchq list host-topologies'; default 2)",
     CLI_DEFAULTS({LEAVES, "2", "as in the runs of ABM"})},
    {CLI_OPTION("spines", "S", DC), .says = "% spine~", .axis = CLI_AXIS_NUMBERS,
     .about = "switches that join all leaves (default 2)",
     CLI_DEFAULTS({LEAVES, "2", "as in the runs of ABM"})},
    {CLI_OPTION("hosts", "P", DC), .says = "% host~ at a switch", .axis = CLI_AXIS_NUMBERS,
     .about = "hosts of each switch that has some ('switchq list host-topologies'; default 16, "
              "fat-tree: half of --ports)",
     CLI_DEFAULTS({LEAVES, "16", "half of those in the runs of ABM"},
                  {TREE, "(half)", "as many as links upwards"})},
    {CLI_OPTION("spine-links", "K", DC), .says = "% link~ between two switches",
     .axis = CLI_AXIS_NUMBERS, .about = "links between two switches that are joined (default 1)",
     CLI_DEFAULTS({LEAVES, "1", "the plainest"})},
    {CLI_OPTION("spine-rate", "RATE", DC), .says = "spine links of %", .axis = CLI_AXIS_WORDS,
     .about = "what a link between switches carries (default: as --rate)",
     CLI_DEFAULTS({LEAVES, "(rate)", "all links alike"})},
    {CLI_OPTION("delay", "TIME", DC), .costless = true, .says = "links of %",
     .axis = CLI_AXIS_WORDS, .about = "with --sender: the delay of each link (default 1us)",
     CLI_DEFAULTS({HOSTS, "1us", "200 m of fibre"})},
    {CLI_OPTION("spread", "ecmp|spray|adaptive|flowlet:GAP", DC), .costless = true,
     .says = "spread %", .as_given = true, .axis = CLI_AXIS_WORDS,
     .about = "networks: the link that a packet takes where several lead on: by a hash of its "
              "flow, drawn, the one with the shortest queue, or drawn when packets of a flow come "
              "later than the time GAP after one another (default ecmp)",
     CLI_DEFAULTS({LEAVES, "ecmp", "as in data centres: a flow stays in order"})},
    {CLI_OPTION("sizes", "NAME|file:PATH|BYTES", DC), .costless = true, .says = "flows of %",
     .axis = CLI_AXIS_WORDS, .list = "sizes",
     .about = "sizes of flows that begin at random times, at --load ('switchq list sizes')"},
    {CLI_OPTION("incast", "RATE,FANIN,SIZE[,CLASS]", DC), .costless = true, .says = "incast %",
     .axis = CLI_AXIS_NONE,
     .about =
         "each host asks RATE times a second FANIN hosts, which send SIZE bytes together, a size "
         "or a percentage of the memory, in class CLASS or 0"},
    {CLI_OPTION("off", "TIME", DC), .costless = true, .says = "silent for %",
     .axis = CLI_AXIS_WORDS,
     .about = "with --sizes, instead of --load: each host sends one flow at a time, and is silent "
              "for TIME on average between two"},
    {CLI_OPTION("flow-list", "[FORMAT:]FILE", DC), .costless = true, .says = "flows of %",
     .axis = CLI_AXIS_WORDS,
     .about =
         "flows of a file: csv (start_ps,source,destination,bytes[,class][,after]), hpcc or htsim"},
    {CLI_OPTION("window", "PACKETS", DC), .costless = true, .says = "a window of %",
     .axis = CLI_AXIS_NUMBERS,
     .about = "packets on their way of sender window, and at first of the others (default 10)",
     CLI_DEFAULTS({HOSTS, "10", "as in RFC 6928"})},
    {CLI_OPTION("header", "BYTES", DC), .costless = true, .says = "headers of %",
     .axis = CLI_AXIS_NUMBERS,
     .about = "with --sender: bytes of a packet that are no payload (default 40)",
     CLI_DEFAULTS({HOSTS, "40", "TCP and IP without options"})},
    {CLI_OPTION("ack-bytes", "BYTES", DC), .costless = true, .says = "acknowledgements of %",
     .axis = CLI_AXIS_NUMBERS, .about = "with --sender: size of an acknowledgement (default 64)",
     CLI_DEFAULTS({HOSTS, "64", "the shortest packet of an Ethernet"})},
    {CLI_OPTION("least-timeout", "TIME", DC), .costless = true, .says = "timeouts from %",
     .axis = CLI_AXIS_WORDS,
     .about = "with --sender: after this time without news, or a longer one by the round trips "
              "seen, packets are "
              "sent again (default 10ms)",
     CLI_DEFAULTS({HOSTS, "10ms", "as in ABM's script"})},
    {CLI_OPTION("target-delay", "TIME", DC), .costless = true, .says = "a target of %",
     .axis = CLI_AXIS_WORDS,
     .about = "sender delay: what a round trip may take beyond the empty network's (default 50us)",
     CLI_DEFAULTS(
         {ASKED " --sender delay --sizes 9K", "50us", "some packets at each link of the way"})},
    {CLI_FLAG_OPTION("pfc", DC), .says = "priority flow control",
     .about = "with --sender: priority flow control: classes are lossless, as inputs pause their "
              "senders and have a --headroom"},
    {CLI_OPTION("lossless", "CLASS,CLASS,...", DC), .says = "lossless classes %",
     .axis = CLI_AXIS_NONE, .about = "pfc: the lossless classes (default: all)",
     CLI_DEFAULTS({PFC, "(all)", "a choice is needed"})},
    {CLI_OPTION("headroom", "SIZE", DC), .says = "headrooms of %", .axis = CLI_AXIS_WORDS,
     .about = "pfc: memory of each input and lossless class for what still comes after a pause "
              "('switchq formula pfc-headroom')"},
    {CLI_OPTION("pfc-alpha", "A", DC), .costless = true, .says = "inputs' alpha %",
     .axis = CLI_AXIS_NUMBERS,
     .about =
         "pfc: an input pauses when it holds more than A times the free shared memory (default 1)",
     CLI_DEFAULTS({PFC, "1", "as in SONiC's model"})},
    {CLI_OPTION("pause-response", "TIME", DC), .costless = true, .says = "pauses obeyed after %",
     .axis = CLI_AXIS_WORDS,
     .about = "pfc: from a pause frame's last bit until it is obeyed (default 0ns; 100G: 394 "
              "quanta of 512 "
              "bits, 2017.28ns)",
     CLI_DEFAULTS({PFC, "0ns", "a bound for real hardware must be given"})},
    {CLI_OPTION("pause-watchdog", "TIME[:TIME]", DC), .costless = true, .says = "a watchdog of %",
     .axis = CLI_AXIS_WORDS,
     .about = "pfc in networks: packets of an output are dropped after this time in pause without "
              "a break, until it has not been paused for the second TIME (default: the first)",
     CLI_DEFAULTS(
         {"sim --preset abm --headroom 1K --pfc --lossless 1", "(none)", "a choice is needed"})},
    {CLI_OPTION("duration", "TIME", DC), .costless = true, .says = "measured for %", .aside = true,
     .axis = CLI_AXIS_NONE, .about = "measured time of each replication (default 10ms)",
     CLI_DEFAULTS({ASKED, "10ms", "8,000 packets of a busy line of 10 Gbit/s"})},
    {CLI_OPTION("flows-out", "[FORMAT:]FILE", DC), .costless = true, .aside = true,
     .axis = CLI_AXIS_NONE,
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
    CLI_PARAMETERS(parameters),
    POPT_TABLEEND,
};

/* Options of other networks that shared memories have, too. */
static const char *const shared[] = {
    "per-link",   "series",    "traffic",  "sender",       "architecture", "engine",   "ports",
    "load",       "admission", "alpha",    "queue-min",    "queue-max",    "ties",     "drop",
    "congested",  "oracle",    "warmup",   "replications", "threads",      "seed",     "json",
    "confidence", "csv",       "mem",      "cut-through",  "plot",         "topology", "panel",
    "x-range",    "y-range",   "log-axes", "time",         "watch",        NULL};

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

/* ---- the run ---- */

static swq_status read_run(swq_context *ctx, cli_datacentre *d)
{
    swq_dc_options *o = &d->options;
    double seconds = 0;
    swq_status status = SWQ_OK;

    d->format = cli_given(cli_sim_output_options, "json")  ? CLI_JSON
                : cli_given(cli_sim_output_options, "csv") ? CLI_CSV
                                                           : CLI_TEXT;
    o->per_link = cli_given(cli_sim_output_options, "per-link");
    if (cli_given(cli_sim_output_options, "json") && cli_given(cli_sim_output_options, "csv"))
        return swq_fail(ctx, SWQ_EINVAL, "--json and --csv cannot both be given");
    status = cli_dc_read_units(ctx, "warmup", SWQ_UNITS_TIME, 0, SWQ_DC_MOST_TIME, &o->warmup);
    if (!status)
        status =
            cli_dc_read_units(ctx, "duration", SWQ_UNITS_TIME, 1, SWQ_DC_MOST_TIME, &o->duration);
    if (!status && cli_text(cli_sim_output_options, "series"))
        status = swq_units_read(ctx, "--series", SWQ_UNITS_TIME,
                                cli_text(cli_sim_output_options, "series"), 1, SWQ_DC_MOST_TIME,
                                &o->series);
    if (!status && cli_dc_given("replications"))
        status = cli_integer(ctx, "replications", cli_dc_given("replications"), 1,
                             SWQ_MAX_REPLICATIONS, &o->replications);
    if (!status && cli_dc_given("threads"))
        status =
            cli_integer(ctx, "threads", cli_dc_given("threads"), 1, SWQ_MAX_THREADS, &o->threads);
    if (!status && cli_dc_given("seed"))
        status = cli_big(ctx, "seed", cli_dc_given("seed"), 0, 9.2e18, &o->seed);
    if (!status && cli_dc_given("confidence"))
        status =
            cli_number(ctx, "confidence", cli_dc_given("confidence"), .5, .9999, &o->confidence);
    if (!status && cli_dc_given("time")) {
        status = cli_number(ctx, "time", cli_dc_given("time"), 1e-3, 1e9, &seconds);
        if (!status)
            swq_context_limit_time(ctx, seconds);
    }
    return status ? status : cli_memory_read(ctx);
}

static swq_status read_switch(swq_context *ctx, swq_dc *dc)
{
    const char *engine = cli_dc_given("engine");
    swq_status status = cli_dc_read_topology(ctx, dc);

    if (status)
        return status;
    if (engine && strcmp(engine, "async") != 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--engine must be async with --architecture shared-memory, not '%.60s'",
                        engine);
    if (cli_dc_given("classes"))
        status =
            cli_integer(ctx, "classes", cli_dc_given("classes"), 1, SWQ_DC_CLASSES, &dc->classes);
    if (!status)
        status = cli_dc_read_sender(ctx, dc);
    if (!status)
        status = cli_dc_refuse_without(ctx, dc);
    if (!status && cli_dc_given("ports"))
        status = cli_integer(ctx, "ports", cli_dc_given("ports"), 1, SWQ_DC_PORTS, &dc->ports);
    if (!status)
        status = cli_dc_read_units(ctx, "rate", SWQ_UNITS_RATE, SWQ_DC_LEAST_RATE, SWQ_DC_MOST_RATE,
                                   &dc->rate);
    return status;
}

swq_status cli_datacentre_read_switch(swq_context *ctx, cli_datacentre *d)
{
    *d = (cli_datacentre){.dc = swq_dc_defaults(), .options = swq_dc_options_defaults()};
    swq_status status = refuse_others(ctx);

    if (!status)
        status = read_switch(ctx, &d->dc);
    if (!status)
        status = cli_dc_read_leaves(ctx, &d->dc);
    if (!status)
        status = cli_dc_read_hosts(ctx, &d->dc);
    if (!status)
        status = cli_dc_read_graph(ctx, d);
    if (!status)
        status = cli_dc_read_memory(ctx, d);
    if (!status)
        status = cli_dc_read_admission(ctx, &d->dc);
    if (!status)
        status = cli_dc_read_schedule(ctx, &d->dc);
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
