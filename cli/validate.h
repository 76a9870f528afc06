/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What switchq validate shows.
 * Room: cli.
 */
#ifndef SWQ_CLI_VALIDATE_H
#define SWQ_CLI_VALIDATE_H

#include "cli/cli.h"
#include "switchq/validate.h"

/* A run, planned or done. */
typedef struct cli_validation {
    swq_validate_options options;
    swq_validation v;
    bool verbose, interrupted;
} cli_validation;

/* The names and claims of all that would be run. */
void cli_validate_list(const cli_validation *c);

/* Before the run: what is asked, and by which rules. */
void cli_validate_rules(const cli_validation *c);

/* After it. */
void cli_validate_results(const cli_validation *c);

/* {"schema":"switchq/validate/1",..}; listed: nothing was run. */
cJSON *cli_validate_json(const cli_validation *c, bool listed);

#endif
