/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routing with a choice: the sets of outputs that fabrics give, walked for all pairs; the circles
 * that escape queues must not wait in; and networks under it against the deterministic ones,
 * against the laws, and against a log of their transmissions.
 */
#include "models/arbiters/arbiters.h"
#include "switchq/async.h"
#include "tests/sim/inspector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(adaptive, .init = setup, .fini = teardown, .timeout = 480);

static uint64_t state_of_draws;

static uint32_t draw(uint32_t n)
{
    uint64_t z = state_of_draws += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(((z ^ z >> 31) >> 33) % n);
}

/* ---- shapes ---- */

static swq_shape tree(int levels, const int *arity, int up_ports)
{
    swq_shape shape = {.kind = &swq_fabric_tree,
                       .levels = levels,
                       .up_ports = up_ports,
                       .routing = &swq_routing_adaptive};

    memcpy(shape.arity, arity, (size_t)levels * sizeof *arity);
    return shape;
}

static swq_shape even_tree(int arity, int levels)
{
    const int alike[4] = {arity, arity, arity, arity};
    return tree(levels, alike, 0);
}

static swq_shape grid(const swq_fabric_kind *kind, int dims, const int *extent, bool one_way)
{
    swq_shape shape = {
        .kind = kind, .dims = dims, .one_way = one_way, .routing = &swq_routing_adaptive};

    memcpy(shape.extent, extent, (size_t)dims * sizeof *extent);
    return shape;
}

enum { SHAPES = 16 };

static swq_shape shape_number(int k)
{
    static const struct {
        int levels, up_ports, arity[4];
    } trees[] = {{2, 0, {4, 4}},    {3, 0, {4, 4, 4}}, {4, 0, {2, 2, 2, 2}}, {3, 0, {2, 3, 5}},
                 {3, 2, {4, 4, 4}}, {3, 1, {3, 2, 4}}, {4, 2, {4, 2, 3, 2}}};
    static const struct {
        bool torus, one_way;
        int dims, extent[4];
    } grids[] = {
        {false, false, 2, {4, 4}},   {false, false, 3, {3, 2, 4}}, {true, false, 1, {5}},
        {true, false, 2, {4, 4}},    {true, false, 2, {5, 3}},     {true, false, 2, {2, 6}},
        {true, false, 3, {3, 4, 3}}, {true, true, 2, {3, 4}},      {true, true, 4, {2, 3, 2, 2}}};

    if (k < 7)
        return tree(trees[k].levels, trees[k].arity, trees[k].up_ports);
    return grid(grids[k - 7].torus ? &swq_fabric_torus : &swq_fabric_mesh, grids[k - 7].dims,
                grids[k - 7].extent, grids[k - 7].one_way);
}

static swq_fabric laid_out(const swq_shape *shape)
{
    swq_fabric f;

    cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
    return f;
}

static uint32_t set_at(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to)
{
    const int class = f->shape.kind->route(f, port, from, to);

    cr_assert(class >= f->escapes && class < f->classes, "class %d of %d", class, f->classes);
    return f->outputs[(size_t)port * (size_t)f->classes + (size_t) class];
}

static uint32_t end_of(const swq_fabric *f, uint32_t port, uint32_t output)
{
    return f->link[port / (uint32_t)f->ports * (uint32_t)f->ports + output];
}

/* The deterministic fabric of the same shape, and through how many switches it takes a pair. */
static int switches_between(const swq_fabric *plain, uint32_t from, uint32_t to)
{
    uint32_t port = plain->entry[from];
    int switches = 0;

    for (; !(port & SWQ_TO_NODE); switches++) {
        const int class = plain->shape.kind->route(plain, port, from, to);
        port = end_of(plain, port,
                      plain->output[(size_t)port * (size_t)plain->classes + (size_t) class]);
    }
    return switches;
}

/* ---- ways ---- */

/* Every route that any choices lead to reaches the node, in as many steps as the deterministic one,
 * which is among them; returns the number of different routes. */
