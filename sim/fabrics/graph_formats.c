/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two formats of graph files, line by line.
 *
 *   switch NAME
 *   host NAME SWITCH[:PORT] [speed=X] [delay=D]
 *   link SWITCH[:PORT] SWITCH[:PORT] [speed=X] [delay=D]
 *   arc SWITCH[:PORT] SWITCH[:PORT] [speed=X] [delay=D]     (one way)
 *   route SWITCH HOST PORT
 *   routes SWITCH PORT|- ...        (for each host, in the order of their first mention)
 *
 * and BookSim's anynet, where the same link may stand in the lines of both its routers, and a
 * number behind a name is the link's delay:
 *
 *   router NAME {node NAME [DELAY] | router NAME [DELAY]}
 *   node NAME router NAME [DELAY]
 */
#include "base/context.h"
#include "sim/fabrics/fabrics.h"
#include "sim/fabrics/graph_plan.h"

#include <stdlib.h>
#include <string.h>

/* NAME or NAME:PORT */
static swq_status read_end(graph_plan *p, const char *what, graph_end *end)
{
    char word[SWQ_MAX_GRAPH_NAME + 1];
    swq_status status = graph_word(p, what, word);
    char *colon = status ? NULL : strrchr(word, ':');

    end->port = SWQ_ANY_PORT;
    if (colon) {
        char *stop;
        const long port = strtol(colon + 1, &stop, 10);
        if (colon[1] < '0' || colon[1] > '9' || *stop || port >= p->most_ports)
            return swq_lines_fail(p->lines, "the port in '%s' must be 0 to %d", word,
                                  p->most_ports - 1);
        *colon = 0;
        end->port = (int)port;
    }
    return status ? status : graph_number(p, word, false, &end->at);
}

/* speed=X and delay=D at the end of a line. */
static swq_status read_kinds(graph_plan *p, graph_line *link)
{
    char word[SWQ_MAX_GRAPH_NAME + 1];
    swq_status status = SWQ_OK;

    while (!status && swq_lines_field_left(p->lines)) {
        status = graph_word(p, "speed or delay", word);
        char *equals = status ? NULL : strchr(word, '='), *stop = word;
        const double value = equals ? strtod(equals + 1, &stop) : 0;
        if (!status && (!equals || *stop || !(value > 0)))
            return swq_lines_fail(p->lines, "speed=NUMBER or delay=NUMBER may follow, not '%s'",
                                  word);
        if (equals)
            *equals = 0;
        if (!status && strcmp(word, "speed") != 0 && strcmp(word, "delay") != 0)
            return swq_lines_fail(p->lines, "a link has a speed and a delay, but no '%s'", word);
        if (status)
            break;
        double *kind = word[0] == 's' ? &link->speed : &link->delay;
        if (*kind > 0)
            return swq_lines_fail(p->lines, "'%s' stands twice in a line", word);
        *kind = value;
    }
    return status;
}

static swq_status read_host(graph_plan *p)
{
    graph_line link = {.node = true};
    char name[SWQ_MAX_GRAPH_NAME + 1];
    const uint32_t before = p->count[true];
    swq_status status = graph_word(p, "the name of the host", name);

    if (!status)
        status = graph_number(p, name, true, &link.to[0].at);
    if (!status && p->count[true] == before)
        return swq_lines_fail(p->lines, "host %s is at a switch already", name);
    if (!status)
        status = read_end(p, "the host's switch", &link.to[1]);
    if (!status)
        status = read_kinds(p, &link);
    return status ? status : graph_add_link(p, &link);
}

static swq_status read_between(graph_plan *p, bool one_way)
{
    graph_line link = {.one_way = one_way};
    swq_status status = read_end(p, "a switch", &link.to[0]);

    if (!status)
        status = read_end(p, "the switch at the other end", &link.to[1]);
    if (!status && link.to[0].at == link.to[1].at)
        return swq_lines_fail(p->lines, "a link must lead to another switch");
    if (!status)
        status = read_kinds(p, &link);
    return status ? status : graph_add_link(p, &link);
}

