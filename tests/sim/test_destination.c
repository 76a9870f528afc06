/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flow controls whose buffers take or refuse packets. Every transmission and every refusal of
 * random small networks is written down and held against the rules of docs/asynchronous.md, which
 * are worked out here once more, from the list alone: who was there, who had to be refused, who had
 * to wait for whom. And what the text claims: order, path lengths, memory that comes back.
 */
#include "sim/frame/acks.h"
#include "sim/switches/input_queued/kernels.h"
#include "switchq/async.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

TestSuite(destination, .timeout = 240);

enum { MOST_STARTS = 60000, HOP = 5, ANSWER = 6, REST = 2, NEVER = 1 << 30 };

/* A transmission. */
typedef struct {
    int cycle;
    uint32_t from, to, birth;
    int bytes, blocks;
    uint32_t out; /* the link: a port, or nodes' links after all ports */
    uint32_t in;  /* the input port that it is read from; SWQ_SINK: a sender's */
    uint32_t end; /* the input port that it goes to, or SWQ_SINK */
    bool refused;
    bool
        answered; /* it waits for an answer: it comes from a sender or from a store with the rule */
    int gone;     /* from `end`, as its answer comes there, or NEVER */
    int again;    /* refused: when it was sent again, or NEVER */
    bool blocker; /* in `end` it has had another packet refused */
} flight;

typedef struct {
    const swq_async *n;
    swq_fabric f;
    flight *list;
    int count;
    bool relinks; /* a buffer of several queues in one memory */
} record;

static uint32_t link_of(const record *r, const swq_start *x)
{
    const uint32_t ports = (uint32_t)r->f.ports;

    return x->switch_ == SWQ_NO_WHERE ? r->f.switches * ports + x->from
                                      : x->switch_ * ports + x->output;
}

static bool has_rule(const record *r, uint32_t port)
{
    const int stages = r->n->flow.answers.stages;

    return port != SWQ_SINK && (!stages || r->f.in_level[port] < stages);
}

static void note_start(void *arg, const swq_start *x)
{
    record *r = arg;
    const uint32_t ports = (uint32_t)r->f.ports;
    const bool node = x->switch_ == SWQ_NO_WHERE;
    const uint32_t link = node ? r->f.entry[x->from] : r->f.link[x->switch_ * ports + x->output];

    cr_assert_lt(r->count, MOST_STARTS);
    r->list[r->count++] = (flight){
        .cycle = (int)x->cycle,
        .from = x->from,
        .to = x->to,
        .birth = x->birth,
        .bytes = (int)x->bytes,
        .blocks = ((int)x->bytes + r->n->packet.block - 1) / r->n->packet.block,
        .out = link_of(r, x),
        .in = node ? SWQ_SINK : x->switch_ * ports + x->input,
        .end = link & SWQ_TO_NODE ? SWQ_SINK : link,
        .answered = node || has_rule(r, x->switch_ * ports + x->input),
        .gone = NEVER,
        .again = NEVER,
    };
}

static void note_refusal(void *arg, const swq_start *x)
{
    record *r = arg;
    int k = r->count - 1;

    while (k >= 0 && (r->list[k].cycle != (int)x->cycle || r->list[k].out != link_of(r, x)))
        k--;
    cr_assert_geq(k, 0, "a refusal of what was not sent");
    cr_assert(!r->list[k].refused);
    r->list[k].refused = true;
}

static bool same_packet(const flight *a, const flight *b)
{
    return a->from == b->from && a->to == b->to && a->birth == b->birth;
}

/* When each packet left where it went to, and when what was refused was sent again. */
static void follow(const record *r)
{
    for (int i = 0; i < r->count; i++) {
        flight *a = &r->list[i];
        for (int k = i + 1; k < r->count && a->gone == NEVER && a->again == NEVER; k++) {
            const flight *b = &r->list[k];
            if (!same_packet(a, b))
                continue;
            if (a->refused)
                a->again = b->cycle;
            else if (!b->refused)
                a->gone = b->cycle + (b->answered ? ANSWER : 1);
            if (!a->refused && b->in != a->end)
                cr_assert(false, "a packet that is where it is not");
        }
    }
}

