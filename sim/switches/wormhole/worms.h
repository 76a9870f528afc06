/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worms: packets that go flit by flit, spread over several switches, in buffers that may be smaller
 * than they are. A link has lanes (virtual channels), each with a buffer of its own at its end; a
 * packet takes a free lane of the next link with its first flit and gives it back with its last,
 * and lanes share the link flit by flit, for as long as their credits last (Dally, 1992).
 *
 * A switch is a pipeline: a header is routed, is given a lane, its flits win the crossbar one by
 * one, cross it, and are on the link. A stage of several cycles is not pipelined in itself. The
 * engine goes cycle by cycle, and looks only at lanes with something to do.
 */
#ifndef SWQ_SIM_SWITCHES_WORMHOLE_WORMS_H
#define SWQ_SIM_SWITCHES_WORMHOLE_WORMS_H

#include "base/arrays.h"
#include "base/port_set.h"
#include "sim/stream.h"
#include "switchq/async.h"

#include <pthread.h>

#define SWQ_NO_WORM UINT32_MAX

/* Delays in cycles: of the stages of a switch, and of links. */
typedef struct swq_worm_times {
    int routing; /* of a header until it asks for a lane, >= 0 */
    int lane; /* from asking for a lane to asking for the crossbar, >= 0; 0: both are requested in
                 the same cycle, the crossbar in vain if there is no lane */
    int crossbar;  /* from asking for the crossbar to crossing, 1 */
    int crossing;  /* >= 0 */
    int link;      /* between switches, >= 1 */
    int node_link; /* between a node and its switch, >= 1 */
    int credit;    /* from the departure of a flit until its credit counts, beyond the delay of the
                      link, >= 0 */
} swq_worm_times;

/* Adaptive routing: which of its possible outputs a packet takes. */
typedef enum swq_worm_pick {
    SWQ_PICK_ROOM,  /* one with a free lane, with the most room at the next switch */
    SWQ_PICK_FIRST, /* with a free lane, the first from the deterministic output on */
    SWQ_PICK_TURN,  /* the next free lane, in a circle over the lanes of all outputs */
    SWQ_PICK_RANDOM /* one drawn when the packet is routed; the packet waits for it */
} swq_worm_pick;

typedef struct swq_worm_plan {
    const swq_fabric *fabric; /* laid out. Adaptive: escape classes use the first lanes, and all
                                 other lanes are for any route */
    int lanes;                /* lanes of each link, 1 .. SWQ_MAX_LANES */
    int node_lanes;           /* packets that a node sends at once, each in a lane, 1 .. lanes */
    int lane_flits; /* flits of a lane's buffer, or at most of its pool, 1 .. SWQ_MAX_LANE_FLITS */
    int pool;       /* flits of the buffer shared by all lanes of an input; 0: each lane has its own
                       buffer */
    int reserve;    /* flits of the pool reserved for each lane, >= 1, ... */
    bool reserve_in_use;  /* ... while it has a packet or flits, and for one lane that every packet
                             may take always; else for every lane always */
    swq_lanes_for choice; /* which lanes a packet may take, deterministic routing */
    bool by_another; /* packets travel via another node: unless lanes are for phases, the lower half
                        of them is for the way to this node, and the upper half for the way on */
    const swq_routing *routing; /* by_another, and whether a packet does; NULL: deterministic */
    swq_worm_pick pick;         /* adaptive routing */
    bool escapes_alike; /* escape lanes are taken like all others, and from nodes; else only when no
                           other lane is free */
    bool escapes_kept;  /* from an escape lane a packet continues in escape lanes only */
    bool atomic;        /* a lane is given to a packet only when its buffer is empty */
    swq_worm_times times;
    uint32_t spare;         /* numbers of packets that idle threads may keep */
    const int *level_delay; /* [levels of the fabric] of the links of each level, in place of
                               times.link and times.node_link; NULL: these */
} swq_worm_plan;

/* A packet in the network. */
typedef struct swq_worm {
    swq_packet_state state;
    union {
        uint32_t flits;
        uint32_t next; /* of a free record: the next one */
    };
} swq_worm;

/* A word of a set of the inputs, or of the outputs, of a bank: of switches in a row whose ports are
 * members of one set. A set has one word, or those of SWQ_WORM_WIDE if switches have more than 64
 * ports, in which case a bank is a switch. */