static swq_status read_link(graph_plan *p)
{
    return read_between(p, false);
}

static swq_status read_arc(graph_plan *p)
{
    return read_between(p, true);
}

/* The switch of a line of routes. */
static swq_status read_known_switch(graph_plan *p, uint32_t *at)
{
    char name[SWQ_MAX_GRAPH_NAME + 1];
    swq_status status = graph_word(p, "the switch of the route", name);

    p->closed = true;
    return status ? status : graph_number(p, name, false, at);
}

/* Entry k of a route. */
static swq_status read_way(graph_plan *p, graph_route *route, uint32_t k)
{
    int64_t value;

    if (p->in_table)
        return graph_table_entry(p, route, k);
    const swq_status status = swq_lines_integer(p->lines, "the port", 0, p->most_ports - 1, &value);
    if (!status)
        route->port[k] = (uint8_t)value;
    return status;
}

static swq_status read_route(graph_plan *p)
{
    char name[SWQ_MAX_GRAPH_NAME + 1];
    uint32_t at, node;
    graph_route *route;
    swq_status status = read_known_switch(p, &at);

    if (!status)
        status = graph_word(p, "the host that the route leads to", name);
    if (!status)
        status = graph_number(p, name, true, &node);
    if (!status)
        status = graph_add_routes(p, at, node, 1, &route);
    if (!status)
        status = read_way(p, route, 0);
    return status ? status : swq_lines_end(p->lines);
}

/* "-", in place of a port. */
static swq_status read_none(graph_plan *p)
{
    char word[SWQ_MAX_GRAPH_NAME + 1];
    const swq_status status = graph_word(p, "a port", word);

    return status || !word[1] ? status : swq_lines_fail(p->lines, "'%s' is no port", word);
}

/* A port for each host, or "-" for the shortest way, in a table for none. */
static swq_status read_routes(graph_plan *p)
{
    uint32_t at;
    graph_route *route = NULL;
    swq_status status = read_known_switch(p, &at);

    if (!status)
        status = graph_add_routes(p, at, 0, p->count[true], &route);
    for (uint32_t k = 0; !status && k < route->count; k++)
        status = swq_lines_field_left(p->lines) && *p->lines->at == '-' ? read_none(p)
                                                                        : read_way(p, route, k);
    return status ? status : swq_lines_end(p->lines);
}

static swq_status read_switch(graph_plan *p)
{
    char name[SWQ_MAX_GRAPH_NAME + 1];
    uint32_t number;
    swq_status status = graph_word(p, "the name of the switch", name);

    if (!status)
        status = graph_number(p, name, false, &number);
    return status ? status : swq_lines_end(p->lines);
}

swq_status graph_read_plain(graph_plan *p)
{
    static const struct {
        const char *word;
        swq_status (*read)(graph_plan *p);
    } kinds[] = {
        {"switch", read_switch}, {"host", read_host},   {"link", read_link},
        {"arc", read_arc},       {"route", read_route}, {"routes", read_routes},
    };
    enum { ROUTES = 4 }; /* the first of these, which are all that a table has */
    const size_t count = sizeof kinds / sizeof *kinds, first = p->in_table ? ROUTES : 0;
    bool more = true;
    swq_status status = SWQ_OK;

    while (!status && more) {
        char word[SWQ_MAX_GRAPH_NAME + 1];
        size_t k = first;
        status = graph_word(p, "switch, host, link, arc, route or routes", word);
        while (!status && k < count && strcmp(kinds[k].word, word) != 0)
            k++;
        if (!status && k == count)
            return swq_lines_fail(p->lines, "a line %s %s, not with '%s'",
                                  p->in_table ? "of a table begins with"
                                              : "begins with switch, host, link, arc,",
                                  "route or routes", word);
        if (!status)
            status = kinds[k].read(p);
        if (!status)
            status = swq_lines_next_but(p->lines, '#', &more);
    }
    return status;
}

