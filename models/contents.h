/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many contents of buffers, sources and output queues a permutation of the outputs leaves
 * alone.
 */
#ifndef SWQ_MODELS_CONTENTS_H
#define SWQ_MODELS_CONTENTS_H

#include "models/symmetry.h"

/* Cycles of a permutation of outputs. */
typedef struct swq_cycles {
    int count, length[SWQ_CHAIN_PORTS], fixed; /* fixed: cycles of length one */
} swq_cycles;

/* Counts of contents by cycle type: a group has thousands of permutations and few types. */
typedef struct swq_contents_cache {
    int types;
    uint64_t type[16]; /* a hash of the numbers of cycles of each length */
    double count[16];
} swq_contents_cache;

/* The cycles of a power of a permutation of n elements. */
swq_cycles swq_cycles_of_power(const uint8_t *permutation, int n, int power);

/* The number of fixed contents of a buffer with queues of two classes; written: if states are
 * written out in full, with each packet's class and destination. work: [2 * (slots + 1)]. */
double swq_class_contents(const swq_layout *l, const swq_cycles *c, bool written, double *work);

/* Lists of at most `longest` packets with n destinations each. */
double swq_count_lists(int n, int longest);

/* Packets that a single queue can hold. */
int swq_longest_queue(const swq_buffer *b);

/* The number of fixed contents for one cycle of inputs, or for the pool: contents of a buffer times
 * slots not yet credited, which are counted as none or one queue's. `c` is the cycle type of the
 * outputs' permutation after going once around the cycle. */
double swq_fixed_contents(const swq_switch *sw, const swq_layout *l, const swq_cycles *c,
                          double *work, swq_contents_cache *cache);

/* The number of fixed lengths of output queues: lengths are equal along the cycles, and, if
 * departures come last, at most one less than their slots. */
double swq_fixed_outputs(const swq_switch *sw, const swq_layout *l, const swq_cycles *c);

/* The number of fixed contents of the sources: packets that they hold, or bursts that they
 * continue. */
double swq_fixed_held(const swq_layout *l, const swq_cycles *c);

#endif
