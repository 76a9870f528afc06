/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The headroom of priority flow control as SONiC computes it, in exact integers.
 * Source: sonic-swss, cfgmgr/buffer_headroom_mellanox.lua.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"
#include "switchq/pfc.h"

#include <math.h>

__extension__ typedef unsigned __int128 big;

enum { KIB = 1024, QUANTUM = 64 /* bytes */ };

static const struct {
    uint32_t rate, quanta;
} quanta_of[] = {{100, 1},     {1000, 2},     {10000, 67},   {25000, 80},   {40000, 118},
                 {50000, 147}, {100000, 394}, {200000, 453}, {400000, 905}, {800000, 905}};

uint32_t swq_pfc_quanta(uint32_t rate)
{
    for (size_t k = 0; k < sizeof quanta_of / sizeof *quanta_of; k++) {
        if (quanta_of[k].rate == rate)
            return quanta_of[k].quanta;
    }
    return 0;
}

static swq_status check(swq_context *ctx, const char *name, uint32_t value, uint32_t least,
                        uint32_t most)
{
    if (value >= least && value <= most)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL, "%s must be from %u to %u, not %u", name, least, most, value);
}

swq_status swq_pfc_check(swq_context *ctx, const swq_pfc_link *l)
{
    const struct {
        const char *name;
        uint32_t value, least, most;
    } members[] = {
        {"rate, in Mb/s,", l->rate, 1, SWQ_PFC_RATE},
        {"cable, in mm,", l->cable, 0, SWQ_PFC_CABLE},
        {"lossless-mtu, in bytes,", l->lossless_mtu, SWQ_PFC_LEAST_FRAME, SWQ_PFC_FRAME},
        {"port-mtu, in bytes,", l->port_mtu, SWQ_PFC_LEAST_FRAME, SWQ_PFC_FRAME},
        {"cell, in bytes,", l->cell, 1, SWQ_PFC_FRAME},
        {"mac-phy, in thousandths of a KiB,", l->mac_phy, 0, SWQ_PFC_DELAY},
        {"quanta", l->quanta, 0, 65535},
        {"gearbox, in ns,", l->gearbox, 0, SWQ_PFC_DELAY},
    };
    swq_status status = SWQ_OK;

    for (size_t k = 0; k < sizeof members / sizeof *members && !status; k++)
        status = check(ctx, members[k].name, members[k].value, members[k].least, members[k].most);
    if (!status && l->lossless_mtu > l->port_mtu)
        status = swq_fail(ctx, SWQ_EINVAL, "lossless-mtu must be at most port-mtu, %u, not %u",
                          l->port_mtu, l->lossless_mtu);
    return status;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

static uint64_t up_to_kib(big numerator, uint64_t denominator)
{
    const big unit = (big)denominator * KIB;

    return (uint64_t)((numerator + unit - 1) / unit) * KIB;
}

/* Bytes of cells that a byte takes in the worst case, as SONiC has it, for that share of packets:
 * numerator / denominator. */
static void occupancy(uint32_t cell, uint32_t share, uint64_t *numerator, uint64_t *denominator)
{
    const uint64_t part = cell > 2 * SWQ_PFC_LEAST_FRAME ? cell : 2 * (uint64_t)cell;
    const uint64_t of = cell > 2 * SWQ_PFC_LEAST_FRAME ? SWQ_PFC_LEAST_FRAME : 1 + (uint64_t)cell;

    *numerator = (100 - share) * of + share * part;
    *denominator = 100 * of;
}

swq_status swq_sonic_headroom_solve(swq_context *ctx, const swq_pfc_link *l,
                                    const swq_sonic_options *o, swq_sonic_headroom *h)
{
    /* Delays in parts of a byte of which all terms are multiples. With the cable in mm and the rate
     * in Mb/s, 2 cable rate 1e9 / 198e6 / 8192 is cable rate / (99 * 8192); the gearbox has rate ns
     * / 8192 in each direction; a thousandth of a KiB is 128/125 bytes. */
    const uint64_t parts = UINT64_C(99) * 8192 * 125;
    uint64_t numerator, denominator;
    swq_status status = swq_pfc_check(ctx, l);

    if (!status)
        status = check(ctx, "small-share, in percent,", o->small_share, 0, 100);
    if (!status)
        status = check(ctx, "pipeline, in thousandths of a KiB,", o->pipeline, 0, SWQ_PFC_DELAY);
    if (!status && o->eight_lanes && o->pipeline < 500)
        status =
            swq_fail(ctx, SWQ_EINVAL,
                     "pipeline must be at least 0.5 KiB with eight-lanes, which subtract a KiB "
                     "of its double, not %g",
                     o->pipeline / 1000.0);
    if (status)
        return status;
    occupancy(l->cell, o->small_share, &numerator, &denominator);
    const uint64_t cable = UINT64_C(125) * l->cable * l->rate;
    const big delay = (big)parts * (l->port_mtu + QUANTUM * l->quanta) + cable +
                      (big)(UINT64_C(99) * 125 * 2) * l->rate * l->gearbox +
                      (big)(parts / 125 * 128) * l->mac_phy;
    const uint64_t unit = parts * denominator;
    const big xoff = (big)unit * l->lossless_mtu + delay * numerator;
    const uint64_t rest = (uint64_t)(xoff % unit), common = common_divisor(rest, unit);
    const uint64_t pipeline =
        o->eight_lanes ? 2 * (uint64_t)o->pipeline - 1000 : (uint64_t)o->pipeline;

    *h = (swq_sonic_headroom){.xoff = up_to_kib(xoff, unit),
                              .xon = up_to_kib((big)pipeline * KIB, 1000),
                              .whole = (uint64_t)(xoff / unit),
                              .numerator = rest / common,
                              .denominator = unit / common,
                              .cable_bytes = (double)cable / (double)parts,
                              .factor = (double)numerator / (double)denominator};
    h->size = up_to_kib(h->xoff + h->xon + (o->eight_lanes ? l->port_mtu : 0), 1);
    return SWQ_OK;
}

/* ---- the row ---- */

/* A value in thousandths of its unit. */
static swq_status thousandths(swq_context *ctx, const char *name, const char *unit, double value,
                              uint32_t *into)
{
    const double whole = nearbyint(value * 1000);

    if (fabs(whole / 1000 - value) > 1e-12 * fabs(value))
        return swq_fail(ctx, SWQ_EINVAL, "%s must have at most three decimals of a %s, not %.10g",
                        name, unit, value);
    *into = (uint32_t)whole;
    return SWQ_OK;
}

/* rate, cable, lossless-mtu, port-mtu, cell, small-share, mac-phy, pipeline, quanta, gearbox,
 * eight-lanes */
static swq_status evaluate(swq_context *ctx, const swq_argument *a, double *result)
{
    swq_pfc_link link = {.lossless_mtu = (uint32_t)a[2].value,
                         .port_mtu = (uint32_t)a[3].value,
                         .cell = (uint32_t)a[4].value,
                         .gearbox = (uint32_t)a[9].value};
    swq_sonic_options how = {.small_share = (uint32_t)a[5].value, .eight_lanes = a[10].value != 0};
    swq_sonic_headroom h;
    swq_status status = thousandths(ctx, "rate", "Gb/s", a[0].value, &link.rate);

    if (!status)
        status = thousandths(ctx, "cable", "metre", a[1].value, &link.cable);
    if (!status)
        status = thousandths(ctx, "mac-phy", "KiB", a[6].value, &link.mac_phy);
    if (!status)
        status = thousandths(ctx, "pipeline", "KiB", a[7].value, &how.pipeline);
    link.quanta = a[8].value < 0 ? swq_pfc_quanta(link.rate) : (uint32_t)a[8].value;
    if (!status && a[8].value < 0 && link.quanta == 0)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "quanta is required for a rate of %g Gb/s, as they are known for 0.1, 1, "
                          "10, 25, 40, 50, 100, 200, 400 and 800 Gb/s",
                          a[0].value);
    if (!status)
        status = swq_sonic_headroom_solve(ctx, &link, &how, &h);
    if (status)
        return status;
    const double fraction = (double)h.numerator / (double)h.denominator;
    result[0] = (double)h.xoff;
    result[1] = (double)h.xon;
    result[2] = (double)h.size;
    result[3] = (double)h.whole + fraction;
    result[4] = (double)(h.xoff - h.whole) - fraction;
    result[5] = h.cable_bytes;
    result[6] = (double)(QUANTUM * link.quanta);
    result[7] = h.factor;
    return SWQ_OK;
}

