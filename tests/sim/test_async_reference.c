/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * swq_async_run against tests/ref/ref_async.c, which shares no code with it, was written without
 * sight of it and moves every byte in every cycle. Traffic is a trace, so nothing is left to
 * chance, and every beginning of a transmission must be the same: cycle, place, packet. So must the
 * sums be, and where it ends in a deadlock.
 *
 * Multistage, torus and mesh networks are wired by the reference itself as well (ref_wirings.c);
 * the wiring of the other fabrics is taken from swq_fabric.
 */
#include "switchq/async.h"
#include "tests/ref/ref_async.h"
#include "tests/ref/ref_wirings.h"
#include "tests/support/support.h"

TestSuite(async_reference, .timeout = 60);

static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* ---- wirings ---- */

static int fabric_class(const void *self, unsigned port, int from, int to)
{
    const swq_fabric *f = self;
    return f->shape.kind->route(f, port, (uint32_t)from, (uint32_t)to);
}

static int fabric_output(const void *self, unsigned port, int class_)
{
    const swq_fabric *f = self;
    return f->output[port * (uint32_t)f->classes + (uint32_t)class_];
}

static ref_wiring wiring_of(const swq_fabric *f)
{
    cr_assert(SWQ_TO_NODE == REF_NODE && SWQ_NO_WHERE == REF_NOWHERE);
    return (ref_wiring){.nodes = (int)f->nodes,
                        .switches = (int)f->switches,
                        .ports = f->ports,
                        .classes = f->classes,
                        .link = f->link,
                        .entry = f->entry,
                        .class_of = fabric_class,
                        .output_of = fabric_output,
                        .self = f};
}

static swq_shape omega_shape(swq_context *ctx, int ports, int stages)
{
    swq_shape s = {.ports = ports, .stages = stages};
    cr_assert_eq(swq_fabric_find(ctx, "omega", &s), SWQ_OK);
    return s;
}

static swq_shape grid_shape(const swq_fabric_kind *kind, int dims, const int *extent, bool one_way)
{
    swq_shape s = {.kind = kind, .dims = dims, .one_way = one_way};
    for (int d = 0; d < dims; d++)
        s.extent[d] = extent[d];
    return s;
}

/* The same links, and the same classes and outputs on all ways. */
static void compare_wirings(swq_context *ctx, const swq_shape *shape, ref_plan *plan,
                            const char *what)
{
    const ref_wiring *w = &plan->wiring;
    swq_fabric f = {0};

    cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK, "%s: %s", what, swq_context_message(ctx));
    cr_assert_eq(f.nodes, (uint32_t)w->nodes, "%s", what);
    cr_assert_eq(f.switches, (uint32_t)w->switches, "%s", what);
    cr_assert_eq(f.ports, w->ports, "%s", what);
    cr_assert_eq(f.classes, w->classes, "%s", what);
    for (int i = 0; i < w->switches * w->ports; i++)
        cr_assert_eq(f.link[i], w->link[i], "%s: output %d leads to %x, not %x", what, i, f.link[i],
                     w->link[i]);
    for (int from = 0; from < w->nodes; from++) {
        cr_assert_eq(f.entry[from], w->entry[from], "%s: entry of %d", what, from);
        for (int to = 0; to < w->nodes; to++) {
            unsigned port = w->entry[from];
            int hops = 0;
            while (!(port & REF_NODE) && !(shape->kind->point_to_point && from == to)) {
                int c = w->class_of(w->self, port, from, to);
                int output = w->output_of(w->self, port, c);
                cr_assert_eq(fabric_class(&f, port, from, to), c, "%s: %d to %d at port %u: %d, %d",
                             what, from, to, port, fabric_class(&f, port, from, to), c);
                cr_assert_eq(fabric_output(&f, port, c), output, "%s: %d to %d at port %u", what,
                             from, to, port);
                port = w->link[port / (unsigned)w->ports * (unsigned)w->ports + (unsigned)output];
                cr_assert_leq(++hops, w->switches, "%s: %d to %d", what, from, to);
            }
            if (port & REF_NODE)
                cr_assert_eq(port & ~REF_NODE, (unsigned)to, "%s: %d to %d", what, from, to);
        }
    }
    swq_fabric_clear(ctx, &f);
    ref_plan_free(plan);
}

