/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LECN, local explicit congestion notification, which document 001 describes in a phrase: an output
 * store that has grown long tells the output stores that feed its switch, and these keep packets
 * for the long store apart until it is short again, so that such packets hold up no others. The
 * notice is not passed on. See docs/asynchronous.md, "Managements".
 */
#include "sim/frame/net.h"

#include <string.h>

enum { PLAIN, APART, QUEUES };
enum { CONGESTED = SWQ_NOTICE_OWN, RELIEVED };

static int queues(const swq_async *spec, const swq_fabric *fabric, bool output)
{
    (void)spec;
    return output ? QUEUES : fabric->classes;
}

static inline swq_apart *apart_of(const swq_async_net *net, uint32_t store)
{
    return &net->managed.apart[store - net->inputs];
}

static inline int words_of(const swq_async_net *net)
{
    return net->fabric->set_words;
}

/* The output of the next switch that a class at the end of a store's link is for. */
static uint32_t next_output(const swq_async_net *net, uint32_t store, int class)
{
    const swq_fabric *f = net->fabric;

    return f->output[(size_t)net->port[store].link * (size_t)f->classes + (size_t) class];
}

static int joins(const swq_async_net *net, uint32_t store, int class, uint32_t from, uint32_t to)
{
    const swq_fabric *f = net->fabric;

    if (store < net->inputs)
        return class;
    const uint32_t link = net->port[store].link;
    const swq_port_set *set = apart_of(net, store)->set;
    if (!swq_port_set_any(set, words_of(net)) || link & SWQ_TO_NODE)
        return PLAIN;
    const int next = f->shape.kind->route(f, link, from, to);
    return swq_port_set_has(set, next_output(net, store, next), words_of(net)) ? APART : PLAIN;
}

/* ---- the queue aside ---- */

/* The queue aside is held while its head is for a congested output, or while packets that came
 * before all packets of the queue aside are still in the plain queue. wake: the cycle, not over
 * yet, in which the store is looked at. */
static void settle(swq_async_net *net, uint32_t store, uint32_t wake)
{
    swq_managed *m = &net->managed;
    swq_apart *a = apart_of(net, store);
    const bool held = swq_in_set(m, m->held, store, APART);

    if (!swq_in_set(m, m->full, store, APART)) {
        /* the queue is empty, so no packet need stay behind earlier packets for its output */
        memcpy(a->set, a->congested, sizeof a->set);
        swq_take_from_set(m, m->held, store, APART);
        return;
    }
    const swq_queue *waiting = &swq_queues_of(net, store)[APART];
    if (a->before > 0 ||
        swq_port_set_has(a->congested, next_output(net, store, waiting->next_class),
                         words_of(net))) {
        swq_queue_hold(net, store, APART);
    } else if (held) {
        swq_queue_release(net, store, APART, wake);
    }
}

static void head(swq_async_net *net, uint32_t store, int queue)
{
    if (store >= net->inputs && queue == APART)
        settle(net, store, net->cycle + 1);
}

static void passed(swq_async_net *net, uint32_t store, int queue, const swq_parcel *parcel)
{
    (void)parcel;
    if (store >= net->inputs && queue == PLAIN && apart_of(net, store)->before > 0)
        apart_of(net, store)->before--; /* settled at the end of the cycle */
}

/* ---- telling, and being told ---- */

/* Notifies the output stores before a store's switch. Nodes have no second queue. */
static void tell(swq_async_net *net, uint32_t store, uint16_t kind)
{
    const uint32_t ports = (uint32_t)net->ports, output = store - net->inputs;
    const uint32_t base = output / ports * ports;

    for (uint32_t in = base; in < base + ports; in++) {
        const uint32_t feeder = net->port[in].feeder;
        if (net->fabric->in_level[in] == UINT8_MAX || feeder & SWQ_TO_NODE)
            continue;
        swq_notice_send(
            net, net->hop_delay,
            (swq_notice){.element = feeder, .queue = (uint16_t)(output - base), .kind = kind});
    }
}

static void changed(swq_async_net *net, uint32_t store, int queue)
{
    const swq_managed *m = &net->managed;

    (void)queue;
    if (store < net->inputs)
        return;
    swq_apart *a = apart_of(net, store);
    const int blocks = net->port[store].blocks;
    if (!a->told && blocks > m->detect) {
        a->told = true;
        tell(net, store, CONGESTED);
    } else if (a->told && blocks < m->below) {
        a->told = false;
        tell(net, store, RELIEVED);
    }
    settle(net, store, net->cycle + 1);
}

static uint32_t packets_in(const swq_async_net *net, uint32_t store, int queue)
{
    uint32_t packets = 0;

    if (!swq_in_set(&net->managed, net->managed.full, store, queue))
        return 0;
    for (uint16_t slot = swq_queues_of(net, store)[queue].head; slot != SWQ_NO_SLOT;
         slot = swq_parcels_of(net, store)[slot].next)
        packets++;
    return packets;
}

static void notice(swq_async_net *net, const swq_notice *n)
{
    swq_apart *a = apart_of(net, n->element);
    const int words = words_of(net);

    if (n->kind == CONGESTED) {
        /* packets for the output that are here go before packets to come */
        if (!swq_port_set_has(a->set, n->queue, words))
            a->before = packets_in(net, n->element, PLAIN);
        swq_port_set_put(a->congested, n->queue, true, words);
        swq_port_set_put(a->set, n->queue, true, words);
    } else {
        swq_port_set_take(a->congested, n->queue, words);
    }
    settle(net, n->element, net->cycle);
}

/* The store that keeps the queue aside held: this store while packets here go before the queue;
 * else, while the output of the queue's head has not been reported as relieved, the store at that
 * output. */
static uint32_t held_by(const swq_async_net *net, uint32_t store, int queue)
{
    const swq_queue *waiting = &swq_queues_of(net, store)[queue];
    const uint32_t ports = (uint32_t)net->ports, link = net->port[store].link;

    if (apart_of(net, store)->before > 0)
        return store;
    const uint32_t next =
        net->inputs + link / ports * ports + next_output(net, store, waiting->next_class);
    return apart_of(net, next)->told ? next : SWQ_NO_WHERE;
}

/* There is a notice each time a store grows or shrinks past a threshold, for which a packet has to
 * come or go. */
static void notices(const swq_async_net *net, uint32_t *most, uint32_t *delay)
{
    *delay = net->hop_delay;
    *most =
        (net->elements - net->inputs) * (uint32_t)net->ports * 2 * (*delay / net->managed.gap + 1);
}

static const swq_management_hooks hooks = {
    .queues = queues,
    .joins = joins,
    .head = head,
    .passed = passed,
    .changed = changed,
    .notice = notice,
    .notices = notices,
    .held_by = held_by,
};

const swq_management swq_management_lecn = {
    .name = "lecn",
    .summary =
        "a buffer before a link with more than --detect packets notifies the buffers that feed its "
        "switch; these keep packets for it in a separate queue until it has fewer than --xon",
    .source = "Krishnan et al. (2004), as document 001 cites it; as voqsw at inputs",
    .by_class = true,
    .tells_upstream = true,
    .needs_output_stores = true,
    .default_detect = 2,
    .default_xon = 1,
    .hooks = &hooks,
};
