/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks that are stepped: the same as a run, in whatever steps; the same again from a state that
 * was kept; and each offered packet comes out once, as it went in.
 */
#include "sim/stages/net.h"
#include "switchq/live.h"
#include "tests/sim/live/counts.h"
#include "tests/sim/samples.h"

#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

TestSuite(stepped, .timeout = 240);

enum { WARM_UP = 130, CYCLES = 700, MOST_NODES = 64 };

typedef struct {
    const char *what, *topology, *buffer, *arbiter, *architecture, *admission;
    int ports, stages, slots, stale;
    swq_flow flow;
    swq_credit credit;
    bool resend, trace;
    swq_source_kind sources;
    uint32_t queue_limit;
    double load, burst, high, hot;
    swq_support support;
} live_case;

static const live_case cases[] = {
    {.what = "packed", .buffer = "damq", .ports = 4, .slots = 4, .flow = SWQ_BLOCK},
    {.what = "packed, next",
     .buffer = "damq",
     .ports = 4,
     .slots = 4,
     .flow = SWQ_BLOCK,
     .credit = SWQ_CREDIT_NEXT},
    {.what = "words", .buffer = "damq", .ports = 2, .slots = 3},
    {.what = "lists", .buffer = "damq", .ports = 2, .slots = 20, .load = 0.95},
    {.what = "fifo lists", .buffer = "fifo", .ports = 2, .slots = 20, .flow = SWQ_BLOCK},
    {.what = "fifo", .buffer = "fifo", .ports = 4, .slots = 4, .flow = SWQ_BLOCK, .hot = 0.1},
    {.what = "pieces", .buffer = "samq", .ports = 2, .slots = 4, .arbiter = "random"},
    {.what = "safc", .buffer = "safc", .ports = 4, .slots = 8, .arbiter = "islip"},
    {.what = "pool", .buffer = "cbda", .ports = 4, .slots = 2, .flow = SWQ_BLOCK},
    {.what = "push-out",
     .buffer = "cbda",
     .ports = 4,
     .slots = 2,
     .admission = "lqd",
     .load = 0.95,
     .hot = 0.3},
    {.what = "expulsion",
     .buffer = "cbda",
     .ports = 4,
     .slots = 3,
     .admission = "occamy",
     .load = 0.95,
     .hot = 0.3},
    {.what = "stale", .buffer = "damq", .ports = 2, .slots = 3, .stale = 2},
    {.what = "priorities",
     .buffer = "damq",
     .ports = 2,
     .slots = 5,
     .support = SWQ_SUPPORT_QUEUE,
     .high = 0.3},
    {.what = "resending", .buffer = "fifo", .ports = 2, .slots = 2, .resend = true, .load = 0.5},
    {.what = "bursts", .buffer = "damq", .ports = 4, .slots = 4, .burst = 4},
    {.what = "open",
     .buffer = "damq",
     .ports = 4,
     .slots = 4,
     .flow = SWQ_BLOCK,
     .sources = SWQ_SOURCE_OPEN,
     .load = 0.6},
    {.what = "limited",
     .buffer = "fifo",
     .ports = 4,
     .slots = 2,
     .flow = SWQ_BLOCK,
     .sources = SWQ_SOURCE_OPEN,
     .queue_limit = 2,
     .load = 0.8},
    {.what = "trace", .buffer = "damq", .ports = 2, .slots = 4, .trace = true},
    {.what = "outputs", .architecture = "output-queued", .ports = 4, .slots = 4},
    {.what = "crosspoints",
     .architecture = "crosspoint",
     .arbiter = "longest",
     .ports = 2,
     .slots = 2},
    {.what = "both",
     .architecture = "input-crosspoint",
     .arbiter = "longest",
     .buffer = "damq",
     .ports = 2,
     .slots = 3},
    {.what = "crossbar", .architecture = "cioq", .buffer = "damq", .ports = 2, .slots = 3},
};
enum { CASES = sizeof cases / sizeof *cases, TRACE = 300 };

