/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of switches with a shared memory.
 */
#include "base/context.h"
#include "base/names.h"
#include "cli/datacentre/datacentre.h"
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
#define HOSTS  ASKED " --sender dctcp --sizes 20000"
#define LEAVES HOSTS " --topology leaf-spine"
#define PFC    HOSTS " --memory 300K --headroom 10K --pfc"

static const char *const on_words[] = {"enqueue", "dequeue", NULL};
static const char *const counted_words[] = {"counted", "uncounted", NULL};

static cli_parameter parameters[] = {
    {CLI_OPTION("rate", "RATE", DC), .says = "lines of %", .axis = CLI_AXIS_WORDS,
     .about = "what a line carries, such as 10G, 25Gbps or 400Mb/s (default 10G)",
     CLI_DEFAULTS({ASKED, "10G", "the slowest lines of the literature"})},
    {CLI_OPTION("memory", "SIZE[/port[/Gbps]]", DC), .says = "a memory of %",
     .axis = CLI_AXIS_WORDS,
     .about = "memory of a switch: 2MB, 256K/port, or 5.12K/port/Gbps (default 1MB)",
     CLI_DEFAULTS({ASKED, "1MB", "small enough to be full at times"})},
    {CLI_OPTION("cell", "BYTES", DC), .says = "cells of % bytes", .axis = CLI_AXIS_NUMBERS,
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
    {CLI_OPTION("class-alpha", "A,A,...", DC), .says = "alphas %", .axis = CLI_AXIS_NONE,
     .about = "dynamic thresholds of the classes, instead of one --alpha"},
    {CLI_OPTION("test", "before|after", DC), .says = "thresholds tested %", .axis = CLI_AXIS_WORDS,
     .about = "threshold, abm, occamy: what is compared with a threshold: the queue before the "
              "packet comes, or with it (default before)",
     CLI_DEFAULTS({FULL "threshold", "before", "as Choudhury and Hahne have it"})},
    {CLI_OPTION("arriving", "counted|uncounted", DC), .says = "arriving packet %",
     .axis = CLI_AXIS_WORDS,
     .about = "lqd: is the packet that comes counted with its own queue (default counted)",
     CLI_DEFAULTS({FULL "lqd", "counted", "as in theory"})},
    {CLI_OPTION("drain-interval", "TIME", DC), .says = "drain rates every %",
     .axis = CLI_AXIS_WORDS,
     .about = "abm: the time between looks at drain rates and congested queues (default 80us)",
     CLI_DEFAULTS({FULL "abm", "80us", "eight links of 10 us, as in the authors' own runs"})},
    {CLI_OPTION("expel-every", "TIME", DC), .says = "a cell expelled every %",
     .axis = CLI_AXIS_WORDS,
     .about = "occamy: the time in which the memory has bandwidth for one more cell (default "
              "160ns)",
     CLI_DEFAULTS({FULL "occamy", "160ns", "200 bytes at 10 Gbit/s"})},
    {CLI_OPTION("expel-bucket", "CELLS", DC), .says = "a bucket of % cells",
     .axis = CLI_AXIS_NUMBERS,
     .about = "occamy: cells that can be expelled at once, at most (default: 1500 bytes)",
     CLI_DEFAULTS({FULL "occamy", "1500", "the longest packet of an Ethernet, in cells"})},
    {CLI_OPTION("ecn", "step:K|red:KMIN,KMAX,PMAX", DC), .says = "marks %", .axis = CLI_AXIS_NONE,
     .about = "packets are marked above K bytes of their queue, or at random from KMIN to KMAX "
              "bytes (default: no packet is marked)",
     CLI_DEFAULTS({ASKED, "(none)", "marks are for senders that react"})},
    {CLI_OPTION("mark-at", "enqueue|dequeue", DC), .says = "marked at %", .axis = CLI_AXIS_WORDS,
     .about = "when --ecn looks at the queue (default enqueue)",
     CLI_DEFAULTS({ASKED " --ecn step:30K", "enqueue", "as in most switches"})},
    {CLI_OPTION("arrivals", "poisson|slots|FILE", DC), .says = "arrivals %", .axis = CLI_AXIS_WORDS,
     .about = "packets come at random times, or in slots of the time that a line takes for one, or "
              "as lines "
              "time_ps,input,output,class,bytes of a file (default poisson)",
     CLI_DEFAULTS({ASKED, "poisson", "the usual model of many senders"})},
    {CLI_OPTION("packet-bytes", "BYTES[:SHARE,BYTES:SHARE...]", DC), .says = "packets of % bytes",
     .axis = CLI_AXIS_NONE, .about = "size of packets, or sizes with their shares (default 1500)",
     CLI_DEFAULTS({ASKED, "1500", "the longest packet of an Ethernet"})},
    {CLI_OPTION("class-shares", "F,F,...", DC), .says = "classes in shares %",
     .axis = CLI_AXIS_NONE,
     .about = "shares of packets that are of each class (default: equal shares)",
     CLI_DEFAULTS({ASKED " --classes 2", "(equal)", "a choice is needed"})},
    {CLI_OPTION("leaves", "L", DC), .says = "% leaves", .axis = CLI_AXIS_NUMBERS,
     .about = "leaf-spine: switches with hosts (default 2)",
     CLI_DEFAULTS({LEAVES, "2", "as in the runs of ABM"})},
    {CLI_OPTION("spines", "S", DC), .says = "% spines", .axis = CLI_AXIS_NUMBERS,
     .about = "leaf-spine: switches that join all leaves (default 2)",
     CLI_DEFAULTS({LEAVES, "2", "as in the runs of ABM"})},
    {CLI_OPTION("hosts", "P", DC), .says = "% hosts a leaf", .axis = CLI_AXIS_NUMBERS,
     .about = "leaf-spine: hosts of each leaf (default 16)",
     CLI_DEFAULTS({LEAVES, "16", "half of those in the runs of ABM"})},
    {CLI_OPTION("spine-links", "K", DC), .says = "% links to each spine", .axis = CLI_AXIS_NUMBERS,
     .about = "leaf-spine: links from each leaf to each spine (default 1)",
     CLI_DEFAULTS({LEAVES, "1", "the plainest"})},
    {CLI_OPTION("spine-rate", "RATE", DC), .says = "spine links of %", .axis = CLI_AXIS_WORDS,
     .about = "leaf-spine: what a link between leaf and spine carries (default: as --rate)",
     CLI_DEFAULTS({LEAVES, "(rate)", "all links alike"})},
    {CLI_OPTION("delay", "TIME", DC), .says = "links of %", .axis = CLI_AXIS_WORDS,
     .about = "with --sender: the delay of each link (default 1us)",
     CLI_DEFAULTS({HOSTS, "1us", "200 m of fibre"})},
    {CLI_OPTION("spread", "ecmp|spray|adaptive", DC), .says = "spread %", .axis = CLI_AXIS_WORDS,
     .about = "leaf-spine: the link that a packet takes where several lead on: by a hash of its "
              "flow, drawn, or the one with the shortest queue (default ecmp)",
     CLI_DEFAULTS({LEAVES, "ecmp", "as in data centres: a flow stays in order"})},
    {CLI_OPTION("sizes", "NAME|file:PATH|BYTES", DC), .says = "flows of %", .axis = CLI_AXIS_WORDS,
     .list = "sizes",
     .about = "sizes of flows that begin at random times, at --load ('switchq list sizes')"},
    {CLI_OPTION("incast", "RATE,FANIN,SIZE", DC), .says = "incast %", .axis = CLI_AXIS_NONE,
     .about =
         "each host asks RATE times a second FANIN hosts, which send SIZE bytes together, a size "
         "or a percentage of the memory"},
    {CLI_OPTION("flow-list", "[FORMAT:]FILE", DC), .says = "flows of %", .axis = CLI_AXIS_WORDS,
     .about =
         "flows of a file: csv (start_ps,source,destination,bytes[,class][,after]), hpcc or htsim"},
    {CLI_OPTION("window", "PACKETS", DC), .says = "a window of %", .axis = CLI_AXIS_NUMBERS,
     .about = "packets on their way of sender window, and at first of the others (default 10)",
     CLI_DEFAULTS({HOSTS, "10", "as in RFC 6928"})},
    {CLI_OPTION("header", "BYTES", DC), .says = "headers of %", .axis = CLI_AXIS_NUMBERS,
     .about = "with --sender: bytes of a packet that are no payload (default 40)",
     CLI_DEFAULTS({HOSTS, "40", "TCP and IP without options"})},
    {CLI_OPTION("ack-bytes", "BYTES", DC), .says = "acknowledgements of %",
     .axis = CLI_AXIS_NUMBERS, .about = "with --sender: size of an acknowledgement (default 64)",
     CLI_DEFAULTS({HOSTS, "64", "the shortest packet of an Ethernet"})},
    {CLI_OPTION("least-timeout", "TIME", DC), .says = "timeouts from %", .axis = CLI_AXIS_WORDS,
     .about = "with --sender: after this time without news, or a longer one by the round trips "
              "seen, packets are "
              "sent again (default 10ms)",
     CLI_DEFAULTS({HOSTS, "10ms", "as in ABM's script"})},
    {CLI_OPTION("target-delay", "TIME", DC), .says = "a target of %", .axis = CLI_AXIS_WORDS,
     .about = "sender delay: what a round trip may take beyond the empty network's (default 50us)",
     CLI_DEFAULTS(
         {ASKED " --sender delay --sizes 20000", "50us", "some packets at each link of the way"})},
    {CLI_FLAG_OPTION("pfc", DC), .says = "priority flow control",
     .about = "with --sender: priority flow control: classes are lossless, as inputs pause their "
              "senders and have a --headroom"},
    {CLI_OPTION("lossless", "CLASS,CLASS,...", DC), .says = "lossless classes %",
     .axis = CLI_AXIS_NONE, .about = "pfc: the lossless classes (default: all)",
     CLI_DEFAULTS({PFC, "(all)", "a choice is needed"})},
    {CLI_OPTION("headroom", "SIZE", DC), .says = "headrooms of %", .axis = CLI_AXIS_WORDS,
     .about = "pfc: memory of each input and lossless class for what still comes after a pause "
              "('switchq formula pfc-headroom')"},
    {CLI_OPTION("pfc-alpha", "A", DC), .says = "inputs' alpha %", .axis = CLI_AXIS_NUMBERS,
     .about =
         "pfc: an input pauses when it holds more than A times the free shared memory (default 1)",
     CLI_DEFAULTS({PFC, "1", "as in SONiC's model"})},
    {CLI_OPTION("pause-response", "TIME", DC), .says = "pauses obeyed after %",
     .axis = CLI_AXIS_WORDS,
     .about = "pfc: from a pause frame's last bit until it is obeyed (default 0ns; 100G: 394 "
              "quanta of 512 "
              "bits, 2017.28ns)",
     CLI_DEFAULTS({PFC, "0ns", "a bound for real hardware must be given"})},
    {CLI_OPTION("duration", "TIME", DC), .says = "measured for %", .aside = true,
     .axis = CLI_AXIS_NONE, .about = "measured time of each replication (default 10ms)",
     CLI_DEFAULTS({ASKED, "10ms", "8,000 packets of a busy line of 10 Gbit/s"})},
    {CLI_OPTION("flows-out", "FILE", DC), .aside = true, .axis = CLI_AXIS_NONE,
     .about = "with --sender: write the flows of the first replication that began in the measured "
              "time and are complete as lines "
              "number,start_ps,source,destination,bytes,class,end_ps,slowdown"},
    {CLI_OPTION("fates-out", "FILE", DC), .aside = true, .axis = CLI_AXIS_NONE,
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
    "sender",     "architecture", "engine",       "ports",   "load",     "admission",
    "alpha",      "queue-min",    "queue-max",    "ties",    "drop",     "congested",
    "oracle",     "warmup",       "replications", "threads", "seed",     "json",
    "confidence", "csv",          "mem",          "plot",    "topology", "panel",
    "x-range",    "y-range",      "log-axes",     "time",    NULL};

bool cli_datacentre_asked(void)
{
    const char *text = cli_text(cli_network_options, "architecture");

    if (!text)
        text = cli_text(cli_async_options, "architecture");
    return text && strcmp(text, "shared-memory") == 0;
}

static const char *given(const char *option)
{
    const struct poptOption *const tables[] = {cli_datacentre_options, cli_network_options,
                                               cli_run_options, cli_async_options};
    const char *text = NULL;

    for (size_t k = 0; k < sizeof tables / sizeof *tables && !text; k++)
        text = cli_text(tables[k], option);
    return text;
}

static swq_status refuse_others(swq_context *ctx)
{
    static const struct poptOption *const tables[] = {cli_network_options, cli_async_options,
                                                      cli_run_options, cli_rare_options,
                                                      cli_sim_output_options};

    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        const char *other = cli_given_but(tables[k], shared);
        if (other)
            return swq_fail(ctx, SWQ_EINVAL, "--%s does not go with --architecture shared-memory",
                            other);
    }
    return SWQ_OK;
}

/* ---- lists ---- */

/* A comma-separated list of 1 to `most` numbers from `least` to `greatest`. */
static swq_status read_list(swq_context *ctx, const char *option, const char *text, double least,
                            double greatest, int most, double *value, int *count)
{
    char word[64];

    *count = 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        if (*count == most || length >= sizeof word)
            return swq_fail(ctx, SWQ_EINVAL, "--%s takes up to %d numbers, not '%.60s'", option,
                            most, text);
        memcpy(word, at, length);
        word[length] = '\0';
        const swq_status status =
            cli_number(ctx, option, word, least, greatest, &value[(*count)++]);
        if (status)
            return status;
        at += length;
        if (!*at)
            return SWQ_OK;
    }
}

