/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Brute force for single packets in a 2x2 switch with a buffer per input: every buffer is a list of
 * packets in the order of their arrival, one of them may be marked. Slow, and meant to be obviously
 * correct; shares nothing with models/. Credit is `same`.
 */
#ifndef REF_PACKETS_H
#define REF_PACKETS_H

enum { REF_PACKETS_SLOTS = 4, REF_PACKETS_MOST = 400 };

typedef struct ref_packets {
    int one_queue, read_each, capacity, queue_max, block;
    const char *arbiter; /* random, longest, fixed, random-outputs */
    double load[2], dest[2][2];
} ref_packets;

typedef struct ref_packets_answer {
    double delay[REF_PACKETS_MOST + 1]; /* probability of k cycles */
    double mean_input[2], mean_output[2];
    double run[2][REF_PACKETS_MOST + 1]; /* by input: probability of k consecutive losses, counted
                                            from the first one on */
    double loss[2], repeat[2];
} ref_packets_answer;

/* 0, or -1 if memory is lacking. */
int ref_packets_solve(const ref_packets *spec, ref_packets_answer *answer);

#endif
