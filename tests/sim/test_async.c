/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold of every asynchronous run, whatever is simulated: every transmission is allowed by
 * the rules and none that could begin is left (inspector.h); nothing is lost or made; numbers
 * depend on the spec and the seed alone; bad specs are named and failures leave nothing behind.
 */
#include "tests/sim/inspector.h"

TestSuite(async, .timeout = 120);

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
} sample;

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

/* Least to least + range; geometric ones have their least at 0 or 1. */
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

static void draw_type(swq_message_type *t, uint32_t nodes, int max_packet)
{
    t->aim = (swq_aim)draw(3);
    t->length = draw_spread(1, max_packet * 5 / 2);
    do
        t->pattern = swq_patterns[draw(9)];
    while (t->pattern == &swq_pattern_matrix ||
           (t->pattern->objection && t->pattern->objection(nodes)));
    if (draw(2))
        t->pattern = &swq_pattern_uniform;
    t->mask = (uint32_t)draw(4);
    t->value = (uint32_t)draw((int)nodes);
    if (t->aim == SWQ_AIM_SUBSET)
        t->value &= t->mask;
}

static void draw_groups(sample *s, uint32_t nodes)
{
    swq_async *n = &s->network;

    n->group = s->group;
    n->groups = 1 + draw(GROUPS);
    for (int g = 0; g < n->groups; g++) {
        swq_sender_group *group = &s->group[g];
        group->mask = g + 1 < n->groups ? (uint32_t)draw(8) : 0;
        group->value = (uint32_t)draw(8) & group->mask;
        group->kind = draw(2) ? SWQ_SOURCE_HOLD : SWQ_SOURCE_OPEN;
        group->from_start = draw(2);
        group->silent = draw(8) == 0;
        group->interval =
            draw_spread(group->kind == SWQ_SOURCE_OPEN, draw(3) ? 3 * n->max_packet : 2);
        group->types = 1 + draw(3);
        for (int t = 0; t < group->types; t++) {
            draw_type(&group->type[t], nodes, n->max_packet);
            group->type[t].probability = group->types == 1   ? 1
                                         : group->types == 2 ? t ? 0.75 : 0.25
                                         : t                 ? 0.375
                                                             : 0.25;
        }
    }
}

static void draw_trace(sample *s, uint32_t nodes)
{
    uint64_t cycle = 0;

    s->network.trace = s->trace;
    s->network.trace_messages = LINES;
    if (draw(2))
        s->network.groups = 0;
    for (int k = 0; k < LINES; k++) {
        cycle += (uint64_t)(draw(3) == 0);
        uint32_t from = (uint32_t)draw((int)nodes);
        uint32_t to = (from + 1 + (uint32_t)draw((int)nodes - 1)) % nodes;
        s->trace[k] =
            (swq_async_message){cycle, from, to, (uint32_t)(1 + draw(2 * s->network.max_packet))};
    }
}

/* Redrawn until the choices agree with one another. */
static void draw_sample(swq_context *ctx, sample *s)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc"};

    for (int tries = 0;; tries++) {
        static const int blocks[] = {1, 3, 8, 16};
        swq_async *n = &s->network;
        uint32_t nodes;
        memset(s, 0, sizeof *s);
        *n = async_network(draw_shape(), buffers[draw(5)], 0);
        nodes = nodes_of(n);
        n->block = blocks[draw(4)];
        n->max_packet = 1 + draw(40);
        int packet = (n->max_packet + n->block - 1) / n->block;
        int queues = n->buffer->partitioned ? 2 + draw(8) : 1;
        n->bytes = packet * n->block * queues * (1 + draw(3)) + draw(5 * n->block);
        n->release = (swq_release)draw(4);
        n->arbiter = draw(2) ? n->arbiter : swq_arbiters[draw(10)];
        n->iterations = draw(3);
        n->flow = draw(2) ? &swq_flow_blocking : &swq_flow_maximum_usage;
        n->threshold = draw(packet * 3);
        n->hop_delay = 1 + draw(draw(4) ? 8 : 60);
        n->link_rest = draw(4);
        draw_groups(s, nodes);
        if (draw(5) == 0)
            draw_trace(s, nodes);
        if (swq_async_check(ctx, n, &nodes) == SWQ_OK)
            break;
        cr_assert(tries < 1000, "%s", swq_context_message(ctx));
    }
    s->options = run_of((uint64_t)draw(1 << 20), 1, (uint64_t)draw(200), 500);
    const swq_async *n = &s->network;
    int used = snprintf(s->what, sizeof s->what,
                        "%s, %d ports, %d stages, %d dims %d %d %d%s%s; %s of %d in blocks of %d, "
                        "packets of %d, release %d, %s x %d, %s %d, hop %d, rest %d; %d groups%s;",
                        n->shape.kind->name, n->shape.ports, n->shape.stages, n->shape.dims,
                        n->shape.extent[0], n->shape.extent[1], n->shape.extent[2],
                        n->shape.chained ? " chained" : "", n->shape.one_way ? " one way" : "",
                        n->buffer->name, n->bytes, n->block, n->max_packet, n->release,
                        n->arbiter->name, n->iterations, n->flow->name, n->threshold, n->hop_delay,
                        n->link_rest, n->groups, n->trace ? ", trace" : "");
    for (int g = 0; g < n->groups && used < (int)sizeof s->what; g++)
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

/* The parts are the whole, and figures stay within what they can be. */
static void check_figures(const sample *s, const swq_async_result *r)
{
    const swq_async *n = &s->network;
    uint64_t created = 0, delivered = 0;
    double bytes = 0;

    for (int g = 0; g < r->sim.groups && n->groups > 1; g++) {
        created += r->sim.by_group[g].created;
        delivered += r->sim.by_group[g].delivered;
        bytes += r->sim.by_group[g].bytes;
    }
    if (n->groups > 1) {
        cr_assert_eq(created, r->sim.all.created, "%s", s->what);
        cr_assert_eq(delivered, r->sim.all.delivered, "%s", s->what);
        cr_assert_eq(bytes, r->sim.all.bytes, "%s", s->what);
    }
    cr_assert_eq(r->sim.all.discarded, 0);
    if (r->sim.all.delivered == 0)
        return;
    cr_assert(r->sim.all.latency.mean >= n->hop_delay && r->sim.all.percentile[0] >= n->hop_delay,
              "%s", s->what);
    cr_assert(r->sim.all.latency.mean <= r->sim.all.max, "%s", s->what);
    for (int p = 0; p + 1 < SWQ_PERCENTILES; p++)
        cr_assert(r->sim.all.percentile[p] <= r->sim.all.percentile[p + 1], "%s", s->what);
    /* a link may have begun one packet more than it has finished */
    double most = (n->max_packet + 0.0) / (n->max_packet + n->link_rest);
    double edge = n->max_packet / (double)r->sim.cycles;
    for (int k = 0; k < r->sim.stages; k++)
        cr_assert(r->sim.stage[k].sent.mean <= most + edge, "%s: %g", s->what,
                  r->sim.stage[k].sent.mean);
}

Test(async, random_specs)
{
    enum { SPECS = 500 };
    swq_context *ctx = swq_context_new();
    sample *s = calloc(1, sizeof *s);
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
        /* unwatched the same, on threads the same */
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
