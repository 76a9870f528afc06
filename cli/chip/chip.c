/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq chip: the DAMQ Buffer Chip, clock cycle by clock cycle.
 */
#include "cli/chip/chip.h"

#include "base/context.h"
#include "cli/options/options.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/print/words.h"
#include "cli/record/format.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PACKETS = 1000, MOST_PHASES = 10000, USUAL_CYCLES = 60 };

static char *control_text, *queues_text, *blocks_text, *block_text, *packet_text, *router_text,
    *arbiter_text, *packets_text, *begin_text, *grant_text, *cycles_text, *seed_text, *phases_text,
    *waves_path;
static cli_format format;

static struct poptOption chip_options[] = {
    {"control", '\0', POPT_ARG_STRING, &control_text, 0,
     "a linked list for each output (default), or one FIFO over the same memory", "damq|fifo"},
    {"queues", '\0', POPT_ARG_STRING, &queues_text, 0, "outputs, each with a queue (default 4)",
     "N"},
    {"blocks", '\0', POPT_ARG_STRING, &blocks_text, 0, "blocks of memory (default 12)", "N"},
    {"block-bytes", '\0', POPT_ARG_STRING, &block_text, 0, "bytes of a block, even (default 8)",
     "N"},
    {"packet-bytes", '\0', POPT_ARG_STRING, &packet_text, 0,
     "bytes of the longest packet, its header not counted (default 32)", "N"},
    {"router-cycles", '\0', POPT_ARG_STRING, &router_text, 0, "cycles of the router (default 1)",
     "N"},
    {"arbiter-cycles", '\0', POPT_ARG_STRING, &arbiter_text, 0,
     "cycles of the crossbar's arbiter (default 1)", "N"},
    POPT_TABLEEND,
};

static struct poptOption run_options[] = {
    {"packets", '\0', POPT_ARG_STRING, &packets_text, 0,
     "packets on the link: the cycle, the output and the bytes of each, such as 1:0:32,40:2:5 "
     "(default 1:0:32); a packet that the link or the chip cannot take yet begins later",
     "C:O:B[,...]"},
    {"begin", '\0', POPT_ARG_STRING, &begin_text, 0,
     "random packets in place of --packets: the probability that a packet begins in a cycle in "
     "which the link and the chip can take one",
     "P"},
    {"grant", '\0', POPT_ARG_STRING, &grant_text, 0,
     "probability that an output is free in a cycle, since other inputs use it as well (default 1)",
     "P"},
    {"cycles", '\0', POPT_ARG_STRING, &cycles_text, 0, "clock cycles (default 60)", "N"},
    CLI_SEED_OPTION(&seed_text),
    POPT_TABLEEND,
};

static struct poptOption output_options[] = {
    {"phases", '\0', POPT_ARG_STRING, &phases_text, 0,
     "show the first N cycles: what the data path did in each, and which bytes arrived and left",
     "N"},
    {"waves", '\0', POPT_ARG_STRING, &waves_path, 0,
     "also write all registers as a waveform file, for GTKWave and similar programs", "FILE.vcd"},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_format_options, 0, NULL, NULL},
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, chip_options, 0, "The chip:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, run_options, 0, "The run:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, output_options, 0, "Output:", NULL},
    POPT_TABLEEND,
};

/* ---- what is asked ---- */

static swq_status read_whole(swq_context *ctx, const char *name, const char *text, int least,
                             int most, int *value)
{
    return text ? cli_integer(ctx, name, text, least, most, value) : SWQ_OK;
}

