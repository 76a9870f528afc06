/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of solving.
 */
#ifndef SWQ_CLI_SPEC_SOLVER_H
#define SWQ_CLI_SPEC_SOLVER_H

#include "switchq/exact.h"

#include "cli/options/options.h"

/* The words of --reduce. */
extern const char *const cli_reduce_words[];

/* The options that say how to solve. */
extern struct poptOption cli_solver_options[];

/* Is any option of the solver given, other than the options about reduction and memory? */
bool cli_solver_given(void);

/* Reads the options of the solver, and sets the context's memory limit. */
swq_status cli_solver_read(swq_context *ctx, swq_exact_options *options);

#endif
