/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers for multisets, the ways in which alike things can be distributed over classes: these are
 * the states of k queues if only the number in each class matters.
 */
#ifndef SWQ_APPROX_PARTITIONED_MULTISETS_H
#define SWQ_APPROX_PARTITIONED_MULTISETS_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stddef.h>

enum { MULTISET_CLASSES = 64, MULTISET_SIZE = 64 };

/* The number of multisets of `size` things in `classes` classes; SIZE_MAX: too many to count. */
size_t multiset_count(int size, int classes);

/* Number of the multiset with count[classes], from 0 on, among those of the same size. */
size_t multiset_rank(const int *count, int classes);

/* The next one in the order of their numbers; false after the last. Starts with all in the last
 * class (multiset_first). */
void multiset_first(int *count, int classes, int size);
bool multiset_next(int *count, int classes);

#endif