static bool takes_offers(const live_case *k)
{
    return k->sources == SWQ_SOURCE_HOLD && !k->trace && k->burst == 0;
}

static swq_trace_packet trace[TRACE];

static swq_network network_like(swq_context *ctx, const live_case *k)
{
    swq_network n = {.shape.stages = k->stages ? k->stages : 2,
                     .resend = k->resend,
                     .stale = k->stale,
                     .sw.priority = {.fraction = k->high, .support = k->support}};
    swq_switch *sw = &n.sw;
    const swq_buffer_kind *row;
    uint32_t nodes = 1;

    n.traffic = swq_traffic_defaults();
    n.traffic.load = k->load > 0 ? k->load : 0.7;
    n.traffic.burst = k->burst > 0 ? k->burst : 1;
    n.traffic.kind = k->trace ? SWQ_SOURCE_TRACE : k->sources;
    n.traffic.queue_limit = k->queue_limit;
    n.traffic.hot_spots = k->hot > 0;
    n.traffic.hot[0] = (swq_hot_spot){.node = 1, .fraction = k->hot};
    sw->ports = k->ports;
    sw->flow = k->flow;
    sw->credit = k->credit;
    for (int s = 0; s < n.shape.stages; s++)
        nodes *= (uint32_t)k->ports;
    if (k->trace) {
        for (uint32_t i = 0; i < TRACE; i++)
            trace[i] = (swq_trace_packet){i / 2, i * 7 % nodes, i * i % nodes, 0};
        n.traffic.trace = trace;
        n.traffic.trace_packets = TRACE;
    }
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    cr_assert_eq(swq_arbiter_find(ctx, k->arbiter ? k->arbiter : "rotating", &sw->arbiter), SWQ_OK);
    if (k->buffer) {
        cr_assert_eq(swq_buffer_kind_find(ctx, k->buffer, &row), SWQ_OK);
        cr_assert_eq(swq_buffer_preset(ctx, row, k->ports, k->slots, &sw->buffer), SWQ_OK);
    }
    if (k->admission) {
        const swq_admission_rule *const *rule = swq_admission_rules;
        while (strcmp((*rule)->name, k->admission) != 0)
            rule++;
        cr_assert_eq(swq_buffer_set_admission(ctx, *rule, 0, k->ports, &sw->buffer), SWQ_OK, "%s",
                     swq_context_message(ctx));
    }
    if (k->architecture) {
        cr_assert_eq(
            swq_architecture_find(ctx, k->architecture, SWQ_ENGINE_SYNC, &sw->architecture), SWQ_OK,
            "%s", swq_context_message(ctx));
        const swq_stage_design *a = &sw->architecture->stage;
        sw->speedup = a->two_steps && !a->crosspoints ? 2 : 0;
        sw->output_slots = a->output_queues ? 3 : 0;
        sw->crosspoint_slots = a->crosspoints ? 2 : 0;
        swq_switch_own_memory(sw);
    }
    return n;
}

static swq_live *open_like(swq_context *ctx, const swq_network *n, const swq_live_options *o,
                           const char *what)
{
    swq_live *live = NULL;

    cr_assert_eq(swq_live_open(ctx, n, o, &live), SWQ_OK, "%s: %s", what, swq_context_message(ctx));
    return live;
}

static uint64_t advance(swq_live *live, uint64_t cycles)
{
    uint64_t done;

    cr_assert_eq(swq_live_advance(live, cycles, &done), SWQ_OK);
    return done;
}

/* Advances in steps of any length, from a small generator. */
static void wander(swq_live *live, uint64_t cycles, unsigned *random)
{
    while (cycles > 0) {
        *random = *random * 1664525u + 1013904223u;
        const uint64_t asked = *random >> 8 & 1 ? *random >> 16 & 3 : *random >> 16 & 255;
        const uint64_t step = asked < cycles ? asked : cycles;
        const uint64_t done = advance(live, step);
        if (done < step)
            return;
        cycles -= step;
    }
}

