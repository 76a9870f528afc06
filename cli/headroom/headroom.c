/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq headroom: the memory that a paused link can still fill, proven, and packets that fill it.
 */
#include "cli/headroom/headroom.h"
#include "base/context.h"
#include "base/units.h"
#include "cli/options/parameter.h"
#include "cli/options/parse.h"
#include "cli/points/points.h"
#include "cli/record/format.h"

#include <math.h>
#include <string.h>

static cli_format format;

/* "100": Gb/s; else a rate with its unit, "100G" or "400Mb/s". */
static swq_status read_rate(swq_context *ctx, const char *text, void *point)
{
    double *rate = &((cli_headroom_point *)point)->rate;
    uint64_t bits;

    if (text[strspn(text, "0123456789.")] == '\0')
        return cli_number(ctx, "rate", text, 0.001, SWQ_PFC_RATE / 1000.0, rate);
    swq_status status = swq_units_read(ctx, "--rate", SWQ_UNITS_RATE, text, 1000000,
                                       UINT64_C(1000000) * SWQ_PFC_RATE, &bits);
    if (!status)
        *rate = (double)bits / 1e9;
    return status;
}

static double rate_of(const void *point)
{
    return ((const cli_headroom_point *)point)->rate;
}

#define POINT(kind, member) CLI_AT(kind, cli_headroom_point, member)

static cli_parameter link_parameters[] = {
    {CLI_OPTION("rate", "GBPS", 0), .read = read_rate, .said = rate_of, .axis = CLI_AXIS_WORDS,
     .about = "rate of the link in Gb/s, or with its unit: 100, 100G, 400Mb/s",
     .key = "link_rate_gbps", .says = "% Gb/s", .unit = "Gb/s",
     CLI_DEFAULTS({"headroom", "100", "a common port"})},
    {CLI_OPTION("cable", "METRES", 0), POINT(CLI_REAL, cable), CLI_FROM(0, SWQ_PFC_CABLE / 1000.0),
     .about = "length of the cable, of which 198,000 km take a second", .key = "cable_metres",
     .says = "% m of cable", .unit = "m", CLI_DEFAULTS({"headroom", "5", "within a rack"})},
    {CLI_OPTION("mac-phy", "KIB", 0), POINT(CLI_REAL, mac_phy), CLI_FROM(0, SWQ_PFC_DELAY / 1000.0),
     .about = "delay of the lower layers of both ends, as the KiB that pass meanwhile",
     .key = "mac_phy_kib", .says = "mac_phy % KiB", .plain = "0.8", .unit = "KiB",
     CLI_DEFAULTS({"headroom", "0.8", "SONiC's, for Spectrum"})},
    {CLI_OPTION("gearbox", "NS", 0), POINT(CLI_INT, gearbox), CLI_FROM(0, SWQ_PFC_DELAY),
     .about = "delay of a gearbox in each direction", .key = "gearbox_ns",
     .says = "a gearbox of % ns", .plain = "0", .unit = "ns",
     CLI_DEFAULTS({"headroom", "0", "no gearbox"})},
    {CLI_OPTION("quanta", "N", 0), POINT(CLI_INT, quanta), CLI_FROM(0, 65535),
     .about = "of 512 bits, that pass until the peer obeys a pause frame", .key = "pause_quanta",
     .says = "% quanta", .unit = "quanta",
     CLI_DEFAULTS({"headroom", "(by the rate)", "the most that IEEE 802.3 allows"})},
    {CLI_OPTION("gap", "BYTES", 0), POINT(CLI_INT, gap), CLI_FROM(0, SWQ_HEADROOM_GAP),
     .about = "bytes of time that each frame takes beyond its own: 20 for Ethernet's preamble and "
              "gap between frames",
     .key = "frame_gap_bytes", .says = "gaps of % byte~", .plain = "0", .unit = "bytes",
     CLI_DEFAULTS({"headroom", "0", "as SONiC counts"})},
    CLI_PARAMETERS_END,
};

