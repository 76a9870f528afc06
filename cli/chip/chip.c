/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq chip: the DAMQ Buffer Chip, clock cycle by clock cycle.
 */
#include "cli/chip/chip.h"

#include "base/context.h"
#include "cli/options/options.h"
#include "cli/options/parameter.h"
#include "cli/print/words.h"
#include "cli/record/format.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PACKETS = 1000, MOST_PHASES = 10000 };

/* What is asked. */
typedef struct {
    swq_chip_spec spec;
    swq_chip_traffic traffic;
    swq_chip_packet packet[MOST_PACKETS];
    uint64_t cycles;
    int phases; /* 0: none */
} chip_question;

static char *waves_path;
static cli_format format;

#define CHIP(kind, member)       CLI_AT(kind, chip_question, member), .axis = CLI_AXIS_NONE
#define CHIP_DEFAULT(value, why) CLI_DEFAULTS({"chip", value, why})

static const char *const control_words[] = {"damq", "fifo", NULL};

static cli_parameter chip_parameters[] = {
    {CLI_OPTION("control", "damq|fifo", 0), CHIP(CLI_EITHER, spec.fifo), .words = control_words,
     .about = "a linked list for each output (default), or one FIFO over the same memory",
     .preset = "", .key = "control",
     CHIP_DEFAULT("damq", "as in the chip of chapter 7; likewise the next six")},
    {CLI_OPTION("queues", "N", 0), CHIP(CLI_INT, spec.queues), CLI_FROM(1, SWQ_CHIP_MAX_QUEUES),
     .about = "outputs, each with a queue", .key = "chip_queues",
     CHIP_DEFAULT("4", "a switch of four ports")},
    {CLI_OPTION("blocks", "N", 0), CHIP(CLI_INT, spec.blocks), CLI_FROM(1, SWQ_CHIP_MAX_BLOCKS),
     .about = "blocks of memory", .key = "chip_blocks",
     CHIP_DEFAULT("12", "96 bytes, in three packets of the longest kind")},
    {CLI_OPTION("block-bytes", "N", 0), CHIP(CLI_INT, spec.block_bytes),
     CLI_FROM(SWQ_CHIP_MIN_BLOCK_BYTES, SWQ_CHIP_MAX_BLOCK_BYTES),
     .about = "bytes of a block, even", .key = "block",
     CHIP_DEFAULT("8", "small blocks, so that short packets waste little")},
    {CLI_OPTION("packet-bytes", "N", 0), CHIP(CLI_INT, spec.packet_bytes),
     CLI_FROM(SWQ_CHIP_MIN_PACKET, SWQ_CHIP_MAX_PACKET),
     .about = "bytes of the longest packet, its header not counted", .key = "max_packet",
     CHIP_DEFAULT("32", "the longest packet, since synchronisers need packets to end")},
    {CLI_OPTION("router-cycles", "N", 0), CHIP(CLI_INT, spec.router_cycles), CLI_FROM(1, 3),
     .about = "cycles of the router", .key = "routing_delay",
     CHIP_DEFAULT("1", "the least, as in Table 7.1")},
    {CLI_OPTION("arbiter-cycles", "N", 0), CHIP(CLI_INT, spec.arbiter_cycles), CLI_FROM(1, 16),
     .about = "cycles of the crossbar's arbiter", .key = "arbitration_delay",
     CHIP_DEFAULT("1", "likewise")},
    CLI_PARAMETERS_END,
};

static swq_status read_packets(swq_context *ctx, const char *text, void *question)
{
    chip_question *q = question;
    int *count = &q->traffic.packets;

    *count = 0;
    q->traffic.packet = q->packet;
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
        q->packet[(*count)++] = (swq_chip_packet){cycle, output, bytes};
        at += used;
        if (!*at)
            return SWQ_OK;
    }
}

static bool at_random(const void *question)
{
    return !((const chip_question *)question)->traffic.packet;
}

