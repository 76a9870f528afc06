/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of G. L. Frazier's dissertation (UCLA, 1995) that show simulations of whole networks:
 * the curves simulated again, the published numbers beside them, and the claims of the text with
 * verdicts.
 *
 * Chapters 4 and 5: 64-node omegas of 4x4 blocking switches, credit next, sources that hold one
 * packet, arbiter rotating, uniform traffic; a pool has rule OLDEST. A 99th percentile or a maximum
 * is the mean over the nodes of each node's own, as in Table 5.1. Chapter 6: asynchronous networks
 * (switchq/async.h) with that chapter's settings, uniform traffic, sources that hold one message,
 * and, as in chapter 8, memory that is free when the header is in the next switch, and the arbiter
 * advancing. The text does not state these two choices, but they give its numbers. Numbers that are
 * quoted are also computed with memory that is free at the start or block by block, and shown
 * beside them.
 */
#ifndef SWITCHQ_FIGURES_H
#define SWITCHQ_FIGURES_H

#include "switchq/async.h"
#include "switchq/joint.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_FIGURE_PANELS = 12,
    SWQ_FIGURE_LEAST_FOR_P99 = 100 /* packets of a node; the 99th percentile of fewer is their
                                      maximum, which is too low */
};

/* What the x axis is. */
typedef enum swq_figure_axis {
    SWQ_OVER_THROUGHPUT, /* throughput of the network, as a fraction of what its links carry */
    SWQ_OVER_PERCENT,    /* percentage of packets of high priority */
    SWQ_OVER_BISECTION,  /* fraction of the bisection's bandwidth that is used (6.3.2) */
    SWQ_OVER_BYTES,      /* memory of an input port; y is the throughput at full load */
    SWQ_OVER_CYCLES,     /* time */
    SWQ_OVER_LOAD,       /* offered load, as a fraction of what the links carry */
    SWQ_OVER_CELLS,      /* buffer of an incoming link; y is the throughput at full load */
    SWQ_OVER_LANES,      /* number of lanes of a link */
    SWQ_OVER_PORTS,      /* ports of a switch; y is at full load */
    SWQ_OVER_SLOTS,      /* slots of a memory that all queues of a switch share */
    SWQ_OVER_BURST,      /* mean packets of a burst */
    SWQ_OVER_MEMORY      /* of a switch of a data centre: KB for each port and Gb/s */
} swq_figure_axis;

/* One figure: how it is drawn, and, in its plan, what is run and claimed. */
typedef struct swq_figure_kind {
    const char *name; /* "5.3" */
    const char *title;
    const char *source;       /* the paper, as in JSON */
    const char *short_source; /* ... and in text: "Frazier 1995" */
    const char *section;
    const char *setting; /* what all of its networks have in common, in one line */
    swq_figure_axis over;
    int panels;
    struct {
        const char *letter, *title, *y_label;
        double y_most;        /* of the axis; 0: the plot chooses it */
        swq_figure_axis over; /* of this panel: that of the figure, but where panels differ */
        double x_most;
        bool log_y;
    } panel[SWQ_FIGURE_PANELS];
    double x_most;
    const struct swq_figure_plan *plan;
} swq_figure_kind;

/* A question to the program, of a figure whose points are answers: a command line, and where in the
 * answer's JSON the number and its proven bounds are, or NULL. */
typedef struct swq_figure_question {
    const char *words;
    const char *value, *lower, *upper;
    const char *exactly; /* the number as a fraction */
    const char *width;   /* of a measurement: half the width of its interval, for the bounds */
    int curve;
    double x;
    bool slow; /* left out of a first look */
} swq_figure_question;

typedef struct swq_figure_answer {
    double value, lower, upper; /* NAN: not there */
    char exactly[24];           /* "": there is none */
    char why[200];              /* why there is no answer; "": there is one, or it was not asked */
    bool limited;               /* memory was not enough */
} swq_figure_answer;

/* Where figures come from. The program `switchq` reads them from papers/, with the options of its
 * own command line, which the library does not have. */
struct swq_figure_setting;
typedef struct swq_figure_source {
    /* Opens a figure by its name. equal_all: as in the options below. */
    swq_status (*open)(swq_context *ctx, const char *name, bool equal_all, swq_figure_kind **kind);
    void (*close)(swq_context *ctx, swq_figure_kind *kind);
    /* Answers questions on some threads; a question that is refused has no value, and says why.
     * SWQ_ECANCELLED leaves the answers that are finished. NULL: the source answers none. */
    swq_status (*answer)(swq_context *ctx, const swq_figure_question *question, int count,
                         int threads, swq_figure_answer *answer);
    /* Reads the network that options of `switchq sim` describe, "--topology torus --dims 4x4 ...".
     * Errors: SWQ_EINVAL naming the option. NULL: the source reads none. */
    swq_status (*network)(swq_context *ctx, const char *words, struct swq_figure_setting *setting);
} swq_figure_source;

