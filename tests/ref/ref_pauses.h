/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a switch decides about packets of one lossless class: which part of the memory takes each,
 * and whether each input has asked its sender to pause. A second implementation, from the
 * specification alone; one list of packets for each input, added up anew for each decision.
 */
#ifndef REF_PAUSES_H
#define REF_PAUSES_H

enum { REF_PAUSES_INPUTS = 16 };

typedef enum { REF_PAUSES_LOST, REF_PAUSES_SHARED, REF_PAUSES_HEADROOM } ref_pauses_fate;

typedef struct {
    int inputs;
    long shared, headroom; /* bytes: of the shared part, and of each input's headroom */
    double alpha;
    int averaged; /* thresholds of averages: Reverie; else of lengths, undivided */
    double gamma;
    long congested;

    long part[REF_PAUSES_INPUTS]
             [2]; /* bytes that an input holds in the shared part, the headroom */
    double average[REF_PAUSES_INPUTS];
    long degree[REF_PAUSES_INPUTS];
    int asked[REF_PAUSES_INPUTS];
    int close; /* decisions that hang on rounding */
} ref_pauses;

ref_pauses_fate ref_pauses_comes(ref_pauses *s, int input, long bytes);
void ref_pauses_leaves(ref_pauses *s, int input, long bytes);

#endif
