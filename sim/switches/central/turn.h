/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel of switches with one memory for all packets (central.h), with events for packets, not
 * for flits. A packet whose head has come stalls on the link while the FIFO is full. In which cycle
 * each flit moves follows from these rules; each says that flits move one a cycle from a known
 * cycle on:
 *
 *   flit n of a link is sent a cycle after the one before, but not before the cycle behind the one
 *     in which flit n - FIFO leaves the FIFO;
 *   a packet that is admitted to the pool leaves the FIFO from that cycle on, a flit a cycle: a
 *     FIFO is so large that the sender hears of room in time (swq_central_check), and no flit comes
 *     too late for its cycle;
 *   a packet that bypasses the pool leaves the FIFO as its output sends it.
 *
 * The cycles of flits become known when a packet is admitted to a pool or begins to be sent on a
 * link. Then it is known when some flits leave a FIFO; thereby, when the output or node that feeds
 * the FIFO sends as many flits more, each at the earliest a cycle after the flit before; and if
 * these flits bypass the pool of the feeding switch, when they leave the FIFO of that switch; and
 * so on, back to the first packet that lies in a pool, whose tail is sent, or that waits for other
 * packets. So a packet costs as many steps as it bypasses switches, however long it is. See
 * docs/asynchronous.md.
 * This is the text of a cycle, compiled by cycle.c, and with SWQ_WIDE by cycle_wide.c for switches
 * of more than 32 ports.
 */
#define SWQ_OUTPUT_STORES 1
#define SWQ_GENERAL       1
#include "sim/switches/central/flits.h"

/* ---- packets ---- */

/* A packet, so far described by `was`, enters a FIFO or the queue of an output. */
static swq_parcel *come(swq_async_net *net, uint32_t store, const swq_parcel *was, uint32_t ready)
{
    swq_port *e = &net->port[store];
    swq_queue *queue = queue_at(net, store);
    swq_parcel *parcels = swq_parcels_of(net, store);
    const uint16_t slot = e->free_slot;
    swq_parcel *p = &parcels[slot];

    e->free_slot = p->next;
    *p = *was;
    p->ready = ready;
    p->next = SWQ_NO_SLOT;
    if (net->messages.each)
        net->messages.tag[p - net->parcel] = net->passing;
    swq_probe_enter(&net->system, true, (size_t)(p - net->parcel), store, e->in_level, false,
                    net->cycle);
    e->blocks = (uint16_t)(e->blocks + was->blocks);
    queue->blocks = (uint16_t)(queue->blocks + was->blocks);
    if (e->full) {
        parcels[queue->tail].next = slot;
        queue->tail = slot;
        return p;
    }
    e->full = 1;
    queue->head = queue->tail = slot;
    queue->ready = ready;
    return p;
}

/* The packet at the head of a store has left. */
static void go(swq_async_net *net, uint32_t store)
{
    swq_port *e = &net->port[store];
    swq_queue *queue = queue_at(net, store);
    swq_parcel *parcels = swq_parcels_of(net, store), *p = &parcels[queue->head];
    const uint16_t slot = queue->head;

    swq_probe_start(&net->system, true, (size_t)(p - net->parcel), store, e->in_level, net->cycle);
    e->blocks = (uint16_t)(e->blocks - p->blocks);
    queue->blocks = (uint16_t)(queue->blocks - p->blocks);
    queue->head = p->next;
    if (p->next == SWQ_NO_SLOT)
        e->full = 0;
    else
        queue->ready = parcels[p->next].ready;
    p->next = e->free_slot;
    e->free_slot = slot;
}

static void enter_fifo(swq_async_net *net, uint32_t port, const swq_parcel *was, uint32_t ready)
{
    const bool first = !net->port[port].full;
    const uint32_t from = swq_central_of(net)->stream[port].head_from;
    const swq_parcel *p = come(net, port, was, ready);

    if (net->sent)
        note_sending(net, port, p);
    swq_probe_hops(&net->system, 1);
    if (first && from != SWQ_NEVER)
        swq_wake_input(net, later(ready, from), port);
}

/* A sender begins to send a packet. */
static void port_enter(swq_async_net *net, uint32_t port, const swq_parcel *parcel, uint32_t tail)
{
    const swq_stream *s = &swq_central_of(net)->stream[port];
    const uint32_t sender = net->port[port].feeder & ~SWQ_TO_NODE;

    (void)tail;
    enter_fifo(net, port, parcel, parcel->ready);
    begin_on(net, port, parcel->bytes);
    net->sender[sender].link_free = s->sure == s->end ? s->last + 1 + net->link_rest : SWQ_NEVER;
}