typedef swq_port_set swq_worm_ports;

enum { SWQ_WORM_WIDE = SWQ_PORT_SET_WIDE };

/* An input's lane. The packet in front is kept here, those behind it in a ring. A lane is active
 * when its front packet has been given a lane of the next link; it may then ask for the crossbar,
 * and does so while it has a flit here and a credit. */
typedef struct swq_worm_lane {
    uint32_t worm;    /* the packet in front */
    uint32_t since;   /* the cycle from which the packet may ask for a lane, or for the crossbar */
    uint32_t may;     /* the lanes of the next link that it may take */
    uint32_t left;    /* flits of the packet that have not left this buffer */
    uint16_t here;    /* flits of the packet that are here */
    uint16_t accept;  /* the lane of an output that comes first when its packet accepts a grant, as
                         (output << shift) + lane */
    uint8_t first;    /* its first entry in the ring */
    uint8_t packets;  /* packets, including the one in front */
    uint8_t out;      /* its output, by its number in the bank, ... */
    uint8_t out_lane; /* ... and the lane there that it has been given */
    uint8_t escape_out, escape_lane; /* adaptive: the alternative if none of the adaptive lanes is
                                        free */
    bool begins;                     /* no flit of the packet has left this buffer */
    bool active;
    uint8_t input, number; /* the number of the input in its bank, and of the lane in the input */
} swq_worm_lane;

typedef struct swq_worm_behind {
    uint32_t worm, here;
} swq_worm_behind;

enum { SWQ_WORM_FEW = 8 };

/* Sets of the lanes of an input, and the place that sends over the link to this input: an output of
 * a switch, or a node. */
typedef struct swq_worm_input {
    uint32_t switch_, bank; /* its switch, and the bank of the switch */
    uint32_t base;          /* the first input of the bank */
    uint32_t waiting;       /* the packet in front needs a lane */
    uint32_t coming;    /* the packet in front has a lane, but may not ask for the crossbar yet */
    uint32_t asking;    /* the packet in front asks for the crossbar */
    uint32_t upstream;  /* the place, ... */
    uint32_t sender;    /* ... its bank or SWQ_TO_NODE | node, ... */
    uint8_t sender_out; /* ... and its number there */
    uint8_t first;      /* the number, in the bank, of the first input of the switch */
    uint8_t accept;     /* the output that comes first */
    uint16_t back;      /* cycles of a credit to this place: delay of the link, and times.credit */
    uint64_t outs;      /* byte l: the output of lane l, of up to SWQ_WORM_FEW lanes */
} swq_worm_input;

/* The sender of a link: an output of a switch, or a node. */
typedef struct swq_worm_place {
    uint32_t to;         /* the input that the link leads to, or SWQ_TO_NODE | node; ... */
    uint32_t receiver;   /* ... the bank of this input, ... */
    uint32_t unowned;    /* set of the lanes that no packet owns */
    uint32_t credited;   /* set of the lanes with room for a flit */
    uint16_t delay;      /* cycles of a flit on the link */
    uint8_t receiver_in; /* ... and its number there */
    uint8_t grant;       /* the input that comes first */
    uint8_t turn;        /* the lane that comes first when a pool has no room for all */
} swq_worm_place;

/* The clock of a place's link, where links have several speeds: docs/graphs.md, "Links of several
 * speeds". A busy link begins `flits` flits in `cycles` cycles, each in the first cycle in which
 * the one before has passed. */
typedef struct swq_worm_pace {
    uint32_t cycles, flits; /* cycles >= flits */
    uint32_t free;          /* the first cycle in which a flit can begin: the one before has passed
                               `early` / `flits` cycles before, ... */
    uint32_t early;         /* ... less than a cycle */
} swq_worm_pace;

/* A lane of a place. */
typedef struct swq_worm_exit {
    uint32_t holder; /* the input's lane that it is given to, or whose request it grants, as
                        (input << shift) + lane, of an output */
    uint16_t credit; /* free room, in flits */
    uint16_t grant; /* the input's lane that comes first, as (input << shift) + lane, when it grants
                       a request */
} swq_worm_exit;

/* The packet in front of an input's lane requests free lanes of an output, by their numbers in the
 * bank. */
typedef struct swq_worm_request {
    uint32_t lane, out, lanes;
} swq_worm_request;

