/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chunks of a pool, and the cycles in which flits move: a part of turn.h, whose header has the
 * rules.
 */
#include "sim/frame/turn_packets.h"
#include "sim/frame/turn_sets.h"
#include "sim/switches/central/central.h"

static void flits_leave(swq_async_net *net, uint32_t port, uint32_t at, uint32_t flits, bool tail);

static inline swq_queue *queue_at(const swq_async_net *net, uint32_t store)
{
    return behind(net, store)
               ? &net->queue[(size_t)net->inputs * (uint32_t)net->queues + store - net->inputs]
               : &net->queue[(size_t)store * (uint32_t)net->queues];
}

static inline uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The inputs of a switch whose heads have been routed and wait; and the outputs whose queues hold
 * packets. */
static inline port_set *heads_at(const swq_async_net *net, uint32_t sw)
{
#if SWQ_WIDE
    return &swq_central_of(net)->wide_pool[sw].heads;
#else
    return &swq_central_of(net)->pool[sw].heads;
#endif
}

static inline port_set *queued_at(const swq_async_net *net, uint32_t sw)
{
#if SWQ_WIDE
    return &swq_central_of(net)->wide_pool[sw].queued;
#else
    return &swq_central_of(net)->pool[sw].queued;
#endif
}

/* The next input, cyclically. */
static inline int after(const swq_async_net *net, int input)
{
    return input + 1 < net->ports ? input + 1 : 0;
}

/* ---- chunks ---- */

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

/* Returns the chunks whose time has come to the free ones, and the turns that reads and writes
 * leave. */
static void settle_pool(swq_async_net *net, uint32_t sw)
{
    const swq_central *c = swq_central_of(net);
    swq_pool *pool = &c->pool[sw];
    swq_freed *ring = c->ring + (size_t)sw * (c->ring_mask + 1);

    while (pool->seen != net->cycle && (pool->coming || pool->moving)) {
        swq_freed *freed = &ring[++pool->seen & c->ring_mask];
        pool->free += freed->chunks;
        pool->coming -= freed->chunks;
        pool->partly -= freed->partly;
        pool->moving -= (uint32_t)freed->writes + freed->reads;
        pool->writes = least(pool->writes + 1, c->turns) - freed->writes;
        pool->reads = least(pool->reads + 1, c->turns) - freed->reads;
        *freed = (swq_freed){0};
    }
    const uint32_t idle = net->cycle - pool->seen;
    const int most = 2 * (SWQ_WIDE ? SWQ_MAX_PORTS : SWQ_MAX_FABRIC_PORTS);
    const int more = idle < (uint32_t)most ? (int)idle : most;
    pool->writes = least(pool->writes + more, c->turns);
    pool->reads = least(pool->reads + more, c->turns);
    pool->seen = net->cycle;
}

/* Schedules a look at the switch for when a head that lacks chunks can have them, if that cycle is
 * known. */
static void await_chunks(swq_async_net *net, uint32_t sw)
{
    const swq_central *c = swq_central_of(net);
    const swq_pool *pool = &c->pool[sw];
    const swq_freed *ring = c->ring + (size_t)sw * (c->ring_mask + 1);
    uint32_t free = pool->free, cycle = pool->seen;

    if (pool->free + pool->coming < pool->lacks)
        return;
    while (free < pool->lacks)
        free += ring[++cycle & c->ring_mask].chunks;
    swq_wake_input(net, later(cycle, net->cycle + 1), sw * (uint32_t)net->ports);
}

/* ---- cycles of flits ---- */

/* The cycle in which a flit, known to leave, leaves the FIFO; UINT32_MAX: it left long ago. */
static uint32_t leaves_in(const swq_stream *s, uint32_t flit)
{
    for (int k = s->runs - 1; k >= 0; k--) {
        if (flit >= s->run[k].from)
            return s->run[k].at + (flit - s->run[k].from);
    }
    return UINT32_MAX;
}

/* The cycles of more flits of a packet that an output reads from the pool are known; flit 0
 * corresponds to cycle `at`. A chunk becomes free after its last flit. */
static void free_chunks(swq_async_net *net, swq_outlet *o, uint32_t sw, uint32_t at)
{
    swq_central *c = swq_central_of(net);
    swq_pool *pool = &c->pool[sw];
    swq_freed *ring = c->ring + (size_t)sw * (c->ring_mask + 1);

    settle_pool(net, sw);
    while (o->chunk_end <= o->gone) {
        const uint32_t cycle = at + o->chunk_end, stayed = cycle - o->entered;
        swq_freed *freed = &ring[cycle & c->ring_mask];
        freed->chunks++;
        pool->coming++;
        c->counts.taken += stayed;
        if (o->chunk_end < o->length) {
            const uint32_t next = o->chunk_end + c->chunk;
            o->chunk_end = next < o->length ? next : o->length;
            continue;
        }
        const uint32_t fill = o->length - o->last_chunk;
        if (fill < c->chunk) {
            freed->partly++;
            c->counts.partly += stayed;
            c->counts.unfilled += (uint64_t)(c->chunk - fill) * stayed;
        }
        o->chunk_end = UINT32_MAX;
    }
    if (pool->lacks)
        await_chunks(net, sw);
}

/* Reserves the reads of a packet from the pool, from flit `done` on; flit 0 goes in cycle `at`. A
 * chunk after the first is read together with its first flit. */