/* The packet at the head of a store, a FIFO or the queue of output k, begins on that output's
 * link. */
static void send_over(swq_async_net *net, uint32_t k, uint32_t store)
{
    const swq_fabric *f = net->fabric;
    swq_outlet *o = &swq_central_of(net)->outlet[k];
    swq_port *out = &net->port[net->inputs + k];
    const swq_parcel *p = &swq_parcels_of(net, store)[queue_at(net, store)->head];
    const uint32_t flits = p->bytes;

    if (net->watch && net->watch->started)
        show_start(net, net->crossbars + k, 0, 0, p);
    swq_probe_link(&net->system, link_of(net, k), flits);
    swq_probe_sent(&net->system, out->out_level, flits);
    o->length = flits;
    o->gone = 0;
    o->queued -= flits;
    out->out_free = SWQ_NEVER;
    if (out->link & SWQ_TO_NODE) {
        deliver(net, p);
        go(net, store);
        flits_go(net, k, net->cycle, flits);
        return;
    }
    swq_parcel next = *p;
    next.packet_class = (uint8_t)f->shape.kind->route(f, out->link, p->from, p->to);
    next.entered = (uint8_t)(p->entered + (p->entered < UINT8_MAX));
    if (net->sent)
        net->moving = net->sent[p - net->parcel];
    if (net->messages.each)
        net->passing = net->messages.tag[p - net->parcel];
    go(net, store);
    enter_fifo(net, out->link, &next, net->cycle + net->hop_delay);
    begin_on(net, out->link, flits);
}

/* ---- a switch's turn ---- */

/* Flits that an output has yet to send. */
static uint32_t still_to_go(const swq_async_net *net, uint32_t k)
{
    const swq_outlet *o = &swq_central_of(net)->outlet[k];
    const swq_port *out = &net->port[net->inputs + k];
    uint32_t flits = o->queued, end = out->out_free - net->link_rest;

    if (out->out_free == SWQ_NEVER) {
        flits += o->length - o->gone;
        end = swq_central_of(net)->stream[out->link].last + 1;
    }
    return flits + (end > net->cycle ? end - net->cycle : 0);
}

/* Chooses one of the outputs `set` that a head may take, by the rule of --choice. */
static uint32_t choose(swq_async_net *net, uint32_t port, const swq_parcel *p, port_set set)
{
    const uint32_t base = port - port % (uint32_t)net->ports;
    uint32_t left;

    if (net->choice->by_first)
        return (uint32_t)net->fabric->shape.kind->first(net->fabric, port, p->from, p->to);
    if (net->choice->by_queue || net->choice->by_room) {
        uint32_t least = UINT32_MAX;
        port_set alike = no_ports();
        for (port_set of = set; any_port(of); drop_first(&of)) {
            const uint32_t o = first_port(of), link = net->port[net->inputs + base + o].link;
            uint32_t flits = 0;
            if (net->choice->by_queue)
                flits = still_to_go(net, base + o);
            else if (!(link & SWQ_TO_NODE))
                flits =
                    swq_central_of(net)->stream[link].end - swq_central_of(net)->stream[link].left;
            if (flits < least)
                least = flits, alike = no_ports();
            if (flits == least)
                put_port(&alike, o, true);
        }
        set = alike;
    }
    left = count_ports(set);
    if (left > 1) {
        const swq_words drawn =
            swq_stream_words(&net->streams, SWQ_STREAM_CHOICE, port, (uint64_t)net->cycle << 5);
        for (left = swq_word_below(drawn.v[0], left); left > 0; left--)
            drop_first(&set);
    }
    return first_port(set);
}

/* Routes the head of a FIFO, once. Returns its output. */
static uint32_t route_head(swq_async_net *net, uint32_t sw, int input)
{
    const swq_fabric *f = net->fabric;
    const uint32_t base = sw * (uint32_t)net->ports, port = base + (uint32_t)input;
    swq_queue *queue = queue_at(net, port);
    const swq_parcel *p = &swq_parcels_of(net, port)[queue->head];
    uint32_t output;

    if (f->outputs) {
        const port_set set = fabric_set(f, port, p->packet_class);
        output = is_single(set) ? first_port(set) : choose(net, port, p, set);
    } else {
        output = f->output[(size_t)port * (size_t)f->classes + p->packet_class];
    }
    queue->output = (uint8_t)output;
    put_port(wanted_at(net, base + output), (uint32_t)input, true);
    swq_central_of(net)->outlet[base + output].queued += p->bytes;
    put_port(heads_at(net, sw), (uint32_t)input, true);
    return output;
}

