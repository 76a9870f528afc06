/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an output's being taken weighs, by the place in the order of visits and the queue's class,
 * until two chains of one switch agree on how often a queue finds its output taken.
 * Room: approx.
 */
#ifndef SWQ_APPROX_PARTITIONED_WEIGHTS_H
#define SWQ_APPROX_PARTITIONED_WEIGHTS_H

/* next <- taken, one round on. All [ports][classes]. open: P(output free) as the outputs' chain
 * has it; free: as it comes out of the weights `taken`. The first class of a place weighs 1. */
void weights_step(int ports, int classes, const double *open, const double *free,
                  const double *taken, double *next);

#endif
