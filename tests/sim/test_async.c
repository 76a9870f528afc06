/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold of every asynchronous run, whatever is simulated: every transmission is allowed by
 * the rules and none that could begin is left (inspector.h); nothing is lost or made; numbers
 * depend on the spec and the seed alone; bad specs are named and failures leave nothing behind.
 */
#include "switchq/detail.h"
#include "tests/sim/inspector.h"

TestSuite(async, .timeout = 480);

/* ---- random specs ---- */

static uint64_t state_of_draws;

/* 0 .. n-1, by splitmix64. */
static int draw(int n)
{
    uint64_t z = state_of_draws += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (int)((z ^ z >> 31) >> 33) % n;
}

enum { LINES = 400, GROUPS = 3 };

typedef struct {
    swq_async network;
    swq_sim_options options;
    swq_sender_group group[GROUPS];
    swq_async_message trace[LINES];
    char what[400];
} async_sample;

static swq_shape draw_shape(void)
{
    static const char *const wirings[] = {"omega", "butterfly", "baseline", "flip", "cube"};
    static const char *const grids[] = {"torus", "mesh"};
    int kind = draw(8);

    if (kind == 0)
        return shape_in_stages("switch", 2 + draw(6), 1);
    if (kind <= 2)
        return draw(2) ? shape_in_stages(wirings[draw(5)], 2, 2 + draw(3))
                       : shape_in_stages(wirings[draw(5)], 3 + draw(2), 2);
    if (kind == 3)
        return shape_of_grid("hypercube", 1 + draw(5), 2);
    swq_shape shape = shape_of_grid(grids[kind == 4], 1 + draw(3), 2);
    for (int d = 0; d < shape.dims; d++)
        shape.extent[d] = 2 + draw(shape.dims == 3 ? 2 : 5);
    shape.chained = draw(4) == 0;
    shape.one_way = kind != 4 && !shape.chained && draw(4) == 0;
    return shape;
}

/* From least to least + range; geometric ones have their least at 0 or 1. */
static swq_spread draw_spread(int least, int range)
{
    switch (draw(3)) {
    case 0:
        return constantly(least + draw(range));
    case 1:
        return (swq_spread){SWQ_UNIFORM, least, least + draw(range)};
    }
    return (swq_spread){SWQ_GEOMETRIC, least + draw(range), least};
}

static void draw_type(swq_message_type *t, const swq_places *places, int max_packet)
{
    const uint32_t nodes = places->nodes;

    t->aim = (swq_aim)draw(3);
    t->length = draw_spread(1, max_packet * 5 / 2);
    do
        t->pattern = swq_patterns[draw(9)];
    while (t->pattern == &swq_pattern_matrix || swq_pattern_objection(t->pattern, places));
    if (draw(2))
        t->pattern = &swq_pattern_uniform;
    t->mask = (uint32_t)draw(4);
    t->value = (uint32_t)draw((int)nodes);
    if (t->aim == SWQ_AIM_SUBSET)
        t->value &= t->mask;
}

static void draw_groups(async_sample *s, uint32_t nodes)
{
    const swq_fabric fabric = {.shape = s->network.shape, .nodes = nodes};
    const swq_places places = swq_fabric_places(&fabric);
    swq_async *n = &s->network;

    n->traffic.group = s->group;
    n->traffic.groups = 1 + draw(GROUPS);
    for (int g = 0; g < n->traffic.groups; g++) {
        swq_sender_group *group = &s->group[g];
        group->mask = g + 1 < n->traffic.groups ? (uint32_t)draw(8) : 0;
        group->value = (uint32_t)draw(8) & group->mask;
        group->kind = draw(2) ? SWQ_SOURCE_HOLD : SWQ_SOURCE_OPEN;
        group->from_start = draw(2);
        group->silent = draw(8) == 0;
        group->interval =
            draw_spread(group->kind == SWQ_SOURCE_OPEN, draw(3) ? 3 * n->packet.max : 2);
        group->types = 1 + draw(3);
        for (int t = 0; t < group->types; t++) {
            draw_type(&group->type[t], &places, n->packet.max);
            group->type[t].probability = group->types == 1   ? 1
                                         : group->types == 2 ? t ? 0.75 : 0.25
                                         : t                 ? 0.375
                                                             : 0.25;
        }
    }
}

static void draw_trace(async_sample *s, uint32_t nodes)
{
    uint64_t cycle = 0;

    s->network.traffic.trace = s->trace;
    s->network.traffic.trace_messages = LINES;
    if (draw(2))
        s->network.traffic.groups = 0;
    for (int k = 0; k < LINES; k++) {
        cycle += (uint64_t)(draw(3) == 0);
        uint32_t from = (uint32_t)draw((int)nodes);
        uint32_t to = (from + 1 + (uint32_t)draw((int)nodes - 1)) % nodes;
        s->trace[k] =
            (swq_async_message){cycle, from, to, (uint32_t)(1 + draw(2 * s->network.packet.max))};
    }
}

