/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See inspector.h. Everything is kept in the plainest way and computed anew whenever it is asked
 * for: a list of packets per queue, and of the last departure from each.
 */
#include "tests/sim/inspector.h"

#define NOTHING UINT32_MAX

typedef struct {
    uint32_t from, to, birth, bytes, ready, blocks;
    int class;
    uint32_t behind;
} inspected_packet;

typedef struct {
    uint32_t cycle, bytes, blocks; /* bytes 0: nothing has departed yet */
} departure;

struct inspector {
    swq_async network; /* a copy: a network may end before what was seen of its run is judged */
    const char *what;
    swq_context *ctx;
    swq_fabric f;
    int queues, capacity, greatest, limit;
    bool each;    /* each queue has a read port */
    uint32_t now; /* everything before this cycle has been inspected */
    uint32_t warmup;

    inspected_packet *store;
    uint32_t stored, space, free;
    uint32_t *head, *tail; /* [ports * queues] */
    departure *leaving;    /* [ports * queues] */
    uint32_t *read_free;   /* [ports * queues] */
    uint32_t *link_free;   /* [ports] of outputs */
    uint32_t *waiting;     /* [ports] packets */
    uint32_t *sender_free; /* [nodes] */
    int64_t *last_open;    /* [nodes * queues] cycle in which the entry port admitted a packet */
    int64_t *last_start;   /* [switches] */

    uint64_t delivered, bytes, held;                /* in all */
    uint64_t counted, latency, counted_bytes, hops; /* after the warm-up */
    uint64_t level_bytes[SWQ_MAX_LEVELS], longest;
};

static void *zeros(size_t count, size_t size)
{
    void *block = calloc(count, size);

    cr_assert_not_null(block);
    return block;
}

inspector *inspector_new(const swq_async *n, uint32_t warmup, const char *what)
{
    inspector *i = zeros(1, sizeof *i);

    i->network = *n;
    i->what = what;
    i->warmup = warmup;
    i->ctx = swq_context_new();
    cr_assert_eq(swq_fabric_make(i->ctx, &n->shape, &i->f), SWQ_OK, "%s", what);
    i->queues = n->memory.buffer.queues == SWQ_ONE_QUEUE ? 1 : i->f.classes;
    i->each = n->memory.buffer.read == SWQ_READ_EACH_QUEUE;
    i->capacity = n->memory.buffer.capacity;
    i->greatest = (n->packet.max + n->packet.block - 1) / n->packet.block;
    i->limit = n->memory.buffer.queue_max - i->greatest;
    if (n->flow.row->threshold && n->flow.threshold < i->limit)
        i->limit = n->flow.threshold;
    size_t ports = (size_t)i->f.switches * (size_t)i->f.ports, lanes = ports * (size_t)i->queues;
    i->head = zeros(lanes, sizeof *i->head);
    i->tail = zeros(lanes, sizeof *i->tail);
    i->leaving = zeros(lanes, sizeof *i->leaving);
    i->read_free = zeros(lanes, sizeof *i->read_free);
    i->link_free = zeros(ports, sizeof *i->link_free);
    i->waiting = zeros(ports, sizeof *i->waiting);
    i->sender_free = zeros(i->f.nodes, sizeof *i->sender_free);
    i->last_open = zeros((size_t)i->f.nodes * (size_t)i->queues, sizeof *i->last_open);
    i->last_start = zeros(i->f.switches, sizeof *i->last_start);
    for (size_t k = 0; k < lanes; k++)
        i->head[k] = NOTHING;
    for (size_t k = 0; k < (size_t)i->f.nodes * (size_t)i->queues; k++)
        i->last_open[k] = -1;
    for (uint32_t k = 0; k < i->f.switches; k++)
        i->last_start[k] = -1;
    i->free = NOTHING;
    return i;
}

void inspector_free(inspector *i)
{
    swq_fabric_clear(i->ctx, &i->f);
    cr_assert_eq(swq_context_live_blocks(i->ctx), 0);
    swq_context_free(i->ctx);
    void *const blocks[] = {i->store,   i->head,        i->tail,      i->leaving,    i->read_free,
                            i->waiting, i->sender_free, i->last_open, i->last_start, i->link_free};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        free(blocks[k]);
    free(i);
}