static cli_parameter packet_parameters[] = {
    {CLI_OPTION("lossless-mtu", "BYTES", 0), POINT(CLI_INT, lossless_mtu),
     CLI_FROM(SWQ_PFC_LEAST_FRAME, SWQ_PFC_FRAME), .about = "longest packet of the paused class",
     .key = "lossless_mtu_bytes", .says = "packets of up to % bytes", .unit = "bytes",
     CLI_DEFAULTS({"headroom", "1024", "SONiC's"})},
    {CLI_OPTION("port-mtu", "BYTES", 0), POINT(CLI_INT, port_mtu),
     CLI_FROM(SWQ_PFC_LEAST_FRAME, SWQ_PFC_FRAME), .about = "longest packet of any class",
     .key = "port_mtu_bytes", .says = "others of up to % bytes", .unit = "bytes",
     CLI_DEFAULTS({"headroom", "9100", "SONiC's"})},
    {CLI_OPTION("least-packet", "BYTES", 0), POINT(CLI_INT, least_packet),
     CLI_FROM(SWQ_PFC_LEAST_FRAME, SWQ_PFC_FRAME), .about = "shortest packet of the paused class",
     .key = "least_packet_bytes", .says = "packets of at least % bytes", .plain = "64",
     .unit = "bytes", CLI_DEFAULTS({"headroom", "64", "Ethernet's shortest frame"})},
    {CLI_OPTION("cell", "BYTES", 0), POINT(CLI_INT, cell), CLI_FROM(1, SWQ_PFC_FRAME),
     .about = "cells of the memory, of which a packet takes whole ones", .key = "memory_cell_bytes",
     .says = "cells of % byte~", .unit = "bytes",
     CLI_DEFAULTS({"headroom", "144", "Spectrum-2 and later"})},
    {CLI_OPTION("memory-at", "last|first", 0), POINT(CLI_CHOICE, memory_at),
     CLI_WORDS_OF("last", "first"),
     .about =
         "a packet takes its cells when its last bit arrives (store and forward), or its first",
     .key = "memory_at", .says = "memory at the % bit", .plain = "last",
     CLI_DEFAULTS({"headroom", "last", "store and forward"})},
    {CLI_OPTION("trigger", "headroom|threshold", 0), POINT(CLI_CHOICE, trigger),
     CLI_WORDS_OF("headroom", "threshold"),
     .about = "the packet whose arrival decides the pause counts as the first one in the headroom, "
              "or below the threshold",
     .key = "trigger_in", .says = "the trigger counts for the %", .plain = "headroom",
     CLI_DEFAULTS({"headroom", "headroom", "as in ns-3's models of such switches"})},
    {CLI_OPTION("small-share", "PERCENT", 0), POINT(CLI_INT, small_share), CLI_FROM(0, 100),
     .about = "of packets that use cells worst, in SONiC's formula only",
     .key = "small_share_percent", .says = "% percent of small packets for SONiC", .plain = "100",
     .unit = "%", CLI_DEFAULTS({"headroom", "100", "SONiC's"})},
    {CLI_OPTION("headroom", "BYTES", 0), POINT(CLI_INT, asked), CLI_FROM(1, 2000000000),
     .about = "a headroom to judge: is it enough, and which packet is the first one lost?",
     .key = "headroom_bytes", .says = "a headroom of % byte~", .unit = "bytes"},
    CLI_PARAMETERS_END,
};

struct poptOption cli_headroom_parameters[] = {
    CLI_PARAMETERS(link_parameters),
    CLI_PARAMETERS(packet_parameters),
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, link_parameters, CLI_IS_PARAMETER, "The link:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, packet_parameters, CLI_IS_PARAMETER,
     "Packets and memory:", NULL},
    CLI_TABLE(cli_format_options, "Output:"),
    POPT_TABLEEND,
};

/* ---- reading ---- */

static swq_status thousandths(swq_context *ctx, const char *option, double value, uint32_t *into)
{
    const double whole = nearbyint(value * 1000);

    if (fabs(whole / 1000 - value) > 1e-12 * fabs(value))
        return swq_fail(ctx, SWQ_EINVAL, "--%s must have at most three decimals, not %.10g", option,
                        value);
    *into = (uint32_t)whole;
    return SWQ_OK;
}

