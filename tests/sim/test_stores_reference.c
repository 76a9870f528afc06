/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routing with a choice, and managements with Xoff and Xon, with and without output stores:
 * swq_async_run against tests/ref/ref_stores.c, which shares no code with it and was written
 * without sight of it. Traffic is a trace, and every beginning of a transfer and of a transmission
 * must be the same: cycle, place, packet, escape queue. Where chance chooses between outputs the
 * reference takes the one that was taken, if it is one of those.
 */
#include "switchq/async.h"
#include "tests/ref/ref_stores.h"
#include "tests/sim/async_cases.h"
#include "tests/support/support.h"

TestSuite(stores_reference, .timeout = 240);

typedef struct {
    ref_departure *start;
    long starts, room;
    const swq_fabric *fabric;
    bool choice;
} departures_seen;

/* What the engine reports, in the reference's form. */
static ref_departure translated(const swq_start *x, const departures_seen *s)
{
    ref_departure y = {.output_store = x->output_store,
                       .escape = -1,
                       .start = {.cycle = x->cycle,
                                 .birth = x->birth,
                                 .switch_ = (int)x->switch_,
                                 .input = (int)x->input,
                                 .output = (int)x->output,
                                 .class_ = x->packet_class,
                                 .from = (int)x->from,
                                 .to = (int)x->to,
                                 .bytes = (int)x->bytes}};

    if (x->switch_ == SWQ_NO_WHERE)
        y.start.switch_ = REF_SENDER;
    if (s->choice) {
        if (y.start.class_ < s->fabric->escapes && !y.output_store)
            y.escape = y.start.class_;
        y.start.class_ = -1;
    }
    if (x->output_store) /* whose packets have no class there */
        y.start.class_ = 0;
    return y;
}

static void started(void *arg, const swq_start *x)
{
    departures_seen *s = arg;

    if (s->starts == s->room) {
        s->room = 2 * s->room + 1024;
        s->start = realloc(s->start, (size_t)s->room * sizeof *s->start);
        cr_assert(s->start);
    }
    s->start[s->starts++] = translated(x, s);
}

static int in_order(const void *a, const void *b)
{
    const ref_departure *x = a, *y = b;
    const long key[][2] = {{x->start.cycle, y->start.cycle},
                           {x->output_store, y->output_store},
                           {x->start.switch_, y->start.switch_},
                           {x->start.output, y->start.output},
                           {x->start.from, y->start.from}};

    for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
        if (key[i][0] != key[i][1])
            return key[i][0] < key[i][1] ? -1 : 1;
    }
    return 0;
}

/* By which output a packet left an input store: its choice, for the reference. */
static int taken(void *arg, long cycle, int sw, int input, int from, int to, long birth)
{
    const departures_seen *s = arg;
    long low = 0, high = s->starts;

    while (low < high) { /* the first of that cycle */
        const long middle = (low + high) / 2;
        if (s->start[middle].start.cycle < cycle)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < s->starts && s->start[low].start.cycle == cycle; low++) {
        const ref_start *x = &s->start[low].start;
        if (!s->start[low].output_store && x->switch_ == sw && x->input == input &&
            x->from == from && x->to == to && x->birth == birth)
            return x->output;
    }
    return -1;
}

static bool same_departure(const ref_departure *a, const ref_departure *b)
{
    const ref_start *x = &a->start, *y = &b->start;

    return x->cycle == y->cycle && a->output_store == b->output_store && a->escape == b->escape &&
           x->switch_ == y->switch_ && x->input == y->input && x->output == y->output &&
           x->class_ == y->class_ && x->from == y->from && x->to == y->to && x->birth == y->birth &&
           x->bytes == y->bytes;
}

static void print_departure(char *text, size_t size, const ref_departure *x)
{
    const ref_start *s = &x->start;

    snprintf(text, size,
             "cycle %ld, switch %d, %s %d to output %d, class %d, escape %d: %d to %d, of %ld, %d "
             "bytes",
             s->cycle, s->switch_, x->output_store ? "output store" : "input",
             x->output_store ? s->output : s->input, s->output, s->class_, x->escape, s->from,
             s->to, s->birth, s->bytes);
}

