/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in with a pattern of traffic: the two halves of the nodes exchange their packets, node by
 * node.
 */
#include <switchq/plugin.h>

#include <stddef.h>

static const char *objection(const swq_places *places)
{
    return places->nodes % 2 ? "an even number of nodes is needed" : NULL;
}

static uint32_t image(const swq_places *places, uint32_t source)
{
    return (source + places->nodes / 2) % places->nodes;
}

static const swq_pattern halves = {
    .name = "halves",
    .summary = "node i sends to node i + N/2, counted around",
    .source = "examples/plugins/halves.c",
    .image = image,
    .objection = objection,
};

static const swq_pattern *const patterns[] = {&halves, NULL};

SWQ_PLUGIN(.patterns = patterns)