/* Do two packets at an input port go the same way for so many hops? By wires. */
static bool same_way(const swq_fabric *f, uint32_t port, const flight *a, const flight *b, int hops)
{
    uint32_t pa = port, pb = port;

    for (; hops > 0 && !(pa & SWQ_TO_NODE); hops--) {
        const uint32_t base = pa / (uint32_t)f->ports * (uint32_t)f->ports;
        const uint32_t oa = base + (uint32_t)f->shape.kind->route(f, pa, a->from, a->to);
        const uint32_t ob = base + (uint32_t)f->shape.kind->route(f, pb, b->from, b->to);
        if (oa != ob)
            return false;
        pa = pb = f->link[oa];
    }
    return true;
}

/* The packet that is there and goes the same way. */
static flight *there(const record *r, const flight *a)
{
    flight *found = NULL;
    const int when = a->cycle + HOP;

    for (int k = 0; k < r->count && r->list[k].cycle < a->cycle; k++) {
        flight *b = &r->list[k];
        if (b->end != a->end || b->refused || b->gone <= when)
            continue;
        if (r->n->flow.row->by_path ? !same_way(&r->f, a->end, a, b, r->n->flow.answers.path_hops)
                                    : a->to != b->to)
            continue;
        cr_expect(!found, "two packets of one way in a buffer, cycle %d", when);
        found = b;
    }
    return found;
}

/* The first answer of a BLOCKER in that buffer after a cycle. */
static int first_clearing(const record *r, uint32_t end, int after)
{
    int first = NEVER;

    for (int k = 0; k < r->count; k++) {
        const flight *b = &r->list[k];
        if (b->end == end && b->blocker && b->gone > after && b->gone < first)
            first = b->gone;
    }
    return first;
}

static int later(int a, int b)
{
    return a > b ? a : b;
}

/* Who is refused, and when it may be sent again. */
static int check_refusals(const record *r)
{
    int refusals = 0;

    for (int i = 0; i < r->count; i++) {
        flight *a = &r->list[i];
        flight *b = has_rule(r, a->end) ? there(r, a) : NULL;
        if (a->cycle + HOP > r->list[r->count - 1].cycle)
            break; /* not told any more */
        cr_expect_eq(a->refused, b != NULL, "cycle %d: %u to %u", a->cycle, a->from, a->to);
        if (b)
            b->blocker = true;
        refusals += a->refused;
    }
    for (int i = 0; i < r->count; i++) {
        const flight *a = &r->list[i];
        if (!a->refused)
            continue;
        const int end = later(a->cycle + a->bytes, a->cycle + ANSWER);
        int from = r->n->flow.answers.no_abort ? end + REST : a->cycle + ANSWER + REST;
        if (!r->n->flow.answers.no_abort && r->relinks && a->in != SWQ_SINK)
            from = later(from, a->cycle + ANSWER + 2 * a->blocks);
        const flight *b = there(r, a);
        if (!r->n->flow.answers.no_restrict && b && b->gone > a->cycle + ANSWER)
            from = later(from, first_clearing(r, a->end, a->cycle + ANSWER));
        cr_expect_geq(a->again, from, "cycle %d: %u to %u again in %d, not before %d", a->cycle,
                      a->from, a->to, a->again, from);
    }
    return refusals;
}

/* No link, and no read port of one, is taken twice. */
static void check_links(const record *r)
{
    for (int i = 0; i < r->count; i++) {
        const flight *a = &r->list[i];
        const bool aborted = a->refused && !r->n->flow.answers.no_abort;
        const int least = a->cycle + (a->answered ? ANSWER : 0);
        const int end = aborted ? least : later(a->cycle + a->bytes, least);
        for (int k = i + 1; k < r->count && r->list[k].cycle < end + REST; k++) {
            const flight *b = &r->list[k];
            cr_expect_neq(b->out, a->out, "link %u, cycles %d and %d (%d bytes, %d)", a->out,
                          a->cycle, b->cycle, a->bytes, a->answered);
            if (r->n->memory.buffer.read == SWQ_READ_ONE && b->cycle < end && a->in != SWQ_SINK)
                cr_expect_neq(b->in, a->in, "input %u, %d and %d", a->in, a->cycle, b->cycle);
        }
    }
}

