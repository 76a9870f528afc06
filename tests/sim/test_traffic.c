/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim/patterns: the patterns against hand-computed images, their rows, and every bad field of
 * network traffic refused by name.
 */
#include "sim/patterns/patterns.h"
#include "switchq/traffic.h"
#include "tests/support/support.h"

static swq_context *ctx;
static swq_traffic good;

static void setup(void)
{
    ctx = swq_context_new();
    good = swq_traffic_defaults();
}

static void teardown(void)
{
    swq_context_free(ctx);
}

TestSuite(patterns, .init = setup, .fini = teardown, .timeout = 240);
TestSuite(network_traffic, .init = setup, .fini = teardown, .timeout = 240);

static const swq_pattern *pattern_of(const char *name)
{
    const swq_pattern *pattern = NULL;

    cr_assert_eq(swq_pattern_find(ctx, name, &pattern), SWQ_OK, "%s", swq_context_message(ctx));
    return pattern;
}

static void expect_valid(const swq_traffic *traffic, uint32_t nodes)
{
    cr_assert_eq(swq_traffic_check(ctx, traffic, nodes), SWQ_OK, "%s", swq_context_message(ctx));
}

static void expect_error(const swq_traffic *traffic, uint32_t nodes, const char *part)
{
    cr_assert_eq(swq_traffic_check(ctx, traffic, nodes), SWQ_EINVAL, "%s", part);
    cr_assert_not_null(strstr(swq_context_message(ctx), part), "'%s' lacks '%s'",
                       swq_context_message(ctx), part);
}

/* ---- patterns ---- */

Test(patterns, rows)
{
    static const struct {
        const char *name;
        bool drawn;
    } rows[] = {{"uniform", true},    {"bit-reversal", false},      {"bit-complement", false},
                {"transpose", false}, {"shuffle", false},           {"tornado", false},
                {"neighbour", false}, {"random-permutation", true}, {"matrix", true}};
    size_t row = 0;

    for (; swq_patterns[row]; row++) {
        cr_assert(row < sizeof rows / sizeof *rows);
        cr_assert_str_eq(swq_patterns[row]->name, rows[row].name);
        cr_assert_eq(swq_patterns[row]->image == NULL, rows[row].drawn, "%s", rows[row].name);
        cr_assert(*swq_patterns[row]->summary && *swq_patterns[row]->source);
        cr_assert_eq(pattern_of(rows[row].name), swq_patterns[row]);
    }
    cr_assert_eq(row, sizeof rows / sizeof *rows);
    cr_assert_eq(pattern_of("uniform"), &swq_pattern_uniform);
    cr_assert_eq(pattern_of("random-permutation"), &swq_pattern_random_permutation);
    cr_assert_eq(pattern_of("matrix"), &swq_pattern_matrix);
}

Test(patterns, an_unknown_name)
{
    const swq_pattern *found = &swq_pattern_matrix;

    cr_assert_eq(swq_pattern_find(ctx, "tornadoes", &found), SWQ_EINVAL);
    cr_assert_eq(found, &swq_pattern_matrix);
    cr_assert_not_null(strstr(swq_context_message(ctx), "pattern 'tornadoes' is unknown"));
    cr_assert_not_null(strstr(swq_context_message(ctx), "did you mean 'tornado'?"));
}

/* If there is no objection, an image is a permutation. */
Test(patterns, images_are_permutations)
{
    for (int row = 0; swq_patterns[row]; row++) {
        const swq_pattern *p = swq_patterns[row];
        for (uint32_t n = 1; p->image && n <= 4096; n += n < 300 || n == 4095 ? 1 : 379) {
            const swq_places row_of = swq_places_in_a_row(n);
            bool *taken;
            if (swq_pattern_objection(p, &row_of))
                continue;
            taken = calloc(n, sizeof *taken);
            for (uint32_t s = 0; s < n; s++) {
                uint32_t d = p->image(&row_of, s);
                cr_assert(d < n && !taken[d], "%s of %u nodes: %u to %u", p->name, n, s, d);
                taken[d] = true;
            }
            free(taken);
        }
    }
}

