/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of tests/ref/ref_memory.c, for its own files.
 */
#ifndef REF_MEMORY_PART_H
#define REF_MEMORY_PART_H

#include "tests/ref/ref_memory.h"

typedef enum { REF_OUTSIDE, REF_WAITS, REF_IS_SENT } ref_memory_place;

/* EDT, TDT: what a queue remembers; counted in cells but for `row`. */
typedef struct {
    enum { REF_NORMAL, REF_ABSORBS, REF_EVACUATES } state;
    int row; /* packets sent since one was taken */
    long growth, window, burst, lost;
} ref_memory_absorber;

/* IB: what a queue remembers. */
typedef struct {
    double fair;
    long length, came, before; /* length when a window ended; bytes of this window, of the last */
} ref_memory_window;

typedef struct {
    const ref_memory *m;
    const ref_memory_arrival *arrival;
    ref_memory_fate *fate;
    ref_memory_place *place; /* [count] */
    long came;               /* packets that have come */
    long oldest;             /* all before it are gone */
    long long now;
    long guesses;

    long sending[REF_MEMORY_PORTS]; /* a packet, or -1 */
    long long until[REF_MEMORY_PORTS];
    int last_class[REF_MEMORY_PORTS]; /* round robin: served last; DRR: being visited */
    int visited[REF_MEMORY_PORTS];    /* DRR: the class has its quantum of this visit */
    long deficit[REF_MEMORY_QUEUES];

    double congestion[REF_MEMORY_QUEUES], drain[REF_MEMORY_QUEUES], congested[REF_MEMORY_CLASSES];
    long sent_in_interval[REF_MEMORY_QUEUES];

    long tokens;
    int expels_next; /* queue at which the search for a victim begins */

    long virtual[REF_MEMORY_QUEUES]; /* FollowLQD */
    ref_memory_absorber absorber[REF_MEMORY_QUEUES];
    ref_memory_window window[REF_MEMORY_QUEUES];
    long long window_began[REF_MEMORY_PORTS];
    long chances;                      /* numbers drawn */
    double average[REF_MEMORY_QUEUES]; /* Reverie */
    long degree[REF_MEMORY_QUEUES];
} ref_memory_state;

/* Queues are numbered by port, then by class. */
int ref_memory_queues(const ref_memory *m);
int ref_memory_queue(const ref_memory *m, const ref_memory_arrival *a);

/* Bytes of all whole cells, which rules take as the memory. */
long ref_memory_bytes(const ref_memory *m);

/* What a packet takes of the memory, in bytes and in cells. */
long ref_memory_size(const ref_memory *m, const ref_memory_arrival *a);
long ref_memory_cells(const ref_memory *m, const ref_memory_arrival *a);

/* Bytes that the queues hold, packets that are being sent included; returns what is free. */
long ref_memory_lengths(const ref_memory_state *s, long length[REF_MEMORY_QUEUES]);

/* The first or the last packet that waits in a queue; -1: none. */
long ref_memory_first(const ref_memory_state *s, int queue);
long ref_memory_last(const ref_memory_state *s, int queue);

/* A packet leaves the memory. */
void ref_memory_leaves(ref_memory_state *s, long packet, ref_memory_end end);

/* Is a packet taken? Longest-queue drop has then pushed out others. */
int ref_memory_takes(ref_memory_state *s, const ref_memory_arrival *a);
int ref_memory_makes_room(ref_memory_state *s, const ref_memory_arrival *a);

/* Rules that keep something. */
void ref_memory_end_interval(ref_memory_state *s);
void ref_memory_token(ref_memory_state *s);
void ref_memory_has_sent(ref_memory_state *s, const ref_memory_arrival *a);

/* IB, Reverie. */
void ref_memory_begin_windows(ref_memory_state *s);
void ref_memory_counts(ref_memory_state *s, const ref_memory_arrival *a, const long *length);
int ref_memory_is_fair(ref_memory_state *s, const ref_memory_arrival *a, const long *length);
int ref_memory_is_below_average(ref_memory_state *s, const ref_memory_arrival *a, long left);
void ref_memory_averages(ref_memory_state *s, int queue, long length);

/* The packet that an idle port sends next; -1: none. */
long ref_memory_next(ref_memory_state *s, int port);

#endif
