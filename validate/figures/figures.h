/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a figure, and the functions that check its claims. A figure is a file with one row:
 * networks, the x values to run them at, curves over them, printed numbers and a function that
 * states the claims.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_FIGURES_H
#define SWQ_VALIDATE_FIGURES_H

#include "switchq/figures.h"

/* When the memory of a departing packet is free again: as in the simulator of chapters 6 and 8, or,
 * for comparison, in the cycle after its transmission began, or block by block. */
typedef enum figure_memory {
    FIGURE_MEMORY,
    FIGURE_MEMORY_AT_START,
    FIGURE_MEMORY_BY_BLOCKS
} figure_memory;

/* The parameters of an asynchronous network in place of slots; the others are chapter 6's. */
typedef struct figure_async {
    int stages;    /* an omega with that many stages of 4x4 switches; */
    int extent;    /* or a torus of extent x extent, which is odd */
    int bytes;     /* memory of an input port; figures over bytes set it */
    int partial;   /* over bytes: values that are not divisible by this are left out */
    int threshold; /* of maximum usage; 0: blocking flow control */
    int least;     /* packets of this many to 32 bytes; 0: all of 32 */
    figure_memory memory;
} figure_async;

typedef struct figure_network {
    const char *buffer;
    int slots; /* without the slots for high priority in a partitioned buffer */
    swq_support support;
    int high_slots;
    swq_queues high_queues;
    double high; /* fraction of high priority; figures over percentages set it */
    bool once; /* over percentages: run only with 0, for comparison; asynchronous networks: run only
                  at full load */
    figure_async async; /* if stages or extent is given, the network is asynchronous, and of the
                           above it uses only the buffer's kind and `once` */
} figure_network;

static inline bool figure_is_async(const figure_network *row)
{
    return row->async.stages > 0 || row->async.extent > 0;
}

/* A quantity read off a run. */
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
    const double *x; /* throughputs, percentages, fractions of the bisection or bytes; for
                        asynchronous networks the offered load */
    int xs;
    void (*claim)(figure_work *f);
    int longer; /* asynchronous runs take that many times the cycles of the options, which are meant
                   for stage cycles; 0: 1 */
    int replications; /* of asynchronous runs; 0: 1 */
    bool thresholds; /* the text does not give the threshold of maximum usage, so the options choose
                        it */
    bool equal;      /* switches with equal memory, counted as the options say */
    /* not NULL: makes curves and claims itself, instead of all the above */
    swq_status (*make)(figure_work *f);
    const char *jointly; /* text: the causes that were tried, if the numbers do not agree jointly;
                            or NULL */
} swq_figure_plan;

#define FIGURE_ROWS(array) (array), (int)(sizeof(array) / sizeof *(array))

/* The results of a run that figures need. */
typedef struct figure_cell {
    bool there;
    double load;
    swq_estimate throughput, value[FIGURE_QUANTITIES]; /* half_width INFINITY: not known */
    double a_node[SWQ_CLASSES + 1];                    /* packets per node: normal, high, all */
    uint64_t cycles;
} figure_cell;

enum {
    FIGURE_BENDS = 2,    /* runs between the last x and full load */
    FIGURE_CLAIMS = 24,  /* the most */
    FIGURE_NUMBERS = 160 /* the most */
};

struct figure_work {
    swq_context *ctx;
    const swq_figure_kind *kind;
    const swq_figure_plan *plan;
    swq_figure *out;
    swq_status status;                       /* of the runs of a plan's claim function */
    swq_joint_number number[FIGURE_NUMBERS]; /* to be judged together */
    int numbers;
    figure_cell *cell; /* [networks][xs + FIGURE_BENDS + 1]; full load is the last */
};

static inline int figure_columns(const swq_figure_plan *plan)
{
    return plan->xs + FIGURE_BENDS + 1;
}

/* ---- asynchronous networks ---- */

/* The simulator of chapters 6 and 8: that buffer in an omega network or a torus, blocking flow
 * control. Groups of senders are left to the caller. */
swq_status figure_simulator(swq_context *ctx, const swq_shape *shape, const char *buffer, int bytes,
                            figure_memory memory, swq_async *network);

/* In words. */
#define FIGURE_SIMULATOR "arbiter advancing, memory free when the header is in the next switch"

/* The network of a row; group: [1], the caller's. load: bytes per cycle and node; 1: senders that
 * never pause. */
swq_status figure_make_async(swq_context *ctx, const figure_network *row, double load,
                             swq_sender_group *group, swq_async *network);

/* The load that offers a fraction of the bisection of an extent x extent torus, extent odd: packets
 * make extent / 2 hops over four links per node (6.3.2). */
double figure_torus_load(int extent, double fraction);

/* Latency of a packet alone in the network, from each node in turn: its mean and, as the
 * half-width, the largest deviation. */
swq_status figure_alone(swq_context *ctx, const figure_network *row, swq_estimate *latency);

/* ---- figures that make their curves themselves ---- */

/* Makes room for `curves` curves and `points` points in all. figure_settings makes room for
 * settings, whose addresses are kept in points. */
