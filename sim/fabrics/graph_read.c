/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Graph files: names become numbers, links become ports, and every switch gets a row of routes.
 */
#include "base/arrays.h"
#include "base/context.h"
#include "sim/fabrics/fabrics.h"
#include "sim/fabrics/graph_plan.h"
#include "switchq/async.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where names are numbers, they are the numbers of nodes and switches, in their order. */
static int by_value(const void *a, const void *b)
{
    const graph_name *const *x = a, *const *y = b;
    const long i = strtol((*x)->name, NULL, 10), j = strtol((*y)->name, NULL, 10);

    return (*x)->node != (*y)->node ? (*x)->node - (*y)->node : (i > j) - (i < j);
}

static void swap_routes(graph_route *a, graph_route *b)
{
    const graph_route was = *a;

    *a = *b;
    *b = was;
}

/* now: of switches and, behind them, of nodes. */
static swq_status renumber_route(graph_plan *p, const uint32_t *now, graph_route *r)
{
    const uint32_t *node = now + p->count[false];
    swq_context *ctx = p->lines->ctx;

    r->at = now[r->at];
    if (r->count == 1) {
        r->node = node[r->node];
        return SWQ_OK;
    }
    graph_route same = *r; /* of all nodes */
    same.port = swq_calloc(ctx, r->count, sizeof *r->port);
    same.part = r->part ? swq_calloc(ctx, r->count, sizeof *r->part) : NULL;
    same.ways = r->ways ? swq_calloc(ctx, r->count, sizeof *r->ways) : NULL;
    const bool room = same.port && !r->part == !same.part && !r->ways == !same.ways;
    for (uint32_t k = 0; room && k < r->count; k++) {
        same.port[node[k]] = r->port[k];
        if (r->part)
            same.part[node[k]] = r->part[k];
        if (r->ways)
            same.ways[node[k]] = r->ways[k];
    }
    if (room)
        swap_routes(r, &same);
    swq_free(ctx, same.port);
    swq_free(ctx, same.part);
    swq_free(ctx, same.ways);
    return room ? SWQ_OK : swq_memory_status(ctx);
}

static swq_status number_in_order(graph_plan *p)
{
    swq_context *ctx = p->lines->ctx;

    for (uint32_t k = 0; k < p->names_count; k++) {
        const char *name = p->names[k]->name;
        if (strspn(name, "0123456789") < strlen(name) || strlen(name) > 9)
            return SWQ_OK;
    }
    uint32_t *now = swq_calloc(ctx, p->names_count, sizeof *now);
    if (!now)
        return swq_memory_status(ctx);
    qsort(p->names, p->names_count, sizeof(void *), by_value);
    const uint32_t switches = p->count[false];
    swq_status status = SWQ_OK;
    for (uint32_t k = 0; k < p->names_count; k++) {
        graph_name *name = p->names[k];
        const uint32_t number = name->node ? k - switches : k;
        now[(name->node ? switches : 0) + name->number] = number;
        name->number = number;
    }
    for (uint32_t k = 0; k < p->links; k++) {
        graph_line *link = &p->link[k];
        link->to[0].at = now[(link->node ? switches : 0) + link->to[0].at];
        link->to[1].at = now[link->to[1].at];
    }
    for (uint32_t k = 0; k < p->routes && !status; k++)
        status = renumber_route(p, now, &p->route[k]);
    swq_free(ctx, now);
    return status;
}

/* ---- ports ---- */

enum { IN = 1, OUT = 2 };

/* The ports of a switch: IN and OUT, where they are taken. */
typedef struct {
    uint8_t port[SWQ_MOST_PLAN_PORTS];
    int free; /* those below are taken */
} ports_taken;

static swq_status take_port(graph_plan *p, ports_taken *taken, graph_line *link, int e)
{
    const uint8_t half = !link->one_way ? IN | OUT : e == 0 ? OUT : IN;
    graph_end *end = &link->to[e];

    if (end->port == SWQ_ANY_PORT) {
        int k = taken->free;
        while (k < p->most_ports && taken->port[k] & half)
            k++;
        end->port = k < p->most_ports ? k : SWQ_ANY_PORT;
    } else if (taken->port[end->port] & half) {
        return swq_fail(p->lines->ctx, SWQ_EINVAL, "%s, line %" PRId64 ": port %d is used twice",
                        p->lines->path, link->line, end->port);
    }
    if (end->port == SWQ_ANY_PORT)
        return swq_fail(p->lines->ctx, SWQ_EINVAL,
                        "%s, line %" PRId64 ": a switch may have at most %d links and nodes",
                        p->lines->path, link->line, p->most_ports);
    taken->port[end->port] |= half;
    while (taken->free < p->most_ports && taken->port[taken->free] == (IN | OUT))
        taken->free++;
    return SWQ_OK;
}

