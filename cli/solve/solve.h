/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve: what its files share.
 * Room: cli.
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

/* What --delay and --losses found. */
typedef struct cli_packets {
    swq_delay delay;
    swq_losses losses;
    bool has_delay, has_losses; /* answered: not if the switch itself could not be solved */
} cli_packets;

/* Answer them (SWQ_ECONVERGE comes with answers), on any thread; free the answers. */
swq_status cli_packets_solve(swq_context *ctx, const swq_switch *sw, const swq_exact_options *how,
                             cli_packets *packets);
void cli_packets_clear(swq_context *ctx, cli_packets *packets);

/* What was asked beyond the usual. */
typedef struct cli_solve_more {
    double target; /* 0: none */
    bool variance, slope, by_output;
} cli_solve_more;

/* The answers as a record; peak: most bytes taken. */
cli_record *cli_solve_record(const cli_spec *spec, const swq_answers *answers,
                             const cli_solve_more *more, const cli_packets *packets, size_t peak);

/* The group `model`, as all commands about one switch have it; and the same as a sentence. */
cli_record *cli_put_model(cli_record *root, const cli_spec *spec);
void cli_say_spec(cli_record *root, const cli_spec *spec);

/* How a chain was solved, be it of a switch or from a file: the group `solver`, and sentences. What
 * is known to within `error`, or (NAN or infinite) is not, is called so. */
typedef struct cli_solved {
    const char *solver, *why; /* why: NULL: it was asked for */
    int64_t iterations;
    double residual, error;
    bool converged;
    double seconds;
    size_t peak; /* bytes */
} cli_solved;
void cli_put_solver(cli_record *root, const cli_solved *solved);
void cli_say_solver(cli_record *to, const cli_solved *solved, const char *known,
                    const char *unknown);

/* What --delay and --losses found. */
void cli_put_packets(cli_record *root, const cli_packets *packets, int ports);

/* ---- other questions ---- */

/* switchq solve --exact, in cli/solve/rational.c; `target`: --target is given. Returns the exit
 * status.
 */
int cli_solve_exact(swq_context *ctx, bool target, cli_format format);

/* switchq solve --policy, in cli/solve/policy.c: the row of that name, if it can be asked of the
 * switch; and the answer as a record. Errors: SWQ_EINVAL. */
swq_status cli_policy_read(swq_context *ctx, const char *name, const cli_spec *spec,
                           const swq_policy **policy);
cli_record *cli_policy_record(const cli_spec *spec, const swq_policy *policy,
                              const swq_optimal *optimal, size_t peak);

/* A fraction as a field, and (name not NULL) in a sentence; in a sentence alone. */
void cli_put_exact(cli_record *to, const char *key, const char *name, const swq_fraction *fraction,
                   const char *unit);
void cli_say_exact(cli_record *to, const char *name, const swq_fraction *fraction,
                   const char *unit);

/* ---- over the ranks of an MPI job: cli/solve/cluster.c ---- */

extern struct poptOption cli_cluster_options[];
bool cli_cluster_asked(void);

/* With --mpi among the arguments (or read already), let rank 0 alone say anything: true on the
 * others, whose exit status must not have the launcher end the job before rank 0 has spoken. */
bool cli_cluster_hush(int argc, const char **argv);

/* switchq solve --mpi; `options`: all of the command's. Returns the exit status. */
int cli_solve_cluster(swq_context *ctx, const struct poptOption *options, bool by_output,
                      cli_format format);

/* ---- a whole network, in place of a switch: cli/solve/network.c ---- */

/* Is one asked for; do all options go with it; its points; and its answers as fractions, which
 * returns the exit status. */
bool cli_solve_network_asked(void);
swq_status cli_solve_network_options(swq_context *ctx, const struct poptOption *options);
extern const cli_points_kind cli_solve_networks;
int cli_solve_network_exact(swq_context *ctx, cli_format format);

/* ---- a chain from files, in place of a switch ---- */

/* --chain and what goes with it; was --chain given; read, solve and print. Errors of input: a
 * message, and the exit status. */
extern struct poptOption cli_chain_options[];
bool cli_chain_given(void);
swq_status cli_chain_options_alone(swq_context *ctx); /* without it, an error */
int cli_solve_chain(swq_context *ctx, cli_format format);

/* ---- single packets: --delay, --losses, --tail ---- */

extern struct poptOption cli_packets_options[];
bool cli_packets_asked(void); /* was one of them given? */

#endif
