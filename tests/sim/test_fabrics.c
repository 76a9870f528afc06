/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim/fabrics: every pair arrives, by a shortest way, in the order of the dimensions; classes say
 * where a packet has been and will go; what may wait for what is free of cycles where it should be,
 * and is not where it should not; loads of links against closed forms. Distances, coordinates and
 * whether a packet is wrapped are found here by other means than in the code under test.
 */
#include "switchq/fabric.h"
#include "switchq/traffic.h"
#include "tests/support/support.h"

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

TestSuite(fabrics, .init = setup, .fini = teardown, .timeout = 480);

/* ---- shapes ---- */

typedef struct {
    const char *name;
    swq_shape shape;
} named_shape;

#define GRID(kind, dimensions, ...)                                                                \
    {                                                                                              \
        kind,                                                                                      \
        {                                                                                          \
            .dims = dimensions, .extent = __VA_ARGS__                                              \
        }                                                                                          \
    }
#define CHAINED(kind, dimensions, ...)                                                             \
    {                                                                                              \
        kind,                                                                                      \
        {                                                                                          \
            .dims = dimensions, .chained = true, .extent = __VA_ARGS__                             \
        }                                                                                          \
    }
#define ONE_WAY(dimensions, ...)                                                                   \
    {                                                                                              \
        "torus",                                                                                   \
        {                                                                                          \
            .dims = dimensions, .one_way = true, .extent = __VA_ARGS__                             \
        }                                                                                          \
    }
#define STAGES(kind, radix, number)                                                                \
    {                                                                                              \
        kind,                                                                                      \
        {                                                                                          \
            .ports = radix, .stages = number                                                       \
        }                                                                                          \
    }

/* Extents odd and even, of both remainders by 4, alike and mixed, in 1 to 5 dimensions. */
static const named_shape grids[] = {
    GRID("torus", 1, {2}),
    GRID("torus", 1, {3}),
    GRID("torus", 1, {4}),
    GRID("torus", 1, {5}),
    GRID("torus", 1, {6}),
    GRID("torus", 1, {17}),
    GRID("torus", 2, {2, 2}),
    GRID("torus", 2, {5, 5}),
    GRID("torus", 2, {8, 8}),
    GRID("torus", 2, {3, 6}),
    GRID("torus", 2, {11, 2}),
    GRID("torus", 3, {4, 5, 3}),
    GRID("torus", 4, {3, 2, 4, 5}),
    CHAINED("torus", 1, {7}),
    CHAINED("torus", 2, {4, 5}),
    CHAINED("torus", 3, {4, 5, 3}),
    CHAINED("torus", 4, {3, 2, 4, 5}),
    CHAINED("torus", 5, {2, 3, 2, 4, 3}),
    ONE_WAY(1, {2}),
    ONE_WAY(1, {3}),
    ONE_WAY(1, {9}),
    ONE_WAY(2, {4, 5}),
    ONE_WAY(3, {3, 2, 4}),
    ONE_WAY(4, {2, 3, 2, 3}),
    GRID("mesh", 1, {2}),
    GRID("mesh", 1, {7}),
    GRID("mesh", 2, {5, 5}),
    GRID("mesh", 2, {8, 3}),
    GRID("mesh", 3, {2, 5, 4}),
    GRID("mesh", 4, {3, 2, 4, 3}),
    CHAINED("mesh", 2, {6, 5}),
    CHAINED("mesh", 3, {4, 2, 5}),
    CHAINED("mesh", 4, {3, 2, 4, 3}),
};

static const named_shape others[] = {
    {"hypercube", {.dims = 1}}, {"hypercube", {.dims = 2}}, {"hypercube", {.dims = 5}},
    {"hypercube", {.dims = 7}}, STAGES("multistage", 2, 3), STAGES("omega", 4, 3),
    STAGES("butterfly", 2, 5),  STAGES("baseline", 3, 3),   STAGES("flip", 3, 4),
    STAGES("cube", 2, 6),       STAGES("switch", 5, 1),     STAGES("omega", 16, 2),
    STAGES("omega", 32, 1),     STAGES("flip", 6, 2),
};

enum {
    GRIDS = sizeof grids / sizeof *grids,
    OTHERS = sizeof others / sizeof *others,
    SHAPES = GRIDS + OTHERS
};

static const named_shape *shape_number(int number)
{
    return number < GRIDS ? &grids[number] : &others[number - GRIDS];
}

static swq_fabric laid_out(const named_shape *named)
{
    swq_shape shape = named->shape;
    swq_fabric f;

    cr_assert_eq(swq_fabric_find(ctx, named->name, &shape), SWQ_OK);
    cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
    return f;
}

/* "torus 4x5x3, chained" */
static const char *title(const swq_fabric *f)
{
    static char text[200];
    int used = snprintf(text, sizeof text, "%s ", f->shape.kind->name);

    if (f->shape.wiring)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s, %d^%d",
                         f->shape.wiring->name, f->shape.ports, f->shape.stages);
    for (int k = 0; k < f->shape.dims; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%d", k ? "x" : "",
                         f->shape.extent[k]);
    snprintf(text + used, sizeof text - (size_t)used, "%s%s", f->shape.chained ? ", chained" : "",
             f->shape.one_way ? ", one way" : "");
    return text;
}

static bool is(const swq_fabric *f, const swq_fabric_kind *kind)
{
    return f->shape.kind == kind;
}

/* ---- where nodes are, and how far apart ---- */

