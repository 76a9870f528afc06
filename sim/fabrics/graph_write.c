/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fabric as a graph file: nodes and links with their ports, and the routes from every switch; or
 * its routes alone, as a table.
 */
#include "base/context.h"
#include "base/outfile.h"
#include "sim/fabrics/fabrics.h"
#include "sim/fabrics/state.h"
#include "switchq/graph.h"

#include <inttypes.h>
#include <string.h>

/* The routes to a node, by switch. */
typedef struct {
    uint8_t *next; /* [switches] the output; SWQ_UNUSED where no packet for the node comes by */
    uint8_t *part; /* [switches] the phase of the packets that leave; NULL: not asked for */
    bool unlike, unlike_parts; /* packets from several nodes leave a switch by several outputs (in
                                  several phases) */
} graph_column;

static void find_column(const swq_fabric *f, uint32_t to, graph_column *c)
{
    for (uint32_t from = 0; from < f->nodes; from++) {
        swq_packet_state p = {.from = from, .to = to, .then = SWQ_NO_WHERE};
        uint32_t port = f->entry[from];
        if (from == to)
            continue;
        for (uint32_t steps = 0; steps <= f->switches && !(port & SWQ_TO_NODE); steps++) {
            const uint32_t at = port / (uint32_t)f->ports;
            const uint8_t output = (uint8_t)swq_state_output(f, port, &p);
            const bool new = c->next[at] == SWQ_UNUSED;
            c->unlike |= !new && c->next[at] != output;
            c->next[at] = output;
            port = f->link[at * (uint32_t)f->ports + output];
            if (!c->part || port & SWQ_TO_NODE)
                continue;
            const uint8_t phase = (uint8_t)f->shape.kind->phase(f, port, &p);
            c->unlike_parts |= !new && c->part[at] != phase;
            c->part[at] = phase;
        }
    }
}

static swq_status check(swq_context *ctx, const swq_fabric *f, bool links)
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
    if (f->ways && links)
        return swq_fail(ctx, SWQ_EINVAL,
                        "a graph file has one route for each pair: ways must be one, not drawn");
    return SWQ_OK;
}

/* A fabric's routes. */
typedef struct {
    const swq_fabric *f;
    uint8_t *next, *part; /* [nodes * switches], as in graph_column; drawn ways: NULL */
} graph_table;

static void write_heading(FILE *out, const graph_table *t)
{
    const swq_fabric *f = t->f;
    char text[200];

    f->shape.kind->describe(f, text, sizeof text);
    fprintf(out, "# routes of %s%s\n", text, f->ways ? "; --ways drawn" : "");
    if (t->part)
        fputs("# with the part of the lanes for each link\n", out);
    else if (f->shape.kind->phases && f->shape.kind->phases(&f->shape) > 1)
        fputs("# without parts of the lanes: they depend on more than switch and destination\n",
              out);
}

static double delay_of(const swq_graph *g, uint32_t port)
{
    return g->delays ? g->delays[port] : g->delay;
}

static double speed_of(const swq_graph *g, uint32_t port)
{
    return g->speeds > 0 ? g->speed[g->speed_of ? g->speed_of[port] : 0].given : 1;
}

/* Ends the line of a link with its speed and its delay, if they are those of a file. */
static void write_times(FILE *out, const swq_graph *g, uint32_t port)
{
    if (g && speed_of(g, port) != 1)
        fprintf(out, " speed=%.15g", speed_of(g, port));
    if (g && delay_of(g, port) != 1)
        fprintf(out, " delay=%.15g", delay_of(g, port));
    fputc('\n', out);
}

/* Is a port the end of a link in both directions, which are alike? */
static bool leads_both_ways(const swq_fabric *f, uint32_t port)
{
    const swq_graph *g = f->shape.graph;
    const uint32_t end = f->link[port];

    return !(end & SWQ_TO_NODE) && f->link[end] == port &&
           (!g || (delay_of(g, port) == delay_of(g, end) && speed_of(g, port) == speed_of(g, end)));
}