/* ---- buffers ---- */

static size_t lane_of(const inspector *i, uint32_t port, int class)
{
    return (size_t)port * (size_t)i->queues + (size_t)(i->queues == 1 ? 0 : class);
}

static int blocks_left(const inspector *i, const departure *d)
{
    uint32_t gone = i->now - d->cycle;

    switch (i->network.memory.release) {
    case SWQ_RELEASE_START:
        return d->bytes && gone < 1 ? (int)d->blocks : 0;
    case SWQ_RELEASE_HOP:
        return gone < d->bytes && gone < (uint32_t)i->network.link.hop_delay ? (int)d->blocks : 0;
    case SWQ_RELEASE_AFTER:
        return gone < d->bytes && gone < (uint32_t)i->network.memory.release_cycles ? (int)d->blocks
                                                                                    : 0;
    case SWQ_RELEASE_END:
        return gone < d->bytes ? (int)d->blocks : 0;
    case SWQ_RELEASE_BLOCKS:
        break;
    }
    return gone < d->bytes ? (int)(d->blocks - gone / (uint32_t)i->network.packet.block) : 0;
}

static int blocks_in(const inspector *i, size_t lane)
{
    int blocks = blocks_left(i, &i->leaving[lane]);

    for (uint32_t k = i->head[lane]; k != NOTHING; k = i->store[k].behind)
        blocks += (int)i->store[k].blocks;
    return blocks;
}

/* The blocks that a queue takes of a buffer: those that it holds, or those reserved for it if they
 * are more. */
static int taken_by(const inspector *i, int blocks)
{
    const int kept = i->network.memory.buffer.queue_min;

    return blocks > kept ? blocks : kept;
}

/* By how much more the buffers of a switch hold whose links lead to nodes, in the last stage. */
static int larger_by(const inspector *i, uint32_t port)
{
    const uint32_t first = port - port % (uint32_t)i->f.ports;
    const bool last = i->network.memory.last_blocks && i->f.link[first] & SWQ_TO_NODE;

    return last ? i->network.memory.last_blocks - i->capacity : 0;
}

static bool is_open(const inspector *i, uint32_t port, int class)
{
    const int blocks = blocks_in(i, lane_of(i, port, class)), grown = blocks + i->greatest;
    const int more = larger_by(i, port);
    int all = 0, free = i->capacity + more;

    for (int q = 0; q < i->queues; q++) {
        int held = blocks_in(i, (size_t)port * (size_t)i->queues + (size_t)q);
        all += held;
        free -= taken_by(i, held);
    }
    cr_assert(all <= i->capacity + more && free >= 0, "%s: cycle %u, port %u holds %d blocks of %d",
              i->what, i->now, port, all, i->capacity + more);
    if (blocks > i->limit + more || taken_by(i, grown) - taken_by(i, blocks) > free)
        return false;
    return i->network.memory.buffer.alpha == 0 || grown <= i->network.memory.buffer.queue_min ||
           taken_by(i, blocks) - i->network.memory.buffer.queue_min <
               i->network.memory.buffer.alpha * free;
}

static void put(inspector *i, uint32_t port, inspected_packet p)
{
    size_t lane;
    uint32_t k = i->free;

    p.class = i->f.shape.kind->route(&i->f, port, p.from, p.to);
    p.ready = i->now + (uint32_t)i->network.link.hop_delay;
    p.blocks =
        (p.bytes + (uint32_t)i->network.packet.block - 1) / (uint32_t)i->network.packet.block;
    p.behind = NOTHING;
    lane = lane_of(i, port, p.class);
    cr_assert(is_open(i, port, p.class), "%s: cycle %u, sent into port %u, which is closed",
              i->what, i->now, port);
    if (k != NOTHING) {
        i->free = i->store[k].behind;
    } else {
        if (i->stored == i->space) {
            i->space = 2 * i->space + 64;
            i->store = realloc(i->store, i->space * sizeof *i->store);
            cr_assert_not_null(i->store);
        }
        k = i->stored++;
    }
    i->store[k] = p;
    if (i->head[lane] == NOTHING)
        i->head[lane] = k;
    else
        i->store[i->tail[lane]].behind = k;
    i->tail[lane] = k;
    i->waiting[port]++;
    i->held++;
    i->hops += i->now >= i->warmup;
}