static swq_live_counts counts_of(const swq_live *live)
{
    swq_live_counts c;

    swq_live_read(live, &c);
    cr_assert_eq(c.created, c.waiting + c.sent);
    cr_assert_eq(c.sent, c.inside + c.delivered + c.lost);
    return c;
}

static void check_run(const swq_sim_result *r, const swq_live_counts *a, const swq_live_counts *b,
                      const char *what)
{
    const double sum = (double)(b->latency_cycles - a->latency_cycles);

    cr_assert_eq(b->created - a->created, r->all.created, "%s", what);
    cr_assert_eq(b->delivered - a->delivered, r->all.delivered, "%s", what);
    cr_assert_eq(b->refused - a->refused, r->all.discarded, "%s", what);
    cr_assert_eq(b->packet_hops - a->packet_hops, r->packet_hops, "%s", what);
    cr_assert_eq(b->created, r->total_created, "%s", what);
    cr_assert_eq(b->delivered, r->total_delivered, "%s", what);
    cr_assert_eq(b->lost, r->total_discarded, "%s", what);
    cr_assert_eq(b->inside + b->waiting, r->total_in_flight, "%s", what);
    cr_assert_eq(round(r->all.latency.mean * (double)r->all.delivered), sum, "%s", what);
}

Test(stepped, steps_are_the_run)
{
    swq_context *ctx = swq_context_new();
    unsigned random = 1;

    for (int k = 0; k < CASES; k++) {
        const swq_network n = network_like(ctx, &cases[k]);
        const swq_sim_options o = run_of(3, 1, WARM_UP, CYCLES);
        const swq_sim_result r = simulate(ctx, &n, &o);
        for (int form = 0; form < 3; form++) {
            const swq_live_options options = {.seed = 3, .follow = form == 1, .plain = form == 2};
            swq_live *live = open_like(ctx, &n, &options, cases[k].what);
            wander(live, WARM_UP, &random);
            const swq_live_counts before = counts_of(live);
            wander(live, CYCLES, &random);
            const swq_live_counts after = counts_of(live);
            check_run(&r, &before, &after, cases[k].what);
            if (options.follow)
                cr_assert_eq(swq_live_ended(live, NULL, 0), after.delivered + after.lost, "%s",
                             cases[k].what);
            swq_live_close(live);
        }
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* ---- occupancy ---- */

/* Stage s of an omega network looks at digit stages - 1 - s of the destination: packets by their
 * outputs are packets for the nodes behind these outputs, store by store. */
static void check_outputs(const swq_net *net, const swq_live_shape *s, const uint32_t *packets,
                          const char *what)
{
    const uint32_t inputs = (uint32_t)(net->system.input_stores / s->stages / s->switches);
    uint16_t *held = calloc(net->system.stores, sizeof *held);
    uint16_t *marked = calloc(net->system.stores, sizeof *marked);
    uint32_t *by_node = calloc(net->system.input_stores * s->outputs, sizeof *by_node);

    for (uint32_t node = 0; node < s->nodes; node++) {
        swq_net_hold(&net->system, node, held, marked);
        for (size_t at = 0; at < net->system.input_stores; at++) {
            const size_t stage = at / (inputs * s->switches);
            uint32_t digit = node;
            for (size_t k = stage + 1; k < s->stages; k++)
                digit /= s->outputs;
            by_node[at * s->outputs + digit % s->outputs] += marked[at];
        }
    }
    for (size_t at = 0; at < net->system.input_stores; at++) {
        const size_t row = at / inputs * s->rows + at % inputs;
        for (uint32_t j = 0; j < s->outputs; j++)
            cr_assert_eq(packets[row * s->outputs + j], by_node[at * s->outputs + j],
                         "%s: store %zu, output %u", what, at, j);
    }
    free(held);
    free(marked);
    free(by_node);
}

/* Both networks have run for the same number of cycles; returns the packets behind buffers. */
static uint64_t check_occupancy(const swq_live *live, const swq_net *net, const char *what)
{
    const swq_live_shape s = swq_live_shape_of(live);
    uint32_t *packets = calloc((size_t)s.stages * s.switches * s.rows * s.outputs, sizeof *packets);
    uint16_t *held = calloc(net->system.stores, sizeof *held);
    uint64_t *waiting = calloc(s.nodes, sizeof *waiting);
    const uint32_t inputs = s.rows - (net->system.stores > net->system.input_stores);
    uint64_t all = 0, at_sources = 0, behind = 0;

    swq_net_hold(&net->system, 0, held, NULL);
    swq_live_occupancy(live, packets);
    swq_live_waiting(live, waiting);
    check_outputs(net, &s, packets, what);
    for (uint32_t k = 0; k < s.stages * s.switches * s.rows * s.outputs; k++) {
        const uint32_t sw = k / s.outputs / s.rows, row = k / s.outputs % s.rows;
        const size_t store = net->system.input_stores + sw * s.outputs + k % s.outputs;
        all += packets[k];
        if (row < inputs)
            continue;
        cr_assert_eq(packets[k], held[store], "%s: switch %u", what, sw);
        behind += packets[k];
    }
    for (uint32_t i = 0; i < s.nodes; i++)
        at_sources += waiting[i];
    const swq_live_counts c = counts_of(live);
    cr_assert_eq(all, c.inside, "%s", what);
    cr_assert_eq(at_sources, c.waiting, "%s", what);
    free(packets);
    free(held);
    free(waiting);
    return behind;
}

Test(stepped, occupancy_is_what_stores_hold)
{
    swq_context *ctx = swq_context_new();
    const swq_live_options options = swq_live_defaults();
    uint64_t behind = 0;

    for (int k = 0; k < CASES; k++) {
        const swq_network n = network_like(ctx, &cases[k]);
        const swq_sim_options o = swq_sim_defaults();
        swq_live *live = open_like(ctx, &n, &options, cases[k].what);
        swq_net *net;
        cr_assert_eq(swq_net_new(ctx, &n, &o, 0, &net), SWQ_OK);
        for (int moment = 0; moment < 12; moment++) {
            net->system.advance(&net->system, 11);
            advance(live, 11);
            behind += check_occupancy(live, net, cases[k].what);
        }
        cr_assert(counts_of(live).inside > 0, "%s", cases[k].what);
        swq_net_free(ctx, net);
        swq_live_close(live);
    }
    cr_assert(behind > 0);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* The switch of a stage in which a lone packet is, and its row and output; -1: in none. */
static int find_packet(const swq_live *live, uint32_t *row, uint32_t *output)
{
    const swq_live_shape s = swq_live_shape_of(live);
    const size_t size = (size_t)s.stages * s.switches * s.rows * s.outputs;
    uint32_t *packets = calloc(size, sizeof *packets);
    int found = -1;

    swq_live_occupancy(live, packets);
    for (size_t k = 0; k < size; k++) {
        if (packets[k]) {
            cr_assert(found < 0 && packets[k] == 1);
            found = (int)(k / s.outputs / s.rows);
            *row = (uint32_t)(k / s.outputs % s.rows);
            *output = (uint32_t)(k % s.outputs);
        }
    }
    free(packets);
    return found;
}

/* An omega network of 2 x 2 switches shuffles lines before each stage, and stage s looks at bit
 * stages - 1 - s of the destination. */
Test(stepped, a_packet_goes_its_way)
{
    swq_context *ctx = swq_context_new();
    const live_case like = {
        .buffer = "fifo", .ports = 2, .slots = 20, .flow = SWQ_BLOCK, .stages = 3};
    const char *const buffers[] = {"fifo", "damq"};

    for (int b = 0; b < 2; b++) {
        live_case k = like;
        k.buffer = buffers[b];
        swq_network n = network_like(ctx, &k);
        n.traffic.load = 0;
        const swq_live_options options = {.seed = 1, .follow = true};
        swq_live *live = open_like(ctx, &n, &options, "omega");
        for (uint32_t from = 0; from < 8; from++) {
            const swq_live_packet p = {.token = 100 + from, .from = from, .to = from * 3 % 8};
            uint32_t line = from, row = 0, output = 0;
            bool taken = false;
            cr_assert_eq(swq_live_offer(live, &p, 1, &taken), SWQ_OK);
            cr_assert(taken);
            const uint64_t birth = counts_of(live).cycles;
            for (int stage = 0; stage < 3; stage++) {
                line = (line << 1 | line >> 2) & 7;
                /* a packet leaves the first stage in the cycle in which it comes */
                advance(live, 1);
                const uint32_t way = p.to >> (2 - stage) & 1;
                line = (line & 6) | way;
                const int at = find_packet(live, &row, &output);
                const uint32_t next = (line << 1 | line >> 2) & 7;
                cr_assert_eq(at, stage < 2 ? (stage + 1) * 4 + (int)(next >> 1) : -1,
                             "%u, stage %d: %d", from, stage, at);
                if (stage < 2) {
                    cr_assert_eq(row, next & 1);
                    cr_assert_eq(output, p.to >> (1 - stage) & 1);
                }
            }
            swq_live_end end;
            cr_assert_eq(swq_live_ended(live, &end, 1), 1);
            cr_assert_eq(end.token, p.token);
            cr_assert_eq(end.from, from);
            cr_assert_eq(end.to, p.to);
            cr_assert_eq(end.birth, birth);
            cr_assert_eq(end.cycle, birth + 2);
            cr_assert(end.offered && !end.lost && !end.high);
        }
        swq_live_close(live);
    }
    swq_context_free(ctx);
}

/* ---- offers ---- */

enum { OFFERS = 4000 };

typedef struct {
    uint32_t from, to;
    bool ended;
    uint64_t birth;
} offered_packet;

/* Reads all ends, and checks them against the packets that were offered, by token. */
static void check_ends(swq_live *live, offered_packet *packet, const char *what)
{
    swq_live_end end[64];
    size_t count;

    while ((count = swq_live_ended(live, end, 64)) > 0) {
        for (size_t k = 0; k < count; k++) {
            const swq_live_end *e = &end[k];
            cr_assert_eq(e->offered, e->token > 0, "%s", what);
            if (!e->offered)
                continue;
            offered_packet *p = &packet[e->token];
            cr_assert(!p->ended, "%s: %llu twice", what, (unsigned long long)e->token);
            cr_assert_eq(p->from, e->from, "%s", what);
            cr_assert_eq(p->to, e->to, "%s", what);
            cr_assert_eq(p->birth, e->birth, "%s", what);
            cr_assert(e->cycle >= e->birth, "%s", what);
            p->ended = true;
        }
    }
}

static void check_offers(swq_context *ctx, const live_case *k, double load)
{
    swq_network n = network_like(ctx, k);
    const swq_live_options options = {.seed = 5, .follow = true};
    offered_packet *packet = calloc(OFFERS + 1, sizeof *packet);
    uint64_t taken_all = 0, refused = 0;
    unsigned random = 7;

    n.traffic.load = load;
    swq_live *live = open_like(ctx, &n, &options, k->what);
    const swq_live_shape s = swq_live_shape_of(live);
    while (taken_all < OFFERS) {
        const uint64_t cycle = counts_of(live).cycles;
        for (int o = 0; o < 6 && taken_all < OFFERS; o++) {
            random = random * 1664525u + 1013904223u;
            const uint32_t from = (random >> 10) % s.nodes, to = (random >> 20) % s.nodes;
            const swq_live_packet p = {.token = taken_all + 1, .from = from, .to = to};
            bool taken[2];
            uint64_t waits[MOST_NODES];
            swq_live_waiting(live, waits);
            cr_assert_eq(swq_live_offer(live, &p, 1, taken), SWQ_OK);
            cr_assert(!(taken[0] && waits[from]), "%s: a source holds two packets", k->what);
            refused += !taken[0];
            if (taken[0]) {
                packet[++taken_all] = (offered_packet){from, to, false, cycle};
                cr_assert_eq(swq_live_offer(live, &p, 1, taken + 1), SWQ_OK);
                cr_assert(!taken[1], "%s: a source takes two packets", k->what);
            }
        }
        advance(live, 1);
        if (cycle % 8 == 0)
            check_ends(live, packet, k->what);
    }
    cr_assert_eq(swq_live_set_load(live, 0), SWQ_OK);
    /* a packet that each source has drawn already is still to come */
    for (int step = 0; step < 60 && counts_of(live).inside + counts_of(live).waiting > 0; step++)
        advance(live, 100);
    check_ends(live, packet, k->what);
    const swq_live_counts c = counts_of(live);
    cr_assert_eq(c.offered, OFFERS, "%s", k->what);
    for (int i = 1; i <= OFFERS; i++)
        cr_assert(packet[i].ended, "%s: packet %d has not ended", k->what, i);
    cr_assert(load > 0 ? c.created > OFFERS : c.created == OFFERS, "%s: %llu created", k->what,
              (unsigned long long)c.created);
    if (k->flow == SWQ_BLOCK)
        cr_assert_eq(c.lost, 0, "%s", k->what);
    cr_assert(refused > 0, "%s", k->what);
    swq_live_close(live);
    free(packet);
}

Test(stepped, offered_packets_end_once)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < CASES; k++) {
        if (!takes_offers(&cases[k]))
            continue;
        check_offers(ctx, &cases[k], 0);
        check_offers(ctx, &cases[k], 0.2);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* The fast engine takes the same offers as the plain one. */
Test(stepped, engines_take_the_same_offers)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < CASES; k++) {
        swq_network n = network_like(ctx, &cases[k]);
        swq_live *live[3];
        swq_live_counts c[3];
        if (!takes_offers(&cases[k]))
            continue;
        n.traffic.load = 0.3;
        for (int form = 0; form < 3; form++) {
            const swq_live_options o = {.seed = 2, .follow = form == 1, .plain = form == 2};
            unsigned random = 9;
            live[form] = open_like(ctx, &n, &o, cases[k].what);
            const uint32_t nodes = swq_live_shape_of(live[form]).nodes;
            for (int step = 0; step < 400; step++) {
                bool taken;
                random = random * 1664525u + 1013904223u;
                const swq_live_packet p = {.from = (random >> 10) % nodes,
                                           .to = (random >> 20) % nodes,
                                           .high = cases[k].high > 0 && random >> 30 == 0};
                cr_assert_eq(swq_live_offer(live[form], &p, 1, &taken), SWQ_OK);
                advance(live[form], random >> 9 & 1);
            }
            c[form] = counts_of(live[form]);
            swq_live_close(live[form]);
        }
        cr_assert(c[0].offered > 100);
        cr_assert(same_counts(&c[0], &c[1]), "%s", cases[k].what);
        cr_assert(same_counts(&c[0], &c[2]), "%s", cases[k].what);
    }
    swq_context_free(ctx);
}

/* ---- states ---- */

/* Offers and advances as `seed` says, and saves the state. */
static unsigned char *future_of(swq_live *live, const live_case *k, unsigned seed, bool follow,
                                size_t *bytes)
{
    const uint32_t nodes = swq_live_shape_of(live).nodes;

    for (int step = 0; step < 60; step++) {
        bool taken;
        seed = seed * 1664525u + 1013904223u;
        const swq_live_packet p = {
            .token = follow ? seed : 0, .from = (seed >> 10) % nodes, .to = (seed >> 20) % nodes};
        if (takes_offers(k))
            cr_assert_eq(swq_live_offer(live, &p, 1, &taken), SWQ_OK);
        advance(live, seed >> 9 & 3);
    }
    *bytes = swq_live_state_bytes(live);
    unsigned char *state = calloc(*bytes, 1);
    cr_assert(state);
    swq_live_save(live, state);
    return state;
}

Test(stepped, a_state_brought_back_has_the_same_future)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 2 * CASES; k++) {
        const live_case *c = &cases[k / 2];
        const bool follow = k % 2;
        const swq_network n = network_like(ctx, c);
        swq_network with_other_load = n;
        const swq_live_options o = {.seed = 4, .follow = follow},
                               other_seed = {.seed = 5, .follow = follow};
        size_t bytes[4];
        with_other_load.traffic.load = 0.1;
        swq_live *live = open_like(ctx, &n, &o, c->what);
        swq_live *other = open_like(ctx, &with_other_load, &other_seed, c->what);
        unsigned char *past = future_of(live, c, 1, follow, &bytes[0]);
        unsigned char *first = future_of(live, c, 2, follow, &bytes[1]);
        const swq_live_counts counted = counts_of(live);
        cr_assert_eq(swq_live_restore(live, past, bytes[0]), SWQ_OK);
        unsigned char *again = future_of(live, c, 2, follow, &bytes[2]);
        advance(other, 17);
        cr_assert_eq(swq_live_restore(other, past, bytes[0]), SWQ_OK);
        unsigned char *elsewhere = future_of(other, c, 2, follow, &bytes[3]);
        cr_assert(bytes[1] == bytes[2] && memcmp(first, again, bytes[1]) == 0, "%s: not the same",
                  c->what);
        cr_assert(bytes[1] == bytes[3] && memcmp(first, elsewhere, bytes[1]) == 0,
                  "%s: not the same elsewhere", c->what);
        cr_assert(bytes[0] != bytes[1] || memcmp(past, first, bytes[0]) != 0, "%s", c->what);
        const swq_live_counts once = counts_of(live), twice = counts_of(other);
        cr_assert(same_counts(&counted, &once), "%s: other counts", c->what);
        cr_assert(same_counts(&counted, &twice), "%s: other counts", c->what);
        free(past);
        free(first);
        free(again);
        free(elsewhere);
        swq_live_close(live);
        swq_live_close(other);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(stepped, states_of_others_are_refused)
{
    swq_context *ctx = swq_context_new();
    const swq_live_options o = swq_live_defaults();
    const swq_network first = network_like(ctx, &cases[0]);
    swq_live *live = open_like(ctx, &first, &o, "first");
    size_t bytes;

    unsigned char *state = future_of(live, &cases[0], 1, false, &bytes);
    for (int k = 1; k < CASES; k++) {
        const swq_network n = network_like(ctx, &cases[k]);
        swq_live *other = open_like(ctx, &n, &o, cases[k].what);
        const swq_live_counts before = counts_of(other);
        cr_assert_eq(swq_live_restore(other, state, bytes), SWQ_EINVAL, "%s", cases[k].what);
        cr_assert(strstr(swq_context_message(ctx), "another network"));
        const swq_live_counts after = counts_of(other);
        cr_assert(same_counts(&before, &after));
        swq_live_close(other);
    }
    cr_assert_eq(swq_live_restore(live, state, bytes - 1), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "incomplete"));
    cr_assert_eq(swq_live_restore(live, state, 3), SWQ_EINVAL);
    for (size_t at = 48; at < bytes; at += bytes / 7) {
        state[at] ^= 64;
        cr_assert_eq(swq_live_restore(live, state, bytes), SWQ_EINVAL, "byte %zu", at);
        cr_assert(strstr(swq_context_message(ctx), "damaged"));
        state[at] ^= 64;
    }
    cr_assert_eq(swq_live_restore(live, state, bytes), SWQ_OK);
    state[0] ^= 1;
    cr_assert_eq(swq_live_restore(live, state, bytes), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "no state"));
    free(state);
    swq_live_close(live);
    swq_context_free(ctx);
}