/* Sometimes something that no row of the table has. */
static void draw_limits(swq_buffer *b)
{
    if (draw(3) == 0 && b->capacity > 0)
        b->queue_min = draw(1 + b->capacity / 4);
    if (draw(3) == 0 && b->capacity > 0)
        b->queue_max = 1 + draw(b->capacity);
    if (draw(3) == 0)
        b->alpha = (1 + draw(12)) / 4.0;
}

/* Drawn again until the choices are consistent. */
static void draw_sample(swq_context *ctx, async_sample *s)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc"};

    const char *buffer = NULL;
    for (int tries = 0;; tries++) {
        static const int blocks[] = {1, 3, 8, 16};
        swq_async *n = &s->network;
        uint32_t nodes;
        memset(s, 0, sizeof *s);
        buffer = buffers[draw(5)];
        *n = async_network(draw_shape(), buffer, 1);
        nodes = nodes_of(n);
        n->packet.block = blocks[draw(4)];
        n->packet.max = 1 + draw(draw(6) ? 40 : 200);
        int packet = (n->packet.max + n->packet.block - 1) / n->packet.block;
        int queues = buffer[0] == 's' ? 2 + draw(8) : 1;
        give_buffer(n, buffer,
                    packet * n->packet.block * queues * (1 + draw(3)) + draw(5 * n->packet.block));
        draw_limits(&n->memory.buffer);
        n->memory.release = (swq_release)draw(4);
        n->arbiter.row = draw(2) ? n->arbiter.row : swq_arbiters[draw(10)];
        n->arbiter.iterations = draw(3);
        n->flow.row = draw(2) ? &swq_flow_blocking : &swq_flow_maximum_usage;
        n->flow.threshold = draw(packet * 3);
        n->link.hop_delay = 1 + draw(draw(4) ? 8 : draw(2) ? 60 : 300);
        n->link.rest = draw(4);
        draw_groups(s, nodes);
        if (draw(5) == 0)
            draw_trace(s, nodes);
        if (swq_async_check(ctx, n, &nodes) == SWQ_OK)
            break;
        cr_assert(tries < 1000, "%s", swq_context_message(ctx));
    }
    s->options = run_of((uint64_t)draw(1 << 20), 1, (uint64_t)draw(200), 500);
    const swq_async *n = &s->network;
    int used = snprintf(
        s->what, sizeof s->what,
        "%s, %d ports, %d stages, %d dims %d %d %d%s%s; %s of %d in blocks of %d, "
        "packets of %d, release %d, %s x %d, %s %d, hop %d, rest %d; %d groups%s;",
        n->shape.kind->name, n->shape.ports, n->shape.stages, n->shape.dims, n->shape.extent[0],
        n->shape.extent[1], n->shape.extent[2], n->shape.chained ? " chained" : "",
        n->shape.one_way ? " one way" : "", buffer, n->memory.buffer.capacity * n->packet.block,
        n->packet.block, n->packet.max, n->memory.release, n->arbiter.row->name,
        n->arbiter.iterations, n->flow.row->name, n->flow.threshold, n->link.hop_delay,
        n->link.rest, n->traffic.groups, n->traffic.trace ? ", trace" : "");
    for (int g = 0; g < n->traffic.groups && used < (int)sizeof s->what; g++)
        used += snprintf(s->what + used, sizeof s->what - (size_t)used, " %s%s%s interval %d %g %g",
                         s->group[g].silent ? "silent " : "",
                         s->group[g].kind == SWQ_SOURCE_OPEN ? "open" : "hold",
                         s->group[g].from_start ? " from start" : "", s->group[g].interval.kind,
                         s->group[g].interval.first, s->group[g].interval.second);
}

/* All fields but times, bytes and pointers. */
static bool same(const swq_async_result *a, const swq_async_result *b)
{
    swq_async_result x = *a, y = *b;

    x.sim.cpu_seconds = x.sim.wall_seconds = y.sim.cpu_seconds = y.sim.wall_seconds = 0;
    x.sim.bytes = y.sim.bytes = 0;
    x.sim.engine = y.sim.engine = NULL;
    return memcmp(&x, &y, sizeof x) == 0;
}

/* The parts add up to the whole, and values stay within their bounds. */
static void check_figures(const async_sample *s, const swq_async_result *r)
{
    const swq_async *n = &s->network;
    uint64_t created = 0, delivered = 0;
    double bytes = 0;

    for (int g = 0; g < r->sim.groups && n->traffic.groups > 1; g++) {
        created += r->sim.by_group[g].created;
        delivered += r->sim.by_group[g].delivered;
        bytes += r->sim.by_group[g].bytes;
    }
    if (n->traffic.groups > 1) {
        cr_assert_eq(created, r->sim.all.created, "%s", s->what);
        cr_assert_eq(delivered, r->sim.all.delivered, "%s", s->what);
        cr_assert_eq(bytes, r->sim.all.bytes, "%s", s->what);
    }
    cr_assert_eq(r->sim.all.discarded, 0);
    if (r->sim.all.delivered == 0)
        return;
    cr_assert(r->sim.all.latency.mean >= n->link.hop_delay &&
                  r->sim.all.percentile[0] >= n->link.hop_delay,
              "%s", s->what);
    cr_assert(r->sim.all.latency.mean <= r->sim.all.max, "%s", s->what);
    for (int p = 0; p + 1 < SWQ_PERCENTILES; p++)
        cr_assert(r->sim.all.percentile[p] <= r->sim.all.percentile[p + 1], "%s", s->what);
    /* a link may have begun one packet more than it has finished */
    double most = (n->packet.max + 0.0) / (n->packet.max + n->link.rest);
    double edge = n->packet.max / (double)r->sim.cycles;
    for (int k = 0; k < r->sim.stages; k++)
        cr_assert(r->sim.stage[k].sent.mean <= most + edge, "%s: %g", s->what,
                  r->sim.stage[k].sent.mean);
}

