/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asynchronous networks that are stepped: the same as a run, in whatever steps; the same again from
 * a state that was kept; each offered message comes out once, as it went in; and what is not known
 * is refused.
 */
#include "sim/frame/net.h"
#include "switchq/live.h"
#include "tests/sim/live/counts.h"
#include "tests/sim/samples.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(stepped_async, .timeout = 240);

enum { WARM_UP = 130, CYCLES = 900, MOST_NODES = 64, TRACE = 200 };

typedef struct {
    const char *what;
    const char *topology; /* NULL: a mesh or torus of 4 x 4 */
    bool torus;
    const char *buffer; /* NULL: wormhole */
    const char *architecture, *arbiter, *flow;
    const swq_routing *routing;
    int node_lanes, pool, delay, packet, piece;
    swq_source_kind sources;
    double load;
    int least, most; /* bytes of a message */
    bool groups, trace;
} stepped_case;

static const stepped_case cases[] = {
    {.what = "open lanes", .load = 0.3, .sources = SWQ_SOURCE_OPEN},
    {.what = "lanes, held", .load = 0.4},
    {.what = "lanes of one flit", .load = 0.4, .least = 1, .most = 1, .sources = SWQ_SOURCE_OPEN},
    {.what = "cut messages", .load = 0.3, .packet = 6, .least = 1, .most = 20, .node_lanes = 3},
    {.what = "slow switches", .load = 0.2, .delay = 3, .least = 2, .most = 9},
    {.what = "dateline", .torus = true, .load = 0.3},
    {.what = "a pool", .load = 0.4, .pool = 12, .least = 1, .most = 8},
    {.what = "adaptive", .load = 0.4, .routing = &swq_routing_adaptive},
    {.what = "by another node", .load = 0.2, .routing = &swq_routing_valiant},
    {.what = "groups", .load = 0.3, .groups = true},
    {.what = "a trace", .trace = true},
    {.what = "damq", .topology = "omega", .buffer = "damq", .load = 0.6, .least = 1, .most = 32},
    {.what = "fifo, open",
     .topology = "omega",
     .buffer = "fifo",
     .load = 0.3,
     .sources = SWQ_SOURCE_OPEN},
    {.what = "samq, random",
     .topology = "omega",
     .buffer = "samq",
     .arbiter = "random",
     .load = 0.7},
    {.what = "safc", .topology = "omega", .buffer = "safc", .load = 0.8},
    {.what = "maximum usage",
     .torus = true,
     .buffer = "damq",
     .flow = "maximum-usage",
     .load = 0.4},
    {.what = "cioq", .topology = "omega", .architecture = "cioq", .buffer = "damq", .load = 0.8},
    {.what = "credits", .topology = "omega", .buffer = "damq", .flow = "credits", .load = 0.6},
    {.what = "stop-go", .topology = "omega", .buffer = "damq", .flow = "stop-go", .load = 0.6},
    {.what = "destination",
     .topology = "omega",
     .buffer = "damq",
     .flow = "destination",
     .load = 0.5},
    {.what = "path", .topology = "omega", .buffer = "fifo", .flow = "path", .load = 0.5},
    {.what = "two-counter",
     .topology = "omega",
     .buffer = "damq",
     .flow = "two-counter",
     .load = 0.6},
    {.what = "pieces", .topology = "omega", .buffer = "damq", .piece = 16, .load = 0.5},
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct {
    swq_async n;
    swq_sender_group group[2];
    swq_async_message trace[TRACE];
} stepped_spec;

static void set_traffic(const stepped_case *k, double load, stepped_spec *s)
{
    const int most = k->most ? k->most : 16, least = k->most ? k->least : 16;
    const swq_spread length = {least == most ? SWQ_CONSTANT : SWQ_UNIFORM, least, most};

    for (int g = 0; g < 2; g++) {
        s->group[g] = swq_sender_group_uniform(&s->n, k->sources, load / (g + 1), length);
        s->group[g].mask = k->groups;
        s->group[g].value = (uint32_t)g;
    }
    s->n.traffic.group = s->group;
    s->n.traffic.groups = k->groups ? 2 : 1;
    if (!k->trace)
        return;
    for (uint32_t i = 0; i < TRACE; i++)
        s->trace[i] = (swq_async_message){i * 2, i * 7 % 16, (i * 7 + 1 + i % 15) % 16, 1 + i % 30};
    s->n.traffic.trace = s->trace;
    s->n.traffic.trace_messages = TRACE;
    s->n.traffic.groups = 0;
}

static stepped_spec *spec_of(swq_context *ctx, const stepped_case *k, double load)
{
    stepped_spec *s = calloc(1, sizeof *s);
    swq_async *n = &s->n;
    const swq_buffer_kind *row;

    *n = swq_async_defaults();
    n->shape = (swq_shape){.kind = k->torus ? &swq_fabric_torus : &swq_fabric_mesh,
                           .dims = 2,
                           .extent = {4, 4},
                           .routing = k->routing};
    if (k->topology) {
        n->shape = (swq_shape){.ports = 2, .stages = 4};
        cr_assert_eq(swq_fabric_find(ctx, k->topology, &n->shape), SWQ_OK);
    }
    n->packet.max = k->packet ? k->packet : 32;
    n->packet.piece = k->piece;
    if (k->architecture)
        cr_assert_eq(
            swq_architecture_find(ctx, k->architecture, SWQ_ENGINE_ASYNC, &n->architecture.row),
            SWQ_OK);
    if (k->arbiter)
        cr_assert_eq(swq_arbiter_find(ctx, k->arbiter, &n->arbiter.row), SWQ_OK);
    if (k->flow)
        cr_assert_eq(swq_hop_flow_find(ctx, k->flow, &n->flow.row), SWQ_OK);
    if (k->buffer) {
        cr_assert_eq(swq_buffer_kind_find(ctx, k->buffer, &row), SWQ_OK);
        cr_assert_eq(swq_async_buffer(ctx, n, row, 128), SWQ_OK);
        n->architecture.output.blocks = 16;
    } else {
        swq_link_lanes *l = &n->architecture.lanes;
        n->architecture.row = &swq_wormhole_lanes;
        n->link.rest = 0;
        l->of_node = k->node_lanes ? k->node_lanes : 1;
        l->pool = k->pool;
        l->choice = k->torus ? &swq_lane_choice_dateline : l->choice;
        if (k->delay) {
            l->router_delay[0] = l->router_delay[1] = l->router_delay[3] = k->delay;
            l->link_delay = k->delay + 1;
        }
    }
    if (n->flow.row->threshold)
        n->flow.threshold = 4;
    n->flow.credit_delay = n->flow.row->credits || n->flow.row->stop_go ? 7 : 1;
    n->flow.stop = n->flow.row->stop_go ? 6 : 0;
    n->flow.go = n->flow.row->stop_go ? 4 : 0;
    n->flow.answers.path_hops = n->flow.row->by_path ? 2 : 0;
    if (n->flow.row->counters)
        n->flow.counters = *swq_two_counters[0];
    set_traffic(k, load, s);
    return s;
}

static swq_live *open_spec(swq_context *ctx, const stepped_spec *s, const swq_live_options *o,
                           const char *what)
{
    swq_live *live = NULL;

    cr_assert_eq(swq_live_open_async(ctx, &s->n, o, &live), SWQ_OK, "%s: %s", what,
                 swq_context_message(ctx));
    return live;
}

static void advance(swq_live *live, uint64_t cycles)
{
    cr_assert_eq(swq_live_advance(live, cycles, NULL), SWQ_OK);
}

/* Advances in steps of any length, from a small generator. */
static void wander(swq_live *live, uint64_t cycles, unsigned *random)
{
    while (cycles > 0) {
        *random = *random * 1664525u + 1013904223u;
        const uint64_t asked = *random >> 8 & 1 ? *random >> 16 & 3 : *random >> 16 & 255;
        const uint64_t now = asked < cycles ? asked : cycles;
        uint64_t done;
        cr_assert_eq(swq_live_advance(live, now, &done), SWQ_OK);
        if (done < now)
            return;
        cycles -= now;
    }
}

static swq_live_counts counts_of(const swq_live *live)
{
    swq_live_counts c;

    memset(&c, 0, sizeof c); /* with what lies between members */
    swq_live_read(live, &c);
    cr_assert_eq(c.created, c.waiting + c.sent);
    cr_assert_eq(c.sent, c.inside + c.delivered + c.lost);
    return c;
}

static swq_async_result run_of_spec(swq_context *ctx, const stepped_spec *s)
{
    const swq_sim_options o = run_of(3, 1, WARM_UP, CYCLES);
    swq_async_result r;

    cr_assert_eq(swq_async_run(ctx, &s->n, &o, NULL, &r), SWQ_OK, "%s", swq_context_message(ctx));
    return r;
}

Test(stepped_async, steps_are_the_run)
{
    swq_context *ctx = swq_context_new();
    unsigned random = 1;

    for (int k = 0; k < CASES; k++) {
        const char *what = cases[k].what;
        stepped_spec *s = spec_of(ctx, &cases[k], cases[k].load);
        const swq_sim_result r = run_of_spec(ctx, s).sim;
        for (int form = 0; form < 3; form++) {
            const swq_live_options o = {.seed = 3, .follow = form == 1, .plain = form == 2};
            swq_live *live = open_spec(ctx, s, &o, what);
            wander(live, WARM_UP, &random);
            const swq_live_counts a = counts_of(live);
            wander(live, CYCLES, &random);
            const swq_live_counts b = counts_of(live);
            cr_assert(r.all.delivered > 50, "%s", what);
            cr_assert_eq(b.created - a.created, r.all.created, "%s", what);
            cr_assert_eq(b.delivered - a.delivered, r.all.delivered, "%s", what);
            cr_assert_eq(b.packet_hops - a.packet_hops, r.packet_hops, "%s", what);
            cr_assert_eq(b.created, r.total_created, "%s", what);
            cr_assert_eq(b.inside + b.waiting, r.total_in_flight, "%s", what);
            cr_assert_eq(round(r.all.latency.mean * (double)r.all.delivered),
                         (double)(b.latency_cycles - a.latency_cycles), "%s", what);
            if (form == 1)
                cr_assert(swq_live_ended(live, NULL, 0) > 0, "%s", what);
            swq_live_close(live);
        }
        free(s);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* Rows and columns add up to the stores that frames show, and stores to the packets inside. */
Test(stepped_async, occupancy_is_what_stores_hold)
{
    swq_context *ctx = swq_context_new();
    const swq_live_options o = {.seed = 1};

    for (int k = 0; k < CASES; k++) {
        stepped_spec *s = spec_of(ctx, &cases[k], cases[k].load);
        swq_live *live = open_spec(ctx, s, &o, cases[k].what);
        const swq_live_shape shape = swq_live_shape_of(live);
        const swq_sim_options run = run_of(1, 1, 0, CYCLES);
        const size_t size = (size_t)shape.switches * shape.rows * shape.columns;
        uint32_t *held = calloc(size, sizeof *held);
        uint64_t waits[MOST_NODES], at_sources = 0, all = 0;
        swq_async_net *net;
        swq_fabric fabric;
        cr_assert_eq(swq_fabric_make(ctx, &s->n.shape, &fabric), SWQ_OK);
        cr_assert_eq(swq_async_net_new(ctx, &s->n, &run, &fabric, 0, &net), SWQ_OK);
        uint16_t *stores = calloc(net->system.stores, sizeof *stores);
        for (int moment = 0; moment < 15; moment++) {
            advance(live, 21);
            net->system.advance(&net->system, 21);
            net->system.hold(&net->system, 0, stores, NULL);
            swq_live_occupancy(live, held);
            for (size_t at = 0; at < net->system.stores; at++) {
                const bool output = at >= net->inputs;
                const size_t port = output ? at - net->inputs : at;
                const size_t row = port / shape.outputs * shape.rows + port % shape.outputs +
                                   (output ? shape.outputs : 0);
                uint32_t sum = 0;
                for (uint32_t c = 0; c < shape.columns; c++)
                    sum += held[row * shape.columns + c];
                cr_assert_eq(sum, stores[at], "%s: store %zu", cases[k].what, at);
                cr_assert(sum <= (output ? 16 : shape.slots), "%s: %u", cases[k].what, sum);
                all += sum;
            }
        }
        cr_assert(all > 0, "%s", cases[k].what);
        swq_live_waiting(live, waits);
        for (uint32_t i = 0; i < shape.nodes; i++)
            at_sources += waits[i];
        if (!cases[k].packet && !cases[k].trace)
            cr_assert_eq(at_sources, counts_of(live).waiting, "%s", cases[k].what);
        free(stores);
        free(held);
        net->system.release(ctx, &net->system);
        swq_fabric_clear(ctx, &fabric);
        swq_live_close(live);
        free(s);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* ---- offers ---- */

static bool takes_offers(const stepped_case *k)
{
    return k->sources == SWQ_SOURCE_HOLD && !k->trace;
}

/* A message alone in a mesh takes what the formula of docs/wormhole.md says: so many cycles for
 * each switch and link, and then its flits one after another. */
Test(stepped_async, a_message_alone_takes_its_time)
{
    swq_context *ctx = swq_context_new();
    const swq_live_options o = {.seed = 1, .follow = true};
    stepped_spec *s = spec_of(ctx, &cases[0], 0);
    swq_live *live = open_spec(ctx, s, &o, "mesh");

    for (uint32_t from = 0; from < 16; from++) {
        const uint32_t to = (from * 5 + 3) % 16, flits = 1 + from * 2;
        if (to == from)
            continue;
        const swq_live_packet p = {.token = 100 + from, .from = from, .to = to, .bytes = flits};
        const uint32_t links =
            (uint32_t)(abs((int)(from % 4) - (int)(to % 4)) + abs((int)(from / 4) - (int)(to / 4)));
        const uint64_t birth = counts_of(live).cycles;
        swq_live_end end;
        bool taken = false;
        cr_assert_eq(swq_live_offer(live, &p, 1, &taken), SWQ_OK, "%s", swq_context_message(ctx));
        cr_assert(taken);
        /* links + 1 switches of 3 cycles (a lane, the crossbar, crossing), links + 2 links of 1 */
        const uint64_t head = 4 * (links + 1), tail = head + flits;
        advance(live, tail);
        cr_assert_eq(swq_live_ended(live, NULL, 0), 0, "%u: too early", from);
        advance(live, 1);
        cr_assert_eq(swq_live_ended(live, &end, 1), 1, "%u: too late", from);
        cr_assert_eq(end.token, p.token);
        cr_assert_eq(end.from, from);
        cr_assert_eq(end.to, to);
        cr_assert_eq(end.bytes, flits);
        cr_assert_eq(end.birth, birth);
        cr_assert_eq(end.head_cycles, head);
        cr_assert_eq(end.latency_cycles, tail);
        cr_assert_eq(end.cycle, birth + tail);
        cr_assert(end.offered && !end.lost && !end.high);
    }
    swq_live_close(live);
    free(s);
    swq_context_free(ctx);
}

enum { OFFERS = 1500 };

typedef struct {
    uint32_t from, to, bytes;
    bool ended;
    uint64_t birth;
} offered_message;

static void check_ends(swq_live *live, offered_message *message, const char *what)
{
    swq_live_end e;

    while (swq_live_ended(live, &e, 1)) {
        cr_assert_eq(e.offered, e.token > 0, "%s", what);
        cr_assert_eq(e.cycle, e.birth + e.latency_cycles, "%s", what);
        cr_assert(e.head_cycles < e.latency_cycles, "%s", what);
        if (!e.offered)
            continue;
        offered_message *m = &message[e.token];
        cr_assert(!m->ended, "%s: %llu twice", what, (unsigned long long)e.token);
        cr_assert(m->from == e.from && m->to == e.to && m->bytes == e.bytes, "%s", what);
        cr_assert_eq(m->birth, e.birth, "%s", what);
        m->ended = true;
    }
}

static void check_offers(swq_context *ctx, const stepped_case *k, double load)
{
    const swq_live_options o = {.seed = 5, .follow = true};
    stepped_spec *s = spec_of(ctx, k, load);
    swq_live *live = open_spec(ctx, s, &o, k->what);
    const uint32_t nodes = swq_live_shape_of(live).nodes;
    offered_message *message = calloc(OFFERS + 1, sizeof *message);
    uint64_t taken_all = 0, refused = 0;
    unsigned random = 7;
    /* stores of a silent network have places for the longest packets alone */
    const bool short_ones = !k->buffer || load > 0;

    while (taken_all < OFFERS) {
        const uint64_t cycle = counts_of(live).cycles;
        for (int n = 0; n < 6 && taken_all < OFFERS; n++) {
            random = random * 1664525u + 1013904223u;
            const uint32_t from = (random >> 10) % nodes;
            const swq_live_packet p = {.token = taken_all + 1,
                                       .from = from,
                                       .to = (from + 1 + (random >> 20) % (nodes - 1)) % nodes,
                                       .bytes = random >> 28 && short_ones ? 16 : 0};
            bool taken[2];
            cr_assert_eq(swq_live_offer(live, &p, 1, taken), SWQ_OK, "%s: %s", k->what,
                         swq_context_message(ctx));
            refused += !taken[0];
            if (!taken[0])
                continue;
            message[++taken_all] = (offered_message){
                from, p.to, p.bytes ? p.bytes : (uint32_t)s->n.packet.max, false, cycle};
            cr_assert_eq(swq_live_offer(live, &p, 1, taken + 1), SWQ_OK);
            cr_assert(!taken[1], "%s: a source takes two messages", k->what);
        }
        advance(live, 3);
        if (cycle % 8 == 0)
            check_ends(live, message, k->what);
    }
    cr_assert_eq(swq_live_set_load(live, 0), SWQ_OK, "%s: %s", k->what, swq_context_message(ctx));
    /* a message that each source has drawn already is still to come */
    for (int n = 0; n < 60 && counts_of(live).inside + counts_of(live).waiting > 0; n++)
        advance(live, 300);
    advance(live, 100);
    check_ends(live, message, k->what);
    cr_assert_eq(counts_of(live).offered, OFFERS, "%s", k->what);
    for (int i = 1; i <= OFFERS; i++)
        cr_assert(message[i].ended, "%s: message %d has not ended", k->what, i);
    cr_assert(refused > 0, "%s", k->what);
    cr_assert(!counts_of(live).deadlock);
    swq_live_close(live);
    free(message);
    free(s);
}

Test(stepped_async, offered_messages_end_once)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < CASES; k++) {
        if (!takes_offers(&cases[k]))
            continue;
        check_offers(ctx, &cases[k], 0);
        check_offers(ctx, &cases[k], 0.1);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* A load that is set is the load of a network that has it from the beginning. */
Test(stepped_async, loads_are_set)
{
    swq_context *ctx = swq_context_new();
    const swq_live_options o = {.seed = 8};
    const stepped_case *k = &cases[1];
    stepped_spec *low = spec_of(ctx, k, 0), *high = spec_of(ctx, k, 0.2);
    swq_live *changed = open_spec(ctx, low, &o, "changed"),
             *same = open_spec(ctx, high, &o, "same");
    const uint64_t cycles = 40000;

    advance(changed, 10);
    cr_assert_eq(counts_of(changed).created, 0);
    cr_assert_eq(swq_live_set_load(changed, 0.2), SWQ_OK, "%s", swq_context_message(ctx));
    advance(changed, cycles);
    advance(same, cycles);
    const double mean = 0.2 / 16 * 16 * (double)cycles;
    cr_assert_float_eq((double)counts_of(changed).created, mean, 0.03 * mean);
    cr_assert_float_eq((double)counts_of(same).created, mean, 0.03 * mean);
    swq_live_close(changed);
    swq_live_close(same);
    free(low);
    free(high);
    swq_context_free(ctx);
}

/* ---- states ---- */

static unsigned char *future_of(swq_live *live, const stepped_case *k, unsigned seed, size_t *bytes)
{
    const uint32_t nodes = swq_live_shape_of(live).nodes;

    for (int n = 0; n < 60; n++) {
        bool taken;
        seed = seed * 1664525u + 1013904223u;
        const uint32_t from = (seed >> 10) % nodes;
        const swq_live_packet p = {.from = from, .to = (from + 1 + (seed >> 20) % 7) % nodes};
        if (takes_offers(k))
            cr_assert_eq(swq_live_offer(live, &p, 1, &taken), SWQ_OK);
        advance(live, seed >> 9 & 15);
    }
    *bytes = swq_live_state_bytes(live);
    unsigned char *state = calloc(*bytes, 1);
    swq_live_save(live, state);
    return state;
}

Test(stepped_async, a_state_brought_back_has_the_same_future)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 2 * CASES; k++) {
        const stepped_case *c = &cases[k / 2];
        const bool follow = k % 2;
        const swq_live_options o = {.seed = 4, .follow = follow},
                               seed = {.seed = 5, .follow = follow};
        stepped_spec *s = spec_of(ctx, c, c->load), *load = spec_of(ctx, c, 0.1);
        swq_live *live = open_spec(ctx, s, &o, c->what),
                 *other = open_spec(ctx, load, &seed, c->what);
        size_t bytes[4];
        unsigned char *past = future_of(live, c, 1, &bytes[0]);
        unsigned char *first = future_of(live, c, 2, &bytes[1]);
        const swq_live_counts counted = counts_of(live);
        cr_assert_eq(swq_live_restore(live, past, bytes[0]), SWQ_OK);
        unsigned char *again = future_of(live, c, 2, &bytes[2]);
        advance(other, 17);
        cr_assert_eq(swq_live_restore(other, past, bytes[0]), SWQ_OK, "%s: %s", c->what,
                     swq_context_message(ctx));
        unsigned char *elsewhere = future_of(other, c, 2, &bytes[3]);
        const swq_live_counts once = counts_of(live), twice = counts_of(other);
        cr_assert(same_counts(&counted, &once), "%s: other counts", c->what);
        cr_assert(same_counts(&counted, &twice), "%s: other counts", c->what);
        cr_assert(bytes[1] == bytes[2] && memcmp(first, again, bytes[1]) == 0, "%s: not the same",
                  c->what);
        cr_assert(bytes[1] == bytes[3] && memcmp(first, elsewhere, bytes[1]) == 0,
                  "%s: not the same elsewhere", c->what);
        free(past);
        free(first);
        free(again);
        free(elsewhere);
        swq_live_close(live);
        swq_live_close(other);
        free(s);
        free(load);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(stepped_async, states_of_others_are_refused)
{
    swq_context *ctx = swq_context_new();
    const swq_live_options o = {.seed = 1};
    stepped_spec *first = spec_of(ctx, &cases[0], 0.3);
    swq_live *live = open_spec(ctx, first, &o, "first");
    size_t bytes;

    unsigned char *state = future_of(live, &cases[0], 1, &bytes);
    for (int k = 1; k < CASES; k++) {
        stepped_spec *s = spec_of(ctx, &cases[k], 0.1);
        swq_live *other = open_spec(ctx, s, &o, cases[k].what);
        const swq_live_counts before = counts_of(other);
        cr_assert_eq(swq_live_restore(other, state, bytes), SWQ_EINVAL, "%s", cases[k].what);
        cr_assert(strstr(swq_context_message(ctx), "another network"));
        const swq_live_counts after = counts_of(other);
        cr_assert(same_counts(&before, &after));
        swq_live_close(other);
        free(s);
    }
    cr_assert_eq(swq_live_restore(live, state, bytes - 1), SWQ_EINVAL);
    free(state);
    swq_live_close(live);
    free(first);
    swq_context_free(ctx);
}

/* ---- deadlocks, and refusals ---- */

/* A ring of lanes without datelines locks; the network goes on, and says so. */
Test(stepped_async, a_deadlock_is_told)
{
    swq_context *ctx = swq_context_new();
    const swq_live_options o = {.seed = 1};
    stepped_spec *s = spec_of(ctx, &cases[1], 1);

    s->n.shape = (swq_shape){.kind = &swq_fabric_torus, .dims = 1, .extent = {8}, .one_way = true};
    s->n.architecture.lanes.count = 1;
    s->n.architecture.lanes.flits = 2;
    swq_live *live = open_spec(ctx, s, &o, "ring");
    cr_assert(!counts_of(live).deadlock);
    advance(live, 20000);
    const swq_live_counts then = counts_of(live);
    cr_assert(then.deadlock);
    cr_assert_eq(then.cycles, 20000);
    advance(live, 1000);
    cr_assert_eq(counts_of(live).delivered, then.delivered);
    swq_live_close(live);
    free(s);
    swq_context_free(ctx);
}

static void refused(swq_live *live, swq_live_packet p, const char *word)
{
    bool taken = true;

    cr_assert_eq(swq_live_offer(live, &p, 1, &taken), SWQ_EINVAL, "%s", word);
    cr_assert(strstr(swq_context_message(swq_live_context(live)), word), "%s",
              swq_context_message(swq_live_context(live)));
    cr_assert(taken, "the output has changed");
}

Test(stepped_async, what_is_not_known_is_refused)
{
    swq_context *ctx = swq_context_new();
    const swq_live_options o = {.seed = 1};

    for (int k = 0; k < CASES; k++) {
        stepped_spec *s = spec_of(ctx, &cases[k], cases[k].load);
        swq_live *live = open_spec(ctx, s, &o, cases[k].what);
        if (!takes_offers(&cases[k])) {
            refused(live, (swq_live_packet){.to = 1},
                    cases[k].trace ? "has a trace" : "sources must be hold");
            cr_assert_eq(swq_live_set_load(live, 0.5), SWQ_EINVAL);
        } else {
            refused(live, (swq_live_packet){.from = MOST_NODES}, "source must be 0 to");
            refused(live, (swq_live_packet){.to = MOST_NODES}, "destination must be 0 to");
            refused(live, (swq_live_packet){.to = 1, .high = true}, "high priority");
            refused(live, (swq_live_packet){.to = 1, .token = 1}, "token");
            refused(live, (swq_live_packet){.to = 1, .bytes = SWQ_MAX_MESSAGE + 1}, "bytes");
            if (!cases[k].topology)
                refused(live, (swq_live_packet){.from = 1, .to = 1}, "must not be the source");
            if (cases[k].buffer && !cases[k].most)
                refused(live, (swq_live_packet){.to = 1, .bytes = 7}, "shorter than the 16");
        }
        cr_assert_eq(swq_live_set_load(live, 1.5), SWQ_EINVAL);
        swq_live_close(live);
        free(s);
    }
    swq_context_free(ctx);
}

static void not_stepped(swq_context *ctx, stepped_spec *s, const char *word)
{
    const swq_live_options o = {.seed = 1};
    swq_live *live = NULL;

    cr_assert_eq(swq_live_open_async(ctx, &s->n, &o, &live), SWQ_EINVAL, "%s", word);
    cr_assert(strstr(swq_context_message(ctx), word), "%s", swq_context_message(ctx));
    cr_assert_null(live);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    free(s);
}

Test(stepped_async, what_has_no_state_is_not_stepped)
{
    swq_context *ctx = swq_context_new();
    const stepped_case damq = {.topology = "omega", .buffer = "damq", .load = 0.3};
    stepped_spec *s = spec_of(ctx, &damq, 0.3);

    s->n.flow.row = &swq_flow_virtual_clock;
    not_stepped(ctx, s, "flow virtual-clock is not for a network that is stepped");
    s = spec_of(ctx, &damq, 0.3);
    s->n.sender.row = &swq_sender_window;
    s->n.sender.value[0] = 4;
    not_stepped(ctx, s, "sender window is not for");
    s = spec_of(ctx, &damq, 0.3);
    s->n.management.row = &swq_management_1q;
    cr_assert_eq(swq_async_memory(ctx, &s->n, 128), SWQ_OK);
    not_stepped(ctx, s, "management 1q is not for");
    s = spec_of(ctx, &damq, 2);
    s->n.packet.block = 0;
    not_stepped(ctx, s, "block");
    swq_context_free(ctx);
}

Test(stepped_async, memory_that_fails)
{
    swq_context *ctx = swq_context_new();
    const swq_live_options o = {.seed = 1, .follow = true};
    stepped_spec *s = spec_of(ctx, &cases[1], 0.3);
    int failures = 0;

    for (size_t after = 0;; after++, failures++) {
        swq_live *live = NULL;
        swq_context_fail_allocations(ctx, after, false);
        swq_status status = swq_live_open_async(ctx, &s->n, &o, &live);
        if (!status)
            status = swq_live_advance(live, 300, NULL);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        swq_live_close(live);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        if (!status)
            break;
        cr_assert_eq(status, SWQ_ENOMEM);
    }
    cr_assert(failures > 10);
    free(s);
    swq_context_free(ctx);
}
