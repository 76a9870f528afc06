/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Slim Fly: counts, degrees and distances of all sizes; the graph of Hoffman and Singleton; the
 * same graphs from polynomials and squares; lanes that wait in no circle; and a run of the written
 * network.
 */
#include "tests/sim/router_graph.h"
#include "tests/support/support.h"

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

TestSuite(slimfly, .init = setup, .fini = teardown, .timeout = 120);

static const int orders[] = {3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19};

enum { ORDERS = sizeof orders / sizeof *orders };

static swq_shape shape_of(int q, int t)
{
    return (swq_shape){.kind = &swq_fabric_slimfly, .size = {q, t}};
}

/* q = 4 w + d */
static int links_of(int q)
{
    const int d = q % 4 == 1 ? 1 : q % 4 == 3 ? -1 : 0;

    return (3 * q - d) / 2;
}

static swq_fabric made(const swq_shape *shape)
{
    swq_fabric f;

    cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK, "%s", swq_context_message(ctx));
    return f;
}

/* ---- the graph ---- */

/* With k links a router, k routers of the other 2 q^2 - 1 are at distance 1 and the rest at 2. */
Test(slimfly, routers_links_and_distances)
{
    for (int o = 0; o < ORDERS; o++) {
        const int q = orders[o], links = links_of(q);
        const swq_shape shape = shape_of(q, 1);
        const double mean = 2 - links / (2.0 * q * q - 1);
        swq_fabric f = made(&shape);
        swq_fabric_loads loads;
        char what[40];
        snprintf(what, sizeof what, "q %d", q);
        router_graph g = router_graph_of(&f, what);
        cr_assert_eq(f.switches, (uint32_t)(2 * q * q), "%s", what);
        cr_assert_eq(f.nodes, f.switches, "%s", what);
        cr_assert_eq(f.ports, links + 1, "%s", what);
        for (int r = 0; r < g.routers; r++)
            cr_assert_eq(router_links(&g, r), links, "%s, router %d", what, r);
        for (int p = 0; p < g.routers * g.routers; p++)
            cr_assert_leq(g.linked[p], 1, "%s", what);
        const router_distances d = router_graph_distances(&g, g.routers);
        cr_expect_eq(d.most, 2, "%s", what);
        cr_expect_float_eq(d.mean, mean, 1e-12, "%s", what);
        cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_OK);
        cr_expect_float_eq(loads.mean_hops, mean, 1e-12, "%s", what);
        cr_expect_eq(f.level_outputs[0] + f.level_outputs[1], f.switches * (uint32_t)links);
        cr_expect_eq(f.level_outputs[1], f.switches * (uint32_t)q, "%s", what);
        router_graph_clear(&g);
        swq_fabric_clear(ctx, &f);
    }
}

/* Half as many nodes as links, rounded up; between nodes of one router no link is taken. */
Test(slimfly, nodes_are_half_the_links_unless_given)
{
    const swq_shape shape = shape_of(5, 0);
    swq_fabric f = made(&shape);
    swq_fabric_loads loads;

    cr_expect_eq(f.nodes, 200);
    cr_expect_eq(f.nodes_at_switch, 4);
    cr_expect_eq(f.shape.size[1], 4);
    cr_assert_eq(swq_fabric_enumerate(ctx, &f, NULL, &loads), SWQ_OK);
    cr_expect_float_eq(loads.mean_hops, (2 - 7.0 / 49) * 196 / 199, 1e-12);
    swq_fabric_clear(ctx, &f);
}

/* With q = 5 it has the 50 routers and 7 links that a Moore graph has: neighbours have no common
 * one, others have one. All such graphs are that of Hoffman and Singleton. */
Test(slimfly, order_5_is_the_graph_of_hoffman_and_singleton)
{
    const swq_shape shape = shape_of(5, 1);
    swq_fabric f = made(&shape);
    router_graph g = router_graph_of(&f, "q 5");
    int count[8];

    router_graph_common(&g, 1, 8, count);
    cr_expect_eq(count[0], 50 * 7 / 2);
    router_graph_common(&g, 0, 8, count);
    cr_expect_eq(count[1], 50 * 49 / 2 - 50 * 7 / 2);
    router_graph_clear(&g);
    swq_fabric_clear(ctx, &f);
}

/* ---- the same graph from the definition ---- */

/* Polynomials over the integers modulo p, [3] of them, coefficients as digits to base p. */
typedef struct {
    int q, p, degree;
    int modulus; /* of that degree, without its highest term, as in tables of them */
} polynomials;

static const polynomials fields[] = {
    {4, 2, 2, 3},  /* x^2 + x + 1 */
    {8, 2, 3, 3},  /* x^3 + x + 1 */
    {9, 3, 2, 1},  /* x^2 + 1 */
    {16, 2, 4, 3}, /* x^4 + x + 1 */
    {3, 3, 1, 0},  {5, 5, 1, 0}, {7, 7, 1, 0}, {11, 11, 1, 0}, {13, 13, 1, 0},
};