Test(async_reference, wirings)
{
    swq_context *ctx = swq_context_new();
    char what[64];
    swq_shape shape;

    for (int k = 2; k <= 4; k++) {
        for (int stages = 1; stages <= 3; stages++) {
            snprintf(what, sizeof what, "omega %d %d", k, stages);
            shape = omega_shape(ctx, k, stages);
            compare_wirings(ctx, &shape, ref_omega(k, stages), what);
        }
    }
    for (int a = 2; a <= 7; a++) {
        for (int b = 1; b <= 6; b++) { /* 1: one dimension */
            int extent[] = {a, b}, dims = b == 1 ? 1 : 2;
            snprintf(what, sizeof what, "%d x %d", a, b);
            shape = grid_shape(&swq_fabric_torus, dims, extent, false);
            compare_wirings(ctx, &shape, ref_torus(dims, extent, 0), what);
            shape.one_way = true;
            compare_wirings(ctx, &shape, ref_torus(dims, extent, 1), what);
            shape = grid_shape(&swq_fabric_mesh, dims, extent, false);
            compare_wirings(ctx, &shape, ref_mesh(dims, extent), what);
        }
    }
    swq_context_free(ctx);
}

/* ---- a case ---- */

enum { MOST_MESSAGES = 260, LAST_CYCLE = 3000 };

typedef struct {
    char what[400];
    swq_async network;
    ref_async reference;
    ref_plan *plan;    /* or NULL */
    swq_fabric fabric; /* as the product wires it */
    swq_async_message trace[MOST_MESSAGES];
    ref_message message[MOST_MESSAGES];
    long cycles; /* to run; < 0: to the end */
} one_case;

static const char *const fabric_names[] = {"single",       "omega",   "torus", "ring",
                                           "one-way ring", "one-way", "mesh",  "hypercube",
                                           "chained",      "baseline"};
enum { FABRICS = sizeof fabric_names / sizeof *fabric_names };

static int between(uint32_t *state, int least, int most)
{
    return least + (int)draw(state, (uint32_t)(most - least + 1));
}

/* A small network of that kind, wired by the reference if it can. */
static void choose_fabric(swq_context *ctx, uint32_t *state, int kind, one_case *c)
{
    swq_shape *shape = &c->network.shape;
    int extent[2] = {between(state, 2, 5), between(state, 2, 4)}, k, stages;

    switch (kind) {
    case 0:
        k = between(state, 2, 5);
        *shape = omega_shape(ctx, k, 1);
        c->plan = ref_omega(k, 1);
        break;
    case 1:
        k = between(state, 2, 3);
        stages = between(state, 2, k == 2 ? 4 : 2);
        *shape = omega_shape(ctx, k, stages);
        c->plan = ref_omega(k, stages);
        break;
    case 2:
    case 3:
        *shape = grid_shape(&swq_fabric_torus, kind == 2 ? 2 : 1, extent, false);
        c->plan = ref_torus(shape->dims, extent, 0);
        break;
    case 4:
    case 5:
        *shape = grid_shape(&swq_fabric_torus, kind == 5 ? 2 : 1, extent, true);
        c->plan = ref_torus(shape->dims, extent, 1);
        break;
    case 6:
        k = between(state, 1, 2);
        *shape = grid_shape(&swq_fabric_mesh, k, extent, false);
        c->plan = ref_mesh(k, extent);
        break;
    case 7:
        *shape = (swq_shape){.kind = &swq_fabric_hypercube, .dims = between(state, 1, 4)};
        break;
    case 8:
        *shape = (swq_shape){.kind = between(state, 0, 1) ? &swq_fabric_torus : &swq_fabric_mesh,
                             .dims = between(state, 3, 4),
                             .extent = {2, 3, 2, 2},
                             .chained = true};
        break;
    default:
        *shape = (swq_shape){.ports = 2, .stages = between(state, 2, 3)};
        cr_assert_eq(swq_fabric_find(ctx, fabric_names[kind], shape), SWQ_OK);
    }
    cr_assert_eq(swq_fabric_make(ctx, shape, &c->fabric), SWQ_OK, "%s: %s", fabric_names[kind],
                 swq_context_message(ctx));
    c->reference.wiring = c->plan ? c->plan->wiring : wiring_of(&c->fabric);
}

