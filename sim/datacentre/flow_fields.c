/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See flow_fields.h.
 */
#include "sim/datacentre/flow_fields.h"

#include "base/context.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>

#define MOST_NODE INT64_C(0x7fffffff)

void swq_flow_word(swq_lines *l, char *field, size_t room)
{
    swq_lines_field_left(l);
    const size_t length = strcspn(l->at, " \t");
    snprintf(field, room, "%.*s", (int)(length < room ? length : room), l->at);
    l->at += length;
}

swq_status swq_flow_node(swq_lines *l, const char *what, uint32_t nodes, uint32_t *node)
{
    int64_t number = 0;
    const swq_status status =
        swq_lines_integer(l, what, 0, nodes ? (int64_t)nodes - 1 : MOST_NODE, &number);

    *node = (uint32_t)number;
    return status;
}

swq_status swq_flow_bytes(swq_lines *l, uint64_t most, uint64_t *bytes)
{
    int64_t number = 0;
    const swq_status status = swq_lines_integer(l, "the size in bytes", 1, (int64_t)most, &number);

    *bytes = (uint64_t)number;
    return status;
}

swq_status swq_flow_start(swq_lines *l, const char *unit, uint64_t *start)
{
    char field[60], text[70];

    swq_flow_word(l, field, sizeof field);
    snprintf(text, sizeof text, "%s%s", field, unit);
    if (field[strspn(field, "0123456789.")] == '\0' &&
        swq_units_read(l->ctx, "start", SWQ_UNITS_TIME, text, 0, SWQ_MOST_FLOW_START, start) ==
            SWQ_OK)
        return SWQ_OK;
    if (strcmp(unit, "s") == 0)
        return swq_lines_fail(l,
                              "the start must be a time from 0 to 1000000 seconds with at most 12 "
                              "decimals, not '%.40s'",
                              field);
    return swq_lines_fail(
        l, "the start must be a whole number of picoseconds from 0 to 1e18, not '%.40s'", field);
}

swq_status swq_flow_ends_differ(swq_lines *l, const swq_listed_flow *flow)
{
    if (flow->source != flow->destination)
        return SWQ_OK;
    return swq_lines_fail(l, "a flow must go from a node to another one, not from %lu to itself",
                          (unsigned long)flow->source);
}