static void digits_of(const polynomials *f, int a, int *digit)
{
    for (int k = 0; k < 8; k++, a /= f->p)
        digit[k] = a % f->p;
}

static int number_of(const polynomials *f, const int *digit)
{
    int a = 0;

    for (int k = f->degree - 1; k >= 0; k--)
        a = a * f->p + digit[k];
    return a;
}

static int difference(const polynomials *f, int a, int b)
{
    int x[8], y[8];

    digits_of(f, a, x);
    digits_of(f, b, y);
    for (int k = 0; k < 8; k++)
        x[k] = (x[k] - y[k] + f->p) % f->p;
    return number_of(f, x);
}

/* Multiplied out, and then divided by the modulus. */
static int product(const polynomials *f, int a, int b)
{
    int x[8], y[8], m[8], z[16] = {0};

    digits_of(f, a, x);
    digits_of(f, b, y);
    digits_of(f, f->modulus, m);
    for (int i = 0; i < f->degree; i++)
        for (int j = 0; j < f->degree; j++)
            z[i + j] = (z[i + j] + x[i] * y[j]) % f->p;
    for (int k = 2 * f->degree - 2; k >= f->degree; k--)
        for (int j = 0; j < f->degree; j++)
            z[k - f->degree + j] = (z[k - f->degree + j] + z[k] * (f->p - m[j])) % f->p;
    return number_of(f, z);
}

/* The element of the lowest number, the powers of which are all others but 0. */
static int generator(const polynomials *f)
{
    for (int g = 1; g < f->q; g++) {
        int power = g, order = 1;
        for (; power > 1; order++)
            power = product(f, power, g);
        if (power == 1 && order == f->q - 1)
            return g;
    }
    return 0;
}

/* The sets of differences. For q = 4 w + 1 the squares and the others; else as they are written,
 * power by power (Hafner 2004). */
static void fill_sets(const polynomials *f, bool set[2][20])
{
    const int g = generator(f), w = (f->q + 1) / 4;
    int power = 1;

    memset(set, 0, 2 * sizeof *set);
    for (int a = 1; a < f->q && f->q % 4 == 1; a++)
        set[0][product(f, a, a)] = true;
    for (int a = 1; a < f->q && f->q % 4 == 1; a++)
        set[1][a] = !set[0][a];
    for (int k = 0; k < f->q && f->q % 4 != 1; k++) {
        const bool low = f->q % 2 == 0 || k < 2 * w - 1;
        const bool below = f->q % 2 == 0 ? k <= f->q - 2 : k <= 4 * w - 3;
        set[0][power] |= below && k % 2 == (low ? 0 : 1);
        set[1][power] |= k >= 1 && (f->q % 2 == 0 || k < 2 * w ? k % 2 == 1 : k % 2 == 0);
        power = product(f, power, g);
    }
}

static router_graph by_definition(const polynomials *f)
{
    const int q = f->q;
    router_graph g = {.routers = 2 * q * q,
                      .linked = calloc((size_t)(4 * q * q) * (size_t)(q * q), 1)};
    bool set[2][20];

    fill_sets(f, set);
    for (int a = 0; a < 2 * q * q; a++) {
        for (int b = 0; b < 2 * q * q; b++) {
            const int s = a / (q * q), x = a / q % q, y = a % q, m = b / q % q, c = b % q;
            const bool same = s == b / (q * q);
            const int line = s == 0 ? difference(f, difference(f, y, c), product(f, m, x))
                                    : difference(f, difference(f, c, y), product(f, x, m));
            g.linked[a * g.routers + b] = same ? x == m && set[s][difference(f, y, c)] : line == 0;
        }
    }
    return g;
}

/* The same field in other words gives a graph that looks the same: as many pairs with as many
 * common neighbours. For q = 4 w - 1 another generator may give another graph, as for q = 11. */
Test(slimfly, common_neighbours_are_those_of_the_definition)
{
    enum { MOST = 32 };

    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        const swq_shape shape = shape_of(fields[k].q, 1);
        swq_fabric f = made(&shape);
        router_graph g = router_graph_of(&f, "slim-fly"), other = by_definition(&fields[k]);
        int count[2][MOST];
        cr_expect_eq(router_graph_distances(&other, other.routers).most, 2, "q %d", fields[k].q);
        for (int links = 0; links < 2; links++) {
            router_graph_common(&g, links, MOST, count[0]);
            router_graph_common(&other, links, MOST, count[1]);
            cr_expect_arr_eq(count[0], count[1], sizeof *count, "q %d, %d links", fields[k].q,
                             links);
        }
        router_graph_clear(&other);
        router_graph_clear(&g);
        swq_fabric_clear(ctx, &f);
    }
}

