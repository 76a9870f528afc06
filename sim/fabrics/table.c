/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of fabrics: to find a row, to check and count a shape, to lay it out and to let it go.
 */
#include "base/arrays.h"
#include "base/context.h"
#include "base/names.h"
#include "sim/fabrics/by_table.h"
#include "sim/fabrics/fabrics.h"

#include <string.h>

const swq_fabric_kind *const swq_fabric_kinds[] = {
    &swq_fabric_multistage,
    &swq_fabric_torus,
    &swq_fabric_mesh,
    &swq_fabric_hypercube,
    &swq_fabric_tree,
    &swq_fabric_fat_tree,
    &swq_fabric_dragonfly,
    &swq_fabric_hyperx,
    &swq_fabric_slimfly,
    &swq_fabric_polarfly,
    &swq_fabric_megafly,
    &swq_fabric_graph,
    NULL,
};

swq_status swq_fabric_find(swq_context *ctx, const char *name, swq_shape *shape)
{
    const void *known[64] = {NULL}; /* both tables, so that the nearest name may come from either */
    size_t kinds = 0, rows;

    for (; swq_fabric_kinds[kinds]; kinds++)
        known[kinds] = swq_fabric_kinds[kinds];
    rows = kinds;
    for (size_t t = 0; swq_topologies[t] && rows + 1 < sizeof known / sizeof *known; t++)
        known[rows++] = swq_topologies[t];

    for (size_t k = 0; k < kinds; k++) {
        const size_t length = strlen(swq_fabric_kinds[k]->name);
        if (swq_fabric_kinds[k]->file && strncmp(name, swq_fabric_kinds[k]->name, length) == 0 &&
            name[length] == ':')
            name = swq_fabric_kinds[k]->name;
    }
    const void *row = swq_name_lookup(ctx, "topology", name, known);
    if (!row)
        return SWQ_EINVAL;
    shape->kind = &swq_fabric_multistage;
    shape->wiring = swq_topologies[0];
    for (size_t k = 0; k < rows; k++) {
        if (row != known[k])
            continue;
        if (k >= kinds)
            shape->wiring = row;
        else if (row != &swq_fabric_multistage)
            shape->kind = row, shape->wiring = NULL;
    }
    return SWQ_OK;
}

/* The routing's name; that of the one that goes without saying if none is set. */
static const char *routing_name(const swq_shape *shape)
{
    return shape->routing ? shape->routing->name : swq_routings[0]->name;
}

/* What a routing compares before it chooses: threshold, kind of queue and factors. */
static swq_status check_comparison(swq_context *ctx, const swq_shape *shape)
{
    const bool chooses = swq_shape_chooses(shape);
    const bool decides = chooses || (shape->routing && shape->routing->detours);
    const int factor[2] = {shape->straight_factor, shape->detour_factor};
    static const char *const factors[2] = {"straight-factor", "detour-factor"};

    if (shape->ugal_threshold < 0 || shape->ugal_threshold > SWQ_MAX_UGAL_THRESHOLD)
        return swq_fail(ctx, SWQ_EINVAL, "ugal-threshold must be 0 to %d, not %d",
                        SWQ_MAX_UGAL_THRESHOLD, shape->ugal_threshold);
    if (shape->ugal_threshold && !decides)
        return swq_fail(ctx, SWQ_EINVAL,
                        "ugal-threshold is for routings ugal, par and dal, not for %s",
                        routing_name(shape));
    if (shape->ugal_queue < SWQ_QUEUE_LOCAL || shape->ugal_queue > SWQ_QUEUE_PATH)
        return swq_fail(ctx, SWQ_EINVAL, "ugal-queue must be 0 to %d, not %d", SWQ_QUEUE_PATH,
                        (int)shape->ugal_queue);
    if (shape->ugal_queue && !decides)
        return swq_fail(ctx, SWQ_EINVAL, "ugal-queue is for routings ugal, par and dal, not for %s",
                        routing_name(shape));
    if (chooses && shape->ugal_queue > SWQ_QUEUE_LANE)
        return swq_fail(ctx, SWQ_EINVAL,
                        "ugal-queue must be local or lane with routing %s, which knows no more of "
                        "a way than its next link",
                        shape->routing->name);
    for (int k = 0; k < 2; k++) {
        if (factor[k] < 0 || factor[k] > SWQ_MAX_UGAL_FACTOR)
            return swq_fail(ctx, SWQ_EINVAL, "%s must be 0 to %d, not %d", factors[k],
                            SWQ_MAX_UGAL_FACTOR, factor[k]);
        if (factor[k] && !decides)
            return swq_fail(ctx, SWQ_EINVAL, "%s is for routings ugal, par and dal, not for %s",
                            factors[k], routing_name(shape));
        if (factor[k] && shape->ugal_queue == SWQ_QUEUE_PATH)
            return swq_fail(ctx, SWQ_EINVAL,
                            "%s is for products with a queue, not for ugal-queue path, which has "
                            "none",
                            factors[k]);
    }
    return SWQ_OK;
}

