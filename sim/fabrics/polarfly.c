/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PolarFly (Lakhotia, Besta, Monroe, Isham, Iff, Hoefler and Petrini, 2022): the polarity graph of
 * the projective plane over the field of q elements (Erdos and Renyi, 1962; Brown, 1966). Its
 * q^2 + q + 1 routers are the points of the plane, that is, vectors of three elements of which the
 * first that is not 0 is 1, and two are linked if their product is 0. A router has q + 1 links, or
 * q if its product with itself is 0, and every other router is at most two links away.
 *
 * Routers are numbered in the order (1, a, b), (0, 1, a), (0, 0, 1). Ports of a router, as inputs
 * and outputs alike: t to nodes, then one for each link, in the order of the routers at their other
 * ends.
 */
#include "base/context.h"
#include "sim/fabrics/by_table.h"
#include "sim/fabrics/fabrics.h"
#include "sim/fabrics/galois.h"

#include <inttypes.h>
#include <stdio.h>

enum { ORDER, NODES };         /* places in shape.size */
enum { LINKS, HOSTS, LEVELS }; /* levels */
enum { LEAST = 2, MOST = 89 }; /* q of at most 8,011 routers */

static const swq_fabric_size sizes[] = {
    {.name = "order",
     .summary = "q, a power of a prime: q^2 + q + 1 routers",
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

/* ---- the shape ---- */

static swq_status count(swq_context *ctx, const swq_shape *shape, swq_fabric *f)
{
    const int q = shape->size[ORDER], t = shape->size[NODES] ? shape->size[NODES] : (q + 2) / 2;
    const swq_status status = swq_check_order(ctx, "polarfly", q, LEAST, MOST, q + 1);

    if (status)
        return status;
    if (q + 1 + t > SWQ_MOST_TABLE_PORTS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "hosts of topology polarfly must be at most %d with order %d, not %d: a "
                        "router has at most %d ports, of which %d are for links",
                        SWQ_MOST_TABLE_PORTS - q - 1, q, t, SWQ_MOST_TABLE_PORTS, q + 1);
    f->shape.size[NODES] = t;
    f->ports = f->classes = q + 1 + t;
    f->switches = (uint32_t)(q * q + q + 1);
    f->nodes = f->switches * (uint32_t)t;
    f->nodes_at_switch = (uint32_t)t;
    f->levels = LEVELS;
    return SWQ_OK;
}

static int longest(const swq_fabric *f)
{
    (void)f;
    return 3;
}

static void describe(const swq_fabric *f, char *text, size_t size)
{
    snprintf(text, size,
             "polarfly of q = %d, %" PRIu32 " routers with %d or %d links and %d node%s each, "
             "%" PRIu32 " nodes",
             order(f), f->switches, order(f) + 1, order(f), f->shape.size[NODES],
             f->shape.size[NODES] > 1 ? "s" : "", f->nodes);
}

/* A small one, with a node a router, as nodes wait for none. */
static void stand_in(swq_shape *shape)
{
    shape->size[ORDER] = shape->size[ORDER] < 3 ? shape->size[ORDER] : 3;
    shape->size[NODES] = 1;
}

/* ---- wiring ---- */

static void point_of(int q, int router, int *v)
{
    const bool first = router < q * q, second = !first && router < q * q + q;

    v[0] = first;
    v[1] = first ? router / q : second;
    v[2] = first ? router % q : second ? router - q * q : 1;
}

static bool are_linked(const galois_field *field, int a, int b)
{
    int u[3], v[3], product = 0;

    point_of(field->order, a, u);
    point_of(field->order, b, v);
    for (int k = 0; k < 3; k++)
        product = galois_add(field, product, galois_multiply(field, u[k], v[k]));
    return product == 0;
}

static void wire(swq_fabric *f)
{
    const galois_field field = galois_make(order(f));

    for (uint32_t router = 0; router < f->switches; router++)
        swq_wire_nodes(f, router, HOSTS);
    for (uint32_t a = 0; a < f->switches; a++) {
        for (uint32_t b = a + 1; b < f->switches; b++) {
            if (are_linked(&field, (int)a, (int)b))
                swq_wire_link(f, a, b, LINKS);
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
    (void)fabric;
    snprintf(text, size, "%s", level == LINKS ? "links" : "hosts");
}

static const swq_shape examples[] = {
    {.kind = &swq_fabric_polarfly, .size = {2, 1}},
    {.kind = &swq_fabric_polarfly, .size = {3, 2}},
    {.kind = &swq_fabric_polarfly, .size = {4, 1}},
    {0},
};

const swq_fabric_kind swq_fabric_polarfly = {
    .name = "polarfly",
    .summary = "routers linked as the polarity graph of a projective plane, each at most two links "
               "from every other",
    .source = "Lakhotia, Besta, Monroe, Isham, Iff, Hoefler and Petrini (2022)",
    .place_is = "router",
    .phase = swq_phase_of_link,
    .phase_a_link = true,
    SWQ_BY_TABLE_ROW,
};
