/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Our approximation of multistage networks: one small chain per stage, of one buffer with the link
 * that feeds it and the links that its packets want. One family of buffers a file.
 * Room: approx.
 */
#ifndef SWQ_APPROX_LINKS_H
#define SWQ_APPROX_LINKS_H

#include "switchq/approx.h"

/* What all families are asked. Uniform traffic; sources hold one packet (blocking) or have each
 * packet taken or lost at once (discarding). */
typedef struct links_spec {
    int ports, stages;
    int slots;    /* per input port: of the buffer, or of the pool divided by ports */
    bool discard; /* else a full buffer (queue, pool) blocks the link, by its state at the start of
                     the cycle (credit next) */
    double load;  /* packets created per cycle and source */
    swq_buffer buffer; /* as in the spec, for those who have to know more */
} links_spec;

/* Each: fills throughput .. stage and steps .. converged. Errors: SWQ_ENOMEM, SWQ_ELIMIT (too many
 * states, said before memory is taken), SWQ_ECANCELLED, SWQ_ECONVERGE (with a result). */
swq_status links_fifo(swq_context *ctx, const links_spec *spec, swq_approx_result *result);
swq_status links_partitioned(swq_context *ctx, const links_spec *spec, swq_approx_result *result);
swq_status links_shared(swq_context *ctx, const links_spec *spec, swq_approx_result *result);
swq_status links_pool(swq_context *ctx, const links_spec *spec, swq_approx_result *result);

#endif
