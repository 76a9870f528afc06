/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The residual of a random number: the rest of an interval, seen from a cycle chosen at random. A
 * renewal process in its stationary state begins with a residual (Cox 1962, Renewal Theory, chapter
 * 2).
 */
#ifndef SWQ_SIM_TRAFFIC_RESIDUAL_H
#define SWQ_SIM_TRAFFIC_RESIDUAL_H

#include "sim/stream.h"
#include "sim/traffic/spread.h"

/* Random words without end: first a given word, and then the words of a stream from one place
 * on. */
typedef struct swq_endless_words {
    uint64_t next;
    const swq_streams *streams;
    uint32_t who;
    uint64_t place; /* the next place of the stream */
} swq_endless_words;

/* The words with which sender `who` begins at its message `number`. */
swq_endless_words swq_words_from(const swq_streams *streams, uint32_t who, uint64_t number,
                                 uint64_t first);
uint64_t swq_words_next(swq_endless_words *draws);

/* Draws k = 0, 1, ... with the probability P(number > k) / mean, in closed form but for Pareto's
 * distribution, where at least every second attempt is accepted. The residual of a geometric number
 * is its excess over its least value, from the first word. */
uint32_t swq_residual_draw(const swq_drawn *drawn, swq_endless_words *draws);

#endif