/* The first `expected` starts of the reference. */
static bool compare_starts(const departures_seen *found, const ref_departure *start, long expected,
                           const char *what)
{
    char mine[180] = "nothing", theirs[180] = "nothing";
    long i = 0;

    while (i < found->starts && i < expected && same_departure(&found->start[i], &start[i]))
        i++;
    if (i < found->starts)
        print_departure(mine, sizeof mine, &found->start[i]);
    if (i < expected)
        print_departure(theirs, sizeof theirs, &start[i]);
    cr_expect(i == found->starts && i == expected,
              "%s: start %ld of %ld\n  is        %s\n  should be %s", what, i, expected, mine,
              theirs);
    return i == found->starts && i == expected;
}

static void compare_sums(const async_case *c, const swq_async_result *r,
                         const ref_stores_outcome *o)
{
    const swq_flow_result *all = &r->sim.all;
    const double latencies = all->latency.mean * (double)o->delivered;

    cr_expect(r->sim.conserved, "%s: not conserved", c->what);
    cr_expect(r->sim.little_exact, "%s: Little's law", c->what);
    cr_expect_eq(r->sim.total_created, (uint64_t)o->created, "%s: created", c->what);
    cr_expect_eq(r->sim.total_delivered, (uint64_t)o->delivered, "%s: delivered", c->what);
    cr_expect_eq(r->bytes_created, (uint64_t)o->bytes_created, "%s: bytes created", c->what);
    cr_expect_eq(r->bytes_delivered, (uint64_t)o->bytes_delivered, "%s: bytes delivered", c->what);
    cr_expect_eq(r->sim.packet_hops, (uint64_t)o->entered, "%s: packet hops", c->what);
    cr_expect_eq(r->notices, (uint64_t)o->notices, "%s: notices %lu, not %ld", c->what,
                 (unsigned long)r->notices, o->notices);
    if (swq_shape_adaptive(&c->network.shape))
        cr_expect_eq(all->out_of_order, (uint64_t)o->unordered, "%s: out of order %lu, not %ld",
                     c->what, (unsigned long)all->out_of_order, o->unordered);
    if (o->delivered)
        cr_expect(fabs(latencies - (double)o->latency_sum) <= 1e-9 * (1 + latencies),
                  "%s: latencies %.12g, not %ld", c->what, latencies, o->latency_sum);
}

/* The outcomes of all cases. */
typedef struct {
    int cases, deadlocks;
    long starts, had_choice, escaped, notices, apart;
    long among[4];
} stores_tally;

static void compare(swq_context *ctx, async_case *c, ref_stores *model, stores_tally *tally)
{
    swq_sim_options options = swq_sim_defaults();
    departures_seen found = {.fabric = &c->fabric, .choice = model->ways.outputs};
    swq_async_watch watch = {.started = started, .arg = &found};
    static swq_async_result result;
    ref_stores_outcome o;

    /* long enough to end, or for a deadlock to be found */
    options.warmup = 0;
    options.cycles = c->cycles >= 0 ? (uint64_t)c->cycles : 200000;
    cr_assert_eq(swq_async_run(ctx, &c->network, &options, &watch, &result), SWQ_OK, "%s: %s",
                 c->what, swq_context_message(ctx));
    if (found.starts)
        qsort(found.start, (size_t)found.starts, sizeof *found.start, in_order);
    model->network = c->reference;
    model->network.cycles = c->cycles;
    model->ways.taken = taken;
    model->ways.arg = &found;
    ref_stores_run(model, &o);
    if (o.starts)
        qsort(o.start, (size_t)o.starts, sizeof *o.start, in_order);
    if (result.sim.stopped_by == SWQ_STOP_DEADLOCK) {
        /* it may be found before all other packets have stopped */
        long n = 0;
        while (n < o.starts && o.start[n].start.cycle < (long)result.sim.cycles)
            n++;
        compare_starts(&found, o.start, n, c->what);
        cr_expect(o.deadlock || c->cycles >= 0, "%s: no deadlock", c->what);
        cr_expect(swq_async_may_deadlock(&c->network), "%s: it may not", c->what);
    } else {
        if (compare_starts(&found, o.start, o.starts, c->what))
            compare_sums(c, &result, &o);
        cr_expect_not(o.deadlock, "%s: a deadlock was not found", c->what);
    }
    tally->cases++;
    tally->deadlocks += o.deadlock;
    tally->starts += o.starts;
    tally->had_choice += o.had_choice;
    for (int i = 0; i < 4; i++)
        tally->among[i] += o.among[i];
    tally->escaped += o.escaped;
    tally->notices += o.notices;
    tally->apart += o.apart;
    free(found.start);
    ref_stores_outcome_clear(&o);
}