/* One number for all, or one for each of `count`. */
static swq_status read_each(swq_context *ctx, const char *option, const char *things, double least,
                            double greatest, int count, double *value)
{
    int found = 0;
    swq_status status =
        read_list(ctx, option, given(option), least, greatest, count, value, &found);

    if (status)
        return status;
    if (found != 1 && found != count)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--%s takes one number, or one for each of the %d %s, not %d", option,
                        count, things, found);
    for (int k = found; k < count; k++)
        value[k] = value[0];
    return SWQ_OK;
}

static swq_status refuse_fractions(swq_context *ctx, const char *option, const double *value,
                                   int count)
{
    for (int k = 0; k < count; k++) {
        if (value[k] != floor(value[k]))
            return swq_fail(ctx, SWQ_EINVAL, "--%s takes whole numbers, not %g", option, value[k]);
    }
    return SWQ_OK;
}

/* ---- the memory ---- */

static swq_status read_units(swq_context *ctx, const char *option, swq_unit_kind kind,
                             uint64_t least, uint64_t most, uint64_t *value)
{
    char what[40];

    if (!given(option))
        return SWQ_OK;
    snprintf(what, sizeof what, "--%s", option);
    return swq_units_read(ctx, what, kind, given(option), least, most, value);
}

static swq_status read_memory(swq_context *ctx, swq_dc *dc)
{
    swq_memory_amount amount;
    const swq_dc_network *n = &dc->network;
    const char *text = given("memory");
    const uint64_t spine_rate = n->spine_rate ? n->spine_rate : dc->rate;
    uint64_t cell = dc->memory.cell, ports = (uint64_t)dc->ports, rates = ports * dc->rate;
    swq_status status = SWQ_OK;

    if (n->topology == SWQ_DC_LEAF_SPINE) {
        const uint64_t up = (uint64_t)(n->spines * n->spine_links);
        ports = (uint64_t)n->hosts + up;
        rates = (uint64_t)n->hosts * dc->rate + up * spine_rate;
    }
    if (text) {
        status = swq_units_memory_read(ctx, "--memory", text, &amount);
        if (!status)
            status = swq_units_memory_bytes(ctx, "--memory", &amount, ports, rates, 1,
                                            SWQ_DC_MOST_MEMORY, &dc->memory.bytes);
        const uint64_t down = (uint64_t)(n->leaves * n->spine_links);
        if (!status && n->topology == SWQ_DC_LEAF_SPINE)
            status = swq_units_memory_bytes(ctx, "--memory", &amount, down, down * spine_rate, 1,
                                            SWQ_DC_MOST_MEMORY, &dc->network.spine_bytes);
    }
    if (!status)
        status = read_units(ctx, "cell", SWQ_UNITS_SIZE, 1, 65536, &cell);
    dc->memory.cell = (uint32_t)cell;
    return status;
}