/* What a bank writes down for itself during a cycle. Its ports are at most as many as a set has. */
typedef struct swq_worm_notes {
    swq_worm_request *request; /* [ports << shift, for all lanes of all outputs times the ports of a
                                  switch] */
    uint32_t requests;
    swq_worm_ports wanted[SWQ_WORM_WIDE]; /* outputs of which a packet requests lanes, ... */
    swq_worm_ports rivals[SWQ_WORM_WIDE]; /* ... and of which several do */
    uint32_t *first;     /* [ports] the first request for an output that is wanted */
    uint32_t *requested; /* [ports] the set of an output's lanes that grant a request */
    swq_worm_ports
        *granted;    /* [ports * words] the set of the outputs that an input has been granted */
    uint32_t *given; /* [ports << shift] lanes that may ask from the next cycle on */
    uint32_t given_count;
} swq_worm_notes;

/* The sender's view of the pool that the lanes of a link share at the next input. A lane occupies
 * the flits whose credits have not come back, or its reserve if that is more. */
typedef struct swq_worm_pool {
    uint32_t room;    /* set of the lanes with fewer than lane_flits there */
    uint32_t reserve; /* set of the lanes below their reserve */
    uint32_t free;    /* flits held by no lane */
} swq_worm_pool;

/* A node that sends. Packets are under way from their first flit to their last. */
typedef struct swq_worm_node {
    uint32_t worm;   /* the packet that waits for a lane, or SWQ_NO_WORM */
    uint32_t latest; /* the packet that was given a lane last */
    uint32_t lanes;  /* set of the lanes with a packet under way */
    uint8_t packets; /* under way */
    uint8_t turn;    /* the lane that comes first when a packet is given one */
    uint8_t last;    /* the lane that has sent last */
} swq_worm_node;

/* A packet under way from its node. */
typedef struct swq_worm_sending {
    uint32_t worm, left; /* left: flits still to be sent */
} swq_worm_sending;

/* A flit on a link to a switch, for a lane of an input. */
typedef struct swq_worm_flit {
    uint32_t lane; /* 0 .. lanes-1 */
    uint32_t worm; /* of a header, its packet; of other flits SWQ_NO_WORM */
} swq_worm_flit;

/* On a link to a node, a header that leaves the last switch, or a tail that comes to the node. */
typedef struct swq_worm_leaving {
    uint32_t worm;
    bool tail;
} swq_worm_leaving;

typedef struct swq_worms swq_worms;

/* Callbacks that report events. */
typedef struct swq_worm_told {
    void *arg;
    /* A header leaves its node; leaves a buffer by output `out`, numbered over all switches, with a
     * packet of so many flits; ... */
    void (*begun)(void *arg, uint32_t worm);
    void (*passed)(void *arg, uint32_t worm, uint32_t port, uint32_t out, uint32_t flits);
    /* ... begins its way over the last link, to its node; ... */
    void (*last)(void *arg, uint32_t worm);
    /* ... and the last flit has arrived there, in the cycle before this one: the number is free. */
    void (*arrived)(void *arg, uint32_t worm);
    /* The node of packet `worm`, the last packet that has begun to leave the node, may be given
     * another packet. */
    void (*done)(void *arg, uint32_t worm);
    /* A packet will be at its node soon: its memory may be fetched ahead. May be NULL if the
     * network is not `far`. */
    void (*fetch)(void *arg, uint32_t worm);
    const swq_streams *streams; /* for random choices, if the plan makes any */
} swq_worm_told;

/* What the threads of a network on several share: each has a copy of swq_worms, some switches in a
 * row, and the nodes at them. Within a cycle, it writes what arrives at other switches in later
 * cycles: flits and credits where nobody else writes, and its own sets of them. */
typedef struct swq_worm_team {
    int shares;
    swq_worms *whole; /* the first share, of which the others are copies */
    struct {
        swq_worm_ports *arriving, *returning;
        uint64_t *returning_node;
    } of[SWQ_MAX_THREADS];   /* [shares] sets of what arrives, as the share knows it */
    pthread_mutex_t numbers; /* held to take or give back numbers of packets */
    uint32_t free_worm;      /* the first of those that no share has; or SWQ_NO_WORM */
} swq_worm_team;

/* A credit that is held back until a cycle. */
typedef struct swq_worm_late {
    uint32_t when, lane;
} swq_worm_late;