/* ---- with a choice ---- */

static ref_outputs tree_outputs(const void *self, unsigned port, int from, int to)
{
    const swq_fabric *f = self;
    const size_t class = port * (size_t)f->classes + (size_t)case_class(f, port, from, to);
    const uint64_t *set = f->outputs + class * (size_t)f->set_words;

    return f->set_words > 1 ? (ref_outputs)set[1] << 64 | set[0] : set[0];
}

static int tree_first(const void *self, unsigned port, int from, int to)
{
    const swq_fabric *f = self;
    return f->shape.kind->first(f, port, (uint32_t)from, (uint32_t)to);
}

enum {
    CHOICE_FABRICS = 6,
    WIDE_TREE = CHOICE_FABRICS /* with switches of more than 32 ports */
};

static const char *const choice_fabric_names[CHOICE_FABRICS + 1] = {
    "tree",     "mesh", "torus", "fat tree", "one-way torus", "mesh or torus of three dimensions",
    "wide tree"};

static int power(int base, int exponent)
{
    return exponent ? base * power(base, exponent - 1) : 1;
}

static void choice_fabric(swq_context *ctx, uint32_t *state, int kind, async_case *c, ref_ways *w)
{
    swq_shape *shape = &c->network.shape;
    int extent[3] = {case_between(state, 2, 5), case_between(state, 2, 4), 2};
    const int dims = kind == 5 ? 3 : kind == 1 ? 2 : case_between(state, 1, 2);
    const int k = case_between(state, 2, 3);
    /* trees need no escape queues to be without */
    const bool guarded = kind == 0 || kind == 3 || kind == WIDE_TREE || case_draw(state, 4);

    if (kind == 5)
        extent[0] = extent[1] = 3;
    if (kind == 0)
        *shape = (swq_shape){.kind = &swq_fabric_tree,
                             .levels = case_between(state, 2, k == 2 ? 3 : 2),
                             .arity = {k, case_between(state, 2, 3), 2},
                             .up_ports = case_between(state, 0, k)};
    else if (kind == WIDE_TREE)
        *shape = (swq_shape){.kind = &swq_fabric_tree,
                             .levels = 2,
                             .arity = {case_between(state, 30, 70), 2},
                             .up_ports = case_between(state, 3, 4)};
    else if (kind == 3)
        *shape = (swq_shape){.kind = &swq_fabric_fat_tree,
                             .ports = case_draw(state, 2) ? 4 : 6,
                             .levels = 2 + (case_draw(state, 3) == 0)};
    else if (kind == 1 || (kind == 5 && case_draw(state, 2))) {
        *shape = case_grid(&swq_fabric_mesh, dims, extent, false);
        c->plan = ref_mesh(dims, extent);
    } else {
        *shape = case_grid(&swq_fabric_torus, dims, extent, kind == 4);
        c->plan = ref_torus(dims, extent, kind == 4);
    }
    if (kind == 3 && shape->levels == 3)
        shape->ports = 4;
    shape->routing = guarded ? &swq_routing_adaptive : &swq_routing_unguarded;
    cr_assert_eq(swq_fabric_make(ctx, shape, &c->fabric), SWQ_OK, "%s: %s",
                 choice_fabric_names[kind], swq_context_message(ctx));
    const swq_fabric *f = &c->fabric;
    if (c->plan) {
        *w = (ref_ways){.outputs = ref_grid_outputs,
                        .first = ref_grid_first,
                        .escape = ref_grid_escape,
                        .self = c->plan,
                        .sets = power(shape->one_way ? 2 : 3, dims),
                        .escapes = !guarded        ? 0
                                   : c->plan->mesh ? 1
                                                   : 2};
        c->reference.wiring = c->plan->wiring;
    } else {
        *w = (ref_ways){.outputs = tree_outputs, .first = tree_first, .self = f};
        w->sets = f->classes;
        c->reference.wiring = case_wiring(f);
    }
    cr_assert_eq(f->escapes, w->escapes);
    cr_assert_eq(f->classes, w->escapes + w->sets);
}