Test(async, random_specs)
{
    enum { SPECS = 500 };
    swq_context *ctx = swq_context_new();
    async_sample *s = calloc(1, sizeof *s);
    int moved = 0, full = 0;

    state_of_draws = 1995;
    for (int k = 0; k < SPECS; k++) {
        draw_sample(ctx, s);
        inspector *i = inspector_new(&s->network, (uint32_t)s->options.warmup, s->what);
        swq_async_watch watch = {.started = inspector_started, .arg = i};
        swq_async_result r, again;
        cr_assert_eq(swq_async_run(ctx, &s->network, &s->options, &watch, &r), SWQ_OK, "%s: %s",
                     s->what, swq_context_message(ctx));
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        cr_assert(r.sim.conserved, "%s: packets or bytes are lost or made", s->what);
        cr_assert_eq(r.sim.total_created, r.sim.total_delivered + r.sim.total_in_flight, "%s",
                     s->what);
        cr_assert_eq(r.bytes_created, r.bytes_delivered + r.bytes_in_flight, "%s", s->what);
        cr_assert(r.sim.little_exact, "%s: packet-cycles do not add up", s->what);
        inspector_finish(i, (uint32_t)(r.sim.warmup + r.sim.cycles), &r);
        inspector_free(i);
        check_figures(s, &r);
        moved += r.sim.total_delivered > 200;
        full += r.sim.source_queue.mean > 1;
        if (k % 5)
            continue;
        /* the same unwatched, and on threads */
        s->options.replications = 3;
        s->options.per_node = true;
        cr_assert_eq(swq_async_run(ctx, &s->network, &s->options, NULL, &r), SWQ_OK);
        s->options.threads = 2;
        cr_assert_eq(swq_async_run(ctx, &s->network, &s->options, NULL, &again), SWQ_OK);
        cr_assert(same(&r, &again), "%s: threads change numbers", s->what);
    }
    cr_assert(moved > SPECS / 4 && full > SPECS / 10, "%d specs with traffic, %d with queues",
              moved, full);
    free(s);
    swq_context_free(ctx);
}

/* ---- the seed and nothing else ---- */

static swq_async a_torus(swq_sender_group *group)
{
    swq_async n = async_network(shape_of_grid("torus", 2, 4), "damq", 160);

    n.flow.row = &swq_flow_maximum_usage;
    n.flow.threshold = 8;
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.4, (swq_spread){SWQ_UNIFORM, 4, 60});
    n.traffic.group = group;
    n.traffic.groups = 1;
    return n;
}

Test(async, threads_change_nothing)
{
    swq_sender_group group;
    swq_async n = a_torus(&group);

    for (int precise = 0; precise < 2; precise++) {
        swq_sim_options options = run_of(7, 5, SWQ_WARMUP_AUTO, precise ? 30000 : 2000);
        options.precision = precise ? 0.02 : 0;
        swq_async_result one = run_async(&n, &options, NULL);
        for (options.threads = 2; options.threads <= 8; options.threads += 3) {
            swq_async_result more = run_async(&n, &options, NULL);
            cr_assert(same(&one, &more), "%d threads", options.threads);
        }
        options.seed = 8;
        swq_async_result other = run_async(&n, &options, NULL);
        cr_assert(other.sim.all.created != one.sim.all.created, "another seed, the same packets");
    }
}

/* k replications are the first k - 1 and another one: counts add up, and no two are the same. */
Test(async, replications_are_pooled)
{
    enum { MOST = 5 };
    swq_sender_group group;
    swq_async n = a_torus(&group);
    swq_async_result r[MOST + 1];
    uint64_t delivered[MOST + 1] = {0}, hops[MOST + 1] = {0};

    for (int k = 1; k <= MOST; k++) {
        swq_sim_options options = run_of(11, k, 300, 2000);
        r[k] = run_async(&n, &options, NULL);
        delivered[k] = r[k].sim.all.delivered;
        hops[k] = r[k].sim.packet_hops;
        assert_relative(r[k].sim.all.throughput.mean * 2000 * 16 * k, r[k].sim.all.bytes, 1e-9,
                        "%d", k);
        cr_assert_eq(r[k].sim.replications, k);
        if (k == 1)
            continue;
        cr_assert(delivered[k] > delivered[k - 1] && hops[k] > hops[k - 1]);
        cr_assert(r[k].bytes_created > r[k - 1].bytes_created);
        cr_assert(r[k].sim.all.max >= r[k - 1].sim.all.max);
        for (int j = 1; j < k; j++)
            cr_assert(delivered[k] - delivered[k - 1] != delivered[j] - delivered[j - 1] ||
                          hops[k] - hops[k - 1] != hops[j] - hops[j - 1],
                      "replication %d is %d", k, j);
    }
}

