/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The topologies, and the permutations of a line's base-k digits that their wires are made of.
 * Digit 0 is the least significant; it is also the port, so a switch can change that digit alone.
 */
#ifndef SWQ_SIM_TOPOLOGIES_H
#define SWQ_SIM_TOPOLOGIES_H

#include "switchq/topology.h"

extern const swq_topology swq_topology_omega, swq_topology_butterfly, swq_topology_baseline,
    swq_topology_flip, swq_topology_cube, swq_topology_switch;

/* The perfect shuffle of the `digits` (1 ..) lowest digits: each moves up one place, and the
 * highest of them to place 0. Digits above stay. */
uint32_t swq_digits_shuffle(int radix, int digits, uint32_t line);

/* The inverse: each moves down one place, and digit 0 to the highest of them. */
uint32_t swq_digits_unshuffle(int radix, int digits, uint32_t line);

/* Swaps digit 0 and digit `place` (1 ..): the butterfly permutation. */
uint32_t swq_digits_exchange(int radix, int place, uint32_t line);

/* swq_topology.digit for networks that set the destination's digits from the highest, or from the
 * lowest. */
int swq_digit_highest_first(int stages, int stage);
int swq_digit_lowest_first(int stages, int stage);

#endif
