/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing lists of flows.
 */
#include "base/context.h"
#include "sim/datacentre/flow_list.h"

#include <inttypes.h>

#define PS_PER_SECOND UINT64_C(1000000000000)

static swq_status refuse(swq_context *ctx, uint64_t number, const char *format, const char *why)
{
    return swq_fail(ctx, SWQ_EINVAL, "flow %" PRIu64 " cannot be written for %s: %s", number,
                    format, why);
}

static swq_status write_csv(FILE *to, const swq_listed_flow *flow, uint64_t flows)
{
    bool with_class = false, with_after = false;

    for (uint64_t k = 0; k < flows; k++) {
        with_class = with_class || flow[k].traffic_class;
        with_after = with_after || flow[k].after;
    }
    fprintf(to, "start_ps,source,destination,bytes%s%s\n", with_class ? ",class" : "",
            with_after ? ",after" : "");
    for (uint64_t k = 0; k < flows; k++) {
        const swq_listed_flow *f = &flow[k];
        fprintf(to, "%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64, f->start, f->source,
                f->destination, f->bytes);
        if (with_class)
            fprintf(to, ",%d", f->traffic_class);
        if (with_after)
            fprintf(to, ",%" PRIu64, f->after);
        fputc('\n', to);
    }
    return SWQ_OK;
}

/* The destination port is that of traffic_gen.py; starts have nine decimals or, if needed, twelve.
 */
static swq_status write_hpcc(swq_context *ctx, FILE *to, const swq_listed_flow *flow,
                             uint64_t flows)
{
    for (uint64_t k = 0; k < flows; k++) {
        if (flow[k].after)
            return refuse(ctx, k + 1, "HPCC's simulator", "it waits for another one");
    }
    fprintf(to, "%" PRIu64 "\n", flows);
    for (uint64_t k = 0; k < flows; k++) {
        const swq_listed_flow *f = &flow[k];
        const uint64_t part = f->start % PS_PER_SECOND;
        const bool short_start = part % 1000 == 0;
        fprintf(to, "%" PRIu32 " %" PRIu32 " %d 100 %" PRIu64 " %" PRIu64 ".%0*" PRIu64 "\n",
                f->source, f->destination, f->traffic_class, f->bytes, f->start / PS_PER_SECOND,
                short_start ? 9 : 12, short_start ? part / 1000 : part);
    }
    return SWQ_OK;
}

/* The trigger that a flow fires has the flow's own number. */
static void write_connections(FILE *to, uint32_t nodes, const swq_listed_flow *flow, uint64_t flows,
                              const bool *fires)
{
    uint64_t triggers = 0;

    for (uint64_t k = 0; k < flows; k++)
        triggers += fires[k];
    fprintf(to, "Nodes %" PRIu32 "\nConnections %" PRIu64 "\n", nodes, flows);
    if (triggers)
        fprintf(to, "Triggers %" PRIu64 "\n", triggers);
    for (uint64_t k = 0; k < flows; k++) {
        const swq_listed_flow *f = &flow[k];
        fprintf(to, "%" PRIu32 "->%" PRIu32 " id %" PRIu64, f->source, f->destination, k + 1);
        if (f->after)
            fprintf(to, " trigger %" PRIu64, f->after);
        else
            fprintf(to, " start %" PRIu64, f->start);
        fprintf(to, " size %" PRIu64, f->bytes);
        if (fires[k])
            fprintf(to, " recv_done_trigger %" PRIu64, k + 1);
        fputc('\n', to);
    }
    for (uint64_t k = 0; k < flows; k++) {
        if (fires[k])
            fprintf(to, "trigger id %" PRIu64 " oneshot\n", k + 1);
    }
}

static swq_status write_htsim(swq_context *ctx, FILE *to, uint32_t nodes,
                              const swq_listed_flow *flow, uint64_t flows)
{
    for (uint64_t k = 0; k < flows; k++) {
        if (flow[k].bytes > INT32_MAX)
            return refuse(ctx, k + 1, "htsim", "it has more than 2147483647 bytes");
        if (flow[k].traffic_class)
            return refuse(ctx, k + 1, "htsim", "its class is not 0");
        if (flow[k].after && flow[k].start)
            return refuse(ctx, k + 1, "htsim", "it starts some time after another one has ended");
    }
    bool *fires = swq_calloc(ctx, flows + 1, sizeof *fires);
    if (!fires)
        return swq_memory_status(ctx);
    for (uint64_t k = 0; k < flows; k++) {
        if (flow[k].after)
            fires[flow[k].after - 1] = true;
    }
    write_connections(to, nodes, flow, flows, fires);
    swq_free(ctx, fires);
    return SWQ_OK;
}

swq_status swq_flow_list_write(swq_context *ctx, FILE *to, swq_flow_format format, uint32_t nodes,
                               const swq_listed_flow *flow, uint64_t flows)
{
    switch (format) {
    case SWQ_FLOWS_HPCC:
        return write_hpcc(ctx, to, flow, flows);
    case SWQ_FLOWS_HTSIM:
        return write_htsim(ctx, to, nodes, flow, flows);
    case SWQ_FLOWS_RECOGNISED:
    case SWQ_FLOWS_CSV:
        break;
    }
    return write_csv(to, flow, flows);
}
