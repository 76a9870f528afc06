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

/* A buffer and a flow control. */
typedef struct contestant {
    const char *name;        /* in the legend */
    const char *of_group[2]; /* "FIFO, G_NUT", "FIFO, G_0": where a figure has several of both */
    const char *buffer;      /* of swq_buffer_kinds */
    int bytes;               /* of an input port */
    const char *flow;        /* of swq_hop_flows */
    int threshold;           /* of maximum usage, blocks */
    const char *counters;    /* a row of Table 8.2 */
    int path_hops, answer_stages;
    bool no_abort, no_restrict;
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
    DST_X,
    DST_X_SAFC,
    DST_X_DAFC,
    CONTESTANTS
} contestant_id;

extern const contestant contestants[CONTESTANTS];

/* The 256-node omega of 4 x 4 switches with that buffer and flow control, as chapter 8's numbers
 * need it: memory free from a transmission's start, and an arbiter whose pointer moves on after
 * every round in which something was sent. Groups and load are left to be set. Errors: SWQ_EINVAL
 * if there is no such flow control. */
swq_status contestant_make(swq_context *ctx, const contestant *row, swq_async *network);

/* Is there that flow control? */
bool contestant_there(const contestant *row);

enum {
    CONTEST_GROUPS = 4,
    CONTEST_LINES = 10,
    CONTEST_LOADS = 15,
    CONTEST_WARMUP = 20000 /* cycles: a tree of full buffers takes so long to grow, and what leaves
                              in the meantime hides it from a warm-up that is looked for */
};

extern const double contest_loads[CONTEST_LOADS]; /* of all but G_NUT: 0 first, 1 last */

/* One run. */
typedef struct contest_cell {
    bool there;
    swq_estimate throughput[CONTEST_GROUPS], latency[CONTEST_GROUPS]; /* of G_NUT, G_0, G_1, G_2 */
    swq_estimate total, total_latency, hot; /* hot: use of the hot link; NAN: there is none */
    uint64_t cycles;
    double a_node; /* packets per node */
} contest_cell;

/* A figure as a row: lines that are drawn, and those that are only compared with. */
typedef struct contest_row {
    const char *figure, *benchmark;
    unsigned groups; /* that are drawn, as bits; of one benchmark, VI, there is one, `all` */
    int lines, more;
    contestant_id line[CONTEST_LINES]; /* [lines + more] */
} contest_row;

typedef struct contest {
    figure_work *f;
    const contest_row *row;
    contest_cell *cell; /* [lines + more][CONTEST_LOADS] */
} contest;

/* The row of a figure; NULL: it is of another chapter. */
const contest_row *contest_row_of(const char *figure);

/* State the figure's claims. Returns how many comparisons they come from. */
int contest_claim(const contest *c);

/* Which lines there are no flow controls for yet, for the text; "": none are missing. */
void contest_missing(const contest_row *row, char *text, size_t size);

/* Run one point's network and read it off. */
typedef struct contest_point {
    swq_benchmark_groups groups;
    swq_detail detail;
    swq_async_point run;
} contest_point;

swq_status contest_point_make(swq_context *ctx, const contestant *row, const char *benchmark,
                              double load, const swq_sim_options *options, contest_point *p);
/* Run all, `threads` at a time; each has its own status. Errors: those of swq_async_points but
 * SWQ_ECANCELLED. */
swq_status contest_points_run(swq_context *ctx, contest_point *point, int points, int threads);
void contest_point_read(const contest_point *p, contest_cell *cell);

/* What a point that has been run was run with. */
void contest_setting(const contest_point *p, const contestant *row, const char *benchmark,
                     double load, swq_figure_setting *setting);

enum { CONTEST_FIGURES = 34 };
extern const swq_figure_kind swq_figures_8[CONTEST_FIGURES];

#endif
