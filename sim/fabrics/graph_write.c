/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fabric as a graph file: nodes and links with their ports, and the routes from every switch.
 */
#include "base/context.h"
#include "base/outfile.h"
#include "sim/fabrics/fabrics.h"
#include "switchq/graph.h"

#include <inttypes.h>
#include <string.h>

/* Fills `row` with the output of packets for each node at a switch; SWQ_UNUSED where no packet for
 * a node comes by. */
static void find_row(const swq_fabric *f, uint32_t to, uint8_t *next, bool *unlike)
{
    for (uint32_t from = 0; from < f->nodes; from++) {
        uint32_t port = f->entry[from];
        if (from == to)
            continue;
        for (uint32_t steps = 0; steps <= f->switches && !(port & SWQ_TO_NODE); steps++) {
            const uint32_t at = port / (uint32_t)f->ports;
            const int class = f->shape.kind->route(f, port, from, to);
            const uint8_t output = swq_outputs_of(f, port)[class];
            uint8_t *known = &next[at];
            *unlike |= *known != SWQ_UNUSED && *known != output;
            *known = output;
            port = f->link[at * (uint32_t)f->ports + output];
        }
    }
}

static swq_status check(swq_context *ctx, const swq_fabric *f)
{
    if (!f->shape.kind->point_to_point || f->shape.chained)
        return swq_fail(ctx, SWQ_EINVAL,
                        "a graph file has nodes that send to and receive from one switch: topology "
                        "%s%s has none",
                        swq_shape_name(&f->shape),
                        f->shape.chained ? " with chained switches" : "");
    if (f->shape.routing && (f->shape.routing->adaptive || f->shape.routing->by_another))
        return swq_fail(ctx, SWQ_EINVAL,
                        "a graph file has one route for each pair: routing must be %s, not %s",
                        swq_routings[0]->name, f->shape.routing->name);
    if (f->ways)
        return swq_fail(ctx, SWQ_EINVAL,
                        "a graph file has one route for each pair: ways must be one, not drawn");
    return SWQ_OK;
}

static void write_links(FILE *out, const swq_fabric *f)
{
    const uint32_t ports = (uint32_t)f->ports;
    char text[200];

    f->shape.kind->describe(f, text, sizeof text);
    fprintf(out, "# %s\n", text);
    for (uint32_t w = 0; w < f->switches; w++)
        fprintf(out, "switch %" PRIu32 "\n", w);
    for (uint32_t n = 0; n < f->nodes; n++)
        fprintf(out, "host %" PRIu32 " %" PRIu32 ":%" PRIu32 "\n", n, f->entry[n] / ports,
                f->entry[n] % ports);
    for (uint32_t port = 0; port < f->switches * ports; port++) {
        const uint32_t end = f->link[port];
        const bool both = !(end & SWQ_TO_NODE) && f->link[end] == port;
        if (!(end & SWQ_TO_NODE) && (!both || port < end))
            fprintf(out, "%s %" PRIu32 ":%" PRIu32 " %" PRIu32 ":%" PRIu32 "\n",
                    both ? "link" : "arc", port / ports, port % ports, end / ports, end % ports);
    }
}

/* One row for each switch, so that a file has as many letters as the table has entries, about. */
static void write_routes(FILE *out, const swq_fabric *f, const uint8_t *next)
{
    for (uint32_t w = 0; w < f->switches; w++) {
        fprintf(out, "routes %" PRIu32, w);
        for (uint32_t n = 0; n < f->nodes; n++) {
            const uint8_t output = next[(size_t)n * f->switches + w];
            if (output == SWQ_UNUSED || f->entry[n] / (uint32_t)f->ports == w)
                fputs(" -", out);
            else
                fprintf(out, " %u", output);
        }
        fputc('\n', out);
    }
}

swq_status swq_graph_write(swq_context *ctx, const swq_fabric *f, const char *path)
{
    const size_t entries = (size_t)f->switches * f->nodes;
    swq_outfile file = {0};
    bool unlike = false;
    swq_status status = check(ctx, f);
    uint8_t *next = status ? NULL : swq_calloc(ctx, entries, 1);

    if (!status && !next)
        status = swq_memory_status(ctx);
    if (next)
        memset(next, SWQ_UNUSED, entries);
    for (uint32_t to = 0; to < f->nodes && !status; to++) {
        find_row(f, to, next + (size_t)to * f->switches, &unlike);
        if (swq_context_cancelled(ctx))
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        if (unlike)
            status = swq_fail(ctx, SWQ_EINVAL,
                              "routes to node %" PRIu32 " of this network depend on more than the "
                              "switch that a packet is at: a graph file cannot say them",
                              to);
    }
    if (!status)
        status = swq_outfile_open(ctx, path, &file);
    if (!status) {
        write_links(file.stream, f);
        write_routes(file.stream, f, next);
        status = swq_outfile_commit(ctx, &file);
    }
    swq_outfile_abort(ctx, &file);
    swq_free(ctx, next);
    return status;
}