/* The coordinate of a node in dimension k, by repeated division from the last one. */
static int coordinate_of(const swq_fabric *f, uint32_t node, int k)
{
    for (int j = f->shape.dims - 1; j > k; j--)
        node /= (uint32_t)f->shape.extent[j];
    return (int)(node % (uint32_t)f->shape.extent[k]);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Links between nodes on a shortest way: Hamming, Manhattan or Lee distance, or round one way. */
static int distance(const swq_fabric *f, uint32_t from, uint32_t to)
{
    int sum = 0;

    if (is(f, &swq_fabric_hypercube)) {
        for (uint32_t bits = from ^ to; bits; bits /= 2)
            sum += bits % 2;
        return sum;
    }
    if (is(f, &swq_fabric_multistage))
        return f->shape.stages - 1;
    for (int k = 0; k < f->shape.dims; k++) {
        int extent = f->shape.extent[k];
        int ahead = coordinate_of(f, to, k) - coordinate_of(f, from, k);
        int round = (ahead + extent) % extent;
        if (is(f, &swq_fabric_mesh))
            sum += abs(ahead);
        else
            sum += f->shape.one_way ? round : least(round, extent - round);
    }
    return sum;
}

/* ---- walking ---- */

enum { LONGEST = 70000 };

/* One stop of a packet on its way. */
typedef struct {
    uint32_t port; /* input */
    int class;
    uint32_t output; /* port number */
} stop;

static uint32_t switch_of(const swq_fabric *f, uint32_t port)
{
    return port / (uint32_t)f->ports;
}

static uint32_t node_of(const swq_fabric *f, uint32_t port)
{
    return switch_of(f, port) / (f->switches / f->nodes);
}

/* The way from node to node as an engine finds it; checks what can be checked of any. Returns the
 * number of stops. */
static int walk(const swq_fabric *f, uint32_t from, uint32_t to, stop *way)
{
    uint32_t port = f->entry[from];
    int stops = 0;

    while (!(port & SWQ_TO_NODE)) {
        stop *s = &way[stops++];
        if (stops == LONGEST || port >= f->switches * (uint32_t)f->ports ||
            f->in_level[port] >= f->levels)
            cr_assert_fail("%s: from %u to %u, stop %d at port %u", title(f), from, to, stops,
                           port);
        s->port = port;
        s->class = f->shape.kind->route(f, port, from, to);
        if (s->class < 0 || s->class >= f->classes)
            cr_assert_fail("%s: from %u to %u, class %d", title(f), from, to, s->class);
        int output = f->output[(size_t)port * (size_t)f->classes + (size_t)s->class];
        if (output >= f->ports)
            cr_assert_fail("%s: from %u to %u at port %u, class %d: output %d", title(f), from, to,
                           port, s->class, output);
        s->output = switch_of(f, port) * (uint32_t)f->ports + (uint32_t)output;
        if (f->out_level[s->output] >= f->levels)
            cr_assert_fail("%s: output %u is not used", title(f), s->output);
        port = f->link[s->output];
    }
    if (port != (SWQ_TO_NODE | to))
        cr_assert_fail("%s: from %u to %u, but arrived at %#x", title(f), from, to, port);
    return stops;
}

typedef void pair_test_fn(const swq_fabric *f, uint32_t from, uint32_t to, void *arg);

static void for_every_pair(const swq_fabric *f, pair_test_fn *test, void *arg)
{
    for (uint32_t from = 0; from < f->nodes; from++) {
        for (uint32_t to = 0; to < f->nodes; to++) {
            if (from != to || !f->shape.kind->point_to_point)
                test(f, from, to, arg);
        }
    }
}

static stop way[LONGEST], other_way[LONGEST];

/* ---- what every fabric owes ---- */

static void expect_shortest(const swq_fabric *f, uint32_t from, uint32_t to, void *arg)
{
    int stops = walk(f, from, to, way), hops = 0;
    const int hosts = is(f, &swq_fabric_multistage) ? f->levels : f->levels - 1;

    (void)arg;
    for (int s = 0; s + 1 < stops; s++)
        hops += f->out_level[way[s].output] != hosts;
    if (hops != distance(f, from, to))
        cr_assert_fail("%s: from %u to %u in %d hops instead of %d", title(f), from, to, hops,
                       distance(f, from, to));
    for (int s = 1; s < stops; s++) {
        int before = f->out_level[way[s - 1].output], level = f->in_level[way[s].port];
        /* of a chain's switches, each begins anew with its own dimensions */
        int last =
            s > 1 && f->out_level[way[s - 2].output] != hosts ? f->out_level[way[s - 2].output] : 0;
        if (is(f, &swq_fabric_multistage) ? level != before + 1 : level != before || level < last)
            cr_assert_fail("%s: from %u to %u, level %d behind %d", title(f), from, to, level,
                           before);
    }
}

Test(fabrics, every_pair_arrives_by_a_shortest_way)
{
    for (int k = 0; k < SHAPES; k++) {
        swq_fabric f = laid_out(shape_number(k));
        for_every_pair(&f, expect_shortest, NULL);
        swq_fabric_clear(ctx, &f);
    }
}

/* Every used output leads to an input of its own or to a node of its own; every input that is not
 * a node's entry is led to; what is not used is used by nothing. */
Test(fabrics, links_and_ports_belong_together)
{
    for (int k = 0; k < SHAPES; k++) {
        swq_fabric f = laid_out(shape_number(k));
        const uint32_t ports = f.switches * (uint32_t)f.ports;
        int *fed = calloc(ports, sizeof *fed), *received = calloc(f.nodes, sizeof *received);
        uint32_t inputs[SWQ_MAX_LEVELS] = {0}, outputs[SWQ_MAX_LEVELS] = {0};
        for (uint32_t n = 0; n < f.nodes; n++)
            fed[f.entry[n]]++;
        for (uint32_t p = 0; p < ports; p++) {
            if (f.out_level[p] == 255) {
                cr_assert_eq(f.link[p], SWQ_NO_WHERE, "%s, port %u", title(&f), p);
                continue;
            }
            outputs[f.out_level[p]]++;
            if (f.link[p] & SWQ_TO_NODE) {
                received[f.link[p] & ~SWQ_TO_NODE]++;
                continue;
            }
            fed[f.link[p]]++;
            if (!is(&f, &swq_fabric_multistage))
                cr_assert(f.link[p] % (uint32_t)f.ports == p % (uint32_t)f.ports &&
                              f.in_level[f.link[p]] == f.out_level[p],
                          "%s, port %u leads to %u", title(&f), p, f.link[p]);
        }
        for (uint32_t p = 0; p < ports; p++) {
            bool used = f.in_level[p] != 255;
            int classes = 0;
            if (used)
                inputs[f.in_level[p]]++;
            for (int c = 0; c < f.classes; c++) {
                int output = f.output[p * (uint32_t)f.classes + (uint32_t)c];
                classes += output != 255;
                if (output != 255)
                    cr_assert(output < f.ports &&
                                  f.out_level[p - p % (uint32_t)f.ports + (uint32_t)output] != 255,
                              "%s, port %u, class %d", title(&f), p, c);
            }
            cr_assert(fed[p] == used && (classes > 0) == used, "%s, port %u: %d links", title(&f),
                      p, fed[p]);
        }
        /* nobody sends to itself; in a chain a packet may pass a switch by */
        for (uint32_t n = 0; f.shape.kind->point_to_point && n < f.nodes; n++) {
            size_t classes = (size_t)f.entry[n] * (size_t)f.classes;
            cr_assert_eq(f.output[classes + (size_t)f.ports - 1] == 255, f.switches == f.nodes,
                         "%s", title(&f));
        }
        for (uint32_t n = 0; n < f.nodes; n++)
            cr_assert_eq(received[n], 1, "%s: %d links to node %u", title(&f), received[n], n);
        for (int level = 0; level < f.levels; level++)
            cr_assert(inputs[level] == f.level_inputs[level] &&
                          outputs[level] == f.level_outputs[level],
                      "%s, level %d", title(&f), level);
        free(fed);
        free(received);
        swq_fabric_clear(ctx, &f);
    }
}

/* ---- classes of grids ---- */

/* What the packet has done, seen from outside: the dimension of the link that it came by, and
 * whether it has passed, in that dimension, the link between the first node and the last. */
static void expect_classes(const swq_fabric *f, uint32_t from, uint32_t to, void *arg)
{
    const int stops = walk(f, from, to, way), dims = f->shape.dims;
    bool *used = arg;
    bool wrapped = false;

    for (int s = 0; s < stops; s++) {
        const int k = f->in_level[way[s].port], output = (int)(way[s].output % (uint32_t)f->ports);
        const int input = (int)(way[s].port % (uint32_t)f->ports);
        int expected = output;
        used[way[s].port * (uint32_t)f->classes + (uint32_t)way[s].class] = true;
        if (s > 0 && k < dims) {
            int before = coordinate_of(f, node_of(f, way[s - 1].port), k);
            int here = coordinate_of(f, node_of(f, way[s].port), k);
            /* a link of a ring of two is the wrap link in one direction */
            bool up = f->shape.one_way || input % 2 == 0;
            wrapped = (wrapped && f->out_level[way[s - 1].output] == k &&
                       f->in_level[way[s - 1].port] == k) ||
                      (up ? here < before : here > before);
            if (f->out_level[way[s].output] == k) {
                if (output != input)
                    cr_assert_fail("%s: from %u to %u turns back", title(f), from, to);
                if (wrapped)
                    expected = f->shape.one_way ? f->ports : input ^ 1;
            }
        }
        if (way[s].class != expected)
            cr_assert_fail("%s: from %u to %u, stop %d: class %d, not %d", title(f), from, to, s,
                           way[s].class, expected);
    }
}

Test(fabrics, a_class_says_where_a_packet_goes_and_whether_it_is_wrapped)
{
    for (int k = 0; k < GRIDS; k++) {
        swq_fabric f = laid_out(&grids[k]);
        bool *used = calloc((size_t)f.switches * (size_t)f.ports * (size_t)f.classes, 1);
        for_every_pair(&f, expect_classes, used);
        free(used);
        swq_fabric_clear(ctx, &f);
    }
}

/* How many classes are met with at input port p of any switch: those that the table has there. */
static int classes_met(const swq_fabric *f, const bool *used, int p)
{
    int number = 0;

    for (int c = 0; c < f->classes; c++) {
        bool met = false, listed = false;
        for (uint32_t w = 0; w < f->switches; w++) {
            size_t q = ((size_t)w * (size_t)f->ports + (size_t)p) * (size_t)f->classes + (size_t)c;
            met |= used[q];
            listed |= f->output[q] != 255;
        }
        cr_assert_eq(met, listed, "%s, port %d, class %d", title(f), p, c);
        number += met;
    }
    return number;
}

/* Fig. 6.7: Qh, Ql, Qr, Qn, Qw at the ports of the dimension that is traversed first. The last
 * dimension has nowhere to turn. The host port has the four directions. */
Test(fabrics, five_queues_in_two_dimensions)
{
    static const struct {
        named_shape named;
        int met[7]; /* by input port */
    } expected[] = {
        {GRID("torus", 2, {11, 11}), {5, 5, 3, 3, 4}},
        {GRID("mesh", 2, {11, 11}), {4, 4, 2, 2, 4}},
        {GRID("torus", 3, {5, 5, 5}), {7, 7, 5, 5, 3, 3, 6}},
        {ONE_WAY(2, {5, 5}), {4, 3, 2}},
        {ONE_WAY(3, {3, 3, 3}), {5, 4, 3, 3}},
        /* with "pass on" at the host ports; the last switch delivers what comes by the chain */
        {CHAINED("torus", 4, {5, 5, 2, 5}), {5, 5, 3, 3, 5}},
    };

    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        swq_fabric f = laid_out(&expected[k].named);
        bool *used = calloc((size_t)f.switches * (size_t)f.ports * (size_t)f.classes, 1);
        for_every_pair(&f, expect_classes, used);
        for (int p = 0; p < f.ports; p++)
            cr_assert_eq(classes_met(&f, used, p), expected[k].met[p], "%s, port %d: %d classes",
                         title(&f), p, classes_met(&f, used, p));
        free(used);
        swq_fabric_clear(ctx, &f);
    }
}

