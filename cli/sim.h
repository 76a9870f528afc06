/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim: what its two engines share. How long to run and what to print are read in
 * cli/sim_run.c; cli/sim_show.c prints what both measure.
 * Room: cli.
 */
#ifndef SWQ_CLI_SIM_H
#define SWQ_CLI_SIM_H

#include "cli/cli.h"

/* ---- how long to run, and what to print ---- */

extern struct poptOption cli_run_options[], cli_sim_output_options[];

typedef struct cli_run {
    swq_sim_options options;
    bool json, csv, find_saturation;
    double resolution; /* of the load of saturation */
} cli_run;

/* Which run it is for: how many nodes, is it a trace, and how many cycles are usual. */
typedef struct cli_run_of {
    uint32_t nodes;
    bool trace;
    uint64_t cycles; /* by default, for up to 1024 nodes */
} cli_run_of;

/* The number of --engine in the list of its words, 0 without one. Errors: SWQ_EINVAL. */
enum { CLI_ENGINE_SYNC, CLI_ENGINE_PLAIN, CLI_ENGINE_ASYNC };
swq_status cli_engine(swq_context *ctx, int *engine);

/* Everything but --groups, and the memory limit. */
swq_status cli_run_read(swq_context *ctx, const cli_run_of *what, cli_run *run);

/* ---- printing ---- */

cJSON *cli_json_estimate(cJSON *to, const char *key, swq_estimate e);
void cli_json_flow(cJSON *to, const swq_flow_result *flow, bool discards);

/* "run" and "invariants". */
void cli_json_run(cJSON *tree, const swq_sim_result *result, const swq_sim_options *options);

/* The columns of a stream of packets, without the line's end. */
extern const char cli_csv_columns[];
void cli_csv_flow(const char *what, const swq_flow_result *flow);

/* Without an interval if the half-width is NAN: nothing was drawn, or nothing is to be told. */
void cli_print_estimate(const char *name, swq_estimate e, const char *unit);

/* unit: of the throughput. */
void cli_print_flow(const swq_flow_result *flow, const char *unit, bool discards);

/* Cycles, speed, intervals, invariants. */
void cli_print_run(const swq_sim_result *result, const swq_sim_options *options);

/* What CSV has no room for, if there is anything: a line each on stderr. */
void cli_warn_run(const swq_sim_result *result);

/* The exit status that a run's result deserves. */
int cli_sim_status(const swq_sim_result *result);

/* ---- the engines ---- */

/* switchq sim, its options having been read; returns the exit status. */
int cli_sim_sync(swq_context *ctx);
int cli_sim_async(swq_context *ctx);

/* ---- rare discards ---- */

/* --rare, and what goes with it alone. */
extern struct poptOption cli_rare_options[];

/* switchq sim --rare, likewise. */
int cli_sim_rare(swq_context *ctx);

#endif
