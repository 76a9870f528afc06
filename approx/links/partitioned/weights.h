/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights of taken outputs, by place in the order of visits and class of the queue, which are
 * fitted until two chains of one switch agree on how often a queue finds its output taken.
 */
#ifndef SWQ_APPROX_PARTITIONED_WEIGHTS_H
#define SWQ_APPROX_PARTITIONED_WEIGHTS_H

/* Do one round of fitting the weights: next <- taken. All arrays are [ports][classes]. open:
 * P(output free) by the outputs' chain; free: the same by the weights `taken`. The first class of a
 * place has weight 1. */
void weights_step(int ports, int classes, const double *open, const double *free,
                  const double *taken, double *next);

#endif