/* What buffers hold, from the start of what comes until the answer, in order of time. */
static void check_memory(const record *r)
{
    for (int i = 0; i < r->count; i++) {
        const flight *a = &r->list[i];
        int held = 0;
        if (a->end == SWQ_SINK)
            continue;
        for (int k = 0; k <= i; k++) {
            const flight *b = &r->list[k];
            const int until = b->refused ? b->cycle + HOP : b->gone;
            if (b->end == a->end && until > a->cycle)
                held += b->blocks;
        }
        cr_expect_leq(held, r->n->memory.buffer.capacity, "cycle %d: %d blocks", a->cycle, held);
    }
}

/* First in, first out between each pair of nodes, at the node and at every store. */
static void check_order(const record *r)
{
    for (int i = 0; i < r->count; i++) {
        const flight *a = &r->list[i];
        for (int k = i + 1; k < r->count; k++) {
            const flight *b = &r->list[k];
            if (a->refused || b->refused || a->end != b->end || a->from != b->from ||
                a->to != b->to)
                continue;
            cr_expect_lt(a->birth, b->birth, "%u to %u: %u before %u", a->from, a->to, b->birth,
                         a->birth);
            break;
        }
    }
}

static uint64_t fold(const record *r)
{
    uint64_t hash = 1;

    for (int k = 0; k < r->count; k++) {
        const flight *a = &r->list[k];
        hash = (hash ^ ((uint64_t)a->cycle << 32 | a->out)) * UINT64_C(0x9e3779b97f4a7c15);
        hash = (hash ^ (hash >> 29) ^ ((uint64_t)a->refused << 60 | a->to)) *
               UINT64_C(0x9e3779b97f4a7c15);
    }
    return hash;
}

/* ---- networks ---- */

static swq_async network(swq_context *ctx, const char *buffer, int bytes, int ports, int stages)
{
    swq_async n = swq_async_defaults();
    const swq_buffer_kind *kind;

    n.shape.ports = ports;
    n.shape.stages = stages;
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &n, kind, bytes), SWQ_OK);
    n.flow.row = &swq_flow_destination;
    return n;
}

/* All cycles from the very first on; a part of the traffic goes to node 0. */
static void run(swq_context *ctx, swq_async *n, uint64_t seed, int cycles, record *r,
                swq_async_result *result)
{
    const swq_spread length = {SWQ_UNIFORM, 1, n->packet.max};
    swq_sender_group group = {
        .kind = SWQ_SOURCE_HOLD,
        .type = {{.probability = 0.7, .pattern = &swq_pattern_uniform, .length = length},
                 {.probability = 0.3, .aim = SWQ_AIM_NODE, .length = length}},
        .types = 2,
    };
    swq_sim_options options = swq_sim_defaults();
    swq_async_watch watch = {.started = note_start, .refused = note_refusal, .arg = r};

    swq_sender_group_load(n, &group, 0.9);
    n->traffic.group = &group;
    n->traffic.groups = 1;
    options.seed = seed;
    options.warmup = 0;
    options.cycles = (uint64_t)cycles;
    r->n = n;
    r->count = 0;
    r->list = calloc(MOST_STARTS, sizeof *r->list);
    cr_assert(r->list);
    cr_assert_eq(swq_fabric_make(ctx, &n->shape, &r->f), SWQ_OK);
    cr_assert_eq(swq_async_run(ctx, n, &options, &watch, result), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(result->sim.conserved && result->sim.little_exact);
    n->traffic.group = NULL;
    n->traffic.groups = 0;
}

static void finish(swq_context *ctx, record *r)
{
    swq_fabric_clear(ctx, &r->f);
    free(r->list);
}

static void check_all(swq_context *ctx, swq_async *n, bool relinks, uint64_t seed)
{
    static swq_async_result result;
    record r = {.relinks = relinks};

    run(ctx, n, seed, 1500, &r, &result);
    follow(&r);
    cr_expect_gt(check_refusals(&r), 10);
    check_links(&r);
    if (n->memory.release == SWQ_RELEASE_START)
        check_memory(&r);
    if (!n->flow.answers.stages)
        check_order(&r);
    finish(ctx, &r);
}

/* Every transmission and refusal by the rules, for all that can be switched on and off. */
Test(destination, every_refusal)
{
    static const char *const buffers[] = {"damq", "fifo", "samq", "safc", "dafc"};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 20; k++) {
        const char *buffer = buffers[k % 5];
        swq_async n = network(ctx, buffer, *buffer == 's' ? 144 : 72, 2, 3);
        n.memory.release = k % 3 ? SWQ_RELEASE_START : SWQ_RELEASE_BLOCKS;
        n.flow.answers.no_abort = k & 1;
        n.flow.answers.no_restrict = k & 2;
        n.flow.answers.stages = k >= 15 ? 2 : 0;
        if (k >= 10) {
            n.flow.row = k & 1 ? &swq_flow_path : &swq_flow_path_usage;
            n.flow.threshold = 4;
            n.flow.answers.path_hops = 1 + k % 3;
        }
        if (!n.flow.row->threshold)
            n.flow.threshold = 0;
        check_all(ctx, &n, *buffer == 'd', 1 + (uint64_t)k);
    }
    swq_context_free(ctx);
}

