/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The measured error of the method `shared-memory`.
 */
#ifndef SWQ_APPROX_MEMORY_OFF_H
#define SWQ_APPROX_MEMORY_OFF_H

#include "switchq/approx.h"

/* Errors in the measured switches of as many ports, or with the next fewer and more. */
typedef struct memory_span {
    int below, above;         /* ports; equal if that number was measured, or is outside of all */
    double least, most;       /* approximated loss / true loss */
    double rarest, commonest; /* true losses */
    double half_width; /* the widest, as a fraction of the simulated loss; 0: all are exact */
} memory_span;

memory_span memory_span_of(int ports);

/* The error as a sentence; writes into text, which it returns. */
const char *memory_off(const swq_network *network, char *text, size_t size);

#endif
