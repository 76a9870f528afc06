/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace of messages: lines of cycle, source, destination and bytes, apart by blanks or commas; #
 * begins a comment.
 * Room: cli.
 */
#include "base/context.h"
#include "base/lines.h"
#include "cli/spec/async.h"

#include <stdlib.h>
#include <string.h>

/* `at` is at the first field. */
static swq_status read_line(swq_lines *lines, const cli_async *n, uint64_t before,
                            swq_async_message *message)
{
    const int64_t last = (int64_t)n->fabric.nodes - 1;
    int64_t cycle, source, destination, bytes;
    swq_status status = swq_lines_integer(lines, "cycle", 0, 4000000000, &cycle);

    if (!status)
        status = swq_lines_integer(lines, "source", 0, last, &source);
    if (!status)
        status = swq_lines_integer(lines, "destination", 0, last, &destination);
    if (!status)
        status = swq_lines_integer(lines, "bytes", 1, SWQ_MAX_MESSAGE, &bytes);
    if (!status)
        status = swq_lines_end(lines);
    if (status)
        return status;
    if ((uint64_t)cycle < before)
        return swq_lines_fail(lines, "cycle %lld is earlier than the line before's",
                              (long long)cycle);
    if (source == destination && n->fabric.shape.kind->point_to_point)
        return swq_lines_fail(lines, "node %lld cannot send to itself in a %s", (long long)source,
                              n->fabric.shape.kind->name);
    *message = (swq_async_message){(uint64_t)cycle, (uint32_t)source, (uint32_t)destination,
                                   (uint32_t)bytes};
    return SWQ_OK;
}

/* Commas are blanks, and a comment ends the line. */
static void trim(swq_lines *lines)
{
    lines->at[strcspn(lines->at, "#")] = '\0';
    for (char *c = lines->at; (c = strchr(c, ','));)
        *c = ' ';
}

swq_status cli_async_trace(swq_context *ctx, cli_async *n, const char *path)
{
    swq_async *net = &n->network;
    swq_lines lines = {0};
    uint64_t room = 0;
    bool more = false;
    swq_status status = swq_lines_open(ctx, path, &lines, NULL);

    while (!status && !(status = swq_lines_next(&lines, &more)) && more) {
        trim(&lines);
        if (!swq_lines_field_left(&lines))
            continue;
        if (net->trace_messages == room) {
            room = 2 * room + 1024;
            swq_async_message *grown = realloc(n->trace, room * sizeof *grown);
            if (!grown) {
                status = swq_fail(ctx, SWQ_ENOMEM, "no memory for the trace '%.200s'", path);
                break;
            }
            n->trace = grown;
        }
        uint64_t before = net->trace_messages ? n->trace[net->trace_messages - 1].cycle : 0;
        status = read_line(&lines, n, before, &n->trace[net->trace_messages]);
        net->trace_messages += !status;
    }
    swq_lines_close(&lines);
    if (!status && net->trace_messages == 0)
        status = swq_fail(ctx, SWQ_EINVAL, "--traffic trace: '%.200s' has no messages", path);
    net->trace = n->trace;
    n->trace_path = path;
    return status;
}