/* The same links between nodes, in the same order, whatever a node is made of. */
static void expect_same_links(const swq_fabric *f, uint32_t from, uint32_t to, void *arg)
{
    const swq_fabric *chained = arg;
    int stops = walk(f, from, to, way), others_stops = walk(chained, from, to, other_way), s = 0;
    const int hosts = f->shape.dims;

    for (int t = 0; t < others_stops; t++) {
        const uint32_t output = other_way[t].output;
        const int level = chained->out_level[output];
        if (level == hosts)
            continue;
        bool same = s < stops && node_of(f, way[s].port) == node_of(chained, other_way[t].port) &&
                    f->out_level[way[s].output] == level &&
                    way[s].output % (uint32_t)f->ports % 2 == output % 5 % 2;
        if (!same)
            cr_assert_fail("%s: from %u to %u, link %d differs", title(chained), from, to, s);
        s++;
    }
    if (s != stops - 1 || others_stops - s != (hosts + 1) / 2)
        cr_assert_fail("%s: from %u to %u, %d stops", title(chained), from, to, others_stops);
}

Test(fabrics, a_chain_of_switches_goes_the_same_ways)
{
    for (int k = 0; k < GRIDS; k++) {
        if (!grids[k].shape.chained)
            continue;
        named_shape whole = grids[k];
        whole.shape.chained = false;
        swq_fabric chained = laid_out(&grids[k]), f = laid_out(&whole);
        for_every_pair(&f, expect_same_links, &chained);
        swq_fabric_clear(ctx, &chained);
        swq_fabric_clear(ctx, &f);
    }
}

/* ---- what waits for what ---- */

/* Vertices are the things that packets wait in; an edge leads to what they wait for there. */
typedef struct {
    size_t vertices;
    bool *edge; /* [vertices * vertices] */
    size_t (*vertex)(const swq_fabric *f, const stop *s);
} fabric_graph;

static size_t its_queue(const swq_fabric *f, const stop *s)
{
    return s->port * (size_t)f->classes + (size_t)s->class;
}

static size_t its_output(const swq_fabric *f, const stop *s) /* wrapped or not: one queue */
{
    return s->port * (size_t)f->classes + s->output % (size_t)f->ports;
}

static size_t its_buffer(const swq_fabric *f, const stop *s)
{
    (void)f;
    return s->port;
}

static void add_edges(const swq_fabric *f, uint32_t from, uint32_t to, void *arg)
{
    fabric_graph *g = arg;
    int stops = walk(f, from, to, way);

    for (int s = 0; s + 1 < stops; s++)
        g->edge[g->vertex(f, &way[s]) * g->vertices + g->vertex(f, &way[s + 1])] = true;
}

