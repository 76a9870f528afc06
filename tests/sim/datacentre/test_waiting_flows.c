/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flows of a list that wait for others: a ring all-reduce, in which no two flows ever share a link,
 * a chain whose length is known, and delays after another flow.
 */
#include "sim/datacentre/traffic.h"
#include "switchq/datacentre.h"
#include "tests/base/folder.h"
#include "tests/support/support.h"

TestSuite(waiting_flows, .init = folder_make, .fini = folder_remove, .timeout = 120);

#define MS UINT64_C(1000000000) /* ps */

/* One switch of 10 Gbit/s with links of 1 us, and hosts at its ports that send at line rate. */
static swq_dc_result run(int hosts, const char *sender, const swq_listed_flow *flow, uint64_t flows,
                         swq_flow_format format)
{
    swq_context *ctx = swq_context_new();
    swq_dc dc = swq_dc_defaults();
    swq_dc_options o = swq_dc_options_defaults();
    swq_dc_result r = {0};
    const swq_dc_sender *const *row = swq_dc_senders();

    while (strcmp((*row)->name, sender) != 0)
        row++;
    FILE *to = fopen(folder_path("flows"), "w");
    cr_assert_eq(swq_flow_list_write(ctx, to, format, (uint32_t)hosts, flow, flows), SWQ_OK);
    fclose(to);
    dc.ports = hosts;
    dc.network.sending[0].sender = *row;
    dc.flows.list = folder_path("flows");
    o.warmup = 0;
    o.duration = 5 * MS;
    o.replications = 1;
    cr_assert_eq(swq_dc_run(ctx, &dc, &o, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert(r.conserved);
    swq_context_free(ctx);
    return r;
}

static swq_dc_completion all_of(const swq_dc_result *r)
{
    return r->by_size[SWQ_DC_SIZE_CLASSES - 1];
}

/* Each flow takes the time that it takes alone, as the ring's links carry one flow at a time; if
 * all began at once, they would share their senders' links. */
Test(waiting_flows, a_ring_shares_no_link)
{
    enum { NODES = 6, FLOWS = 2 * NODES * (NODES - 1) };
    swq_listed_flow flow[FLOWS];

    cr_assert_eq(swq_ring_flows(NODES), FLOWS);
    for (uint64_t k = 0; k < FLOWS; k++)
        swq_ring_flow(NODES, 60000, k, &flow[k]);
    for (int format = SWQ_FLOWS_CSV; format <= SWQ_FLOWS_HTSIM; format += 2) {
        swq_dc_result r = run(NODES, "open", flow, FLOWS, (swq_flow_format)format);
        cr_assert_eq(all_of(&r).completed, FLOWS);
        cr_assert(fabs(all_of(&r).slowdown.mean - 1) < 1e-9, "%g", all_of(&r).slowdown.mean);
    }
    for (uint64_t k = 0; k < FLOWS; k++)
        flow[k].after = 0;
    swq_dc_result r = run(NODES, "open", flow, FLOWS, SWQ_FLOWS_CSV);
    cr_assert_eq(all_of(&r).completed, FLOWS);
    cr_assert(all_of(&r).slowdown.mean > 2, "%g", all_of(&r).slowdown.mean);
}

/* A flow that waits for a flow which ends too late does not begin within the run; one that waits
 * for a flow that is complete before it is read begins at once. */
Test(waiting_flows, begin_when_the_other_is_complete)
{
    const swq_listed_flow flow[] = {
        {.start = 0, .bytes = 1000, .source = 0, .destination = 1},
        {.start = 2 * MS, .bytes = 1000, .source = 1, .destination = 0},
        {.start = MS, .bytes = 1000, .after = 1, .source = 0, .destination = 1},
        {.start = 2 * MS, .bytes = 1000, .after = 2, .source = 0, .destination = 1},
        {.start = 100 * MS, .bytes = 1000, .after = 2, .source = 0, .destination = 1},
    };
    const swq_dc_result r = run(2, "window", flow, 5, SWQ_FLOWS_CSV);

    cr_assert_eq(all_of(&r).begun, 4);
    cr_assert_eq(all_of(&r).completed, 4);
}
