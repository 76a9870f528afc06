/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "async_cases.h"

#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

uint32_t case_draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* ---- wirings ---- */

int case_class(const void *self, unsigned port, int from, int to)
{
    const swq_fabric *f = self;
    return f->shape.kind->route(f, port, (uint32_t)from, (uint32_t)to);
}

int case_output(const void *self, unsigned port, int class_)
{
    const swq_fabric *f = self;
    return f->output[port * (uint32_t)f->classes + (uint32_t)class_];
}

ref_wiring case_wiring(const swq_fabric *f)
{
    cr_assert(SWQ_TO_NODE == REF_NODE && SWQ_NO_WHERE == REF_NOWHERE);
    return (ref_wiring){.nodes = (int)f->nodes,
                        .switches = (int)f->switches,
                        .ports = f->ports,
                        .classes = f->classes,
                        .link = f->link,
                        .entry = f->entry,
                        .class_of = case_class,
                        .output_of = case_output,
                        .self = f};
}

swq_shape case_omega(swq_context *ctx, int ports, int stages)
{
    swq_shape s = {.ports = ports, .stages = stages};
    cr_assert_eq(swq_fabric_find(ctx, "omega", &s), SWQ_OK);
    return s;
}

swq_shape case_grid(const swq_fabric_kind *kind, int dims, const int *extent, bool one_way)
{
    swq_shape s = {.kind = kind, .dims = dims, .one_way = one_way};
    for (int d = 0; d < dims; d++)
        s.extent[d] = extent[d];
    return s;
}

/* ---- a case ---- */

const char *const case_fabric_names[CASE_FABRICS + CASE_WIDE] = {
    "single",    "omega",   "torus",    "ring", "one-way ring", "one-way",  "mesh",
    "hypercube", "chained", "baseline", "tree", "wide",         "wide tree"};

int case_between(uint32_t *state, int least, int most)
{
    return least + (int)case_draw(state, (uint32_t)(most - least + 1));
}

/* A small network of that kind, wired by the reference if possible. */
void case_fabric(swq_context *ctx, uint32_t *state, int kind, async_case *c)
{
    swq_shape *shape = &c->network.shape;
    int extent[2] = {case_between(state, 2, 5), case_between(state, 2, 4)}, k, stages;

    switch (kind) {
    case 0:
        k = case_between(state, 2, 5);
        *shape = case_omega(ctx, k, 1);
        c->plan = ref_omega(k, 1);
        break;
    case 1:
        k = case_between(state, 2, 3);
        stages = case_between(state, 2, k == 2 ? 4 : 2);
        *shape = case_omega(ctx, k, stages);
        c->plan = ref_omega(k, stages);
        break;
    case 2:
    case 3:
        *shape = case_grid(&swq_fabric_torus, kind == 2 ? 2 : 1, extent, false);
        c->plan = ref_torus(shape->dims, extent, 0);
        break;
    case 4:
    case 5:
        *shape = case_grid(&swq_fabric_torus, kind == 5 ? 2 : 1, extent, true);
        c->plan = ref_torus(shape->dims, extent, 1);
        break;
    case 6:
        k = case_between(state, 1, 2);
        *shape = case_grid(&swq_fabric_mesh, k, extent, false);
        c->plan = ref_mesh(k, extent);
        break;
    case 7:
        *shape = (swq_shape){.kind = &swq_fabric_hypercube, .dims = case_between(state, 1, 4)};
        break;
    case 8:
        *shape =
            (swq_shape){.kind = case_between(state, 0, 1) ? &swq_fabric_torus : &swq_fabric_mesh,
                        .dims = case_between(state, 3, 4),
                        .extent = {2, 3, 2, 2},
                        .chained = true};
        break;
    case 9:
        *shape = (swq_shape){.ports = 2, .stages = case_between(state, 2, 3)};
        cr_assert_eq(swq_fabric_find(ctx, case_fabric_names[kind], shape), SWQ_OK);
        break;
    case CASE_FABRICS:
        k = case_draw(state, 2) ? 33 : 66;
        *shape = case_omega(ctx, k, 1);
        c->plan = ref_omega(k, 1);
        break;
    case CASE_FABRICS + 1:
        k = case_between(state, 1, 2);
        *shape =
            (swq_shape){.kind = &swq_fabric_tree,
                        .levels = 2,
                        .arity = {case_draw(state, 2) ? 66 : case_between(state, 33 - k, 36), 2},
                        .up_ports = k};
        break;
    default:
        k = case_between(state, 2, 3);
        *shape = (swq_shape){.kind = &swq_fabric_tree,
                             .levels = case_between(state, 2, k == 2 ? 3 : 2),
                             .arity = {k, k, k},
                             .up_ports = case_between(state, 1, k)};
    }
    cr_assert_eq(swq_fabric_make(ctx, shape, &c->fabric), SWQ_OK, "%s: %s", case_fabric_names[kind],
                 swq_context_message(ctx));
    c->reference.wiring = c->plan ? c->plan->wiring : case_wiring(&c->fabric);
}

