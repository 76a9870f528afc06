/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Windows of a pair that follow marks, as those of DCTCP (Alizadeh et al. 2010): a queue marks the
 * packets that find more than K blocks in it, and once a round trip the sender shrinks its window
 * by the smoothed fraction of marked packets, or widens it by a packet if none was marked. Nothing
 * is lost in these networks, so nothing is sent again.
 */
#include "sim/frame/schemes.h"

#include "base/context.h"

#include <math.h>

enum { K, G, START };
enum { MOST_WINDOW = UINT16_MAX };

/* Packets are counted from the first one on, modulo 2^32. A round ends with the acknowledgement of
 * the first packet that was sent after the round before. */
typedef struct {
    double window; /* packets, at least 1 */
    double alpha;  /* the smoothed fraction of marked packets */
    uint32_t sent, acknowledged;
    uint32_t begun, end; /* acknowledgements before this round, and at its end */
    uint32_t marked;     /* acknowledgements of this round that were marked */
    bool filled;         /* in this round as many packets were under way as the window lets be */
} dctcp_pair;

typedef struct {
    dctcp_pair *pair; /* [nodes * nodes] sender, destination */
} dctcp_state;
_Static_assert(sizeof(dctcp_state) <= SWQ_SCHEME_STATE, "the state of a scheme is too large");

static dctcp_pair *of_pair(const swq_async_net *net, uint32_t sender, uint32_t to)
{
    const dctcp_state *s = swq_scheme_own(net);

    return &s->pair[(size_t)sender * net->fabric->nodes + to];
}

/* ---- what can be asked for, and what it costs ---- */

static swq_status check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const int input = n->memory.last_blocks > n->memory.buffer.capacity ? n->memory.last_blocks
                                                                        : n->memory.buffer.capacity;
    const int most =
        n->architecture.row->async.output_stores && n->architecture.output.blocks > input
            ? n->architecture.output.blocks
            : input;

    (void)f;
    if (n->sender.value[K] < most)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "sender dctcp's K must be 0 to %d blocks, not %.0f: no queue holds more, and "
                    "no packet would ever be marked",
                    most - 1, n->sender.value[K]);
}

/* Bytes of state in all senders: for each pair of nodes a window, alpha and four counts, of 16 bits
 * each. */
static double node_bytes(const swq_async *n, uint32_t nodes)
{
    (void)n;
    return 12.0 * nodes;
}

static void list(const swq_async_net *net, void *own, swq_arrays *arrays)
{
    dctcp_state *s = own;

    SWQ_ARRAY(arrays, s->pair, (double)net->fabric->nodes * net->fabric->nodes);
}

static void begin(swq_async_net *net)
{
    const size_t pairs = (size_t)net->fabric->nodes * net->fabric->nodes;
    const double start = net->scheme->value[START];

    for (size_t k = 0; k < pairs; k++)
        of_pair(net, 0, 0)[k] = (dctcp_pair){.window = start, .alpha = 1, .end = 1};
}

/* ---- in the network ---- */

static bool marks(const swq_async_net *net, uint32_t port, int queue, const swq_parcel *packet)
{
    return swq_queues_of(net, port)[queue].blocks - packet->blocks > net->scheme->value[K];
}

static void delivered(swq_async_net *net, uint32_t from, uint32_t to, uint32_t there, bool marked)
{
    swq_scheme_send_back(net, there + net->hop_delay, from, to, marked);
}

/* ---- at a sender ---- */

static uint32_t lets(const swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes)
{
    const dctcp_pair *p = of_pair(net, sender, to);

    (void)bytes;
    return p->sent - p->acknowledged < floor(p->window) ? net->cycle : SWQ_NEVER;
}

static void sent(swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes)
{
    dctcp_pair *p = of_pair(net, sender, to);

    (void)bytes;
    p->sent++;
    p->filled = p->filled || p->sent - p->acknowledged >= floor(p->window);
}

/* Ends a round of a pair: updates alpha from the fraction of marked acknowledgements, shrinks the
 * window if any were marked, and grows it otherwise. */
static void judge(dctcp_pair *p, double gain)
{
    const double marked = (double)p->marked / (p->acknowledged - p->begun);

    p->alpha += gain * (marked - p->alpha);
    if (p->marked)
        p->window = fmax(1, p->window * (1 - p->alpha / 2));
    else if (p->filled)
        p->window = fmin(p->window + 1, MOST_WINDOW);
    p->begun = p->acknowledged;
    p->end = p->sent + 1;
    p->marked = 0;
    p->filled = false;
}

static void returned(swq_async_net *net, uint32_t node, uint32_t to, bool marked)
{
    dctcp_pair *p = of_pair(net, node, to);

    p->acknowledged++;
    p->marked += marked;
    if ((int32_t)(p->acknowledged - p->end) >= 0)
        judge(p, net->scheme->value[G]);
}

/* ---- the row ---- */

static const swq_sender_hooks hooks = {
    .check = check,
    .node_bytes = node_bytes,
    .list = list,
    .begin = begin,
    .lets = lets,
    .sent = sent,
    .marks = marks,
    .delivered = delivered,
    .returned = returned,
};

const swq_sender_scheme swq_sender_dctcp = {
    .name = "dctcp",
    .summary = "as window, but once a round trip the window grows by a packet, or shrinks with "
               "the fraction of packets that found more than K blocks in a queue",
    .state = "a window, a fraction and four counts for each destination, at each node",
    .source = "Alizadeh et al. (2010), DCTCP",
    .parameter = {[K] = {.name = "K",
                         .unit = "blocks",
                         .help = "in a queue, above which packets that join it are marked",
                         .most = SWQ_MAX_BUFFER_BLOCKS},
                  [G] = {.name = "G",
                         .help = "gain of the fraction of marked packets",
                         .most = 1,
                         .above = true,
                         .real = true,
                         .optional = true,
                         .preset = 1.0 / 16},
                  [START] = {.name = "START",
                             .unit = "packets",
                             .help = "of a pair that may be unacknowledged to begin with",
                             .least = 1,
                             .most = MOST_WINDOW,
                             .optional = true,
                             .preset = 1}},
    .hooks = &hooks,
};
