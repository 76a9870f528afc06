/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim: the types and functions that its two engines share. cli/sim/run.c reads how long to
 * run and what to print; cli/sim/record.c has the results of both.
 */
#ifndef SWQ_CLI_SIM_H
#define SWQ_CLI_SIM_H

#include "cli/points/points.h"
#include "switchq/ceiling.h"

/* ---- how long to run, and what to print ---- */

extern struct poptOption cli_run_options[], cli_sim_output_options[];
extern struct poptOption cli_run_parameters[]; /* those of cli_run_options that are parameters */
extern struct poptOption cli_engine_options[]; /* only --engine; part of cli_run_options */

typedef struct cli_run {
    swq_sim_options options;
    cli_format format;
    bool find_saturation;
    swq_search search; /* for it */
    int rest_group;    /* of the nodes that --node-groups does not name; -1: there is none */
    uint64_t onset;    /* onset of the disturbance that throughput recovers from, or CLI_NO_ONSET */
} cli_run;
#define CLI_NO_ONSET UINT64_MAX

/* The kind of run: its nodes, whether it is a trace, and the usual number of cycles. */
typedef struct cli_run_of {
    uint32_t nodes;
    bool trace, timed; /* timed: groups of senders begin or end during the run */
    bool links;        /* the answer needs details of links, whether or not they are asked for */
    uint64_t cycles;   /* the default, for up to 1024 nodes */
} cli_run_of;

/* Reads the rows of cli_run_parameters into a run that has their defaults; limits the time, if that
 * is asked for; and reads the format. Errors: SWQ_EINVAL. */
swq_status cli_run_numbers(swq_context *ctx, cli_run *run);
swq_status cli_sim_format(swq_context *ctx, cli_format *format);

/* Reads everything except --node-groups, and the memory limit. */
swq_status cli_run_read(swq_context *ctx, const cli_run_of *what, cli_run *run);

/* ---- the answer ---- */

/* The results of a stream of packets. unit: of throughput; discards: can packets be lost? worms:
 * the latency of the tail comes first, as is usual for wormhole networks. */
void cli_put_flow(cli_record *to, const swq_flow_result *flow, const char *unit, bool discards,
                  bool worms);

/* Fractions of its packets; offered: NULL, or the packets none of which was seen to be lost. */
void cli_put_losses(cli_record *to, const swq_flow_result *flow, bool discards,
                    const cli_trials *offered);

/* Of the classes of priority. */

/* The group `run`, the group `invariants` (to which an engine may add), and both in sentences. */
void cli_put_run(cli_record *root, const swq_sim_result *result, const swq_sim_options *options);
/* Puts the fairness among senders that send alike. arbiter: the arbiter that matches inputs with
 * outputs; NULL: there is none. */
void cli_put_fairness(cli_record *result, const swq_fairness *fairness, const char *unit,
                      const swq_arbiter *arbiter);

/* Messages (or packets: `what`) of a trace that the run was too short to create. */
void cli_put_trace_left(cli_record *root, uint64_t left, const char *what);
cli_record *cli_put_invariants(cli_record *root, const swq_sim_result *result);
void cli_say_run(cli_record *to, const swq_sim_result *result, const swq_sim_options *options);

/* The windows of a run with --series, if it has any, as the list `series` of its result. */
typedef struct cli_series_as {
    const char *unit;               /* of throughput */
    bool discards, classes, groups; /* whether the result has them */
    uint64_t onset; /* from which the recovery is computed; CLI_NO_ONSET: none was given */
    /* Puts the list of stages into a window. */
    void (*stages)(cli_record *window, const swq_stage_result *stage, const void *arg);
    const void *arg;
} cli_series_as;
void cli_put_series(cli_record *result, const swq_sim_result *r, const cli_series_as *as);

/* A search for saturation that is over. */
typedef struct cli_searched {
    const swq_saturation *found;
    const swq_sim_result *full; /* the run at full load */
    bool deadlock;              /* it ended in one */
    double resolution;          /* that was asked for */
    const swq_ceiling *ceiling; /* that the links set; NULL: there is none for the engine */
} cli_searched;

/* The group `saturation`, and sentences about it: of a network that delivers most below full load;
 * and of one that does so at full load. waits: whether packets wait, so that there are loads that
 * are served in full. */
void cli_put_peak(cli_record *root, const cli_searched *searched);
void cli_put_full_load(cli_record *root, const cli_searched *searched, bool waits);

/* Does the format of a point's answer leave out what cli_warn_run says? CSV does, and so does the
 * table of many points, in which the point has a name; see cli_question_kind.end. */
bool cli_warns(cli_format format, const char *where);

/* Prints to stderr a line for each reason to doubt a run's intervals. */
void cli_warn_run(const swq_sim_result *result, const char *where);

/* With every format, prints a line to stderr for each of these that applies: the reason why the run
 * ended early, an invariant that does not hold, a precision that was missed, and that the network
 * is past saturation. If saturation was `sought`, the search itself reports an early end and
 * saturation. */
void cli_note_run(const swq_sim_result *result, const swq_sim_options *options, bool sought,
                  const char *where);

/* The exit status of a run's result. */
int cli_sim_status(const swq_sim_result *result);

/* ---- the engines ---- */

/* How an engine handles a point; the options have been read. */
extern const cli_question_kind cli_sim_sync, cli_sim_async, cli_sim_datacentre;

/* ---- rare discards ---- */

/* --rare, and the options that only --rare has. */
extern struct poptOption cli_rare_options[];

extern const cli_question_kind cli_sim_rare;

#endif