/* Vertices that nothing leads to are taken away until there are none. */
static bool has_cycle(const fabric_graph *g)
{
    const size_t n = g->vertices;
    size_t *in = calloc(n, sizeof *in), *ready = malloc(n * sizeof *ready), many = 0, taken = 0;

    for (size_t e = 0; e < n * n; e++)
        in[e % n] += g->edge[e];
    for (size_t v = 0; v < n; v++) {
        if (!in[v])
            ready[many++] = v;
    }
    for (; taken < many; taken++) {
        for (size_t v = 0; v < n; v++) {
            if (g->edge[ready[taken] * n + v] && !--in[v])
                ready[many++] = v;
        }
    }
    free(in);
    free(ready);
    return taken < n;
}

static bool waits_in_circles(const swq_fabric *f,
                             size_t (*vertex)(const swq_fabric *, const stop *))
{
    fabric_graph g = {.vertices = (size_t)f->switches * (size_t)f->ports * (size_t)f->classes,
                      .vertex = vertex};

    g.edge = calloc(g.vertices * g.vertices, sizeof *g.edge);
    for_every_pair(f, add_edges, &g);
    bool result = has_cycle(&g);
    free(g.edge);
    return result;
}

/* Is there a ring in which packets go over `hops` links in the same direction, from every node on?
 * Not those that are half-way round, who go up from every other node only. */
static bool goes_round(const swq_fabric *f, int hops)
{
    bool closed = false;

    for (int k = 0; k < f->shape.dims && is(f, &swq_fabric_torus); k++)
        closed |= f->shape.extent[k] > (f->shape.one_way ? hops : 2 * hops);
    return closed;
}

/* Buffers wait in circles where every packet of a ring may have one more link to go behind the next
 * buffer, queues of an output where it may have two. */
Test(fabrics, only_rings_without_classes_wait_in_circles)
{
    int closed = 0;

    for (int k = 0; k < SHAPES; k++) {
        swq_fabric f = laid_out(shape_number(k));
        if (f.switches * (uint32_t)f.ports * (uint32_t)f.classes > 4000) {
            swq_fabric_clear(ctx, &f);
            continue;
        }
        bool ring = goes_round(&f, 2);
        cr_assert(!waits_in_circles(&f, its_queue), "%s, queues", title(&f));
        cr_assert_eq(waits_in_circles(&f, its_output), goes_round(&f, 3), "%s, outputs", title(&f));
        cr_assert_eq(waits_in_circles(&f, its_buffer), ring, "%s, buffers", title(&f));
        closed += goes_round(&f, 3);
        swq_fabric_clear(ctx, &f);
    }
    cr_assert(closed >= 5, "only %d", closed);
}

/* ---- loads ---- */

