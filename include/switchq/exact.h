/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact answers: the spec of one switch in, its long-run figures out.
 */
#ifndef SWITCHQ_EXACT_H
#define SWITCHQ_EXACT_H

#include "switchq/chain.h"
#include "switchq/solver.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A figure, and a bound on its error, which is proven except for the rounding of the bound's own
 * sums. */
typedef struct swq_known {
    double value, error;
} swq_known;

/* Figures for the packets of one class; swq_answers has the same for all packets. */
typedef struct swq_class_answers {
    double discard, refusal, throughput, mean_packets, mean_delay, mean_held, mean_source_wait;
} swq_class_answers;

/* "State" means after transmission and before reception, as in Frazier (1995), 4.2. */
typedef struct swq_answers {
    /* the figures of the whole switch */
    swq_mean discard;    /* probability that a created packet is lost; zero for block */
    swq_mean throughput; /* packets sent per output per cycle */
    double refusal;      /* probability that an offered packet is refused, for discard and block */
    double discard_input[SWQ_CHAIN_PORTS]; /* by input; zero if it creates no packets */
    double refusal_input[SWQ_CHAIN_PORTS];
    /* by output: packets sent to the output per cycle; discard and refusal of packets for this
     * output, zero if no packets are for it; packets waiting for the output in all buffers, in the
     * state */
    double throughput_output[SWQ_CHAIN_PORTS];
    double discard_output[SWQ_CHAIN_PORTS], refusal_output[SWQ_CHAIN_PORTS];
    double waiting_output[SWQ_CHAIN_PORTS];
    double mean_packets; /* packets in the switch, in the state */
    double mean_behind;  /* of these, packets behind the input buffers: at crosspoints, in output
                            queues */
    double mean_delay; /* cycles from reception to departure, the cycle of departure included, so at
                          least 1; by Little's law, 1 + mean_packets / accepted per cycle. NAN if
                          nothing is accepted */
    double mean_held;  /* block: packets held by all sources, in the state */
    double
        mean_source_wait; /* block: cycles from creation to reception; NAN if nothing is accepted */
    bool classes;         /* the switch has packets of high priority: */
    swq_class_answers by_class[SWQ_CLASSES]; /* normal, of high priority */
    int buffers, capacity; /* slots of a buffer, including those dedicated to high priority */
    double full[SWQ_CHAIN_PORTS]; /* by buffer: probability that it has no free slot in the state */
    double *occupancy; /* [buffers * (capacity + 1)]: probability that buffer b holds k packets in
                          the state, at b * (capacity + 1) + k */

    /* block: throughput if every source with a load always has a packet; value NAN for discard, or
     * if that chain has no unique stationary distribution */
    swq_mean saturation;

    /* if requested in the options, else NAN: the mean number of refusals (discard: packets lost)
     * per cycle, and its asymptotic variance sigma^2, the limit of the variance of their number in
     * T cycles divided by T. The standard error of the mean in a simulation of T cycles is
     * sqrt(sigma^2 / T). */
    double refusals;
    swq_known variance;
    /* derivative of `discard` (block: of `throughput`) with respect to the logarithm of a common
     * factor of all loads, and with respect to the load itself if all inputs have the same; NAN if
     * a load is 1 and cannot grow, or all are 0 */
    swq_known slope, slope_by_load;

    double relative_error; /* proven relative error of every non-negative figure above that has no
                              bounds of its own; may be INFINITY */

    /* the chain, and how it was solved */
    int64_t states, intermediates, transient, period;
    int64_t transitions; /* entries of the transition matrix; 0 if it was never multiplied out */
    int64_t entries;     /* entries of its factors */
    int factors;
    double unreduced; /* see swq_chain_size */
    const swq_solver *solver;
    const char *why; /* why auto chose it; NULL if it was requested */
    int64_t iterations;
    double residual, seconds; /* CPU seconds for generating and solving */
    bool converged;
} swq_answers;

typedef struct swq_exact_options {
    bool reduce;   /* use the symmetry of the spec (see swq_chain_generate) */
    bool variance; /* also the asymptotic variance: at most three more solutions */
    bool slope;    /* also the derivative by load: three more solutions, and the receptions again */
    const swq_solver *solver;
    swq_solver_options solving;
} swq_exact_options;

/* Reduced, solver auto with its defaults. */
swq_exact_options swq_exact_options_defaults(void);

/* Generate the chain of *sw, solve it and compute all of *answers, which the caller clears with
 * swq_answers_clear. Errors: those of swq_chain_generate and swq_solve; SWQ_ECONVERGE comes with
 * answers from the last iterate. Cost: that of generating and solving; twice for block. */
swq_status swq_exact_solve(swq_context *ctx, const swq_switch *sw, const swq_exact_options *options,
                           swq_answers *answers);
/* The smallest number of slots per input port, up to `most`, with which *sw provably loses no more
 * than the fraction `target` of its packets: the upper bound of the loss must not exceed it.
 * Buffers are made by the preset `kind` in place of sw->buffer, which only supplies alpha and
 * pool_rule; on success sw->buffer is the buffer found. *answers belong to it and are cleared by
 * the caller. Errors: SWQ_EINVAL for a target outside (0, 1) or flow block; SWQ_ERANGE if no size
 * up to `most` is large enough, or the loss no longer falls; those of swq_exact_solve. Cost: one
 * solution for each size tried. Sizes are skipped where the loss falls steadily, as it does below
 * saturation; the answer and the next smaller size are always solved. */
swq_status swq_exact_slots_for_target(swq_context *ctx, swq_switch *sw, const swq_buffer_kind *kind,
                                      double target, int most, const swq_exact_options *options,
                                      int *slots, swq_answers *answers);

/* Memories of a switch behind its inputs whose size can be found. */
typedef enum swq_size { SWQ_SIZE_OUTPUT_SLOTS, SWQ_SIZE_CROSSPOINT_SLOTS } swq_size;

/* The smallest output_slots or crosspoint_slots, which sw's architecture must have, with which *sw
 * provably loses no more than `target`; all other fields of *sw stay as they are. On success *sw
 * has the size found. Errors and cost: as above. */
swq_status swq_exact_size_for_target(swq_context *ctx, swq_switch *sw, swq_size size, double target,
                                     int most, const swq_exact_options *options,
                                     swq_answers *answers);

/* The largest factor of sw's loads at which it loses no more than `target`, to a relative 1e-12; at
 * most the factor at which the busiest input has load 1. The loss is assumed to grow with the load.
 * *answers belong to the load found and are cleared by the caller. Errors: SWQ_EINVAL as above, or
 * if all loads are 0; SWQ_ERANGE if the target is missed even at a millionth of full load, or at
 * the least load that can be solved; those of swq_exact_solve. Cost: about ten solutions (Brent's
 * method on logarithms, from GSL). */
swq_status swq_exact_load_for_target(swq_context *ctx, const swq_switch *sw, double target,
                                     const swq_exact_options *options, double *factor,
                                     swq_answers *answers);

void swq_answers_clear(swq_context *ctx, swq_answers *answers);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
