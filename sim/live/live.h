/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network that is stepped: the network of an engine, what its caller has put into it, and what
 * has come out of it. An engine is a row of functions, in a file of its own.
 */
#ifndef SWQ_SIM_LIVE_LIVE_H
#define SWQ_SIM_LIVE_LIVE_H

#include "sim/live/tokens.h"
#include "sim/measure/state.h"
#include "sim/measure/system.h"
#include "switchq/live.h"

struct swq_net;       /* sim/stages/net.h */
struct swq_async_net; /* sim/frame/net.h */

/* What an engine does for a network that is stepped. Offers have been checked by `check_offer`. */
typedef struct swq_live_engine {
    uint32_t (*cycle)(const swq_live *live); /* the next one */
    /* after some cycles; NULL: nothing can have happened */
    swq_status (*after)(swq_live *live);
    size_t (*most_ends)(const swq_live *live); /* packets that can end in a cycle */
    swq_status (*check_offer)(const swq_live *live, const swq_live_packet *packet);
    bool (*is_full)(const swq_live *live, uint32_t source);
    void (*take)(swq_live *live, const swq_live_packet *packet);
    swq_live_shape (*shape)(const swq_live *live);
    void (*occupancy)(const swq_live *live, uint32_t *held);
    uint64_t (*waiting)(const swq_live *live, uint32_t source);
    swq_status (*set_load)(swq_live *live, double load); /* 0 .. 1 */
    /* The network's own pieces of the state, with its load; what follows from a state that has been
     * restored; and which network it is. */
    void (*state)(swq_live *live, swq_state *state);
    void (*restored)(swq_live *live);
    uint64_t (*identity)(const swq_live *live);
    void (*free)(swq_live *live);
} swq_live_engine;

struct swq_live {
    swq_context *ctx;
    swq_sim_options run;
    swq_live_options options;
    const swq_live_engine *engine;
    swq_system *system; /* the network of the engine: */
    /* the synchronous one */
    swq_network network;
    struct swq_net *net;
    /* the asynchronous one; the groups of senders are a copy, whose intervals belong to the state
     */
    swq_async async;
    swq_sender_group group[SWQ_MAX_SENDER_GROUPS];
    swq_fabric fabric;
    swq_async_watch watch;
    int shortest; /* bytes of the shortest packet that its stores have places for */
    struct swq_async_net *async_net;

    uint64_t offered;     /* packets that were taken */
    uint32_t *offered_in; /* [nodes] 1 + the cycle for which a packet was last offered; 0: never */
    swq_tokens tokens;
    size_t token_room;
    /* ends that have not been read: [end_room], from end_first on */
    swq_live_end *end;
    size_t end_first, ends, end_room;
    swq_state state; /* of everything but the ends */
    uint64_t identity;
};

/* The engines' own part of opening: a network that is empty, or an error that leaves what
 * swq_live_close frees. */
swq_status swq_live_begin(swq_context *ctx, const swq_live_options *options, swq_live **live);
swq_status swq_live_finish(swq_live *live);

/* Makes room for `more` ends. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_live_reserve(swq_live *live, size_t more);

/* Keeps the end of a packet, for which there is room, with its token. */
void swq_live_keep_end(swq_live *live, const swq_live_end *end);

/* Does the source of an offer exist, and the receiver? */
swq_status swq_live_check_nodes(const swq_live *live, const swq_live_packet *packet);

/* The arrays beside the network. */
static inline void swq_live_list(swq_live *live, swq_arrays *list)
{
    const uint32_t nodes = live->system->nodes;

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, live->offered_in, nodes);
    swq_tokens_list(&live->tokens, nodes, live->token_room, list);
}

/* The pieces of the state; the network has been made. */
void swq_live_lay_out_state(swq_live *live);

/* Add to a hash by which networks are told apart. */
void swq_live_mix(uint64_t *hash, const void *bytes, size_t count);
void swq_live_mix_text(uint64_t *hash, const char *text);
void swq_live_mix_number(uint64_t *hash, double number);
void swq_live_mix_buffer(uint64_t *hash, const swq_buffer *buffer);

#endif