/* Gives every end of a link its port: first those that the file names. */
static swq_status number_ports(graph_plan *p, int *ports)
{
    swq_context *ctx = p->lines->ctx;
    ports_taken *taken = swq_calloc(ctx, p->count[false], sizeof *taken);
    swq_status status = taken ? SWQ_OK : swq_memory_status(ctx);

    *ports = 2;
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t k = 0; k < p->links && !status; k++) {
            graph_line *link = &p->link[k];
            for (int e = link->node; e < 2 && !status; e++) {
                const bool named = link->to[e].port != SWQ_ANY_PORT;
                if (named == (turn == 0))
                    status = take_port(p, &taken[link->to[e].at], link, e);
                if (!status && link->to[e].port >= *ports)
                    *ports = link->to[e].port + 1;
            }
        }
    }
    swq_free(ctx, taken);
    return status;
}

/* ---- the graph ---- */

static void list_arrays(swq_graph *g, swq_arrays *list)
{
    const double ports = (double)g->switches * g->ports;

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, g->link, ports);
    SWQ_ARRAY(list, g->delays, g->delay > 0 ? 0 : ports);
    SWQ_ARRAY(list, g->speed, g->speeds);
    SWQ_ARRAY(list, g->speed_of, g->speeds > 1 ? ports : 0);
    SWQ_ARRAY(list, g->entry, g->nodes);
    SWQ_ARRAY(list, g->column, g->nodes);
    SWQ_ARRAY(list, g->next, (double)g->switches * g->columns);
    SWQ_ARRAY(list, g->ways,
              g->several ? (double)g->switches * g->columns * swq_port_set_words(g->ports) : 0);
    SWQ_ARRAY(list, g->part, g->parts ? (double)g->switches * g->columns : 0);
    SWQ_ARRAY(list, g->back, g->parts ? ports : 0);
}

static double delay_of(const graph_line *link)
{
    return link->delay > 0 ? link->delay : 1;
}

/* The delay of all links; 0: they have different ones, which must be whole numbers of cycles. */
static swq_status find_delay(graph_plan *p, double *delay)
{
    *delay = delay_of(&p->link[0]);
    for (uint32_t k = 1; k<p->links && * delay> 0; k++)
        *delay = delay_of(&p->link[k]) == *delay ? *delay : 0;
    for (uint32_t k = 0; k < p->links && *delay == 0; k++) {
        const double d = delay_of(&p->link[k]);
        if (d > SWQ_MAX_LINK_DELAY || d != floor(d))
            return swq_fail(p->lines->ctx, SWQ_EINVAL,
                            "%s, line %" PRId64 ": where delays differ, they must be whole numbers "
                            "of cycles, 1 to %d, not %g",
                            p->lines->path, p->link[k].line, SWQ_MAX_LINK_DELAY, d);
    }
    return SWQ_OK;
}

/* ---- speeds ---- */

enum { SPEED_PARTS = 1000000 }; /* a speed has up to six decimals */

