/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Senders of hosts in data centres once more, from docs/datacentre.md alone: what a flow's window
 * or rate becomes as acknowledgements come, packets are sent, and packets are lost. Times are ps,
 * rates bit/s, windows bytes; parameters have their names.
 */
#ifndef REF_SENDERS_H
#define REF_SENDERS_H

#include <stdbool.h>

enum { REF_SENDER_HOPS = 8, REF_SENDER_PARAMETERS = 12 };

/* What a port of a switch writes into a packet. */
typedef struct ref_record {
    double time, sent, queued, rate;
} ref_record;

typedef struct ref_sender {
    /* given */
    char name[20];
    char parameter[REF_SENDER_PARAMETERS][20];
    double value[REF_SENDER_PARAMETERS];
    double line, packet; /* bit/s of the host's line; bytes */
    double switches;     /* on the way */
    double window, rate; /* at first: the window of --window; 0 */
    double smoothed;     /* the smoothed round trip as it is now; 0: none yet */
    /* inside */
    double target, alpha, alpha_due, timer_due, count, ticks, laps;
    double noticed, cut, power, reference, before, difference, spell, stage;
    unsigned next;
    bool reacts, heard;
    ref_record record[REF_SENDER_HOPS];
    int records;
} ref_sender;

typedef struct ref_heard {
    double now, round;
    bool notice;
    unsigned place, next; /* of the packet; the first one that has not been sent */
    int records;
    ref_record record[REF_SENDER_HOPS];
} ref_heard;

void ref_sender_begin(ref_sender *s);
void ref_sender_hears(ref_sender *s, const ref_heard *a);
void ref_sender_sends(ref_sender *s, double now, double bytes);
void ref_sender_loses(ref_sender *s, double now, bool timeout);
/* ps from the beginning of a packet until the next may begin; 0: at once. */
double ref_sender_gap(const ref_sender *s, double bytes);
/* The receiver of a marked packet: does the acknowledgement bring a notice? */
bool ref_sender_notices(ref_sender *s, double now);

#endif
