/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Published tables as data, and their computation anew.
 */
#ifndef SWITCHQ_PAPERS_H
#define SWITCHQ_PAPERS_H

#include "switchq/approx.h"
#include "switchq/exact.h"
#include "switchq/joint.h"
#include "switchq/sim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_TABLE_4_1_ROWS = 22,
    SWQ_TABLE_4_1_LOADS = 8,
    SWQ_TABLE_4_1_CELLS = SWQ_TABLE_4_1_ROWS * SWQ_TABLE_4_1_LOADS
};

/* How a printed percentage of one decimal relates to the exact value. */
typedef enum swq_agreement {
    SWQ_DIFFERS,
    SWQ_TRUNCATED,           /* equal to the exact value truncated */
    SWQ_ROUNDED,             /* equal to the exact value rounded */
    SWQ_TRUNCATED_OR_ROUNDED /* both give this number */
} swq_agreement;

/* One cell of Table 4.1: packets discarded by a 2x2 switch. */
typedef struct swq_table_4_1_cell {
    const char *buffer; /* name of a preset */
    int slots;          /* packets per input port */
    double load;
    const char *printed; /* percent, as printed: "8.7", or "0+" for above zero and below 0.1 */
    swq_mean computed;   /* fraction of the packets, with its proven bounds */
    swq_agreement agreement;
} swq_table_4_1_cell;

/* The rules that may be varied, to show their effect on the table. */
typedef struct swq_table_4_1_options {
    const swq_arbiter *arbiter;
    const swq_pool_rule *pool_rule;
    swq_exact_options exact;
} swq_table_4_1_options;

/* The rules that reproduce the published table: random arbiter, inputs first; pool rule PORTS. */
swq_table_4_1_options swq_table_4_1_defaults(void);

/* Compute Table 4.1 of G. L. Frazier's dissertation (UCLA, 1995), row by row as printed. cell:
 * [SWQ_TABLE_4_1_CELLS]; *agree receives the number of cells that agree: a printed percentage must
 * equal the exact one truncated or rounded to one decimal, and "0+" means above zero and below 0.1
 * percent. Errors: those of swq_exact_solve. About 0.1 s. */
swq_status swq_table_4_1(swq_context *ctx, const swq_table_4_1_options *options,
                         swq_table_4_1_cell *cell, int *agree);

/* The rule of agreement: compares `printed` with the exact fraction. */
swq_agreement swq_printed_percent_agrees(const char *printed, double fraction);

/* A short word for it: "differs", "truncated", "rounded", "both". */
const char *swq_agreement_text(swq_agreement agreement);

/* ---- Table 4.1 for larger switches than the printed ones ---- */

enum {
    SWQ_PORTS_LOADS = 8,    /* at most */
    SWQ_PORTS_SEEDS = 1000, /* seeds per table: more than it has cells */
};

/* The result of comparing the exact value with the simulated one. */
typedef enum swq_ports_verdict {
    SWQ_PORTS_AGREES,
    SWQ_PORTS_OUTSIDE,    /* the exact value is outside the 99.9% interval */
    SWQ_PORTS_RARE,       /* too few losses for the simulator to see */
    SWQ_PORTS_NOT_JUDGED, /* no interval, or bounds too wide */
    SWQ_PORTS_TOO_LARGE,  /* the chain is too large: there is no exact value */
    SWQ_PORTS_NOT_RUN     /* interrupted */
} swq_ports_verdict;
enum { SWQ_PORTS_VERDICTS = SWQ_PORTS_NOT_RUN + 1 };

/* A short word for it: "agrees", "outside", "too rare", "not judged", "does not fit", "not run". */
const char *swq_ports_verdict_text(swq_ports_verdict verdict);

/* One cell: packets discarded by one switch, as fractions of those created. */
typedef struct swq_ports_cell {
    const char *buffer; /* name of a preset */
    int slots;          /* packets per input port */
    double load;
    double foreseen; /* upper bound of the number of states */
    bool too_large;
    int64_t states;         /* of the chain; 0: not solved */
    swq_mean exact;         /* with its proven bounds; NAN: not solved */
    uint64_t seed;          /* of its simulation */
    swq_estimate simulated; /* with its 95% interval; NAN: not simulated */
    uint64_t offered, lost; /* packets within the simulation's measured cycles */
    size_t batches;
    bool correlated;
    /* the comparison: */
    double expected_lost; /* packets that the exact value predicts to be lost; NAN: not compared */
    double off; /* simulated minus exact, in standard errors; 0 within the proven bounds of the
                   exact value; NAN: the difference is not compared */
    swq_ports_verdict verdict;
    /* the simulated value is so far outside the interval that the table fails */
    bool beyond_chance;
    const char *reason; /* for every verdict except `agrees` and `outside`; else NULL */
} swq_ports_cell;