Test(patterns, hand_computed_images)
{
    static const struct {
        const char *name;
        uint32_t nodes, image[16];
    } known[] = {
        {"bit-reversal", 8, {0, 4, 2, 6, 1, 5, 3, 7}},
        {"bit-reversal", 16, {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}},
        {"bit-reversal", 2, {0, 1}},
        {"bit-complement", 8, {7, 6, 5, 4, 3, 2, 1, 0}},
        {"bit-complement", 2, {1, 0}},
        {"transpose", 4, {0, 2, 1, 3}},
        {"transpose", 16, {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}},
        {"shuffle", 2, {0, 1}},
        {"shuffle", 8, {0, 2, 4, 6, 1, 3, 5, 7}},
        {"shuffle", 16, {0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15}},
        {"tornado", 2, {0, 1}},
        {"tornado", 5, {2, 3, 4, 0, 1}},
        {"tornado", 8, {3, 4, 5, 6, 7, 0, 1, 2}},
        {"tornado", 9, {4, 5, 6, 7, 8, 0, 1, 2, 3}},
        {"neighbour", 2, {1, 0}},
        {"neighbour", 5, {1, 2, 3, 4, 0}},
        {"neighbour", 8, {1, 2, 3, 4, 5, 6, 7, 0}},
    };

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const swq_pattern *p = pattern_of(known[k].name);
        const swq_places row = swq_places_in_a_row(known[k].nodes);
        for (uint32_t s = 0; s < known[k].nodes; s++)
            cr_assert_eq(p->image(&row, s), known[k].image[s], "%s of %u nodes: %u to %u", p->name,
                         known[k].nodes, s, p->image(&row, s));
    }
}

/* 16 million nodes: 24 bits, and no overflow. */
Test(patterns, images_of_the_largest_network)
{
    const swq_places n = swq_places_in_a_row(1u << 24);

    cr_assert_eq(pattern_of("bit-reversal")->image(&n, 0x00000b), 0xd00000);
    cr_assert_eq(pattern_of("bit-complement")->image(&n, 0x00000b), 0xfffff4);
    cr_assert_eq(pattern_of("transpose")->image(&n, 0xabcdef), 0xdefabc);
    cr_assert_eq(pattern_of("shuffle")->image(&n, 0xc00001), 0x800003);
    cr_assert_eq(pattern_of("tornado")->image(&n, 0xffffff), 0x7ffffe);
    cr_assert_eq(pattern_of("neighbour")->image(&n, 0xffffff), 0);
}

Test(patterns, objections)
{
    for (uint32_t n = 1; n <= 1100; n++) {
        bool power = false, even = false;
        for (uint32_t p = 1, bits = 0; p <= n; p *= 2, bits++) {
            power = power || p == n;
            even = even || (p == n && bits % 2 == 0);
        }
        for (int row = 0; swq_patterns[row]; row++) {
            const char *name = swq_patterns[row]->name;
            const swq_places places = swq_places_in_a_row(n);
            const char *objection = swq_pattern_objection(swq_patterns[row], &places);
            if (strcmp(name, "transpose") == 0)
                cr_assert_eq(objection == NULL, even, "%s of %u nodes", name, n);
            else if (strcmp(name, "shuffle") == 0 || strncmp(name, "bit-", 4) == 0)
                cr_assert_eq(objection == NULL, power, "%s of %u nodes", name, n);
            else
                cr_assert_null(objection, "%s of %u nodes", name, n);
        }
    }
}

/* In a grid, tornado and neighbour go by dimension, and transpose only requires a square. */
static void expect_images(const char *name, int dims, const int *extent, const uint32_t *image)
{
    swq_places grid = {1, dims, extent};
    const swq_pattern *p = pattern_of(name);

    for (int k = 0; k < dims; k++)
        grid.nodes *= (uint32_t)extent[k];
    cr_assert_null(swq_pattern_objection(p, &grid), "%s", name);
    for (uint32_t s = 0; s < grid.nodes; s++)
        cr_assert_eq(p->image(&grid, s), image[s], "%s, node %u: %u, not %u", name, s,
                     p->image(&grid, s), image[s]);
}

Test(patterns, images_in_a_grid)
{
    static const int wide[] = {2, 5}, square[] = {3, 3}, cube[] = {2, 3, 2}, ring[] = {6};

    expect_images("tornado", 2, wide, (uint32_t[]){2, 3, 4, 0, 1, 7, 8, 9, 5, 6});
    expect_images("tornado", 2, square, (uint32_t[]){4, 5, 3, 7, 8, 6, 1, 2, 0});
    expect_images("tornado", 3, cube, (uint32_t[]){2, 3, 4, 5, 0, 1, 8, 9, 10, 11, 6, 7});
    expect_images("tornado", 1, ring, (uint32_t[]){2, 3, 4, 5, 0, 1});
    expect_images("neighbour", 2, wide, (uint32_t[]){6, 7, 8, 9, 5, 1, 2, 3, 4, 0});
    expect_images("neighbour", 2, square, (uint32_t[]){4, 5, 3, 7, 8, 6, 1, 2, 0});
    expect_images("neighbour", 3, cube, (uint32_t[]){9, 8, 11, 10, 7, 6, 3, 2, 5, 4, 1, 0});
    expect_images("transpose", 2, square, (uint32_t[]){0, 3, 6, 1, 4, 7, 2, 5, 8});
}

