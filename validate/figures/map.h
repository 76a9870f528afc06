/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figs. 6.10 to 6.12 of Frazier (1995): the host queues of a torus, node by node.
 */
#ifndef SWQ_VALIDATE_FIGURES_MAP_H
#define SWQ_VALIDATE_FIGURES_MAP_H

#include "validate/figures/figures.h"

/* The load of one of the three figures, as a fraction of the bisection offered. */
typedef struct figure_map {
    double load_26, load_10; /* with a threshold of 26 blocks, and of 10 */
} figure_map;

enum { FIGURE_RING = 11, FIGURE_RINGS = 11 };

/* The imbalance of the queues of a torus. */
typedef struct figure_unevenness {
    double marked;   /* fraction of the switches whose queues differ by a block or more */
    double majority; /* fraction that have more for the direction that most of their ring have more
                        for */
    /* fraction of the rings whose switches are all marked, in the same direction */
    double unanimous;
    double up;     /* fraction of the switches that have more to go up */
    double upward; /* fraction of the rings in which most switches have more to go up */
    double apart;  /* mean difference in blocks */
} figure_unevenness;

/* difference: [FIGURE_RINGS * FIGURE_RING] blocks of Q1+ minus Q1-. */
figure_unevenness figure_look_at_rings(const double *difference);

/* Expected fraction of a ring's majority if every switch had more to go up with probability `up`,
 * independently of the others. */
double figure_ring_chance(double up);

#endif
