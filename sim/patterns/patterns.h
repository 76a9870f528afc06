/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the patterns; functions for patterns that permute the bits of a node's number, and
 * for patterns that use a node's coordinates.
 */
#ifndef SWQ_SIM_PATTERNS_H
#define SWQ_SIM_PATTERNS_H

#include "switchq/traffic.h"

extern const swq_pattern swq_pattern_bit_reversal, swq_pattern_bit_complement,
    swq_pattern_transpose, swq_pattern_shuffle, swq_pattern_tornado, swq_pattern_neighbour;

/* How far the sum of a row of a matrix may be from 1: matrices come from files, rounded to as many
 * digits as were written. */
#define SWQ_MATRIX_SLACK 1e-9

/* The number of bits of a node's number: log2(nodes), rounded down; nodes > 0. */
int swq_pattern_bits(uint32_t nodes);

/* swq_pattern.objection of patterns that need a power of two. */
const char *swq_pattern_power_of_two(const swq_places *places);
bool swq_pattern_even_power_of_two(const swq_places *places);

/* The node whose coordinates are `to` of the source's, dimension by dimension; nodes in a row have
 * one coordinate. */
uint32_t swq_pattern_by_coordinate(const swq_places *places, uint32_t source,
                                   uint32_t (*to)(uint32_t coordinate, uint32_t extent));

#endif
