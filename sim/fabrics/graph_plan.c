/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the lines of a graph file say, kept until the file has been read: names and their numbers,
 * links and routes.
 */
#include "sim/fabrics/graph_plan.h"
#include "base/context.h"
#include "sim/fabrics/fabrics.h"

#include <search.h>
#include <string.h>

swq_status graph_word(graph_plan *p, const char *what, char word[SWQ_MAX_GRAPH_NAME + 1])
{
    swq_lines *l = p->lines;

    if (!swq_lines_field_left(l))
        return swq_lines_fail(l, "%s is missing", what);
    const char quote = *l->at == '"' || *l->at == '\'' ? *l->at++ : 0;
    const char ends[] = {quote ? quote : ' ', quote ? quote : '\t', 0};
    const size_t length = strcspn(l->at, ends);

    if (length == 0 || length > SWQ_MAX_GRAPH_NAME)
        return swq_lines_fail(l, "%s must have 1 to %d letters", what, SWQ_MAX_GRAPH_NAME);
    if (quote && l->at[length] != quote)
        return swq_lines_fail(l, "the quotation mark before %.20s has no other one behind", l->at);
    memcpy(word, l->at, length);
    word[length] = 0;
    l->at += length + (quote != 0);
    return SWQ_OK;
}

static int by_name(const void *a, const void *b)
{
    const graph_name *x = a, *y = b;

    return x->node != y->node ? x->node - y->node : strcmp(x->name, y->name);
}

/* Makes room for one more; `count` are there. */
static bool grow(graph_plan *p, void *array, uint32_t count, size_t size)
{
    return (count & (count - 1)) != 0 ||
           swq_resize_array(p->lines->ctx, array, count ? 2 * count : 1, size);
}

swq_status graph_number(graph_plan *p, const char *name, bool node, uint32_t *number)
{
    swq_context *ctx = p->lines->ctx;
    graph_name wanted = {.node = node};

    snprintf(wanted.name, sizeof wanted.name, "%s", name);
    graph_name **found = tfind(&wanted, &p->tree, by_name);
    if (found) {
        *number = (*found)->number;
        return SWQ_OK;
    }
    if (p->in_table)
        return swq_lines_fail(p->lines, "the network has no %s %s", node ? "host" : "switch", name);
    if (p->closed)
        return swq_lines_fail(
            p->lines, "%s %s is not known: switches, hosts and links stand before the routes",
            node ? "host" : "switch", name);
    if (p->count[node] >= (node ? SWQ_MAX_GRAPH_NODES : SWQ_MAX_GRAPH_SWITCHES))
        return swq_lines_fail(p->lines, "more than %u %s", p->count[node],
                              node ? "nodes" : "switches");
    graph_name *row = swq_calloc(ctx, 1, sizeof *row);
    if (!row || !grow(p, &p->names, p->names_count, sizeof(void *))) {
        swq_free(ctx, row);
        return swq_memory_status(ctx);
    }
    *row = wanted;
    row->number = *number = p->count[node]++;
    row->line = p->lines->number;
    p->names[p->names_count++] = row;
    return tsearch(row, &p->tree, by_name) ? SWQ_OK
                                           : swq_fail(ctx, SWQ_ENOMEM, "no memory for names");
}

const char *graph_name_of(const graph_plan *p, bool node, uint32_t number)
{
    for (uint32_t k = 0; k < p->names_count; k++) {
        if (p->names[k]->node == node && p->names[k]->number == number)
            return p->names[k]->name;
    }
    return "?";
}

swq_status graph_add_link(graph_plan *p, const graph_line *link)
{
    if (!grow(p, &p->link, p->links, sizeof *p->link))
        return swq_memory_status(p->lines->ctx);
    p->link[p->links] = *link;
    p->link[p->links++].line = p->lines->number;
    return SWQ_OK;
}

swq_status graph_add_routes(graph_plan *p, uint32_t at, uint32_t node, uint32_t count,
                            graph_route **added)
{
    swq_context *ctx = p->lines->ctx;
    uint8_t *port = swq_calloc(ctx, count, 1);

    if (!port || !grow(p, &p->route, p->routes, sizeof *p->route)) {
        swq_free(ctx, port);
        return swq_memory_status(ctx);
    }
    memset(port, SWQ_UNUSED, count);
    *added = &p->route[p->routes++];
    **added = (graph_route){
        .at = at, .node = node, .count = count, .port = port, .line = p->lines->number};
    return SWQ_OK;
}

void graph_clear_plan(graph_plan *p)
{
    swq_context *ctx = p->lines->ctx;

    for (uint32_t k = 0; k < p->names_count; k++) {
        tdelete(p->names[k], &p->tree, by_name);
        swq_free(ctx, p->names[k]);
    }
    swq_free(ctx, p->names);
    graph_clear_routes(p);
    swq_free(ctx, p->link);
}

void graph_clear_routes(graph_plan *p)
{
    swq_context *ctx = p->lines->ctx;

    for (uint32_t k = 0; k < p->routes; k++) {
        swq_free(ctx, p->route[k].port);
        swq_free(ctx, p->route[k].part);
        swq_free(ctx, p->route[k].ways);
    }
    swq_free(ctx, p->route);
    p->route = NULL;
    p->routes = 0;
}