typedef struct swq_ports_options {
    int ports; /* 2 .. SWQ_CHAIN_PORTS */
    const swq_arbiter *arbiter;
    const swq_pool_rule *pool_rule; /* must be one that chains have */
    swq_exact_options exact;
    double load[SWQ_PORTS_LOADS]; /* above 0, at most 1 */
    int loads;                    /* 1 .. SWQ_PORTS_LOADS */
    int most_slots;               /* per input port, of any row, 1 .. SWQ_MAX_SLOTS */
    double most_states;           /* chains foreseen to be larger are not tried */
    uint64_t cycles; /* measured cycles of each simulation, after a warm-up of a tenth as many, but
                        at least a thousand and at most a million */
    uint64_t seed;   /* cell c is simulated with SWQ_PORTS_SEEDS * seed + c */
    int threads;     /* simulations at a time */
} swq_ports_options;

/* The loads and rules of the published table, at most 2 * ports slots and 100,000 states, a million
 * cycles, seed 1, 1 thread. */
swq_ports_options swq_ports_defaults(int ports);

/* Number of the table's cells, below SWQ_PORTS_SEEDS: rows of FIFO, SAMQ, SAFC, DAMQ and CBDA with
 * 1 .. 6, 8, 12, 16, 24, ... slots (SAMQ and SAFC: times the ports; DAMQ and CBDA: from 2 on), each
 * over all loads. Cell c is in row c / loads and column c % loads. */
int swq_ports_cells(const swq_ports_options *options);

/* Fill in the parts of cells that are known before any chain is solved: rows, loads, seeds, numbers
 * of states foreseen, and which rows are too large. cell: [swq_ports_cells]. Errors: SWQ_EINVAL
 * naming the option; those of swq_chain_foresee. */
swq_status swq_ports_plan(swq_context *ctx, const swq_ports_options *options, swq_ports_cell *cell);

/* The results of all cells. */
typedef struct swq_ports_summary {
    int count[SWQ_PORTS_VERDICTS];
    int compared;            /* cells that agree, are outside, or are too rare */
    double expected_outside; /* upper bound of the number expected by chance */
    int allowed_outside;     /* by chance, at most one table in a thousand has more */
    int beyond_chance;       /* cells */
    int furthest;            /* index of the cell with the largest |off|; -1: none */
    bool agrees;             /* no cell is beyond chance, and no more are outside than allowed */
} swq_ports_summary;

/* Solve and simulate all cells, which swq_ports_plan has filled in, row by row, and compare the two
 * results by swq_ports_rule. A row that reaches the memory limit becomes too large. If the context
 * is cancelled, the result is SWQ_ECANCELLED, and the finished cells are still filled in and
 * judged. Progress is reported under the name swq_ports_stage, between the reports of solver and
 * simulator. Errors: those of swq_exact_solve except SWQ_ELIMIT, and of swq_sim_points. Cost: a
 * solution and a simulation for each cell. */
swq_status swq_ports_run(swq_context *ctx, const swq_ports_options *options, swq_ports_cell *cell,
                         swq_ports_summary *summary);
extern const char swq_ports_stage[];

/* The rule of agreement, in words: it is fixed before the comparison, not by its outcome. */
extern const char swq_ports_rule[];

/* Apply the rule: fill in the comparison from the solved and simulated values. */
void swq_ports_judge(swq_ports_cell *cell, int cells, swq_ports_summary *summary);

/* ---- tables that were simulated ---- */

enum {
    SWQ_PAPER_COLUMNS = 9, /* at most */
    SWQ_PAPER_CELLS = 180  /* of a table, at most */
};

