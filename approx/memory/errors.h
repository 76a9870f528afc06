/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors of the method `shared-memory`: errors.csv as a C array, made by errors.awk.
 * scripts/measure-shared-memory.py measures it anew.
 */
#ifndef SWQ_APPROX_MEMORY_ERRORS_H
#define SWQ_APPROX_MEMORY_ERRORS_H

/* A switch, the fraction of packets that it loses, and what the method gives. */
typedef struct memory_error {
    int ports;
    double load;
    int slots;         /* of the whole memory */
    double loss;       /* exact, or simulated */
    double half_width; /* of the simulated loss, as a fraction of it; 0: the loss is exact */
    double approximated;
} memory_error;

extern const memory_error memory_measured[];
extern const int memory_measured_count;

#endif