/* ---- deadlock ---- */

/* Every member of the cycle waits for the next one, over an existing link, and for ever. */
static void check_cycle(inspector *i, const swq_async *n, const swq_async_result *r,
                        const char *what)
{
    swq_context *ctx = swq_context_new();
    swq_fabric f;

    cr_assert_eq(swq_fabric_make(ctx, &n->shape, &f), SWQ_OK);
    cr_assert_eq(r->sim.stopped_by, SWQ_STOP_DEADLOCK, "%s: no deadlock, but %d", what,
                 r->sim.stopped_by);
    cr_assert(r->waiting_count >= 2 && r->waiting_count <= SWQ_MAX_WAITING, "%s: %d", what,
              r->waiting_count);
    cr_assert(inspector_drain(i) >= (uint64_t)r->waiting_count, "%s: a false alarm", what);
    for (int k = 0; k < r->waiting_count; k++) {
        const swq_waiting *w = &r->waiting[k], *next = &r->waiting[(k + 1) % r->waiting_count];
        uint32_t sw = w->port / (uint32_t)f.ports;
        uint32_t out = f.output[(size_t)w->port * (size_t)f.classes + (size_t)w->packet_class];
        cr_assert_eq(w->next_port, next->port, "%s: member %d waits for port %u, not %u", what, k,
                     w->next_port, next->port);
        cr_assert_eq(f.link[sw * (uint32_t)f.ports + out], w->next_port, "%s: no such link", what);
        cr_assert(f.output[(size_t)w->next_port * (size_t)f.classes + (size_t)w->next_class] !=
                  255);
        cr_assert(inspector_holds(i, w->port, w->packet_class), "%s: member %d can move", what, k);
        for (int j = 0; j < k; j++)
            cr_assert(r->waiting[j].port != w->port ||
                      r->waiting[j].packet_class != w->packet_class);
    }
    swq_fabric_clear(ctx, &f);
    swq_context_free(ctx);
}

static swq_async_result run_saturated(swq_async n, swq_spread length, uint64_t cycles,
                                      inspector **seen, const char *what)
{
    swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, length);
    swq_async_watch watch = {.started = inspector_started};
    swq_sim_options options = run_of(1, 1, 0, cycles);
    swq_async_result r;

    n.traffic.group = &group;
    n.traffic.groups = 1;
    if (!seen)
        return run_async(&n, &options, NULL);
    watch.arg = *seen = inspector_new(&n, 0, what);
    r = run_async(&n, &options, &watch);
    inspector_finish(*seen, (uint32_t)r.sim.cycles, &r);
    return r;
}

Test(async, rings_without_limits_deadlock)
{
    static const char *const buffers[] = {"fifo", "damq", "dafc"};
    char what[100];

    for (int k = 0; k < 18; k++) {
        const int dims = 1 + k / 3 % 2;
        swq_async n = async_network(shape_of_grid("torus", dims,
                                                  dims == 1    ? 5 + k / 3
                                                  : k / 6 == 1 ? 6
                                                               : 4),
                                    buffers[k % 3], 32 * (1 + k / 9));
        inspector *seen;
        n.shape.one_way = k / 6 != 1;
        if (k % 6 == 0) { /* a limit that closes a queue before the buffer is full */
            n.flow.row = &swq_flow_maximum_usage;
            n.flow.threshold = 3;
            give_buffer(&n, buffers[k % 3], 128 * (1 + k / 9));
        }
        snprintf(what, sizeof what, "case %d: %d dimensions, one way %d, %s", k, dims,
                 n.shape.one_way, buffers[k % 3]);
        swq_async_result r = run_saturated(
            n, k % 2 ? constantly(32) : (swq_spread){SWQ_UNIFORM, 1, 32}, 200000, &seen, what);
        check_cycle(seen, &n, &r, what);
        inspector_free(seen);
    }
}

/* Rings do not deadlock if a queue, grown as long as it may, leaves room for a packet. */
Test(async, limits_keep_rings_going)
{
    static const char *const buffers[] = {"fifo", "damq", "dafc", "samq", "safc"};
    char what[100];

    for (int k = 0; k < 20; k++) {
        const int dims = 1 + k / 5 % 2, classes = 2 * dims + 1;
        swq_shape shape = shape_of_grid("torus", dims, dims == 1 ? 4 + k : 3 + k / 5 % 3);
        swq_async n;
        shape.one_way = k / 10;
        if (k % 5 == 0)
            continue; /* a FIFO is one queue */
        n = async_network(shape, buffers[k % 5], k % 5 >= 3 ? 32 * classes : 64 + 32 * (k / 10));
        if (k % 5 < 3) {
            n.flow.row = &swq_flow_maximum_usage;
            n.flow.threshold =
                n.memory.buffer.capacity - 8; /* with a packet of 4 more it leaves 4 */
        }
        snprintf(what, sizeof what, "case %d: %d dimensions of %d, %s", k, dims, shape.extent[0],
                 buffers[k % 5]);
        swq_async_result r = run_saturated(n, (swq_spread){SWQ_UNIFORM, 1, 32}, 60000, NULL, what);
        cr_assert_eq(r.sim.stopped_by, SWQ_STOP_CYCLES, "%s: deadlock", what);
        cr_assert(r.sim.all.throughput.mean > 0.02, "%s: %g", what, r.sim.all.throughput.mean);
    }
}