/* Refuses parameters that the rule does not take. */
static swq_status refuse_parameters(swq_context *ctx, const swq_admission_rule *rule)
{
    const struct {
        const char *option;
        unsigned bit;
    } of_rules[] = {
        {"alpha", SWQ_ADMISSION_ALPHA},         {"class-alpha", SWQ_ADMISSION_ALPHA},
        {"queue-max", SWQ_ADMISSION_QUEUE_MAX}, {"queue-min", SWQ_ADMISSION_QUEUE_MIN},
        {"ties", SWQ_ADMISSION_TIES},           {"drop", SWQ_ADMISSION_DROP},
        {"congested", SWQ_ADMISSION_CONGESTED}, {"expel-every", SWQ_ADMISSION_EXPEL},
        {"expel-bucket", SWQ_ADMISSION_EXPEL},  {"test", SWQ_DC_TAKES_TEST},
        {"arriving", SWQ_DC_TAKES_COUNTED},     {"drain-interval", SWQ_DC_TAKES_INTERVAL},
        {"oracle", SWQ_ADMISSION_ORACLE}};
    const unsigned takes = swq_dc_takes(rule);

    for (size_t k = 0; k < sizeof of_rules / sizeof *of_rules; k++) {
        if (given(of_rules[k].option) && !(takes & of_rules[k].bit))
            return swq_fail(ctx, SWQ_EINVAL, "--%s is not for --admission %s", of_rules[k].option,
                            rule->name);
    }
    if (takes & SWQ_ADMISSION_QUEUE_MAX && !given("queue-max"))
        return swq_fail(ctx, SWQ_EINVAL, "--queue-max is required for --admission %s", rule->name);
    if (rule == &swq_admission_minimum && !given("queue-min"))
        return swq_fail(ctx, SWQ_EINVAL, "--queue-min is required for --admission %s", rule->name);
    if (given("alpha") && given("class-alpha"))
        return swq_fail(ctx, SWQ_EINVAL, "--alpha and --class-alpha cannot both be given");
    return SWQ_OK;
}

