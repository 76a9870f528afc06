/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the independent references of congestion trees (ref_recn_iq.h, ref_recn.h) have in common:
 * packets with the list of their turns, points as lists of turns that are compared one by one, what
 * is under way over links, and the list of what happened. Written from docs/congestion.md and the
 * documents without sight of sim/trees.
 *
 * Places: switches 0 .. S - 1, and S + n is the interface of node n, which has no turn of its own;
 * in RECN-IQ it has one input and one output. RECN's switches have SAQs at inputs and outputs:
 * port p of an event is input p, ports + p is output p; of an interface it is 0.
 */
#ifndef REF_TREES_H
#define REF_TREES_H

#include "ref_async.h"

#include <stddef.h>

enum { REF_TURNS = 16, REF_TREE_SAQS = 16 };

/* Outputs, one a switch: what is left of a packet's way, or the way to a point. */
typedef struct ref_way {
    int turns;
    int turn[REF_TURNS];
} ref_way;

/* What happened. */
typedef enum ref_tree_kind {
    REF_SAQ_DETECTED, /* a SAQ was allocated by what is seen here */
    REF_SAQ_TOLD,     /* ... by a notice, from within the switch or over the link */
    REF_SAQ_FREED,
    REF_NOTICE_XOFF, /* sent upstream by an input */
    REF_NOTICE_XON,
    REF_LINE_TAKEN, /* at an output, by an Xoff */
    REF_LINE_FREED,
    REF_NO_SAQ,      /* a SAQ was wanted for what is seen here, and none was free */
    REF_NO_SAQ_TOLD, /* ... by a notice */
    REF_NO_LINE,
    REF_UNANSWERED, /* a notice found no SAQ or line of its path */
    REF_STOPPED,    /* a SAQ is stopped from within the switch, or by what is behind the link */
    REF_RELEASED,
    REF_NOTICE, /* RECN: sent, as are the next four; the port is the sender's, the path that of the
                   sender's queue */
    REF_STOP,
    REF_GO,
    REF_TOKEN,
    REF_REFUSED,
    REF_MORE_SPECIFIC, /* a notice is refused, as a SAQ has a prefix of its path */
    REF_ADD,           /* FBICM: sent; its paths are what its lines are known by (ref_recn.h) */
    REF_BLOCKED,       /* a SAQ has its marker in another queue */
    REF_UNBLOCKED,
    REF_TREE_KINDS
} ref_tree_kind;

extern const char *const ref_tree_kinds[REF_TREE_KINDS];

typedef struct ref_tree_event {
    long cycle;
    ref_tree_kind kind;
    int place, port;
    ref_way path; /* as seen from there */
} ref_tree_event;

typedef struct ref_trees {
    ref_wiring wiring;
    int slots;      /* of memory at each input */
    int interface;  /* packets that an interface holds; what is created when it is full is lost ...
                     */
    int cold;       /* RECN-IQ: ... or when its cold queue has that many; 0: no such limit */
    int inspection; /* RECN-IQ: cycles that an inspection takes; 0 counts as 1 */
    int open; /* RECN: a source gives a packet a cycle, and what finds no room is lost or waits, as
                 above; else one that it has waits, and the next one for as long as its link takes
               */
    int unbounded; /* ... or waits at its node */
    int saqs;      /* at each input, and lines at each output: 0 .. REF_TREE_SAQS */
    int detect, xoff, xon;
    int hold;         /* RECN: a head waits that would join a SAQ of Xoff or more whose notice
                         its input has refused */
    int repeat;       /* ... or refusals are not remembered */
    int flows;        /* FBICM: enhanced RECN by destinations */
    int enhanced;     /* RECN: detection queues at inputs; all notices are accepted */
    int output_slots; /* RECN: of memory at each output */
    int speed_over, speed_under; /* RECN: bytes a cycle of the crossbar, as a fraction */
    int crossbar_delay;          /* RECN: 1 .. */
    int hop_delay, link_rest, credit_delay;
    const ref_message *message; /* [messages], packets of at most a slot */
    int messages;
    long cycles; /* to run at most; it ends earlier when nothing is left */
} ref_trees;

typedef struct ref_trees_outcome {
    long cycles;
    ref_start *start; /* [starts] REF_SENDER: by an interface */
    long starts;
    ref_tree_event *event; /* [events] in the order in which they happened */
    long events;
    long *delivered; /* [messages] the cycle in which the last transmission began; -1: not; -2: it
                        was lost at the source */
    long count[REF_TREE_KINDS];
    long false_detections;
    long lost, out_of_order;
    long saqs_sum, saqs_most; /* in use at the ends of cycles, over all inputs of all places */
    int most_slots;           /* taken of one input of a switch */
    int left;   /* SAQs, lines, packets, credits, and Xoffs that are left in the end */
    int broken; /* times that an invariant did not hold */
} ref_trees_outcome;

void ref_trees_outcome_clear(ref_trees_outcome *o);

/* ---- for the references themselves ---- */

/* The outputs from an input port of the first switch on. */
ref_way ref_way_of(const ref_wiring *w, int from, int to);
int ref_way_begins(const ref_way *way, int at, const ref_way *path); /* from turn `at` on */
int ref_way_same(const ref_way *a, const ref_way *b);
int ref_way_proper(const ref_way *prefix, const ref_way *path);
ref_way ref_way_behind(int turn, const ref_way *path); /* that turn first */

/* Memory for one more, or abort. */
void *ref_grow(void *array, long count, size_t bytes);

void ref_trees_tell(ref_trees_outcome *o, long cycle, ref_tree_kind kind, int place, int port,
                    const ref_way *path);
void ref_trees_start(ref_trees_outcome *o, const ref_start *start);

/* Whether packets of each pair were delivered in the order of their creation. */
void ref_trees_order(const ref_trees *n, ref_trees_outcome *o);

/* What has been sent over a link, and when it is there. */
typedef struct ref_parcel {
    long due;
    int kind;        /* of the reference's own */
    int place, port; /* where it arrives */
    int packet, at;
    ref_way path;
} ref_parcel;

typedef struct ref_post {
    ref_parcel *parcel;
    long parcels;
} ref_post;

void ref_post_send(ref_post *p, const ref_parcel *parcel);
/* Takes out the first of those that were sent that is due by now; 0: there is none. */
int ref_post_due(ref_post *p, long now, ref_parcel *parcel);

#endif
