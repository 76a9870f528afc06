/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Architectures central and prizma: swq_async_run, which goes by packets, against
 * tests/ref/ref_pooled.c, which goes flit by flit. Traffic is a trace; every beginning of a
 * transmission, and every packet's taking its place in the pool of a switch, must be the same:
 * cycle, place, packet.
 */
#include "models/arbiters/arbiters.h"
#include "switchq/async.h"
#include "tests/ref/ref_pooled.h"
#include "tests/sim/async_cases.h"
#include "tests/support/support.h"

TestSuite(central_reference, .timeout = 240);

typedef struct {
    ref_pooled_start *start;
    long starts, room;
} pooled_seen;

static void started(void *arg, const swq_start *x)
{
    const bool sender = x->switch_ == SWQ_NO_WHERE;
    pooled_seen *s = arg;

    if (s->starts == s->room) {
        s->room = 2 * s->room + 1024;
        s->start = realloc(s->start, (size_t)s->room * sizeof *s->start);
        cr_assert(s->start);
    }
    s->start[s->starts++] =
        (ref_pooled_start){.cycle = x->cycle,
                           .place = sender ? -1 : (int)x->switch_,
                           .stored = !sender && !x->output_store,
                           .input = sender || x->output_store ? 0 : (int)x->input,
                           .output = sender ? (int)x->from : (int)x->output,
                           .from = (int)x->from,
                           .to = (int)x->to,
                           .flits = (int)x->bytes};
}

static int in_order(const void *a, const void *b)
{
    const ref_pooled_start *x = a, *y = b;
    const long key[][2] = {{x->cycle, y->cycle},
                           {x->place, y->place},
                           {x->stored, y->stored},
                           {x->output, y->output},
                           {x->input, y->input}};

    for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
        if (key[i][0] != key[i][1])
            return key[i][0] < key[i][1] ? -1 : 1;
    }
    return 0;
}

static bool same(const ref_pooled_start *x, const ref_pooled_start *y)
{
    return in_order(x, y) == 0 && x->from == y->from && x->to == y->to && x->flits == y->flits;
}

static void print(char *text, size_t size, const ref_pooled_start *x)
{
    snprintf(text, size, "cycle %ld, %s %d, %s %d to output %d: %d flits, %d to %d", x->cycle,
             x->place < 0 ? "sender" : "switch", x->place, x->stored ? "stored from" : "begins",
             x->input, x->output, x->flits, x->from, x->to);
}

/* The starts before `cycles` must be the same. */
static void compare_starts(pooled_seen *found, ref_pooled_outcome *o, const char *what)
{
    char mine[160] = "nothing", theirs[160] = "nothing";
    long i = 0;

    if (found->starts)
        qsort(found->start, (size_t)found->starts, sizeof *found->start, in_order);
    if (o->starts)
        qsort(o->start, (size_t)o->starts, sizeof *o->start, in_order);
    while (i < found->starts && i < o->starts && same(&found->start[i], &o->start[i]))
        i++;
    if (i < found->starts)
        print(mine, sizeof mine, &found->start[i]);
    if (i < o->starts)
        print(theirs, sizeof theirs, &o->start[i]);
    cr_expect(i == found->starts && i == o->starts,
              "%s: start %ld of %ld\n  is        %s\n  should be %s", what, i, o->starts, mine,
              theirs);
}

static void compare(swq_context *ctx, const async_case *c, const ref_pooled *model, long *stalls,
                    long *passed)
{
    ref_pooled_outcome o;
    pooled_seen found = {0};
    swq_sim_options options = swq_sim_defaults();
    swq_async_watch watch = {.started = started, .arg = &found};
    swq_async_result r;

    options.warmup = 0;
    options.replications = 1;
    options.threads = 1;
    options.cycles = 200000;
    ref_pooled_run(model, &o);
    cr_assert_eq(swq_async_run(ctx, &c->network, &options, &watch, &r), SWQ_OK, "%s: %s", c->what,
                 swq_context_message(ctx));
    cr_expect_eq(o.broken, 0, "%s: %d flits were not there", c->what, o.broken);
    cr_expect(r.sim.conserved, "%s: not conserved", c->what);
    cr_expect_eq((long)r.sim.total_delivered, o.delivered, "%s: delivered %ld, not %ld", c->what,
                 (long)r.sim.total_delivered, o.delivered);
    compare_starts(&found, &o, c->what);
    *stalls += o.stalls;
    *passed += o.passed_on;
    free(found.start);
    free(o.start);
}