/* From now on the context, and those of threads that work for it, have the figures of `source`. */
void swq_figures_from(swq_context *ctx, const swq_figure_source *source);

/* Opens a figure, which must be closed again, after all that was made with it. Errors: SWQ_EINVAL
 * for an unknown name or NULL, listing all names, and if the context has no source. */
swq_status swq_figure_open(swq_context *ctx, const char *name, bool equal_all,
                           swq_figure_kind **kind);
void swq_figure_close(swq_context *ctx, swq_figure_kind *kind);

typedef struct swq_figure_options {
    uint64_t cycles; /* measured cycles of each run; below 1000 the warm-up is as long, otherwise
                        its length is found. Asynchronous networks run for a figure's own multiple
                        of this, and are replicated if the figure says so */
    uint64_t least_a_node; /* runs are extended, up to ten times as long, until each node gets this
                              number of packets of each class; with fewer than 100, a node's 99th
                              percentile is its maximum */
    uint64_t seed;
    int threads;   /* runs at a time, 1 .. SWQ_MAX_THREADS; the numbers do not depend on it */
    int threshold; /* of maximum usage, in blocks, for the figures whose text does not give it (6.10
                      to 6.12): 26 (0 means the same) or 10 */
    bool
        equal_all; /* in the figures that compare switches of equal memory (003.7 to 003.12): also
                      count FIFOs at crosspoints and registers, which the document does not count */
    bool quick;    /* a figure of answers leaves out slow questions */
} swq_figure_options;

/* 20,000 cycles, at least 200 packets per node, seed 1, 1 thread; quick: 3,000 cycles and no least
 * number of packets, for a first look within seconds (the largest: half a minute). */
swq_figure_options swq_figure_defaults(bool quick);

enum { SWQ_FIGURE_GROUPS = 8 };

/* The settings of a point, with which it can be run again. */
typedef struct swq_figure_setting {
    const char *buffer; /* a row of swq_buffer_kinds */
    int memory;         /* memory of an input port: slots, or bytes in an asynchronous network */
    bool asynchronous;
    swq_network network; /* synchronous */
    swq_async async;
    swq_sender_group group[SWQ_FIGURE_GROUPS]; /* those of `async` */
    double load;           /* load of all groups of senders except the group G_NUT of a benchmark */
    const char *benchmark; /* a row of swq_benchmarks; NULL: none */
    uint32_t hot_link;     /* of the benchmark, as in swq_detail; SWQ_NO_WHERE: none */
    uint64_t warmup;       /* cycles before those that were measured */
    int replications;
} swq_figure_setting;

/* The load at which a point was measured. */
typedef enum swq_figure_origin {
    SWQ_AT_THROUGHPUT, /* at the load that was found to give this throughput */
    SWQ_AT_LOAD, /* at a given load: in asynchronous networks, or to show the bend before the end */
    SWQ_AT_FULL_LOAD, /* at saturation: the curve's end, or every point of a curve over bytes */
    SWQ_AT_TIME       /* over time, of one run or many */
} swq_figure_origin;

typedef struct swq_figure_point {
    swq_figure_origin origin;
    double x;     /* as the axis says; throughput and bisection as measured */
    double asked; /* the throughput, the percentage, the load in units of x, or the bytes that the
                     point was run for; NAN for other points */
    double y, half_width;
    double load;
    swq_estimate throughput;
    double a_node; /* packets that y was measured from, per node */
    uint64_t cycles;
    const swq_figure_setting *setting;
    /* of a figure of answers: the question, and y's proven bounds and fraction; else NULL */
    const swq_figure_question *question;
    const swq_figure_answer *answer;
} swq_figure_point;

/* A point that is missing, as its question was refused or failed. */
typedef struct swq_figure_gap {
    int curve;
    double x;
    const char *why;
} swq_figure_gap;

typedef struct swq_figure_curve {
    const char *name, *quantity; /* "99th percentile, high priority" */
    int panel;
    int colour, mark; /* as in plots */
    bool dashed;
    const swq_figure_point *point; /* [points], in order of load or of percentage */
    int points;
} swq_figure_curve;

