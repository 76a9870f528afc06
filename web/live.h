/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the live explorer in the browser asks of C: numbers and arrays alone, as JavaScript sees
 * them. NULL or a status other than 0 is a failure, which live_message tells of.
 */
#ifndef WEB_LIVE_H
#define WEB_LIVE_H

#include <stdint.h>

/* An omega network with three stages of 4x4 switches; node 0 is the hot one. */
typedef struct live live;

/* buffer: name of a preset; slots per input port; blocks: blocking flow control, else discarding;
 * load: packets per cycle and node, above 0; fraction: of these to the hot node, in addition to its
 * even share. */
live *live_new(const char *buffer, int slots, int blocks, double load, double fraction,
               uint32_t seed);
void live_free(live *l);

/* Takes effect from now on; packets already drawn by sources stay as they are. */
void live_traffic(live *l, double load, double fraction);

/* Runs that many cycles. */
void live_run(live *l, int cycles);

/* Since the beginning: from `created` to `latency` (the sum over the packets delivered, in cycles),
 * and those delivered at the hot node. Now: the cycle, and the packets waiting at sources. And the
 * number of nodes. */
enum {
    LIVE_CREATED,
    LIVE_DELIVERED,
    LIVE_DISCARDED,
    LIVE_LATENCY,
    LIVE_CYCLE,
    LIVE_WAITING,
    LIVE_NODES,
    LIVE_HOT_DELIVERED
};
double live_count(const live *l, int what);

/* Counts the packets in each buffer, and those among them for the hot node. Returns the number of
 * buffers, by stages; the arrays belong to the network. */
int live_look(live *l);
const uint16_t *live_held(const live *l);
const uint16_t *live_marked(const live *l);
int live_slots(const live *l); /* of a buffer */

/* Runs such a network from its beginning as `switchq sim` does by default. answer: mean and
 * half-width of throughput, latency and the fraction discarded. */
int live_sim(const char *buffer, int slots, int blocks, double load, double fraction, uint32_t seed,
             double *answer);

/* Solves a 2x2 switch exactly, with the hot spot at output 0. answer: discard probability,
 * throughput per output and cycle, mean delay in cycles, states. */
int live_solve(const char *buffer, int slots, int blocks, double load, double fraction,
               double *answer);

const char *live_message(void);

#endif