/* Switches as they may be if packets have a choice. */
static void choice_switch(swq_context *ctx, uint32_t *state, const char *buffer, async_case *c,
                          ref_ways *w)
{
    swq_async *n = &c->network;
    ref_async *r = &c->reference;
    const int choice = (int)case_draw(state, 4);
    static const char *const names[] = {"random", "room", "queue", "first"};

    case_switch(ctx, state, buffer, c);
    cr_assert_eq(swq_arbiter_find(ctx, "rotating", &n->arbiter.row), SWQ_OK);
    r->fixed = 0;
    w->choice = choice;
    cr_assert_eq(swq_selection_find(ctx, names[choice], &n->arbiter.choice), SWQ_OK);
    /* memory for the escape queues, in addition to what is drawn */
    if (!r->partitioned && w->escapes) {
        const int packet = (n->packet.max + n->packet.block - 1) / n->packet.block;
        const int queues = w->escapes + (r->one_queue ? 1 : w->sets);
        n->memory.buffer.capacity += w->escapes * packet;
        r->bytes = n->memory.buffer.capacity * r->block;
        if (r->least > n->memory.buffer.capacity / queues)
            n->memory.buffer.queue_min = r->least = n->memory.buffer.capacity / queues;
        if (!r->most)
            n->memory.buffer.queue_max = n->memory.buffer.capacity;
    }
}

/* Output stores and the crossbar before them. */
static void choose_crossbar(uint32_t *state, async_case *c, ref_stores *model)
{
    static const int speed[][2] = {{1, 1}, {3, 2}, {2, 1}}; /* as in document 002, and others */
    swq_async *n = &c->network;
    const int packet = (n->packet.max + n->packet.block - 1) / n->packet.block;
    const int which = case_between(state, 0, 3);

    n->architecture.row = &swq_cioq;
    model->output_stores = 1;
    n->architecture.output.blocks = model->output_blocks = case_between(state, packet, 4 * packet);
    n->architecture.output.crossbar_delay = model->delay = case_between(state, 1, 8);
    model->cycles = which < 3 ? speed[which][1] : case_between(state, 1, 4);
    model->bytes = which < 3 ? speed[which][0]
                             : case_between(state, model->cycles, model->cycles * c->fabric.ports);
    if (model->bytes > model->cycles * c->fabric.ports)
        model->bytes = model->cycles * c->fabric.ports;
    n->architecture.output.speedup_bytes = model->bytes;
    n->architecture.output.speedup_cycles = model->cycles;
    model->whole = case_draw(state, 3) == 0;
    n->architecture.output.store_and_forward = model->whole;
}

/* Every fabric with every buffer in turn; or trees whose switches have more than 32 ports. */
static stores_tally compare_choices(int cases, uint32_t seed, bool cut, bool output_stores,
                                    bool wide)
{
    static const char *const buffer[] = {"fifo", "samq", "safc", "damq", "dafc"};
    static const uint32_t permille[] = {5, 20, 60, 200, 1000};
    static async_case c;
    swq_context *ctx = swq_context_new();
    uint32_t state = seed;
    stores_tally tally = {0};

    for (int k = 0; k < cases; k++) {
        const int fabric = wide ? WIDE_TREE : k % CHOICE_FABRICS;
        const char *kind = buffer[wide ? k % 5 : k / CHOICE_FABRICS % 5];
        if (k % CHOICE_FABRICS == 5 && kind[0] == 's') /* too many partitions */
            kind = "damq";
        ref_stores m = {0};
        memset(&c, 0, sizeof c);
        c.network = swq_async_defaults();
        choice_fabric(ctx, &state, fabric, &c, &m.ways);
        choice_switch(ctx, &state, kind, &c, &m.ways);
        if (output_stores)
            choose_crossbar(&state, &c, &m);
        const uint32_t load = permille[case_draw(&state, 5)];
        const int longest = (case_draw(&state, 3) ? 1 : 3) * c.reference.max_packet;
        case_messages(&state, load, longest, &c);
        c.cycles = cut ? 64 + (long)case_draw(&state, 1000) : -1;
        const ref_async *r = &c.reference;
        snprintf(c.what, sizeof c.what,
                 "case %d, %s, %d nodes, %d escapes, choice %d, %s of %d bytes in blocks of %d, "
                 "packets to %d, messages to %d, threshold %d, %d to %d blocks a queue, alpha %g, "
                 "hop %d, rest %d, load %u, release %d, %d blocks at the outputs, speedup %d/%d, "
                 "delay %d%s",
                 k, choice_fabric_names[fabric], r->wiring.nodes, m.ways.escapes, m.ways.choice,
                 kind, r->bytes, r->block, r->max_packet, longest, r->threshold, r->least, r->most,
                 r->alpha, r->hop_delay, r->link_rest, load, r->release, m.output_blocks, m.bytes,
                 m.cycles, m.delay, m.whole ? ", store and forward" : "");
        compare(ctx, &c, &m, &tally);
        case_clear(ctx, &c);
    }
    swq_context_free(ctx);
    return tally;
}

