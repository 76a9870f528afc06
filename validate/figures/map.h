/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figs. 6.10 to 6.12 of Frazier (1995): the host queues of a torus, node by node.
 * Room: validate.
 */
#ifndef SWQ_VALIDATE_FIGURES_MAP_H
#define SWQ_VALIDATE_FIGURES_MAP_H

#include "validate/figures/figures.h"

/* What one of the three figures is run at, in fractions of the bisection that are offered, and what
 * its text says. */
typedef struct figure_map {
    double load_26, load_10;                       /* for a threshold of 26 blocks, and of 10 */
    bool all_equal, diverging, aligned, dominated; /* which claims are stated */
} figure_map;

extern const char figure_map_setting[];

enum { FIGURE_RING = 11, FIGURE_RINGS = 11 };

/* How uneven the queues of a torus are. */
typedef struct figure_unevenness {
    double marked;    /* share of the switches whose queues differ by a block or more */
    double majority;  /* share that have more of the direction that most of their ring have */
    double unanimous; /* share of the rings whose switches are all marked, and the same way */
    double up;        /* share of the switches that have more to go up */
    double upward;    /* share of the rings in whose majority more are to go up */
    double apart;     /* mean difference, blocks */
} figure_unevenness;

/* difference: [FIGURE_RINGS * FIGURE_RING] blocks of Q1+ less Q1-. */
figure_unevenness figure_look_at_rings(const double *difference);

/* Expected share of a ring's majority if every switch had more to go up with probability `up`,
 * whatever the others have. */
double figure_ring_chance(double up);

swq_status figure_make_map(figure_work *f, const figure_map *map);

#endif