static void choose_switch(swq_context *ctx, uint32_t *state, const char *buffer, one_case *c)
{
    swq_async *n = &c->network;
    ref_async *r = &c->reference;

    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &n->buffer), SWQ_OK);
    r->one_queue = n->buffer->queues == SWQ_ONE_QUEUE;
    r->read_each = n->buffer->read == SWQ_READ_EACH_QUEUE;
    r->partitioned = n->buffer->partitioned;
    r->block = between(state, 1, 16);
    r->max_packet = between(state, 8, 64);
    r->hop_delay = between(state, 1, 9);
    r->link_rest = between(state, 0, 4);
    r->fixed = draw(state, 6) == 0;
    static const swq_release release[] = {SWQ_RELEASE_BLOCKS, SWQ_RELEASE_START, SWQ_RELEASE_HOP,
                                          SWQ_RELEASE_END};
    static const int same[] = {REF_RELEASE_BLOCKS, REF_RELEASE_START, REF_RELEASE_HOP,
                               REF_RELEASE_END};
    uint32_t which = draw(state, 4);
    n->release = release[which];
    r->release = same[which];

    int packet = (r->max_packet + r->block - 1) / r->block, queues = c->fabric.classes;
    int blocks = between(state, packet, 4 * packet);
    if (r->partitioned)
        blocks = queues * between(state, packet, 3 * packet);
    r->bytes = blocks * r->block;
    r->threshold = REF_NO_THRESHOLD;
    n->flow = &swq_flow_blocking;
    if (!r->partitioned && draw(state, 2)) {
        n->flow = &swq_flow_maximum_usage;
        r->threshold = n->threshold = between(state, 0, blocks);
    }
    n->bytes = r->bytes;
    n->block = r->block;
    n->max_packet = r->max_packet;
    n->hop_delay = r->hop_delay;
    n->link_rest = r->link_rest;
    cr_assert_eq(swq_arbiter_find(ctx, r->fixed ? "fixed" : "rotating", &n->arbiter), SWQ_OK);
}

/* Messages of up to `longest` bytes, a new one in a cycle with a chance of percent for each node.
 */
static void choose_messages(uint32_t *state, uint32_t percent, int longest, one_case *c)
{
    uint32_t nodes = c->fabric.nodes;
    bool to_others = c->network.shape.kind->point_to_point;
    uint32_t hot = draw(state, 3) ? 0 : 30, spot = draw(state, nodes);
    int n = 0;

    for (uint64_t cycle = draw(state, 20); n < MOST_MESSAGES && cycle < LAST_CYCLE; cycle++) {
        for (uint32_t from = 0; from < nodes && n < MOST_MESSAGES; from++) {
            if (draw(state, 1000) >= percent)
                continue;
            uint32_t to = draw(state, 100) < hot ? spot : draw(state, nodes);
            if (to == from && to_others)
                to = (from + 1 + draw(state, nodes - 1)) % nodes;
            int bytes = between(state, 1, longest);
            c->trace[n] = (swq_async_message){cycle, from, to, (uint32_t)bytes};
            c->message[n++] = (ref_message){(long)cycle, (int)from, (int)to, bytes};
        }
    }
    c->network.trace = c->trace;
    c->network.trace_messages = (uint64_t)n;
    c->reference.message = c->message;
    c->reference.messages = n;
}

/* ---- looking on ---- */

typedef struct {
    ref_start *start;
    long starts, room;
} seen;

static void started(void *arg, const swq_start *x)
{
    seen *s = arg;
    bool sender = x->switch_ == SWQ_NO_WHERE;

    if (s->starts == s->room) {
        s->room = 2 * s->room + 1024;
        s->start = realloc(s->start, (size_t)s->room * sizeof *s->start);
        cr_assert(s->start);
    }
    s->start[s->starts++] = (ref_start){.cycle = x->cycle,
                                        .birth = x->birth,
                                        .switch_ = sender ? REF_SENDER : (int)x->switch_,
                                        .input = (int)x->input,
                                        .output = (int)x->output,
                                        .class_ = x->class,
                                        .from = (int)x->from,
                                        .to = (int)x->to,
                                        .bytes = (int)x->bytes};
}

static int in_order(const void *a, const void *b)
{
    const ref_start *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->switch_ != y->switch_)
        return x->switch_ < y->switch_ ? -1 : 1;
    if (x->switch_ == REF_SENDER)
        return x->from < y->from ? -1 : x->from > y->from;
    return x->output < y->output ? -1 : x->output > y->output;
}

static void print_start(char *text, size_t size, const ref_start *s)
{
    snprintf(text, size,
             "cycle %ld, switch %d, input %d to output %d, class %d: %d to %d, of %ld, %d bytes",
             s->cycle, s->switch_, s->input, s->output, s->class_, s->from, s->to, s->birth,
             s->bytes);
}