static void write_links(FILE *out, const swq_fabric *f)
{
    const uint32_t ports = (uint32_t)f->ports;
    char text[200];

    f->shape.kind->describe(f, text, sizeof text);
    fprintf(out, "# %s\n", text);
    for (uint32_t w = 0; w < f->switches; w++)
        fprintf(out, "switch %" PRIu32 "\n", w);
    for (uint32_t n = 0; n < f->nodes; n++) {
        fprintf(out, "host %" PRIu32 " %" PRIu32 ":%" PRIu32, n, f->entry[n] / ports,
                f->entry[n] % ports);
        write_times(out, f->shape.graph, f->entry[n]);
    }
    for (uint32_t port = 0; port < f->switches * ports; port++) {
        const uint32_t end = f->link[port];
        const bool both = leads_both_ways(f, port);
        if (end & SWQ_TO_NODE || (both && port > end))
            continue;
        fprintf(out, "%s %" PRIu32 ":%" PRIu32 " %" PRIu32 ":%" PRIu32, both ? "link" : "arc",
                port / ports, port % ports, end / ports, end % ports);
        write_times(out, f->shape.graph, port);
    }
}

static void write_entry(FILE *out, const graph_table *t, uint32_t w, uint32_t n)
{
    const swq_fabric *f = t->f;
    const uint32_t ports = (uint32_t)f->ports;
    const size_t entry = (size_t)n * f->switches + w;

    if (f->entry[n] / ports == w || (t->next && t->next[entry] == SWQ_UNUSED)) {
        fputs(" -", out);
    } else if (!t->next) { /* each state has its ways */
        swq_packet_state p = {.to = n, .then = SWQ_NO_WHERE};
        swq_port_set own[SWQ_PORT_SET_WIDE];
        const swq_port_set *set = swq_state_outputs(f, w * ports, &p, own);
        char before = ' ';
        uint32_t port;
        fputs(swq_port_set_any(set, f->set_words) ? "" : " -", out);
        SWQ_EACH_PORT (port, set, f->set_words) {
            fprintf(out, "%c%" PRIu32, before, port);
            before = ',';
        }
    } else {
        fprintf(out, t->part ? " %u/%u" : " %u", t->next[entry], t->part ? t->part[entry] : 0U);
    }
}

/* One row for each switch, so that a file has as many letters as the table has entries, about. */
static void write_routes(FILE *out, const graph_table *t)
{
    for (uint32_t w = 0; w < t->f->switches; w++) {
        fprintf(out, "routes %" PRIu32, w);
        for (uint32_t n = 0; n < t->f->nodes; n++)
            write_entry(out, t, w, n);
        fputc('\n', out);
    }
}

static void forget_parts(swq_context *ctx, graph_table *t)
{
    swq_free(ctx, t->part);
    t->part = NULL;
}

/* Fills a table, with parts if its fabric has phases that the switch and the destination
 * determine. */
static swq_status find_routes(swq_context *ctx, graph_table *t, bool with_parts)
{
    const swq_fabric *f = t->f;
    const size_t entries = (size_t)f->switches * f->nodes;
    const bool phases = with_parts && f->shape.kind->phases && f->shape.kind->phases(&f->shape) > 1;
    graph_column c = {0};

    t->next = swq_calloc(ctx, entries, 1);
    t->part = phases ? swq_calloc(ctx, entries, 1) : NULL;
    if (!t->next || (phases && !t->part))
        return swq_memory_status(ctx);
    memset(t->next, SWQ_UNUSED, entries);
    for (uint32_t to = 0; to < f->nodes; to++) {
        c.next = t->next + (size_t)to * f->switches;
        c.part = t->part ? t->part + (size_t)to * f->switches : NULL;
        find_column(f, to, &c);
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        if (c.unlike)
            return swq_fail(ctx, SWQ_EINVAL,
                            "routes to node %" PRIu32 " of this network depend on more than the "
                            "switch that a packet is at: a graph file cannot say them",
                            to);
        if (c.unlike_parts)
            forget_parts(ctx, t);
    }
    return SWQ_OK;
}

static swq_status write_file(swq_context *ctx, const swq_fabric *f, const char *path, bool links)
{
    swq_outfile file = {0};
    graph_table t = {.f = f};
    swq_status status = check(ctx, f, links);

    if (!status && !f->ways)
        status = find_routes(ctx, &t, !links);
    if (!status)
        status = swq_outfile_open(ctx, path, &file);
    if (!status) {
        if (links)
            write_links(file.stream, f);
        else
            write_heading(file.stream, &t);
        write_routes(file.stream, &t);
        status = swq_outfile_commit(ctx, &file);
    }
    swq_outfile_abort(ctx, &file);
    swq_free(ctx, t.next);
    forget_parts(ctx, &t);
    return status;
}

swq_status swq_graph_write(swq_context *ctx, const swq_fabric *f, const char *path)
{
    return write_file(ctx, f, path, true);
}

swq_status swq_graph_write_table(swq_context *ctx, const swq_fabric *f, const char *path)
{
    return write_file(ctx, f, path, false);
}