/* Round trips of credits: round_trips.h. */
typedef struct swq_worm_trips {
    uint32_t *sent;   /* [(inputs << shift) * depth] of an output's lane, in a ring: when the flits
                         were granted the crossbar whose credits are not back; or NULL */
    uint16_t *next;   /* [inputs << shift] the place of the next one */
    uint32_t *excess; /* [inputs] of an output: how late its latest credit was, in cycles */
    swq_worm_late *late; /* [inputs * lanes * depth] of an input, by their cycles ... */
    uint32_t *held;      /* [inputs] ... and their number */
} swq_worm_trips;

struct swq_worms {
    swq_worm_plan plan;
    swq_worm_told told;
    swq_worm_team *team;        /* NULL: the network is whole */
    uint32_t first_bank, banks; /* of a share, or all */
    uint32_t cycle;
    uint32_t ports, inputs, lanes, depth;
    uint32_t words;                         /* of a set of ports: 1, or SWQ_WORM_WIDE */
    uint32_t bank_ports;                    /* of each bank but the last, which may have fewer */
    uint32_t places, all_banks, node_words; /* outputs and nodes; of the whole network; words of a
                                               set of nodes */
    uint32_t all;                           /* set of all lanes */
    uint32_t shift;                         /* lane l of place p is (p << shift) + l */
    uint32_t latest; /* length of the time wheel: a power of two, longer than any delay */
    uint32_t width;  /* most headers and tails to nodes that arrive in a cycle */

    swq_worm *worm; /* [worms] */
    uint32_t free_worm, worms;
    uint32_t idle; /* of a share: the length of its list of free numbers */
    uint32_t inside;
    swq_worm_lane *lane;     /* [inputs << shift] */
    swq_worm_ports *outs;    /* [(inputs << shift) * words] adaptive: the outputs that the packet in
                                front may take, before it has a lane */
    swq_worm_behind *behind; /* [(inputs << shift) * depth] */
    swq_worm_input *input;   /* [inputs] */
    uint32_t *until;       /* [switches] the cycle after which nothing changes for the packets of a
                              switch that wait */
    swq_worm_ports *bank;  /* [banks * 3 words] three sets: inputs with a lane that waits, or is
                              coming, and outputs that some lane asks for */
    swq_worm_place *place; /* [inputs + nodes]: outputs, then nodes */
    swq_worm_pace *pace;   /* [inputs + nodes] of their links; NULL: all carry a flit a cycle */
    swq_worm_ports
        *asked; /* [inputs * words] of an output: the inputs with a lane that asks for it */
    swq_worm_exit *exit; /* [(inputs + nodes) << shift] */
    swq_worm_pool *pool; /* [inputs + nodes], or NULL */
    uint32_t always;     /* set of the lanes that always have their reserve */
    uint8_t *turn; /* [inputs * ports] of the lanes of an input that ask for an output, the one
                      that comes first */
    swq_worm_node *node;         /* [nodes] */
    swq_worm_sending *under_way; /* [nodes << shift] in each lane of a node */
    swq_worm_notes notes;
    uint32_t *front; /* [inputs] lanes whose next packet is routed as the cycle ends, with a routing
                        that looks at credits; or NULL */
    uint32_t front_count;
    bool straight;     /* the class of a packet is its output, and it goes by no other place */
    bool looks_round;  /* packets look at other switches than their own */
    bool by_credits;   /* credits decide whether a lane can be given to a packet */
    uint64_t *sending; /* set of the nodes that are sending */
    uint64_t stalled;  /* nodes that could send no flit of the packets under way, of all cycles */
    uint32_t phases;   /* phases of a way that have lanes of their own, ... */
    uint32_t phase_lanes[SWQ_MAX_LANES]; /* ... and these lanes; 0 phases: swq_worm_lanes says which
                                            lanes a packet may take */
    uint32_t node_lanes; /* the lanes of the links from nodes that packets may take; 0: these depend
                            on the packet */
    bool far;            /* too large for the near caches: what a switch needs is fetched ahead */

