/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a trace of packets that come to a switch, and writing what became of them.
 */
#include "base/outfile.h"
#include "sim/datacentre/net.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The unsigned number at *at, which is moved behind it and behind a comma that follows. */
static bool number(const char **at, uint64_t most, uint64_t *value)
{
    char *end;

    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *value = strtoull(*at, &end, 10);
    if (errno || *value > most)
        return false;
    *at = *end == ',' ? end + 1 : end;
    return *end == ',' || *end == '\0';
}

/* time_ps,input,output,class,bytes[,flags] */
static bool read_line(const char *line, swq_dc_arrival *a)
{
    uint64_t time, input, output, class, bytes, flags = 0;

    if (!number(&line, SWQ_DC_NEVER / 4, &time) || !number(&line, SWQ_DC_PORTS - 1, &input) ||
        !number(&line, SWQ_DC_PORTS - 1, &output) || !number(&line, SWQ_DC_CLASSES - 1, &class) ||
        !number(&line, 1000000, &bytes) || bytes == 0)
        return false;
    if (*line && !number(&line, 1, &flags))
        return false;
    *a = (swq_dc_arrival){
        time, (uint32_t)bytes, (uint16_t)input, (uint16_t)output, (uint8_t) class, (uint8_t)flags};
    return *line == '\0';
}

static swq_status add(swq_context *ctx, const char *path, uint64_t number_of_line, const char *line,
                      swq_dc_arrival **arrival, uint64_t *count, uint64_t *room)
{
    swq_dc_arrival a;

    if (!read_line(line, &a))
        return swq_fail(ctx, SWQ_EINVAL,
                        "%s, line %" PRIu64 ": must be time_ps,input,output,class,bytes[,flags], "
                        "with ports below %d, classes below %d and 1 to 1000000 bytes, not '%.60s'",
                        path, number_of_line, SWQ_DC_PORTS, SWQ_DC_CLASSES, line);
    if (*count > 0 && a.time < (*arrival)[*count - 1].time)
        return swq_fail(ctx, SWQ_EINVAL,
                        "%s, line %" PRIu64 ": times must not go back, from %" PRIu64
                        " to %" PRIu64,
                        path, number_of_line, (*arrival)[*count - 1].time, a.time);
    if (*count == *room) {
        const uint64_t more = 2 * *room + 1024;
        if (!swq_resize_array(ctx, arrival, (int64_t)more, sizeof **arrival))
            return swq_memory_status(ctx);
        *room = more;
    }
    (*arrival)[(*count)++] = a;
    return SWQ_OK;
}

swq_status swq_dc_trace_read(swq_context *ctx, const char *path, swq_dc_arrival **arrivals,
                             uint64_t *packets)
{
    FILE *file = fopen(path, "r");
    swq_dc_arrival *arrival = NULL;
    uint64_t count = 0, room = 0, lines = 0;
    char line[256];
    swq_status status = SWQ_OK;

    if (!file)
        return swq_fail(ctx, SWQ_EIO, "cannot read '%s': %s", path, strerror(errno));
    while (!status && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        lines++;
        if (line[0] && line[0] != '#')
            status = add(ctx, path, lines, line, &arrival, &count, &room);
        if (!status && lines % 65536 == 0 && swq_context_cancelled(ctx))
            status = SWQ_ECANCELLED;
    }
    if (!status && ferror(file))
        status = swq_fail(ctx, SWQ_EIO, "cannot read '%s': %s", path, strerror(errno));
    if (!status && count == 0)
        status = swq_fail(ctx, SWQ_EINVAL, "%s: there are no packets", path);
    fclose(file);
    if (status) {
        swq_free(ctx, arrival);
        return status;
    }
    *arrivals = arrival;
    *packets = count;
    return SWQ_OK;
}

swq_status swq_dc_fates_write(swq_context *ctx, const char *path, const swq_dc_fate *fate,
                              uint64_t packets)
{
    swq_outfile file;
    swq_status status = swq_outfile_open(ctx, path, &file);

    if (status)
        return status;
    fprintf(file.stream, "number,fate,time_ps,marked\n");
    for (uint64_t k = 0; k < packets; k++)
        fprintf(file.stream, "%" PRIu64 ",%s,%" PRIu64 ",%d\n", k, swq_dc_end_words[fate[k].end],
                fate[k].time, fate[k].marked);
    return swq_outfile_commit(ctx, &file);
}

void swq_dc_trace_free(swq_context *ctx, swq_dc_arrival *arrivals)
{
    swq_free(ctx, arrivals);
}
