/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What hop-level flow controls cost in wires, counters and memory that is searched by content.
 * Source: Frazier (1995), 8.6, whose 4 x 4 switch with links of eight bits has 9 wires a link for
 * blocking and 12 for a flow control of queues; its formulas are for that switch, and written here
 * for any.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>
#include <stdint.h>

/* Bits that distinguish this number of values; at least one value. */
static double bits_for(double values)
{
    const uint64_t most = (uint64_t)values - 1;
    int bits = 0;

    while (bits < 64 && most >> bits > 0)
        bits++;
    return bits;
}

enum { PORTS, NODES, BYTES, BLOCK, SHORTEST, WIRES, HOPS, Y_MAX, SIGMA };

static swq_status evaluate(swq_context *ctx, const swq_argument *a, double *result)
{
    const double ports = a[PORTS].value, wires = a[WIRES].value;
    const double blocks = floor(a[BYTES].value / a[BLOCK].value);
    const double headers = floor(blocks / ceil(a[SHORTEST].value / a[BLOCK].value));
    const double length_bits = bits_for(blocks + 1), address = bits_for(a[NODES].value);
    const double hop_bits = a[HOPS].value * bits_for(ports);
    double *r = result;

    if (blocks < 1 || headers < 1)
        return swq_fail(ctx, SWQ_EINVAL, "bytes must hold a packet of `shortest`, not %g",
                        a[BYTES].value);
    *r++ = wires + 1;
    *r++ = wires + ports;
    *r++ = (wires + ports) / (wires + 1) - 1;
    *r++ = wires + 2;
    *r++ = ports;
    *r++ = bits_for(ports);
    *r++ = length_bits;
    *r++ = (ports + 1) * length_bits;
    *r++ = ports * bits_for(a[Y_MAX].value + 1);
    *r++ = bits_for(a[SIGMA].value);
    *r++ = headers;
    *r++ = headers * address;
    *r++ = headers * fmin(hop_bits, address);
    *r++ = 2 * headers;
    *r++ = 2 * bits_for(blocks + 1) + 1; /* pointers to a block or to none */
    return SWQ_OK;
}

const swq_formula swq_formula_flow_control_cost = {
    .name = "flow-control-cost",
    .summary = "wires, counters and searched memory that hop-level flow controls take",
    .assumptions = "of each input port; memory in blocks, a queue for each output, a wire of its "
                   "own for each bit of flow control, a header register for each packet",
    .source = "Frazier (1995), 8.6",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            SWQ_PARAMETER_PORTS,
            {.name = "nodes",
             .summary = "of the network, whose addresses are compared",
             .least = 2,
             .most = 1e9,
             .usual = 256,
             .whole = true},
            {.name = "bytes",
             .summary = "memory of an input port",
             .least = 1,
             .most = 1e9,
             .usual = 128,
             .whole = true},
            {.name = "block",
             .summary = "bytes of a block",
             .least = 1,
             .most = 16384,
             .usual = 8,
             .whole = true},
            {.name = "shortest",
             .summary = "bytes of the shortest packet; the buffer holds the most of these",
             .least = 1,
             .most = 16384,
             .usual = 8,
             .whole = true},
            {.name = "wires",
             .summary = "bits that a link carries at once",
             .least = 1,
             .most = 4096,
             .usual = 8,
             .whole = true},
            {.name = "path-hops",
             .summary = "hops that path-based flow control compares",
             .least = 1,
             .most = 64,
             .usual = 2,
             .whole = true},
            {.name = "y-max",
             .summary = "two-counter flow control: the most that a second counter counts to",
             .least = 1,
             .most = 65535,
             .usual = 1,
             .whole = true},
            {.name = "sigma",
             .summary = "two-counter flow control: cycles between its steps",
             .least = 1,
             .most = 4096,
             .usual = 1,
             .whole = true},
        },
    .parameters = 9,
    .result =
        (const swq_formula_result[]){
            {"wires_blocking", "wires of a link with one for its buffer's being full", "wires",
             NULL},
            {"wires_queues", "wires of a link with one for each queue of its buffer", "wires",
             NULL},
            {"wires_overhead", "by how much these are more", "fraction", NULL},
            {"wires_acknowledged", "wires of a link with one for full and one for acknowledgements",
             "wires", NULL},
            {"serial_cycles", "cycles that the queues' bits take one after another over one wire",
             "cycles", NULL},
            {"preroute_bits", "bits of a packet that name its queue in the next switch", "bits",
             NULL},
            {"counter_bits", "of a counter of blocks", "bits", NULL},
            {"queue_counter_bits", "counters of all queues and of the free blocks", "bits", NULL},
            {"second_counter_bits", "second counters of all queues, of two-counter flow control",
             "bits", NULL},
            {"divider_bits", "of the counter that divides the clock by sigma", "bits", NULL},
            {"headers", "header registers, one for each packet that the buffer can have", "packets",
             NULL},
            {"cam_bits_destination", "memory searched by content, destination-based", "bits", NULL},
            {"cam_bits_path", "the same, path-based: what tells the next hops", "bits", NULL},
            {"retry_bits", "restricted retry: a BLOCKER and a BLOCKEE bit a packet", "bits", NULL},
            {"list_bits", "head, tail and null of the list of what is being sent", "bits", NULL},
        },
    .results = 15,
    .evaluate = evaluate,
};
