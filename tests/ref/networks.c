/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "networks.h"

#include <stdbool.h>
#include <stdlib.h>

/* Ports of a torus or mesh, as outputs and as inputs: 2 d and 2 d + 1 go up and down in dimension
 * d, and 2 dims is the host's; one way there is d, and dims is the host's. A class has the number
 * of its output. Only the packets that go on in the port's dimension are of two classes, and those
 * that are wrapped have the number of the other direction, which nobody turns to; one way a number
 * of their own. */

static ref_plan *new_plan(int nodes, int switches, int ports, int classes)
{
    ref_plan *p = calloc(1, sizeof *p);

    if (!p)
        abort();
    p->link = calloc((size_t)(switches * ports), sizeof *p->link);
    p->entry = calloc((size_t)nodes, sizeof *p->entry);
    if (!p->link || !p->entry)
        abort();
    p->wiring = (ref_wiring){.nodes = nodes,
                             .switches = switches,
                             .ports = ports,
                             .classes = classes,
                             .link = p->link,
                             .entry = p->entry,
                             .self = p};
    return p;
}

void ref_plan_free(ref_plan *plan)
{
    if (plan) {
        free(plan->link);
        free(plan->entry);
        free(plan);
    }
}

static int power(int base, int exponent)
{
    int p = 1;

    while (exponent-- > 0)
        p *= base;
    return p;
}

int ref_digit(int number, int radix, int place)
{
    return number / power(radix, place) % radix;
}

int ref_shuffled(int line, int radix, int lines)
{
    return line * radix % lines + line * radix / lines;
}

/* ---- omega: a perfect shuffle before every stage ---- */

/* Switches are numbered stage by stage. The way is the destination's digits, the greatest first. */
static int omega_class(const void *self, unsigned port, int from, int to)
{
    const ref_plan *p = self;

    (void)from;
    return ref_digit(to, p->radix, p->stages - 1 - (int)port / p->wiring.nodes);
}

static int omega_output(const void *self, unsigned port, int class_)
{
    (void)self;
    (void)port;
    return class_;
}

ref_plan *ref_omega(int radix, int stages)
{
    const int nodes = power(radix, stages);
    ref_plan *p = new_plan(nodes, stages * nodes / radix, radix, radix);

    p->radix = radix;
    p->stages = stages;
    p->wiring.class_of = omega_class;
    p->wiring.output_of = omega_output;
    for (int line = 0; line < nodes; line++) {
        const unsigned shuffled = (unsigned)ref_shuffled(line, radix, nodes);
        p->entry[line] = shuffled;
        for (int stage = 0; stage < stages; stage++)
            p->link[stage * nodes + line] = stage == stages - 1
                                                ? REF_NODE | (unsigned)line
                                                : (unsigned)((stage + 1) * nodes) + shuffled;
    }
    return p;
}

/* ---- k-ary n-tree ---- */

/* The number with digit `place` replaced. */
static int with_digit(int number, int base, int place, int value)
{
    return number + (value - ref_digit(number, base, place)) * power(base, place);
}

/* A node p has digits p[n-1] .. p[0]; it is at port p[0] of switch p[n-1] .. p[1] of level 0. Port
 * down + j of switch w of level l leads to the switch of level l + 1 whose digit l is j and whose
 * other digits are those of w, to port w[l] of that switch. */
ref_plan *ref_tree(int down, int levels)
{
    const int nodes = power(down, levels), row = nodes / down;
    const int ports = levels == 1 ? down : 2 * down;
    ref_plan *p = new_plan(nodes, levels * row, ports, 0);

    p->radix = down;
    p->stages = levels;
    for (int output = 0; output < levels * row * ports; output++)
        p->link[output] = REF_NOWHERE;
    for (int node = 0; node < nodes; node++) {
        p->entry[node] = (unsigned)(node / down * ports + node % down);
        p->link[p->entry[node]] = REF_NODE | (unsigned)node;
    }
    for (int level = 0; level + 1 < levels; level++)
        for (int w = 0; w < row; w++)
            for (int j = 0; j < down; j++) {
                const int below = (level * row + w) * ports + down + j;
                const int above = ((level + 1) * row + with_digit(w, down, level, j)) * ports +
                                  ref_digit(w, down, level);

                p->link[below] = (unsigned)above;
                p->link[above] = (unsigned)below;
            }
    return p;
}

int ref_tree_ways(const ref_plan *tree, int place, int to, int straight, int *x)
{
    const int d = tree->radix, row = tree->wiring.nodes / d, level = place / row;
    const int below = power(d, level); /* switches of level 0 below one of this level, by digits */

    /* The nodes below have the digits of the switch from digit `level` on. */
    if (to / d / below == place % row / below) {
        x[0] = ref_digit(to, d, level);
        return 1;
    }
    if (straight) {
        x[0] = d + ref_digit(to, d, level);
        return 1;
    }
    for (int j = 0; j < d; j++)
        x[j] = d + j;
    return d;
}

/* ---- torus and mesh ---- */

/* A node's coordinate; the dimension that is traversed first changes slowest. */
static int coordinate(const ref_plan *p, int node, int dim)
{
    for (int d = p->dims - 1; d > dim; d--)
        node /= p->extent[d];
    return node % p->extent[dim];
}

