/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a figure consists of, and what its claims are checked with. A figure is a file with one row:
 * networks, the x values to run them at, curves over them, printed numbers and a function that
 * states the claims.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_FIGURES_H
#define SWQ_VALIDATE_FIGURES_H

#include "switchq/figures.h"

/* What an asynchronous network has in place of slots; the rest is chapter 6's. */
typedef struct figure_async {
    int stages;          /* an omega of 4x4 switches, of so many; */
    int extent;          /* or a torus of extent x extent, which is odd */
    int bytes;           /* memory of an input port; a figure over bytes sets it */
    int partial;         /* over bytes: what does not divide by these is left out */
    int threshold;       /* of maximum usage; 0: blocking flow control */
    int least;           /* packets of so many to 32 bytes; 0: all of 32 */
    swq_release release; /* SWQ_RELEASE_START but for those to compare with */
} figure_async;

typedef struct figure_network {
    const char *buffer;
    int slots; /* those for high priority of a partitioned buffer not included */
    swq_support support;
    int high_slots;
    swq_queues high_queues;
    double high; /* fraction of high priority; a figure over percentages sets it */
    bool once;   /* over percentages: run with none only, to compare with; of asynchronous networks:
                    run at full load only */
    figure_async async; /* stages or extent given: asynchronous, and nothing of the above but the
                           buffer's kind and `once` */
} figure_network;

static inline bool figure_is_async(const figure_network *row)
{
    return row->async.stages > 0 || row->async.extent > 0;
}

/* What is read off a run. */
typedef enum figure_quantity {
    MEAN_ALL,
    MEAN_NORMAL,
    MEAN_HIGH,
    P99_ALL,
    P99_NORMAL,
    P99_HIGH,
    MAX_ALL,
    THROUGHPUT,
    BISECTION,
    FIGURE_QUANTITIES
} figure_quantity;

typedef struct figure_curve_row {
    const char *name;
    int panel, network;
    figure_quantity quantity;
    int colour, mark;
    bool dashed;
} figure_curve_row;

typedef struct figure_printed_row {
    int curve;
    double x, y;
    bool at_full_load;
} figure_printed_row;

typedef struct figure_work figure_work;

typedef struct swq_figure_plan {
    const figure_network *network;
    int networks;
    const figure_curve_row *curve;
    int curves;
    const figure_printed_row *printed;
    int printeds;
    const double *x; /* throughputs, percentages, fractions of the bisection or bytes; asynchronous
                        networks: what is offered */
    int xs;
    void (*claim)(figure_work *f);
    int longer;       /* asynchronous runs take so many times the cycles of the options, which are
                         meant for stage cycles; 0: 1 */
    int replications; /* of asynchronous runs; 0: 1 */
    bool thresholds;  /* the text does not say the threshold of maximum usage: the options choose */
    bool equal;       /* switches of equal memory, which the options say how to count */
    swq_status (*make)(figure_work *f); /* not NULL: makes curves and claims itself, in place of all
                                           of the above */
} swq_figure_plan;

#define FIGURE_ROWS(array) (array), (int)(sizeof(array) / sizeof *(array))

/* One run, as far as it is needed. */
typedef struct figure_cell {
    bool there;
    double load;
    swq_estimate throughput, value[FIGURE_QUANTITIES];
    double a_node[SWQ_CLASSES + 1]; /* packets per node: normal, high, all */
    uint64_t cycles;
} figure_cell;

enum {
    FIGURE_BENDS = 2,  /* runs between the last x and full load */
    FIGURE_CLAIMS = 24 /* at most */
};

struct figure_work {
    swq_context *ctx;
    const swq_figure_kind *kind;
    const swq_figure_plan *plan;
    swq_figure *out;
    swq_status status; /* of what a plan's claim function runs */
    figure_cell *cell; /* [networks][xs + FIGURE_BENDS + 1]; full load is the last one */
};

static inline int figure_columns(const swq_figure_plan *plan)
{
    return plan->xs + FIGURE_BENDS + 1;
}

/* ---- asynchronous networks ---- */

/* The network of a row; groups are the caller's, group: [1]. load: bytes per cycle and node; 1:
 * senders that never pause. */
swq_status figure_make_async(swq_context *ctx, const figure_network *row, double load,
                             swq_sender_group *group, swq_async *network);

/* The load that offers a fraction of the bisection of a torus extent x extent, extent odd: packets
 * take extent / 2 hops over four links a node (6.3.2). */
double figure_torus_load(int extent, double fraction);

/* Latency of one packet alone in the network, from node to node in turn: its mean and, as half
 * width, how far any is off it. */
swq_status figure_alone(swq_context *ctx, const figure_network *row, swq_estimate *latency);

/* ---- figures that make their curves themselves ---- */

/* Room for so many curves and points in all; for so many settings, which points have addresses of.
 */
swq_status figure_room(figure_work *f, int curves, int points);
swq_status figure_settings(figure_work *f, int settings);