/* Paths as long as the network are destinations, to the byte. */
Test(destination, the_whole_path)
{
    static swq_async_result by_path, by_destination;
    swq_context *ctx = swq_context_new();

    for (int stages = 2; stages <= 4; stages++) {
        swq_async n = network(ctx, stages % 2 ? "fifo" : "damq", 80, stages == 2 ? 3 : 2, stages);
        record a = {0}, b = {0};
        run(ctx, &n, 5, 3000, &a, &by_destination);
        n.flow.row = &swq_flow_path;
        n.flow.answers.path_hops = stages;
        run(ctx, &n, 5, 3000, &b, &by_path);
        cr_expect_eq(a.count, b.count);
        cr_expect_eq(fold(&a), fold(&b));
        cr_expect_eq(by_path.refusals, by_destination.refusals);
        cr_expect_eq(by_path.bytes_delivered, by_destination.bytes_delivered);
        n.flow.answers.path_hops = stages - 1;
        finish(ctx, &b);
        run(ctx, &n, 5, 3000, &b, &by_path);
        cr_expect_neq(fold(&a), fold(&b));
        finish(ctx, &a);
        finish(ctx, &b);
    }
    swq_context_free(ctx);
}

/* Paths of one hop: there are never two packets in a queue. */
Test(destination, paths_of_one_hop)
{
    static swq_async_result result;
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "damq", 128, 2, 3);
    record r = {0};

    n.flow.row = &swq_flow_path;
    n.flow.answers.path_hops = 1;
    run(ctx, &n, 3, 4000, &r, &result);
    follow(&r);
    for (int i = 0; i < r.count; i++) {
        const flight *a = &r.list[i];
        for (int k = i + 1; k < r.count && !a->refused && a->end != SWQ_SINK; k++) {
            const flight *b = &r.list[k];
            if (b->end == a->end && !b->refused && b->cycle + HOP < a->gone &&
                b->cycle + HOP < 4000)
                cr_expect(!same_way(&r.f, a->end, a, b, 1), "cycles %d and %d", a->cycle, b->cycle);
        }
    }
    finish(ctx, &r);
    swq_context_free(ctx);
}

/* Threads do not matter, nor does whether somebody looks on. */
Test(destination, the_same_again)
{
    static swq_async_result result[2];
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "samq", 144, 2, 3);
    swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.6, (swq_spread){SWQ_UNIFORM, 1, 70});
    swq_sim_options options = swq_sim_defaults();

    n.traffic.group = &group;
    n.traffic.groups = 1;
    options.warmup = 500;
    options.cycles = 6000;
    options.replications = 3;
    for (int k = 0; k < 2; k++) {
        options.threads = 1 + k;
        cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &result[k]), SWQ_OK);
        cr_expect(result[k].sim.conserved && result[k].sim.little_exact);
    }
    cr_expect_gt(result[0].refusals, 0);
    cr_expect_eq(result[0].refusals, result[1].refusals);
    cr_expect_float_eq(result[0].sim.all.latency.mean, result[1].sim.all.latency.mean, 0);
    swq_context_free(ctx);
}

/* Whatever was refused, and however its transmission ended, all memory comes back: a list of
 * messages that mostly collide is delivered to the last one, and none waits for ever. */