static swq_fabric_loads loads_of(const swq_fabric *f, const double *weight)
{
    swq_fabric_loads loads;

    cr_assert_eq(swq_fabric_enumerate(ctx, f, weight, &loads), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return loads;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * (1 + fabs(b));
}

/* Uniform traffic. In a dimension of extent k (Dally and Towles 2004, 3.2.1 and 3.3.1) with
 * oneself among the destinations: a mean of k/4 or k/4 - 1/(4k) hops in a ring, (k - 1/k) / 3 in a
 * row, (k-1)/2 one way; all links of a ring alike, but in rings of 4m + 2 nodes, where m + 1 of the
 * pairs that are half round pass every other link and m the others; a row is busiest in the middle.
 * Without oneself all that is larger by N / (N-1). */
Test(fabrics, hops_and_loads_of_grids)
{
    for (int g = 0; g < GRIDS; g++) {
        swq_fabric f = laid_out(&grids[g]);
        swq_fabric_loads loads = loads_of(&f, NULL);
        const double others_only = (double)f.nodes / (f.nodes - 1);
        double hops = 0, most = 1;
        for (int d = 0; d < f.shape.dims; d++) {
            const int extent = f.shape.extent[d];
            const double k = extent, odd = extent % 2;
            double mean, load, busiest; /* of the dimension */
            if (is(&f, &swq_fabric_mesh)) {
                mean = (k - 1 / k) / 3;
                load = mean / (2 * (k - 1) / k);
                busiest = k / 4 - odd / (4 * k);
            } else if (f.shape.one_way) {
                mean = load = busiest = (k - 1) / 2;
            } else {
                mean = k / 4 - odd / (4 * k);
                load = mean / 2;
                busiest = load + (extent % 4 == 2 ? 1 / (2 * k) : 0);
            }
            hops += mean * others_only;
            cr_assert(near(loads.level_load[d], load * others_only) &&
                          near(loads.level_most[d], busiest * others_only),
                      "%s, dimension %d: %.12g, at most %.12g", title(&f), d, loads.level_load[d],
                      loads.level_most[d]);
            most = fmax(most, busiest * others_only);
        }
        const int chain = f.shape.chained ? (f.shape.dims + 1) / 2 : 1;
        cr_assert(near(loads.mean_hops, hops) && near(loads.mean_entered, hops + chain),
                  "%s: %.12g", title(&f), loads.mean_hops);
        cr_assert(near(loads.level_load[f.shape.dims], 1) && near(loads.most, most), "%s",
                  title(&f));
        swq_fabric_clear(ctx, &f);
    }
}

/* The dissertation's two tori: in odd ones of two dimensions k/2 hops, exactly. */
Test(fabrics, the_tori_of_chapter_six)
{
    static const named_shape tori[] = {GRID("torus", 2, {11, 11}), GRID("torus", 2, {21, 21})};

    for (int k = 0; k < 2; k++) {
        swq_fabric f = laid_out(&tori[k]);
        swq_fabric_loads loads = loads_of(&f, NULL);
        cr_assert(near(loads.mean_hops, k ? 10.5 : 5.5) && near(loads.most, k ? 2.625 : 1.375));
        cr_assert_eq(f.switches, k ? 441 : 121);
        cr_assert_eq(f.ports, 5);
        cr_assert_eq(f.classes, 5);
        swq_fabric_clear(ctx, &f);
    }
}

/* n/2 hops, n/2 * N/(N-1) without oneself; in stages every link is loaded alike. */
Test(fabrics, hops_and_loads_of_the_others)
{
    for (int k = 0; k < OTHERS; k++) {
        swq_fabric f = laid_out(&others[k]);
        swq_fabric_loads loads = loads_of(&f, NULL);
        const double n = f.shape.dims, nodes = f.nodes;
        bool cube = is(&f, &swq_fabric_hypercube);
        double hops = cube ? n / 2 * nodes / (nodes - 1) : f.shape.stages - 1;
        cr_assert(near(loads.mean_hops, hops) && near(loads.mean_entered, hops + 1), "%s",
                  title(&f));
        for (int level = 0; level < f.levels; level++) {
            double load = cube && level < f.shape.dims ? hops / n : 1;
            cr_assert(near(loads.level_load[level], load) && near(loads.level_most[level], load),
                      "%s, level %d: %.12g, at most %.12g", title(&f), level,
                      loads.level_load[level], loads.level_most[level]);
        }
        cr_assert(near(loads.most, 1));
        swq_fabric_clear(ctx, &f);
    }
}

typedef uint32_t image_fn(const swq_fabric *f, uint32_t source);

static swq_fabric_loads loads_of_permutation(const swq_fabric *f, image_fn *image)
{
    double *weight = calloc((size_t)f->nodes * f->nodes, sizeof *weight);

    for (uint32_t s = 0; s < f->nodes; s++)
        weight[(size_t)s * f->nodes + image(f, s)] = 1;
    swq_fabric_loads loads = loads_of(f, weight);
    free(weight);
    return loads;
}

/* ceil(k/2) - 1 further in every dimension */
static uint32_t tornado(const swq_fabric *f, uint32_t source)
{
    uint32_t image = 0;

    for (int k = 0; k < f->shape.dims; k++) {
        int extent = f->shape.extent[k];
        int there = (coordinate_of(f, source, k) + (extent + 1) / 2 - 1) % extent;
        image = image * (uint32_t)extent + (uint32_t)there;
    }
    return image;
}

static uint32_t next(const swq_fabric *f, uint32_t source)
{
    return (source + 1) % f->nodes;
}

static uint32_t reversal(const swq_fabric *f, uint32_t source)
{
    uint32_t image = 0;

    for (uint32_t n = f->nodes; n > 1; n /= 2, source /= 2)
        image = 2 * image + source % 2;
    return image;
}

/* Row and column, or the two halves of a number's bits, change places. */
static uint32_t transpose(const swq_fabric *f, uint32_t source)
{
    uint32_t side = 1;

    while (side * side < f->nodes)
        side++;
    return source % side * side + source / side;
}

/* Every packet goes up by ceil(k/2) - 1 links in every dimension, and none goes down. */
Test(fabrics, tornado_loads_one_direction)
{
    static const named_shape tori[] = {GRID("torus", 1, {8}), GRID("torus", 1, {9}),
                                       GRID("torus", 2, {8, 8}), GRID("torus", 2, {5, 7}),
                                       CHAINED("torus", 3, {5, 6, 5})};

    for (size_t t = 0; t < sizeof tori / sizeof *tori; t++) {
        swq_fabric f = laid_out(&tori[t]);
        swq_fabric_loads loads = loads_of_permutation(&f, tornado);
        double hops = 0;
        for (int k = 0; k < f.shape.dims; k++) {
            double load = (f.shape.extent[k] + 1) / 2 - 1;
            cr_assert(near(loads.level_most[k], load) && near(loads.level_load[k], load / 2), "%s",
                      title(&f));
            hops += load;
        }
        cr_assert(near(loads.mean_hops, hops));
        swq_fabric_clear(ctx, &f);
    }
    /* one-way rings bear it no worse than anything that goes as far */
    named_shape ring = ONE_WAY(1, {9});
    swq_fabric f = laid_out(&ring);
    swq_fabric_loads loads = loads_of_permutation(&f, tornado);
    cr_assert(near(loads.level_load[0], 4) && near(loads.most, 4));
    swq_fabric_clear(ctx, &f);
}

/* What the patterns of the table make of these networks. */
static void expect_pattern(const swq_fabric *f, const char *name, image_fn *image)
{
    const swq_places places = swq_fabric_places(f);
    const swq_pattern *pattern;

    cr_assert_eq(swq_pattern_find(ctx, name, &pattern), SWQ_OK);
    cr_assert_null(swq_pattern_objection(pattern, &places), "%s, %s", title(f), name);
    for (uint32_t s = 0; s < f->nodes; s++)
        cr_assert_eq(pattern->image(&places, s), image(f, s), "%s, %s", title(f), name);
}

/* One further in every dimension. */
static uint32_t neighbour(const swq_fabric *f, uint32_t source)
{
    uint32_t image = 0;

    for (int k = 0; k < f->shape.dims; k++)
        image = image * (uint32_t)f->shape.extent[k] +
                (uint32_t)((coordinate_of(f, source, k) + 1) % f->shape.extent[k]);
    return image;
}

Test(fabrics, patterns_go_by_dimension)
{
    static const named_shape shapes[] = {
        GRID("torus", 1, {8}),   GRID("torus", 2, {8, 8}),      GRID("torus", 2, {5, 7}),
        GRID("mesh", 2, {6, 4}), CHAINED("mesh", 3, {3, 4, 5}), ONE_WAY(2, {4, 6}),
    };

    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        swq_fabric f = laid_out(&shapes[k]);
        expect_pattern(&f, "tornado", tornado);
        expect_pattern(&f, "neighbour", neighbour);
        swq_fabric_clear(ctx, &f);
    }
    for (int side = 3; side <= 8; side++) {
        named_shape square = GRID("mesh", 2, {0});
        square.shape.extent[0] = square.shape.extent[1] = side;
        swq_fabric f = laid_out(&square);
        expect_pattern(&f, "transpose", transpose);
        swq_fabric_clear(ctx, &f);
    }
}

/* Of an 8 x 8 torus every pair is 3 + 3 links apart; enumerated one sender at a time. */
Test(fabrics, tornado_of_a_square_torus_is_three_and_three)
{
    const named_shape shape = GRID("torus", 2, {8, 8});
    swq_fabric f = laid_out(&shape);
    const swq_places places = swq_fabric_places(&f);
    const swq_pattern *pattern;

    cr_assert_eq(swq_pattern_find(ctx, "tornado", &pattern), SWQ_OK);
    for (uint32_t s = 0; s < f.nodes; s++) {
        double *weight = calloc((size_t)f.nodes * f.nodes, sizeof *weight);
        weight[(size_t)s * f.nodes + pattern->image(&places, s)] = 1;
        swq_fabric_loads loads = loads_of(&f, weight);
        cr_assert(near(loads.mean_hops, 6), "from %u: %g", s, loads.mean_hops);
        for (int k = 0; k < 2; k++)
            cr_assert(near(loads.level_load[k] * f.level_outputs[k], 3), "from %u", s);
        free(weight);
    }
    swq_fabric_clear(ctx, &f);
}

/* All k nodes of a line meet at the diagonal: over a mesh's border link come k - 1 packets, in a
 * torus half as many from either side. The k nodes of the diagonal send nothing. In a hypercube
 * sqrt(N) / 2 packets meet. */
