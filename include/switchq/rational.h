/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exact leg in rational numbers: small chains, answers as fractions without any rounding.
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
    SWQ_RATIONAL_DECIMAL = 40   /* bytes of a fraction's decimal */
};

/* Loads and destinations as text, read as the rational numbers that they say: "0.9" and "9/10" are
 * nine tenths, "1e-3" a thousandth. Texts have at most 1000 characters, exponents lie within 1000.
 * All of it is the caller's. */
typedef struct swq_rational_traffic {
    const char *load[SWQ_MAX_PORTS];
    enum { SWQ_RATIONAL_UNIFORM, SWQ_RATIONAL_HOTSPOT, SWQ_RATIONAL_MATRIX } pattern;
    const char *fraction;      /* hot spot: as swq_traffic_hotspot */
    int hot;                   /* ... */
    const char *const *matrix; /* [ports * ports]: rows must sum to exactly 1 */
    const char *burst;         /* as swq_switch.burst; NULL: 1 */
} swq_rational_traffic;

/* A non-negative fraction in lowest terms. Undefined answers have NULL texts. */
typedef struct swq_fraction {
    char *numerator, *denominator;
    char decimal[SWQ_RATIONAL_DECIMAL]; /* correctly rounded to 20 digits, without zeros behind */
} swq_fraction;

/* The same figures as in swq_answers, where they are described. */
typedef struct swq_rational_answers {
    swq_fraction discard;    /* discard: probability that a created packet is lost; block: zero */
    swq_fraction throughput; /* packets per output and cycle */
    swq_fraction saturation; /* block: throughput with all positive loads set to 1; undefined when
                                that chain is reducible */
    swq_fraction refusal;
    swq_fraction mean_packets;
    swq_fraction mean_delay;                   /* cycles; undefined when nothing is accepted */
    swq_fraction mean_held, mean_source_wait;  /* block; otherwise zero */
    swq_fraction refusal_input[SWQ_MAX_PORTS]; /* discard: of what is discarded; zero where nothing
                                                  is offered */
    swq_fraction load[SWQ_MAX_PORTS];          /* as read */
    int ports;
    int64_t states;    /* after reduction */
    int64_t transient; /* of these */
    int64_t bits;      /* size of the largest integer in the stationary vector */
    double seconds;    /* CPU seconds */
} swq_rational_answers;

/* Solve the chain of *sw under `traffic`; the loads, destinations and burst in *sw itself are not
 * looked at. With `reduce`, and for at most 4 ports, states that the symmetry of spec and traffic
 * carries into each other are one. The chain is walked apart from swq_chain_generate, by the same
 * rules; pi P = pi is checked in integers before anything is returned. The caller clears *answers
 * with swq_rational_answers_clear. A dynamic threshold (alpha) is the double that it is.
 *
 * Errors: SWQ_EINVAL as swq_switch_check, for a text that is no number from 0 to 1, for a row of
 * the matrix that does not sum to exactly 1, and for an arbiter that throws loaded dice of its own;
 * SWQ_ELIMIT beyond SWQ_RATIONAL_STATES states, naming what would fit, or at the memory limit;
 * SWQ_ENOMEM; SWQ_EREDUCIBLE; SWQ_ECANCELLED. GMP's own memory is not counted, and GMP ends the
 * program when the system has none left for it.
 *
 * Cost: the walk, states^3 / 3 multiplications for one factorisation modulo a prime, and states^2
 * for every 28 bits of the answers' denominators; twice for block. Source: Dixon (1982), "Exact
 * solution of linear equations using p-adic expansions". */
swq_status swq_rational_solve(swq_context *ctx, const swq_switch *sw,
                              const swq_rational_traffic *traffic, bool reduce,
                              swq_rational_answers *answers);

void swq_rational_answers_clear(swq_context *ctx, swq_rational_answers *answers);

/* Is this a number in the sense of swq_rational_traffic? Then *value is the nearest double. */
bool swq_rational_value(const char *text, double *value);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