Test(destination, all_memory_comes_back)
{
    static const char *const buffers[] = {"damq", "fifo", "samq", "safc", "dafc"};
    static swq_async_message message[3000];
    static swq_async_result result;
    swq_context *ctx = swq_context_new();
    uint32_t state = 7;

    for (int k = 0; k < 3000; k++) {
        state = state * 1664525 + 1013904223;
        message[k] =
            (swq_async_message){(uint64_t)k * 4, state >> 8 & 7,
                                state >> 16 & 1 ? 0 : state >> 12 & 7, 1 + (state >> 20) % 100};
    }
    for (int k = 0; k < 20; k++) {
        const char *buffer = buffers[k % 5];
        swq_async n = network(ctx, buffer, *buffer == 's' ? 128 : 64, 2, 3);
        swq_sim_options options = swq_sim_defaults();
        n.flow.answers.no_abort = k & 1;
        n.flow.answers.no_restrict = k & 2;
        n.traffic.trace = message;
        n.traffic.trace_messages = 3000;
        options.warmup = 0;
        options.cycles = 400000;
        cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &result), SWQ_OK);
        cr_expect_eq(result.sim.stopped_by, SWQ_STOP_TRACE_END, "%s %d", buffer, k);
        cr_expect_eq(result.bytes_in_flight, 0);
        cr_expect(result.sim.conserved && result.sim.little_exact);
        cr_expect_gt(result.refusals, 100);
        cr_expect_lt(result.most_refused.times, SWQ_LIVELOCK);
    }
    swq_context_free(ctx);
}

/* ---- what never moves ---- */

static swq_async_net *made(swq_context *ctx, swq_async *n, swq_sim_options *options, swq_fabric *f)
{
    swq_async_net *net;

    cr_assert_eq(swq_fabric_make(ctx, &n->shape, f), SWQ_OK);
    cr_assert_eq(swq_async_net_new(ctx, n, options, f, 0, &net), SWQ_OK);
    return net;
}

/* Mark all packets of the queues of a store, where nothing is under way, so that they wait for one
 * that is not there. Has it any? */
static bool mark_all(swq_async_net *net, uint32_t port)
{
    if (!net->port[port].full || net->acks->underway[port])
        return false;
    for (swq_walk w = swq_walk_begin(net, port); w.now; swq_walk_on(&w)) {
        const uint32_t next = swq_queues_of(net, port)[swq_walk_queue(&w)].next_port;
        if (net->acks->underway[next])
            return false;
        memset(net->acks->blocker + swq_ack_at(net, next, 0), 0, (size_t)net->slots);
    }
    for (swq_walk w = swq_walk_begin(net, port); w.now; swq_walk_on(&w)) {
        const swq_queue *lane = &swq_queues_of(net, port)[swq_walk_queue(&w)];
        for (uint16_t s = lane->head; s != SWQ_NO_SLOT; s = swq_parcels_of(net, port)[s].next)
            net->acks->mark[swq_ack_at(net, port, s)] = net->acks->cleared[lane->next_port];
    }
    return true;
}

/* Marks that nothing will clear, as those would be that come after the BLOCKER has left, are a
 * deadlock, and named; what waits for a BLOCKER that is there is none. */
Test(destination, a_lost_wake_up)
{
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "damq", 128, 2, 3);
    swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, 32, 0});
    swq_sim_options options = swq_sim_defaults();
    swq_fabric f;

    n.traffic.group = &group;
    n.traffic.groups = 1;
    swq_async_net *net = made(ctx, &n, &options, &f);
    net->system.advance(&net->system, 3000);
    cr_expect(!swq_find_deadlock(net));
    uint32_t port = 0;
    while (!mark_all(net, port))
        cr_assert_lt(++port, f.nodes);
    cr_expect(swq_find_deadlock(net));
    cr_expect_eq(net->waiting[0].port, port);
    net->acks->blocker[swq_ack_at(net, net->waiting[0].next_port, 0)] = true;
    net->acks->underway[net->waiting[0].next_port] = 1;
    cr_expect(!swq_find_deadlock(net));
    net->system.release(ctx, &net->system);
    swq_fabric_clear(ctx, &f);
    swq_context_free(ctx);
}

