/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of flows: what is read obeys the rules of a list, and reads back from what is written. The
 * first byte says which format the list is read in.
 */
#include "base/context.h"
#include "sim/datacentre/flow_list.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <string.h>

static void check(const swq_listed_flow *flow, uint64_t flows)
{
    uint64_t start = 0;

    for (uint64_t k = 0; k < flows; k++) {
        assert(flow[k].source < 16 && flow[k].destination < 16 && flow[k].traffic_class < 4);
        assert(flow[k].source != flow[k].destination && flow[k].bytes >= 1);
        assert(flow[k].after <= k && (flow[k].after || flow[k].start >= start));
        start = flow[k].after ? start : flow[k].start;
    }
}

static void write_and_read(swq_context *ctx, swq_flow_format format, const swq_listed_flow *flow,
                           uint64_t flows)
{
    swq_listed_flow *again;
    uint64_t count;
    FILE *to = fopen("written.txt", "w");

    assert(to);
    const swq_status status = swq_flow_list_write(ctx, to, format, 16, flow, flows);
    fclose(to);
    if (status != SWQ_OK)
        return;
    assert(swq_flow_list_load(ctx, "written.txt", SWQ_FLOWS_RECOGNISED, 16, 4, &again, &count) ==
           SWQ_OK);
    assert(count == flows);
    check(again, count);
    for (uint64_t k = 0; k < flows && format != SWQ_FLOWS_HTSIM; k++)
        assert(again[k].start == flow[k].start && again[k].bytes == flow[k].bytes &&
               again[k].after == flow[k].after);
    swq_free(ctx, again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    swq_context *ctx = swq_context_new();
    swq_listed_flow *flow = NULL;
    uint64_t flows;

    assert(ctx);
    if (size > 0) {
        fuzz_file("flows.txt", data + 1, size - 1);
        if (swq_flow_list_load(ctx, "flows.txt", (swq_flow_format)(data[0] % 4), 16, 4, &flow,
                               &flows) == SWQ_OK) {
            check(flow, flows);
            for (int format = SWQ_FLOWS_CSV; format <= SWQ_FLOWS_HTSIM; format++)
                write_and_read(ctx, (swq_flow_format)format, flow, flows);
        }
    }
    swq_free(ctx, flow);
    swq_context_free(ctx);
    return 0;
}
