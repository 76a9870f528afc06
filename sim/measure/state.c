/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces of memory, copied away and back.
 */
#include "sim/measure/state.h"

#include <assert.h>
#include <string.h>

void swq_state_add(swq_state *s, void *at, size_t bytes)
{
    assert(s->pieces < SWQ_STATE_PIECES);
    s->piece[s->pieces].at = at;
    s->piece[s->pieces].bytes = bytes;
    s->bytes += bytes;
    s->pieces++;
}

void swq_state_add_arrays(swq_state *s, const swq_arrays *list)
{
    for (int k = 0; k < list->count; k++) {
        void *block = swq_arrays_block(list, k);
        /* otherwise a part of the state would be lost */
        assert(!block || list->array[k].elements > 0);
        if (block)
            swq_state_add(s, block, (size_t)list->array[k].elements * list->array[k].size);
    }
}

void swq_state_save(const swq_state *state, unsigned char *to)
{
    for (int k = 0; k < state->pieces; k++) {
        memcpy(to, state->piece[k].at, state->piece[k].bytes);
        to += state->piece[k].bytes;
    }
}

void swq_state_restore(const swq_state *state, const unsigned char *from)
{
    for (int k = 0; k < state->pieces; k++) {
        memcpy(state->piece[k].at, from, state->piece[k].bytes);
        from += state->piece[k].bytes;
    }
}
