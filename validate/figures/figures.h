/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure as data: lines, which are networks, the x values to run them at, curves over them,
 * printed numbers, and claims in the language of judge.h. The program reads all of it from papers/
 * (docs/papers.md); a figure that is no set of runs at x values has a function here that makes it.
 */
#ifndef SWQ_VALIDATE_FIGURES_H
#define SWQ_VALIDATE_FIGURES_H

#include "switchq/benchmark.h"
#include "switchq/figures.h"

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
    TAIL,         /* latency until a packet's last byte has arrived */
    MESSAGE_TAIL, /* ... and a message's */
    RECEIVED,     /* throughput per node that sends */
    HOT_LINK,     /* use of a benchmark's hot link */
    INNOCENT,     /* throughput per node of a benchmark's senders outside of G_NUT */
    PACKETS,      /* in a store, of a figure over time */
    GROUP_THROUGHPUT,
    GROUP_LATENCY = GROUP_THROUGHPUT + 4, /* of the first four groups */
    FIGURE_QUANTITIES = GROUP_LATENCY + 4
} figure_quantity;

/* The name of a quantity in papers/, and what it is called beside a curve. */
typedef struct figure_quantity_row {
    const char *name, *text;
    int of_class; /* packets of which it is measured: 0 normal, 1 high priority, 2 all */
} figure_quantity_row;
extern const figure_quantity_row figure_quantities[FIGURE_QUANTITIES];

/* The quantity of that name, or FIGURE_QUANTITIES. */
figure_quantity figure_quantity_of(const char *name, size_t length);

/* Cycles of a line over time: the end of a run, and when its congestion begins and ends. */
typedef struct figure_times {
    uint64_t end, onset, over;
} figure_times;

/* Stores whose mean is read off over time: the stores at place `step` of the ways of the flows
 * first .. last, which are groups that send to one node. A way leads through an input and an output
 * store of each switch in turn. */
typedef struct figure_store {
    const char *id;
    int step, first, last;
} figure_store;

enum { FIGURE_STORES = 6 /* of a line, at most */ };

typedef struct figure_line {
    const char *id;
    const char *name; /* in text; NULL: the id */
    double slower;    /* runs take that many times the cycles, and latencies are counted in as many
                         cycles */
    int only;         /* the only column that is run: an index of x, or their number for full load;
                         < 0: all are */
    figure_times times; /* of a figure over time */
    figure_store store[FIGURE_STORES];
    int stores; /* 0: throughput is read off */
} figure_line;

typedef struct figure_curve_row {
    const char *name;
    int panel, line;
    figure_quantity quantity;
    int store; /* of PACKETS */
    int colour, mark;
    bool dashed;
} figure_curve_row;

/* What the cells of a table show: a sum in the language of claims, in which $line is a line. */
typedef struct figure_value_row {
    const char *key, *sum; /* key: in JSON and CSV */
    int first, last;       /* the columns that have it, by the number of their x */
    int better;            /* the best is marked: 1 the highest, -1 the lowest, 0: none is */
    const char *title;     /* of a grid of its own in text; NULL: it is what cells show */
} figure_value_row;

/* Of a table, `curve` is the number of a line, and x that of a cell. */
typedef struct figure_printed_row {
    int curve, value;
    double x, y, unit; /* of the last digit printed */
    bool at_full_load;
} figure_printed_row;

/* A sentence of the text. comparison: in the language of judge.h. */
typedef struct figure_claim_row {
    const char *text, *criterion;
    const char *known;    /* or NULL */
    const char *measured; /* a template of the whole, or of ... */
    const char *shown;    /* ... each comparison, or NULL: lists what was read off */
    const char *const *comparison;
    int comparisons;
} figure_claim_row;

/* Lengths of runs; factors are of the options' cycles. */
typedef struct figure_lengths {
    double measured;
    double warmup; /* a factor; 0: as long as a run that is too short to find its own, otherwise
                      `settle` cycles or, if that is 0, found */
    uint64_t settle, most_warmup; /* cycles; most_warmup 0: no limit */
    int replications, at_end;     /* at_end: at full load, or at the last x */
    double search;                /* of the bisection of a line's saturation; 0: there is none */
    uint64_t window;              /* cycles of the windows of a figure over time; 0: it is none */
    bool whole;                   /* these count bytes per cycle of all nodes together */
    uint64_t each;                /* a figure over time has as many runs as the options' cycles have
                                     this many, but at least 2 and at most `most_runs` */
    int most_runs;
    double hold;     /* the throughput at which all points are run; 0: that of the x axis */
    int group;       /* whose packets are all that count; < 0: all groups */
    double complete; /* a throughput below which latencies are endless, as not all packets arrive */
} figure_lengths;

typedef struct figure_work figure_work;
typedef struct figure_series figure_series;

