/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading lists of flows: recognising the format, csv and hpcc.
 */
#include "sim/datacentre/flow_list.h"

#include "base/arrays.h"
#include "base/context.h"
#include "sim/datacentre/flow_fields.h"
#include "sim/datacentre/flow_htsim.h"

#include <string.h>

static const char columns[] = "start_ps,source,destination,bytes";

const char *swq_flow_format_of(const char *text, swq_flow_format *format)
{
    static const char *const prefix[] = {"csv:", "hpcc:", "htsim:"};

    for (int k = 0; k < 3; k++) {
        if (strncmp(text, prefix[k], strlen(prefix[k])) == 0) {
            *format = (swq_flow_format)(SWQ_FLOWS_CSV + k);
            return text + strlen(prefix[k]);
        }
    }
    *format = SWQ_FLOWS_RECOGNISED;
    return text;
}

/* ---- the first line ---- */

static swq_status recognise(swq_lines *l, swq_flow_format *format)
{
    const size_t digits = strspn(l->line, "0123456789");

    if (strncmp(l->line, "start_ps", strlen("start_ps")) == 0)
        *format = SWQ_FLOWS_CSV;
    else if (strncmp(l->line, "Nodes", strlen("Nodes")) == 0 ||
             strncmp(l->line, "Connections", strlen("Connections")) == 0)
        *format = SWQ_FLOWS_HTSIM;
    else if (digits && l->line[digits + strspn(l->line + digits, " \t")] == '\0')
        *format = SWQ_FLOWS_HPCC;
    else
        return swq_lines_fail(l,
                              "a list of flows must begin with '%s' (csv), the number of flows "
                              "(HPCC), or 'Nodes N' (htsim), not '%.40s'",
                              columns, l->line);
    return SWQ_OK;
}

static swq_status read_columns(swq_flow_list *list)
{
    swq_lines *l = &list->lines;
    const char *at = l->line;
    bool fine = strncmp(at, columns, strlen(columns)) == 0;

    at += fine ? strlen(columns) : 0;
    list->with_class = strncmp(at, ",class", 6) == 0;
    at += list->with_class ? 6 : 0;
    list->with_after = strncmp(at, ",after", 6) == 0;
    at += list->with_after ? 6 : 0;
    if (fine && *at == '\0')
        return SWQ_OK;
    return swq_lines_fail(l,
                          "the first line must be '%s' with or without ',class' and ',after', "
                          "not '%.80s'",
                          columns, l->line);
}

static swq_status read_first(swq_flow_list *list)
{
    swq_lines *l = &list->lines;
    int64_t flows = 0;
    bool more = false;
    swq_status status = swq_lines_next_but(l, '#', &more);

    if (!status && !more)
        status = swq_lines_fail(l, "the list of flows is empty");
    if (!status && list->format == SWQ_FLOWS_RECOGNISED)
        status = recognise(l, &list->format);
    if (status)
        return status;
    if (list->format == SWQ_FLOWS_CSV)
        return read_columns(list);
    if (list->format == SWQ_FLOWS_HTSIM)
        return swq_flow_htsim_read(list);
    status = swq_lines_integer(l, "the number of flows", 0, INT64_MAX, &flows);
    list->expected = (uint64_t)flows;
    return status ? status : swq_lines_end(l);
}

swq_status swq_flow_list_open(swq_context *ctx, const char *path, swq_flow_format format,
                              uint32_t nodes, int classes, uint64_t most_bytes, swq_flow_list *list)
{
    swq_flow_list opened = {
        .format = format, .nodes = nodes, .most_bytes = most_bytes, .classes = classes};
    swq_status status = swq_lines_open(ctx, path, &opened.lines, NULL);

    if (!status)
        status = read_first(&opened);
    if (status)
        swq_flow_list_close(&opened);
    *list = opened;
    return status;
}

void swq_flow_list_close(swq_flow_list *list)
{
    if (list->lines.ctx)
        swq_free(list->lines.ctx, list->sorted);
    swq_lines_close(&list->lines);
    *list = (swq_flow_list){0};
}

/* ---- flows ---- */

static swq_status read_class(swq_flow_list *list, const char *what, swq_listed_flow *flow)
{
    int64_t number = 0;
    const swq_status status = swq_lines_integer(&list->lines, what, 0, list->classes - 1, &number);

    flow->traffic_class = (uint8_t)number;
    return status;
}