static double walk(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to, int left)
{
    double ways = 0;

    if (port & SWQ_TO_NODE) {
        cr_assert_eq(port, SWQ_TO_NODE | to);
        cr_assert_eq(left, 0, "from %u to %u: %d steps fewer", from, to, left);
        return 1;
    }
    cr_assert_gt(left, 0, "from %u to %u: too long a way", from, to);
    const uint32_t set = set_at(f, port, from, to);
    cr_assert_neq(set, 0, "from %u to %u: no output at port %u", from, to, port);
    cr_assert(set >> f->shape.kind->first(f, port, from, to) & 1);
    for (uint32_t more = set; more; more &= more - 1)
        ways += walk(f, end_of(f, port, (uint32_t)__builtin_ctz(more)), from, to, left - 1);
    return ways;
}

Test(adaptive, all_pairs_by_all_ways)
{
    for (int k = 0; k < SHAPES; k++) {
        swq_shape shape = shape_number(k), same = shape;
        same.routing = NULL;
        swq_fabric f = laid_out(&shape), plain = laid_out(&same);
        for (uint32_t from = 0; from < f.nodes; from++) {
            for (uint32_t to = 0; to < f.nodes; to++) {
                if (from == to)
                    continue;
                const int switches = switches_between(&plain, from, to);
                double ways = walk(&f, f.entry[from], from, to, switches), expected = 1;
                /* any link up to the level of the turn */
                for (int l = 0; shape.levels && l < switches / 2; l++)
                    expected *= shape.up_ports ? shape.up_ports : shape.arity[l];
                if (shape.levels)
                    cr_assert_eq(ways, expected, "shape %d: %g ways from %u to %u", k, ways, from,
                                 to);
                else if (shape.dims == 2 && !shape.kind->rings) {
                    const uint16_t *a = f.coordinate + 2 * from, *b = f.coordinate + 2 * to;
                    const int x = abs(a[0] - b[0]), y = abs(a[1] - b[1]);
                    const double lattice = tgamma(x + y + 1) / (tgamma(x + 1) * tgamma(y + 1));
                    cr_assert_float_eq(ways, lattice, 1e-9, "shape %d: %g ways", k, ways);
                }
            }
        }
        swq_fabric_clear(ctx, &f);
        swq_fabric_clear(ctx, &plain);
    }
}

/* Going up a tree, then down: levels only grow. */
Test(adaptive, trees_go_up_and_then_down)
{
    for (int k = 0; k < 7; k++) {
        const swq_shape shape = shape_number(k);
        swq_fabric f = laid_out(&shape);
        for (uint32_t p = 0; p < f.switches * (uint32_t)f.ports; p++) {
            if (f.in_level[p] == 255)
                continue;
            for (int c = 0; c < f.classes; c++) {
                const uint32_t set = f.outputs[p * (uint32_t)f.classes + (uint32_t)c];
                for (uint32_t more = set; more; more &= more - 1) {
                    const uint32_t out =
                        p / (uint32_t)f.ports * (uint32_t)f.ports + (uint32_t)__builtin_ctz(more);
                    cr_assert_neq(out, p, "shape %d: turned back", k);
                    cr_assert(f.in_level[p] == f.levels - 1 || f.out_level[out] > f.in_level[p],
                              "shape %d: %d behind %d", k, f.out_level[out], f.in_level[p]);
                }
            }
        }
        swq_fabric_clear(ctx, &f);
    }
}

/* ---- circles of escape queues ---- */

/* Which escape queue may wait for which: a packet that is, or was, in the one, and has gone on by
 * any ways, may be in a queue whose head asks for the other (Duato's extended dependencies). */
typedef struct {
    const swq_fabric *f;
    bool *waits; /* [queues * queues] */
    bool merged; /* the queues of a port taken as one */
    uint32_t queues;
} dependencies;

static uint32_t queue_at(const dependencies *d, uint32_t port, int class)
{
    return port * (uint32_t)d->f->escapes + (uint32_t)(d->merged ? 0 : class);
}