typedef struct swq_figure_plan {
    figure_line *line;
    int lines;
    figure_curve_row *curve;
    int curves;
    figure_printed_row *printed;
    int printeds;
    double *x; /* throughputs, loads, or values of an option */
    int xs;
    const char **cell;       /* [xs] of a table: what is at an x; NULL: it is none */
    figure_value_row *value; /* what its cells show */
    int values;
    const char *says, *heading, *rule; /* of a table: a sentence above it, the heading of its rows,
                                          and how the best is found */
    bool cells_down;                   /* cells are rows, and lines are columns */
    bool full;                         /* lines are also run at full load */
    swq_figure_setting *setting;       /* [lines * (xs + 1)], the last of a line being full load */
    bool *there;                       /* of the same size: is there such a network? */
    figure_claim_row *claim;
    int claims;
    figure_lengths run;
    bool equal;          /* compares switches with equal memory */
    const char *jointly; /* text: the causes that were tried, if the numbers do not agree jointly;
                            or NULL */
    const struct figure_maker *maker; /* makes curves, and notes what claims read; or NULL */
    /* of a figure whose points are answers, with curves of their own names and panels */
    const swq_figure_question *question;
    int questions;
    const char **quantity; /* [curves] */
} swq_figure_plan;

/* Figures that are made by a function. */
typedef struct figure_maker {
    const char *name; /* the figure's */
    swq_status (*make)(figure_work *f);
    bool thresholds; /* the text does not give the threshold of maximum usage, so the options choose
                        it */
} figure_maker;
extern const figure_maker figure_makers[]; /* ended by a row without a name */

/* The results of a run that figures need. */
typedef struct figure_cell {
    bool there;
    double load;
    swq_estimate throughput, value[FIGURE_QUANTITIES]; /* half_width INFINITY: not known */
    double a_node[SWQ_CLASSES + 1];                    /* packets per node: normal, high, all */
    uint64_t cycles;
} figure_cell;

enum {
    FIGURE_BENDS = 2,     /* runs between the last x and full load */
    FIGURE_CLAIMS = 24,   /* the most */
    FIGURE_NOTES = 160,   /* the most */
    FIGURE_NUMBERS = 160, /* the most */
    /* cycles; a shorter run is only a trial, not worth the thousand cycles needed to find its
       warm-up, so it gets its own length as the warm-up */
    FIGURE_LEAST_FOR_AUTO = 1000
};

/* What a figure that is made by a function has found, for its claims: made(NAME). */
typedef struct figure_noted {
    char name[40];
    swq_estimate value;
} figure_noted;

struct figure_work {
    swq_context *ctx;
    const swq_figure_kind *kind;
    const swq_figure_plan *plan;
    swq_figure *out;
    swq_status status;                       /* of the runs of a claim */
    swq_joint_number number[FIGURE_NUMBERS]; /* to be judged together */
    int numbers;
    figure_noted note[FIGURE_NOTES];
    int notes;
    figure_cell *cell;        /* [lines][xs + FIGURE_BENDS + 1]; full load is the last */
    figure_series *series;    /* of a figure over time; or NULL */
    swq_estimate *saturation; /* [lines] bisected; NULL: throughput at full load */
};

static inline int figure_columns(const swq_figure_plan *plan)
{
    return plan->xs + FIGURE_BENDS + 1;
}

/* ---- runs (run.c, points.c) ---- */

/* Runs all lines into the cells. */
swq_status figure_run_lines(figure_work *f);

/* Nodes of a network divided by the nodes that send: a fixed point of a permutation sends nothing.
 */
swq_status figure_nodes_a_sender(swq_context *ctx, const swq_async *network, double *each);

/* Throughput of all groups except G_NUT, per node; of_group: [groups]. */
swq_estimate figure_innocent(const swq_benchmark_groups *groups, const swq_flow_result *of_group);

/* Latency of a packet alone in a line's network, from each node in turn: its mean and, as the
 * half-width, the largest deviation. */
swq_status figure_alone(swq_context *ctx, const swq_figure_setting *setting, swq_estimate *latency);

/* Runs the lines of a figure over time, several times each, and draws its curves. */
swq_status figure_run_series(figure_work *f);

/* A run, and the mean packets of each place in each window: mean[place][window * apart]. */
swq_status figure_run_stores(swq_context *ctx, const swq_async *network,
                             const swq_sim_options *options, uint32_t window, uint32_t windows,
                             const figure_store *place, int places, double *const *mean,
                             size_t apart, swq_async_result *result);

/* Asks the questions of a figure whose points are answers, and draws its curves. */
swq_status figure_run_questions(figure_work *f);

/* Frees what readings of a figure over time need. */
void figure_end_series(figure_work *f);