/* ---- graphs of unlike links ---- */

enum { MOST_SWITCHES = 7, GRAPH_PORTS = CASE_PORTS / MOST_SWITCHES };

typedef struct {
    FILE *file;
    int used[MOST_SWITCHES]; /* ports */
    ref_line line[MOST_SWITCHES][GRAPH_PORTS];
    int longest; /* delay to draw */
    bool speeds; /* ... and speeds */
} graph_draft;

/* Writes the end of a line, and keeps it for the ports of both ends. */
static void draw_line(uint32_t *state, graph_draft *d, int a, int b)
{
    static const int speed[] = {100, 50, 40, 25, 75, 10};
    const ref_line line = {case_between(state, 1, d->longest),
                           d->speeds ? speed[case_draw(state, 6)] : 1, 0};

    fprintf(d->file, " delay=%d speed=%d\n", line.delay, line.bytes);
    d->line[b][d->used[b]++] = line;
    if (a >= 0)
        d->line[a][d->used[a]++] = line;
}

static void draw_link(uint32_t *state, graph_draft *d, int a, int b)
{
    fprintf(d->file, "link s%d:%d s%d:%d", a, d->used[a], b, d->used[b]);
    draw_line(state, d, a, b);
}

/* A tree or a ring of switches with a few links more, a host at each, and more. */
static int draw_graph(uint32_t *state, graph_draft *d)
{
    const int switches = case_between(state, 2, MOST_SWITCHES), ring = (int)case_draw(state, 2);
    int hosts = 0;

    for (int w = 0; w < switches; w++) {
        for (int more = case_between(state, 1, 2); more > 0; more--) {
            fprintf(d->file, "host h%d s%d:%d", hosts++, w, d->used[w]);
            draw_line(state, d, -1, w);
        }
    }
    for (int w = 1; w < switches; w++)
        draw_link(state, d, w, ring ? w - 1 : (int)case_draw(state, (uint32_t)w));
    if (ring && switches > 2)
        draw_link(state, d, 0, switches - 1);
    for (int more = case_between(state, 0, 3); more > 0; more--) {
        const int a = (int)case_draw(state, (uint32_t)switches);
        draw_link(state, d, a, (a + 1 + (int)case_draw(state, (uint32_t)switches - 1)) % switches);
    }
    return switches;
}

void case_graph(swq_context *ctx, uint32_t *state, async_case *c)
{
    static const int longest[] = {2, 9, 60, 1};
    const bool speeds = case_draw(state, 3) > 0;
    char path[] = "/tmp/switchq-case-XXXXXX";
    const int made = mkstemp(path);
    graph_draft d = {.file = fdopen(made, "w"),
                     .longest = longest[case_draw(state, speeds ? 4 : 3)],
                     .speeds = speeds};

    cr_assert(d.file);
    const int switches = draw_graph(state, &d);
    cr_assert_eq(fclose(d.file), 0);
    cr_assert_eq(swq_graph_read(ctx, path, NULL, &c->graph), SWQ_OK, "%s",
                 swq_context_message(ctx));
    remove(path);
    for (int w = 0; w < switches; w++) {
        for (int port = 0; port < c->graph.ports; port++)
            c->line[w * c->graph.ports + port] = d.line[w][port];
    }
    c->network.shape = (swq_shape){.kind = &swq_fabric_graph, .graph = &c->graph};
    cr_assert_eq(swq_fabric_make(ctx, &c->network.shape, &c->fabric), SWQ_OK);
    c->reference.wiring = case_wiring(&c->fabric);
}

/* A wire takes a cycle of the hop delay, and as many more as its delay says; the fastest link sends
 * a byte a cycle. */
void case_lines(async_case *c)
{
    const int lines = c->fabric.ports * (int)c->fabric.switches;
    int fastest = 1;

    for (int k = 0; k < lines; k++)
        fastest = c->line[k].bytes > fastest ? c->line[k].bytes : fastest;
    for (int k = 0; k < lines; k++) {
        ref_line *line = &c->line[k];
        if (!line->delay) /* no link */
            *line = (ref_line){1, fastest, 0};
        line->delay += c->reference.hop_delay - 1;
        line->cycles = fastest;
    }
    c->reference.line = c->line;
}

static double rate_of(const async_case *c, uint32_t port)
{
    const ref_line *line = c->reference.line;

    return line ? (double)line[port].bytes / line[port].cycles : 1;
}

double case_nodes_carry(const async_case *c)
{
    double sum = 0;

    for (uint32_t node = 0; node < c->fabric.nodes; node++)
        sum += rate_of(c, c->fabric.entry[node]);
    return sum;
}