/* ---- cycles ---- */

/* Could the head of this queue be sent in this cycle? */
static bool sendable(const inspector *i, uint32_t port, size_t lane)
{
    if (i->head[lane] == NOTHING)
        return false;
    const inspected_packet *p = &i->store[i->head[lane]];
    uint32_t first = port - port % (uint32_t)i->f.ports;
    uint32_t out = first + i->f.output[(size_t)port * (size_t)i->f.classes + (size_t)p->class];

    if (p->ready > i->now || i->read_free[lane] > i->now || i->link_free[out] > i->now)
        return false;
    uint32_t next = i->f.link[out];
    return (next & SWQ_TO_NODE) ||
           is_open(i, next, i->f.shape.kind->route(&i->f, next, p->from, p->to));
}

/* The rotating arbiters leave no head waiting that could be sent; no other arbiter leaves all of
 * them waiting. */
static void end_cycle(inspector *i)
{
    bool thorough = i->network.arbiter.row->unrolled;

    for (uint32_t sw = 0; sw < i->f.switches; sw++) {
        if (!thorough && i->last_start[sw] == i->now)
            continue;
        for (uint32_t port = sw * (uint32_t)i->f.ports; port < (sw + 1) * (uint32_t)i->f.ports;
             port++) {
            for (int q = 0; i->waiting[port] && q < i->queues; q++)
                cr_assert(!sendable(i, port, (size_t)port * (size_t)i->queues + (size_t)q),
                          "%s: cycle %u, port %u, queue %d could send and does not", i->what,
                          i->now, port, q);
        }
    }
    for (uint32_t node = 0; node < i->f.nodes; node++) {
        for (int q = 0; q < i->queues; q++) {
            if (is_open(i, i->f.entry[node], q))
                i->last_open[(size_t)node * (size_t)i->queues + (size_t)q] = i->now;
        }
    }
    i->now++;
}

static void from_sender(inspector *i, const swq_start *s)
{
    const uint32_t port = i->f.entry[s->from];
    int class = i->f.shape.kind->route(&i->f, port, s->from, s->to);
    uint32_t since = s->birth > i->sender_free[s->from] ? s->birth : i->sender_free[s->from];
    int64_t open =
        i->last_open[(size_t)s->from * (size_t)i->queues + (size_t)(i->queues == 1 ? 0 : class)];

    cr_assert(s->from < i->f.nodes && s->to < i->f.nodes, "%s", i->what);
    cr_assert(!i->f.shape.kind->point_to_point || s->from != s->to, "%s", i->what);
    cr_assert(s->bytes >= 1 && s->bytes <= (uint32_t)i->network.packet.max, "%s", i->what);
    cr_assert(s->birth <= s->cycle, "%s: sent before it was created", i->what);
    cr_assert(i->sender_free[s->from] <= s->cycle, "%s: cycle %u, the link of sender %u is busy",
              i->what, s->cycle, s->from);
    cr_assert_eq(s->packet_class, class, "%s", i->what);
    cr_assert(open < (int64_t)since,
              "%s: sender %u could have sent in cycle %lld what it sends in %u", i->what, s->from,
              (long long)open, s->cycle);
    i->sender_free[s->from] = s->cycle + s->bytes + (uint32_t)i->network.link.rest;
    put(i, port,
        (inspected_packet){.from = s->from, .to = s->to, .birth = s->birth, .bytes = s->bytes});
}

static void arrive(inspector *i, const inspected_packet *p)
{
    i->delivered++;
    i->bytes += p->bytes;
    if (i->now < i->warmup)
        return;
    i->counted++;
    i->counted_bytes += p->bytes;
    i->latency += i->now - p->birth;
    i->longest = i->now - p->birth > i->longest ? i->now - p->birth : i->longest;
}