Test(stores_reference, choices)
{
    const stores_tally t = compare_choices(120, 1, false, false, false);

    cr_expect_gt(t.deadlocks, 0);
    cr_expect_gt(t.had_choice, 1000);
    cr_expect_gt(t.escaped, 1000);
    /* of two equal outputs each is drawn equally often, and of three or four the lowest 1/4 to 1/3
     * of the time */
    const double two = (double)(t.among[0] + t.among[1]), more = (double)(t.among[2] + t.among[3]);
    cr_expect(two > 500 && fabs((double)t.among[0] - two / 2) < 2.5 * sqrt(two), "%ld and %ld",
              t.among[0], t.among[1]);
    cr_expect(more == 0 || ((double)t.among[2] > more / 4 - 2.5 * sqrt(more) &&
                            (double)t.among[2] < more / 3 + 2.5 * sqrt(more)),
              "%ld and %ld", t.among[2], t.among[3]);
    compare_choices(30, 2, true, false, false);
}

/* Sets of outputs that are several words. */
Test(stores_reference, wide_choices)
{
    cr_expect_gt(compare_choices(10, 11, true, false, true).had_choice, 30);
    compare_choices(10, 12, true, true, true);
}

/* A packet then enters an escape queue from an output store. */
Test(stores_reference, choices_before_output_stores)
{
    const stores_tally t = compare_choices(90, 3, false, true, false);

    cr_expect_gt(t.had_choice, 500);
    cr_expect_gt(t.escaped, 500);
    compare_choices(30, 4, true, true, false);
}

/* ---- managements; `wide`: in trees whose switches have 34 to 68 ports ---- */

/* Choose one of them, over the memory that has been drawn. */
static const char *manage(swq_context *ctx, uint32_t *state, async_case *c, ref_stores *model)
{
    swq_async *n = &c->network;
    ref_async *r = &c->reference;
    const int packet = (n->packet.max + n->packet.block - 1) / n->packet.block;

    r->least = r->most = 0;
    r->alpha = 0;
    cr_assert_eq(swq_async_memory(ctx, n, r->bytes), SWQ_OK);
    switch (case_draw(state, 5)) {
    case 0:
        n->management.row = &swq_management_1q;
        r->one_queue = 1;
        break;
    case 1:
        n->management.row = &swq_management_4q;
        r->destinations = 4;
        break;
    case 2:
        n->management.row = &swq_management_dbbm;
        r->destinations = n->management.queues = case_between(state, 1, 90);
        break;
    case 3:
        n->management.row = &swq_management_voqsw;
        r->one_queue = 0;
        break;
    default:
        n->management.row = &swq_management_dbbm;
        n->management.queues = (int)c->fabric.nodes;
        r->destinations = (int)c->fabric.nodes;
    }
    if (r->destinations)
        model->output_destinations = r->destinations;
    if (case_draw(state, 3)) {
        n->flow.row = &swq_flow_blocking;
        r->threshold = REF_NO_THRESHOLD;
        n->management.xoff = model->xoff =
            case_between(state, 1, (int)n->memory.buffer.capacity / packet);
        n->management.xon = model->xon = case_between(state, 0, n->management.xoff - 1);
    }
    return n->management.row->name;
}

