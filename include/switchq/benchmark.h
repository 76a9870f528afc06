/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frazier's congestion benchmarks (1995, 8.5): some senders, G_NUT, overload a link of a multistage
 * network by sending at full rate. All others send messages of 32 bytes uniformly, at one load, and
 * are measured in groups, by the distance from the senders at which their paths meet the paths of
 * G_NUT.
 */
#ifndef SWITCHQ_BENCHMARK_H
#define SWITCHQ_BENCHMARK_H

#include "switchq/async.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Which senders are G_NUT, and how the others are grouped. */
typedef enum swq_benchmark_senders {
    SWQ_BENCHMARK_SPOT,   /* Table 8.4: N senders whose paths meet at the last link; all others are
                             grouped by the stage of the first switch that they can share with these N
                           */
    SWQ_BENCHMARK_HALF,   /* the lower half; the upper half is G_0 */
    SWQ_BENCHMARK_INSIDE, /* N senders whose paths meet in a switch of the second stage; G_0 are all
                             others that can reach the link behind it, G_1 the rest */
    SWQ_BENCHMARK_ALL     /* all nodes send alike; there is no G_NUT */
} swq_benchmark_senders;

/* One row of the table of benchmarks. */
typedef struct swq_benchmark {
    const char *name; /* "I" */
    const char *summary;
    const char *source;
    swq_benchmark_senders senders;
    /* the messages of G_NUT: */
    double to_hot; /* fraction of its messages to node 0; the others are uniform */
    bool to_few;   /* all of its messages go to the nodes behind the congested link, uniformly */
    int length;    /* bytes of a message */
} swq_benchmark;

/* All benchmarks, ended by NULL: I to VI. */
extern const swq_benchmark *const swq_benchmarks[];
swq_status swq_benchmark_find(swq_context *ctx, const char *name, const swq_benchmark **row);

/* The senders of a benchmark in one network. */
typedef struct swq_benchmark_groups {
    swq_sender_group group[SWQ_MAX_SENDER_GROUPS]; /* G_NUT first, if there is one */
    char name[SWQ_MAX_SENDER_GROUPS][8];           /* "G_NUT", "G_0"; "all" */
    uint32_t members[SWQ_MAX_SENDER_GROUPS];       /* number of nodes in each group */
    int groups;
    bool nut;          /* group 0 is G_NUT, whose load is 1 */
    uint32_t hot_link; /* number of the congested link, as in swq_detail; SWQ_NO_WHERE: there is no
                          such link, or it changes */
} swq_benchmark_groups;

/* Make the groups. network: its shape, max_packet and link_rest are set; load: bytes per cycle and
 * node of all senders but G_NUT. For 256 nodes, addresses are those of the dissertation; for other
 * networks of S >= 3 stages of N x N switches, N a power of two, they keep the digits at their
 * ends, and the digits in between are repeated or left out. The groups are then checked against the
 * paths that packets can take. Errors: SWQ_EINVAL for another shape, or for a wiring with which the
 * groups do not have the paths that the benchmark requires, saying where; SWQ_ENOMEM. Cost: stages
 * x nodes x groups.
 */
swq_status swq_benchmark_make(swq_context *ctx, const swq_benchmark *row, const swq_async *network,
                              double load, swq_benchmark_groups *groups);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