static void from_switch(inspector *i, const swq_start *s)
{
    const uint32_t base = s->switch_ * (uint32_t)i->f.ports, port = base + s->input;
    const size_t lane = lane_of(i, port, s->packet_class);
    const uint32_t k = i->head[lane], out = base + s->output, next = i->f.link[out];

    cr_assert(k != NOTHING, "%s: cycle %u, port %u sends nothing", i->what, s->cycle, port);
    const inspected_packet p = i->store[k];
    cr_assert(p.from == s->from && p.to == s->to && p.birth == s->birth && p.bytes == s->bytes &&
                  p.class == s->packet_class,
              "%s: cycle %u, port %u sends what is not the head", i->what, s->cycle, port);
    cr_assert(p.ready <= s->cycle, "%s: cycle %u, sent %u too early", i->what, s->cycle,
              p.ready - s->cycle);
    cr_assert(i->read_free[lane] <= s->cycle, "%s: the read port is busy", i->what);
    cr_assert(i->link_free[out] <= s->cycle, "%s: the link is busy", i->what);
    cr_assert_eq(s->output, i->f.output[(size_t)port * (size_t)i->f.classes + (size_t)p.class]);
    i->head[lane] = p.behind;
    i->store[k].behind = i->free;
    i->free = k;
    i->waiting[port]--;
    i->held--;
    i->leaving[lane] = (departure){s->cycle, p.bytes, p.blocks};
    for (int q = 0; q < i->queues; q++) {
        size_t other = (size_t)port * (size_t)i->queues + (size_t)q;
        if (!i->each || other == lane)
            i->read_free[other] = s->cycle + p.bytes;
    }
    i->link_free[out] = s->cycle + p.bytes + (uint32_t)i->network.link.rest;
    i->last_start[s->switch_] = s->cycle;
    if (s->cycle >= i->warmup)
        i->level_bytes[i->f.out_level[out]] += p.bytes;
    if (next & SWQ_TO_NODE) {
        cr_assert_eq(next & ~SWQ_TO_NODE, s->to, "%s: led astray", i->what);
        arrive(i, &p);
    } else {
        put(i, next, p);
    }
}

void inspector_started(void *arg, const swq_start *s)
{
    inspector *i = arg;

    cr_assert(s->cycle >= i->now, "%s: time goes back", i->what);
    while (i->now < s->cycle)
        end_cycle(i);
    if (s->switch_ == SWQ_NO_WHERE)
        from_sender(i, s);
    else
        from_switch(i, s);
}

void inspector_finish(inspector *i, uint32_t end, const swq_async_result *r)
{
    double cycles = (double)(end - i->warmup);

    while (i->now < end)
        end_cycle(i);
    cr_assert_eq(r->sim.total_delivered, i->delivered, "%s", i->what);
    cr_assert_eq(r->bytes_delivered, i->bytes, "%s", i->what);
    cr_assert(r->sim.total_in_flight >= i->held, "%s", i->what);
    cr_assert_eq(r->sim.packet_hops, i->hops, "%s: %llu hops, not %llu", i->what,
                 (unsigned long long)r->sim.packet_hops, (unsigned long long)i->hops);
    cr_assert_eq(r->sim.all.delivered, i->counted, "%s", i->what);
    cr_assert_eq((uint64_t)r->sim.all.bytes, i->counted_bytes, "%s", i->what);
    assert_relative(r->sim.all.throughput.mean * cycles * i->f.nodes, (double)i->counted_bytes,
                    1e-9, "%s", i->what);
    for (int k = 0; k < i->f.levels; k++)
        assert_relative(r->sim.stage[k].sent.mean * cycles * i->f.level_outputs[k],
                        (double)i->level_bytes[k], 1e-9, "%s: level %d", i->what, k);
    if (i->counted == 0)
        return;
    assert_relative(r->sim.all.latency.mean * (double)i->counted, (double)i->latency, 1e-9, "%s",
                    i->what);
    if (i->longest < 8192)
        cr_assert_eq((uint64_t)r->sim.all.max, i->longest, "%s", i->what);
}

