/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One queue of a blocking network in one cycle: what may become of its length and of its head,
 * which is open or blocked (the queue that it is to join in the next switch is full). Room: approx.
 */
#ifndef SWQ_APPROX_PARTITIONED_QUEUE_H
#define SWQ_APPROX_PARTITIONED_QUEUE_H

#include <stdbool.h>

enum { QUEUE_ROOM = 31, QUEUE_CLASSES = 64 };

/* What a queue meets. */
typedef struct queue_rates {
    double comes[QUEUE_CLASSES];   /* P(a packet comes), by its class at the start of the cycle */
    double after_win, after_empty; /* P(the new head is blocked): after one was sent; in an empty
                                      queue */
    double after_other;            /* after one was sent to another queue than this head is for */
    double fills;                  /* P(a packet that is sent fills the queue it joins) */
    double full;                   /* P(a queue behind is full) */
    double closes, opens;          /* P(a head that stays becomes blocked; open) */
} queue_rates;

typedef struct queue_shape {
    int room, heads; /* heads 1: none is ever blocked (last stage) */
    int classes;     /* 0: empty; 1 + heads (n - 1) + blocked */
} queue_shape;

typedef struct queue_outcome {
    int count, class[2];
    double p[2];
} queue_outcome;

static inline queue_shape queue_shape_of(int room, bool last)
{
    int heads = last ? 1 : 2;
    return (queue_shape){room, heads, 1 + heads * room};
}

static inline int queue_length(const queue_shape *q, int class)
{
    return class ? (class - 1) / q->heads + 1 : 0;
}

static inline bool queue_open(const queue_shape *q, int class)
{
    return class && (class - 1) % q->heads == 0;
}

/* A full queue takes nothing, whether it sends or not. */
static inline double queue_comes(const queue_shape *q, const queue_rates *r, int class)
{
    return queue_length(q, class) < q->room ? r->comes[class] : 0;
}

static inline queue_outcome queue_next(const queue_shape *q, const queue_rates *r, int class,
                                       bool sends, bool arrives)
{
    int n = queue_length(q, class), to = n - sends + arrives;
    double blocked;

    if (to == 0)
        return (queue_outcome){1, {0}, {1}};
    int open = 1 + q->heads * (to - 1);
    if (q->heads == 1)
        return (queue_outcome){1, {open}, {1}};
    if (sends)
        blocked = r->after_win;
    else if (n == 0)
        blocked = r->after_empty;
    else
        blocked = queue_open(q, class) ? r->closes : 1 - r->opens;
    return (queue_outcome){2, {open, open + 1}, {1 - blocked, blocked}};
}

#endif
