/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traffic tables of Noxim. Source: its GlobalTrafficTable::load, by which a line is
 * "source destination [pir [por [t_on [t_off [t_period]]]]]".
 */
#include "cli/spec/noxim.h"

#include "base/context.h"
#include "base/lines.h"

#include <stdlib.h>
#include <string.h>

bool cli_is_noxim(const char *traffic)
{
    return strncmp(traffic, "noxim:", 6) == 0;
}

static swq_status read_rates(swq_lines *from, double *packets)
{
    double after = 0;

    if (!swq_lines_field_left(from))
        return swq_lines_fail(from, "a line must have a rate: Noxim takes it from its own options");
    swq_status status = swq_lines_number(from, "packets a cycle", packets, NULL);
    if (!status && !(*packets >= 0 && *packets <= 1))
        return swq_lines_fail(from, "packets a cycle must be 0 to 1, not %g", *packets);
    if (status || !swq_lines_field_left(from))
        return status;
    status = swq_lines_number(from, "packets a cycle after a packet", &after, NULL);
    if (!status && after != *packets)
        return swq_lines_fail(from,
                              "column 4 must repeat column 3: another rate for packets that follow "
                              "a packet is not there");
    if (!status && swq_lines_field_left(from))
        return swq_lines_fail(from, "columns 5 to 7, times in which a line holds, are not there");
    return status;
}

static swq_status read_line(swq_lines *from, uint32_t nodes, double triple[3])
{
    int64_t end[2] = {0, 0};
    swq_status status = swq_lines_integer(from, "the sender", 0, nodes - 1, &end[0]);

    if (!status)
        status = swq_lines_integer(from, "the receiver", 0, nodes - 1, &end[1]);
    if (!status && end[0] == end[1])
        return swq_lines_fail(from, "a node sends to itself");
    triple[0] = (double)end[0];
    triple[1] = (double)end[1];
    return status ? status : read_rates(from, &triple[2]);
}

swq_status cli_noxim_read(swq_context *ctx, const char *path, uint32_t nodes, double **triples,
                          size_t *lines)
{
    swq_lines from = {0};
    size_t room = 0;
    bool more = true;
    swq_status status = swq_lines_open(ctx, path, &from, NULL);

    *triples = NULL;
    *lines = 0;
    while (!status) {
        status = swq_lines_next_but(&from, '%', &more);
        if (status || !more)
            break;
        if (*lines == room) {
            room = room ? 2 * room : 256;
            double *larger = realloc(*triples, 3 * room * sizeof *larger);
            if (!larger) {
                status = swq_fail(ctx, SWQ_ENOMEM, "no memory to read '%.200s'", path);
                break;
            }
            *triples = larger;
        }
        status = read_line(&from, nodes, *triples + 3 * (*lines)++);
    }
    swq_lines_close(&from);
    if (status) {
        free(*triples);
        *triples = NULL;
    }
    return status;
}

swq_status cli_noxim_loads(swq_context *ctx, const char *path, uint32_t nodes, double length,
                           double *load)
{
    for (uint32_t i = 0; i < nodes; i++) {
        load[i] *= length;
        if (load[i] > 1)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--traffic noxim:%.200s: node %u sends %.6g flits a cycle, where a "
                            "link carries one",
                            path, i, load[i]);
    }
    return SWQ_OK;
}
