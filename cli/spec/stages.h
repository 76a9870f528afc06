/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Architectures of switches in stage cycles, as the command line describes them.
 */
#ifndef SWQ_CLI_STAGES_H
#define SWQ_CLI_STAGES_H

#include "cli/options/parameter.h"
#include "switchq/switch.h"

/* --architecture, and the sizes and steps that belong to it, in stage cycles; speedup and
 * architecture are of both engines. */
extern cli_parameter cli_stage_parameters[];
extern struct poptOption cli_stage_options[];

/* The option that chooses the architecture of a swq_switch. */
extern const cli_owner cli_by_stage;

/* The architecture; input-queued if none is given. Errors: SWQ_EINVAL for an unknown one, or one
 * that only the asynchronous engine has. */
swq_status cli_stages_architecture(swq_context *ctx, const swq_architecture **row);

/* The words of --departures: last, first. */
extern const char *const cli_departures_words[];

/* The size that was not given, and that a command is to find. */
typedef enum cli_open_size {
    CLI_SIZE_NONE,
    CLI_SIZE_SLOTS,
    CLI_SIZE_OUTPUT,
    CLI_SIZE_CROSSPOINT
} cli_open_size;

/* Sets the fields of the architecture, given sw->ports, and the buffer if the architecture brings
 * its own. If `size` is not NULL and one of the two sizes behind the inputs is missing, the missing
 * size is set to 1, and *size says which one is missing; else all sizes must be given. Errors:
 * SWQ_EINVAL naming the option. */
swq_status cli_stages_read(swq_context *ctx, swq_switch *sw, cli_open_size *size);

/* The architecture of switches in stage cycles and its sizes, into a group. */
void cli_put_architecture(cli_record *model, const swq_switch *sw);

#endif