double case_level_carries(const async_case *c, int level)
{
    double sum = 0;

    for (uint32_t out = 0; out < c->fabric.switches * (uint32_t)c->fabric.ports; out++)
        sum += c->fabric.out_level[out] == level ? rate_of(c, out) : 0;
    return sum;
}

/* ---- switches ---- */

/* The blocks reserved for each queue, the limit of a queue, and a dynamic threshold, all large
 * enough that packets can enter. */
static void choose_limits(uint32_t *state, int packet, async_case *c)
{
    swq_buffer *b = &c->network.memory.buffer;
    ref_async *r = &c->reference;
    const int queues = r->one_queue ? 1 : c->fabric.classes;
    const int most = queues > 1 ? (b->capacity - packet) / (queues - 1) : b->capacity;

    if (case_draw(state, 2))
        r->least = b->queue_min =
            case_between(state, 0, most < b->capacity / queues ? most : b->capacity / queues);
    if (case_draw(state, 3) == 0) {
        const int from = r->least > packet ? r->least : packet;
        r->most = b->queue_max = case_between(state, from, b->capacity);
    }
    if (case_draw(state, 2))
        r->alpha = b->alpha = case_between(state, 1, 12) / 4.0;
}

const char *case_arbiter(const ref_async *r)
{
    return r->fixed ? "fixed" : r->advancing ? "advancing" : "rotating";
}

/* The blocks that are forwarded as a unit. */
static int unit_blocks(const async_case *c)
{
    const int bytes = c->network.packet.piece ? c->network.packet.piece : c->reference.max_packet;
    return (bytes + c->reference.block - 1) / c->reference.block;
}

/* A few blocks, or, sometimes, a packet. */
static void choose_piece(uint32_t *state, async_case *c)
{
    swq_async *n = &c->network;
    const int most = (n->packet.max - 1) / n->packet.block;

    n->packet.piece = most == 0 || case_draw(state, 12) == 0
                          ? n->packet.max
                          : n->packet.block * case_between(state, 1, most < 5 ? most : 5);
}

void case_switch(swq_context *ctx, uint32_t *state, const char *buffer, async_case *c)
{
    swq_async *n = &c->network;
    ref_async *r = &c->reference;

    r->one_queue = strcmp(buffer, "fifo") == 0;
    r->read_each = strcmp(buffer, "safc") == 0 || strcmp(buffer, "dafc") == 0;
    r->partitioned = buffer[0] == 's';
    r->block = case_between(state, 1, 16);
    r->max_packet = case_between(state, 8, 64);
    r->hop_delay = case_between(state, 1, 9);
    r->link_rest = case_between(state, 0, 4);
    const uint32_t arbiter = case_draw(state, 6);
    r->fixed = arbiter == 0;
    r->advancing = arbiter == 1 || arbiter == 2;
    n->packet.block = r->block;
    n->packet.max = r->max_packet;
    static const swq_release release[] = {SWQ_RELEASE_BLOCKS, SWQ_RELEASE_START, SWQ_RELEASE_HOP,
                                          SWQ_RELEASE_END};
    static const int same[] = {REF_RELEASE_BLOCKS, REF_RELEASE_START, REF_RELEASE_HOP,
                               REF_RELEASE_END};
    uint32_t which = case_draw(state, 4);
    n->memory.release = release[which];
    r->release = same[which];

    if (c->in_pieces)
        choose_piece(state, c);
    int packet = unit_blocks(c), queues = c->fabric.classes;
    int blocks = case_between(state, packet, 4 * packet);
    if (r->partitioned)
        blocks = queues * case_between(state, packet, 3 * packet);
    r->bytes = blocks * r->block;
    r->threshold = REF_NO_THRESHOLD;
    n->flow.row = &swq_flow_blocking;
    if (!r->partitioned && case_draw(state, 2)) {
        n->flow.row = &swq_flow_maximum_usage;
        r->threshold = n->flow.threshold = case_between(state, 0, blocks);
    }
    give_buffer(n, buffer, r->bytes);
    if (!r->partitioned)
        choose_limits(state, packet, c);
    n->link.hop_delay = r->hop_delay;
    n->link.rest = r->link_rest;
    cr_assert_eq(swq_arbiter_find(ctx, case_arbiter(r), &n->arbiter.row), SWQ_OK);
}