static swq_status read_rule(swq_context *ctx, swq_dc *dc)
{
    const char *name = given("admission");
    const swq_admission_rule *rule = &swq_admission_sharing;

    if (name) {
        rule = swq_name_lookup(ctx, "admission", name, (const void *const *)swq_admission_rules);
        if (!rule)
            return SWQ_EINVAL;
    }
    if (!swq_dc_admits(rule))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--admission %s is not known to --architecture shared-memory, which takes "
                        "%s",
                        name, swq_dc_admission_names());
    dc->memory.admission = rule;
    return refuse_parameters(ctx, rule);
}

static swq_status read_alphas(swq_context *ctx, swq_dc *dc)
{
    const swq_admission_rule *rule = dc->memory.admission;
    const double usual = rule == &swq_admission_abm ? .5 : rule == &swq_admission_occamy ? 8 : 1;

    for (int k = 0; k < SWQ_DC_CLASSES; k++)
        dc->memory.alpha[k] = usual;
    if (given("class-alpha"))
        return read_each(ctx, "class-alpha", "classes", 1e-6, 1e6, dc->classes, dc->memory.alpha);
    if (!given("alpha"))
        return SWQ_OK;
    const swq_status status =
        cli_number(ctx, "alpha", given("alpha"), 1e-6, 1e6, &dc->memory.alpha[0]);
    for (int k = 1; k < SWQ_DC_CLASSES; k++)
        dc->memory.alpha[k] = dc->memory.alpha[0];
    return status;
}