Test(fabrics, transpose_meets_at_the_diagonal)
{
    for (int k = 3; k <= 9; k += 2) {
        named_shape mesh = GRID("mesh", 2, {0}), torus = GRID("torus", 2, {0});
        for (int d = 0; d < 2; d++)
            mesh.shape.extent[d] = torus.shape.extent[d] = k;
        swq_fabric f = laid_out(&mesh);
        swq_fabric_loads loads = loads_of_permutation(&f, transpose);
        cr_assert(near(loads.most, k - 1) && near(loads.mean_hops, 2.0 * (k + 1) / 3), "%s",
                  title(&f));
        cr_assert(near(loads.level_load[2], 1 - 1.0 / k) && near(loads.level_most[2], 1));
        swq_fabric_clear(ctx, &f);
        f = laid_out(&torus);
        loads = loads_of_permutation(&f, transpose);
        cr_assert(near(loads.most, (k - 1) / 2) && near(loads.mean_hops, (k + 1) / 2.0), "%s",
                  title(&f));
        swq_fabric_clear(ctx, &f);
    }
    for (int n = 4; n <= 8; n += 2) {
        named_shape cube = {"hypercube", {.dims = n}};
        swq_fabric f = laid_out(&cube);
        swq_fabric_loads loads = loads_of_permutation(&f, transpose);
        cr_assert(near(loads.most, (1 << n / 2) / 2), "%s: %g", title(&f), loads.most);
        swq_fabric_clear(ctx, &f);
    }
}

/* The omega network passes cyclic shifts without a conflict (Lawrie 1975); of bit reversal 2^(n/2)
 * packets meet, half-way. */
Test(fabrics, permutations_in_the_omega_network)
{
    for (int n = 2; n <= 8; n++) {
        named_shape omega = STAGES("omega", 2, n);
        swq_fabric f = laid_out(&omega);
        cr_assert(near(loads_of_permutation(&f, next).most, 1));
        cr_assert(near(loads_of_permutation(&f, reversal).most, 1 << n / 2), "%d stages", n);
        swq_fabric_clear(ctx, &f);
    }
}

/* Weights to oneself count where they are sent, and nowhere else. */
Test(fabrics, what_is_sent_to_oneself)
{
    named_shape mesh = GRID("mesh", 1, {3}), one = STAGES("switch", 3, 1);
    static const double weight[9] = {1, 0, 0, 0, 0, 1, 0.5, 0.5, 0};
    swq_fabric f = laid_out(&mesh);
    swq_fabric_loads loads = loads_of(&f, weight);

    /* 1 to 2, and 2 to 0 and to 1 half the time each */
    cr_assert(near(loads.mean_hops, 1.25) && near(loads.mean_entered, 2.25));
    cr_assert(near(loads.level_load[0], 2.5 / 4) && near(loads.level_most[0], 1));
    cr_assert(near(loads.level_load[1], 2.0 / 3) && near(loads.most, 1));
    static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    loads = loads_of(&f, none);
    cr_assert(loads.mean_hops == 0 && loads.mean_entered == 0 && loads.most == 0);
    swq_fabric_clear(ctx, &f);
    f = laid_out(&one);
    loads = loads_of(&f, weight);
    cr_assert(near(loads.mean_entered, 1) && loads.mean_hops == 0 && near(loads.most, 1.5));
    swq_fabric_clear(ctx, &f);
}

/* ---- drawn by hand ---- */

/* Node 4 of a 3 x 3 torus is (1, 1); node 8 is (2, 2). */
Test(fabrics, links_of_nine_nodes)
{
    named_shape nine = GRID("torus", 2, {3, 3});
    swq_fabric f = laid_out(&nine);
    static const uint32_t of_4[] = {7 * 5, 1 * 5 + 1, 5 * 5 + 2, 3 * 5 + 3, SWQ_TO_NODE | 4};
    static const uint32_t of_8[] = {2 * 5, 5 * 5 + 1, 6 * 5 + 2, 7 * 5 + 3, SWQ_TO_NODE | 8};

    for (int p = 0; p < 5; p++) {
        cr_assert_eq(f.link[4 * 5 + p], of_4[p]);
        cr_assert_eq(f.link[8 * 5 + p], of_8[p]);
    }
    cr_assert_eq(f.entry[4], 4 * 5 + 4);
    swq_fabric_clear(ctx, &f);
    nine = (named_shape)GRID("mesh", 2, {3, 3});
    f = laid_out(&nine);
    cr_assert_eq(f.link[8 * 5], SWQ_NO_WHERE);
    cr_assert_eq(f.link[8 * 5 + 1], 5 * 5 + 1);
    cr_assert_eq(f.in_level[8 * 5 + 1], 255);
    cr_assert_eq(f.in_level[8 * 5], 0);
    swq_fabric_clear(ctx, &f);
}

/* Three dimensions in two switches a node: the second has one dimension, and two ports without
 * links. */
Test(fabrics, links_of_a_chain)
{
    named_shape three = CHAINED("torus", 3, {2, 3, 4});
    swq_fabric f = laid_out(&three);
    /* node 5 = (0, 1, 1), switches 10 and 11 */
    static const uint32_t of_10[] = {34 * 5, 34 * 5 + 1, 18 * 5 + 2, 2 * 5 + 3, 11 * 5 + 4};
    static const uint32_t of_11[] = {13 * 5, 9 * 5 + 1, SWQ_NO_WHERE, SWQ_NO_WHERE,
                                     SWQ_TO_NODE | 5};

    for (int p = 0; p < 5; p++) {
        cr_assert_eq(f.link[10 * 5 + p], of_10[p], "port %d: %u", p, f.link[10 * 5 + p]);
        cr_assert_eq(f.link[11 * 5 + p], of_11[p], "port %d: %u", p, f.link[11 * 5 + p]);
    }
    cr_assert_eq(f.entry[5], 10 * 5 + 4);
    swq_fabric_clear(ctx, &f);
}

/* The path of tests/sim/test_topologies.c: from 101 to 011. */
Test(fabrics, a_way_through_the_omega_network)
{
    named_shape omega = STAGES("omega", 2, 3);
    swq_fabric f = laid_out(&omega);

    cr_assert_eq(walk(&f, 5, 3, way), 3);
    cr_assert(way[0].port == 3 && way[0].class == 0 && way[0].output == 2);
    cr_assert(way[1].port == 8 + 4 && way[1].class == 1 && way[1].output == 8 + 5);
    cr_assert(way[2].port == 16 + 3 && way[2].class == 1 && way[2].output == 16 + 3);
    swq_fabric_clear(ctx, &f);
}

/* In a ring of six, two links each way round from 0 to 3 and from 3 to 0. */
Test(fabrics, half_way_round_it_depends_on_the_sender)
{
    named_shape six = GRID("torus", 1, {6});
    swq_fabric f = laid_out(&six);

    for (uint32_t from = 0; from < 6; from++) {
        cr_assert_eq(walk(&f, from, (from + 3) % 6, way), 4);
        for (int s = 0; s < 3; s++)
            cr_assert_eq(way[s].output % 3, from % 2, "from %u", from);
    }
    swq_fabric_clear(ctx, &f);
}

