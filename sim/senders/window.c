/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Windows of a pair (Kermani and Kleinrock 1980; Frazier 1995, 8.2.2): a sender has at most so many
 * packets to a node that are not acknowledged.
 */
#include "sim/frame/schemes.h"

#include <math.h>

enum { W };

typedef struct {
    uint16_t *unacknowledged; /* [nodes * nodes] sender, destination */
} window_state;
_Static_assert(sizeof(window_state) <= SWQ_SCHEME_STATE, "the state of a scheme is too large");

static uint16_t *of_pair(const swq_async_net *net, uint32_t sender, uint32_t to)
{
    const window_state *w = swq_scheme_own(net);

    return &w->unacknowledged[(size_t)sender * net->fabric->nodes + to];
}

static double node_bytes(const swq_async *n, uint32_t nodes)
{
    return ceil(swq_scheme_bits(n->sender.value[W]) * nodes / 8);
}

static void list(const swq_async_net *net, void *own, swq_arrays *arrays)
{
    window_state *w = own;

    SWQ_ARRAY(arrays, w->unacknowledged, (double)net->fabric->nodes * net->fabric->nodes);
}

static uint32_t lets(const swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes)
{
    (void)bytes;
    return *of_pair(net, sender, to) < net->scheme->value[W] ? net->cycle : SWQ_NEVER;
}

static void sent(swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes)
{
    (void)bytes;
    ++*of_pair(net, sender, to);
}

static void delivered(swq_async_net *net, uint32_t from, uint32_t to, uint32_t there, bool marked)
{
    swq_scheme_send_back(net, there + net->hop_delay, from, to, marked);
}

static void returned(swq_async_net *net, uint32_t node, uint32_t to, bool marked)
{
    (void)marked;
    --*of_pair(net, node, to);
}

static const swq_sender_hooks hooks = {
    .node_bytes = node_bytes,
    .list = list,
    .lets = lets,
    .sent = sent,
    .delivered = delivered,
    .returned = returned,
};

const swq_sender_scheme swq_sender_window = {
    .name = "window",
    .summary = "a sender has at most W packets to a node that are not acknowledged",
    .state = "a count for each destination, at each node",
    .source = "Kermani and Kleinrock (1980); Frazier (1995), 8.2.2",
    .parameter = {[W] = {.name = "W",
                         .unit = "packets",
                         .help = "of a pair that may be unacknowledged",
                         .least = 1,
                         .most = UINT16_MAX}},
    .hooks = &hooks,
};