static swq_status read_word(swq_context *ctx, const char *option, const char *const *words,
                            int *value)
{
    return given(option) ? cli_word(ctx, option, given(option), words, value) : SWQ_OK;
}

static swq_status read_admission(swq_context *ctx, swq_dc *dc)
{
    static const char *const drop_words[] = {"tail", "head", NULL};
    swq_dc_memory_spec *m = &dc->memory;
    int ties = m->ties, head = 0, uncounted = 0, test = 0;
    uint64_t bucket = (1500 + m->cell - 1) / m->cell;
    swq_status status = read_rule(ctx, dc);

    if (!status)
        status = read_alphas(ctx, dc);
    if (!status)
        status = read_units(ctx, "queue-max", SWQ_UNITS_SIZE, 1, m->bytes, &m->queue_max);
    if (!status)
        status = read_units(ctx, "queue-min", SWQ_UNITS_SIZE, 0, m->bytes, &m->queue_min);
    if (!status)
        status = read_units(ctx, "congested", SWQ_UNITS_SIZE, 1, m->bytes, &m->congested);
    if (!status)
        status =
            read_units(ctx, "drain-interval", SWQ_UNITS_TIME, 1, SWQ_DC_MOST_TIME, &m->interval);
    if (!status)
        status =
            read_units(ctx, "expel-every", SWQ_UNITS_TIME, 1, SWQ_DC_MOST_TIME, &m->expel_every);
    if (!status && given("expel-bucket"))
        status = cli_big(ctx, "expel-bucket", given("expel-bucket"), 1, 1e9, &bucket);
    if (!status)
        status = read_word(ctx, "ties", swq_ties_words, &ties);
    if (!status)
        status = read_word(ctx, "drop", drop_words, &head);
    if (!status)
        status = read_word(ctx, "arriving", counted_words, &uncounted);
    if (!status)
        status = read_word(ctx, "test", swq_dc_test_words, &test);
    m->expel_bucket = (uint32_t)bucket;
    m->ties = (swq_ties)ties;
    m->drop_head = head == 1;
    m->uncounted = uncounted == 1;
    m->test = (swq_dc_test)test;
    return status;
}

/* ---- ports ---- */

static swq_status read_schedule(swq_context *ctx, swq_dc *dc)
{
    double quantum[SWQ_DC_CLASSES];
    int schedule = dc->schedule;
    swq_status status = read_word(ctx, "schedule", swq_dc_schedule_words, &schedule);

    dc->schedule = (swq_dc_schedule)schedule;
    if (status || !given("quantum"))
        return status;
    if (dc->schedule != SWQ_DC_DRR)
        return swq_fail(ctx, SWQ_EINVAL, "--quantum is for --schedule drr");
    status = read_each(ctx, "quantum", "classes", 1, 1e6, dc->classes, quantum);
    if (!status)
        status = refuse_fractions(ctx, "quantum", quantum, dc->classes);
    for (int k = 0; k < dc->classes && !status; k++)
        dc->quantum[k] = (uint32_t)quantum[k];
    return status;
}

static swq_status read_marks(swq_context *ctx, swq_dc *dc)
{
    const char *text = given("ecn");
    swq_dc_marking *m = &dc->marking;
    int at = 0;
    swq_status status = read_word(ctx, "mark-at", on_words, &at);

    if (status)
        return status;
    if (given("mark-at") && !text)
        return swq_fail(ctx, SWQ_EINVAL, "--mark-at needs --ecn");
    if (!text)
        return SWQ_OK;
    *m = (swq_dc_marking){.on = true, .at_dequeue = at == 1};
    if (strncmp(text, "step:", 5) == 0) {
        status = swq_units_read(ctx, "--ecn step", SWQ_UNITS_SIZE, text + 5, 0, SWQ_DC_MOST_MEMORY,
                                &m->low);
        m->high = m->low;
        return status;
    }
    char low[40], high[40], most[40];
    if (sscanf(text, "red:%39[^,],%39[^,],%39[^,]", low, high, most) != 3)
        return swq_fail(ctx, SWQ_EINVAL, "--ecn must be step:K or red:KMIN,KMAX,PMAX, not '%.60s'",
                        text);
    status = swq_units_read(ctx, "--ecn red", SWQ_UNITS_SIZE, low, 0, SWQ_DC_MOST_MEMORY, &m->low);
    if (!status)
        status = swq_units_read(ctx, "--ecn red", SWQ_UNITS_SIZE, high, m->low, SWQ_DC_MOST_MEMORY,
                                &m->high);
    return status ? status : cli_number(ctx, "ecn red", most, 0, 1, &m->most);
}

/* ---- packets from outside ---- */