/* Nor do networks without rings deadlock, whatever the buffer. */
Test(async, no_ring_no_deadlock)
{
    static const char *const buffers[] = {"fifo", "damq", "dafc"};
    const swq_shape shapes[] = {shape_of_grid("mesh", 2, 4), shape_of_grid("mesh", 1, 7),
                                shape_of_grid("hypercube", 4, 2), shape_in_stages("omega", 2, 4)};

    for (int k = 0; k < 12; k++) {
        swq_async n = async_network(shapes[k / 3], buffers[k % 3], 32);
        swq_async_result r =
            run_saturated(n, (swq_spread){SWQ_UNIFORM, 1, 32}, 60000, NULL, "without rings");
        cr_assert_eq(r.sim.stopped_by, SWQ_STOP_CYCLES, "case %d", k);
        cr_assert(r.sim.all.throughput.mean > 0.05, "%g", r.sim.all.throughput.mean);
    }
}

/* ---- bad input ---- */

#define REFUSED(change, part)                                                                      \
    do {                                                                                           \
        swq_sender_group group;                                                                    \
        swq_async n = a_torus(&group);                                                             \
        swq_async_message line = {5, 1, 2, 8}, two[2] = {line, line};                              \
        uint32_t nodes = 12345;                                                                    \
        (void)two;                                                                                 \
        change;                                                                                    \
        cr_assert_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL, "%s", #change);                 \
        cr_assert_not_null(strstr(swq_context_message(ctx), part), "'%s' does not say '%s'",       \
                           swq_context_message(ctx), part);                                        \
        cr_assert_eq(nodes, 12345);                                                                \
        memset(&r, 0x55, sizeof r);                                                                \
        before = r;                                                                                \
        cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_EINVAL);                      \
        cr_assert(memcmp(&r, &before, sizeof r) == 0);                                             \
        cr_assert_eq(swq_context_live_blocks(ctx), 0);                                             \
    } while (0)

/* Buffers of another size in the last stage: every transmission is allowed, and none that could
 * begin is left. */
Test(async, larger_buffers_in_the_last_stage)
{
    static const struct {
        const char *buffer;
        int bytes, last;
    } cases[] = {{"damq", 64, 256}, {"fifo", 64, 200}, {"damq", 128, 40}, {"fifo", 40, 40}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_async n =
            async_network(shape_in_stages("omega", 4, 2), cases[k].buffer, cases[k].bytes);
        char what[80];
        n.memory.last_blocks = cases[k].last / n.packet.block;
        snprintf(what, sizeof what, "%s of %d bytes, %d in the last stage", cases[k].buffer,
                 cases[k].bytes, cases[k].last);
        swq_sender_group group[2] = {
            {.mask = 1, .kind = SWQ_SOURCE_HOLD, .types = 1},
            {.mask = 1, .value = 1, .kind = SWQ_SOURCE_HOLD, .types = 1},
        };
        group[0].type[0] = (swq_message_type){
            .probability = 1, .aim = SWQ_AIM_NODE, .length = {SWQ_UNIFORM, 1, 32}};
        group[1].type[0] = (swq_message_type){
            .probability = 1, .aim = SWQ_AIM_SUBSET, .length = {SWQ_UNIFORM, 1, 32}};
        swq_sender_group_load(&n, &group[0], 1);
        swq_sender_group_load(&n, &group[1], 0.8);
        n.traffic.group = group;
        n.traffic.groups = 2;
        (void)run_inspected(&n, 4000, what);
    }
}

