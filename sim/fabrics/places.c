/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names for the places of a network: its links, as details number them, and its ports.
 */
#include "sim/fabrics/places.h"
#include "sim/fabrics/fabrics.h"

#include <stdio.h>
#include <string.h>

/* A line before a stage, 0 being the first: a node, or a port of one of the switches of the stage
 * before. */
static void line_words(const swq_map *m, uint32_t stage, uint32_t line, const char *port,
                       char *text, size_t size)
{
    const uint32_t ports = (uint32_t)m->shape->ports;

    snprintf(text, size, "stage %u, switch %u, %s %u", stage, line / ports, port, line % ports);
}

/* The switch of a port, by the coordinates of its node if it has any. */
static void switch_words(const swq_fabric *f, uint32_t port, char *text, size_t size)
{
    const uint32_t which = port / (uint32_t)f->ports;
    size_t used = 0;

    if (f->shape.kind->tree) {
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

bool swq_link_exists(const swq_map *m, size_t link)
{
    return !m->fabric || link < m->nodes || m->fabric->link[link - m->nodes] != SWQ_NO_WHERE;
}

void swq_link_from(const swq_map *m, size_t link, char *text, size_t size)
{
    if (link < m->nodes)
        snprintf(text, size, "node %zu", link);
    else if (m->fabric)
        switch_words(m->fabric, (uint32_t)(link - m->nodes), text, size);
    else
        line_words(m, (uint32_t)(link / m->nodes), (uint32_t)(link % m->nodes), "output", text,
                   size);
}

void swq_link_to(const swq_map *m, size_t link, char *text, size_t size)
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

void swq_link_level(const swq_map *m, size_t link, char *text, size_t size)
{
    if (link < m->nodes)
        snprintf(text, size, "sources");
    else if (m->fabric)
        m->shape->kind->level_name(m->fabric, m->fabric->out_level[link - m->nodes], text, size);
    else
        snprintf(text, size, "stage %zu", link / m->nodes);
}

/* ---- ports ---- */

void swq_port_words(const swq_fabric *f, uint32_t port, char *text, size_t size)
{
    const swq_fabric_kind *kind = f->shape.kind;
    char level[40];

    if (kind->direction_name) {
        kind->direction_name(f, port, text, size);
        return;
    }
    kind->level_name(f, f->in_level[port], level, sizeof level);
    snprintf(text, size, "input %u of %s", port % (uint32_t)f->ports, level);
}

/* The output of a switch that leads to an input port. */
static int output_to(const swq_fabric *f, uint32_t first, uint32_t next)
{
    int out = 0;

    while (out < f->ports - 1 && f->link[first + (uint32_t)out] != next)
        out++;
    return out;
}

/* Where a packet of a class goes from an input port. */
void swq_class_words(const swq_fabric *f, uint32_t port, int class, uint32_t next, char *text,
                     size_t size)
{
    const uint32_t ports = (uint32_t)f->ports;
    const int out =
        f->outputs ? output_to(f, port - port % ports, next) : swq_output_of(f, port, class);
    const uint32_t output = port - port % ports + (uint32_t)out;
    const char *lap = "";

    if (!f->outputs && f->shape.kind->rings && out == (int)(port % ports) && out != f->ports - 1)
        lap = class == out ? ", not wrapped" : ", wrapped";
    if (!f->shape.kind->direction_name) {
        snprintf(text, size, "output %d", out);
    } else if (f->out_level[output] == f->levels - 1) {
        snprintf(text, size, "%s", f->link[output] & SWQ_TO_NODE ? "host" : "next switch");
    } else {
        swq_port_words(f, output, text, size);
        snprintf(text + strlen(text), size - strlen(text), "%s", lap);
    }
}

/* "node 12 (1,1)", with its switch if it has several. */
void swq_place_words(const swq_fabric *f, uint32_t port, char *text, size_t size)
{
    uint32_t which = port / (uint32_t)f->ports, chain = f->switches / f->nodes;
    uint32_t node = chain ? which / chain : 0;

    if (!f->coordinate) {
        snprintf(text, size, "switch %u", which);
        return;
    }
    snprintf(text, size, "node %u (", node);
    for (int k = 0; k < f->shape.dims; k++)
        snprintf(text + strlen(text), size - strlen(text), "%s%u", k ? "," : "",
                 f->coordinate[(size_t)node * (size_t)f->shape.dims + (size_t)k]);
    snprintf(text + strlen(text), size - strlen(text), ")");
    if (chain > 1)
        snprintf(text + strlen(text), size - strlen(text), " switch %u", which % chain);
}