static swq_status make_spec(swq_context *ctx, cli_headroom_point *p)
{
    swq_pfc_link *l = &p->spec.link;
    swq_status status = thousandths(ctx, "rate", p->rate, &l->rate);

    if (!status)
        status = thousandths(ctx, "cable", p->cable, &l->cable);
    if (!status)
        status = thousandths(ctx, "mac-phy", p->mac_phy, &l->mac_phy);
    if (status)
        return status;
    if (p->quanta < 0)
        p->quanta = (int)swq_pfc_quanta(l->rate);
    if (!cli_text(options, "quanta") && p->quanta == 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--quanta is required with --rate %g, as they are known for 0.1, 1, 10, "
                        "25, 40, 50, 100, 200, 400 and 800 Gb/s",
                        p->rate);
    l->lossless_mtu = (uint32_t)p->lossless_mtu;
    l->port_mtu = (uint32_t)p->port_mtu;
    l->cell = (uint32_t)p->cell;
    l->quanta = (uint32_t)p->quanta;
    l->gearbox = (uint32_t)p->gearbox;
    p->spec.least_packet = (uint32_t)p->least_packet;
    p->spec.gap = (uint32_t)p->gap;
    p->spec.at_first_bit = p->memory_at == 1;
    p->spec.trigger_below = p->trigger == 1;
    if (p->lossless_mtu > p->port_mtu)
        return swq_fail(ctx, SWQ_EINVAL, "--lossless-mtu must be at most --port-mtu, %d, not %d",
                        p->port_mtu, p->lossless_mtu);
    if (p->least_packet > p->lossless_mtu)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--least-packet must be at most --lossless-mtu, %d, not %d",
                        p->lossless_mtu, p->least_packet);
    return SWQ_OK;
}

static swq_status read_point(swq_context *ctx, void *at, bool many)
{
    cli_headroom_point *p = at;

    (void)many;
    *p = (cli_headroom_point){.rate = 100,
                              .cable = 5,
                              .mac_phy = 0.8,
                              .lossless_mtu = 1024,
                              .port_mtu = 9100,
                              .least_packet = SWQ_PFC_LEAST_FRAME,
                              .cell = 144,
                              .quanta = -1,
                              .small_share = 100};
    swq_status status = cli_parameters_read(ctx, link_parameters, p);
    if (!status)
        status = cli_parameters_read(ctx, packet_parameters, p);
    return status ? status : make_spec(ctx, p);
}

/* ---- answering ---- */

static swq_status answer_point(swq_context *ctx, void *at)
{
    cli_headroom_point *p = at;
    const swq_sonic_options how = {.small_share = (uint32_t)p->small_share};
    swq_status status = swq_headroom_solve(ctx, &p->spec, &p->answer);

    return status ? status : swq_sonic_headroom_solve(ctx, &p->spec.link, &how, &p->sonic);
}

static void put_parameters(cli_record *model, const cli_headroom_point *p)
{
    cli_parameters_put(model, link_parameters, p);
    for (const cli_parameter *row = packet_parameters; row->option.longName; row++)
        if (p->asked || strcmp(row->option.longName, "headroom") != 0)
            cli_parameter_put(model, packet_parameters, row->option.longName, p);
}

static cli_record *record_point(swq_context *ctx, const void *at)
{
    (void)ctx;
    return cli_headroom_record(at, put_parameters);
}

static int end_point(swq_context *ctx, const void *at, const char *where)
{
    (void)ctx, (void)at, (void)where;
    return CLI_OK;
}

static void clear_point(swq_context *ctx, void *at)
{
    (void)ctx, (void)at;
}

static const cli_question_kind one_link = {
    .size = sizeof(cli_headroom_point),
    .read = read_point,
    .answer = answer_point,
    .record = record_point,
    .end = end_point,
    .clear = clear_point,
    .stage = "links",
};

/* ---- the command ---- */

static int question(swq_context *ctx, const cli_axes *axes, cli_points_how *how)
{
    swq_status status = cli_format_read(ctx, &format);

    (void)axes;
    *how = (cli_points_how){.kind = &one_link, .format = format, .threads = 1};
    return status ? cli_fail(ctx, status) : -1;
}

const cli_command cli_headroom = {
    .name = "headroom",
    .usage = "[OPTION...]",
    .common = "rate cable lossless-mtu port-mtu cell gap headroom json",
    .summary = "the memory that a paused link can still fill, proven",
    .notes = "How much can arrive at an input after its priority flow control has decided to pause "
             "the sender? The least headroom that is enough is computed exactly, with packets that "
             "overflow a byte less. docs/headroom.md has the events and the proof.\n",
    .examples = "  switchq headroom --rate 100G --cable 5\n"
                "  switchq headroom --rate 400G --cable 30 --gap 20 --headroom 187392\n"
                "  switchq headroom --rate 25,100,400 --cable 0:300:100\n"
                "  switchq headroom --cell 1 --trigger threshold --json\n",
    .options = options,
    .question = question,
    .run = cli_points_run,
};
