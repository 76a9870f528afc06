/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that read a switch share: who takes the options of its buffers, and the command
 * lines that docs/defaults.md names.
 */
#ifndef SWQ_CLI_SPEC_BUFFER_H
#define SWQ_CLI_SPEC_BUFFER_H

#include "cli/spec/switch.h"

#define SOLVE "solve, export"
#define SIM   "sim, approx"
#define LONE  "sim --topology switch"
#define ASYNC "sim --engine async"

/* Do the switches of an architecture have buffers at the inputs, byte by byte and in stage cycles?
 * Does a management leave the queues of a buffer as they are? */
bool cli_has_buffers(const void *architecture);
bool cli_has_stage_buffers(const void *architecture);
bool cli_has_no_queues(const void *management);

#define BUFFERS(architecture, management)                                                          \
    .general = true, .takers = {{&cli_by_stage, cli_has_stage_buffers},                            \
                                {&cli_by_architecture, architecture},                              \
                                {&cli_by_management, management}}

/* What of a row of --buffer is replaced; and the rules of admission of a swq_buffer. */
extern cli_parameter cli_kind_parameters[], cli_pool_parameters[];

/* --load, --traffic and --burst of a cli_spec. */
extern cli_parameter cli_traffic_parameters[];

/* The text of an option of cli_spec_options; NULL: it is not given. */
const char *cli_spec_text(const char *option);

/* Errors: SWQ_EINVAL if `text`, of an option, is NULL. */
swq_status cli_required(swq_context *ctx, const char *option, const char *text);

/* Reads the buffers of the inputs, after the ports. extra_slots: the part of --slots that does not
 * belong to the buffer. */
swq_status cli_buffer_read(swq_context *ctx, cli_spec *spec, int extra_slots);

/* Reads cli_traffic_parameters, after the switch. */
swq_status cli_switch_traffic_read(swq_context *ctx, cli_spec *spec);

#endif