/* A packet at `port` that was last in escape queue `in`, or in none. */
static void depend(const dependencies *d, uint32_t port, uint32_t from, uint32_t to, int64_t in)
{
    const swq_fabric *f = d->f;
    const int first = f->shape.kind->first(f, port, from, to);
    const uint32_t set = set_at(f, port, from, to), next = end_of(f, port, (uint32_t)first);

    if (!(next & SWQ_TO_NODE)) {
        const int class = f->shape.kind->escape(f, next, from, to);
        cr_assert(class >= 0 && class < f->escapes);
        const uint32_t queue = queue_at(d, next, class);
        if (in >= 0)
            d->waits[(size_t)in * d->queues + queue] = true;
        depend(d, next, from, to, queue);
    }
    for (uint32_t more = set; more; more &= more - 1) {
        const uint32_t end = end_of(f, port, (uint32_t)__builtin_ctz(more));
        if (!(end & SWQ_TO_NODE))
            depend(d, end, from, to, in);
    }
}

/* Removes queues that wait for none, again and again: is any left? */
static bool has_circle(const dependencies *d)
{
    bool *gone = calloc(d->queues, 1), more = true;
    uint32_t left = d->queues;

    while (more) {
        more = false;
        for (uint32_t a = 0; a < d->queues; a++) {
            bool waits = false;
            for (uint32_t b = 0; b < d->queues && !waits && !gone[a]; b++)
                waits = d->waits[(size_t)a * d->queues + b] && !gone[b];
            if (!gone[a] && !waits)
                more = gone[a] = true, left--;
        }
    }
    free(gone);
    return left > 0;
}

static bool circle_in(const swq_fabric *f, bool merged)
{
    dependencies d = {.f = f, .merged = merged};

    d.queues = f->switches * (uint32_t)f->ports * (uint32_t)f->escapes;
    d.waits = calloc((size_t)d.queues * d.queues, 1);
    for (uint32_t from = 0; from < f->nodes; from++) {
        for (uint32_t to = 0; to < f->nodes; to++) {
            if (from != to)
                depend(&d, f->entry[from], from, to, -1);
        }
    }
    const bool circle = has_circle(&d);
    free(d.waits);
    return circle;
}

Test(adaptive, escape_queues_do_not_wait_in_circles)
{
    for (int k = 7; k < SHAPES; k++) {
        const swq_shape shape = shape_number(k);
        swq_fabric f = laid_out(&shape);
        cr_expect_eq(f.escapes, shape.kind->rings ? 2 : 1);
        cr_expect_not(circle_in(&f, false), "shape %d", k);
        /* One queue per port would not suffice in rings in which a packet from anywhere passes two
         * links: those of three and more nodes if one-way; otherwise of five, since in a ring of
         * four, packets that go halfway go up from even nodes and down from odd ones. */
        bool needed = false;
        for (int d = 0; d < shape.dims && shape.kind->rings; d++)
            needed |= shape.extent[d] >= (shape.one_way ? 3 : 5);
        cr_expect_eq(circle_in(&f, true), needed, "shape %d", k);
        swq_fabric_clear(ctx, &f);
    }
}

/* ---- loads ---- */

/* Each up link is taken equally often, all links of a tree's level carry the same load, slimmed or
 * not, and the hops are those without a choice. */
Test(adaptive, hops_and_loads_of_uniform_traffic)
{
    for (int k = 0; k < SHAPES; k++) {
        swq_shape shape = shape_number(k), same = shape;
        swq_fabric_loads loads, plain_loads;
        same.routing = NULL;
        swq_fabric f = laid_out(&shape), plain = laid_out(&same);
        cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_OK);
        cr_assert_eq(swq_fabric_enumerate(ctx, &plain, NULL, &plain_loads), SWQ_OK);
        cr_expect_float_eq(loads.mean_hops, plain_loads.mean_hops, 1e-12, "shape %d", k);
        cr_expect_float_eq(loads.mean_entered, plain_loads.mean_entered, 1e-12, "shape %d", k);
        for (int l = 0; l < f.levels; l++) {
            cr_expect_float_eq(loads.level_load[l], plain_loads.level_load[l], 1e-12,
                               "shape %d, level %d", k, l);
            if (shape.levels)
                cr_expect_float_eq(loads.level_most[l], loads.level_load[l], 1e-12,
                                   "shape %d, level %d: up to %g", k, l, loads.level_most[l]);
        }
        swq_fabric_clear(ctx, &f);
        swq_fabric_clear(ctx, &plain);
    }
}