/* A switch's memory: the least that takes a packet, or more. */
static void choose_memory(uint32_t *state, bool modules, async_case *c, ref_pooled *m)
{
    swq_async *n = &c->network;
    const int ports = c->fabric.ports;

    n->architecture.row = modules ? &swq_prizma : &swq_central_queue;
    n->arbiter.row = &swq_arbiter_rotating;
    n->packet.max = case_between(state, 1, 60);
    n->link.hop_delay = case_between(state, 1, 5);
    n->link.rest = case_draw(state, 2) ? 0 : case_between(state, 0, 3);
    n->architecture.stores.fifo =
        case_between(state, n->link.hop_delay + 1, n->link.hop_delay + 30);
    n->packet.block = case_between(state, ports, 2 * ports + 4);
    n->architecture.stores.module =
        case_draw(state, 2) ? 0 : n->packet.max + case_between(state, 0, 20);
    const int place = n->architecture.stores.module ? n->architecture.stores.module : n->packet.max;
    const int chunk = modules ? place : n->packet.block;
    const int packet = modules ? 1 : (n->packet.max + chunk - 1) / chunk;
    const int chunks = packet + case_between(state, 0, 3 * packet);
    n->memory.bytes = n->architecture.stores.fifo + (chunks * chunk + ports - 1) / ports;
    *m = (ref_pooled){.wiring = c->reference.wiring,
                      .fifo = n->architecture.stores.fifo,
                      .chunk = chunk,
                      .chunks = ports * (n->memory.bytes - n->architecture.stores.fifo) / chunk,
                      .modules = modules,
                      .max_packet = n->packet.max,
                      .hop_delay = n->link.hop_delay,
                      .link_rest = n->link.rest,
                      .message = c->message,
                      .cycles = 200000};
}

/* Networks without rings; or those with switches of more than 32 ports. */
static void compare_cases(int cases, uint32_t seed, bool modules, bool wide)
{
    static const uint32_t permille[] = {5, 20, 60, 200, 1000};
    static const int kinds[] = {0, 1, 6, 7, 9, 10};
    static async_case c;
    swq_context *ctx = swq_context_new();
    uint32_t state = seed;
    long stalls = 0, passed = 0;

    for (int k = 0; k < cases; k++) {
        const int kind =
            wide ? CASE_FABRICS + k % CASE_WIDE : kinds[k % (int)(sizeof kinds / sizeof *kinds)];
        ref_pooled m;
        memset(&c, 0, sizeof c);
        c.network = swq_async_defaults();
        case_fabric(ctx, &state, kind, &c);
        const swq_shape shape = c.network.shape;
        choose_memory(&state, modules, &c, &m);
        c.network.shape = shape;
        const uint32_t load = permille[case_draw(&state, 5)];
        const int longest = case_draw(&state, 3) ? c.network.packet.max : 3 * c.network.packet.max;
        case_messages(&state, load, longest, &c);
        m.message = c.message;
        m.messages = c.reference.messages;
        snprintf(c.what, sizeof c.what,
                 "%s, case %d, %s, %d nodes, %d ports, FIFOs of %d, %d chunks of %d, packets to "
                 "%d, messages to %d, hop %d, rest %d, load %u",
                 c.network.architecture.row->name, k, case_fabric_names[kind], m.wiring.nodes,
                 m.wiring.ports, m.fifo, m.chunks, m.chunk, m.max_packet, longest, m.hop_delay,
                 m.link_rest, load);
        compare(ctx, &c, &m, &stalls, &passed);
        case_clear(ctx, &c);
    }
    cr_expect(stalls > 0, "no packet ever stalled");
    cr_expect(modules || passed > 0, "no stall was ever passed on");
    swq_context_free(ctx);
}

Test(central_reference, central)
{
    compare_cases(275, 77, false, false);
}

Test(central_reference, prizma)
{
    compare_cases(40, 2, true, false);
}

Test(central_reference, wide_switches)
{
    compare_cases(8, 3, false, true);
    compare_cases(8, 4, true, true);
}
