/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traffic tables of Noxim: who sends how many packets a cycle to whom.
 */
#ifndef SWQ_CLI_NOXIM_H
#define SWQ_CLI_NOXIM_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The beginning of a refusal. */
#define CLI_NOXIM_SAYS "--traffic noxim:FILE says what each node sends, which "

/* Is this --traffic noxim:FILE? */
bool cli_is_noxim(const char *traffic);

/* Reads the lines of a table: sender, receiver, packets a cycle, and optionally the same number
 * again; a line that begins with % is a comment. (*triples)[3 * lines] receives the first three
 * numbers of each line, to be freed with free. Errors: SWQ_EINVAL, with file and line, for a node
 * that is not there, a packet to its own sender, and what a table may say beyond that: no rate,
 * which Noxim takes from its own options, another rate for packets that follow a packet (column 4),
 * and times in which a line holds (columns 5 to 7); SWQ_EIO, SWQ_ENOMEM, SWQ_ECANCELLED. */
swq_status cli_noxim_read(swq_context *ctx, const char *path, uint32_t nodes, double **triples,
                          size_t *lines);

/* load[nodes]: packets a cycle become flits a cycle, of packets of `length` flits on average.
 * Errors: SWQ_EINVAL for a node that sends more than a flit a cycle. */
swq_status cli_noxim_loads(swq_context *ctx, const char *path, uint32_t nodes, double length,
                           double *load);

#endif
