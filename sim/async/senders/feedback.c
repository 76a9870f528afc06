/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Global feedback (Scott and Sohi 1990; Frazier 1995, 8.2.3): the last switch before a node counts
 * the packets that it holds for it; all senders are told, some cycles later, when that count makes
 * the node hot or cold, and hold back what they have for a node that they know as hot.
 * Room: sim.
 */
#include "sim/async/senders/schemes.h"

#include "base/context.h"

void swq_feedback_list(const swq_async_net *net, swq_feedback *f, swq_arrays *list)
{
    const double nodes = net->spec->sender->feedback ? net->fabric->nodes : 0;

    SWQ_ARRAY(list, f->home, nodes);
    SWQ_ARRAY(list, f->count, nodes);
    SWQ_ARRAY(list, f->changed, nodes);
    SWQ_ARRAY(list, f->first, nodes);
    SWQ_ARRAY(list, f->next, nodes);
    SWQ_ARRAY(list, f->waits, nodes);
    SWQ_ARRAY(list, f->listed, nodes);
    SWQ_ARRAY(list, f->hot, nodes);
    SWQ_ARRAY(list, f->told, nodes);
}

double swq_feedback_bytes(const swq_async_net *net)
{
    if (!net->spec->sender->feedback)
        return 0;
    return swq_wheel_bytes(net->fabric->nodes, (uint32_t)net->spec->feedback_delay);
}

swq_status swq_feedback_new(swq_context *ctx, swq_async_net *net, swq_feedback *f)
{
    const swq_fabric *fabric = net->fabric;

    if (!net->spec->sender->feedback)
        return SWQ_OK;
    for (uint32_t port = 0; port < net->inputs; port++) {
        const uint32_t link = fabric->link[port];
        if (link != SWQ_NO_WHERE && link & SWQ_TO_NODE)
            f->home[link & ~SWQ_TO_NODE] = port / (uint32_t)fabric->ports;
    }
    for (uint32_t node = 0; node < fabric->nodes; node++)
        f->first[node] = SWQ_NEVER;
    return swq_wheel_new(ctx, fabric->nodes, (uint32_t)net->spec->feedback_delay, &f->news);
}

void swq_feedback_free(swq_context *ctx, swq_feedback *f)
{
    swq_wheel_free(ctx, &f->news);
}

/* Marks a count as changed. Only the total change within a cycle matters, and it is looked at when
 * the next cycle begins. */
static void note(swq_feedback *f, uint32_t node)
{
    if (!f->listed[node]) {
        f->listed[node] = true;
        f->changed[f->changes++] = node;
    }
}

void swq_feedback_entered(swq_async_net *net, swq_feedback *f, uint32_t port, uint32_t to)
{
    if (port >= net->inputs || f->home[to] != port / (uint32_t)net->ports)
        return;
    f->count[to]++;
    note(f, to);
}

void swq_feedback_left(swq_feedback *f, uint32_t to)
{
    f->count[to]--;
    note(f, to);
}

/* Senders that wait for a node look at it again in this cycle. Interfaces, which may wait for
 * several nodes, all do. */
static void release(swq_async_net *net, swq_feedback *f, uint32_t node)
{
    for (uint32_t s = 0; net->interfaces.queues > 0 && s < net->fabric->nodes; s++)
        swq_wheel_set(&net->senders, net->cycle, s);
    for (uint32_t s = f->first[node]; s != SWQ_NEVER; s = f->next[s]) {
        f->waits[s] = false;
        swq_wheel_set(&net->senders, net->cycle, s);
    }
    f->first[node] = SWQ_NEVER;
}

void swq_feedback_cycle(swq_async_net *net, swq_feedback *f)
{
    const swq_async *n = net->spec;

    for (uint32_t k = 0; k < f->changes; k++) {
        const uint32_t node = f->changed[k];
        const bool hot =
            f->count[node] >= (uint32_t)(f->hot[node] ? n->feedback_cold : n->feedback_hot);
        if (hot != f->hot[node]) {
            f->hot[node] = hot;
            swq_wheel_set(&f->news, net->cycle + (uint32_t)n->feedback_delay, node);
        }
        f->listed[node] = false;
    }
    f->changes = 0;
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

bool swq_feedback_holds(const swq_async_net *net, swq_feedback *f, uint32_t sender, uint32_t to)
{
    if (f->told[to] && !f->waits[sender] && net->interfaces.queues == 0) {
        f->waits[sender] = true;
        f->next[sender] = f->first[to];
        f->first[to] = sender;
    }
    return f->told[to];
}
