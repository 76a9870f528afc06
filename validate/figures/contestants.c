/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The networks that chapter 8 of Frazier (1995) compares.
 * Room: validate. Includes base, sim.
 */
#include "base/context.h"
#include "validate/figures/contest.h"

#include <string.h>

#define BLOCKING(name_, buffer_, bytes_)                                                           \
    {                                                                                              \
        .name = (name_), .of_group = {name_ ", G_NUT", name_ ", G_0"}, .buffer = (buffer_),        \
        .bytes = (bytes_), .flow = "block"                                                         \
    }
#define USAGE(name_, bytes_, threshold_)                                                           \
    {                                                                                              \
        .name = (name_), .buffer = "damq", .bytes = (bytes_), .flow = "maximum-usage",             \
        .threshold = (threshold_)                                                                  \
    }
#define COUNTERS(name_)                                                                            \
    {                                                                                              \
        .name = (name_), .buffer = "damq", .bytes = 128, .flow = "two-counter",                    \
        .counters = (name_)                                                                        \
    }
#define BY_DESTINATION(name_, buffer_, bytes_, ...)                                                \
    {                                                                                              \
        .name = (name_), .buffer = (buffer_), .bytes = (bytes_), .flow = "destination",            \
        __VA_ARGS__                                                                                \
    }

const contestant contestants[CONTESTANTS] = {
    [FIFO_B] = BLOCKING("FIFO", "fifo", 128),
    [DAMQ_B] = BLOCKING("DAMQ", "damq", 128),
    [SAMQ_B] = BLOCKING("SAMQ", "samq", 128),
    [SAFC_B] = BLOCKING("SAFC", "safc", 128),
    [MU_6] = USAGE("MU-6", 128, 6),
    [MU_10] = USAGE("MU-10", 128, 10),
    [TWO_H] = COUNTERS("H"),
    [TWO_T] = COUNTERS("T"),
    [TWO_TH] = COUNTERS("tH"),
    [TWO_A] = COUNTERS("A"),
    [TWO_AH] = COUNTERS("aH"),
    [DST] = BY_DESTINATION("Dst-Based", "damq", 128, .path_hops = 0),
    [PATH] = {.name = "Path-Based", .buffer = "damq", .bytes = 128, .flow = "path", .path_hops = 2},
    [DST_NONE] =
        BY_DESTINATION("no enhancement", "damq", 128, .no_abort = true, .no_restrict = true),
    [DST_ABORT] = BY_DESTINATION("abortive", "damq", 128, .no_restrict = true),
    [DST_RETRY] = BY_DESTINATION("restricted retry", "damq", 128, .no_abort = true),
    [DAMQ_B_256] = BLOCKING("DAMQ, blocking", "damq", 256),
    [SAMQ_B_256] = BLOCKING("SAMQ, blocking", "samq", 256),
    [SAFC_B_256] = BLOCKING("SAFC, blocking", "safc", 256),
    [MU_22_256] = USAGE("MU-22", 256, 22),
    [DST_256] = BY_DESTINATION("Dst-Based", "damq", 256, .path_hops = 0),
    [DST_MU_22] = {.name = "Dst-Based, MU-22",
                   .buffer = "damq",
                   .bytes = 256,
                   .flow = "destination+maximum-usage",
                   .threshold = 22},
    [DST_SAFC] = BY_DESTINATION("Dst-Based, SAFC (static)", "safc", 256, .path_hops = 0),
    [DST_DAFC] = BY_DESTINATION("Dst-Based, SAFC (pool: dafc)", "dafc", 256, .path_hops = 0),
    [DST_SAMQ] = BY_DESTINATION("Dst-Based, SAMQ", "samq", 256, .path_hops = 0),
    [NACK_MU_22] = {.name = "Dst-Based, MU-22, NACK",
                    .buffer = "damq",
                    .bytes = 256,
                    .flow = "destination+maximum-usage",
                    .threshold = 22,
                    .no_preroute = true},
    [NACK_SAFC] =
        BY_DESTINATION("Dst-Based, SAFC (static), NACK", "safc", 256, .no_preroute = true),
    [NACK_DAFC] =
        BY_DESTINATION("Dst-Based, SAFC (pool: dafc), NACK", "dafc", 256, .no_preroute = true),
    [DST_X] = BY_DESTINATION("Dst-Based-X", "damq", 256, .answer_stages = 3),
    [DST_X_SAFC] = BY_DESTINATION("Dst-Based-X, SAFC (static)", "safc", 256, .answer_stages = 3),
    [DST_X_DAFC] =
        BY_DESTINATION("Dst-Based-X, SAFC (pool: dafc)", "dafc", 256, .answer_stages = 3),
};

static const swq_hop_flow *flow_of(const contestant *row)
{
    int k = 0;

    while (swq_hop_flows[k] && strcmp(swq_hop_flows[k]->name, row->flow) != 0)
        k++;
    return swq_hop_flows[k];
}

bool contestant_there(const contestant *row)
{
    return flow_of(row) != NULL;
}

swq_status contestant_make(swq_context *ctx, const contestant *row, swq_async *network)
{
    const swq_shape shape = {.kind = &swq_fabric_multistage, .ports = 4, .stages = 4};
    swq_async n;
    swq_status status = figure_simulator(ctx, &shape, row->buffer, row->bytes, FIGURE_MEMORY, &n);

    if (status)
        return status;
    n.flow = flow_of(row);
    if (!n.flow)
        return swq_fail(ctx, SWQ_EINVAL, "flow '%s' is unknown", row->flow);
    if (row->counters)
        status = swq_two_counter_find(ctx, row->counters, &n.counters);
    n.threshold = row->threshold;
    n.path_hops = row->path_hops;
    n.answer_stages = row->answer_stages;
    n.no_abort = row->no_abort;
    n.no_restrict = row->no_restrict;
    n.no_preroute = row->no_preroute;
    if (n.flow->stop_go) {
        n.stop = swq_async_highest_stop(&n);
        n.go = n.stop - 1;
    }
    if (!status)
        *network = n;
    return status;
}