Test(async, bad_specs_are_named)
{
    swq_context *ctx = swq_context_new();
    swq_sim_options options = run_of(1, 1, 0, 10);
    swq_async_result r, before;
    const swq_pattern *shuffle;

    cr_assert_eq(swq_pattern_find(ctx, "shuffle", &shuffle), SWQ_OK);
    REFUSED(n.shape.kind = NULL, "topology must be given");
    REFUSED(n.shape.extent[1] = 1, "extent 2 must be 2 to 65535, not 1");
    REFUSED(n.memory.buffer = (swq_buffer){0}, "bytes must be at least a block of 8");
    REFUSED(give_buffer(&n, "cbda", 256), "scope must be input");
    REFUSED(n.memory.buffer.capacity = -8, "bytes");
    REFUSED(n.memory.buffer.capacity = SWQ_MAX_BUFFER_BLOCKS + 1,
            "capacity must be 1 to 4096 blocks");
    REFUSED(give_buffer(&n, "fifo", 31),
            "bytes must be at least 32, 4 blocks, so that its queue takes a packet of 32 bytes");
    REFUSED(give_buffer(&n, "samq", 159), "bytes must be at least 160, 20 blocks, so that each of "
                                          "5 queues takes a packet of 32 bytes in "
                                          "blocks of 8, not 19 blocks");
    REFUSED(n.memory.buffer.queue_max = 3,
            "queue-max must be at least 4, so that a queue takes a packet");
    REFUSED(n.memory.buffer.queue_max = n.memory.buffer.capacity + 1,
            "queue-max must be 1 to 20, not 21");
    REFUSED(n.memory.buffer.queue_min = 5,
            "queue-min must be 0 to 4 (20 blocks for 5 queues), not 5");
    REFUSED((n.packet.max = 96, n.memory.buffer.queue_min = 4),
            "bytes must be at least 224, 28 blocks, so that each of 5 queues takes");
    REFUSED(n.memory.buffer.queue_min = -1, "queue-min must be 0 to 4");
    REFUSED(n.memory.buffer.alpha = -1, "alpha must be positive");
    REFUSED(n.memory.buffer.alpha = NAN, "alpha must be positive");
    REFUSED(n.memory.last_blocks = 8, "last-bytes 64 is for multistage networks alone");
    REFUSED(n.packet.block = 0, "block must be 1 to");
    REFUSED(n.packet.block = SWQ_MAX_PACKET + 1, "block must be");
    REFUSED(n.packet.max = 0, "max-packet must be 1 to");
    REFUSED(n.packet.max = SWQ_MAX_PACKET + 1, "max-packet must be");
    REFUSED(n.link.hop_delay = 0, "hop-delay must be 1 to");
    REFUSED(n.link.hop_delay = 4097, "hop-delay must be 1 to 4096, not 4097");
    REFUSED(n.link.rest = -1, "link-rest must be 0 to 4096, not -1");
    REFUSED(n.link.rest = 4097, "link-rest");
    REFUSED(n.memory.release = (swq_release)(SWQ_RELEASE_AFTER + 1), "release");
    REFUSED((n.memory.release = SWQ_RELEASE_AFTER, n.memory.release_cycles = 0),
            "release must be 1 to 4096");
    REFUSED(n.flow.row = NULL, "flow must be given");
    REFUSED(n.flow.threshold = -1, "threshold must be 0 to");
    REFUSED(n.flow.threshold = SWQ_MAX_BUFFER_BLOCKS + 1, "threshold");
    REFUSED(n.arbiter.row = NULL, "arbiter must be given");
    REFUSED(n.traffic.groups = 0, "groups must be 1 to");
    REFUSED(n.traffic.groups = SWQ_MAX_SENDER_GROUPS + 1, "groups must be");
    REFUSED(group.kind = SWQ_SOURCE_TRACE, "sources must be hold or open");
    REFUSED((group.interval = (swq_spread){SWQ_CONSTANT, 0, 0}), "interval between messages");
    REFUSED((group.interval = (swq_spread){SWQ_CONSTANT, 1.5, 0}), "whole number");
    REFUSED((group.interval = (swq_spread){SWQ_UNIFORM, 5, 4}), "from 5 to 4");
    REFUSED((group.interval = (swq_spread){SWQ_UNIFORM, 0, 4}), "from 0 to 4");
    REFUSED((group.interval = (swq_spread){SWQ_GEOMETRIC, 0.5, 1}), "interval between messages");
    REFUSED((group.interval = (swq_spread){SWQ_GEOMETRIC, 5, 0}), "interval between messages");
    REFUSED((group.interval = (swq_spread){SWQ_GEOMETRIC, NAN, 1}), "interval between messages");
    REFUSED((group.interval = (swq_spread){SWQ_CONSTANT, INFINITY, 1}), "interval");
    REFUSED((group.interval = (swq_spread){(swq_spread_kind)7, 5, 1}), "geometric or Pareto");
    REFUSED(group.types = 0, "message types must be 1 to 8, not 0");
    REFUSED(group.types = 9, "message types must be 1 to 8, not 9");
    REFUSED(group.type[0].probability = 0.9, "sum to 1, not 0.9");
    REFUSED(group.type[0].probability = -1, "probability of a message type must be 0 to 1");
    REFUSED(group.type[0].probability = NAN, "probability of a message type");
    REFUSED((group.type[0].aim = SWQ_AIM_NODE, group.type[0].value = 16),
            "destination must be 0 to 15, not 16");
    REFUSED((group.type[0].aim = SWQ_AIM_SUBSET, group.type[0].mask = 1, group.type[0].value = 2),
            "subset of destinations is empty");
    REFUSED((group.type[0].aim = SWQ_AIM_SUBSET, group.type[0].mask = 16, group.type[0].value = 16),
            "subset of destinations is empty");
    REFUSED(group.type[0].pattern = &swq_pattern_matrix, "matrix must be given");
    REFUSED(group.type[0].pattern = NULL, "pattern of a message type must be given");
    REFUSED((n.shape.extent[0] = 3, group.type[0].pattern = shuffle), "pattern shuffle");
    REFUSED((group.type[0].length = constantly(0)), "length of a message must be");
    REFUSED((group.type[0].length = constantly(SWQ_MAX_MESSAGE + 1.0)), "length of a message");
    REFUSED((group.type[0].length = (swq_spread){SWQ_GEOMETRIC, 5, 0}), "length of a message");
    REFUSED((n.traffic.trace = &line, n.traffic.trace_messages = 1, line.source = 16), "16 and 2");
    REFUSED((n.traffic.trace = &line, n.traffic.trace_messages = 1, line.destination = 16),
            "1 and 16");
    REFUSED((n.traffic.trace = &line, n.traffic.trace_messages = 1, line.destination = 1),
            "to itself");
    REFUSED((n.traffic.trace = &line, n.traffic.trace_messages = 1, line.bytes = 0),
            "bytes of trace message 0");
    REFUSED(
        (n.traffic.trace = &line, n.traffic.trace_messages = 1, line.bytes = SWQ_MAX_MESSAGE + 1),
        "bytes");
    REFUSED((n.traffic.trace = &line, n.traffic.trace_messages = 1, line.cycle = 4000000001),
            "cycle of trace");
    REFUSED((n.traffic.trace = two, n.traffic.trace_messages = 2, two[1].cycle = 4),
            "cycle of trace message 1");
    REFUSED((n.traffic.trace = &line, n.traffic.trace_messages = 1, n.traffic.groups = -1),
            "groups");
    options.cycles = 0;
    swq_sender_group group;
    swq_async n = a_torus(&group);
    cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "cycles must be"));
    static const uint8_t groups[16] = {0};
    options.cycles = 10;
    options.group = groups;
    cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "groups"));
    swq_context_free(ctx);
}