Test(fabrics, hypercubes_put_high_bits_right_first)
{
    named_shape cube = {"hypercube", {.dims = 4}};
    swq_fabric f = laid_out(&cube);

    /* 0101 to 1110: bits 3, 1, 0 */
    cr_assert_eq(walk(&f, 5, 14, way), 4);
    cr_assert(way[0].port == 5 * 5 + 4 && way[0].class == 3);
    cr_assert(way[1].port == 13 * 5 + 3 && way[1].class == 1);
    cr_assert(way[2].port == 15 * 5 + 1 && way[2].class == 0);
    cr_assert(way[3].port == 14 * 5 + 0 && way[3].class == 4);
    swq_fabric_clear(ctx, &f);
}

Test(fabrics, names_of_levels)
{
    named_shape torus = GRID("torus", 2, {3, 3}), cube = {"hypercube", {.dims = 1}},
                omega = STAGES("omega", 2, 3);
    const struct {
        named_shape *named;
        int level;
        const char *name;
    } expected[] = {{&torus, 0, "dimension 1"}, {&torus, 1, "dimension 2"}, {&torus, 2, "hosts"},
                    {&cube, 0, "dimension 1"},  {&cube, 1, "hosts"},        {&omega, 0, "stage 1"},
                    {&omega, 2, "stage 3"}};

    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        swq_fabric f = laid_out(expected[k].named);
        char text[32];
        f.shape.kind->level_name(&f, expected[k].level, text, sizeof text);
        cr_assert_str_eq(text, expected[k].name);
        f.shape.kind->level_name(&f, expected[k].level, text, 4);
        cr_assert_eq(strlen(text), 3);
        swq_fabric_clear(ctx, &f);
    }
}

/* ---- large ones ---- */

/* Pairs drawn at random. */
Test(fabrics, large_ones_deliver_too)
{
    static const named_shape large[] = {
        GRID("torus", 1, {65535}),
        GRID("torus", 2, {1000, 1001}),
        GRID("mesh", 2, {65535, 3}),
        GRID("torus", 15, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3}),
        CHAINED("torus", 15, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3}),
        CHAINED("mesh", 13, {2, 2, 2, 2, 3, 2, 2, 2, 2, 2, 2, 2, 2}),
        ONE_WAY(15, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}),
        ONE_WAY(1, {65535}),
        {"hypercube", {.dims = 15}},
        STAGES("omega", 2, 16),
        STAGES("omega", 32, 4),
        STAGES("butterfly", 31, 3),
    };
    uint64_t seed = 7;

    for (size_t k = 0; k < sizeof large / sizeof *large; k++) {
        swq_fabric f = laid_out(&large[k]);
        uint64_t links = 0;
        while (links < 500000) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint32_t from = (uint32_t)(seed >> 40) % f.nodes;
            uint32_t to = (uint32_t)(seed >> 11 & 0xffffff) % f.nodes;
            if (from != to)
                expect_shortest(&f, from, to, NULL);
            links += (uint64_t)distance(&f, from, to) + 10;
        }
        swq_fabric_clear(ctx, &f);
    }
}

/* ---- finding, refusing, failing ---- */

Test(fabrics, names_of_kinds_and_of_wirings)
{
    swq_shape shape = {.ports = 7, .dims = 3};

    for (int k = 0; swq_fabric_kinds[k]; k++) {
        cr_assert_eq(swq_fabric_find(ctx, swq_fabric_kinds[k]->name, &shape), SWQ_OK);
        cr_assert_eq(shape.kind, swq_fabric_kinds[k]);
        cr_assert_eq(shape.wiring, k ? NULL : swq_topologies[0]);
        cr_assert(shape.ports == 7 && shape.dims == 3);
        cr_assert(swq_fabric_kinds[k]->summary && swq_fabric_kinds[k]->source);
    }
    for (int t = 0; swq_topologies[t]; t++) {
        cr_assert_eq(swq_fabric_find(ctx, swq_topologies[t]->name, &shape), SWQ_OK);
        cr_assert(shape.kind == &swq_fabric_multistage && shape.wiring == swq_topologies[t]);
    }
    static const struct {
        const char *name, *part;
    } unknown[] = {{"tores", "did you mean 'torus'"},
                   {"omeag", "did you mean 'omega'"},
                   {"hyper-cube", "did you mean 'hypercube'"},
                   {"", "unknown"},
                   {"klein bottle", "known: multistage, torus, mesh, hypercube, "}};
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
        swq_shape before = shape;
        cr_assert_eq(swq_fabric_find(ctx, unknown[k].name, &shape), SWQ_EINVAL);
        cr_assert_not_null(strstr(swq_context_message(ctx), unknown[k].part), "%s",
                           swq_context_message(ctx));
        cr_assert(memcmp(&before, &shape, sizeof shape) == 0);
    }
}

Test(fabrics, bad_shapes_are_named)
{
    static const struct {
        named_shape named;
        const char *part;
    } bad[] = {
        {GRID("torus", 0, {5}), "dims must be 1 to 15, not 0"},
        {GRID("mesh", 16, {2}), "dims must be 1 to 15, not 16"},
        {GRID("torus", -1, {5}), "dims must be 1 to 15, not -1"},
        {GRID("torus", 2, {5, 1}), "extent 2 must be 2 to 65535, not 1"},
        {GRID("mesh", 2, {65536, 2}), "extent 1 must be 2 to 65535, not 65536"},
        {GRID("torus", 2, {-7, 2}), "extent 1 must be 2 to 65535, not -7"},
        {GRID("torus", 2, {4096, 4097}), "nodes must be at most 16777216"},
        {GRID("torus", 4, {65535, 65535, 65535, 65535}), "first 2 extents exceed: 4294836225"},
        {{"torus", {.dims = 2, .extent = {3, 3}, .one_way = true, .chained = true}},
         "one_way and chained"},
        {{"mesh", {.dims = 2, .extent = {3, 3}, .one_way = true}},
         "one_way is for topology torus, not for mesh"},
        {{"hypercube", {.dims = 2, .one_way = true}}, "not for hypercube"},
        {{"hypercube", {.dims = 2, .chained = true}}, "chained is for topologies torus and mesh"},
        {{"omega", {.ports = 2, .stages = 2, .chained = true}}, "not for omega"},
        {{"hypercube", {.dims = 0}}, "dims must be 1 to 15, not 0"},
        {{"hypercube", {.dims = 16}}, "dims must be 1 to 15, not 16"},
        {STAGES("omega", 1, 3), "ports must be 2 to 255 for topology omega, not 1"},
        {STAGES("omega", 256, 3), "ports must be 2 to 255 for topology omega, not 256"},
        {STAGES("omega", 2, 0), "stages must be 1 to 24, not 0"},
        {STAGES("omega", 2, 25), "stages must be 1 to 24, not 25"},
        {STAGES("switch", 2, 2), "stages must be 1 for topology switch, not 2"},
        {STAGES("flip", 32, 5), "nodes must be at most 16777216"},
    };
    swq_fabric f, before;

    memset(&f, 0x55, sizeof f);
    before = f;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        swq_shape shape = bad[k].named.shape;
        cr_assert_eq(swq_fabric_find(ctx, bad[k].named.name, &shape), SWQ_OK);
        cr_assert_eq(swq_fabric_count(ctx, &shape, &f), SWQ_EINVAL, "%s", bad[k].part);
        cr_assert_not_null(strstr(swq_context_message(ctx), bad[k].part), "'%s', not '%s'",
                           swq_context_message(ctx), bad[k].part);
        cr_assert_eq(swq_fabric_make(ctx, &shape, &f), SWQ_EINVAL);
        cr_assert(memcmp(&f, &before, sizeof f) == 0);
    }
    swq_shape none = {.ports = 2, .stages = 2};
    cr_assert_eq(swq_fabric_count(ctx, &none, &f), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "topology must be given"));
    none.kind = &swq_fabric_multistage;
    cr_assert_eq(swq_fabric_count(ctx, &none, &f), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "wiring must be given"));
}