/* ---- anynet ---- */

static bool same_link(const graph_line *a, const graph_line *b)
{
    return !a->node && !b->node &&
           ((a->to[0].at == b->to[0].at && a->to[1].at == b->to[1].at) ||
            (a->to[0].at == b->to[1].at && a->to[1].at == b->to[0].at));
}

/* A link between routers may be said from both its ends, and a node at its router twice. */
static swq_status add_once(graph_plan *p, const graph_line *link)
{
    for (uint32_t k = 0; k < p->links; k++) {
        graph_line *old = &p->link[k];
        const bool node = old->node && link->node && old->to[0].at == link->to[0].at;
        if (same_link(old, link) || (node && old->to[1].at == link->to[1].at)) {
            if (old->delay > 0 && link->delay > 0 && old->delay != link->delay)
                return swq_lines_fail(p->lines,
                                      "a link of this line has the delay %g, and %g in line %lld",
                                      link->delay, old->delay, (long long)old->line);
            old->delay = link->delay > 0 ? link->delay : old->delay;
            return SWQ_OK;
        }
        if (node)
            return swq_lines_fail(p->lines, "a node of this line is at another router in line %lld",
                                  (long long)old->line);
    }
    return graph_add_link(p, link);
}

/* "node NAME" or "router NAME" */
static swq_status read_named(graph_plan *p, bool *node, uint32_t *number)
{
    char word[SWQ_MAX_GRAPH_NAME + 1];
    swq_status status = graph_word(p, "node or router", word);

    if (!status && strcmp(word, "node") != 0 && strcmp(word, "router") != 0)
        return swq_lines_fail(p->lines, "a name follows behind 'node' or 'router', not '%s'", word);
    *node = !status && word[0] == 'n';
    if (!status)
        status = graph_word(p, *node ? "the node's name" : "the router's name", word);
    return status ? status : graph_number(p, word, *node, number);
}

/* A number behind a name is the delay; 1 if there is none. */
static swq_status read_delay(graph_plan *p, double *delay)
{
    swq_status status = SWQ_OK;

    if (swq_lines_field_left(p->lines) && strchr("0123456789.", *p->lines->at)) {
        status = swq_lines_number(p->lines, "the delay", delay, NULL);
        if (!status && !(*delay > 0))
            return swq_lines_fail(p->lines, "the delay must be above 0");
    }
    return status;
}

static swq_status read_anynet_line(graph_plan *p)
{
    bool first_is_node = false;
    uint32_t first = 0;
    swq_status status = read_named(p, &first_is_node, &first);

    if (!status && !swq_lines_field_left(p->lines))
        return first_is_node ? swq_lines_fail(p->lines, "a node must be at a router") : SWQ_OK;
    while (!status && swq_lines_field_left(p->lines)) {
        bool node = false;
        uint32_t other = 0;
        status = read_named(p, &node, &other);
        if (!status && first_is_node && node)
            return swq_lines_fail(p->lines, "a node is linked to a router, not to a node");
        if (!status && !first_is_node && !node && first == other)
            return swq_lines_fail(p->lines, "a link must lead to another router");
        graph_line link = {
            .to = {{node ? other : first, SWQ_ANY_PORT}, {node ? first : other, SWQ_ANY_PORT}},
            .node = node || first_is_node};
        if (!status)
            status = read_delay(p, &link.delay);
        if (!status)
            status = add_once(p, &link);
    }
    return status;
}

swq_status graph_read_anynet(graph_plan *p)
{
    bool more = true;
    swq_status status = SWQ_OK;

    while (!status && more) {
        status = read_anynet_line(p);
        if (!status)
            status = swq_lines_next_but(p->lines, '#', &more);
    }
    return status;
}