/* A printed number, shown as a mark beside its curve. */
typedef enum swq_printed_verdict {
    SWQ_PRINTED_AGREES,
    SWQ_PRINTED_DIFFERS,
    SWQ_PRINTED_NOT_JUDGED, /* a maximum, which grows with the length of a run, or a 99th percentile
                               of fewer packets than SWQ_FIGURE_LEAST_FOR_P99 */
    SWQ_PRINTED_NOT_RUN     /* the throughput was not reached, or the runs were cut short */
} swq_printed_verdict;

typedef struct swq_printed_point {
    int curve;
    bool at_full_load;
    double x, y;
    swq_estimate found; /* the curve at the same throughput, or at full load */
    swq_printed_verdict verdict;
    /* the settings of the run that gave `found`; NULL: nothing was run there */
    const swq_figure_setting *setting;
} swq_printed_point;

typedef enum swq_claim_verdict {
    SWQ_CLAIM_HOLDS,   /* the claim holds at all points, by more than the intervals */
    SWQ_CLAIM_IN_PART, /* the claim holds at some points, and at others fails or cannot be judged */
    SWQ_CLAIM_FAILS,   /* the claim holds nowhere, and at some point the opposite holds by more than
                          the intervals */
    SWQ_CLAIM_OPEN     /* cannot be judged */
} swq_claim_verdict;

/* A sentence of the text, checked. */
typedef struct swq_claim {
    char text[240];
    const char *criterion; /* settled before anything was run */
    char measured[480];
    swq_claim_verdict verdict;
    int holds, fails, open; /* numbers of the single comparisons behind the verdict */
    /* why the claim does not hold at all points, if the reason is known; or NULL */
    const char *known;
} swq_claim;

/* Queues of a torus's host input ports, as a map (Figs. 6.10 to 6.12). Rows are the rings of the
 * dimension that is traversed first, columns the positions in them. */
typedef struct swq_figure_map {
    int rows, columns; /* 0: there is no map */
    int frames;        /* of frame_cycles each, from the beginning of the run */
    uint32_t frame_cycles;
    double load;   /* bytes per cycle and node */
    int threshold; /* of maximum usage, blocks */
    const double
        *difference; /* [(frames + 1) * rows * columns] mean blocks of queue Q1+ (packets that go up
                        in that dimension) minus those of Q1-; the last frame is the whole run */
    const swq_figure_setting *setting;
} swq_figure_map;

typedef struct swq_figure {
    const swq_figure_kind *kind;
    swq_figure_options options;
    swq_figure_curve *curve;
    int curves;
    swq_printed_point *printed;
    int printeds;
    swq_claim *claim;
    int claims;
    swq_joint joint;          /* printed points, and numbers of the text, together */
    swq_figure_point *points; /* of all curves */
    swq_figure_setting *setting;
    swq_figure_map map;
    double *blocks;                /* data of the map; owned */
    swq_figure_question *question; /* of a figure of answers, those that were asked; or NULL */
    swq_figure_answer *answer;
    swq_figure_gap *gap;
    int gaps;
    int runs;
    double cpu_seconds;
    bool cut_short; /* by a cancelled context: the points that are there are right, but points are
                       missing */
} swq_figure;

/* Run a figure's simulations. Errors: SWQ_ECANCELLED if no run was finished (6.2, and 6.10 to 6.12:
 * if not all were); SWQ_EINVAL for options out of range; those of swq_sim_points and
 * swq_async_points. Half a minute to some minutes of CPU time; about 10 MB. */
swq_status swq_figure_run(swq_context *ctx, const swq_figure_kind *kind,
                          const swq_figure_options *options, swq_figure *figure);

/* Safe on a zeroed struct. */
void swq_figure_clear(swq_context *ctx, swq_figure *figure);

/* "holds", "holds in part", "does not hold", "cannot be told"; "agrees", "differs", "not judged",
 * "not run". */
const char *swq_claim_verdict_text(swq_claim_verdict verdict);
const char *swq_printed_verdict_text(swq_printed_verdict verdict);

/* The rule by which a published number is compared with a measured one. */
extern const char swq_figure_printed_rule[];

/* The joint verdict of numbers and claims. The verdict is "differs" if the numbers differ jointly,
 * or a claim has a comparison that fails; it is "known" if the listed causes explain all of these
 * differences. */
swq_joint_verdict swq_figure_verdict(const swq_figure *figure);

/* The letter by which the dissertation's maps show a switch: P for a difference of eight blocks or
 * more, p for one or more, N and n for the same in the other direction, = for less than one. */
char swq_figure_map_letter(double difference);

/* Does the claim not hold, for no known reason? */
static inline bool swq_claim_surprises(const swq_claim *claim)
{
    return claim->verdict == SWQ_CLAIM_FAILS && !claim->known;
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