/* The head of an input waits no longer. */
static void head_goes(swq_async_net *net, uint32_t sw, int input, uint32_t output)
{
    const uint32_t base = sw * (uint32_t)net->ports;

    take_port(wanted_at(net, base + output), (uint32_t)input);
    take_port(heads_at(net, sw), (uint32_t)input);
}

/* The head of an input's FIFO bypasses the pool: its flits leave the FIFO as the output sends
 * them. */
static void bypass(swq_async_net *net, uint32_t sw, int input, uint32_t output)
{
    const uint32_t base = sw * (uint32_t)net->ports, port = base + (uint32_t)input;
    swq_outlet *o = &swq_central_of(net)->outlet[base + output];

    head_goes(net, sw, input, output);
    swq_central_of(net)->counts.bypassed++;
    swq_central_of(net)->stream[port].head_from = SWQ_NEVER;
    o->from = (uint16_t)input;
    send_over(net, base + output, port);
}

/* The head of an input gets a place in the pool for the whole packet, and joins the queue of its
 * output, which can send it once its first chunk has been written and read. */
static void admit(swq_async_net *net, uint32_t sw, int input)
{
    swq_central *c = swq_central_of(net);
    swq_pool *pool = &c->pool[sw];
    const uint32_t base = sw * (uint32_t)net->ports, port = base + (uint32_t)input;
    const uint32_t output = queue_at(net, port)->output, k = base + output;
    const uint32_t to = net->inputs + k;
    const swq_parcel *p = &swq_parcels_of(net, port)[queue_at(net, port)->head];
    const uint32_t flits = p->bytes, fill = flits - (p->blocks - 1u) * c->chunk;
    const uint32_t gathered = flits < c->chunk ? flits : c->chunk;
    const uint32_t ready = net->cycle + (c->turns ? gathered + 1 : 0);
    const bool first = !net->port[to].full;

    head_goes(net, sw, input, output);
    c->counts.stored++;
    pool->free -= p->blocks;
    if (c->chunks - pool->free > c->counts.most)
        c->counts.most = c->chunks - pool->free;
    pool->partly += fill < c->chunk;
    if (pool->partly > c->counts.most_partly)
        c->counts.most_partly = pool->partly;
    if (c->turns) {
        swq_freed *ring = c->ring + (size_t)sw * (c->ring_mask + 1);
        pool->writes--;
        for (uint32_t flit = c->chunk; flit < flits; flit += c->chunk) {
            ring[(net->cycle + flit) & c->ring_mask].writes++;
            pool->moving++;
        }
        c->counts.moved += 2 * (uint64_t)p->blocks * c->chunk;
        c->counts.lost += 2 * (uint64_t)(c->chunk - fill);
    }
    if (net->watch && net->watch->started)
        show_start(net, sw, input, (int)output, p);
    swq_probe_sent(&net->system, net->port[k].out_level, flits);
    if (net->sent)
        net->moving = net->sent[p - net->parcel];
    if (net->messages.each)
        net->passing = net->messages.tag[p - net->parcel];
    const swq_parcel *there = come(net, to, p, ready);
    if (net->sent)
        note_sending(net, to, there);
    put_port(queued_at(net, sw), output, true);
    if (first && ready > net->cycle && net->port[to].out_free != SWQ_NEVER)
        swq_wake_output(net, later(ready, net->port[to].out_free), k);
    go(net, port);
    flits_leave(net, port, net->cycle, flits, true);
}

/* ---- outputs ---- */

/* Begins to send the head of an output's queue if the link, the next FIFO and the memory's turn are
 * free. */
static void queue_turn(swq_async_net *net, uint32_t k)
{
    const uint32_t store = net->inputs + k;
    swq_central *c = swq_central_of(net);
    swq_outlet *o = &c->outlet[k];
    const swq_port *out = &net->port[store];
    const uint32_t from = later(queue_at(net, store)->ready, out->out_free);
    swq_pool *pool = &c->pool[k / (uint32_t)net->ports];

    if (from > net->cycle) {
        if (from != SWQ_NEVER)
            swq_wake_output(net, from, k);
        return;
    }
    if (c->turns && pool->reads < 1) {
        swq_wake_output(net, net->cycle + 1, k);
        return;
    }
    if (!(out->link & SWQ_TO_NODE) && !has_room(net, out->link))
        return;
    const swq_parcel *p = &swq_parcels_of(net, store)[queue_at(net, store)->head];
    const uint32_t gathered = p->bytes < c->chunk ? p->bytes : c->chunk;
    o->from = SWQ_FROM_POOL;
    o->entered = p->ready - (c->turns ? gathered + 1 : 0);
    o->last_chunk = (p->blocks - 1u) * c->chunk;
    o->chunk_end = gathered;
    pool->reads -= c->turns > 0;
    pool->next_output = (uint8_t)after(net, (int)(k % (uint32_t)net->ports));
    send_over(net, k, store);
    if (!out->full)
        take_port(queued_at(net, k / (uint32_t)net->ports), k % (uint32_t)net->ports);
}