/* ---- memory and interruption ---- */

static swq_async_message four[4] = {{0, 0, 1, 8}, {1, 3, 2, 80}, {1, 3, 1, 8}, {9, 2, 3, 8}};

/* One of several specs that need different memory. */
static swq_async one_of(int which, swq_sender_group *group)
{
    swq_async n = a_torus(&group[0]);

    if (which == 0)
        return n;
    group[1] = group[0];
    group[0].mask = 1;
    group[0].type[0].aim = SWQ_AIM_SUBSET;
    group[0].type[0].mask = 1;
    group[1].type[0].pattern = &swq_pattern_random_permutation;
    n.traffic.groups = 2;
    n.arbiter.row = swq_arbiters[8]; /* with memory */
    if (which == 2) {
        n.traffic.trace = four;
        n.traffic.trace_messages = 4;
    }
    return n;
}

static swq_status new_detail(swq_context *ctx, const swq_async *n, swq_detail *detail)
{
    swq_fabric f;
    swq_status status = swq_fabric_count(ctx, &n->shape, &f);

    return status ? status
                  : swq_detail_new(ctx, f.nodes, (size_t)f.switches * (size_t)f.ports,
                                   SWQ_DETAIL_NODES | SWQ_DETAIL_LINKS, detail);
}

Test(async, every_allocation_fails)
{
    for (int which = 0; which < 3; which++) {
        for (int for_good = 0; for_good < 2; for_good++) {
            swq_status status = SWQ_ENOMEM;
            size_t after = 0;
            for (; status == SWQ_ENOMEM; after++) {
                static double blocks[3 * 16 * 5];
                swq_context *ctx = swq_context_new();
                swq_sender_group group[2];
                swq_async n = one_of(which, group);
                swq_async_watch watch = {.queue_blocks = blocks, .frame_cycles = 10, .frames = 2};
                swq_sim_options options = run_of(1, 2, 10, 64);
                swq_async_result r, before;
                swq_detail detail = {0};
                memset(&r, 0x55, sizeof r);
                before = r;
                options.per_node = true;
                options.detail = &detail;
                swq_context_fail_allocations(ctx, after, for_good);
                status = new_detail(ctx, &n, &detail);
                if (!status)
                    status = swq_async_run(ctx, &n, &options, &watch, &r);
                swq_detail_clear(ctx, &detail);
                cr_assert_eq(swq_context_live_blocks(ctx), 0, "spec %d, allocation %zu", which,
                             after);
                cr_assert(status == SWQ_ENOMEM || status == SWQ_OK, "%d", status);
                if (status)
                    cr_assert(memcmp(&r, &before, sizeof r) == 0);
                swq_context_free(ctx);
            }
            cr_assert(after > 25, "spec %d: only %zu allocations", which, after);
        }
    }
}

Test(async, memory_is_foreseen_and_limited)
{
    const swq_shape shapes[] = {shape_of_grid("torus", 2, 16), shape_in_stages("omega", 4, 4),
                                shape_of_grid("hypercube", 8, 2)};
    static const char *const buffers[] = {"fifo", "damq", "dafc", "safc"};

    for (int k = 0; k < 12; k++) {
        swq_context *ctx = swq_context_new();
        swq_async n = async_network(shapes[k % 3], buffers[k % 4], 512 << (k % 5 / 2));
        swq_sender_group group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, 0.1, constantly(8));
        swq_sim_options options = run_of(1, 1 + k / 9, 0, 10);
        swq_async_result r;
        n.traffic.group = &group;
        n.traffic.groups = 1;
        cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                     swq_context_message(ctx));
        double peak = (double)swq_context_peak_bytes(ctx), told = (double)r.sim.bytes;
        cr_assert(told > 0.9 * peak && told < 1.1 * peak, "case %d: %g told, %g taken", k, told,
                  peak);
        swq_context_limit_memory(ctx, (size_t)(told * 0.9));
        cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_ELIMIT);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_limit_memory(ctx, (size_t)(peak * 1.1));
        cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                     swq_context_message(ctx));
        swq_context_free(ctx);
    }
}

