/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contents of a buffer whose outputs are alike: the lengths of its queues, in any order.
 */
#ifndef SWQ_APPROX_SHARED_CONTENTS_H
#define SWQ_APPROX_SHARED_CONTENTS_H

#include "switchq/buffer.h"

/* The queues of a content that have the same length. */
typedef struct shared_class {
    int length, queues;
    int sent;   /* the content after a queue of the class has sent a packet; -1: these queues are
                   empty */
    int joined; /* the content after a packet has joined a queue of the class; -1: the packet is
                   refused */
} shared_class;

typedef struct shared_content {
    int packets, classes;
    shared_class class[1 + 32]; /* longest first */
} shared_content;

typedef struct shared_contents {
    int ports, slots, count;
    shared_content *content; /* [count] */
} shared_contents;

/* The number of contents; INFINITY if a double cannot hold it. */
double shared_contents_count(int ports, int slots);

/* `buffer`: its rule decides which queues packets may join. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status shared_contents_init(swq_context *ctx, int ports, int slots, const swq_buffer *buffer,
                                shared_contents *all);
void shared_contents_clear(swq_context *ctx, shared_contents *all);

/* The contents after a queue of that length has sent a packet. */
int shared_contents_sent(const shared_contents *all, int content, int length);

#endif
