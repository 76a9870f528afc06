/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Global feedback (Scott and Sohi 1990; Frazier 1995, 8.2.3): the last switch before a node counts
 * the packets that it holds for it; all senders are told, some cycles later, when that count makes
 * the node hot or cold, and hold back what they have for a node that they know as hot.
 */
#include "sim/frame/schemes.h"

#include "base/context.h"

#include <math.h>

enum { HOT, COLD, DELAY };
enum { MOST_DELAY = 65535, MOST_PACKETS = 1000000000 };

typedef struct {
    uint32_t *home;    /* [nodes] the last switch before a node, ... */
    uint32_t *count;   /* ... and the packets for the node there, without departing ones */
    uint32_t *changed; /* [changes] nodes whose count has changed in this cycle */
    uint32_t changes;
    uint32_t *first, *next; /* lists of the senders that wait for a node: [nodes], [senders] */
    bool *waits;            /* [senders] whether the sender is in such a list */
    bool *listed;           /* [nodes] whether the node is in `changed` */
    bool *hot, *told;       /* [nodes] hot in the view of its switch, and of the senders */
    swq_wheel news;         /* nodes of which senders will hear that they have become hot or cold */
} feedback_state;
_Static_assert(sizeof(feedback_state) <= SWQ_SCHEME_STATE, "the state of a scheme is too large");

static feedback_state *of(const swq_async_net *net)
{
    return swq_scheme_own(net);
}

/* ---- what can be asked for, and what it costs ---- */

/* The most packets for one node that a switch may hold. A management's own stores have slots, each
 * for a packet of any length. */
static int64_t most_in_switch(const swq_async *n, const swq_fabric *f)
{
    const bool slots = swq_async_stores(n) != NULL;
    const int least = slots ? n->packet.max : swq_async_shortest(n);
    const int blocks = (least + n->packet.block - 1) / n->packet.block;
    const int room = n->memory.last_blocks ? n->memory.last_blocks : n->memory.buffer.capacity;
    int64_t most = (int64_t)f->ports * (slots ? n->memory.bytes / least : room / blocks);

    if (n->architecture.row->async.output_stores)
        most += slots ? (int64_t)n->architecture.output.blocks * n->packet.block / least
                      : n->architecture.output.blocks / blocks;
    return most;
}

static swq_status check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const int64_t most = most_in_switch(n, f);
    const double hot = n->sender.value[HOT], cold = n->sender.value[COLD];

    if (hot > (double)most)
        return swq_fail(ctx, SWQ_EINVAL,
                        "sender feedback's HOT must be 1 to %lld packets, not %.0f: a switch holds "
                        "no more, and no node would ever be hot",
                        (long long)most, hot);
    if (cold > hot)
        return swq_fail(ctx, SWQ_EINVAL,
                        "sender feedback's COLD must be 1 to HOT, %.0f packets, not %.0f: a node "
                        "is cold when there are fewer",
                        hot, cold);
    return SWQ_OK;
}

static double node_bytes(const swq_async *n, uint32_t nodes)
{
    (void)n;
    return ceil(nodes / 8.0);
}

/* A count, and whether the node is hot. */
static double switch_bytes(const swq_async *n, const swq_fabric *f)
{
    return ceil((swq_scheme_bits((double)most_in_switch(n, f)) + 1) * f->nodes_at_switch / 8);
}

static void list(const swq_async_net *net, void *own, swq_arrays *arrays)
{
    feedback_state *f = own;
    const uint32_t nodes = net->fabric->nodes;

    SWQ_ARRAY(arrays, f->home, nodes);
    SWQ_ARRAY(arrays, f->count, nodes);
    SWQ_ARRAY(arrays, f->changed, nodes);
    SWQ_ARRAY(arrays, f->first, nodes);
    SWQ_ARRAY(arrays, f->next, nodes);
    SWQ_ARRAY(arrays, f->waits, nodes);
    SWQ_ARRAY(arrays, f->listed, nodes);
    SWQ_ARRAY(arrays, f->hot, nodes);
    SWQ_ARRAY(arrays, f->told, nodes);
    swq_wheel_lay_out(nodes, (uint32_t)net->spec->sender.value[DELAY], &f->news);
    swq_wheel_list(&f->news, arrays);
}

static void begin(swq_async_net *net)
{
    feedback_state *f = of(net);
    const swq_fabric *fabric = net->fabric;

    for (uint32_t port = 0; port < net->inputs; port++) {
        const uint32_t link = fabric->link[port];
        if (link != SWQ_NO_WHERE && link & SWQ_TO_NODE)
            f->home[link & ~SWQ_TO_NODE] = port / (uint32_t)fabric->ports;
    }
    for (uint32_t node = 0; node < fabric->nodes; node++)
        f->first[node] = SWQ_NEVER;
}

