/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network's state, and going on from it with other random numbers.
 */
#include "sim/stages/net.h"

void swq_net_state_of(swq_net *net, swq_state *state)
{
    swq_arrays list = {0};

    *state = (swq_state){0};
    swq_state_add(state, &net->cycle, sizeof net->cycle);
    swq_state_add(state, &net->streams, sizeof net->streams);
    swq_state_add(state, &net->switch_stream.streams, sizeof net->switch_stream.streams);
    swq_state_add(state, &net->system.waiting, sizeof net->system.waiting);
    swq_state_add(state, net->system.inside,
                  (size_t)net->system.levels * sizeof *net->system.inside);
    swq_state_add(state, &net->sources.returned_free, sizeof net->sources.returned_free);
    swq_net_changing(net, &list);
    swq_state_add_arrays(state, &list);
}

void swq_net_branch(swq_net *net, swq_streams streams)
{
    net->streams = net->switch_stream.streams = streams;
    net->redraw(net);
}