/* A square whose side is a power of two is transposed as its numbers' bits are; other grids need an
 * even power of two, as nodes in a row do. */
Test(patterns, transpose_in_a_grid)
{
    static const int eight[] = {8, 8}, long_[] = {4, 16}, odd[] = {4, 9};
    const swq_places square = {64, 2, eight}, other = {64, 2, long_}, none = {36, 2, odd};
    const swq_places row = swq_places_in_a_row(64);
    const swq_pattern *p = pattern_of("transpose");

    for (uint32_t s = 0; s < 64; s++) {
        cr_assert_eq(p->image(&square, s), p->image(&row, s));
        cr_assert_eq(p->image(&other, s), p->image(&row, s));
    }
    cr_assert_str_eq(swq_pattern_objection(p, &none),
                     "an even power of two is needed, or a square torus or mesh");
}

Test(patterns, another_spelling)
{
    cr_assert_eq(pattern_of("neighbor"), pattern_of("neighbour"));
    cr_assert_str_eq(swq_pattern_name("neighbor"), "neighbour");
    cr_assert_str_eq(swq_pattern_name("tornado"), "tornado");
    cr_assert_str_eq(swq_pattern_name("nothing"), "nothing");
}

/* ---- the check ---- */

Test(network_traffic, defaults)
{
    cr_assert_eq(good.pattern, &swq_pattern_uniform);
    cr_assert_eq(good.kind, SWQ_SOURCE_HOLD);
    cr_assert(good.load == 1 && good.burst == 1);
    cr_assert(good.hot_spots == 0 && good.queue_limit == 0 && good.trace_packets == 0);
    cr_assert(!good.matrix && !good.node_load && !good.trace);
    for (uint32_t n = 1; n < 100; n++)
        expect_valid(&good, n);
}

Test(network_traffic, nodes)
{
    expect_error(&good, 0, "nodes must be at least 1, not 0");
}

Test(network_traffic, pattern)
{
    good.pattern = NULL;
    expect_error(&good, 8, "pattern must be given");
    good.pattern = pattern_of("bit-reversal");
    expect_valid(&good, 8);
    expect_error(&good, 27, "pattern bit-reversal does not fit 27 nodes: a power of two is needed");
    good.pattern = pattern_of("transpose");
    expect_valid(&good, 16);
    expect_error(&good, 8,
                 "pattern transpose does not fit 8 nodes: an even power of two is needed");
    good.pattern = pattern_of("tornado");
    expect_valid(&good, 27);
}

/* The fields that must be in 0 to 1. */
static void expect_fraction(double *field, uint32_t nodes, const char *name)
{
    static const struct {
        double value;
        const char *text;
    } bad[] = {{-0.1, "-0.1"},    {-5e-324, "-4.94"},  {1 + 0x1p-52, "1"}, {1.5, "1.5"},
               {INFINITY, "inf"}, {-INFINITY, "-inf"}, {NAN, "nan"}};
    static const double fine[] = {0, -0.0, 5e-324, 0.5, 1 - 0x1p-53, 1};
    char part[100];

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        *field = bad[k].value;
        snprintf(part, sizeof part, "%s must be 0 to 1, not %s", name, bad[k].text);
        expect_error(&good, nodes, part);
    }
    for (size_t k = 0; k < sizeof fine / sizeof *fine; k++) {
        *field = fine[k];
        expect_valid(&good, nodes);
    }
}

Test(network_traffic, load)
{
    double node_load[8] = {0, 0.5, 1};

    expect_fraction(&good.load, 8, "load");
    good.node_load = node_load;
    expect_fraction(&node_load[0], 8, "load of node 0");
    expect_fraction(&node_load[7], 8, "load of node 7");
    node_load[7] = 2;
    expect_valid(&good, 7); /* what lies beyond the nodes does not matter */
}

