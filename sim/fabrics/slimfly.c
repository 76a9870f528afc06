/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Slim Fly (Besta and Hoefler, 2014): the graphs of McKay, Miller and Siran (1998), in the form of
 * Hafner (2004). Of 2 q^2 routers, q a power of a prime, (0, x, y) is linked to (0, x, y') if y -
 * y' is in a set X, (1, m, c) to (1, m, c') if c - c' is in X', and (0, x, y) to (1, m, c) if y = m
 * x + c, all in the field of q elements. With a primitive element of the field, X has the even
 * powers of it, as far as -1 times each is one; for q = 4 w - 1, from the middle on the odd ones.
 * X' has the elements of X, each times the primitive one. With q = 4 w + d and d of -1, 0 and 1,
 * each router has (3 q - d) / 2 links, and every other router is at most two links away.
 *
 * Routers are numbered by the digits (0, x, y) to base q. Ports of a router, as inputs and outputs
 * alike: t to nodes, then one for each link, in the order of the routers at their other ends.
 */
#include "base/context.h"
#include "sim/fabrics/by_table.h"
#include "sim/fabrics/fabrics.h"
#include "sim/fabrics/galois.h"

#include <inttypes.h>
#include <stdio.h>

enum { ORDER, NODES };                             /* places in shape.size */
enum { LOCAL_LINKS, GLOBAL_LINKS, HOSTS, LEVELS }; /* levels */
enum { LEAST = 3, MOST = 64 };                     /* q of at most 8,192 routers */

static const swq_fabric_size sizes[] = {
    {.name = "order",
     .summary = "q, a power of a prime: 2 q^2 routers",
     .least = LEAST,
     .most = 127,
     .needed = true},
    {.name = "hosts",
     .summary = "hosts of a router, t (default half its links)",
     .least = 1,
     .most = 252},
    {0},
};

static int order(const swq_fabric *f)
{
    return f->shape.size[ORDER];
}

/* (3 q - d) / 2 */
static int links_of_router(int q)
{
    return (3 * q + (q % 4 == 3) - (q % 4 == 1)) / 2;
}

/* ---- the shape ---- */

static swq_status count(swq_context *ctx, const swq_shape *shape, swq_fabric *f)
{
    const int q = shape->size[ORDER], links = links_of_router(q),
              t = shape->size[NODES] ? shape->size[NODES] : (links + 1) / 2;
    const swq_status status = swq_check_order(ctx, "slim-fly", q, LEAST, MOST, links);

    if (status)
        return status;
    if (links + t > SWQ_MOST_TABLE_PORTS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "hosts of topology slim-fly must be at most %d with order %d, not %d: a "
                        "router has at most %d ports, of which %d are for links",
                        SWQ_MOST_TABLE_PORTS - links, q, t, SWQ_MOST_TABLE_PORTS, links);
    f->shape.size[NODES] = t;
    f->ports = f->classes = links + t;
    f->switches = 2 * (uint32_t)(q * q);
    f->nodes = f->switches * (uint32_t)t;
    f->nodes_at_switch = f->group_nodes = (uint32_t)t;
    f->levels = LEVELS;
    return SWQ_OK;
}

/* ---- traffic ---- */

/* Router (0, x, y) sends to (0, x + 1, y + x) and (1, m, c) to (1, m + 1, c - m - 1). The pair has
 * one neighbour in common, (1, x, y - x x) and (0, m + 1, c + m (m + 1)), and no other way of two
 * links. Each of these links is the first of one pair and the second of another one, so that it
 * carries what two routers send. No more can be on a link, since every shortest way over it begins
 * at the one end or ends at the other. */
static uint32_t worst(const swq_fabric *f, uint32_t router)
{
    const galois_field field = galois_make_sums(order(f));
    const int q = field.order, side = (int)router / (q * q), x = (int)router / q % q,
              y = (int)router % q, next = galois_add(&field, x, 1);

    return (uint32_t)((side * q + next) * q +
                      (side ? galois_subtract(&field, y, next) : galois_add(&field, y, x)));
}

static int longest(const swq_fabric *f)
{
    (void)f;
    return 3;
}

static void describe(const swq_fabric *f, char *text, size_t size)
{
    snprintf(text, size,
             "slim-fly of q = %d, %" PRIu32 " routers with %d links and %d node%s each, %" PRIu32
             " nodes",
             order(f), f->switches, links_of_router(order(f)), f->shape.size[NODES],
             f->shape.size[NODES] > 1 ? "s" : "", f->nodes);
}

/* The smallest one, with a node a router, as nodes wait for none. */
static void stand_in(swq_shape *shape)
{
    shape->size[ORDER] = LEAST;
    shape->size[NODES] = 1;
}

/* ---- wiring ---- */

/* The sets X and X', as flags of elements. */
static void find_sets(const galois_field *field, bool set[2][GALOIS_MOST])
{
    const int q = field->order, half = (q - 1) / 2;

    for (int k = 0; k < links_of_router(q) - q; k++) {
        const int power = q % 4 == 3 && 2 * k >= half ? 2 * k - 1 : 2 * k;
        set[0][field->power[power % (q - 1)]] = true;
        set[1][field->power[(power + 1) % (q - 1)]] = true;
    }
}

static void wire(swq_fabric *f)
{
    const int q = order(f);
    const galois_field field = galois_make(q);
    bool set[2][GALOIS_MOST] = {{false}};

    find_sets(&field, set);
    for (uint32_t router = 0; router < f->switches; router++)
        swq_wire_nodes(f, router, HOSTS);
    for (int a = 0; a < 2 * q * q; a++) {
        const int side = a / (q * q), x = a / q % q, y = a % q;
        for (int other = y + 1; other < q; other++) {
            if (set[side][galois_subtract(&field, y, other)])
                swq_wire_link(f, (uint32_t)a, (uint32_t)(a - y + other), LOCAL_LINKS);
        }
        for (int m = 0; m < q && side == 0; m++) {
            const int c = galois_subtract(&field, y, galois_multiply(&field, m, x));
            swq_wire_link(f, (uint32_t)a, (uint32_t)(q * q + m * q + c), GLOBAL_LINKS);
        }
    }
    swq_wire_all_classes(f);
}

static int phases(const swq_shape *shape)
{
    return shape->routing && shape->routing->by_another ? 4 : 2;
}

/* ---- the row ---- */

static void level_name(const swq_fabric *fabric, int level, char *text, size_t size)
{
    static const char *const names[] = {"local links", "global links", "hosts"};

    (void)fabric;
    snprintf(text, size, "%s", names[level]);
}

static const swq_shape examples[] = {
    {.kind = &swq_fabric_slimfly, .size = {3, 1}},
    {.kind = &swq_fabric_slimfly, .size = {4, 2}},
    {.kind = &swq_fabric_slimfly, .size = {5, 1}},
    {0},
};

const swq_fabric_kind swq_fabric_slimfly = {
    .name = "slim-fly",
    .summary = "routers linked as a graph of McKay, Miller and Siran, each at most two links from "
               "every other",
    .source = "Besta and Hoefler (2014); Hafner (2004)",
    .place_is = "router",
    .worst = worst,
    .phase = swq_phase_of_link,
    .phase_a_link = true,
    SWQ_BY_TABLE_ROW,
};
