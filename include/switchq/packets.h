/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact distributions for single packets: how long an accepted one stays, and how many are lost in
 * a row.
 */
#ifndef SWITCHQ_PACKETS_H
#define SWITCHQ_PACKETS_H

#include "switchq/exact.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { SWQ_DELAY_PERCENTILES = 4 };

/* The percentiles in the results: 0.5, 0.9, 0.99, 0.999. */
extern const double swq_delay_percentiles[SWQ_DELAY_PERCENTILES];

/* When to stop: when the rest that is left out of a mean is proven to be at most the fraction
 * `tail` of the mean, or when `most` cycles (delays) or losses (runs) are reached. */
typedef struct swq_packets_options {
    double tail;  /* above 0, below 1 */
    int64_t most; /* >= 1 */
} swq_packets_options;

/* tail 1e-15, most 1000000. */
swq_packets_options swq_packets_options_defaults(void);

/* The delay of an accepted packet: cycles from reception to departure, both included, so at
 * least 1. The percentile 0.99 is the lowest delay of the slowest one percent: the largest v with
 * P(delay >= v) >= 1 - 0.99 (Frazier 1995, chapter 5). */
typedef struct swq_delay {
    int64_t most;        /* largest delay of the distribution */
    double *probability; /* [most + 1] probability of a delay of k cycles */
    double *longer; /* [most + 1] probability of a delay of more than k cycles; longer[most] is the
                       tail that was left out */
    double relative_error;   /* proven relative error of every entry of both; may be INFINITY */
    swq_mean mean, variance; /* upper bounds include the tail that was left out; INFINITY if no
                                bound on the tail is known */
    int64_t percentile[SWQ_DELAY_PERCENTILES]; /* -1: beyond `most` */
    double mean_input[SWQ_CHAIN_PORTS];  /* by input, without the tail; NAN if it accepts none, and
                                          for  a pool */
    double mean_output[SWQ_CHAIN_PORTS]; /* by output, without the tail; NAN if it gets none */
    double accepted,
        accepted_input[SWQ_CHAIN_PORTS]; /* packets per cycle; accepted_input is 0 for a pool */
    int64_t states, transitions;         /* of the chain with a marked packet */
    bool complete;                       /* false: `most` was reached before the tail was short */
    double seconds;                      /* CPU seconds for generating, solving and following */
} swq_delay;

/* Follow a packet from acceptance to departure, for *sw in its stationary distribution. All of
 * *delay is filled in; the caller clears it. If nothing is accepted, `most` is 0 and all means are
 * NAN. Errors: those of swq_exact_solve, SWQ_EINVAL for an option out of range. SWQ_ECONVERGE comes
 * with answers from the last iterate. Cost: that of swq_exact_solve for flow discard, memory for
 * `transitions`, and a multiplication by all of them for each cycle of delay. They are the
 * transitions of the chain times the places where a packet may be, except those that the symmetry
 * exchanges. A switch whose symmetry is not a product of classes of ports, or whose arbiter has a
 * memory, is not reduced. */
swq_status swq_exact_delay(swq_context *ctx, const swq_switch *sw, const swq_exact_options *options,
                           const swq_packets_options *packets, swq_delay *delay);
void swq_delay_clear(swq_context *ctx, swq_delay *delay);

/* Losses in a row at one input: losses of packets that the input's source creates one after
 * another, however many cycles apart. */
typedef struct swq_loss_runs {
    swq_mean loss; /* probability that a packet is lost */
    swq_mean
        repeat; /* probability that a packet is lost if its predecessor was; NAN if none is lost */
    swq_mean length; /* mean losses in a row, 1 / (1 - repeat); NAN if none is lost */
    int64_t most;
    double *probability; /* [most + 1] probability that a run is k losses long; 0 for k = 0 */
    double *longer;      /* [most + 1] probability that a run is longer than k losses */
} swq_loss_runs;

typedef struct swq_losses {
    int ports;
    swq_loss_runs
        input[SWQ_CHAIN_PORTS];  /* inputs that the symmetry exchanges share their arrays */
    double relative_error;       /* proven relative error of every `longer`; a probability is the
                                    difference of two, and has the absolute errors of both */
    int64_t states, transitions; /* of the chain with a marked input */
    bool complete;
    double seconds;
} swq_losses;

/* Follow each input from a loss to the next packet that is accepted from it. All of *losses is
 * filled in; the caller clears it. Errors: as swq_exact_delay; SWQ_EINVAL for flow block, which
 * loses nothing. Cost: as swq_exact_delay with `ports` places, and a few multiplications for each
 * loss of a run. */
swq_status swq_exact_losses(swq_context *ctx, const swq_switch *sw,
                            const swq_exact_options *options, const swq_packets_options *packets,
                            swq_losses *losses);
void swq_losses_clear(swq_context *ctx, swq_losses *losses);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
