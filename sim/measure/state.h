/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A state as a list of pieces of memory, which are copied away and back. Pointers are no part of a
 * piece, so that a state can be restored in another process.
 */
#ifndef SWQ_SIM_MEASURE_STATE_H
#define SWQ_SIM_MEASURE_STATE_H

#include "base/arrays.h"

#include <stddef.h>

enum { SWQ_STATE_PIECES = 128 };

typedef struct swq_state {
    struct {
        void *at;
        size_t bytes;
    } piece[SWQ_STATE_PIECES];
    int pieces;
    size_t bytes; /* of all pieces */
} swq_state;

void swq_state_add(swq_state *state, void *at, size_t bytes);

/* Adds all arrays of a list that are allocated, whose numbers of elements must be known. */
void swq_state_add_arrays(swq_state *state, const swq_arrays *list);

/* Copies the state away, and back: [state->bytes]. A copy can only be restored to a state of the
 * same pieces. */
void swq_state_save(const swq_state *state, unsigned char *to);
void swq_state_restore(const swq_state *state, const unsigned char *from);

#endif