/* The largest of each kind are counted, without being laid out. */
Test(fabrics, counting_takes_no_memory)
{
    static const struct {
        named_shape named;
        uint32_t nodes, switches;
        int ports, classes, levels;
    } expected[] = {
        {GRID("torus", 2, {4096, 4096}), 1 << 24, 1 << 24, 5, 5, 3},
        {CHAINED("mesh", 3, {256, 256, 256}), 1 << 24, 1 << 25, 5, 5, 4},
        {ONE_WAY(2, {4096, 4096}), 1 << 24, 1 << 24, 3, 4, 3},
        {GRID("torus", 15, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}), 1 << 15, 1 << 15, 31, 31,
         16},
        {{"hypercube", {.dims = 15}}, 1 << 15, 1 << 15, 16, 16, 16},
        {STAGES("omega", 2, 24), 1 << 24, 12 << 24, 2, 2, 24},
    };

    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        swq_shape shape = expected[k].named.shape;
        swq_fabric f;
        cr_assert_eq(swq_fabric_find(ctx, expected[k].named.name, &shape), SWQ_OK);
        cr_assert_eq(swq_fabric_count(ctx, &shape, &f), SWQ_OK);
        cr_assert(f.nodes == expected[k].nodes && f.switches == expected[k].switches, "%s",
                  title(&f));
        cr_assert(f.ports == expected[k].ports && f.classes == expected[k].classes &&
                      f.levels == expected[k].levels,
                  "%s", title(&f));
        cr_assert(!f.link && !f.entry && !f.output && !f.in_level && !f.out_level &&
                  !f.coordinate && !f.position);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
}

Test(fabrics, bytes_are_foreseen)
{
    for (int k = 0; k < SHAPES; k++) {
        const named_shape *named = shape_number(k);
        swq_shape shape = named->shape;
        swq_fabric counted, f = laid_out(named);
        cr_assert_eq(swq_fabric_find(ctx, named->name, &shape), SWQ_OK);
        cr_assert_eq(swq_fabric_count(ctx, &shape, &counted), SWQ_OK);
        cr_assert_eq(swq_fabric_bytes(&counted), (double)swq_context_live_bytes(ctx), "%s",
                     title(&f));
        swq_fabric_clear(ctx, &f);
        swq_fabric_clear(ctx, &f);
    }
    swq_fabric_clear(ctx, NULL);
}

Test(fabrics, every_allocation_fails)
{
    static const named_shape some[] = {GRID("torus", 2, {3, 4}),
                                       STAGES("omega", 2, 3),
                                       CHAINED("mesh", 3, {2, 2, 2}),
                                       {"hypercube", {.dims = 3}}};

    for (size_t k = 0; k < 2 * sizeof some / sizeof *some; k++) {
        swq_shape shape = some[k / 2].shape;
        cr_assert_eq(swq_fabric_find(ctx, some[k / 2].name, &shape), SWQ_OK);
        swq_status status = SWQ_ENOMEM;
        size_t after = 0;
        for (; status == SWQ_ENOMEM; after++) {
            swq_fabric f, before;
            swq_fabric_loads loads, loads_before;
            memset(&f, 0x55, sizeof f);
            memset(&loads, 0x55, sizeof loads);
            before = f;
            loads_before = loads;
            swq_context_fail_allocations(ctx, after, k % 2);
            status = swq_fabric_make(ctx, &shape, &f);
            if (status != SWQ_OK) {
                cr_assert(memcmp(&f, &before, sizeof f) == 0);
            } else {
                status = swq_fabric_enumerate(ctx, &f, NULL, &loads);
                if (status != SWQ_OK)
                    cr_assert(memcmp(&loads, &loads_before, sizeof loads) == 0);
                swq_fabric_clear(ctx, &f);
            }
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "allocation %zu", after);
        }
        cr_assert(status == SWQ_OK && after > 6, "only %zu allocations", after);
    }
}

Test(fabrics, the_limit_is_kept)
{
    named_shape torus = GRID("torus", 2, {30, 30});
    swq_fabric f = laid_out(&torus), other;
    swq_fabric_loads loads;

    swq_context_limit_memory(ctx, swq_context_live_bytes(ctx) + 20000);
    cr_assert_eq(swq_fabric_make(ctx, &f.shape, &other), SWQ_ELIMIT);
    cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_ELIMIT);
    swq_fabric_clear(ctx, &f);
}

/* Links that somebody has tampered with. */
Test(fabrics, astray_and_in_circles)
{
    named_shape named = GRID("torus", 2, {3, 3});
    swq_fabric f = laid_out(&named);
    swq_fabric_loads loads, before;

    memset(&loads, 0x55, sizeof loads);
    before = loads;
    uint32_t link = f.link[4];
    f.link[4] = SWQ_TO_NODE | 1;
    cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "from node 1 astray that are for node 0"),
                       "%s", swq_context_message(ctx));
    f.link[4] = link;
    f.link[0] = 4; /* up from node 0: back to its own entry */
    cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "from node 0 to 3 in circles"), "%s",
                       swq_context_message(ctx));
    f.link[0] = 1; /* and into a port of the other direction, whence nobody goes up */
    f.output[1 * 5 + 4] = 255;
    cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_EINVAL);
    cr_assert_not_null(strstr(swq_context_message(ctx), "has no output"), "%s",
                       swq_context_message(ctx));
    swq_context_cancel(ctx);
    cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_ECANCELLED);
    cr_assert(memcmp(&loads, &before, sizeof loads) == 0);
    swq_fabric_clear(ctx, &f);
}