typedef struct {
    swq_context *ctx;
    size_t blocks;
    int looks, cancel_after;
} async_observer;

static void observe(void *arg, const char *stage, double done, double total)
{
    async_observer *o = arg;

    (void)stage;
    cr_assert(done >= 0 && (total == 0 || done <= total));
    if (o->looks++ == 0)
        o->blocks = swq_context_live_blocks(o->ctx);
    cr_assert_eq(swq_context_live_blocks(o->ctx), o->blocks, "memory is taken while running");
    if (o->looks == o->cancel_after)
        swq_context_cancel(o->ctx);
}

Test(async, interrupted)
{
    swq_sim_options options = run_of(5, 2, 50, 640);

    for (int after = 0; after <= 50; after += after ? 7 : 1) {
        swq_context *ctx = swq_context_new();
        swq_sender_group group;
        swq_async n = a_torus(&group);
        async_observer o = {.ctx = ctx, .cancel_after = after};
        swq_async_result r;
        swq_context_watch(ctx, observe, &o);
        if (after == 0) /* before it; 1: at the end of the warm-up */
            swq_context_cancel(ctx);
        swq_status status = swq_async_run(ctx, &n, &options, NULL, &r);
        if (after <= 1) {
            cr_assert_eq(status, SWQ_ECANCELLED);
        } else {
            cr_assert_eq(status, SWQ_OK);
            cr_assert_eq(r.sim.stopped_by, SWQ_STOP_INTERRUPTED);
            cr_assert(r.sim.conserved && r.sim.little_exact && o.looks >= after);
        }
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
        swq_context_free(ctx);
    }
}

/* ---- watching queues ---- */

/* The blocks in the queues of host ports, frame by frame, computed from the transmissions alone. */
Test(async, frames_are_what_waits)
{
    enum { FRAMES = 5, CYCLES = 200, WARMUP = 150, NODES = 16, MOST_CLASSES = 5 };
    static const char *const buffers[] = {"damq", "fifo", "safc"};
    static double blocks[(FRAMES + 1) * NODES * MOST_CLASSES], sum[FRAMES + 1][NODES][MOST_CLASSES];

    for (int k = 0; k < 6; k++) {
        swq_async n =
            async_network(k / 3 ? shape_in_stages("omega", 4, 2) : shape_of_grid("torus", 2, 4),
                          buffers[k % 3], 480);
        const int classes = k / 3 ? 4 : 5, queues = k % 3 == 1 ? 1 : classes;
        swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_UNIFORM, 1, 32});
        n.traffic.group = &group;
        n.traffic.groups = 1;
        start_log log = {0};
        swq_async_watch watch = {.started = log_start,
                                 .arg = &log,
                                 .queue_blocks = blocks,
                                 .frame_cycles = CYCLES,
                                 .frames = FRAMES};
        /* one frame more than there is room for, so that only the mean of the whole run has it */
        swq_sim_options options = run_of(3, 2, WARMUP, (FRAMES + 1) * CYCLES);
        swq_context *ctx = swq_context_new();
        swq_fabric f;
        cr_assert_eq(swq_fabric_make(ctx, &n.shape, &f), SWQ_OK);
        run_async(&n, &options, &watch);
        cr_assert_eq(watch.frames_seen, FRAMES);
        memset(sum, 0, sizeof sum);
        for (size_t s = 0; s < log.count; s++) {
            const swq_start *start = &log.at[s];
            bool leaves = start->switch_ != SWQ_NO_WHERE;
            uint32_t node = start->from;
            if (leaves && start->switch_ * (uint32_t)f.ports + start->input != f.entry[node])
                continue;
            /* it counts from this cycle on, or no longer */
            double count = (leaves ? -1.0 : 1.0) * ((start->bytes + 7) / 8);
            for (int frame = 0; frame <= FRAMES; frame++) {
                double begin = frame < FRAMES ? WARMUP + frame * CYCLES : WARMUP;
                double cycles = frame < FRAMES ? CYCLES : (FRAMES + 1) * CYCLES;
                double within = fmin(cycles, begin + cycles - start->cycle);
                sum[frame][node][queues == 1 ? 0 : start->packet_class] +=
                    within > 0 ? count * within / cycles : 0;
            }
        }
        for (int frame = 0; frame <= FRAMES; frame++) {
            for (int node = 0; node < NODES; node++) {
                for (int c = 0; c < classes; c++)
                    cr_assert_float_eq(
                        blocks[(frame * NODES + node) * classes + c], sum[frame][node][c], 1e-9,
                        "case %d, frame %d, node %d, class %d: %g, not %g", k, frame, node, c,
                        blocks[(frame * NODES + node) * classes + c], sum[frame][node][c]);
            }
        }
        free(log.at);
        swq_fabric_clear(ctx, &f);
        swq_context_free(ctx);
    }
}
