/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leaky buckets of a pair (Turner 1986; Frazier 1995, 8.2.2): a sender sends a node bytes at a
 * rate, and up to a burst ahead of that rate.
 */
#include "sim/frame/schemes.h"

#include "base/context.h"

#include <math.h>

enum { RATE, BURST };
enum { MOST_BURST = 1000000000 };

typedef struct {
    double *empty; /* [nodes * nodes] sender, destination: the moment, in cycles, at which
                      everything sent would have been paid for at the rate alone */
} bucket_state;
_Static_assert(sizeof(bucket_state) <= SWQ_SCHEME_STATE, "the state of a scheme is too large");

static double *of_pair(const swq_async_net *net, uint32_t sender, uint32_t to)
{
    const bucket_state *b = swq_scheme_own(net);

    return &b->empty[(size_t)sender * net->fabric->nodes + to];
}

static swq_status check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const double burst = n->sender.value[BURST];

    (void)f;
    if (burst < n->packet.max)
        return swq_fail(ctx, SWQ_EINVAL,
                        "sender bucket's BURST must be %d to %d bytes, at least the greatest "
                        "packet, which else would never be sent, not %.0f",
                        n->packet.max, MOST_BURST, burst);
    return SWQ_OK;
}

/* A credit in bytes, and the cycle of that value: 32 bits, as for clocks here. */
static double node_bytes(const swq_async *n, uint32_t nodes)
{
    return ceil((swq_scheme_bits(n->sender.value[BURST]) + 32) * nodes / 8);
}

static void list(const swq_async_net *net, void *own, swq_arrays *arrays)
{
    bucket_state *b = own;

    SWQ_ARRAY(arrays, b->empty, (double)net->fabric->nodes * net->fabric->nodes);
}

static uint32_t lets(const swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes)
{
    const double *value = net->scheme->value;
    const double from =
        ceil(*of_pair(net, sender, to) - (value[BURST] - (double)bytes) / value[RATE]);

    return from <= net->cycle ? net->cycle : from < SWQ_NEVER ? (uint32_t)from : SWQ_NEVER;
}

static void sent(swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes)
{
    double *empty = of_pair(net, sender, to);

    *empty = fmax(*empty, net->cycle) + bytes / net->scheme->value[RATE];
}

static const swq_sender_hooks hooks = {
    .check = check,
    .node_bytes = node_bytes,
    .list = list,
    .lets = lets,
    .sent = sent,
};

const swq_sender_scheme swq_sender_bucket = {
    .name = "bucket",
    .summary = "a sender sends RATE bytes a cycle to a node, and up to BURST bytes ahead of that",
    .state = "a credit and its time for each destination, at each node",
    .source = "Turner (1986); Rathgeb (1989); Frazier (1995), 8.2.2, leaky bucket",
    .parameter = {[RATE] = {.name = "RATE",
                            .unit = "bytes a cycle",
                            .help = "of a pair, in the long run",
                            .most = 1,
                            .above = true,
                            .real = true},
                  [BURST] = {.name = "BURST",
                             .unit = "bytes",
                             .help = "that a pair may be ahead of its rate, at least a packet",
                             .least = 1,
                             .most = MOST_BURST}},
    .hooks = &hooks,
};