static stores_tally compare_managements(int cases, uint32_t seed, bool cut, bool wide)
{
    static const uint32_t permille[] = {5, 20, 60, 200, 1000};
    static async_case c;
    swq_context *ctx = swq_context_new();
    uint32_t state = seed;
    stores_tally tally = {0};

    for (int k = 0; k < cases; k++) {
        const int fabric = wide ? CASE_FABRICS + 1 : k % CASE_FABRICS;
        ref_stores m = {0};
        memset(&c, 0, sizeof c);
        c.network = swq_async_defaults();
        case_fabric(ctx, &state, fabric, &c);
        case_switch(ctx, &state, "damq", &c);
        cr_assert_eq(swq_arbiter_find(ctx, "rotating", &c.network.arbiter.row), SWQ_OK);
        c.reference.fixed = 0;
        const char *name = manage(ctx, &state, &c, &m);
        if (wide ? k % 2 : k / CASE_FABRICS % 2)
            choose_crossbar(&state, &c, &m);
        const uint32_t load = permille[case_draw(&state, 5)];
        const int longest = (case_draw(&state, 3) ? 1 : 3) * c.reference.max_packet;
        case_messages(&state, load, longest, &c);
        c.cycles = cut ? 64 + (long)case_draw(&state, 1000) : -1;
        const ref_async *r = &c.reference;
        snprintf(c.what, sizeof c.what,
                 "case %d, %s, %d nodes, %s (%d), xoff %d, xon %d, %d bytes in blocks of %d, "
                 "packets to %d, messages to %d, threshold %d, hop %d, rest %d, load %u, release "
                 "%d, %d blocks at the outputs, speedup %d/%d, delay %d%s",
                 k, case_fabric_names[fabric], r->wiring.nodes, name, r->destinations, m.xoff,
                 m.xon, r->bytes, r->block, r->max_packet, longest, r->threshold, r->hop_delay,
                 r->link_rest, load, r->release, m.output_blocks, m.bytes, m.cycles, m.delay,
                 m.whole ? ", store and forward" : "");
        compare(ctx, &c, &m, &tally);
        case_clear(ctx, &c);
    }
    swq_context_free(ctx);
    return tally;
}

Test(stores_reference, managements)
{
    const stores_tally t = compare_managements(88, 5, false, false);

    cr_expect_gt(t.deadlocks, 0);
    cr_expect_gt(t.notices, 5000);
    compare_managements(44, 6, true, false);
}

Test(stores_reference, wide_managements)
{
    cr_expect_gt(compare_managements(12, 15, true, true).notices, 100);
}

/* ---- local explicit congestion notification ---- */

/* Many of the messages go to one node. */
static void heat(uint32_t *state, async_case *c)
{
    const uint32_t spot = case_draw(state, c->fabric.nodes), percent = 20 * case_draw(state, 4);

    for (int i = 0; i < c->reference.messages; i++) {
        if (case_draw(state, 100) >= percent ||
            (c->trace[i].source == spot && c->network.shape.kind->point_to_point))
            continue;
        c->trace[i].destination = spot;
        c->message[i].to = (int)spot;
    }
}

static void choose_notification(swq_context *ctx, uint32_t *state, async_case *c, ref_stores *m)
{
    swq_async *n = &c->network;
    const int packet = (n->packet.max + n->packet.block - 1) / n->packet.block;

    c->reference.least = c->reference.most = 0;
    c->reference.alpha = 0;
    cr_assert_eq(swq_async_memory(ctx, n, c->reference.bytes), SWQ_OK);
    n->management.row = &swq_management_lecn;
    choose_crossbar(state, c, m);
    n->architecture.output.blocks = m->output_blocks = case_between(state, 2 * packet, 9 * packet);
    n->management.detect = m->detect = case_between(state, 1, m->output_blocks / packet - 1);
    n->management.xon = m->relief = case_between(state, 1, m->detect);
}

static stores_tally compare_notifications(int cases, uint32_t seed, bool cut, bool wide)
{
    static const uint32_t permille[] = {20, 60, 200, 1000};
    static async_case c;
    swq_context *ctx = swq_context_new();
    uint32_t state = seed;
    stores_tally tally = {0};

    for (int k = 0; k < cases; k++) {
        const int fabric = wide ? CASE_FABRICS + 1 : k % CASE_FABRICS;
        ref_stores m = {0};
        memset(&c, 0, sizeof c);
        c.network = swq_async_defaults();
        case_fabric(ctx, &state, fabric, &c);
        case_switch(ctx, &state, "damq", &c);
        cr_assert_eq(swq_arbiter_find(ctx, "rotating", &c.network.arbiter.row), SWQ_OK);
        c.reference.fixed = 0;
        choose_notification(ctx, &state, &c, &m);
        case_messages(&state, permille[case_draw(&state, 4)], c.reference.max_packet, &c);
        heat(&state, &c);
        c.cycles = cut ? 64 + (long)case_draw(&state, 1000) : -1;
        const ref_async *r = &c.reference;
        snprintf(c.what, sizeof c.what,
                 "case %d, %s, %d nodes, detect %d, xon %d, %d bytes in blocks of %d, packets to "
                 "%d, threshold %d, hop %d, rest %d, release %d, %d blocks at the outputs, speedup "
                 "%d/%d, delay %d%s",
                 k, case_fabric_names[fabric], r->wiring.nodes, m.detect, m.relief, r->bytes,
                 r->block, r->max_packet, r->threshold, r->hop_delay, r->link_rest, r->release,
                 m.output_blocks, m.bytes, m.cycles, m.delay, m.whole ? ", store and forward" : "");
        compare(ctx, &c, &m, &tally);
        case_clear(ctx, &c);
    }
    swq_context_free(ctx);
    return tally;
}

