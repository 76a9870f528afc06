/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The plan of a network's chain: which switches are in it, how they are wired, where their words
 * are in a node, and the events that a cycle consists of. Each switch has a spec and a layout of
 * its own, as a lone switch has, so that the rules of models/cycle.h apply to it without change.
 *
 *   words of a switch: those of its layout (models/state.h); then, where a packet may be sent only
 *   if its next queue has room, the digit + 1 that the head of each queue has for the next stage;
 *   then 1 while the turn of the switch's stage is under way and the switch has had its turn.
 */
#ifndef SWQ_NETS_PLAN_H
#define SWQ_NETS_PLAN_H

#include "models/state.h"
#include "switchq/netchain.h"

typedef struct swq_netswitch {
    int stage, number; /* number: within its stage */
    swq_switch sw;     /* load: of the sources at its inputs; dest: of the digits, at every input */
    swq_layout layout;
    int at, ahead, done;               /* offsets in a node; ahead -1: none */
    uint64_t sources, sinks;           /* nodes from which and to which packets pass */
    uint64_t origin[SWQ_CHAIN_PORTS];  /* sources by input */
    uint64_t reach[SWQ_CHAIN_PORTS];   /* sinks by output */
    uint32_t source[SWQ_CHAIN_PORTS];  /* first stage: the node before each input */
    uint32_t sink[SWQ_CHAIN_PORTS];    /* last stage: the node behind each output */
    int behind[SWQ_CHAIN_PORTS];       /* the switch behind each output; -1: a sink */
    int behind_input[SWQ_CHAIN_PORTS]; /* the input of the switch behind that the output leads to */
    int before[SWQ_CHAIN_PORTS];       /* the switch before each input; -1: a source */
    int before_output[SWQ_CHAIN_PORTS]; /* the output of the switch before that leads to the input
                                         */
    bool present;                       /* the switch is part of the chain */
} swq_netswitch;

typedef enum swq_netevent_kind {
    SWQ_NETEVENT_RECEPTION, /* reception at one switch of the first stage */
    SWQ_NETEVENT_SWITCH,    /* transmission of one switch */
    SWQ_NETEVENT_POOLS /* transmission of a stage of pools, whose packets meet in the next one */
} swq_netevent_kind;

/* One step of a cycle, which leads from one level of nodes to the next. */
typedef struct swq_netevent {
    swq_netevent_kind kind;
    int stage;
    bool last; /* the stage's turn ends with this event */
} swq_netevent;

typedef struct swq_netplan {
    const swq_network *network;
    int ports, stages, words;
    uint32_t nodes;
    int switches, per_stage; /* of all stages, in order of stages; of one stage */
    swq_netswitch *at;       /* [switches] */
    bool cone;     /* the chain has one switch of the last stage and all switches that lead to it */
    bool by_queue; /* whether a buffer has room depends on the queue that a packet joins */
    bool discards, pools;
    int events; /* may exceed SWQ_MOST_FACTORS: then nothing can be generated */
    swq_netevent event[SWQ_MOST_FACTORS];
    double weight_roundings; /* relative error of a loaded throw's weights, in roundings of 2^-53 */
    double node_probability[SWQ_NETCHAIN_NODES]; /* probability that a packet is for the node */
    double node_load[SWQ_NETCHAIN_NODES];
} swq_netplan;

/* Make the plan of a network that has been checked. The caller clears it. Errors: SWQ_ELIMIT for
 * more nodes than SWQ_NETCHAIN_NODES; SWQ_ENOMEM. */
swq_status swq_netplan_make(swq_context *ctx, const swq_network *network, bool reduce,
                            swq_netplan *plan);
void swq_netplan_clear(swq_context *ctx, swq_netplan *plan);

/* The number of switches of a stage that are in the chain. */
int swq_netplan_present(const swq_netplan *plan, int stage);

/* The first switch of a stage that has not had its turn, according to the words of a node. */
swq_netswitch *swq_netplan_next(const swq_netplan *plan, int stage, const swq_word *words);

/* Packets in the buffers of a stage, in a node. */
int swq_netplan_packets(const swq_netplan *plan, int stage, const swq_word *words);

#endif
