/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers from the states and their probabilities: first sums over states, which several processes
 * may share, then the answers that follow from the sums.
 */
#ifndef SWQ_EXACT_WEIGHTS_H
#define SWQ_EXACT_WEIGHTS_H

#include "switchq/exact.h"

/* Sums over states. All members before `weight` are long doubles, which processes can add. */
typedef struct swq_weights {
    long double in[SWQ_CHAIN_PORTS],
        out[SWQ_CHAIN_PORTS]; /* packets accepted and refused, by input */
    long double packets, held, behind;
    /* packets accepted and refused, by output */
    long double into[SWQ_CHAIN_PORTS], refused_to[SWQ_CHAIN_PORTS];
    long double waiting[SWQ_CHAIN_PORTS];
    /* packets accepted and refused, by class */
    long double in_of[SWQ_CLASSES], out_of[SWQ_CLASSES];
    long double packets_of[SWQ_CLASSES], held_of[SWQ_CLASSES];
    long double *weight; /* [weights] by buffer and number of packets in it */
    int weights;
} swq_weights;

/* Make sums of zero for a chain. The caller clears *w, also after a failure. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status swq_weights_init(swq_context *ctx, const swq_chain *chain, swq_weights *w);
void swq_weights_clear(swq_context *ctx, swq_weights *w);

/* Add all states of a chain; pi[states]. */
void swq_weights_add(const swq_chain *chain, const double *pi, swq_weights *w);

/* Fill in the fields of *a that follow from the sums. The relative error, which must be there,
 * becomes INFINITY if a sum is too small for a double to have all digits. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status swq_weights_tell(swq_context *ctx, const swq_chain *chain, swq_weights *w,
                            swq_answers *a);

/* The relative error of the answers, from that of pi, the roundings of the chain and its number of
 * states. */
double swq_weighing_error(double pi_error, double roundings, int64_t states);

/* Set both headline figures, from the mean number of packets refused (discard) or accepted (block)
 * per cycle. */
void swq_answers_enclose(const swq_switch *sw, const swq_mean *mean, swq_answers *a);

/* Check that the headline figure's interval is as narrow as it must be. Errors: SWQ_ECONVERGE. */
swq_status swq_answers_width(swq_context *ctx, const swq_switch *sw,
                             const swq_exact_options *options, swq_answers *a);

#endif
