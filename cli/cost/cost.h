/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq cost: the functions that its files share, and the functions that a comparison calls.
 */
#ifndef SWQ_CLI_COST_H
#define SWQ_CLI_COST_H

#include "cli/record/record.h"
#include "switchq/cost.h"

/* Is this an option of a simulation that does not affect the cost of a switch, so that cost refuses
 * it? */
bool cli_cost_refuses(const char *option);

/* ---- cli/cost/terms.c ---- */

/* Reads the terms of a file (YAML or JSON: a map of names to numbers); path NULL: the usual ones.
 * Errors: SWQ_EIO; SWQ_EINVAL naming file, line and term. */
swq_status cli_cost_terms_read(swq_context *ctx, const char *path, swq_cost_terms *terms);

/* Puts the terms into `to`; prints the table of terms. */
void cli_put_cost_terms(cli_record *to, const swq_cost_terms *terms);

/* ---- cli/cost/show.c ---- */

void cli_put_cost(cli_record *root, const swq_cost *cost);

/* ---- cli/cost/network.c ---- */

/* fabric: counted, to name the levels of links. */
void cli_put_network_cost(cli_record *root, const swq_fabric *fabric,
                          const swq_cost_network_sums *sums);

#endif