/* Serves the queues of `outputs`, cyclically from the output whose turn it is. */
static void queue_turns(swq_async_net *net, uint32_t base, port_set outputs)
{
    const uint32_t first = swq_central_of(net)->pool[base / (uint32_t)net->ports].next_output;

    while (any_port(outputs)) {
        const uint32_t output = next_port(outputs, first);
        take_port(&outputs, output);
        queue_turn(net, base + output);
    }
}

/* An idle output with an empty queue: one of the heads for that output bypasses the pool. The
 * other heads find the output taken, and may be stored in the same cycle. */
static void bypass_turn(swq_async_net *net, uint32_t sw, uint32_t output)
{
    const uint32_t k = sw * (uint32_t)net->ports + output;
    const port_set wanted = *wanted_at(net, k);
    const swq_port *out = &net->port[net->inputs + k];
    swq_outlet *o = &swq_central_of(net)->outlet[k];

    if (!any_port(wanted) || out->out_free > net->cycle ||
        (!(out->link & SWQ_TO_NODE) && !has_room(net, out->link)))
        return;
    const int input = (int)next_port(wanted, o->next_input);
    o->next_input = (uint8_t)after(net, input);
    bypass(net, sw, input, output);
}

/* ---- a switch's turn ---- */

/* Stores the packets of waiting heads, as far as there are chunks. Returns the set of outputs that
 * have received packets. */
static port_set admit_turn(swq_async_net *net, uint32_t sw, port_set heads)
{
    const swq_central *c = swq_central_of(net);
    const uint32_t base = sw * (uint32_t)net->ports;
    swq_pool *pool = &c->pool[sw];
    const uint32_t first = pool->next_input;
    port_set to = no_ports();

    pool->lacks = 0;
    while (any_port(heads)) {
        const uint32_t input = next_port(heads, first), port = base + input;
        const swq_queue *queue = queue_at(net, port);
        const uint32_t chunks = swq_parcels_of(net, port)[queue->head].blocks;
        take_port(&heads, input);
        if (c->turns && pool->writes < 1) {
            swq_wake_input(net, net->cycle + 1, port);
        } else if (chunks <= pool->free) {
            put_port(&to, queue->output, true);
            admit(net, sw, (int)input);
            pool->next_input = (uint8_t)after(net, (int)input);
        } else if (pool->lacks == 0 || chunks < pool->lacks) {
            pool->lacks = chunks;
        }
    }
    if (pool->lacks)
        await_chunks(net, sw);
    return to;
}

/* Outputs without a queue, or inputs without a head that waits. */
static inline port_set without(port_set set, port_set others)
{
    return both(set, either_alone(others, all_ports()));
}

/* The outputs of a set that may send heads of FIFOs past their queues, which are empty. */
SWQ_INLINE void bypass_turns(swq_async_net *net, uint32_t sw, port_set outputs)
{
    for (port_set set = without(outputs, *queued_at(net, sw)); any_port(set); drop_first(&set))
        bypass_turn(net, sw, first_port(set));
}

/* The turn of a switch after changes at the inputs of the set `inputs` and the outputs of the set
 * `outputs`. */
static void turn(swq_async_net *net, uint32_t sw, port_set inputs, port_set outputs)
{
    const swq_central *c = swq_central_of(net);
    const uint32_t base = sw * (uint32_t)net->ports;

    settle_pool(net, sw);
    queue_turns(net, base, both(outputs, *queued_at(net, sw)));
    for (port_set set = without(inputs, *heads_at(net, sw)); any_port(set); drop_first(&set)) {
        const uint32_t input = first_port(set), port = base + input;
        if (net->port[port].full && queue_at(net, port)->ready <= net->cycle &&
            c->stream[port].head_from <= net->cycle)
            put_port(&outputs, route_head(net, sw, (int)input), true);
    }
    if (c->bypass)
        bypass_turns(net, sw, outputs);
    if (any_port(*heads_at(net, sw))) {
        const port_set to = admit_turn(net, sw, *heads_at(net, sw));
        if (!c->turns) /* modules can be read at once */
            queue_turns(net, base, to);
    }
    if (!c->bypass) /* unless no module is free */
        bypass_turns(net, sw, outputs);
}

#include "sim/frame/turn_due.h"
