/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent reference for ATLAS-I (docs/atlas.md): slow, meant to be obviously correct. Every
 * cell is an object, every credit a message on its way back, and in every cycle every output of
 * every switch is looked at. Written from that page's rules without sight of sim/, with which it
 * shares no code.
 *
 * Wirings are those of ref_async.h, with one way for each pair of nodes.
 */
#ifndef REF_ATLAS_H
#define REF_ATLAS_H

#include "ref_async.h"

#include <stdint.h>

enum { ATLAS_PRIORITIES = 3 };

/* A set of nodes, for networks of at most 128: bit i is set: node i is a member. */
__extension__ typedef unsigned __int128 ref_node_set;

static inline ref_node_set ref_node_set_of(int node)
{
    return (ref_node_set)1 << node;
}

static inline int ref_node_set_count(ref_node_set nodes)
{
    return __builtin_popcountll((uint64_t)nodes) + __builtin_popcountll((uint64_t)(nodes >> 64));
}

typedef struct ref_atlas {
    ref_wiring wiring;
    int bytes;     /* of a cell */
    int hop, rest; /* cycles until a cell is ready in the next switch; of a link behind a cell */
    int pool;      /* slots of a link in the buffer of the switch to which it leads */
    int group;     /* credits of a flow group, on a link */
    int lanes;     /* flow groups that may be under way on a link */
    int credit;    /* cycles until a credit counts */
    int departure; /* whether a cell takes its group's credit as it leaves */
    int node;      /* cells that a node keeps; 0: it has one that waits, and no lists */
    const ref_message *cell; /* each is one cell */
    int cells;
    int priorities;          /* 1 .. ATLAS_PRIORITIES; 0: one */
    int sets;                /* of nodes; a cell `to` node wiring.nodes + s is for set s */
    const ref_node_set *set; /* [sets] */
    int copy_at_once;        /* there are no multicast queues */
    const int *priority;     /* [nodes] of the cells of a sender, < priorities; NULL: 0 */
    long cycles; /* stop before this cycle, or when everything is delivered, or nothing moves any
                    more */
} ref_atlas;

typedef struct ref_atlas_outcome {
    ref_start *start; /* [starts] by cycle, those from a node that keeps cells when it takes them;
                         within a cycle nodes first, then switches, by output */
    long starts;
    long *delivered; /* [cells] the cycle, or -1; to several nodes: of the last one */
    long done;       /* cells delivered, to all of their nodes */
    long cycles;     /* simulated */
    int broken;      /* times that an invariant was violated: 0 */
} ref_atlas_outcome;

/* Simulates. Clear the outcome afterwards. */
void ref_atlas_run(const ref_atlas *n, ref_atlas_outcome *o);
void ref_atlas_clear(ref_atlas_outcome *o);

#endif
