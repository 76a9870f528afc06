/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Packets for tests/ref/ref_memory.c, drawn from a seed: bursts of an input for an output, and
 * incasts, in which many inputs send to one output at the same time. Times are whole multiples of a
 * step, so that many events fall together.
 */
#ifndef REF_MEMORY_TRACE_H
#define REF_MEMORY_TRACE_H

#include "tests/ref/ref_memory.h"

typedef struct {
    unsigned long long seed;
    int ports, classes;
    unsigned long long rate; /* bit/s of each input, which spaces the packets of a burst */
    double load;             /* mean bytes that come for an output, per byte that it could send */
    double incasts;          /* share of bursts that are incasts */
    int burst;               /* mean packets of a burst, of each input in an incast */
    long unit, most;         /* packets have 1 .. most / unit units of bytes, half of them one */
    long long step;          /* ps */
    double hot;              /* chance that a burst is for output 0 */
    double first_round_trip; /* chance that all packets of a burst are */
} ref_memory_traffic;

/* Sets arrival[count], in the order of time. */
void ref_memory_draw(const ref_memory_traffic *t, ref_memory_arrival *arrival, long count);

/* As many packets, each of `bytes`, for the slots 0, 1, 2, ... of `slot` ps: in each slot each
 * input has one with the chance `load`, for any output, output 0 with the chance `hot`. */
void ref_memory_draw_slots(unsigned long long seed, int ports, double load, double hot, long bytes,
                           long long slot, ref_memory_arrival *arrival, long count);

#endif
