/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces from files.
 */
#include "sim/traffic/trace_files.h"
#include "base/context.h"
#include "base/lines.h"
#include "switchq/fabric.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The state of reading a trace. */
typedef struct trace_reader {
    swq_lines file;
    const char *what;
    uint32_t nodes;
    const swq_fabric *fabric;
    int width;                 /* bytes that a link carries in a cycle */
    uint64_t before;           /* the cycle of the last line */
    uint8_t *given;            /* [nodes * nodes] pairs whose circuit has been read */
    swq_trace_messages *trace; /* the messages and dependencies read so far */
    uint64_t room;
    int64_t awaited, awaited_line; /* the highest message number that another message waits for, and
                                      the line that names this number */
} trace_reader;

/* Reads traces of packets and of messages: in both a line begins with its cycle. */
static swq_status read_all(swq_context *ctx, trace_reader *r, const char *path, size_t bytes,
                           swq_status (*read)(trace_reader *r, void *line), void **line,
                           uint64_t *lines)
{
    uint64_t room = 0;
    bool more = false;
    swq_status status = swq_lines_open(ctx, path, &r->file, NULL);

    while (!status && !(status = swq_lines_next(&r->file, &more)) && more) {
        r->file.at[strcspn(r->file.at, "#")] = '\0';
        for (char *c = r->file.at; (c = strchr(c, ','));)
            *c = ' ';
        if (!swq_lines_field_left(&r->file))
            continue;
        if (!*line || *lines == room) {
            room = 2 * room + 1024;
            void *grown = realloc(*line, room * bytes);
            if (!grown) {
                status = swq_fail(ctx, SWQ_ENOMEM, "no memory for the trace '%.200s'", path);
                break;
            }
            *line = grown;
        }
        char *next = (char *)*line + *lines * bytes;
        status = read(r, next);
        if (!status)
            memcpy(&r->before, next, sizeof r->before);
        *lines += !status;
    }
    swq_lines_close(&r->file);
    return status;
}

/* Reads up to four whole numbers into `value`; *count counts further words too. */
static swq_status read_numbers(trace_reader *r, unsigned long long value[4], int *count)
{
    char *rest = NULL;

    for (char *word = strtok_r(r->file.at, " \t", &rest); word;
         word = strtok_r(NULL, " \t", &rest)) {
        char *end = word;
        errno = 0;
        if (*count < 4)
            value[*count] = strtoull(word, &end, 10);
        if (*end || word[0] == '-' || errno)
            return swq_fail(r->file.ctx, SWQ_EINVAL,
                            "%s: line %lld of '%.200s' must be 'cycle source destination "
                            "[priority]', whole numbers; '%.40s' is wrong",
                            r->what, (long long)r->file.number, r->file.path, word);
        ++*count;
    }
    return SWQ_OK;
}

static swq_status read_packet(trace_reader *r, void *at)
{
    unsigned long long value[4] = {0};
    int count = 0;
    swq_context *ctx = r->file.ctx;
    const long long number = (long long)r->file.number;
    const char *path = r->file.path;
    swq_status status = read_numbers(r, value, &count);

    if (status)
        return status;
    if (count < 3)
        return swq_fail(ctx, SWQ_EINVAL,
                        "%s: line %lld of '%.200s' must be 'cycle source destination [priority]', "
                        "and has %d number%s",
                        r->what, number, path, count, count > 1 ? "s" : "");
    if (value[0] > 4000000000ULL)
        return swq_fail(ctx, SWQ_EINVAL,
                        "%s: line %lld of '%.200s': cycle must be 0 to 4000000000, not %llu",
                        r->what, number, path, value[0]);
    for (int k = 1; k < 3; k++) {
        if (value[k] >= r->nodes)
            return swq_fail(
                ctx, SWQ_EINVAL, "%s: line %lld of '%.200s': %s must be 0 to %u, not %llu", r->what,
                number, path, k == 1 ? "source" : "destination", r->nodes - 1, value[k]);
    }
    if (value[3] > 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "%s: line %lld of '%.200s': priority must be 0 or 1, not %llu", r->what,
                        number, path, value[3]);
    if (value[0] < r->before)
        return swq_fail(ctx, SWQ_EINVAL,
                        "%s: line %lld of '%.200s': cycle %llu is earlier than the line before's",
                        r->what, number, path, value[0]);
    *(swq_trace_packet *)at =
        (swq_trace_packet){value[0], (uint32_t)value[1], (uint32_t)value[2], (uint32_t)value[3]};
    return SWQ_OK;
}

swq_status swq_trace_packets_read(swq_context *ctx, const char *what, const char *path,
                                  uint32_t nodes, swq_trace_packet **line, uint64_t *lines)
{
    trace_reader r = {.what = what, .nodes = nodes};
    void *read = NULL;
    swq_status status = read_all(ctx, &r, path, sizeof **line, read_packet, &read, lines);

    *line = read;
    if (!status && *lines == 0)
        status = swq_fail(ctx, SWQ_EINVAL, "%s: '%.200s' has no packets", what, path);
    return status;
}