/* ---- deadlocks ---- */

uint64_t inspector_drain(inspector *i)
{
    const size_t ports = (size_t)i->f.switches * (size_t)i->f.ports;
    bool more = true;

    i->now = UINT32_MAX; /* all departures are complete, all links have rested, all headers have
                            arrived */
    while (more) {
        more = false;
        for (size_t lane = 0; lane < ports * (size_t)i->queues; lane++) {
            while (sendable(i, (uint32_t)(lane / (size_t)i->queues), lane)) {
                i->head[lane] = i->store[i->head[lane]].behind;
                i->held--;
                more = true;
            }
        }
    }
    return i->held;
}

bool inspector_holds(const inspector *i, uint32_t port, int class)
{
    return i->head[lane_of(i, port, class)] != NOTHING;
}

/* ---- logs ---- */

void log_start(void *arg, const swq_start *start)
{
    start_log *log = arg;

    if (log->count == log->space) {
        log->space = 2 * log->space + 256;
        log->at = realloc(log->at, log->space * sizeof *log->at);
        cr_assert_not_null(log->at);
    }
    log->at[log->count++] = *start;
}

/* ---- specs ---- */

static swq_shape shape_named(const char *name)
{
    swq_context *ctx = swq_context_new();
    swq_shape shape = {0};

    cr_assert_eq(swq_fabric_find(ctx, name, &shape), SWQ_OK, "%s", swq_context_message(ctx));
    swq_context_free(ctx);
    return shape;
}

swq_shape shape_in_stages(const char *wiring, int ports, int stages)
{
    swq_shape shape = shape_named(wiring);

    shape.ports = ports;
    shape.stages = stages;
    return shape;
}

swq_shape shape_of_grid(const char *kind, int dims, int extent)
{
    swq_shape shape = shape_named(kind);

    shape.dims = dims;
    for (int d = 0; d < dims && shape.kind != &swq_fabric_hypercube; d++)
        shape.extent[d] = extent;
    return shape;
}

swq_async async_network(swq_shape shape, const char *buffer, int bytes)
{
    swq_async n = swq_async_defaults();

    n.shape = shape;
    give_buffer(&n, buffer, bytes);
    return n;
}

uint32_t nodes_of(const swq_async *network)
{
    swq_context *ctx = swq_context_new();
    swq_fabric f;

    cr_assert_eq(swq_fabric_count(ctx, &network->shape, &f), SWQ_OK, "%s",
                 swq_context_message(ctx));
    swq_context_free(ctx);
    return f.nodes;
}

swq_async_result run_async(const swq_async *network, const swq_sim_options *options,
                           swq_async_watch *watch)
{
    swq_context *ctx = swq_context_new();
    swq_async_result r;

    cr_assert_eq(swq_async_run(ctx, network, options, watch, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(r.sim.conserved, "packets or bytes are lost or made");
    cr_assert_eq(r.sim.total_created, r.sim.total_delivered + r.sim.total_in_flight);
    cr_assert_eq(r.bytes_created, r.bytes_delivered + r.bytes_in_flight);
    cr_assert(r.sim.little_exact, "packet-cycles do not add up");
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    return r;
}

swq_async_result run_inspected(const swq_async *network, uint64_t cycles, const char *what)
{
    inspector *i = inspector_new(network, 0, what);
    swq_async_watch watch = {.started = inspector_started, .arg = i};
    swq_sim_options options = run_of(1, 1, 0, cycles);
    swq_async_result r = run_async(network, &options, &watch);

    inspector_finish(i, (uint32_t)r.sim.cycles, &r);
    inspector_free(i);
    return r;
}

start_log run_logged(const swq_async *network, uint64_t cycles, swq_async_result *result)
{
    start_log log = {0};
    swq_async_watch watch = {.started = log_start, .arg = &log};
    swq_sim_options options = run_of(1, 1, 0, cycles);

    *result = run_async(network, &options, &watch);
    return log;
}