swq_status figure_room(figure_work *f, int curves, int points);
swq_status figure_settings(figure_work *f, int settings);

/* Records the setting of an asynchronous network; copies its groups. */
void figure_set_async(swq_figure_setting *s, const swq_async *network, const char *buffer,
                      int bytes, double load);

/* Adds a curve without points; adds points to the last curve. */
void figure_add_curve(figure_work *f, const char *name, const char *quantity, int panel, int colour,
                      int mark, bool dashed);
void figure_add_point(figure_work *f, swq_figure_point point);

/* ---- reading off (NAN if there was no run) ---- */

swq_estimate figure_at(const figure_work *f, int network, figure_quantity quantity, double x);
swq_estimate figure_at_full_load(const figure_work *f, int network, figure_quantity quantity);
swq_estimate figure_saturation(const figure_work *f, int network); /* throughput at full load */
swq_estimate figure_most(const figure_work *f, int network,
                         figure_quantity quantity); /* the highest mean over all loads */

/* a / b and a - b; half-widths are added, so that intervals are never too narrow. */
swq_estimate figure_ratio(swq_estimate a, swq_estimate b);
swq_estimate figure_difference(swq_estimate a, swq_estimate b);

/* The first x, interpolated linearly between runs, from which the quantity stays above `level`; the
 * half-width is the quantity's divided by the slope. NAN if there is none. */
swq_estimate figure_crossing(const figure_work *f, int network, figure_quantity quantity,
                             double level);

/* ---- claims ---- */

/* Sums over single comparisons. A comparison with a NAN does not count. */
typedef struct figure_tally {
    int holds, fails, open;
    char where_fails[160], where_open[160];
} figure_tally;

/* The place of a comparison, for the text: "SAMQ at 0.45". */
typedef struct figure_place {
    char text[48];
} figure_place;

figure_place figure_where(const char *label, double x);

/* a < b: holds, or fails, only if the intervals do not overlap. */
void figure_less(figure_tally *t, swq_estimate a, swq_estimate b, figure_place where);

/* |a - b| is at most `relative` of b or `absolute`, whichever is larger. Fails only if it is larger
 * by more than the intervals. */
void figure_same(figure_tally *t, swq_estimate a, swq_estimate b, double relative, double absolute,
                 figure_place where);

/* Claims that `a` agrees with the quoted number: to within `relative` of that number, or half a
 * unit of its last digit. */
void figure_near(figure_tally *t, swq_estimate a, double quoted, double relative,
                 figure_place where);

/* At least, at most: the whole interval is on that side of the bound. */
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

/* Counts a number among those that are judged together. A quoted fraction has at least two digits.
 * Numbers that the text calls "about" have no last digit, and are not counted. */
void figure_count_printed(figure_work *f, const char *part, double printed, double unit,
                          swq_estimate found);
void figure_count_quoted(figure_work *f, double quoted, swq_estimate found);

/* States a claim: `format` shows numbers ("" for none; nan as "-"), and where the claim holds and
 * fails is added. criterion and known are kept, not copied. In a figure that was cut short no claim
 * is judged: SWQ_CLAIM_OPEN, "not run". */
void figure_claim(figure_work *f, const figure_tally *t, const char *text, const char *criterion,
                  const char *known, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Claims that a number of the text agrees with `found`, to within `relative` of the number. */
void figure_claim_number(figure_work *f, const char *text, double quoted, swq_estimate found,
                         double relative, const char *known);

/* A number of chapter 6, which agrees within 3%; results with memory freed at a transmission's
 * start, or block by block, are shown beside it. */
void figure_claim_quoted(figure_work *f, const char *text, double quoted, swq_estimate found,
                         swq_estimate start, swq_estimate blocks);

/* By how much percentiles and means may differ and still count as the same. */
#define SAME_MEAN 0.03, 0.05
#define SAME_P99  0.03, 0.3

extern const char figure_setting_4[]; /* of chapters 4 and 5 */

/* Text: the causes that were tried for the numbers of chapters 6 and 8 together. */
extern const char figure_chapter_6[];

extern const char figure_lower[], figure_same_mean[], figure_same_p99[];

/* Judges the counted numbers together, and adds the claim that they agree. */
void figure_judge_printed(figure_work *f);

extern const swq_figure_kind swq_figure_4_1, swq_figure_4_2, swq_figure_5_1, swq_figure_5_2,
    swq_figure_5_3, swq_figure_5_4, swq_figure_5_5, swq_figure_5_6, swq_figure_5_7, swq_figure_5_8,
    swq_figure_5_9, swq_figure_6_1, swq_figure_6_2, swq_figure_6_3, swq_figure_6_4, swq_figure_6_5,
    swq_figure_6_8, swq_figure_6_9, swq_figure_6_10, swq_figure_6_11, swq_figure_6_12,
    swq_figure_000_1, swq_figure_000_6, swq_figure_000_7, swq_figure_002_2, swq_figure_002_3,
    swq_figure_002_5, swq_figure_002_6, swq_figures_recn[4];

#endif
