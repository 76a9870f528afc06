/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Links and switches of a graph that have failed: drawn, or named in a file,
 *
 *   link SWITCH SWITCH        (one more of the links that join them, in either direction)
 *   switch SWITCH             (all its links; no host may be at it)
 */
#include "base/context.h"
#include "sim/fabrics/graph_plan.h"
#include "sim/stream.h"

#include <inttypes.h>
#include <string.h>

static uint32_t links_left(const graph_plan *p)
{
    uint32_t left = 0;

    for (uint32_t k = 0; k < p->links; k++)
        left += !p->link[k].node && !p->link[k].failed;
    return left;
}

/* The link of that place among those between switches that have not failed. */
static void fail_place(graph_plan *p, uint32_t place)
{
    uint32_t k = 0;

    while (p->link[k].node || p->link[k].failed || place-- > 0)
        k++;
    p->link[k].failed = true;
}

static swq_status draw(graph_plan *p, const swq_graph_failures *which)
{
    const swq_streams streams = swq_streams_of(which->seed, 0);
    const uint32_t links = links_left(p);

    if (which->links > links)
        return swq_fail(p->lines->ctx, SWQ_EINVAL,
                        "%u links of %s cannot fail: %u join its switches", which->links,
                        p->lines->path, links);
    for (uint32_t n = 0; n < which->links; n++) {
        const swq_words word = swq_stream_words(&streams, SWQ_STREAM_SETUP, 0, n);
        fail_place(p, swq_word_below(word.v[0], links - n));
    }
    return SWQ_OK;
}

static swq_status read_switch(graph_plan *p, uint32_t *number)
{
    char name[SWQ_MAX_GRAPH_NAME + 1];
    const swq_status status = graph_word(p, "the name of a switch", name);

    for (uint32_t k = 0; k < p->names_count && !status; k++) {
        *number = p->names[k]->number;
        if (!p->names[k]->node && strcmp(p->names[k]->name, name) == 0)
            return SWQ_OK;
    }
    return status ? status : swq_lines_fail(p->lines, "the network has no switch %s", name);
}

static swq_status fail_link(graph_plan *p)
{
    uint32_t a = 0, b = 0;
    swq_status status = read_switch(p, &a);

    if (!status)
        status = read_switch(p, &b);
    if (!status)
        status = swq_lines_end(p->lines);
    for (uint32_t k = 0; k < p->links && !status; k++) {
        graph_line *link = &p->link[k];
        const bool joins = (link->to[0].at == a && link->to[1].at == b) ||
                           (link->to[0].at == b && link->to[1].at == a);
        if (link->node || link->failed || !joins)
            continue;
        link->failed = true;
        return SWQ_OK;
    }
    return status ? status : swq_lines_fail(p->lines, "no link is left between these switches");
}

static swq_status fail_switch(graph_plan *p)
{
    uint32_t at = 0;
    swq_status status = read_switch(p, &at);

    if (!status)
        status = swq_lines_end(p->lines);
    for (uint32_t k = 0; k < p->links && !status; k++) {
        graph_line *link = &p->link[k];
        if (link->node && link->to[1].at == at)
            status = swq_lines_fail(p->lines, "a host is at this switch, which it would cut off");
        else if (!link->node && (link->to[0].at == at || link->to[1].at == at))
            link->failed = true;
    }
    return status;
}

static swq_status read_lines(graph_plan *p)
{
    bool more = false;
    swq_status status = swq_lines_next_but(p->lines, '#', &more);

    while (!status && more) {
        char word[SWQ_MAX_GRAPH_NAME + 1];
        status = graph_word(p, "link or switch", word);
        if (!status && strcmp(word, "link") == 0)
            status = fail_link(p);
        else if (!status && strcmp(word, "switch") == 0)
            status = fail_switch(p);
        else if (!status)
            status =
                swq_lines_fail(p->lines, "a line begins with link or switch, not with '%s'", word);
        if (!status)
            status = swq_lines_next_but(p->lines, '#', &more);
    }
    return status;
}

static swq_status read_file(graph_plan *p, const char *path)
{
    swq_lines *network = p->lines, lines = {0};
    swq_status status = swq_lines_open(network->ctx, path, &lines, NULL);

    if (status)
        return status;
    p->lines = &lines;
    status = read_lines(p);
    p->lines = network;
    swq_lines_close(&lines);
    return status;
}

/* Routes of the file may lead over what has failed. */
static void drop_routes(graph_plan *p)
{
    for (uint32_t k = 0; k < p->routes; k++)
        swq_free(p->lines->ctx, p->route[k].port);
    p->routes = 0;
}

swq_status graph_fail(graph_plan *p, const swq_graph_failures *which, uint32_t *failed)
{
    const uint32_t before = links_left(p);
    uint32_t kept = 0;
    const swq_status status = which->path ? read_file(p, which->path) : draw(p, which);

    if (status)
        return status;
    *failed = before - links_left(p);
    for (uint32_t k = 0; k < p->links; k++) {
        if (!p->link[k].failed)
            p->link[kept++] = p->link[k];
    }
    p->links = kept;
    if (*failed)
        drop_routes(p);
    return SWQ_OK;
}