static double speed_of(const graph_line *link)
{
    return link->speed > 0 ? link->speed : 1;
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A speed as so many flits in so many cycles of the fastest one. */
static swq_status relate(const graph_plan *p, const graph_line *link, double fastest,
                         swq_link_speed *speed)
{
    const double own = speed_of(link) * SPEED_PARTS, most = fastest * SPEED_PARTS;

    if (most > 1e15)
        return swq_fail(p->lines->ctx, SWQ_EINVAL,
                        "%s, line %" PRId64
                        ": where speeds differ, they are at most 1e9, and the fastest is %g",
                        p->lines->path, link->line, fastest);
    const uint64_t flits = (uint64_t)llround(own), cycles = (uint64_t)llround(most);
    if (flits == 0 || fabs(own - (double)flits) > 1e-12 * own)
        return swq_fail(p->lines->ctx, SWQ_EINVAL,
                        "%s, line %" PRId64
                        ": where speeds differ, they have at most six decimals, unlike %.10g",
                        p->lines->path, link->line, speed_of(link));
    const uint64_t divisor = greatest_divisor(cycles, flits);
    if (cycles > SWQ_MOST_SLOWER * flits || cycles / divisor > UINT32_MAX / 2)
        return swq_fail(p->lines->ctx, SWQ_EINVAL,
                        "%s, line %" PRId64
                        ": a link has at least 1/%d of the fastest link's speed, and both are a "
                        "fraction of whole numbers up to 2^31: not %.10g beside %.10g",
                        p->lines->path, link->line, SWQ_MOST_SLOWER, speed_of(link), fastest);
    *speed =
        (swq_link_speed){speed_of(link), (uint32_t)(cycles / divisor), (uint32_t)(flits / divisor)};
    return SWQ_OK;
}

/* Puts a speed into its place among those found so far, of which the fastest comes first. */
static swq_status add_speed(const graph_plan *p, const graph_line *link, const swq_link_speed *new,
                            swq_link_speed *speed, int *speeds)
{
    int k = 0;

    while (k < *speeds && speed[k].given > new->given)
        k++;
    if (k < *speeds && speed[k].given == new->given)
        return SWQ_OK;
    if (*speeds == SWQ_MOST_SPEEDS)
        return swq_fail(p->lines->ctx, SWQ_EINVAL,
                        "%s, line %" PRId64 ": links have at most %d speeds", p->lines->path,
                        link->line, SWQ_MOST_SPEEDS);
    memmove(&speed[k + 1], &speed[k], (size_t)(*speeds - k) * sizeof *speed);
    speed[k] = *new;
    ++*speeds;
    return SWQ_OK;
}

/* The speeds of all links of a file, failed ones included, so that a failure does not change what a
 * cycle is. */
static swq_status find_speeds(const graph_plan *p, swq_link_speed *speed, int *speeds)
{
    double fastest = 0;
    bool alike = true;
    swq_status status = SWQ_OK;

    *speeds = 1;
    for (uint32_t k = 0; k < p->links; k++) {
        fastest = fmax(fastest, speed_of(&p->link[k]));
        alike = alike && speed_of(&p->link[k]) == speed_of(&p->link[0]);
    }
    if (alike) {
        speed[0] = (swq_link_speed){fastest, 1, 1};
        return SWQ_OK;
    }
    *speeds = 0;
    for (uint32_t k = 0; k < p->links && !status; k++) {
        swq_link_speed own;
        status = relate(p, &p->link[k], fastest, &own);
        if (!status)
            status = add_speed(p, &p->link[k], &own, speed, speeds);
    }
    return status;
}

/* ---- links and ports ---- */

/* What a link has besides its ends. */
static void put_times(swq_graph *g, uint32_t port, const graph_line *link)
{
    int k = 0;

    if (g->delays)
        g->delays[port] = (uint16_t)delay_of(link);
    while (g->speed_of && g->speed[k].given != speed_of(link))
        k++;
    if (g->speed_of)
        g->speed_of[port] = (uint8_t)k;
}

static void lay_out(const graph_plan *p, swq_graph *g)
{
    const uint32_t ports = (uint32_t)g->ports;

    memset(g->link, 0xff, (size_t)g->switches * ports * sizeof *g->link); /* SWQ_NO_WHERE */
    for (uint32_t k = 0; k < p->links; k++) {
        const graph_line *link = &p->link[k];
        const uint32_t b = link->to[1].at * ports + (uint32_t)link->to[1].port;
        if (link->node) {
            g->link[b] = SWQ_TO_NODE | link->to[0].at;
            g->entry[link->to[0].at] = b;
            put_times(g, b, link);
            continue;
        }
        const uint32_t a = link->to[0].at * ports + (uint32_t)link->to[0].port;
        g->link[a] = b;
        if (g->back)
            g->back[b] = a;
        put_times(g, a, link);
        if (!link->one_way) {
            g->link[b] = a;
            if (g->back)
                g->back[a] = b;
            put_times(g, b, link);
        }
        g->links++;
    }
    for (uint32_t w = 0; w < g->switches; w++) {
        uint32_t nodes = 0;
        for (uint32_t port = w * ports; port < (w + 1) * ports; port++)
            nodes += g->link[port] != SWQ_NO_WHERE && (g->link[port] & SWQ_TO_NODE);
        if (nodes > g->nodes_at_switch)
            g->nodes_at_switch = nodes;
    }
    for (uint32_t n = 0; n < g->nodes; n++) {
        assert(ports > 0); /* the node has a link to one */
        g->column[n] = p->routes ? n : g->entry[n] / ports;
    }
}

static swq_status build(graph_plan *p, const swq_graph_failures *failures, swq_graph *g)
{
    swq_context *ctx = p->lines->ctx;
    const char *path = p->lines->path;
    swq_link_speed speed[SWQ_MOST_SPEEDS];
    swq_arrays list;
    swq_status status = find_speeds(p, speed, &g->speeds);

    if (!status && failures)
        status = graph_fail(p, failures, &g->failed);
    if (status)
        return status;
    if (p->count[true] < 2)
        return swq_fail(ctx, SWQ_EINVAL, "%s: a network has at least 2 nodes, not %u", path,
                        p->count[true]);
    g->switches = p->count[false];
    g->nodes = p->count[true];
    g->columns = p->routes ? g->nodes : g->switches;
    g->table = p->table;
    graph_count_table(p, g);
    status = find_delay(p, &g->delay);
    if (status)
        return status;
    const size_t length = strlen(path) + 1;
    g->name = swq_calloc(ctx, length, 1);
    if (!g->name)
        return swq_memory_status(ctx);
    memcpy(g->name, path, length);
    list_arrays(g, &list);
    status = swq_arrays_take(ctx, &list);
    if (status)
        return status;
    if (g->speeds > 0)
        memcpy(g->speed, speed, (size_t)g->speeds * sizeof *speed);
    lay_out(p, g);
    return graph_find_routes(p, g);
}

/* Reads the file p->table in place of all routes that the plan has. */
static swq_status read_table(graph_plan *p)
{
    swq_lines lines = {0}, *of_network = p->lines;
    bool more = false;
    swq_status status = swq_lines_open(of_network->ctx, p->table, &lines, NULL);

    if (status)
        return status;
    graph_clear_routes(p);
    p->lines = &lines;
    p->in_table = true;
    status = swq_lines_next_but(&lines, '#', &more);
    if (!status && !more)
        status = swq_fail(lines.ctx, SWQ_EINVAL, "%s: there is no line in it", p->table);
    if (!status)
        status = graph_read_plain(p);
    p->in_table = false;
    p->lines = of_network;
    swq_lines_close(&lines);
    return status;
}

swq_status graph_read_plan(graph_plan *p, int *ports)
{
    swq_lines *lines = p->lines;
    bool more = false;
    swq_status status = swq_lines_next_but(lines, '#', &more);

    if (!status && !more)
        status = swq_fail(lines->ctx, SWQ_EINVAL, "%s: there is no line in it", lines->path);
    if (!status) {
        const bool anynet =
            strncmp(lines->at, "router", 6) == 0 || strncmp(lines->at, "node", 4) == 0;
        status = anynet ? graph_read_anynet(p) : graph_read_plain(p);
    }
    if (!status && p->table)
        status = read_table(p);
    if (!status)
        status = number_in_order(p);
    return status ? status : number_ports(p, ports);
}

static swq_status read_graph(swq_context *ctx, const char *path, const char *table,
                             const swq_graph_failures *failures, swq_graph *graph)
{
    swq_lines lines = {0};
    graph_plan p = {.lines = &lines, .most_ports = SWQ_MOST_TABLE_PORTS, .table = table};
    swq_status status = swq_lines_open(ctx, path, &lines, NULL);

    *graph = (swq_graph){0};
    if (status)
        return status;
    status = graph_read_plan(&p, &graph->ports);
    if (!status)
        status = build(&p, failures, graph);
    graph_clear_plan(&p);
    swq_lines_close(&lines);
    if (status)
        swq_graph_clear(ctx, graph);
    return status;
}

swq_status swq_graph_read(swq_context *ctx, const char *path, const swq_graph_failures *failures,
                          swq_graph *graph)
{
    return read_graph(ctx, path, NULL, failures, graph);
}

swq_status swq_graph_read_table(swq_context *ctx, const char *path, const char *table,
                                swq_graph *graph)
{
    return read_graph(ctx, path, table, NULL, graph);
}

void swq_graph_clear(swq_context *ctx, swq_graph *graph)
{
    swq_arrays list;

    list_arrays(graph, &list);
    swq_arrays_free(ctx, &list);
    swq_free(ctx, graph->name);
    *graph = (swq_graph){0};
}