/* ---- waits ---- */

/* The networks themselves are walked as stand-ins in tests/sim/test_waits.c. */
Test(slimfly, lanes_for_each_link_wait_in_no_circle)
{
    const swq_lane_choice *any = &swq_lane_choice_any, *phase = &swq_lane_choice_phase;

    for (int o = 0; o < ORDERS; o++) {
        const swq_shape shape = shape_of(orders[o], 1);
        cr_expect(lanes_may_deadlock(ctx, &shape, NULL, any, 2));
        cr_expect_not(lanes_may_deadlock(ctx, &shape, NULL, phase, 2));
        cr_expect(lanes_may_deadlock(ctx, &shape, &swq_routing_valiant, any, 4));
        cr_expect_not(lanes_may_deadlock(ctx, &shape, &swq_routing_valiant, phase, 4));
        cr_expect_not(lanes_may_deadlock(ctx, &shape, &swq_routing_ugal, phase, 4));
    }
}

Test(slimfly, a_run_of_the_written_network_is_the_same)
{
    const swq_shape shape = shape_of(5, 2);

    expect_run_of_file(ctx, &shape, &swq_lane_choice_phase, 4);
}

/* ---- errors ---- */

/* ---- the worst case of the shortest ways ---- */

/* Each router sends to one and receives from one that is not its neighbour. The pair has a single
 * router between them, and each link that is used is on the ways of two pairs. */
Test(slimfly, worst_case_has_two_pairs_on_each_link)
{
    for (int o = 0; o < ORDERS; o++) {
        const swq_shape shape = shape_of(orders[o], 1);
        swq_fabric f = made(&shape);
        router_graph g = router_graph_of(&f, "worst case");
        const int n = g.routers;
        int *from = calloc((size_t)n, sizeof *from),
            *pairs = calloc((size_t)n * (size_t)n, sizeof *pairs);
        cr_assert(from && pairs);
        for (int r = 0; r < n; r++) {
            const int to = (int)f.shape.kind->worst(&f, (uint32_t)r);
            int between = 0, count = 0;
            cr_assert(to >= 0 && to < n && to != r && !g.linked[r * n + to], "%d to %d", r, to);
            from[to]++;
            for (int k = 0; k < n; k++) {
                if (g.linked[r * n + k] && g.linked[k * n + to]) {
                    between = k;
                    count++;
                }
            }
            cr_assert_eq(count, 1, "q %d: %d to %d", orders[o], r, to);
            pairs[r * n + between]++;
            pairs[between * n + to]++;
        }
        for (int r = 0; r < n; r++)
            cr_assert_eq(from[r], 1);
        for (int k = 0; k < n * n; k++)
            cr_assert(pairs[k] == 0 || pairs[k] == 2, "q %d", orders[o]);
        free(from);
        free(pairs);
        router_graph_clear(&g);
        swq_fabric_clear(ctx, &f);
    }
}

Test(slimfly, what_does_not_fit_is_refused)
{
    static const struct {
        swq_shape shape;
        const char *message;
    } cases[] = {
        {{.size = {6}},
         "order of topology slim-fly must be a power of a prime, such as 5 and 7, not 6"},
        {{.size = {12}}, "such as 11 and 13, not 12"},
        {{.size = {21}}, "such as 19 and 23, not 21"},
        {{.size = {2}}, "order of topology slim-fly must be 3 to "},
        {{.size = {67}},
         "must be at most 64, not 67: the table of routes of routers of 101 links would be too "
         "large"},
        {{.size = {32, 208}},
         "hosts of topology slim-fly must be at most 207 with order 32, not 208"},
        {{.size = {64, 160}},
         "hosts of topology slim-fly must be at most 159 with order 64, not 160"},
        {{.size = {5, 1}, .dims = 2}, "dims is for"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_shape shape = cases[k].shape;
        swq_fabric f;
        shape.kind = &swq_fabric_slimfly;
        cr_expect_eq(swq_fabric_count(ctx, &shape, &f), SWQ_EINVAL);
        cr_expect(strstr(swq_context_message(ctx), cases[k].message), "%s",
                  swq_context_message(ctx));
    }
}

Test(slimfly, missing_memory_is_reported)
{
    const swq_shape shape = shape_of(3, 1);

    for (int k = 0; k < 40; k++) {
        swq_fabric f;
        swq_context_fail_allocations(ctx, (size_t)k, true);
        const swq_status status = swq_fabric_make(ctx, &shape, &f);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert(status == SWQ_OK || status == SWQ_ENOMEM);
        if (!status) {
            swq_fabric_clear(ctx, &f);
            break;
        }
        cr_assert_lt(k, 39);
    }
}