#define BYTES(name_, summary_, least_, usual_)                                                     \
    {                                                                                              \
        .name = (name_), .summary = (summary_), .least = (least_), .most = SWQ_PFC_FRAME,          \
        .usual = (usual_), .whole = true                                                           \
    }

const swq_formula swq_formula_pfc_headroom = {
    .name = "pfc-headroom",
    .family = "data centres",
    .summary = "memory behind a paused link, as SONiC configures it for priority flow control",
    .assumptions =
        "no shared headroom pool; bytes on the cable are 1000/1024 of what it holds, and "
        "the pause frame has no length: 'switchq headroom' has what can really arrive",
    .source = "sonic-swss, cfgmgr/buffer_headroom_mellanox.lua; quanta: IEEE 802.3, 31B.3.7, as "
              "listed there",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            {.name = "rate",
             .summary = "of the link, in Gb/s",
             .least = 0.001,
             .most = SWQ_PFC_RATE / 1000.0,
             .usual = 100},
            {.name = "cable",
             .summary = "its length in metres",
             .least = 0,
             .most = SWQ_PFC_CABLE / 1000.0,
             .usual = 5},
            BYTES("lossless-mtu", "bytes of the longest packet of the lossless class",
                  SWQ_PFC_LEAST_FRAME, 1024),
            BYTES("port-mtu", "bytes of the longest packet of any class", SWQ_PFC_LEAST_FRAME,
                  9100),
            BYTES("cell", "bytes of a cell of the memory", 1, 144),
            {.name = "small-share",
             .summary = "percent of packets that use cells worst",
             .least = 0,
             .most = 100,
             .usual = 100,
             .whole = true},
            {.name = "mac-phy",
             .summary = "KiB that pass in the lower layers of both ends",
             .least = 0,
             .most = SWQ_PFC_DELAY / 1000.0,
             .usual = 0.8},
            {.name = "pipeline",
             .summary = "KiB that pass in the pipeline of the switch",
             .least = 0,
             .most = SWQ_PFC_DELAY / 1000.0,
             .usual = 18},
            {.name = "quanta",
             .summary = "of 512 bits, until the peer obeys; -1: those of the rate",
             .least = -1,
             .most = 65535,
             .usual = -1,
             .whole = true},
            {.name = "gearbox",
             .summary = "ns of delay in each direction",
             .least = 0,
             .most = SWQ_PFC_DELAY,
             .usual = 0,
             .whole = true},
            {.name = "eight-lanes",
             .summary = "1: a port of eight lanes",
             .least = 0,
             .most = 1,
             .usual = 0,
             .whole = true},
        },
    .parameters = 11,
    .result =
        (const swq_formula_result[]){
            {"xoff_bytes", "of headroom behind the threshold", "bytes", "sonic_headroom_bytes"},
            {"xon_bytes", "of the reserve, below which a pause ends", "bytes", NULL},
            {"size_bytes", "of both, and of a packet with eight lanes", "bytes", NULL},
            {"unrounded_bytes", "of headroom before they are rounded up to KiB", "bytes",
             "sonic_unrounded_bytes"},
            {"rounding_bytes", "that the rounding adds", "bytes", NULL},
            {"cable_bytes", "on the cable, both ways", "bytes", NULL},
            {"response_bytes", "until the peer obeys", "bytes", "response_bytes"},
            {"cell_factor", "bytes of cells for a byte", NULL, NULL},
        },
    .results = 8,
    .evaluate = evaluate,
};
