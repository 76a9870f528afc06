/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stage of switches with shared buffers as two small chains that tell each other their rates: one
 * of a buffer (the lengths of its queues, its place in the order of visits, and a mark of the link
 * that feeds it), one of a column (the queues for one output: the length of a tagged queue, the
 * packets in the others, and the room behind the output). The states of both chains are those
 * before transmission.
 */
#ifndef SWQ_APPROX_SHARED_STAGE_H
#define SWQ_APPROX_SHARED_STAGE_H

#include "approx/links/links.h"
#include "approx/links/shared/contents.h"

enum {
    SHARED_PORTS = 16,
    SHARED_MARKS = 16, /* most marks of a link */
    SHARED_LEVELS = 3  /* most levels of room: none, one slot, more */
};

/* The events of a link in a cycle, by the level of room that its sender sees and its mark
 * before. */
typedef struct shared_link {
    int marks;
    int first[SHARED_MARKS], last[SHARED_MARKS]; /* range of marks that can follow a mark */
    /* P(the link goes to a mark without sending) */
    double idle[SHARED_LEVELS][SHARED_MARKS][SHARED_MARKS];
    double sends[SHARED_LEVELS][SHARED_MARKS][SHARED_MARKS];
} shared_link;

/* How the level of room in a buffer changes, by whether its link sends and its mark before. */
typedef double shared_room[2][SHARED_MARKS][SHARED_LEVELS][SHARED_LEVELS];

/* The sizes and rules that are the same for all stages. */
typedef struct shared_shape {
    shared_contents contents;
    int ports, slots;
    int rest;     /* most packets in the other queues of a column */
    int levels;   /* 1: nothing is blocked */
    bool discard; /* packets are lost; room then counts after transmission */
    bool each;    /* every queue has a read port */
    int *mark_of; /* [ports * slots + 1]: the mark of a link, by the packets in its column */
} shared_shape;

/* A stage's part of the state; pointers into a vector. */
typedef struct shared_part {
    double *buffer; /* [count][ports][marks]: by content, place, and the mark of the input link */
    double *column; /* [slots + 1][rest + 1][levels] */
    double *weight; /* [slots + 1]: weights of queue lengths, by which a column's packets spread
                       over its queues */
    double *free;   /* [ports][slots + 1]: expected number of visited buffers with a queue whose
                       output is free */
    double *chosen; /* [ports][slots + 1]: expected number of such buffers that send from this
                       queue */
    double *scale;  /* [1]: factor on the chance that a packet joins a queue, which makes the
                       throughput of the column equal to that of the buffer */
} shared_part;

/* The measurements of a stage in one step; tables by length with marks have [slots + 1][levels]
 * [SHARED_MARKS] entries. */
typedef struct shared_rates {
    int marks;     /* number of marks of the stage's input links */
    double *after; /* [levels][count][ports][marks]: distribution of buffers after
                      transmission, by the level of room before the cycle */
    double *pick;  /* [ports][slots + 1]: a queue is chosen if its output is free */
    double *taken; /* [ports][slots + 1]: the output of a queue is blocked or taken at that place */
    double *length;                  /* [slots + 1]: distribution of a queue's length */
    double *own, *own_room;          /* queues that have just sent; with room for a packet */
    double *all, *all_room;          /* all queues */
    double *joins_own, *joins_other; /* [slots + 1]: P(a packet joins a queue); joins_own: a queue
                                        that has just sent */
    double extra; /* chance that one packet more than joins_other says joins a rival
                                        that has just sent, on average */
    /* of the rivals of a tagged queue, by the packets in them: [rest + slots + 1] */
    double *spread;        /* sum of the products of weights */
    double *free, *unsent; /* [ports][...]: no rival visited earlier took the output; no rival takes
                              it at all */
    double *arrivals; /* [...][ports + 1]: P(this number of rivals are joined by a packet) times the
                         spread */
    double *work, *work2; /* [...][ports + 1] */
    double throughput, packets, stuck, busy, offered, refused;
    shared_room room;
    shared_link link; /* to the next stage */
} shared_rates;

/* Compute the events of the rivals of a tagged queue, given how many packets the rivals hold
 * together. */
void shared_rivals(const shared_shape *shape, const shared_part *now, shared_rates *rates);

/* Buffers are visited and transmit: fills rates->after, measures, next->free and next->chosen. */
void shared_visits(const shared_shape *shape, const shared_part *now, shared_rates *rates,
                   const shared_part *next);

/* Can a buffer with this level of room before transmission hold `packets` packets after it?
 */
bool shared_follows(const shared_shape *shape, int level, int packets);

/* Packets arrive at the buffers from the link: fills next->buffer, and measures the packets that
 * join a queue. */
void shared_arrivals(const shared_shape *shape, const shared_link *link, shared_rates *rates,
                     const shared_part *next);

/* A cycle of the column, with the room behind its output; measures the link. NULL: always open. */
void shared_column(const shared_shape *shape, const shared_part *now, const shared_room *room,
                   shared_rates *rates, const shared_part *next);

#endif