static swq_status read_chip(swq_context *ctx, swq_chip_spec *s)
{
    static const char *const controls[] = {"damq", "fifo", NULL};
    int control = 0;

    *s = swq_chip_defaults();
    swq_status status =
        control_text ? cli_word(ctx, "control", control_text, controls, &control) : SWQ_OK;
    s->fifo = control == 1;
    if (!status)
        status = read_whole(ctx, "queues", queues_text, 1, SWQ_CHIP_MAX_QUEUES, &s->queues);
    if (!status)
        status = read_whole(ctx, "blocks", blocks_text, 1, SWQ_CHIP_MAX_BLOCKS, &s->blocks);
    if (!status)
        status = read_whole(ctx, "block-bytes", block_text, SWQ_CHIP_MIN_BLOCK_BYTES,
                            SWQ_CHIP_MAX_BLOCK_BYTES, &s->block_bytes);
    if (!status)
        status = read_whole(ctx, "packet-bytes", packet_text, SWQ_CHIP_MIN_PACKET,
                            SWQ_CHIP_MAX_PACKET, &s->packet_bytes);
    if (!status)
        status = read_whole(ctx, "router-cycles", router_text, 1, 3, &s->router_cycles);
    if (!status)
        status = read_whole(ctx, "arbiter-cycles", arbiter_text, 1, 16, &s->arbiter_cycles);
    return status ? status : swq_chip_check(ctx, s);
}

static swq_status read_packets(swq_context *ctx, const char *text, swq_chip_packet *packet,
                               int *count)
{
    *count = 0;
    for (const char *at = text;; at++) {
        unsigned long long cycle;
        int output, bytes, used = 0;
        if (sscanf(at, "%19llu:%9d:%9d%n", &cycle, &output, &bytes, &used) != 3 || used == 0 ||
            (at[used] && at[used] != ','))
            return swq_fail(ctx, SWQ_EINVAL,
                            "packets must be CYCLE:OUTPUT:BYTES, separated by commas, not '%.60s'",
                            text);
        if (*count == MOST_PACKETS)
            return swq_fail(ctx, SWQ_EINVAL, "packets may be at most %d", MOST_PACKETS);
        packet[(*count)++] = (swq_chip_packet){cycle, output, bytes};
        at += used;
        if (!*at)
            return SWQ_OK;
    }
}

static swq_status read_traffic(swq_context *ctx, swq_chip_traffic *t, swq_chip_packet *packet,
                               uint64_t *cycles)
{
    swq_status status = SWQ_OK;

    *t = (swq_chip_traffic){.load = 0, .grant = 1, .seed = 1};
    *cycles = USUAL_CYCLES;
    if (packets_text && begin_text)
        return swq_fail(ctx, SWQ_EINVAL, "--packets and --begin cannot both be given");
    if (begin_text) {
        status = cli_number(ctx, "begin", begin_text, 0, 1, &t->load);
    } else {
        status = read_packets(ctx, packets_text ? packets_text : "1:0:32", packet, &t->packets);
        t->packet = packet;
    }
    if (!status && grant_text)
        status = cli_number(ctx, "grant", grant_text, 1e-4, 1, &t->grant);
    if (!status && cycles_text)
        status = cli_big(ctx, "cycles", cycles_text, 1, 1e15, cycles);
    if (!status && seed_text)
        status = cli_big(ctx, "seed", seed_text, 0, 4294967295.0, &t->seed);
    return status;
}

/* ---- what happened ---- */

/* The first packet's times as in Table 7.1; 0: not reached yet. */
typedef struct {
    uint64_t came, routed, appended, arbitrated, header, byte;
    int queue;
} first_packet;

typedef struct {
    cli_record *phases; /* NULL: not asked for, or complete */
    uint64_t most_phases;
    cli_waves *waves;
    first_packet first;
    int lists;
} story;

static const char *list_name(const story *s, int list, char text[16])
{
    if (list == s->lists)
        return "free list";
    snprintf(text, 16, "queue %d", list);
    return text;
}

static void put_phase(story *s, uint64_t cycle, const swq_chip_in *in, const swq_chip_out *out)
{
    static const char *const steps[] = {"-", "remove", "append", "terminate", "select", "header"};
    cli_record *item = cli_put_item(s->phases, NULL);
    char byte[8] = "-", name[16];

    cli_put_count(item, "cycle", cycle);
    if (in->valid)
        snprintf(byte, sizeof byte, "%02x", in->byte);
    cli_put_word(item, "link_byte", byte);
    cli_put_word(item, "strobes",
                 out->routed       ? out->arbitrated ? "router, arbiter" : "router"
                 : out->arbitrated ? "arbiter"
                                   : "-");
    cli_put_word(item, "data_path", out->owner == SWQ_CHIP_FWD ? "FSM_fwd" : "FSM_tr");
    cli_put_word(item, "chip_step", steps[out->step]);
    cli_put_word(item, "chip_list",
                 out->step == SWQ_CHIP_REST ? "-" : list_name(s, out->list, name));
    cli_put_count(item, "chip_block", out->block);
    snprintf(byte, sizeof byte, "%s", "-");
    if (out->valid)
        snprintf(byte, sizeof byte, "%02x%s", out->byte, out->header ? " H" : "");
    cli_put_word(item, "crossbar_byte", byte);
}

