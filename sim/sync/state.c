/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network's state: kept, brought back, and gone on from with other random numbers.
 */
#include "sim/stages/net.h"

#include <assert.h>
#include <string.h>

void swq_net_state_add(swq_net_state *s, void *at, size_t bytes)
{
    assert(s->pieces < SWQ_STATE_PIECES);
    s->piece[s->pieces].at = at;
    s->piece[s->pieces].bytes = bytes;
    s->bytes += bytes;
    s->pieces++;
}

void swq_net_state_of(swq_net *net, swq_net_state *state)
{
    swq_arrays list = {0};

    *state = (swq_net_state){0};
    swq_net_state_add(state, &net->cycle, sizeof net->cycle);
    swq_net_state_add(state, &net->streams, sizeof net->streams);
    swq_net_state_add(state, &net->switch_stream.streams, sizeof net->switch_stream.streams);
    swq_net_state_add(state, &net->system.waiting, sizeof net->system.waiting);
    swq_net_state_add(state, net->system.inside,
                      (size_t)net->system.levels * sizeof *net->system.inside);
    swq_net_state_add(state, &net->sources.returned_free, sizeof net->sources.returned_free);
    swq_net_changing(net, &list);
    for (int k = 0; k < list.count; k++) {
        void *block = swq_arrays_block(&list, k);
        /* otherwise a part of the state would be lost */
        assert(!block || list.array[k].elements > 0);
        if (block)
            swq_net_state_add(state, block, (size_t)list.array[k].elements * list.array[k].size);
    }
}

void swq_net_save(const swq_net_state *state, unsigned char *to)
{
    for (int k = 0; k < state->pieces; k++) {
        memcpy(to, state->piece[k].at, state->piece[k].bytes);
        to += state->piece[k].bytes;
    }
}

void swq_net_restore(const swq_net_state *state, const unsigned char *from)
{
    for (int k = 0; k < state->pieces; k++) {
        memcpy(state->piece[k].at, from, state->piece[k].bytes);
        from += state->piece[k].bytes;
    }
}

void swq_net_branch(swq_net *net, swq_streams streams)
{
    net->streams = net->switch_stream.streams = streams;
    net->redraw(net);
}
