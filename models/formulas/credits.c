/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The buffer behind a link that full throughput needs with credits: bandwidth times round trip.
 * Source: after Dally and Towles (2004), 13.3.1, for packets of one length, blocks that are freed
 * one by one, and a link that rests; derived in docs/asynchronous.md.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

/* Cycles between the starts of packets n and n + whole if only credits hold them back: the header
 * of packet n must reach the next switch, and the blocks that the buffer lacks for `whole` + 1
 * packets must be freed and credited. */
static double turn(const swq_credit_loop *l, double whole, double blocks)
{
    const double packet = ceil(l->length / l->block), lacking = packet - (blocks - whole * packet);
    const double freed = fmin(lacking * l->block, l->length);

    return l->hop_delay + freed + l->credit_delay;
}

double swq_credit_throughput(const swq_credit_loop *l, double blocks)
{
    const double packet = ceil(l->length / l->block), whole = floor(blocks / packet);
    const double apart = l->length + l->link_rest;

    if (whole < 1)
        return 0;
    return l->length * whole / fmax(whole * apart, turn(l, whole, blocks));
}

double swq_credit_blocks(const swq_credit_loop *l)
{
    const double packet = ceil(l->length / l->block), apart = l->length + l->link_rest;
    const double round_trip = l->hop_delay + l->length + l->credit_delay;
    const double whole = ceil(round_trip / apart);
    /* with one packet less in the buffer, how many bytes of a packet are freed in time? */
    const double spare = (whole - 1) * apart - l->hop_delay - l->credit_delay;

    if (whole < 2 || spare < l->block)
        return whole * packet;
    return whole * packet - floor(spare / l->block);
}

static swq_status evaluate(swq_context *ctx, const swq_argument *a, double *result)
{
    const swq_credit_loop loop = {.credit_delay = a[0].value,
                                  .length = a[1].value,
                                  .block = a[2].value,
                                  .hop_delay = a[3].value,
                                  .link_rest = a[4].value};
    const double full = swq_credit_blocks(&loop);

    (void)ctx;
    result[0] = full * loop.block;
    result[1] = full;
    result[2] = loop.hop_delay + loop.length + loop.credit_delay;
    result[3] = swq_credit_throughput(&loop, floor(a[5].value / loop.block));
    result[4] = loop.length / (loop.length + loop.link_rest);
    return SWQ_OK;
}

const swq_formula swq_formula_credit_buffer = {
    .name = "credit-buffer",
    .summary = "the buffer that a link needs with credits: bandwidth times round trip",
    .assumptions = "packets of one length that nothing else holds back, credits for a whole "
                   "buffer, blocks freed as they are sent: 'sim --engine async --flow credits'",
    .source = "after Dally and Towles (2004), 13.3.1",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            {.name = "credit-delay",
             .summary = "cycles from a block's being free until its credit is back",
             .least = 0,
             .most = 1e6,
             .usual = NAN,
             .whole = true},
            {.name = "length",
             .summary = "bytes of a packet",
             .least = 1,
             .most = 16384,
             .usual = 32,
             .whole = true},
            {.name = "block",
             .summary = "bytes of a block",
             .least = 1,
             .most = 16384,
             .usual = 8,
             .whole = true},
            {.name = "hop-delay",
             .summary = "cycles from the start of a transmission until the next can begin",
             .least = 1,
             .most = 1e6,
             .usual = 5,
             .whole = true},
            {.name = "link-rest",
             .summary = "cycles that a link is idle after a packet",
             .least = 0,
             .most = 1e6,
             .usual = 2,
             .whole = true},
            {.name = "bytes",
             .summary = "of a buffer, whose throughput is computed",
             .least = 1,
             .most = 1e9,
             .usual = 128,
             .whole = true},
        },
    .parameters = 6,
    .result =
        (const swq_formula_result[]){
            {"bytes_full", "of the least buffer that does not slow the link down", "bytes", NULL},
            {"blocks_full", "the same in blocks", "blocks", NULL},
            {"round_trip", "cycles from a packet's start until all its credits are back", "cycles",
             NULL},
            {"throughput", "bytes per cycle with a buffer of `bytes`", "bytes per cycle",
             "throughput"},
            {"link", "bytes per cycle that the link carries, its rest counted", "bytes per cycle",
             NULL},
        },
    .results = 5,
    .evaluate = evaluate,
};
