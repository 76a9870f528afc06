/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An independent worst case of longest-queue drop, by brute force: all pairs of contents with the
 * names of their queues, a matrix of the best that k steps can gain, no potential, no policy.
 */
#ifndef REF_WORST_H
#define REF_WORST_H

#include <stdbool.h>

/* Does a sequence of arrivals make the optimum send more than `numerator / denominator` times what
 * longest-queue drop sends, in the long run? For 2 or 3 queues, of which the packet that comes
 * counts, and small memories. */
bool ref_worst_exceeds(int queues, int slots, int numerator, int denominator);

/* The most that the optimum's packets exceed numerator / denominator times the rule's, times
 * denominator, over all sequences of `steps` arrivals and ends of phases from empty memories. */
long ref_worst_gain(int queues, int slots, int numerator, int denominator, int steps);

#endif
