/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a sender knows of the buffer behind its link where that is told with a delay, for the
 * references of asynchronous networks: credits that are spent, travel and come back one block at a
 * time, and signals to stop and to go of which every cycle has one. Nothing is computed ahead; in
 * every cycle the buffer says how many blocks each of its queues holds. Written from
 * docs/asynchronous.md.
 */
#ifndef REF_TOLD_H
#define REF_TOLD_H

enum { REF_BLOCKING, REF_CREDITS, REF_STOP_GO, REF_TWO_COUNTER }; /* flow controls */
enum { REF_BY_CHANNEL, REF_BY_QUEUE, REF_BY_POOL };

typedef struct ref_telling {
    int flow;  /* REF_BLOCKING: nothing is told, senders see */
    int unit;  /* of credits */
    int delay; /* cycles until what is told has arrived */
    int stop, go;
    /* of the buffer, all in blocks */
    int blocks, queues, packet;   /* packet: the greatest */
    int partitioned, least, most; /* as in ref_async.h */
    double alpha;
} ref_telling;

/* One buffer and its sender. */
typedef struct ref_told ref_told;

ref_told *ref_told_new(const ref_telling *telling);
void ref_told_free(ref_told *told);

/* A cycle begins: queue q holds held[q] blocks. */
void ref_told_cycle(ref_told *told, const int *held);

/* May a packet for that queue be sent in this cycle? One is, of so many blocks. */
int ref_told_open(const ref_told *told, int queue);
void ref_told_send(ref_told *told, int queue, int blocks);

/* Is nothing on its way? */
int ref_told_still(const ref_told *told);

#endif