/* Means of a line `before`, `during` and `after` the congestion, without the first quarter of each
 * time, and at its `end`, the last quarter of the time after it; the `lowest` window and the cycles
 * `below` a level in the congestion; and the most set-aside queues in use at an input, `saqs`, and
 * at an output, `saqs-out`. figure_series_word: is it one of these words? */
bool figure_series_word(const char *word);
swq_estimate figure_read_series(const figure_work *f, const char *word, int line, double level);

/* Readings of stores in a run; run < 0: their mean over all runs. figure_since: the cycle in which
 * a store first holds `packets` packets, or the end. figure_then: the packets in `other` in that
 * window; NAN: there is none. figure_most_packets: the most that it ever holds. figure_root: the
 * number, from 1, of the line's last store that holds at least `packets` just before a cycle; 0:
 * none. figure_runs: the number of runs. */
double figure_since(const figure_work *f, int run, int line, int store, double packets);
double figure_then(const figure_work *f, int run, int line, int store, double packets, int other);
double figure_most_packets(const figure_work *f, int run, int line, int store);
double figure_root(const figure_work *f, int run, int line, double cycle, double packets);
int figure_runs(const figure_work *f);

/* The load that offers a fraction of the bisection of an extent x extent torus, extent odd: packets
 * make extent / 2 hops over four links per node (6.3.2). */
double figure_torus_load(int extent, double fraction);

/* Reads a network from options of `switchq sim`, "--topology torus --dims %dx%d ...", whose groups
 * are those of `setting`. Errors: SWQ_EINVAL naming the option, or if the context has no source
 * (swq_figures_from). */
swq_status figure_network(swq_context *ctx, swq_figure_setting *setting, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Runs the network of these options, at the load that gives `throughput` if it is positive, and
 * reads a quantity of its packets: "throughput", "latency" (also ".normal" and ".high"), "p99" (the
 * mean over nodes of a node's 99th percentile, of networks in stage cycles) or "discards", with the
 * interval of its batches. Errors: those of figure_network and of the run; SWQ_EINVAL for another
 * quantity, and for a throughput that the network does not deliver; SWQ_ECANCELLED. */
swq_status figure_measure(swq_context *ctx, const char *network, double throughput,
                          const swq_sim_options *options, const char *quantity,
                          swq_estimate *value);

/* ---- figures that make their curves themselves ---- */

/* Makes room for `curves` curves and `points` points in all. figure_settings makes room for
 * settings, whose addresses are kept in points. */
swq_status figure_room(figure_work *f, int curves, int points);
swq_status figure_settings(figure_work *f, int settings);

/* Adds a curve without points; adds points to the last curve. */
void figure_add_curve(figure_work *f, const char *name, const char *quantity, int panel, int colour,
                      int mark, bool dashed);
void figure_add_point(figure_work *f, swq_figure_point point);

/* Notes a number for made(NAME) of the figure's claims; NAN: it was not found. The second function
 * notes one without an interval. */
void figure_note(figure_work *f, swq_estimate value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void figure_note_number(figure_work *f, double value, const char *name);

/* ---- reading off (NAN if there was no run) ---- */

swq_estimate figure_at(const figure_work *f, int line, figure_quantity quantity, double x);
swq_estimate figure_at_full_load(const figure_work *f, int line, figure_quantity quantity);
swq_estimate figure_saturation(const figure_work *f, int line);
swq_estimate figure_most(const figure_work *f, int line,
                         figure_quantity quantity); /* the highest mean over all loads */

/* a / b and a - b; half-widths are added, so that intervals are never too narrow. */
swq_estimate figure_ratio(swq_estimate a, swq_estimate b);
swq_estimate figure_difference(swq_estimate a, swq_estimate b);

/* The first x, interpolated linearly between runs, from which the quantity stays above `level`; the
 * half-width is the quantity's divided by the slope. NAN if there is none. */
swq_estimate figure_crossing(const figure_work *f, int line, figure_quantity quantity,
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

swq_claim_verdict figure_verdict(const figure_tally *t);

/* Counts a number of the text among those that are judged together. A quoted fraction has at least
 * two digits. Numbers that the text calls "about" have no last digit, and are not counted. */
void figure_count_quoted(figure_work *f, double quoted, swq_estimate found);

/* States a claim: `format` shows numbers ("" for none; nan as "-"), and where the claim holds and
 * fails is added. criterion and known are kept, not copied. In a figure that was cut short no claim
 * is judged: SWQ_CLAIM_OPEN, "not run". */
void figure_claim(figure_work *f, const figure_tally *t, const char *text, const char *criterion,
                  const char *known, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Judges the counted numbers together, and adds the claim that they agree. */
void figure_judge_printed(figure_work *f);

/* Judges the plan's claims (judge.h). */
void figure_judge_claims(figure_work *f);

#endif
