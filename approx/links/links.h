/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Our approximation of multistage networks: one small chain per stage, of one buffer with the link
 * that feeds it and the links of its packets. Each family of buffers has a file.
 */
#ifndef SWQ_APPROX_LINKS_H
#define SWQ_APPROX_LINKS_H

#include "switchq/approx.h"

/* The spec that all families of buffers get. Uniform traffic; sources hold one packet (blocking),
 * or each packet is accepted or lost at once (discarding). */
typedef struct links_spec {
    int ports, stages;
    int slots;    /* per input port: of the buffer, or of the pool divided by ports */
    bool discard; /* else a full buffer (queue, pool) blocks the link, by its state at the start of
                     the cycle (credit next) */
    double load;  /* packets created per cycle and source */
    swq_buffer buffer; /* the buffer of the switches, for families that need more of its fields */
} links_spec;

/* The families of buffers. Each function fills in throughput .. stage and steps .. converged.
 * Errors: SWQ_ENOMEM, SWQ_ELIMIT (too many states, before memory is allocated), SWQ_ECANCELLED,
 * SWQ_ECONVERGE (with a result). */
swq_status links_fifo(swq_context *ctx, const links_spec *spec, swq_approx_result *result);
swq_status links_partitioned(swq_context *ctx, const links_spec *spec, swq_approx_result *result);
swq_status links_shared(swq_context *ctx, const links_spec *spec, swq_approx_result *result);
swq_status links_pool(swq_context *ctx, const links_spec *spec, swq_approx_result *result);

/* CPU seconds that links_pool takes, as swq_approx_foresee has it; 0: the pool is
 * refused, as too large. */
double links_pool_seconds(const links_spec *spec);

/* off.c: the error of the method in a network like this one, as a sentence. */
const char *links_off(const swq_network *network, char *text, size_t size);

#endif