Test(network_traffic, burst)
{
    static const double bad[] = {0, -1, 1 - 0x1p-53, INFINITY, -INFINITY, NAN};

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char part[100];
        good.burst = bad[k];
        snprintf(part, sizeof part, "burst must be 1 or more packets, and finite, not %g", bad[k]);
        expect_error(&good, 8, part);
    }
    good.burst = 1e300;
    expect_valid(&good, 8);
}

Test(network_traffic, source_kind)
{
    static const int bad[] = {-1, 3, 1000};

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char part[100];
        good.kind = (swq_source_kind)bad[k];
        snprintf(part, sizeof part, "source kind must be a value of its enumeration, not %d",
                 bad[k]);
        expect_error(&good, 8, part);
    }
    good.kind = SWQ_SOURCE_OPEN;
    expect_valid(&good, 8);
}

Test(network_traffic, queue_limit)
{
    swq_trace_packet packet = {0};

    good.queue_limit = 5;
    expect_error(&good, 8, "queue-limit is for open sources only: it must be 0, not 5");
    good.kind = SWQ_SOURCE_OPEN;
    expect_valid(&good, 8);
    good.queue_limit = UINT32_MAX;
    expect_valid(&good, 8);
    good.kind = SWQ_SOURCE_TRACE;
    good.trace = &packet;
    good.trace_packets = 1;
    expect_error(&good, 8, "queue-limit is for open sources only");
    good.queue_limit = 0;
    expect_valid(&good, 8);
}

/* ---- hot spots ---- */

Test(network_traffic, number_of_hot_spots)
{
    static const int bad[] = {-1, 17, 1000000, -2147483647 - 1};

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char part[100];
        good.hot_spots = bad[k];
        snprintf(part, sizeof part, "number of hot spots must be 0 to 16, not %d", bad[k]);
        expect_error(&good, 64, part);
    }
    for (good.hot_spots = 0; good.hot_spots <= SWQ_MAX_HOT_SPOTS; good.hot_spots++) {
        expect_valid(&good, 64);
        if (good.hot_spots < SWQ_MAX_HOT_SPOTS)
            good.hot[good.hot_spots] =
                (swq_hot_spot){.node = 63u - (uint32_t)good.hot_spots, .fraction = 1.0 / 16};
    }
}

Test(network_traffic, hot_spot_fraction)
{
    good.hot_spots = 2;
    good.hot[1].node = 5;
    expect_fraction(&good.hot[1].fraction, 8, "hot-spot fraction of node 5");
}

Test(network_traffic, hot_spot_node)
{
    good.hot_spots = 1;
    good.hot[0] = (swq_hot_spot){.node = 7, .fraction = 0.05};
    expect_valid(&good, 8);
    good.hot[0].node = 8;
    expect_error(&good, 8, "hot-spot node must be 0 to 7, not 8");
    good.hot[0].node = UINT32_MAX;
    expect_error(&good, 8, "hot-spot node must be 0 to 7, not 4294967295");
    good.hot_spots = 0; /* then it is not read */
    expect_valid(&good, 8);
}

Test(network_traffic, hot_spots_are_distinct)
{
    good.hot_spots = 3;
    good.hot[0].node = 6;
    good.hot[1].node = 2;
    good.hot[2].node = 6;
    expect_error(&good, 8, "hot-spot nodes must be distinct, and 6 is given twice");
    good.hot[2].node = 2;
    expect_error(&good, 8, "hot-spot nodes must be distinct, and 2 is given twice");
    good.hot[2].node = 0;
    expect_valid(&good, 8);
}

Test(network_traffic, hot_spot_fractions_sum_to_one_at_most)
{
    /* these add up to more than one after rounding */
    static const double fine[] = {0.2, 0.4, 0.3, 0.1};

    good.hot_spots = 4;
    for (int h = 0; h < 4; h++)
        good.hot[h] = (swq_hot_spot){.node = (uint32_t)h, .fraction = fine[h]};
    cr_assert(fine[0] + fine[1] + fine[2] + fine[3] > 1);
    expect_valid(&good, 8);
    good.hot[3].fraction = 0.1 + 1e-9;
    expect_error(&good, 8, "hot-spot fractions must sum to at most 1, not 1.000000001");
    good.hot[3].fraction = 0.5;
    expect_error(&good, 8, "hot-spot fractions must sum to at most 1, not 1.4");
}

/* ---- matrix ---- */

