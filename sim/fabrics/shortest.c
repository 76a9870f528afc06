/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shortest ways between switches, by breadth-first search backwards from the destination.
 */
#include "sim/fabrics/shortest.h"
#include "base/arrays.h"
#include "base/context.h"
#include "sim/fabrics/fabrics.h"

#include <string.h>

static void list_arrays(swq_ways *w, swq_arrays *list)
{
    *list = (swq_arrays){0};
    SWQ_ARRAY(list, w->back, (double)w->switches * w->ports);
    SWQ_ARRAY(list, w->distance, w->switches);
    SWQ_ARRAY(list, w->list, w->switches);
}

swq_status swq_ways_begin(swq_context *ctx, swq_ways *w)
{
    const uint32_t ports = w->switches * w->ports;
    swq_arrays list;

    list_arrays(w, &list);
    const swq_status status = swq_arrays_take(ctx, &list);
    if (status)
        return status;
    memset(w->back, 0xff, ports * sizeof *w->back); /* SWQ_NO_WHERE */
    for (uint32_t out = 0; out < ports; out++) {
        if (!(w->link[out] & SWQ_TO_NODE))
            w->back[w->link[out]] = out;
    }
    return SWQ_OK;
}

void swq_ways_clear(swq_context *ctx, swq_ways *w)
{
    swq_arrays list;

    list_arrays(w, &list);
    swq_arrays_free(ctx, &list);
}

void swq_ways_find(swq_ways *w, uint32_t to)
{
    uint32_t count = 1;

    for (uint32_t at = 0; at < w->switches; at++)
        w->distance[at] = SWQ_FAR;
    w->distance[to] = 0;
    w->list[0] = to;
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t in = w->list[k] * w->ports; in < (w->list[k] + 1) * w->ports; in++) {
            if (w->back[in] == SWQ_NO_WHERE)
                continue;
            const uint32_t other = w->back[in] / w->ports;
            if (w->distance[other] != SWQ_FAR)
                continue;
            w->distance[other] = w->distance[w->list[k]] + 1;
            w->list[count++] = other;
        }
    }
}

/* Does an output of a switch lead nearer? */
static bool leads(const swq_ways *w, uint32_t at, uint32_t port)
{
    const uint32_t end = w->link[at * w->ports + port];

    return !(end & SWQ_TO_NODE) && w->distance[at] != SWQ_FAR && w->distance[at] > 0 &&
           w->distance[end / w->ports] == w->distance[at] - 1;
}

uint8_t swq_ways_output(const swq_ways *w, uint32_t at, uint32_t to)
{
    uint8_t output[SWQ_MOST_TABLE_PORTS];
    uint32_t count = 0;

    for (uint32_t port = 0; port < w->ports; port++) {
        if (leads(w, at, port))
            output[count++] = (uint8_t)port;
    }
    return count ? output[to % count] : SWQ_UNUSED;
}

void swq_ways_outputs(const swq_ways *w, uint32_t at, swq_port_set *set)
{
    for (uint32_t port = 0; port < w->ports; port++)
        set[port / 64] |= (swq_port_set)leads(w, at, port) << port % 64;
}
