/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq solve --chain: what its two files share. file.c is the command, the long-run answers and
 * the states; start.c has paths that begin in one state.
 */
#ifndef SWQ_CLI_SOLVE_FILE_H
#define SWQ_CLI_SOLVE_FILE_H

#include "cli/options/parameter.h"
#include "cli/record/record.h"
#include "solvers/timed.h"
#include "switchq/exact.h"
#include "switchq/import.h"

/* A chain from a file, and what was found of it. */
typedef struct cli_chain {
    swq_imported from;
    swq_timed timed;       /* of `from` */
    const double *pi;      /* [from.p.rows] probabilities of states, of one of the answers below */
    double pi_error;       /* proven bound on their relative errors */
    double *label;         /* [from.labels] the probability of each label */
    int64_t start;         /* a state; -1: none */
    bool until;            /* is there a passage? */
    swq_solution solution; /* without a start */
    swq_long_run run;      /* from the start */
    swq_passage passage;   /* until a set of states, from the start */
    swq_transient transient; /* at a time, from the start */
    double entered;          /* probability that the set of states was entered by that time */
} cli_chain;

/* --start, --until and --after; the first that is given, or NULL; and the words as they were
 * given. */
extern cli_parameter cli_chain_start_parameters[];
const char *cli_chain_start_given(void);
const char *cli_chain_until_text(void);
const char *cli_chain_after_text(void);

/* Reads --start into chain->start: a state, or a label of one state; without the option, the label
 * init, or -1 if there is none, or none of one state. Errors: SWQ_EINVAL. */
swq_status cli_chain_start_read(swq_context *ctx, cli_chain *chain);

/* Answers what was asked for from the start: where paths end, until when, or at what time. Errors:
 * SWQ_EINVAL for --until and --after; those of the solvers. SWQ_ECONVERGE comes with answers. */
swq_status cli_chain_start_solve(swq_context *ctx, const swq_exact_options *how, cli_chain *chain);

/* Puts these answers; `name` must stay: the label of the reward's mean. */
void cli_chain_start_put(cli_record *answers, const cli_chain *chain, const char *name);

/* The unit of time, after `count` of it. */
const char *cli_chain_unit(const cli_chain *chain);

#endif