typedef enum swq_quantity {
    SWQ_QUANTITY_NONE,       /* a column's: the row's quantity */
    SWQ_QUANTITY_DISCARDED,  /* fraction of the packets offered; printed in percent */
    SWQ_QUANTITY_THROUGHPUT, /* packets per node and cycle */
    SWQ_QUANTITY_LATENCY,    /* mean, in cycles */
    SWQ_QUANTITY_P99,        /* mean over the nodes of each node's 99th percentile, in cycles */
    SWQ_QUANTITY_MAXIMUM     /* mean over the nodes of each node's maximum */
} swq_quantity;

/* The quantity that is held constant while a cell is measured. */
typedef enum swq_held { SWQ_HELD_LOAD, SWQ_HELD_THROUGHPUT, SWQ_HELD_FULL_LOAD } swq_held;

typedef struct swq_paper_column {
    const char *heading;
    swq_held held;
    double at; /* the load or throughput; 1 for full load */
    swq_quantity quantity;
} swq_paper_column;

typedef struct swq_paper_row {
    const char *buffer; /* name of a preset */
    int slots;          /* packets per input port */
    swq_quantity quantity;
    double saturation; /* printed saturation (maximum) throughput, from which the position of the
                          knee follows */
    const char *printed[SWQ_PAPER_COLUMNS]; /* "3.14"; "0+": above zero and below 0.1; "Sat.": the
                                               throughput is more than the network can carry */
} swq_paper_row;

/* The result of comparing one cell. */
typedef enum swq_verdict {
    SWQ_VERDICT_AGREES,
    SWQ_VERDICT_DIFFERS,
    SWQ_VERDICT_KNOWN,          /* differs, and is listed with the cause as far as it is known */
    SWQ_VERDICT_MISPRINT,       /* differs, and the published value cannot be right */
    SWQ_VERDICT_NOT_COMPARABLE, /* the publication lacks what a comparison needs */
    SWQ_VERDICT_NOT_RUN         /* interrupted, or too short for an interval or a percentile */
} swq_verdict;
enum { SWQ_VERDICTS = SWQ_VERDICT_NOT_RUN + 1 };

/* A short word for it: "agrees", "differs", "known", "misprint", "not comparable", "not run". */
const char *swq_verdict_text(swq_verdict verdict);

/* Cells that are known to differ: one row, columns first .. last. */
typedef struct swq_paper_exception {
    const char *buffer;
    int slots;
    swq_quantity quantity;
    const char *first, *last; /* headings */
    swq_verdict verdict;      /* SWQ_VERDICT_KNOWN or SWQ_VERDICT_MISPRINT */
    const char *reason;
} swq_paper_exception;

/* A published table of simulations of an omega network of 64 nodes, three stages of 4 x 4 switches,
 * and how they are repeated. */
typedef struct swq_paper_table {
    const char *name, *title;
    const char *model; /* the rules of the repetition, in words */
    swq_flow flow;
    swq_credit credit;
    double hot_fraction; /* fraction of all packets that go to node 0 on top of its even share */
    bool resent;   /* also simulated with discarded packets sent again: shown, but not judged */
    bool per_node; /* the table has percentiles, by node */
    const swq_paper_column *column;
    int columns;
    const swq_paper_row *row;
    int rows;
    const swq_paper_exception *exception; /* ended by one without a buffer */
    const char *jointly; /* what was tried, if the numbers do not agree jointly; or NULL */
} swq_paper_table;

/* All such tables, ended by NULL: 4.2, 4.3, 4.4 and 5.1 of Frazier's dissertation (UCLA, 1995). */
extern const swq_paper_table *const swq_paper_tables[];

/* The table of that name, or NULL. */
const swq_paper_table *swq_paper_table_find(const char *name);

/* Number of the table's printed cells; cell c is in row c / columns and column c % columns. */
static inline int swq_paper_cells(const swq_paper_table *table)
{
    return table->rows * table->columns;
}

/* One simulated cell. */
typedef struct swq_paper_cell {
    const swq_paper_row *row;
    const swq_paper_column *column;
    const char *printed;
    swq_quantity quantity;
    swq_estimate computed; /* NAN: nothing was measured */
    swq_estimate resent; /* the value if discarded packets are sent again; NAN if the table does not
                            ask for it */
    double load;         /* load of new packets at the sources; NAN: not run */
    bool saturated;      /* not even full load delivers column->at; computed is at full load */
    bool correlated;     /* too few cycles for independent batches: the interval is too narrow */
    bool knee;           /* judged by the wider tolerance */
    double allowed;      /* largest difference that agrees; NAN: not judged by a difference */
    swq_verdict verdict;
    const char *reason; /* for every verdict except `agrees` and `differs`; else NULL */
} swq_paper_cell;