void case_told(uint32_t *state, bool stop_go, async_case *c)
{
    static const int same[] = {[SWQ_CREDIT_CHANNEL] = REF_BY_CHANNEL,
                               [SWQ_CREDIT_QUEUE] = REF_BY_QUEUE,
                               [SWQ_CREDIT_POOL] = REF_BY_POOL};
    swq_async *n = &c->network;
    swq_buffer *b = &n->memory.buffer;
    ref_async *r = &c->reference;
    const int packet = unit_blocks(c);
    const int queues = r->one_queue ? 1 : c->fabric.classes;

    n->flow.row = stop_go ? &swq_flow_stop_go : &swq_flow_credits;
    r->flow = stop_go ? REF_STOP_GO : REF_CREDITS;
    r->threshold = REF_NO_THRESHOLD;
    r->told_after = n->flow.credit_delay = case_draw(state, 4) ? case_between(state, 0, 60) : 0;
    if (stop_go)
        r->told_after = n->flow.credit_delay = r->told_after % 30;
    n->flow.credit_unit = r->partitioned ? SWQ_CREDIT_QUEUE : SWQ_CREDIT_CHANNEL;
    if (!stop_go && case_draw(state, 3) == 0)
        n->flow.credit_unit = SWQ_CREDIT_POOL;
    /* a plain buffer, or large partitions */
    if (n->flow.credit_unit != SWQ_CREDIT_POOL && !r->partitioned) {
        r->least = r->most = 0;
        r->alpha = 0;
        b->queue_min = 0;
        b->alpha = 0;
        if (!stop_go && case_draw(state, 2) && 3 * queues * packet < SWQ_MAX_BUFFER_BLOCKS) {
            n->flow.credit_unit = SWQ_CREDIT_QUEUE;
            b->capacity =
                queues * case_between(state, packet, 3 * packet) + case_between(state, 0, 1);
            r->bytes = b->capacity * r->block;
        } else if (stop_go) {
            b->capacity += case_between(state, 0, 3 * packet);
            r->bytes = b->capacity * r->block;
        }
        b->queue_max = b->capacity;
    }
    r->unit = same[n->flow.credit_unit];
}

void case_counters(uint32_t *state, async_case *c)
{
    swq_async *n = &c->network;
    ref_async *r = &c->reference;
    const int most = 2 * n->memory.buffer.capacity / 3;
    swq_two_counter *t = &n->flow.counters;

    n->flow.row = &swq_flow_two_counter;
    r->flow = REF_TWO_COUNTER;
    r->threshold = REF_NO_THRESHOLD;
    t->sigma = r->every = case_draw(state, 3) ? case_between(state, 1, 50) : 1;
    t->x_inc = r->above = case_between(state, 0, most);
    t->x_dec = r->below = case_between(state, 1, t->x_inc + 1);
    t->y_max = r->most_count = case_between(state, 1, 6);
    t->y = r->closes = case_between(state, 1, t->y_max);
}

bool case_thresholds(uint32_t *state, async_case *c)
{
    ref_async *r = &c->reference;
    const int highest = swq_async_highest_stop(&c->network);

    if (r->flow != REF_STOP_GO || highest < 1) {
        if (r->flow == REF_STOP_GO) {
            r->flow = REF_BLOCKING;
            c->network.flow.row = &swq_flow_blocking;
        }
        return r->flow != REF_BLOCKING;
    }
    r->stop = case_draw(state, 2) ? highest : case_between(state, 1, highest);
    r->go = case_draw(state, 2) ? r->stop - 1 : case_between(state, 0, r->stop - 1);
    c->network.flow.stop = r->stop;
    c->network.flow.go = r->go;
    return true;
}

/* Messages of up to `longest` bytes; each node creates one in a cycle with probability permille /
 * 1000. */
void case_messages(uint32_t *state, uint32_t permille, int longest, async_case *c)
{
    uint32_t nodes = c->fabric.nodes;
    bool to_others = c->network.shape.kind->point_to_point;
    uint32_t hot = case_draw(state, 3) ? 0 : 30, spot = case_draw(state, nodes);
    int n = 0;

    for (uint64_t cycle = case_draw(state, 20); n < MOST_MESSAGES && cycle < LAST_CYCLE; cycle++) {
        for (uint32_t from = 0; from < nodes && n < MOST_MESSAGES; from++) {
            if (case_draw(state, 1000) >= permille)
                continue;
            uint32_t to = case_draw(state, 100) < hot ? spot : case_draw(state, nodes);
            if (to == from && to_others)
                to = (from + 1 + case_draw(state, nodes - 1)) % nodes;
            int bytes = case_between(state, 1, longest);
            c->trace[n] = (swq_async_message){cycle, from, to, (uint32_t)bytes};
            c->message[n++] = (ref_message){(long)cycle, (int)from, (int)to, bytes};
        }
    }
    c->network.traffic.trace = c->trace;
    c->network.traffic.trace_messages = (uint64_t)n;
    c->reference.message = c->message;
    c->reference.messages = n;
}

void case_clear(swq_context *ctx, async_case *c)
{
    swq_fabric_clear(ctx, &c->fabric);
    swq_graph_clear(ctx, &c->graph);
    ref_plan_free(c->plan);
}