static void follow_first(first_packet *f, uint64_t cycle, const swq_chip_in *in,
                         const swq_chip_out *out)
{
    if (!f->came && in->valid)
        f->came = cycle;
    if (f->came && !f->routed && out->routed)
        f->routed = cycle;
    if (f->routed && !f->appended && out->owner == SWQ_CHIP_TR && out->step == SWQ_CHIP_APPEND) {
        f->appended = cycle;
        f->queue = out->list;
    }
    if (f->routed && !f->arbitrated && out->arbitrated)
        f->arbitrated = cycle;
    if (f->header && !f->byte && out->valid)
        f->byte = cycle;
    if (f->came && !f->header && out->valid)
        f->header = cycle;
}

static void tell_cycle(void *arg, uint64_t cycle, const swq_chip *chip, const swq_chip_in *in,
                       const swq_chip_out *out)
{
    story *s = arg;

    if (cycle <= s->most_phases)
        put_phase(s, cycle, in, out);
    if (s->waves)
        cli_waves_cycle(s->waves, cycle, chip, in, out);
    follow_first(&s->first, cycle, in, out);
}

static void put_event(cli_record *list, uint64_t cycle, const char *event)
{
    cli_record *item = cli_put_item(list, NULL);

    cli_put_count(item, "cycle", cycle);
    cli_put_word(item, "event", event);
}

/* Puts the first packet's events and their cycles, as Table 7.1 lists them. Cycle 1 is the cycle in
 * which its header passes the synchroniser. */
static void put_first(cli_record *result, const first_packet *f)
{
    cli_record *list = cli_put_list(result, "first_packet", "the first packet");
    const uint64_t zero = f->came - 1;
    char text[80];

    if (!f->byte)
        return;
    put_event(list, 1, "its header passes the synchroniser");
    put_event(list, f->routed - 1 - zero, "the router returns a queue and a new header");
    put_event(list, f->arbitrated - 1 - zero, "the arbiter connects the output that is asked for");
    snprintf(text, sizeof text, "FSM_tr appends its first block to queue %d", f->queue);
    put_event(list, f->appended - zero, text);
    put_event(list, f->header - zero,
              "its header crosses the crossbar, FSM_fwd reads its first byte");
    put_event(list, f->byte - zero, "its first byte crosses the crossbar");
}

static void put_model(cli_record *root, const swq_chip_spec *s, const swq_chip_traffic *t)
{
    cli_record *m = cli_put_group(root, "model", NULL);

    cli_put_word(m, "control", s->fifo ? "fifo" : "damq");
    cli_put_count(m, "chip_queues", (uint64_t)s->queues);
    cli_put_count(m, "chip_blocks", (uint64_t)s->blocks);
    cli_put_count(m, "block", (uint64_t)s->block_bytes);
    cli_put_count(m, "max_packet", (uint64_t)s->packet_bytes);
    cli_put_count(m, "routing_delay", (uint64_t)s->router_cycles);
    cli_put_count(m, "arbitration_delay", (uint64_t)s->arbiter_cycles);
    if (!t->packet)
        cli_put_number(m, "begin_chance", t->load);
    cli_put_number(m, "grant_chance", t->grant);
    cli_put_count(m, "seed", t->seed);
}

static void put_result(cli_record *result, const swq_chip_result *r, bool cut)
{
    cli_put_count(result, "cycles", r->cycles);
    cli_put_count(result, "packets_in", r->packets_in);
    cli_put_count(result, "packets_out", r->packets_out);
    cli_put_count(result, "bytes_in", r->bytes_in);
    cli_put_count(result, "bytes_out", r->bytes_out);
    cli_put_count(result, "packets_cut_through", r->cut_through);
    if (r->packets_out)
        cli_put_count(result, "header_cycles", (uint64_t)r->least_latency);
    if (r->most_move) {
        cli_put_count(result, "least_move_cycles", (uint64_t)r->least_move);
        cli_put_count(result, "most_move_cycles", (uint64_t)r->most_move);
    }
    cli_quietly(cli_put_truth(result, "interrupted", cut));
    if (r->violation)
        cli_put_word(result, "violation", r->violation);
    else
        cli_say(result,
                "\nIn every cycle: no byte lost, changed, late or out of order; every block "
                "in one list or register.");
}