/* ---- refusals ---- */

static void refused(swq_live *live, swq_live_packet p, const char *word)
{
    bool taken = true;

    cr_assert_eq(swq_live_offer(live, &p, 1, &taken), SWQ_EINVAL, "%s", word);
    cr_assert(strstr(swq_context_message(swq_live_context(live)), word), "%s",
              swq_context_message(swq_live_context(live)));
    cr_assert(taken, "the output has changed");
}

Test(stepped, what_is_not_known_is_refused)
{
    swq_context *ctx = swq_context_new();
    const swq_live_options o = swq_live_defaults();
    const swq_live_options follow = {.seed = 1, .follow = true};

    for (int k = 0; k < CASES; k++) {
        const swq_network n = network_like(ctx, &cases[k]);
        swq_live *live = open_like(ctx, &n, k % 2 ? &o : &follow, cases[k].what);
        if (!takes_offers(&cases[k])) {
            refused(live, (swq_live_packet){0},
                    cases[k].burst > 0 ? "without bursts" : "sources must be hold");
        } else {
            refused(live, (swq_live_packet){.from = MOST_NODES}, "source must be 0 to");
            refused(live, (swq_live_packet){.to = MOST_NODES}, "destination must be 0 to");
            if (cases[k].high == 0)
                refused(live, (swq_live_packet){.high = true}, "high priority");
            if (k % 2)
                refused(live, (swq_live_packet){.token = 1}, "token");
        }
        cr_assert_eq(swq_live_set_load(live, 1.5), SWQ_EINVAL);
        cr_assert_eq(swq_live_set_load(live, cases[k].trace ? 0.5 : -0.5), SWQ_EINVAL);
        swq_live_close(live);
    }
    swq_network bad = network_like(ctx, &cases[0]);
    swq_live *live = NULL;
    bad.traffic.load = 2;
    cr_assert_eq(swq_live_open(ctx, &bad, &o, &live), SWQ_EINVAL);
    cr_assert_null(live);
    const swq_network n = network_like(ctx, &cases[0]);
    live = open_like(ctx, &n, &o, "cancelled");
    uint64_t done = 1;
    swq_context_cancel(ctx);
    cr_assert_eq(swq_live_advance(live, 10, &done), SWQ_ECANCELLED);
    cr_assert_eq(done, 0);
    swq_live_close(live);
    swq_live_close(NULL);
    swq_context_free(ctx);
}

