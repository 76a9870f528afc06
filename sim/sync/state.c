/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network's state: kept, brought back, and gone on from with other random numbers.
 * Room: sim.
 */
#include "sim/sync/net.h"

#include <assert.h>
#include <string.h>

static void add(swq_net_state *s, void *at, size_t count, size_t size)
{
    if (!at || count == 0)
        return;
    assert(s->pieces < SWQ_STATE_PIECES);
    s->piece[s->pieces].at = at;
    s->piece[s->pieces].bytes = count * size;
    s->bytes += count * size;
    s->pieces++;
}

#define ADD(array, count) add(state, array, count, sizeof *(array))

static void add_sources(swq_net *net, swq_net_state *state)
{
    const swq_traffic *t = &net->spec->traffic;
    swq_sources *s = &net->sources;
    size_t n = net->system.nodes;

    ADD(s->birth, n);
    ADD(s->to, n);
    ADD(s->number, n);
    ADD(s->later_birth, n);
    ADD(s->later_to, n);
    ADD(s->later, n);
    ADD(s->ring, n * t->queue_limit);
    ADD(s->ring_start, n);
    ADD(s->ring_length, n);
    ADD(s->returned_head, n);
    ADD(s->returned_tail, n);
    ADD(s->returned_next, s->returned_room);
    ADD(s->returned, s->returned_room);
    ADD(&s->returned_free, s->returned ? 1 : 0);
}

void swq_net_state_of(swq_net *net, swq_net_state *state)
{
    const size_t buffers = (size_t)net->system.levels * net->buffers;
    const size_t queues = buffers * (size_t)net->queues, parts = buffers * (size_t)net->parts;
    const size_t slots = buffers * (size_t)net->slots;
    const size_t switches = (size_t)net->system.levels * (net->system.nodes / (uint32_t)net->ports);

    *state = (swq_net_state){0};
    ADD(&net->cycle, 1);
    ADD(&net->streams, 1);
    ADD(&net->switch_stream.streams, 1);
    ADD(&net->system.waiting, 1);
    ADD(net->stage_packets, (size_t)net->system.levels);
    ADD(net->length, queues);
    ADD(net->room, parts);
    ADD(net->order, queues);
    ADD(net->tail, queues);
    ADD(net->link, buffers * (size_t)net->links);
    ADD(net->packet, slots);
    ADD(net->trail, slots);
    ADD(net->since, queues);
    ADD(net->memory, switches * (size_t)net->memory_words);
    ADD(net->seen_length, queues);
    ADD(net->seen_room, parts);
    add_sources(net, state);
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
    swq_sources_redraw(net);
}