/* Notes on cycles or packets that were asked for and did not come about. */
static void note_rest(const swq_chip_traffic *traffic, uint64_t cycles, const swq_chip_result *r,
                      bool cut)
{
    const unsigned long long done = r->cycles, sent = r->packets_in;

    if (cut)
        cli_note("interrupted: only %llu of %llu cycles%s", done, (unsigned long long)cycles,
                 waves_path ? "; no waveforms were written" : "");
    else if (traffic->packet && !r->violation && sent < (unsigned)traffic->packets)
        cli_note("only %llu of %d packets began within %llu cycle%s: the others still waited", sent,
                 traffic->packets, done, cli_plural(done));
}

/* Simulates the chip and puts model and result into `root`. *end receives the exit status. */
static swq_status run_chip(swq_context *ctx, const swq_chip_spec *spec,
                           const swq_chip_traffic *traffic, uint64_t cycles, int phases,
                           cli_record *root, int *end)
{
    cli_waves waves = {0};
    swq_chip_result r;
    swq_status status = waves_path ? cli_waves_open(ctx, waves_path, &waves) : SWQ_OK;

    if (status)
        return status;
    put_model(root, spec, traffic);
    cli_record *result = cli_the_result(cli_put_group(root, "result", NULL));
    story s = {.phases = phases ? cli_put_list(result, "phases", "phases") : NULL,
               .most_phases = (uint64_t)phases,
               .waves = waves_path ? &waves : NULL,
               .lists = spec->fifo ? 1 : spec->queues};
    status = swq_chip_run(ctx, spec, traffic, cycles, tell_cycle, &s, &r);
    const bool cut = status == SWQ_ECANCELLED;
    const swq_status written = cli_waves_close(ctx, &waves, !status);
    status = status && !cut ? status : written;
    if (status)
        return status;
    put_first(result, &s.first);
    put_result(result, &r, cut);
    note_rest(traffic, cycles, &r, cut);
    *end = cut || r.violation ? CLI_FAILED : CLI_OK;
    return SWQ_OK;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    swq_chip_packet packet[MOST_PACKETS];
    swq_chip_spec spec;
    swq_chip_traffic traffic;
    uint64_t cycles;
    int phases = 0;
    int end = cli_read_options(ctx, self, options, argc, argv, NULL, 0);

    if (end >= 0)
        return end;
    swq_status status = cli_format_read(ctx, &format);
    if (!status)
        status = read_chip(ctx, &spec);
    if (!status)
        status = read_traffic(ctx, &traffic, packet, &cycles);
    if (!status && phases_text)
        status = cli_integer(ctx, "phases", phases_text, 1, MOST_PHASES, &phases);
    if (status)
        return cli_fail(ctx, status);
    cli_record *root = cli_record_new("switchq/chip/1");
    status = run_chip(ctx, &spec, &traffic, cycles, phases, root, &end);
    if (status) {
        cli_record_free(root);
        return cli_fail(ctx, status);
    }
    status = cli_record_print(ctx, root, format);
    return status ? cli_fail(ctx, status) : end;
}

const cli_command cli_chip = {
    .name = "chip",
    .usage = "[OPTION...]",
    .common = "packets phases waves begin grant cycles control json",
    .summary = "simulate the DAMQ Buffer Chip, clock cycle by clock cycle",
    .examples = "  switchq chip\n"
                "  switchq chip --phases 45\n"
                "  switchq chip --packets 1:0:32,40:1:5,60:1:32 --cycles 120 --waves chip.vcd\n"
                "  switchq chip --begin 0.9 --grant 0.4 --cycles 1000000\n"
                "  switchq chip --router-cycles 2 --control fifo\n",
    .run = run,
};
