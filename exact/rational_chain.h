/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of a switch in rational numbers, generated independently of models/.
 */
#ifndef SWQ_EXACT_RATIONAL_CHAIN_H
#define SWQ_EXACT_RATIONAL_CHAIN_H

#include "exact/integers.h"

/* A spec in rational numbers. The doubles in `sw` only distinguish zero, one and values between. */
typedef struct swq_rational_spec {
    swq_switch sw;
    mpq_t load[SWQ_CHAIN_PORTS], dest[SWQ_CHAIN_PORTS][SWQ_CHAIN_PORTS];
    mpq_t burst; /* 1: none */
    /* Derived from the numbers above: the probabilities that an idle source creates no packet, and
     * one packet; that a burst continues after a packet, and that it ends. */
    mpq_t create[SWQ_CHAIN_PORTS][2], burst_ends[2];
} swq_rational_spec;

/* Initialise all numbers to zero, and the burst to 1; swq_rational_spec_clear frees them. */
void swq_rational_spec_init(swq_rational_spec *spec, const swq_switch *sw);
void swq_rational_spec_clear(swq_rational_spec *spec);

/* Compute the derived numbers and sw's doubles, after the rational numbers have been set. */
void swq_rational_spec_mark(swq_rational_spec *spec);

/* The states of the one closed class, in the order in which they were found. Row s of `p`, and the
 * expected numbers of packets of input i accepted and refused in the reception from state s,
 * accepted.at[s * ports + i], are over p's denominator s. With reduction, both numbers are sums
 * over the inputs that the symmetry exchanges, stored at the first of these inputs, input_class[i],
 * and zero at the others. */
typedef struct swq_rational_chain {
    swq_integer_rows p;
    swq_integers accepted, refused;
    int32_t *packets, *held; /* [p.rows]; with bursts, held packets are not distinguished */
    int input_class[SWQ_CHAIN_PORTS];
    int64_t transient;
} swq_rational_chain;

/* Errors: SWQ_EINVAL, SWQ_ELIMIT, SWQ_EREDUCIBLE, SWQ_ENOMEM, SWQ_ECANCELLED, as
 * swq_rational_solve. Cost: a few hundred instructions for each outcome of a reception from a
 * state, and of a transmission from an intermediate state; with reduction, (ports!)^2 more for each
 * state found before reduction. */
swq_status swq_rational_chain_walk(swq_context *ctx, const swq_rational_spec *spec, bool reduce,
                                   swq_rational_chain *chain);
void swq_rational_chain_clear(swq_context *ctx, swq_rational_chain *chain);

#endif