/* ---- what is refused ---- */

Test(adaptive, none)
{
    static const int four[4] = {2, 2, 2, 2};
    swq_shape shapes[] = {shape_in_stages("omega", 2, 3),
                          {.kind = &swq_fabric_hypercube, .dims = 3},
                          even_tree(2, 2),
                          grid(&swq_fabric_torus, 4, four, false),
                          grid(&swq_fabric_mesh, 3, four, false)};
    static const char *const says[] = {
        "megafly and graph, not omega", "megafly and graph, not hypercube",
        "routing unguarded is for", "at most 3 dimensions", "not for chained"};
    swq_fabric f;

    shapes[0].routing = shapes[1].routing = &swq_routing_adaptive;
    shapes[2].routing = &swq_routing_unguarded;
    shapes[4].chained = true;
    for (size_t k = 0; k < sizeof says / sizeof *says; k++) {
        cr_expect_eq(swq_fabric_count(ctx, &shapes[k], &f), SWQ_EINVAL, "case %zu", k);
        cr_expect(strstr(swq_context_message(ctx), says[k]), "case %zu: %s", k,
                  swq_context_message(ctx));
    }

    uint32_t nodes;
    swq_async n = async_network(even_tree(2, 2), "damq", 128);
    const swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(32));
    n.traffic.group = &group;
    n.traffic.groups = 1;
    n.arbiter.choice = swq_selections[1];
    cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_OK);
    n.arbiter.row = &swq_arbiter_random;
    cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "choice is for arbiter rotating"));
    n.arbiter.row = &swq_arbiter_rotating;
    n.shape.routing = NULL;
    cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "choice is for routing adaptive"));
    n = async_network(shape_of_grid("torus", 2, 4), "damq", 64);
    n.shape.routing = &swq_routing_adaptive;
    cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "bytes must be at least 96"), "%s",
              swq_context_message(ctx));
}

/* ---- networks ---- */

/* If every set has one output, adaptive routing is deterministic routing, to the bit. */
Test(adaptive, without_a_choice_it_is_deterministic)
{
    static const int arity[3] = {3, 2, 4}, row[1] = {9};
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc"};

    for (int k = 0; k < 40; k++) {
        const bool line = k % 2;
        swq_async n =
            async_network(line ? grid(&swq_fabric_mesh, 1, row, false) : tree(3, arity, 1),
                          buffers[k / 2 % 5], 256);
        if (line)
            n.shape.routing = &swq_routing_unguarded;
        n.link.rest = k % 3;
        n.memory.release = (swq_release)(k % 4);
        if (k >= 20) {
            n.architecture.row = &swq_cioq;
            n.architecture.output.blocks = 8;
            n.architecture.output.speedup_bytes = 1 + k % 3;
        }
        n.arbiter.choice = k % 4 ? swq_selections[k % 4] : NULL;
        const swq_sender_group group = swq_sender_group_uniform(
            &n, SWQ_SOURCE_HOLD, 0.3 + 0.1 * (k % 7), (swq_spread){SWQ_UNIFORM, 1, 32});
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_sim_options options = run_of((uint64_t)k, 1, 500, 5000);
        swq_async_result choice = run_async(&n, &options, NULL), plain;
        n.shape.routing = NULL;
        n.arbiter.choice = NULL;
        plain = run_async(&n, &options, NULL);
        cr_expect_eq(choice.sim.all.out_of_order, 0);
        choice.sim.all.out_of_order_fraction = plain.sim.all.out_of_order_fraction;
        cr_assert_eq(memcmp(&choice.sim.all, &plain.sim.all, sizeof plain.sim.all), 0, "case %d",
                     k);
        cr_assert_eq(memcmp(&choice.sim.stage, &plain.sim.stage, sizeof plain.sim.stage), 0,
                     "case %d", k);
    }
}

