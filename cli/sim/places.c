/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names for the places of a network, as details number them.
 * Room: cli.
 */
#include "cli/sim/detail.h"

#include <string.h>

/* A line of a stage, 0 before the first: a node, or a port of one of the stage's switches. */
static void line_words(const cli_map *m, uint32_t stage, uint32_t line, const char *port,
                       char *text, size_t size)
{
    const uint32_t ports = (uint32_t)m->shape->ports;

    snprintf(text, size, "stage %u, switch %u, %s %u", stage, line / ports, port, line % ports);
}

/* The switch of a port: by its node's coordinates where it has any. */
static void switch_words(const swq_fabric *f, uint32_t port, char *text, size_t size)
{
    const uint32_t which = port / (uint32_t)f->ports;
    size_t used = 0;

    if (f->shape.levels) {
        const swq_tree_level *t = &f->tree[f->position[port]];
        snprintf(text, size, "level %u, switch %u", f->position[port] + 1u, which - t->first);
        return;
    }
    if (!f->coordinate) {
        snprintf(text, size, "switch %u", which);
        return;
    }
    const uint32_t chain = f->switches / f->nodes, node = which / chain;
    for (int k = 0; k < f->shape.dims && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%c%u", k ? ',' : '(',
                                 f->coordinate[(size_t)node * (size_t)f->shape.dims + (size_t)k]);
    if (used < size)
        used += (size_t)snprintf(text + used, size - used, ")");
    if (chain > 1 && used < size)
        snprintf(text + used, size - used, " switch %u", which % chain);
}

bool cli_link_exists(const cli_map *m, size_t link)
{
    return !m->fabric || link < m->nodes || m->fabric->link[link - m->nodes] != SWQ_NO_WHERE;
}

void cli_link_from(const cli_map *m, size_t link, char *text, size_t size)
{
    if (link < m->nodes)
        snprintf(text, size, "node %zu", link);
    else if (m->fabric)
        switch_words(m->fabric, (uint32_t)(link - m->nodes), text, size);
    else
        line_words(m, (uint32_t)(link / m->nodes), (uint32_t)(link % m->nodes), "output", text,
                   size);
}

void cli_link_to(const cli_map *m, size_t link, char *text, size_t size)
{
    const swq_shape *s = m->shape;

    if (m->fabric) {
        const swq_fabric *f = m->fabric;
        const uint32_t end = link < m->nodes ? f->entry[link] : f->link[link - m->nodes];
        if (end & SWQ_TO_NODE)
            snprintf(text, size, "node %u", end & ~SWQ_TO_NODE);
        else
            switch_words(f, end, text, size);
        return;
    }
    const int stage = (int)(link / m->nodes);
    const uint32_t line = s->wiring->wire(s->ports, s->stages, stage, (uint32_t)(link % m->nodes));
    if (stage == s->stages)
        snprintf(text, size, "node %u", line);
    else
        line_words(m, (uint32_t)stage + 1, line, "input", text, size);
}

void cli_link_level(const cli_map *m, size_t link, char *text, size_t size)
{
    if (link < m->nodes)
        snprintf(text, size, "sources");
    else if (m->fabric)
        m->shape->kind->level_name(m->fabric, m->fabric->out_level[link - m->nodes], text, size);
    else
        snprintf(text, size, "stage %zu", link / m->nodes);
}