static cli_parameter run_parameters[] = {
    {CLI_OPTION("packets", "C:O:B[,...]", 0), .axis = CLI_AXIS_NONE, .read = read_packets,
     .about =
         "packets on the link: the cycle, the output and the bytes of each, such as 1:0:32,40:2:5 "
         "(default 1:0:32); a packet that the link or the chip cannot take yet begins later",
     .preset = "", CHIP_DEFAULT("1:0:32", "one packet that cuts through, which is Table 7.1")},
    {CLI_OPTION("begin", "P", 0), CHIP(CLI_REAL, traffic.load), CLI_FROM(0, 1), .shown = at_random,
     .about = "random packets in place of --packets: the probability that a packet begins in a "
              "cycle in which the link and the chip can take one",
     .key = "begin_chance"},
    {CLI_OPTION("grant", "P", 0), CHIP(CLI_REAL, traffic.grant), CLI_FROM(1e-4, 1),
     .about = "probability that an output is free in a cycle, since other inputs use it as well",
     .key = "grant_chance", CHIP_DEFAULT("1", "no other input uses the outputs")},
    {CLI_OPTION("cycles", "N", 0), CHIP(CLI_BIG, cycles), CLI_FROM(1, 1e15),
     .about = "clock cycles", CHIP_DEFAULT("60", "enough for that packet")},
    {CLI_OPTION("seed", "S", 0), CHIP(CLI_BIG, traffic.seed), CLI_FROM(0, 4294967295.0),
     .about = "seed of all random streams", .key = "seed", CHIP_DEFAULT("1", "as everywhere")},
    CLI_PARAMETERS_END,
};

static cli_parameter phase_parameters[] = {
    {CLI_OPTION("phases", "N", 0), CHIP(CLI_INT, phases), CLI_FROM(1, MOST_PHASES),
     .about = "show the first N cycles: what the data path did in each, and which bytes arrived "
              "and left"},
    CLI_PARAMETERS_END,
};

static struct poptOption output_options[] = {
    CLI_PARAMETERS(phase_parameters),
    CLI_TEXT_ROW("waves", "FILE.vcd", &waves_path,
                 "also write all registers as a waveform file, for GTKWave and similar programs"),
    CLI_TABLE(cli_format_options, NULL),
    POPT_TABLEEND,
};

struct poptOption cli_chip_parameters[] = {
    CLI_PARAMETERS(chip_parameters),
    CLI_PARAMETERS(run_parameters),
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, chip_parameters, CLI_IS_PARAMETER, "The chip:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, run_parameters, CLI_IS_PARAMETER, "The run:", NULL},
    CLI_TABLE(output_options, "Output:"),
    POPT_TABLEEND,
};

static swq_status read_question(swq_context *ctx, chip_question *q)
{
    const bool begin = cli_text(options, "begin");
    swq_status status = cli_format_read(ctx, &format);

    q->spec = swq_chip_defaults();
    q->traffic = (swq_chip_traffic){.grant = 1, .seed = 1};
    q->cycles = 60;
    q->phases = 0;
    if (!status)
        status = cli_parameters_read(ctx, chip_parameters, q);
    if (!status)
        status = swq_chip_check(ctx, &q->spec);
    if (!status && begin && cli_text(options, "packets"))
        status = swq_fail(ctx, SWQ_EINVAL, "--packets and --begin cannot both be given");
    if (!status && !begin)
        status = read_packets(ctx, "1:0:32", q);
    if (!status)
        status = cli_parameters_read(ctx, run_parameters, q);
    return status ? status : cli_parameters_read(ctx, phase_parameters, q);
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
static swq_status run_chip(swq_context *ctx, const chip_question *q, cli_record *root, int *end)
{
    cli_waves waves = {0};
    swq_chip_result r;
    swq_status status = waves_path ? cli_waves_open(ctx, waves_path, &waves) : SWQ_OK;

    if (status)
        return status;
    cli_record *model = cli_put_group(root, "model", NULL);
    cli_parameters_put(model, chip_parameters, q);
    cli_parameters_put(model, run_parameters, q);
    cli_record *result = cli_the_result(cli_put_group(root, "result", NULL));
    story s = {.phases = q->phases ? cli_put_list(result, "phases", "phases") : NULL,
               .most_phases = (uint64_t)q->phases,
               .waves = waves_path ? &waves : NULL,
               .lists = q->spec.fifo ? 1 : q->spec.queues};
    status = swq_chip_run(ctx, &q->spec, &q->traffic, q->cycles, tell_cycle, &s, &r);
    const bool cut = status == SWQ_ECANCELLED;
    const swq_status written = cli_waves_close(ctx, &waves, !status);
    status = status && !cut ? status : written;
    if (status)
        return status;
    put_first(result, &s.first);
    put_result(result, &r, cut);
    note_rest(&q->traffic, q->cycles, &r, cut);
    *end = cut || r.violation ? CLI_FAILED : CLI_OK;
    return SWQ_OK;
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    chip_question q;
    int end = cli_read_options(ctx, self, options, argc, argv, NULL, 0);

    if (end >= 0)
        return end;
    swq_status status = read_question(ctx, &q);
    if (status)
        return cli_fail(ctx, status);
    cli_record *root = cli_record_new("switchq/chip/1");
    status = run_chip(ctx, &q, root, &end);
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