/* ---- at the last switch ---- */

/* Marks a count as changed. Only the total change within a cycle matters, and it is looked at when
 * the next cycle begins. */
static void note(feedback_state *f, uint32_t node)
{
    if (!f->listed[node]) {
        f->listed[node] = true;
        f->changed[f->changes++] = node;
    }
}

static void entered(swq_async_net *net, uint32_t port, uint32_t to)
{
    feedback_state *f = of(net);

    if (port >= net->inputs || f->home[to] != port / (uint32_t)net->ports)
        return;
    f->count[to]++;
    note(f, to);
}

static void delivered(swq_async_net *net, uint32_t from, uint32_t to, uint32_t there, bool marked)
{
    feedback_state *f = of(net);

    (void)from, (void)there, (void)marked;
    f->count[to]--;
    note(f, to);
}

/* ---- at the senders ---- */

/* Senders that wait for a node look at it again in this cycle. Interfaces, which may wait for
 * several nodes, all do. */
static void release(swq_async_net *net, feedback_state *f, uint32_t node)
{
    for (uint32_t s = 0; net->interfaces.queues > 0 && s < net->fabric->nodes; s++)
        swq_scheme_wake(net, s);
    for (uint32_t s = f->first[node]; s != SWQ_NEVER; s = f->next[s]) {
        f->waits[s] = false;
        swq_scheme_wake(net, s);
    }
    f->first[node] = SWQ_NEVER;
}

/* Decides which of the nodes whose counts have changed are hot, or cold again. */
static void judge(swq_async_net *net, feedback_state *f)
{
    const double *value = net->scheme->value;

    for (uint32_t k = 0; k < f->changes; k++) {
        const uint32_t node = f->changed[k];
        const bool hot = f->count[node] >= value[f->hot[node] ? COLD : HOT];
        if (hot != f->hot[node]) {
            f->hot[node] = hot;
            swq_wheel_set(&f->news, net->cycle + (uint32_t)value[DELAY], node);
        }
        f->listed[node] = false;
    }
    f->changes = 0;
}

static void cycle(swq_async_net *net)
{
    feedback_state *f = of(net);

    judge(net, f);
    swq_wheel_due due = swq_wheel_begin(&f->news, net->cycle);
    for (uint64_t set; (set = swq_wheel_take(&due)) != 0;) {
        for (; set; set &= set - 1) { /* news of one node are alternately hot and cold */
            const uint32_t node = due.word * 64 + (uint32_t)__builtin_ctzll(set);
            f->told[node] = !f->told[node];
            if (!f->told[node])
                release(net, f, node);
        }
    }
}

/* A sender that believes that the node is hot is woken when it learns that the node is cold. */
static uint32_t lets(const swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes)
{
    feedback_state *f = of(net);

    (void)bytes;
    if (!f->told[to])
        return net->cycle;
    if (!f->waits[sender] && net->interfaces.queues == 0) {
        f->waits[sender] = true;
        f->next[sender] = f->first[to];
        f->first[to] = sender;
    }
    return SWQ_NEVER;
}

/* ---- the row ---- */

static const swq_sender_hooks hooks = {
    .check = check,
    .node_bytes = node_bytes,
    .switch_bytes = switch_bytes,
    .list = list,
    .begin = begin,
    .lets = lets,
    .entered = entered,
    .delivered = delivered,
    .cycle = cycle,
};

const swq_sender_scheme swq_sender_feedback = {
    .name = "feedback",
    .summary = "a node of HOT packets in its last switch is sent nothing until there are fewer "
               "than COLD; senders hear of both DELAY cycles late",
    .state = "a bit for each destination, at each node; a count for each node, at its last switch",
    .source = "Scott and Sohi (1990); Frazier (1995), 8.2.3, global feedback",
    .parameter = {[HOT] = {.name = "HOT",
                           .unit = "packets",
                           .help = "for a node in its last switch from which on the node is hot",
                           .least = 1,
                           .most = MOST_PACKETS},
                  [COLD] = {.name = "COLD",
                            .unit = "packets",
                            .help = "below which it is cold again, at most HOT",
                            .least = 1,
                            .most = MOST_PACKETS},
                  [DELAY] = {.name = "DELAY",
                             .unit = "cycles",
                             .help = "until all senders know",
                             .most = MOST_DELAY}},
    .hooks = &hooks,
};
