/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worms: packets that go flit by flit, spread over several switches, in buffers that may be smaller
 * than they are. A link has lanes (virtual channels), each with a buffer of its own at its end; a
 * packet takes a free lane of the next link with its first flit and gives it back with its last,
 * and lanes share the link flit by flit, for as long as their credits last (Dally, 1992).
 *
 * A switch is a pipeline: a header is routed, is given a lane, its flits win the crossbar one by
 * one, cross it, and are on the link. Where a stage takes several cycles it is not pipelined in
 * itself. Everything is advanced cycle by cycle, but only where there is something to do.
 * Room: sim. Includes base.
 */
#ifndef SWQ_SIM_WORMS_WORMS_H
#define SWQ_SIM_WORMS_WORMS_H

#include "base/arrays.h"
#include "sim/stream.h"
#include "switchq/async.h"

#define SWQ_NO_WORM UINT32_MAX

/* Cycles of a switch's stages and of what is between switches. */
typedef struct swq_worm_times {
    int routing;  /* of a header, before it asks for a lane, >= 0 */
    int lane;     /* from asking for a lane until the crossbar is asked for, >= 0; 0: both are asked
                     for at once, and the crossbar in vain if there is no lane */
    int crossbar; /* from asking for the crossbar until crossing, 1 */
    int crossing; /* >= 0 */
    int link;     /* between switches, >= 1 */
    int node_link; /* between a node and its switch, >= 1 */
    int credit;    /* from a flit's leaving a buffer, beyond the link, until its credit counts, >= 0
                    */
} swq_worm_times;

/* Which of the outputs that a packet may take it does, adaptive routing. */
typedef enum swq_worm_pick {
    SWQ_PICK_ROOM,  /* that with a free lane behind which there is most room */
    SWQ_PICK_FIRST, /* that with a free lane which is the deterministic way's, or next to it */
    SWQ_PICK_TURN,  /* of all free lanes of all of them the next one in a circle */
    SWQ_PICK_RANDOM /* one is drawn as it is routed, and the packet waits for that */
} swq_worm_pick;

typedef struct swq_worm_plan {
    const swq_fabric *fabric; /* laid out. Adaptive: its escape classes are the first lanes, all
                                 others are for any way */
    int lanes;                /* of each link, 1 .. SWQ_MAX_LANES */
    int lane_flits;           /* of a lane's buffer, 1 .. SWQ_MAX_LANE_FLITS; of a pool at most */
    int pool;                 /* flits of the buffer that all lanes of an input share; 0: each lane
                                 has a buffer of its own */
    int reserve;              /* of these each lane has so many to itself, >= 1, ... */
    bool reserve_in_use;      /* ... while it has a packet or flits, and one lane that each packet
                                 may take always; else always */
    swq_lanes_for choice;     /* deterministic routing */
    bool by_another;    /* packets go over another node: the lower half of the lanes is for the
                           way to it, the upper half for that on from it */
    swq_worm_pick pick; /* adaptive routing */
    bool escapes_alike; /* escape lanes are taken as all others, and from nodes; else when no other
                           is free */
    bool escapes_kept;  /* from an escape lane a packet goes on in escape lanes alone */
    bool atomic;        /* a lane is given to a packet only when its buffer is empty */
    swq_worm_times times;
} swq_worm_plan;

/* A packet in the network. */
typedef struct swq_worm {
    uint32_t from, to; /* of the way that it is on */
    uint32_t then;     /* where it goes on to, or SWQ_NO_WORM */
    bool goes_on;      /* it does so */
    uint32_t flits;
    uint32_t next; /* of the free ones */
} swq_worm;

/* An input's lane. The packet in front is kept here, those behind it in a ring. A lane whose packet
 * has been given a lane of the next link is active, from when it may ask for the crossbar on: it
 * does so while a flit is here and has a credit. */
typedef struct swq_worm_lane {
    uint32_t worm;  /* in front */
    uint32_t since; /* from this cycle on it may ask for a lane, or for the crossbar */
    union {
        uint32_t outs; /* before it has a lane; adaptive: the outputs that it may take */
        uint32_t want; /* then: the place in swq_worms.want of this input and the output */
    };
    union {
        uint32_t may;  /* the lanes of the next link that it may take */
        uint32_t next; /* the place's lane that it has been given */
    };
    uint32_t left;                   /* its flits that have not left this buffer */
    uint16_t here;                   /* those of them that are here */
    uint8_t first;                   /* its place in the ring */
    uint8_t packets;                 /* in the ring, this one among them */
    uint8_t out;                     /* where it goes: an output of the switch ... */
    uint8_t out_lane;                /* ... and the lane that it has been given there */
    uint8_t escape_out, escape_lane; /* adaptive: another choice, if no lane of those is free */
    bool begins;                     /* none of its flits has left this buffer */
    bool active;
    uint8_t input, number; /* of the switch, and of the input: what this lane is */
} swq_worm_lane;