    /* What arrives in each of the next `latest` cycles: at most a flit for each input, and a credit
     * for each place; ... */
    swq_worm_flit *flit;      /* [latest * inputs] */
    swq_worm_ports *arriving; /* [latest * banks * words] the inputs to which a flit comes */
    uint8_t *credited;        /* [latest * (inputs + nodes)] the lane of a credit */
    swq_worm_ports
        *returning; /* [latest * banks * words] the outputs to which a credit comes back, ... */
    uint64_t *returning_node;  /* [latest * words of nodes] ... and the nodes */
    swq_worm_leaving *leaving; /* [latest * width] ... headers and tails to nodes, ... */
    uint32_t *leaves;          /* [latest] ... and their number */

    uint8_t *movable; /* [inputs << shift] */
    swq_worm_trips trips;
    uint32_t *known; /* [inputs] what a packet that looks at other switches sees of an output: the
                        flits that took room behind it as the last cycle ended. NULL: packets
                        look at their own switch, as it is */
};

/* Cycles of a flit on the link of a place, an output or, behind all outputs, a node, if the link is
 * one of the fastest. */
int swq_worm_delay(const swq_worm_plan *plan, uint32_t place);

/* Sets the sizes, lists the arrays, and, once they have been taken, empties the network. */
void swq_worms_lay_out(swq_worms *w, const swq_worm_plan *plan);
void swq_worms_list(swq_worms *w, swq_arrays *list);
void swq_worms_empty(swq_worms *w, const swq_worm_told *told);

/* Numbers of packets that each thread of a network on several may keep: swq_worm_plan.spare. */
enum { SWQ_WORM_SPARE = 1024 };

/* Makes a copy of the network, which is in its first cycle, for the share of another thread:
 * `count` switches from `first` on, and the nodes at them. The network itself keeps the switches
 * before. The team is all zero for the first copy. Errors: SWQ_ENOMEM, SWQ_ELIMIT. The caller frees
 * the copies, also after a failure, the last one first. */
swq_status swq_worms_share(swq_context *ctx, swq_worms *whole, swq_worm_team *team, uint32_t first,
                           uint32_t count, const swq_worm_told *told, swq_worms *share);
void swq_worms_unshare(swq_context *ctx, swq_worms *share);
double swq_worms_share_bytes(const swq_worms *w);

/* Takes a number for a packet when a share has none left; and gives some back when it has many. */
void swq_worms_take_numbers(swq_worms *w);
void swq_worms_give_numbers(swq_worms *w);

/* Can a node be given a packet? */
static inline bool swq_worms_idle(const swq_worms *w, uint32_t node)
{
    const swq_worm_node *n = &w->node[node];
    return n->worm == SWQ_NO_WORM && n->packets < w->plan.node_lanes;
}

/* The first cycle after this one in which a node's link can take a flit, and the cycles that it
 * needs for so many flits. */
static inline uint32_t swq_worms_link_free(const swq_worms *w, uint32_t node)
{
    const uint32_t next = w->cycle + 1;

    return w->pace && w->pace[w->inputs + node].free > next ? w->pace[w->inputs + node].free : next;
}

static inline uint32_t swq_worms_link_time(const swq_worms *w, uint32_t node, uint32_t flits)
{
    if (!w->pace)
        return flits;
    const swq_worm_pace *p = &w->pace[w->inputs + node];
    return (uint32_t)(((uint64_t)flits * p->cycles + p->flits - 1) / p->flits);
}

/* Sends a packet from this cycle on. Returns its number, which is its own until its tail has
 * arrived. */
uint32_t swq_worms_send(swq_worms *w, uint32_t node, uint32_t to, uint32_t flits);

/* Index of a bank, or of an input, in a slot of the time wheel. */
static inline size_t swq_worms_at_bank(const swq_worms *w, uint32_t slot, uint32_t bank)
{
    return (size_t)slot * w->all_banks + bank;
}

static inline size_t swq_worms_at_input(const swq_worms *w, uint32_t slot, uint32_t port)
{
    return (size_t)slot * w->inputs + port;
}

/* Index of a place in a slot, and of the word with a node. */
static inline size_t swq_worms_at_place(const swq_worms *w, uint32_t slot, uint32_t place)
{
    return (size_t)slot * w->places + place;
}

static inline size_t swq_worms_at_node(const swq_worms *w, uint32_t slot, uint32_t node)
{
    return (size_t)slot * w->node_words + node / 64;
}

/* A word of the inputs of a bank to which a flit comes in a slot of the time wheel, and of the
 * outputs to which a credit comes back, whichever share has sent them. `at`: the index of the
 * bank there, times `words`, plus the number of the word. Taken: they come now. */