static bool same_start(const ref_start *x, const ref_start *y)
{
    return x->cycle == y->cycle && x->switch_ == y->switch_ && x->input == y->input &&
           x->output == y->output && x->class_ == y->class_ && x->from == y->from &&
           x->to == y->to && x->birth == y->birth && x->bytes == y->bytes;
}

/* The first `expected` starts of the reference. */
static bool compare_starts(const seen *found, const ref_start *start, long expected,
                           const char *what)
{
    char mine[128] = "nothing", theirs[128] = "nothing";
    long i = 0;

    while (i < found->starts && i < expected && same_start(&found->start[i], &start[i]))
        i++;
    if (i < found->starts)
        print_start(mine, sizeof mine, &found->start[i]);
    if (i < expected)
        print_start(theirs, sizeof theirs, &start[i]);
    cr_expect(i == found->starts && i == expected,
              "%s: start %ld of %ld\n  is        %s\n  should be %s", what, i, expected, mine,
              theirs);
    return i == found->starts && i == expected;
}

/* ---- what is told of a run ---- */

static bool stuck_there(const ref_outcome *o, uint32_t port, int class_)
{
    for (long i = 0; i < o->lefts; i++) {
        if (o->left[i].port == port && o->left[i].class_ == class_ && o->left[i].place == 0)
            return true;
    }
    return false;
}

/* The cycle of buffers: each waits for the next, with heads that the reference has there to the
 * end. */
static void check_waiting(const one_case *c, const swq_async_result *r, const ref_outcome *o)
{
    int n = r->waiting_count;

    cr_assert(n > 0 && n <= SWQ_MAX_WAITING, "%s: %d waiting", c->what, n);
    for (int i = 0; i < n; i++) {
        const swq_waiting *x = &r->waiting[i], *next = &r->waiting[(i + 1) % n];
        uint32_t ports = (uint32_t)c->fabric.ports;
        int output = fabric_output(&c->fabric, x->port, x->class);
        cr_expect(stuck_there(o, x->port, x->class), "%s: port %u, class %d", c->what, x->port,
                  x->class);
        cr_expect_eq(c->fabric.link[x->port / ports * ports + (uint32_t)output], x->next_port,
                     "%s: next of port %u", c->what, x->port);
        cr_expect_eq(next->port, x->next_port, "%s: after port %u", c->what, x->port);
    }
}

static void expect_number(double found, double expected, const char *name, const char *what)
{
    if (!(isnan(found) && isnan(expected)))
        cr_expect(fabs(found - expected) <= 1e-9 * (1 + fabs(expected)), "%s: %s %.12g, not %.12g",
                  what, name, found, expected);
}

/* The sums over the same cycles. */
static void compare_sums(const one_case *c, const swq_async_result *r, const ref_outcome *o)
{
    const swq_flow_result *all = &r->sim.all;
    double cycles = (double)r->sim.cycles, level[SWQ_MAX_LEVELS] = {0};
    const swq_fabric *f = &c->fabric;

    cr_expect(r->sim.conserved, "%s: not conserved", c->what);
    cr_expect(r->sim.little_exact, "%s: Little's law", c->what);
    cr_expect_eq(r->sim.total_created, (uint64_t)o->created, "%s: created %lu, not %ld", c->what,
                 (unsigned long)r->sim.total_created, o->created);
    cr_expect_eq(r->sim.total_delivered, (uint64_t)o->delivered, "%s: delivered", c->what);
    cr_expect_eq(all->created, (uint64_t)o->created, "%s: created, measured", c->what);
    cr_expect_eq(all->delivered, (uint64_t)o->delivered, "%s: delivered, measured", c->what);
    cr_expect_eq(r->bytes_created, (uint64_t)o->bytes_created, "%s: bytes created", c->what);
    cr_expect_eq(r->bytes_delivered, (uint64_t)o->bytes_delivered, "%s: bytes delivered", c->what);
    cr_expect_eq(r->bytes_in_flight, (uint64_t)(o->bytes_created - o->bytes_delivered),
                 "%s: bytes in flight", c->what);
    if (o->delivered == 0)
        return;
    expect_number(all->latency.mean * (double)o->delivered, (double)o->latency_sum, "latencies",
                  c->what);
    /* kept in a histogram whose cells are wider from 8192 on */
    cr_expect(fabs(all->max - (double)o->latency_max) <=
                  (o->latency_max < 8192 ? 0 : (double)o->latency_max / 64),
              "%s: greatest latency %g, not %ld", c->what, all->max, o->latency_max);
    expect_number(all->throughput.mean * cycles * f->nodes, (double)o->bytes_delivered,
                  "throughput", c->what);
    cr_expect_eq(r->sim.packet_hops, (uint64_t)o->entered, "%s: packet hops %lu, not %ld", c->what,
                 (unsigned long)r->sim.packet_hops, o->entered);
    for (long i = 0; i < o->starts; i++) {
        const ref_start *s = &o->start[i];
        if (s->switch_ != REF_SENDER)
            level[f->out_level[s->switch_ * f->ports + s->output]] += s->bytes;
    }
    for (int l = 0; l < f->levels; l++)
        expect_number(r->sim.stage[l].sent.mean * cycles * f->level_outputs[l], level[l], "sent",
                      c->what);
}

