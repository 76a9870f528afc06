/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loss of a small shared memory under a rule of admission: the rules once more, straight from
 * their papers, in a chain over lengths (and the lengths of FollowLQD's virtual queues) whose
 * arrivals are all ordered lists of packets, without symmetry, solved by repeated steps.
 */
#ifndef REF_ADMISSION_H
#define REF_ADMISSION_H

enum { REF_ADMISSION_QUEUES = 4 };

typedef enum {
    REF_SHARING,
    REF_MAXIMUM,   /* parameter: slots of a queue */
    REF_THRESHOLD, /* parameter: alpha */
    REF_HARMONIC,
    REF_ABM,        /* parameter: alpha */
    REF_LQD,        /* the packet that comes is lost if its queue is a longest one */
    REF_LQD_OTHER,  /* ... another longest queue loses a packet, if there is one */
    REF_LQD_LOW,    /* ... the longest queue with the lowest number does */
    REF_LQD_HIGH,   /* ... with the highest */
    REF_LQD_RANDOM, /* ... any */
    REF_OCCAMY,     /* parameter: alpha; one packet a cycle is expelled */
    REF_FOLLOW_LQD
} ref_admission_rule;

/* Packets lost per packet, for `queues` inputs and outputs, `slots` slots in all, loads, and the
 * chance that a packet is for each queue. -1: too many states. */
double ref_admission(ref_admission_rule rule, double parameter, int queues, int slots, double load,
                     const double *dest);

#endif
