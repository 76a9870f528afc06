/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables: routes of a graph in a file of their own, which must lead from every node to every other
 * one.
 *
 *   route SWITCH HOST ENTRY
 *   routes SWITCH ENTRY|- ...       (for each host)
 *   ENTRY is PORT[,PORT...][/PART]
 */
#include "base/context.h"
#include "sim/fabrics/fabrics.h"
#include "sim/fabrics/graph_plan.h"
#include "switchq/async.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- entries ---- */

/* A whole number at *at, which moves behind it; -1: there is none, or it is above `most`. */
static int number_at(char **at, int most)
{
    char *stop = *at;
    const long value = **at >= '0' && **at <= '9' ? strtol(*at, &stop, 10) : -1;

    *at = stop;
    return value <= most ? (int)value : -1;
}

static swq_status take_ways(graph_plan *p, graph_route *r, uint32_t k, const graph_ways *ways)
{
    if (!r->ways)
        r->ways = swq_calloc(p->lines->ctx, r->count, sizeof *r->ways);
    if (!r->ways)
        return swq_memory_status(p->lines->ctx);
    r->ways[k] = *ways;
    return SWQ_OK;
}

static swq_status take_part(graph_plan *p, graph_route *r, uint32_t k, int part)
{
    if (!r->part)
        r->part = swq_calloc(p->lines->ctx, r->count, sizeof *r->part);
    if (!r->part)
        return swq_memory_status(p->lines->ctx);
    r->part[k] = (uint8_t)part;
    return SWQ_OK;
}

swq_status graph_table_entry(graph_plan *p, graph_route *r, uint32_t k)
{
    char word[SWQ_MAX_GRAPH_NAME + 1], *at = word;
    graph_ways ways = {0};
    int port = -1, ports = 0, part = -1;
    swq_status status = graph_word(p, "a port", word);

    if (status)
        return status;
    do {
        at += ports > 0;
        port = number_at(&at, p->most_ports - 1);
        if (port < 0)
            return swq_lines_fail(p->lines,
                                  "a route is PORT[,PORT...][/PART] with ports 0 to %d, not '%s'",
                                  p->most_ports - 1, word);
        if (ports++ == 0)
            r->port[k] = (uint8_t)port;
        swq_port_set_put(ways.word, (uint32_t)port, true, SWQ_PORT_SET_WIDE);
    } while (*at == ',');
    if (swq_port_set_count(ways.word, SWQ_PORT_SET_WIDE) < ports)
        return swq_lines_fail(p->lines, "several ports of a route must be unlike ones, not '%s'",
                              word);
    if (*at && *at != '/')
        return swq_lines_fail(p->lines, "a port ends with , or / or a space, not as in '%s'", word);
    if (*at) {
        at++;
        part = number_at(&at, SWQ_MAX_LANES - 1);
    }
    if (*at || (part < 0 && strchr(word, '/')))
        return swq_lines_fail(p->lines, "the part of the lanes must be 0 to %d, not '%s'",
                              SWQ_MAX_LANES - 1, word);
    if (ports > 1)
        status = take_ways(p, r, k, &ways);
    return status || part < 0 ? status : take_part(p, r, k, part);
}

void graph_count_table(const graph_plan *p, swq_graph *g)
{
    for (uint32_t r = 0; r < p->routes; r++) {
        const graph_route *route = &p->route[r];
        g->several |= route->ways != NULL;
        for (uint32_t k = 0; route->part && k < route->count; k++) {
            if (route->part[k] >= g->parts)
                g->parts = route->part[k] + 1;
        }
    }
}

/* ---- all ways to a node ---- */

#define ON_THE_WAY UINT32_MAX /* a length: the switch is on the way that is being walked */

/* A switch on that way: how many of its outputs have been walked, and the most switches on the ways
 * from these. */
typedef struct {
    uint32_t at, walked, longest;
} table_step;

typedef struct {
    const graph_plan *p;
    const swq_graph *g;
    uint32_t node;
    uint32_t *length; /* [switches] most switches on the ways to the node, both ends counted; 0: not
                         walked yet */
    table_step *step; /* [switches] */
    uint32_t steps;
} table_walk;

static uint32_t outputs_at(const swq_graph *g, size_t entry)
{
    const int words = swq_port_set_words(g->ports);

    return g->several ? (uint32_t)swq_port_set_count(g->ways + entry * (size_t)words, words)
                      : g->next[entry] != SWQ_UNUSED;
}