Test(stores_reference, notifications)
{
    const stores_tally t = compare_notifications(110, 9, false, false);

    cr_expect_gt(t.notices, 5000);
    cr_expect_gt(t.apart, 2000);
    cr_expect_gt(t.deadlocks, 0); /* some of separate queues alone, which wait for each other */
    compare_notifications(44, 10, true, false);
}

Test(stores_reference, wide_notifications)
{
    const stores_tally t = compare_notifications(12, 19, true, true);

    cr_expect_gt(t.notices, 100);
    cr_expect_gt(t.apart, 100);
}

/* ---- two counters ---- */

static void choose_counters(uint32_t *state, async_case *c, ref_stores *m)
{
    swq_async *n = &c->network;
    const int blocks = (int)n->memory.buffer.capacity;

    n->flow.row = &swq_flow_two_counter;
    c->reference.threshold = REF_NO_THRESHOLD;
    m->sigma = case_draw(state, 2) ? 1 : case_between(state, 2, 40);
    m->x_inc = case_between(state, 0, blocks);
    m->x_dec = case_between(state, 1, m->x_inc + 1);
    m->y_max = case_between(state, 1, 4);
    m->y = case_between(state, 1, m->y_max);
    n->flow.counters = (swq_two_counter){
        .sigma = m->sigma, .x_inc = m->x_inc, .x_dec = m->x_dec, .y = m->y, .y_max = m->y_max};
}

static stores_tally compare_counters(int cases, uint32_t seed, bool cut, bool wide)
{
    static const char *const buffer[] = {"damq", "fifo", "dafc", "samq", "safc"};
    static const uint32_t permille[] = {20, 60, 200, 1000};
    static async_case c;
    swq_context *ctx = swq_context_new();
    uint32_t state = seed;
    stores_tally tally = {0};

    for (int k = 0; k < cases; k++) {
        const int fabric = wide ? CASE_FABRICS + 1 : k % CASE_FABRICS;
        ref_stores m = {0};
        memset(&c, 0, sizeof c);
        c.network = swq_async_defaults();
        case_fabric(ctx, &state, fabric, &c);
        case_switch(ctx, &state, buffer[k % 5], &c);
        cr_assert_eq(swq_arbiter_find(ctx, "rotating", &c.network.arbiter.row), SWQ_OK);
        c.reference.fixed = 0;
        choose_counters(&state, &c, &m);
        if (case_draw(&state, 3) == 0)
            choose_crossbar(&state, &c, &m);
        case_messages(&state, permille[case_draw(&state, 4)], c.reference.max_packet, &c);
        c.cycles = cut ? 64 + (long)case_draw(&state, 1000) : -1;
        const ref_async *r = &c.reference;
        snprintf(
            c.what, sizeof c.what,
            "case %d, %s, %d nodes, %s, sigma %d, x %d and %d, y %d of %d, %d bytes in blocks "
            "of %d, packets to %d, %d to %d blocks a queue, alpha %g, hop %d, rest %d, release "
            "%d, output stores %d",
            k, case_fabric_names[fabric], r->wiring.nodes, buffer[k % 5], m.sigma, m.x_inc, m.x_dec,
            m.y, m.y_max, r->bytes, r->block, r->max_packet, r->least, r->most, r->alpha,
            r->hop_delay, r->link_rest, r->release, m.output_stores);
        compare(ctx, &c, &m, &tally);
        case_clear(ctx, &c);
    }
    swq_context_free(ctx);
    return tally;
}

Test(stores_reference, two_counters)
{
    cr_expect_gt(compare_counters(110, 7, false, false).starts, 20000);
    compare_counters(55, 8, true, false);
}

Test(stores_reference, wide_two_counters)
{
    compare_counters(10, 17, true, true);
}