static double carried(const char *buffer, const swq_selection *choice, bool cioq)
{
    swq_async n = async_network(even_tree(4, 3), buffer, 4096);
    n.arbiter.choice = choice;
    n.packet.max = 64;
    n.link.rest = 0;
    n.memory.buffer.capacity = n.memory.buffer.queue_max = 512; /* 64 packets of 64 bytes */
    if (cioq) {
        n.architecture.row = &swq_cioq;
        n.architecture.output.blocks = 512;
        n.architecture.output.speedup_bytes = 2;
    }
    const swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(64));
    n.traffic.group = &group;
    n.traffic.groups = 1;
    const swq_sim_options options = run_of(1, 2, 20000, 30000);
    return run_async(&n, &options, NULL).sim.all.throughput.mean;
}

/* The 64-node tree of 8-port switches under uniform traffic. Going up deterministically, by the
 * destination, carries 0.67 (tests/sim/test_architectures.c). */
Test(adaptive, trees_carry)
{
    for (int k = 0; swq_selections[k]; k++) {
        if (swq_selections[k]->by_turn) /* which requires lanes */
            continue;
        const double fifo = carried("fifo", swq_selections[k], false);
        const double cioq = carried("fifo", swq_selections[k], true);
        cr_log_info("%s: FIFO %.3f, CIOQ %.3f", swq_selections[k]->name, fifo, cioq);
        cr_expect(fifo > 0.60 && fifo < 0.75, "%s: %g", swq_selections[k]->name, fifo);
        cr_expect_geq(cioq, 0.90, "%s: %g", swq_selections[k]->name, cioq);
    }
}

/* ---- laws, deadlocks ---- */

/* The packets that are out of order by a log of transmissions, if those of each sender have
 * different birth cycles. */
static uint64_t overtaken(const swq_fabric *f, const start_log *log, bool stores)
{
    uint32_t *latest = calloc((size_t)f->nodes * f->nodes, sizeof *latest);
    uint64_t count = 0;

    for (size_t k = 0; k < log->count; k++) {
        const swq_start *s = &log->at[k];
        if (s->switch_ == SWQ_NO_WHERE || s->output_store != stores ||
            !(f->link[s->switch_ * (uint32_t)f->ports + s->output] & SWQ_TO_NODE))
            continue;
        uint32_t *last = &latest[s->from * f->nodes + s->to];
        if (s->birth < *last)
            count++;
        else
            *last = s->birth;
    }
    free(latest);
    return count;
}

/* Every step is one that the packet may take. */
static void expect_ways(const swq_fabric *f, const start_log *log)
{
    for (size_t k = 0; k < log->count; k++) {
        const swq_start *s = &log->at[k];
        if (s->switch_ == SWQ_NO_WHERE || s->output_store)
            continue;
        const uint32_t port = s->switch_ * (uint32_t)f->ports + s->input;
        cr_assert(set_at(f, port, s->from, s->to) >> s->output & 1);
        if (s->packet_class < f->escapes)
            cr_assert_eq(s->packet_class, f->shape.kind->escape(f, port, s->from, s->to));
        else
            cr_assert_eq(s->packet_class, f->shape.kind->route(f, port, s->from, s->to));
    }
}

