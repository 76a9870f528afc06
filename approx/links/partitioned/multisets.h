/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbering the ways in which alike things can be spread over classes: what becomes of the states
 * of k queues when only how many are in each state matters. Room: approx. Includes switchq.
 */
#ifndef SWQ_APPROX_PARTITIONED_MULTISETS_H
#define SWQ_APPROX_PARTITIONED_MULTISETS_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stddef.h>

enum { MULTISET_CLASSES = 64, MULTISET_SIZE = 64 };

/* How many multisets of `size` things there are in `classes` classes; SIZE_MAX: more than that. */
size_t multiset_count(int size, int classes);

/* Number of the multiset with count[classes], from 0 on, among those of the same size. */
size_t multiset_rank(const int *count, int classes);

/* The next one in the order of their numbers; false after the last. Starts with all in the last
 * class (multiset_first). */
void multiset_first(int *count, int classes, int size);
bool multiset_next(int *count, int classes);

#endif
