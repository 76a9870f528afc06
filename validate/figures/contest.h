/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chapter 8 of Frazier (1995): flow controls on the congestion benchmarks, for the table of all of
 * them and for checks. Its figures are in papers/frazier1995.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_FIGURES_CONTEST_H
#define SWQ_VALIDATE_FIGURES_CONTEST_H

#include "switchq/benchmark.h"
#include "switchq/detail.h"
#include "validate/figures/figures.h"

/* A buffer with a flow control. */
typedef struct contestant {
    const char *name;        /* in the legend */
    const char *of_group[2]; /* "FIFO, G_NUT", "FIFO, G_0": for figures that have several of both */
    const char *buffer;      /* a row of swq_buffer_kinds */
    int bytes;               /* of an input port */
    const char *flow;        /* a row of swq_hop_flows */
    int threshold;           /* of maximum usage, blocks */
    const char *counters;    /* a row of Table 8.2 */
    int path_hops, answer_stages;
    bool no_abort, no_restrict, no_preroute;
} contestant;

/* Indices of contestants[]. B: blocking, M: maximum usage, D: destination-based; 256: bytes. */
typedef enum contestant_id {
    FIFO_B,
    DAMQ_B,
    SAMQ_B,
    SAFC_B,
    MU_6,
    MU_10,
    TWO_H,
    TWO_T,
    TWO_TH,
    TWO_A,
    TWO_AH,
    DST,
    PATH,
    DST_NONE,
    DST_ABORT,
    DST_RETRY,
    DAMQ_B_256,
    SAMQ_B_256,
    SAFC_B_256,
    MU_22_256,
    DST_256,
    DST_MU_22,
    DST_SAFC,
    DST_DAFC,
    DST_SAMQ,
    NACK_MU_22,
    NACK_SAFC,
    NACK_DAFC,
    DST_X,
    DST_X_SAFC,
    DST_X_DAFC,
    CONTESTANTS
} contestant_id;

extern const contestant contestants[CONTESTANTS];

/* The 256-node omega of 4 x 4 switches with that buffer and flow control (figure_simulator). Groups
 * and load are left to the caller. Errors: SWQ_EINVAL if there is no such flow control. */
swq_status contestant_make(swq_context *ctx, const contestant *row, swq_async *network);

/* Does that flow control exist? */
bool contestant_there(const contestant *row);

enum {
    CONTEST_GROUPS = 4,
    CONTEST_WARMUP = 20000 /* cycles: a tree of full buffers takes that long to grow, and packets
                              leaving in the meantime would hide it from an automatic warm-up */
};

/* The results of one run. */
typedef struct contest_cell {
    bool there;
    swq_estimate throughput[CONTEST_GROUPS], latency[CONTEST_GROUPS]; /* of G_NUT, G_0, G_1, G_2 */
    swq_estimate total, total_latency, hot; /* hot: use of the hot link; NAN: there is none */
    uint64_t cycles;
    double a_node; /* packets per node */
} contest_cell;

/* Runs the network of one point and reads off its results. */
typedef struct contest_point {
    swq_benchmark_groups groups;
    swq_detail detail;
    swq_async_point run;
} contest_point;

swq_status contest_point_make(swq_context *ctx, const contestant *row, const char *benchmark,
                              double load, const swq_sim_options *options, contest_point *p);
/* Runs all points, `threads` at a time; each has its own status. Errors: those of swq_async_points
 * except SWQ_ECANCELLED. */
swq_status contest_points_run(swq_context *ctx, contest_point *point, int points, int threads);
void contest_point_read(const contest_point *p, contest_cell *cell);

#endif
