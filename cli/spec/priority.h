/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets of high priority, as the command line describes them.
 */
#ifndef SWQ_CLI_SPEC_PRIORITY_H
#define SWQ_CLI_SPEC_PRIORITY_H

#include "cli/spec/switch.h"

/* --high, --priority, --priority-slots, --priority-queues. */
extern cli_parameter cli_priority_parameters[];
extern struct poptOption cli_priority_options[];

/* Reads the options of priority, for a buffer of kind `kind` in a switch with `ports` ports. *extra
 * receives the part of --slots that does not belong to the normal queues, for cli_slots_besides. */
swq_status cli_priority_read(swq_context *ctx, const swq_buffer_kind *kind, int ports,
                             swq_priority *priority, int *extra);

/* Refuses --priority without --high. */
swq_status cli_priority_needs_high(swq_context *ctx, swq_support support);

/* The names of the classes. */
extern const char *const cli_class_names[SWQ_CLASSES];

/* The fields of the group `model`. */
struct cli_record;
void cli_put_priority(struct cli_record *model, const swq_priority *priority);

#endif