/* Adaptive routings need a fabric that offers several ways. */
static swq_status check_adaptive(swq_context *ctx, const swq_shape *shape)
{
    const swq_fabric_kind *kind = shape->kind;

    if (!swq_shape_adaptive(shape))
        return SWQ_OK;
    if (!kind->first && !kind->shortest_ways)
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing %s is for topologies with a choice of ways: tree, fat-tree, "
                        "torus, mesh, hyperx, slim-fly, polarfly, megafly and graph, not %s",
                        shape->routing->name, swq_shape_name(shape));
    if (shape->routing->escapes && !kind->shortest_ways)
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing %s is for topologies hyperx, slim-fly, polarfly, megafly and "
                        "graph: topology %s has routing %s, with escape queues where it needs them",
                        shape->routing->name, kind->name, swq_routing_adaptive.name);
    if (shape->routing->unguarded && !kind->escape)
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing %s is for topologies torus and mesh: topology %s needs no escape "
                        "queues to be without",
                        shape->routing->name, kind->name);
    if (shape->chained)
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing %s is not for chained switches, which go through the dimensions "
                        "in order",
                        shape->routing->name);
    return SWQ_OK;
}

static swq_status check_routing(swq_context *ctx, const swq_shape *shape)
{
    const swq_fabric_kind *kind = shape->kind;

    if (swq_shape_chooses(shape) && !kind->next_links)
        return swq_fail(ctx, SWQ_EINVAL, "routing %s is for topology hyperx, not for %s",
                        shape->routing->name, swq_shape_name(shape));
    if (shape->ugal_queue == SWQ_QUEUE_GLOBAL && !kind->global_level)
        return swq_fail(ctx, SWQ_EINVAL,
                        "ugal-queue global is for topologies with links between groups, dragonfly "
                        "and megafly, not for %s",
                        swq_shape_name(shape));
    if (shape->late_credits && (!kind->global_level || !shape->routing || !shape->routing->detours))
        return swq_fail(ctx, SWQ_EINVAL,
                        "ugal-credits round-trip is for routings ugal and par in topologies with "
                        "links between groups, dragonfly and megafly, not for %s in %s",
                        routing_name(shape), swq_shape_name(shape));
    if (shape->drawn_ways && !kind->shortest_ways)
        return swq_fail(ctx, SWQ_EINVAL,
                        "ways drawn is for topologies whose routes are shortest ways over links "
                        "(hyperx, slim-fly, polarfly, megafly, graph), not for %s",
                        swq_shape_name(shape));
    if (shape->drawn_ways && (swq_shape_adaptive(shape) || swq_shape_chooses(shape)))
        return swq_fail(ctx, SWQ_EINVAL,
                        "ways drawn is not for routing %s, with which packets choose in each "
                        "switch",
                        shape->routing->name);
    if (shape->graph && shape->graph->several && !swq_shape_has_ways(shape))
        return swq_fail(ctx, SWQ_EINVAL,
                        "routes of this table have several ways, of which one is drawn (ways "
                        "drawn) or chosen (routing %s): ways must not be one with routing %s",
                        swq_routing_adaptive.name, routing_name(shape));
    if (shape->graph && shape->graph->table && shape->drawn_ways && shape->routing &&
        shape->routing->by_another)
        return swq_fail(ctx, SWQ_EINVAL,
                        "ways drawn of a table of routes are for routing %s, not for %s",
                        swq_routings[0]->name, shape->routing->name);
    if (shape->routing && shape->routing->progressive && !kind->turns)
        return swq_fail(ctx, SWQ_EINVAL, "routing %s is for topology dragonfly, not for %s",
                        shape->routing->name, swq_shape_name(shape));
    if (shape->routing && shape->routing->by_another && !kind->phases &&
        (!kind->grid || shape->chained))
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing %s is for topologies torus and mesh with one switch a node, "
                        "dragonfly, hyperx, slim-fly, polarfly, megafly and graph, not for %s%s",
                        shape->routing->name, swq_shape_name(shape),
                        shape->chained ? " with chained switches" : "");
    return SWQ_OK;
}

/* Refuses what is larger than the numbers of ports, and more ports than the outputs of packets that
 * choose have numbers. */
static swq_status check_sizes(swq_context *ctx, const swq_fabric *f)
{
    const double ports = (double)f->switches * f->ports;

    if (ports >= SWQ_TO_NODE)
        return swq_fail(ctx, SWQ_EINVAL, "topology %s must have fewer than 2^31 ports, not %.0f",
                        swq_shape_name(&f->shape), ports);
    if (swq_shape_has_ways(&f->shape) && swq_shape_adaptive(&f->shape) &&
        f->ports > SWQ_MOST_TABLE_PORTS)
        return swq_fail(ctx, SWQ_EINVAL,
                        "routing %s is for switches of at most %d ports, not for those of this %s, "
                        "which have %d",
                        f->shape.routing->name, SWQ_MOST_TABLE_PORTS, swq_shape_name(&f->shape),
                        f->ports);
    return SWQ_OK;
}