static int moved(const ref_plan *p, int node, int dim, int by)
{
    int step = 1, x = coordinate(p, node, dim), e = p->extent[dim];

    for (int d = p->dims - 1; d > dim; d--)
        step *= p->extent[d];
    return node + ((x + by + e) % e - x) * step;
}

/* Does a packet go down in a dimension? The shorter direction; halfway, down from odd
 * coordinates. */
static int goes_down(const ref_plan *p, int dim, int from, int to)
{
    int a = coordinate(p, from, dim), b = coordinate(p, to, dim), e = p->extent[dim];
    int up = (b - a + e) % e;

    if (p->one_way)
        return 0;
    if (p->mesh)
        return b < a;
    if (2 * up == e)
        return a % 2;
    return 2 * up > e;
}

static int host_of(const ref_plan *p)
{
    return p->one_way ? p->dims : 2 * p->dims;
}

static int number_of(const ref_plan *p, int dim, int down)
{
    return p->one_way ? dim : 2 * dim + down;
}

/* The dimension of a port, -1 for the host's. */
static int dimension_of(const ref_plan *p, int number)
{
    if (number == host_of(p))
        return -1;
    return p->one_way ? number : number / 2;
}

static int wrapped_class(const ref_plan *p, int number)
{
    return p->one_way ? p->dims + 1 : number ^ 1;
}

static int torus_class(const void *self, unsigned port, int from, int to)
{
    const ref_plan *p = self;
    int here = (int)port / p->wiring.ports, number = (int)port % p->wiring.ports;
    int dim = dimension_of(p, number);

    for (int d = 0; d < p->dims; d++) { /* the first in which it still has to move */
        int x = coordinate(p, here, d), began = coordinate(p, from, d);
        if (x == coordinate(p, to, d))
            continue;
        int next = number_of(p, d, goes_down(p, d, from, to));
        if (d < dim || (d == dim && next != number))
            abort(); /* off the route */
        if (d > dim)
            return next;
        bool down = !p->one_way && number % 2;
        return (down ? x > began : x < began) ? wrapped_class(p, number) : number;
    }
    return host_of(p);
}

static int torus_output(const void *self, unsigned port, int class_)
{
    const ref_plan *p = self;
    int number = (int)port % p->wiring.ports;

    if (number != host_of(p) && class_ == wrapped_class(p, number))
        return number;
    return class_;
}

static ref_plan *grid(int dims, const int *extent, int mesh, int one_way)
{
    int nodes = 1, ports = one_way ? dims + 1 : 2 * dims + 1;

    for (int d = 0; d < dims; d++)
        nodes *= extent[d];
    ref_plan *p = new_plan(nodes, nodes, ports, one_way ? dims + 2 : 2 * dims + 1);
    p->dims = dims;
    p->mesh = mesh;
    p->one_way = one_way;
    p->wiring.class_of = torus_class;
    p->wiring.output_of = torus_output;
    for (int d = 0; d < dims; d++)
        p->extent[d] = extent[d];
    for (int node = 0; node < nodes; node++) {
        for (int number = 0; number < ports - 1; number++) {
            int d = dimension_of(p, number), down = !one_way && number % 2;
            unsigned next = (unsigned)(moved(p, node, d, down ? -1 : 1) * ports + number);
            if (mesh && coordinate(p, node, d) == (down ? 0 : extent[d] - 1))
                next = REF_NOWHERE;
            p->link[node * ports + number] = next;
        }
        p->link[node * ports + ports - 1] = REF_NODE | (unsigned)node;
        p->entry[node] = (unsigned)(node * ports + ports - 1);
    }
    return p;
}

ref_plan *ref_torus(int dims, const int *extent, int one_way)
{
    return grid(dims, extent, 0, one_way);
}

ref_plan *ref_mesh(int dims, const int *extent)
{
    return grid(dims, extent, 1, 0);
}

/* ---- with a choice ---- */

/* Every dimension in which it still has to move, in its own direction there. */
ref_outputs ref_grid_outputs(const void *self, unsigned port, int from, int to)
{
    const ref_plan *p = self;
    const int here = (int)port / p->wiring.ports;
    unsigned set = 0;

    for (int d = 0; d < p->dims; d++) {
        if (coordinate(p, here, d) != coordinate(p, to, d))
            set |= 1u << number_of(p, d, goes_down(p, d, from, to));
    }
    return set ? set : 1u << host_of(p);
}

/* Dimensions in order. */
int ref_grid_first(const void *self, unsigned port, int from, int to)
{
    const ref_plan *p = self;
    const int here = (int)port / p->wiring.ports;

    for (int d = 0; d < p->dims; d++) {
        if (coordinate(p, here, d) != coordinate(p, to, d))
            return number_of(p, d, goes_down(p, d, from, to));
    }
    return host_of(p);
}

int ref_grid_escape(const void *self, unsigned port, int from, int to)
{
    const ref_plan *p = self;
    const int here = (int)port / p->wiring.ports, number = (int)port % p->wiring.ports;
    const int dim = dimension_of(p, number);

    (void)to;
    if (p->mesh)
        return 0;
    const int x = coordinate(p, here, dim), began = coordinate(p, from, dim);
    return !p->one_way && number % 2 ? x > began : x < began;
}
