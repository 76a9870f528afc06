/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The least loss that any policy has, for tiny switches: packets are characters in strings, every
 * set of packets that could be lost or sent is tried, and policies are improved until none is
 * better, each evaluated by elimination in long double. No symmetry, no canonical forms.
 */
#ifndef REF_OPTIMAL_H
#define REF_OPTIMAL_H

#include "tests/ref/ref_switch.h"

/* The decisions: who sends (a pool always sends from each queue), whether a packet is refused
 * although there is room, whether one that finds no room pushes out another. With `longest` in
 * place of the last two: a packet that finds no room counts as one of its queue; it is lost if that
 * is then a longest one, and else pushes out a packet of a longest queue (each of several equally
 * likely). Packets come to a pool in random order. */
typedef struct {
    int send, refuse, push_out, longest;
} ref_powers;

/* The switch has flow discard, credit same, no dynamic threshold, and no reserved slots except
 * those that queue_max implies. Returns 0 and the least fraction of packets lost; -1: too many
 * states. */
int ref_optimal(const ref_switch *s, const ref_powers *powers, double *loss);

#endif