/* 1500, or 64:0.5,1500:0.5 */
static swq_status read_sizes(swq_context *ctx, swq_dc *dc)
{
    const char *text = given("packet-bytes"), *at = text;

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

static swq_status read_file(swq_context *ctx, cli_datacentre *d, const char *path)
{
    static const char *const not_with[] = {"load",     "packet-bytes", "class-shares", "warmup",
                                           "duration", "replications", "confidence",   NULL};

    for (int k = 0; not_with[k]; k++) {
        if (given(not_with[k]))
            return swq_fail(ctx, SWQ_EINVAL, "--%s does not go with packets of a file",
                            not_with[k]);
    }
    swq_status status = swq_dc_trace_read(ctx, path, &d->trace, &d->dc.packets);
    d->dc.arrivals = SWQ_DC_TRACE;
    d->dc.trace = d->trace;
    d->dc.trace_file = path;
    if (!status && given("fates-out")) {
        d->fate = swq_calloc(ctx, d->dc.packets, sizeof *d->fate);
        d->fates_path = given("fates-out");
        d->options.fate = d->fate;
        status = d->fate ? SWQ_OK : swq_memory_status(ctx);
    }
    return status;
}

/* ---- hosts ---- */

static swq_status read_sender(swq_context *ctx, swq_dc *dc)
{
    const char *name = given("sender");

    if (!name)
        return SWQ_OK;
    dc->network.sender =
        swq_name_lookup(ctx, "sender", name, (const void *const *)swq_dc_senders());
    return dc->network.sender ? SWQ_OK : SWQ_EINVAL;
}

/* Options that need hosts, or leaves and spines, or packets from outside. */
static swq_status refuse_without(swq_context *ctx, const swq_dc *dc)
{
    static const char *const of_hosts[] = {"flows-out",     "delay",        "sizes",  "incast",
                                           "flow-list",     "window",       "header", "ack-bytes",
                                           "least-timeout", "target-delay", NULL};
    static const char *const of_leaves[] = {"leaves",     "spines", "hosts", "spine-links",
                                            "spine-rate", "spread", NULL};
    static const char *const from_outside[] = {"arrivals", "class-shares", "fates-out", NULL};
    const bool hosts = dc->network.sender != NULL;
    const bool leaves = dc->network.topology == SWQ_DC_LEAF_SPINE;

    for (int k = 0; !hosts && of_hosts[k]; k++) {
        if (given(of_hosts[k]))
            return swq_fail(ctx, SWQ_EINVAL, "--%s needs --sender", of_hosts[k]);
    }
    for (int k = 0; !leaves && of_leaves[k]; k++) {
        if (given(of_leaves[k]))
            return swq_fail(ctx, SWQ_EINVAL, "--%s is for --topology leaf-spine", of_leaves[k]);
    }
    for (int k = 0; hosts && from_outside[k]; k++) {
        if (given(from_outside[k]))
            return swq_fail(ctx, SWQ_EINVAL, "--%s does not go with --sender", from_outside[k]);
    }
    if (leaves && !hosts)
        return swq_fail(ctx, SWQ_EINVAL, "--topology leaf-spine needs --sender");
    if (leaves && given("ports"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--ports is for one switch; leaf-spine has --leaves, --spines and --hosts");
    if (given("target-delay") && strcmp(dc->network.sender->name, "delay") != 0)
        return swq_fail(ctx, SWQ_EINVAL, "--target-delay is for --sender delay");
    return SWQ_OK;
}

static swq_status read_whole(swq_context *ctx, const char *option, int least, int most, int *value)
{
    return given(option) ? cli_integer(ctx, option, given(option), least, most, value) : SWQ_OK;
}

static swq_status read_leaves(swq_context *ctx, swq_dc *dc)
{
    swq_dc_network *n = &dc->network;
    int spread = n->spread;
    swq_status status = read_whole(ctx, "leaves", 1, 4096, &n->leaves);

    if (!status)
        status = read_whole(ctx, "spines", 1, SWQ_DC_PORTS, &n->spines);
    if (!status)
        status = read_whole(ctx, "hosts", 1, SWQ_DC_PORTS, &n->hosts);
    if (!status)
        status = read_whole(ctx, "spine-links", 1, SWQ_DC_PORTS, &n->spine_links);
    if (!status)
        status = read_units(ctx, "spine-rate", SWQ_UNITS_RATE, SWQ_DC_LEAST_RATE, SWQ_DC_MOST_RATE,
                            &n->spine_rate);
    if (!status)
        status = read_word(ctx, "spread", swq_dc_spread_words, &spread);
    n->spread = (swq_dc_spread)spread;
    return status;
}

static swq_status read_hosts(swq_context *ctx, swq_dc *dc)
{
    swq_dc_network *n = &dc->network;
    int header = (int)n->header, ack = (int)n->ack, window = (int)n->window;
    swq_status status = read_units(ctx, "delay", SWQ_UNITS_TIME, 0, SWQ_DC_MOST_TIME, &n->delay);

    if (!status)
        status = read_whole(ctx, "header", 0, 10000, &header);
    if (!status)
        status = read_whole(ctx, "ack-bytes", 1, 10000, &ack);
    if (!status)
        status = read_whole(ctx, "window", 1, 1000000, &window);
    if (!status)
        status = read_units(ctx, "least-timeout", SWQ_UNITS_TIME, 1, SWQ_DC_MOST_TIME / 1000,
                            &n->least_timeout);
    if (!status)
        status =
            read_units(ctx, "target-delay", SWQ_UNITS_TIME, 1, SWQ_DC_MOST_TIME / 1000, &n->target);
    n->header = (uint32_t)header;
    n->ack = (uint32_t)ack;
    n->window = (uint32_t)window;
    return status;
}

/* RATE,FANIN,SIZE */
static swq_status read_incast(swq_context *ctx, swq_dc *dc)
{
    const char *text = given("incast");
    char rate[40], fan_in[40], size[40];
    int hosts = 0;
    double percent = 0;

    if (!text)
        return SWQ_OK;
    if (sscanf(text, "%39[^,],%39[^,],%39[^,]", rate, fan_in, size) != 3)
        return swq_fail(ctx, SWQ_EINVAL, "--incast must be RATE,FANIN,SIZE, not '%.60s'", text);
    swq_status status = cli_number(ctx, "incast RATE", rate, 1e-6, 1e9, &dc->flows.query_rate);
    if (!status)
        status = cli_integer(ctx, "incast FANIN", fan_in, 1, 1 << 20, &hosts);
    dc->flows.fan_in = (uint32_t)hosts;
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
    if (!given("lossless"))
        return SWQ_OK;
    swq_status status = read_list(ctx, "lossless", given("lossless"), 0, dc->classes - 1,
                                  dc->classes, class, &count);
    if (!status)
        status = refuse_fractions(ctx, "lossless", class, count);
    dc->pfc.classes = 0;
    for (int k = 0; k < count && !status; k++)
        dc->pfc.classes |= 1u << (int)class[k];
    return status;
}

static swq_status read_pfc(swq_context *ctx, swq_dc *dc)
{
    static const char *const of_pfc[] = {"lossless", "headroom", "pfc-alpha", "pause-response",
                                         NULL};
    swq_dc_pfc *p = &dc->pfc;

    if (!cli_given(cli_datacentre_options, "pfc")) {
        for (int k = 0; of_pfc[k]; k++) {
            if (given(of_pfc[k]))
                return swq_fail(ctx, SWQ_EINVAL, "--%s needs --pfc", of_pfc[k]);
        }
        return SWQ_OK;
    }
    if (!dc->network.sender)
        return swq_fail(ctx, SWQ_EINVAL, "--pfc needs --sender");
    if (!given("headroom"))
        return swq_fail(ctx, SWQ_EINVAL, "--pfc needs --headroom");
    swq_status status =
        read_units(ctx, "headroom", SWQ_UNITS_SIZE, 0, SWQ_DC_MOST_MEMORY, &p->headroom);
    if (!status)
        status = read_lossless(ctx, dc);
    if (!status && given("pfc-alpha"))
        status = cli_number(ctx, "pfc-alpha", given("pfc-alpha"), 1e-6, 1e6, &p->alpha);
    if (!status)
        status = read_units(ctx, "pause-response", SWQ_UNITS_TIME, 0, SWQ_DC_MOST_TIME / 1000,
                            &p->response);
    return status;
}

static swq_status read_flows(swq_context *ctx, swq_dc *dc)
{
    swq_dc_flows *f = &dc->flows;

    f->sizes = given("sizes");
    f->list = given("flow-list");
    if (given("load") && !f->sizes)
        return swq_fail(ctx, SWQ_EINVAL, "--load of hosts needs --sizes");
    if (f->sizes && !given("load"))
        return swq_fail(ctx, SWQ_EINVAL, "--sizes needs --load");
    if (!f->sizes && !f->list && !given("incast"))
        return swq_fail(ctx, SWQ_EINVAL,
                        "--sender needs flows: --sizes with --load, --incast or --flow-list");
    swq_status status = f->sizes ? cli_number(ctx, "load", given("load"), 0, 10, &f->load) : SWQ_OK;
    if (!status)
        status = read_incast(ctx, dc);
    if (!status)
        status = read_sizes(ctx, dc);
    if (!status && dc->sizes != 1)
        status = swq_fail(ctx, SWQ_EINVAL, "--packet-bytes is one size with --sender");
    return status;
}

/* Nothing here looks ahead: answers are of a file, for the packets of another. */
static swq_status read_oracle(swq_context *ctx, swq_dc *dc)
{
    const char *text = given("oracle");
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

static swq_status read_arrivals(swq_context *ctx, cli_datacentre *d)
{
    swq_dc *dc = &d->dc;
    const char *text = given("arrivals");

    d->flows_path = given("flows-out");
    if (dc->network.sender)
        return read_flows(ctx, dc);

    dc->arrivals = SWQ_DC_POISSON;
    if (text && strcmp(text, "slots") == 0)
        dc->arrivals = SWQ_DC_SLOTS;
    else if (text && strcmp(text, "poisson") != 0)
        return read_file(ctx, d, text);
    if (given("fates-out"))
        return swq_fail(ctx, SWQ_EINVAL, "--fates-out needs --arrivals FILE");
    if (!given("load"))
        return swq_fail(ctx, SWQ_EINVAL, "--load is required, unless --arrivals is a file");
    swq_status status = read_each(ctx, "load", "ports", 0, dc->arrivals == SWQ_DC_SLOTS ? 1 : 1000,
                                  dc->ports, dc->load);
    if (!status)
        status = read_sizes(ctx, dc);
    for (int k = 0; k < dc->classes; k++)
        dc->class_share[k] = 1.0 / dc->classes;
    if (!status && given("class-shares")) {
        int count = 0;
        status = read_list(ctx, "class-shares", given("class-shares"), 0, 1, dc->classes,
                           dc->class_share, &count);
        if (!status && count != dc->classes)
            status = swq_fail(ctx, SWQ_EINVAL,
                              "--class-shares takes a number for each of the %d classes, not %d",
                              dc->classes, count);
    }
    return status;
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
    if (cli_given(cli_sim_output_options, "json") && cli_given(cli_sim_output_options, "csv"))
        return swq_fail(ctx, SWQ_EINVAL, "--json and --csv cannot both be given");
    status = read_units(ctx, "warmup", SWQ_UNITS_TIME, 0, SWQ_DC_MOST_TIME, &o->warmup);
    if (!status)
        status = read_units(ctx, "duration", SWQ_UNITS_TIME, 1, SWQ_DC_MOST_TIME, &o->duration);
    if (!status && given("replications"))
        status = cli_integer(ctx, "replications", given("replications"), 1, SWQ_MAX_REPLICATIONS,
                             &o->replications);
    if (!status && given("threads"))
        status = cli_integer(ctx, "threads", given("threads"), 1, SWQ_MAX_THREADS, &o->threads);
    if (!status && given("seed"))
        status = cli_big(ctx, "seed", given("seed"), 0, 9.2e18, &o->seed);
    if (!status && given("confidence"))
        status = cli_number(ctx, "confidence", given("confidence"), .5, .9999, &o->confidence);
    if (!status && given("time")) {
        status = cli_number(ctx, "time", given("time"), 1e-3, 1e9, &seconds);
        if (!status)
            swq_context_limit_time(ctx, seconds);
    }
    return status ? status : cli_memory_read(ctx);
}

static swq_status read_switch(swq_context *ctx, swq_dc *dc)
{
    const char *topology = given("topology"), *engine = given("engine");
    swq_status status = SWQ_OK;

    if (topology && strcmp(topology, "leaf-spine") == 0)
        dc->network.topology = SWQ_DC_LEAF_SPINE;
    else if (topology && strcmp(topology, "switch") != 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--topology must be switch or leaf-spine with --architecture "
                        "shared-memory, not '%.60s'",
                        topology);
    if (engine && strcmp(engine, "async") != 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--engine must be async with --architecture shared-memory, not '%.60s'",
                        engine);
    status = read_sender(ctx, dc);
    if (!status)
        status = refuse_without(ctx, dc);
    if (!status && given("ports"))
        status = cli_integer(ctx, "ports", given("ports"), 1, SWQ_DC_PORTS, &dc->ports);
    if (!status && given("classes"))
        status = cli_integer(ctx, "classes", given("classes"), 1, SWQ_DC_CLASSES, &dc->classes);
    if (!status)
        status =
            read_units(ctx, "rate", SWQ_UNITS_RATE, SWQ_DC_LEAST_RATE, SWQ_DC_MOST_RATE, &dc->rate);
    return status;
}

swq_status cli_datacentre_read(swq_context *ctx, cli_datacentre *d)
{
    *d = (cli_datacentre){.dc = swq_dc_defaults(), .options = swq_dc_options_defaults()};
    swq_status status = refuse_others(ctx);

    if (!status)
        status = read_switch(ctx, &d->dc);
    if (!status)
        status = read_leaves(ctx, &d->dc);
    if (!status)
        status = read_hosts(ctx, &d->dc);
    if (!status)
        status = read_memory(ctx, &d->dc);
    if (!status)
        status = read_admission(ctx, &d->dc);
    if (!status)
        status = read_schedule(ctx, &d->dc);
    if (!status)
        status = read_marks(ctx, &d->dc);
    if (!status)
        status = read_pfc(ctx, &d->dc);
    if (!status)
        status = read_arrivals(ctx, d);
    if (!status)
        status = read_oracle(ctx, &d->dc);
    if (!status)
        status = read_run(ctx, d);
    return status ? status : swq_dc_check(ctx, &d->dc, &d->options);
}

void cli_datacentre_clear(swq_context *ctx, cli_datacentre *d)
{
    swq_dc_trace_free(ctx, d->trace);
    swq_free(ctx, d->fate);
    d->trace = NULL;
    d->fate = NULL;
}
