/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing from the distributions of intervals and lengths.
 */
#ifndef SWQ_SIM_TRAFFIC_SPREAD_H
#define SWQ_SIM_TRAFFIC_SPREAD_H

#include "switchq/async.h"

/* A distribution prepared for drawing: least + a random number. */
typedef struct swq_drawn {
    uint64_t least,
        choices;    /* uniform: least .. least + choices - 1; geometric and Pareto: choices is 0 */
    double per_log; /* geometric: 1 / log q, P(value >= least + k) = q^k; 0: always `least` */
    double power;   /* Pareto: -1 / shape; else 0 */
    double scale;   /* Pareto: s */
} swq_drawn;

/* The largest number that a spread can give; INFINITY: there is none. */
double swq_spread_most(const swq_spread *spread);
swq_drawn swq_spread_prepare(const swq_spread *spread);

/* Draws a number of at most SWQ_MAX_DRAWN from a random word. */
uint32_t swq_spread_draw(const swq_drawn *drawn, uint64_t word);
#define SWQ_MAX_DRAWN 4000000000u

/* Errors: SWQ_EINVAL naming `what` if the spread is not a distribution, or its values can be below
 * `least` or above `most`. */
swq_status swq_spread_check(swq_context *ctx, const char *what, const swq_spread *spread,
                            double least, double most);

/* Reads the words of an option: N, A-B, geometric:M, pareto:M:SHAPE, or with names constant:N,
 * uniform:A-B; `least` is the minimum of a geometric one. `read` also checks, as above. And writes
 * it as words again. Errors: SWQ_EINVAL naming the option. */
swq_status swq_spread_parse(swq_context *ctx, const char *option, const char *text, double least,
                            swq_spread *spread);
swq_status swq_spread_read(swq_context *ctx, const char *option, const char *text, double least,
                           double most, swq_spread *spread);
void swq_spread_words(const swq_spread *spread, char *text, size_t size);

/* Mean cycles for which a message of that length keeps a link busy, with all its packets and the
 * pause after each. */
double swq_spread_link_time(const swq_spread *length, int max_packet, int link_rest);

#endif
