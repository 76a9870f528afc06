/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent reference for wormhole switching with lanes: slow, meant to be obviously correct.
 * Every flit is an object that lies in the buffer of a lane, crosses a switch or is on a link, and
 * in every cycle every lane of every port is looked at. Nothing is computed ahead. Written from
 * docs/wormhole.md and the public headers without sight of sim/, with which it shares no code.
 *
 * Wirings are those of ref_async.h, with one way for each pair of nodes.
 */
#ifndef REF_LANES_H
#define REF_LANES_H

#include "ref_async.h"

/* Lanes of a link; and cycles without any movement after which there will be none: more than all
 * delays together. */
enum { REF_LANES_MOST = 32, REF_LANES_STUCK = 1000 };

enum { REF_LANE_ANY, REF_LANE_DATELINE, REF_LANE_CROSSING, REF_LANE_DESTINATION };

typedef struct ref_lanes {
    ref_wiring wiring;
    const ref_plan *grid;                /* of a torus: for the methods that know rings; or NULL */
    int lanes, room;                     /* of a link; flits of the buffer of each */
    int at_once;                         /* packets that a node may have under way */
    int pool, reserve, used_only;        /* flits that all lanes share, or 0; of these reserved */
    int choice;                          /* REF_LANE_... */
    int empty;                           /* a lane is given away when all its credits are back */
    int routed, given, granted, crossed; /* the stages of a switch, cycles */
    int link, credit;
    const ref_message *packet; /* `bytes` are its flits */
    const int *over; /* [packets] of a grid: their intermediate nodes; or NULL: direct routes */
    int packets;
    long cycles; /* stop before this cycle, or when everything is delivered, or nothing moves any
                    more */
} ref_lanes;

/* The first flit of a packet enters a link. */
typedef struct ref_lanes_start {
    long cycle;
    int packet;
    int switch_, output; /* REF_SENDER, 0: its source's */
    int input;
    int lane; /* of the link */
} ref_lanes_start;

typedef struct ref_lanes_outcome {
    ref_lanes_start *start; /* [starts] by cycle; within a cycle sources first, then by output */
    long starts;
    long *last; /* [packets] the cycle in which its last flit begins the link to its node, or -1 */
    long delivered;
    long sent;   /* flits, over the links of switches */
    long inside; /* flits that sources have sent and nodes have not received */
    long cycles; /* simulated */
    int *held;   /* [switches * ports] flits in the buffers of an input at the end */
    int broken;  /* times that an invariant was violated: 0 */
} ref_lanes_outcome;

/* Simulates. Clear the outcome afterwards. */
void ref_lanes_run(const ref_lanes *n, ref_lanes_outcome *o);
void ref_lanes_clear(ref_lanes_outcome *o);

#endif