Test(stepped, memory_that_fails)
{
    swq_context *ctx = swq_context_new();
    const swq_network n = network_like(ctx, &cases[0]);
    const swq_live_options o = {.seed = 1, .follow = true};
    int failures = 0;

    for (size_t after = 0;; after++, failures++) {
        swq_live *live = NULL;
        swq_context_fail_allocations(ctx, after, false);
        swq_status status = swq_live_open(ctx, &n, &o, &live);
        if (!status)
            status = swq_live_advance(live, 300, NULL);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        if (live && status) { /* the network goes on where it was */
            advance(live, 300 - counts_of(live).cycles);
            cr_assert_eq(swq_live_ended(live, NULL, 0), counts_of(live).delivered);
        }
        swq_live_close(live);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        if (!status)
            break;
        cr_assert_eq(status, SWQ_ENOMEM);
    }
    cr_assert(failures > 10);
    swq_context_free(ctx);
}

/* ---- threads ---- */

typedef struct {
    int number;
    swq_live_counts counts;
} live_thread;

static void *in_thread(void *arg)
{
    live_thread *t = arg;
    swq_context *ctx = swq_context_new();
    const swq_network n = network_like(ctx, &cases[t->number]);
    const swq_live_options o = {.seed = 6, .follow = t->number % 2};
    swq_live *live = open_like(ctx, &n, &o, "thread");

    for (int k = 0; k < 2000; k++)
        advance(live, 3);
    t->counts = counts_of(live);
    swq_live_close(live);
    swq_context_free(ctx);
    return NULL;
}

Test(stepped, two_networks_in_two_threads)
{
    live_thread alone[2] = {{.number = 0}, {.number = 3}}, together[2] = {alone[0], alone[1]};
    pthread_t thread[2];

    for (int k = 0; k < 2; k++)
        in_thread(&alone[k]);
    for (int k = 0; k < 2; k++)
        cr_assert_eq(pthread_create(&thread[k], NULL, in_thread, &together[k]), 0);
    for (int k = 0; k < 2; k++)
        pthread_join(thread[k], NULL);
    cr_assert_eq(memcmp(alone, together, sizeof alone), 0);
}
