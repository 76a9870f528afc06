/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One queue of a blocking network in one cycle: the changes of its length and of its head, which is
 * open or blocked (the queue that it must join in the next switch is full).
 */
#ifndef SWQ_APPROX_PARTITIONED_QUEUE_H
#define SWQ_APPROX_PARTITIONED_QUEUE_H

#include <stdbool.h>

enum { QUEUE_ROOM = 31, QUEUE_CLASSES = 64 };

/* The events that a queue meets. */
typedef struct queue_rates {
    double comes[QUEUE_CLASSES];    /* P(a packet comes), by the queue's class at the start of the
                                       cycle */
    double comes_empty;             /* P(a packet comes to an empty queue) */
    double pends[QUEUE_CLASSES][2]; /* P(a packet waits for the queue next), by the queue's class
                                       and whether a packet came */
    double after_win, after_empty;  /* P(new head blocked): after one was sent; in an empty queue */
    double after_other;   /* P(the new head is blocked) after a head was sent to another queue than
                             the new head's */
    double fills;         /* P(a packet that is sent fills the queue it joins) */
    double full;          /* P(a queue behind is full) */
    double closes, opens; /* P(a head that stays becomes blocked; open) */
} queue_rates;

typedef struct queue_shape {
    int room, heads; /* heads 1: heads are never blocked (last stage) */
    int memory;      /* 2: also whether a packet for this queue waits before the link */
    int classes;     /* memory times the number of: 0, empty; 1 + heads (n - 1) + blocked */
} queue_shape;

typedef struct queue_outcome {
    int count, class[4];
    double p[4];
} queue_outcome;

static inline queue_shape queue_shape_of(int room, bool last, int memory)
{
    int heads = last ? 1 : 2;
    return (queue_shape){room, heads, memory, memory * (1 + heads * room)};
}

static inline int queue_length(const queue_shape *q, int class)
{
    int of = class / q->memory;
    return of ? (of - 1) / q->heads + 1 : 0;
}

static inline bool queue_open(const queue_shape *q, int class)
{
    int of = class / q->memory;
    return of && (of - 1) % q->heads == 0;
}

/* A full queue accepts nothing, whether it sends or not. */
static inline double queue_comes(const queue_shape *q, const queue_rates *r, int class)
{
    return queue_length(q, class) < q->room ? r->comes[class] : 0;
}

/* Moves without regard to packets that wait for the queue: the first class of each kind. */
static inline queue_outcome queue_moves(const queue_shape *q, const queue_rates *r, int class,
                                        bool sends, bool arrives)
{
    int n = queue_length(q, class), to = n - sends + arrives;
    double blocked;

    if (to == 0)
        return (queue_outcome){1, {0}, {1}};
    int open = q->memory * (1 + q->heads * (to - 1));
    if (q->heads == 1)
        return (queue_outcome){1, {open}, {1}};
    if (sends)
        blocked = r->after_win;
    else if (n == 0)
        blocked = r->after_empty;
    else
        blocked = queue_open(q, class) ? r->closes : 1 - r->opens;
    return (queue_outcome){2, {open, open + q->memory}, {1 - blocked, blocked}};
}

static inline queue_outcome queue_next(const queue_shape *q, const queue_rates *r, int class,
                                       bool sends, bool arrives)
{
    queue_outcome o = queue_moves(q, r, class, sends, arrives);

    for (int i = 0, n = o.count; q->memory > 1 && i < n; i++) {
        double waits = o.p[i] * r->pends[class][arrives];
        o.class[o.count] = o.class[i] + 1;
        o.p[o.count++] = waits;
        o.p[i] -= waits;
    }
    return o;
}

#endif
