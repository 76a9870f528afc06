/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tori and meshes of any dimensions, traversed one after another (Frazier 1995, 6.3.1; Dally and
 * Seitz 1987). The dimension that is traversed first is the most significant coordinate of a node's
 * number.
 *
 * Ports of a switch for the dimensions first, first + 1, ...: 2i is "up" (towards higher
 * coordinates) in dimension first + i and 2i + 1 "down", as an output and as an input alike: output
 * p leads to input p of the neighbour. One-way tori have port i alone. The last port is the host's;
 * where a node has a chain of switches, it leads on to the next.
 *
 * The class of a packet is its output port. One that goes on in its dimension has two: that of its
 * output while not wrapped, and once wrapped the one of the opposite direction, which no packet
 * takes (one-way: one class more). With two dimensions these are the five queues of Fig. 6.7.
 *
 * With adaptive routing a packet may take any link that leads nearer (which way round a ring, its
 * sender and receiver say as above), and a class is a set of those: of each dimension none, up or
 * down, a digit to the base 3 (one-way: 2), behind the escape classes. An escape queue is entered
 * in the order of dimensions alone; there is one for each input port, and in tori another for
 * wrapped packets.
 */
#include "base/context.h"
#include "sim/fabrics/fabrics.h"

#include <inttypes.h>
#include <stdio.h>

enum { CHAINED_DIMS = 2, CHAINED_PORTS = 2 * CHAINED_DIMS + 1 };

/* ---- the shape ---- */

static bool is_torus(const swq_fabric *f)
{
    return f->shape.kind->rings;
}

/* The number of switches of a node. */
static int chain_length(const swq_shape *shape)
{
    return shape->chained ? (shape->dims + CHAINED_DIMS - 1) / CHAINED_DIMS : 1;
}

static int directions(const swq_shape *shape)
{
    return shape->one_way ? 1 : 2;
}

/* One more than the last dimension of the switch whose first dimension is `first`. */
static int end_of(const swq_shape *shape, int first)
{
    return shape->chained && first + CHAINED_DIMS < shape->dims ? first + CHAINED_DIMS
                                                                : shape->dims;
}

/* The first dimension of the switch of dimension k. */
static int first_of(const swq_shape *shape, int k)
{
    return shape->chained ? k - k % CHAINED_DIMS : 0;
}

/* Adaptive routing: a class for each set of directions, and the escape classes. */
static swq_status count_sets(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric)
{
    const int most = shape->one_way ? 4 : 3;
    int sets = 1;

    if (shape->dims > most)
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing %s is for at most %d dimensions%s, not %d: a queue for each set "
                        "of directions would be too many",
                        shape->routing->name, most, shape->one_way ? ", links going one way" : "",
                        shape->dims);
    for (int k = 0; k < shape->dims; k++)
        sets *= directions(shape) + 1;
    fabric->escapes = shape->routing->unguarded ? 0 : is_torus(fabric) ? 2 : 1;
    fabric->classes = fabric->escapes + sets;
    return SWQ_OK;
}

static swq_status count(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric)
{
    uint64_t nodes = 1;

    if (shape->dims < 1 || shape->dims > SWQ_MAX_DIMS)
        return swq_fail(ctx, SWQ_EINVAL, "dims must be 1 to %d, not %d", SWQ_MAX_DIMS, shape->dims);
    if (shape->one_way && shape->chained)
        return swq_fail(ctx, SWQ_EINVAL,
                        "one_way and chained cannot be asked together: chained switches are 5 x 5");
    for (int k = 0; k < shape->dims; k++) {
        if (shape->extent[k] < 2 || shape->extent[k] > UINT16_MAX)
            return swq_fail(ctx, SWQ_EINVAL, "extent %d must be 2 to %d, not %d", k + 1, UINT16_MAX,
                            shape->extent[k]);
        nodes *= (uint64_t)shape->extent[k]; /* at most 2^24 times 2^16 */
        if (nodes > SWQ_MAX_NODES)
            return swq_fail(ctx, SWQ_EINVAL,
                            "nodes must be at most %d, which the first %d extents exceed: %" PRIu64,
                            SWQ_MAX_NODES, k + 1, nodes);
    }
    fabric->nodes = (uint32_t)nodes;
    fabric->switches = fabric->nodes * (uint32_t)chain_length(shape);
    fabric->nodes_at_switch = 1;
    fabric->place_dims = shape->dims;
    fabric->ports = shape->chained ? CHAINED_PORTS : directions(shape) * shape->dims + 1;
    fabric->classes = fabric->ports + shape->one_way;
    fabric->levels = shape->dims + 1;
    return swq_shape_adaptive(shape) ? count_sets(ctx, shape, fabric) : SWQ_OK;
}