static void read_on(swq_async_net *net, const swq_outlet *o, uint32_t sw, uint32_t at,
                    uint32_t done)
{
    const swq_central *c = swq_central_of(net);
    swq_freed *ring = c->ring + (size_t)sw * (c->ring_mask + 1);
    uint32_t flit = done > 0 ? (done + c->chunk - 1) / c->chunk * c->chunk : c->chunk;

    for (; c->turns && flit < o->gone; flit += c->chunk) {
        ring[(at + flit) & c->ring_mask].reads++;
        c->pool[sw].moving++;
    }
}

/* Flits of the packet on an output's link are sent, one per cycle from `at` on. */
static void flits_go(swq_async_net *net, uint32_t k, uint32_t at, uint32_t flits)
{
    swq_central *c = swq_central_of(net);
    swq_outlet *o = &c->outlet[k];
    const uint32_t sw = k / (uint32_t)net->ports, done = o->gone, goes = done + flits;
    const bool tail = goes == o->length;

    o->gone = goes;
    if (o->from != SWQ_FROM_POOL) {
        flits_leave(net, sw * (uint32_t)net->ports + o->from, at, flits, tail);
    } else {
        free_chunks(net, o, sw, at - done);
        read_on(net, o, sw, at - done, done);
    }
    if (tail) {
        swq_port *store = &net->port[net->inputs + k];
        store->out_free = at + flits + net->link_rest;
        swq_wake_output(net, store->out_free, k);
    }
}

/* As above, for the output or node that feeds a FIFO. */
static void feeder_goes(swq_async_net *net, uint32_t port, uint32_t at, uint32_t flits)
{
    const swq_stream *s = &swq_central_of(net)->stream[port];
    const uint32_t feeder = net->port[port].feeder;

    if (!(feeder & SWQ_TO_NODE))
        flits_go(net, feeder, at, flits);
    else if (s->sure == s->end)
        swq_sender_ends(net, feeder & ~SWQ_TO_NODE, s->last + 1 + net->link_rest);
}

/* The next flits of a FIFO leave it, one per cycle from `at` on. tail: the last of these flits is a
 * packet's tail. */
static void flits_leave(swq_async_net *net, uint32_t port, uint32_t at, uint32_t flits, bool tail)
{
    const swq_central *c = swq_central_of(net);
    swq_stream *s = &c->stream[port];
    const uint32_t from = s->left;

    /* Forget runs that have left, and extend the last run if there is no gap. */
    while (s->runs > 0) {
        const uint32_t end = s->runs > 1 ? s->run[1].from : s->left;
        if (s->runs < SWQ_STREAM_RUNS && s->run[0].at + (end - s->run[0].from) > net->cycle)
            break;
        s->runs--;
        for (int k = 0; k < s->runs; k++)
            s->run[k] = s->run[k + 1];
    }
    if (s->runs == 0 || s->run[s->runs - 1].at + (from - s->run[s->runs - 1].from) != at) {
        s->run[s->runs++] = (swq_flit_run){from, at};
    }
    s->left += flits;
    if (tail) {
        s->head_from = at + flits;
        if (net->port[port].full)
            swq_wake_input(net, later(s->head_from, queue_at(net, port)->ready), port);
    }
    /* a packet on the link waits for the room of the flits that leave now */
    if (s->sure != s->end) {
        const uint32_t room = s->left + c->fifo, sure = room < s->end ? room : s->end;
        const uint32_t more = sure - s->sure, begin = later(s->last, at) + 1;
        s->sure = sure;
        s->last = begin + more - 1;
        feeder_goes(net, port, begin, more);
    } else if (s->blocked && s->end - c->fifo < s->left) {
        s->blocked = false;
        swq_wake_feeder(net, leaves_in(s, s->end - c->fifo) + 1, net->port[port].feeder);
    }
}

/* A packet begins on the link to an open FIFO in this cycle. Its flits follow one per cycle, except
 * flits for which the FIFO has room only later. */
static void begin_on(swq_async_net *net, uint32_t port, uint32_t flits)
{
    const swq_central *c = swq_central_of(net);
    swq_stream *s = &c->stream[port];
    const uint32_t first = s->end, room = s->left + c->fifo;
    const int runs = s->runs; /* the steps below change only other FIFOs */
    uint32_t from = first, at = net->cycle;

    s->end += flits;
    s->sure = room < s->end ? room : s->end;
    const uint32_t sure = s->sure;
    uint32_t part[SWQ_STREAM_RUNS + 1][2];
    int parts = 0;
    for (int k = 0; k < runs; k++) {
        const uint32_t bend = s->run[k].from + c->fifo, with_room = s->run[k].at + 1;
        if (bend <= from || bend >= sure || with_room <= at + (bend - from))
            continue;
        part[parts][0] = at;
        part[parts++][1] = bend - from;
        from = bend;
        at = with_room;
    }
    part[parts][0] = at;
    part[parts++][1] = sure - from;
    s->last = at + (sure - from) - 1;
    for (int k = 0; k < parts; k++) {
        if (!(net->port[port].feeder & SWQ_TO_NODE))
            flits_go(net, net->port[port].feeder, part[k][0], part[k][1]);
    }
}

/* Does a FIFO have room for a header? If not, the feeder is woken when it does. */
static bool has_room(swq_async_net *net, uint32_t port)
{
    swq_stream *s = &swq_central_of(net)->stream[port];
    const uint32_t flit = s->end - swq_central_of(net)->fifo;

    if (flit >= s->left) {
        s->blocked = true;
        return false;
    }
    const uint32_t from = leaves_in(s, flit) + 1;
    if (from <= net->cycle)
        return true;
    swq_wake_feeder(net, from, net->port[port].feeder);
    return false;
}

static bool fifo_open(swq_async_net *net, uint32_t port, int class)
{
    (void)class;
    return has_room(net, port);
}
