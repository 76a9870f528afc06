/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact answers in rational numbers: small chains, with answers as fractions without any rounding.
 */
#ifndef SWITCHQ_RATIONAL_H
#define SWITCHQ_RATIONAL_H

#include "switchq/switch.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_RATIONAL_STATES = 3000, /* a chain of more states, after reduction, is refused */
    SWQ_RATIONAL_DECIMAL = 40   /* size in bytes of a fraction's decimal */
};

/* Loads and destinations as text, which is read as exact rational numbers: "0.9" and "9/10" are
 * nine tenths, "1e-3" is a thousandth. Texts have at most 1000 characters, and exponents are -1000
 * .. 1000. The caller owns everything. */
typedef struct swq_rational_traffic {
    const char *load[SWQ_CHAIN_PORTS];
    enum { SWQ_RATIONAL_UNIFORM, SWQ_RATIONAL_HOTSPOT, SWQ_RATIONAL_MATRIX } pattern;
    const char *fraction;      /* hot spot: as swq_traffic_hotspot */
    int hot;                   /* hot spot: the output */
    const char *const *matrix; /* [ports * ports]: rows must sum to exactly 1 */
    const char *burst;         /* as swq_switch.burst; NULL: 1 */
} swq_rational_traffic;

/* A non-negative fraction in lowest terms. Undefined answers have NULL texts. */
typedef struct swq_fraction {
    char *numerator, *denominator;
    char decimal[SWQ_RATIONAL_DECIMAL]; /* correctly rounded to 20 digits, without trailing zeros */
} swq_fraction;

/* The figures of swq_answers as fractions; they are described there. */
typedef struct swq_rational_answers {
    swq_fraction discard;    /* discard: probability that a created packet is lost; block: zero */
    swq_fraction throughput; /* packets per output and cycle */
    swq_fraction saturation; /* block: throughput with all positive loads set to 1; undefined if
                                that chain is reducible */
    swq_fraction refusal;
    swq_fraction mean_packets;
    swq_fraction mean_delay;                     /* cycles; undefined if nothing is accepted */
    swq_fraction mean_held, mean_source_wait;    /* block; otherwise zero */
    swq_fraction refusal_input[SWQ_CHAIN_PORTS]; /* by input; for discard, what is lost; zero if
                                                  nothing is offered */
    swq_fraction load[SWQ_CHAIN_PORTS];          /* as read */
    int ports;
    int64_t states;    /* after reduction */
    int64_t transient; /* of these, transient states */
    int64_t bits;      /* size of the largest integer in the stationary vector */
    double seconds;    /* CPU seconds */
} swq_rational_answers;

/* Solve the chain of *sw under `traffic`; the loads, destinations and burst in *sw itself are
 * ignored. With `reduce`, and for at most 4 ports, states that the symmetry of spec and traffic
 * exchanges are merged. The chain is generated independently of swq_chain_generate, by the same
 * rules; pi P = pi is checked in integers before anything is returned. The caller clears *answers
 * with swq_rational_answers_clear. A dynamic threshold (alpha) has the exact value of its double.
 *
 * Errors: SWQ_EINVAL as swq_switch_check, for a text that is not a number from 0 to 1, for a row of
 * the matrix that does not sum to exactly 1, and for an arbiter that throws loaded dice of its own;
 * SWQ_ELIMIT beyond SWQ_RATIONAL_STATES states, naming what would fit, or at the memory limit;
 * SWQ_ENOMEM; SWQ_EREDUCIBLE; SWQ_ECANCELLED. GMP's numbers are counted, and may exceed the
 * limit by what a few steps take; GMP ends the program if the system has no memory left for it.
 *
 * Cost: generating the chain, states^3 / 3 multiplications for one factorisation modulo a prime,
 * and states^2 for every 28 bits of the answers' denominators; twice that for block. Source: Dixon
 * (1982), "Exact solution of linear equations using p-adic expansions". */
swq_status swq_rational_solve(swq_context *ctx, const swq_switch *sw,
                              const swq_rational_traffic *traffic, bool reduce,
                              swq_rational_answers *answers);

void swq_rational_answers_clear(swq_context *ctx, swq_rational_answers *answers);

/* Is `text` a number in the sense of swq_rational_traffic? If so, *value receives the nearest
 * double, but 0 only for 0: a smaller number gives the least positive double. */
bool swq_rational_value(const char *text, double *value);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
