/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve: what its files share.
 */
#ifndef SWQ_CLI_SOLVE_H
#define SWQ_CLI_SOLVE_H

#include "cli/options/options.h"
#include "cli/points/points.h"
#include "cli/record/record.h"
#include "cli/spec/switch.h"
#include "switchq/optimal.h"
#include "switchq/packets.h"
#include "switchq/rational.h"

/* --delay and --losses: how they are computed, and the results. */
typedef struct cli_packets {
    swq_packets_options options;
    swq_delay delay;
    swq_losses losses;
    bool has_delay, has_losses; /* whether they were answered, for which the switch itself must have
                                   been solved */
} cli_packets;

/* Reads --delay, --losses and --tail, for that switch. Errors: SWQ_EINVAL. */
swq_status cli_packets_read(swq_context *ctx, const swq_switch *sw, cli_packets *packets);

/* Computes the answers about single packets, on any thread (with SWQ_ECONVERGE there are answers,
 * too); cli_packets_clear frees them. */
swq_status cli_packets_solve(swq_context *ctx, const swq_switch *sw, const swq_exact_options *how,
                             cli_packets *packets);
void cli_packets_clear(swq_context *ctx, cli_packets *packets);

/* Results that were asked for beyond the usual ones. */
typedef struct cli_solve_more {
    double target; /* 0: none */
    bool variance, slope, by_output;
} cli_solve_more;

/* The answers as a record; peak: most bytes of memory used. */
cli_record *cli_solve_record(const cli_spec *spec, const swq_answers *answers,
                             const cli_solve_more *more, const cli_packets *packets, size_t peak);

/* The group `model` of all commands about one switch; and the same as a sentence. */
cli_record *cli_put_model(cli_record *root, const cli_spec *spec);

/* How a chain was solved, whether of a switch or from a file: the group `solver`, and sentences.
 * error: NAN or infinite if not known. */
typedef struct cli_solved {
    const char *solver, *why; /* why: NULL: the solver was asked for */
    int64_t iterations;
    double residual, error;
    bool converged;
    double seconds;
    size_t peak; /* bytes */
} cli_solved;
void cli_put_solver(cli_record *root, const cli_solved *solved);
void cli_say_solver(cli_record *to, const cli_solved *solved, const char *known,
                    const char *unknown);

/* Puts the results of --delay and --losses. */
void cli_put_packets(cli_record *root, const cli_packets *packets, int ports);

/* ---- other questions ---- */

/* switchq solve --exact (cli/solve/rational.c); `target`: --target is given. Returns the exit
 * status. */
int cli_solve_exact(swq_context *ctx, bool target, cli_format format);

/* switchq solve --policy (cli/solve/policy.c): the row of that name, if the switch has such a
 * policy; and the answer as a record. Errors: SWQ_EINVAL. */
swq_status cli_policy_read(swq_context *ctx, const char *name, const cli_spec *spec,
                           const swq_policy **policy);
cli_record *cli_policy_record(const cli_spec *spec, const swq_policy *policy,
                              const swq_optimal *optimal, size_t peak);

/* A fraction as a field and, unless name is NULL, in a sentence; only in a sentence. */
void cli_put_exact(cli_record *to, const char *key, const char *name, const swq_fraction *fraction,
                   const char *unit);
void cli_say_exact(cli_record *to, const char *name, const swq_fraction *fraction,
                   const char *unit);

/* ---- over the ranks of an MPI job: cli/solve/cluster.c ---- */

extern struct poptOption cli_cluster_options[];
bool cli_cluster_asked(void);

/* With --mpi among the arguments (or read already), silences all ranks but rank 0. Returns true on
 * those others, whose exit status must not make the launcher end the job before rank 0 has
 * printed. */
bool cli_cluster_hush(int argc, const char **argv);

/* switchq solve --mpi; `options`: all options of the command. Returns the exit status. */
int cli_solve_cluster(swq_context *ctx, const struct poptOption *options, bool by_output,
                      cli_format format);

/* ---- a whole network, in place of a switch: cli/solve/network.c ---- */

/* Is the question about a network? Are all options ones that a network takes? How its points are
 * answered; and the answers as fractions, which returns the exit status. */
bool cli_solve_network_asked(void);
swq_status cli_solve_network_options(swq_context *ctx, const struct poptOption *options);
extern const cli_question_kind cli_solve_networks;
int cli_solve_network_exact(swq_context *ctx, cli_format format);

/* ---- a chain from files, in place of a switch ---- */

/* --chain and its options; was --chain given? Reads, solves and prints; returns the exit status,
 * after a message if the input is wrong. */
extern struct poptOption cli_chain_options[];
bool cli_chain_given(void);
int cli_solve_chain(swq_context *ctx, cli_format format);

/* ---- single packets: --delay, --losses, --tail ---- */

extern struct poptOption cli_packets_options[];
bool cli_packets_asked(void); /* was one of these options given? */

#endif
