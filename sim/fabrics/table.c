/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of fabrics: to find a row, to check and count a shape, to lay it out and to let it go.
 * Room: sim.
 */
#include "base/context.h"
#include "base/names.h"
#include "sim/fabrics/fabrics.h"

#include <stdio.h>
#include <string.h>

const swq_fabric_kind *const swq_fabric_kinds[] = {
    &swq_fabric_multistage, &swq_fabric_torus, &swq_fabric_mesh, &swq_fabric_hypercube, NULL,
};

swq_status swq_fabric_find(swq_context *ctx, const char *name, swq_shape *shape)
{
    const void *known[64] = {NULL}; /* both tables, so that the nearest name is sought in both */
    size_t kinds = 0, rows;

    for (; swq_fabric_kinds[kinds]; kinds++)
        known[kinds] = swq_fabric_kinds[kinds];
    rows = kinds;
    for (size_t t = 0; swq_topologies[t] && rows + 1 < sizeof known / sizeof *known; t++)
        known[rows++] = swq_topologies[t];

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

swq_status swq_fabric_count(swq_context *ctx, const swq_shape *shape, swq_fabric *fabric)
{
    const swq_fabric_kind *kind = shape->kind;
    swq_fabric counted = {.shape = *shape};

    if (!kind)
        return swq_fail(ctx, SWQ_EINVAL, "topology must be given");
    if (shape->one_way && kind != &swq_fabric_torus)
        return swq_fail(ctx, SWQ_EINVAL, "one_way is for topology torus, not for %s", kind->name);
    if (shape->chained && kind != &swq_fabric_torus && kind != &swq_fabric_mesh)
        return swq_fail(ctx, SWQ_EINVAL, "chained is for topologies torus and mesh, not for %s",
                        kind->name);
    swq_status status = kind->count(ctx, shape, &counted);
    if (status == SWQ_OK)
        *fabric = counted;
    return status;
}

/* How many elements the arrays have. `position` and `coordinate` are for those who go by them. */
static size_t all_ports(const swq_fabric *f)
{
    return (size_t)f->switches * (size_t)f->ports;
}

static bool has_coordinates(const swq_fabric *f)
{
    return f->shape.kind == &swq_fabric_torus || f->shape.kind == &swq_fabric_mesh;
}

static bool has_positions(const swq_fabric *f)
{
    return f->shape.kind != &swq_fabric_multistage;
}

double swq_fabric_bytes(const swq_fabric *fabric)
{
    const swq_fabric *f = fabric;
    double port = (double)(sizeof *f->link + sizeof *f->in_level + sizeof *f->out_level);

    port += (double)f->classes * sizeof *f->output;
    if (has_positions(f))
        port += sizeof *f->position;
    double node = sizeof *f->entry;
    if (has_coordinates(f))
        node += (double)f->shape.dims * sizeof *f->coordinate;
    return (double)all_ports(f) * port + (double)f->nodes * node;
}

static swq_status allocate(swq_context *ctx, swq_fabric *f)
{
    const size_t ports = all_ports(f), nodes = f->nodes;
    bool complete;

    f->link = swq_calloc(ctx, ports, sizeof *f->link);
    f->entry = swq_calloc(ctx, nodes, sizeof *f->entry);
    f->output = swq_calloc(ctx, ports, (size_t)f->classes * sizeof *f->output);
    f->in_level = swq_calloc(ctx, ports, sizeof *f->in_level);
    f->out_level = swq_calloc(ctx, ports, sizeof *f->out_level);
    complete = f->link && f->entry && f->output && f->in_level && f->out_level;
    if (complete && has_positions(f)) {
        f->position = swq_calloc(ctx, ports, sizeof *f->position);
        complete = f->position;
    }
    if (complete && has_coordinates(f)) {
        f->coordinate = swq_calloc(ctx, nodes, (size_t)f->shape.dims * sizeof *f->coordinate);
        complete = f->coordinate;
    }
    return complete ? SWQ_OK : swq_memory_status(ctx);
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
    swq_status status = swq_fabric_count(ctx, shape, &made);

    if (status != SWQ_OK)
        return status;
    status = allocate(ctx, &made);
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
    count_levels(&made);
    *fabric = made;
    return SWQ_OK;
}

void swq_fabric_clear(swq_context *ctx, swq_fabric *fabric)
{
    if (!fabric)
        return;
    swq_free(ctx, fabric->link);
    swq_free(ctx, fabric->entry);
    swq_free(ctx, fabric->output);
    swq_free(ctx, fabric->in_level);
    swq_free(ctx, fabric->out_level);
    swq_free(ctx, fabric->position);
    swq_free(ctx, fabric->coordinate);
    memset(fabric, 0, sizeof *fabric);
}

void swq_fabric_dimension_name(const swq_fabric *fabric, int level, char *text, size_t size)
{
    if (level < fabric->shape.dims)
        snprintf(text, size, "dimension %d", level + 1);
    else
        snprintf(text, size, "hosts");
}