/* What an asynchronous network was run with; its groups are copied. */
void figure_set_async(swq_figure_setting *s, const swq_async *network, const char *buffer,
                      int bytes, double load);

/* Add a curve without points, then points to the last curve. */
void figure_add_curve(figure_work *f, const char *name, const char *quantity, int panel, int colour,
                      int mark, bool dashed);
void figure_add_point(figure_work *f, swq_figure_point point);

/* ---- reading off (NAN where there was no run) ---- */

swq_estimate figure_at(const figure_work *f, int network, figure_quantity quantity, double x);
swq_estimate figure_at_full_load(const figure_work *f, int network, figure_quantity quantity);
swq_estimate figure_saturation(const figure_work *f, int network); /* throughput at full load */
swq_estimate figure_most(const figure_work *f, int network,
                         figure_quantity quantity); /* the highest mean over all loads */

/* a / b and a - b; half-widths add up, so that intervals never come out too narrow. */
swq_estimate figure_ratio(swq_estimate a, swq_estimate b);
swq_estimate figure_difference(swq_estimate a, swq_estimate b);

/* The first x, by straight lines between the runs, at which the quantity comes to lie above `level`
 * and stays there; the half-width is the quantity's over the line's slope. NAN if it never does. */
swq_estimate figure_crossing(const figure_work *f, int network, figure_quantity quantity,
                             double level);

/* ---- claims ---- */

/* Single comparisons added up. A NAN on either side counts as nothing. */
typedef struct figure_tally {
    int holds, fails, open;
    char where_fails[160], where_open[160];
} figure_tally;

/* Where a comparison was made, for the text: "SAMQ at 0.45". */
typedef struct figure_place {
    char text[48];
} figure_place;

figure_place figure_where(const char *label, double x);

/* a < b: holds or fails when the intervals do not overlap. */
void figure_less(figure_tally *t, swq_estimate a, swq_estimate b, figure_place where);

/* |a - b| is at most `relative` of b or `absolute`, whichever is more. Fails when it is more by
 * more than the intervals. */
void figure_same(figure_tally *t, swq_estimate a, swq_estimate b, double relative, double absolute,
                 figure_place where);

/* At least, at most: the whole interval lies on that side of the bound. */
void figure_at_least(figure_tally *t, swq_estimate a, double bound, figure_place where);
void figure_at_most(figure_tally *t, swq_estimate a, double bound, figure_place where);

/* figure_less and figure_same at every x of the figure from .. to. */
typedef struct figure_series {
    int network;
    figure_quantity quantity;
} figure_series;

void figure_each_less(const figure_work *f, figure_tally *t, figure_series a, figure_series b,
                      double from, double to, const char *label);
void figure_each_same(const figure_work *f, figure_tally *t, figure_series a, figure_series b,
                      double relative, double absolute, double from, double to, const char *label);

swq_claim_verdict figure_verdict(const figure_tally *t);

/* State a claim: `format` makes numbers to be shown ("" for none; nan as "-"), and where it holds
 * and where not is added. criterion and known are kept, not copied. Of a figure that was cut short
 * none is judged: SWQ_CLAIM_OPEN, "not run". */
void figure_claim(figure_work *f, const figure_tally *t, const char *text, const char *criterion,
                  const char *known, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* A number of the text: agrees within `relative` of it. */
void figure_claim_number(figure_work *f, const char *text, double quoted, swq_estimate found,
                         double relative, const char *known);

/* A number of chapter 6: agrees within 3% with memory that is free from a transmission's start;
 * what is found where it is freed a hop later, or block by block, is shown beside it. */
void figure_claim_quoted(figure_work *f, const char *text, double quoted, swq_estimate found,
                         swq_estimate hop, swq_estimate blocks, const char *known);

/* What percentiles and means may differ by and still be the same. */
#define SAME_MEAN 0.03, 0.05
#define SAME_P99  0.03, 0.3

extern const char figure_setting_4[]; /* of chapters 4 and 5 */

extern const char figure_lower[], figure_same_mean[], figure_same_p99[];

/* Judge the printed numbers, and claim that they agree. */
void figure_judge_printed(figure_work *f);

extern const swq_figure_kind swq_figure_4_1, swq_figure_4_2, swq_figure_5_1, swq_figure_5_2,
    swq_figure_5_3, swq_figure_5_4, swq_figure_5_5, swq_figure_5_6, swq_figure_5_7, swq_figure_5_8,
    swq_figure_5_9, swq_figure_6_1, swq_figure_6_2, swq_figure_6_3, swq_figure_6_4, swq_figure_6_5,
    swq_figure_6_8, swq_figure_6_9, swq_figure_6_10, swq_figure_6_11, swq_figure_6_12,
    swq_figure_000_1, swq_figure_000_6, swq_figure_000_7, swq_figure_002_2, swq_figure_002_3,
    swq_figure_002_5, swq_figure_002_6, swq_figures_recn[4];

#endif