swq_status swq_fabric_count(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric)
{
    const swq_fabric_kind *kind = shape->kind;
    swq_fabric counted = {.shape = *shape};

    if (!kind)
        return swq_fail(ctx, SWQ_EINVAL, "topology must be given");
    swq_status status = swq_shape_check_parameters(ctx, shape);
    if (!status)
        status = check_comparison(ctx, shape);
    if (!status)
        status = check_routing(ctx, shape);
    if (!status)
        status = check_adaptive(ctx, shape);
    if (!status)
        status = kind->count(ctx, shape, &counted);
    if (!status)
        status = check_sizes(ctx, &counted);
    if (swq_shape_adaptive(shape) && shape->routing->escapes)
        counted.escapes = 1;
    counted.set_words = swq_port_set_words(counted.ports);
    if (status == SWQ_OK)
        *fabric = counted;
    return status;
}

/* Sizes of the arrays. `position` and `coordinate` exist only for kinds that route by them. */
static size_t all_ports(const swq_fabric *f)
{
    return (size_t)f->switches * (size_t)f->ports;
}

swq_places swq_fabric_places(const swq_fabric *fabric)
{
    swq_places places = swq_places_in_a_row(fabric->nodes);

    if (fabric->place_dims) {
        places.dims = fabric->place_dims;
        places.extent = fabric->shape.extent;
    }
    return places;
}

static void list_arrays(swq_fabric *f, swq_arrays *list)
{
    const double ports = (double)all_ports(f), nodes = f->nodes;
    const swq_fabric_kind *kind = f->shape.kind;

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, f->link, ports);
    SWQ_ARRAY(list, f->entry, nodes);
    SWQ_ARRAY(list, f->output, ports * f->classes);
    SWQ_ARRAY(list, f->outputs,
              swq_shape_adaptive(&f->shape) && kind->first ? ports * f->classes * f->set_words : 0);
    SWQ_ARRAY(list, f->in_level, ports);
    SWQ_ARRAY(list, f->out_level, ports);
    SWQ_ARRAY(list, f->position, kind && kind->positions ? ports : 0);
    SWQ_ARRAY(list, f->next, (double)f->switches * swq_table_columns(f));
    SWQ_ARRAY(list, f->ways, (double)f->switches * swq_way_columns(f) * f->set_words);
    SWQ_ARRAY(list, f->coordinate, kind && kind->grid ? nodes * f->shape.dims : 0);
}

double swq_fabric_bytes(const swq_fabric *fabric)
{
    swq_fabric same = *fabric;
    swq_arrays list;

    list_arrays(&same, &list);
    return swq_arrays_bytes(&list);
}

static void count_levels(swq_fabric *f)
{
    for (size_t port = 0; port < all_ports(f); port++) {
        if (f->in_level[port] != SWQ_UNUSED)
            f->level_inputs[f->in_level[port]]++;
        if (f->out_level[port] != SWQ_UNUSED)
            f->level_outputs[f->out_level[port]]++;
    }
}

swq_status swq_fabric_make(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric)
{
    swq_fabric made = {0};
    swq_arrays list;
    swq_status status = swq_fabric_count(ctx, shape, &made);

    if (status != SWQ_OK)
        return status;
    list_arrays(&made, &list);
    status = swq_arrays_take(ctx, &list);
    if (status != SWQ_OK) {
        swq_fabric_clear(ctx, &made);
        return status;
    }
    const size_t ports = all_ports(&made);
    memset(made.link, 0xff, ports * sizeof *made.link); /* SWQ_NO_WHERE */
    memset(made.output, SWQ_UNUSED, ports * (size_t)made.classes);
    memset(made.in_level, SWQ_UNUSED, ports);
    memset(made.out_level, SWQ_UNUSED, ports);
    shape->kind->wire(&made);
    if (shape->kind->by_table)
        status = swq_table_fill(ctx, &made);
    if (status == SWQ_OK && swq_shape_has_ways(shape))
        status = swq_ways_fill(ctx, &made);
    if (status != SWQ_OK) {
        swq_fabric_clear(ctx, &made);
        return status;
    }
    count_levels(&made);
    *fabric = made;
    return SWQ_OK;
}

void swq_fabric_clear(swq_context *ctx, swq_fabric *fabric)
{
    swq_arrays list;

    if (!fabric)
        return;
    list_arrays(fabric, &list);
    swq_arrays_free(ctx, &list);
    memset(fabric, 0, sizeof *fabric);
}
