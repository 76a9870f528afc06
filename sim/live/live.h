/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network that is stepped: the network itself, what its caller has put into it, and what has come
 * out of it.
 */
#ifndef SWQ_SIM_LIVE_LIVE_H
#define SWQ_SIM_LIVE_LIVE_H

#include "sim/live/tokens.h"
#include "sim/stages/net.h"
#include "switchq/live.h"

struct swq_live {
    swq_context *ctx;
    swq_network network;
    swq_sim_options run;
    swq_live_options options;
    swq_net *net;
    uint64_t offered;     /* packets that were taken */
    uint32_t *offered_in; /* [nodes] 1 + the cycle for which a packet was last offered; 0: never */
    swq_tokens tokens;
    size_t token_room;
    /* ends that have not been read: [end_room], from end_first on */
    swq_live_end *end;
    size_t end_first, ends, end_room;
    swq_net_state state; /* of everything but the ends */
    uint64_t identity;
};

/* Makes room for `more` ends. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_live_reserve(swq_live *live, size_t more);

/* Called by the network as a packet ends, for which there is room: keeps the end. */
void swq_live_keep_end(void *live, const swq_end *end);

/* The arrays beside the network. */
static inline void swq_live_list(swq_live *live, swq_arrays *list)
{
    const uint32_t nodes = live->net->system.nodes;

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, live->offered_in, nodes);
    swq_tokens_list(&live->tokens, nodes, live->token_room, list);
}

/* The pieces of the state; the network has been made. */
void swq_live_lay_out_state(swq_live *live);

#endif