static swq_async random_network(int k, bool *may)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc"};
    const swq_shape shape = shape_number((int)draw(SHAPES));
    const char *buffer = buffers[k % 5];
    const bool split = buffer[0] == 's';
    swq_async n = async_network(shape, buffer, split ? 1024 : 64 + 32 * (int)draw(6));

    if (!shape.levels && !split && n.memory.buffer.capacity < 12)
        n.memory.buffer.capacity = n.memory.buffer.queue_max = 12;
    n.link.hop_delay = 1 + (int)draw(8);
    n.link.rest = (int)draw(4);
    n.memory.release = (swq_release)draw(4);
    if (draw(4) == 0)
        n.arbiter.row = draw(2) ? &swq_arbiter_random : &swq_arbiter_islip;
    else
        n.arbiter.choice = swq_selections[draw(4)];
    if (draw(3) == 0) {
        n.architecture.row = &swq_cioq;
        n.architecture.output.blocks = 4 + (int)draw(12);
        n.architecture.output.speedup_bytes = 1 + (int)draw(2);
        n.architecture.output.store_and_forward = draw(2);
    }
    if (draw(5) == 0 && n.memory.buffer.capacity > 12) {
        n.flow.row = &swq_flow_maximum_usage;
        n.flow.threshold = 4 + (int)draw(8);
    }
    *may = n.architecture.row->async.output_stores && !shape.levels;
    return n;
}

Test(adaptive, random_cases_keep_the_laws)
{
    int stuck = 0, escaped = 0;

    state_of_draws = 17;
    for (int k = 0; k < 150; k++) {
        bool may;
        swq_async n = random_network(k, &may);
        const swq_sender_group group =
            swq_sender_group_uniform(&n, draw(2) ? SWQ_SOURCE_HOLD : SWQ_SOURCE_OPEN,
                                     0.3 + 0.1 * draw(8), (swq_spread){SWQ_UNIFORM, 1, 32});
        n.traffic.group = &group;
        n.traffic.groups = 1;
        cr_assert_eq(swq_async_may_deadlock(&n), may, "case %d", k);
        swq_fabric f = laid_out(&n.shape);
        start_log log = {0};
        swq_async_watch watch = {.started = log_start, .arg = &log};
        const swq_sim_options options = run_of((uint64_t)k, 1, 0, 3000);
        const swq_async_result r = run_async(&n, &options, &watch); /* asserts those */
        cr_assert(may || r.sim.stopped_by != SWQ_STOP_DEADLOCK, "case %d", k);
        expect_ways(&f, &log);
        cr_expect_eq(r.sim.all.out_of_order,
                     overtaken(&f, &log, n.architecture.row->async.output_stores), "case %d", k);
        for (size_t s = 0; s < log.count; s++)
            escaped += log.at[s].packet_class < f.escapes;
        stuck += r.sim.stopped_by == SWQ_STOP_DEADLOCK;
        free(log.at);
        swq_fabric_clear(ctx, &f);
    }
    cr_expect_gt(escaped, 1000);
    cr_expect_lt(stuck, 30);
}

/* At saturation, with the least possible memory: escape queues keep it from deadlock; without them,
 * though that memory is larger, deadlock comes at once. */
Test(adaptive, escape_queues_prevent_deadlock)
{
    static const int extent[3] = {5, 6, 2};
    static const char *const buffers[] = {"fifo", "damq", "dafc"};
    int stuck = 0;

    for (int k = 0; k < 24; k++) {
        const bool torus = k % 2, one_way = k % 4 == 3;
        const swq_shape shape =
            grid(torus ? &swq_fabric_torus : &swq_fabric_mesh, 2 + (k % 3 == 0), extent, one_way);
        swq_async n = async_network(shape, buffers[k / 2 % 3], torus ? 96 : 64);
        const swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, constantly(32));
        n.traffic.group = &group;
        n.traffic.groups = 1;
        const swq_sim_options options = run_of((uint64_t)k, 1, 0, 20000);
        const swq_async_result r = run_async(&n, &options, NULL);
        cr_expect_neq(r.sim.stopped_by, SWQ_STOP_DEADLOCK, "case %d", k);
        cr_expect_gt(r.sim.all.throughput.mean, 0.05, "case %d", k);
        n.shape.routing = &swq_routing_unguarded;
        cr_assert(swq_async_may_deadlock(&n));
        const swq_async_result without = run_async(&n, &options, NULL);
        stuck += without.sim.stopped_by == SWQ_STOP_DEADLOCK;
        if (without.sim.stopped_by == SWQ_STOP_DEADLOCK)
            cr_expect_gt(without.waiting_count, 1);
    }
    cr_expect_geq(stuck, 20, "%d of 24", stuck);
}