/* A packet that is refused for ever because of one that is not there. */
Test(destination, a_livelock)
{
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "damq", 128, 2, 2);
    swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, 32, 0});
    swq_sim_options options = swq_sim_defaults();
    swq_fabric f;

    n.traffic.group = &group;
    n.traffic.groups = 1;
    n.flow.answers.no_restrict = true;
    swq_async_net *net = made(ctx, &n, &options, &f);
    cr_expect(!swq_find_livelock(net));
    net->acks->key[swq_ack_at(net, f.entry[1], (uint16_t)(net->slots - 1))] = 3;
    net->system.advance(&net->system, 60000);
    cr_expect(!swq_find_livelock(net));
    net->system.advance(&net->system, 60000);
    cr_expect(swq_find_livelock(net));
    cr_expect_eq(net->acks->most.from, 1);
    cr_expect_eq(net->acks->most.to, 3);
    cr_expect_eq(net->acks->most.next_port, f.entry[1]);
    net->system.release(ctx, &net->system);
    swq_fabric_clear(ctx, &f);
    swq_context_free(ctx);
}

/* ---- what chapter 8 prints ---- */

/* Benchmark VI, 128 bytes, memory free with the answer: a second simulation, which nobody who wrote
 * this one had seen, found .688 with both enhancements, .640 and .676 with one, .627 without. */
Test(destination, both_enhancements)
{
    static const double found[] = {0.688, 0.640, 0.676, 0.627};
    static swq_async_result result;
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 4; k++) {
        swq_async n = network(ctx, "damq", 128, 4, 4);
        swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, 32, 0});
        swq_sim_options options = swq_sim_defaults();
        n.memory.release = SWQ_RELEASE_START;
        n.flow.answers.no_abort = k & 1;
        n.flow.answers.no_restrict = k & 2;
        cr_assert_eq(swq_arbiter_find(ctx, "advancing", &n.arbiter.row), SWQ_OK);
        n.traffic.group = &group;
        n.traffic.groups = 1;
        options.warmup = 2000;
        options.cycles = 8000;
        cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &result), SWQ_OK);
        cr_expect_float_eq(result.sim.all.throughput.mean, found[k], 0.01, "%d: %g", k,
                           result.sim.all.throughput.mean);
    }
    swq_context_free(ctx);
}

/* ---- what cannot be ---- */

static void refused(swq_context *ctx, swq_async n, const char *why)
{
    swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, 32, 0});
    uint32_t nodes;

    n.traffic.group = &group;
    n.traffic.groups = 1;
    cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL, "%s", why);
    cr_expect(strstr(swq_context_message(ctx), why), "%s: %s", why, swq_context_message(ctx));
}

Test(destination, what_cannot_be)
{
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "damq", 128, 2, 3);

    n.flow.answers.path_hops = 1;
    n.flow.row = &swq_flow_blocking;
    refused(ctx, n, "path-hops, destination-stages");
    n.flow.row = &swq_flow_path;
    n.flow.answers.path_hops = 4;
    refused(ctx, n, "path-hops must be 1 to 3, the stages of the network, not 4");
    n.flow.answers.path_hops = 0;
    refused(ctx, n, "path-hops must be 1 to 3");
    n.flow.answers.path_hops = 1;
    n.flow.answers.stages = 4;
    refused(ctx, n, "destination-stages must be 1 to 3");
    n.flow.answers.stages = 0;
    n.flow.answers.no_requeue = true;
    refused(ctx, n, "no-requeue is for buffers whose queues close one by one");
    n.flow.answers.no_requeue = false;
    n.architecture.row = &swq_cioq;
    n.architecture.output.blocks = 16;
    refused(ctx, n, "input-queued");
    refused(ctx, network(ctx, "samq", 64, 2, 3), "at least two packets, 8 blocks");
    refused(ctx, network(ctx, "safc", 64, 2, 3), "a part");
    refused(ctx, network(ctx, "damq", 56, 2, 3), "at least two packets");
    n = swq_async_defaults();
    n.shape.dims = 2;
    n.shape.extent[0] = n.shape.extent[1] = 4;
    cr_assert_eq(swq_fabric_find(ctx, "torus", &n.shape), SWQ_OK);
    const swq_buffer_kind *kind;
    cr_assert_eq(swq_buffer_kind_find(ctx, "damq", &kind), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &n, kind, 256), SWQ_OK);
    n.flow.row = &swq_flow_destination;
    refused(ctx, n, "not for topology torus");
    swq_context_free(ctx);
}
