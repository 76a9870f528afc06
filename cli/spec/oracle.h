/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The option --oracle of admission credence.
 */
#ifndef SWQ_CLI_ORACLE_H
#define SWQ_CLI_ORACLE_H

#include "cli/record/record.h"

/* Read the oracle of a swq_buffer, and put it into an answer; for a parameter's row. Answers from a
 * file stay in memory. */
swq_status cli_oracle_read(swq_context *ctx, const char *text, void *buffer);
void cli_oracle_put(cli_record *model, const void *buffer);

#endif