/* Reads a message that this one waits for, and the delay. */
static swq_status read_dependency(trace_reader *r)
{
    swq_trace_messages *t = r->trace;
    swq_lines *file = &r->file;
    int64_t on, delay;
    swq_status status = swq_lines_integer(file, "message that it waits for", 1, 4000000000, &on);

    if (!status)
        status = swq_lines_integer(file, "delay", 1, SWQ_MAX_DEPENDENCY_DELAY, &delay);
    if (status)
        return status;
    if (t->dependencies == r->room) {
        r->room = 2 * r->room + 1024;
        void *grown = realloc(t->dependency, r->room * sizeof *t->dependency);
        if (!grown)
            return swq_fail(file->ctx, SWQ_ENOMEM, "no memory for the trace '%.200s'", file->path);
        t->dependency = grown;
    }
    if (on > r->awaited) {
        r->awaited = on;
        r->awaited_line = file->number;
    }
    t->dependency[t->dependencies++] =
        (swq_async_dependency){t->messages, (uint64_t)on - 1, (uint32_t)delay};
    return SWQ_OK;
}

static swq_status read_message(trace_reader *r, void *at)
{
    const int64_t last = (int64_t)r->fabric->nodes - 1;
    int64_t cycle, source, destination, bytes;
    swq_lines *file = &r->file;
    swq_status status = swq_lines_integer(file, "cycle", 0, 4000000000, &cycle);

    if (!status)
        status = swq_lines_integer(file, "source", 0, last, &source);
    if (!status)
        status = swq_lines_integer(file, "destination", 0, last, &destination);
    if (!status)
        status = swq_lines_integer(file, "bytes", 1, SWQ_MAX_MESSAGE, &bytes);
    while (!status && swq_lines_field_left(file))
        status = read_dependency(r);
    if (status)
        return status;
    if ((uint64_t)cycle < r->before)
        return swq_lines_fail(file, "cycle %lld is earlier than the line before's",
                              (long long)cycle);
    if (source == destination && r->fabric->shape.kind->point_to_point)
        return swq_lines_fail(file, "node %lld cannot send to itself in a %s", (long long)source,
                              r->fabric->shape.kind->name);
    *(swq_async_message *)at = (swq_async_message){(uint64_t)cycle, (uint32_t)source,
                                                   (uint32_t)destination, (uint32_t)bytes};
    return SWQ_OK;
}

swq_status swq_trace_messages_read(swq_context *ctx, const char *what, const char *path,
                                   const swq_fabric *fabric, swq_trace_messages *trace)
{
    trace_reader r = {.what = what, .fabric = fabric, .trace = trace};
    void *read = NULL;
    swq_status status =
        read_all(ctx, &r, path, sizeof *trace->message, read_message, &read, &trace->messages);

    trace->message = read;
    if (!status && trace->messages == 0)
        status = swq_fail(ctx, SWQ_EINVAL, "%s: '%.200s' has no messages", what, path);
    if (!status && r.awaited > (int64_t)trace->messages)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "%.200s, line %lld: it waits for message %lld, and there are %llu", path,
                          (long long)r.awaited_line, (long long)r.awaited,
                          (unsigned long long)trace->messages);
    return status;
}

void swq_trace_messages_clear(swq_trace_messages *trace)
{
    free(trace->message);
    free(trace->dependency);
    *trace = (swq_trace_messages){0};
}

static swq_status read_circuit(trace_reader *r, void *at)
{
    const int64_t nodes = r->fabric->nodes;
    int64_t from, to;
    double rate;
    swq_lines *file = &r->file;
    swq_status status = swq_lines_integer(file, "source", 0, nodes - 1, &from);

    if (!status)
        status = swq_lines_integer(file, "destination", 0, nodes - 1, &to);
    if (!status)
        status = swq_lines_number(file, "rate", &rate, NULL);
    if (!status)
        status = swq_lines_end(file);
    if (status)
        return status;
    if (!(rate > 0 && rate <= r->width))
        return swq_lines_fail(file, "rate must be above 0 and at most %d byte%s a cycle, not %g",
                              r->width, r->width > 1 ? "s" : "", rate);
    uint8_t *given = &r->given[(size_t)from * r->fabric->nodes + (size_t)to];
    if (*given)
        return swq_lines_fail(file, "the circuit from %lld to %lld has a rate already",
                              (long long)from, (long long)to);
    *given = 1;
    *(swq_circuit *)at = (swq_circuit){(uint32_t)from, (uint32_t)to, rate / r->width};
    return SWQ_OK;
}

swq_status swq_circuits_read(swq_context *ctx, const char *what, const char *path,
                             const swq_fabric *fabric, int width, swq_circuit **circuit,
                             uint64_t *circuits)
{
    trace_reader r = {.what = what, .fabric = fabric, .width = width};
    void *read = NULL;

    r.given = swq_calloc(ctx, fabric->nodes, fabric->nodes);
    if (!r.given)
        return swq_memory_status(ctx);
    swq_status status = read_all(ctx, &r, path, sizeof **circuit, read_circuit, &read, circuits);
    swq_free(ctx, r.given);
    *circuit = read;
    if (!status && *circuits == 0)
        status = swq_fail(ctx, SWQ_EINVAL, "%s: '%.200s' has no circuits", what, path);
    return status;
}
