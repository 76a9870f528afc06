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

typedef struct figure_network {
    const char *buffer;
    int slots; /* those for high priority of a partitioned buffer not included */
    swq_support support;
    int high_slots;
    swq_queues high_queues;
    double high; /* fraction of high priority; a figure over percentages sets it */
    bool once;   /* over percentages: run with none only, to compare with */
} figure_network;

/* What is read off a run. */
typedef enum figure_quantity {
    MEAN_ALL,
    MEAN_NORMAL,
    MEAN_HIGH,
    P99_ALL,
    P99_NORMAL,
    P99_HIGH,
    MAX_ALL,
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
    const double *x; /* throughputs, or percentages */
    int xs;
    void (*claim)(figure_work *f);
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
    figure_cell *cell; /* [networks][xs + FIGURE_BENDS + 1]; full load is the last one */
};

static inline int figure_columns(const swq_figure_plan *plan)
{
    return plan->xs + FIGURE_BENDS + 1;
}

/* ---- reading off (NAN where there was no run) ---- */

swq_estimate figure_at(const figure_work *f, int network, figure_quantity quantity, double x);
swq_estimate figure_at_full_load(const figure_work *f, int network, figure_quantity quantity);
swq_estimate figure_saturation(const figure_work *f, int network); /* throughput at full load */

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

/* State a claim: `format` makes numbers to be shown ("" for none), and where it holds and where not
 * is added. criterion and known are kept, not copied. */
void figure_claim(figure_work *f, const figure_tally *t, const char *text, const char *criterion,
                  const char *known, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* A number of the text: agrees within `relative` of it. */
void figure_claim_number(figure_work *f, const char *text, double quoted, swq_estimate found,
                         double relative, const char *known);

/* What percentiles and means may differ by and still be the same. */
#define SAME_MEAN 0.03, 0.05
#define SAME_P99  0.03, 0.3

extern const char figure_lower[], figure_same_mean[], figure_same_p99[];

/* Judge the printed numbers, and claim that they agree. */
void figure_judge_printed(figure_work *f);

extern const swq_figure_kind swq_figure_4_1, swq_figure_4_2, swq_figure_5_1, swq_figure_5_2,
    swq_figure_5_3, swq_figure_5_4, swq_figure_5_5, swq_figure_5_6, swq_figure_5_7, swq_figure_5_8,
    swq_figure_5_9;

#endif