typedef struct swq_worm_behind {
    uint32_t worm, here;
} swq_worm_behind;

/* The lanes of an input: sets of them. */
typedef struct swq_worm_input {
    uint32_t switch_, base; /* its switch, and the first input of that */
    uint32_t waiting;       /* the packet in front needs a lane */
    uint32_t coming;        /* it has been given one, and may not ask for the crossbar yet */
    uint32_t upstream;      /* the place whose lanes end here */
    uint8_t first;          /* the lane that is looked at first for a lane of the next link, ... */
    uint8_t turn;           /* ... and for the crossbar; */
    uint8_t accept;         /* the output that is looked at first */
} swq_worm_input;

/* The inputs of a switch of which a lane waits, or is coming: sets. Nothing is new for packets that
 * wait after cycle `until`. */
typedef struct swq_worm_switch {
    uint32_t waiting, coming, until;
} swq_worm_switch;

/* What sends over a link: an output of a switch, or a node. */
typedef struct swq_worm_place {
    uint32_t to;       /* the input that the link ends at, or SWQ_TO_NODE | node */
    uint32_t unowned;  /* set of the lanes that no packet has */
    uint32_t credited; /* set of the lanes that have room for a flit */
    uint32_t asked;    /* an output: set of the inputs of which a lane asks for it ... */
    uint32_t base;     /* ... and the first of these */
    uint8_t grant;     /* the input that is looked at first */
    uint8_t turn;      /* the lane that is looked at first */
} swq_worm_place;

/* What a place knows of the pool that its lanes share at the next input. A lane holds the flits of
 * it whose credits are not back, and what is reserved of it if that is more. */
typedef struct swq_worm_pool {
    uint32_t room;    /* set of the lanes that have fewer than lane_flits there */
    uint32_t reserve; /* set of those that have less than is reserved for them */
    uint32_t free;    /* flits that no lane holds */
} swq_worm_pool;

/* A node that sends. */
typedef struct swq_worm_node {
    uint32_t worm; /* the packet that it is sending, or SWQ_NO_WORM */
    uint32_t left;
    uint8_t lane, turn;
    bool has_lane;
} swq_worm_node;

/* Something that is on a link: a flit, or a credit. */
typedef struct swq_worm_flit {
    uint32_t lane; /* the input's lane; to a node SWQ_HEADER_LEAVES or SWQ_TAIL_COMES */
    uint32_t worm; /* of a header; of other flits SWQ_NO_WORM, but to a node its packet */
} swq_worm_flit;

enum { SWQ_HEADER_LEAVES = INT32_MAX - 1, SWQ_TAIL_COMES = INT32_MAX };

typedef struct swq_worms swq_worms;

/* What others are told. */
typedef struct swq_worm_told {
    void *arg;
    /* A header leaves its node; leaves a buffer, by output `out` of all; */
    void (*begun)(void *arg, uint32_t worm);
    void (*passed)(void *arg, uint32_t worm, uint32_t port, uint32_t out);
    /* begins its way over the last link, to its node; */
    void (*last)(void *arg, uint32_t worm);
    /* and the last flit has arrived there, in the cycle before this one: the number is free. */
    void (*arrived)(void *arg, uint32_t worm);
    /* The last flit leaves its node. */
    void (*sent)(void *arg, uint32_t worm);
    const swq_streams *streams; /* to draw from, if the plan asks for that */
} swq_worm_told;

struct swq_worms {
    swq_worm_plan plan;
    swq_worm_told told;
    uint32_t cycle;
    uint32_t rotation; /* of the ports: each is looked at first in turn */
    uint32_t ports, inputs, lanes, depth;
    uint32_t all;    /* the set of all lanes */
    uint32_t shift;  /* lane l of place p is (p << shift) + l */
    uint32_t latest; /* a power of two, longer than anything is on its way */
    uint32_t width;  /* flits, and headers and tails to nodes, that can arrive in one cycle */

