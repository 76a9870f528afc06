/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The times of a collective operation as a record.
 */
#ifndef SWQ_CLI_SIM_COLLECTIVE_H
#define SWQ_CLI_SIM_COLLECTIVE_H

#include "cli/spec/async.h"

/* The time of the whole, with its bound, and the times of the phases; end: [phases], as in
 * swq_async_watch. */
void cli_put_completion(cli_record *result, const cli_async *n, const uint32_t *end);
void cli_put_phase_ends(cli_record *result, const cli_async *n, const uint32_t *end);

#endif