static inline swq_worm_ports swq_worms_arriving(const swq_worms *w, size_t at, bool taken)
{
    swq_worm_ports set = w->arriving[at];

    if (taken && set)
        w->arriving[at] = 0;
    for (int k = 0; w->team && k < w->team->shares; k++) {
        swq_worm_ports *of = &w->team->of[k].arriving[at];
        set |= *of;
        if (taken && *of)
            *of = 0;
    }
    return set;
}

static inline swq_worm_ports swq_worms_returning(const swq_worms *w, size_t at, bool taken)
{
    swq_worm_ports set = w->returning[at];

    if (taken && set)
        w->returning[at] = 0;
    for (int k = 0; w->team && k < w->team->shares; k++) {
        swq_worm_ports *of = &w->team->of[k].returning[at];
        set |= *of;
        if (taken && *of)
            *of = 0;
    }
    return set;
}

/* The lane of a credit that comes back to the sender of the link to an input in a slot of the time
 * wheel; UINT32_MAX: none. */
uint32_t swq_worms_credit_under_way(const swq_worms *w, uint32_t slot, uint32_t port);

/* The lane of the k-th credit of an input that is held back. */
static inline uint32_t swq_worms_late_credit(const swq_worms *w, uint32_t port, uint32_t k)
{
    return w->trips.late[(size_t)port * w->lanes * w->depth + k].lane;
}

/* swq_worms_send via another node. */
uint32_t swq_worms_send_by(swq_worms *w, uint32_t node, uint32_t by, uint32_t to, uint32_t flits);

/* One cycle. */
void swq_worms_cycle(swq_worms *w);

/* A lane that waits for another one; both are lanes of inputs, numbered as in swq_worms.lane. */
typedef struct swq_worm_wait {
    uint32_t lane, next;
} swq_worm_wait;

/* Looks for packets that can never move again. If there are any, returns true, the length of a
 * cycle of lanes that wait for each other, and the first `most` of them. O(lanes^2) at worst. */
bool swq_worms_stuck(swq_worms *w, swq_worm_wait *wait, int most, int *count);

/* The set of the lanes of the link to an input that a packet may take, without escape lanes. */
uint32_t swq_worm_lanes(const swq_worm_plan *plan, uint32_t port, const swq_packet_state *p);

/* The lanes of each phase of a way, if packets take lanes by it: the number of phases, or 0. */
uint32_t swq_worm_phases(const swq_worm_plan *plan, uint32_t lanes[SWQ_MAX_LANES]);

/* The lanes of the links from nodes, if every packet may take all of these: swq_worms.node_lanes.
 */
uint32_t swq_worm_node_lanes(const swq_worm_plan *plan);

/* The set of lanes one of which every packet may take on every link. */
uint32_t swq_worm_first_lanes(const swq_worm_plan *plan);

/* Does the graph of dependencies between lanes have a cycle (sim/dependencies/waits.h)? Without
 * one, packets cannot deadlock. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_worms_dependencies(swq_context *ctx, const swq_worm_plan *plan, bool *cycle);

/* The same, and a circle by its lanes in words, "lane 0 of local link 2 of switch 5, ...", of at
 * most `size` bytes with the 0; "" if there is none, or one of escape lanes. */
swq_status swq_worms_name_circle(swq_context *ctx, const swq_worm_plan *plan, bool *cycle,
                                 char *text, size_t size);

/* Flits of the pool held by a lane of a place: see swq_worm_pool. */
static inline uint32_t swq_worms_hold(const swq_worms *w, uint32_t place, uint32_t l)
{
    const uint32_t used = w->depth - w->exit[((size_t)place << w->shift) + l].credit;
    const bool reserves = (w->always | ~w->place[place].unowned) >> l & 1;
    const uint32_t reserve = reserves ? (uint32_t)w->plan.reserve : 0;

    return used > reserve ? used : reserve;
}

/* Flits in the buffer of a lane of an input; in all buffers of an input; and all flits in buffers
 * and on links. *sound: is each of them where its credit is missing? */
uint32_t swq_worms_held_in(const swq_worms *w, uint32_t port, uint32_t lane);
uint32_t swq_worms_held(const swq_worms *w, uint32_t port);
uint64_t swq_worms_audit(const swq_worms *w, bool *sound);

#endif