    swq_worm *worm; /* [worms] */
    uint32_t free_worm, worms;
    uint32_t inside;
    swq_worm_lane *lane;      /* [inputs << shift] */
    swq_worm_behind *behind;  /* [(inputs << shift) * depth] */
    swq_worm_input *input;    /* [inputs] */
    swq_worm_switch *switch_; /* [switches] */
    swq_worm_place *place;    /* [inputs + nodes]: outputs, then nodes */
    uint16_t *credit;         /* [(inputs + nodes) << shift] flits that there is room for */
    swq_worm_pool *pool;      /* [inputs + nodes], or nothing */
    uint32_t always;          /* set of the lanes that always have their reserve */
    uint32_t *holder;         /* [inputs << shift] the input's lane that an output's is given to */
    uint16_t *after;          /* [inputs << shift] SWQ_PICK_TURN: the one that it begins with */
    uint32_t *want;           /* [inputs * ports] the lanes of an input that ask for an output */
    swq_worm_node *node;      /* [nodes] */
    uint64_t *busy;           /* set of the switches in which lanes may be given, or are coming */
    uint64_t *asking;         /* set of the outputs that a lane asks for */
    uint64_t *accepting;      /* set of the inputs that are granted an output in this cycle ... */
    uint32_t *granted;        /* [inputs] ... and of which outputs */
    uint32_t *given;          /* [inputs << shift] lanes that may ask from the next cycle on */
    uint32_t given_count;
    bool by_credits;   /* whether a lane can be given away depends on credits */
    uint64_t *sending; /* set of the nodes that are sending */

    /* what arrives in each of the next `latest` cycles */
    swq_worm_flit *flit;       /* [latest * (inputs + nodes)] */
    uint32_t *credited;        /* [latest * inputs] a place's lane */
    uint32_t *flits, *credits; /* [latest] where in these the next one's place is */

    uint8_t *movable;  /* [inputs << shift] */
    uint64_t *crossed; /* [inputs] flits that have left by each output */
};

/* Sizes; the arrays, after that; and, when these have been taken, an empty network. */
void swq_worms_lay_out(swq_worms *w, const swq_worm_plan *plan);
void swq_worms_list(swq_worms *w, swq_arrays *list);
void swq_worms_empty(swq_worms *w, const swq_worm_told *told);

/* Can a node begin to send a packet? It does so with one alone. */
static inline bool swq_worms_idle(const swq_worms *w, uint32_t node)
{
    return w->node[node].worm == SWQ_NO_WORM;
}

/* It does, from this cycle on: the packet's number, which stays its until its tail has arrived. */
uint32_t swq_worms_send(swq_worms *w, uint32_t node, uint32_t to, uint32_t flits);

/* How many flits are on their way, or credits, that arrive in a slot of the next cycles. */
static inline uint32_t swq_worms_flits(const swq_worms *w, uint32_t slot)
{
    return w->flits[slot] - slot * w->width;
}

static inline uint32_t swq_worms_credits(const swq_worms *w, uint32_t slot)
{
    return w->credits[slot] - slot * w->inputs;
}

/* The same, over another node. */
uint32_t swq_worms_send_by(swq_worms *w, uint32_t node, uint32_t by, uint32_t to, uint32_t flits);

/* One cycle. */
void swq_worms_cycle(swq_worms *w);

/* A lane that waits for another one: input lanes, as numbered in swq_worms.lane. */
typedef struct swq_worm_wait {
    uint32_t lane, next;
} swq_worm_wait;

/* Can some packets never move again? Then a cycle of lanes that wait for each other: its length,
 * and the first `most` of them. O(lanes^2) at worst. */
bool swq_worms_stuck(swq_worms *w, swq_worm_wait *wait, int most, int *count);

/* The lanes of the link to an input that a packet may take, a set; the escape lanes not among them.
 */
uint32_t swq_worm_lanes(const swq_worm_plan *plan, uint32_t port, const swq_worm *p);

/* Lanes of which every packet may take one on every link, a set. */
uint32_t swq_worm_first_lanes(const swq_worm_plan *plan);

/* Has the graph of channel dependencies a cycle? Then packets may deadlock, and else they cannot.
 * O((inputs * lanes)^2) bits, and O(nodes^2 * hops). Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_worms_dependencies(swq_context *ctx, const swq_worm_plan *plan, bool *cycle);

/* Flits of its pool that a lane of a place holds: see swq_worm_pool. */
static inline uint32_t swq_worms_hold(const swq_worms *w, uint32_t place, uint32_t l)
{
    const uint32_t used = w->depth - w->credit[((size_t)place << w->shift) + l];
    const bool reserves = (w->always | ~w->place[place].unowned) >> l & 1;
    const uint32_t reserve = reserves ? (uint32_t)w->plan.reserve : 0;

    return used > reserve ? used : reserve;
}

/* Flits in the buffers and on the links. Is every one of them where its credit is missing? */
uint32_t swq_worms_held(const swq_worms *w, uint32_t port); /* in the buffers of an input */
uint64_t swq_worms_audit(const swq_worms *w, bool *sound);

#endif