Test(network_traffic, matrix_goes_with_its_pattern)
{
    static const double m[] = {0.5, 0.5, 0, 1};

    good.matrix = m;
    expect_error(&good, 2, "matrix is for pattern matrix only, not for uniform");
    good.pattern = &swq_pattern_matrix;
    expect_valid(&good, 2);
    good.matrix = NULL;
    expect_error(&good, 2, "matrix must be given for pattern matrix");
}

Test(network_traffic, matrix_rows)
{
    double m[] = {0.5, 0.25, 0.25, 0, 1, 0, 0.125, 0.125, 0.75};

    good.pattern = &swq_pattern_matrix;
    good.matrix = m;
    expect_valid(&good, 3);
    m[5] = -0.25;
    expect_error(&good, 3,
                 "destination probability of node 1, destination 2 must be 0 to 1, not -0.25");
    m[5] = NAN;
    expect_error(&good, 3, "node 1, destination 2 must be 0 to 1, not nan");
    m[5] = INFINITY;
    expect_error(&good, 3, "node 1, destination 2 must be 0 to 1, not inf");
    m[5] = 1.5;
    expect_error(&good, 3, "node 1, destination 2 must be 0 to 1, not 1.5");
    m[5] = 0.5;
    expect_error(&good, 3, "destination probabilities of node 1 must sum to 1, not 1.5");
    m[5] = 0;
    m[8] = 0.5;
    expect_error(&good, 3, "destination probabilities of node 2 must sum to 1, not 0.75");
    m[8] = 0.75 + 0.9e-9; /* the slack, on either side */
    expect_valid(&good, 3);
    m[8] = 0.75 - 0.9e-9;
    expect_valid(&good, 3);
    m[8] = 0.75 + 1.1e-9;
    expect_error(&good, 3, "node 2 must sum to 1, not 1.0000000011");
    m[8] = 0.75 - 1.1e-9;
    expect_error(&good, 3, "node 2 must sum to 1, not 0.9999999989");
    m[8] = 0.75;
    m[4] = 1 + 0.9e-9; /* also in a single entry */
    expect_valid(&good, 3);
    m[0] = 1.25; /* a sum of one is not enough */
    m[1] = -0.5;
    expect_error(&good, 3, "node 0, destination 0 must be 0 to 1, not 1.25");
    m[0] = 0;
    m[1] = 1.25;
    m[2] = -0.25;
    expect_error(&good, 3, "node 0, destination 1 must be 0 to 1, not 1.25");
}

/* ---- traces ---- */

Test(network_traffic, trace_goes_with_its_kind)
{
    static const swq_trace_packet trace[] = {{.cycle = 3}};

    good.kind = SWQ_SOURCE_TRACE;
    expect_error(&good, 8, "trace must be given for trace sources");
    good.trace = trace;
    expect_valid(&good, 8); /* an empty trace */
    good.trace_packets = 1;
    expect_valid(&good, 8);
    good.kind = SWQ_SOURCE_OPEN;
    expect_error(&good, 8, "trace is for trace sources only");
    good.kind = SWQ_SOURCE_HOLD;
    expect_error(&good, 8, "trace is for trace sources only");
    good.trace = NULL;
    expect_error(&good, 8, "trace is for trace sources only");
    good.trace_packets = 0;
    expect_valid(&good, 8);
}

Test(network_traffic, trace_packets)
{
    swq_trace_packet trace[] = {
        {.cycle = 0, .source = 7, .destination = 0},
        {.cycle = 5, .source = 0, .destination = 7, .high = 1},
        {.cycle = 5, .source = 1, .destination = 1},
        {.cycle = UINT64_MAX, .source = 1, .destination = 2},
    };

    good.kind = SWQ_SOURCE_TRACE;
    good.trace = trace;
    good.trace_packets = 4;
    expect_valid(&good, 8);
    trace[2].cycle = 4;
    expect_error(&good, 8, "cycle of trace packet 3 must be at least 5, the one before it, not 4");
    trace[2].cycle = 6;
    expect_valid(&good, 8);
    trace[0].source = 8;
    expect_error(&good, 8, "source of trace packet 1 must be 0 to 7, not 8");
    trace[0].source = 7;
    trace[3].destination = UINT32_MAX;
    expect_error(&good, 8, "destination of trace packet 4 must be 0 to 7, not 4294967295");
    trace[3].destination = 8;
    expect_error(&good, 8, "destination of trace packet 4 must be 0 to 7, not 8");
    good.trace_packets = 3; /* then it is not read */
    expect_valid(&good, 8);
    trace[1].high = 2;
    expect_error(&good, 8, "high of trace packet 2 must be 0 or 1, not 2");
}