/* The switch behind output number k of those of an entry. */
static uint32_t switch_behind(const swq_graph *g, uint32_t at, size_t entry, uint32_t k)
{
    const int words = swq_port_set_words(g->ports);
    const uint32_t output = g->several
                                ? swq_port_set_member(g->ways + entry * (size_t)words, k, words)
                                : g->next[entry];

    return g->link[at * (uint32_t)g->ports + output] / (uint32_t)g->ports;
}

static swq_status no_route(const table_walk *w, uint32_t at)
{
    return swq_fail(w->p->lines->ctx, SWQ_EINVAL,
                    "%s: packets from switch %s to host %s have no route at switch %s", w->p->table,
                    graph_name_of(w->p, false, w->step[0].at), graph_name_of(w->p, true, w->node),
                    graph_name_of(w->p, false, at));
}

static swq_status circle(const table_walk *w, uint32_t at)
{
    enum { MOST_NAMED = 8 };
    char text[MOST_NAMED * (SWQ_MAX_GRAPH_NAME + 3)] = "";
    size_t used = 0;
    uint32_t k = 0, named = 0;

    while (w->step[k].at != at)
        k++;
    for (; k < w->steps && named < MOST_NAMED; k++, named++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s, ",
                                 graph_name_of(w->p, false, w->step[k].at));
    return swq_fail(w->p->lines->ctx, SWQ_EINVAL,
                    "%s: routes to host %s lead in a circle: by switches %s%s%s", w->p->table,
                    graph_name_of(w->p, true, w->node), text, k < w->steps ? "..., " : "",
                    graph_name_of(w->p, false, at));
}

static void enter(table_walk *w, uint32_t at)
{
    w->length[at] = ON_THE_WAY;
    w->step[w->steps++] = (table_step){.at = at};
}

/* Walks all ways from a switch to the node, each switch once. */
static swq_status walk_from(table_walk *w, uint32_t from)
{
    const swq_graph *g = w->g;

    if (w->length[from] == 0)
        enter(w, from);
    while (w->steps > 0) {
        table_step *s = &w->step[w->steps - 1];
        const size_t entry = (size_t)s->at * g->columns + g->column[w->node];
        const uint32_t outputs = outputs_at(g, entry);
        if (outputs == 0)
            return no_route(w, s->at);
        if (s->walked == outputs) {
            w->length[s->at] = s->longest + 1;
            w->steps--;
            continue;
        }
        const uint32_t next = switch_behind(g, s->at, entry, s->walked);
        const uint32_t length = w->length[next];
        if (length == ON_THE_WAY)
            return circle(w, next);
        if (length == 0) { /* then this output again */
            enter(w, next);
            continue;
        }
        s->longest = length > s->longest ? length : s->longest;
        s->walked++;
    }
    return SWQ_OK;
}

static swq_status walk_to(table_walk *w, uint32_t *longest)
{
    const swq_graph *g = w->g;
    const uint32_t ports = (uint32_t)g->ports;
    swq_status status = SWQ_OK;

    memset(w->length, 0, g->switches * sizeof *w->length);
    w->length[g->entry[w->node] / ports] = 1;
    for (uint32_t from = 0; from < g->nodes && !status; from++) {
        const uint32_t at = g->entry[from] / ports;
        status = walk_from(w, at);
        if (!status && w->length[at] > *longest)
            *longest = w->length[at];
    }
    return status;
}

swq_status graph_check_table(const graph_plan *p, swq_graph *g)
{
    swq_context *ctx = p->lines->ctx;
    uint32_t longest = 0;
    table_walk w = {.p = p,
                    .g = g,
                    .length = swq_calloc(ctx, g->switches, sizeof *w.length),
                    .step = swq_calloc(ctx, g->switches, sizeof *w.step)};
    swq_status status = w.length && w.step ? SWQ_OK : swq_memory_status(ctx);

    for (; w.node < g->nodes && !status; w.node++) {
        status = swq_context_cancelled(ctx) ? swq_fail(ctx, SWQ_ECANCELLED, "cancelled")
                                            : walk_to(&w, &longest);
    }
    if (!status)
        g->longest = (int)longest;
    swq_free(ctx, w.length);
    swq_free(ctx, w.step);
    return status;
}
