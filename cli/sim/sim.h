/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim: what its two engines share. cli/sim/run.c reads how long to run and what to print;
 * cli/sim/record.c has the results of both.
 * Room: cli.
 */
#ifndef SWQ_CLI_SIM_H
#define SWQ_CLI_SIM_H

#include "cli/points/points.h"

/* ---- how long to run, and what to print ---- */

extern struct poptOption cli_run_options[], cli_sim_output_options[];
extern struct poptOption cli_engine_options[]; /* --engine alone; part of cli_run_options */

typedef struct cli_run {
    swq_sim_options options;
    cli_format format;
    bool find_saturation;
    double resolution; /* of the load of saturation */
    uint64_t judged;   /* cycles of a run of the search for it */
    uint64_t onset;    /* of what throughput is to recover from, or CLI_NO_ONSET */
} cli_run;
#define CLI_NO_ONSET UINT64_MAX

/* Which run it is for: how many nodes, is it a trace, and how many cycles are usual. */
typedef struct cli_run_of {
    uint32_t nodes;
    bool trace, timed; /* timed: senders whose groups begin and end */
    bool links;        /* the answer needs the links, whether they are asked for or not */
    uint64_t cycles;   /* by default, for up to 1024 nodes */
} cli_run_of;

/* Everything but --groups, and the memory limit. */
swq_status cli_run_read(swq_context *ctx, const cli_run_of *what, cli_run *run);

/* ---- the answer ---- */

/* What was measured of a stream of packets. unit: of the throughput; discards: can any be lost? */
void cli_put_flow(cli_record *to, const swq_flow_result *flow, const char *unit, bool discards);

/* What became of its packets; offered: NULL, or those of which none was seen to be lost. */
void cli_put_losses(cli_record *to, const swq_flow_result *flow, bool discards,
                    const cli_trials *offered);

/* Of the classes of priority. */

/* The group `run`, the group `invariants` (which an engine may add to), and both in sentences. */
void cli_put_run(cli_record *root, const swq_sim_result *result, const swq_sim_options *options);
cli_record *cli_put_invariants(cli_record *root, const swq_sim_result *result);
void cli_say_run(cli_record *to, const swq_sim_result *result, const swq_sim_options *options);

/* The windows of a run with --series, if it has any, as the list `series` of its result. */
typedef struct cli_series_as {
    const char *unit;               /* of the throughput */
    bool discards, classes, groups; /* which the result has */
    uint64_t onset;                 /* to tell the recovery from; CLI_NO_ONSET: none was given */
    /* Put the stages' list into a window. */
    void (*stages)(cli_record *window, const swq_stage_result *stage, const void *arg);
    const void *arg;
} cli_series_as;
void cli_put_series(cli_record *result, const swq_sim_result *r, const cli_series_as *as);

/* The search for the load up to which open sources are served in full: its options; what there is
 * when it was not begun; and what it found, put into the group `saturation`, and said in `say`
 * unless that is NULL. */
swq_sim_options cli_bracket_options(const cli_run *run);
swq_bracket cli_no_bracket(void);
void cli_put_bracket(cli_record *saturation, const swq_bracket *bracket, cli_record *say);

/* What CSV has no room for, if there is anything: a line each on stderr. */
void cli_warn_run(const swq_sim_result *result);

/* Whatever is printed: a line each on stderr if a precision was missed, and if the network is past
 * saturation, unless that is what was `sought`. */
void cli_note_run(const swq_sim_result *result, const swq_sim_options *options, bool sought);

/* The exit status that a run's result deserves. */
int cli_sim_status(const swq_sim_result *result);

/* ---- looking on ---- */

/* A file of all starts of transmissions, under way: --starts. */
typedef struct cli_starts cli_starts;

/* Open the file, if --starts asks for one, to be written by *started, which takes *starts; else
 * both are NULL. last: of an asynchronous network, whose packets have lengths, "bytes"; else
 * "priority". */
swq_status cli_starts_open(swq_context *ctx, const char *last, swq_started_fn **started,
                           cli_starts **starts);
/* Finish it, or with `keep` false give it up. Safe on NULL. */
swq_status cli_starts_close(swq_context *ctx, cli_starts *starts, bool keep);

/* ---- the engines ---- */

/* What an engine does with a point; options have been read. */
extern const cli_points_kind cli_sim_sync, cli_sim_async;

/* What is drawn of ranges, by either engine. */
extern const struct cli_points_panel cli_sim_panels[];

/* ---- rare discards ---- */

/* --rare, and what goes with it alone. */
extern struct poptOption cli_rare_options[];

/* switchq sim --rare, likewise. */
int cli_sim_rare(swq_context *ctx);

#endif