/* Returns whether it was a deadlock. */
static bool compare(swq_context *ctx, one_case *c)
{
    swq_sim_options options = swq_sim_defaults();
    seen found = {0};
    swq_async_watch watch = {.started = started, .arg = &found};
    swq_async_result result;
    ref_outcome o;

    c->reference.cycles = c->cycles;
    ref_async_run(&c->reference, &o);
    options.warmup = 0;
    options.cycles = c->cycles >= 0 ? (uint64_t)c->cycles : (uint64_t)(o.cycles + 5000);
    cr_assert_eq(swq_async_run(ctx, &c->network, &options, &watch, &result), SWQ_OK, "%s: %s",
                 c->what, swq_context_message(ctx));
    qsort(found.start, (size_t)found.starts, sizeof *found.start, in_order);
    if (result.sim.stopped_by == SWQ_STOP_DEADLOCK) {
        /* it may be found before all others have stopped */
        long n = 0;
        while (n < o.starts && o.start[n].cycle < (long)result.sim.cycles)
            n++;
        compare_starts(&found, o.start, n, c->what);
        cr_expect(o.deadlock || c->cycles >= 0, "%s: no deadlock", c->what);
        if (o.deadlock)
            check_waiting(c, &result, &o);
    } else {
        if (compare_starts(&found, o.start, o.starts, c->what))
            compare_sums(c, &result, &o);
        cr_expect_not(o.deadlock, "%s: a deadlock was not found", c->what);
        long bytes = 0;
        for (int i = 0; i < c->reference.messages; i++)
            bytes += c->message[i].bytes;
        cr_expect_eq(result.sim.stopped_by,
                     bytes == o.bytes_delivered ? SWQ_STOP_TRACE_END : SWQ_STOP_CYCLES,
                     "%s: stopped by %d", c->what, (int)result.sim.stopped_by);
    }
    bool deadlock = o.deadlock;
    free(found.start);
    ref_outcome_clear(&o);
    return deadlock;
}

static void clear_case(swq_context *ctx, one_case *c)
{
    swq_fabric_clear(ctx, &c->fabric);
    ref_plan_free(c->plan);
}

/* ---- the cases ---- */

/* Every fabric with every buffer in turn; the number of deadlocks. */
static int compare_cases(int cases, uint32_t seed, bool cut)
{
    static const char *const buffer[] = {"fifo", "samq", "safc", "damq", "dafc"};
    static const uint32_t percent[] = {5, 20, 60, 200, 1000}; /* of ten */
    static one_case c;
    swq_context *ctx = swq_context_new();
    uint32_t state = seed;
    int deadlocks = 0;

    for (int k = 0; k < cases; k++) {
        const char *kind = buffer[k / FABRICS % 5];
        memset(&c, 0, sizeof c);
        c.network = swq_async_defaults();
        choose_fabric(ctx, &state, k % FABRICS, &c);
        choose_switch(ctx, &state, kind, &c);
        uint32_t load = percent[draw(&state, 5)];
        int longest = draw(&state, 3) ? c.reference.max_packet : 3 * c.reference.max_packet;
        choose_messages(&state, load, longest, &c);
        c.cycles = cut ? 64 + (long)draw(&state, 1000) : -1;
        const ref_async *r = &c.reference;
        snprintf(
            c.what, sizeof c.what,
            "case %d, %s, %d nodes, %s of %d bytes in blocks of %d, packets to %d, messages to "
            "%d, threshold %d, hop %d, rest %d, load %u, %s arbiter",
            k, fabric_names[k % FABRICS], r->wiring.nodes, kind, r->bytes, r->block, r->max_packet,
            longest, r->threshold, r->hop_delay, r->link_rest, load,
            r->fixed ? "fixed" : "rotating");
        deadlocks += compare(ctx, &c);
        clear_case(ctx, &c);
    }
    swq_context_free(ctx);
    return deadlocks;
}