/* From one end of each dimension to the other, or around its ring; and along the chain. */
static int longest(const swq_fabric *f)
{
    int switches = chain_length(&f->shape);

    for (int k = 0; k < f->shape.dims; k++) {
        const int extent = f->shape.extent[k];
        switches += is_torus(f) && !f->shape.one_way ? extent / 2 : extent - 1;
    }
    return switches;
}

static void describe(const swq_fabric *f, char *text, size_t size)
{
    const swq_shape *s = &f->shape;
    size_t used =
        (size_t)snprintf(text, size, "%s%s ", s->one_way ? "one-way " : "", s->kind->name);

    for (int k = 0; k < s->dims && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%d", k ? "x" : "", s->extent[k]);
    if (used < size)
        used += (size_t)snprintf(text + used, size - used, ", %u nodes, ", f->nodes);
    if (s->chained && used < size)
        used += (size_t)snprintf(text + used, size - used, "each %d chained ", chain_length(s));
    if (used < size)
        snprintf(text + used, size - used, "%d x %d switches", f->ports, f->ports);
}

/* A circle lies within one dimension, as packets take the dimensions one after another, and the
 * longest ring is the likeliest to have one. In a ring of more than four nodes that depends, if at
 * all, on the remainder by four, which says where the ways round part. */
static int small_extent(const swq_shape *shape, int extent)
{
    if (!shape->kind->rings || shape->one_way)
        return extent < 5 ? extent : 5;
    return extent <= 8 ? extent : 5 + (extent - 5) % 4;
}

static void stand_in(swq_shape *shape)
{
    /* a chain has more than one switch; with a choice, packets leave a dimension and come back */
    const int most = shape->chained ? 3 : swq_shape_adaptive(shape) ? 2 : 1;

    while (shape->dims > most) {
        int shortest = 0;
        for (int k = 1; k < shape->dims; k++)
            shortest = shape->extent[k] < shape->extent[shortest] ? k : shortest;
        shape->dims--;
        for (int k = shortest; k < shape->dims; k++)
            shape->extent[k] = shape->extent[k + 1];
    }
    for (int k = 0; k < shape->dims; k++)
        shape->extent[k] = small_extent(shape, shape->extent[k]);
}

/* ---- classes ---- */

/* The output of a switch whose first dimension is `first`. */
static int output_of(const swq_shape *shape, int first, int k, bool up)
{
    return directions(shape) * (k - first) + !up;
}

/* The class of packets that go on in the direction of port p after the wraparound link. */
static int wrapped_class(const swq_fabric *f, int p)
{
    return f->shape.one_way ? f->ports : p ^ 1;
}

/* Whether the shorter way round from coordinate a to another one, b, is up. Halfway round, even
 * coordinates go up and odd ones down. */
static bool goes_up(const swq_fabric *f, int k, int a, int b)
{
    if (!is_torus(f))
        return b > a;
    if (f->shape.one_way)
        return true;
    const int extent = f->shape.extent[k], ahead = b - a + (extent & -(b <= a));

    return 2 * ahead < extent + (a % 2 == 0);
}

/* Coordinates of the node of a port, where each node has one switch. */
static const uint16_t *here_of(const swq_fabric *f, uint32_t port)
{
    return f->coordinate + (size_t)(port / (uint32_t)f->ports) * (size_t)f->shape.dims;
}

static __attribute__((noinline)) int route_to_set(const swq_fabric *f, uint32_t port, uint32_t from,
                                                  uint32_t to)
{
    const int dims = f->shape.dims, base = directions(&f->shape) + 1;
    const uint16_t *a = f->coordinate + (size_t)from * (size_t)dims;
    const uint16_t *b = f->coordinate + (size_t)to * (size_t)dims, *here = here_of(f, port);
    int set = 0;

    for (int k = dims - 1; k >= 0; k--) {
        set *= base;
        if (here[k] != b[k])
            set += goes_up(f, k, a[k], b[k]) ? 1 : 2;
    }
    return f->escapes + set;
}

/* The output of dimension-order routing. */
static int first_output(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to)
{
    const int dims = f->shape.dims;
    const uint16_t *a = f->coordinate + (size_t)from * (size_t)dims;
    const uint16_t *b = f->coordinate + (size_t)to * (size_t)dims, *here = here_of(f, port);

    for (int k = 0; k < dims; k++) {
        if (here[k] != b[k])
            return output_of(&f->shape, 0, k, goes_up(f, k, a[k], b[k]));
    }
    return f->ports - 1;
}

/* 1: the packet has crossed the wraparound link of the dimension that it came by. */
static int escape(const swq_fabric *f, uint32_t port, uint32_t from, uint32_t to)
{
    const int dims = f->shape.dims, k = f->in_level[port];
    const int a = f->coordinate[(size_t)from * (size_t)dims + (size_t)k], here = f->position[port];
    const int p = (int)(port % (uint32_t)f->ports);

    (void)to;
    return is_torus(f) && (p == output_of(&f->shape, 0, k, true) ? here < a : here > a);
}

/* Chained switches, and links that go one way. */
static __attribute__((noinline)) int route_specially(const swq_fabric *f, uint32_t port,
                                                     uint32_t from, uint32_t to)
{
    const int dims = f->shape.dims;
    const uint16_t *a = f->coordinate + (size_t)from * (size_t)dims;
    const uint16_t *b = f->coordinate + (size_t)to * (size_t)dims;
    const int here = f->position[port];
    int k = f->in_level[port], first;

    if (k < dims) {
        first = first_of(&f->shape, k);
        if (here != b[k]) {
            bool up = goes_up(f, k, a[k], b[k]);
            int p = output_of(&f->shape, first, k, up);
            bool wrapped = up ? here < a[k] : here > a[k];
            return wrapped ? wrapped_class(f, p) : p;
        }
        k++;
    } else {
        k = first = here;
    }
    for (int end = end_of(&f->shape, first); k < end; k++) {
        if (a[k] != b[k])
            return output_of(&f->shape, first, k, goes_up(f, k, a[k], b[k]));
    }
    return f->ports - 1;
}

/* Each hop asks. Which way round a ring, and whether the packet has crossed the wraparound link, is
 * computed without branches, which nobody could predict; what is rare is kept apart, so that no
 * registers are saved for it. */
static int route(const swq_fabric *fabric, uint32_t port, uint32_t from, uint32_t to)
{
    const swq_fabric *f = fabric;
    const int dims = f->shape.dims;
    const uint16_t *a = f->coordinate + (size_t)from * (size_t)dims;
    const uint16_t *b = f->coordinate + (size_t)to * (size_t)dims;
    int k = f->in_level[port];

    if (f->outputs)
        return route_to_set(f, port, from, to);
    if (f->shape.one_way | f->shape.chained)
        return route_specially(f, port, from, to);
    if (k < dims) {
        const int here = f->position[port];
        if (here != b[k]) {
            const bool up = goes_up(f, k, a[k], b[k]);
            const bool wrapped = (up & (here < a[k])) | (!up & (here > a[k]));
            return (2 * k + !up) ^ wrapped;
        }
        k++;
    } else {
        k = 0;
    }
    for (; k < dims; k++) {
        if (a[k] != b[k])
            return 2 * k + !goes_up(f, k, a[k], b[k]);
    }
    return f->ports - 1;
}

/* ---- wiring ---- */

/* A node during wiring. */
typedef struct {
    uint32_t node;
    const uint16_t *coordinate; /* [dims] */
    uint32_t switch_;           /* one of its switches, */
    int first;                  /* the first dimension of that switch */
} grid_place;

static uint32_t port_of(const swq_fabric *f, uint32_t which, int p)
{
    return swq_first_port(f, which) + (uint32_t)p;
}

/* Is there a link in that direction of that dimension? At the border of a mesh there is none. */
static bool has_way(const swq_fabric *f, const grid_place *at, int k, bool up)
{
    return is_torus(f) || at->coordinate[k] != (up ? f->shape.extent[k] - 1 : 0);
}

/* Fills in the classes of a port, for packets that still have to travel in the dimensions from k
 * on, or to the host. */
static void turns(swq_fabric *f, const grid_place *at, uint32_t port, int k)
{
    uint8_t *output = swq_outputs_of(f, port);
    const int host = f->ports - 1;

    if (f->outputs) /* adaptive: wire_sets does it */
        return;
    for (int end = end_of(&f->shape, at->first); k < end; k++) {
        for (int down = 0; down < directions(&f->shape); down++) {
            int p = output_of(&f->shape, at->first, k, !down);
            if (has_way(f, at, k, !down))
                output[p] = (uint8_t)p;
        }
    }
    output[host] = (uint8_t)host;
}

/* Wires one direction of a dimension, as an input and as an output. `unit` is the difference of the
 * numbers of neighbours in this dimension. */
static void wire_direction(swq_fabric *f, const grid_place *at, int k, uint32_t unit, bool up)
{
    const int p = output_of(&f->shape, at->first, k, up), here = at->coordinate[k];
    const uint32_t last = (uint32_t)f->shape.extent[k] - 1, port = port_of(f, at->switch_, p);
    const uint32_t chain = (uint32_t)chain_length(&f->shape);

    f->position[port] = (uint16_t)here;
    if (has_way(f, at, k, up)) {
        uint32_t next = up ? at->node + unit : at->node - unit;
        if (up && here == (int)last)
            next = at->node - last * unit;
        else if (!up && here == 0)
            next = at->node + last * unit;
        uint32_t ahead = next * chain + at->switch_ % chain;
        f->link[port] = port_of(f, ahead, p);
        f->out_level[port] = (uint8_t)k;
    }
    if (!has_way(f, at, k, !up)) /* no sender beyond the border */
        return;
    f->in_level[port] = (uint8_t)k;
    turns(f, at, port, k + 1);
    uint8_t *output = swq_outputs_of(f, port);
    if (f->outputs)
        return;
    if (has_way(f, at, k, up))
        output[p] = (uint8_t)p;
    if (is_torus(f))
        output[wrapped_class(f, p)] = (uint8_t)p;
}

/* Sets of outputs of the classes at all ports of a node. Packets at a host port come from the
 * host. */
static void wire_sets(swq_fabric *f, const grid_place *at)
{
    const int base = directions(&f->shape) + 1, host = f->ports - 1;

    for (int set = 0; set < f->classes - f->escapes; set++) {
        swq_port_set outputs = 0;
        bool there = true;
        for (int k = 0, left = set; k < f->shape.dims; k++, left /= base) {
            if (left % base == 0)
                continue;
            const bool up = left % base == 1;
            outputs |= UINT64_C(1) << output_of(&f->shape, 0, k, up);
            there = there && has_way(f, at, k, up);
        }
        for (int p = 0; p < f->ports && there; p++) {
            if (f->in_level[port_of(f, at->switch_, p)] == SWQ_UNUSED || (p == host && !outputs))
                continue;
            *swq_set_of(f, port_of(f, at->switch_, p), f->escapes + set) =
                outputs ? outputs : UINT64_C(1) << host;
        }
    }
}

static void wire_host(swq_fabric *f, const grid_place *at)
{
    const int host = f->ports - 1;
    const uint32_t port = port_of(f, at->switch_, host);
    const bool is_last = end_of(&f->shape, at->first) == f->shape.dims;

    f->position[port] = (uint16_t)at->first;
    f->link[port] = is_last ? SWQ_TO_NODE | at->node : port_of(f, at->switch_ + 1, host);
    f->in_level[port] = f->out_level[port] = (uint8_t)f->shape.dims;
    turns(f, at, port, at->first);
    if (chain_length(&f->shape) == 1 &&
        !f->outputs) /* a packet from the host is for another node */
        swq_outputs_of(f, port)[host] = SWQ_UNUSED;
}

static void wire(swq_fabric *fabric)
{
    swq_fabric *f = fabric;
    const int dims = f->shape.dims, chain = chain_length(&f->shape);
    uint32_t unit[SWQ_MAX_DIMS];

    unit[dims - 1] = 1;
    for (int k = dims - 1; k > 0; k--)
        unit[k - 1] = unit[k] * (uint32_t)f->shape.extent[k];
    for (uint32_t node = 0; node < f->nodes; node++) {
        uint16_t *coordinate = f->coordinate + (size_t)node * (size_t)dims;
        grid_place at = {.node = node, .coordinate = coordinate};
        for (int k = 0; k < dims; k++)
            coordinate[k] = (uint16_t)(node / unit[k] % (uint32_t)f->shape.extent[k]);
        f->entry[node] = port_of(f, node * (uint32_t)chain, f->ports - 1);
        for (int j = 0; j < chain; j++) {
            at.switch_ = node * (uint32_t)chain + (uint32_t)j;
            at.first = j * CHAINED_DIMS;
            for (int k = at.first; k < end_of(&f->shape, at.first); k++) {
                wire_direction(f, &at, k, unit[k], true);
                if (!f->shape.one_way)
                    wire_direction(f, &at, k, unit[k], false);
            }
            wire_host(f, &at);
            if (f->outputs)
                wire_sets(f, &at);
        }
    }
}

static const swq_shape tori[] = {
    {.kind = &swq_fabric_torus, .dims = 1, .extent = {2}},
    {.kind = &swq_fabric_torus, .dims = 1, .extent = {9}},
    {.kind = &swq_fabric_torus, .dims = 2, .extent = {5, 6}},
    {.kind = &swq_fabric_torus, .dims = 2, .extent = {4, 4}},
    {.kind = &swq_fabric_torus, .dims = 3, .extent = {3, 4, 5}},
    {.kind = &swq_fabric_torus, .dims = 3, .extent = {5, 2, 3}, .chained = true},
    {.kind = &swq_fabric_torus, .dims = 2, .extent = {3, 4}, .one_way = true},
    {.kind = &swq_fabric_torus, .dims = 1, .extent = {2}, .one_way = true},
    {0},
};

const swq_fabric_kind swq_fabric_torus = {
    .name = "torus",
    .summary = "rings in every dimension; packets take the dimensions one after another, the "
               "shorter way round",
    .source = "Frazier (1995), 6.3; Dally and Seitz (1987)",
    .point_to_point = true,
    .engines = SWQ_ENGINE_ASYNC,
    .parameters = SWQ_HAS_DIMS | SWQ_HAS_EXTENTS | SWQ_HAS_ONE_WAY | SWQ_HAS_CHAINED,
    .examples = tori,
    .rings = true,
    .grid = true,
    .positions = true,
    .count = count,
    .wire = wire,
    .route = route,
    .first = first_output,
    .escape = escape,
    .stand_in = stand_in,
    .longest = longest,
    .describe = describe,
    .level_name = swq_fabric_dimension_name,
    .direction_name = swq_fabric_dimension_of_port,
};

static const swq_shape meshes[] = {
    {.kind = &swq_fabric_mesh, .dims = 1, .extent = {2}},
    {.kind = &swq_fabric_mesh, .dims = 2, .extent = {4, 3}},
    {.kind = &swq_fabric_mesh, .dims = 3, .extent = {2, 3, 4}},
    {.kind = &swq_fabric_mesh, .dims = 3, .extent = {3, 2, 3}, .chained = true},
    {0},
};

const swq_fabric_kind swq_fabric_mesh = {
    .name = "mesh",
    .summary = "rows of nodes in every dimension; packets take the dimensions one after another",
    .source = "Frazier (1995), 6.1.1; Dally and Seitz (1987)",
    .point_to_point = true,
    .engines = SWQ_ENGINE_ASYNC,
    .parameters = SWQ_HAS_DIMS | SWQ_HAS_EXTENTS | SWQ_HAS_CHAINED,
    .examples = meshes,
    .grid = true,
    .positions = true,
    .count = count,
    .wire = wire,
    .route = route,
    .first = first_output,
    .escape = escape,
    .stand_in = stand_in,
    .longest = longest,
    .describe = describe,
    .level_name = swq_fabric_dimension_name,
    .direction_name = swq_fabric_dimension_of_port,
};
