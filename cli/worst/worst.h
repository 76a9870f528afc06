/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq worst: what its files share.
 */
#ifndef SWQ_CLI_WORST_H
#define SWQ_CLI_WORST_H

#include "cli/options/options.h"
#include "cli/record/record.h"
#include "switchq/worst.h"

/* A question, and its answer. */
typedef struct cli_worst_point {
    swq_buffer buffer;
    swq_worst_spec spec; /* with the buffer above */
    swq_worst worst;
    int repeat;          /* periods that --sequence writes */
    size_t peak;         /* bytes */
    char unsettled[400]; /* why there are only bounds; "": the answer is proven */
} cli_worst_point;

/* The parameters of the question. */
extern struct poptOption cli_worst_parameters[];

/* ---- cli/worst/show.c ---- */

/* "longest-queue drop", say, with the numbers that matter: "admission lqd, queue-max 5". */
void cli_worst_rule_text(const swq_buffer *buffer, char *text, size_t size);

cli_record *cli_worst_record(const cli_worst_point *point);

/* ---- cli/worst/sequence.c ---- */

/* Writes the worst sequence as a trace of arrivals: a cycle for each phase, whose packets come at
 * inputs 0, 1, ... in their order. Errors: SWQ_EIO. */
swq_status cli_worst_write_sequence(swq_context *ctx, const cli_worst_point *point,
                                    const char *path);

#endif
