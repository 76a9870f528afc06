/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chapter 8 of Frazier (1995): flow controls on the congestion benchmarks. Its figures are rows of
 * one table (contest.c), their claims rows of another (contest_claims.c), over networks that are
 * rows of a third (contestants.c).
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
    CONTEST_LINES = 10,
    CONTEST_LOADS = 15,
    CONTEST_WARMUP = 20000 /* cycles: a tree of full buffers takes that long to grow, and packets
                              leaving in the meantime would hide it from an automatic warm-up */
};

extern const double contest_loads[CONTEST_LOADS]; /* of all nodes except G_NUT: 0 first, 1 last */

/* The results of one run. */
typedef struct contest_cell {
    bool there;
    swq_estimate throughput[CONTEST_GROUPS], latency[CONTEST_GROUPS]; /* of G_NUT, G_0, G_1, G_2 */
    swq_estimate total, total_latency, hot; /* hot: use of the hot link; NAN: there is none */
    uint64_t cycles;
    double a_node; /* packets per node */
} contest_cell;

/* A figure as a row: lines that are drawn, and lines that are only for comparison. */
typedef struct contest_row {
    const char *figure, *benchmark;
    unsigned groups; /* the groups drawn, as bits; benchmark VI has only one group, `all` */
    int lines, more;
    contestant_id line[CONTEST_LINES]; /* [lines + more] */
} contest_row;

typedef struct contest {
    figure_work *f;
    const contest_row *row;
    contest_cell *cell; /* [lines + more][CONTEST_LOADS] */
} contest;

/* The row of a figure; NULL: the figure is from another chapter. */
const contest_row *contest_row_of(const char *figure);

/* States the figure's claims. Returns the number of comparisons behind them. */
int contest_claim(const contest *c);

/* The lines whose flow controls do not exist yet, as text; "": none. */
void contest_missing(const contest_row *row, char *text, size_t size);

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

/* The setting with which a point was run. */
void contest_setting(const contest_point *p, const contestant *row, const char *benchmark,
                     double load, swq_figure_setting *setting);

enum { CONTEST_FIGURES = 34 };
extern const swq_figure_kind swq_figures_8[CONTEST_FIGURES];

#endif