static swq_status read_csv(swq_flow_list *list, swq_listed_flow *flow)
{
    swq_lines *l = &list->lines;
    int64_t after = 0;

    for (char *comma = l->line; (comma = strchr(comma, ','));)
        *comma = ' ';
    swq_status status = swq_flow_start(l, "ps", &flow->start);
    if (!status)
        status = swq_flow_node(l, "the source", list->nodes, &flow->source);
    if (!status)
        status = swq_flow_node(l, "the destination", list->nodes, &flow->destination);
    if (!status)
        status = swq_flow_bytes(l, list->most_bytes, &flow->bytes);
    if (!status && list->with_class)
        status = read_class(list, "the class", flow);
    if (!status && list->with_after)
        status = swq_lines_integer(l, "after, the number of an earlier flow,", 0,
                                   (int64_t)list->read, &after);
    flow->after = (uint64_t)after;
    return status ? status : swq_lines_end(l);
}

static swq_status read_hpcc(swq_flow_list *list, swq_listed_flow *flow)
{
    swq_lines *l = &list->lines;
    int64_t port;
    swq_status status = swq_flow_node(l, "the source", list->nodes, &flow->source);

    if (!status)
        status = swq_flow_node(l, "the destination", list->nodes, &flow->destination);
    if (!status)
        status = read_class(list, "the priority group, which is the class here (--classes),", flow);
    if (!status)
        status = swq_lines_integer(l, "the destination port", 0, 65535, &port);
    if (!status)
        status = swq_flow_bytes(l, list->most_bytes, &flow->bytes);
    if (!status)
        status = swq_flow_start(l, "s", &flow->start);
    return status ? status : swq_lines_end(l);
}

/* The next line of a flow; *more is false behind the last one. */
static swq_status next_line(swq_flow_list *list, bool *more)
{
    swq_lines *l = &list->lines;
    swq_status status = swq_lines_next_but(l, '#', more);

    if (status || list->format != SWQ_FLOWS_HPCC)
        return status;
    if (!*more && list->read < list->expected)
        return swq_lines_fail(
            l,
            "the first line says %llu flows, and there are %llu; traffic_gen.py of "
            "HPCC can leave a wrong number: mend the first line",
            (unsigned long long)list->expected, (unsigned long long)list->read);
    list->ignored = *more && list->read == list->expected;
    *more = *more && !list->ignored;
    return SWQ_OK;
}

static swq_status check_order(swq_flow_list *list, const swq_listed_flow *flow)
{
    if (flow->after)
        return SWQ_OK;
    if (flow->start < list->start)
        return swq_lines_fail(&list->lines,
                              "flows must come in the order of their starts, and this one starts "
                              "%llu ps before the one above",
                              (unsigned long long)(list->start - flow->start));
    list->start = flow->start;
    return SWQ_OK;
}

swq_status swq_flow_list_next(swq_flow_list *list, swq_listed_flow *flow, bool *more)
{
    swq_listed_flow f = {0};

    if (list->format == SWQ_FLOWS_HTSIM) {
        *more = list->read < list->expected;
        if (*more)
            *flow = list->sorted[list->read++];
        return SWQ_OK;
    }
    if (list->ignored) { /* asked again */
        *more = false;
        return SWQ_OK;
    }
    swq_status status = next_line(list, more);
    if (status || !*more)
        return status;
    status = list->format == SWQ_FLOWS_CSV ? read_csv(list, &f) : read_hpcc(list, &f);
    if (!status)
        status = swq_flow_ends_differ(&list->lines, &f);
    if (!status)
        status = check_order(list, &f);
    if (status)
        return status;
    list->read++;
    *flow = f;
    return SWQ_OK;
}

static swq_status load(swq_context *ctx, swq_flow_list *list, swq_listed_flow **flow,
                       uint64_t *flows)
{
    uint64_t room = 0, count = 0;
    swq_listed_flow f;
    bool more = false;
    swq_status status;

    while (!(status = swq_flow_list_next(list, &f, &more)) && more) {
        if (count == room) {
            room = room ? 2 * room : 256;
            if (!swq_resize_array(ctx, flow, (int64_t)room, sizeof **flow))
                return swq_memory_status(ctx);
        }
        (*flow)[count++] = f;
    }
    *flows = count;
    return status;
}

swq_status swq_flow_list_load(swq_context *ctx, const char *path, swq_flow_format format,
                              uint32_t nodes, int classes, swq_listed_flow **flow, uint64_t *flows)
{
    swq_flow_list list = {0};
    swq_listed_flow *all = NULL;
    uint64_t count = 0;
    swq_status status =
        swq_flow_list_open(ctx, path, format, nodes, classes, SWQ_MOST_FLOW_BYTES, &list);

    if (!status)
        status = load(ctx, &list, &all, &count);
    if (!status && count == 0)
        status = swq_lines_fail(&list.lines, "the list has no flow");
    swq_flow_list_close(&list);
    if (status) {
        swq_free(ctx, all);
        all = NULL;
        count = 0;
    }
    *flow = all;
    *flows = count;
    return status;
}