/* Small ones, which tests/ref/test_ref_async.c follows by hand. */
Test(async_reference, by_hand)
{
    static const struct {
        const char *name, *buffer;
        int ports, stages; /* 0: a one-way ring of four */
        int bytes, block, max_packet, link_rest;
        ref_message message[5];
    } row[] = {
        {"read ports", "damq", 2, 1, 128, 8, 32, 2, {{0, 1, 0, 32}, {1, 0, 0, 32}, {2, 0, 1, 32}}},
        {"a sender in the same cycle",
         "damq",
         3,
         1,
         96,
         8,
         32,
         0,
         {{0, 0, 0, 32}, {0, 1, 1, 32}, {0, 2, 0, 8}, {8, 2, 1, 8}, {37, 2, 1, 8}}},
        {"a switch in the same cycle",
         "damq",
         2,
         2,
         96,
         8,
         32,
         0,
         {{0, 0, 0, 32}, {0, 1, 0, 8}, {0, 1, 1, 32}, {0, 1, 1, 5}, {0, 1, 1, 5}}},
        {"the later packet frees first",
         "dafc",
         2,
         1,
         32,
         16,
         16,
         0,
         {{0, 0, 1, 13}, {0, 1, 1, 1}, {0, 1, 0, 16}, {0, 1, 0, 2}}},
        {"four packets in a deadlock",
         "fifo",
         0,
         0,
         32,
         8,
         32,
         2,
         {{0, 0, 3, 32}, {0, 1, 0, 32}, {0, 2, 1, 32}, {0, 3, 2, 32}}},
    };
    static one_case c;
    swq_context *ctx = swq_context_new();

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int messages = 0, extent[] = {4};
        memset(&c, 0, sizeof c);
        snprintf(c.what, sizeof c.what, "%s", row[i].name);
        c.network = swq_async_defaults();
        c.network.shape = row[i].ports ? omega_shape(ctx, row[i].ports, row[i].stages)
                                       : grid_shape(&swq_fabric_torus, 1, extent, true);
        c.plan = row[i].ports ? ref_omega(row[i].ports, row[i].stages) : ref_torus(1, extent, 1);
        cr_assert_eq(swq_fabric_make(ctx, &c.network.shape, &c.fabric), SWQ_OK);
        cr_assert_eq(swq_buffer_kind_find(ctx, row[i].buffer, &c.network.buffer), SWQ_OK);
        cr_assert_eq(swq_arbiter_find(ctx, "rotating", &c.network.arbiter), SWQ_OK);
        for (; messages < 5 && row[i].message[messages].bytes; messages++) {
            const ref_message *m = &row[i].message[messages];
            c.message[messages] = *m;
            c.trace[messages] = (swq_async_message){(uint64_t)m->cycle, (uint32_t)m->from,
                                                    (uint32_t)m->to, (uint32_t)m->bytes};
        }
        c.network.trace = c.trace;
        c.network.trace_messages = (uint64_t)messages;
        c.network.bytes = row[i].bytes;
        c.network.block = row[i].block;
        c.network.max_packet = row[i].max_packet;
        c.network.link_rest = row[i].link_rest;
        c.reference = (ref_async){.wiring = c.plan->wiring,
                                  .one_queue = strcmp(row[i].buffer, "fifo") == 0,
                                  .read_each = strcmp(row[i].buffer, "dafc") == 0,
                                  .bytes = row[i].bytes,
                                  .block = row[i].block,
                                  .max_packet = row[i].max_packet,
                                  .threshold = REF_NO_THRESHOLD,
                                  .hop_delay = 5,
                                  .link_rest = row[i].link_rest,
                                  .message = c.message,
                                  .messages = messages};
        c.cycles = -1;
        cr_expect_eq(compare(ctx, &c), row[i].ports == 0);
        clear_case(ctx, &c);
    }
    swq_context_free(ctx);
}

Test(async_reference, to_the_end)
{
    cr_expect_gt(compare_cases(500, 1, false), 0);
}

/* Ended while packets are on their way. */
Test(async_reference, cut_short)
{
    compare_cases(150, 2, true);
}