/* How the simulations are run. */
typedef struct swq_paper_options {
    uint64_t seed;   /* of every simulation */
    uint64_t cycles; /* measured cycles of every simulation, after an automatic warm-up */
    int threads;
    int stale; /* stale count, as in swq_network, for rows where swq_stale_objection has none */
    const swq_arbiter *arbiter; /* not used by a pool */
    const swq_pool_rule *pool_rule;
} swq_paper_options;

/* Seed 1, 20,000 cycles, 1 thread, and the rules that the text describes: rotating arbiter, no
 * stale count, and a pool that serves the oldest packet first. */
swq_paper_options swq_paper_defaults(void);

/* Are the rules in the options those for which the table's verdicts hold? */
bool swq_paper_as_printed(const swq_paper_options *options);

/* Errors: SWQ_EINVAL for a stale count that changes no row of the table. */
swq_status swq_paper_check(swq_context *ctx, const swq_paper_table *table,
                           const swq_paper_options *options);

/* Repeat the table's simulations and compare every cell with the published one. cell:
 * [swq_paper_cells]; count receives the number of cells by verdict. Needs about 10 KB for each of
 * the table's simulations, at most 324. If the context is cancelled, the result is SWQ_ECANCELLED;
 * all cells are still filled in, and those without a finished simulation are SWQ_VERDICT_NOT_RUN.
 * Errors: those of swq_paper_check and swq_sim_points. */
swq_status swq_paper_run(swq_context *ctx, const swq_paper_table *table,
                         const swq_paper_options *options, swq_paper_cell *cell,
                         int count[SWQ_VERDICTS]);

/* Judge the cells of a table together, by swq_joint_rule: each quantity, at given loads or
 * throughputs and at full load, is a part. The print is taken for runs of 20,000 cycles.
 * Misprints, maxima, and cells that were measured at another throughput than the column's are not
 * counted. */
swq_joint swq_paper_joint(const swq_paper_table *table, const swq_paper_options *options,
                          const swq_paper_cell *cell);

/* The rule of agreement, in words: it is fixed before the comparison, not by its outcome. */
extern const char swq_paper_rule[];

/* Apply the rule. In `cell`, printed, quantity, column, computed, saturated and knee must be set;
 * `full` is the throughput that the row reaches at full load (used if the network does not deliver
 * the column's throughput, or the published table says that it does not). *allowed receives the
 * largest difference that agrees, or NAN. */
bool swq_paper_cell_agrees(const swq_paper_cell *cell, swq_estimate full, double *allowed);

/* ---- the tables of simulations, approximated ---- */

/* One approximated cell, compared with the simulated one. */
typedef struct swq_paper_approximation {
    double value;   /* of the cell's quantity; NAN: there is none (saturated, or not converged) */
    double load;    /* of new packets */
    bool saturated; /* by the approximation, not even full load delivers the column's throughput */
    double off; /* error relative to the simulated value; for discards, the relative error of the
                   throughput; NAN: nothing to compare */
    bool judged, within; /* judged by the rule, and within its limits */
    double cpu_seconds;
} swq_paper_approximation;

/* The rule, in words, fixed before anything is compared. */
extern const char swq_paper_approximation_rule[];

/* Approximate all cells of a table that swq_paper_run has filled in, by `method` (NULL: the best
 * one for the table), and compare each with the simulated one. cell, approximation:
 * [swq_paper_cells]; *judged and *within receive numbers of cells. Errors: SWQ_EINVAL for a table
 * of percentiles, or if the method takes none of the cells; those of swq_approx_run, except that a
 * cell that does not converge, or that the method does not take, is left NAN. */
swq_status swq_paper_approximate(swq_context *ctx, const swq_paper_table *table,
                                 const swq_paper_options *options, const swq_approx_method *method,
                                 const swq_paper_cell *cell, swq_paper_approximation *approximation,
                                 int *judged, int *within);

/* 1 / (1 + fraction (nodes - 1)), the most that a network with a hot spot can deliver, per node and
 * cycle: the line to the hot node is then always busy (Pfister and Norton, 1985). */
double swq_hot_spot_bound(double fraction, uint32_t nodes);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
