/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What switchq validate shows.
 */
#ifndef SWQ_CLI_VALIDATE_H
#define SWQ_CLI_VALIDATE_H

#include "cli/record/record.h"
#include "switchq/validate.h"

/* A run, planned or completed. */
typedef struct cli_validation {
    swq_validate_options options;
    swq_validation v;
    bool verbose, interrupted;
} cli_validation;

/* The text before a run: the checks that will be run, and the rules by which they are judged. */
cli_record *cli_validate_rules(const cli_validation *c);

/* The record of a validation after the run. listed: nothing was run, and the record has the names
 * and claims of all checks. */
cli_record *cli_validate_record(const cli_validation *c, bool listed);

#endif
