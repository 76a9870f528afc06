/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How congestion grows in switches with input and output stores: flows that begin and end, and the
 * packets in chosen stores over time.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_FIGURES_CONGESTION_H
#define SWQ_VALIDATE_FIGURES_CONGESTION_H

#include "validate/figures/figures.h"

enum {
    CONGESTION_FLOWS = 8,
    CONGESTION_PLACES = 6,
    CONGESTION_CASES = 6,
    CONGESTION_PACKET = 64, /* bytes */
    CONGESTION_STORE = 32,  /* packets that each store can hold */
    CONGESTION_WINDOW = 100,
    CONGESTION_WINDOWS = 240,
    CONGESTION_END = CONGESTION_WINDOW * CONGESTION_WINDOWS,
    CONGESTION_WAY = 2 * SWQ_MAX_STAGES /* stores on a packet's route */
};

/* A sender that never pauses from cycle `from` until cycle `until`, or, if that is 0, to the
 * end. */
typedef struct congestion_flow {
    uint32_t source, destination, from, until;
} congestion_flow;

/* Stores whose mean is a curve: the stores at place `step` of the routes of flows from .. to; a
 * route leads through an input and an output store of each switch in turn. */
typedef struct congestion_place {
    const char *name;
    int step;
    int first, last;   /* flows: all of these ... */
    int first2, last2; /* ... and these; last2 < first2: none */
} congestion_place;

typedef struct congestion_case {
    int ports, stages; /* an omega of ports x ports switches; 1 stage: a single switch */
    int speedup;
    bool cut_through; /* a packet crosses the switch while it arrives, at the link's speed */
    int panel;        /* < 0: not drawn */
    int flows, places;
    congestion_flow flow[CONGESTION_FLOWS];
    congestion_place place[CONGESTION_PLACES];
} congestion_case;

/* Packets in a store, by case, place, window and run. */
typedef struct congestion {
    figure_work *f;
    congestion_case row[CONGESTION_CASES];
    int cases, runs;
    double *packets; /* [cases][places][windows][runs] */
    swq_status *status;
} congestion;

/* The network of a case, laid out. Free with swq_fabric_clear. */
swq_status congestion_fabric(swq_context *ctx, const congestion_case *row, swq_fabric *fabric);

/* The stores on a packet's route: an input store by its port, an output store by its port plus
 * `inputs`. Returns their number. */
int congestion_way(const swq_fabric *fabric, uint32_t from, uint32_t to,
                   uint32_t store[CONGESTION_WAY]);

/* Runs the cases, draws the cases that have a panel, and calls `claim` to judge the claims about
 * them. */
swq_status congestion_make(figure_work *f, const congestion_case *row, int cases,
                           void (*claim)(const congestion *c));

/* Packets in a store of the place `place` in a window of a run: the mean over its stores and
 * cycles. */
double congestion_packets(const congestion *c, int row, int place, int window, int run);

/* The cycle, to within a window, in which the place `place` first holds `packets` packets; END if
 * it never does. */
swq_estimate congestion_since(const congestion *c, int row, int place, double packets, int run);

/* The packets in the place `other` in the cycle that congestion_since finds; NAN if there is no
 * such cycle. */
swq_estimate congestion_then(const congestion *c, int row, int place, double packets, int other,
                             int run);

#endif
